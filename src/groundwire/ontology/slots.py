"""The slots of a search: the arguments of `submit_slots` as they are published and accepted.

Source of the forms: design.md, "ontology"; specs/ontology.md, "Slots to answer", 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    WithJsonSchema,
    model_validator,
)

from groundwire.ontology.conditions import (
    MAX_TEXT,
    Condition,
    Range,
    is_blank,
    parse_condition,
    parse_range,
    read_boolean,
    read_text,
    unpack,
)

MAX_ENTRIES = 50


def _bounded(raw: object, what: str) -> object:
    value = unpack(raw)
    if value is None or value == "":
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(f'{what} is an object, such as {{"property": value}}')
    entries = cast("Mapping[object, object]", value)
    if len(entries) > MAX_ENTRIES:
        raise ValueError(f"{what} has {len(entries):,} entries: send at most {MAX_ENTRIES}")
    return {
        read_text(str(key), f"a name in {what}"): content
        for key, content in entries.items()
        if not is_blank(content)
    }


def _bounds(raw: object, what: str) -> object:
    """Ranges; one whose bounds are all blank says nothing."""
    entries = _bounded(raw, what)
    assert isinstance(entries, dict)
    sent = cast("dict[str, object]", entries)
    return {name: content for name, content in sent.items() if not _all_blank(content)}


def _all_blank(content: object) -> bool:
    return isinstance(content, Mapping) and all(
        is_blank(bound) for bound in cast("Mapping[object, object]", content).values()
    )


def _domain_name(raw: object) -> object:
    return read_text(raw, "the name of a domain") if isinstance(raw, str) else raw


def _listed(raw: object, what: str) -> object:
    value = unpack(raw)
    if value is None or value == "":
        return []
    if not isinstance(value, list):
        return [value]
    entries = cast("list[object]", value)
    if len(entries) > MAX_ENTRIES:
        raise ValueError(f"{what} has {len(entries):,} entries: send at most {MAX_ENTRIES}")
    return [
        entry
        for entry in entries
        if not is_blank(entry) and not (isinstance(entry, str) and not entry.strip())
    ]


def _reader(read: Callable[[object, str], object], what: str) -> BeforeValidator:
    return BeforeValidator(lambda raw: read(raw, what))


ConditionArgument = Annotated[
    InstanceOf[Condition],
    BeforeValidator(parse_condition),
    WithJsonSchema({}),
]
RangeArgument = Annotated[
    InstanceOf[Range],
    BeforeValidator(parse_range),
    WithJsonSchema({"type": "object"}),
]
Filters = Annotated[dict[str, ConditionArgument], _reader(_bounded, "filters")]
Ranges = Annotated[
    dict[str, RangeArgument], _reader(_bounds, "ranges"), WithJsonSchema({"type": "object"})
]
DomainName = Annotated[str, BeforeValidator(_domain_name)]


class Reference(BaseModel):
    """Another asset that the wanted asset is connected with, and what must hold of it."""

    model_config = ConfigDict(extra="forbid")

    domain: DomainName
    filters: Filters = Field(default_factory=dict[str, Condition])
    ranges: Ranges = Field(default_factory=dict[str, Range])
    references: References = Field(default_factory=list["Reference"])
    over: str = Field(default="", max_length=MAX_TEXT)
    none: bool = False
    direct: bool = False

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, raw: object) -> object:
        """A reference sent as the bare name of its domain, or with `exists` for `none`."""
        if isinstance(raw, str):
            return {"domain": raw}
        if not isinstance(raw, Mapping):
            return raw
        entry = dict(cast("Mapping[str, object]", raw))
        said = [_said(entry.pop(name), name) for name in ("none", "exists") if name in entry]
        said = [each for each in said if each is not None]
        if len(set(said)) > 1:
            raise ValueError("a reference says both that there is one and that there is none")
        if "direct" in entry and is_blank(entry["direct"]):
            del entry["direct"]
        return entry | ({"none": said[0]} if said else {})


def _said(content: object, name: str) -> bool | None:
    """Whether a reference must not be there, as its key `none` or `exists` says."""
    if is_blank(content):
        return None
    said = read_boolean(content)
    if said is None:
        raise ValueError(f'{name} of a reference takes true or false, as in {{"{name}": true}}')
    return said if name == "none" else not said


References = Annotated[
    list[Reference],
    _reader(_listed, "references"),
    WithJsonSchema(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "domain": {"type": "string"},
                    "filters": {"type": "object"},
                    "ranges": {"type": "object"},
                    "references": {"type": "array"},
                    "none": {"type": "boolean"},
                },
            },
        }
    ),
]

_NO_SUCH_SLOT = {
    "location": "there is no slots.location: use filters.country or filters.region",
    "license": "there is no slots.license: use filters.license",
}


class Slots(BaseModel):
    """Domains to search, and conditions on their properties and references."""

    model_config = ConfigDict(extra="forbid")

    domains: Annotated[list[DomainName], _reader(_listed, "domains")] = Field(
        default_factory=list[str], description="Kinds of asset; see discover_domains."
    )
    filters: Filters = Field(
        default_factory=dict[str, Condition],
        description='{property: "x" | ["x","y"] (any of) | {any_of|all_of|none_of: [..]} | '
        "{contains: text} | {exists: bool}}",
    )
    ranges: Ranges = Field(
        default_factory=dict[str, Range],
        description="{property: {min,max} closed, {gt,gte,lt,lte}}; numbers or ISO dates.",
    )
    references: References = Field(
        default_factory=list[Reference],
        description="Connected assets, nested; none: there is no such one.",
    )

    @model_validator(mode="before")
    @classmethod
    def _known_slots(cls, raw: object) -> object:
        if isinstance(raw, dict):
            for name, way_out in _NO_SUCH_SLOT.items():
                if name in raw:
                    raise ValueError(way_out)
        return cast("object", raw)


GapReason = Literal["unmapped", "ambiguous", "unsupported", "limitation"]


class SubmittedGap(BaseModel):
    """A term of the question that the caller could not place.

    `about`: whether it says which assets are wanted, or in which order and how many of them.
    """

    model_config = ConfigDict(extra="ignore")

    term: str = Field(min_length=1, max_length=MAX_TEXT)
    reason: GapReason = "unmapped"
    suggestions: list[Any] = Field(default_factory=list[Any])
    about: Literal["condition", "order"] = "condition"

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, raw: object) -> object:
        """A gap sent as its bare term; a reason in other words counts as unmapped."""
        if isinstance(raw, str):
            return {"term": raw}
        if isinstance(raw, Mapping):
            entry = dict(cast("Mapping[str, object]", raw))
            if entry.get("reason") not in get_args(GapReason):
                entry["reason"] = "unmapped"
            if entry.get("about") != "order":
                entry["about"] = "condition"
            return entry
        return raw


Reference.model_rebuild()


SubmittedGaps = Annotated[
    Sequence[SubmittedGap],
    _reader(_listed, "gaps"),
    WithJsonSchema(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "term": {"type": "string"},
                    "reason": {"type": "string", "enum": list(get_args(GapReason))},
                },
            },
        }
    ),
]
