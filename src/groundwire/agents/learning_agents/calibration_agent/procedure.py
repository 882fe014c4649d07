"""How well forecasts came true: the learner's own, and those of the schedule."""

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
    text,
)
from groundwire.agents.learning_agents.task import Task

CALIBRATION = "query_calibration"
_SOURCES = ("confidence", "schedule")
_FIELDS = ("status", "n", "brier", "ece", "bias", "bins", "groups", "rated_by", "needed")


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Ask for both sources, of the deck or topic that is named."""
    sent: dict[str, JsonValue] = {"of": task.deck or task.topic} if task.deck or task.topic else {}
    if by := task.text("by"):
        sent["by"] = by
    return [(CALIBRATION, {**sent, "source": source}) for source in _SOURCES]


def tell(task: Task, answers: Answers) -> Result:
    """Tell the scores of both as they were computed, or what is missing for them."""
    found = {text(one.arguments, "source"): one.data for one in answers.of(CALIBRATION)}
    lines = [
        task.say(f"by_{source}", said=task.worded(text(data, "answer")))
        for source, data in found.items()
    ]
    scores: dict[str, JsonValue] = {s: picked(data, *_FIELDS) for s, data in found.items()}
    return result(task, [*lines, *about_all(task)], answers, calibration=scores)


PROCEDURE = Procedure(plan, tell, named=True)
