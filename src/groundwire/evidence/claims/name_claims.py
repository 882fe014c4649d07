"""The judgement of names, IRIs, dates, times of day and quotations."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date

from groundwire.evidence.claims.attachment import Anchor, Slot
from groundwire.evidence.claims.claim import Claim, ClaimKind, Status
from groundwire.evidence.claims.compared_plans import avoided_lines
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.entity_linking import Mention
from groundwire.evidence.claims.extraction import Text
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey, period_key
from groundwire.evidence.claims.items import names_item
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.period_ends import has_both_ends, has_own_day, is_called_so
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.ride_frames import event_of
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.language.glossary import is_called, may_call
from groundwire.quantities import ClockTime, DateMention, find_dates, parse_quantity

NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|isn't|aren't|wasn't|weren't|doesn't|don't|"
    r"hasn't|haven't|lacks?|excluding|except|unlike|rather than)\b|不|没有|没|无|未|非|除",
    re.IGNORECASE,
)

# Before or behind what is told to be avoided.
_AVOIDED = re.compile(
    r"\b(?:avoid(?:s|ed|ing)?|clear of|bypass(?:es|ing)?|(?:ver)?meide[nt]|(?:ge|ver)mieden|"
    r"umgeht|umgangen|verzichte[nt]|ohne|left out|skip(?:s|ped)|ausgelassen|umfahren)\b|避开|绕开",
    re.IGNORECASE,
)


def judge_name(
    mention: Mention, passage: PassageContext, claims: Sequence[int], known: Knowledge
) -> Claim | None:
    """Judge one use of a known name; None where it states nothing (the name of a property).

    Args:
        mention: the name.
        passage: its passage.
        claims: where the names of the passage that are values begin.
        known: what the records hold.
    """
    named = mention.named
    text = passage.contexts.reading.text[mention.start : mention.end]

    def make(
        status: Status, evidence_id: str | None, detail: str, facts: Sequence[Fact] = ()
    ) -> Claim:
        start, end = mention.start, mention.end
        return Claim(text, "name", status, evidence_id, detail, start, end, tuple(facts))

    if named.entities:
        other = _value_instead(mention, passage, known)
        if other is not None:
            detail = f"{other.about}: {other.value.value}"
            return make("contradicted", other.evidence_id, detail, (other,))
        of = frozenset(named.entities)
        return make("supported", known.evidence_of(of), "a recorded entity")
    if not named.values and not named.foreign:
        return None
    clause = passage.clause(mention.start)
    whole = passage.contexts.reading.text
    if NEGATION.search(whole, clause[0], mention.start) or (
        _AVOIDED.search(whole, *clause)
        and any(text.casefold() in line for of in avoided_lines(known).values() for line in of)
    ):
        return None
    entity = passage.entity(mention.start, claims)
    name = _property(mention, passage, entity, claims)
    if not named.values:
        return _judge_foreign(mention, passage, entity, name, known, make(
            "unsupported", None, "a known term, but no record has it"
        ))  # fmt: skip
    values = _of_items(named.values, passage, mention.start, claims)
    if not values:
        fact = named.values[0]
        items = passage.items(mention.start, claims, figure=False)
        instead = [
            f for f in known.facts.all if f.value.item and f.names & fact.names and items.allows(f)
        ]
        return make("contradicted", fact.evidence_id, f"recorded as {fact.about}", instead)
    fitting = [f for f in values if entity.allows(f.entities) and name.allows(f.names)]
    if entity.binding and not any(f.entities for f in fitting):  # what was asked for, of none
        own = frozenset[str]().union(*(f.names for f in known.about(entity.keys)))
        fitting = [f for f in fitting if f.names.isdisjoint(own)]
    if fitting:
        fact = fitting[0]
        return make("supported", fact.evidence_id, f"{fact.about}: {fact.value.value}", fitting)
    right_name = [f for f in named.values if name.allows(f.names)]
    loose = [] if entity.binding else named.values if named.asked else right_name
    if loose and not (name.binding and not right_name):
        fact = loose[0]
        return make("supported", fact.evidence_id, f"{fact.about}: {fact.value.value}", loose)
    instead = _instead(entity, name, named.values, known)
    fact = named.values[0]
    detail = f"recorded as {fact.about}" + (
        f"; the record has {_listed(instead)}" if instead else ""
    )
    own = [f for f in named.values if entity.allows(f.entities)]
    pairs = [(one.value.name, other.value.name) for one in own for other in instead]
    akin = any(a != b and not {*words_of(a)}.isdisjoint(words_of(b)) for a, b in pairs)
    # A column that calls each thing by its own name says nothing of it, and a figure is no name.
    others = "".join(f.value.value for f in instead if f.value.value != f.value.entity)
    akin = akin or (bool(instead) and not any(map(str.isalpha, others)))
    if akin or _hints_at(passage, fact, instead) or (not name.binding and _leads(mention, passage)):
        return make("unsupported", None, detail, instead)
    return make("contradicted", fact.evidence_id, detail, instead)


def _leads(mention: Mention, passage: PassageContext) -> bool:
    """Whether a name is what its clause begins with: "but Lyon has more" speaks of a thing."""
    before = passage.contexts.annotated.within(passage.clause(mention.start)[0], mention.start)
    return all(w.kind == "sign" or (w.role and w.role.sense == "conjunction") for w in before)


def _value_instead(mention: Mention, passage: PassageContext, known: Knowledge) -> Fact | None:
    """Return the recorded value that a thing has in place of the named one (rain, not snow)."""
    before = [a for a in passage.entities if a.start < mention.start]
    if not before or before[-1].keys & mention.named.entities:
        return None
    names = frozenset(
        name
        for fact in known.facts.numbers()
        if fact.value.unit == ASSETS and fact.entities & mention.named.entities
        for name in fact.names
    )
    held = [
        fact
        for fact in known.facts.all
        if fact.value.kind == "name" and fact.names & names and fact.entities & before[-1].keys
    ]
    same = any(key_of(fact.value.value) in mention.named.entities for fact in held)
    return held[0] if held and not same else None


def _of_items(
    values: Sequence[Fact], passage: PassageContext, position: int, claims: Sequence[int]
) -> list[Fact]:
    """Values of the items that a name may be said of; what itself names an item is of any."""
    items = passage.items(position, claims, figure=False)
    return [fact for fact in values if items.allows(fact) or names_item(fact)]


def _wordy(slot: Slot[str], known: Knowledge) -> Slot[str]:
    """A property slot, only as far as it names properties whose values are words."""
    keys = frozenset(key for key in slot.keys if key in known.wordy_names)
    return Slot(keys, slot.force) if keys else Slot(frozenset(), "")


def _property(
    mention: Mention, passage: PassageContext, entity: Slot[str], claims: Sequence[int]
) -> Slot[str]:
    """The property that a name is a value of, as far as the values of properties are words."""
    known = passage.contexts.known
    name = _wordy(passage.name(mention.start, claims), known)
    called = called_properties(passage, entity, dated=False) if name.binding else ()
    return _wordy(passage.name(mention.start, claims, called=called), known) if called else name


def called_properties(
    passage: PassageContext, entity: Slot[str], *, dated: bool
) -> list[Anchor[str]]:
    """Return the words of a passage that call a property without being its name: surveyed, licence.

    Args:
        passage: the passage.
        entity: what its values may be of.
        dated: whether properties are meant whose values are dates, or those whose are words.
    """
    known = passage.contexts.known
    forms = ((w, {form for t in w.tokens for form in (t.key, t.lemma)}) for w in passage.words)
    words = [(word, said) for word, every in forms if (said := set(filter(may_call, every)))]
    of: dict[frozenset[str], frozenset[str]] = {}
    for fact in known.facts.all if words else ():
        if fact.number is None and (fact.date is None) != dated and entity.allows(fact.entities):
            of.setdefault(known.words_about(fact), fact.names)
    found: list[Anchor[str]] = []
    for word, said in words:
        keys = [names for words, names in of.items() if any(is_called(one, words) for one in said)]
        if keys and not any(a.start < word.end and word.start < a.end for a in passage.names):
            found.append(Anchor(word.start, word.end, frozenset[str]().union(*keys)))
    return found


def _judge_foreign(
    mention: Mention,
    passage: PassageContext,
    entity: Slot[str],
    name: Slot[str],
    known: Knowledge,
    unsupported: Claim,
) -> Claim | None:
    """A controlled term that no record has: a claim where it stands beside what is recorded."""
    instead = _instead(entity, name, [], known) if entity.binding and name.binding else []
    if instead:
        return Claim(
            unsupported.text, "name", "contradicted", None, f"the record has {_listed(instead)}",
            mention.start, mention.end, tuple(instead),
        )  # fmt: skip
    text = unsupported.text
    telling = not text.isascii() or any(not c.islower() for c in text)
    beside = bool(passage.quantities or passage.entities or passage.names or passage.dates)
    return unsupported if telling or beside or entity.binding else None


def _instead(
    entity: Slot[str], name: Slot[str], alike: Sequence[Fact], known: Knowledge
) -> list[Fact]:
    """Return what the records have in place of a name, for the entity and property at hand."""
    names = name.keys or frozenset(k for fact in alike for k in fact.names)
    return [
        fact
        for fact in known.facts.all
        if fact.value.kind in ("name", "text", "iri")
        and (not names or fact.names & names)
        and (not entity.keys or fact.entities & entity.keys)
    ]


def _listed(facts: Sequence[Fact]) -> str:
    return "; ".join(f"{fact.about}: {fact.value.value}" for fact in facts[:3])


def judge_iri(
    iri: Text,
    passage: PassageContext,
    claims: Sequence[int],
    known: Knowledge,
    links: Collection[str] = (),
) -> Claim:
    """Judge an IRI: it must be recorded, and belong to the entity that its sentence names.

    The address of a file that was given states nothing that a record could hold.
    """

    def make(
        status: Status, evidence_id: str | None, detail: str, facts: Sequence[Fact] = ()
    ) -> Claim:
        start, end = iri.start, iri.end
        return Claim(iri.raw, "iri", status, evidence_id, detail, start, end, tuple(facts))

    if iri.raw in links:
        return make("supported", None, "a link that was given here")
    facts = known.facts.iris.get(iri.raw) or known.facts.iris.get(iri.raw.rstrip("/"), [])
    entity = passage.entity(iri.start, claims)
    if facts:
        own = [f for f in facts if entity.allows(f.entities)]
        if own or not entity.binding:
            fact = (own or facts)[0]
            return make("supported", fact.evidence_id, f"recorded with {fact.about}", own or facts)
        own = [fact for fact in known.facts.all if fact.entities & entity.keys]
        return make("contradicted", facts[0].evidence_id, f"recorded with {facts[0].about}", own)
    for evidence_id, text in known.names.texts:
        if iri.raw in text:
            return make("supported", evidence_id, "in a recorded text")
    if entity.binding:
        recorded = sorted(
            {
                f.value.entity_iri
                for f in known.facts.all
                if f.entities & entity.keys and f.value.entity_iri
            }
        )
        if recorded:
            return make(
                "contradicted",
                known.evidence_of(entity.keys),
                f"the record has {', '.join(recorded[:3])}",
            )
    return make("unsupported", None, "no record has this IRI")


def judge_date(
    mention: DateMention, passage: PassageContext, claims: Sequence[int], known: Knowledge
) -> Claim:
    """Judge a date: a recorded date of what the sentence names, or a period of its values."""
    start, end = mention.span

    def make(
        status: Status, evidence_id: str | None, detail: str, facts: Sequence[Fact] = ()
    ) -> Claim:
        return Claim(mention.raw, "date", status, evidence_id, detail, start, end, tuple(facts))

    count = _as_count(mention, known)
    if count is None and _is_figure(mention, passage):
        return make("unsupported", None, "no record has this value")
    entity = passage.entity(start, claims)
    name = passage.name(start, claims, called=called_properties(passage, entity, dated=True))
    dated = name.keys & known.date_names
    name = Slot(dated, name.force if dated else "")
    within = [f for f in known.facts.dates if f.date and mention.covers(f.date)]
    within = within if has_both_ends(mention, [f.date for f in within if f.date]) else []
    others = [f for f in within if has_own_day(f, entity, known)]
    within = [f for f in within if f not in others]
    fitting = [f for f in within if entity.allows(f.entities) and name.allows(f.names)]
    if not fitting and not entity.binding:
        fitting = [f for f in within if not f.entities and is_called_so(f, name, known)]
    if fitting or (within and not entity.binding and not name.binding):
        fact = (fitting or within)[0]
        coarser = fact.date is not None and fact.date.grain != mention.grain
        note = f", given as a {mention.grain}" if coarser else ""
        detail = f"{fact.about}: {fact.value.value}{note}"
        return make("supported", fact.evidence_id, detail, fitting or within)
    keys = (period_key(mention), *known.ending(mention))
    fact = next((one for key in keys if (one := known.fact_of_period(key, entity))), None)
    if fact is not None:
        return make("supported", fact.evidence_id, f"a period of {fact.value.name}")
    parts = parts_of(frozenset[PeriodKey]((period_key(mention),)), known.periods)
    if parts and (fact := known.fact_of_period(parts[0], entity)) is not None:
        return make("supported", fact.evidence_id, f"made up of periods of {fact.value.name}")
    elsewhere = _elsewhere(mention, known)
    if elsewhere is not None and not (within or others):
        return make("supported", *elsewhere)
    if count is not None:
        return make("supported", count.evidence_id, f"{count.about}: {count.said}", (count,))
    if others and not entity.binding:  # "the next one after that" is another
        return make("unsupported", others[0].evidence_id, f"recorded as {others[0].about}")
    expected = [
        f for f in known.facts.dates
        if (entity.binding or name.binding) and entity.allows(f.entities) and name.allows(f.names)
    ]  # fmt: skip
    if within := [*within, *others]:
        detail = f"recorded as {within[0].about}"
        return make("contradicted", within[0].evidence_id, detail, expected)
    if expected and (name.binding or not known.periods):
        has = "; ".join(f"{f.about} {f.value.value}" for f in expected[:3])
        return make("contradicted", expected[0].evidence_id, f"the record has {has}", expected)
    return make("unsupported", None, "no record has this date or period")


def _is_figure(mention: DateMention, passage: PassageContext) -> bool:
    """Whether four digits that could be a year are told as a value or a count of nothing known.

    "The value is 2010", "Gefunden wurden 2010 Einträge": no period of a recorded value proves it.
    """
    spans = ((passage.passage.start, passage.passage.end), *passage.above)
    if mention.grain != "year" or not mention.raw.isdigit():
        return False
    if any(passage.contexts.entities(span) for span in spans):
        return False
    words = passage.contexts.annotated.within(passage.passage.start, passage.passage.end)
    own = passage.contexts.annotated.at(mention.span[0])
    if own is not None and own.start < mention.span[0]:
        return False  # "between 2010 and 2020"
    before = [word.role for word in words if word.end <= mention.span[0]][-1:]
    return any(role is not None and role.role == "being" for role in before)


def _as_count(mention: DateMention, known: Knowledge) -> Fact | None:
    """The count of an answer that four digits give which could also be a year ("Total: 1871")."""
    if mention.grain != "year" or not mention.raw.isdigit():
        return None
    return next((fact for fact in known.totals if fact.number == int(mention.raw)), None)


def _elsewhere(mention: DateMention, known: Knowledge) -> tuple[str, str] | None:
    """A date that the call asked for, on which it was made, or that a recorded text holds."""
    for record in known.records:
        made = date.fromisoformat(record.created[:10]) if record.created[:4].isdigit() else None
        if made is not None and mention.grain == "day" and mention.start == made:
            return record.evidence_id, "the day on which this was asked"
    found = [one for one in known.dates_in_texts if mention.covers(one[2])]
    if not found or not has_both_ends(mention, [other for _, _, other in found]):
        return None
    evidence_id, text, _ = found[0]
    return evidence_id, f"in a recorded text or argument: {text[:60]}"


def judge_quote(quote: Text, known: Knowledge, mentions: Sequence[Mention]) -> Claim | None:
    """Judge a quotation: some record must hold it; None where other claims cover it."""
    key = key_of(quote.raw)
    if not key or any(m.start <= quote.start and quote.end <= m.end for m in mentions):
        return None
    if parse_quantity(quote.raw) is not None or "://" in quote.raw:
        return None
    found = find_dates(quote.raw)
    if len(found) == 1 and found[0].span == (0, len(quote.raw)):
        return None
    kind: ClaimKind = "quotation"
    for evidence_id, text in known.haystack:
        if key in text:
            return Claim(
                quote.raw, kind, "supported", evidence_id, "quoted from the record",
                quote.start, quote.end,
            )  # fmt: skip
    return Claim(
        quote.raw, kind, "unsupported", None, "no record holds this text", quote.start, quote.end
    )


# Minutes that a time may be off where it is said to be rough.
_ROUGHLY = 5
_ROUGH = re.compile(r"(?:\b(?:about|around|approximately|roughly|circa|ca\.|nearly)|~) ?$", re.I)
_DAY = 24 * 60


_EVENTS = frozenset(("departure", "arrival"))


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
    held = {fact.value.name for fact in _recorded(clock, known, 0)}
    # "Closed from 22:00" is no departure.
    said = _event_said(passage, clock) if held & _EVENTS or not held else ""
    named = Slot(frozenset([said]), "own") if said else passage.name(start, claims)
    name = Slot(named.keys & timed, named.force if named.keys & timed else "")
    rough = _ROUGH.search(passage.contexts.reading.text, max(0, start - 16), start) is not None
    # "About 18:03" of a recorded 18:03 is that time, and none near it.
    recorded = _recorded(clock, known, 0) or _recorded(clock, known, _ROUGHLY if rough else 0)
    items = passage.items(start, claims)
    within = [fact for fact in recorded if items.allows(fact)]
    fitting = [f for f in within if entity.allows(f.entities) and name.allows(f.names)]
    if fitting or (within and not entity.binding and not name.binding):
        fact = (fitting or within)[0]
        detail = f"{fact.about}: {fact.value.value}"
        return make("supported", fact.evidence_id, detail, fitting or within)
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


def _hints_at(passage: PassageContext, fact: Fact, others: Sequence[Fact]) -> bool:
    """Whether a passage names what a value is about in part, and none of the others so.

    "The Coventry map" may mean Coventry country roads and villages: a value of that map is
    then not held against another one that the passage names. A full name does not count: it is
    known which value it means.
    """
    if any(anchor.keys & fact.entities for anchor in passage.entities):
        return False
    said = words_of(passage.contexts.reading.text[passage.passage.start : passage.passage.end])
    own, *theirs = (words_of(one.value.entity or "") for one in (fact, *others))
    own = {word for word in own if len(word) > 2}.difference(*theirs)
    return not own.isdisjoint(said)
