"""Questions for a ranking, in any order of their words: what is ranked, by which metric, and when.

A question is read by its spans (`language.annotate`). Each span is the metric, what is ranked, a
group, a stored value, a time, a number, a word that ranks, or a word without a fact; where one is
none of these no ranking is read, so that a table is never wider than what was asked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

from groundwire.language import NameIndex, Span, annotate
from groundwire.language.detection import HAN_CHARACTER
from groundwire.language.ordinals import place_at
from groundwire.metrics.table.axes import CHANNEL, ENTITY, GROUP, PERIOD
from groundwire.metrics.table.query import Dimension
from groundwire.metrics.table.stores import Tables
from groundwire.metrics.terms import TOTAL
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_ROWS = 10
_LONGEST = 200
_SHORTEST_NAME = 3
_PLURAL = re.compile(r"(?:[^s]s|n)$|^länder", re.IGNORECASE)
_SILENT_QUANTIFIERS = ("all", "each", "any")


class Name(NamedTuple):
    """What a name in a question stands for: a metric, what is ranked, or one entity."""

    kind: Literal["metric", "noun", "entity"]
    code: str


@dataclass(slots=True)
class _Parts:
    """What the spans of a question say.

    Attributes:
        metrics: codes of metrics of one name.
        nouns: codes of dimensions and kinds of one noun.
        entities: codes of the entities of one name, for each name.
        written: the noun and the metric as they were written.
        others: spans that may be stored values.
        period: the time.
        count: how many rows are asked for.
        place: the place that is asked for.
        least: whether the least value comes first.
        ranks: whether a word of the question ranks.
        orders: whether all are put in order.
        counts: whether it is asked how many there are.
        follows: whether it is asked how something went over time.
    """

    metrics: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    entities: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    written: dict[str, str] = field(default_factory=dict[str, str])
    others: list[str] = field(default_factory=list[str])
    period: str = ""
    count: int = 0
    place: int = 0
    least: bool = False
    ranks: bool = False
    orders: bool = False
    counts: bool = False
    follows: bool = False


def read_ranking(state: State, text: str) -> dict[str, Any] | None:
    """Return the arguments of the ranking that a question asks for, or None.

    Args:
        state: the fact base.
        text: the question, which the gate has let pass.
    """
    if len(text) > _LONGEST:
        return None
    parts = _parts(annotate(text, _index(state)).spans)
    if parts is None:
        return None
    if parts.follows and not (parts.ranks or parts.place or parts.nouns):
        return _trend(state, parts)
    if parts.ranks or parts.place:
        return _arguments(state, parts)
    return _count(state, parts) if parts.counts and not parts.metrics else None


def _trend(state: State, parts: _Parts) -> dict[str, Any] | None:
    """The arguments of a metric over time, of the entity that is named or the home entity."""
    if len(parts.metrics) != 1 or parts.others or parts.count:
        return None
    (code,) = parts.metrics
    store, metric = state.tables.metrics[code]
    asked: dict[str, Any] = {"metrics": [code], "by": [PERIOD]}
    if store == "facts":
        entity = _entity(state, parts, state.profile.metric_by_code[metric.code].kind)
        if not entity:
            return None
        asked["where"] = {ENTITY: entity}
    elif not _is_scope(state, parts.entities):
        return None
    if metric.grains:
        asked["grain"] = "year" if "year" in metric.grains else metric.grains[0]
    return asked | ({"period": parts.period} if parts.period else {})


def _count(state: State, parts: _Parts) -> dict[str, Any] | None:
    """The arguments of a count: of shops the metric "number of shops", where one is called so."""
    tables = state.tables
    noun = parts.written.get("noun", "")
    wanted = {fold(one.format(noun=noun)) for one in _tree()["counts"]["names"]}
    found = [
        (code, metric)
        for code, (store, metric) in tables.metrics.items()
        if store == "warehouse"
        and any(fold(name) in wanted for name in (metric.label, *metric.aliases))
    ]
    if not noun or len(found) != 1 or not _is_scope(state, parts.entities):
        return None
    code, metric = found[0]
    where = _stored(tables, metric.dimensions, parts.others)
    if where is None:
        return None
    asked: dict[str, Any] = {"metrics": [code]} | ({"where": where} if where else {})
    period = parts.period
    if not period and "month" in metric.grains:
        # How many there are is how many there are now, not how many there ever were.
        newest = tables.last_day("warehouse", metric)
        period = f"{newest:%Y-%m}" if newest else ""
    return asked | ({"period": period} if period else {})


def _is_scope(state: State, named: Sequence[Sequence[str]]) -> bool:
    """Whether entities only say whose the warehouse is.

    That is the home entity, and whom the definitions of the warehouse's metrics name.
    """
    profile = state.profile
    homes = {kind.home for kind in profile.kinds.values()}
    metrics = state.tables.warehouse.metrics() if state.tables.warehouse is not None else ()
    said = fold(" ".join(one.definition for one in metrics))
    return all(
        any(
            code in homes
            or any(
                fold(name) in said
                for name in (known.name, *known.aliases)
                if len(name) > _SHORTEST_NAME
            )
            for code in codes
            if (known := profile.entity_by_code.get(code)) is not None
        )
        for codes in named
    )


@lru_cache(maxsize=256)
def place_asked(question: str) -> int:
    """Return the place in a ranking that a question asks for, or 0: 3 of "third largest"."""
    parts = _parts(annotate(question).spans, lenient=True)
    return parts.place if parts else 0


_INDEXES: WeakKeyDictionary[Tables, NameIndex] = WeakKeyDictionary()


def _index(state: State) -> NameIndex:
    """Every name of a metric, of what can be ranked, and of an entity; made once."""
    tables = state.tables
    if (known := _INDEXES.get(tables)) is not None:
        return known
    index = _INDEXES[tables] = NameIndex()
    for term, names in _names(state):
        for name in names:
            index.add(name, term)
    return index


def _names(state: State) -> Iterator[tuple[Name, Iterable[str]]]:
    tables, profile = state.tables, state.profile
    for code, (_, metric) in tables.metrics.items():
        yield Name("metric", code), (metric.label, metric.code, *metric.aliases)
    for dimension in _ranked(tables):
        yield Name("noun", dimension.code), (dimension.label, *dimension.aliases)
    for code, kind in profile.kinds.items():
        yield Name("noun", code), (code, kind.label, *kind.aliases, *_nouns().get(code, ()))
    yield Name("noun", CHANNEL), _channel_words()
    for grain, names in _tree()["grains"].items():
        yield Name("noun", grain), names
    for entity in profile.entities:
        yield Name("entity", entity.code), (entity.name, *entity.aliases)


def _ranked(tables: Tables) -> list[Dimension]:
    """The dimensions of the warehouse whose values can be ranked."""
    found = tables.warehouse.dimensions() if tables.warehouse is not None else ()
    return [one for one in found if one.kind == "category"]


@cache
def _tree() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__ or "").joinpath("rankings.toml").read_text("utf-8"))


@cache
def _questions() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__ or "").joinpath("questions.toml").read_text("utf-8"))


def _nouns() -> Mapping[str, Sequence[str]]:
    return _questions()["nouns"]


def _channel_words() -> Sequence[str]:
    return _questions()["dimensions"][CHANNEL]


@cache
def _words(table: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _tree()["words"][table])


def _parts(spans: Sequence[Span], *, lenient: bool = False) -> _Parts | None:
    """What the spans say; None where one of them is not understood.

    Args:
        spans: the spans of a question.
        lenient: whether spans that are not understood are left out instead.
    """
    parts = _Parts()
    after_place = False
    for at, span in enumerate(spans):
        understood = _take(parts, span, spans[at + 1 :], after_place)
        if not understood and not lenient:
            return None
        after_place = span.text.casefold() in _words("place")
    return parts


def _take(parts: _Parts, span: Span, following: Sequence[Span], after_place: bool) -> bool:
    """Whether a span is understood; what it says is added to the parts."""
    text = span.text.casefold()
    if span.kind == "name":
        return _take_name(parts, span)
    if span.kind == "time" and span.period is not None:
        known = parts.period
        parts.period = parts.period or span.text
        return not known
    if span.kind == "quantity" and span.quantity is not None:
        return _take_number(parts, span, following, after_place)
    if _take_rank(parts, span, text):
        return True
    if text in _words("follow"):
        parts.follows = True
        return True
    if text in _words("empty") or text in _words("place"):
        return True
    if span.kind == "quantifier" and span.role and span.role.sense in _SILENT_QUANTIFIERS:
        return True
    if span.kind == "question" and span.role and span.role.sense in ("why", "when", "where"):
        return False
    if span.kind == "question" and span.role and span.role.sense == "how_many":
        parts.counts = True
    if span.is_silent or span.kind == "question":
        return True
    parts.others.append(span.text)
    return True


def _take_name(parts: _Parts, span: Span) -> bool:
    """Add a name. One that is a metric and something else is the metric where none is named yet."""
    terms = [one for one in span.terms if isinstance(one, Name)]
    for kind in ("metric", "noun"):
        codes = tuple(one.code for one in terms if one.kind == kind)
        known = parts.metrics if kind == "metric" else parts.nouns
        if codes and not known:
            parts.written[kind] = span.text
            if kind == "metric":
                parts.metrics = codes
            else:
                parts.nouns = codes
            return True
    entities = tuple(one.code for one in terms if one.kind == "entity")
    if entities:
        parts.entities.append(entities)
        return True
    return False


def _take_number(parts: _Parts, span: Span, following: Sequence[Span], after_place: bool) -> bool:
    value = span.quantity.value if span.quantity is not None else None
    if value is None or value != int(value) or not 1 <= value <= 200:
        return False
    if place_at(span.text) or after_place:
        parts.place = place_at(span.text) or int(value)
        return True
    if parts.count:
        return False
    parts.count = int(value)
    return True


def _take_rank(parts: _Parts, span: Span, text: str) -> bool:
    """Whether a span ranks: an ordinal, a superlative, or a word that puts in order."""
    found = False
    if span.kind in ("superlative", "order", "comparison", "leftover", "bound") and (
        place := place_at(text)
    ):
        parts.place = parts.place or place
        found = True
    if any(one in text for one in _words("least")):
        parts.least = parts.ranks = found = True
    elif text in _words("order"):
        parts.ranks = parts.orders = found = True
    elif text in _words("most") or (
        span.kind == "superlative" and span.role is not None and span.role.sense == "most"
    ):
        parts.ranks = found = True
    return found or (span.kind == "comparison" and bool(parts.place))


def _arguments(state: State, parts: _Parts) -> dict[str, Any] | None:
    """The arguments of the table, where one metric and one thing to rank are left."""
    ways = list(_ways(state, parts))
    if len(ways) != 1:
        return None
    code, noun, where = ways[0]
    is_time = noun in _tree()["grains"]
    asked: dict[str, Any] = {"metrics": [code], "by": [PERIOD if is_time else noun]}
    if is_time:
        asked["grain"] = noun
    if where:
        asked["where"] = where
    if parts.period:
        asked["period"] = parts.period
    asked["order_by"] = [code if parts.least else f"-{code}"]
    plural = bool(_PLURAL.search(parts.written.get("noun", "")))
    if parts.place:
        asked["limit"] = parts.place
    elif parts.count or parts.orders or plural:
        asked["limit"] = parts.count or _ROWS
    else:
        asked["limit"] = 1
    return asked


def _ways(state: State, parts: _Parts) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each metric with the dimension that it is ranked by and the conditions, if all is used."""
    for code in _metrics(state.tables, parts):
        if state.tables.metrics[code][0] == "facts":
            way = None if parts.others else _way_of_facts(state, parts, code)
            if way is not None:
                yield code, *way
        elif _is_scope(state, parts.entities):
            yield from ((code, *way) for way in _ways_of_warehouse(state, parts, code))


