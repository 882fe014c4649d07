"""Canonical names of intervals: calendar and fiscal years, their parts, months, days, the rest."""

from __future__ import annotations

from datetime import date, timedelta

from groundwire.quantities.periods import CALENDAR_YEAR, FiscalCalendar, Period, PeriodGrain

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
