"""A small server of everything that serving can do, and in-memory stores for it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import Context
from mcp_types import Completion
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from groundwire.config import Settings
from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.evidence.records import Draft, Value
from groundwire.serving import (
    START,
    Cursor,
    Grounded,
    GroundwireServer,
    Toolset,
    build_server,
    completion,
    prompt,
    resource,
    tool,
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> str:
    """Both protocol eras: 2026-07-28 and the handshake of 2025."""
    return request.param


class MemoryHandles:
    """Handles without a file."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, str, dict[str, Any]]] = {}
        self.numbers = itertools.count(1)

    def mint(self, owner: str, kind: str, payload: Mapping[str, Any], ttl: float) -> str:
        handle = f"handle-{next(self.numbers)}"
        self.kept[handle] = (owner, kind, dict(payload))
        return handle

    def open(self, handle: str, owner: str, kind: str) -> dict[str, Any]:
        found = self.kept.get(handle)
        if found is None or found[:2] != (owner, kind):
            raise NotFoundError("There is no such handle.")
        return found[2]

    def close(self) -> None:
        self.kept.clear()


class MemoryRecord:
    def __init__(self, evidence_id: str) -> None:
        self.evidence_id = evidence_id
        self.seal = "0123456789ab"


class MemoryLedger:
    """Remembers what it was given; `broken` makes it fail as a full disk does."""

    def __init__(self) -> None:
        self.records: list[tuple[str, str, Mapping[str, Any], Draft]] = []
        self.broken: Exception | None = None

    def record(
        self,
        owner: str,
        tool: str,
        arguments: Mapping[str, Any],
        draft: Draft,
        beside: Callable[[], None] | None = None,
    ) -> MemoryRecord:
        if self.broken is not None:
            raise self.broken
        if beside is not None:
            beside()
        self.records.append((owner, tool, arguments, draft))
        return MemoryRecord(f"ev_{len(self.records)}")


class Filters(BaseModel):
    model_config = ConfigDict(extra="forbid")

    country: str | None = None
    lanes: list[int] = Field(default_factory=list[int])
    inner: Filters | None = None


class Item(BaseModel):
    name: str
    note: str | None = None


class Found(BaseModel):
    answer: str
    offset: int = Field(default=0, exclude=True)
    next_offset: int | None = Field(default=None, exclude=True)
    items: list[Item]
    kind: str | None = None
    left_out: str | None = None
    next_cursor: str | None = None
    evidence_id: str | None = None
    evidence_error: str | None = None

    @property
    def item_count(self) -> int:
        return len(self.items)

    def shortened(self, keep: int) -> Found:
        return self.model_copy(
            update={"items": self.items[:keep], "next_offset": self.offset + keep}
        )


class Echo(BaseModel):
    answer: str
    values: dict[str, Any]


class Text(BaseModel):
    answer: str
    text: str
    parts: list[str] = Field(default_factory=list[str])


def _word(raw: object) -> object:
    return {"=": "eq", "equals": "eq"}.get(str(raw), raw)


