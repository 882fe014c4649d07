"""What SPARQL servers do differently: time limits, and how they say that an answer is not all.

Virtuoso's ways are those of its documentation on anytime queries: past the `timeout` that the
client asked for it answers with what it has, SQL state S1TAT, and HTTP 200 or 206.
"""

from __future__ import annotations

import math
from typing import Literal

from groundwire.errors import (
    DeadlineError,
    ForbiddenError,
    InputError,
    LimitError,
    UnavailableError,
)
from groundwire.transport.messages import Response
from groundwire.transport.redaction import shown_text

Dialect = Literal["generic", "virtuoso", "oxigraph", "qlever", "blazegraph", "graphdb"]

# Virtuoso takes no shorter time limit than this, in milliseconds.
_VIRTUOSO_LEAST = 1000
_PARTIAL_STATE = "S1TAT"
_OUT_OF_TIME = ("s1t00", "s1tat", "timed out", "timeout", "time limit", "deadline")


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


def recognised(dialect: Dialect, response: Response) -> Dialect:
    """`dialect`, or what a server that was not described says of itself."""
    server = response.headers.get("server", "").lower()
    return "virtuoso" if dialect == "generic" and server.startswith("virtuoso") else dialect


def is_partial(response: Response, rows: int) -> bool:
    """Whether the server says, or its row limit shows, that `rows` rows are not all."""
    if response.status == 206 or response.headers.get("x-sql-state", "") == _PARTIAL_STATE:
        return True
    most = response.headers.get("x-sparql-maxrows", "").strip()
    return most.isascii() and most.isdigit() and rows >= int(most[:12])


def raise_for_refusal(response: Response, authority: str) -> None:
    """Turn everything that is no answer to the query into the error that it is.

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
