"""One question to TfL and its answer: kept, shared, paced, sent, judged.

Where the API is and what key goes there are both set by the administrator, both checked once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from urllib.parse import quote

from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    ForbiddenError,
    GroundwireError,
    InputError,
    LimitError,
    NotReachedError,
    UnavailableError,
)
from groundwire.journeys.tfl.outcomes import (
    TOO_MANY,
    TflUnreachableError,
    UnexpectedAnswerError,
    json_of,
    rate_limited,
    refuse,
    text_of,
    wait_asked,
)
from groundwire.journeys.tfl.throttling import AnswerCache, Key, Outages, Turns, freshness
from groundwire.safe_text import HIDDEN
from groundwire.transport.targets import RequestPolicy, parse_target

if TYPE_CHECKING:
    import anyio

    from groundwire.transport.messages import Response

TFL = "https://api.tfl.gov.uk"
MOST_BYTES = 8_388_608

_KEY = re.compile(r"[\x21-\x7e]{1,256}")
# A shorter key is hidden in texts but not in whole payloads, which would hold it by chance.
_LEAST_IN_PAYLOADS = 12


class SecretKey:
    """The key of the API, which hides itself; false where there is none."""

    def __init__(self, key: str) -> None:
        """Check a key, which may be empty.

        Raises:
            ConfigurationError: it holds characters that no key has.
        """
        if key and not _KEY.fullmatch(key):
            raise ConfigurationError(
                "TFL_APP_KEY holds spaces or characters that no key has: copy it anew."
            )
        # As it is, percent-encoded, and in any case: TfL lowers the paths that it echoes.
        forms = sorted({key, quote(key, safe="")}, key=len, reverse=True)
        self._value = key
        self._pattern = re.compile("|".join(map(re.escape, forms)), re.IGNORECASE)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return HIDDEN if self._value else "no key"

    def headers(self) -> dict[str, str]:
        """Return the headers of a request; source: `apiKeyHeader` of the saved OpenAPI."""
        return {"app_key": self._value} if self._value else {}

    def hide(self, text: str) -> str:
        """A text without the key."""
        return self._pattern.sub(HIDDEN, text) if self._value else text

    def hide_in_payload(self, text: str) -> str:
        """A payload without the key, unless the key is so short that it is found by chance."""
        return self.hide(text) if len(self._value) >= _LEAST_IN_PAYLOADS else text


def request_policy(base_url: str, deadline: float) -> RequestPolicy:
    """No redirects; an address of the administrator's may be private, TfL's own may not."""
    policy = RequestPolicy() if base_url == TFL else RequestPolicy.naming(base_url)
    return RequestPolicy(policy.addresses, deadline, MOST_BYTES, max_redirects=0)


def checked_base(base_url: str) -> str:
    """The address of the API without its last slash.

    Raises:
        ConfigurationError: it is none for an API, or what is sent there could be read on the way.
    """
    base_url = base_url.strip()
    try:
        target = parse_target(base_url)
    except GroundwireError as error:
        raise ConfigurationError(
            f"TFL_BASE_URL cannot be used: {error} Set it to the address of TfL's API, or to"
            " offline for the embedded network alone."
        ) from None
    if "?" in base_url or "#" in base_url:
        raise ConfigurationError("TFL_BASE_URL holds a query or fragment: leave it out.")
    if target.scheme == "http" and not _is_loopback(target.host):
        raise ConfigurationError(
            "TFL_BASE_URL is not encrypted, so places and key could be read on the way: use"
            " https, or an address of this machine."
        )
    return base_url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


_T = TypeVar("_T")


class SharedCalls(Generic[_T]):
    """Calls that are under way, by what they ask; used within one event loop."""

    def __init__(self) -> None:
        self._under_way: dict[Hashable, _Call[_T]] = {}

    async def join(self, key: Hashable, begin: Callable[[], Awaitable[_T]]) -> _T:
        """The outcome of the call for `key` that is under way, else of one that begins now.

        Where whoever began the call is cancelled, one of those who wait begins it again.
        """
        import anyio

        while (call := self._under_way.get(key)) is not None:
            await call.done.wait()
            if call.error is not None:
                raise call.error.with_traceback(None)
            if call.results:
                return call.results[0]
        call = self._under_way[key] = _Call[_T](anyio.Event())
        try:
            result = await begin()
        except Exception as error:
            call.error = error
            raise
        else:
            call.results.append(result)
            return result
        finally:
            del self._under_way[key]
            call.done.set()


class _Call(Generic[_T]):
    def __init__(self, done: anyio.Event) -> None:
        self.done = done
        self.results: list[_T] = []
        self.error: Exception | None = None


# The longest that a caller waits for a turn, or for TfL to be ready again, without being asked.
SHORT_WAIT = 5.0


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of answer.

    Attributes:
        seconds: how long it holds where its headers do not say.
        fits: whether a JSON value is one.
    """

    seconds: float
    fits: Callable[[Any], bool]


