"""Facts and documents of a profile: listed, and taken out again; its documents taken in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from groundwire.errors import ConfigurationError, InputError, NotFoundError, UnavailableError
from groundwire.metrics.factbase import State
from groundwire.metrics.narrative.store import NarrativeStore
from groundwire.metrics.profile import Profile


@dataclass(frozen=True, slots=True)
class Owner:
    """The profile that documents come with.

    Attributes:
        profile: the profile.
        folder: what its files are relative to.
        mark: what tells it from every other profile.
    """

    profile: Profile
    folder: Path
    mark: str

    def origin(self, file: str) -> str:
        """Return the origin by which a store knows the documents of one of its files."""
        return f"{self.mark}/{file}"

    def gone(self, held: Iterable[str], files: Collection[str]) -> list[str]:
        """Origins that are of this profile, whose files it no longer names."""
        named = set(map(self.origin, files))
        own = (one for one in held if one.startswith(f"{self.mark}/"))
        return [one for one in dict.fromkeys(own) if one not in named]


def take_in_documents(owner: Owner, narrative: NarrativeStore, today: date) -> tuple[str, ...]:
    """Import the documents that a profile names, each with the level that it has now.

    Those that came with it before and that it no longer names are removed; what a user imported
    stays.

    Args:
        owner: the profile.
        narrative: where documents go.
        today: the day of the import.

    Returns:
        what could not be imported, one line each.

    Raises:
        UnavailableError: the store cannot be read, or what changed cannot be written to it.
    """
    from groundwire.metrics.importing.load import sha256_of
    from groundwire.metrics.narrative.ingest import import_document

    problems: list[str] = []
    before = narrative.documents()
    held = {document.sha256 for document in before}
    for document in owner.profile.documents:
        path = owner.folder / document.file
        try:
            import_document(
                path,
                narrative,
                owner.profile,
                title=document.title,
                entity=document.entity,
                period_text=document.period,
                sensitivity=document.sensitivity,
                today=today,
                origin=owner.origin(document.file),
            )
        except UnavailableError:
            if sha256_of(path) not in held:
                raise
        except (InputError, ConfigurationError) as error:
            problems.append(f"{document.file}: {error}")
    files = [document.file for document in owner.profile.documents]
    for origin in owner.gone((one.origin for one in before), files):
        narrative.withdraw(origin)
    return tuple(problems)


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
