"""The HTTP client that every outgoing request of Groundwire goes through.

What it guards: the address (`addresses`, `pinned`), the request (`targets`, `messages`), the
size of the answer (`decoding`), the time of the whole call, and servers that are down
(`CircuitBreaker`). It keeps no cookies, reads no proxy from the environment and logs nothing.

Keeping a dead server cheap: after some failures it is not asked for a while. Three states for every
origin: closed (asked as usual), open (refused at once), half-open (one request goes through as a
probe; its outcome closes or opens again, for twice as long).
"""

from __future__ import annotations

import ssl
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from groundwire.errors import (
    DeadlineError,
    ForbiddenError,
    LimitError,
    NotReachedError,
    UnavailableError,
)
from groundwire.transport.messages import (
    Auth,
    BodyReader,
    Cut,
    Outgoing,
    Response,
    digest_answer,
    prepare,
)
from groundwire.transport.targets import RequestPolicy, Target

if TYPE_CHECKING:
    import httpx2

    from groundwire.transport.pinned import PinnedTransport


FAILURES_TO_OPEN = 3
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 300.0
# Origins remembered at once; the one not asked for longest is forgotten first.
MAX_ORIGINS = 1024

Origin = tuple[str, str]


@dataclass(slots=True)
class _State:
    failures: int = 0
    pause: float = FIRST_PAUSE
    open_until: float = 0.0
    probing: bool = False


