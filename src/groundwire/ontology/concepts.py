"""The values of a property: each in all its forms, as declared, as stored, and as it is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from groundwire.graph.terms import RDF_LANG_STRING, XSD, XSD_STRING
from groundwire.graph.terms import Term as RdfTerm
from groundwire.ontology.index.model import EnumValue, Property, Text, local_name
from groundwire.ontology.observed import ObservedValues
from groundwire.vocabulary import Term, Vocabulary

_TEXT = frozenset({XSD_STRING, RDF_LANG_STRING, XSD + "anyURI"})


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
