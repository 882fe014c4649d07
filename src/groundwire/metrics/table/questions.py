"""Questions that ask for a table: rankings, trends, breakdowns and all that lies within a bound.

They are in English, German or Chinese, as "countries with more than 1 billion people" is.

A question is read as a whole: every part of it is a word of its pattern or resolves to a controlled
term, exact, folded or by alias. Where anything is left, no table is read from it, and the question
goes the way of every other one; a table is never wider than what was asked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import combinations, islice, pairwise, product
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.language import Span, annotate
from groundwire.metrics.table.breakdowns import read_parts, split_compounds
from groundwire.metrics.table.computed import read_changes
from groundwire.metrics.table.query import ENTITY, GROUP, PERIOD, TableMetric
from groundwire.metrics.table.question_names import names_of, names_with_values
from groundwire.metrics.table.question_parts import Parts, parts_of
from groundwire.metrics.table.rankings import read_ranking
from groundwire.metrics.table.rolling import in_english
from groundwire.quantities import CALENDAR_YEAR, convert, read_period, resolve_unit
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from datetime import date

    from groundwire.metrics.factbase import State


LONGEST = 160
_MOST_READINGS = 600
_DEFAULT_ROWS = 10
_NAMES = {"zh": ("(?:[^?？，,的]{1,16}?)", r"(?:[0-9FYQH年季度至到上下半以来 -]{2,14}?)")}
_MONTHS = (
    "jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"  # a name begins with these
)
_WORDS = (
    "(?:[^?,;]{1,50}?)",
    r"(?:(?:since|from|between|until|fy|q[1-4]|h[12]|first|second|third|fourth|last|latest|the|seit"
    rf"|von|zwischen|letzte|erste|zweite|[12][0-9]|{_MONTHS})[^?,;]{{0,30}}?)",
)
_LEAST = re.compile(
    r"bottom|smallest|lowest|fewest|least|slowest|kleinst\w*|niedrigst\w*|wenigst\w*|langsamst\w*"
    r"|[低少小慢]"
)
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "一", "two zwei 二 两", "three drei 三", "four vier 四", "five fünf 五",
            "six sechs 六", "seven sieben 七", "eight acht 八", "nine neun 九", "ten zehn 十",
        ),
        1,
    )
    for word in words.split()
} | {"twenty": 20}  # fmt: skip
_HAN = re.compile(r"[\u3400-\u9fff]")
_ENDS = " \t\n?？.。!！"

Asked = Mapping[str, Any]
"""Arguments of `query_metric_table`."""
_LONGEST = 200
# Who writes "90m" of money means millions.
_METRE, _MILLION = "m", 1_000_000
# What the senses of a bound are called in the conditions of a table.
_SIGNS: Mapping[str, str] = {
    "more_than": "gt",
    "less_than": "lt",
    "at_least": "gte",
    "at_most": "lte",
}


def read_table_question(state: State, question: str, today: date) -> Asked | None:
    """Return the arguments of the table that a question asks for, or None.

    Args:
        state: the fact base.
        question: the question, which the gate has let pass.
        today: the day that relative periods count from.
    """
    text = " ".join(question.split()).strip(_ENDS)
    if not text or len(text) > LONGEST:
        return None
    found: list[Asked] = []
    for kind, match in islice(_matches(text), _MOST_READINGS):
        asked = _asked(state, kind, match, today)
        if asked is not None and asked not in found:
            found.append(asked)
    if not found:
        return (
            read_ranking(state, text)
            or read_changes(state, text, today)
            or read_bounded(state, text)
        )
    # Two readings of one question are none.
    return found[0] if len(found) == 1 else None


def _matches(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every way in which a pattern covers a text."""
    languages = ("zh",) if _HAN.search(text) else ("en", "de")
    for kind, language, pattern in _patterns():
        if language not in languages:
            continue
        if language != "zh":
            match = pattern.fullmatch(text)
            if match is not None:
                yield kind, {key: value for key, value in match.groupdict().items() if value}
            continue
        # Chinese has no spaces: where one part ends and the next begins has several ways.
        yield from ((kind, parts) for parts in _splits(pattern, text))


def _splits(pattern: re.Pattern[str], text: str) -> Iterator[Mapping[str, str]]:
    """Ways in which a pattern covers a text that differ in the length of its first name."""
    match = pattern.fullmatch(text)
    if match is None:
        return
    parts = {key: value for key, value in match.groupdict().items() if value}
    order = sorted(
        (key for key in ("period", "entity", "noun", "metric") if key in parts), key=match.start
    )
    runs: list[list[str]] = []
    for key in order:
        if runs and match.end(runs[-1][-1]) == match.start(key):
            runs[-1].append(key)
        else:
            runs.append([key])
    ways = [
        [
            dict(zip(run, pieces, strict=True))
            for pieces in _cut("".join(parts[key] for key in run), len(run))
        ]
        for run in runs
    ]
    for chosen in product(*ways):
        joined = dict(parts)
        for one in chosen:
            joined.update(one)
        yield joined


