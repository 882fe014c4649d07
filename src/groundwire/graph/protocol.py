"""The questions that every graph answers, in worker processes or at an endpoint."""

from __future__ import annotations

from typing import Protocol

from groundwire.graph.queries import Query
from groundwire.graph.terms import Count, Rows


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
