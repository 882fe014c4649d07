"""The next card: the queue decides by what is due, the graph tells what should come first."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import (
    Answers,
    Call,
    Procedure,
    Result,
    picked,
    result,
    rows,
    sentences,
    text,
)
from groundwire.agents.learning_agents.task import Task

LIST, REVIEW, CONCEPTS = "list_cards", "record_review", "query_concepts"
_USUAL = 5
_OF_REVIEW = ("card_id", "response", "rating", "confidence", "duration_ms", "review_id")
_OF_CARD = ("card_id", "front", "deck", "state", "due", "retrievability", "reviews", "why")


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Record what the learner answered, if that was sent; then ask for the queue."""
    calls: list[Call] = []
    if task.text("card_id") and (task.text("response") or task.text("rating")):
        calls.append((REVIEW, picked(task.variables, *_OF_REVIEW)))
        if not any(one.tool == REVIEW for one in answers.all):
            # The queue is another one after the review.
            return calls
    listed: dict[str, JsonValue] = {"limit": task.count or _USUAL}
    named = {"deck": task.deck, "concept": task.topic, "session_mode": task.mode}
    calls.append((LIST, listed | {name: one for name, one in named.items() if one}))
    if task.topic:
        calls.append((CONCEPTS, {"concept": task.topic}))
    return calls


def tell(task: Task, answers: Answers) -> Result:
    """Tell the first card of the queue, how much is due, and what is unmet before it."""
    queue = answers.data(LIST)
    cards = [picked(one, *_OF_CARD) for one in rows(queue, "cards")]
    lines = sentences(task, answers, REVIEW)
    review = answers.data(REVIEW)
    if question := text(review, "question"):
        lines.append(task.worded(question))
    unmet = [picked(one, "name", "status", "value_text") for one in _unmet(answers)]
    if unmet:
        names = task.say("comma").join(text(one, "name") for one in unmet)
        lines.append(task.say("unmet_before", names=names))
    if cards:
        why = task.worded(text(cards[0], "why"))
        lines.append(task.say("next", front=text(cards[0], "front"), why=why))
    lines += sentences(task, answers, LIST)
    return result(
        task,
        lines,
        answers,
        next_card=cards[0] if cards else None,
        cards=list(cards),
        lanes={
            "due": [one["card_id"] for one in cards if one.get("why") != "new"],
            "new": [one["card_id"] for one in cards if one.get("why") == "new"],
        }
        if cards
        else None,
        unmet=list(unmet),
        review=picked(review, "status", "review_id", "graded", "before", "after", "options"),
        **picked(queue, "due_count", "new_today", "next_due"),
    )


def _unmet(answers: Answers) -> Sequence[dict[str, JsonValue]]:
    return [dict(one) for one in rows(answers.data(CONCEPTS), "unmet")]


PROCEDURE = Procedure(plan, tell, named=True)
