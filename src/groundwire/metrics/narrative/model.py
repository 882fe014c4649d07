"""Types of the narrative store: documents, the scope of a search, and passages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class NarrativeDocument:
    """A document whose paragraphs may be quoted.

    Attributes:
        name: what answers call it; unique in a store.
        title: its title for people.
        sha256: hash of its file, hexadecimal.
        entity: code of the entity that it is about, or "".
        period: first and last day that it is about, or None.
        sensitivity: one of the profile's levels.
        dated: its own date, or None.
    """

    name: str
    title: str
    sha256: str
    entity: str
    period: Days | None
    sensitivity: str
    dated: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument(NarrativeDocument):
    """A document as the store holds it.

    Attributes:
        imported: day of its import.
        chunks: how many chunks it was cut to.
        origin: which profile and file it came with; "" where a user imported it.
    """

    imported: date
    chunks: int
    origin: str


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a search. Nothing that a question says goes in here unchecked.

    Attributes:
        allowed: levels whose documents may be quoted; all others are withheld.
        entities: codes of entities, one of which the document is about; empty for any document,
            and with "" among them also documents about none.
        period: days, some of which the document is about; None for any document. A document
            without a period is about no certain days.
    """

    allowed: frozenset[str]
    entities: frozenset[str] = frozenset()
    period: Days | None = None


class Passage(NamedTuple):
    """A quotation that was found.

    Attributes:
        text: as it stands in the document.
        doc: name of the document.
        title: title of the document.
        locator: where in the document it stands.
        score: greater is better; only good for ordering the passages of one search.
        entity: code of the entity that the document is about, or "".
        period: first and last day that the document is about, or None.
        sensitivity: level of the document.
        key: number of the chunk in its store, never used for another.
    """

    text: str
    doc: str
    title: str
    locator: str
    score: float
    entity: str
    period: Days | None
    sensitivity: str
    key: int
