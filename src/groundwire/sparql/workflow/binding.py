"""Whether what was asked was bound: whether an entity's own text answers a question of the prompt.

An entity whose label holds words of the prompt is an entity, and no answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.sparql.workflow.model import Hit, Row
from groundwire.sparql.workflow.queries import HOW_TOS
from groundwire.sparql.workflow.questions import (
    Question,
    asks_the_same,
    is_called,
    read_question,
)

Readings = Sequence[Sequence[Question]]


def may_answer(hit: Hit, readings: Readings) -> bool:
    """Whether an entity is called what a prompt asks about, so that its texts have to be read."""
    return hit.is_name and any(
        asks_the_same(hit.value, question) or is_called(hit.value, question.subject)
        for reading in readings
        for question in reading
    )


def is_how_to(row: Row, types: Sequence[str] = ()) -> bool:
    """Whether a row is a how-to, by its type or by its title."""
    if row.kind == "how_to" or not HOW_TOS.isdisjoint(types):
        return True
    return not row.kind and row.source != "answer" and read_question(row.label).kind == "how"


def answering(rows: Sequence[Row], readings: Readings) -> tuple[list[Row], bool]:
    """The rows that answer a question of a prompt, and whether all of it is answered by them."""
    best: list[Row] = []
    for reading in readings:
        found = [[row for row in rows if answers(row, question)] for question in reading]
        if all(found):
            return _unique(found), True
        if len(_unique(found)) > len(best):
            best = _unique(found)
    return best, False


def answers(row: Row, question: Question) -> bool:
    """Whether the text of a row is what a question asks for.

    The steps of a how-to with the title that is asked, the answer of the question that is asked,
    or the definition of the very thing that is asked about. A name alone asks nothing of it.
    """
    titled = any(asks_the_same(name, question) for name in row.names)
    called = any(is_called(name, question.subject) for name in row.names)
    if row.steps is not None:
        return bool(row.steps.texts) and (titled or (called and question.kind == "how"))
    if row.source == "answer":
        return titled
    # The text of a question is the question at length, and that about a how-to is no step of it.
    if row.source != "text" or row.kind or is_how_to(row):
        return False
    if question.kind == "definition":
        return titled or called
    return titled and question.kind == "sentence"


def _unique(found: Sequence[Sequence[Row]]) -> list[Row]:
    return list({(row.endpoint.name, row.iri): row for rows in found for row in rows}.values())
