"""The three states of a circuit, on a clock of the test's own."""

from __future__ import annotations

import pytest

from groundwire.errors import ForbiddenError, UnavailableError
from groundwire.transport.client import (
    FAILURES_TO_OPEN,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MAX_ORIGINS,
    CircuitBreaker,
)

ORIGIN = ("https", "kg.example:443")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def fail(breaker: CircuitBreaker, error: Exception | None = None) -> None:
    error = error or UnavailableError("down")
    with pytest.raises(type(error)), breaker.attempt(ORIGIN):
        raise error


def opened() -> tuple[CircuitBreaker, Clock]:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    for _ in range(FAILURES_TO_OPEN):
        fail(breaker)
    return breaker, clock


def refused(breaker: CircuitBreaker) -> bool:
    try:
        with breaker.attempt(ORIGIN):
            return False
    except UnavailableError as error:
        assert "left alone" in str(error)
        return True


def test_open_after_some_failures_in_a_row() -> None:
    clock = Clock()
    breaker = CircuitBreaker(clock)
    for _ in range(FAILURES_TO_OPEN - 1):
        fail(breaker)
    assert not refused(breaker)  # and this success starts the count again
    for _ in range(FAILURES_TO_OPEN):
        fail(breaker)
    assert refused(breaker)


def test_other_origins_and_other_errors_do_not_count() -> None:
    breaker, _ = opened()
    with breaker.attempt(("https", "other.example:443")):
        pass
    fresh = CircuitBreaker(Clock())
    for _ in range(10):
        fail(fresh, ForbiddenError("no"))
    assert not refused(fresh)


def test_one_probe_after_the_pause() -> None:
    breaker, clock = opened()
    clock.now += FIRST_PAUSE + 0.1
    with breaker.attempt(ORIGIN):
        assert refused(breaker)  # while the probe is on its way
    assert not refused(breaker)


def test_a_failed_probe_doubles_the_pause_up_to_a_bound() -> None:
    breaker, clock = opened()
    pause = FIRST_PAUSE
    for _ in range(12):
        clock.now += pause - 0.1
        assert refused(breaker)
        clock.now += 0.2
        fail(breaker)
        pause = min(pause * 2, LONGEST_PAUSE)
    clock.now += LONGEST_PAUSE + 0.1
    assert not refused(breaker)
    for _ in range(FAILURES_TO_OPEN):
        fail(breaker)
    clock.now += FIRST_PAUSE + 0.1  # a success made the pause short again
    assert not refused(breaker)


def test_a_probe_that_was_given_up_does_not_block() -> None:
    breaker, clock = opened()
    clock.now += FIRST_PAUSE + 0.1
    with pytest.raises(KeyboardInterrupt), breaker.attempt(ORIGIN):
        raise KeyboardInterrupt
    assert not refused(breaker)


def test_origins_are_forgotten_in_the_end() -> None:
    breaker, _ = opened()
    for n in range(MAX_ORIGINS):
        with breaker.attempt(("https", f"h{n}.example:443")):
            pass
    assert not refused(breaker)
