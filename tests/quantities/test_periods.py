"""Fiscal calendars: where a year starts, which year it is named after, and its parts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import CALENDAR_YEAR, FiscalCalendar
from groundwire.quantities.periods import later

SNOWFLAKE = FiscalCalendar(2, 1)
UNITED_KINGDOM_TAX = FiscalCalendar(4, 6)

CALENDARS = st.builds(
    FiscalCalendar, st.integers(1, 12), st.integers(1, 28), st.sampled_from(["end", "start"])
)


@pytest.mark.parametrize(
    ("calendar", "year", "first"),
    [
        (CALENDAR_YEAR, 2024, "2024-01-01"),
        (FiscalCalendar(1, 1, "start"), 2024, "2024-01-01"),
        (SNOWFLAKE, 2023, "2022-02-01"),
        (FiscalCalendar(4, 1), 2024, "2023-04-01"),
        (FiscalCalendar(4, 1, "start"), 2024, "2024-04-01"),
        (UNITED_KINGDOM_TAX, 2024, "2023-04-06"),
        (FiscalCalendar(7, 1), 2024, "2023-07-01"),
        (FiscalCalendar(7, 1, "start"), 2024, "2024-07-01"),
        (FiscalCalendar(1, 2), 2024, "2023-01-02"),
    ],
)
def test_a_fiscal_year_starts_before_or_in_the_year_it_is_named_after(
    calendar: FiscalCalendar, year: int, first: str
) -> None:
    assert calendar.first_day(year) == date.fromisoformat(first)


@pytest.mark.parametrize(
    ("calendar", "part", "start", "end"),
    [
        (SNOWFLAKE, (2023, 0, 12), "2022-02-01", "2023-01-31"),
        (SNOWFLAKE, (2023, 9, 3), "2022-11-01", "2023-01-31"),
        (SNOWFLAKE, (2024, 0, 1), "2023-02-01", "2023-02-28"),
        (SNOWFLAKE, (2025, 0, 1), "2024-02-01", "2024-02-29"),
        (UNITED_KINGDOM_TAX, (2024, 3, 3), "2023-07-06", "2023-10-05"),
        (FiscalCalendar(8, 31), (2024, 6, 6), "2024-02-29", "2024-08-30"),
    ],
)
def test_a_part_is_so_many_months_of_a_fiscal_year(
    calendar: FiscalCalendar, part: tuple[int, int, int], start: str, end: str
) -> None:
    assert tuple(map(str, calendar.part(*part))) == (start, end)


@given(CALENDARS, st.dates(date(1500, 1, 1), date(2199, 12, 31)))
def test_the_year_of_a_day_holds_it(calendar: FiscalCalendar, day: date) -> None:
    start, end = calendar.part(calendar.year_of(day), 0, 12)
    assert start <= day <= end


@given(CALENDARS, st.integers(1501, 2198), st.sampled_from([1, 3, 6, 12]))
def test_the_parts_of_a_year_follow_each_other(
    calendar: FiscalCalendar, year: int, months: int
) -> None:
    parts = [calendar.part(year, skipped, months) for skipped in range(0, 12, months)]
    starts = [start for start, _ in parts] + [calendar.first_day(year + 1)]
    for (_, end), following in zip(parts, starts[1:], strict=True):
        assert end + timedelta(days=1) == following


@pytest.mark.parametrize(
    ("day", "months", "then"),
    [
        ("2024-01-31", 1, "2024-02-29"),
        ("2023-01-31", 1, "2023-02-28"),
        ("2024-01-31", 3, "2024-04-30"),
        ("2024-10-01", -9, "2024-01-01"),
        ("2024-12-15", 1, "2025-01-15"),
    ],
)
def test_a_later_month_has_its_last_day_where_it_is_shorter(
    day: str, months: int, then: str
) -> None:
    assert str(later(date.fromisoformat(day), months)) == then


def test_days_that_no_date_holds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"year|range"):
        later(date.max, 1)