class Requests(Protocol):
    """A sender of requests: the guarded client."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Response:
        """See `groundwire.transport.client`."""
        ...


class Exchange:
    """Asks one address; used within one event loop."""

    def __init__(
        self,
        base_url: str,
        key: SecretKey,
        requests: Requests,
        *,
        turns: Turns,
        outages: Outages,
        cache: AnswerCache,
        sleep: Callable[[float], Awaitable[None]] | None,
        now: Callable[[], datetime],
    ) -> None:
        self._base = base_url
        self._key = key
        self._requests = requests
        self._turns = turns
        self._outages = outages
        self._cache = cache
        self._sleep = sleep
        self._now = now
        self._calls = SharedCalls[str]()

    async def ask(self, path: str, asked: Mapping[str, str], kind: Kind, subject: str) -> Any:
        """The JSON value of an answer, new for every caller; kept ones and shared calls first.

        Args:
            path: with encoded segments.
            asked: query parameters.
            kind: the kind of the answer.
            subject: what is asked about, for messages.

        Raises:
            GroundwireError: an outcome of `outcomes`.
        """
        key: Key = (path, tuple(sorted(asked.items())))
        body = self._cache.get(key)
        if body is None:
            body = await self._calls.join(key, lambda: self._fetch(key, kind, subject))
        return json.loads(body)

    async def _fetch(self, key: Key, kind: Kind, subject: str) -> str:
        response = await self._send(key, subject)
        refuse(response, subject, self._key.hide, keyed=bool(self._key), now=self._now())
        value = json_of(response, subject, self._key.hide_in_payload)
        if not kind.fits(value):
            raise UnexpectedAnswerError(
                f"TfL's answer about {subject} is of a shape that is not known: check that"
                " TFL_BASE_URL is the address of its API."
            )
        body = self._key.hide_in_payload(text_of(response))
        self._cache.put(key, body, freshness(response.headers, kind.seconds))
        return body

    async def _send(self, key: Key, subject: str) -> Response:
        """One request in its turn; another if TfL asks to wait a little."""
        response = await self._exchange(key, subject)
        if response.status not in TOO_MANY:
            return response
        seconds = wait_asked(response, self._now())
        # The guarded client has waited for a 429 that names a time within the deadline already.
        if response.status == 420 and seconds is not None and seconds <= SHORT_WAIT:
            await self._wait(seconds)
            response = await self._exchange(key, subject)
            seconds = wait_asked(response, self._now())
        if response.status in TOO_MANY and seconds is not None:
            await self._turns.hold(seconds)
        return response

    async def _exchange(self, key: Key, subject: str) -> Response:
        path, asked = key
        self._outages.check(path)
        turn = await self._turns.take(SHORT_WAIT)
        if turn.seconds > SHORT_WAIT:
            raise rate_limited(turn.seconds, keyed=bool(self._key))
        if turn.seconds:
            await self._wait(turn.seconds)
        headers = {"accept": "application/json", **self._key.headers()}
        try:
            response = await self._requests.request(
                "GET", self._base + path, headers=headers, params=dict(asked)
            )
        except DeadlineError:
            raise self._outages.too_late(path, subject) from None
        except NotReachedError as error:
            await self._turns.give_back(turn)
            raise self._outages.unreachable(self._key.hide(str(error))) from None
        except UnavailableError as error:
            raise TflUnreachableError(
                f"TfL cannot be reached: {self._key.hide(str(error))}"
            ) from None
        except (LimitError, ForbiddenError, InputError) as error:
            raise UnexpectedAnswerError(
                f"What answers for TfL cannot be used: {self._key.hide(str(error))} Check"
                " TFL_BASE_URL."
            ) from None
        self._outages.answered(path)
        return response

    async def _wait(self, seconds: float) -> None:
        if self._sleep is not None:
            await self._sleep(seconds)
            return
        import anyio

        await anyio.sleep(seconds)
