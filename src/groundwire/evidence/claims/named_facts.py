"""What of its facts a passage names, and two things that it names and nothing recorded binds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statements import Found
from groundwire.evidence.claims.words import key_of
from groundwire.language import Span as Word


def unbound(
    context: PassageContext, claims: Sequence[Claim], found: Found, known: Knowledge
) -> Iterable[Span]:
    """Where a sentence names two things that nothing recorded binds: "A is defined by B".

    That the records know both says nothing of what the sentence tells of them.
    """
    proven = any(c.kind != "name" or c.status != "supported" for c in claims)
    valued = any(fact.entities for c in claims if c.kind == "name" for fact in c.facts)
    things = list(dict.fromkeys(anchor.keys for anchor in context.entities))
    bound = found.ordered is not None or found.runs or found.conditions or found.met
    if proven or valued or bound or len(things) < 2:
        return ()
    of_first = {key_of(f.value.value) for f in known.facts.all if f.entities & things[0]}
    others = (one for one in context.entities if one.keys != things[0])
    return [(one.start, one.end) for one in others if not one.keys & of_first]


def named_spans(
    context: PassageContext,
    facts: Sequence[Fact],
    known: Knowledge,
    cues: Sequence[Word],
    *,
    figured: bool,
) -> Iterable[Span]:
    """Where a passage names what its facts are about: entities, properties and periods.

    A passage without figures says nothing by naming a thing; by naming a property or a period it
    speaks of the values that the things named beside it have. The name of a relation is read with
    what it relates, and not here.
    """
    entities = {key for fact in facts for key in fact.entities}
    names = {key for fact in facts for key in fact.names}
    periods = {key for fact in facts for key in fact.periods}
    if not figured:
        here = {key for m in context.mentions for key in m.named.entities}
        entities |= here
        for entity, (own_names, own_periods) in known.once(_by_entity).items():
            if not here or not entity or entity in here:
                names |= own_names
                periods |= own_periods
    relations = {cue.start for cue in cues if cue.role and cue.role.role == "relation"}
    for mention in context.mentions:
        named = mention.named
        if (
            named.entities & entities
            or named.periods & periods
            or (named.names & names and mention.start not in relations)
        ):
            yield mention.start, mention.end
    told = {key for anchor in context.periods for key in anchor.keys & periods}
    for anchor in context.periods:
        parts: set[PeriodKey] = set()
        if not anchor.keys & periods:
            parts = set(parts_of(anchor.keys, known.periods))
        if anchor.keys & periods or (parts and (parts <= periods or told & parts)):
            yield anchor.start, anchor.end


def _by_entity(known: Knowledge) -> Mapping[str, tuple[set[str], set[PeriodKey]]]:
    """Return the properties and periods of the values of each entity; "" stands for none."""
    found: dict[str, tuple[set[str], set[PeriodKey]]] = {}
    for fact in known.facts.all:
        for entity in fact.entities or ("",):
            names, periods = found.setdefault(entity, (set(), set()))
            names |= fact.names
            periods |= fact.periods
    return found
