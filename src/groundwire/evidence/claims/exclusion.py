"""Whether recorded values exclude a figure, so that it is contradicted and not only unsupported.

A figure is excluded where one reading of its clause is left: the subject, the property and the
period are each bound by words of the clause or by what stands over it, nothing in the clause says
that the figure was computed, compared or is of a part, and the records have one value for what is
bound, which is another. Everywhere else a figure that no record has is unsupported: it may be right
of something that the clause says in words that were not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TypeVar

from groundwire.evidence.claims.attachment import Anchor, Slot, joined
from groundwire.evidence.claims.counts import COUNTED, TOTALS
from groundwire.evidence.claims.derivation import BY, DIFFERENCE, MEAN, SUM
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.passage_statements import states
from groundwire.evidence.claims.rounding import agrees_scaled
from groundwire.evidence.claims.stated_number import StatedNumber, without_names
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word

Key = TypeVar("Key", bound=Hashable)

# Words of these roles say that a figure is compared, ranked or of a part of what is named.
_OPERATES = frozenset(("comparison", "superlative"))
_OPERATES_SO = frozenset(
    (("quantifier", "other"), ("quantifier", "half"), ("quantifier", "most"), ("order", "then"))
)
_FROM = re.compile(r"(?:\b(?:from|von)|从|由) ?[$€£¥约 ]*$", re.IGNORECASE)
_TO = re.compile(r"(?:\b(?:to|at|auf|bei|from|von)|至|到|为|从|由) ?[$€£¥约 ]*$", re.IGNORECASE)


def excluding(
    number: StatedNumber, expected: Sequence[Fact], recorded: Sequence[Fact] = ()
) -> list[Fact]:
    """Return the recorded values that exclude a figure; none where anything is left open.

    Args:
        number: the figure, with what it is said of.
        expected: what the records have for that.
        recorded: the values that the figure agrees with, of whatever they are.
    """
    if number.quantity.words and not number.noun:
        return []  # "one on the island", "the other two"
    facts = _of_subject(number, [fact for fact in expected if not fact.operands] or expected)
    if not facts or (len({fact.number for fact in facts}) > 1 and not _are_of_one_thing(facts)):
        return []
    if _is_computed(number, facts[0]):
        return []
    if len({(fact.names, fact.entities) for fact in facts}) > 1:
        return []
    if not _is_bound(number, facts[0]):
        return []
    if _may_be_meant(number, facts, recorded):
        return []
    own = facts[0].entities
    rivals = [one for one in recorded if one.entities == own and one.names != facts[0].names]
    return [] if rivals and not _is_led_by_name(number, facts[0]) else facts


def _may_be_meant(number: StatedNumber, facts: Sequence[Fact], recorded: Sequence[Fact]) -> bool:
    """Whether a figure may well be a recorded one, said in other words than were read.

    It is the value itself; its own noun, or what names the property, calls what it is recorded as
    ("68 reviews of 11 cards", "stops" for the stops that are ridden); what it began at is that of
    another time; or it stands in a table, whose corner may tell a scale.
    """
    noun = frozenset(words_of(number.noun))
    numbers = {fact.number for fact in facts}
    scaled = number.passage.passage.kind == "cell" and any(
        fact.number is not None and agrees_scaled(number.quantity, fact.number) for fact in facts
    )
    first = facts[0]
    own = [one for one in recorded if one.entities == first.entities and one.names != first.names]
    sentence = number.text[number.passage.passage.start : number.passage.passage.end]
    said = number.known.words_about(first).intersection(words_of(sentence))
    no_unit = number.quantity.unit is not None and first.unit is None  # 600370 as 600,370 km²
    return (
        scaled
        or (no_unit and number.quantity.value in numbers)
        or any(one.number in numbers for one in recorded)
        or any(noun & number.known.words_about(one) for one in own)
        or bool(own and noun and not noun & number.known.words_about(first))
        or any(said and said <= number.known.words_about(one) for one in own)
        or _begins(number, first, recorded)
    )


def _begins(number: StatedNumber, held: Fact, recorded: Sequence[Fact]) -> bool:
    """Whether a value changed from a figure, without a time of its own: "fell from 25 to 24"."""
    start = number.quantity.span[0]
    behind = [one for one in number.passage.quantities if one.span[0] > start]
    if not behind or not _FROM.search(number.text[max(0, start - 12) : start]):
        return False
    if any(start < anchor.start < behind[0].span[0] for anchor in number.passage.periods):
        return False
    ends_so = held.number is not None and agrees_scaled(behind[0], abs(held.number))
    alike = ((one.names, one.entities) == (held.names, held.entities) for one in recorded)
    return ends_so or any(alike)


def _of_subject(number: StatedNumber, facts: Sequence[Fact]) -> list[Fact]:
    """Values of what the clause names, without those of a whole that nothing in it names."""
    slot = number.context.entity
    own = [fact for fact in facts if fact.entities & slot.keys] if slot.binding else []
    return own or list(facts)


def _are_of_one_thing(facts: Sequence[Fact]) -> bool:
    """Whether values differ only by the moment of their answer, so that all exclude another one.

    Totals are of as many sets as there were answers.
    """
    return (
        len({(fact.names, fact.entities, fact.periods) for fact in facts}) == 1
        and not facts[0].names & TOTALS
    )


def _is_computed(number: StatedNumber, fact: Fact) -> bool:
    """Whether the clause of a figure may say that it was computed, compared or is of a part."""
    passage, quantity = number.passage, number.quantity
    start, end = passage.clause(number.start)
    said = without_names(passage, start, end)
    summed = SUM.search(said) is not None and not fact.names & TOTALS
    if summed or any(one.search(said) for one in (MEAN, DIFFERENCE, operator("part"))):
        return True
    per_head = operator("per_head").search(number.text, passage.passage.start, number.start)
    if per_head and "/" not in (fact.value.unit or ""):
        return True
    if fact.operation == "percent_change":
        return not _tells_change(number, fact)
    before = max(start, number.start - 24)
    if BY.search(number.text, before, number.start):
        return True
    names = [(mention.start, mention.end) for mention in passage.mentions]
    words = [
        word
        for word in passage.contexts.annotated.within(start, end)
        if not any(low <= word.start < high for low, high in names)
    ]
    end_of_figure = quantity.span[1]
    if any(_operates(word) for word in words):
        return True
    behind = [word for word in words if _bounds(word) and word.start >= end_of_figure]
    if not all(_bounds_condition(word, number) for word in behind):
        return True  # "CNY 277.7 million more than online"
    if not any(_is_direction(word) for word in words):
        return False
    # "Fell to 5" tells the value, "fell 5" the change.
    return _TO.search(number.text, before, quantity.span[0]) is None


def _tells_change(number: StatedNumber, fact: Fact) -> bool:
    """Whether a clause says no more than that its subject changed between two named moments."""
    passage = number.passage
    periods = {anchor.keys for anchor in passage.periods}
    known = number.known.periods
    named = number.context.names_operands(fact, passage.periods, known)
    is_of_both = len(periods) == 2 and named
    start, end = passage.clause(number.start)
    return bool(number.way) and is_of_both and _adds_nothing(number, start, end, _is_direction)


def _adds_nothing(
    number: StatedNumber,
    start: int,
    end: int,
    allowed: Callable[[Word], bool] = lambda _: False,
) -> bool:
    """Whether a range has nothing but its thing, property, dates, figures and silent words.

    Words that are allowed may stand there too.
    """
    passage, keys = number.passage, number.context.name.keys
    own = [anchor for anchor in passage.names if anchor.keys & keys]
    known = [(a.start, a.end) for a in (*passage.entities, *passage.periods, *own)]
    known += [quantity.span for quantity in passage.quantities]
    return all(
        word.is_silent
        or word.kind == "sign"
        or allowed(word)
        or any(low < word.end and word.start < high for low, high in known)
        for word in passage.contexts.annotated.within(start, end)
    )


def _bounds_condition(word: Word, number: StatedNumber) -> bool:
    """Whether a bound is of a figure that the records have as a condition of what they count."""
    behind = next((q for q in number.passage.quantities if q.span[0] >= word.start), None)
    if behind is None or behind.bound is None or number.text[word.end : behind.span[0]].strip():
        return False
    noun = frozenset(words_of(behind.noun))
    conditions = (c for one in number.known.statements for c in one.statement.conditions)
    return any(
        states(
            condition,
            replace(behind, unit=condition.unit)
            if noun & frozenset(words_of(condition.unit or ""))
            else behind,
        )
        for condition in conditions
    )


def _operates(word: Word) -> bool:
    if word.role is None:
        return False
    return word.role.role in _OPERATES or (word.role.role, word.role.sense) in _OPERATES_SO


def _bounds(word: Word) -> bool:
    return word.role is not None and word.role.role == "bound"


def _has(word: Word) -> bool:
    return word.role is not None and word.role.role == "having"


def _is_direction(word: Word) -> bool:
    return word.role is not None and word.role.role == "direction"


def _is_bound(number: StatedNumber, fact: Fact) -> bool:
    """Whether one subject, property and period are bound, and the value is of these."""
    passage, context = number.passage, number.context
    claims = sorted({q.span[0] for q in passage.quantities} | {number.start})
    entity = (
        not fact.entities
        or _is_certain(context.entity, passage.entities, number, claims)
        or _is_only_subject(number, fact)
    )
    dated = {
        one.periods
        for one in number.known.facts.numbers()
        if one.names == fact.names and one.entities == fact.entities and not one.operands
    }
    # A change is between the two moments that its clause names.
    undated = len(dated) < 2 or fact.operation == "percent_change"
    period = undated or _is_certain(context.period, passage.periods, number, claims)
    return entity and period and _is_called(number, fact, claims)


def _is_only_subject(number: StatedNumber, fact: Fact) -> bool:
    """Whether a passage that names nobody can only speak of the one whose property is recorded."""
    recorded = {one.entities for one in number.known.facts.numbers() if one.names == fact.names}
    return not number.passage.entities and recorded == {fact.entities}


def _is_called(number: StatedNumber, fact: Fact, claims: Sequence[int]) -> bool:
    """Whether it is certain of which property a figure is: named, or the only one that it can be.

    A figure in a unit is of the one property that is measured so; a bare one counts what its noun
    says.
    """
    passage, known = number.passage, number.known
    slot = number.context.name
    noun = frozenset(words_of(number.noun))
    is_total = bool(fact.names & TOTALS) and not fact.entities
    if is_total and noun & known.once(_told_in_names) - COUNTED - known.words - known.kinds:
        return False  # "two expressway maps" are some of all maps
    if slot.binding:
        return _is_certain(slot, passage.names, number, claims)
    if is_total:
        return bool(noun & (COUNTED | known.words))
    bare = number.quantity.unit is None
    if bare and noun:
        _, end = passage.clause(number.start)
        reach = number.quantity.span[1] + len(number.noun) + 1
        # "500,000 people in hospital" counts less than the people.
        return bool(noun & known.words_about(fact)) and _adds_nothing(number, reach, end)
    if bare and not _is_led_by_subject(number):
        return False
    alike = {
        one.names
        for one in known.facts.numbers()
        if one.entities == fact.entities and not one.operands
        if (one.unit.dimension if one.unit else "") == number.dimension()
    }
    return alike == {fact.names}


def _told_in_names(known: Knowledge) -> frozenset[str]:
    """Return the words of which the names of recorded things are made."""
    called = {fact.value.entity for fact in known.facts.all if fact.value.entity}
    return frozenset(word for name in called for word in words_of(name))


def _is_led_by_name(number: StatedNumber, fact: Fact) -> bool:
    """Whether nothing but names, dates and silent words stands between property and figure.

    What is recorded of another property of the same thing may be told of that one in other words.
    """
    passage = number.passage
    named = [a for a in passage.names if a.keys & fact.names]
    before = [a for a in named if a.end <= number.start]
    if before:
        known = [(a.start, a.end) for a in (*passage.entities, *passage.periods)]
        words = passage.contexts.annotated.within(before[-1].end, number.start)
        return all(
            word.is_silent or word.kind == "sign" or any(a <= word.start < b for a, b in known)
            for word in words
        )
    end = number.quantity.span[1]
    if any(not number.text[end : a.start].strip() for a in named):
        return _is_led_by_subject(number)  # "word a has 30 reviews"
    return number.context.name.force == "hard"


def _is_led_by_subject(number: StatedNumber) -> bool:
    """Whether nothing but dates and silent words stands between the subject and its figure."""
    keys = number.context.entity.keys
    start, _ = number.passage.clause(number.start)
    named = [a for a in number.passage.entities if a.keys & keys and start <= a.start]
    before = [a for a in named if a.end <= number.start]
    return bool(before) and _adds_nothing(number, before[-1].end, number.start, _has)


def _is_certain(
    slot: Slot[Key], anchors: Sequence[Anchor[Key]], number: StatedNumber, claims: Sequence[int]
) -> bool:
    """Whether a figure can be said of one thing alone, by where the passage names things."""
    if slot.force == "hard":
        return True
    if not slot.binding:
        return len(slot.keys) == 1 and not anchors
    named = [anchor for anchor in anchors if anchor.keys & slot.keys]
    if len({anchor.keys for anchor in named}) != 1:
        return False
    passage, text = number.passage, number.text
    if len({anchor.keys for anchor in anchors}) == 1 and anchors[0].start < number.start:
        return True
    held = joined(text, claims, passage.ends, anchors).get(number.start)
    if held is not None:
        return held.keys == named[0].keys
    start, end = passage.clause(number.start)
    here = {anchor.keys for anchor in anchors if start <= anchor.start < end}
    alone = sum(start <= claim < end for claim in claims) == 1
    if here == {named[0].keys} and alone:
        return True
    if _are_paired(anchors, claims):
        return True
    # "From 5 million people in 2010": the noun of a figure stands between it and its year.
    nouns = {q.span[0]: q.span[1] + 1 + len(q.noun) for q in passage.quantities if q.noun}
    behind = joined(text, claims, passage.ends | nouns, anchors).get(number.start)
    return behind is not None and behind.keys == named[0].keys


def _are_paired(anchors: Sequence[Anchor[Key]], claims: Sequence[int]) -> bool:
    """Whether things and figures stand apart from each other in the same number."""
    if len({anchor.keys for anchor in anchors}) != len(anchors) or len(anchors) != len(claims):
        return False
    return anchors[-1].start < claims[0] or claims[-1] < anchors[0].start
