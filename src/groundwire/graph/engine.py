"""A graph on this machine: SPARQL in worker processes that a deadline kills."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from groundwire.errors import InputError, LimitError, UnavailableError
from groundwire.graph.pool import Call, EndedError, Pool
from groundwire.graph.queries import CompiledQuery, GatedQuery, Query
from groundwire.graph.terms import Count, Row, Rows, Term

# What a worker may allocate for its queries, in bytes.
MEMORY = 2 << 30
# How long a count goes on before "at least n" is said, in seconds.
COUNT_SOFT = 0.2

Triple = tuple[Term, Term, Term]


class Triples(NamedTuple):
    """The triples of one CONSTRUCT or DESCRIBE.

    Attributes:
        triples: subject, predicate and object of each.
        complete: False where a row limit or a soft time limit ended the reading early.
        elapsed_ms: wall clock of the execution, in milliseconds.
    """

    triples: list[Triple]
    complete: bool
    elapsed_ms: float


class LocalGraph:
    """One store, queried over a few worker processes; see `groundwire.graph.queries.Graph`.

    Usable from any event loop, and from several at once. A `GatedQuery` brings its own row
    limit and graphs with it, which the arguments can only narrow.

    Args:
        folder: a store made by `groundwire.graph.stores.build_store`.
        workers: most processes at a time: while one is busy the next answers.
        memory: bytes that one worker may allocate for queries; one that needs more fails.
    """

    def __init__(self, folder: Path, *, workers: int = 2, memory: int = MEMORY) -> None:
        self._pool = Pool(folder, size=workers, memory=memory)
        self._memory = memory

    async def select(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        max_rows: int | None = None,
        soft_timeout: float | None = None,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
    ) -> Rows:
        """The solutions of a SELECT query, at most `max_rows` of them.

        Args:
            query: a SELECT.
            timeout: seconds until the worker is killed and the call fails.
            max_rows: most rows to return; `complete` says whether there were more.
            soft_timeout: seconds after which what was found is returned, as incomplete.
            default_graphs: names of the graphs whose union is the default graph ("" is the
                store's own); None: the store's own.
            named_graphs: IRIs of the graphs that `GRAPH` reaches; None: all.

        Raises:
            InputError: the query is not well formed, or not a SELECT.
            DeadlineError: `timeout` passed.
            LimitError: the answer is too large to hold, or needs too much memory.
            UnavailableError: the store does not answer.
        """
        _, columns, terms, cells, count, complete, elapsed = await self._ask(
            "select", query, timeout, soft_timeout, max_rows, default_graphs, named_graphs
        )
        rows = _rows(_table(terms), cells, len(columns), count)
        return Rows(tuple(columns), rows, complete, elapsed)

    async def ask(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
    ) -> bool:
        """The answer to an ASK query; arguments and errors as for `select`."""
        _, answer = await self._ask("ask", query, timeout, None, None, default_graphs, named_graphs)
        return answer

    async def count(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        soft_timeout: float | None = COUNT_SOFT,
        likely: int = 0,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
    ) -> Count:
        """How many solutions a SELECT query has; "at least n" once `soft_timeout` has passed.

        A query that yields nothing until then counts as at least 0. Arguments and errors as for
        `select`.
        """
        _, number, exact = await self._ask(
            "count", query, timeout, soft_timeout, None, default_graphs, named_graphs
        )
        return Count(number, exact)

    async def triples(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        max_rows: int | None = None,
        soft_timeout: float | None = None,
        default_graphs: Sequence[str] | None = None,
        named_graphs: Sequence[str] | None = None,
    ) -> Triples:
        """The triples of a CONSTRUCT or DESCRIBE; arguments and errors as for `select`."""
        _, _, terms, cells, count, complete, elapsed = await self._ask(
            "triples", query, timeout, soft_timeout, max_rows, default_graphs, named_graphs
        )
        found: list[Any] = _rows(_table(terms), cells, 3, count)
        return Triples(found, complete, elapsed)

    async def export(
        self,
        query: Query,
        format: Literal["csv", "ntriples"],
        take: Callable[[bytes], bool],
        *,
        timeout: float = 60.0,
    ) -> bool:
        """Hand on all of an answer as the engine writes it, in chunks, none of which is kept.

        Args:
            query: a SELECT for csv; a CONSTRUCT or DESCRIBE for ntriples.
            format: how it is written.
            take: is given each chunk, in a thread; False ends the query.
            timeout: seconds until the worker is killed and the call fails.

        Returns:
            whether the answer was written to its end.

        Raises:
            InputError, DeadlineError, LimitError, UnavailableError: as `select`.
        """
        from anyio import get_cancelled_exc_class
        from anyio.to_thread import run_sync

        default, named = None, None
        if isinstance(query, GatedQuery):
            default, named = query.verdict.default_graphs, query.verdict.named_graphs
        request = (
            "export", None, str(query),
            None if default is None else list(default),
            None if named is None else list(named),
            None, format,
        )  # fmt: skip
        call, deadline = Call(), time.monotonic() + timeout
        try:
            reply = await run_sync(
                self._pool.stream, request, deadline, call, take, abandon_on_cancel=True
            )
        except get_cancelled_exc_class():
            call.cancel(self._pool)
            raise
        except EndedError as error:
            raise LimitError("The export ended the graph engine: narrow the query.") from error
        return reply is not None and _checked(reply)[0] == "exported"

    async def warm(self) -> None:
        """Start a worker and open the store, so that the first query does not wait for it."""
        from anyio.to_thread import run_sync

        await run_sync(self._pool.warm, abandon_on_cancel=True)

    async def close(self) -> None:
        """End the worker processes."""
        from anyio.to_thread import run_sync

        await run_sync(self._pool.close)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self._pool.close()

    async def _ask(
        self,
        verb: str,
        query: Query,
        timeout: float,
        soft: float | None,
        max_rows: int | None,
        default: Sequence[str] | None,
        named: Sequence[str] | None,
    ) -> tuple[Any, ...]:
        # Imported here: a server that has not asked a graph yet starts without it.
        from anyio import get_cancelled_exc_class
        from anyio.to_thread import run_sync

        if isinstance(query, GatedQuery):
            verdict = query.verdict
            max_rows = verdict.max_rows if max_rows is None else min(max_rows, verdict.max_rows)
            default = _narrowed(default, verdict.default_graphs)
            named = _narrowed(named, verdict.named_graphs)
        elif not isinstance(query, CompiledQuery):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("a graph runs a CompiledQuery or a GatedQuery, not bare text")
        request = (
            verb,
            soft,
            str(query),
            None if default is None else list(default),
            None if named is None else list(named),
            max_rows,
        )
        deadline = time.monotonic() + timeout
        call = Call()
        try:
            reply = await run_sync(self._pool.run, request, deadline, call, abandon_on_cancel=True)
        except get_cancelled_exc_class():
            call.cancel(self._pool)
            raise
        except EndedError as error:
            raise LimitError(
                f"The query ended the graph engine, most likely for want of memory (it may use "
                f"{self._memory >> 20} MB): narrow it."
            ) from error
        return _checked(reply)


def _narrowed(asked: Sequence[str] | None, allowed: Sequence[str] | None) -> Sequence[str] | None:
    if asked is None or allowed is None:
        return allowed if asked is None else asked
    return [name for name in asked if name in allowed]


def _checked(reply: tuple[Any, ...]) -> tuple[Any, ...]:
    """`reply`, or the error it carries.

    Raises:
        InputError, LimitError, UnavailableError: what the worker said.
    """
    if reply[0] == "syntax":
        raise InputError(f"The query is not well-formed SPARQL ({reply[1]}): mend it.")
    if reply[0] == "large":
        raise LimitError("The answer is too large to hold: select less, or set a LIMIT.")
    if reply[0] == "failed":
        raise UnavailableError(f"The graph engine failed ({reply[1]}): change the query.")
    return reply


def _table(terms: list[Any]) -> list[Term | None]:
    """The distinct terms of an answer; the last place, index -1, is the unbound one."""
    return [*map(Term._make, terms), None]


def _rows(table: list[Term | None], cells: bytes, width: int, count: int) -> list[Row]:
    if not width:
        return [()] * count
    indexes = array("i")
    indexes.frombytes(cells)
    column = map(table.__getitem__, indexes)
    return list(zip(*[column] * width, strict=True))
