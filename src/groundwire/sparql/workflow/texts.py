"""Step 3: what the graph says of entities that were found, or finds and says in one query."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.workflow.model import Hit, Row, Source, Wanted
from groundwire.sparql.workflow.queries import meaning_query, texts_query
from groundwire.sparql.workflow.sources import hits_by_terms, text_of
from groundwire.vocabulary.fold import CJK_RUN

_ROWS_EACH = 12
_MOST_ROWS = 200
_MOST_TEXT = 2_000
_MOST_ENTITIES = 50


async def read_texts(
    source: Source, hits: Sequence[Hit], prompt: str, timeout: float
) -> tuple[list[Row], Outcome]:
    """The entities with label and text, in the language of the prompt where there is one.

    An answer that was found by its own text stands under its question.
    """
    entities = [hit.iri for hit in hits[:_MOST_ENTITIES]]
    limit = _row_limit(len(entities))
    outcome = await source.select(texts_query(entities, limit), limit, timeout)
    return _rows(source, hits, outcome, prompt), outcome


async def find_texts(
    source: Source, wanted: Wanted, prompt: str, timeout: float, inference: str = ""
) -> tuple[list[Row], Outcome]:
    """Entities that a text says terms of, with label, text and score: one query.

    Args:
        source: the endpoint.
        wanted: what is searched for.
        prompt: the prompt, for its language.
        timeout: seconds.
        inference: rule set for reasoning, or "".
    """
    limit = _row_limit(wanted.limit)
    query = meaning_query(source.matching(wanted), limit, inference)
    outcome = await source.select(query, limit, timeout)
    return _rows(source, _hits(source, outcome, wanted), outcome, prompt), outcome


async def like_texts(source: Source, wanted: Wanted, timeout: float) -> tuple[list[Hit], Outcome]:
    """Entities that a text says most of the terms of."""
    outcome = await source.select(source.matching(wanted), wanted.limit, timeout)
    return _hits(source, outcome, wanted), outcome


def _hits(source: Source, outcome: Outcome, wanted: Wanted) -> list[Hit]:
    stems = source.endpoint.text_search == "bif_contains"
    return hits_by_terms(outcome, wanted, stems=stems)


def _row_limit(entities: int) -> int:
    return max(entities, min(_MOST_ROWS, _ROWS_EACH * entities))


def _rows(source: Source, hits: Sequence[Hit], outcome: Outcome, prompt: str) -> list[Row]:
    chinese = bool(CJK_RUN.search(prompt))
    said: dict[str, list[dict[str, Cell]]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        said.setdefault(text_of(cells.get("entity")), []).append(cells)
    rows: dict[str, Row] = {}
    for hit in hits:
        found = said.get(hit.iri, [])
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
    return list(rows.values())


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
