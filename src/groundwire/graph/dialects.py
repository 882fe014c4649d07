"""Differences between SPARQL servers: time limits, and how they say that an answer is not all.

Virtuoso's ways are those of its documentation on anytime queries: past the `timeout` that the
client asked for it answers with what it has, SQL state S1TAT, and HTTP 200 or 206.

Virtuoso's headers are not sent in every case. If its time ends while it writes an answer, it may
send the rows written so far without a word, or break off with HTTP 500 and an error at the end of
the text (measured with 7.20.3229: 18 and 8 of 89 answers that were stopped). So an answer of it
proves to be whole only if it comes before the limit that was sent along, or says that a row limit
ended it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import (
    DeadlineError,
    ForbiddenError,
    InputError,
    LimitError,
    UnavailableError,
)
from groundwire.graph.queries import GatedQuery, Query
from groundwire.safe_text import shown_text
from groundwire.transport.messages import Response

Dialect = Literal[
    "generic", "virtuoso", "oxigraph", "qlever", "blazegraph", "graphdb", "fuseki", "rdf4j"
]

# Virtuoso takes no shorter time limit than this, in milliseconds.
_VIRTUOSO_LEAST = 1000
# Virtuoso 7.2 looks at its clock every 2 s (measured: `timeout=5000` answers after 6.0 s), so
# its partial answer is late by up to that.
_VIRTUOSO_LATE = 2.5
# Others are told to stop this much before the client does, so that what they say still arrives.
_SERVER_SHARE = 0.9
_PARTIAL_STATE = "S1TAT"
_OUT_OF_TIME = ("s1t00", "s1tat", "timed out", "timeout", "time limit", "deadline")


def server_seconds(dialect: Dialect, seconds: float) -> float:
    """The time limit to send along, so that the server's answer is here within `seconds`."""
    share = seconds * _SERVER_SHARE
    return min(share, seconds - _VIRTUOSO_LATE) if dialect == "virtuoso" else share


def is_plain(query: Query) -> bool:
    """Whether `adapted` leaves `query` unchanged, whatever the dialect."""
    describes = isinstance(query, GatedQuery) and query.verdict.form == "describe"
    return not describes or "describe-mode" in query


def adapted(dialect: Dialect, query: Query) -> str:
    """The text to send for `query`.

    Virtuoso 7.2 answers a DESCRIBE without FROM with nothing at all, unless it is told how to
    describe; CBD is the W3C's Concise Bounded Description.
    """
    if dialect == "virtuoso" and not is_plain(query):
        return f'DEFINE sql:describe-mode "CBD"\n{query}'
    return str(query)


def server_timeout(dialect: Dialect, seconds: float) -> dict[str, str]:
    """The parameter that makes the server itself stop, since it does not notice a client leave.

    A generic server gets none: the unit of `timeout` differs between servers, and some refuse
    parameters that they do not know.
    """
    if dialect == "virtuoso":
        return {"timeout": str(max(_VIRTUOSO_LEAST, int(seconds * 1000)))}
    if dialect == "qlever":
        return {"timeout": f"{max(1, math.ceil(seconds))}s"}
    if dialect in ("blazegraph", "graphdb"):
        return {"timeout": str(max(1, math.ceil(seconds)))}
    return {}


def proven_within(dialect: Dialect, sent: Mapping[str, str]) -> float | None:
    """Seconds in which an answer proves to be whole where `server_timeout` was sent along.

    None: the server says in every case that its time ended; see `remote_reply`.
    """
    return int(sent["timeout"]) / 1000 if dialect == "virtuoso" else None


def recognised(dialect: Dialect, response: Response) -> Dialect:
    """`dialect`, or what a server that was not described says of itself."""
    server = response.headers.get("server", "").lower()
    return "virtuoso" if dialect == "generic" and server.startswith("virtuoso") else dialect


def ran_out_of_time(response: Response) -> bool:
    """Whether the server says that it stopped early and answers with what it had."""
    return response.status == 206 or response.headers.get("x-sql-state", "") == _PARTIAL_STATE


def row_limit(response: Response) -> int | None:
    """The server's own row limit, where it says that it has applied one."""
    most = response.headers.get("x-sparql-maxrows", "").strip()
    return int(most[:12]) if most.isascii() and most.isdigit() else None


def raise_for_refusal(response: Response, authority: str) -> None:
    """Raise the error that a response stands for, unless it answers the query.

    Raises:
        InputError: the query is not well formed for that server.
        ForbiddenError: credentials are missing or do not suffice.
        DeadlineError: the server gave up for want of time.
        LimitError: the query or its answer is too large.
        UnavailableError: anything else.
    """
    state = response.headers.get("x-sql-state", "")
    if response.status in (200, 206) and state in ("", _PARTIAL_STATE):
        _raise_for_cut(response, authority)
        return
    said = shown_text(response.body[:4000].decode("utf-8", "replace")) or "nothing"
    status = response.status
    if status in (408, 504) or (
        status >= 500 and any(word in f"{state} {said}".lower() for word in _OUT_OF_TIME)
    ):
        raise DeadlineError(f"{authority} gave up for want of time: ask for less.")
    if status == 400:
        raise InputError(f"{authority} refused the query and says: {said!r}. Mend the query.")
    if status in (401, 403):
        raise ForbiddenError(
            f"{authority} refused access (HTTP {status}): set the endpoint's credentials."
        )
    if status in (413, 414):
        raise LimitError(f"{authority} finds the query too long: shorten it.")
    if status in (404, 405, 410):
        raise UnavailableError(
            f"{authority} has no SPARQL endpoint there (HTTP {status}): check the URL's path."
        )
    if status in (429, 503):
        wait = response.headers.get("retry-after", "")
        when = f"in {wait} s" if wait.isdigit() else "later"
        raise UnavailableError(f"{authority} is busy (HTTP {status}): try again {when}.")
    raise UnavailableError(
        f"{authority} failed (HTTP {status}{f', state {shown_text(state, 20)}' if state else ''})"
        f" and says: {said!r}. Try again, or ask its operator."
    )


def _raise_for_cut(response: Response, authority: str) -> None:
    if response.cut == "max_bytes":
        raise LimitError(
            f"The answer of {authority} is larger than {len(response.body):,} bytes:"
            " select less, or set a LIMIT."
        )
    if response.cut:
        raise UnavailableError(
            f"{authority} broke off in the middle of its answer, of which nothing is used:"
            " try again, or set a LIMIT."
        )


# Stands after what was written so far, and before the whole query.
_BROKEN_OFF = b"Virtuoso S1TAT Error"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one query.

    Attributes:
        response: what came.
        limit: seconds after which the server was asked to stop, where an answer that took longer
            is not whole unless it says so; None elsewhere.
    """

    response: Response
    limit: float | None = None

    @property
    def broken_off(self) -> bool:
        """Whether the time ended while the answer was written, so that nothing of it is usable."""
        return self.response.status >= 500 and _BROKEN_OFF in self.response.body

    @property
    def out_of_time(self) -> bool:
        """Whether the server stopped early, as far as it can be known."""
        if ran_out_of_time(self.response) or self.broken_off:
            return True
        late = self.limit is not None and self.response.elapsed_ms >= self.limit * 1000
        return late and self.row_limit is None

    @property
    def row_limit(self) -> int | None:
        """The server's own row limit, where it says that it has applied one."""
        return row_limit(self.response)

    def is_partial(self, rows: int) -> bool:
        """Whether it is said, or shows, that `rows` rows are not all."""
        most = self.row_limit
        return self.out_of_time or (most is not None and rows >= most)
