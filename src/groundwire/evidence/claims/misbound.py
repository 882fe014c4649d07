"""Figures and names that stand where others belong: the records have them, and not in this place.

"Kenya's 12.1 million" is not proven by how much less Kenya has than another, "384 in Q4" not by the
sum of the year, and "longer than B: 9 km compared with 22 km" not by the lengths of B and A.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor, joined
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import OUT_OF
from groundwire.evidence.claims.derivation import BY, DIFFERENCE, TO
from groundwire.evidence.claims.direction import (
    direction,
    is_where_it_began,
    leads_change,
    moves,
)
from groundwire.evidence.claims.fact_index import ASSETS, PeriodKey
from groundwire.evidence.claims.figure_cues import (
    AND,
    ARE_THE,
    BETWEEN,
    COMPARED_WITH,
    FROM_BASE,
    HAS,
    LEVEL,
    OUT_OF_WHOLE,
    OWNS,
    TO_END,
    WITH,
)
from groundwire.evidence.claims.figure_kinds import (
    KINDS,
    are_later_first,
    is_gap,
    is_more,
    is_total,
)
from groundwire.evidence.claims.head_nouns import calling_words, calls_another, kind_of
from groundwire.evidence.claims.passage_statements import COUNT_OF_GROUPS
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.restatements import is_told_as_standing
from groundwire.evidence.claims.runs import WITHIN
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import alike, joined_anchors, summed_behind
from groundwire.evidence.claims.table_heads import is_headed_by_unit
from groundwire.evidence.claims.told_sets import OF_THEM
from groundwire.evidence.claims.values_of_others import (
    carries_change_on,
    is_at_level_of_another_time,
    is_in_another_turn,
    leads_to_another,
)
from groundwire.language.glossary import fields_of
from groundwire.vocabulary.fold import fold_word

_HOLDS = ("supported", "derived")
_COMPARES = frozenset(("comparison", "direction"))
_BEHIND, _NEAR = 24, 12
_QUIET = frozenset(("function", "approximation", "quantifier"))
_SIGNS = ("+", "−", "±")


def without_misbound(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return claims, a figure not judged that is told of another thing or time than it is of."""
    figures = [
        claim
        for claim in claims
        if claim.kind in ("number", "percent")
        and claim.status in _HOLDS
        and claim.facts
        and not any(fact.value.item for fact in claim.facts)
        and not claim.detail.startswith(WITHIN)
    ]
    wrong = {id(one): why for one, why in _misbound(context, figures)}
    counts = [c for c in claims if c.kind == "number" and c.status in _HOLDS]
    wrong |= {id(one): why for one, why in _parts(context, counts)}
    return [
        replace(claim, status="not_judged", detail=f"{claim.detail}; {wrong[id(claim)]}")
        if id(claim) in wrong
        else claim
        for claim in claims
    ]


def _misbound(context: PassageContext, figures: Sequence[Claim]) -> Iterator[tuple[Claim, str]]:
    text = context.contexts.reading.text
    starts = [claim.start for claim in figures]
    things = joined(text, starts, context.ends, context.entities)
    times = joined(text, starts, context.ends, context.periods)
    before: Claim | None = None
    for claim in figures:
        thing = things.get(claim.start) or _owner(context, claim)
        time = times.get(claim.start)
        is_with = bool(_things_with(context, claim)) and not is_more(context, claim)
        is_level = is_with or _is_level(context, claim, before)
        if is_level and claim.kind == "number" and is_gap(claim):
            yield claim, "the text tells a difference as a value"
        if (is_level or _owner(context, claim)) and _has_another(context, claim, thing, time):
            yield claim, "what it is told of has another value"
        if before and _is_beside_change(context, claim, before):
            yield claim, "the text tells a value as a change"
        before = claim
        if _is_gap_of_another_time(claim, time or _time_of(context, claim)):
            yield claim, "it is the difference at another time"
        yield from ((claim, why) for test, why in _TESTS if test(context, claim))
    for first, second in pairwise(figures):
        if context.is_left(first.start) and not _is_one_move(context, first, second):
            yield second, "the two figures are not of one thing at two times"
        joint = AND if BETWEEN.search(text, max(0, first.start - _BEHIND), first.start) else TO_END
        if joint.fullmatch(text, first.end, second.start) and _are_turned_ends(first, second):
            yield second, "the text tells a range the other way around"
        is_pair = COMPARED_WITH.fullmatch(text, first.end, second.start) is not None
        is_whole = is_total(first) and not is_total(second)
        if is_pair and (is_whole or is_gap(first) != is_gap(second)):
            yield first, "the text compares a difference with a value, or a whole with a part"
        if _are_turned(context, first, second):
            yield first, "the text tells two values in the other order"


