"""Figures whose thing or time nothing tells, where the records have others: no one knows which.

"The wards are Cardiology and Maternity. Admissions were 4,511 in 2023" may be of either, "Maternity
had 1,702 admissions" of any of three years, and "the total rating was 4.5" tells a mean as a sum.
"The trip takes 21 minutes" is not proven by a leg of it that takes so long.

Words of names that name no recorded thing, or none of which the passage is true: "- Leipzig
motorway ring" has words of the names of two maps and is neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from groundwire.evidence.claims.answer_figures import PAGE
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import DIFFERENCE, MEAN
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.items import names_item
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.rides import LINE_OF_PLAN
from groundwire.evidence.claims.runs import EVERY_PERIOD, WITHIN
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import alike, joined_anchors, tells_together
from groundwire.evidence.claims.words import words_of
from groundwire.evidence.records import Names
from groundwire.language import Entry
from groundwire.language import Span as Word

# Roles of words that pick one of several, or speak of all: what they say is judged by itself.
_PICKS = frozenset(("superlative", "order"))
_ALL = frozenset(("all", "both", "each"))
_CHANGES = frozenset(("direction", "comparison"))
_NEAR_FIGURE = 12


def without_unnamed(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return claims, a figure not judged that may be of other things or times than its fact."""
    figures = [c for c in claims if c.kind in ("number", "percent") and c.facts]
    text = context.contexts.reading.text
    if not figures or text[: context.passage.end].rstrip().endswith(("?", "？")):
        return list(claims)
    said = text[context.passage.start : context.passage.end]
    roles = [word.role for word in context.words if word.role is not None]
    return [
        replace(one, status="not_judged", detail=f"{one.detail}; {reason}")
        if one.status in ("supported", "derived")
        and one in figures
        and not one.detail.startswith((WITHIN, PAGE))
        and (
            reason := _of_untold_part(one, context, figures)
            or _not_of_each(one, context)
            or _reason(one, context, figures, said, roles)
        )
        else one
        for one in claims
    ]


def _of_untold_part(claim: Claim, context: PassageContext, figures: Sequence[Claim]) -> str:
    """Return that a figure is of a thing not named, where the whole answer has its own, or ""."""
    known, named = context.contexts.known, context.entity(claim.start, [claim.start]).keys
    if any(not fact.entities or fact.operands or fact.entities & named for fact in claim.facts):
        return ""
    first, entities = claim.facts[0], {key for fact in claim.facts for key in fact.entities}
    if any(fact.entities & entities for one in figures if one is not claim for fact in one.facts):
        return ""  # figures of one thing tell of which it is: "of 11 forecasts of 86 % all"
    whole = any(
        not fact.entities and fact.names == first.names and fact.evidence_id == first.evidence_id
        for fact in known.facts.numbers()
    )
    return "it is of one thing alone, which the text does not name" if whole else ""


def _reason(
    claim: Claim,
    context: PassageContext,
    figures: Sequence[Claim],
    said: str,
    roles: Sequence[Entry],
) -> str:
    """Return what is not told of a figure, or ""; `roles` are those of the words beside it."""
    facts, known = claim.facts, context.contexts.known
    compares = direction(said) or any(role.role in _PICKS for role in roles)
    told = claim.status == "supported" and not _is_dated(context) and not compares
    if told and operator("present").search(said) and all(_is_past(one, known) for one in facts):
        return "the text tells it as it stands now, and it is of a time that it does not name"
    if _is_of_untold_leg(facts, context):
        return "it is how long a leg takes, and the text does not name it"
    if any(fact.value.item is not None for fact in facts):
        more = _is_called_few(claim, context) and _has_fewer(facts, context)
        return "another plan has fewer, and the text names none" if more else ""
    first, text = facts[0], f"{facts[0].value.name} {' '.join(facts[0].value.labels)}"
    entities = {key for fact in facts for key in fact.entities}
    if first.value.entity_iri is not None:
        is_one = len(entities) == 1 and not _is_named(context, entities, len(figures))
        holds = not is_one or _holds_unnamed(claim, context, {role.sense for role in roles})
        return "" if holds else "the text does not say of which of several it is"
    things = {anchor.keys for anchor in context.entities}
    is_one = claim.status == "supported" and len(entities) == 1 and not first.operands
    if is_one and len(figures) == 1 < len(things) and operator("added").search(said):
        return "the text tells a sum, and the figure is of one"
    if _bound_of(claim, context):
        return ""
    adds = claim.status == "derived" and " + " in claim.detail and not first.operands
    summed = (adds and " ÷ " not in claim.detail) or operator("added").search(said)
    if summed and MEAN.search(text):
        return "the text tells a mean as a sum"
    picks = any(role.role in _PICKS or role.sense in _ALL for role in roles)
    points = bool(first.operands) and context.names_nothing  # "that is 10.8 % more"
    is_open = len(entities) == 1 and not picks and not points and _rivals(first, known)
    if is_open and not _is_named(context, entities, len(figures)):
        return "the text does not say of which of several it is"
    counted = adds and any(one.detail == EVERY_PERIOD for one in figures)  # "the four quarters"
    if not first.periods or _is_dated(context) or counted or not (is_one or adds):
        return ""
    alone = adds or sum(c.facts[0].names == first.names for c in figures) == 1
    if alone and (adds or not picks) and not direction(said) and _is_followed(first, known):
        return "the text does not say of which time it is"
    if is_one and operator("all_time").search(said):
        return "the text tells it of all times, and it is of one"
    return ""


