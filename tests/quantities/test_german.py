"""German figures, units, dates and times of day are read as Germans write them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from groundwire.quantities import find_clock_times, find_dates, find_quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("3,89 Billionen US-Dollar", "3890000000000", "USD"),
        ("3,888 Billionen Euro", "3888000000000", "EUR"),
        ("67,6 Millionen Einwohner", "67600000", None),
        ("2.469,6 Mio. CNY", "2469600000", "CNY"),
        ("1,71 Mrd. CNY", "1710000000", "CNY"),
        ("11,0 Prozent", "11.0", "%"),
        ("53 Minuten", "53", "min"),
        ("68,3 Sekunden", "68.3", "s"),
        ("213.996.181 Einwohner", "213996181", None),
    ],
)
def test_figures_with_scale_and_unit(text: str, value: str, unit: str | None) -> None:
    (found,) = find_quantities(text)
    assert (found.value, found.unit) == (Decimal(value), unit)


def test_a_comma_before_a_scale_that_is_not_german_stays_one_of_groups() -> None:
    (found,) = find_quantities("3,888 million")
    assert found.value == Decimal(3_888_000_000)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("am 19. Juli 2019", date(2019, 7, 19)),
        ("am 31. Mai 2020", date(2020, 5, 31)),
        ("14.06.2020", date(2020, 6, 14)),
        ("3.4.2021", date(2021, 4, 3)),
        ("23/11/2026", date(2026, 11, 23)),
        ("11/23/2026", date(2026, 11, 23)),
    ],
)
def test_days_with_their_year(text: str, day: date) -> None:
    (found,) = find_dates(text)
    assert (found.start, found.end) == (day, day)
    assert find_quantities(text) == []


def test_a_day_between_strokes_that_could_be_a_month_is_not_read() -> None:
    assert find_dates("03/05/2024") == []


def test_a_dot_parts_hours_and_minutes_before_uhr_alone() -> None:
    assert [one.minutes for one in find_clock_times("ab 17.45 Uhr, 3.45 km")] == [(17 * 60 + 45,)]
