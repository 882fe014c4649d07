"""Words that say which part of a ride a place, a time or a length of time is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

# So many characters before a place or time may say its part.
_NEAR = 18
ROUGH = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|circa|ca\.|nearly|etwa|ungefähr|gegen|rund)|~|约|大概)"
    r"\s*$",
    re.IGNORECASE,
)
"""A word right before a time that says that it is rough."""

THERE = re.compile(
    r"(?<!\s)\s*+(?:uhr\s*+)?(?:at|in|an|am|ab|from|在)\s++(?:(?:der|dem|the)\s++)?"
    r"(?:(?:station|bahnhof)\s++)?",
    re.IGNORECASE,
)
"""The words between a time and the place at which one is then."""


@cache
def _words() -> Mapping[str, Sequence[str]]:
    text = (files("groundwire.evidence.claims") / "ride_cues.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def cues(name: str) -> re.Pattern[str]:
    """Return the words of a list of `ride_cues.toml`."""
    words = _words()[name]
    latin = "|".join(one for one in words if one.isascii() or (one[0].isalpha() and one[0] < "ɏ"))
    other = "|".join(one for one in words if not (one[0].isascii() or one[0] < "ɏ"))
    return re.compile(rf"\b(?:{latin})\b" + (f"|{other}" if other else ""), re.IGNORECASE)


def stands_before(name: str, text: str, end: int) -> bool:
    """Whether a cue stands right before a place."""
    near = text[max(0, end - _NEAR) : end]
    found = list(cues(name).finditer(near))
    behind = r"[\s:,]*(?:the|der|die|das|den|dem)?\s*"
    return bool(found) and re.fullmatch(behind, near[found[-1].end() :], re.IGNORECASE) is not None