def _is_called_few(claim: Claim, context: PassageContext) -> bool:
    """Whether "only" stands before a figure of a trip, and nothing so far names one plan."""
    only = (w for w in context.words if w.role is not None and w.role.sense == "only")
    near = any(0 <= claim.start - word.end <= _NEAR_FIGURE for word in only)
    return near and not any(context.contexts.options.named_within((0, context.passage.end)))


def _has_fewer(facts: Sequence[Fact], context: PassageContext) -> bool:
    """Whether another plan of the trip has less of what every plan has."""
    first = facts[0]
    return any(
        one.number is not None and first.number is not None and one.number < first.number
        for one in context.contexts.known.facts.numbers()
        if one.value.item is not None
        and first.value.item is not None
        and first.value.item.options
        and one.value.item.options
        and (one.names, one.value.unit) == (first.names, first.value.unit)
        and (one.value.item.names, one.value.item.pieces) == (first.value.item.names, ())
    )


def _bound_of(claim: Claim, context: PassageContext) -> str:
    """Return "over" or "under" for a figure that is told as a bound, or ""."""
    bounds = (q.bound for q in context.quantities if q.span[0] == claim.start)
    return next((bound for bound in bounds if bound in ("over", "under")), "")


def _not_of_each(claim: Claim, context: PassageContext) -> str:
    """Return that a bound does not hold for each of the things that it is told of, or ""."""
    row = bounds_row(claim, context)
    return "" if row is None or row[0] else "it is told of several things, and not so of each"


def bounds_row(claim: Claim, context: PassageContext) -> tuple[bool, list[Fact]] | None:
    """Return whether each of several joined things has a value within a bound that is told of them.

    "Spain and Greece had over 30 million" is not proven by one of them. With it come their values;
    None where no bound is told, or it is told of one thing, of a sum, of a gap or of a change.
    """
    text, bound = context.contexts.reading.text, _bound_of(claim, context)
    ahead = [a for a in context.entities if a.end <= claim.start]
    row = joined_anchors(text, ahead[::-1]) if bound else []
    base = next((f for f in claim.facts if not f.operands and len(f.entities) == 1), None)
    if len({a.keys for a in row}) < 2 or base is None:
        return None
    start, end = min(a.start for a in row), context.clause(claim.start)[1]
    roles = [w.role for w in context.words if w.role and context.passage.start <= w.start < end]
    others = any(r.role in _CHANGES or r.sense == "between" for r in roles)
    if others or DIFFERENCE.search(text, start, end) or tells_together(text, start, end):
        return None
    every = [f for f in alike(context.contexts.known, base) if f.number is not None]
    held = [[f for f in every if f.entities & anchor.keys] for anchor in row]
    if not all(held):
        return None
    asked = next(q.value for q in context.quantities if q.span[0] == claim.start)
    facts = [fact for own in held for fact in own]
    numbers = [fact.number or Decimal(0) for fact in facts]
    return all(n >= asked if bound == "over" else n <= asked for n in numbers), facts


