"""The remedy against a family of failure: one step, with arguments that code computed."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.learning.diagnosis.families import Finding
from groundwire.learning.diagnosis.features import Trace
from groundwire.learning.diagnosis.results import PatchItem
from groundwire.learning.diagnosis.thresholds import Thresholds

_MOST_NAMED = 5
_MOST_PAIRS = 10


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    text = files("groundwire.learning.diagnosis").joinpath("patches.toml").read_text("utf-8")
    return tomllib.loads(text)


def meaning(family: str) -> str:
    """Return what a family of failure is, in a sentence."""
    return _texts()[family]["means"]


def patch(
    finding: Finding, trace: Trace, thresholds: Thresholds, name: Callable[[str], str]
) -> PatchItem:
    """Return the step that helps against a finding.

    Args:
        finding: a family that is told.
        trace: the answers that it was told from.
        thresholds: what a sitting's usual length is multiplied by.
        name: what a card or a concept is called, by its handle.
    """
    text = _texts()[finding.family]
    shown = ", ".join(name(one) for one in finding.of[:_MOST_NAMED])
    more = len(finding.of) - _MOST_NAMED
    shown += f" and {more} more" if more > 0 else ""
    said = text["says"].format(
        cards=shown,
        concepts=shown,
        number=_number(finding, trace, thresholds),
        seconds=_usual(trace),
    )
    return PatchItem(
        family=finding.family,
        action=text["action"],
        says=said,
        tool=text.get("tool"),
        arguments=_arguments(finding, trace),
    )


def _number(finding: Finding, trace: Trace, thresholds: Thresholds) -> int:
    """Return the number that a step names: a length of sittings, or how many notes."""
    if finding.family == "overlong_sitting":
        return max(10, round(thresholds.marks.sitting_multiple * trace.usual_sitting))
    return len({trace.cards[one].note_id for one in finding.of if one in trace.cards})


def _usual(trace: Trace) -> int:
    return round((trace.usual_duration or 0) / 1000)


def _arguments(finding: Finding, trace: Trace) -> dict[str, Any] | None:
    """Return what the tool of a step is called with, where code can say it."""
    if finding.family == "long_gap":
        return {"new_per_day": 0}
    if finding.family == "missing_prerequisite":
        return {"concept": finding.of[0]}
    if finding.family == "confusion":
        operations = _edges(finding, trace)
        why = "answered with each other's back"
        return {"operations": operations, "rationale": why} if operations else None
    return None


def _edges(finding: Finding, trace: Trace) -> list[dict[str, str]]:
    """Return the edges that say which concepts are easily confused."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for at in range(0, len(finding.of) - 1, 2):
        a, b = (trace.cards.get(card) for card in finding.of[at : at + 2])
        if a is None or b is None or len(a.concepts) != 1 or len(b.concepts) != 1:
            continue
        source, target = sorted((*a.concepts, *b.concepts))
        if source != target:
            found[source, target] = {
                "op": "add_edge",
                "source": source,
                "relation": "confusable_with",
                "target": target,
            }
    return list(found.values())[:_MOST_PAIRS]
