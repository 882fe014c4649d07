"""Times as one says them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from plans import london

from groundwire.journeys.wording import clock, count, day, duration, listed, moment, span

NOW = london(2026, 11, 21, 12, 0)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (datetime(2027, 3, 28, 0, 59, tzinfo=UTC), "00:59"),
        (datetime(2027, 3, 28, 1, 0, tzinfo=UTC), "02:00"),
        (datetime(2027, 10, 31, 0, 30, tzinfo=UTC), "01:30 BST"),
        (datetime(2027, 10, 31, 1, 30, tzinfo=UTC), "01:30 GMT"),
        (datetime(2027, 10, 31, 2, 0, tzinfo=UTC), "02:00"),
    ],
)
def test_the_clock_is_londons_and_says_which_hour_where_one_comes_twice(
    when: datetime, said: str
) -> None:
    assert clock(when) == said


def test_another_day_and_another_year_are_named() -> None:
    assert moment(london(2026, 11, 21, 18, 5), NOW) == "18:05"
    assert moment(london(2026, 11, 22, 0, 5), NOW) == "00:05 on Sunday 22 November"
    assert moment(london(2027, 1, 1, 0, 5), NOW) == "00:05 on Friday 1 January 2027"
    assert day(NOW.date()) == "Saturday 21 November 2026"


@pytest.mark.parametrize(
    ("begins", "ends", "said"),
    [
        (None, None, ""),
        (None, london(2026, 11, 21, 18, 0), "until 18:00"),
        (london(2026, 11, 21), london(2026, 11, 22, 1, 29), "until 01:29 on Sunday 22 November"),
        (london(2026, 11, 28, 4, 30), None, "from 04:30 on Saturday 28 November"),
        (
            london(2026, 11, 28, 4, 30),
            london(2026, 11, 28, 10, 15),
            "from 04:30 on Saturday 28 November to 10:15",
        ),
        (london(2026, 11, 20, 9, 0), london(2026, 11, 20, 10, 0), ""),
    ],
)  # fmt: skip
def test_when_something_holds(begins: datetime | None, ends: datetime | None, said: str) -> None:
    assert span(begins, ends, NOW) == said


def test_numbers_with_their_nouns() -> None:
    assert (count(0, "stop"), count(1, "stop"), count(2, "stop")) == (
        "0 stops",
        "1 stop",
        "2 stops",
    )
    assert [duration(minutes) for minutes in (0, 1, 59, 60, 61, 122)] == [
        "under a minute",
        "1 minute",
        "59 minutes",
        "1 hour",
        "1 hour 1 minute",
        "2 hours 2 minutes",
    ]


def test_names_in_a_row() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], most=1, last="or") == "a or 2 more"
