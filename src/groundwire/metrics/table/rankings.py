"""Questions for a ranking, in any order of their words: what is ranked, by which metric, and when.

A question is read by its spans (`language.annotate`). Each span is the metric, what is ranked, a
group, a stored value, a time, a number, a word that ranks, or a word without a fact; where one is
none of these no ranking is read, so that a table is never wider than what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.language import annotate
from groundwire.language.detection import HAN_CHARACTER
from groundwire.metrics.table.axes import CHANNEL, ENTITY, GROUP, PERIOD
from groundwire.metrics.table.query import TableMetric
from groundwire.metrics.table.question_index import names_of, names_with_values, ranked
from groundwire.metrics.table.question_parts import Parts, parts_of, tree
from groundwire.metrics.table.rolling import asked_average
from groundwire.metrics.table.stores import Tables
from groundwire.metrics.terms import TOTAL
from groundwire.quantities import resolve_unit
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_ROWS = 10
# "Quarter by quarter" and "each quarter" are by quarter.
_REPEATED = re.compile(
    r"\b(?:(?P<by>year|quarter|month) by (?P=by)|(?:each|every|jedes|jeden) (?P<each>year|quarter"
    r"|month|jahr|quartal|monat))\b",
    re.IGNORECASE,
)
_BROKEN_DOWN = re.compile(
    r"^(?:please )?(?:break|split)(?: down| up)?\b| down(?= by )", re.IGNORECASE
)
# "By reason for 2025" is no reason for anything.
_BY_FOR = re.compile(r"\bby (?P<noun>[a-z]+) for(?= [\dqhfl])", re.IGNORECASE)
_REPEATS = re.compile(
    r"\bby (?:year|quarter|month|jahr|quartal|monat)\b|\b(?:monthly|quarterly|monatlich|monatsweise"
    r"|quartalsweise|vierteljährlich)[enrs]{0,2}\b|逐[年季月]|按(?:季度|月)|[各每]个?(?:季度|月|年)",
    re.IGNORECASE,
)
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
    text = _BY_FOR.sub(r"by \g<noun> in", text)
    text = _REPEATED.sub(lambda found: f"by {found['by'] or found['each']}", text)
    text = _BROKEN_DOWN.sub(" ", text)
    rolling = read_rolling(state, text)
    if rolling is not None:
        return rolling
    parts = _parts(state, text)
    if parts is None:
        return None
    if parts.also and (parts.ranks or parts.place or parts.follows or parts.compares):
        return None
    by_time = not parts.nouns or bool(_grain(parts.nouns))
    # "Monthly active users" is the name of a metric, and asks for no months.
    name = parts.written.get("metric", "")
    repeats = bool(_REPEATS.search(text.replace(name, "") if name else text))
    if repeats:
        # How something changed each year is its value of each year.
        parts.others = [
            one for one in parts.others if one.casefold() not in tree()["words"]["moved"]
        ]
    if (parts.follows or repeats) and by_time and not (parts.ranks or parts.place or parts.also):
        return _trend(state, parts)
    if parts.compares:
        several = len(parts.periods) > 1 or any(len(one) > 1 for one in parts.values.values())
        return _value_of(state, parts) if parts.metrics and several else None
    if parts.ranks or parts.place:
        return _arguments(state, parts)
    if parts.metrics:
        return read_parts(state, parts)
    return _count(state, parts) if parts.counts else None


def read_parts(state: State, parts: Parts) -> dict[str, Any] | None:
    """Return the arguments of a metric, by what is named behind "by", or None."""
    if parts.by_noun and len(parts.metrics) == 1:
        if _grain(parts.nouns) and not parts.also:
            return _trend(state, parts)
        if state.tables.metrics[parts.metrics[0]][0] == "facts":
            return _facts_by(state, parts)
    return _value_of(state, parts)


def _facts_by(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of facts by channel, or by the companies of the home entity."""
    (code,) = parts.metrics
    metric = state.tables.metrics[code][1]
    kind = state.profile.metric_by_code[metric.code].kind
    if parts.others or parts.count or parts.hints or parts.also or len(parts.periods) > 1:
        return None
    entity = _entity(state, parts, kind)
    asked: dict[str, Any]
    if CHANNEL in parts.nouns and CHANNEL in metric.dimensions and entity:
        asked = {"by": [CHANNEL], "where": {ENTITY: entity, CHANNEL: {"none_of": [TOTAL]}}}
    elif kind in parts.nouns and entity and entity == state.profile.kinds[kind].home:
        asked = {"by": [ENTITY], "where": {GROUP: entity}}
    else:
        return None
    asked["metrics"] = [code]
    return asked | ({"period": parts.period} if parts.period else {})