def _are_turned_ends(first: Claim, second: Claim) -> bool:
    """Whether the greatest value stands before the least, or one of them twice: 100 to 60 km/h."""
    low, high = first.facts[0], second.facts[0]
    alike = is_value(first) and is_value(second) and low.entities == high.entities
    apart = low.periods == high.periods and (low.names != high.names or not low.periods)
    turned = low.number is not None and high.number is not None and low.number > high.number
    return alike and ((apart and turned) or low is high)


def _parts(context: PassageContext, counts: Sequence[Claim]) -> Iterator[tuple[Claim, str]]:
    """Yield counts that are told as parts of a whole that has no more: "five, nine of them".

    Two counts of two groups are not told of one set either: "the six wet ones are the six icy".
    """
    text = context.contexts.reading.text
    values = {q.span[0]: q.value for q in context.quantities}
    units = {q.span[0]: q.unit for q in context.quantities}
    senses = {word.role.sense for word in context.words if word.role is not None}
    for one, other in pairwise(counts):
        led = OUT_OF.search(text, context.passage.start, one.start)
        if led and 0 < values.get(one.start, 0) < values.get(other.start, 0):
            of_set = all(c.facts and c.facts[0].value.unit == ASSETS for c in (one, other))
            if of_set and is_total(other):  # "half of the 34 maps, 60"
                yield one, "a part is told as the whole"
        between = text[one.end : other.start]
        is_alike = one.detail == other.detail and values.get(one.start) == values.get(other.start)
        is_first = is_alike and OUT_OF.search(text, context.passage.start, one.start) is not None
        is_led = OUT_OF_WHOLE.fullmatch(between) is not None
        told = OF_THEM.search(between)
        near = told is not None and len(between) - told.end() < _NEAR
        if is_led or near or is_first or OF_THEM.match(text, other.end + 1):
            part, whole = (one, other) if is_led else (other, one)
            more = values.get(part.start, 0) - values.get(whole.start, 0)
            is_same = not more and part.detail == whole.detail and "all" not in senses
            alike = units.get(part.start) == units.get(whole.start)
            counts_things = COUNT_OF_GROUPS not in whole.detail and alike
            counts_things &= values.get(whole.start, 0) % 1 == 0  # "below 0.4, three"
            wrong = (more > 0 or is_same) and counts_things
            held = part.start in values and whole.start in values
            others = _are_of_two_properties(part, whole) or (
                OF_THEM.match(text, other.end + 1) and _are_of_two_groups(part, whole)
            )
            if held and (wrong or (not is_led and others)):
                yield part, "a part is no larger than its whole"
        if ARE_THE.search(between) and _are_of_two_groups(one, other):
            yield other, "it counts another set"


def _are_of_two_groups(one: Claim, other: Claim) -> bool:
    """Whether two counts are of two groups of what a catalogue holds."""
    facts = [*one.facts, *other.facts]
    groups = [{key for fact in claim.facts for key in fact.entities} for claim in (one, other)]
    counted = all(fact.value.unit == ASSETS for fact in facts)
    return counted and all(groups) and groups[0].isdisjoint(groups[1])


