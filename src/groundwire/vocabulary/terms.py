"""Terms of a controlled vocabulary, and what became of a raw term."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

How = Literal["exact", "folded", "alias", "corrected", "ambiguous", "unknown"]
Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Term:
    """One controlled term.

    Attributes:
        id: what the caller knows it by: an IRI, a code, or the value itself.
        label: its main written form.
        aliases: other written forms: alternative labels, labels in other languages, synonyms.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that may have been meant.

    Attributes:
        term: the term.
        score: likeness in (0, 1]; only good for ordering.
        label_matched: the written form (label, alias or id) that is alike.
    """

    term: Term
    score: float
    label_matched: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """The resolution of a raw term.

    Attributes:
        raw: what was sent.
        how: the step that decided. `exact`, `folded`, `alias` and `corrected` have a term.
        term: the term to use, or None.
        score: 1.0 for exact, folded and alias; the likeness of a corrected term; else 0.0.
        candidates: best first. The tied terms when ambiguous, suggestions when unknown.
        changed: the words that a correction replaced, as (sent, used).
    """

    raw: str
    how: How
    term: Term | None = None
    score: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()

    @property
    def confidence(self) -> Confidence:
        """`high` if nothing but spelling was folded, `medium` if corrected, else `low`."""
        if self.how in ("exact", "folded", "alias"):
            return "high"
        return "medium" if self.how == "corrected" else "low"


class Policy(Enum):
    """When a near match may be used in place of what was sent."""

    CANDIDATES_ONLY = "candidates_only"
    """Never: likeness alone turns Ireland into Iceland. Metrics, entities, channels."""

    WORDWISE = "wordwise"
    """Word by word, and never for a word that exists. Property names, values, modes."""

    SINGLE_EDIT = "single_edit"
    """When it is the only one alike and one edit away. Names of places."""
