"""Questions for a ranking, in any order of their words: what is ranked, by which metric, and when.

A question is read by its spans (`language.annotate`). Each span is the metric, what is ranked, a
group, a stored value, a time, a number, a word that ranks, or a word without a fact; where one is
none of these no ranking is read, so that a table is never wider than what was asked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from groundwire.language import NameIndex, annotate
from groundwire.language.detection import HAN_CHARACTER
from groundwire.metrics.table.axes import CHANNEL, ENTITY, GROUP, PERIOD
from groundwire.metrics.table.query import Dimension
from groundwire.metrics.table.question_parts import Name, Parts, parts_of, tree
from groundwire.metrics.table.rolling import asked_average
from groundwire.metrics.table.stores import Tables
from groundwire.metrics.terms import TOTAL
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_ROWS = 10
# "Quarter by quarter" is by quarter.
_REPEATED = re.compile(r"\b(year|quarter|month) by \1\b", re.IGNORECASE)
_REPEATS = re.compile(rf"{_REPEATED.pattern}|逐[年季月]|各[个]?(?:季度|月|年)", re.IGNORECASE)
_LONGEST = 200
_SHORTEST_NAME = 3
_PLURAL = re.compile(r"(?:[^s]s|n)$|^länder", re.IGNORECASE)


def read_ranking(state: State, text: str) -> dict[str, Any] | None:
    """Return the arguments of the ranking that a question asks for, or None.

    Args:
        state: the fact base.
        text: the question, which the gate has let pass.
    """
    if len(text) > _LONGEST:
        return None
    asked, text = text, _REPEATED.sub(r"by \1", text)
    rolling = read_rolling(state, text)
    if rolling is not None:
        return rolling
    parts = parts_of(annotate(text, _index(state)).spans)
    if parts is None:
        return None
    by_time = not parts.nouns or bool(_grain(parts.nouns))
    if (parts.follows or _REPEATS.search(asked)) and by_time and not (parts.ranks or parts.place):
        return _trend(state, parts)
    if parts.ranks or parts.place:
        return _arguments(state, parts)
    if parts.metrics:
        return _value_of(state, parts)
    return _count(state, parts) if parts.counts else None


def read_rolling(state: State, text: str) -> dict[str, Any] | None:
    """Return the arguments of the rolling average that a question asks for, or None.

    The words of the average are taken out; what is left must be a metric, whose it is, and a time.
    Where the question does not say over how many periods, the call is made as it is worded, and is
    refused with that reason.
    """
    found = asked_average(text)
    if found is None or len(text) > _LONGEST:
        return None
    window, rest = found
    parts = parts_of(annotate(rest, _index(state)).spans)
    if parts is None or len(parts.metrics) != 1 or parts.ranks or parts.place or parts.nouns:
        return None
    asked = _trend(state, parts)
    if asked is None and state.tables.metrics[parts.metrics[0]][0] == "warehouse":
        asked = _value_of(state, parts)
    if asked is None:
        return None
    asked.pop("grain", None)
    return asked | {"by": [PERIOD], "rolling_average": window}


def _value_of(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of a value of the warehouse, or of its values by what is named behind "by"."""
    tables = state.tables
    stores = {tables.metrics[code][0] for code in parts.metrics}
    if len(parts.metrics) != 1 or stores != {"warehouse"} or not _is_scope(state, parts.entities):
        return None
    (code,) = parts.metrics
    metric = tables.metrics[code][1]
    where = _stored(tables, metric.dimensions, parts.others)
    if where is None or (not parts.period and not where):
        return None
    asked: dict[str, Any] = {"metrics": [code]}
    named = [one for one in parts.nouns if one in metric.dimensions]
    if parts.by_noun:
        if len(named) != 1:
            return None
        asked["by"] = named
    elif parts.nouns and not _PLURAL.search(parts.written["noun"]) and not where:
        return None
    asked |= {"where": where} if where else {}
    return asked | ({"period": parts.period} if parts.period else {})


def _trend(state: State, parts: Parts) -> dict[str, Any] | None:
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
    own = _grain(parts.nouns)
    if own:
        if own not in metric.grains:
            return None
        asked["grain"] = own
    elif metric.grains:
        asked["grain"] = "year" if "year" in metric.grains else metric.grains[0]
    return asked | ({"period": parts.period} if parts.period else {})


def _count(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of a count: of shops the metric "number of shops", where one is called so."""
    tables = state.tables
    noun = parts.written.get("noun", "")
    wanted = {fold(one.format(noun=noun)) for one in tree()["counts"]["names"]}
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
    for grain, names in tree()["grains"].items():
        yield Name("noun", grain), names
    for entity in profile.entities:
        yield Name("entity", entity.code), (entity.name, *entity.aliases)


def _ranked(tables: Tables) -> list[Dimension]:
    """The dimensions of the warehouse whose values can be ranked."""
    found = tables.warehouse.dimensions() if tables.warehouse is not None else ()
    return [one for one in found if one.kind == "category"]


@cache
def _questions() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__ or "").joinpath("questions.toml").read_text("utf-8"))


def _nouns() -> Mapping[str, Sequence[str]]:
    return _questions()["nouns"]


def _channel_words() -> Sequence[str]:
    return _questions()["dimensions"][CHANNEL]


def _arguments(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of the table, where one metric and one thing to rank are left."""
    ways = list(_ways(state, parts))
    if len(ways) != 1:
        return None
    code, noun, where = ways[0]
    is_time = noun in tree()["grains"]
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


def _ways(state: State, parts: Parts) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each metric with the dimension that it is ranked by and the conditions, if all is used."""
    for code in _metrics(state.tables, parts):
        if state.tables.metrics[code][0] == "facts":
            way = None if parts.others else _way_of_facts(state, parts, code)
            if way is not None:
                yield code, *way
        elif _is_scope(state, parts.entities):
            yield from ((code, *way) for way in _ways_of_warehouse(state, parts, code))


def _way_of_facts(state: State, parts: Parts, code: str) -> tuple[str, dict[str, Any]] | None:
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
    state: State, parts: Parts, code: str
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
    return next((one for one in nouns if one in tree()["grains"]), "")


def _metrics(tables: Tables, parts: Parts) -> tuple[str, ...]:
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


def _group(state: State, parts: Parts, kind: str) -> dict[str, Any] | None:
    """The condition that entities are of the group that is named; None for any other entity."""
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


def _entity(state: State, parts: Parts, kind: str) -> str:
    """The entity of a kind that is named, or the home entity; "" where it is in doubt."""
    if not parts.entities:
        return state.profile.kinds[kind].home or ""
    known = state.profile.entity_by_code
    own = [one for one in parts.entities[0] if known[one].kind == kind]
    return own[0] if len(own) == 1 and len(parts.entities) == 1 else ""


def _stored(
    tables: Tables, dimensions: Sequence[str], words: Sequence[str]
) -> dict[str, Any] | None:
    """The conditions that words name as stored values; None where one names none."""
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
