"""Taking a narrative document into the store, with its level, entity and period checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from groundwire.documents.blocks import Progress
from groundwire.documents.bounds import read_bytes
from groundwire.documents.reading import read
from groundwire.errors import InputError
from groundwire.metrics.narrative.store import Days, NarrativeDocument, NarrativeStore
from groundwire.metrics.profile import Profile, Sensitivity
from groundwire.quantities.periods import CALENDAR_YEAR

_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """The fate of one document of an import.

    Attributes:
        document: as the store holds it now.
        chunks: chunks that were added; 0 if the store held the document already.
        characters: characters of text that were read.
        notes: what was assumed or could not be read, for people.
    """

    document: NarrativeDocument
    chunks: int
    characters: int
    notes: tuple[str, ...]


def import_document(
    path: Path,
    store: NarrativeStore,
    profile: Profile,
    *,
    title: str = "",
    entity: str = "",
    period_text: str = "",
    sensitivity: str = "",
    today: date,
    name: str = "",
    origin: str = "",
    progress: Progress | None = None,
) -> DocumentReport:
    """Read a document and take it into a store, all of it or nothing.

    What is not given here is taken from the front matter of a Markdown file (title, entity,
    period, sensitivity). Of two sensitivities the stricter one holds.

    Args:
        path: the file.
        store: where it goes.
        profile: whose levels and entities there are.
        title: its title for people; empty takes the name.
        entity: code of the entity that it is about, or empty.
        period_text: the period that it is about, as people write it, or empty.
        sensitivity: a level of the profile; empty takes the profile's default.
        today: the day of the import.
        name: what answers call it, unique in the store; empty takes the file's name.
        origin: which profile and file it comes with; "" where a user imports it.
        progress: told of the name of the file, pages read, of how many.

    Raises:
        InputError: the level, entity or period is unknown, or the file cannot be read.
        LimitError: the file is too large.
        ConfigurationError: the package that reads its format is not installed.
        UnavailableError: the store cannot be written.
    """
    # What was given is checked first: a large file is not read for nothing.
    level = _read_level(sensitivity, profile.sensitivity) if sensitivity else ""
    code = _entity(entity, profile)
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    reading = read(path, progress)
    front = dict(reading.front)
    notes = list(reading.notes)
    code = code or _entity(front.get("entity", ""), profile)
    document = NarrativeDocument(
        name=name or path.name,
        title=title or front.get("title", "") or name or path.name,
        sha256=digest,
        entity=code,
        period=_period(period_text or front.get("period", ""), code, profile, today, notes),
        sensitivity=_level(level, front.get("sensitivity"), path, profile, notes),
        dated=None,
    )
    notes += _twins(document, store)
    chunks = store.add(document, reading.blocks, imported=today, origin=origin)
    characters = sum(len(block.text) for block in reading.blocks)
    return DocumentReport(document, chunks, characters, tuple(notes))


def _level(given: str, own: str | None, path: Path, profile: Profile, notes: list[str]) -> str:
    """The level of a document, by what was given and what it says of itself."""
    if own is None:
        return given or profile.sensitivity.default
    try:
        level = _read_level(own, profile.sensitivity)
    except InputError as error:
        raise InputError(f"The front matter of {path.name}: {error}") from error
    if not given or given == level:
        return level
    strict = stricter(given, level, profile.sensitivity)
    notes.append(f"its front matter says {level}, {given} was given: {strict} holds")
    return strict


def _entity(code: str, profile: Profile) -> str:
    """The code of an entity, in the profile's spelling."""
    if not code:
        return ""
    for known in profile.entity_by_code:
        if known.casefold() == code.strip().casefold():
            return known
    codes = list(profile.entity_by_code)
    more = ", ..." if len(codes) > _MOST_NAMED else ""
    raise InputError(
        f"No such entity as {code[:80]!r}: use a code of the profile, such as "
        f"{', '.join(codes[:_MOST_NAMED])}{more}, or none"
    )


def _period(text: str, entity: str, profile: Profile, today: date, notes: list[str]) -> Days | None:
    """First and last day of a period, by the calendar of the entity that it is about."""
    if not text.strip():
        return None
    from groundwire.quantities.period_grammar import read_period

    expression = read_period(text)
    if expression is not None:
        calendar = profile.calendar_of[entity] if entity else CALENDAR_YEAR
        reading = expression.on(calendar, today)
        if reading.periods and reading.kind in ("single", "several"):
            if reading.note:
                notes.append(reading.note)
            return reading.periods[0].start, reading.periods[-1].end
    raise InputError(
        f"The period {text[:80]!r} cannot be read: write a year, half, quarter or month, "
        "such as FY2024, 2024Q3 or 2024-03, or a range of them"
    )


def _twins(document: NarrativeDocument, store: NarrativeStore) -> list[str]:
    """Notes of the same file under another name at another level: one of them may be wrong."""
    return [
        f"the same file is held as {other.name} with sensitivity {other.sensitivity}"
        for other in store.documents()
        if other.sha256 == document.sha256
        and other.name != document.name
        and other.sensitivity != document.sensitivity
    ]


def _read_level(raw: str, sensitivity: Sensitivity) -> str:
    """The level that a document's owner named; case does not matter.

    Raises:
        InputError: the profile has no such level.
    """
    for level in sensitivity.levels:
        if level.casefold() == raw.strip().casefold():
            return level
    raise InputError(
        f"No such sensitivity as {raw[:80]!r}: use one of {', '.join(sensitivity.levels)}"
    )


def stricter(one: str, other: str, sensitivity: Sensitivity) -> str:
    """The stricter of two levels: one that is withheld, else the later of the profile's list."""

    def strictness(level: str) -> tuple[bool, int]:
        return level in sensitivity.withheld, sensitivity.levels.index(level)

    return max(one, other, key=strictness)
