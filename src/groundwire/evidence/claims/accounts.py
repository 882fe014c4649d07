"""The account of a passage, and the words of a lead that are not told of all under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.language import Span as Word

# One thing alone is no list.
_FEWEST = 2
_ALL = ("quantifier", "all")
_FIGURES = frozenset[str](cue_tables()["figures"])


@dataclass(frozen=True, slots=True)
class Account:
    """The proven claims of a passage, and its words that nothing explains.

    Attributes:
        passage: the passage.
        claims: its claims, those about whole clauses among them.
        leftover: the words that nothing explains, in order.
        words: folded words by which its facts are called.
        facts: the recorded values that speak for it.
        above: ranges over it, in the lead of its list, that prove something of it.
    """

    passage: Passage
    claims: tuple[Claim, ...]
    leftover: tuple[Word, ...]
    words: frozenset[str] = frozenset()
    facts: tuple[Fact, ...] = ()
    above: tuple[Span, ...] = ()


def with_all_under(places: set[int], under: Mapping[int, Sequence[int]]) -> set[int]:
    """Return places with those that are read under them, and under these."""
    found, new = set[int](), places
    while new:
        found |= new
        new = {one for place in new for one in under.get(place, ())} - found
    return found


def not_of_all(lead: Account, under: Sequence[Account], contexts: Contexts) -> Iterator[Word]:
    """Yield the words of a lead that are not told of all that stands under it.

    "Two of them are near Erfurt:" is told of each thing that is listed there, and the name of a
    value over figures of one thing is not what these are of.
    """
    words = contexts.of(lead.passage).words
    if _names_a_value(lead, under, contexts.reading.text):
        yield from (word for word in words if word.kind != "sign")
    if _leaves_out(under, contexts):
        yield from _told_of_all(words)
    named = [_names_in(one) for one in under if one.passage.kind == "item"]
    called = frozenset(word for fact in lead.facts for word in words_of(fact.value.name))
    yield from of_some(words, named, called)


def _told_of_all(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words that say that a list has all: "All countries:", but not "All values in EUR:"."""
    for word, behind in pairwise(words):
        lemmas = {token.lemma for token in behind.tokens}
        is_all = word.role is not None and (word.role.role, word.role.sense) == _ALL
        if is_all and behind.quantity is None and not lemmas & _FIGURES:
            yield word


def _leaves_out(under: Sequence[Account], contexts: Contexts) -> bool:
    """Whether a list has figures of some things, and its record has those of more."""
    told = [[fact for fact in one.facts if fact.number is not None][:1] for one in under]
    told = [fact for own in told for fact in own]
    kinds = {(fact.evidence_id, fact.names, fact.value.unit) for fact in told}
    if len(told) < _FEWEST or len(kinds) != 1 or any(fact.operands for fact in told):
        return False
    held = (
        fact.number
        for fact in contexts.known.facts.numbers()
        if (fact.evidence_id, fact.names, fact.value.unit) in kinds and not fact.operands
    )
    return len([*held]) > len(told)


def of_some(
    words: Sequence[Word], named: Sequence[frozenset[str]], called: frozenset[str]
) -> Iterator[Word]:
    """Yield words that are among those of some names, and not of all.

    Args:
        words: the words.
        named: the words of each name; nothing is told of fewer than two.
        called: words by which properties are called.
    """
    if len(named) < _FEWEST or not all(named):
        return
    some, every = frozenset[str]().union(*named), named[0].intersection(*named[1:])
    for word in words:
        forms = {form for token in word.tokens for form in (token.key, token.lemma)}
        plain = word.role is None and word.quantity is None
        if plain and forms & some and not forms & every and not forms & called:
            yield word


def _names_a_value(lead: Account, under: Sequence[Account], text: str) -> bool:
    """Whether a heading is a value of the one thing that the figures of a list are of."""
    items = [claim for one in under if one.passage.kind == "item" for claim in one.claims]
    facts = [fact for claim in items if claim.kind == "number" for fact in claim.facts]
    things = {fact.value.entity for fact in facts}
    named = [claim for claim in lead.claims if claim.kind == "name"]
    said = text[lead.passage.start : lead.passage.end].strip(" *_#:：")
    if len(facts) < _FEWEST or len(things) != 1 or len(named) != 1 or named[0].text != said:
        return False
    called = words_of(things.pop() or "")
    return "entity" not in named[0].detail and not set(words_of(said)) <= {*called}


def _names_in(account: Account) -> frozenset[str]:
    """Return the words of the names of things of a passage that tells no figure."""
    claims = account.claims
    if not claims or any(claim.kind not in ("name", "iri") for claim in claims):
        return frozenset()
    told = [c for c in claims if c.kind == "name" and "entity" in c.detail]
    return frozenset(word for claim in told for word in words_of(claim.text))