def _cut(text: str, count: int) -> Iterator[tuple[str, ...]]:
    """Every way to cut a text into so many pieces, none empty."""
    for places in combinations(range(1, len(text)), count - 1):
        ends = (0, *places, len(text))
        yield tuple(text[a:b] for a, b in pairwise(ends))


@cache
def _tree() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__ or "").joinpath("questions.toml").read_text("utf-8"))


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    tree = _tree()
    parts: dict[str, str] = {**tree["parts"]}
    found: list[tuple[str, str, re.Pattern[str]]] = []
    for kind in ("rank", "trend", "breakdown"):
        for language, texts in tree[kind].items():
            name, time = _NAMES.get(language, _WORDS)
            for text in texts:
                for key, value in (*parts.items(), ("x", name), ("p", time)):
                    text = text.replace("{" + key + "}", value)
                found.append((kind, language, re.compile(text, re.IGNORECASE)))
    return tuple(found)


def _asked(state: State, kind: str, parts: Mapping[str, str], today: date) -> dict[str, Any] | None:
    """The arguments of one reading; None where a part stands for nothing."""
    raw = parts.get("period", "").strip()
    if raw and not _is_time(raw, today, several=kind != "rank"):
        return None
    noun = parts.get("noun", "")
    if _HAN.search(noun) and not _word("nouns", noun):
        return None
    metric = _metric(state, parts["metric"])
    if metric is None:
        return None
    code, own_kind = metric
    sent: dict[str, Any] = {"metrics": [code]}
    if raw:
        sent["period"] = raw
    if kind == "rank":
        return _ranking(state, parts, sent, own_kind)
    entity = state.names.entity(parts["entity"], own_kind)
    if entity.term is None:
        return None
    sent["where"] = {ENTITY: entity.term.id}
    if kind == "trend":
        sent["by"] = [PERIOD]
    else:
        by = _word("dimensions", parts["by"])
        sent["by"] = [by if by == "channel" else PERIOD]
        if by != "channel":
            sent["grain"] = by
    return sent


def _ranking(
    state: State, parts: Mapping[str, str], sent: dict[str, Any], own_kind: str
) -> dict[str, Any] | None:
    noun = parts.get("noun", "")
    if noun and not _is_kind(state, noun, own_kind):
        return None
    code = sent["metrics"][0]
    sent["by"] = [ENTITY]
    if group := parts.get("group"):
        found = state.names.entity(group, own_kind).term
        if found is None or found.id not in state.profile.membership.parts:
            return None
        sent["where"] = {GROUP: found.id}
    least = bool(_LEAST.fullmatch(parts.get("way", "").casefold()))
    sent["order_by"] = [code if least else f"-{code}"]
    raw = parts.get("n", "").casefold()
    if raw:
        count = int(raw) if raw.isdigit() else _NUMBERS.get(raw, 0)
        if not count:
            return None
        sent["limit"] = count
    else:
        sent["limit"] = 1 if parts.get("way") and _is_one(noun) else _DEFAULT_ROWS
    return sent


def _is_one(noun: str) -> bool:
    """Whether a noun asks for one: country, Land; Chinese has no plural, and asks for one too."""
    return noun.casefold() in ("country", "nation", "economy", "company", "land") or bool(
        _HAN.search(noun)
    )


def _metric(state: State, raw: str) -> tuple[str, str] | None:
    """The code of a metric of facts and the kind of its entities."""
    text = re.sub(r"^(?:the|der|die|das|dem) ", "", raw.strip(), flags=re.IGNORECASE)
    if fold(text) not in _metric_names(state):
        return None
    found = state.tables.metric(text)
    if found.term is None:
        return None
    store, metric = state.tables.metrics[found.term.id]
    return (found.term.id, _kind_of(state, metric)) if store == "facts" else None


def _metric_names(state: State) -> frozenset[str]:
    """Every name of a metric, folded: looked at before near ones are searched for."""
    return frozenset(
        fold(name)
        for code, (_, one) in state.tables.metrics.items()
        for name in (code, one.code, one.label, *one.aliases)
    )


def _kind_of(state: State, metric: TableMetric) -> str:
    return state.profile.metric_by_code[metric.code].kind


