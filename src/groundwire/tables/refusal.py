"""Why a query is not run, and what to write instead. Standard library only."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from groundwire.tables.bounds import MAX_QUERY

_FEW = 20


class Refused(Exception):
    """The query is not run; the text says why, and what to send instead."""


def unfit(text: str) -> str:
    """Return the reason to refuse a text before it is parsed; "" where a parser should see it."""
    if not text.strip():
        return "The query is empty: send one SELECT statement."
    if len(text) > MAX_QUERY:
        return f"The query has {len(text)} characters and at most {MAX_QUERY} are read: shorten it."
    if "\0" in text:
        return "The query holds a NUL character: remove it."
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "The query holds half of a surrogate pair: remove it."
    return ""


def instead(name: str, known: Iterable[str]) -> str:
    """Say what to write for an unknown name: the nearest, or what there is."""
    names = sorted(known)
    folded = {known.rpartition(".")[2]: known for known in names}
    near = difflib.get_close_matches(name.lower().rpartition(".")[2], folded, n=3, cutoff=0.7)
    if near:
        return "did you mean " + ", ".join(folded[match] for match in near) + "?"
    if not names:
        return "there are none."
    if len(names) <= _FEW:
        return "there are " + ", ".join(names) + "."
    return "leave it out."
