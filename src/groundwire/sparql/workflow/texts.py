"""Step 3: what the graph says of entities that were found, or finds and says in one query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.patterns.words import language_of
from groundwire.sparql.workflow.model import Hit, Match, Row, Source, Steps, Wanted
from groundwire.sparql.workflow.queries import (
    HOW_TOS,
    QUESTIONS,
    meaning_query,
    steps_query,
    texts_query,
)
from groundwire.sparql.workflow.questions import is_called
from groundwire.sparql.workflow.sources import hits_by_terms, text_of
from groundwire.sparql.workflow.steps import read_steps

_ROWS_EACH = 24
_MOST_ROWS = 400
_MOST_OF_STEPS = 2_000
_MOST_TEXT = 2_000
_MOST_ENTITIES = 50


async def read_texts(
    source: Source, hits: Sequence[Hit], prompt: str, timeout: float, *, looked_for: str = ""
) -> tuple[list[Row], Outcome]:
    """The entities with label and text, in the language of the prompt where there is one.

    An answer that was found by its own text stands under its question.
    """
    entities = [hit.iri for hit in hits[:_MOST_ENTITIES]]
    limit = _row_limit(len(entities))
    outcome = await source.select(texts_query(entities, limit), limit, timeout)
    return _rows(source, hits, outcome, prompt, looked_for), outcome


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
    hits = _hits(source, outcome, wanted)
    rows = _rows(source, hits, outcome, prompt, ", ".join(wanted.terms), "text")
    return rows, outcome


async def find_steps(
    source: Source, how_to: str, prompt: str, timeout: float
) -> tuple[Steps, Outcome]:
    """The steps of a how-to, in order, or what keeps them from being whole."""
    query = steps_query(how_to, _MOST_OF_STEPS)
    outcome = await source.select(query, _MOST_OF_STEPS, timeout)
    return read_steps(how_to, outcome, language_of(prompt)), outcome


async def like_texts(source: Source, wanted: Wanted, timeout: float) -> tuple[list[Hit], Outcome]:
    """Entities that a text says most of the terms of."""
    outcome = await source.select(source.matching(wanted), wanted.limit, timeout)
    return _hits(source, outcome, wanted), outcome


def _hits(source: Source, outcome: Outcome, wanted: Wanted) -> list[Hit]:
    stems = source.endpoint.text_search == "bif_contains"
    return hits_by_terms(outcome, wanted, stems=stems)


def _row_limit(entities: int) -> int:
    return max(entities, min(_MOST_ROWS, _ROWS_EACH * entities))


def _rows(
    source: Source,
    hits: Sequence[Hit],
    outcome: Outcome,
    prompt: str,
    looked_for: str,
    match: Match = "label",
) -> list[Row]:
    language = language_of(prompt)
    said: dict[str, list[dict[str, Cell]]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        said.setdefault(text_of(cells.get("entity")), []).append(cells)
    rows: dict[str, Row] = {}
    for hit in hits:
        found = said.get(hit.iri, [])
        question = next((text_of(one.get("question")) for one in found if one.get("question")), "")
        called = [one.get("asked" if question else "label") for one in found]
        label = _best(called, language) or hit.label
        answer = _best([one.get("answer") for one in found], language)
        text = answer or _best([one.get("text") for one in found], language)
        text = text or _best([one.get("note") for one in found], language)
        kind = _kind({text_of(one.get("whole" if question else "kind")) for one in found})
        told = bool(answer or (question and kind == "question"))
        if question and not told:
            # One step of many, or a text of something that is no answer.
            text = ""
        names = dict.fromkeys(text_of(one) for one in called if one is not None)
        if hit.is_name and not question:
            names[hit.value] = None
        fits = hit.is_name and not question and is_called(hit.value, looked_for)
        row = Row(
            question or hit.iri,
            label,
            _cut(text or ("" if hit.value == label or kind == "how_to" else hit.value)),
            hit.score,
            source.endpoint,
            "name" if fits else match,
            looked_for,
            tuple(names),
            kind,
            "answer" if text and told else "text" if text and kind != "how_to" else "",
        )
        rows.setdefault(row.iri, row)
    return list(rows.values())


def _kind(types: set[str]) -> Literal["question", "how_to", ""]:
    return "how_to" if types & HOW_TOS else "question" if types & QUESTIONS else ""


def _cut(text: str) -> str:
    """A text as far as it is shown, with a mark where more follows."""
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT].rstrip()}..."


def _best(cells: Sequence[object], wanted: str) -> str:
    """The text in the language wanted, else in English or untagged, else any; the longest."""
    terms = [cell for cell in cells if isinstance(cell, Term) and cell.kind == "literal"]
    if not terms:
        return ""

    def rank(term: Term) -> tuple[int, int]:
        language = term.language.partition("-")[0].lower()
        place = 0 if language == wanted else 1 if language in ("", "en") else 2
        return (place, -len(term.value))

    return min(terms, key=rank).value