def _holds_unnamed(claim: Claim, context: PassageContext, senses: Set[str]) -> bool:
    """Whether a value of one of several listed things holds without the name of the thing.

    "Both are over 40 cm high" holds where each is, "the highest salary" where it is the highest.
    """
    fact, known = claim.facts[0], context.contexts.known
    values = [f.number for f in known.facts.numbers() if f.names == fact.names and f.number]
    bound = _bound_of(claim, context)
    if len(values) < 2 or fact.number is None:
        return True
    if bound and senses & _ALL:
        asked = next(q.value for q in context.quantities if q.span[0] == claim.start)
        return all(one > asked if bound == "over" else one < asked for one in values)
    ways = (("most", max), ("least", min), ("quality", max), ("quality", min))
    ends = [end(values) for sense, end in ways if sense in senses]
    return fact.number in ends if ends else bool(bound)


def _is_of_untold_leg(facts: Sequence[Fact], context: PassageContext) -> bool:
    """Whether a length of time is that of a leg alone, which nothing near tells from the whole.

    A line that it goes by or a place on its way tells it, also in the passage right before, and a
    mode that no other leg has; the ends of the whole trip do not. "The trip" is the whole.
    """
    legs = {
        fact.value.item.pieces
        for fact in facts
        if fact.value.item is not None and fact.value.name == "duration"
    }
    if not legs or () in legs or context.passage.kind == "cell":
        return False
    text, known = context.contexts.reading.small, context.contexts.known
    words = [vocabulary("ride_details")["walked"], vocabulary("journey_cues")["leg"]]
    start, end = context.passage.start, context.passage.end
    if any(cue.search(text, start, end) for cue in (*words, known.once(_modes_of_one_leg))):
        return False
    is_whole = vocabulary("ride_details")["whole_trip"].search(text, start, end) is not None
    spans = () if is_whole else (*context.above, *_before(context)[:1])
    near = [_legs_named(context, span) for span in spans]
    told = [lines or places for lines, places in near if len(lines) < 2]
    return not any(legs & named for named in (*_legs_named(context, (start, end)), *told))


def _modes_of_one_leg(known: Knowledge) -> re.Pattern[str]:
    """Return a pattern of the names of each mode by which a plan goes on one leg alone."""
    parts = (known.statements[number].statement for number in known.by_kind.get("part", ()))
    often = Counter(
        (part.subject, names[0])
        for part in parts
        for one in part.conditions
        if one.predicate[:1] == ("mode",)
        for names in one.objects
    )
    single = {mode for (_, mode), count in often.items() if count == 1}
    orders = (known.statements[number].statement for number in known.by_kind.get("order", ()))
    every = (names for one in orders if "mode" in one.predicate for names in one.objects)
    called = single.union(*(names for names in every if names[0] in single))
    words = "|".join(re.escape(name.casefold()) for name in sorted(called, key=len, reverse=True))
    return re.compile(rf"(?<![a-z])(?:{words or '(?!)'})(?![a-z])")


def _legs_named(context: PassageContext, span: Span) -> list[set[Names]]:
    """Return the legs whose lines are named in a span, and those with a place that is named."""
    lines, places = set[Names](), set[Names]()
    for mention in context.contexts.mentions(span):
        for fact in mention.named.values:
            if fact.value.item is not None and fact.value.item.pieces and not names_item(fact):
                of_line = fact.value.name == LINE_OF_PLAN
                (lines if of_line else places).add(fact.value.item.pieces)
    return [lines, places]


def _is_named(context: PassageContext, entities: set[str], figures: int) -> bool:
    """Whether a passage, what stands over it or what was told before it names one thing."""
    if context.passage.kind == "cell" or any(a.keys & entities for a in context.entities):
        return True
    if context.pointed_at() & entities:
        return True
    if any(f.entities & entities for m in context.mentions for f in m.named.values):
        return True
    for span in (*context.above, *_before(context)):
        named = {a.keys for a in context.contexts.entities(span)}
        if named:
            mine = any(keys & entities for keys in named)
            return mine and figures % len(named) == 0
    return False


def _before(context: PassageContext) -> list[Span]:
    """Return where the passages before a passage stand, the nearest first."""
    ends = [p for p in context.contexts.reading.passages if p.end <= context.passage.start]
    return [(p.start, p.end) for p in reversed(ends)]


