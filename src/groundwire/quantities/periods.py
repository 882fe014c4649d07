"""Periods as intervals of real days, fiscal calendars, and the names that these give intervals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

PeriodGrain = Literal["day", "month", "quarter", "half", "nine_months", "year", "other"]

MONTHS: dict[PeriodGrain, int] = {"month": 1, "quarter": 3, "half": 6, "nine_months": 9, "year": 12}


@dataclass(frozen=True, slots=True)
class Period:
    """An interval of days with its name.

    Attributes:
        start: first day.
        end: last day.
        grain: its length; `other` is an interval that no grain fits.
        fiscal: whether it is named by a fiscal year rather than the calendar's.
        label: canonical name: "2024", "2024H1", "2024Q3", "2024-03", "2024-03-31", "2024 first
            nine months"; of a fiscal year "FY2024", "FY2024H1", "FY2024Q3", "FY2024 first nine
            months"; of anything else "2024-01-05 to 2024-02-09".
    """

    start: date
    end: date
    grain: PeriodGrain
    fiscal: bool
    label: str


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """Where a fiscal year starts, and which year it is named after.

    Attributes:
        month: month of its first day.
        day: day of the month of its first day.
        named_by: `end`: FY2024 is the year that ends in 2024; `start`: that starts in 2024. A
            year from 1 January is 2024 either way.
    """

    month: int = 1
    day: int = 1
    named_by: Literal["end", "start"] = "end"

    @property
    def is_calendar_year(self) -> bool:
        """Whether fiscal years are calendar years."""
        return (self.month, self.day) == (1, 1)

    def first_day(self, year: int) -> date:
        """First day of the fiscal year of this name."""
        shift = 0 if self.is_calendar_year or self.named_by == "start" else 1
        return date(year - shift, self.month, self.day)

    def year_of(self, day: date) -> int:
        """Name of the fiscal year that holds a day."""
        name = day.year
        for candidate in (name + 1, name):
            if self.first_day(candidate) <= day:
                return candidate
        return name - 1

    def part(self, year: int, skipped: int, months: int) -> tuple[date, date]:
        """First and last day of `months` months of a fiscal year, after `skipped` months of it.

        Raises:
            ValueError: the days are outside what a date can hold.
        """
        first = self.first_day(year)
        return later(first, skipped), later(first, skipped + months) - timedelta(days=1)


CALENDAR_YEAR = FiscalCalendar()


def later(day: date, months: int) -> date:
    """The same day of a later (or earlier) month, or that month's last day.

    Raises:
        ValueError: the day is outside what a date can hold.
    """
    years, month = divmod(day.month - 1 + months, 12)
    for last in range(day.day, 27, -1):
        try:
            return date(day.year + years, month + 1, last)
        except ValueError:
            if last == 28:
                raise
    return date(day.year + years, month + 1, day.day)


FIRST_YEAR, LAST_YEAR = 1500, 2199
"""Years that are read and named."""

# Months skipped and covered, with what follows the year.
_PARTS: dict[tuple[int, int], tuple[PeriodGrain, str]] = {
    (0, 12): ("year", ""),
    (0, 6): ("half", "H1"),
    (6, 6): ("half", "H2"),
    (0, 3): ("quarter", "Q1"),
    (3, 3): ("quarter", "Q2"),
    (6, 3): ("quarter", "Q3"),
    (9, 3): ("quarter", "Q4"),
    (0, 9): ("nine_months", " first nine months"),
}

_SLACK = timedelta(days=7)
# Years of 52 or 53 weeks, and parts of them, a week shorter or longer.
_WEEKS: dict[PeriodGrain, tuple[int, int]] = {
    "year": (357, 378),
    "nine_months": (266, 287),
    "half": (175, 196),
    "quarter": (84, 105),
}


def named_part(
    calendar: FiscalCalendar, year: int, skipped: int, months: int, *, fiscal: bool
) -> Period:
    """Months of a year with their name.

    Args:
        calendar: the calendar of the year.
        year: its name.
        skipped: months of the year before the first one meant.
        months: how many are meant.
        fiscal: whether to name it by the fiscal year.

    Raises:
        ValueError: the days are outside what a date can hold.
    """
    start, end = calendar.part(year, skipped, months)
    if (skipped, months) not in _PARTS:
        return plain_interval(start, end)
    grain, suffix = _PARTS[skipped, months]
    return Period(start, end, grain, fiscal, f"{'FY' if fiscal else ''}{year}{suffix}")


def plain_interval(start: date, end: date) -> Period:
    """An interval named by its days, or by its month where it is one."""
    if start == end:
        return Period(start, end, "day", False, start.isoformat())
    if start.day == 1 and (end.year, end.month) == (start.year, start.month):
        following = end + timedelta(days=1) if end < date.max else end
        if following.day == 1:
            return Period(start, end, "month", False, start.isoformat()[:7])
    return Period(start, end, "other", False, f"{start.isoformat()} to {end.isoformat()}")


def interval_period(start: date, end: date, calendar: FiscalCalendar) -> Period:
    """Name a stored interval.

    Days and calendar months have the calendar's name. Of a fiscal calendar that is not the
    calendar year, an interval that is exactly a fiscal part is called so ("FY2024Q3"), then what
    is exactly a part of a calendar year ("2024Q3"). Fiscal years of 52 or 53 weeks and their
    parts, which begin and end within 7 days of the calendar's, have the fiscal name too, though
    the period keeps its own days. Anything else is called by its days.

    Raises:
        ValueError: it ends before it starts.
    """
    if end < start:
        raise ValueError(f"an interval from {start} cannot end on {end}")
    period = plain_interval(start, end)
    if period.grain != "other":
        return period
    if not calendar.is_calendar_year:
        period = _part(start, end, calendar, timedelta(0)) or period
    if period.grain == "other":
        period = _part(start, end, CALENDAR_YEAR, timedelta(0)) or period
    if period.grain == "other":
        period = _part(start, end, calendar, _SLACK) or period
    return period


def _part(start: date, end: date, calendar: FiscalCalendar, slack: timedelta) -> Period | None:
    """The part of a year that an interval is, up to some days at either end."""
    days = (end - start).days + 1
    if not _WEEKS["quarter"][0] <= days <= _WEEKS["year"][1]:
        return None
    try:
        years = {calendar.year_of(start), calendar.year_of(start + slack)}
        for year in sorted(years):
            if not FIRST_YEAR <= year <= LAST_YEAR:
                continue
            for (skipped, months), (grain, suffix) in _PARTS.items():
                first, last = calendar.part(year, skipped, months)
                fits = abs(start - first) <= slack and abs(end - last) <= slack
                shortest, longest = _WEEKS[grain]
                if fits and shortest <= days <= longest:
                    fiscal = bool(slack) or not calendar.is_calendar_year
                    label = f"{'FY' if fiscal else ''}{year}{suffix}"
                    return Period(start, end, grain, fiscal, label)
    except (ValueError, OverflowError):  # the last days that a date can hold
        return None
    return None
