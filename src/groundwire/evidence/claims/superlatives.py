"""The largest, the least, the longest: whether what a passage names stands first among all.

A thing stands first where a recorded order begins with it, where it is the greatest of things of
which the records have every one, or of things that the passage names itself. Things are those that
values are recorded of, the parts that a figure is divided into (sales channels), and the groups
that a set was counted by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.counts import sizes_in_han
from groundwire.evidence.claims.explained_words import is_kind
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.qualities import Quality, quality_of
from groundwire.evidence.claims.rankings import (
    fitting,
    is_all_listed,
    is_measured,
    is_narrowed_as,
    lacks_told,
)
from groundwire.evidence.claims.set_cues import has_place, judge_listing
from groundwire.evidence.claims.stated_values import (
    MEANS,
    alike,
    is_one_of_row,
    joined_anchors,
    of_people,
    stated_facts,
)
from groundwire.evidence.claims.statement_index import part_of
from groundwire.evidence.claims.table_heads import numbers_rows
from groundwire.evidence.claims.value_rows import by_kind, keys_named, rows
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word
from groundwire.language.ordinals import place_at

_IN_VIEW = frozenset[str](cue_tables()["in_view"])
_OF_ALL_TIME = tuple[str, ...](cue_tables()["of_all_time"])
# "The strongest quarter" is the one with the most, where one property is named.
_WAYS = {"up": 1, "down": -1}
# What makes a value one of several of a thing: "Kitchen's highest rating", 家居的最高评分.
_OWNS = re.compile(r"['’]s? |的", re.IGNORECASE)
# From a superlative to the property that it is of: "höchsten Umsatz", 最高的收入.
_BEHIND = 1
_ARTICLES = frozenset(("the", "am"))


def judge_superlative(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge first and last places, among things that a passage names or that a record has all of.

    Returns:
        Whether each thing that the word is said of stands first; None where the records have not
        all of what it is first among, or more than one order fits.
    """
    word = words[place]
    of_all_time = any(one in word.text.casefold() for one in _OF_ALL_TIME)
    if of_all_time or _names_others(proof, word):
        return None  # no record holds all times
    quality = _of_property(proof, word, quality_of(word))
    sense = quality.way
    of_change = _way_of_change(words, place)
    if of_change or sense == "rank":  # "ranked by population: A, B, C"
        return None if of_change else _is_ranked(proof, words, place)
    unlike = _is_by_nothing(proof, words, place, quality) or _tells_more(proof)
    if sense not in ("most", "least") or unlike:
        return None
    if _is_best_period(proof, word, sense, quality) or _lists_first(proof, sense, quality):
        return True
    if _is_of_own(proof, word):
        return None
    subjects = _subjects(proof, word)
    keys = [anchor.keys for anchor in subjects] or _told_by_figure(proof, word)
    frequent = operator("frequent").search(word.text) is not None
    is_row = (not proof.found.few or sense != "most") and is_one_of_row(proof.context, subjects)
    if keys and not frequent and _stand_first(proof, keys, sense, quality):
        return True
    if quality.is_measured:
        return None if is_row else _is_greatest(proof, keys, sense, quality)
    if frequent:
        return _is_most_counted(proof, keys, sense)
    moves = (w.role for w in words if w.role and w.role.role == "direction")
    if any(role.sense != "flat" for role in moves):  # "remained the largest" is no change
        return None
    greatest = None if is_row else _is_greatest(proof, keys, sense, quality)
    return _is_most_counted(proof, keys, sense) if greatest is None and keys else greatest


