"""The judgement of times of day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.attachment import Slot
from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.ride_frames import event_of
from groundwire.quantities import ClockTime

# Minutes that a time may be off where it is said to be rough.
_ROUGHLY = 5
_ROUGH = re.compile(r"(?:\b(?:about|around|approximately|roughly|circa|ca\.|nearly)|~) ?$", re.I)
_DAY = 24 * 60
_GETTING = re.compile(r"\bget(?:s|ting)? (?:to|there|in)\b", re.IGNORECASE)
_APART = re.compile(r"[,;.]|\band\b", re.IGNORECASE)


def judge_time(
    clock: ClockTime, passage: PassageContext, claims: Sequence[int], known: Knowledge
) -> Claim:
    """Judge a time of day: a recorded one, of what the sentence says it is the time of.

    Args:
        clock: the time.
        passage: its passage.
        claims: where the times of the passage begin.
        known: what the records hold; some of it is a time of day.
    """
    start, end = clock.span

    def make(
        status: Status, evidence_id: str | None, detail: str, facts: Sequence[Fact] = ()
    ) -> Claim:
        return Claim(clock.raw, "time", status, evidence_id, detail, start, end, tuple(facts))

    timed = frozenset(key for facts in known.facts.times.values() for f in facts for key in f.names)
    entity = passage.entity(start, claims)
    # "From A to B at 08:00, arriving 08:20": what a later clause says is not said of this time.
    said_by_now = any(anchor.start < passage.clause(start)[1] for anchor in passage.names)
    named = passage.name(start, claims)
    if named.force == "own" and not said_by_now:
        named = Slot(frozenset[str](), "")
    end_said = _end_said(passage, start)
    if end_said and end_said not in named.keys:
        named = Slot(frozenset([end_said]), "own")
    name = Slot(named.keys & timed, named.force if named.keys & timed else "")
    rough = _ROUGH.search(passage.contexts.reading.text, max(0, start - 16), start) is not None
    recorded = _recorded(clock, known, _ROUGHLY if rough else 0)
    items = passage.items(start, claims)
    within = [fact for fact in recorded if items.allows(fact)]
    fitting = [f for f in within if entity.allows(f.entities) and name.allows(f.names)]
    if fitting or (within and not entity.binding and not name.binding):
        fact = (fitting or within)[0]
        detail = f"{fact.about}: {fact.value.value}"
        return make("supported", fact.evidence_id, detail, fitting or within)
    said = _event_said(passage, clock)
    if told := [
        fact for fact in within if fact.value.name == said and entity.allows(fact.entities)
    ]:
        detail = f"{told[0].about}: {told[0].value.value}"
        return make("supported", told[0].evidence_id, detail, told)
    if within:
        # It is a time of the right trip, but of another event: so it may be meant.
        return make("unsupported", within[0].evidence_id, f"recorded as {within[0].about}", within)
    for evidence_id, text in known.names.texts:
        # A time that was asked for is said of the trip that it was asked for.
        if clock.raw in text and not (recorded and clock.raw == text):
            return make("supported", evidence_id, "in a recorded text")
    expected = [
        fact
        for facts in known.facts.times.values()
        for fact in facts
        if name.binding and name.allows(fact.names) and entity.allows(fact.entities)
        if items.allows(fact)
    ]
    if recorded and not within:
        detail = f"recorded as {recorded[0].about}"
        return make("contradicted", recorded[0].evidence_id, detail, expected)
    if expected:
        has = "; ".join(f"{fact.about} {fact.value.value}" for fact in expected[:3])
        return make("contradicted", expected[0].evidence_id, f"the record has {has}", expected)
    return make("unsupported", None, "no record has this time")


def _end_said(passage: PassageContext, start: int) -> str:
    """Return "arrival" where words right before a time speak of getting somewhere, or ""."""
    text = passage.contexts.reading.text
    before = max(
        [passage.passage.start, *(c.span[1] for c in passage.clocks if c.span[1] <= start)]
    )
    found = list(_GETTING.finditer(text, before, start))
    return "arrival" if found and not _APART.search(text, found[-1].end(), start) else ""


def _event_said(passage: PassageContext, clock: ClockTime) -> str:
    """Return the event that the words around a time say that it is of, or ""."""
    start, end = passage.passage.start, passage.passage.end
    before = [one.span[1] for one in passage.clocks if one.span[1] <= clock.span[0]]
    behind = [one.span[0] for one in passage.clocks if one.span[0] >= clock.span[1]]
    within = (max([start, *before]), min([end, *behind]))
    return event_of(passage.contexts.reading.text, clock.span, within)


def _recorded(clock: ClockTime, known: Knowledge, reach: int) -> list[Fact]:
    """Facts of a time, or of one so many minutes away at most, the nearest first."""
    offsets = sorted(range(-reach, reach + 1), key=abs)
    return [
        fact
        for offset in offsets
        for minutes in clock.minutes
        for fact in known.facts.times.get((minutes + offset) % _DAY, ())
    ]
