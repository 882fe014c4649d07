"""The queries that a graph may be asked to run, by who vouches for the text; what a graph is.

An engine runs whatever it is given, and pyoxigraph connects to any `SERVICE` in it. So a query
is one that the gate let through, or one that this project's own code composed, and never bare
text. Both are strings, ready for an engine that takes a string.
"""

from __future__ import annotations

import time
from typing import Literal, NamedTuple, Protocol

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.graph.terms import Count, Rows, Term

Form = Literal["select", "ask", "construct", "describe"]


class CompiledQuery(str):
    """A query composed by our own code.

    Whoever makes one promises that every part of it is a constant of the code or a term written
    by `Term.n3`: nothing that a model or a file said stands in it unescaped.
    """

    __slots__ = ()


class Verdict(NamedTuple):
    """The gate's findings about a query.

    Attributes:
        form: the query form.
        columns: projected variables in order; empty for `SELECT *` and forms other than SELECT.
        max_rows: most rows that may be shown.
        limit: the LIMIT in the text. It is `max_rows` + 1 where the policy set it, so that an
            answer that was cut can be told from one that was not; None for ASK.
        default_graphs: names of the graphs that make up the default graph ("" is the store's
            own); None leaves it as it is.
        named_graphs: IRIs that `GRAPH` may reach; None leaves all.
    """

    form: Form
    columns: tuple[str, ...]
    max_rows: int
    limit: int | None
    default_graphs: tuple[str, ...] | None = None
    named_graphs: tuple[str, ...] | None = None


class GatedQuery(str):
    """A query that `groundwire.graph.gate.check` let through, in its canonical text.

    In that text comments are gone, escapes are decoded and LIMIT is lowered or added.

    Attributes:
        verdict: what the gate found out about it.
    """

    __slots__ = ("verdict",)
    verdict: Verdict

    def __new__(cls, text: str, verdict: Verdict) -> GatedQuery:
        """Only the gate makes these."""
        query = super().__new__(cls, text)
        query.verdict = verdict
        return query


Query = CompiledQuery | GatedQuery


def most_rows(query: Query, max_rows: int | None) -> int | None:
    """Most rows that may be shown of a query: those asked for, and no more than the gate allows."""
    if not isinstance(query, GatedQuery):
        return max_rows
    most = query.verdict.max_rows
    return most if max_rows is None else min(max_rows, most)


def rewritten(query: Query, text: str) -> Query:
    """`text`, which our own code made of `query`, trusted as much as that."""
    return GatedQuery(text, query.verdict) if isinstance(query, GatedQuery) else CompiledQuery(text)


class Graph(Protocol):
    """A set of RDF statements that answers SPARQL 1.1 queries.

    Times are seconds. `timeout` is hard: work that has not ended then is stopped and the call
    raises `DeadlineError`. `soft_timeout` is polite: where the store can, what was found until
    then is returned and says that it is not all (`Rows.complete` is False, `Count.exact` is
    False).

    Every verb raises `InputError` for a query that is not well formed, `ForbiddenError` for
    one that the store refuses to this caller, `LimitError` for an answer too large to hold, and
    `UnavailableError` where the store does not answer. What was cut off on the way is never
    returned as if it were the whole answer.
    """

    async def select(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        max_rows: int | None = None,
        soft_timeout: float | None = None,
    ) -> Rows:
        """The solutions of a SELECT query, at most `max_rows` of them."""
        ...

    async def ask(self, query: Query, *, timeout: float = 10.0) -> bool:
        """The answer to an ASK query."""
        ...

    async def count(
        self,
        query: Query,
        *,
        timeout: float = 10.0,
        soft_timeout: float | None = ...,
        likely: int = 0,
    ) -> Count:
        """How many solutions a SELECT query has; a lower bound after `soft_timeout`.

        How many there are likely to be may make it quicker.
        """
        ...

    async def close(self) -> None:
        """Give back processes and connections; the graph is not asked again."""
        ...


_QUESTION_SECONDS = 4.0
_ASK_TIMEOUT = 1.0


class Questions:
    """Asks a graph while there is time.

    Attributes:
        unanswered: whether a question had no whole answer; whoever asks sets it back.
        refused: whether the last question for rows was refused, though there was time.
    """

    def __init__(self, graph: Graph) -> None:
        """Ask `graph`, from `begin` on."""
        self._graph = graph
        self._end = 0.0
        self.unanswered = False
        self.refused = False

    def begin(self) -> None:
        """Begin to count the time that the questions may take."""
        self._end = time.monotonic() + _QUESTION_SECONDS

    @property
    def is_late(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() > self._end

    async def ask(self, pattern: str) -> bool:
        """Whether a pattern matches; no, and not all was looked at, where time runs out."""
        left = self._end - time.monotonic()
        if left > 0:
            try:
                query = CompiledQuery(f"ASK {{ {pattern} }}")
                return await self._graph.ask(query, timeout=min(left, _ASK_TIMEOUT))
            except GroundwireError:
                pass
        self.unanswered = True
        return False

    async def rows(self, pattern: str, most: int) -> list[tuple[Term, ...]]:
        """Distinct rows of a pattern, without what is unbound; not all where time runs out."""
        left = self._end - time.monotonic()
        self.refused = False
        if left > 0:
            query = CompiledQuery(f"SELECT DISTINCT {pattern} LIMIT {most + 1:d}")
            try:
                rows = await self._graph.select(query, timeout=min(left, _ASK_TIMEOUT))
            except GroundwireError as error:
                self.refused = not isinstance(error, DeadlineError)
            else:
                whole = rows.complete and len(rows.rows) <= most
                self.unanswered = self.unanswered or not whole
                return [tuple(one for one in row if one is not None) for row in rows.rows[:most]]
        self.unanswered = True
        return []
