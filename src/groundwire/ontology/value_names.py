"""Names of a property's values in statements, looked up once and kept with its vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.records import Names
from groundwire.evidence.statement_names import by_language, names_of
from groundwire.graph.terms import Term
from groundwire.ontology.codelists import code_labels
from groundwire.ontology.concepts import Concept, Values
from groundwire.ontology.demonyms import adjectives
from groundwire.ontology.index.model import Property, Text, local_name

_LANGUAGES = ("en", "de", "zh")
_MOST_OWN = 10
# Of codes of countries; see `codelists`.
_CODE_LENGTH = 2


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


def declared_labels(prop: Property | None, term: Term) -> list[Text]:
    """Return what the shapes call a value of a property."""
    entries = (*prop.enum, *prop.individuals) if prop is not None else ()
    return [text for one in entries if one.term.value == term.value for text in one.labels]


def declared_names(prop: Property | None, term: Term) -> Names:
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
