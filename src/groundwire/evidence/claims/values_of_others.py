"""The value of one thing told as that of all or several, that of all of one, that of another time.

"The cross and the satyr are made of gold" is not proven by the gold of the cross.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import TO
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.figure_cues import LEVEL_BEFORE, LEVEL_BEHIND
from groundwire.evidence.claims.figure_kinds import is_gap
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Here
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.rounding import agrees_scaled
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.value_rows import kind_of, time_of
from groundwire.evidence.claims.words import key_of

_NEAR = 16
_PAIR = 2
# Such a word leads to the figure at which a change began; it stands at most so far before it.
_FROM = re.compile(r"\b(?:from|von)\b|[从由]", re.IGNORECASE)
_LED = 36


def is_at_level_of_another_time(context: PassageContext, claim: Claim) -> bool:
    """Whether a value is told as that of another time, which was another: "back to its 2023 level".

    What a passage compares with a level is not at it.
    """
    fact, known = claim.facts[0], context.contexts.known
    if not is_value(claim) or not context.roles.isdisjoint(("comparison", "bound")):
        return False
    text = context.contexts.reading.text
    for time in context.periods:
        led = text[max(context.passage.start, time.start - 24) : time.start]
        is_level = LEVEL_BEHIND.match(text, time.end) or LEVEL_BEFORE.search(led)
        if not is_level or time.keys & fact.periods:
            continue
        then = [
            one.number
            for one in known.facts.numbers()
            if (one.names, one.entities) == (fact.names, fact.entities) and one.periods & time.keys
        ]
        if then and fact.number not in then:
            return True
    return False


def is_in_another_turn(context: PassageContext, claim: Claim) -> bool:
    """Whether figures stand in another order than their things: "1.4 and 4.2 times A and B".

    As many things as figures stand all before these, or all behind them.
    """
    last = context.quantities[-1].unit if context.quantities else None
    units = {q.span[0]: (q.unit or last, q.percent) for q in context.quantities}
    places = [start for start, unit in units.items() if unit == units.get(claim.start)]
    if len(places) < _PAIR or claim.start not in places or not tells_in_turn(context):
        return False
    known = context.contexts.known.periods
    times = [(a.start, {*a.keys, *parts_of(a.keys, known)}) for a in context.periods]
    things = [(a.start, set(a.keys)) for a in context.entities]
    for anchors, held in (
        (things, {key for fact in claim.facts for key in fact.entities}),
        (times, {key for fact in claim.facts for key in fact.periods}),
    ):
        anchors = [one for one in anchors if not any(one[1] < other for _, other in anchors)]
        before = [keys for start, keys in anchors if start < places[0]]
        behind = [keys for start, keys in anchors if start > places[-1]]
        for told in (before, behind):
            if len(told) == len(places):
                own = told[places.index(claim.start)]
                return bool(held & set[object]().union(*told)) and not held & own
    return False


def leads_to_another(context: PassageContext, claim: Claim) -> bool:
    """Whether a change is told to lead to a value that it does not lead to: "by 22 to 331"."""
    if claim.status != "derived" or not claim.facts:
        return False
    first = claim.facts[0]
    ends = list(claim.facts if " − " in claim.detail else first.operands)
    behind = next((q for q in context.quantities if q.span[0] >= claim.end), None)
    if not is_gap(claim) or len(ends) != _PAIR or behind is None or behind.percent:
        return False
    between = context.contexts.reading.text[claim.end : behind.span[0]]
    if len({fact.entities for fact in ends}) == _PAIR:
        return False  # the gap between two things may lead to another gap
    if len(between) > _NEAR or TO.search(between) is None:
        return False
    last = max(sorted(map(str, fact.periods)) for fact in ends)
    ends = [fact for fact in ends if sorted(map(str, fact.periods)) == last]
    told = [n for fact in ends if fact.number is not None for n in (fact.number, abs(fact.number))]
    return not any(agrees_scaled(behind, number) for number in told)


def carries_change_on(context: PassageContext, claim: Claim) -> bool:
    """Whether a change that is told of another thing leads here, which went the other way.

    So it is of "rose by 95 in the group and to 378 in B", where that of B fell.
    """
    fact, text, start = claim.facts[0], context.contexts.reading.text, context.passage.start
    told = [w for w in context.words if w.role is not None and w.role.role == "direction"]
    moved = next((w for w in reversed(told) if w.start < claim.start), None)
    ends = [q.span[1] for q in context.quantities if q.span[1] <= claim.start]
    is_told = is_value(claim) or fact.operation == "share"
    if not (is_told and moved and ends and fact.periods) or max(ends) < moved.start:
        return False
    led = text[max(start, ends[-1] - _LED) : ends[-1]]
    if _FROM.search(led) or not TO.search(text, start, claim.start):
        return False
    times = {key for anchor in context.periods for key in anchor.keys}
    own = (kind_of(fact), fact.operation)
    values = [f for f in context.contexts.known.facts.numbers() if (kind_of(f), f.operation) == own]
    earlier = [f for f in values if f.periods and time_of(f) < time_of(fact)]
    before = max(earlier, key=lambda f: (bool(f.periods & times), time_of(f)), default=fact)
    numbers = (before.number or 0, fact.number or 0)
    # A loss that grows is a value that falls: of losses both may be said.
    return numbers[0] > 0 and (numbers[1] - numbers[0]) * direction(moved.text) < 0


_JOINED = re.compile(r"\s*(?:,|、|\band\b|\bund\b|\bsowie\b|&|和|与|及)\s*(?:the |die |das |der )?")
_IN_TURN = re.compile(r"\brespectively\b|\bbeziehungsweise\b|\bbzw\b|分别", re.IGNORECASE)

Entity = Anchor[str]
"""Where a text names a thing."""

Values = Mapping[tuple[str, str], frozenset[str]]
"""By the keys of a thing and a property, the keys of all its values."""


_EACH_OTHER = re.compile(
    r"\b(?:each other|one another|(?:unter|mit)?einander)\b|互相|相互|彼此", re.IGNORECASE
)


def not_shared(text: str, context: PassageContext, here: Here, known: Knowledge) -> Iterator[Span]:
    """Yield where a value is told of several things of which one is known to have others.

    So is what they are said to be to each other, which no statement about one tells.
    """
    if len(context.entities) < 2:
        return
    if not context.quantities and any(
        known.statements[term.stated].statement.kind == "relation"
        for hit in here.hits
        for term in hit.terms
    ):
        passage = context.passage
        yield from (m.span() for m in _EACH_OTHER.finditer(text, passage.start, passage.end))
    if tells_in_turn(context):
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
