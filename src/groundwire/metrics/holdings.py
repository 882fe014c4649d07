"""The documents that a fact base holds, and taking one out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Literal

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.factbase import State

_MOST_NEAR = 3
_LEAST_LIKENESS = 0.5
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Holding:
    """A document as it is held.

    Attributes:
        name: what answers call it.
        kind: whether it is held as facts, or as passages that may be quoted.
        count: how many facts or passages.
        dated: its own date, or None.
        imported: the day on which it was taken in.
        sensitivity: level of the passages; "" for facts.
        origin: which profile and file it came with; "" where a user imported it.
    """

    name: str
    kind: Literal["facts", "passages"]
    count: int
    dated: date | None
    imported: date
    sensitivity: str
    origin: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much was removed with a document."""

    facts: int
    passages: int


def holdings(state: State) -> list[Holding]:
    """Every document by name, withheld ones too: for who looks after them, not for answers.

    Raises:
        UnavailableError: a store cannot be read.
    """
    held = [
        Holding(
            one.document.name, "facts", one.facts, one.document.dated, one.imported, "", one.origin
        )
        for one in state.store.documents()
    ]
    held += [
        Holding(
            one.name, "passages", one.chunks, one.dated, one.imported, one.sensitivity, one.origin
        )
        for one in state.narrative.documents()
    ]
    return sorted(held, key=lambda one: (one.name.casefold(), one.name, one.kind, one.imported))


def forget(state: State, name: str, mark: str) -> Forgotten:
    """Remove what is held of a document: its facts and its passages.

    Args:
        state: the fact base.
        name: what answers call it.
        mark: what tells the profile from every other; what comes with it would be taken in again.

    Raises:
        NotFoundError: nothing of this name is held; the message has the nearest names.
        InputError: it comes with the profile.
        UnavailableError: a store cannot be written.
    """
    every = holdings(state)
    some = [one for one in every if one.name == name]
    if not some:
        raise NotFoundError(f'No document is held as "{name[:_SHOWN]}": {_instead(name, every)}.')
    for one in some:
        owner, _, file = one.origin.partition("/")
        if owner == mark:
            raise InputError(
                f"{name} comes with the profile and would be taken in again: remove the entry of "
                f"{file} from the profile, and it is gone."
            )
    facts = state.store.forget(name) if any(one.kind == "facts" for one in some) else 0
    passages = [one.count for one in some if one.kind == "passages"]
    if passages:
        state.narrative.remove(name)
    return Forgotten(facts, sum(passages))


def _instead(name: str, held: Sequence[Holding]) -> str:
    """Return terms to send in place of a name that stands for nothing."""
    names = {one.name.casefold(): one.name for one in held}
    near = get_close_matches(name.casefold(), names, n=_MOST_NEAR, cutoff=_LEAST_LIKENESS)
    if near:
        return f"did you mean {' or '.join(names[one][:_SHOWN] for one in near)}"
    return "`groundwire metrics documents` lists all"
