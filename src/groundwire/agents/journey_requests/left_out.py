"""Conditions of a trip that no planner applies, by patterns that are data in `left_out.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

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
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "twenty": 20, "thirty": 30, "forty": 40}


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
    hours = match["unit"].lower().startswith("h")
    if said == "half an":
        return 30
    count = _COUNTS.get(said) or (50 if said == "fifty" else int(said))
    return count * 60 if hours else count


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    tree = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return [re.compile(one, re.IGNORECASE) for one in tree["patterns"]]
