"""A graph behind a SPARQL endpoint, asked through the guarded client."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from groundwire.errors import (
    DeadlineError,
    ForbiddenError,
    GroundwireError,
    InputError,
    NotReachedError,
    UnavailableError,
)
from groundwire.graph.dialects import (
    Dialect,
    Reply,
    adapted,
    is_plain,
    proven_within,
    raise_for_refusal,
    recognised,
    server_seconds,
    server_timeout,
)
from groundwire.graph.engine import Triple, Triples
from groundwire.graph.queries import CompiledQuery, Query, most_rows, rewritten
from groundwire.graph.remote_exchange import (
    ACCEPT_TRIPLES,
    Observer,
    exchange_of,
    read_triples,
    secrets_of,
    without,
)
from groundwire.graph.results import (
    ACCEPT,
    Table,
    WireForm,
    build_request,
    dataset_parameters,
    read_boolean,
    read_table,
)
from groundwire.graph.terms import Count, Rows, Term
from groundwire.safe_text import shown_url
from groundwire.transport.client import GuardedClient
from groundwire.transport.messages import Auth, Response
from groundwire.transport.targets import RequestPolicy, parse_target

_COUNT_VARIABLE = "groundwire_count"

# SPARQL 1.1 grammar, rules [4] to [6], [139], [140] and [162]; comments as in section 19.4.
_SPACE = r"(?:\s|\#[^\n\r]*(?:[\n\r]|\Z))"
_IRIREF = r"<[^<>\"{}|^`\\\x00-\x20]*>"
_DECLARATION = re.compile(
    rf"{_SPACE}*(?:BASE{_SPACE}*{_IRIREF}|PREFIX{_SPACE}+[^\s:<\#]*:{_SPACE}*{_IRIREF})",
    re.IGNORECASE,
)
_SELECT = re.compile(rf"{_SPACE}*SELECT\b", re.IGNORECASE)

# Seconds for `ASK {}` at an endpoint that has just failed.
PROBE_SECONDS = 2.0
# How far is counted at first, how many times further after that, and the least seconds that the
# first count is given.
COUNTED_AT_LEAST = 1000
COUNTED_FURTHER = 10
LEAST_SECONDS = 0.4
# Seconds that are left of the caller's own time limit once an answer is here.
KEPT_SECONDS = 0.25
# Larger answers are read in a thread, so that other calls go on.
READ_IN_THREAD = 200_000

_PROBE = CompiledQuery("ASK {}")
_Read = TypeVar("_Read")


class RemoteGraph:
    """One SPARQL endpoint; see `groundwire.graph.queries.Graph`.

    Answers are honest about their wholeness: what the server calls partial, or cut at its own
    row limit, comes back as not complete; what broke off, or cannot be read as a SPARQL result,
    is an error. After a failure the endpoint is first asked `ASK {}`, so that one that is down
    costs a short wait instead of a long one.
    """

    def __init__(
        self,
        url: str,
        client: GuardedClient,
        *,
        dialect: Dialect = "generic",
        credentials: Auth | None = None,
        max_bytes: int = 5_242_880,
    ) -> None:
        """Describe the endpoint; nothing is sent.

        Args:
            url: the endpoint's URL, from a configuration.
            client: what sends; its policy has to name the endpoint if its address is private.
                It is not closed with the graph.
            dialect: the kind of server.
            credentials: user name and password, or a bearer token.
            max_bytes: the largest answer that is read.

        Raises:
            InputError: the URL cannot be read.
            ForbiddenError: the URL is not http(s), or holds a user name.
        """
        self._authority = parse_target(url).authority
        self._url = url
        self._client = client
        self._dialect: Dialect = dialect
        self._credentials = credentials
        self._secrets = secrets_of(url, credentials)
        self._max_bytes = max_bytes
        self._doubtful = False
        self._met = dialect != "generic"
        self._described = dialect != "generic"
        self._counts = True
        self._pace = 0.0
        self._owned: GuardedClient | None = None

    @classmethod
    def configured(cls, url: str, *, dialect: Dialect = "generic") -> RemoteGraph:
        """The endpoint that a configuration names, with a client of its own.

        That client may reach the endpoint at a loopback or private address, so the URL must
        never be one that a model or a file chose. Arguments and errors as for the constructor.
        """
        client = GuardedClient(RequestPolicy.naming(url))
        graph = cls(url, client, dialect=dialect)
        graph._owned = client
        return graph

    @classmethod
    def owning(cls, graph: RemoteGraph, client: GuardedClient) -> RemoteGraph:
        """`graph`, with which its client is closed too."""
        graph._owned = client
        return graph

    @property
    def url(self) -> str:
        """The endpoint's URL without secrets."""
        return shown_url(self._url)

    @property
    def pace(self) -> float:
        """Seconds that the quickest answers of late took; 0 before the first one."""
        return self._pace

    async def select(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        max_rows: int | None = None,
        soft_timeout: float | None = None,
        observer: Observer | None = None,
    ) -> Rows:
        """The solutions of a SELECT query, at most `max_rows` of them.

        Args:
            query: a SELECT.
            timeout: seconds for the whole exchange, a probe before it included.
            max_rows: most rows to return; `complete` says whether there were more.
            soft_timeout: seconds after which the server is asked for what it has. Only
                Virtuoso can answer that; others go on until `timeout`.
            observer: is told what was sent and what came back, also where this raises.

        Raises:
            InputError, ForbiddenError, LimitError, UnavailableError, DeadlineError: as in the
                protocol; `dialects.raise_for_refusal` says which status is which.
        """
        started = time.monotonic()
        most = most_rows(query, max_rows)
        reply = await self._send("SELECT", query, timeout, soft_timeout, observer)
        table = await _read(
            reply, lambda response: read_table(response, self._authority), Table((), [])
        )
        complete = not reply.is_partial(len(table.rows))
        rows = table.rows
        if most is not None and len(rows) > most:
            rows, complete = rows[:most], False
        return Rows(table.columns, rows, complete, (time.monotonic() - started) * 1000)

    async def triples(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        max_rows: int | None = None,
        soft_timeout: float | None = None,
        observer: Observer | None = None,
    ) -> Triples:
        """The distinct triples of a CONSTRUCT or DESCRIBE; arguments and errors as for `select`.

        A LIMIT in the query, and a row limit of the server, count solutions and not triples;
        Virtuoso does not say of a CONSTRUCT that it applied its own. So `complete` says that
        every triple that was sent is here, and not that the LIMIT cut nothing.
        """
        started = time.monotonic()
        most = most_rows(query, max_rows)
        reply = await self._send("CONSTRUCT", query, timeout, soft_timeout, observer)
        nothing: tuple[list[Triple], bool] = ([], False)
        found, whole = await _read(
            reply, lambda response: read_triples(response, self._authority, most), nothing
        )
        complete = whole and not reply.is_partial(len(found))
        return Triples(found, complete, (time.monotonic() - started) * 1000)

    async def ask(
        self, query: Query, *, timeout: float = 10.0, observer: Observer | None = None
    ) -> bool:
        """The answer to an ASK query.

        Raises:
            DeadlineError: also where the server ran out of time and answered nevertheless.
            InputError, ForbiddenError, LimitError, UnavailableError: as for `select`.
        """
        reply = await self._send("ASK", query, timeout, None, observer)
        answer = reply.broken_off or read_boolean(reply.response, self._authority)
        if reply.is_partial(0):
            raise DeadlineError(
                f"{self._authority} ran out of time and guessed: ask for less, or allow more time."
            )
        return answer

    async def count(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        soft_timeout: float | None = None,
        likely: int = 0,
    ) -> Count:
        """How many solutions a SELECT query has.

        With a `soft_timeout` it is counted up to `COUNTED_AT_LEAST`, then `COUNTED_FURTHER` times
        as far as long as that is likely to end in time; where so many are `likely`, the first of
        these steps is left out. So the server is never left with a count
        that nobody waits for any more: many go on with it. An endpoint that cannot count is asked
        for the solutions themselves, as far as the first count goes.

        Raises:
            InputError, ForbiddenError, LimitError, UnavailableError, DeadlineError: as for
                `select`; also `InputError` for a query other than SELECT.
        """
        exact = rewritten(query, counting_query(query))
        if soft_timeout is None or soft_timeout >= timeout:
            return await self._counted(exact, timeout, None)
        started = time.monotonic()
        most, seconds = COUNTED_AT_LEAST, min(timeout, max(soft_timeout, LEAST_SECONDS))
        if likely >= most * COUNTED_FURTHER:
            most *= COUNTED_FURTHER
        found = Count(0, exact=False)
        while True:
            before = time.monotonic()
            try:
                latest = await self._counted_to(query, most, seconds)
            except DeadlineError:
                if found.value or most == COUNTED_AT_LEAST:
                    return found
                most = COUNTED_AT_LEAST
                continue
            if latest.value < found.value or latest.value < most or not self._counts:
                return latest if latest.value >= found.value else found
            found = latest
            left = started + soft_timeout - time.monotonic()
            if (time.monotonic() - before) * COUNTED_FURTHER > left:
                return found
            most, seconds = most * COUNTED_FURTHER, min(timeout, left + LEAST_SECONDS)

    async def _counted_to(self, query: Query, most: int, seconds: float) -> Count:
        """Count no further than `most`; by reading solutions where the endpoint cannot count."""
        if self._counts:
            bounded = rewritten(query, counting_query(query, most))
            try:
                return await self._counted(bounded, seconds, most)
            except (DeadlineError, NotReachedError, ForbiddenError):
                raise
            except GroundwireError:
                self._counts = False
        rows = await self.select(rewritten(query, _bounded_query(query, most)), timeout=seconds)
        return Count(len(rows.rows), rows.complete and len(rows.rows) < most)

    async def close(self) -> None:
        """Close the connections of a client of its own; others belong to their composer."""
        if self._owned is not None:
            await self._owned.aclose()

    async def _counted(self, query: Query, timeout: float, limit: int | None) -> Count:
        reply = await self._send("SELECT", query, timeout, None, None)
        if reply.broken_off:
            return Count(0, exact=False)
        table = read_table(reply.response, self._authority)
        number = _counted_number(table.rows, self._authority)
        exact = not reply.is_partial(0) and (limit is None or number < limit)
        return Count(number, exact)

    async def _send(
        self,
        form: WireForm,
        query: Query,
        timeout: float,
        soft_timeout: float | None,
        observer: Observer | None,
    ) -> Reply:
        """One query on the wire, after a probe if the last one failed or a dialect may matter."""
        timeout = self._allowed(timeout)
        if query is not _PROBE and (self._doubtful or not (self._met or is_plain(query))):
            timeout -= await self._probe(min(PROBE_SECONDS, timeout))
        if soft_timeout is None:
            limit = server_seconds(self._dialect, timeout)
        else:
            limit = min(soft_timeout, timeout)
        sent = server_timeout(self._dialect, limit)
        parameters = {name: [value] for name, value in sent.items()}
        text = adapted(self._dialect, query)
        accept = ACCEPT if form in ("SELECT", "ASK") else ACCEPT_TRIPLES
        request = build_request(
            self._url, text, form, parameters | dataset_parameters(query), accept
        )
        try:
            response = await self._exchange(request.url, request.headers, request.content, timeout)
        except GroundwireError:
            # Not so where the caller has gone, which says nothing of the endpoint.
            self._doubtful = True
            raise
        if response.status == 400 and sent and not self._described:
            # It calls itself a server that it is not, or hides one behind rules of its own.
            self._dialect, self._described = "generic", True
            return await self._send(form, query, timeout, soft_timeout, observer)

        response = replace(response, body=without(self._secrets, response.body))
        reply = Reply(response, proven_within(self._dialect, sent))
        if observer is not None:
            observer(exchange_of(text, reply))
        if not self._described:
            self._dialect = recognised(self._dialect, response)
        self._met = True
        if not reply.broken_off:
            self._doubtful = response.status == 408 or response.status >= 500
            raise_for_refusal(response, self._authority)
        return reply

    async def _exchange(
        self, url: str, headers: Mapping[str, str], content: bytes | None, timeout: float
    ) -> Response:
        """One request with its answer; the connection is closed where nobody waits any longer."""
        response = await self._client.request(
            "POST",
            url,
            headers=headers,
            content=content,
            auth=self._credentials,
            deadline=timeout,
            max_bytes=self._max_bytes,
        )
        took = response.elapsed_ms / 1000
        self._pace = min(took, self._pace * 1.25) if self._pace else took
        return response

    def _allowed(self, seconds: float) -> float:
        """At most `seconds`, and no longer than the caller itself may take.

        Raises:
            DeadlineError: none of its time is left, or less than any answer takes.
        """
        from anyio import current_effective_deadline, current_time

        left = current_effective_deadline() - current_time() - KEPT_SECONDS
        if left < min(self._pace, seconds):
            raise DeadlineError(f"{self._authority} was not asked, since no time was left for it.")
        return min(seconds, left)

    async def _probe(self, seconds: float) -> float:
        """Ask next to nothing; the seconds that it took."""
        started = time.monotonic()
        reply = await self._send("ASK", _PROBE, seconds, None, None)
        read_boolean(reply.response, self._authority)
        return time.monotonic() - started