def _are_of_two_properties(one: Claim, other: Claim) -> bool:
    """Whether two counts of a thing count different things: its lights, and its crossings."""
    first, second = one.facts[:1], other.facts[:1]
    return bool(first and second) and (
        bool(first[0].entities & second[0].entities)
        and first[0].unit is second[0].unit is None
        and first[0].names.isdisjoint(second[0].names)
        and not (first[0].operands or second[0].operands)
    )


def _is_level(context: PassageContext, claim: Claim, before: Claim | None) -> bool:
    """Whether a figure is told as a value, rather than as how much more or less something is."""
    text = context.contexts.reading.text
    start, end = context.clause(claim.start)
    led = text[start : _place(context, claim)]
    behind = text[claim.end : min(claim.end + _BEHIND, end)]
    if _tells_gap(context):
        return False
    if is_where_it_began(context, start, claim.start):
        return True
    if BY.search(led) or direction(behind) or led[-1:] in _SIGNS:
        return False
    if TO.search(led) and not led.endswith("close to "):
        return True
    if LEVEL.search(led) or leads_change(context, start, claim.start):
        return not leads_change(context, start, claim.start)
    roles = (w.role for w in context.words if start <= w.start < end and w.role is not None)
    if any(role.role in _COMPARES for role in roles):
        return bool(COMPARED_WITH.search(led)) and is_value(before)
    if before is None:
        ahead = [one for one in context.periods if one.start < claim.start]
        if len({one.keys for one in ahead}) > 1 or FROM_BASE.search(text, start, claim.start):
            return False  # "between 2005 and 2015 it added 3 million"
        here = (*context.entities, *context.periods)
        return any(start <= one.start < end for one in here) or not moves(context)
    return is_value(before)


def _place(context: PassageContext, claim: Claim) -> int:
    """Return where a figure begins, with the thing or time right before it: 2021年的787万."""
    text = context.contexts.reading.text
    anchors = [(one.start, one.end) for one in (*context.entities, *context.periods)]
    ends = (one for one in anchors if OWNS.fullmatch(text, one[1], claim.start))
    return min((start for start, _ in ends), default=claim.start)


def _tells_gap(context: PassageContext) -> bool:
    """Whether a passage, or what stands over it, calls a difference: "the gap", "their lead"."""
    text = context.contexts.reading.text
    spans = ((context.passage.start, context.passage.end), *context.above)
    return any(DIFFERENCE.search(text, *one) for one in spans)


def _is_called_otherwise(context: PassageContext, claim: Claim) -> bool:
    """Whether the words of a figure call another value of what it is of: "sales" of visitors.

    In a table they are those of its heads, or of its corner where these call none. Beside a figure
    that has a unit or a noun, these decide.
    """
    passage, rivals = context.passage, context.contexts.known.rivals
    if claim.status == "derived" or (passage.kind == "cell" and is_headed_by_unit(context)):
        return False
    if passage.kind == "cell":
        heads = [scope.span for scope in passage.scopes[:2] if scope.hard]
        spans = [heads, [passage.corner] if passage.corner else []]
    else:
        quantity = next((q for q in context.quantities if q.span[0] == claim.start), None)
        if quantity is None or quantity.unit or calling_words(quantity.noun):
            return False
        ends = [q.span[1] for q in context.quantities if q.span[1] <= claim.start]
        start = max((context.clause(claim.start)[0], *ends)) if ends else passage.start
        spans = [[(start, claim.start)]]
    own = frozenset[str]().union(
        *(rivals.get(kind_of(f), {}).get(f.names, ()) for f in claim.facts)
    )
    own -= frozenset[str]().union(*(calling_words(f.value.entity or "") for f in claim.facts))
    called = [_calling(context, one, own) for one in spans]
    if passage.kind != "cell":  # "the score of 35 forecasts is 0.24"
        whole = _calling(context, [(context.clause(claim.start)[0], claim.start)], own)
        called[1:] = [whole] if whole & own else []
    words = called[0] if called[0] & own else called[0].union(*called[1:])
    return all(calls_another(fact, words, rivals, bare=True) for fact in claim.facts)


