"""Kinds of entities of which none holds another, and so all together make the whole."""

from __future__ import annotations

import re
from functools import cache

from groundwire.metrics.intent.roles import WHOLES
from groundwire.metrics.profile import Profile

_MOST_ADDED = 40


def parts_of_whole(profile: Profile, kind: str) -> tuple[str, ...]:
    """Return the entities of a kind that make a whole together; none where one is the whole."""
    own = [one for one in profile.entities if one.kind == kind]
    is_flat = not profile.kinds[kind].home and not any(
        one.parent or one.parents or whole_words("whole").search(f" {name} ")
        for one in own
        for name in (one.name, *one.aliases)
    )
    return tuple(one.code for one in own) if is_flat and 2 <= len(own) <= _MOST_ADDED else ()


@cache
def whole_words(name: str) -> re.Pattern[str]:
    """Return the pattern of some words, in any of the languages."""
    said = [one for language in WHOLES[name].values() for one in language]
    parts = [
        re.escape(one) if ord(one[0]) > 0x2E80 else rf"\b{re.escape(one)}\b"
        for one in sorted(said, key=len, reverse=True)
    ]
    return re.compile("|".join(parts), re.IGNORECASE)
