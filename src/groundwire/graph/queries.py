"""The queries that a graph may be asked to run, by who vouches for the text; what a graph is.

An engine runs whatever it is given, and pyoxigraph connects to any `SERVICE` in it. So a query
is one that the gate let through, or one that this project's own code composed, and never bare
text. Both are strings, ready for an engine that takes a string.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from groundwire.graph.terms import Count, Rows

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
