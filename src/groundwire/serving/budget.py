"""A result within its budget of characters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self, cast, runtime_checkable

from pydantic import BaseModel
from pydantic_core import to_json

from groundwire.serving.schemas import HIDDEN_RESULT_FIELDS

RESULT_CHARACTERS = 20_000
# Room for what is added after a result was fitted: evidence, the cursor's handle, `left_out`.
RESERVED_CHARACTERS = 1_000
SHORTEST_TEXT = 200
MAX_CUTS = 100
KEPT_WHOLE = frozenset({"answer", "status", "evidence_id", "evidence_error", "left_out"})
_HIDDEN_RESULT_FIELDS = set(HIDDEN_RESULT_FIELDS)

Wire = dict[str, Any]


@runtime_checkable
class Shortenable(Protocol):
    """A result with a list that can be cut at its end."""

    @property
    def item_count(self) -> int:
        """How many items it holds."""
        ...

    def shortened(self, keep: int) -> Self:
        """The same result with its first `keep` items."""
        ...


@dataclass(frozen=True, slots=True)
class Fitted:
    """A result that keeps to the budget.

    Attributes:
        result: the result, shortened where it had to be.
        wire: what is sent of it.
        text: the same as compact JSON.
        dropped: how many items were dropped from its end.
        cut: names of the fields that were cut otherwise.
    """

    result: BaseModel
    wire: Wire
    text: str
    dropped: int = 0
    cut: tuple[str, ...] = ()


def compact(wire: Mapping[str, Any]) -> str:
    """Compact JSON, as a result is sent.

    Raises:
        ValueError: a number is not finite.
    """
    text = to_json(wire).decode("utf-8")
    if "NaN" in text or "Infinity" in text:
        # Words of a text, or numbers that JSON does not have: the strict encoder tells.
        json.dumps(wire, allow_nan=False)
    return text


def written(result: BaseModel) -> tuple[Wire, str]:
    """A result as JSON values and as compact JSON.

    `answer` is first, nulls are absent, and so are the fields that are only for serving. The
    text is that of the values by construction.
    """
    dumped = result.model_dump(
        mode="json", by_alias=True, exclude_none=True, exclude=_HIDDEN_RESULT_FIELDS
    )
    wire = {"answer": dumped.pop("answer"), **dumped}
    text = compact(wire)
    if "null" in text:
        wire = cast("Wire", _without_nulls(wire))
        text = compact(wire)
    return wire, text


def _without_nulls(value: Any) -> Any:
    """Objects without null members; in lists, where a place may mean something, nulls stay."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {key: _without_nulls(one) for key, one in fields.items() if one is not None}
    if isinstance(value, list):
        return [_without_nulls(one) for one in cast("list[Any]", value)]
    return value


def fit(result: BaseModel, limit: int = RESULT_CHARACTERS) -> Fitted:
    """Keep `result` within `limit` characters of compact JSON, what serving adds included.

    A result that knows how to be shortened keeps as many of its items as fit; whatever else is
    too long loses the ends of its longest texts, lists and objects.
    """
    wire, text = written(result)
    room = limit - RESERVED_CHARACTERS
    if len(text) <= room:
        return Fitted(result, wire, text)
    dropped = 0
    if isinstance(result, Shortenable) and result.item_count > 1:
        keep = max(1, _most_that_fit(result, room, len(text)))
        dropped = result.item_count - keep
        result = cast("BaseModel", result.shortened(keep))
        wire, _ = written(result)
    wire, cut = _cut(wire, room)
    return Fitted(result, wire, compact(wire), dropped, cut)


def _most_that_fit(result: Shortenable, room: int, size: int) -> int:
    """The largest number of items that fits, 0 if not even one does."""

    def fits(keep: int) -> bool:
        return len(written(cast("BaseModel", result.shortened(keep)))[1]) <= room

    low, high = 0, result.item_count
    # Items are mostly alike, so the first probe is near, and the long dumps of many items that
    # plain bisection would begin with are never made.
    probe = high * room // size
    while high - low > 1:
        probe = min(max(probe, low + 1), high - 1)
        if fits(probe):
            low = probe
            probe = low + max(1, min((high - low) // 2, low // 8 + 1))
        else:
            high = probe
            probe = high - max(1, min((high - low) // 2, high // 8 + 1))
    return low


def _cut(wire: Wire, room: int) -> tuple[Wire, tuple[str, ...]]:
    """Cut the heaviest places of `wire`, in place, until it fits; with the fields they are in."""
    names: dict[str, None] = {}
    for _ in range(MAX_CUTS):
        excess = len(compact(wire)) - room
        if excess <= 0:
            return wire, tuple(names)
        name, holder, key = _heaviest(wire)
        if name is None:
            break
        value = holder[key]
        holder[key] = _short_text(value, excess) if isinstance(value, str) else _few(value, excess)
        names[name] = None
    rest = {name: wire[name] for name in ("answer", "status") if name in wire}
    rest["answer"] = _short_text(rest["answer"], max(0, len(compact(rest)) - room))
    return rest, tuple(name for name in wire if name not in rest)


def _heaviest(wire: Wire) -> tuple[str | None, Any, Any]:
    """The field that holds most, and the container and key of the place to cut in it."""
    sizes = {
        name: len(compact({"": value}))
        for name, value in wire.items()
        if name not in KEPT_WHOLE and _can_be_cut(value)
    }
    if not sizes:
        return None, wire, None
    name = max(sizes, key=lambda name: sizes[name])
    holder: Any = wire
    key: Any = name
    size = sizes[name]
    while not isinstance(holder[key], str):
        value: Any = holder[key]
        weights = {
            place: len(compact({"": entry}))
            for place, entry in _entries(value)
            if _can_be_cut(entry)
        }
        inner = max(weights, key=lambda place: weights[place], default=None)
        if inner is None or weights[inner] * 2 < size:
            break
        holder, key, size = value, inner, weights[inner]
    return name, holder, key


def _entries(value: list[Any] | dict[str, Any]) -> Iterable[tuple[int | str, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


def _can_be_cut(value: object) -> bool:
    if isinstance(value, str):
        return len(value) > SHORTEST_TEXT
    return isinstance(value, (list, dict)) and len(cast("list[Any]", value)) > 0


def _short_text(text: str, excess: int) -> str:
    if not excess:
        return text
    keep = max(SHORTEST_TEXT // 2, min(len(text) - excess - 40, len(text) - SHORTEST_TEXT // 2))
    return f"{text[:keep]}… ({len(text) - keep:,} characters left out)"


def _few(value: list[Any] | dict[str, Any], excess: int) -> list[Any] | dict[str, Any]:
    """The first entries of a list or object, so many that about `excess` characters go."""
    size = len(compact({"": value}))
    keep = max(0, min(len(value) - 1, len(value) - -(-excess * len(value) // size)))
    return value[:keep] if isinstance(value, list) else dict(list(value.items())[:keep])
