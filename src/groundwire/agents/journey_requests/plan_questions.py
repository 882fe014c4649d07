"""Questions of a request about the plans of its trips: how many stops, changes and minutes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

PlanQuestion = Literal["stops", "changes", "minutes"]
_TELL_ME = r"(?:(?:,\s*)?(?:and\s+)?\b(?:please\s+)?(?:tell\s+me\s+)?)?"
_PATTERNS: Mapping[PlanQuestion, re.Pattern[str]] = {
    "stops": re.compile(
        rf"{_TELL_ME}\b(?:how\s+many|(?:what(?:['’]s|\s+is)\s+)?(?:the\s+)?number\s+of)\s+"
        r"(?:stops?|stations?)\b(?:\s+(?:is\s+(?:it|that)|are\s+(?:there|they)|does\s+it\s+(?:have|"
        r"make|take)|do\s+(?:i|we)\s+(?:pass|have|need))\b)?(?:\s+(?=between\b))?",
        re.IGNORECASE,
    ),
    "changes": re.compile(
        rf"{_TELL_ME}(?:\b(?:how\s+(?:many|often|many\s+times))\s+(?:changes|interchanges|transfers|"
        r"(?:times\s+)?(?:do|must|would|will)\s+(?:i|we|you)\s+(?:have\s+to\s+|need\s+to\s+)?change)\b"
        r"(?:\s+(?:is\s+(?:it|that)|are\s+there|do\s+(?:i|we)\s+(?:have|need)(?:\s+to\s+make)?)\b)?"
        r"|\b(?:is|are)\s+there\s+(?=(?:an?\s+|any\s+)?direct\s)"
        r"|\b(?:do|must|would|will|should)\s+(?:i|we|you)\s+(?:have\s+to\s+|need\s+to\s+)?change(?:\s+(?:"
        r"trains?|lines?|tubes?))?\b"
        r"|\b(?:can\s+(?:i|we|you)\s+(?:get|go|travel)|is\s+it\s+possible\s+to\s+(?:get|go|travel))\b"
        r"(?=.*\bon\s+one\s+(?:train|line|tube)\b))",
        re.IGNORECASE,
    ),
}
# Beside one of these questions; alone it is one for the plans themselves.
_HOW_LONG = re.compile(
    rf"{_TELL_ME}\bhow\s+long\b(?:\s+(?:(?:does|will|would|is|do|i|it|that|this)\b\s*)+(?:take|last|need)?)?"
    r"[\s,?;]*(?:and\s+)?",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\bon\s+one\s+(?:train|line|tube)\b", re.IGNORECASE)


def read_plan_questions(text: str) -> tuple[tuple[PlanQuestion, ...], list[tuple[int, int]]]:
    """Return what a text asks of the plans of its trips, and the spans of its words."""
    found: list[PlanQuestion] = []
    spans: list[tuple[int, int]] = []
    for kind, pattern in _PATTERNS.items():
        matches = [match.span() for match in pattern.finditer(text)]
        if matches:
            found.append(kind)
            spans += matches
    if "changes" in found:
        spans += [match.span() for match in _BESIDE.finditer(text)]
    long = [match.span() for match in _HOW_LONG.finditer(text)] if found else []
    if long:
        found.append("minutes")
        spans += long
    return tuple(found), spans
