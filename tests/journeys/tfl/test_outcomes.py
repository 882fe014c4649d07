"""Every outcome of its own type, with one line that says what to do."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    GroundwireError,
    InputError,
    LimitError,
    NotFoundError,
    UnavailableError,
)
from groundwire.journeys.tfl import outcomes
from groundwire.journeys.tfl.client import TflClient
from groundwire.transport.messages import Response

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
KEY = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("name", "kind", "base", "words"),
    [
        ("400", outcomes.BadRequestError, InputError, "The date 20261399 is not valid"),
        ("401", outcomes.KeyRefusedError, ConfigurationError, "TFL_APP_KEY"),
        ("403", outcomes.KeyRefusedError, ConfigurationError, "TFL_APP_KEY"),
        ("404", outcomes.NoJourneyError, NotFoundError, "another time"),
        ("404-place", outcomes.PlaceNotFoundError, NotFoundError, "another spelling"),
        ("420", outcomes.RateLimitedError, LimitError, "in a minute"),
        ("429", outcomes.RateLimitedError, LimitError, "in a minute"),
        ("429-long", outcomes.RateLimitedError, LimitError, "in 3600 s"),
        ("500", outcomes.TflFailedError, UnavailableError, "HTTP 500"),
        ("503", outcomes.TflFailedError, UnavailableError, "HTTP 503"),
        ("html", outcomes.WebPageError, UnavailableError, "maintenance"),
        ("truncated", outcomes.BrokenAnswerError, UnavailableError, "ask again"),
        ("breaks-off", outcomes.BrokenAnswerError, UnavailableError, "ask again"),
        ("shape", outcomes.UnexpectedAnswerError, UnavailableError, "TFL_BASE_URL"),
        ("slow", outcomes.TflTimeoutError, DeadlineError, "in time"),
        ("key", outcomes.BadRequestError, InputError, "app_key=***"),
        ("redirect", outcomes.UnexpectedAnswerError, UnavailableError, "TFL_BASE_URL"),
    ],
)
def test_every_outcome_is_typed(replay, name: str, kind: type, base: type, words: str) -> None:
    async def ask() -> None:
        client = TflClient(replay.url, KEY, deadline=0.5 if name == "slow" else 20)
        try:
            await client.journey(f"synthetic-{name}", "1000254", "", {})
        finally:
            await client.aclose()

    with pytest.raises(GroundwireError) as raised:
        asyncio.run(ask())
    told = str(raised.value)
    assert type(raised.value) is kind
    assert isinstance(raised.value, base)
    assert words in told
    assert "\n" not in told
    assert "<" not in told
    assert KEY not in told
    assert told.endswith(".")


def test_only_what_tfl_does_not_answer_now_may_be_planned_without_it() -> None:
    not_now = {
        outcomes.RateLimitedError,
        outcomes.TflDownError,
        outcomes.TflFailedError,
        outcomes.TflTimeoutError,
        outcomes.TflUnreachableError,
        outcomes.WebPageError,
    }
    kinds = {
        kind
        for kind in vars(outcomes).values()
        if isinstance(kind, type)
        and issubclass(kind, GroundwireError)
        and kind.__module__.endswith("outcomes")
    }
    found = {kind for kind in kinds if issubclass(kind, outcomes.NotNowError)}
    assert found - {outcomes.NotNowError} == not_now


def answer(status: int, body: bytes = b"", **headers: str) -> Response:
    return Response(
        status, {name.replace("_", "-"): value for name, value in headers.items()}, body, "", 0.0
    )


@pytest.mark.parametrize(
    ("response", "seconds"),
    [
        (answer(429, retry_after="17"), 17),
        (answer(420, retry_after=" 3 "), 3),
        (answer(429, retry_after="Sat, 21 Nov 2026 12:00:40 GMT"), 40),
        (answer(429, retry_after="Sat, 21 Nov 2026 11:00:00 GMT"), 0),
        (answer(429, retry_after="soon"), None),
        (answer(429, b'{"message": "Rate limit is exceeded. Try again in 23 seconds."}'), 23),
        (answer(429, b"not JSON"), None),
        (answer(429), None),
    ],
)
def test_how_long_tfl_asks_to_wait(response: Response, seconds: float | None) -> None:
    assert outcomes.wait_asked(response, NOW) == seconds


def test_without_a_key_the_way_to_more_requests_is_told() -> None:
    assert "TFL_APP_KEY" in str(outcomes.rate_limited(7, keyed=False))
    assert "TFL_APP_KEY" not in str(outcomes.rate_limited(7, keyed=True))
    refused = answer(401)
    with pytest.raises(outcomes.KeyRefusedError, match="without a key"):
        outcomes.refuse(refused, "it", str, keyed=False, now=NOW)


def test_a_404_that_is_not_tfls_is_no_answer() -> None:
    page = answer(404, b"<html>no such page</html>")
    with pytest.raises(outcomes.UnexpectedAnswerError, match="TFL_BASE_URL"):
        outcomes.refuse(page, "it", str, keyed=False, now=NOW)
    with pytest.raises(outcomes.UnexpectedAnswerError, match="HTTP 418"):
        outcomes.refuse(answer(418), "it", str, keyed=False, now=NOW)


def test_a_message_is_cut_and_cleaned() -> None:
    long = b'{"message": "<p>bad</p>\\u0007 ' + b"word " * 200 + b'"}'
    with pytest.raises(outcomes.BadRequestError) as raised:
        outcomes.refuse(answer(400, long), "it", str, keyed=False, now=NOW)
    assert len(str(raised.value)) < 300
    assert str(raised.value).isprintable()


def test_an_answer_that_is_too_large_is_told() -> None:
    cut = Response(200, {}, b"[" * 10, "", 0.0, "max_bytes")
    with pytest.raises(outcomes.UnexpectedAnswerError, match="larger"):
        outcomes.json_of(cut, "it", str)


def test_a_mark_before_the_text_does_no_harm() -> None:
    assert outcomes.json_of(answer(200, b"\xef\xbb\xbf[1]"), "it", str) == [1]
    with pytest.raises(outcomes.BrokenAnswerError):
        outcomes.json_of(answer(200, b'"\xff"'), "it", str)


def test_json_nested_beyond_reading_is_broken() -> None:
    with pytest.raises(outcomes.BrokenAnswerError):
        outcomes.json_of(answer(200, b"[" * 200_000), "it", str)
