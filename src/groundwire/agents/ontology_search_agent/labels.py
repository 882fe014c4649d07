"""Labels of kinds, properties and values for a person, in the language of the question.

The catalogue's own names are shown where they exist in that language. A key or a value without a
label stays as it is, and so do codes that people know as codes: licences, formats, versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.language.places import country_name
from groundwire.ontology.terms import DomainTerm, Name, PropertyTerm, ValueTerm

# A value that is no text for a person: a CURIE or IRI, or the code of a country.
_CODED = re.compile(r"\w[\w-]*:\S+|[A-Z]{2}")
_WORDS = re.compile(r"[a-z][a-z-]+")


class Labels:
    """The labels of one catalogue in one language."""

    def __init__(self, vocabulary: QuestionVocabulary | None, language: str) -> None:
        """Take the names of a catalogue.

        Args:
            vocabulary: of the catalogue; without one every name stays as it is.
            language: two letters.
        """
        self._vocabulary = vocabulary
        self._language = language

    def kind(self, name: str) -> str:
        """Return the label of a kind of asset."""
        domain = self._vocabulary.domains.get(name) if self._vocabulary else None
        return self._label(domain.names) or name if domain else name

    def property(self, key: str, kinds: Iterable[str] = ()) -> str:
        """Return the label of a property that assets of some kinds have."""
        for domain, term in self._terms(key, kinds):
            # Several properties may share a name, such as a release date: its own name is clearer.
            others = [one for one in domain.properties if one.key != key]
            shared = {name.text for one in others for name in one.names}
            own = [name for name in term.names if name.text not in shared]
            return self._label(own) or self._label(term.names) or key
        return key

    def value(self, value: str, key: str, kinds: Iterable[str] = ()) -> str:
        """Return the label of a value of a property."""
        coded = _CODED.fullmatch(value) is not None
        spoken = self._language != "en" and _WORDS.fullmatch(value) is not None
        if not self._vocabulary or not (coded or spoken):
            return value
        for _, term in self._terms(key, kinds):
            held = self._vocabulary.terms.values[term.values] if term.values is not None else ()
            for one in held:
                if one.label == value:
                    return self._country(one) or self._label(one.names) or value
        return value

    def values(self, text: str, key: str, kinds: Iterable[str] = ()) -> str:
        """Return the values of a list, divided by commas, with their labels."""
        chosen = list(kinds)
        return ", ".join(self.value(one, key, chosen) for one in text.split(", "))

    def suggestion(self, text: str) -> str:
        """Return a suggestion, such as `timeOfDay="core:Day"`, with labels."""
        kind, dot, rest = text.partition(".")
        kinds = [kind] if dot and self._vocabulary and kind in self._vocabulary.domains else []
        key, sign, value = (rest if kinds else text).partition("=")
        named = self.property(key, kinds)
        if sign:
            bare = value.strip('"')
            return f'{named}: "{self.value(bare, key, kinds)}"'
        return f"{named} ({self.kind(kind)})" if kinds else named

    def _country(self, value: ValueTerm) -> str:
        """Return the usual name of the country whose code a value is, or empty."""
        names = {name.text for name in value.names}
        if len(value.label) != 2 or country_name(value.label, "en") not in names:
            return ""
        return country_name(value.label, self._language)

    def _label(self, names: Sequence[Name]) -> str:
        """Return the first name in the language, else in English, else nothing."""
        for language in (self._language, "en"):
            for name in names:
                if name.language == language:
                    return name.text
        return ""

    def _terms(self, key: str, kinds: Iterable[str]) -> Iterator[tuple[DomainTerm, PropertyTerm]]:
        if self._vocabulary is None:
            return
        chosen = set(kinds)
        for domain in self._vocabulary.terms.domains:
            if not chosen or domain.name in chosen:
                yield from ((domain, prop) for prop in domain.properties if prop.key == key)