def _parts(state: State, text: str) -> Parts | None:
    """Return the parts of a question; stored values are looked up where it is of the warehouse."""
    spans = annotate(text, names_of(state)).spans
    loose = parts_of(spans, lenient=True)
    warehouse = loose is not None and any(
        state.tables.metrics[code][0] == "warehouse" for code in loose.metrics
    )
    if warehouse:
        spans = annotate(text, names_with_values(state)).spans
    return parts_of(spans)


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
    parts = _parts(state, rest)
    if parts is None or len(parts.metrics) != 1 or parts.ranks or parts.place or parts.also:
        return None
    if parts.nouns and not says_its_noun(state, parts):
        return None
    parts.nouns = ()
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
    if len(parts.metrics) != 1 or stores != {"warehouse"} or not is_scope(state, parts.entities):
        return None
    (code,) = parts.metrics
    metric = tables.metrics[code][1]
    where = stored(tables, metric, parts)
    if where is None or parts.count or (not parts.period and not where):
        return None
    asked: dict[str, Any] = {"metrics": [code]}
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
    """Return the dimensions, and the grain, that values are told by; None where one is not clear."""
    asked: dict[str, Any] = {"by": []}
    for nouns in (parts.nouns, *parts.also):
        grain = _grain(nouns)
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
    if _PLURAL.search(parts.written["noun"]):
        return True
    said = set(re.findall(r"\w+", metric.definition.casefold()))
    return any(
        name.casefold() in said or f"{name.casefold()}s" in said
        for one in ranked(state.tables)
        if one.code in parts.nouns and one.code in metric.dimensions
        for name in (one.label, *one.aliases)
    )


def _trend(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of a metric over time, of the entity that is named or the home entity."""
    if len(parts.metrics) != 1 or parts.others or parts.count or len(parts.periods) > 1:
        return None
    (code,) = parts.metrics
    store, metric = state.tables.metrics[code]
    asked: dict[str, Any] = {"metrics": [code], "by": [PERIOD]}
    if store == "facts":
        entity = _entity(state, parts, state.profile.metric_by_code[metric.code].kind)
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
    if not noun or len(found) != 1 or not is_scope(state, parts.entities):
        return None
    code, metric = found[0]
    where = stored(tables, metric, parts)
    if where is None or len(parts.periods) > 1:
        return None
    asked: dict[str, Any] = {"metrics": [code]} | ({"where": where} if where else {})
    period = parts.period
    if not period and "month" in metric.grains:
        # How many there are is how many there are now, not how many there ever were.
        newest = tables.last_day("warehouse", metric)
        period = f"{newest:%Y-%m}" if newest else ""
    return asked | ({"period": period} if period else {})


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


def _arguments(state: State, parts: Parts) -> dict[str, Any] | None:
    """The arguments of the table, where one metric and one thing to rank are left."""
    if not parts.metrics:
        parts.metrics = _hinted(state, parts) or _in_other_words(state.tables, parts)
    elif parts.hints:
        return None
    ways = list(_ways(state, parts))
    if len(ways) != 1 or len(parts.periods) > 1:
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
    asked["limit"] = parts.place or parts.count or (_ROWS if parts.orders else most_rows(parts))
    return asked


def most_rows(parts: Parts) -> int:
    """Return how many rows a ranking without a number has: one of one noun, some of several."""
    return _ROWS if _PLURAL.search(parts.written.get("noun", "")) else 1


def _hinted(state: State, parts: Parts) -> tuple[str, ...]:
    """The metric that a ranking does not name: of the most people, of the largest economies."""
    metrics = [one for one in state.profile.metrics if one.kind in parts.nouns]
    if parts.hints:
        return tuple(one.code for one in metrics if one.code in parts.hints)
    size = tree()["words"]["size"]
    if not any(word in text for text in parts.ranking for word in size):
        return ()
    noun = fold(parts.written.get("noun", ""))
    return tuple(one.code for one in metrics if noun in {fold(hint) for hint in one.hinted_by})


def _in_other_words(tables: Tables, parts: Parts) -> tuple[str, ...]:
    """The metric whose name has the words that are left: "sold the most units" is units sold."""
    left = frozenset(fold(word) for one in parts.others for word in one.split())
    found = tuple(
        code
        for code, (store, metric) in tables.metrics.items()
        if store == "warehouse"
        and any(
            left == frozenset(map(fold, name.split())) for name in (metric.label, *metric.aliases)
        )
    )
    if len(found) == 1:
        parts.others = []
    return found


def _ways(state: State, parts: Parts) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each metric with the dimension that it is ranked by and the conditions, if all is used."""
    for code in _metrics(state.tables, parts):
        if state.tables.metrics[code][0] == "facts":
            way = None if parts.others else _way_of_facts(state, parts, code)
            if way is not None:
                yield code, *way
        elif is_scope(state, parts.entities):
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
            where = stored(state.tables, metric, parts)
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
    things = [fold(name) for one in ranked(tables) for name in (one.label, *one.aliases)]
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


def stored(tables: Tables, metric: TableMetric, parts: Parts) -> dict[str, Any] | None:
    """Return the conditions that stored values make; None where a word names none.

    Several values of one dimension are a list, and those left out are "none_of". The unit of the
    metric is no condition.
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
