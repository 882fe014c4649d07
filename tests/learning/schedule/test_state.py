"""FSRS-6 as py-fsrs computes it, and the probability of recall that it floors."""

from __future__ import annotations

import pytest
from fsrs import Card, Rating, Scheduler

from groundwire.errors import InputError
from groundwire.learning.schedule.state import Fsrs, Memory

HOUR = 3_600_000
DAY = 24 * HOUR


def test_a_first_good_review_is_due_after_ten_minutes() -> None:
    memory = Fsrs().step(None, 3, 1_000)
    assert (memory.phase, memory.step, memory.due_ms - 1_000) == ("learning", 1, 600_000)
    assert (memory.stability, memory.reviews, memory.lapses) == (2.3065, 1, 0)


def test_a_replay_is_its_steps() -> None:
    ours, memory = Fsrs(), None
    reviews = [(3, 0), (3, 600_000), (3, 3 * DAY), (1, 20 * DAY), (2, 20 * DAY + HOUR)]
    for rating, at in reviews:
        memory = ours.step(memory, rating, at)
    assert ours.replay(reviews) == memory
    assert memory is not None and (memory.lapses, memory.reviews) == (1, 5)


def test_without_reviews_there_is_no_memory() -> None:
    assert Fsrs().replay([]) is None


def test_the_first_day_counts_by_parts_and_later_days_whole() -> None:
    ours = Fsrs()
    memory = Memory("review", None, 2.0, 5.0, 2 * DAY, 0, 1, 0)
    hour, morning, whole, later = (
        ours.retrievability(memory, at) for at in (HOUR, 23 * HOUR, DAY, DAY + 23 * HOUR)
    )
    assert 1 > hour > morning > whole == later
    theirs = Scheduler().get_card_retrievability(
        Card(1, stability=2.0, difficulty=5.0, last_review=_moment(0)), _moment(DAY + 23 * HOUR)
    )
    assert later == theirs
    assert ours.retrievability(memory, -5) == 1.0


def _moment(at_ms: int):
    import datetime as dt

    return dt.datetime.fromtimestamp(at_ms / 1000, tz=dt.UTC)


def test_other_parameters_are_used_and_bad_ones_refused() -> None:
    fast = list(Fsrs().parameters)
    fast[2] = 5.0
    assert Fsrs(fast).step(None, 3, 0).stability == 5.0
    for wrong in (fast[:-1], [*fast[:-1], 99.0], [float("nan")] * 21):
        with pytest.raises(InputError):
            Fsrs(wrong)


def test_ratings_are_those_of_py_fsrs() -> None:
    scheduler = Scheduler(enable_fuzzing=False)
    for rating in (1, 2, 3, 4):
        card, _ = scheduler.review_card(Card(1), Rating(rating), _moment(0))
        assert Fsrs().step(None, rating, 0).difficulty == card.difficulty
