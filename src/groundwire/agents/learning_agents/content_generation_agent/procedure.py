"""Cards on a topic: quoted from passages, and only those that were accepted."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.agents.learning_agents.cards import SUBMIT, permit, search, submit, tell_cards
from groundwire.agents.learning_agents.procedure import (
    Answers,
    Arguments,
    Call,
    Procedure,
    Result,
)
from groundwire.agents.learning_agents.task import Task

_USUAL = 5
_PASSAGES = 20


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Search the topic, then send what its passages define."""
    calls: list[Call] = [search(task, _PASSAGES)]
    if task.card_type != "image_occlusion":
        calls += submit(task, answers, task.card_type or "atomic", task.count or _USUAL)
    return calls


def tell(task: Task, answers: Answers) -> Result:
    """Tell the accepted cards."""
    if task.card_type == "image_occlusion" and not answers.of(SUBMIT):
        return {"answer": task.say("no_image"), "cards": [], "kept": False, "confidence": "low"}
    return tell_cards(task, answers)


def _permit(task: Task, sent: Arguments) -> str | None:
    return permit(task, sent, task.count or _USUAL)


PROCEDURE = Procedure(plan, tell, drafts={SUBMIT: _permit})
