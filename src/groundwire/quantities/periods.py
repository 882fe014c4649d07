"""Periods as intervals of real days, and the fiscal calendars that name them."""

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