def _is_kind(state: State, noun: str, own: str) -> bool:
    """Whether a noun calls the kind of entity that a metric is held of."""
    kind = state.profile.kinds[own]
    if fold(noun) in {
        fold(name) for name in (own, kind.label, *kind.aliases, "entity", "entities")
    }:
        return True
    return _word("nouns", noun) == own


def _word(table: str, raw: str) -> str:
    wanted = fold(raw)
    for term, words in _tree()[table].items():
        if wanted in {fold(word) for word in words}:
            return str(term)
    return ""


def _is_time(raw: str, today: date, *, several: bool) -> bool:
    expression = read_period(in_english(raw))
    if expression is None:
        return False
    reading = expression.on(CALENDAR_YEAR, today)
    if reading.kind == "rolling":
        return several and reading.count > 0
    return reading.kind == "single" or (several and reading.kind in ("several", "since"))


def read_bounded(state: State, text: str) -> dict[str, Any] | None:
    """Return the arguments of the table of all that lies above or below a figure, or None.

    Args:
        state: the fact base.
        text: the question, which the gate has let pass.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    if len(text) > _LONGEST:
        return None
    text = split_compounds(state.tables, text)
    bounds, rest = _apart(annotate(text, names_of(state)).spans)
    if not bounds:
        return None
    parts = parts_of(rest, lenient=True)
    if parts is not None and _is_of_warehouse(state, parts):
        bounds, rest = _apart(annotate(text, names_with_values(state)).spans)
    parts = parts_of(rest)
    if not bounds or parts is None or not _asks_for_all(parts):
        return None
    parts.metrics = parts.metrics or _measured(state, parts, bounds[0].unit)
    named = [codes[0] for codes in (parts.metrics, *parts.beside) if len(codes) == 1]
    limits = _limits(state, named, bounds)
    if not limits:
        return None
    parts.by_noun = True
    if not _is_of_warehouse(state, parts):
        parts.beside = []
    asked = read_parts(state, parts)
    if asked is None:
        return None
    return asked | {"metrics": named, "where": {**asked.get("where", {}), **limits}}


class Bound(NamedTuple):
    """A figure that values are held against: its sign, its value and its unit or ""."""

    sign: str
    value: Decimal
    unit: str


def _apart(spans: Sequence[Span]) -> tuple[list[Bound], list[Span]]:
    """Return the bounds, each with its figure, and the spans that are left."""
    found: dict[int, Bound] = {
        at: Bound(_SIGNS[span.role.sense], figure.value, figure.unit or "")
        for at, span in enumerate(spans[:-1])
        if span.role is not None
        and span.role.sense in _SIGNS
        and (figure := spans[at + 1].quantity) is not None
    }
    taken = {one for at in found for one in (at, at + 1)}
    return [*found.values()], [one for at, one in enumerate(spans) if at not in taken]


def _limits(
    state: State, named: Sequence[str], bounds: Sequence[Bound]
) -> dict[str, dict[str, str]]:
    """Return the bounds of each metric in its own unit, in the order in which both are named.

    One metric may have a lower and an upper one. There are none where they do not fit.
    """
    if len(named) != len(bounds) and len(named) != 1:
        return {}
    found: dict[str, dict[str, str]] = {}
    for at, bound in enumerate(bounds):
        code = named[min(at, len(named) - 1)]
        own = resolve_unit(state.tables.metrics[code][1].unit)
        said = resolve_unit(bound.unit)
        value = bound.value
        if said is not None and own is not None and said.dimension == own.dimension:
            value = convert(value, said, own)
        elif bound.unit == _METRE and own is not None and own.dimension.startswith("currency"):
            value *= _MILLION
        elif bound.unit not in ("", state.tables.metrics[code][1].unit):
            return {}
        of = found.setdefault(code, {})
        if any(sign[0] == bound.sign[0] for sign in of):
            return {}
        of[bound.sign] = f"{value:f}"
    return found


def _asks_for_all(parts: Parts) -> bool:
    """Whether nothing else is asked of what the values are of."""
    ranks = parts.ranks or parts.place or parts.count or parts.orders
    return bool(parts.nouns) and not (ranks or parts.follows or parts.compares)


def _is_of_warehouse(state: State, parts: Parts) -> bool:
    return any(state.tables.metrics[code][0] == "warehouse" for code in parts.metrics)


def _measured(state: State, parts: Parts, unit: str) -> tuple[str, ...]:
    """Return the metrics of what is named that a word hints at, or that have a unit."""
    hints, parts.hints = parts.hints, ()
    return tuple(
        code
        for code, (store, metric) in state.tables.metrics.items()
        if store == "facts"
        and (code in hints if hints else metric.unit == unit)
        and state.profile.metric_by_code[metric.code].kind in parts.nouns
    )
