"""The values of a property: each in all its forms, with its names and those of its code.

Source: ISO 3166-1 alpha-2 codes with the names of Unicode CLDR, from the package `babel`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, cast

from groundwire.evidence.answers import by_language, names_of
from groundwire.evidence.records import Names
from groundwire.graph.terms import RDF_LANG_STRING, XSD, XSD_STRING
from groundwire.graph.terms import Term as RdfTerm
from groundwire.language.places import adjectives
from groundwire.ontology.index.model import EnumValue, Property, Text, local_name
from groundwire.ontology.observed import ObservedValues
from groundwire.vocabulary import Policy, Term, Vocabulary, fold

_LANGUAGES_OF_COUNTRIES = ("en", "de", "zh", "fr", "es", "it", "nl", "pl", "pt", "sv", "ja", "ko")
_ALPHA_2 = re.compile(r"[A-Za-z]{2}")
_LIKELY = 0.8
_LONGEST_CODE = 40
# A pattern that matches one of these texts does not describe codes.
_WORDS = ("zqxwv", "Zqxwv", "Zqxwv kjhg", "zqx-wv")
# Short forms in common use that CLDR does not list as territory names.
_COMMON = {
    "US": ("USA", "United States of America", "America"),
    "GB": ("UK", "Great Britain", "Britain"),
    "KR": ("Korea",),
    "AE": ("UAE",),
    "CZ": ("Czech Republic",),
    "NL": ("Holland",),
    "HK": ("Hong Kong",),
    "MO": ("Macao", "Macau"),
}


def countries(*languages: str) -> dict[str, tuple[str, ...]]:
    """Names of all countries in some languages, by ISO 3166-1 alpha-2 code."""
    return {
        code: tuple(dict.fromkeys(name.value for name in names if name.language in languages))
        for code, names in _countries().items()
    }


def unstored_code(
    prop: Property, values: Iterable[str], raw: str, *, is_known: bool = False
) -> str | None:
    """Return the valid code that `raw` is or names where no value of `prop` has it, or None.

    Of a country it is written in capitals or small letters as the values are.

    Args:
        prop: the property.
        values: of it.
        raw: what was sent.
        is_known: it may be a misspelling of one of the values.
    """
    if not is_known and _is_valid(prop, raw):
        return raw
    if not _speaks_of_countries(prop):
        return None
    listed = list(values)
    if not code_labels(prop, listed) and not any(country_code(prop, one) for one in listed):
        return None
    codes = [value for value in listed if _ALPHA_2.fullmatch(value)]
    if _ALPHA_2.fullmatch(raw):
        found = raw.upper() if raw.upper() in _countries() else None
    else:
        found = _by_name().get(fold(raw))
    return found and (found.lower() if codes and all(code.islower() for code in codes) else found)


def code_labels(prop: Property, values: Iterable[str]) -> dict[str, tuple[Text, ...]]:
    """Names by value, where the values of `prop` are country codes; else nothing.

    They are when the property says so (its name or description speaks of a country or of ISO
    3166) and every one of its two-letter values is such a code.
    """
    if not _speaks_of_countries(prop):
        return {}
    codes = {value: value.upper() for value in values if _ALPHA_2.fullmatch(value)}
    names = _countries() if codes else {}
    if not codes or not all(code in names for code in codes.values()):
        return {}
    return {value: names[code] for value, code in codes.items()}


def _is_valid(prop: Property, raw: str) -> bool:
    """Whether the shapes' patterns (`sh:pattern`) say that a text is a valid code of a property.

    A pattern that any word meets says nothing, so that a typing mistake does not pass as a code.
    """
    if not prop.patterns or prop.enum or len(raw) > _LONGEST_CODE:
        return False
    try:
        patterns = [re.compile(pattern) for pattern in prop.patterns]
    except re.error:
        return False
    return any(pattern.search(raw) for pattern in patterns) and not any(
        pattern.search(word) for pattern in patterns for word in _WORDS
    )


def country_code(prop: Property, text: str) -> str | None:
    """Return the alpha-2 code of the country that a text names by any code or name, or "".

    None where the property does not say that its values are countries.
    """
    if not _speaks_of_countries(prop):
        return None
    from babel.core import get_global

    known, code = _countries(), text.strip().upper()
    if code in known:
        return code
    others = cast("Mapping[str, list[str]]", get_global("territory_aliases")).get(code, ())
    if len(others) == 1 and others[0] in known:
        return others[0]
    return _by_name().get(fold(text), "")


def _speaks_of_countries(prop: Property) -> bool:
    texts = [prop.local_name, *(text.value for text in (*prop.labels, *prop.descriptions))]
    return any("country" in fold(text) or "ISO 3166-1" in text for text in texts)


def misspelt_countries(prop: Property, values: Iterable[str], raw: str) -> tuple[str, ...]:
    """Codes of the countries that `raw` may be a misspelling of, stored or not.

    None where the values of `prop` are no codes of countries.
    """
    if not code_labels(prop, values):
        return ()
    found = _vocabulary().resolve(raw, Policy.WORDWISE)
    if found.how == "corrected" and found.term is not None:
        return (found.term.id,)
    return tuple(dict.fromkeys(one.term.id for one in found.candidates if one.score >= _LIKELY))


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary(
        [
            Term(code, code, tuple(dict.fromkeys(name.value for name in names)))
            for code, names in _countries().items()
        ]
    )


@cache
def _by_name() -> dict[str, str]:
    """Return codes by the folded names of countries; a name of two countries is left out."""
    found: dict[str, set[str]] = {}
    for code, names in _countries().items():
        for name in names:
            found.setdefault(fold(name.value), set()).add(code)
    return {name: next(iter(codes)) for name, codes in found.items() if len(codes) == 1}


@cache
def _countries() -> dict[str, tuple[Text, ...]]:
    from babel import Locale

    found: dict[str, list[Text]] = {}
    for language in _LANGUAGES_OF_COUNTRIES:
        territories = cast("Mapping[str, str]", Locale(language).territories)
        for code, name in territories.items():
            if _ALPHA_2.fullmatch(code) and code not in ("EU", "EZ", "UN", "XA", "XB", "ZZ"):
                found.setdefault(code, []).append(Text(name, language))
    for code, others in _COMMON.items():
        found[code] += [Text(name, "en") for name in others]
    return {code: tuple(dict.fromkeys(names)) for code, names in found.items()}


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
    def said(self) -> str:
        """Return the name in sentences: an IRI by its label or its local name, not by its CURIE."""
        if not self.terms or self.terms[0].kind != "iri":
            return self.label
        english = (text.value for text in self.names if text.language in ("", "en"))
        own = local_name(self.key)
        return next(english, self.label if own.isdigit() else own)

    @property
    def terms(self) -> tuple[RdfTerm, ...]:
        """The terms to search for: those stored, or the declared one where none is."""
        return self.stored or ((self.declared,) if self.declared else ())

    @property
    def variants(self) -> tuple[str, ...]:
        """Return the stored texts that differ from the label."""
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
    """Return whether values of this kind are looked up by name: not numbers, dates and booleans."""
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

    def said(self, text: str) -> str:
        """Return what sentences call the value of this text, label or IRI."""
        concept = self._by_text.get(text)
        return concept.said if concept else text

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
