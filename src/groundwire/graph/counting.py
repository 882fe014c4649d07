"""A SELECT query made into one that counts its solutions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.errors import InputError, UnavailableError
from groundwire.graph.terms import Term

COUNT_VARIABLE = "groundwire_count"

# SPARQL 1.1 grammar, rules [4] to [6], [139], [140] and [162]; comments as in section 19.4.
_SPACE = r"(?:\s|\#[^\n\r]*(?:[\n\r]|\Z))"
_IRIREF = r"<[^<>\"{}|^`\\\x00-\x20]*>"
_DECLARATION = re.compile(
    rf"{_SPACE}*(?:BASE{_SPACE}*{_IRIREF}|PREFIX{_SPACE}+[^\s:<\#]*:{_SPACE}*{_IRIREF})",
    re.IGNORECASE,
)
_SELECT = re.compile(rf"{_SPACE}*SELECT\b", re.IGNORECASE)


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
    return f"{prologue}\nSELECT (COUNT(*) AS ?{COUNT_VARIABLE}) WHERE {{ {counted} }}"


def bounded_query(query: str, limit: int) -> str:
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


def counted_number(rows: Sequence[Sequence[Term | None]], authority: str) -> int:
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
