"""Questions whose answers are not held here, and conditions of trips that no planner applies.

The kinds of questions are data in `not_held.toml`, each with what is said to it. A sentence of such
a kind is never planned as another trip: "the last train from Angel to Bank" does not ask for a trip
that begins now. The conditions are patterns in `left_out.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent
# "in at most 20 minutes", of the whole trip: of walks and changes there are options.
MOST_MINUTES = re.compile(
    r"(?<!walk )(?<!walking )(?<!foot )\b(?:(?:but\s+)?(?:only\s+if|as\s+long\s+as|"
    r"provided(?:\s+that)?)\s+"
    r"(?:it|that)\s+)?(?:(?:in|within|taking|takes?|"
    r"it\s+(?:must|should|may)\s+(?:not\s+)?take)\s+)?"
    r"(?:under|less\s+than|at\s+most|no\s+(?:more|longer)\s+than|not\s+(?:more|longer)\s+than|max(?:imum)?(?:\s+of)?|"
    r"(?:not\s+)?longer\s+than)\s+(?P<count>\d{1,3}|a|an|half\s+an|one|two|twenty|thirty|forty|fifty)[\s-]*"
    r"(?P<unit>min(?:ute)?s?|h(?:our|r)?s?)\b(?:\s+(?:in\s+total|altogether|overall|door\s+to\s+door))?"
    r"(?!\s*(?:of\s+)?(?:walk|on\s+foot|by\s+foot|to\s+chang|for\s+(?:a\s+)?(?:chang|each)|between|to\s+walk|chang|transfer|"
    r"interchang|before|after|from|late))"
    r"(?:\s*,?\s*(?:or\s+(?:else\s+)?|otherwise\s+)(?:do\s*n['’]?t\s+bother|i\s+(?:wo\s*n['’]?t|will\s+not)\s+go|forget\s+it))?",
    re.IGNORECASE,
)
_COUNTS = {
    "a": 1,
    "an": 1,
    "half an": 0.5,
    "one": 1,
    "two": 2,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}


class _Kind(NamedTuple):
    """A kind of question.

    Attributes:
        asked: what a sentence of it has.
        unless: what makes it another question, or None.
        answer: what is said to it.
    """

    asked: re.Pattern[str]
    unless: re.Pattern[str] | None
    answer: str


def not_held(sentence: str) -> str:
    """Return what is said to a question whose answer is not held; empty for any other sentence."""
    for kind in _kinds():
        if kind.asked.search(sentence) and not (kind.unless and kind.unless.search(sentence)):
            return kind.answer
    return ""


@cache
def _kinds() -> Sequence[_Kind]:
    tree = tomllib.loads((_FOLDER / "not_held.toml").read_text("utf-8"))
    return [
        _Kind(
            re.compile(kind["asked"], re.IGNORECASE),
            re.compile(kind["unless"], re.IGNORECASE) if "unless" in kind else None,
            kind["answer"],
        )
        for kind in tree["kind"]
    ]


def left_out(text: str) -> Iterator[re.Match[str]]:
    """Yield the conditions of a text that no planner applies, without overlap."""
    end = 0
    found = [one for pattern in _patterns() for one in pattern.finditer(text)]
    for match in sorted(found, key=lambda one: (one.start(), -one.end())):
        if match.start() >= end:
            end = match.end()
            yield match


def most_minutes(match: re.Match[str]) -> int:
    """Return the minutes that a trip may take at most, of a match of `MOST_MINUTES`."""
    said = " ".join(match["count"].lower().split())
    count = _COUNTS[said] if said in _COUNTS else int(said)
    return int(count * 60) if match["unit"].lower().startswith("h") else int(count)


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    tree = tomllib.loads((_FOLDER / "left_out.toml").read_text("utf-8"))
    return [re.compile(one, re.IGNORECASE) for one in tree["patterns"]]
