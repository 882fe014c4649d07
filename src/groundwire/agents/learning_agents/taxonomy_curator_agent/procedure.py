"""Order among concepts: names that are nearly the same, and names that are of two concepts.

A merge or a split is only checked. It is made where the task says `commit`, in the learner's own
graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

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
from groundwire.vocabulary.fold import fold

CONCEPTS, CHANGE = "query_concepts", "submit_graph_changes"
ALIKE = 90.0
"""Likeness of two names, 0 to 100, from which they may name one concept (rapidfuzz ratio)."""

# What joins two names, in English, German and Chinese.
_JOINED = re.compile(r" and | und | & |[和与]")
_LEAST_PART = 2
_MOST_SPLITS = 3
_TWO = "The name joins two concepts."
_AROUND = ("prerequisites", "dependents", "siblings", "others")
_WHY = "Their names are nearly the same."


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Ask for the graph and the topic's neighbours, and have merges of near names checked."""
    calls: list[Call] = [(CONCEPTS, {})]
    if task.topic:
        calls.append((CONCEPTS, {"concept": task.topic}))
    pairs = near_names(_names(task, answers))
    if pairs:
        operations: list[JsonValue] = [
            {"op": "merge_nodes", "nodes": [other], "into": one} for one, other in pairs
        ]
        sent: dict[str, JsonValue] = {"operations": operations, "rationale": _WHY}
        calls.append((CHANGE, sent | {"dry_run": not task.flag("commit")}))
    for name, parts in joint_names(_names(task, answers))[:_MOST_SPLITS]:
        split: JsonValue = {
            "op": "split_node",
            "node": name,
            "into": [{"name": part} for part in parts],
        }
        sent = {"operations": [split], "rationale": _TWO}
        calls.append((CHANGE, sent | {"dry_run": not task.flag("commit")}))
    return calls


def tell(task: Task, answers: Answers) -> Result:
    """Tell near names, what a merge would do, and the numbers about the graph."""
    whole = [one.data for one in answers.of(CONCEPTS) if not one.arguments.get("concept")]
    pairs = near_names(_names(task, answers))
    lines = sentences(task, answers, CONCEPTS)
    lines += [task.say("near_names", one=one, other=other) for one, other in pairs]
    splits = joint_names(_names(task, answers))[:_MOST_SPLITS]
    lines += [task.say("two_in_one", name=name) for name, _ in splits]
    lines += sentences(task, answers, CHANGE)
    if not task.topic and not _names(task, answers):
        lines.append(task.say("compare_topic"))
    elif not pairs and not splits:
        lines.append(task.say("no_near_names"))
    metrics = [row for one in whole for row in rows(one, "metrics")]
    lines += [
        task.worded(f"{text(one, 'means').capitalize()}: {text(one, 'value_text')}.")
        for one in metrics
        if text(one, "value_text")
    ]
    return result(
        task,
        lines,
        answers,
        near=[{"into": one, "name": other} for one, other in pairs],
        splits=[{"node": name, "into": list(parts)} for name, parts in splits],
        change=picked(answers.data(CHANGE), "status", "change_id", "effects", "stages"),
        graph=metrics,
    )


def near_names(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of names that may be one concept, the shorter name first."""
    from rapidfuzz import fuzz

    found: list[tuple[str, str]] = []
    taken: set[str] = set()
    for one, other in combinations(sorted(dict.fromkeys(names), key=lambda n: (len(n), n)), 2):
        if other not in taken and fuzz.ratio(fold(one), fold(other)) >= ALIKE:
            taken.add(other)
            found.append((one, other))
    return found


def joint_names(names: Sequence[str]) -> list[tuple[str, tuple[str, str]]]:
    """Return names that join two others by "and", with the two, where neither is there yet.

    A part of one letter, or a name with a second "and" or a comma, is left alone: it may be the
    name of one thing.
    """
    held = {fold(name) for name in names}
    found: list[tuple[str, tuple[str, str]]] = []
    for name in names:
        parts = [part.strip() for part in _JOINED.split(name)]
        if len(parts) != 2 or "," in name or min(map(len, parts)) < _LEAST_PART:
            continue
        if not held & {fold(part) for part in parts}:
            found.append((name, (parts[0], parts[1])))
    return found


def _names(task: Task, answers: Answers) -> list[str]:
    """The names around the topic, which comes first; without one those of the whole graph."""
    names: list[str] = []
    for one in answers.of(CONCEPTS):
        every = one.data.get("names")
        if not task.topic and isinstance(every, list):
            names += [name for name in every if isinstance(name, str)]
        concept = one.data.get("concept")
        if isinstance(concept, dict):
            names.append(text(concept, "name"))
        names += [text(row, "name") for key in _AROUND for row in rows(one.data, key)]
    return [name for name in dict.fromkeys(names) if name]


PROCEDURE = Procedure(plan, tell)
