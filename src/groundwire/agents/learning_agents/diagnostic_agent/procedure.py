"""Why answers fail: families of failure that the reviews show, and the step that helps."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import (
    Answers,
    Call,
    Procedure,
    Result,
    about_all,
    picked,
    result,
    rows,
    sentences,
    text,
)
from groundwire.agents.learning_agents.task import Task

DIAGNOSE = "diagnose_reviews"


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Ask for a diagnosis of the deck or topic that is named, else of everything."""
    sent = {"of": task.deck or task.topic, "since": task.text("since")}
    named: dict[str, JsonValue] = {name: one for name, one in sent.items() if one}
    return [(DIAGNOSE, named)]


def tell(task: Task, answers: Answers) -> Result:
    """Tell each family with its step; where there is none, what is missing."""
    found = answers.data(DIAGNOSE)
    lines = sentences(task, answers, DIAGNOSE)
    lines += [task.worded(text(one, "says")) for one in rows(found, "patches")]
    lines += about_all(task)
    return result(
        task,
        lines,
        answers,
        families=list(rows(found, "families")),
        patches=list(rows(found, "patches")),
        **picked(found, "status", "n_reviews", "failures", "rated_by", "needs"),
    )


PROCEDURE = Procedure(plan, tell, named=True)
