"""Values of a metric, by what is named behind "by", over time, and of the stored values named.

A table is never wider than the question: what has no place in it keeps it from being read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from groundwire.language.detection import HAN_CHARACTER
from groundwire.metrics.table.query import CHANNEL, ENTITY, GROUP, PERIOD, TableMetric
from groundwire.metrics.table.question_names import ranked
from groundwire.metrics.table.question_parts import Parts, tree
from groundwire.metrics.table.stores import Tables
from groundwire.metrics.terms import TOTAL
from groundwire.quantities import resolve_unit
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_SHORTEST_NAME = 3
PLURAL = re.compile(r"(?:[^s]s|n)$|^länder", re.IGNORECASE)
_YEAR_ON_YEAR = re.compile(r"\byear[ -](?:on|over)[ -]year\b", re.IGNORECASE)
_EACH_OF = re.compile(r"(?P<each>各个?|哪[家个间])(?P<name>[\u3400-\u9fff]{2,12})")
_COMPOUND = re.compile(
    r"\b(?P<name>[^\W\d_]{3,30})(?P<head>wachstums?|zuwachs|anstieg|rückgang|veränderung|entwicklung|anteile?)\b",
    re.IGNORECASE,
)


def read_parts(state: State, parts: Parts) -> dict[str, Any] | None:
    """Return the arguments of a metric, by what is named behind "by", or None."""
    if not says_its_aside(state, parts):
        return None
    if parts.by_noun and len(parts.metrics) == 1 and not parts.beside:
        if grain_of(parts.nouns) and not parts.also:
            return read_trend(state, parts)
        if state.tables.metrics[parts.metrics[0]][0] == "facts":
            return _facts_by(state, parts)
    return read_value(state, parts)


def more(parts: Parts) -> bool:
    """Return whether a question names a second metric, or a second thing to tell values by."""
    return bool(parts.also or parts.beside)


def _facts_by(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of facts by channel, or by the companies of the home entity."""
    (code,) = parts.metrics
    metric = state.tables.metrics[code][1]
    kind = state.profile.metric_by_code[metric.code].kind
    if parts.others or parts.count or parts.hints or parts.also or len(parts.periods) > 1:
        return None
    entity = entity_of(state, parts, kind)
    asked: dict[str, Any]
    if CHANNEL in parts.nouns and CHANNEL in metric.dimensions and entity:
        asked = {"by": [CHANNEL], "where": {ENTITY: entity, CHANNEL: {"none_of": [TOTAL]}}}
    elif kind in parts.nouns:
        home = state.profile.kinds[kind].home
        group = {GROUP: home} if home and not parts.entities else group_of(state, parts, kind)
        if group is None:
            return None
        asked = {"by": [ENTITY]} | ({"where": group} if group else {})
    else:
        return None
    asked["metrics"] = [code]
    return asked | ({"period": parts.period} if parts.period else {})


