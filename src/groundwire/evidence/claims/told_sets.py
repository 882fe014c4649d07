"""Words that bind a count to the set that was told last, or end what was narrowed before.

"Lane change is the most common among these eight" is not proven by the counts of all ninety, and
"in total, 23 traces hold no personal data" not by those of one format alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import OUT_OF
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import Named
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Statement
from groundwire.language import Span as Word

OF_THEM = re.compile(
    r"\b(?:of|among|out of) (?:them|these|those|which)\b|其中|这些[^，。；、]{0,8}[中里]"
    r"|\b(?:davon|darunter|hiervon|(?:von|unter) (?:ihnen|denen|diesen))\b",
    re.IGNORECASE,
)
"""Words that speak of a set that was told before: "among these"."""


# The longest words that lead to the number of a whole, and those from "these" to their number.
_LED, _NEXT_WORD = 24, 4


def begin_of_scope(
    small: str, context: PassageContext, one: Statement, own: Sequence[Named], *, denies: bool
) -> int:
    """Return from where on the conditions of a set may be told: "in total" ends those before.

    "In total there are eight" goes on about what was told, since it names no condition itself.

    Args:
        small: the draft in small letters.
        context: the passage with the count.
        one: the set.
        own: where the passage names anything of the set.
        denies: whether the passage denies a condition of the set.
    """
    start, end = context.passage.start, context.passage.end
    named = denies or any(
        term.slot == "condition" and "domain" not in one.conditions[term.place].predicate
        for _, term in own
    )
    is_whole = named and vocabulary("journey_cues")["in_all"].search(small, start, end)
    return start if is_whole and OF_THEM.search(small, start, end) is None else 0


def counts_of_sets(claims: Sequence[Claim], text: str) -> list[Claim]:
    """Return the claims that tell how many there are of a set or of a group, in order.

    The number of a whole of which some are told comes before theirs: "eight of the 90".
    """
    held = [c for c in claims if c.kind == "number" and c.status == "supported" and c.facts]
    held = sorted((c for c in held if c.facts[0].value.unit == ASSETS), key=lambda one: one.start)
    wholes = [one for one in held if is_whole(one, text)]
    return [*wholes, *(c for c in held if c not in wholes)]


def is_whole(count: Claim, text: str) -> bool:
    """Whether a count is of the whole of which a part is told: "eight of the 90"."""
    return OUT_OF.search(text, max(0, count.start - _LED), count.start) is not None


def counted_of_others(
    words: Sequence[Word],
    claims: Sequence[Claim],
    used: Sequence[Fact],
    told: Sequence[Claim],
    context: PassageContext,
) -> Iterator[Span]:
    """Yield "among these" where a passage goes on with the counts of a wider set.

    And what only another answer was asked for: "16 lane changes in snow", where 16 are of all.

    Args:
        words: the words of the passage.
        claims: its claims.
        used: the values by which its words were judged.
        told: the counts of sets that the draft tells, in order.
        context: the passage.
    """
    known, passage, text = context.contexts.known, context.passage, context.contexts.reading.text
    counted = counts_of_sets(claims, text)
    yield from _met_by_others(claims, counted, context)
    said = OF_THEM.search(text, passage.start, passage.end)
    before = [c for c in told if said is not None and c.end <= said.start()]
    if said is None or not before:
        return
    own = {c.facts[0].number for c in counted if 0 < c.start - said.end() <= _NEXT_WORD}
    count = next((c for c in reversed(before) if c.facts[0].number in own), before[-1]).facts[0]
    facts = [
        *(c.facts[0] for c in counted if c not in before),
        *(f for f in used if f.value.unit == ASSETS),
    ]
    wider = [f for f in facts if f.number != count.number and not _lies_within(f, count, known)]
    yield from ((w.start, w.end) for w in words if wider and said.start() <= w.start < said.end())


def _met_by_others(
    claims: Sequence[Claim], counted: Sequence[Claim], context: PassageContext
) -> Iterator[Span]:
    """Yield the values that no answer has of which a count stands in the same clause."""
    text = context.contexts.reading.text
    for claim in claims:
        if claim.kind != "name" or not claim.facts:
            continue
        start, end = context.clause(claim.start)
        here = [c for c in counted if start <= c.start < end and not is_whole(c, text)]
        beside = {c.facts[0].evidence_id for c in here}
        if beside and beside.isdisjoint(fact.evidence_id for fact in claim.facts):
            yield claim.start, claim.end


def _lies_within(fact: Fact, count: Fact, known: Knowledge) -> bool:
    """Whether all that the answer of a fact counts is of the set or the group of another count."""
    own = {
        key_of(name)
        for number in known.by_kind.get("scope", ())
        if known.statements[number].evidence_id == fact.evidence_id
        for condition in known.statements[number].statement.conditions
        for names in condition.objects
        for name in names
    }
    meant = [
        frozenset(map(key_of, names))
        for number in known.scopes_of_fact.get(id(count), ())
        for condition in known.statements[number].statement.conditions
        for names in condition.objects
        if "domain" not in condition.predicate
    ]
    return all(map(own.intersection, [*meant, count.entities] if count.entities else meant))