def _is_ranked(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge "the second largest" by its place, and "by area: A, B, C" by the order told.

    At the head of a column the rows under it must be the first of an order.
    """
    if place_at(words[place].text.split()[0]):
        return has_place(proof, words, place) or None
    passage, contexts = proof.context.passage, proof.context.contexts
    few = [are_first for _, _, are_first in proof.found.few]
    if passage.kind == "cell":
        end = proof.text.find("\n\n", passage.end)
        rows = contexts.entities((passage.end, end if end >= 0 else len(proof.text)))
        keys = list(dict.fromkeys(anchor.keys for anchor in rows))
        places = [[one.place_of(own) for own in keys] for one in proof.known.rankings]
        is_first = len(keys) > 1 and list(range(1, len(keys) + 1)) in places
        return is_first or numbers_rows(proof.context) or None
    return (bool(few) and all(few)) or judge_listing(proof, "sorted") or None


def _names_others(proof: Proof, word: Word) -> bool:
    """Whether "the four largest" stands beside names that are not the first four of any order."""
    context = proof.context
    few = [(start, end) for start, end, _ in proof.found.few if start <= word.start < end]
    figures = [*context.quantities, *context.pointers] if few else []
    counts = [q.value for q in figures if any(a <= q.span[0] < b for a, b in few)]
    named = context.listed or context.entities if few else []
    places = [{one.place_of(a.keys) for a in named} - {None} for one in proof.known.rankings]
    firsts = [set(range(1, int(count) + 1)) for count in counts]
    return any(places) and not any(own in firsts for own in places)


def _is_by_nothing(proof: Proof, words: Sequence[Word], place: int, quality: Quality) -> bool:
    """Whether nothing says by what a thing is the largest of its kind, or by which of its rates."""
    context, known = proof.context, proof.known
    of_kind = any(
        w.kind != "sign" and is_kind(w, known.kinds) for w in words[place + 1 : place + 2]
    )
    units = {fact.value.unit for fact in stated_facts(proof)} - {None}
    of_rate = bool(units) and all("%" in str(one) or "/" in str(one) for one in units)
    if quality.is_measured or not (of_kind or of_rate):
        return False
    measures = known.numeric_names - known.answer_names
    named = any(a.keys & measures for a in context.contexts.names((0, context.passage.end)))
    return not (named or any(c.kind in ("number", "percent") and c.facts for c in proof.claims))


def _is_of_own(proof: Proof, word: Word) -> bool:
    """Whether a word picks one value of those that a thing has: "Kitchen's highest rating"."""
    context = proof.context
    behind = any(0 <= a.start - word.end <= _BEHIND for a in context.names)
    return behind and any(_OWNS.fullmatch(proof.text, a.end, word.start) for a in context.entities)


def _of_property(proof: Proof, word: Word, quality: Quality) -> Quality:
    """Return a quality with the property that its clause names: "the highest sales per visitor".

    It is the one right behind the word, else the only one of the clause, if its passage has others.
    """
    known = proof.known
    numeric = known.numeric_names - known.answer_names - known.parts.keys()
    start, end = proof.context.clause(word.start)
    here = [a.keys & numeric for a in proof.context.names if start <= a.start < end]
    behind = [
        a.keys & numeric
        for a in proof.context.names
        if 0 <= a.start - word.end <= _BEHIND and not proof.text[word.end : a.start].strip()
    ]
    own = next(filter(None, behind), frozenset[str]())
    if not own and len(set(filter(None, here))) == 1 and len(proof.context.names) > len(here):
        own = next(filter(None, here))
    return quality if quality.is_measured else replace(quality, names=own)


def _way_of_change(words: Sequence[Word], place: int) -> int:
    """Return the way of a rise or fall right beside a superlative: "fell the most"; else 0."""
    before = [w for w in words[max(0, place - 2) : place] if w.text.casefold() not in _ARTICLES]
    beside = (*words[place + 1 : place + 2], *before[-1:])
    senses = [w.role.sense for w in beside if w.role and w.role.role == "direction"]
    ways = (_WAYS.get(sense.partition("_")[0], 0) for sense in senses)
    return next(filter(None, ways), 0)


def _is_best_period(proof: Proof, word: Word, sense: str, quality: Quality) -> bool:
    """Whether a period has the greatest value of all that the period which is named is made of.

    Of several such periods ("in both years"), it has the greatest value of each.
    """
    start, end = proof.context.clause(word.start)
    held = proof.known.periods
    anchors = proof.context.periods
    wholes = [parts for a in anchors if (parts := set(parts_of(a.keys, held)))]
    own = [a for a in anchors if start <= a.start < end and not parts_of(a.keys, held)]
    before = [a for a in own if a.end <= word.start]
    subject = (before[-1:] or own[:1])[:1]
    every_part = set[PeriodKey]().union(*wholes)
    keys = {key for a in (*subject, *anchors) if a in subject or a not in own for key in a.keys}
    keys &= every_part
    if not subject or not wholes or any(not keys & parts for parts in wholes):
        return False
    fits = quality.fits(proof)
    facts = [f for f in stated_facts(proof) if f.periods and fits(f)]
    series = by_kind(f for f in facts if f.periods & keys)
    if len(series) != 1:
        return False
    for parts in wholes:
        every = {
            fact.periods: fact
            for fact in rows(proof.known, times=parts, kinds=series)
            if fact.number is not None
        }
        values = {periods: fact.number or Decimal(0) for periods, fact in every.items()}
        best = (max if sense == "most" else min)(values.values(), default=None)
        first = [periods for periods, number in values.items() if number == best]
        if len(values) != len(parts) or len(first) != 1 or not first[0] & keys:
            return False
        proof.used.extend(every.values())
    return True


def _lists_first(proof: Proof, sense: str, quality: Quality) -> bool:
    """Whether the list under a heading tells the first members of a recorded order, as they are.

    "Best-selling categories:" heads those that sold most, the first one first.
    """
    listed = proof.context.listed
    fits = quality.fits(proof)
    names = {name for fact in proof.plain for name in fact.names if fits(fact)}
    for held in fitting(proof.known.rankings, proof.context, proof.known) if listed else ():
        one = held if held.descending == (sense == "most") else held.turned()
        if one is None or not one.names & names:
            continue
        places = list(dict.fromkeys(one.place_of(anchor.keys) for anchor in listed))
        if places == list(range(1, len(places) + 1)):
            return True
    return False


def _subjects(proof: Proof, word: Word) -> list[Anchor[str]]:
    """The things that a place is given to: those right before the word, else those behind it.

    What stands before the word and has no place in any order is what the others are a part of:
    "the largest country of South America is Brazil".
    """
    context = proof.context
    start, end = context.clause(word.start)
    all_parts = proof.known.parts
    parts = [a for a in context.names if a.keys & all_parts.keys()]
    owners = {o for a in parts for k in a.keys for f in all_parts.get(k, ()) for o in f.entities}
    orders = fitting(proof.known.rankings, context, proof.known)
    # Of one part all may be ranked: "North had the most respondents of that age".
    of_part = [one for one in orders if part_of(one.narrowed)]
    entities = [
        a for a in context.entities if not (parts and a.keys & owners)
        or (a.end <= word.start and any(one.place_of(a.keys) for one in of_part))
    ]  # fmt: skip
    things = sorted([*entities, *parts], key=lambda anchor: anchor.start)
    before = [a for a in things if a.end <= word.start]
    behind = [a for a in things if a.start >= word.end]
    here = any(a.start < end for a in behind)
    held = [a for a in before if a.start >= start] or ([] if here else before)
    ranked = [a for a in things if any(one.place_of(a.keys) for one in orders)]
    if held and (held[-1] in ranked or not any(a in ranked for a in behind)):
        return joined_anchors(proof.text, held[::-1])
    own = [a for a in behind if a.start < end] or behind
    return joined_anchors(proof.text, [a for a in own if a in ranked] or own)


def _told_by_figure(proof: Proof, word: Word) -> list[frozenset[str]]:
    """The thing that only the one figure of a clause tells: "the highest of all is 0.94"."""
    start, end = proof.context.clause(word.start)
    own = {
        fact.entities
        for claim in proof.claims
        if start <= claim.start < end and claim.kind == "number" and claim.status == "supported"
        for fact in claim.facts
    }
    return [one for one in own if one] if len(own) == 1 else []


def _stand_first(
    proof: Proof, subjects: Sequence[frozenset[str]], sense: str, quality: Quality
) -> bool:
    """Whether things stand first, all with one value, in a recorded order by what is named."""
    every = frozenset(key for keys in subjects for key in keys)
    told = frozenset[str]().union(*(f.names for f in proof.plain if f.entities & every))
    passage = proof.context.passage
    of_list = operator("of_list").search(proof.text, passage.start, passage.end) is not None
    for held in fitting(proof.known.rankings, proof.context, proof.known, of_list=of_list):
        one = held if held.descending == (sense == "most") else held.turned()
        if one is None or not quality.measures(one.names):
            continue
        measured = quality.is_measured or is_measured(one, proof.context, proof.known)
        if not (measured or (told and told <= one.names)):
            continue
        places = {one.place_of(keys) for keys in subjects}
        if places != set(range(1, len(subjects) + 1)) or lacks_told(
            proof.context, proof.known, every
        ):
            continue
        values = [
            fact
            for fact in proof.known.facts.numbers()
            if fact.evidence_id == one.evidence_id and fact.names & one.names
            if any(fact.entities & keys for keys in subjects)
        ]
        if len(subjects) == 1 or len({fact.number for fact in values}) == 1:
            proof.used.extend(values)
            return True
    return False


def _is_most_counted(proof: Proof, subjects: Sequence[frozenset[str]], sense: str) -> Outcome:
    """Whether groups have the most members of all that a set was counted by."""
    known, outcomes = proof.known, list[bool]()
    for keys in subjects:
        own = [f for f in known.facts.numbers() if f.value.unit == ASSETS and f.entities & keys]
        for fact in own:
            numbers = [one.number or Decimal(0) for one in alike(known, fact)]
            totals = {one.number for one in known.totals if one.evidence_id == fact.evidence_id}
            if len(numbers) > 1 and sum(numbers) in totals:
                best = max(numbers) if sense == "most" else min(numbers)
                if fact.number == best and numbers.count(best) != len(subjects):
                    return None  # others share the place
                outcomes.append(fact.number == best)
                proof.used.append(fact)
    return all(outcomes) if outcomes else None


def _is_greatest(
    proof: Proof, subjects: Sequence[frozenset[str]], sense: str, quality: Quality
) -> Outcome:
    """Whether the value of a thing is the greatest of all that are named or known to be all."""
    subject = subjects[0] if subjects else None
    fits = quality.fits(proof)
    periods = {key for anchor in proof.context.periods for key in anchor.keys}
    own = [
        fact
        for fact in stated_facts(proof)
        if not periods or not fact.periods or fact.periods & periods
        if len(fact.entities) == 1 and (subject is None or fact.entities & subject)
        if fits(fact)
    ]
    own = of_people(proof, own)
    if not own or (subject is None and len({min(f.entities) for f in own}) > 1):
        return None
    if len({one.names for one in own}) > 1 or len(subjects) > 1:
        return None  # one property has it so, and another may not
    by_period = {fact.periods: fact for fact in own}
    judged = (_outdoes(proof, fact, sense) for fact in by_period.values())
    outcomes = {outcome for outcome in judged if outcome is not None}
    proof.used.extend(own)
    return outcomes.pop() if len(outcomes) == 1 else None


def _tells_more(proof: Proof) -> bool:
    """Whether a text names a value by which only another answer counts: "most traces with rain"."""
    counts = {f.evidence_id for f in stated_facts(proof) if f.entities and f.value.unit == ASSETS}
    told = (one.named for one in proof.context.mentions if not one.named.entities)
    records = [{f.evidence_id for f in one.values if f.value.kind == "name"} for one in told]
    return any(own and not counts <= own for own in records)


def _outdoes(proof: Proof, fact: Fact, sense: str) -> Outcome:
    """Whether a value is the greatest of all that are named or known to be all.

    Of an answer about fewer things than the records have, it is so if it is of all of them too,
    or if the passage says how many or which ones are meant.
    """
    pick = max if sense == "most" else min
    for held in _fields_of(proof.known, fact):
        entities = {key for one in held for key in one.entities}
        if len(entities) < 2 or not any(whole := [*_is_whole(proof, entities)]):
            continue
        numbers = [one.number for one in held if one.number is not None]
        every = [one.number for one in alike(proof.known, fact) if one.number is not None]
        holds = fact.number == pick(numbers)
        if holds and not any(whole[1:]) and fact.number != pick(every):
            continue
        return holds
    return None


def _fields_of(known: Knowledge, fact: Fact) -> Iterator[list[Fact]]:
    """Yield what a value may be the greatest of: all of its answer, and of all answers together."""
    same = [
        one
        for one in known.facts.numbers()
        if one.number == fact.number and one.entities == fact.entities and one.names == fact.names
    ]
    everything = alike(known, fact)
    for record in dict.fromkeys(one.evidence_id for one in same):
        own = alike(known, fact, record)
        if len(own) < len(everything):
            yield own
    yield everything


def _is_whole(proof: Proof, entities: set[str]) -> Iterator[bool]:
    """Yield whether some things are all: listed so, as many as is said, or all of them named."""
    things = keys_named(proof.context.entities)
    figures = (*proof.context.quantities, *proof.context.pointers)
    words = proof.context.words
    yield proof.found.is_complete and not any(_is_page(proof, entities))
    yield any(q.unit is None and q.value == len(entities) for q in figures)
    yield entities <= things
    yield frozenset(entities) in proof.known.whole_kinds
    yield len(entities) in {size for size, _ in sizes_in_han(words)}
    yield any(
        is_all_listed(one, proof.known) and {k for keys in one.members for k in keys} >= entities
        and len(one.members) == len(entities) and is_narrowed_as(one, proof.context)
        for one in proof.known.rankings
    )  # fmt: skip
    yield any(t.lemma in _IN_VIEW or t.key in _IN_VIEW for w in words for t in w.tokens)
    yield _says_by_what(proof) and any(_are_all_groups(proof, entities))


def _says_by_what(proof: Proof) -> bool:
    """Whether a superlative has a property, a mean, a sum or a figure in its clause or before it.

    "The longest map is of the USA, where the mean is 29.95 km" ranks no means.
    """
    context = proof.context
    measures = proof.known.numeric_names - proof.known.answer_names
    told = [q.span[0] for q in context.quantities]
    told += [a.start for a in context.names if a.keys & measures]
    told += [w.start for w in context.words if any(t.lemma in MEANS for t in w.tokens)]
    passage = context.passage
    told += [m.start() for m in operator("sum").finditer(proof.text, passage.start, passage.end)]
    ends = [context.clause(w.start)[1] for w in context.words if w.kind == "superlative"]
    return any(one < end for end in ends for one in told)


def _are_all_groups(proof: Proof, entities: set[str]) -> Iterator[bool]:
    """Yield, for each answer that counts things by group, whether some groups have all of them."""
    counts = [f for f in proof.known.about(frozenset(entities)) if f.value.unit == ASSETS]
    for total in proof.known.totals:
        own = [one for one in counts if one.evidence_id == total.evidence_id]
        sizes = {min(one.entities): one.number or Decimal(0) for one in own}
        covered = frozenset[str]().union(*(one.entities for one in own))
        yield len(sizes) > 1 and covered >= entities and sum(sizes.values()) == total.number


def _is_page(proof: Proof, entities: set[str]) -> Iterator[bool]:
    """Yield, for each answer that lists some things, whether it counts more than it lists."""
    about = proof.known.about(frozenset(entities))
    listing = {fact.evidence_id for fact in about if fact.value.unit != ASSETS}
    for total in proof.known.totals:
        if total.evidence_id in listing and total.number is not None:
            yield total.number > len(entities)
