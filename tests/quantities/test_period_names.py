"""A stored interval has one name, and that name is read back as the interval."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import (
    CALENDAR_YEAR,
    FiscalCalendar,
    PeriodGrain,
    interval_period,
    read_period,
)
from groundwire.quantities.periods import later

FEBRUARY = FiscalCalendar(2, 1)
APRIL = FiscalCalendar(4, 1)
APRIL_BY_START = FiscalCalendar(4, 1, "start")
SIXTH_OF_APRIL = FiscalCalendar(4, 6)
JULY = FiscalCalendar(7, 1)
OCTOBER = FiscalCalendar(10, 1)
REFERENCE = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("calendar", "start", "end", "label", "grain"),
    [
        (CALENDAR_YEAR, "2024-01-01", "2024-12-31", "2024", "year"),
        (CALENDAR_YEAR, "2024-01-01", "2024-06-30", "2024H1", "half"),
        (CALENDAR_YEAR, "2024-07-01", "2024-12-31", "2024H2", "half"),
        (CALENDAR_YEAR, "2024-07-01", "2024-09-30", "2024Q3", "quarter"),
        (CALENDAR_YEAR, "2024-01-01", "2024-09-30", "2024 first nine months", "nine_months"),
        (CALENDAR_YEAR, "2024-02-01", "2024-02-29", "2024-02", "month"),
        (CALENDAR_YEAR, "2024-02-01", "2024-02-28", "2024-02-01 to 2024-02-28", "other"),
        (CALENDAR_YEAR, "2024-03-31", "2024-03-31", "2024-03-31", "day"),
        (CALENDAR_YEAR, "2024-02-01", "2024-04-30", "2024-02-01 to 2024-04-30", "other"),
        (CALENDAR_YEAR, "2024-01-01", "2025-12-31", "2024-01-01 to 2025-12-31", "other"),
        (CALENDAR_YEAR, "2024-04-01", "2025-03-31", "2024-04-01 to 2025-03-31", "other"),
        (FEBRUARY, "2022-02-01", "2023-01-31", "FY2023", "year"),
        (FEBRUARY, "2022-11-01", "2023-01-31", "FY2023Q4", "quarter"),
        (FEBRUARY, "2022-02-01", "2022-07-31", "FY2023H1", "half"),
        (FEBRUARY, "2022-02-01", "2022-10-31", "FY2023 first nine months", "nine_months"),
        (FEBRUARY, "2022-01-01", "2022-12-31", "2022", "year"),
        (FEBRUARY, "2022-01-01", "2022-03-31", "2022Q1", "quarter"),
        (FEBRUARY, "2022-02-01", "2022-02-28", "2022-02", "month"),
        (FEBRUARY, "2023-01-31", "2023-01-31", "2023-01-31", "day"),
        (APRIL, "2023-04-01", "2024-03-31", "FY2024", "year"),
        (APRIL, "2023-07-01", "2023-09-30", "FY2024Q2", "quarter"),
        (APRIL, "2023-01-01", "2023-06-30", "2023H1", "half"),
        (APRIL_BY_START, "2023-04-01", "2024-03-31", "FY2023", "year"),
        (SIXTH_OF_APRIL, "2023-04-06", "2024-04-05", "FY2024", "year"),
        (SIXTH_OF_APRIL, "2023-07-06", "2023-10-05", "FY2024Q2", "quarter"),
        (SIXTH_OF_APRIL, "2023-07-01", "2023-09-30", "2023Q3", "quarter"),
        (JULY, "2023-07-01", "2023-12-31", "FY2024H1", "half"),
        # Years and quarters of whole weeks.
        (OCTOBER, "2023-10-01", "2024-09-28", "FY2024", "year"),
        (OCTOBER, "2022-09-25", "2023-09-30", "FY2023", "year"),
        (OCTOBER, "2023-10-01", "2023-12-30", "FY2024Q1", "quarter"),
        (OCTOBER, "2022-09-25", "2022-12-31", "FY2023Q1", "quarter"),
        (CALENDAR_YEAR, "2024-01-01", "2024-12-29", "FY2024", "year"),
        (CALENDAR_YEAR, "2023-12-31", "2024-03-30", "FY2024Q1", "quarter"),
        (OCTOBER, "2023-10-09", "2024-09-30", "2023-10-09 to 2024-09-30", "other"),
    ],
)
def test_an_interval_has_a_name(
    calendar: FiscalCalendar, start: str, end: str, label: str, grain: PeriodGrain
) -> None:
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    period = interval_period(first, last, calendar)
    assert (period.label, period.grain) == (label, grain)
    assert (period.start, period.end) == (first, last)
    assert period.fiscal == label.startswith("FY")


def test_an_interval_ends_after_it_starts() -> None:
    with pytest.raises(ValueError, match="cannot end"):
        interval_period(date(2024, 2, 1), date(2024, 1, 1), CALENDAR_YEAR)


@pytest.mark.parametrize("calendar", [CALENDAR_YEAR, APRIL, FiscalCalendar(7, 1, "start")])
@pytest.mark.parametrize(
    ("start", "end"), [(date.min, date.min), (date.min, date.max), (date(9999, 1, 1), date.max)]
)
def test_the_first_and_last_days_have_names_too(
    calendar: FiscalCalendar, start: date, end: date
) -> None:
    assert interval_period(start, end, calendar).label


CALENDARS = st.builds(
    FiscalCalendar, st.integers(1, 12), st.integers(1, 28), st.sampled_from(["end", "start"])
)
DAYS = st.dates(date(1502, 1, 1), date(2197, 12, 31))


def _is_read_back(start: date, end: date, calendar: FiscalCalendar) -> None:
    period = interval_period(start, end, calendar)
    expression = read_period(period.label)
    assert expression is not None
    reading = expression.on(calendar, REFERENCE)
    assert (reading.kind, reading.periods) == ("single", (period,))


@given(CALENDARS, DAYS, st.sampled_from([(0, 12), (6, 6), (0, 6), (3, 3), (9, 3), (0, 9), (4, 1)]))
def test_the_name_of_a_fiscal_part_is_read_back(
    calendar: FiscalCalendar, day: date, part: tuple[int, int]
) -> None:
    _is_read_back(*calendar.part(calendar.year_of(day), *part), calendar)


@given(CALENDARS, DAYS, st.sampled_from([1, 3, 6, 9, 12]))
def test_the_name_of_calendar_months_is_read_back(
    calendar: FiscalCalendar, day: date, months: int
) -> None:
    start = day.replace(day=1)
    end = later(start, months) - timedelta(days=1)
    if _is_exact(start, end, calendar):
        _is_read_back(start, end, calendar)


@given(CALENDARS, DAYS, st.integers(0, 900))
def test_the_name_of_any_interval_is_read_back(
    calendar: FiscalCalendar, start: date, days: int
) -> None:
    end = start + timedelta(days=days)
    if _is_exact(start, end, calendar):
        _is_read_back(start, end, calendar)


def _is_exact(start: date, end: date, calendar: FiscalCalendar) -> bool:
    """Whether an interval is not called by a fiscal part that it is only near (52 weeks)."""
    period = interval_period(start, end, calendar)
    if not period.fiscal:
        return True
    years = (calendar.year_of(start), calendar.year_of(end))
    parts = [(0, 12), (0, 6), (6, 6), (0, 9), *((skipped, 3) for skipped in (0, 3, 6, 9))]
    exact = (start, end) in [calendar.part(year, *part) for year in years for part in parts]
    return exact and not calendar.is_calendar_year
