"""Answers kept for as long as they hold, bounded in number and size."""

from __future__ import annotations

import pytest

from groundwire.journeys.tfl.throttling import LONGEST, AnswerCache, Key, freshness


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 150),
        ({"cache-control": "public, must-revalidate, max-age=43200, s-maxage=86400"}, 43200),
        ({"cache-control": "public, max-age=43200, s-maxage=86400", "age": "12772"}, 30428),
        ({"cache-control": "s-maxage=60"}, 60),
        ({"cache-control": "Max-Age=30", "age": "45"}, 0),
        ({"cache-control": "max-age=30", "age": "-5"}, 30),
        ({"cache-control": "no-store, max-age=30"}, 0),
        ({"cache-control": "private, no-cache"}, 0),
        ({"cache-control": "max-age=0"}, 0),
        ({"cache-control": "public"}, 150),
        ({"cache-control": "max-age=never"}, 150),
        ({"cache-control": "max-age=999999999"}, LONGEST),
    ],
)
def test_how_long_an_answer_holds(headers: dict[str, str], seconds: float) -> None:
    assert freshness(headers, 150) == seconds


def key(name: str) -> Key:
    return (name, ())


def test_it_is_forgotten_when_it_no_longer_holds() -> None:
    now = [0.0]
    cache = AnswerCache(lambda: now[0])
    cache.put(key("a"), "body", 10)
    now[0] = 9.9
    assert cache.get(key("a")) == "body"
    now[0] = 10
    assert cache.get(key("a")) is None
    assert (len(cache), cache.size) == (0, 0)


def test_it_is_bounded_in_entries_and_the_used_stay() -> None:
    cache = AnswerCache(lambda: 0.0, most_entries=2)
    cache.put(key("a"), "1", 10)
    cache.put(key("b"), "2", 10)
    cache.get(key("a"))
    cache.put(key("c"), "3", 10)
    assert [cache.get(key(name)) for name in "abc"] == ["1", None, "3"]


def test_it_is_bounded_in_size() -> None:
    cache = AnswerCache(lambda: 0.0, most_bytes=100)
    cache.put(key("large"), "x" * 26, 10)
    assert len(cache) == 0
    for number in range(10):
        cache.put(key(str(number)), "x" * 25, 10)
    assert (len(cache), cache.size) == (4, 100)
    cache.put(key("9"), "y", 10)
    assert cache.size == 76


def test_what_does_not_hold_is_not_kept() -> None:
    cache = AnswerCache(lambda: 0.0)
    cache.put(key("a"), "1", 10)
    cache.put(key("a"), "2", 0)
    assert cache.get(key("a")) is None
