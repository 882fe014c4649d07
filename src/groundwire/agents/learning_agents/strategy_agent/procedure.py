"""The learning policy: what is in force, the work it brings, and which loadout fits what is seen.

A policy is changed only to what the task itself names; what is recommended is only told.
"""

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

POLICY, LIST, DIAGNOSE, CALIBRATION = (
    "set_learning_policy", "list_cards", "diagnose_reviews", "query_calibration",
)  # fmt: skip
BACKLOG_DAYS = 3
"""Cards due, as days of the expected work, from which they are a backlog."""

DAYS = 30
"""Days that the tool plays a policy forward."""
EXAM = "exam"

_CHOICES = ("loadout", "desired_retention", "new_per_day", "day_ends", "reset")


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Set what the task names, else ask what is in force; then look at backlog and failures."""
    return [
        (POLICY, picked(task.variables, *_CHOICES)),
        (LIST, {"limit": 1}),
        (DIAGNOSE, {}),
        (CALIBRATION, {"source": "schedule"}),
    ]


def tell(task: Task, answers: Answers) -> Result:
    """Tell the policy with its work, and the loadout that fits, with the reason for it."""
    policy = answers.data(POLICY)
    labels = policy.get("loadouts")
    options = rows(policy, "alternatives")
    said = ""
    if task.mode == "exam":
        # Who names an exam has an aim of their own.
        name, why, said = _for_exam(task, options)
    else:
        name, why = _fitting(task, answers)
        if not name:
            name, why = _regretted(task, options)
    label = text(labels, name) if isinstance(labels, dict) else ""
    lines = [task.say("recommended", label=task.worded(label), why=why)] if label else []
    lines += [said] if said else []
    if not lines and answers.of(POLICY) and not policy.get("changed"):
        lines.append(task.say("no_change"))
    lines += sentences(task, answers, POLICY, LIST, DIAGNOSE)
    lines += [task.say("played_forward", days=DAYS)] if options else []
    lines += [_played(task, one) for one in options]
    return result(
        task,
        lines,
        answers,
        what_if=list(options),
        recommended={"loadout": name, "why": why} if label else None,
        calibration=picked(answers.data(CALIBRATION), "status", "n", "ece", "bias", "needed"),
        **picked(policy, "policy", "changed", "workload", "workload_before", "moved_cards"),
    )


def _for_exam(task: Task, options: Sequence[Mapping[str, JsonValue]]) -> tuple[str, str, str]:
    """Return the loadout that keeps most cards, why, and what else is to be said of an exam.

    Of those that keep as many it is the one of the fewest reviews. The name is empty where that one
    is in force.
    """
    played = [(one, _number(one, "remembered"), _number(one, "reviews")) for one in options]
    if not played:
        return "", "", task.say("exam_not_played")
    best, most, reviews = max(played, key=lambda one: (one[1], -one[2]))
    said = task.say("exam_day", days=DAYS)
    kept = [count for one, count, _ in played if text(one, "loadout") == EXAM]
    if text(best, "loadout") != EXAM and kept:
        said += "\n" + task.say("exam_loadout", kept=kept[0])
    why = task.say("why_exam", most=most, reviews=reviews)
    if not best.get("in_force"):
        return text(best, "loadout"), why, said
    kept_on = task.say("exam_keep", loadout=text(best, "loadout"), why=why)
    return "", "", f"{kept_on}\n{said}"


def _number(one: Mapping[str, JsonValue], name: str) -> int:
    value = one.get(name)
    return value if isinstance(value, int) else 0


def _fitting(task: Task, answers: Answers) -> tuple[str, str]:
    """Return the loadout that fits and why; empty where the present one may stay."""
    policy = answers.data(POLICY).get("policy")
    now = text(policy, "loadout") if isinstance(policy, dict) else ""
    found = {text(one, "family") for one in rows(answers.data(DIAGNOSE), "families")}
    name, why = "", ""
    if _is_backlog(answers):
        name, why = "catch_up", task.say("why_backlog", days=BACKLOG_DAYS)
    elif "long_gap" in found:
        name, why = "catch_up", task.say("why_pauses")
    return ("", "") if name == now else (name, why)


def _played(task: Task, one: Mapping[str, JsonValue]) -> str:
    """Return what one loadout would ask for and keep."""
    regret, better = one.get("regret"), text(one, "better")
    return task.say(
        "played",
        loadout=text(one, "loadout"),
        in_force=task.say("in_force") if one.get("in_force") else "",
        reviews=one.get("reviews"),
        remembered=one.get("remembered"),
        less=task.say("keeps_more", better=better, regret=regret) if better else "",
    )


def _regretted(task: Task, options: Sequence[Mapping[str, JsonValue]]) -> tuple[str, str]:
    """Return what is better than the loadout in force for no more reviews, and why, or nothing."""
    held = [one for one in options if one.get("in_force")]
    if not held:
        return "", ""
    now = held[0]
    better = text(now, "better")
    why = task.say("why_regret", regret=now.get("regret"))
    return (better, why) if better else ("", "")


def _is_backlog(answers: Answers) -> bool:
    work = answers.data(POLICY).get("workload")
    per_day = work.get("reviews_per_day") if isinstance(work, dict) else None
    due = answers.data(LIST).get("due_count")
    if not isinstance(per_day, int | float) or not isinstance(due, int):
        return False
    return due > max(1, round(BACKLOG_DAYS * per_day))


PROCEDURE = Procedure(plan, tell)
