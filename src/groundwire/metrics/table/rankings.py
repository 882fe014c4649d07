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
from groundwire.metrics.table.breakdowns import (
    PLURAL,
    drop_own_words,
    entity_of,
    grain_of,
    group_of,
    has,
    is_scope,
    more,
    read_parts,
    read_trend,
    read_value,
    says_its_aside,
    says_its_noun,
    settle_metric,
    split_compounds,
    stored,
)
from groundwire.metrics.table.query import CHANNEL, ENTITY, PERIOD
from groundwire.metrics.table.question_names import names_of, names_with_values, ranked
from groundwire.metrics.table.question_parts import Parts, parts_of, tree
from groundwire.metrics.table.rolling import asked_average
from groundwire.metrics.table.stores import Tables
from groundwire.metrics.terms import TOTAL
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_ROWS = 10
_SHORTEST_STEM = 4
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
# "The first three" of a ranking, which are no first three months.
_FIRST_CHINESE = re.compile(
    r"(?:排[名行])?(?P<way>[前后]|倒数)(?P<n>[一二三四五六七八九十两]|\d{1,3})(?![\d个]?[年月季天周日])[名位大强]?"
)
# "When was it highest" asks for the one grain that is held.
_WHEN = {
    re.compile(r"^when\b", re.IGNORECASE): ("which year", "which quarter", "which month"),
    re.compile(r"^wann\b", re.IGNORECASE): (
        "in welchem Jahr", "in welchem Quartal", "in welchem Monat",
    ),
    re.compile("(?:在|是)?(?:什么时候|何时)"): ("哪一年", "哪个季度", "哪个月份"),
}  # fmt: skip
_LONGEST = 200


def read_ranking(state: State, text: str) -> dict[str, Any] | None:
    """Return the arguments of the ranking that a question asks for, or None.

    Args:
        state: the fact base.
        text: the question, which the gate has let pass.
    """
    if len(text) > _LONGEST:
        return None
    if any(one.search(text) for one in _WHEN):
        return _when(state, text)
    text = split_compounds(state.tables, text)
    text = _BY_FOR.sub(r"by \g<noun> in", text)
    text = _REPEATED.sub(lambda found: f"by {found['by'] or found['each']}", text)
    text = _BROKEN_DOWN.sub(" ", text)
    text = _FIRST_CHINESE.sub(
        lambda found: f"{'最高' if found['way'] == '前' else '最低'}的{found['n']}个", text
    )
    rolling = read_rolling(state, text)
    if rolling is not None:
        return rolling
    parts = _parts(state, text)
    if parts is None:
        return None
    if not says_its_aside(state, parts):
        return None
    several = more(parts)
    if several and (parts.ranks or parts.place or parts.follows or parts.compares):
        return None
    by_time = not parts.nouns or bool(grain_of(parts.nouns))
    # "Monthly active users" is the name of a metric, and asks for no months.
    name = parts.written.get("metric", "")
    repeats = bool(_REPEATS.search(text.replace(name, "") if name else text))
    if repeats:
        # How something changed each year is its value of each year.
        parts.others = [
            one for one in parts.others if one.casefold() not in tree()["words"]["moved"]
        ]
    if (parts.follows or repeats) and by_time and not (parts.ranks or parts.place or several):
        return read_trend(state, parts)
    if parts.compares:
        two = len(parts.periods) > 1 or any(len(one) > 1 for one in parts.values.values())
        return read_value(state, parts) if parts.metrics and two else None
    if parts.ranks or parts.place:
        return _arguments(state, parts)
    if parts.metrics:
        return read_parts(state, parts)
    return _count(state, parts) if parts.counts else None


def _when(state: State, text: str) -> dict[str, Any] | None:
    """The ranking of times that "when" asks for, where values of one grain alone are ranked."""
    pattern, grains = next(one for one in _WHEN.items() if one[0].search(text))
    told = [read_ranking(state, pattern.sub(one, text, 1)) for one in grains]
    known = [one for one in told if one is not None and one.get("grain")]
    return known[0] if len(known) == 1 else None


def _parts(state: State, text: str) -> Parts | None:
    """Return the parts of a question; stored values are looked up where it is of the warehouse."""
    spans = annotate(text, names_of(state)).spans
    loose = parts_of(spans, lenient=True)
    warehouse = loose is not None and any(
        state.tables.metrics[code][0] == "warehouse" for code in loose.metrics
    )
    if warehouse:
        spans = annotate(text, names_with_values(state)).spans
    parts = parts_of(spans)
    if parts is not None:
        settle_metric(state.tables, parts)
        drop_own_words(state.tables, parts)
    return parts


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
    if parts is None or len(parts.metrics) != 1 or parts.ranks or parts.place or more(parts):
        return None
    if parts.nouns and not says_its_noun(state, parts):
        return None
    parts.nouns = ()
    asked = read_trend(state, parts)
    if asked is None and state.tables.metrics[parts.metrics[0]][0] == "warehouse":
        asked = read_value(state, parts)
    if asked is None:
        return None
    asked.pop("grain", None)
    return asked | {"by": [PERIOD], "rolling_average": window}


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
    least = parts.least != ("grade" in parts.written and _is_burden(state, code))
    asked["order_by"] = [code if least else f"-{code}"]
    asked["limit"] = parts.place or parts.count or (_ROWS if parts.orders else most_rows(parts))
    return asked


def _is_burden(state: State, code: str) -> bool:
    """Whether a metric is the better the less it is: the best return rate is the lowest."""
    label = state.tables.metrics[code][1].label
    return any(fold(word) in tree()["words"]["burdens"] for word in label.split())


def most_rows(parts: Parts) -> int:
    """Return how many rows a ranking without a number has: one of one noun, some of several."""
    return _ROWS if PLURAL.search(parts.written.get("noun", "")) else 1


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
    left = [word.casefold() for one in parts.others for word in one.split()]
    found = tuple(
        code
        for code, (store, metric) in tables.metrics.items()
        if store == "warehouse"
        and any(_are_alike(left, name) for name in (metric.label, *metric.aliases))
    )
    if len(found) == 1:
        parts.others = []
    return found


def _are_alike(words: Sequence[str], name: str) -> bool:
    """Whether words are those of a name in any order, each maybe with another ending."""
    own = name.casefold().split()

    def same(word: str, other: str) -> bool:
        stem = max(_SHORTEST_STEM, len(word) - 2, len(other) - 2)
        return word == other or word[:stem] == other[:stem]

    return len(words) == len(own) > 1 and all(
        any(same(word, other) for other in others)
        for some, others in ((words, own), (own, words))
        for word in some
    )


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
    grain = grain_of(nouns)
    if kind in nouns and not grain:
        where = group_of(state, parts, kind)
        return None if where is None else (ENTITY, where)
    entity = entity_of(state, parts, kind)
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
        is_grain = noun in metric.grains and noun == grain_of(parts.nouns)
        if is_grain or (noun in metric.dimensions and noun not in state.profile.kinds):
            where = stored(state.tables, metric, parts)
            if where is not None:
                yield noun, where


def _metrics(tables: Tables, parts: Parts) -> tuple[str, ...]:
    """The metrics that are named and have what is ranked; else those whose name ends as it does.

    Of shops "sales" are the metric "shop sales": of all that have shops it is the one so named.
    """
    own = [one for one in parts.metrics if has(tables, one, parts.nouns)]
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
        and has(tables, code, parts.nouns)
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
