"""One SELECT on the schema graph, behind the query gate."""

from __future__ import annotations

from groundwire.graph.terms import Term
from groundwire.ontology.catalogue import SCHEMA_GRAPH, Catalogue
from groundwire.ontology.results import SchemaRows

MAX_ROWS = 50
_TIMEOUT = 5.0
_MAX_CELL = 300


async def investigate_schema(catalogue: Catalogue, query: str) -> SchemaRows:
    """Run a SELECT on `urn:graph:schema`: read-only, 50 rows, five seconds.

    Raises:
        InputError: the query is not well formed, or no SELECT.
        ForbiddenError: it reaches beyond the schema graph, or changes something.
        DeadlineError: it took too long and was stopped.
    """
    from anyio.to_thread import run_sync

    from groundwire.graph.gate import SCHEMA_POLICY, check

    # Reading a long query takes a while, in which other calls go on.
    gated = await run_sync(check, query, SCHEMA_POLICY)
    state = await catalogue.state()
    graph = await catalogue.schema()
    found = await graph.select(
        gated,
        timeout=_TIMEOUT,
        max_rows=MAX_ROWS,
        default_graphs=[SCHEMA_GRAPH],
        named_graphs=[SCHEMA_GRAPH],
    )
    rows = [
        {
            column: _shown(state.lexicon.shown(term), term)
            for column, term in zip(found.columns, row, strict=True)
            if term is not None
        }
        for row in found.rows
    ]
    more = "" if found.complete else f", cut at {MAX_ROWS}: add conditions or OFFSET"
    return SchemaRows(
        answer=f"The schema graph has {len(rows)} row{'' if len(rows) == 1 else 's'}{more}.",
        columns=list(found.columns),
        rows=rows,
        truncated=not found.complete,
    )


def _shown(text: str, term: Term) -> str:
    cut = text if len(text) <= _MAX_CELL else f"{text[: _MAX_CELL - 1]}…"
    return f"{cut}@{term.language}" if term.language else cut
