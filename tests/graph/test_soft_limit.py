"""Soft limits in a worker: the query or the clock answers, and one thread watches for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from groundwire.graph import worker
from groundwire.graph.worker import Answer, Reply, Watch

FAR = 60.0


class Sent:
    """What an answer sent, to be waited for."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self._first = threading.Event()

    def __call__(self, reply: Reply) -> None:
        self.replies.append(reply)
        self._first.set()

    def wait(self) -> Reply:
        assert self._first.wait(FAR), "nothing was sent"
        return self.replies[0]


def answer_of(sent: Sent) -> Answer:
    answer = Answer(sent)
    answer.partial = lambda: ("partial",)
    return answer


@pytest.fixture
def watch() -> Iterator[Watch]:
    before = threading.active_count()
    yield Watch()
    assert threading.active_count() <= before + 1, "one thread watches for every query"


def test_a_query_that_ends_in_time_answers(watch: Watch) -> None:
    sent = Sent()
    answer = answer_of(sent)
    watch.start(answer, 0.5)
    watch.stop()
    answer.finish(("whole",))
    time.sleep(0.6)
    assert sent.replies == [("whole", False)]
    assert not answer.expired


def test_the_clock_answers_for_a_query_that_is_stuck(watch: Watch) -> None:
    sent = Sent()
    answer = answer_of(sent)
    watch.start(answer, 0.01)
    assert sent.wait() == ("partial", True)
    assert answer.expired
    watch.stop()
    answer.finish(("whole",))
    assert sent.replies == [("partial", True)]


def test_a_query_that_notices_answers_itself(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_GRACE", 1.0)
    sent = Sent()
    answer = answer_of(sent)
    watch.start(answer, 0.01)
    while not answer.expired:
        time.sleep(0.001)
    answer.finish(("cut",))
    time.sleep(1.2)
    assert sent.replies == [("cut", False)]


def test_nothing_is_said_where_nothing_can_be(watch: Watch) -> None:
    sent = Sent()
    answer = Answer(sent)
    watch.start(answer, 0.0)
    while not answer.expired:
        time.sleep(0.001)
    time.sleep(0.1)
    assert sent.replies == []


def test_a_shorter_limit_wakes_the_watch_that_sleeps_through_a_longer_one(watch: Watch) -> None:
    first, second = Sent(), Sent()
    watch.start(answer_of(first), FAR)
    time.sleep(0.01)
    watch.stop()
    watch.start(answer_of(second), 0.01)
    assert second.wait() == ("partial", True)
    assert first.replies == []


def test_a_limit_after_one_that_passed_or_was_not_reached_holds_too(watch: Watch) -> None:
    for seconds in (0.01, 0.0, 0.02):
        stopped, sent = Sent(), Sent()
        watch.start(answer_of(stopped), 0.3)
        watch.stop()
        time.sleep(0.4)
        watch.start(answer_of(sent), seconds)
        assert sent.wait() == ("partial", True)
        assert stopped.replies == []


def test_the_limit_is_not_that_of_the_query_before(watch: Watch) -> None:
    sent = Sent()
    watch.start(answer_of(Sent()), 0.03)
    watch.stop()
    answer = answer_of(sent)
    watch.start(answer, FAR)
    time.sleep(0.08)
    assert not answer.expired
    watch.stop()
    answer.finish(("whole",))
    assert sent.replies == [("whole", False)]
