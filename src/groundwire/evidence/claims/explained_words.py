"""Words that recorded values explain: those of their names, in any form, and what means them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word
from groundwire.language import Token
from groundwire.language.folding import fold_word
from groundwire.language.glossary import is_act_of, is_called
from groundwire.language.places import other_names
from groundwire.language.tagging import analyses

_SHORTEST_STEM = 5
# Words of these roles have a meaning of their own beside that of a field.
_NO_FIELDS = frozenset(
    (
        "negation",
        "quantifier",
        "bound",
        "comparison",
        "superlative",
        "direction",
        "cause",
        "forecast",
        "opinion",
        "time",
    )
)
STEADY = frozenset((("time", "recurrence"), ("time", "step")))
"""Words of time that say how often or how steadily something is so: only values can tell."""

# How names of properties shorten words.
_LONG_FORMS = {"min": "minimum", "max": "maximum", "avg": "average", "num": "number"}
# Values that a journey has as a whole.
_OF_JOURNEYS = frozenset(
    (
        "duration",
        "departure",
        "arrival",
        "interchanges",
        "start of the journey",
        "end of the journey",
    )
)


class WordsOfFacts:
    """Folded words by which facts are called: their property, entity, unit and item."""

    def __init__(self, known: Knowledge) -> None:
        self._of = {id(fact): _words_of_fact(fact) for fact in known.facts.all}
        self._grouped_by = known.grouped_by

    def __call__(self, facts: Iterable[Fact]) -> frozenset[str]:
        """Return the words of some facts, of those too that the check made of others.

        A branch is not called by the name of the whole: "Nordwind" is not "Nordwind Hong Kong".
        """
        facts = list(facts)
        words = (self._of.get(id(fact)) or _words_of_fact(fact) for fact in facts)
        wider = (_of_wider(fact.value.entity) for fact in facts if fact.value.entity)
        kinds = (self._grouped_by.get(f.evidence_id, frozenset()) for f in facts if f.entities)
        return frozenset[str]().union(*words, *kinds).difference(*wider)


def _words_of_fact(fact: Fact) -> frozenset[str]:
    value = fact.value
    texts = [value.name, value.unit or "", value.entity or "", *value.labels]
    if value.item is not None:
        texts += [*value.item.names, *value.item.pieces]
        texts += ["journey"] if value.name in _OF_JOURNEYS else []
    if fact.operation:
        texts.append(fact.operation.replace("_", " "))
    words = {word for text in texts for word in words_of(text)}
    return frozenset(words | {_LONG_FORMS[word] for word in words & _LONG_FORMS.keys()})


@lru_cache(maxsize=4_096)
def _of_wider(entity: str) -> frozenset[str]:
    """Return the folded words of a name that ends in a place, without those of the place."""
    parts = entity.split()
    for count in range(1, len(parts)):
        if other_names(" ".join(parts[count:])):
            return frozenset(words_of(" ".join(parts[:count])))
    return frozenset()


def is_explained(word: Word, bag: frozenset[str]) -> bool:
    """Whether a word, or all words of a phrase, are among some folded words."""
    if word.kind in ("quantity", "time") and word.role is None:
        return False
    if word.role is not None and (word.role.role, word.role.sense) in STEADY:
        return all(map(bag.__contains__, (token.key for token in word.tokens)))
    if word.role is not None and word.role.sense == "act":
        lemma = " ".join(token.lemma for token in word.tokens)
        if is_act_of(lemma, bag) or is_act_of(fold_word(word.text), bag):
            return True
    is_field = word.role is None or word.role.role not in _NO_FIELDS
    if is_field and len(word.tokens) > 1 and is_called(fold_word(word.text), bag):
        return True
    return all(
        bag.issuperset(words_of(token.text))
        or bag.issuperset(words_of(token.lemma))
        or (token.tag in ("verb", "adjective", "adverb") and _is_derived_from(token.key, bag))
        or (is_field and (is_called(token.lemma, bag) or is_called(token.key, bag)))
        or (is_field and _is_form_of(token, bag))
        for token in content_of(word)
    )


def content_of(word: Word) -> Sequence[Token]:
    """The tokens of a word that carry its meaning; all of them where none does by itself."""
    return [t for t in word.tokens if t.tag not in ("function", "sign")] or word.tokens


def _is_derived_from(word: str, bag: frozenset[str]) -> bool:
    """Whether a verb or adjective is formed from a word: licensed from license, urban no."""
    if len(word) <= _SHORTEST_STEM:
        return False
    stem = word[: max(_SHORTEST_STEM, len(word) - 3)]
    return any(other.startswith(stem) and len(other) - len(stem) <= 3 for other in bag)


def _is_form_of(token: Token, bag: frozenset[str]) -> bool:
    """Whether a noun or verb has the dictionary form of one of some words: damage of damaged."""
    if token.tag not in ("noun", "verb") or len(token.lemma) <= _SHORTEST_STEM:
        return False
    head, language = token.lemma[:_SHORTEST_STEM], token.language
    return any(
        word.startswith(head)
        and any(one.lemma == token.lemma for one in analyses(word, language, False))
        for word in bag
    )
