"""Fragments of every refusal: one line, the nearest known name, what was sent."""

from __future__ import annotations

import json
from collections.abc import Iterable

SHOWN_CHARACTERS = 60


def one_line(text: str) -> str:
    """`text` with every run of white space, line ends among them, as one space."""
    return " ".join(text.split())


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` was most likely meant to be, or None."""
    import difflib

    names = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=0.6)
    if found:
        return names[found[0]]
    contained = [name for fold, name in names.items() if len(fold) > 2 and fold in word.casefold()]
    return max(contained, key=len, default=None)


def quoted(value: object) -> str:
    """Return what was sent, as short JSON; control characters stay escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = type(value).__name__
    return cut(text)


def cut(text: str) -> str:
    """A text as one line of at most `SHOWN_CHARACTERS`."""
    text = one_line(text)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
