"""Which way a sentence says that something went: up or down."""

from __future__ import annotations

from functools import lru_cache

from groundwire.evidence.claims.operators import operator


@lru_cache(maxsize=1_024)
def direction(text: str) -> int:
    """Which way a text goes, names left out: 1 up or more, -1 down or less, 0 neither or both."""
    # Verbs and nouns of change come first; "over", "under" and comparatives count without them.
    for up, down in (("rises", "falls"), ("more", "less")):
        rises = operator(up).search(text) is not None
        falls = operator(down).search(text) is not None
        if rises or falls:
            return rises - falls
    return 0
