"""Kinds of entities of which none holds another, and so all together make the whole."""

from __future__ import annotations

import re
from functools import cache

from groundwire.metrics.intent.derivations import WHOLES
from groundwire.metrics.profile import Profile

_MOST_ADDED = 40


def parts_of_whole(profile: Profile, kind: str) -> tuple[str, ...]:
    """Return the entities of a kind that make a whole together; none where one is the whole."""
    own = [one for one in profile.entities if one.kind == kind]
    if profile.kinds[kind].home or not 2 <= len(own) <= _MOST_ADDED:
        return ()
    is_deep = any(one.parent or one.parents for one in own) or any(
        whole_words("whole").search(f" {name} ") for one in own for name in (one.name, *one.aliases)
    )
    return () if is_deep else tuple(one.code for one in own)


@cache
def whole_words(name: str) -> re.Pattern[str]:
    """Return the pattern of some words, in any of the languages."""
    said = [one for language in WHOLES[name].values() for one in language]
    parts = [
        re.escape(one) if ord(one[0]) > 0x2E80 else rf"\b{re.escape(one)}\b"
        for one in sorted(said, key=len, reverse=True)
    ]
    return re.compile("|".join(parts), re.IGNORECASE)