async def _read(reply: Reply, read: Callable[[Response], _Read], nothing: _Read) -> _Read:
    """Return what `read` makes of an answer, in a thread if large; `nothing` if it broke off."""
    if reply.broken_off:
        return nothing
    if len(reply.response.body) < READ_IN_THREAD:
        return read(reply.response)
    from anyio.to_thread import run_sync

    return await run_sync(read, reply.response)


def counting_query(query: str, limit: int | None = None) -> str:
    """A query with one row and one column, the number of solutions of `query`.

    Args:
        query: a SELECT query.
        limit: count no further than this; a server can stop early then.

    Raises:
        InputError: `query` is another kind of query than SELECT.
    """
    prologue, select = _parts(query)
    # The line break ends a comment in the last line.
    counted = f"{{ {select}\n}}"
    if limit is not None:
        counted = f"{{ SELECT * WHERE {{ {counted} }} LIMIT {limit} }}"
    return f"{prologue}\nSELECT (COUNT(*) AS ?{_COUNT_VARIABLE}) WHERE {{ {counted} }}"


def _bounded_query(query: str, limit: int) -> str:
    """A query for no more than `limit` solutions of `query`, which may have a limit of its own.

    Raises:
        InputError: `query` is another kind of query than SELECT.
    """
    prologue, select = _parts(query)
    return f"{prologue}\nSELECT * WHERE {{ {{ {select}\n}} }} LIMIT {limit}"


def _parts(query: str) -> tuple[str, str]:
    """The declarations of a query and the rest, which begins with SELECT."""
    end = 0
    while declaration := _DECLARATION.match(query, end):
        end = declaration.end()
    prologue, select = query[:end], query[end:]
    if not _SELECT.match(select):
        raise InputError("Only the solutions of a SELECT query can be counted: send one.")
    return prologue, select


def _counted_number(rows: Sequence[Sequence[Term | None]], authority: str) -> int:
    """The number that `counting_query` was answered with.

    Args:
        rows: the rows of the answer.
        authority: host and port of the endpoint that answered.

    Raises:
        UnavailableError: they hold no one number.
    """
    try:
        [[term]] = rows
        number = int(term.value) if term is not None else -1
    except ValueError:
        number = -1
    if number < 0:
        raise UnavailableError(
            f"{authority} answered a count with something else: check that the URL is a SPARQL 1.1 "
            "endpoint."
        )
    return number
