"""Meanings of expressions of time, and their days on a fiscal calendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple

from groundwire.quantities.periods import (
    CALENDAR_YEAR,
    FiscalCalendar,
    Period,
    PeriodGrain,
    interval_period,
    later,
    named_part,
    plain_interval,
)

MOST_MEMBERS = 240


class UnreadableError(ValueError):
    """The reason why an expression is not a period on a calendar and reference day."""


class Part(NamedTuple):
    """Months of a year.

    Attributes:
        skipped: months of the year before its first.
        months: how many.
        day: a day of the month, or 0.
        named: whether it is a month by name, which no fiscal year moves.
    """

    skipped: int
    months: int
    day: int = 0
    named: bool = False


_YEAR = Part(0, 12)


class Place(NamedTuple):
    """A part of a year of a calendar."""

    calendar: FiscalCalendar
    fiscal: bool
    year: int
    part: Part

    @property
    def step(self) -> int:
        """Months to the next of its kind."""
        return self.part.months if 12 % self.part.months == 0 else 12

    def moved(self, steps: int) -> Place:
        """The part that is some steps later."""
        months = self.year * 12 + self.part.skipped + steps * self.step
        year, skipped = divmod(months, 12)
        return self._replace(year=year, part=self.part._replace(skipped=skipped))

    def period(self) -> Period:
        """Its interval with its name."""
        part = self.part
        if part.day:
            try:
                day = date(self.year, part.skipped + 1, part.day)
            except ValueError:
                raise UnreadableError(f"{self.year} has no such day") from None
            return plain_interval(day, day)
        return named_part(self.calendar, self.year, part.skipped, part.months, fiscal=self.fiscal)


@dataclass(frozen=True, slots=True)
class Point:
    """One period; its year is absolute, or relative to the reference day, or missing.

    Attributes:
        year: name of its year.
        shift: years from the year of the reference day.
        steps: parts from the part that holds the reference day.
        part: part of the year; None is all of it.
        fiscal: whether it was called fiscal (True) or the calendar's (False).
        closing: whether its last day is meant.
    """

    year: int | None = None
    shift: int | None = None
    steps: int | None = None
    part: Part | None = None
    fiscal: bool | None = None
    closing: bool = False

    @property
    def relative(self) -> bool:
        """Whether the reference day matters."""
        return self.shift is not None or self.steps is not None

    @property
    def dated(self) -> bool:
        """Whether it says which year."""
        return self.year is not None or self.relative

    @property
    def possible(self) -> bool:
        """Whether its day exists, as far as its year is known."""
        if self.year is None or self.part is None or not self.part.day:
            return True
        try:
            date(self.year, self.part.skipped + 1, self.part.day)
        except ValueError:
            return False
        return True

    def place(self, calendar: FiscalCalendar, reference: date) -> Place:
        """Where it is.

        Raises:
            UnreadableError: it has no year.
        """
        part = self.part or _YEAR
        its = calendar if self.fiscal else CALENDAR_YEAR
        if part.named:
            its = CALENDAR_YEAR
        fiscal = self.fiscal is True and not part.named
        if self.year is not None:
            return Place(its, fiscal, self.year, part)
        year = its.year_of(reference)
        if self.shift is not None:
            return Place(its, fiscal, year + self.shift, part)
        if self.steps is None:
            raise UnreadableError("of which year?")
        skipped = max(
            first
            for first in range(0, 12, part.months)
            if its.part(year, first, part.months)[0] <= reference
        )
        return Place(its, fiscal, year, part._replace(skipped=skipped)).moved(self.steps)

    def period(self, calendar: FiscalCalendar, reference: date) -> Period:
        """Its interval.

        Raises:
            UnreadableError: it has no year, or its month no such day.
        """
        period = self.place(calendar, reference).period()
        return plain_interval(period.end, period.end) if self.closing else period


@dataclass(frozen=True, slots=True)
class Span:
    """A range from one period to another."""

    first: Point
    last: Point

    def members(
        self, calendar: FiscalCalendar, reference: date
    ) -> tuple[Literal["single", "several"], tuple[Period, ...]]:
        """Each period of it; a range of days is a single interval.

        Raises:
            UnreadableError: its ends do not fit each other.
        """
        first, last = (point.place(calendar, reference) for point in (self.first, self.last))
        start, end = (point.period(calendar, reference) for point in (self.first, self.last))
        if end.start < start.start:
            raise UnreadableError("it ends before it starts")
        if start.grain == end.grain == "day":
            return "single", (interval_period(start.start, end.end, calendar),)
        fits = (first.fiscal, first.part.months) == (last.fiscal, last.part.months)
        if not fits or "day" in (start.grain, end.grain):
            raise UnreadableError("its two ends are not periods of one length")
        months = 12 * (last.year - first.year) + last.part.skipped - first.part.skipped
        count, rest = divmod(months, first.step)
        if rest:
            raise UnreadableError("its two ends are not the same part of a year")
        if count >= MOST_MEMBERS:
            raise UnreadableError(f"a range has at most {MOST_MEMBERS} periods")
        return "several", tuple(first.moved(i).period() for i in range(count + 1))


@dataclass(frozen=True, slots=True)
class Since:
    """A period and all after it, or (`after`) all after it alone."""

    point: Point
    after: bool = False

    def first(self, calendar: FiscalCalendar, reference: date) -> Period:
        """The first period that is meant.

        Raises:
            UnreadableError: it has no year.
        """
        period = self.point.period(calendar, reference)
        if not self.after:
            return period
        if period.grain == "day":
            following = period.end + timedelta(days=1)
            return plain_interval(following, following)
        return self.point.place(calendar, reference).moved(1).period()


@dataclass(frozen=True, slots=True)
class Ended:
    """Months that end with a day or month: "nine months ended 30 September 2024"."""

    point: Point
    months: int

    def period(self, calendar: FiscalCalendar, reference: date) -> Period:
        """The interval.

        Raises:
            UnreadableError: no day or month is named.
        """
        last = self.point.period(calendar, reference)
        if last.grain not in ("day", "month"):
            raise UnreadableError("ended on which day?")
        following = last.end + timedelta(days=1)
        return interval_period(later(following, -self.months), last.end, calendar)


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest period of a grain, or of any."""

    grain: PeriodGrain | None
    fiscal: bool | None = None


