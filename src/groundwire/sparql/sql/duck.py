"""SQL in DuckDB: a database file, or only what comes with the query, in killable workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sql.relations import Relation, encode
from groundwire.sparql.sql.workers import FileRunner
from groundwire.tables.duckdb.engine import duckdb_workers

_NOWHERE = Path(":memory:")


class DuckRunner(FileRunner):
    """Runs SQL over one DuckDB database, which is opened read-only; a `Runner`.

    Args:
        path: the database; None for an empty one in memory, for queries that bring relations.
        name: name of the endpoint in the registry.
        workers: most processes at a time.
        memory: bytes that the buffers of one worker may take; the whole of it at most twice that.
    """

    def __init__(
        self, path: Path | None, name: str, *, workers: int = 2, memory: int = 1 << 30
    ) -> None:
        super().__init__(
            duckdb_workers(
                _NOWHERE if path is None else path.absolute(), workers=workers, memory=memory
            ),
            name,
            scheme="duckdb",
        )

    async def run(
        self,
        request: Request,
        relations: Mapping[str, Relation | tuple[Sequence[str], Any]] | None = None,
    ) -> Outcome:
        """Run one SELECT.

        Args:
            request: the query.
            relations: tables that the query may name besides those of the database, by name.
                They hide a table of the same name.

        Returns:
            What became of it; a query that failed or was stopped leaves the next one unharmed.
        """
        return await self.ask(request, lambda: encode(relations or {}))
