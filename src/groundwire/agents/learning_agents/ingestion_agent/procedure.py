"""Find passages, cloze cards of definitions and names of concepts in an imported document."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.learning_agents.cards import (
    SEARCH,
    SUBMIT,
    permit,
    search,
    submit,
    tell_cards,
)
from groundwire.agents.learning_agents.procedure import (
    Answers,
    Arguments,
    Call,
    Procedure,
    Result,
    picked,
    rows,
)
from groundwire.agents.learning_agents.sentences import definitions
from groundwire.agents.learning_agents.task import MOST_CARDS, Task

_PASSAGES = 20


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Find the passages, then send a cloze card of each definition in them."""
    card_type = "atomic" if task.card_type == "atomic" else "cloze"
    return [
        search(task, _PASSAGES),
        *submit(task, answers, card_type, task.count or MOST_CARDS),
    ]


def tell(task: Task, answers: Answers) -> Result:
    """Tell the units, the accepted cards, and the names that the definitions give."""
    passages = rows(answers.data(SEARCH), "passages")
    concepts: list[JsonValue] = [
        {"name": one.term, "quote": one.sentence, "passage_id": one.passage_id}
        for one in definitions(passages)
    ]
    units: list[JsonValue] = [picked(one, "passage_id", "source", "locator") for one in passages]
    return tell_cards(task, answers, units=units, concepts=concepts)


def _permit(task: Task, sent: Arguments) -> str | None:
    return permit(task, sent, task.count or MOST_CARDS)


PROCEDURE = Procedure(plan, tell, drafts={SUBMIT: _permit})
