"""Superlatives, comparisons and denied changes: who has the most, who more than whom.

Such a statement names no figure, so only what contradicts the records is a claim: where in every
way that the sentence can be read the recorded values say otherwise. A true one stays unjudged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from groundwire.evidence.claims.attachment import Anchor, Key
from groundwire.evidence.claims.claim import Claim, ClaimKind
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import Fact, PeriodKey, distinct
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import tells_together

_SUPERLATIVE = re.compile(
    r"(?P<most>\b(?:largest|biggest|highest|greatest|longest|strongest|most(?! (?:of|likely|recent"
    r"|important|common|probably))|größte[nrs]?|höchste[nrs]?|stärkste[nrs]?|meisten)\b|最[大高多长强])"
    r"|(?P<least>\b(?:smallest|lowest|fewest|shortest|weakest|kleinste[nrs]?|niedrigste[nrs]?"
    r"|schwächste[nrs]?|wenigsten)\b|最[小低少短弱])"
    r"|(?P<growth>\b(?:(?:grew|growing|grown) (?:the )?(?:fastest|most)|fastest[- ]growing)\b)",
    re.IGNORECASE,
)
# "The second largest", "not the largest", "one of the largest", "at most".
_HEDGED = re.compile(
    r"(?:\b(?:second|third|fourth|fifth|2nd|3rd|next|not|no|never|one of|among|at|zweit|dritt)"
    r"(?: the| our| its)?[ -]?|n't (?:the )?|第[二三四五])$",
    re.IGNORECASE,
)
_SPAN_OF_TIME = re.compile(
    r"\W{0,3}(?:quarter|year|month|quartal|jahr|monat)|的?(?:季度|年|月)", re.I
)
_THAN = re.compile(
    r"\b(?:(?P<more>more|larger|higher|bigger|greater|longer)|(?P<less>fewer|less|smaller|lower|"
    r"shorter))\b(?P<between>[^.;,]{0,40}?)\bthan\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:grew|grow\w*|rose|ris\w+|increas\w+|fell|fall\w*|declin\w+|decreas\w+)\b"
)
_DENIED = re.compile(
    r"\b(?:(?:did|does|has|have) not|(?:did|does|has|have)n't|never)"
    r" (?:(?P<up>grow|rise|increase|grown|risen|increased)"
    r"|(?P<down>fall|decline|decrease|shrink|drop|fallen|declined|decreased|shrunk|dropped)"
    r"|change|changed)\b|\b(?:remained|stayed) (?:unchanged|constant|flat|the same)\b",
    re.IGNORECASE,
)
# A change as small as this may be called none.
_NO_CHANGE = Decimal("0.01")

Group = dict[str, Fact]


@dataclass(frozen=True, slots=True)
class _Table:
    """Values of one name: of each entity its value."""

    values: dict[str, Decimal]
    facts: Group


def judge_comparisons(passage: PassageContext, known: Knowledge) -> list[Claim]:
    """The statements of a passage that compare recorded things wrongly.

    Args:
        passage: the passage.
        known: what the records hold.
    """
    if passage.passage.kind == "cell" or not (passage.entities or passage.periods):
        return []
    if not compares_once(passage):
        return []
    text = passage.contexts.reading.text
    span = passage.passage.start, passage.passage.end
    claims = [_superlative(cue, passage, known) for cue in _SUPERLATIVE.finditer(text, *span)]
    claims += [_comparison(cue, passage, known) for cue in _THAN.finditer(text, *span)]
    claims += [_denial(cue, passage, known) for cue in _DENIED.finditer(text, *span)]
    return [claim for claim in claims if claim is not None]


def compares_once(passage: PassageContext) -> bool:
    """Whether only one clause of a passage compares, ranks or tells a change.

    What two clauses compare may be measured by two things: "fewer come, but each spends more".
    """
    words = passage.contexts.annotated.within(passage.passage.start, passage.passage.end)
    roles = ("comparison", "superlative", "direction")
    told = (w for w in words if w.role is not None and w.role.role in roles)
    return len({passage.clause(w.start) for w in told if w.role and w.role.sense != "compare"}) < 2


def _superlative(cue: re.Match[str], passage: PassageContext, known: Knowledge) -> Claim | None:
    text = passage.contexts.reading.text
    clause = passage.clause(cue.start())
    if _HEDGED.search(text, max(clause[0], cue.start() - 16), cue.start()):
        return None
    if any(one.span[1] == cue.start() - 1 for one in passage.quantities):
        return None  # "the smallest of the five largest"
    if _SPAN_OF_TIME.match(text, cue.end()):
        return _best_period(cue, clause, passage, known)
    subject = _only([a for a in passage.entities if clause[0] <= a.start < clause[1]])
    if subject is None or _is_of_a_change(cue, passage):
        return None
    span = passage.passage.start, passage.passage.end
    several = sum(1 for _ in _SUPERLATIVE.finditer(text, *span)) > 1
    if several and not (cue["growth"] or names_measure(passage, known, clause)):
        return None
    grows = 1 if cue["growth"] else direction(text[slice(*clause)])
    tables = _grown(passage, known) if grows else _tables(passage, known, clause)
    named = {key for anchor in passage.entities for key in anchor.keys}
    way = -1 if cue["least"] or (grows < 0 and not cue["growth"]) else 1
    held: list[tuple[str, Fact]] = []
    for table in tables:
        own = next((key for key in subject.keys if key in table.values), None)
        if own is None:
            continue
        for group in (table.values.keys(), table.values.keys() & named):
            best = max(group, key=lambda key: table.values[key] * way)
            if len(group) > 1 and table.values[best] == table.values[own]:
                return None
        best = max(table.values, key=lambda key: table.values[key] * way)
        held.append((own, table.facts[best]))
    return _contradicted(text, (subject.start, subject.end), "name", [fact for _, fact in held])


def _best_period(
    cue: re.Match[str], clause: Span, passage: PassageContext, known: Knowledge
) -> Claim | None:
    """One thing at several times, as in: Q2 was the strongest quarter."""
    subject = _only([a for a in passage.periods if clause[0] <= a.start < cue.start()])
    if subject is None:
        return None
    way = -1 if cue["least"] else 1
    entities = {key for anchor in passage.entities for key in anchor.keys}
    series: dict[tuple[frozenset[str], frozenset[str]], list[Fact]] = {}
    for fact in _plain(known):
        if fact.periods and (not entities or fact.entities & entities):
            series.setdefault((fact.names, fact.entities), []).append(fact)
    held: list[Fact] = []
    for facts in series.values():
        own = distinct(fact for fact in facts if fact.periods & subject.keys)
        if len(own) != 1 or len(facts) < 2:
            continue
        best = max(facts, key=lambda fact: _number(fact) * way)
        if _number(best) == _number(own[0]):
            return None
        held.append(best)
    text = passage.contexts.reading.text
    return _contradicted(text, (subject.start, subject.end), "date", held)


def _comparison(cue: re.Match[str], passage: PassageContext, known: Knowledge) -> Claim | None:
    text = passage.contexts.reading.text
    start, end = passage.clause(cue.start())
    before = [a for a in passage.entities if start <= a.start < cue.start()]
    behind = [a for a in passage.entities if cue.end() <= a.start <= cue.end() + 5]
    figures = [q for q in passage.quantities if start <= q.span[0] < cue.end()]
    if len({a.keys for a in before}) != 1 or not behind or figures:
        return None
    if not names_measure(passage, known, (start, end)):
        return None
    if _CHANGE.search(text, start, end) or _HEDGED.search(text, start, cue.start()):
        return None
    if tells_together(text, passage.passage.start, cue.start()):
        return None  # "together, A and B had more than C"
    held: list[Fact] = []
    for table in _tables(passage, known, (start, end)):
        a = next((key for key in before[0].keys if key in table.values), None)
        b = next((key for key in behind[0].keys if key in table.values), None)
        if a is None or b is None:
            continue
        more = table.values[a] - table.values[b]
        if more * (1 if cue["more"] else -1) > 0:
            return None
        held += [table.facts[a], table.facts[b]]
    return _contradicted(text, (before[0].start, before[0].end), "name", held)


def _denial(cue: re.Match[str], passage: PassageContext, known: Knowledge) -> Claim | None:
    text = passage.contexts.reading.text
    clause = passage.clause(cue.start())
    subject = _only([a for a in passage.entities if clause[0] <= a.start < clause[1]])
    times = _two_periods(passage)
    if subject is None or times is None:
        return None
    held: list[Fact] = []
    for first, last in _changes(passage, known, times):
        if not first.entities & subject.keys or not _number(first):
            continue
        change = (_number(last) - _number(first)) / abs(_number(first))
        wrong = change > 0 if cue["up"] else change < 0 if cue["down"] else abs(change) > _NO_CHANGE
        if not wrong:
            return None
        held += [first, last]
    return _contradicted(text, cue.span(), "number", held)


def _is_of_a_change(cue: re.Match[str], passage: PassageContext) -> bool:
    """Whether a superlative is that of a change, which no value shows: "the strongest growth"."""
    behind = passage.contexts.annotated.within(cue.end(), passage.passage.end)[:1]
    return not cue["growth"] and any(
        word.role is not None and word.role.role == "direction" for word in behind
    )


def _contradicted(text: str, span: Span, kind: ClaimKind, held: Sequence[Fact]) -> Claim | None:
    if not held:
        return None
    has = "; ".join(f"{fact.about} {fact.said}" for fact in held[:2])
    return Claim(
        text[slice(*span)],
        kind,
        "contradicted",
        held[0].evidence_id,
        f"the record has {has}",
        *span,
        tuple(held),
        compares=True,
    )


def _only(anchors: Sequence[Anchor[Key]]) -> Anchor[Key] | None:
    """The one thing that some anchors name, or None."""
    return anchors[0] if len({anchor.keys for anchor in anchors}) == 1 else None


def _plain(known: Knowledge) -> Iterator[Fact]:
    return (f for f in known.facts.numbers() if not f.operands and len(f.entities) == 1)


def _number(fact: Fact) -> Decimal:
    return fact.number if fact.number is not None else Decimal(0)


def _named(passage: PassageContext, known: Knowledge, clause: Span) -> frozenset[str]:
    """Names of numbers that a clause, or else its passage, names."""
    here = [a for a in passage.names if clause[0] <= a.start < clause[1]] or passage.names
    return frozenset(key for a in here for key in a.keys) & known.numeric_names


def names_measure(passage: PassageContext, known: Knowledge, clause: Span) -> bool:
    """Whether it is clear what a clause compares: it names it, or one property has numbers."""
    here = [a for a in passage.names if clause[0] <= a.start < clause[1]]
    entities = {key for anchor in passage.entities for key in anchor.keys}
    kinds = {fact.names for fact in _plain(known) if fact.entities & entities}
    return bool(here) or len(kinds) < 2


def _tables(passage: PassageContext, known: Knowledge, clause: Span) -> Iterator[_Table]:
    """Values that may be compared: of one name, unit and period, where each entity has one."""
    names = _named(passage, known, clause)
    periods = frozenset(key for anchor in passage.periods for key in anchor.keys)
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in _plain(known):
        if (not names or fact.names & names) and (not periods or fact.periods & periods):
            groups.setdefault((fact.names, fact.value.unit, fact.periods), []).append(fact)
    for group in groups.values():
        facts = distinct(group)
        by_entity = {min(fact.entities): fact for fact in facts}
        values = {key: _number(fact) for key, fact in by_entity.items()}
        if len(by_entity) == len(facts) > 1 and len(set(values.values())) > 1:
            yield _Table(values, by_entity)


def _two_periods(passage: PassageContext) -> list[frozenset[PeriodKey]] | None:
    times = list(dict.fromkeys(anchor.keys for anchor in passage.periods))
    return times if len(times) == 2 else None


def _changes(
    passage: PassageContext, known: Knowledge, times: Collection[frozenset[PeriodKey]]
) -> Iterator[tuple[Fact, Fact]]:
    """Values of one name and entity at the earlier and the later of two times."""
    names = _named(passage, known, (passage.passage.start, passage.passage.end))
    first, last = sorted(times, key=lambda keys: sorted(map(str, keys)))
    held: dict[tuple[object, ...], dict[int, Fact]] = {}
    for fact in _plain(known):
        place = 0 if fact.periods & first else 1 if fact.periods & last else None
        if place is not None and (not names or fact.names & names):
            held.setdefault((fact.names, fact.entities, fact.value.unit), {})[place] = fact
    yield from ((pair[0], pair[1]) for pair in held.values() if len(pair) == 2)


def _grown(passage: PassageContext, known: Knowledge) -> Iterator[_Table]:
    """Growth between the two times that a passage names, by entity."""
    times = _two_periods(passage)
    grown: dict[frozenset[str], list[tuple[Fact, Fact]]] = {}
    for first, last in _changes(passage, known, times) if times else ():
        if _number(first) > 0:
            grown.setdefault(first.names, []).append((first, last))
    for pairs in grown.values():
        values = {min(a.entities): _number(b) / _number(a) for a, b in pairs}
        if len(values) > 1:
            yield _Table(values, {min(b.entities): b for _, b in pairs})
