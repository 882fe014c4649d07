"""Conditions and dimensions of a table query: stored values, bounds, words, and refusals.

A value is looked up among those that are stored, exact, folded or by alias; any other is refused
with candidates. Bounds are for numbers, for days, and for the metrics of the query themselves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast

from groundwire.evidence.answers import ResolvedItem
from groundwire.metrics.results import CandidateItem, Reason, candidates, quoted
from groundwire.metrics.table.query import (
    PERIOD,
    Condition,
    Dimension,
    Key,
    ResolvedValue,
    TableMetric,
)
from groundwire.metrics.wording import listed
from groundwire.quantities import Period, parse_number
from groundwire.vocabulary import Policy, Term, Vocabulary

Table = Literal["grains", "period", "operators", "directions", "changes", "numbers", "rolling"]


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    tree = tomllib.loads(files(__package__ or "").joinpath("words.toml").read_text("utf-8"))
    return {
        table: {word.casefold(): term for term, words in terms.items() for word in words}
        for table, terms in tree.items()
    }


def term_of(table: Table, raw: str) -> str:
    """Return the term that a word stands for, or "" where the table has no such term."""
    return _words()[table].get(" ".join(raw.split()).casefold(), "")


@cache
def words_of(table: Table) -> tuple[str, ...]:
    """Return the words of a table, the longest first."""
    return tuple(sorted(_words()[table], key=len, reverse=True))


def terms(table: Table) -> tuple[str, ...]:
    """Return the terms of a table, in the order of the file."""
    return tuple(dict.fromkeys(_words()[table].values()))


class RefusedError(Exception):
    """An argument that is not used; it becomes an `unrecognized_param`.

    Attributes:
        answer: one sentence that says what is wrong and what to send.
        param: name of the argument, with the key of `where` ("where.entity").
        raw: what was sent.
        reason: why it is not used.
        candidates: what can be sent in its place.
    """

    def __init__(
        self,
        answer: str,
        param: str,
        raw: str,
        reason: Reason,
        candidates: Iterable[CandidateItem] = (),
    ) -> None:
        """Refuse an argument."""
        super().__init__(answer)
        self.answer = answer
        self.param = param
        self.raw = raw
        self.reason: Reason = reason
        self.candidates = list(candidates)


def offered(*terms: tuple[str, str]) -> list[CandidateItem]:
    """Return candidates of a value and its label each."""
    return [CandidateItem(value=value, label=label) for value, label in terms]


class QueryDimensions:
    """The dimensions that the metrics of one query have."""

    def __init__(self, dimensions: Sequence[Dimension], metrics: Sequence[TableMetric]) -> None:
        """Take the dimensions of a store that all the metrics have."""
        self.has_time = all(one.grains for one in metrics)
        every = list(dimensions)
        if self.has_time and all(one.code != PERIOD for one in every):
            every.append(Dimension(PERIOD, "Period", "time"))
        self.by_code = {one.code: one for one in every}
        self._vocabulary = Vocabulary(
            Term(one.code, one.label, (one.code.rpartition(".")[2], *one.aliases)) for one in every
        )

    def find(self, raw: str) -> tuple[str, str]:
        """The code of the dimension that a text names, and how it was read; else twice ""."""
        found = self._vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return found.term.id, found.how
        if found.how == "unknown" and self.has_time and term_of("period", raw):
            return PERIOD, "alias"
        return "", ""

    def refuse(self, param: str, raw: str, metrics: Sequence[TableMetric] = ()) -> None:
        """Refuse a text that names no dimension of the metrics.

        Raises:
            RefusedError: always.
        """
        found = self._vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        if found.how == "unknown" and "." in raw:
            # A field of a table that is reached in several ways has one name for each of them.
            last = self._vocabulary.resolve(raw.rpartition(".")[2], Policy.CANDIDATES_ONLY)
            found = last if last.how == "ambiguous" else found
        near = candidates(found.candidates) or offered(
            *((one.code, one.label) for one in self.by_code.values())
        )
        near += offered(*((one.code, one.label) for one in metrics)) if param == "where" else []
        names = listed([one.value for one in near], 12)
        what = "may be any of"
        if found.how != "ambiguous":
            what = "is no dimension of this metric; there are"
        raise RefusedError(
            f"{quoted(raw)} {what} {names}.",
            param,
            raw,
            "ambiguous" if found.how == "ambiguous" else "unknown",
            near[:12],
        )


MOST_VALUES = 200
_LONGEST_NUMBER = 60
_FIRST, _LAST = date(1, 1, 1), date.max
Find = Callable[[str], tuple[Dimension | None, str]]
Resolve = Callable[[str, str], ResolvedValue]
Called = Callable[[str, Key], str]
Days = Callable[[str, str], tuple[Period, ...]]


@dataclass(frozen=True, slots=True)
class Where:
    """The content of `where`.

    Attributes:
        conditions: conditions on dimensions.
        having: conditions on the values of metrics.
        periods: the time that it names.
        resolved: how each value was read.
    """

    conditions: tuple[Condition, ...]
    having: tuple[Condition, ...]
    periods: tuple[Period, ...]
    resolved: tuple[ResolvedItem, ...]


def read_where(
    where: Mapping[str, Any], find: Find, resolve: Resolve, called: Called, days: Days
) -> Where:
    """Read all conditions.

    Args:
        where: raw condition by raw name.
        find: the dimension that a name stands for, else the code of a metric.
        resolve: the stored value of a dimension that a text stands for.
        called: what a stored value is called.
        days: the periods that a text names; its first argument is the parameter.

    Raises:
        RefusedError: a condition cannot be used.
    """
    reading = _Where(find, resolve, called, days)
    for raw, value in where.items():
        reading.add(raw, value)
    return Where(
        tuple(reading.conditions),
        tuple(reading.having),
        tuple(reading.periods),
        tuple(reading.resolved),
    )


class _Where:
    """Reads one `where`."""

    def __init__(self, find: Find, resolve: Resolve, called: Called, days: Days) -> None:
        self._find = find
        self._resolve = resolve
        self._called = called
        self._days = days
        self.conditions: list[Condition] = []
        self.having: list[Condition] = []
        self.periods: list[Period] = []
        self.resolved: list[ResolvedItem] = []

    def add(self, raw: str, value: object) -> None:
        """Read one condition."""
        dimension, metric = self._find(raw)
        param = f"where.{dimension.code if dimension else metric}"
        listed_values, bounds = _split(param, value)
        if dimension is None:
            if listed_values:
                told = "A metric takes bounds: send {gt, gte, lt, lte}."
                raise RefusedError(told, param, _shown(value), "unsupported")
            self.having.append(self._range(param, metric, bounds, _number))
        elif dimension.code == PERIOD:
            self._time(param, listed_values, bounds)
        elif dimension.kind == "category":
            self._category(param, dimension, listed_values, bounds)
        else:
            read = _number if dimension.kind == "number" else self._day
            self._other(param, dimension, listed_values, bounds, read)

    def _category(
        self,
        param: str,
        dimension: Dimension,
        sent: Mapping[str, Sequence[object]],
        bounds: Mapping[str, object],
    ) -> None:
        if bounds:
            told = f"{dimension.label} has listed values, not an order: send one or more of them."
            raise RefusedError(told, param, _shown(bounds), "unsupported")
        held: dict[str, tuple[Key, ...]] = {}
        for op, values in sent.items():
            held[op] = tuple(dict.fromkeys(self._value(param, dimension, one) for one in values))
        both = set(held.get("any_of", ())) & set(held.get("none_of", ()))
        if both:
            names = listed([self._called(dimension.code, one) for one in both])
            told = f"{names} is both wanted and not wanted: send it once."
            raise RefusedError(told, param, names, "ambiguous")
        for op, keys in held.items():
            how: Literal["in", "not_in"] = "in" if op == "any_of" else "not_in"
            self.conditions.append(Condition(dimension.code, how, keys))

    def _value(self, param: str, dimension: Dimension, sent: object) -> Key:
        """The stored value that one sent value stands for."""
        if isinstance(sent, bool):
            raw = "true" if sent else "false"
        elif isinstance(sent, (str, int)) or (isinstance(sent, float) and sent == sent):
            raw = str(sent)
        else:
            told = f"A value of {dimension.label} is a text: send it as it is called."
            raise RefusedError(told, param, _shown(sent), "unsupported")
        found = self._resolve(dimension.code, raw)
        if found.value is not None and found.how in ("exact", "folded", "alias"):
            self.resolved.append(
                ResolvedItem(param=param, raw=raw, resolved=str(found.value), how=found.how)
            )
            return found.value
        near = offered(
            *((str(one), self._called(dimension.code, one)) for one in found.candidates[:8])
        )
        names = listed([one.label for one in near])
        if found.how == "ambiguous":
            told = f"{quoted(raw)} may be any of {names}: send one of them."
            raise RefusedError(told, param, raw, "ambiguous", near)
        hint = f"; near to it: {names}" if near else ": list_dimension_values has them all"
        told = f"{quoted(raw)} is no value of {dimension.label}{hint}."
        raise RefusedError(told, param, raw, "unknown", near)

    def _other(
        self,
        param: str,
        dimension: Dimension,
        sent: Mapping[str, Sequence[object]],
        bounds: Mapping[str, object],
        read: Callable[[str, object], tuple[Key, Key]],
    ) -> None:
        """Numbers and days: listed, or between bounds."""
        for op, values in sent.items():
            read_values = [read(param, one) for one in values]
            if len(read_values) == 1 and op == "any_of" and read_values[0][0] != read_values[0][1]:
                low, high = read_values[0]
                self.conditions.append(Condition(dimension.code, "range", (), low, high))
                continue
            if any(low != high for low, high in read_values):
                told = "Several spans of time cannot be listed: send days, or one span."
                raise RefusedError(told, param, _shown(values), "unsupported")
            how: Literal["in", "not_in"] = "in" if op == "any_of" else "not_in"
            keys = tuple(dict.fromkeys(low for low, _ in read_values))
            self.conditions.append(Condition(dimension.code, how, keys))
        if bounds:
            self.conditions.append(self._range(param, dimension.code, bounds, read))

    def _range(
        self,
        param: str,
        code: str,
        bounds: Mapping[str, object],
        read: Callable[[str, object], tuple[Key, Key]],
    ) -> Condition:
        for one, other in (("gt", "gte"), ("lt", "lte")):
            if one in bounds and other in bounds:
                told = f"{one} and {other} stand side by side: send one of them."
                raise RefusedError(told, param, _shown(bounds), "ambiguous")
        low = high = None
        # Above a span of time begins after its last day, and at least a span with its first.
        if "gt" in bounds:
            low = read(param, bounds["gt"])[1]
        elif "gte" in bounds:
            low = read(param, bounds["gte"])[0]
        if "lt" in bounds:
            high = read(param, bounds["lt"])[0]
        elif "lte" in bounds:
            high = read(param, bounds["lte"])[1]
        self._check_order(param, low, high, bounds)
        return Condition(code, "range", (), low, high, "gt" not in bounds, "lt" not in bounds)

    def _check_order(self, param: str, low: Key, high: Key, bounds: Mapping[str, object]) -> None:
        numbers = isinstance(low, Decimal) and isinstance(high, Decimal) and low > high
        wrong = numbers or (isinstance(low, date) and isinstance(high, date) and low > high)
        if wrong:
            told = "The lower bound is above the upper one, so nothing can meet both: mend them."
            raise RefusedError(told, param, _shown(bounds), "unsupported")

    def _day(self, param: str, sent: object) -> tuple[Key, Key]:
        """The first and the last day of what a text names."""
        if not isinstance(sent, (str, int)) or isinstance(sent, bool):
            told = "A bound of time is a day or a period: send it as 2024-12-31 or 2024."
            raise RefusedError(told, param, _shown(sent), "unsupported")
        periods = self._days(param, str(sent))
        return periods[0].start, periods[-1].end

    def _time(
        self, param: str, sent: Mapping[str, Sequence[object]], bounds: Mapping[str, object]
    ) -> None:
        """The time of the values themselves."""
        if "none_of" in sent or (sent and bounds) or self.periods:
            told = "The time is one period, a range, or bounds: send it once, without exceptions."
            raise RefusedError(told, param, _shown(sent or bounds), "unsupported")
        for one in sent.get("any_of", ()):
            if not isinstance(one, (str, int)) or isinstance(one, bool):
                told = "A period is a text, such as 2024 or 2024Q3."
                raise RefusedError(told, param, _shown(one), "unsupported")
            self.periods += self._days(param, str(one))
        if bounds:
            found = self._range(param, PERIOD, bounds, self._day)
            low, high = found.low, found.high
            first = low if isinstance(low, date) else _FIRST
            last = high if isinstance(high, date) else _LAST
            first += timedelta(days=0 if found.low_included or low is None else 1)
            last -= timedelta(days=0 if found.high_included or high is None else 1)
            if last == date.max:
                label = f"since {first.isoformat()}"
            else:
                label = f"{first.isoformat()} to {last.isoformat()}"
            self.periods.append(Period(first, last, "other", False, label))


def _split(param: str, value: object) -> tuple[dict[str, list[object]], dict[str, object]]:
    """The listed values of a condition by "any_of" and "none_of", and its bounds by operator."""
    if not isinstance(value, Mapping):
        return {"any_of": _several(param, value)}, {}
    entries = cast("Mapping[object, object]", value)
    sent: dict[str, list[object]] = {}
    bounds: dict[str, object] = {}
    for key, one in entries.items():
        op = term_of("operators", str(key)) if isinstance(key, str) else ""
        if not op:
            raise RefusedError(
                f"{quoted(str(key))} is no operator: send {listed(terms('operators'))}.",
                param,
                str(key)[:80],
                "unknown",
                offered(*((name, name) for name in terms("operators"))),
            )
        if op in sent or op in bounds:
            told = f"{op} was sent twice, under two names: send it once."
            raise RefusedError(told, param, str(key)[:80], "ambiguous")
        if op in ("any_of", "none_of"):
            sent[op] = _several(param, one)
        else:
            bounds[op] = one
    if not sent and not bounds:
        told = f"`{param}` says nothing: send a value, or leave it out."
        raise RefusedError(told, param, "", "unknown")
    return sent, bounds


def _several(param: str, value: object) -> list[object]:
    values = [*cast("Sequence[object]", value)] if isinstance(value, (list, tuple)) else [value]
    if not values:
        told = f"`{param}` is empty: send one or more values, or leave it out."
        raise RefusedError(told, param, "", "unknown")
    if len(values) > MOST_VALUES:
        told = f"`{param}` has {len(values):,} values: send at most {MOST_VALUES}."
        raise RefusedError(told, param, "", "unsupported")
    return values


def _number(param: str, sent: object) -> tuple[Key, Key]:
    """A bound that is a number, as text or as JSON number."""
    value: Decimal | None = None
    if isinstance(sent, str) and len(sent) <= _LONGEST_NUMBER:
        value = parse_number(sent)
    elif isinstance(sent, (int, float)) and not isinstance(sent, bool):
        try:
            value = Decimal(str(sent))
        except (InvalidOperation, ValueError):
            value = None
    if value is None or not value.is_finite() or abs(value.adjusted()) > _LONGEST_NUMBER:
        told = "A bound is a number: send it in digits, such as 100000000."
        raise RefusedError(told, param, _shown(sent), "unsupported")
    return value, value


def _shown(value: object) -> str:
    """Return a sent text as a refusal shows it: cut, and in one line."""
    return " ".join(str(value).split())[:80]
