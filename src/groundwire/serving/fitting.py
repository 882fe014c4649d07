"""Fitting a result: its size to a budget of characters, its words to the tools that are offered.

A server offers a part of the tools that there are. What its texts say of another tool is said
otherwise, or left out: `wording.toml` lists such texts with what takes their place.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol, Self, cast, runtime_checkable

from pydantic import BaseModel
from pydantic_core import to_json

from groundwire.serving.schemas import HIDDEN_RESULT_FIELDS, JsonSchema

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


# Fields that hold what was asked, done or stored, word by word.
VERBATIM = frozenset({"rows", "audit", "audits", "reasoning", "metadata", "sparql", "tools_used"})
_HOLE = "{}"
_SENTENCE = re.compile(r"(?<=[.!?])(?=\s)")


class Wording:
    """Fits texts to the tools that one server offers.

    Args:
        offered: names of the tools that it offers.
        known: names of all tools that texts may speak of.
        missing_prompts: names of prompts that texts may speak of and that it does not offer.
    """

    def __init__(
        self, offered: Iterable[str], known: Iterable[str], missing_prompts: Iterable[str] = ()
    ) -> None:
        self._absent = tuple(sorted(frozenset(known) - frozenset(offered)))
        self._names = _any_of(self._absent)
        self._changes = tuple(self._replacements()) if self._absent else ()
        self._commands = _commands(missing_prompts)

    def fitted(self, text: str) -> str:
        """Return a text with every listed passage of it in words that fit.

        Names that stand elsewhere in the text are data, and stay.
        """
        if any(name in text for name in self._absent):
            for name, passage, instead in self._changes:
                if name not in text:
                    continue
                if _HOLE in passage:
                    text = re.sub(*_with_holes(passage, instead), text)
                else:
                    text = text.replace(passage, instead)
        return text

    def told(self, text: str, said: Iterable[object] = ()) -> str:
        """Return a text of this house, without its sentences that name a tool not offered.

        Args:
            text: a definition, an instruction, or a prompt.
            said: what the caller sent; names of tools that it holds may come back.
        """
        text = self.fitted(text)
        if self._commands is not None:
            text = self._commands.sub("", text)
        if self._names is None or not self._names.search(text):
            return text
        own = " ".join(map(str, said))
        kept = (
            sentence
            for sentence in _SENTENCE.split(text)
            if all(name in own for name in self._names.findall(sentence))
        )
        return "".join(kept).strip()

    def schema(self, schema: JsonSchema) -> JsonSchema:
        """Return a JSON Schema whose descriptions name offered tools only."""
        return cast("JsonSchema", self._described(schema)) if self._absent else schema

    def wire(self, text: str, tree: Wire, verbatim: Iterable[str]) -> Wire:
        """Return a result whose sentences name offered tools only.

        Args:
            text: the result as JSON text; one without the name of an absent tool needs no change.
            tree: the result.
            verbatim: fields that are left as they are, beside `VERBATIM`.
        """
        if not any(name in text for name in self._absent):
            return tree
        return cast("Wire", self._said(tree, VERBATIM.union(verbatim)))

    def _said(self, node: Any, verbatim: frozenset[str]) -> Any:
        if isinstance(node, str):
            return self.fitted(node)
        if isinstance(node, list):
            return [self._said(one, verbatim) for one in cast("list[Any]", node)]
        if not isinstance(node, Mapping):
            return node
        return {
            key: value if key in verbatim else self._said(value, verbatim)
            for key, value in cast("Mapping[str, Any]", node).items()
        }

    def _described(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self._described(one) for one in cast("list[Any]", node)]
        if not isinstance(node, Mapping):
            return node
        made: dict[str, Any] = {}
        for key, value in cast("Mapping[str, Any]", node).items():
            if key == "description" and isinstance(value, str):
                if text := self.told(value):
                    made[key] = text
            else:
                made[key] = self._described(value)
        return made

    def _replacements(self) -> Iterator[tuple[str, str, str]]:
        """Yield a name, the passage with it, and what is said instead, for every listed text."""
        assert self._names is not None
        for texts in _listed():
            found = self._names.search(texts[0])
            if found is None:
                continue
            instead = next((one for one in texts[1:] if not self._names.search(one)), "")
            yield found.group(), texts[0], instead


@cache
def _listed() -> tuple[tuple[str, ...], ...]:
    """Return the listed texts, each with what takes its place."""
    source = files("groundwire.serving").joinpath("wording.toml").read_text("utf-8")
    return tuple(tuple(one) for one in tomllib.loads(source)["texts"])


@cache
def _with_holes(passage: str, instead: str) -> tuple[str, str]:
    """Return the pattern of a passage with a word left open, and its replacement."""
    pattern = r"(\S{1,80}?)".join(map(re.escape, passage.split(_HOLE)))
    return pattern, instead.replace("\\", r"\\").replace(_HOLE, r"\1")


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    words = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{words})(?![A-Za-z0-9_])") if words else None


def _commands(prompts: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern of prompts within a list of commands, as in "/help, /query"."""
    words = "|".join(map(re.escape, prompts))
    return re.compile(rf"(?:, )?/(?:{words})(?![\w-])") if words else None
