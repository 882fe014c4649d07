"""Step 3: one query for what the graph says of the entities that were found."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.workflow.model import Hit, Row, Source
from groundwire.sparql.workflow.queries import texts_query
from groundwire.sparql.workflow.sources import text_of
from groundwire.vocabulary.fold import CJK_RUN

_ROWS_EACH = 12
_MOST_ROWS = 200
_MOST_TEXT = 2_000


async def read_texts(
    source: Source, hits: Sequence[Hit], prompt: str, timeout: float
) -> tuple[list[Row], Outcome]:
    """The entities with label and text, in the language of the prompt where there is one.

    An answer that was found by its own text stands under its question.
    """
    entities = [hit.iri for hit in hits]
    limit = min(_MOST_ROWS, _ROWS_EACH * len(entities))
    query = texts_query(entities, limit, source.endpoint.inference)
    outcome = await source.select(query, limit, timeout)
    chinese = bool(CJK_RUN.search(prompt))
    rows: dict[str, Row] = {}
    for hit in hits:
        found = [
            cells
            for row in outcome.rows
            if text_of((cells := dict(zip(outcome.columns, row, strict=False))).get("entity"))
            == hit.iri
        ]
        question = next((text_of(one.get("question")) for one in found if one.get("question")), "")
        label = _best([one.get("asked" if question else "label") for one in found], chinese)
        text = _best([one.get("text") for one in found], chinese)
        row = Row(
            question or hit.iri,
            label or hit.label,
            (text or ("" if hit.value == (label or hit.label) else hit.value))[:_MOST_TEXT],
            hit.score,
            source.endpoint,
        )
        rows.setdefault(row.iri, row)
    return list(rows.values()), outcome


def _best(cells: Sequence[object], chinese: bool) -> str:
    """The text in the language wanted, else in English or untagged, else any; the longest."""
    terms = [cell for cell in cells if isinstance(cell, Term) and cell.kind == "literal"]
    if not terms:
        return ""

    def rank(term: Term) -> tuple[int, int]:
        language = term.language.partition("-")[0].lower()
        wanted = "zh" if chinese else "en"
        place = 0 if language == wanted else 1 if language in ("", "en") else 2
        return (place, -len(term.value))

    return min(terms, key=rank).value