class Sample(Toolset):
    name = "sample"
    title = "Samples"
    instructions = "Look things up in the sample."

    def __init__(self) -> None:
        self.closed = 0
        self.started = anyio.Event()
        self.cancelled = False
        self.total = 1_000

    @tool("Find", read_only=True, idempotent=True, open_world=False, timeout=5.0)
    async def find(
        self,
        filters: Annotated[Filters, Field(description="What is looked for.")],
        limit: Annotated[int, Field(ge=1, le=1_000)] = 20,
        sort: Literal["by_name", "by_size"] | None = None,
        cursor: Cursor = START,
    ) -> Grounded[Found]:
        """Find things.

        The second paragraph
        goes on.
        """
        numbers = range(cursor.offset, min(self.total, cursor.offset + limit))
        items = [Item(name=f"thing {number} " + "x" * 100) for number in numbers]
        end = cursor.offset + len(items)
        result = Found(
            answer=f"{self.total} things were found.",
            items=items,
            kind=sort,
            offset=cursor.offset,
            next_offset=end if end < self.total else None,
        )
        return Grounded(result, Draft(values=(Value("total", str(self.total)),)))

    @tool("Echo", read_only=True, idempotent=True, open_world=False)
    async def echo(
        self,
        words: list[str] | None = None,
        number: int | None = None,
        flag: bool = False,
        text: str | None = None,
        mapping: dict[str, Any] | None = None,
        operator: Annotated[Literal["eq", "ne"], BeforeValidator(_word)] = "eq",
        endpoint: Annotated[
            str, Field(validation_alias=AliasChoices("endpoint", "endpoint_url"))
        ] = "default",
    ) -> Echo:
        """Say what arrived."""
        values = {
            "words": words,
            "number": number,
            "flag": flag,
            "text": text,
            "mapping": mapping,
            "operator": operator,
            "endpoint": endpoint,
        }
        return Echo(answer="Echo.", values=values)

    @tool("Fail", read_only=True, idempotent=True, open_world=False)
    async def fail(self, how: Literal["expected", "unexpected", "none"] = "none") -> Text:
        """Fail as told."""
        if how == "expected":
            raise InputError("there is no such thing:\n  send another.")
        if how == "unexpected":
            raise RuntimeError("password=hunter2 at /secret/path")
        return Text(answer="Nothing failed.", text="")

    @tool("Sleep", read_only=True, idempotent=True, open_world=False, timeout=0.2)
    async def sleep(self, seconds: float = 60.0) -> Text:
        """Sleep."""
        self.started.set()
        try:
            await anyio.sleep(seconds)
        except anyio.get_cancelled_exc_class():
            self.cancelled = True
            raise
        return Text(answer="Awake.", text="")

    @tool("Long", read_only=True, idempotent=True, open_world=False)
    async def long(self, size: int, many: bool = False) -> Text:
        """Say much."""
        if many:
            return Text(answer="Much.", text="", parts=["y" * 50] * (size // 50))
        return Text(answer="Much.", text="z" * size)

    @tool("Remember", read_only=False, idempotent=False, open_world=False, changes_state=True)
    async def remember(self, text: str, context: Context) -> Text:
        """Keep a text."""
        return Text(answer="Kept.", text=f"{text} {context.protocol_version is not None}")

    @prompt("How to look things up", name="how-to")
    async def how_to(self, subject: str) -> str:
        """Explain how to look things up."""
        if subject == "boats":
            raise NotFoundError(f"there is no subject {subject}: ask for cars.")
        return f"Look up {subject}."

    @resource("sample://{subject}", title="A subject", mime_type="text/plain")
    async def subject(self, subject: str) -> str:
        """What is known of a subject."""
        if subject == "down":
            raise UnavailableError("the shelf is locked: try again later.")
        if subject != "cars":
            raise NotFoundError(f"there is no subject {subject}: ask for cars.")
        return "Cars have lanes."

    @completion
    async def complete(self, ref: object, argument: Any, context: object) -> Completion | None:
        """Complete subjects."""
        if argument.name == "subject":
            return Completion(
                values=[word for word in ("cars",) if word.startswith(argument.value)]
            )
        return None

    def close(self) -> None:
        self.closed += 1


class Other(Toolset):
    name = "other"
    instructions = "Other things."

    @tool("Count", read_only=True, idempotent=True, open_world=False)
    async def count(self) -> Text:
        """Count."""
        return Text(answer="One.", text="1")

    @tool("Write", read_only=False, idempotent=True, open_world=False, writes_files=True)
    async def write(self) -> Text:
        """Write a file."""
        return Text(answer="Written.", text="")


def settings(**changes: Any) -> Settings:
    return Settings(home=Path("/nowhere"), **changes)


class Bench:
    """A built server with everything that it was built from."""

    def __init__(self, **changes: Any) -> None:
        self.sample = Sample()
        self.ledger = MemoryLedger()
        self.handles = MemoryHandles()
        self.server: GroundwireServer = build_server(
            "sample",
            [self.sample, Other()],
            settings=settings(**changes),
            handles=self.handles,
            ledger=self.ledger,
        )

    @asynccontextmanager
    async def client(self, era: str = "auto") -> AsyncIterator[Client]:
        async with Client(self.server, mode=era) as client:
            yield client

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call over the wire; the structured content of a success."""
        async with self.client() as client:
            result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        """Call over the wire; the line of a refusal."""
        async with self.client() as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert len(result.content) == 1
        line: str = result.content[0].text
        assert "\n" not in line
        assert "pydantic" not in line
        return line


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.server.close()


@pytest.fixture
def make_bench() -> Callable[..., Bench]:
    return Bench


@pytest.fixture
def make_echo() -> Callable[..., Echo]:
    return Echo
