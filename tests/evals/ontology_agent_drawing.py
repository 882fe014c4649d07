"""Questions drawn at random from a catalogue, each with what it means.

A template says how a question is worded; here are the words that it is made of: names of kinds of
asset, properties and values in the language of the question, figures and dates. Nothing here
knows the rules that read the questions.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from groundwire.ontology.concepts import Concept
from groundwire.ontology.index.model import Domain, Text
from groundwire.ontology.plan import Bounds
from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import split_words
from tests.evals.ontology_drawing import Cond, Ref, branch, truth
from tests.evals.ontology_meaning import Atom, Meaning, none_of, of_search, one_of, within
from tests.evals.ontology_worlds import Place, World

LONGEST = 45
_UNIT_WORDS = {
    "en": {"km": "kilometres", "m": "metres", "s": "seconds", "km/h": "km/h", "B": "bytes"},
    "de": {"km": "Kilometer", "m": "Meter", "s": "Sekunden", "km/h": "km/h", "B": "Bytes"},
}


@dataclass(frozen=True)
class Asked:
    """A question, and the meanings that are right."""

    question: str
    right: frozenset[Meaning]


@dataclass(frozen=True)
class Wording:
    """One way to word a question.

    Attributes:
        kind: what it asks, for the table.
        name: unique.
        language: en or de.
        make: makes a question; None where the draw has nothing for it.
        held_out: whether the rules were written without it.
        unread: whether no rule was mended by it either.
    """

    kind: str
    name: str
    language: str
    make: Callable[[Words], Asked | None]
    held_out: bool = False
    unread: bool = False


def plural(noun: str, language: str) -> str:
    """A plural that a person might write."""
    if language == "en":
        if noun.endswith("y") and noun[-2:-1] not in "aeiou":
            return noun[:-1] + "ies"
        return noun if noun.endswith("s") else noun + "s"
    for end, more in (("ung", "ungen"), ("io", "ien"), ("e", "en"), ("ell", "elle")):
        if noun.endswith(end):
            return noun[: len(noun) - len(end)] + more
    return noun


@dataclass
class Words:
    """Random words of one world in one language."""

    world: World
    rng: random.Random
    language: str
    _names: dict[str, dict[str, int]] = field(default_factory=dict)

    # Names

    def domain(self) -> Domain:
        return self.rng.choice(self.world.assets)

    def noun(self, domain: Domain) -> str:
        """One of the names of a kind of asset, in the singular."""
        found = self._in_language(domain.labels)
        names = [text for text in found if _speakable(text) and "definition" not in text]
        return self.rng.choice(names[:3]) if names else domain.name.replace("-", " ")

    def many(self, domain: Domain) -> str:
        return plural(self.noun(domain), self.language)

    def called(self, place: Place) -> str | None:
        """A name of a property that names it alone in its domain."""
        forms = self.world.properties[place.domain.name]
        spoken = " ".join(split_words(place.prop.local_name).plain)
        names = [*self._in_language(place.prop.labels), *self._lacking(place, spoken)]
        fit = [name for name in names if _speakable(name) and forms.names(name, place.prop.key)]
        return self.rng.choice(fit[:2]) if fit else None

    def _lacking(self, place: Place, spoken: str) -> list[str]:
        """The local name, where the language has no label."""
        return [] if self._in_language(place.prop.labels) else [spoken]

    def _in_language(self, texts: Sequence[Text]) -> list[str]:
        return [text.value for text in texts if text.language == self.language]

    def said(self, place: Place, concept: Concept, *, alone: bool = False) -> str | None:
        """A form of a value that a person might type; `alone`: which no other property has."""
        names = [*self._in_language(concept.names), concept.label]
        fit = [
            name
            for name in names
            if _speakable(name)
            and place.forms.names(name, concept.key)
            and not (alone and (self._owners(place.domain).get(fold(name)) != 1 or _figure(name)))
        ]
        return self.rng.choice(fit[:2]) if fit else None

    def _owners(self, domain: Domain) -> dict[str, int]:
        """How many names of properties and values of a domain fold to a text."""
        if domain.name not in self._names:
            found: dict[str, int] = defaultdict(int)
            for place in self.world.places:
                if place.domain is domain:
                    for form in place.forms.folded():
                        found[form] += 1
                    for form in (place.prop.local_name, *(t.value for t in place.prop.labels)):
                        found[fold(form)] += 1
            self._names[domain.name] = found
        return self._names[domain.name]

    # What there is

    def place(self, kind: str, domain: Domain | None = None, *used: Place) -> Place | None:
        """A property of a kind that people ask about: with values that are listed or few."""
        found = [
            place
            for place in self.world.places
            if place.kind == kind
            and (domain is None or place.domain is domain)
            and (kind != "term" or (place.controlled and len(place.concepts) > 1))
            and all(place.prop.key != other.prop.key for other in used)
        ]
        return self.rng.choice(found) if found else None

    def reference(self, domain: Domain) -> Domain | None:
        """A kind of asset that this one refers to by a declared connection."""
        ways = self.world.connected[domain.name]
        found = [o for o in self.world.assets if ways.get(o.name) and o is not domain]
        return self.rng.choice(found) if found else None

    def values(
        self, place: Place, number: int, *, alone: bool = False
    ) -> list[tuple[Concept, str]] | None:
        """Different values of a property, each with a form of it."""
        concepts = list(place.concepts)
        self.rng.shuffle(concepts)
        found: list[tuple[Concept, str]] = []
        for concept in concepts[:20]:
            text = self.said(place, concept, alone=alone)
            if text and all(fold(text) != fold(other) for _, other in found):
                found.append((concept, text))
            if len(found) == number:
                return found
        return None

    def number(self) -> tuple[str, str]:
        """A figure as it is read, and as it is written."""
        if self.rng.random() < 0.2:
            plain = f"{self.rng.randint(1, 80)}.5"
            return plain, plain.replace(".", ",") if self.language == "de" else plain
        plain = str(self.rng.randint(2, 400))
        return plain, plain

    def unit(self, place: Place) -> str:
        """The unit of a property with a space before it, or nothing."""
        if not place.prop.unit or place.prop.unit == "°" or self.rng.random() < 0.2:
            return ""
        word = _UNIT_WORDS[self.language].get(place.prop.unit, place.prop.unit)
        return f" {self.rng.choice((word, place.prop.unit))}"

    def day(self) -> date:
        return date(2020, 1, 1) + timedelta(days=self.rng.randrange(2000))

    # What it means

    def term(self, place: Place, *concepts: Concept) -> Cond:
        return self._cond(place, one_of(*_terms(concepts)))

    def all_terms(self, place: Place, *concepts: Concept) -> Cond:
        return self._cond(place, *(one_of(*_terms([concept])) for concept in concepts))

    def no_term(self, place: Place, *concepts: Concept) -> Cond:
        return self._cond(place, none_of(*_terms(concepts)))

    def exists(self, place: Place, said: bool) -> Cond:
        return self._cond(place, ("exists", said))

    def true(self, place: Place, said: bool) -> Cond:
        return self._cond(place, truth(said))

    def bounds(
        self, place: Place, low: str | None, high: str | None, *, open_: bool = False
    ) -> Cond:
        temporal = place.kind == "date"
        limits = Bounds(low, high, open_ and low is not None, open_ and high is not None, temporal)
        return self._cond(place, within(limits))

    def _cond(self, place: Place, *atoms: Atom) -> Cond:
        return Cond(place, "", None, atoms)


def asked(question: str, domain: Domain, *conds: Cond, refs: Sequence[Ref] = ()) -> Asked:
    """A question with its one meaning."""
    return either(question, of_search(branch(domain, conds, refs)))


def either(question: str, *right: Meaning) -> Asked:
    """A question with all meanings that are right."""
    return Asked(question, frozenset(right))


def _terms(concepts: Sequence[Concept]) -> list:  # type: ignore[type-arg]
    return [term for concept in concepts for term in concept.terms]


def _speakable(text: str) -> bool:
    return "://" not in text and ":" not in text and "," not in text and 1 < len(text) <= LONGEST


def _figure(text: str) -> bool:
    return text.replace(".", "").isdigit()
