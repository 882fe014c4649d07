"""Words of a question that are a value's name but for a typo.

What is found here says only of which property a word is a value: the word itself is sent as it was
written, so that the server corrects it by its own rule, and says so, or asks.
"""

from __future__ import annotations

from groundwire.ontology.terms import CatalogueTerms
from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary


class Misspellings:
    """The single words that values are called, and what is a misspelling of one of them."""

    def __init__(self, terms: CatalogueTerms) -> None:
        """Take every name of a catalogue: a word of one name is never read as a typo of another."""
        values = [
            text
            for listed in terms.values
            for value in listed
            for text in (value.label, *(name.text for name in value.names))
        ]
        others = [
            name.text
            for domain in terms.domains
            for term in (domain, *domain.properties)
            for name in term.names
        ]
        single = [Term(text, text) for text in dict.fromkeys(values) if text.isalpha()]
        self._vocabulary = Vocabulary(single, KnownWords([*values, *others]))

    def meant(self, word: str) -> str | None:
        """The one name that a word misspells, by the word rule; None if there is none."""
        found = self._vocabulary.resolve(word, Policy.WORDWISE)
        return found.term.label if found.how == "corrected" and found.term else None
