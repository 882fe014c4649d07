from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field

from groundwire.serving import Toolset, build_server, definitions_size, tool
from groundwire.serving.schemas import input_schema, output_schema

pytestmark = pytest.mark.anyio


class Colour(Enum):
    RED = "red"


class Leaf(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str


class Tree(BaseModel):
    model_config = ConfigDict(extra="forbid")
    leaf: Leaf
    children: list[Tree] | None = None


class Sent(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tree: Tree
    once: Leaf | None = None
    words: list[str] | None = None
    count: Annotated[int, Field(ge=1, description="How many.")] = 5
    flag: bool = False


class Answered(BaseModel):
    later: str
    answer: str
    maybe: int | None = None
    next_offset: int | None = None
    hidden: int = Field(default=0, exclude=True)
    amount: Decimal = Decimal(0)
    day: date | None = None
    colour: Colour = Colour.RED
    status: Literal["one", "two"] = "one"
    leaves: list[Leaf] = Field(default_factory=list[Leaf])
    mixed: list[str | int] | None = None
    mapping: dict[str, Leaf] = Field(default_factory=dict[str, Leaf])
    from_: str = Field(default="", serialization_alias="from")
    anything: Any = None
    evidence_id: str | None = Field(default=None, description="The record.")
    evidence_error: str | None = None


def keywords(node: object) -> set[str]:
    """Every keyword of a schema; names of properties are no keywords."""
    if isinstance(node, list):
        return {word for one in node for word in keywords(one)}
    if not isinstance(node, dict):
        return set()
    found = set(node)
    for key, value in node.items():
        for inner in value.values() if key in ("properties", "$defs") else [value]:
            found |= keywords(inner)
    return found


def test_input_schemas_are_slim() -> None:
    schema = input_schema(Sent)
    assert "title" not in keywords(schema)
    assert "null" not in json.dumps(schema)
    assert "additionalProperties" not in schema, "what is unknown is refused in words"
    assert schema["required"] == ["tree"]
    assert schema["properties"]["words"] == {"type": "array", "items": {"type": "string"}}
    assert schema["properties"]["count"] == {
        "default": 5, "description": "How many.", "minimum": 1, "type": "integer",
    }  # fmt: skip
    assert schema["properties"]["flag"] == {"type": "boolean"}
    assert set(schema["$defs"]) == {"Tree", "Leaf"}, "named more than once, so kept by name"
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"tree": {"leaf": {"name": "a"}, "children": []}}, schema)


def test_a_definition_that_is_named_once_is_inlined() -> None:
    class Single(BaseModel):
        leaf: Leaf

    schema = input_schema(Single)
    assert "$defs" not in schema
    assert schema["properties"]["leaf"]["properties"] == {"name": {"type": "string"}}


def test_a_definition_that_may_be_left_out_is_inlined() -> None:
    class Perhaps(BaseModel):
        leaf: Leaf | None = None
        other: Annotated[Colour | None, Field(description="Another.")] = None

    schema = input_schema(Perhaps)
    assert "$ref" not in json.dumps(schema)
    assert schema["properties"]["leaf"]["type"] == "object"
    assert schema["properties"]["other"]["description"] == "Another."


def test_lengths_are_enforced_and_not_published() -> None:
    class Short(BaseModel):
        name: Annotated[str, Field(max_length=5, min_length=1)]
        names: Annotated[list[Annotated[str, Field(max_length=5)]], Field(max_length=3)]

    properties = input_schema(Short)["properties"]
    assert properties["name"] == {"minLength": 1, "type": "string"}
    assert properties["names"] == {"items": {"type": "string"}, "type": "array"}


def test_inner_objects_do_not_repeat_what_an_argument_means() -> None:
    class Inner(BaseModel):
        limit: Annotated[int, Field(ge=1, description="Most of them.")] = 3
        kinds: Annotated[list[str], Field(description="Which of them.")] = []
        where: Annotated[str, Field(description="Another place.")] = ""

    class Outer(BaseModel):
        limit: Annotated[int, Field(ge=1, description="Most of them.")] = 3
        kinds: Annotated[list[str], Field(description="Which of them.")] = []
        where: Annotated[str, Field(description="The place.")] = ""
        parts: list[Inner] = []

    properties = input_schema(Outer)["properties"]
    assert properties["limit"]["description"] == "Most of them."
    assert properties["parts"]["items"]["properties"] == {
        "limit": {"type": "integer"},
        "kinds": {"type": "array", "items": {"type": "string"}},
        "where": {"type": "string", "description": "Another place."},
    }