def _way_of_facts(state: State, parts: _Parts, code: str) -> tuple[str, dict[str, Any]] | None:
    metric = state.tables.metrics[code][1]
    kind = state.profile.metric_by_code[metric.code].kind
    nouns = parts.nouns or (kind,)
    grain = _grain(nouns)
    if kind in nouns and not grain:
        where = _group(state, parts, kind)
        return None if where is None else (ENTITY, where)
    entity = _entity(state, parts, kind)
    if not entity:
        return None
    if grain:
        return (grain, {ENTITY: entity}) if grain in metric.grains else None
    if CHANNEL in nouns and CHANNEL in metric.dimensions:
        return CHANNEL, {ENTITY: entity, CHANNEL: {"none_of": [TOTAL]}}
    return None


def _ways_of_warehouse(
    state: State, parts: _Parts, code: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    metric = state.tables.metrics[code][1]
    for noun in parts.nouns:
        is_grain = noun in metric.grains and noun == _grain(parts.nouns)
        if is_grain or (noun in metric.dimensions and noun not in state.profile.kinds):
            where = _stored(state.tables, metric.dimensions, parts.others)
            if where is not None:
                yield noun, where


def _grain(nouns: Sequence[str]) -> str:
    """The grain of time that is ranked, or ""."""
    return next((one for one in nouns if one in _tree()["grains"]), "")


def _metrics(tables: Tables, parts: _Parts) -> tuple[str, ...]:
    """The metrics that are named and have what is ranked; else those whose name ends as it does.

    Of shops "sales" are the metric "shop sales": of all that have shops it is the one so named.
    """
    own = [one for one in parts.metrics if _has(tables, one, parts.nouns)]
    if own or not parts.nouns:
        return tuple(own) or (parts.metrics if not parts.nouns else ())
    written = [one for one in (*parts.others, parts.written.get("metric", "")) if one]
    known = [tables.metrics[one][1] for one in parts.metrics]
    aliases = [name for one in known for name in (one.label, *one.aliases)]
    things = [fold(name) for one in _ranked(tables) for name in (one.label, *one.aliases)]
    wanted = tuple({fold(word) for word in (*written, *aliases)})
    near = [
        code
        for code, (store, metric) in tables.metrics.items()
        if store == "warehouse"
        and _has(tables, code, parts.nouns)
        and any(_is_of(fold(n), wanted, things) for n in (metric.label, *metric.aliases))
    ]
    if len(near) == 1 and not parts.metrics:
        parts.others = [one for one in parts.others if not _ends_one(tables, near[0], one)]
    return tuple(near)


def _is_of(name: str, words: Sequence[str], things: Sequence[str]) -> bool:
    """Whether a folded name is a thing with one of some words: Filialumsatz of Filiale, Umsatz."""
    return any(
        len(rest) > 1 and any(one.startswith(rest) for one in things)
        for word in words
        if name.endswith(word) and (rest := name.removesuffix(word))
    )


def _ends_one(tables: Tables, code: str, word: str) -> bool:
    metric = tables.metrics[code][1]
    return any(fold(name).endswith(fold(word)) for name in (metric.label, *metric.aliases))


def _has(tables: Tables, code: str, nouns: Sequence[str]) -> bool:
    store, metric = tables.metrics[code]
    if _grain(nouns) in metric.grains:
        return True
    if store == "warehouse":
        return any(noun in metric.dimensions for noun in nouns)
    return not nouns or CHANNEL in nouns or any("." not in noun for noun in nouns)


def _group(state: State, parts: _Parts, kind: str) -> dict[str, Any] | None:
    """The condition that entities are of the group that is named; None where it is no group."""
    if not parts.entities:
        return {}
    if len(parts.entities) > 1:
        return None
    known = state.profile.entity_by_code
    own = [one for one in parts.entities[0] if known[one].kind == kind]
    home = state.profile.kinds[kind].home
    if home and not parts.nouns:
        # The highest revenue of a company is one of its own: it may be of a year or of a part.
        return None
    if len(own) == 1 and own[0] in state.profile.membership.parts:
        return {GROUP: own[0]}
    return None


def _entity(state: State, parts: _Parts, kind: str) -> str:
    """The entity of a kind that is named, or the home entity; "" where it is in doubt."""
    if not parts.entities:
        return state.profile.kinds[kind].home or ""
    known = state.profile.entity_by_code
    own = [one for one in parts.entities[0] if known[one].kind == kind]
    return own[0] if len(own) == 1 and len(parts.entities) == 1 else ""


def _stored(
    tables: Tables, dimensions: Sequence[str], words: Sequence[str]
) -> dict[str, Any] | None:
    """The conditions that words name as stored values; None where one is no stored value."""
    where: dict[str, Any] = {}
    for word in words:
        if len(word) == 1 and HAN_CHARACTER.match(word):
            return None
        found = {
            one.code: value.value
            for one in _ranked(tables)
            if one.code in dimensions
            and (value := tables.resolve("warehouse", (), one.code, word)).how
            in ("exact", "folded", "alias")
        }
        if len(found) != 1:
            return None
        where.update(found)
    return where
