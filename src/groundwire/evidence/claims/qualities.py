"""Adjectives that name what they compare by: longer, the most populous, umsatzstärker."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.evidence.claims.explained_words import fields_of
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.operators import operator, quality_tables
from groundwire.evidence.claims.proof import Proof, sense_of
from groundwire.language import Span as Word
from groundwire.language.glossary import is_called
from groundwire.vocabulary.fold import fold_word

_NO_NAMES = frozenset[str]()
AREA = "area"
_COMPARES = re.compile(r"\b(?:als|than)\b|比")
_JOINS = re.compile(r"[,;，；]|\b(?:and|but|while|und|aber|während)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quality:
    """Tell what an adjective compares by.

    Attributes:
        way: "most" where the greatest value comes first, "least" where the smallest does.
        names: keys of the properties that it is judged by; empty where it says none of them.
        dimensions: dimensions of the units of any other property that it is judged by.
        noun: a noun that names the property within the adjective, folded; or "".
    """

    way: str
    names: frozenset[str] = _NO_NAMES
    dimensions: frozenset[str] = _NO_NAMES
    noun: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether the adjective itself says by what it compares."""
        return bool(self.names or self.noun)

    def measures(self, names: frozenset[str], words: frozenset[str] = _NO_NAMES) -> bool:
        """Return whether a property is what the adjective compares by.

        Args:
            names: its keys.
            words: other words by which it is called.
        """
        if not self.is_measured:
            return True
        called = bool(self.noun) and is_called(self.noun, names | words)
        return called or bool(self.names & names)

    def fits(self, proof: Proof) -> Callable[[Fact], bool]:
        """Return a test whether a recorded value is one of what the adjective compares by."""
        return lambda fact: (
            self.measures(fact.names | fields_of(fact), proof.known.words_about(fact))
            or (fact.unit is not None and fact.unit.dimension in self.dimensions)
        )


def quality_of(word: Word) -> Quality:
    """Return what a word compares by; of any other word, its sense and no property."""
    return quality_of_text(word.text.casefold()) or Quality(sense_of(word))


def quality_told(proof: Proof, word: Word) -> Quality:
    """Return what a word compares by in its clause; the size of countries is their area.

    "Larger, with more people" compares areas; "with a larger population" names what it compares.
    """
    quality, context = quality_of(word), proof.context
    whole = context.passage.start, context.passage.end
    if not (operator("sized").search(word.text) and _COMPARES.search(proof.text, *whole)):
        return quality
    start, end = context.clause(word.start)
    cuts = [m.end() for m in _JOINS.finditer(proof.text, start, end)]
    start = max((cut for cut in cuts if cut <= word.start), default=start)
    end = min((cut for cut in cuts if cut > word.start), default=end)
    areas = [f.entities for f in proof.known.facts.numbers() if AREA in f.names]
    held = {a.keys for a in context.entities if any(a.keys & one for one in areas)}
    names = (a for a in context.names if a.keys & proof.known.numeric_names)
    people = (w for w in context.words if w.role and w.role.sense == "person")
    if len(held) < 2 or any(start <= one.start < end for one in (*names, *people)):
        return quality
    return Quality("most" if sense_of(word) == "more" else "least", frozenset((AREA,)))


@lru_cache(maxsize=4_096)
def quality_of_text(text: str) -> Quality | None:
    """Return what an adjective in small letters compares by, or None."""
    text = text.removesuffix(" than").removesuffix(" als")
    of, compounds = quality_tables()
    for key, (way, names, dimensions) in of.items():
        if operator(key).fullmatch(text):
            return Quality(way, names, dimensions)
    compound = _compound().fullmatch(text)
    if compound is None:
        return None
    return Quality(compounds[compound["end"]], noun=fold_word(compound["noun"]))


@cache
def _compound() -> re.Pattern[str]:
    ends = "|".join(quality_tables()[1])
    return re.compile(rf"(?P<noun>\w{{4,24}}?)s?(?P<end>{ends})(?:er|e?s?t)(?:e[nrsm]?)?")
