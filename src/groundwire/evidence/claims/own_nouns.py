"""The noun behind a figure: whether it counts one, and of which recorded number that is.

"31 reviews of 7 cards" has two figures, and the noun behind each says what it is a number of.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import COUNTED
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word
from groundwire.quantities import Quantity

_REACH = 20
_NO_NOUNS = frozenset(("verb", "function", "adverb", "number"))


def called_by_noun(
    quantity: Quantity, passage: PassageContext, facts: Iterable[Fact], others: Iterable[Span]
) -> frozenset[str]:
    """Return keys of the bare numbers among some values that the noun behind a figure calls.

    None where its clause names a property otherwise than as the noun of another figure.

    Args:
        quantity: the figure.
        passage: its passage.
        facts: the values that it may be.
        others: where the nouns of the other figures stand.
    """
    low, high = passage.clause(quantity.span[0])
    named = [a.start for a in passage.names if low <= a.start < high]
    words = frozenset(words_of(quantity.noun))
    if not words or any(not any(s <= at < e for s, e in others) for at in named):
        return frozenset()
    own = (
        fact.names
        for fact in facts
        if fact.value.unit is None and fact.value.kind == "number"
        if any(words == frozenset(words_of(label)) for label in fact.value.labels)
    )
    return frozenset[str]().union(*own)


def counts_noun(quantity: Quantity, passage: PassageContext) -> bool:
    """Whether the word behind a number is a noun that it counts: in "378 worked for it" none is.

    One that may be a noun as well, as in "nine stops", is taken for one.
    """
    if not COUNTED.isdisjoint(words_of(quantity.noun)):
        return True  # 匹配 is a verb, and what any answer counts
    end = quantity.span[1]
    behind = passage.contexts.annotated.within(end, end + _REACH)
    return not any(
        w.start <= end + 1
        and w.tokens[0].tag in _NO_NOUNS
        and (quantity.noun.startswith(w.tokens[0].text) or w.text.startswith(quantity.noun))
        and not _may_be_noun(w)
        for w in behind
    )


def _may_be_noun(word: Word) -> bool:
    """Whether a verb has the form of the plural of a noun, or a German noun's capital."""
    token = word.tokens[0]
    if token.language == "de":
        return token.text[:1].isupper()
    is_plural = token.language == "en" and token.key == f"{token.lemma}s"
    return word.role is None and token.tag == "verb" and is_plural
