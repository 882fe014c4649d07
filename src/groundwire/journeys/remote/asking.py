"""Questions to a journey planner over HTTP, each with an outcome that has a type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

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
    BadRequestError,
    BrokenAnswerError,
    KeyRefusedError,
    RateLimitedError,
    TflFailedError,
    TflTimeoutError,
    TflUnreachableError,
    UnexpectedAnswerError,
    WebPageError,
)
from groundwire.safe_text import shown_text
from groundwire.transport.client import GuardedClient
from groundwire.transport.targets import RequestPolicy, parse_target

if TYPE_CHECKING:
    from groundwire.transport.messages import Response

DEADLINE = 12.0
"""Seconds for one answer: hosts give up soon."""
MOST_BYTES = 8_388_608
_SHOWN = 160
_LOOPBACK = ("localhost", "127.0.0.1", "::1", "[::1]")


class MissingPathError(UnexpectedAnswerError):
    """The planner has no such path (404 without data): another version of its API may have it."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks one planner; used within one event loop.

    Attributes:
        base: its address, without its last slash.
        host: what messages call it.
        guarded: the guarded client.
    """

    base: str
    host: str
    guarded: GuardedClient

    @classmethod
    def to(cls, url: str) -> Asker:
        """An asker of the planner at an address.

        Raises:
            ConfigurationError: the address cannot be used.
        """
        try:
            target = parse_target(url)
        except GroundwireError as error:
            raise ConfigurationError(f"GROUNDWIRE_JOURNEYS cannot be used: {error}") from None
        if "?" in url or "#" in url:
            raise ConfigurationError(
                "GROUNDWIRE_JOURNEYS holds a query or fragment: set it to the planner's address."
            )
        if target.scheme == "http" and target.host not in _LOOPBACK:
            raise ConfigurationError(
                "GROUNDWIRE_JOURNEYS is not encrypted, so places could be read on the way: use "
                "https, or an address of this machine."
            )
        named = RequestPolicy.naming(url)
        policy = RequestPolicy(named.addresses, DEADLINE, MOST_BYTES, max_redirects=0)
        return cls(url.rstrip("/"), target.host, GuardedClient(policy))

    async def get(self, path: str, params: Mapping[str, str]) -> Any:
        """The JSON value that a path answers.

        Raises:
            GroundwireError: an outcome of `journeys.tfl.outcomes`.
        """
        return self._value(await self._sent("GET", path, params=params))

    async def post(self, path: str, tree: Mapping[str, Any]) -> Any:
        """The JSON value that a path answers to a JSON value.

        Raises:
            GroundwireError: an outcome of `journeys.tfl.outcomes`.
        """
        return self._value(await self._sent("POST", path, content=json.dumps(tree).encode()))

    async def _sent(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Response:
        headers = {"accept": "application/json"}
        if content is not None:
            headers["content-type"] = "application/json"
        try:
            return await self.guarded.request(
                method, self.base + path, headers=headers, params=params, content=content
            )
        except DeadlineError:
            raise TflTimeoutError(
                f"The journey planner at {self.host} did not answer in time: ask again later."
            ) from None
        except (NotReachedError, UnavailableError) as error:
            raise TflUnreachableError(
                f"The journey planner at {self.host} cannot be reached: {error}"
            ) from None
        except (LimitError, ForbiddenError, InputError) as error:
            raise UnexpectedAnswerError(
                f"What answers at {self.host} cannot be used: {error} Check GROUNDWIRE_JOURNEYS."
            ) from None

    def _value(self, response: Response) -> Any:
        status, who = response.status, f"The journey planner at {self.host}"
        page = response.content_type == "text/html" or response.body.lstrip()[:1] == b"<"
        if status == 429:
            raise RateLimitedError(f"{who} takes no more requests now: try again in a minute.")
        if status in (401, 403):
            raise KeyRefusedError(f"{who} refuses access (HTTP {status}): it wants a key.")
        if status >= 500:
            raise TflFailedError(f"{who} fails (HTTP {status}): try again in a minute.")
        if status == 404:
            raise MissingPathError(
                f"{who} has no API at this address (HTTP 404): check GROUNDWIRE_JOURNEYS."
            )
        if page:
            raise WebPageError(
                f"A web page came in place of data from {self.host}: check that "
                "GROUNDWIRE_JOURNEYS is the address of a planner's API."
            )
        if response.cut == "max_bytes":
            raise UnexpectedAnswerError(f"{who} answers more than {MOST_BYTES:,} bytes.")
        value: Any = None
        if not response.cut:
            try:
                value = json.loads(response.body.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                value = None
        if not isinstance(value, (dict, list)):
            raise BrokenAnswerError(f"The answer of {self.host} broke off: ask again.")
        if status >= 400:
            said = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
            told = shown_text(str(said.get("error") or said.get("message") or ""), _SHOWN)
            raise BadRequestError(f"{who} cannot use the request{f' ({told})' if told else ''}.")
        return cast("Any", value)
