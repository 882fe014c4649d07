"""No minute holds more requests than TfL takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.journeys.tfl.throttling import LONGEST_HOLD, WINDOW, Pace


def test_turns_are_free_until_the_minute_is_full() -> None:
    now = [0.0]
    pace = Pace(3, lambda: now[0])
    assert [pace.take().seconds for _ in range(3)] == [0, 0, 0]
    assert pace.wait() == 60
    now[0] = 20
    assert pace.take().seconds == 40
    # The next one is after the second of the first three, which was at 0 too.
    assert pace.take().seconds == 40
    now[0] = 130
    assert pace.take().seconds == 0


def test_a_hold_keeps_all_back_but_not_for_hours() -> None:
    now = [0.0]
    pace = Pace(3, lambda: now[0])
    pace.hold(7)
    pace.hold(2)
    assert pace.wait() == 7
    pace.hold(86_400)
    assert pace.wait() == LONGEST_HOLD


def test_a_request_that_never_came_to_tfl_leaves_its_turn_to_another() -> None:
    now = [0.0]
    pace = Pace(2, lambda: now[0])
    first = pace.take()
    now[0] = 10
    pace.take()
    assert pace.wait() == 50
    pace.give_back(first)
    assert pace.take().seconds == 0
    # The two that count are those of the tenth second.
    assert pace.wait() == 60


@given(st.integers(1, 5), st.lists(st.integers(0, 100), min_size=1, max_size=40))
def test_no_window_holds_more_than_the_limit(limit: int, gaps: list[int]) -> None:
    now = [0.0]
    pace = Pace(limit, lambda: now[0])
    sent: list[float] = []
    for gap in gaps:
        now[0] += gap
        sent.append(now[0] + pace.take().seconds)
    assert sent == sorted(sent)
    for first, later in zip(sent, sent[limit:], strict=False):
        assert later - first >= WINDOW
