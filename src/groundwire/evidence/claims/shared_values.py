"""Values that a sentence tells of several things at once: each of them must have it.

"The cross and the satyr are made of gold" is not proven by the gold of the cross.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Here
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import key_of

_JOINED = re.compile(r"\s*(?:,|、|\band\b|\bund\b|\bsowie\b|&|和|与|及)\s*(?:the |die |das |der )?")
_IN_TURN = re.compile(r"\brespectively\b|\bbeziehungsweise\b|\bbzw\b|分别", re.IGNORECASE)

Entity = Anchor[str]
"""Where a text names a thing."""

Values = Mapping[tuple[str, str], frozenset[str]]
"""By the keys of a thing and a property, the keys of all its values."""


def not_shared(text: str, context: PassageContext, here: Here, known: Knowledge) -> Iterator[Span]:
    """Yield where a value is told of several things of which one is known to have others."""
    if len(context.entities) < 2 or tells_in_turn(context):
        return
    values = known.once(_values)
    things = known.once(_things)
    anchors = [a for a in context.entities if a.keys & things]
    for hit in here.hits:
        joined = joined_to(text, [a for a in anchors if a.end <= hit.start])
        objects = [term for term in hit.terms if term.slot == "object"]
        for term in objects if len(joined) > 1 else ():
            one = known.statements[term.stated].statement
            if one.kind != "relation":
                continue
            told = frozenset(map(key_of, one.objects[term.place]))
            of = [values.get((key, key_of(one.predicate[0]))) for a in joined for key in a.keys]
            if any(held is not None and held.isdisjoint(told) for held in of):
                yield hit.start, hit.end


def tells_in_turn(context: PassageContext) -> bool:
    """Whether a passage tells several things their figures in one order: "respectively"."""
    text, passage = context.contexts.reading.text, context.passage
    return _IN_TURN.search(text, passage.start, passage.end) is not None


def joined_to(text: str, things: Sequence[Entity]) -> list[Entity]:
    """Return the last of some things that a text names, with those that are joined to it."""
    joined = list(things[-1:])
    for first, second in reversed([*pairwise(things)]):
        if not _JOINED.fullmatch(text, first.end, second.start):
            break
        joined.append(first)
    return joined


def _things(known: Knowledge) -> frozenset[str]:
    """Return the keys of the things of which some value is known."""
    return frozenset(key for key, _ in known.once(_values))


def _values(known: Knowledge) -> Values:
    found: dict[tuple[str, str], frozenset[str]] = {}
    for number in known.by_kind.get("relation", ()):
        one = known.statements[number].statement
        if one.complete == "all_listed":
            keys = frozenset(key_of(name) for names in one.objects for name in names)
            for name in one.subject:
                found[key_of(name), key_of(one.predicate[0])] = keys
    return found