@dataclass(frozen=True, slots=True)
class Rolling:
    """A window that ends with the newest period, or today.

    Attributes:
        grain: length of its periods.
        count: how many.
        name: what it is.
        fiscal: whether it was called fiscal.
    """

    grain: PeriodGrain | None
    count: int
    name: str
    fiscal: bool | None = None


@dataclass(frozen=True, slots=True)
class Unclear:
    """Time that can be read in two ways, or not at all."""

    why: str
    fiscal: bool | None = None


Meaning = Point | Span | Since | Ended | Latest | Rolling | Unclear


def is_fiscal(meaning: Meaning) -> bool:
    """Whether it was called fiscal."""
    if isinstance(meaning, Span):
        return bool(meaning.first.fiscal or meaning.last.fiscal)
    if isinstance(meaning, Since | Ended):
        return bool(meaning.point.fiscal)
    return bool(meaning.fiscal)


def is_relative(meaning: Meaning) -> bool:
    """Whether it depends on the reference day."""
    if isinstance(meaning, Span):
        return meaning.first.relative or meaning.last.relative
    if isinstance(meaning, Since | Ended):
        return meaning.point.relative
    if isinstance(meaning, Point):
        return meaning.relative
    return isinstance(meaning, Rolling)


ReadingKind = Literal["single", "several", "since", "latest", "rolling", "unreadable"]


@dataclass(frozen=True, slots=True)
class PeriodReading:
    """An expression of time as read on one calendar.

    Attributes:
        kind: `single`, a period; `several`, each of a range; `since`, all from a first one on;
            `latest`, the newest that there is; `rolling`, a window that ends with the newest or
            today; `unreadable`, one must ask.
        periods: of `single` the one, of `several` each, of `since` the first; else none.
        grain: of `latest` and `rolling` the length asked for, if any was.
        raw: as it was written.
        note: how a relative word was read, or why nothing was; else "".
        count: of `rolling` how many periods of the grain; else 0.
    """

    kind: ReadingKind
    periods: tuple[Period, ...]
    grain: PeriodGrain | None
    raw: str
    note: str
    count: int = 0


def read_meaning(
    meaning: Meaning, raw: str, calendar: FiscalCalendar, reference: date
) -> PeriodReading:
    """Read a meaning on a calendar and a reference day."""
    if isinstance(meaning, Latest):
        return PeriodReading("latest", (), meaning.grain, raw, "")
    if isinstance(meaning, Rolling):
        note = f"{raw} is {meaning.name}"
        return PeriodReading("rolling", (), meaning.grain, raw, note, meaning.count)
    shown = " ".join(raw.split())
    if isinstance(meaning, Unclear):
        return PeriodReading("unreadable", (), None, raw, f"{shown}: {meaning.why}")
    try:
        kind, periods = _periods(meaning, calendar, reference)
    except UnreadableError as error:
        why = str(error)
        note = f"{shown} {why}" if why.startswith("of which") else f"{shown}: {why}"
        return PeriodReading("unreadable", (), None, raw, note)
    except (ValueError, OverflowError):
        note = f"{shown}: outside the years that a date can hold"
        return PeriodReading("unreadable", (), None, raw, note)
    note = ""
    if is_relative(meaning):
        label = periods[0].label if len(periods) == 1 else _ends(periods)
        since = "from " if kind == "since" else ""
        note = f"{shown} = {since}{label} (today is {reference.isoformat()})"
    return PeriodReading(kind, periods, None, raw, note)


def _ends(periods: tuple[Period, ...]) -> str:
    return f"{periods[0].label} to {periods[-1].label}"


def _periods(
    meaning: Point | Span | Since | Ended, calendar: FiscalCalendar, reference: date
) -> tuple[ReadingKind, tuple[Period, ...]]:
    if isinstance(meaning, Span):
        return meaning.members(calendar, reference)
    if isinstance(meaning, Since):
        return "since", (meaning.first(calendar, reference),)
    return "single", (meaning.period(calendar, reference),)
