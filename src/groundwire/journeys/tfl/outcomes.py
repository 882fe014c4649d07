"""Outcomes of asking TfL other than an answer: each is a class of its own.

Whoever can plan without TfL does so on `NotNowError` alone: every other outcome is an answer, or
something that the caller can put right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    GroundwireError,
    InputError,
    LimitError,
    NotFoundError,
    UnavailableError,
)
from groundwire.journeys.tfl.fields import plain_text
from groundwire.safe_text import shown_text

if TYPE_CHECKING:
    from groundwire.transport.messages import Response

# The status that TfL's older gateway sends for "too many requests", beside 429 of RFC 6585.
TOO_MANY = frozenset({420, 429})
_SHOWN = 160
_NO_JOURNEY = re.compile(r"\bno journey", re.IGNORECASE)
# What the gateway writes where it sends no Retry-After: "Try again in 23 seconds."
_TRY_AGAIN_IN = re.compile(r"\bin (\d{1,5}) seconds?\b", re.IGNORECASE)


class NotNowError(GroundwireError):
    """TfL answers nothing now, whatever it is asked: it is down, or takes no more requests."""


class TflDownError(NotNowError, UnavailableError):
    """TfL cannot be asked now: no network, no answer in time, or its service fails."""


class TflUnreachableError(TflDownError):
    """No connection to TfL, or it broke off."""


class TflTimeoutError(TflDownError, DeadlineError):
    """TfL did not answer in time."""


class TflFailedError(TflDownError):
    """TfL answers that it failed (5xx)."""


class WebPageError(TflDownError):
    """A web page came in place of data: maintenance, or the sign-in page of a network."""


class BrokenAnswerError(UnavailableError):
    """The answer ends early or is not JSON."""


class UnexpectedAnswerError(UnavailableError):
    """The answer is whole, but not what this request is answered with."""


class RateLimitedError(NotNowError, LimitError):
    """TfL, or the limit that is kept so that TfL need not, refuses more requests now.

    Attributes:
        retry_after: seconds until a request may be sent again, or None where nobody says.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class KeyRefusedError(ConfigurationError):
    """TfL refuses the key, or asks for one."""


class BadRequestError(InputError):
    """TfL cannot read the request; the message holds its words."""


class NoJourneyError(NotFoundError):
    """TfL knows the places and finds no journey between them: an answer, not a failure."""


class PlaceNotFoundError(NotFoundError):
    """TfL knows no such place.

    Attributes:
        side: `origin`, `destination` or `via`, where it is known which; else empty.
    """

    def __init__(self, message: str, side: str = "") -> None:
        super().__init__(message)
        self.side = side


def refuse(
    response: Response, subject: str, hide: Callable[[str], str], *, keyed: bool, now: datetime
) -> None:
    """Raise the outcome of every status but 200 and 300.

    Args:
        response: TfL's answer.
        subject: what was asked about, as a sentence names it (`the stop 940GZZLUASL`).
        hide: takes the key out of a text.
        keyed: whether a key was sent.
        now: the moment to count a date in Retry-After from.
    """
    status = response.status
    if status in (200, 300):
        return
    said = _message(response, hide)
    if status in TOO_MANY:
        raise rate_limited(wait_asked(response, now), keyed=keyed)
    if status in (401, 403):
        raise KeyRefusedError(
            f"TfL refuses the key (HTTP {status}): check TFL_APP_KEY, or leave it out."
            if keyed
            else f"TfL refuses access without a key (HTTP {status}): set TFL_APP_KEY."
        )
    if status >= 500:
        raise TflFailedError(
            f"TfL's service fails (HTTP {status}){_told(said)}: try again in a minute."
        )
    if status == 404 and said:
        raise _not_found(said, subject)
    if status == 400:
        raise BadRequestError(
            f"TfL cannot use the request for {subject}{_told(said)}: correct it and ask again."
        )
    raise UnexpectedAnswerError(
        f"TfL answers {subject} with HTTP {status}{_told(said)}: check that TFL_BASE_URL is the"
        " address of its API."
    )


def rate_limited(seconds: float | None, *, keyed: bool) -> RateLimitedError:
    """The outcome of too many requests."""
    when = "in a minute" if seconds is None else f"in {max(1, round(seconds))} s"
    more = "" if keyed else ", or set TFL_APP_KEY for more requests a minute"
    return RateLimitedError(f"TfL takes no more requests now: try again {when}{more}.", seconds)


def wait_asked(response: Response, now: datetime) -> float | None:
    """Seconds that TfL asks to wait (RFC 9110 section 10.2.3, else its message), or None."""
    value = response.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    if value:
        try:
            when = parsedate_to_datetime(value)
        except (ValueError, TypeError, OverflowError):
            when = None
        if when is not None:
            when = when if when.tzinfo else when.replace(tzinfo=UTC)
            return max(0.0, (when - now).total_seconds())
    told = _TRY_AGAIN_IN.search(_message(response, str))
    return float(told[1]) if told else None


def json_of(response: Response, subject: str, hide: Callable[[str], str]) -> Any:
    """The JSON value of a whole answer.

    Raises:
        WebPageError: it is a web page.
        BrokenAnswerError: it ends early or is not JSON.
        UnexpectedAnswerError: it is larger than what is read.
    """
    if response.cut == "max_bytes":
        raise UnexpectedAnswerError(
            f"TfL's answer about {subject} is larger than {len(response.body):,} bytes: ask for"
            " less at once."
        )
    if _is_page(response):
        raise WebPageError(
            "A web page came in place of TfL's data: TfL is under maintenance, or this network"
            " wants a sign-in; try again later."
        )
    if not response.cut:
        try:
            return json.loads(hide(text_of(response)))
        except (ValueError, RecursionError):
            pass
    raise BrokenAnswerError(f"TfL's answer about {subject} broke off: ask again.")


def text_of(response: Response) -> str:
    """The body as text, without the mark that some put before UTF-8.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
    """
    return response.body.decode("utf-8-sig")


def _is_page(response: Response) -> bool:
    return response.content_type == "text/html" or response.body.lstrip()[:1] == b"<"


def _not_found(said: str, subject: str) -> NotFoundError:
    if _NO_JOURNEY.search(said):
        return NoJourneyError(
            f"TfL finds no journey for {subject}: try another time, other modes, or places"
            " nearer to London."
        )
    lines = subject.startswith("the line")
    other = "send a line by its name" if lines else "try another spelling, a station or a postcode"
    return PlaceNotFoundError(f"TfL does not know {subject}{_told(said)}: {other}.")


def _told(said: str) -> str:
    return f" ({said.rstrip('.: ')})" if said else ""


def _message(response: Response, hide: Callable[[str], str]) -> str:
    """Return TfL's words on an error, as one clean line; empty where it says nothing usable."""
    try:
        value: object = json.loads(text_of(response))
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    said = cast("dict[str, object]", value).get("message")
    return shown_text(hide(plain_text(said)), _SHOWN)