def test_output_schemas_are_one_level_deep() -> None:
    schema = output_schema(Answered)
    properties = schema["properties"]
    assert next(iter(properties)) == "answer"
    assert "next_offset" not in properties and "hidden" not in properties
    assert properties["amount"] == {"type": "string"}
    assert properties["day"] == {"type": "string"}
    assert properties["colour"] == {"type": "string", "enum": ["red"]}
    assert properties["leaves"] == {"type": "array"}
    assert properties["mapping"] == {"type": "object"}
    assert properties["from"] == {"type": "string"}
    assert properties["evidence_id"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert properties["evidence_seal"] == {"type": "string"}
    assert not {"title", "$ref", "$defs"} & keywords(schema)
    assert set(schema["required"]) == {
        "answer", "later", "amount", "colour", "status", "leaves", "mapping", "from",
    }  # fmt: skip
    jsonschema.Draft202012Validator.check_schema(schema)


async def test_every_published_schema_is_portable(make_bench: Callable[..., Any]) -> None:
    for listed in await make_bench().server.list_tools():
        for schema in (listed.input_schema, listed.output_schema):
            assert schema["type"] == "object"
            assert "anyOf" not in schema, "hosts refuse a union at the root"
            jsonschema.Draft202012Validator.check_schema(schema)
        assert "additionalProperties" not in listed.input_schema


async def test_results_keep_to_the_published_schema(make_bench: Callable[..., Any]) -> None:
    bench = make_bench()
    schemas = {one.name: one.output_schema for one in await bench.server.list_tools()}
    calls: dict[str, dict[str, Any]] = {
        "find": {"filters": {}},
        "echo": {},
        "fail": {},
        "long": {"size": 90_000},
        "count": {},
        "remember": {"text": "x"},
    }
    for name, arguments in calls.items():
        jsonschema.validate(await bench.call(name, **arguments), schemas[name])
    bench.ledger.broken = OSError("disk full")
    jsonschema.validate(await bench.call("find", filters={}), schemas["find"])


async def test_definitions_size_is_what_is_sent(make_bench: Callable[..., Any]) -> None:
    bench = make_bench()
    async with bench.client() as client:
        listed = await client.list_tools()
    sent = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in listed.tools]
    size = len(json.dumps(sent, ensure_ascii=False, separators=(",", ":")))
    assert await definitions_size(bench.server) == size < 20_000


async def test_docstrings_lose_their_line_ends(make_bench: Callable[..., Any]) -> None:
    find = (await make_bench().server.list_tools())[0]
    assert find.description == "Find things.\n\nThe second paragraph goes on."


class Loose(BaseModel):
    name: str


class Bare(BaseModel):
    text: str


class Good(BaseModel):
    answer: str


def declared(**methods: Any) -> Toolset:
    return type("Made", (Toolset,), {"name": "made", **methods})()


marked = tool("Bad", read_only=True, idempotent=True, open_world=False)


@marked
async def drops_keys(self: object, filters: list[Loose]) -> Good: ...


@marked
async def no_answer(self: object) -> Bare: ...


@marked
async def no_model(self: object) -> str: ...


@marked
async def untyped(self: object, thing) -> Good: ...  # type: ignore[no-untyped-def]


@marked
async def shadowing(self: object, copy: str) -> Good: ...


@marked
def synchronous(self: object) -> Good: ...


@marked
async def a_name_that_is_far_too_long_for_a_tool(self: object) -> Good: ...


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        (drops_keys, "Loose is an argument"),
        (no_answer, "no field `answer`"),
        (no_model, "one pydantic model"),
        (untyped, "lacks a type"),
        (shadowing, "pydantic's own"),
        (synchronous, "not async"),
        (a_name_that_is_far_too_long_for_a_tool, "at most 32"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_declarations_that_break_a_rule_are_refused(
    make_bench: Callable[..., Any], method: Any, reason: str
) -> None:
    bench = make_bench()
    from pathlib import Path

    from groundwire.config import Settings

    with pytest.raises(TypeError, match=reason):
        build_server(
            "made",
            [declared(**{method.__name__: method})],
            settings=Settings(home=Path("/nowhere")),
            handles=bench.handles,
        )
