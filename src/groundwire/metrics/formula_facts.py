"""Facts of formula metrics, computed from those that a store holds whenever they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING, Any, cast

from groundwire.metrics.facts.model import Coverage, Fact, Holding, Interval, Lineage, Slice
from groundwire.metrics.formulas import Formula, read_formula, value_of, written

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State
    from groundwire.metrics.facts.store import SqliteFacts
    from groundwire.metrics.profile import Profile

_PLACES = Decimal("0.000001")
_WIDE = Context(prec=60)


@dataclass(frozen=True, slots=True)
class Computed:
    """A value of a formula metric.

    Attributes:
        value: rounded to six places.
        exact: whether nothing was rounded.
        formula: the computation with the values of its operands.
        operands: the facts that it was computed from, in the order of the formula.
    """

    value: Decimal
    exact: bool
    formula: str
    operands: tuple[Fact, ...]


class FormulaFacts:
    """A store that also answers for the metrics of a profile that have a formula.

    What is not about such a metric, the store itself answers.
    """

    def __init__(self, store: SqliteFacts, profile: Profile) -> None:
        """Answer from a store, by the formulas of a profile."""
        self._store = store
        self._profile = profile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _formula(self, metric: str) -> Formula | None:
        known = self._profile.metric_by_code.get(metric)
        return read_formula(known.formula) if known and known.formula else None

    def computed(
        self,
        metric: str,
        entity: str,
        channel: str,
        start: date,
        end: date,
        as_of: date | None = None,
    ) -> Computed | None:
        """Return the value of a formula metric, or None without all operands or a value."""
        formula = self._formula(metric)
        if formula is None:
            return None

        def find(code: str, first: date, last: date) -> Fact | None:
            return self._operand(code, entity, channel, first, last, as_of)

        return self._computed(metric, formula, Interval(start, end), find)

    def _computed(
        self,
        metric: str,
        formula: Formula,
        days: Interval,
        find: Callable[[str, date, date], Fact | None],
    ) -> Computed | None:
        """The value for some days, of the operands that `find` has."""
        facts: dict[tuple[str, bool], Fact] = {}
        for code, earlier in formula.operands:
            of = Interval(_year_before(days.start), _year_before(days.end)) if earlier else days
            found = find(code, *of)
            if found is None:
                return None
            facts[code, earlier] = found

        def value(code: str, earlier: bool) -> Decimal:
            return facts[code, earlier].value

        worked = value_of(formula, value)
        if worked is None:
            return None
        known = self._profile.metric_by_code[metric]
        scaled = known.is_scaled_to_percent(self._profile.metric_by_code)
        if scaled:
            worked = _WIDE.multiply(worked, Decimal(100))
        shown = worked.quantize(_PLACES, ROUND_HALF_EVEN, _WIDE).normalize()
        exact = shown == worked and len(worked.as_tuple().digits) < 28
        text = written(formula, value) + (" * 100" if scaled else "")
        return Computed(shown, exact, text, tuple(facts.values()))

    def _operand(
        self, code: str, entity: str, channel: str, start: date, end: date, as_of: date | None
    ) -> Fact | None:
        found = self.lookup(code, entity, channel, start, end, as_of)
        known = self._profile.metric_by_code[code]
        if not found and known.measure == "stock":
            found = self.lookup(code, entity, channel, end, end, as_of)
        return found[0] if found else None

    def lookup(
        self,
        metric: str,
        entity: str,
        channel: str,
        start: date,
        end: date,
        as_of: date | None = None,
    ) -> Sequence[Fact]:
        """As the store; for a formula metric the computed value, with all sources as its own."""
        if self._formula(metric) is None:
            return self._store.lookup(metric, entity, channel, start, end, as_of)
        made = self.computed(metric, entity, channel, start, end, as_of)
        return () if made is None else (self._fact(made, metric, entity, channel, start, end),)

    def slice(self, asked: Slice) -> Sequence[Sequence[Fact]]:
        """As the store; for a formula metric values computed from one slice of each operand."""
        formula = self._formula(asked.metric)
        if formula is None:
            return self._store.slice(asked)
        known = self._profile.metric_by_code
        codes = sorted(formula.codes, key=lambda one: known[one].measure == "stock")
        first = asked.first
        if any(earlier for _, earlier in formula.operands) and first.year > 1:
            first = _year_before(first)
        held: dict[tuple[str, str, str, date, date], Fact] = {}
        for code in codes:
            stock = known[code].measure == "stock"
            part = replace(asked, metric=code, first=first, days=asked.days or stock)
            for some in self.slice(part):
                one = some[0]
                held[code, one.entity, one.channel, one.start, one.end] = one
        found: list[Sequence[Fact]] = []
        for code, entity, channel, start, end in list(held):
            if code != codes[0] or start < asked.first:
                continue

            def find(
                code: str, first: date, last: date, at: tuple[str, str] = (entity, channel)
            ) -> Fact | None:
                fact = held.get((code, *at, first, last))
                if fact is None and known[code].measure == "stock":
                    fact = held.get((code, *at, last, last))
                return fact

            made = self._computed(asked.metric, formula, Interval(start, end), find)
            if made is not None:
                found.append((self._fact(made, asked.metric, entity, channel, start, end),))
        return found

    def _fact(
        self, made: Computed, metric: str, entity: str, channel: str, start: date, end: date
    ) -> Fact:
        """Return a computed value as a fact, with all sources as its own."""
        sources = [one.source for one in made.operands]
        publishers = dict.fromkeys(one.publisher for one in sources)
        known = self._profile.metric_by_code[metric]
        return Fact(
            metric,
            entity,
            channel,
            start,
            end,
            max(one.as_of for one in made.operands),
            Decimal(format(made.value, "f")),
            known.shown_unit(self._profile.metric_by_code),
            Lineage(
                " + ".join(dict.fromkeys(one.doc for one in sources)),
                f"{known.formula}: " + ", ".join(one.locator for one in sources),
                " ".join(dict.fromkeys(one.doc_hash for one in sources)),
                " + ".join(filter(None, publishers)),
                "",
            ),
        )

    def intervals(
        self, metric: str, entity: str, channel: str, as_of: date | None = None
    ) -> Sequence[Interval]:
        """As the store; for a formula metric the intervals in which every operand is held."""
        formula = self._formula(metric)
        if formula is None:
            return self._store.intervals(metric, entity, channel, as_of)
        held = [
            one
            for one in self._longest(formula, entity, channel, as_of)
            if self.computed(metric, entity, channel, *one, as_of) is not None
        ]
        return tuple(held)

    def _longest(
        self, formula: Formula, entity: str, channel: str, as_of: date | None
    ) -> Sequence[Interval]:
        """Return the intervals of the first operand but a stock, which holds at a day."""
        known = self._profile.metric_by_code
        codes = sorted(formula.codes, key=lambda one: known[one].measure == "stock")
        return self.intervals(codes[0], entity, channel, as_of)

    def holding(self, metric: str) -> Holding | None:
        """As the store, or None for a formula metric, whose values are computed."""
        return self._store.holding(metric) if self._formula(metric) is None else None

    def coverage(self, metric: str) -> Coverage | None:
        """As the store; for a formula metric what all of its operands cover."""
        formula = self._formula(metric)
        if formula is None:
            return self._store.coverage(metric)
        parts = [self.coverage(code) for code in formula.codes]
        held = [one for one in parts if one is not None]
        if len(held) < len(parts):
            return None
        entities = [one for one in held[0].entities if all(one in each.entities for each in held)]
        channels = [one for one in held[0].channels if all(one in each.channels for each in held)]
        first, last = max(one.first for one in held), min(one.last for one in held)
        if not entities or not channels or first > last:
            return None
        facts = min(one.facts for one in held)
        return Coverage(tuple(entities), tuple(channels), facts, first, last)

    def periods(self, metric: str) -> Sequence[Interval]:
        """As the store; for a formula metric the intervals that all operands have."""
        formula = self._formula(metric)
        if formula is None:
            return self._store.periods(metric)
        known = self._profile.metric_by_code
        codes = sorted(formula.codes, key=lambda one: known[one].measure == "stock")
        every = [self.periods(code) for code in codes]
        ends = [
            {one.end for one in some} if known[code].measure == "stock" else set(some)
            for code, some in zip(codes, every, strict=True)
        ]
        return tuple(
            one for one in every[0] if all(one in some or one.end in some for some in ends)
        )

    def entities(self, metric: str, start: date, end: date) -> Sequence[str]:
        """As the store; for a formula metric the entities that have a value."""
        formula = self._formula(metric)
        if formula is None:
            return self._store.entities(metric, start, end)
        known = self._profile.metric_by_code
        parts = [
            {
                *self.entities(code, start, end),
                *(self.entities(code, end, end) if known[code].measure == "stock" else ()),
            }
            for code in formula.codes
        ]
        return sorted(one for one in parts[0] if all(one in some for some in parts))

    def channels(self, metric: str, entity: str) -> Sequence[str]:
        """As the store; for a formula metric the channels that all operands have."""
        formula = self._formula(metric)
        if formula is None:
            return self._store.channels(metric, entity)
        first, *others = [self.channels(code, entity) for code in formula.codes]
        return tuple(one for one in first if all(one in some for some in others))

    def first_known(
        self, metric: str, entity: str, channel: str, start: date, end: date
    ) -> date | None:
        """As the store; for a formula metric the day on which its last operand was known."""
        formula = self._formula(metric)
        if formula is None:
            return self._store.first_known(metric, entity, channel, start, end)
        known = self._profile.metric_by_code
        days: list[date] = []
        for code, earlier in formula.operands:
            first, last = (_year_before(start), _year_before(end)) if earlier else (start, end)
            day = self.first_known(code, entity, channel, first, last)
            if day is None and known[code].measure == "stock":
                day = self.first_known(code, entity, channel, last, last)
            if day is None:
                return None
            days.append(day)
        return max(days)


def _year_before(day: date) -> date:
    """Return the same day of the year before; the last day of a month stays the last."""
    following = day + timedelta(days=1)
    if following.day == 1:
        return following.replace(year=following.year - 1) - timedelta(days=1)
    return day.replace(year=day.year - 1)


def computed_of(state: State, fact: Fact, as_of: date | None) -> Computed | None:
    """Return how the value of a formula metric was computed, or None for a held one."""
    if not state.profile.metric_by_code[fact.metric].formula:
        return None
    store = cast(FormulaFacts, state.store)
    key = (fact.metric, fact.entity, fact.channel, fact.start, fact.end)
    return store.computed(*key, as_of)
