"""Why a query is not run, and what to write instead. Standard library only."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_FEW = 20


class Refused(Exception):
    """The query is not run; the text says why, and what to send instead."""


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
