"""Counts that a draft adds to one told before: "another 13", weitere 26, 另有9.

They are of other things only where the records show that nothing is in both sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Word as Read
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.told_sets import is_whole
from groundwire.evidence.claims.words import cue_tables
from groundwire.evidence.records import Condition
from groundwire.language import Span as Word

# From such a word to its figure, or from the figure to it: "another 13", "13 weitere".
_NEXT = 2


@cache
def _further() -> re.Pattern[str]:
    return re.compile("|".join(cue_tables()["adds_count"]), re.IGNORECASE)


def _adds(text: str, start: int, end: int) -> bool:
    """Whether a word adds a count to one told before."""
    return _further().fullmatch(text, start, end) is not None


def told_further(
    words: Sequence[Read], text: str
) -> Iterator[tuple[Sequence[Read], Sequence[Span]]]:
    """Yield the words as which a sentence may be read, and what was left out of them.

    "Another three are icy" tells of no rest, which would be of what the sentence itself tells.
    """
    further = [w for w in words if w.kind == "other" and _adds(text, w.start, w.end)]
    leads = bool(further) and words[0] is further[0] and all(w.kind != "each" for w in words)
    if not leads:
        yield words, ()
    if further:
        yield [w for w in words if w not in further], [(w.start, w.end) for w in further]


def counted_besides(
    words: Sequence[Word], counts: Sequence[Claim], text: str, known: Knowledge
) -> Iterator[Span]:
    """Yield the words that add a count to that of a set which shares nothing with its own.

    Args:
        words: the words of a passage.
        counts: the counts of sets that the draft tells.
        text: the draft.
        known: what the records hold.
    """
    for word in words:
        if not _adds(text, word.start, word.end):
            continue
        near = [
            one
            for one in counts
            if 0 <= one.start - word.end < _NEXT or 0 <= word.start - one.end < _NEXT
        ]
        told = [one for one in counts if near and one.end <= min(word.start, near[0].start)]
        told = [one for one in told if not is_whole(one, text)]
        last = max(told, key=lambda one: one.start, default=None)
        if last is not None and _apart(near[0].facts[0], last.facts[0], known):
            yield word.start, word.end


def _apart(one: Fact, other: Fact, known: Knowledge) -> bool:
    """Whether nothing is in both sets that two values count."""
    parted = known.once(_parted)
    own, others = (_conditions(fact, known) for fact in (one, other))
    return any(
        a.predicate[0] == b.predicate[0]
        and (
            _denies(a, b)
            or _denies(b, a)
            or (
                _values(a).isdisjoint(_values(b))
                and any(
                    a.predicate[0] == name and base <= _keys(own) & _keys(others)
                    for name, base in parted
                )
            )
        )
        for a in own
        for b in others
    )


def _denies(one: Condition, other: Condition) -> bool:
    """Whether one condition asks for none of what another one asks for."""
    alike = not one.objects or not _values(one).isdisjoint(_values(other))
    return one.operator == "missing" and other.operator in ("is", "exists") and alike


def _conditions(fact: Fact, known: Knowledge) -> tuple[Condition, ...]:
    numbers = known.scopes_of_fact.get(id(fact), ())[:1]
    return tuple(one for number in numbers for one in known.statements[number].statement.conditions)


def _values(one: Condition) -> frozenset[str]:
    return frozenset(name for names in one.objects for name in names)


_Key = tuple[str, str, frozenset[str]]


def _keys(conditions: Sequence[Condition]) -> frozenset[_Key]:
    return frozenset(
        (c.predicate[0], c.operator, frozenset(n[0] for n in c.objects if n)) for c in conditions
    )


def _parted(known: Knowledge) -> Sequence[tuple[str, frozenset[_Key]]]:
    """Return the properties of which each thing has one value, with what these things are.

    The counts of all values add up to that of the whole.
    """
    wholes: dict[tuple[str, frozenset[_Key]], int] = {}
    sums: dict[tuple[str, str, frozenset[_Key]], int] = {}
    for number in known.by_kind.get("scope", ()):
        stated = known.statements[number]
        fact, of = stated.fact, stated.statement.conditions
        if fact is None or fact.number is None:
            continue
        wholes[stated.evidence_id, _keys(of)] = int(fact.number)
        if of and fact.value.entity is not None and of[-1].operator == "is":
            key = stated.evidence_id, of[-1].predicate[0], _keys(of[:-1])
            sums[key] = sums.get(key, 0) + int(fact.number)
    return [
        (name, base) for (record, name, base), n in sums.items() if wholes.get((record, base)) == n
    ]
