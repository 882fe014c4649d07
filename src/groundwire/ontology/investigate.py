"""One SELECT on the schema graph, behind the query gate."""

from __future__ import annotations

import re
from collections.abc import Mapping

from groundwire.graph.terms import Term
from groundwire.ontology.catalogue import SCHEMA_GRAPH, Catalogue
from groundwire.ontology.results import SchemaRows

MAX_ROWS = 50
_TIMEOUT = 5.0
_MAX_CELL = 300
# What every schema is written in, where its own files do not say how they call it.
_COMMON = {
    "sh": "http://www.w3.org/ns/shacl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}
_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*)\s*:", re.IGNORECASE)
_USED = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*):")


async def investigate_schema(catalogue: Catalogue, query: str) -> SchemaRows:
    """Run a SELECT on `urn:graph:schema`: read-only, 50 rows, five seconds.

    The prefixes of the catalogue, in which rows are shown, need not be declared.

    Raises:
        InputError: the query is not well formed, or no SELECT.
        ForbiddenError: it reaches beyond the schema graph, or changes something.
        DeadlineError: it took too long and was stopped.
    """
    from anyio.to_thread import run_sync

    from groundwire.graph.gate import SCHEMA_POLICY, check

    state = await catalogue.state()
    declared = _with_prefixes(query, {**_COMMON, **state.index.prefixes})
    # Reading a long query takes a while, in which other calls go on.
    gated = await run_sync(check, declared, SCHEMA_POLICY)
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


def _with_prefixes(query: str, known: Mapping[str, str]) -> str:
    """The query with the declarations that it lacks, before its first line."""
    lacking = {*_USED.findall(query)} - {*_DECLARED.findall(query)}
    lines = "".join(f"PREFIX {one}: <{known[one]}> " for one in sorted(lacking & known.keys()))
    return lines + query


def _shown(text: str, term: Term) -> str:
    cut = text if len(text) <= _MAX_CELL else f"{text[: _MAX_CELL - 1]}…"
    return f"{cut}@{term.language}" if term.language else cut