def _rivals(fact: Fact, known: Knowledge) -> bool:
    """Whether other things than that of a value have values too."""
    return any(
        one.entities
        and one.entities.isdisjoint(fact.entities)
        and not known.overlap(fact.entities | one.entities)
        for one in known.facts.numbers()
        if one.periods and not one.operands and one.value.item is None
    )


def _is_dated(context: PassageContext) -> bool:
    """Whether a passage, or anything before it, names a time."""
    start, end = context.passage.start, context.passage.end
    return context.passage.kind == "cell" or bool(
        context.dates or context.periods or context.contexts.dated((0, start))
        or any(w.period is not None for w in context.contexts.annotated.within(start, end))
    )  # fmt: skip


def _is_past(fact: Fact, known: Knowledge) -> bool:
    """Whether the time of a value ended over a year before the last answer was recorded."""
    ends = [key[1] for key in fact.periods if isinstance(key, tuple)]
    made = max((record.created for record in known.records), default="")[:10]
    return bool(ends) and bool(made) and (
        date.fromisoformat(max(ends)) + timedelta(days=366) < date.fromisoformat(made)
    )  # fmt: skip


def _is_followed(fact: Fact, known: Knowledge) -> bool:
    """Whether a later value of the same thing is recorded, so that this is not how it stands."""
    return any(
        one.names == fact.names
        and one.entities == fact.entities
        and one.value.unit == fact.value.unit
        and one.number != fact.number
        and not one.operands
        and one.periods.isdisjoint(fact.periods)
        and max(map(str, one.periods), default="") > max(map(str, fact.periods))
        for one in known.facts.numbers()
    )


_HOLDS = ("supported", "derived")
_JOINS = (" ", "-", " - ")
_OF = re.compile(r"\s+of\s+(?:the\s+)?", re.IGNORECASE)


def unnamed_things(
    words: Sequence[Word], claims: Sequence[Claim], context: PassageContext, known: Knowledge
) -> Iterator[int]:
    """Yield where words of names begin that name nothing, or none of which all claims hold.

    Args:
        words: the words of a passage.
        claims: its claims; those of values tell which things have them.
        context: its names.
        known: what the records hold.
    """
    named, text = known.once(_things_by_word), context.contexts.reading.text
    having = [
        frozenset(fact.value.entity for fact in claim.facts if fact.value.entity)
        for claim in claims
        if claim.kind == "name" and claim.status in _HOLDS and claim.facts
    ]
    for run in _runs(words, named, text):
        spans = [(one.start, one.end) for one in context.entities]
        if any(start < run[-1].end and run[0].start < end for start, end in spans):
            continue
        first, *others = (named[key] for word in run for key in _keys(word))
        if not first.intersection(*others, *filter(None, having)):
            yield from (word.start for word in run)
    called = known.once(_words_of_properties)
    measured = [quantity.span[1] for quantity in context.quantities if quantity.unit]
    for word in words:
        is_of_name = named.keys() >= _keys(word) and not called >= _keys(word)
        if is_of_name and any(_OF.fullmatch(text, end, word.start) for end in measured):
            yield word.start


def _runs(
    words: Sequence[Word], named: Mapping[str, frozenset[str]], text: str
) -> Iterator[list[Word]]:
    """Yield the words of names that stand side by side, where one is written as a name."""
    run: list[Word] = []
    for word in (*words, None):
        is_named = word is not None and bool(_keys(word)) and named.keys() >= set(_keys(word))
        if run and not (word and is_named and text[run[-1].end : word.start] in _JOINS):
            if any(one.role is None and one.text[0].isupper() for one in run):
                yield run
            run = []
        if word is not None and is_named:
            run.append(word)


def _keys(word: Word) -> frozenset[str]:
    return frozenset(words_of(word.text))


def _words_of_properties(known: Knowledge) -> frozenset[str]:
    """Return the words that properties and their values are called by."""
    names = {(fact.value.name, *fact.value.labels) for fact in known.facts.all}
    return frozenset(word for own in names for name in own for word in words_of(name))


def _things_by_word(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return for each word of their names the things that are called by it."""
    found: dict[str, set[str]] = {}
    for entity in {fact.value.entity for fact in known.facts.all if fact.value.entity}:
        for word in words_of(entity):
            found.setdefault(word, set()).add(entity)
    return {word: frozenset(things) for word, things in found.items()}
