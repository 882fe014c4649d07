"""Facts and documents of a profile: taken into its stores, listed, and taken out again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from groundwire.errors import ConfigurationError, InputError, NotFoundError, UnavailableError
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import FactWriter
from groundwire.metrics.facts.reading import HeldDocument
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.narrative.store import NarrativeStore
from groundwire.metrics.profile import Profile

Progress = Callable[[str, int, int], None]


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


@dataclass(frozen=True, slots=True)
class _Taking:
    """A store to which whatever is imported has come with a profile."""

    store: SqliteFacts
    origin: str

    def writer(self) -> FactWriter:
        return self.store.writer(self.origin)

    def documents(self) -> Sequence[HeldDocument]:
        return self.store.documents()


def take_in_facts(
    owner: Owner, store: SqliteFacts, today: date, progress: Progress | None
) -> tuple[str, ...]:
    """Import the facts that a profile names, and remove those that came with it before.

    What a user imported stays, and so does what was known before a file changed.

    Args:
        owner: the profile.
        store: where facts go.
        today: the day of the import, for sources that have no date.
        progress: told the kind of work, how much is done and how much there is.

    Returns:
        what could not be imported, one line each.

    Raises:
        UnavailableError: the store cannot be read, or what changed cannot be written to it.
    """
    before = [one.origin for one in store.documents()]
    problems = _import_missing(owner, store, today, progress)
    gone = owner.gone(before, [source.file for source in owner.profile.sources])
    # After the import, so that facts of a file that was renamed are there all the time.
    for origin in gone:
        store.withdraw(origin)
    if gone and problems:
        # A unit that only the facts had that are gone is free now.
        problems = _import_missing(owner, store, today, progress)
    return problems


def _import_missing(
    owner: Owner, store: SqliteFacts, today: date, progress: Progress | None
) -> tuple[str, ...]:
    """Import the facts that a profile names and the store does not hold; what could not be."""
    from groundwire.metrics.importing.load import import_file
    from groundwire.metrics.importing.mapping import load_mapping

    problems: list[str] = []
    held = {(one.document.sha256, one.origin) for one in store.documents()}
    for source in owner.profile.sources:
        path, origin = owner.folder / source.file, owner.origin(source.file)
        try:
            sha256 = _sha256(path)
            if held.isdisjoint({(sha256, origin), (sha256, "")}):
                mapping = load_mapping(owner.folder / source.mapping)
                target = _Taking(store, origin)
                import_file(path, mapping, owner.profile, target, progress=progress, today=today)
        except (InputError, ConfigurationError) as error:
            problems.append(f"{source.file}: {error}")
    return tuple(problems)


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
            if _sha256(path) not in held:
                raise
        except (InputError, ConfigurationError) as error:
            problems.append(f"{document.file}: {error}")
    files = [document.file for document in owner.profile.documents]
    for origin in owner.gone((one.origin for one in before), files):
        narrative.withdraw(origin)
    return tuple(problems)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(
            f"it cannot be read ({error.strerror}): correct its entry in the profile"
        ) from error


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