def read_value(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of a value of the warehouse, or of its values by what is named behind "by"."""
    tables = state.tables
    every = [parts.metrics, *parts.beside]
    stores = {tables.metrics[code][0] for codes in every for code in codes}
    if stores != {"warehouse"} or not is_scope(state, parts.entities):
        return None
    if any(len(codes) != 1 for codes in every):
        return None
    code = parts.metrics[0]
    metric = tables.metrics[code][1]
    if parts.beside:
        # What all of them have.
        others = [tables.metrics[codes[0]][1] for codes in parts.beside]
        metric = replace(
            metric,
            dimensions=tuple(
                one for one in metric.dimensions if all(one in m.dimensions for m in others)
            ),
            grains=tuple(one for one in metric.grains if all(one in m.grains for m in others)),
        )
    where = stored(tables, metric, parts)
    if where is None or parts.count or not (parts.period or where or not metric.grains):
        return None
    asked: dict[str, Any] = {"metrics": [code for (code,) in every]}
    several = [one for one, values in where.items() if isinstance(values, list)]
    if parts.by_noun:
        named = told_by(metric, parts)
        if named is None:
            return None
        asked |= named
        asked["by"] += [one for one in several if one not in asked["by"]]
    elif several:
        # Of several values each is told by itself.
        if len(several) > 1:
            return None
        asked["by"] = several
    elif parts.nouns and (parts.without or not (where or says_its_noun(state, parts))):
        return None
    asked |= {"where": where} if where else {}
    return _in_times(asked, parts)


def told_by(metric: TableMetric, parts: Parts) -> dict[str, Any] | None:
    """Return the dimensions, and the grain, that values are told by; None where it is in doubt."""
    asked: dict[str, Any] = {"by": []}
    for nouns in (parts.nouns, *parts.also):
        grain = grain_of(nouns)
        named = [one for one in nouns if one in metric.dimensions]
        if grain and grain in metric.grains and "grain" not in asked:
            asked["grain"], named = grain, [PERIOD]
        if len(named) != 1:
            return None
        asked["by"] += named
    return asked


def _in_times(asked: dict[str, Any], parts: Parts) -> dict[str, Any] | None:
    """The arguments with the times that are named: one, or two years that follow each other."""
    if len(parts.periods) < 2:
        return asked | ({"period": parts.period} if parts.period else {})
    if "by" in asked or len(parts.periods) > 2:
        return None
    found = [re.fullmatch(r"(\d{4})年?", one) for one in parts.periods]
    years = sorted(int(one[1]) for one in found if one is not None)
    if len(years) != 2 or years[1] - years[0] != 1:
        return None
    return asked | {"by": [PERIOD], "grain": "year", "period": f"{years[0]}-{years[1]}"}


def says_its_noun(state: State, parts: Parts) -> bool:
    """Return whether a noun beside a metric of the warehouse narrows nothing.

    That is a plural ("rents of the shops"), or what the metric's definition says that it is of:
    "shop visitors" are the visits to the shops.
    """
    metric = state.tables.metrics[parts.metrics[0]][1]
    if state.tables.metrics[parts.metrics[0]][0] != "warehouse":
        return False
    if PLURAL.search(parts.written["noun"]):
        return True
    said = set(re.findall(r"\w+", metric.definition.casefold()))
    return any(
        name.casefold() in said or f"{name.casefold()}s" in said
        for one in ranked(state.tables)
        if one.code in parts.nouns and one.code in metric.dimensions
        for name in (one.label, *one.aliases)
    )


def read_trend(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of a metric over time, of the entity that is named or the home entity."""
    if len(parts.metrics) != 1 or parts.others or parts.count or len(parts.periods) > 1:
        return None
    (code,) = parts.metrics
    store, metric = state.tables.metrics[code]
    asked: dict[str, Any] = {"metrics": [code], "by": [PERIOD]}
    if store == "facts":
        entity = entity_of(state, parts, state.profile.metric_by_code[metric.code].kind)
        if not entity:
            return None
        asked["where"] = {ENTITY: entity}
    elif not is_scope(state, parts.entities):
        return None
    else:
        where = stored(state.tables, metric, parts)
        if where is None:
            return None
        asked |= {"where": where} if where else {}
        # Of several values each is told by itself.
        asked["by"] = [PERIOD, *(one for one, held in where.items() if isinstance(held, list))]
    own = grain_of(parts.nouns)
    if own:
        if own not in metric.grains:
            return None
        asked["grain"] = own
    elif metric.grains:
        asked["grain"] = "year" if "year" in metric.grains else metric.grains[0]
    return asked | ({"period": parts.period} if parts.period else {})


def says_its_aside(state: State, parts: Parts) -> bool:
    """Return whether a noun that values are not told by narrows nothing; true without one."""
    if not parts.aside:
        return True
    written = {"noun": parts.written["aside"]}
    return bool(parts.metrics) and says_its_noun(
        state, replace(parts, nouns=parts.aside, written=written)
    )


def settle_metric(tables: Tables, parts: Parts) -> None:
    """Keep the one metric of several of one name that has all that is named beside it."""
    if len(parts.metrics) < 2:
        return
    own = [
        code
        for code in parts.metrics
        if {*parts.values, *parts.without} <= set(tables.metrics[code][1].dimensions)
        and (not parts.nouns or has(tables, code, parts.nouns))
        and not (parts.entities and tables.metrics[code][0] == "warehouse")
    ]
    if len(own) == 1:
        parts.metrics = tuple(own)


def drop_own_words(tables: Tables, parts: Parts) -> None:
    """Drop words of the label of the one metric: the units of "how many units were sold"."""
    if len(parts.metrics) == 1:
        metric = tables.metrics[parts.metrics[0]][1]
        labels = (metric.label, *metric.labels.values())
        own = {fold(word) for label in labels for word in label.split()}
        parts.others = [one for one in parts.others if fold(one) not in own]


def is_scope(state: State, named: Sequence[Sequence[str]]) -> bool:
    """Return whether entities only say whose the warehouse is.

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


def grain_of(nouns: Sequence[str]) -> str:
    """The grain of time that is ranked, or ""."""
    return next((one for one in nouns if one in tree()["grains"]), "")


def has(tables: Tables, code: str, nouns: Sequence[str]) -> bool:
    """Return whether a metric can be told by what a noun may mean."""
    store, metric = tables.metrics[code]
    if grain_of(nouns) in metric.grains:
        return True
    if store == "warehouse":
        return any(noun in metric.dimensions for noun in nouns)
    return not nouns or CHANNEL in nouns or any("." not in noun for noun in nouns)


def group_of(state: State, parts: Parts, kind: str) -> dict[str, Any] | None:
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


def entity_of(state: State, parts: Parts, kind: str) -> str:
    """The entity of a kind that is named, or the home entity; "" where it is in doubt."""
    if not parts.entities:
        return state.profile.kinds[kind].home or ""
    known = state.profile.entity_by_code
    own = [one for one in parts.entities[0] if known[one].kind == kind]
    return own[0] if len(own) == 1 and len(parts.entities) == 1 else ""


def stored(tables: Tables, metric: TableMetric, parts: Parts) -> dict[str, Any] | None:
    """Return the conditions that stored values make; None where a word names none.

    Several values of one dimension are a list, and those left out are "none_of". The unit of the
    metric makes no condition.
    """
    dimensions = metric.dimensions
    named = {code: list(values) for code, values in parts.values.items()}
    if not {*named, *parts.without} <= set(dimensions) or set(named) & set(parts.without):
        return None
    for word in parts.others:
        if len(word) == 1 and HAN_CHARACTER.match(word):
            return None
        unit = resolve_unit(word)
        if unit is not None and unit.symbol == metric.unit:
            continue
        found = {
            one.code: value.value
            for one in ranked(tables)
            if one.code in dimensions
            and (value := tables.resolve("warehouse", (), one.code, word)).how
            in ("exact", "folded", "alias")
        }
        if len(found) != 1:
            return None
        for code, value in found.items():
            named.setdefault(code, []).append(str(value))
    without: dict[str, Any] = {code: {"none_of": held} for code, held in parts.without.items()}
    return without | {
        code: values[0] if len(values) == 1 else values
        for code, every in named.items()
        if (values := list(dict.fromkeys(every)))
    }


def split_compounds(tables: Tables, text: str) -> str:
    """Return a text with German compounds of a metric apart: "Umsatzwachstum" is its growth.

    "Year over year" becomes one word, and 各门店销售额 names its 门店 twice.
    """

    def apart(found: re.Match[str]) -> str:
        name = found["name"]
        own = next((n for n in (name, name.removesuffix("s")) if tables.metric(n).term), "")
        return f"{own} {found['head']}" if own else found[0]

    text = _EACH_OF.sub(lambda found: _twice(tables, found["each"], found["name"]), text)
    return _COMPOUND.sub(apart, _YEAR_ON_YEAR.sub("yoy", text))


def _twice(tables: Tables, each: str, text: str) -> str:
    """A Chinese metric behind 各 or 哪家 with the noun that it begins with before it."""
    things = {
        name
        for one in ranked(tables)
        for name in (one.label, *one.aliases)
        if text.startswith(name)
    }
    for end in range(len(text), 0, -1):
        if things and tables.metric(text[:end]).how in ("exact", "folded", "alias"):
            return f"{each}{max(things, key=len)}的{text}"
    return f"{each}{text}"