def _calling(context: PassageContext, spans: Sequence[Span], own: frozenset[str]) -> frozenset[str]:
    """Return the words that may call a property, without names of things.

    Those that are not among the words of its own property may call it in English.
    """
    contexts, found = context.contexts, set[str]()
    for span in spans:
        things = contexts.entities(span)
        for word in contexts.annotated.within(*span):
            plain = calling_words(word.text)
            if plain & own:
                found |= plain
            elif not any(a.start <= word.start < a.end for a in things):
                found |= plain.union(*fields_of(fold_word(word.text)))
    return frozenset(found)


def _time_of(context: PassageContext, claim: Claim) -> Anchor[PeriodKey] | None:
    """Return the one time that the clause of a figure names, or the next one behind it."""
    start, end = context.clause(claim.start)
    here = [one for one in context.periods if start <= one.start < end]
    if len(here) == 1:
        return here[0]
    others = [q.span[0] for q in context.quantities if q.span[0] >= claim.end]
    behind = [one for one in here if one.start >= claim.end]
    return behind[0] if behind and behind[0].start < min(others, default=end) else None


def _is_one_move(context: PassageContext, first: Claim, second: Claim) -> bool:
    """Whether two figures may be those from which and to which something moves."""
    one, other = first.facts[0], second.facts[0]
    if is_gap(first) != is_gap(second):
        return False
    if is_gap(first) or one.value.item or other.value.item:
        return True
    if not one.periods or not other.periods:
        return True  # a lowest and a highest value
    if are_later_first(context, first, second):
        return False
    return one is not other and (one.names, one.entities) == (other.names, other.entities)


def _owner(context: PassageContext, claim: Claim) -> Anchor[str] | None:
    """Return the thing right before a figure that has it: "Kenya's 12 million"."""
    text = context.contexts.reading.text
    before = [one for one in context.entities if one.end <= claim.start]
    if not before or HAS.fullmatch(text, before[-1].end, claim.start) is None:
        return None
    return before[-1]


def _has_another(
    context: PassageContext,
    claim: Claim,
    thing: Anchor[str] | None,
    time: Anchor[PeriodKey] | None,
) -> bool:
    """Whether the thing or time right beside a total has a value of its own, and another one."""
    first, known = claim.facts[0], context.contexts.known
    is_sum = " + " in claim.detail or first.operation == "sum"
    parts = first.operands or claim.facts
    things = [thing] if thing else _things_with(context, claim)
    entities = frozenset[str]().union(*(one.keys for one in things)) or parts[0].entities
    start, end = context.clause(claim.start)
    here = (q for q in context.quantities if q.unit != "×")
    end = max(end, context.contexts.reading.text.find(")", start, end + _BEHIND))
    alone = sum(start <= q.span[0] < end for q in here) == 1  # and not "B (9 against 5)"
    is_foreign = is_value(claim) and bool(first.entities) and entities.isdisjoint(first.entities)
    is_foreign = is_foreign and alone
    if is_sum and (not (things or time) or (time and set(parts_of(time.keys, known.periods)))):
        return False
    if not is_sum and not is_foreign and not (is_total(claim) and things):
        return False
    periods = time.keys if time else frozenset[PeriodKey]().union(*(f.periods for f in parts))
    own = [
        fact.number
        for fact in known.facts.numbers()
        if fact.entities & entities
        and not fact.operands
        and fact.value.unit == first.value.unit
        and (first.value.unit == ASSETS or fact.names == parts[0].names)
        and (not fact.periods or fact.periods & periods)
    ]
    return bool(own) and first.number not in own


