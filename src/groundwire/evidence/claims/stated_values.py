"""Recorded values that a passage speaks of, and those on the two sides of a comparison in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal

from groundwire.evidence.claims.attachment import Anchor, is_base, joined_things
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import TOTALS
from groundwire.evidence.claims.derivation import SUM
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey, distinct
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import pace_of
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.proof import Proof
from groundwire.evidence.claims.qualities import Quality
from groundwire.evidence.claims.value_rows import by_kind, keys_named, rows
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word

_MARKS = r"[\"“”„«»'’‘()\s]*+"
_JOINED = re.compile(
    rf"(?<![\"“”„«»'’‘()\s]){_MARKS}"
    r"(?:[,、]|,? ?\b(?:and|und|or|oder|sowie|as well as|als auch|along with|together with"
    r"|zusammen mit|but also|sondern auch|like|wie)\b|[和及与或]|以及)"
    rf"{_MARKS}(?:the |die |der |das )?",
    re.IGNORECASE,
)
# From the last of several things to what says that they are summed up.
_NEAR_SUM = 14
_ENDS = re.compile(r"[,;.] |[，；。]")
_NEXT = 2
_PERSON = frozenset[str](cue_tables()["person"])
MEANS = frozenset[str](cue_tables()["means"]["mean"])
Aspect = Literal["entity", "period", "part"]


def stated_facts(proof: Proof) -> list[Fact]:
    """The recorded numbers that a passage speaks of: by its figures, else by what it names."""
    if proof.plain:
        return distinct(proof.plain)
    context, known = proof.context, proof.known
    names = keys_named(context.names) & known.numeric_names
    names = (names - known.answer_names) or (names - TOTALS)
    things, times = keys_named(context.entities), times_named(context, known)
    held = distinct(rows(known, names=names, things=things, times=times, loose=True))
    return held if names else of_people(proof, held)


def times_named(context: PassageContext, known: Knowledge) -> set[PeriodKey]:
    """Return the times that a passage names, and the recorded times that these consist of."""
    parts = (parts_of(anchor.keys, known.periods) for anchor in context.periods)
    return keys_named(context.periods).union(*parts)


def of_people(proof: Proof, facts: Sequence[Fact]) -> list[Fact]:
    """Return the values in people, or in another unit that a passage names: "sold fewer units"."""
    passage = proof.context.passage
    words = proof.context.contexts.annotated.within(passage.start, passage.end)
    told = any(w.role and (w.role.role, w.role.sense) == ("unit_noun", "person") for w in words)
    counting = [fact for fact in facts if told and _PERSON & proof.known.words_about(fact)]
    forms = proof.context.forms
    named = [f for f in facts if f.value.unit and key_of(f.value.unit) in forms]
    return counting or named or list(facts)


def sides_of(
    proof: Proof, word: Word, quality: Quality | None = None
) -> list[tuple[Decimal, Decimal]]:
    """Return the values on the two sides of a comparison; none where it is not clear which.

    They are those of what stands before and behind the word, else the figures of the two things
    that the passage names.

    Args:
        proof: the passage.
        word: what compares.
        quality: what it compares by, where the word says so.
    """
    facts = of_named(proof, word, _compared_facts(proof, quality))
    return (
        list(compared_values(proof, word, facts))
        or list(compared_values(proof, word, _at_named_times(proof, facts)))
        or list(_figures_of_two(proof, word, quality))
    )


def of_named(proof: Proof, word: Word, facts: Sequence[Fact]) -> list[Fact]:
    """Return the values of the property that stands right behind a comparison, or all.

    "A's GDP was higher than B's, though A had fewer people" compares people.
    """
    end = word.end + _NEXT
    measures = keys_named(a for a in proof.context.names if word.end <= a.start <= end)
    measures &= proof.known.numeric_names
    behind = proof.context.contexts.annotated.within(word.end, proof.context.passage.end)[:1]
    people = any(w.role and (w.role.role, w.role.sense) == ("unit_noun", "person") for w in behind)
    if not (measures or people) or word.tokens[0].language == "zh":
        return list(facts)
    return [
        fact
        for fact in facts
        if fact.names & measures or (people and _PERSON & proof.known.words_about(fact))
    ]


def _compared_facts(proof: Proof, quality: Quality | None) -> list[Fact]:
    """The recorded numbers that a comparison may be about: of its quality, where it names one."""
    stated = stated_facts(proof)
    if quality is None or not quality.is_measured:
        proof.used.extend(stated)
        return stated
    fits = quality.fits(proof)
    if own := [fact for fact in stated if fits(fact)]:
        return own
    things, times = keys_named(proof.context.entities), keys_named(proof.context.periods)
    own = rows(proof.known, things=things, times=times, loose=True)
    held = distinct(fact for fact in own if fact.entities & things and fits(fact))
    proof.used.extend(held)
    return held


def _at_named_times(proof: Proof, facts: Sequence[Fact]) -> list[Fact]:
    """Return the values at all times that a passage names of the one thing that it tells of."""
    kinds, times = by_kind(facts), keys_named(proof.context.periods)
    if len(kinds) != 1 or not times:
        return []
    held = distinct(rows(proof.known, times=times, kinds=kinds))
    proof.used.extend(held)
    return held


def _proven_figures(proof: Proof) -> list[Claim]:
    return [
        claim
        for claim in proof.claims
        if claim.kind in ("number", "percent") and claim.status in ("supported", "derived")
    ]


def _figures_of_two(
    proof: Proof, word: Word, quality: Quality | None
) -> Iterator[tuple[Decimal, Decimal]]:
    """The two figures of a passage that names two things, the one of its subject first.

    The subject is the thing that stands last before the word, else the first behind it.
    """
    things: dict[frozenset[str], Anchor[str]] = {}
    for anchor in proof.context.entities:
        things.setdefault(anchor.keys, anchor)
    figures = [c for c in _proven_figures(proof) if len(distinct(c.facts)) == 1]
    figures = [claim for claim in figures if not claim.facts[0].operands]
    if len(things) != 2 or len(figures) != 2:
        return
    first, second = (claim.facts[0] for claim in figures)
    fits = quality.fits(proof) if quality is not None else None
    if first.value.unit != second.value.unit or first.names != second.names:
        return
    if not of_named(proof, word, [first, second]):
        return
    if fits is not None and not fits(first):
        return
    before = _before(proof.text, proof.context.entities, word)
    subject = before[-1].keys if before else next(iter(things))
    owners = [[keys for keys in things if fact.entities & keys] for fact in (first, second)]
    known = [own[0] if len(own) == 1 else None for own in owners]
    if known[0] == known[1] or (known[0] is None and first.entities):
        return
    is_first = known[0] == subject if known[0] is not None else known[1] != subject
    ours, theirs = (first, second) if is_first else (second, first)
    yield ours.number or Decimal(0), theirs.number or Decimal(0)


def computed_sides(proof: Proof, word: Word) -> list[tuple[Decimal, Decimal]]:
    """Return the values on the two sides of a comparison of figures that are computed themselves.

    "Austria grew faster than Germany: by 6.6 %, against 1.7 %" compares two growths.
    """
    told = {quantity.span[0]: quantity for quantity in proof.context.quantities}
    facts: list[Fact] = []
    for claim in proof.claims:
        if claim.status != "derived" or not claim.facts or claim.start not in told:
            continue
        first, *rest = claim.facts
        made_of = first.operands or (first, *rest)
        entities = first.entities.intersection(*(fact.entities for fact in made_of))
        names = frozenset[str]().union(*(fact.names for fact in made_of))
        periods = frozenset[Any]().union(*(fact.periods for fact in made_of))
        number = first.number if first.operands else told[claim.start].value
        if pace_of(word) and len(made_of) == 2 and not told[claim.start].percent:
            late, early = (fact.number or Decimal(0) for fact in made_of)
            number = (late - early) / abs(early) if early else None  # "faster" compares rates
        value = replace(first.value, unit=told[claim.start].unit)
        own = replace(first, value=value, number=number, entities=entities, operands=())
        facts.append(replace(own, names=names, periods=periods))
    if len(facts) < 2:
        return []
    if all((fact.number or 0) < 0 for fact in facts):  # how much each fell
        facts = [replace(fact, number=-(fact.number or Decimal(0))) for fact in facts]
    if pairs := list(compared_values(proof, word, facts)):
        return pairs
    anchors = proof.context.entities
    before = _before(proof.text, anchors, word)
    subject = before[-1].keys if before else next((a.keys for a in anchors), frozenset[str]())
    ours = [fact for fact in facts if fact.entities & subject]
    theirs = [fact for fact in facts if fact.entities and not fact.entities & subject]
    if not len(ours) == len(theirs) == 1 or ours[0].value.unit != theirs[0].value.unit:
        return []
    return [(ours[0].number or Decimal(0), theirs[0].number or Decimal(0))]


def _before(text: str, anchors: Sequence[Anchor[Any]], word: Word) -> list[Anchor[Any]]:
    """Return what stands before a comparison, but not what another one compares with."""
    before = [anchor for anchor in anchors if anchor.end <= word.start]
    bases = [place for place, anchor in enumerate(before) if is_base(text, anchor.start)]
    joined = {one for at in bases for one in joined_anchors(text, before[at:])}
    return [anchor for anchor in before if anchor not in joined] or before


def _tells_them_alike(text: str, word: Word, behind: int) -> bool:
    """Whether "equal" is said of the things before it, since what stands behind is told apart."""
    is_equal = word.role is not None and word.role.sense == "equal"
    return is_equal and _ENDS.search(text, word.end, behind) is not None


def compared_values(
    proof: Proof, word: Word, facts: Sequence[Fact]
) -> Iterator[tuple[Decimal, Decimal]]:
    """The values of what stands before and behind a comparison, of each property and period.

    Where several things stand behind it ("ahead of retail and wholesale"), each is compared.

    Args:
        proof: the passage.
        word: what compares.
        facts: the values that it may be about.
    """
    context = proof.context
    if any(token.lemma in MEANS for one in context.words for token in one.tokens):
        facts = [one for one in facts if not MEANS.isdisjoint(words_of(one.value.name))]
    measured = proof.known.parts.keys() | proof.known.numeric_names
    parts = [a for a in context.names if a.keys & measured]  # "profit grew faster than revenue"
    by: tuple[tuple[Sequence[Anchor[Any]], Aspect], ...] = (
        (context.entities, "entity"),
        (context.periods, "period"),
        (parts, "part"),
    )
    for anchors, aspect in by:
        before = _before(proof.text, anchors, word)
        behind = [anchor for anchor in anchors if anchor.start >= word.end]
        if not behind:  # 中国人口比印度多, "compared with India, China has more people"
            bases = [a for a in anchors if a.end <= word.start and is_base(proof.text, a.start)]
            own = bases[-1:] if bases and bases[-1] not in before else []
            behind = [a for a in anchors if own and own[0].start <= a.start < word.start]
        if not before or not behind or before[-1].keys == behind[0].keys:
            continue
        others = joined_anchors(proof.text, behind)
        # "A and B had more than C" says it of each, and not of the last alone.
        subjects = joined_anchors(proof.text, before[::-1])
        if len(subjects) > 1 and _tells_them_alike(proof.text, word, behind[0].start):
            continue  # "A and B have as many, namely three; C has four"
        pairs = [
            list(pairs_of(facts, (one.keys, a.keys), aspect))
            for one in (subjects if aspect == "entity" else before[-1:])
            for a in others
        ]
        summed = tells_together(proof.text, context.passage.start, word.start)
        if len(subjects) > 1 and aspect == "entity" and summed:
            theirs = {b for own in pairs for _, b in own}
            if len(theirs) == 1 and all(len(own) == 1 for own in pairs):
                yield sum((own[0][0] for own in pairs), Decimal(0)), theirs.pop()
            return
        if summed_behind(proof.text, others) is not None:
            ours = {a for own in pairs for a, _ in own}
            if len(ours) == 1 and all(len(own) == 1 for own in pairs):
                yield ours.pop(), sum((own[0][1] for own in pairs), Decimal(0))
            return
        if all(pairs):
            yield from (pair for some in pairs for pair in some)
            return


def tells_together(text: str, start: int, end: int) -> bool:
    """Return whether a text says that several things are meant together; "both" means each."""
    return any(found[0].casefold() != "both" for found in SUM.finditer(text, start, end))


def summed_behind(text: str, things: Sequence[Anchor[Any]]) -> tuple[int, int] | None:
    """Return where a text says right behind several things that they are meant together, or None.

    "More than Mexico, Argentina and Chile combined" compares with a sum.
    """
    if len(things) < 2:
        return None
    end = max(anchor.end for anchor in things)
    found = SUM.search(text, end, end + _NEAR_SUM)
    return found.span() if found is not None else None


def joined_anchors(text: str, anchors: Sequence[Anchor[Any]]) -> list[Anchor[Any]]:
    """Return the first of some things, with those that it is joined with: "A, B and C"."""
    return joined_things(text, anchors, _JOINED)


_AND = re.compile(r"\b(?:and|und|sowie)\b|[和与及]|以及", re.IGNORECASE)


def is_one_of_row(context: PassageContext, subjects: Sequence[Anchor[str]]) -> bool:
    """Whether a thing is joined to others in the same row: "A, B and C were the largest"."""
    if len(subjects) != 1:
        return False
    text, own = context.contexts.reading.text, subjects[0]
    others = [a for a in context.entities if a is not own]
    before = joined_anchors(text, [own, *[a for a in others if a.end <= own.start][::-1]])
    behind = joined_anchors(text, [own, *[a for a in others if a.start >= own.end]])
    row = [a for a in (*before, *behind) if a is not own]
    if not row or any(a.keys & own.keys for a in row):
        return False  # "of A and B, A is the largest"
    ends = [at for a in (own, *row) for at in (a.start, a.end)]
    return _AND.search(text, min(ends), max(ends)) is not None


def pairs_of(
    facts: Sequence[Fact], sides: tuple[frozenset[Any], frozenset[Any]], aspect: Aspect
) -> Iterator[tuple[Decimal, Decimal]]:
    """The values of two things, two periods or two parts that are alike in all else."""
    groups: dict[tuple[object, ...], list[list[Fact]]] = {}
    for fact in facts:
        keys_of: dict[Aspect, frozenset[Any]] = {
            "entity": fact.entities, "period": fact.periods, "part": fact.names
        }  # fmt: skip
        own = keys_of.pop(aspect)
        for side, keys in enumerate(sides):
            if own & keys:
                group = groups.setdefault((fact.value.unit, *keys_of.values()), [[], []])
                group[side].append(fact)
    for first, second in groups.values():
        if len(first) == len(second) == 1:
            a, b = first[0].number, second[0].number
            if a is not None and b is not None:
                yield a, b


def is_of_more(proof: Proof, word: Word) -> bool:
    """Whether "all eight" are more than those whose values are recorded."""
    starts = (q for q in proof.context.quantities if q.unit is None)
    size = next((q.value for q in starts if 0 <= q.span[0] - word.end <= 2), None)
    figures = [c for c in proof.claims if c.kind == "number" and c.facts]
    figures = [c for c in figures if c.facts[0].entities and c.facts[0].value.unit != ASSETS]
    return size is not None and any(
        len({one.entities for one in alike(proof.known, c.facts[0])}) < size for c in figures
    )


def alike(known: Knowledge, fact: Fact, record: str = "") -> list[Fact]:
    """Return the values of the same property, unit and period, one of each thing.

    Args:
        known: what the records hold.
        fact: the value.
        record: the record that they are from; "" for any.
    """
    return distinct(
        one
        for one in known.facts.numbers()
        if (not record or one.evidence_id == record)
        and one.names == fact.names
        and one.value.unit == fact.value.unit
        and one.periods == fact.periods
        and not one.operands
        and len(one.entities) == 1
    )
