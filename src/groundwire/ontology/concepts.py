"""The values of a property: each in all its forms and with its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from groundwire.evidence.records import Names
from groundwire.evidence.statement_names import by_language, names_of
from groundwire.graph.terms import RDF_LANG_STRING, XSD, XSD_STRING
from groundwire.graph.terms import Term as RdfTerm
from groundwire.language.demonyms import adjectives
from groundwire.ontology.codelists import code_labels
from groundwire.ontology.index.model import EnumValue, Property, Text, local_name
from groundwire.ontology.observed import ObservedValues
from groundwire.vocabulary import Term, Vocabulary

_TEXT = frozenset({XSD_STRING, RDF_LANG_STRING, XSD + "anyURI"})
_LANGUAGES = ("en", "de", "zh")
_MOST_OWN = 10
# Of codes of countries; see `codelists`.
_CODE_LENGTH = 2


class Concept(NamedTuple):
    """One value of a property, in all the forms that it is declared and stored in.

    Attributes:
        key: unique among the values of the property.
        label: the text to show and to send: the declared text, or the commonest stored one; an
            IRI's CURIE where one is declared, else the IRI.
        declared: the term of the shapes, or None.
        stored: the terms found in assets.
        conditional: the shapes declare it under a condition only.
        statements: how many statements hold it, 0 where none does or nobody counted.
        names: labels in every language.
    """

    key: str
    label: str
    declared: RdfTerm | None
    stored: tuple[RdfTerm, ...]
    conditional: bool
    statements: int
    names: tuple[Text, ...]

    @property
    def terms(self) -> tuple[RdfTerm, ...]:
        """The terms to search for: those stored, or the declared one where none is."""
        return self.stored or ((self.declared,) if self.declared else ())

    @property
    def variants(self) -> tuple[str, ...]:
        """Stored texts that differ from the label."""
        if self.stored and self.stored[0].kind == "iri":
            return ()
        return tuple(dict.fromkeys(term.value for term in self.stored if term.value != self.label))


class Values(NamedTuple):
    """The values of one property.

    Attributes:
        concepts: by key, declared ones first, then by number of statements.
        vocabulary: resolves a raw value to a concept's key.
        observed: what is stored.
        closed: a value that is not among the concepts is surely in no asset.
    """

    concepts: Mapping[str, Concept]
    vocabulary: Vocabulary
    observed: ObservedValues
    closed: bool


def is_term(values: Values) -> bool:
    """Names, codes and labels are looked up by value; numbers, dates and booleans are not."""
    return set(values.observed.datatypes) <= _TEXT


def forms_of(concept: Concept) -> tuple[str, ...]:
    """Every text that a value is written as."""
    names = (concept.label, *texts_of(concept.names), *concept.variants)
    return (*names, local_name(concept.key)) if ":" in concept.key else names


def declared_values(prop: Property) -> list[EnumValue]:
    """Enumerated values, demanded values and named individuals, each once."""
    entries = {entry.term.value: entry for entry in reversed((*prop.enum, *prop.individuals))}
    for term in prop.has_values:
        entries.setdefault(term.value, EnumValue(term))
    ordered = [entry.term.value for entry in (*prop.enum, *prop.individuals)]
    return [entries[value] for value in distinct([*ordered, *entries])]


def value_term(concept: Concept, codes: tuple[Text, ...]) -> Term:
    """A value as a term of its vocabulary; `codes` are what its code stands for."""
    names = [*texts_of(concept.names), *texts_of(codes), *concept.variants]
    if concept.terms and concept.terms[0].kind == "iri":
        names = [concept.key, local_name(concept.key), *names]
    return Term(concept.key, concept.label, tuple(distinct(names)))


def texts_of(texts: Iterable[Text]) -> list[str]:
    """The texts without their languages."""
    return [text.value for text in texts]


def distinct(values: Iterable[str]) -> list[str]:
    """The values that are not empty, each once, in their order."""
    return list(dict.fromkeys(value for value in values if value))


class ValueNames:
    """The names of the values of one property.

    Attributes:
        values: the values; names are those of these, and of none that are read later.
    """

    def __init__(self, values: Values) -> None:
        """Name no value yet."""
        self.values = values
        self._by_text: dict[str, Concept] = {}
        for concept in values.concepts.values():
            for text in (*(term.value for term in concept.terms), concept.label):
                self._by_text[text] = concept
        self._names: dict[str, Names] = {}

    def of(self, text: str) -> Names:
        """Return what the value of this text, label or IRI is called; nothing for another text."""
        concept = self._by_text.get(text)
        if concept is None:
            return ()
        found = self._names.get(concept.key)
        if found is None:
            found = self._names[concept.key] = _concept_names(concept)
        return found

    def of_unstored(self, prop: Property, code: str) -> Names:
        """Return what a code that no asset has stands for, such as a country nothing is of."""
        labels = [one.label for one in self.values.concepts.values()]
        spoken = _spoken(code_labels(prop, [*labels, code]).get(code, ()))
        return names_of(code, *spoken, *demonyms(code, spoken))


def declared_labels(prop: Property | None, term: RdfTerm) -> list[Text]:
    """Return what the shapes call a value of a property."""
    entries = (*prop.enum, *prop.individuals) if prop is not None else ()
    return [text for one in entries if one.term.value == term.value for text in one.labels]


def declared_names(prop: Property | None, term: RdfTerm) -> Names:
    """Return what a literal is called as the shapes declare it, and its unit, without a look-up."""
    texts = by_language(declared_labels(prop, term))
    unit = None
    if prop is not None:
        if not texts and len(term.value) == _CODE_LENGTH:
            texts = _spoken(code_labels(prop, [term.value]).get(term.value, ()))
        unit = f"{term.value} {prop.unit}" if prop.unit else None
    return names_of(term.value, unit, *texts, *demonyms(term.value, texts))


def demonyms(label: str, names: Sequence[str]) -> list[str]:
    """Return the adjectives of the country that a value stands for; none for other values."""
    return [one.text for one in adjectives(label, names)]


def _concept_names(concept: Concept) -> Names:
    own = [concept.label, *by_language(concept.names), *concept.variants]
    if concept.terms and concept.terms[0].kind == "iri":
        own += [local_name(concept.key), concept.key]
    adjective = demonyms(concept.label, own)
    return names_of(*own[:_MOST_OWN], *adjective, *own[_MOST_OWN:])


def _spoken(texts: Sequence[Text]) -> list[str]:
    return by_language(text for text in texts if text.language in _LANGUAGES)