def _things_with(context: PassageContext, claim: Claim) -> list[Anchor[str]]:
    """Return the things of which one has a figure behind "with": "A is first, with 12"."""
    text = context.contexts.reading.text
    if WITH.search(text, context.passage.start, claim.start) is None:
        return []
    before = [q.span[1] for q in context.quantities if q.span[1] <= claim.start and not q.words]
    since = max(before, default=context.passage.start)
    return [one for one in context.entities if since <= one.start and one.end <= claim.start]


def _is_beside_change(context: PassageContext, claim: Claim, before: Claim) -> bool:
    """Whether a value stands where a like change is told: "A gained 2 million, B about 9"."""
    start = context.clause(claim.start)[0]
    is_change = is_gap(before) and before.kind == claim.kind == "number" and before.end <= start
    if not (is_change and is_value(claim)):
        return False
    things = [one for one in context.entities if start <= one.start < claim.start]
    led = (w for w in context.words if start <= w.start < claim.start and w.kind != "sign")
    led = (w for w in led if not any(one.start <= w.start < one.end for one in things))
    is_bare = all(w.role is not None and w.role.role in _QUIET for w in led)
    return (
        bool(things)
        and is_bare
        and not TO.search(context.contexts.reading.text, start, claim.start)
    )


def _is_gap_of_another_time(claim: Claim, time: Anchor[PeriodKey] | None) -> bool:
    """Whether a difference of two things is told of a time of which both values are not."""
    if time is None or " − " not in claim.detail or len(claim.facts) != 2:
        return False
    first, second = claim.facts
    if not first.periods or first.periods != second.periods or first.entities == second.entities:
        return False
    return first.periods.isdisjoint(time.keys)


def _are_turned(context: PassageContext, first: Claim, second: Claim) -> bool:
    """Whether the values of two things stand in the other order than the things do."""
    text = context.contexts.reading.text
    if COMPARED_WITH.fullmatch(text, first.end, second.start) is None:
        return False
    start = context.clause(first.start)[0]
    if any(start <= one.start < second.end for one in context.entities):
        return False
    named = [one for one in context.entities if one.end <= start][-2:]
    one, other = first.facts[0], second.facts[0]
    if len(named) < 2 or named[0].keys & named[1].keys or one.operands or other.operands:
        return False
    ahead, behind = (item.keys for item in named)
    return bool(one.entities and other.entities) and (
        one.entities.isdisjoint(ahead) or other.entities.isdisjoint(behind)
    )


def _is_gap_to_part(context: PassageContext, claim: Claim) -> bool:
    """Whether a figure told as the gap to a sum is another: "3 more than B and C together"."""
    text, things = context.contexts.reading.text, context.entities
    led = BY.search(text, context.clause(claim.start)[0], claim.start)
    first = (claim.facts[0].operands or claim.facts)[0]
    values = {k: f.number or 0 for f in alike(context.contexts.known, first) for k in f.entities}
    told = next((q.value for q in context.quantities if q.span[0] == claim.start), None)
    for place in range(1, len(things) if led or is_more(context, claim) else 0):
        others = joined_anchors(text, things[place:])
        if summed_behind(text, others) is not None:
            sides = (things[place - 1], *others)
            numbers = [next((values[k] for k in a.keys if k in values), 0) for a in sides]
            return 0 in numbers or abs(2 * numbers[0] - sum(numbers)) != told
    return False


_TESTS = (
    *KINDS,
    (_is_gap_to_part, "the text tells the gap to a sum, and it is none"),
    (_is_called_otherwise, "the text tells it of another property"),
    (carries_change_on, "it went the other way"),
    (leads_to_another, "the change does not lead to the value told"),
    (is_in_another_turn, "the text names another thing in its place"),
    (is_at_level_of_another_time, "it was another one then"),
    (is_told_as_standing, "it has been restated since, which the text does not say"),
)
