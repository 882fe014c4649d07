"""Words of a request that ask for nothing by themselves."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

WORDS: Mapping[str, Any] = tomllib.loads(
    (files(__package__ or "") / "words.toml").read_text("utf-8")
)
"""The word lists of requests, by name."""
_FILLERS = frozenset[str](WORDS["fillers"])
BEGIN_NAMES = frozenset({"london", "city", "new", "all", "long", "old", "sir"})
"""Words that say nothing unless a name begins with them: London Bridge, New Cross, Old Street."""
_MOTION = re.compile(
    r"\b(?:go|going|get|getting|travel\w*|trip|journey|route|way|head\w*|commut\w*|leav\w+|arriv\w+|"
    r"reach|visit\w*|take me|bring me|directions?|tube|bus|train|station|be at|be in|return\w*|"
    r"home|plan|meeting|ride|drive|transport|walk|cycle|depart\w*|quickest|fastest|start\w*|"
    r"how long|how far|meet)\b",
    re.IGNORECASE,
)
COORDINATES = r"-?\d{1,3}\.\d+\s*,\s*-?\d{1,3}\.\d+"
_WORD = re.compile(rf"{COORDINATES}|[\w’'&-]+")


def content(words: str) -> str:
    """Return some words without those at their ends and in them that say nothing."""
    return " ".join(word for word in _WORD.findall(words) if not _is_filler(word))


def trailing_name(words: str) -> str:
    """The name that some words end with: "show me the way Angel" is "Angel"."""
    found = _WORD.findall(words)
    for index, word in enumerate(found):
        if not _is_filler(word):
            begins = index
            while begins and _belongs(found[begins - 1], first=begins == 1):
                begins -= 1
            return " ".join(found[begins:])
    return ""


def _belongs(word: str, *, first: bool) -> bool:
    """Whether a word that says nothing is part of the name after it: "London Transport Museum"."""
    return word.lower() in BEGIN_NAMES or (word[0].isupper() and not first)


def _is_filler(word: str) -> bool:
    return word.lower().replace("’", "'") in _FILLERS


def is_motion(text: str) -> bool:
    """Whether a text speaks of travelling."""
    return _MOTION.search(text) is not None
