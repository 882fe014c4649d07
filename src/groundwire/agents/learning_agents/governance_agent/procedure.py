"""Quality of what is held: cards without proof, cards that fail again and again, who rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

LIST, CALIBRATION, CONCEPTS, POLICY = (
    "list_cards", "query_calibration", "query_concepts", "set_learning_policy",
)  # fmt: skip
_STATES = {"draft": "no quote proves it", "leech": "it is forgotten again and again"}
_BUDGETS = {
    "new cards today": "budget_new",
    "cards due at once": "budget_due",
    "reviews that only a model rated": "budget_host",
}
_LISTED = 100
NOTHING: Mapping[str, JsonValue] = {}
BACKLOG_DAYS = 3
"""Days of the expected work that may be due at once."""


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """List drafts and leeches, and ask who rated and how the concept graph is covered."""
    deck: dict[str, JsonValue] = {"deck": task.deck} if task.deck else {}
    of: dict[str, JsonValue] = {"of": task.deck} if task.deck else {}
    listed: list[Call] = [(LIST, {**deck, "state": one, "limit": _LISTED}) for one in _STATES]
    # Without arguments the policy is told, and nothing is changed.
    return [
        *listed,
        (LIST, {**deck, "limit": 1}),
        (POLICY, {}),
        (CALIBRATION, {**of, "source": "schedule"}),
        (CONCEPTS, {}),
    ]


def tell(task: Task, answers: Answers) -> Result:
    """Tell each flag with its cards, and what blocks a card from being due."""
    flags: list[JsonValue] = []
    lines: list[str] = []
    for one in answers.of(LIST):
        state = text(one.arguments, "state")
        if state not in _STATES:
            continue
        cards = rows(one.data, "cards")
        if one.data.get("status") == "found":
            flags.append(
                {
                    "flag": state,
                    "why": _STATES[state],
                    "blocks": state == "draft",
                    "cards": [picked(card, "card_id", "front", "lapses") for card in cards],
                }
            )
        count = str(len(cards))
        if one.data.get("next_cursor"):
            count = task.say("or_more", count=count)
        if one.data.get("status") == "empty":
            lines.append(task.say(f"no_{state}"))
        elif one.data.get("status") == "found":
            lines.append(task.say(f"flagged_{state}", count=count))
        else:
            lines.append(task.worded(text(one.data, "answer")))
    shares = answers.data(CALIBRATION).get("rated_by")
    if isinstance(shares, dict) and shares.get("host"):
        flags.append({"flag": "rated_by_host", "why": "no learner rated these", **shares})
        lines.append(task.say("by_model", count=shares["host"]))
    ledger = _ledger(answers)
    for one in ledger:
        over = task.say("over_budget") if one["over"] else ""
        parts = one | {"over": over, "days": BACKLOG_DAYS}
        lines.append(task.say(_BUDGETS[str(one["budget"])], **parts))
        if one["over"]:
            flags.append({"flag": "over_budget", "why": f"{one['budget']} exceed it", **one})
    lines += sentences(task, answers, CONCEPTS)
    number = {0: "nothing", 1: "one"}.get(len(flags), "some")
    return result(
        task,
        [task.say(f"{number}_flagged", count=len(flags)), *lines],
        answers,
        flags=flags,
        ledger=list(ledger),
        rated_by=dict(shares) if isinstance(shares, dict) else None,
        graph=list(rows(answers.data(CONCEPTS), "metrics")),
    )


def _ledger(answers: Answers) -> list[dict[str, JsonValue]]:
    """The budgets that the learner's policy sets, what is used of each, and whether it is over.

    New cards of today are held against the policy's, cards due against what it expects of a few
    days; what only a model rated has no budget at all.
    """
    found: list[dict[str, JsonValue]] = []
    policy, work = (answers.data(POLICY).get(name) for name in ("policy", "workload"))
    listed = [one.data for one in answers.of(LIST) if not one.arguments.get("state")]
    queue: Mapping[str, JsonValue] = listed[0] if listed else NOTHING
    due, begun = queue.get("due_count"), queue.get("begun_today")
    allowed = policy.get("new_per_day") if isinstance(policy, dict) else None
    if isinstance(allowed, int) and isinstance(begun, int):
        found.append(_entry("new cards today", begun, allowed))
    expected = work.get("reviews_per_day") if isinstance(work, dict) else None
    if isinstance(expected, int | float) and isinstance(due, int):
        found.append(_entry("cards due at once", due, max(1, round(BACKLOG_DAYS * expected))))
    shares = answers.data(CALIBRATION).get("rated_by")
    host = shares.get("host") if isinstance(shares, dict) else None
    if isinstance(host, int):
        found.append(_entry("reviews that only a model rated", host, 0))
    return found


def _entry(budget: str, used: int, allowed: int) -> dict[str, JsonValue]:
    return {"budget": budget, "used": used, "allowed": allowed, "over": used > allowed}


PROCEDURE = Procedure(plan, tell)
