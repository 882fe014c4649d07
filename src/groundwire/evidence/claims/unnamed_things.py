"""Words of names that name no recorded thing, or none of which the passage is true.

"- Leipzig motorway ring" has words of the names of two maps and is neither, behind "maps with rural
roads:" the word "Frankfurt" is of a map without them, and a map of motorways and other roads has no
"63 km of motorway". That such words stand in the names of what was answered does not explain them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word

_HOLDS = ("supported", "derived")
_JOINS = (" ", "-", " - ")
_OF = re.compile(r"\s+of\s+(?:the\s+)?", re.IGNORECASE)


def unnamed_things(
    words: Sequence[Word], claims: Sequence[Claim], context: PassageContext, known: Knowledge
) -> Iterator[int]:
    """Yield where words of names begin that name nothing, or none of which all claims hold.

    Args:
        words: the words of a passage.
        claims: its claims; those of values tell which things have them.
        context: its names.
        known: what the records hold.
    """
    named, text = known.once(_things_by_word), context.contexts.reading.text
    having = [
        frozenset(fact.value.entity for fact in claim.facts if fact.value.entity)
        for claim in claims
        if claim.kind == "name" and claim.status in _HOLDS and claim.facts
    ]
    for run in _runs(words, named, text):
        spans = [(one.start, one.end) for one in context.entities]
        if any(start < run[-1].end and run[0].start < end for start, end in spans):
            continue
        things = frozenset.intersection(*(named[key] for word in run for key in _keys(word)))
        if not frozenset.intersection(things, *filter(None, having)):
            yield from (word.start for word in run)
    called = known.once(_words_of_properties)
    measured = [quantity.span[1] for quantity in context.quantities if quantity.unit]
    for word in words:
        is_of_name = named.keys() >= _keys(word) and not called >= _keys(word)
        if is_of_name and any(_OF.fullmatch(text, end, word.start) for end in measured):
            yield word.start


def _runs(
    words: Sequence[Word], named: Mapping[str, frozenset[str]], text: str
) -> Iterator[list[Word]]:
    """Yield the words of names that stand side by side, where one is written as a name."""
    run: list[Word] = []
    for word in (*words, None):
        is_named = word is not None and bool(_keys(word)) and named.keys() >= set(_keys(word))
        if run and not (word and is_named and text[run[-1].end : word.start] in _JOINS):
            if any(one.role is None and one.text[0].isupper() for one in run):
                yield run
            run = []
        if word is not None and is_named:
            run.append(word)


def _keys(word: Word) -> frozenset[str]:
    return frozenset(words_of(word.text))


def _words_of_properties(known: Knowledge) -> frozenset[str]:
    """Return the words that properties and their values are called by."""
    names = {(fact.value.name, *fact.value.labels) for fact in known.facts.all}
    return frozenset(word for own in names for name in own for word in words_of(name))


def _things_by_word(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return for each word of their names the things that are called by it."""
    found: dict[str, set[str]] = {}
    for entity in {fact.value.entity for fact in known.facts.all if fact.value.entity}:
        for word in words_of(entity):
            found.setdefault(word, set()).add(entity)
    return {word: frozenset(things) for word, things in found.items()}
