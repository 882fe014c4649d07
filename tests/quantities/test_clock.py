from __future__ import annotations

import pytest

from groundwire.quantities import find_clock_times


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("at 18:05", [(1085,)]),
        ("at 6:05", [(365, 1085)]),
        ("at 06:05", [(365,)]),
        ("at 6.05 pm", [(1085,)]),
        ("6pm", [(1080,)]),
        ("12 a.m. and 12 p.m.", [(0,), (720,)]),
        ("at 12:30", [(750, 30)]),
        ("24:00", [(0,)]),
        ("10:05:33", [(605, 1325)]),
        ("10:05-10:31", [(605, 1325), (631, 1351)]),
        ("上午8:30出发，晚上8:45到达", [(510,), (1245,)]),
        ("约9:15到达", [(555, 1275)]),
        ("(10:05–11:40)", [(605, 1325), (700, 1420)]),
    ],
)
def test_times_of_day_are_found(text: str, minutes: list[tuple[int, ...]]) -> None:
    assert [one.minutes for one in find_clock_times(text)] == minutes


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T10:05:00+00:00",
        "11.45",
        "25:00",
        "13 pm",
        "0 am",
        "10:60",
        "a scale of 1:1000",
        "1.10:30.5",
        "6 pmol",
        "v1:10",
        "24:30",
        "10,000",
    ],
)
def test_other_numbers_are_no_times(text: str) -> None:
    assert find_clock_times(text) == []


def test_spans_are_those_of_the_words() -> None:
    (found,) = find_clock_times("Leave at 6.05 p.m. sharp.")
    assert found.raw == "6.05 p.m."
    assert found.span == (9, 18)
