"""Which facts a table over facts is of, and which of their values may be added to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Context, Decimal
from functools import cached_property
from itertools import product

from groundwire.errors import InputError
from groundwire.metrics.derive_groups import overlap
from groundwire.metrics.facts.model import Fact, FactStore, Interval, Slice
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    GEOGRAPHY,
    GROUP,
    KIND,
    OF_ENTITIES,
    PERIOD,
    AmbiguousQueryError,
    Condition,
    Key,
    TableQuery,
)
from groundwire.metrics.table.spans import LENGTHS, on_calendar
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import listed
from groundwire.quantities import FiscalCalendar, Period, PeriodGrain

_EXACT = Context(prec=400)


@dataclass(frozen=True, slots=True)
class Series:
    """The facts of one metric, entity and channel by their days."""

    entity: str
    channel: str
    calendar: FiscalCalendar
    facts: Mapping[Interval, tuple[Fact, ...]]


@dataclass(frozen=True, slots=True)
class Term:
    """A fact on its way into a row.

    Attributes:
        facts: the fact that answers, then those of sources that differ.
        period: what its days are called.
    """

    facts: tuple[Fact, ...]
    period: Period

    @property
    def fact(self) -> Fact:
        """The fact that answers."""
        return self.facts[0]


def why_not_over(profile: Profile, metric: Metric, axis: str, codes: Sequence[str]) -> str:
    """Return why values of a metric must not be added over an axis, or "" where they may.

    Args:
        profile: what holds what.
        metric: the metric.
        axis: "entity", "channel" or "period".
        codes: the entities or channels that would be added.
    """
    if "sum" not in metric.derivations:
        return f"the profile allows no sum of {metric.label}"
    if metric.measure == "rate":
        return f"{metric.label} is a rate, which does not add up"
    if axis == "period" and metric.measure == "stock":
        return f"{metric.label} is held at a day, and several days do not add up"
    if axis == "channel" and TOTAL in codes:
        return "the total channel holds the other channels already"
    if axis == "entity":
        wholes = [one for one in codes if one in profile.membership.parts]
        for one, other in product(wholes, codes):
            if one != other and (why := overlap(profile, one, other)):
                return why.english
    return ""


def total(terms: Sequence[Term]) -> Decimal:
    """Return the exact sum of some facts."""
    value = Decimal(0)
    for one in terms:
        value = _EXACT.add(value, one.fact.value)
    return value


_WINDOW = timedelta(days=800)
_SLACK = timedelta(days=8)
_YEAR = timedelta(days=380)


class ChosenFacts:
    """The facts that a query chooses, with notes on those that it leaves out."""

    def __init__(self, profile: Profile, store: FactStore, query: TableQuery) -> None:
        """Read what the query is about.

        Raises:
            AmbiguousQueryError: it does not say whose values are meant.
            InputError: it would add what must not be added.
        """
        self._profile = profile
        self._store = store
        self._query = query
        self._metrics = [profile.metric_by_code[code] for code in query.metrics]
        self._notes: list[str] = []
        self._lacking: tuple[str, ...] = ()
        if len({one.kind for one in self._metrics}) > 1:
            raise InputError(
                f"{listed([one.label for one in self._metrics])} are held of different kinds of "
                "entity: send metrics of one kind."
            )
        self._kind = self._metrics[0].kind
        self._entities = self._chosen_entities()
        self._channels = self._chosen_channels()
        self._check_sums()

    def _conditions(self, dimension: str) -> Iterable[Condition]:
        return (one for one in self._query.conditions if one.dimension == dimension)

    def _chosen_entities(self) -> tuple[str, ...]:
        """The entities that rows may be of, in the order of the profile."""
        profile, membership = self._profile, self._profile.membership
        chosen, named = [*profile.codes_by_kind.get(self._kind, ())], False
        for one in self._conditions(ENTITY):
            chosen, named = _kept(chosen, one), named or one.op == "in"
        for one in self._conditions(GROUP):
            groups = frozenset(map(str, one.values))
            inside = frozenset[str]().union(*(membership.parts_of(code) for code in groups))
            chosen = [code for code in chosen if (code in inside) == (one.op == "in")]
        known = profile.entity_by_code
        for one in self._conditions(GEOGRAPHY):
            chosen = _kept(chosen, one, lambda code: known[code].geography or None)
        for one in self._conditions(KIND):
            chosen = _kept(chosen, one, lambda _: self._kind)
        if not named:
            self._check_whose()
            wholes = [code for code in chosen if code in membership.parts]
            if GROUP in self._query.by:
                return tuple(wholes)
            if wholes:
                names = [profile.entity_by_code[code].name for code in wholes]
                noun = "entity that holds" if len(wholes) == 1 else "entities that hold"
                self._notes.append(
                    f"{len(wholes)} {noun} others: {listed(names, 3)} (name them in "
                    "`where`, or send by: group)"
                )
            return tuple(code for code in chosen if code not in membership.parts)
        if GROUP in self._query.by:
            return tuple(code for code in chosen if code in membership.parts)
        return tuple(chosen)

    def _check_whose(self) -> None:
        """Refuse a query that names no entity and is not broken down by any."""
        if any(one in self._query.by for one in OF_ENTITIES):
            return
        if any(True for one in OF_ENTITIES for _ in self._conditions(one)):
            return
        profile = self._profile
        home = profile.kinds[self._kind].home
        wholes = [one for one in profile.membership.parts if self._is_of_kind(one)]
        wholes.sort(key=lambda one: -len(profile.membership.parts_of(one)))
        offered = list(dict.fromkeys(filter(None, (home, *wholes))))[:4]
        names = [(code, profile.entity_by_code[code].name) for code in offered]
        raise AmbiguousQueryError(
            f"Whose {self._metrics[0].label} is meant? Send where: {{entity: ...}}, or by: entity.",
            "where",
            "",
            names,
        )

    def _is_of_kind(self, code: str) -> bool:
        return self._profile.entity_by_code[code].kind == self._kind

    def _chosen_channels(self) -> tuple[str, ...]:
        known = self._profile.channel_by_code.values()
        every = [one.code for one in known if not one.kinds or self._kind in one.kinds]
        conditions = list(self._conditions(CHANNEL))
        if not conditions:
            if CHANNEL not in self._query.by:
                return (TOTAL,)
            return tuple(code for code in every if code != TOTAL)
        chosen = every
        for one in conditions:
            chosen = _kept(chosen, one)
        if all(one.op != "in" for one in conditions):
            chosen = [code for code in chosen if code != TOTAL]
        return tuple(chosen)

    @cached_property
    def _calendars(self) -> tuple[FiscalCalendar, ...]:
        return self._profile.calendars(self._entities)

    def _slice(self, metric: Metric) -> Slice:
        """Return the request to the store for one metric."""
        query = self._query
        low, high = self._days(metric)
        grains: list[PeriodGrain] = [query.grain] if query.grain else []
        if not grains:
            grains = [one.grain for one in query.periods if one.end != date.max]
            if PERIOD in query.by or not grains:
                grains = [*grains, *metric.grains]
        lengths = [LENGTHS[one] for one in grains]
        lengths += [
            ((one.end - one.start).days,) * 2 for one in query.periods if one.grain == "other"
        ]
        shortest, longest = min(one[0] for one in lengths), max(one[1] for one in lengths)
        if metric.counted == "end" and any(one.grain == "day" for one in query.periods):
            longest = max(longest, LENGTHS["year"][1])
        every = self._profile.codes_by_kind.get(self._kind, ())
        entities = self._entities if 2 * len(self._entities) < len(every) else ()
        return Slice(
            metric.code,
            entities,
            self._channels,
            low,
            high,
            shortest,
            longest,
            metric.measure == "stock",
            query.as_of,
        )

    def _days(self, metric: Metric) -> tuple[date, date]:
        """The first and last day that the facts lie between."""
        query = self._query
        if not query.periods:
            if PERIOD in query.by or query.as_of is not None:
                return date.min, date.max
            covered = self._store.coverage(metric.code)
            if covered is None:
                return date.min, date.max
            try:
                return covered.last - _WINDOW - _YEAR, date.max
            except OverflowError:
                return date.min, date.max
        found = [
            one
            for period in query.periods
            for calendar in self._calendars
            if (one := on_calendar(period, calendar)) is not None
        ] or [*query.periods]
        low, high = min(one.start for one in found), max(one.end for one in found)
        # Only fiscal years of 52 or 53 weeks, and their parts, end beside their calendar's days.
        weeks = any(one.fiscal for one in query.periods) and any(
            not calendar.is_calendar_year for calendar in self._calendars
        )
        slack = _SLACK if weeks else timedelta()
        back = slack + (_YEAR if query.compare else timedelta())
        try:
            low -= back
        except OverflowError:
            low = date.min
        return low, min(high, date.max - slack) + slack

    def _check_sums(self) -> None:
        """Refuse a query whose rows would add what must not be added."""
        query = self._query
        for axis, codes, param in (
            (ENTITY, self._entities, "by: entity"),
            (CHANNEL, self._channels, "by: channel"),
        ):
            if len(codes) < 2 or axis in query.by or (axis == ENTITY and GROUP in query.by):
                continue
            for metric in self._metrics:
                if why := why_not_over(self._profile, metric, axis, codes):
                    raise InputError(f"Values are not added here: {why}. Send {param}.")
        if PERIOD in query.by:
            return
        if len(query.periods) > 1 or any(one.end == date.max for one in query.periods):
            for metric in self._metrics:
                why = why_not_over(self._profile, metric, PERIOD, ())
                if any(one.end == date.max for one in query.periods):
                    why = why or "the time that is asked about has no end"
                if why:
                    raise InputError(f"Values are not added here: {why}. Send by: period.")


def _kept(
    codes: Sequence[str], condition: Condition, of: Callable[[str], Key] | None = None
) -> list[str]:
    """Codes that meet a condition on listed values, themselves or by what `of` says of them."""
    wanted, inside = frozenset(condition.values), condition.op == "in"
    if of is None:
        return [code for code in codes if (code in wanted) == inside]
    return [code for code in codes if (of(code) in wanted) == inside]


def lineage_of(terms: Sequence[Term]) -> str:
    """Return where the facts that make up a value come from."""
    if len(terms) == 1:
        source = terms[0].fact.source
        return f"{source.doc}, {source.locator}"
    return listed(list(dict.fromkeys(one.fact.source.doc for one in terms)))