class CircuitBreaker:
    """Failures by origin, and who may be asked now. Times are seconds of `clock`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: OrderedDict[Origin, _State] = OrderedDict()

    @contextmanager
    def attempt(self, origin: Origin) -> Generator[None]:
        """Around one exchange: `UnavailableError` inside counts as a failure of the server.

        Raises:
            NotReachedError: the origin failed repeatedly and its pause is not over.
        """
        state = self._states.setdefault(origin, _State())
        self._states.move_to_end(origin)
        while len(self._states) > MAX_ORIGINS:
            self._states.popitem(last=False)
        probe = self._enter(origin, state)
        try:
            yield
        except UnavailableError:
            self._failed(state, probe)
            raise
        else:
            state.failures, state.pause = 0, FIRST_PAUSE
        finally:
            if probe:
                state.probing = False

    def _enter(self, origin: Origin, state: _State) -> bool:
        if state.failures < FAILURES_TO_OPEN:
            return False
        wait = state.open_until - self._clock()
        if wait > 0 or state.probing:
            raise NotReachedError(
                f"{origin[1]} failed {state.failures} times in a row and is left alone for"
                f" {max(wait, 1):.0f} s more: try again then, or check that it is running."
            )
        state.probing = True
        return True

    def _failed(self, state: _State, probe: bool) -> None:
        state.failures += 1
        if probe:
            state.pause = min(state.pause * 2, LONGEST_PAUSE)
        if state.failures >= FAILURES_TO_OPEN:
            state.open_until = self._clock() + state.pause


USER_AGENT = "groundwire"

_ASKS_TO_WAIT = frozenset({429, 503})


class GuardedClient:
    """Sends requests under one policy; used within one event loop.

    Requests whose URL a model may choose and requests to configured endpoints belong to two
    clients: the first with a policy that names no endpoint.
    """

    def __init__(
        self, policy: RequestPolicy | None = None, *, ssl_context: ssl.SSLContext | None = None
    ) -> None:
        """Prepare a client; nothing is imported or opened before the first request.

        Args:
            policy: addresses and limits; by default public addresses only.
            ssl_context: certificates to trust instead of the system's (a private authority).
        """
        self._policy = policy or RequestPolicy()
        self._ssl_context = ssl_context
        self._breaker = CircuitBreaker()
        self._transports: dict[str, PinnedTransport] = {}

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        content: bytes | None = None,
        data: Mapping[str, str] | None = None,
        auth: Auth | None = None,
        deadline: float | None = None,
        max_bytes: int | None = None,
    ) -> Response:
        """Send one request and read its answer.

        Args:
            method: GET, HEAD or POST.
            url: an absolute http(s) URL.
            headers: headers to send; those of framing and cookies are refused.
            params: query parameters, added to those of the URL.
            content: the body of a POST.
            data: form fields as the body of a POST.
            auth: user name and password, or a bearer token; for the origin of `url` only.
            deadline: seconds for the whole call; the policy's by default.
            max_bytes: the most bytes of the body to keep; the policy's by default.

        Returns:
            The answer whatever its status; `Response.cut` says whether its body is whole.

        Raises:
            InputError: the request cannot be sent like this.
            ForbiddenError: the policy forbids the address, a redirect or a header.
            DeadlineError: the answer was not there in time.
            LimitError: the answer's header is too large.
            NotReachedError: the server cannot be reached, or was left alone after repeated
                failures; nothing was sent.
            UnavailableError: the server breaks off.
        """
        import anyio

        outgoing = prepare(
            method, url, headers=headers, params=params, content=content, data=data, auth=auth
        )
        self._refuse_bare_credentials(outgoing)
        seconds = self._policy.deadline if deadline is None else deadline
        limit = self._policy.max_bytes if max_bytes is None else max_bytes
        started = time.monotonic()
        with self._breaker.attempt(outgoing.target.origin):
            try:
                with anyio.fail_after(seconds):
                    response = await self._patiently(outgoing, limit, started + seconds)
            except TimeoutError:
                raise DeadlineError(
                    f"{outgoing.target.authority} did not answer within {seconds:g} s:"
                    " ask for less, or allow more time."
                ) from None
        return replace(response, elapsed_ms=(time.monotonic() - started) * 1000)

    async def aclose(self) -> None:
        """Close every connection."""
        while self._transports:
            await self._transports.popitem()[1].aclose()

    async def _patiently(self, outgoing: Outgoing, limit: int, end: float) -> Response:
        """Follow redirects, and wait once if the server says how long and there is time."""
        import anyio

        response = await self._follow(outgoing, limit)
        wait = _retry_after(response)
        if wait is None or time.monotonic() + wait >= end:
            return response
        await anyio.sleep(wait)
        return await self._follow(outgoing, limit)

    async def _follow(self, outgoing: Outgoing, limit: int) -> Response:
        first = outgoing.target
        for _ in range(self._policy.max_redirects + 1):
            response = await self._exchange(outgoing, limit)
            proved = digest_answer(outgoing, response)
            if proved is not None:
                response = await self._exchange(proved, limit)
            if response.redirect is None:
                return response
            outgoing = outgoing.redirected(response.status, response.redirect)
            if (
                outgoing.target.authority != first.authority
                and outgoing.target.authority in self._policy.addresses.named
            ):
                # Being named is a trust between the administrator and one endpoint; a stranger
                # may not lead there.
                raise ForbiddenError(
                    f"{first.authority} redirects to {outgoing.target.authority}, an endpoint of"
                    " the configuration, which is not followed: ask that endpoint itself."
                )
        raise LimitError(
            f"{first.authority} redirects more than {self._policy.max_redirects} times:"
            " use the address it leads to."
        )

    async def _exchange(self, outgoing: Outgoing, limit: int) -> Response:
        """One request on the wire and its answer."""
        import httpx2

        request = httpx2.Request(
            outgoing.method,
            outgoing.target.url,
            headers={"user-agent": USER_AGENT, **outgoing.headers, "accept-encoding": "gzip"},
            content=outgoing.content,
        )
        try:
            answer = await self._transport(outgoing.target.scheme).handle_async_request(request)
        except httpx2.TransportError as error:
            raise _failure(outgoing.target, error) from None
        try:
            body, cut = await _read(answer, limit, head=outgoing.method == "HEAD")
        finally:
            await answer.aclose()
        return Response(
            status=answer.status_code,
            headers={name: value for name, value in answer.headers.items() if name != "set-cookie"},
            body=body,
            url=outgoing.target.shown,
            elapsed_ms=0.0,
            cut=cut,
        )

    def _transport(self, scheme: str) -> PinnedTransport:
        if scheme not in self._transports:
            import httpx2

            from groundwire.transport.pinned import PinnedTransport

            context = self._ssl_context
            if context is None and scheme == "https":
                context = httpx2.create_ssl_context(trust_env=False)
            # Plain connections do without the costly certificate store; a context that trusts
            # nobody is what stands in for it.
            context = context or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self._transports[scheme] = PinnedTransport(self._policy.addresses, context)
        return self._transports[scheme]

    def _refuse_bare_credentials(self, outgoing: Outgoing) -> None:
        target = outgoing.target
        if (
            outgoing.has_credentials
            and target.scheme == "http"
            and target.authority not in self._policy.addresses.named
        ):
            raise ForbiddenError(
                f"Credentials for {target.authority} would travel unencrypted: use https, or name"
                " the endpoint in the configuration."
            )


async def _read(answer: httpx2.Response, limit: int, *, head: bool) -> tuple[bytes, Cut]:
    import httpx2

    reader = BodyReader("" if head else answer.headers.get("content-encoding", ""), limit)
    try:
        async for chunk in answer.aiter_raw():
            if not reader.feed(chunk):
                return reader.body(), "max_bytes"
    except httpx2.TransportError:
        return reader.body(), "connection"
    return reader.body(), reader.finish()


def _failure(target: Target, error: httpx2.TransportError) -> UnavailableError | LimitError:
    """The error of ours for one of the transport's; its text may hold secrets and is not kept."""
    import httpx2

    # The parser's own error is the argument of the error that this one was raised from.
    reasons = error.__cause__.args if error.__cause__ else ()
    if any(getattr(reason, "error_status_hint", None) == 431 for reason in reasons):
        return LimitError(
            f"{target.authority} sent a header of more than 100 kB: it is no usable endpoint."
        )
    if isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout)):
        if "certificate" in str(error).lower():
            return NotReachedError(
                f"{target.authority} shows a certificate that is not valid for that name:"
                " correct the address, or have its certificate renewed."
            )
        return NotReachedError(
            f"{target.authority} cannot be reached: check that it is running and its address."
        )
    return UnavailableError(
        f"{target.authority} broke off or does not speak HTTP: check the address, or try again."
    )


def _retry_after(response: Response) -> float | None:
    """Seconds that a server asks to wait (RFC 9110 section 10.2.3), or None."""
    value = response.headers.get("retry-after", "").strip()
    if response.status not in _ASKS_TO_WAIT or not value:
        return None
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
