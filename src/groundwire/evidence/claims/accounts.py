"""What is accounted for of a passage, and what a lead tells of all that stands under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word

# One thing alone is no list.
_FEWEST = 2


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
    """Yield the words of a lead that are among those of some names under it, and not of all.

    "Two of them are near Erfurt:" is told of each thing that is listed there.
    """
    named = [_names_in(one) for one in under if one.passage.kind == "item"]
    if len(named) < _FEWEST or not all(named):
        return
    some = frozenset[str]().union(*named)
    every = named[0].intersection(*named[1:])
    called = frozenset(word for fact in lead.facts for word in words_of(fact.value.name))
    for word in contexts.of(lead.passage).words:
        forms = {form for token in word.tokens for form in (token.key, token.lemma)}
        plain = word.role is None and word.quantity is None
        if plain and forms & some and not forms & every and not forms & called:
            yield word


def _names_in(account: Account) -> frozenset[str]:
    """Return the words of the names of things of a passage that tells no figure."""
    claims = account.claims
    if not claims or any(claim.kind not in ("name", "iri") for claim in claims):
        return frozenset()
    told = [c for c in claims if c.kind == "name" and "entity" in c.detail]
    return frozenset(word for claim in told for word in words_of(claim.text))
