"""The check of a draft: claim by claim, against the records of what was answered."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from groundwire.evidence.claims.accounting import Accountant
from groundwire.evidence.claims.answer_figures import judge_page
from groundwire.evidence.claims.bare_items import held_to_leads
from groundwire.evidence.claims.claim import Check, Claim, verdict_of
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.enumerations import judge_enumerations
from groundwire.evidence.claims.extraction import read
from groundwire.evidence.claims.figure_kinds import no_days
from groundwire.evidence.claims.figures_beside import judge_beside, judge_told_with
from groundwire.evidence.claims.knowledge import Knowledge, knowledge_of
from groundwire.evidence.claims.merging import of_one_plan
from groundwire.evidence.claims.name_claims import (
    judge_date,
    judge_iri,
    judge_name,
    judge_quote,
    judge_time,
)
from groundwire.evidence.claims.number_claims import judge_number
from groundwire.evidence.claims.period_ends import judge_ends_of_year
from groundwire.evidence.claims.rounding import find_fits
from groundwire.evidence.claims.runs import judge_ranges, judge_runs
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.simple_sentences import proven_by_clauses
from groundwire.evidence.claims.stated_number import other_readings
from groundwire.evidence.claims.table_heads import is_scale_of_head
from groundwire.evidence.claims.totals import judge_formulas, judge_totals
from groundwire.evidence.claims.wordings import proven_in_other_words, reworded
from groundwire.evidence.records import Record
from groundwire.quantities import Quantity

MAX_CHARACTERS = 100_000
MAX_CLAIMS = 2_000
# How many claims before a passage its figures may follow from.
_MOST_TOLD = 24
# These bounds exclude the figure that they bound.
_STRICT = frozenset(("more_than", "less_than"))
_HOLDS = frozenset(("supported", "derived"))


def check(draft: str, records: Sequence[Record], links: Collection[str] = ()) -> Check:
    """Check a draft against records, claim by claim.

    Checked are numbers with scale words and units, percentages, dates, times of day where the
    records have any, IRIs, quotations and the names that the records or their vocabularies know,
    in English, German and Chinese. A value is
    supported only where what its sentence, row or list says it is about (entity, period,
    property) is what the record says; correct rounding and unit conversion are accepted and
    named. Sums, differences, ratios, percentages, means and counts are derived only where the
    record has the derivation or the sentence names the operands. Superlatives, comparisons and
    denied changes are claims where the records say otherwise.

    Args:
        draft: the text that is about to be shown. Past 100,000 characters it is not judged, nor
            past 2,000 claims; `not_judged` says so.
        records: the evidence to check it against.
        links: addresses of files that were given to whoever wrote the draft.
    """
    known = knowledge_of(records)
    text, enumerated = judge_enumerations(draft[:MAX_CHARACTERS], known)
    contexts, claims, beyond = _checked(text, records, known, links)
    is_open = records and any(one.status not in _HOLDS for one in claims)
    if is_open and (other := reworded(text)) is not None:
        others = [other.moved(one) for one in _checked(other.text, records, known, links)[1]]
        claims = proven_in_other_words(claims, contexts.reading.passages, others)
    if len(draft) > len(text):
        beyond.insert(0, f"the text past its first {MAX_CHARACTERS:,} characters")
    claims = of_one_plan(claims, contexts)
    wide = [*enumerated, *(_with_bound(claim, contexts) for claim in claims)]
    kept = _once(sorted(wide, key=lambda claim: (claim.start, claim.end)))
    written = tuple(
        c if c.kind == "statement" or c.text == (raw := draft[c.start : c.end])
        else replace(c, text=raw)
        for c in kept
    )  # fmt: skip
    left = tuple(
        f"{claim.text}: {claim.detail}" for claim in written if claim.status == "not_judged"
    )
    return Check(written, verdict_of(written, bool(beyond)), (*beyond, *left))


def _checked(
    text: str, records: Sequence[Record], known: Knowledge, links: Collection[str]
) -> tuple[Contexts, list[Claim], list[str]]:
    """Return the passages of a text, its claims, and what of it was not read."""
    contexts, claims, beyond, judged = _claims_of(text, records, known, links)
    if not records:
        return contexts, claims, beyond

    def recheck(apart: str, told: Mapping[Span, Span]) -> list[Claim]:
        before = _moved(judged, told)
        return _claims_of(apart, records, known, links, [*told.values()], before)[1]

    claims = held_to_leads(proven_by_clauses(claims, contexts, recheck), contexts, recheck)
    return contexts, claims, beyond


def _claims_of(
    text: str,
    records: Sequence[Record],
    known: Knowledge,
    links: Collection[str],
    ranges: Sequence[Span] | None = None,
    before: Mapping[Span, list[Claim]] = MappingProxyType({}),
) -> tuple[Contexts, list[Claim], list[str], list[tuple[Passage, list[Claim]]]]:
    """Return the passages of a text, their judged claims, and what of it was not read.

    Last come the passages with their claims as they are before their words are accounted for.

    Args:
        text: the text.
        records: the evidence.
        known: what the records hold.
        links: addresses that may stand in the text.
        ranges: where the claims stand that are wanted; all claims by default.
        before: claims of passages that were judged before, by where these stand.
    """
    reading = read(text, known.names, known.partial_names, timed=bool(known.facts.times))
    contexts = Contexts(reading, known)
    judged: list[tuple[Passage, list[Claim]]] = []
    count = 0
    told: list[Claim] = []
    beyond: list[str] = []
    until = _end_of(ranges, reading.passages)
    for passage in reading.passages:
        if passage.start >= until:
            break
        if count >= MAX_CLAIMS:
            beyond.append(f"the text past its first {MAX_CLAIMS:,} claims")
            break
        own = before.get((passage.start, passage.end))
        if own is None:
            own = _judge(contexts.of(passage), known, passage, told, links)
        told = [*told, *own][-_MOST_TOLD:]
        judged.append((passage, own[: MAX_CLAIMS - count]))
        count += len(own)
    if not records:
        return contexts, [claim for _, own in judged for claim in own], beyond, judged
    return contexts, Accountant(contexts, known).account(judged, ranges), beyond, judged


def _moved(
    judged: Sequence[tuple[Passage, list[Claim]]], regions: Mapping[Span, Span]
) -> dict[Span, list[Claim]]:
    """Return the claims of passages by where these stand once some regions are written anew.

    Left out are the passages of the regions, and the one behind each, which may point back.

    Args:
        judged: the passages of a draft with their claims.
        regions: by where a region stands in it, where it stands then.
    """
    found: dict[Span, list[Claim]] = {}
    is_behind, shift = False, 0
    left = sorted(regions.items(), reverse=True)
    for passage, claims in judged:
        while left and left[-1][0][1] <= passage.start:
            (_, old), (_, new) = left.pop()
            shift = new - old
        is_within = bool(left) and left[-1][0][0] < passage.end
        if not (is_within or is_behind):
            found[passage.start + shift, passage.end + shift] = [
                replace(one, start=one.start + shift, end=one.end + shift) for one in claims
            ]
        is_behind = is_within
    return found


def _end_of(ranges: Sequence[Span] | None, passages: Sequence[Passage]) -> float:
    """Return where the passages end that the claims of some ranges may depend on.

    Those behind them are such only in lists, in tables and below headings.
    """
    is_prose = all(scope.earlier for passage in passages for scope in passage.scopes)
    return max((end for _, end in ranges), default=0) if ranges and is_prose else math.inf


def _with_bound(claim: Claim, contexts: Contexts) -> Claim:
    """Return a figure that is wrong with the words that bound it: "more than 20" is wrong."""
    if claim.status != "contradicted" or claim.kind not in ("number", "percent"):
        return claim
    word = contexts.annotated.at(claim.start - 2) if claim.start > 1 else None
    if word is None or word.role is None or word.role.sense not in _STRICT:
        return claim
    return replace(claim, start=word.start)


def _judge(
    context: PassageContext,
    known: Knowledge,
    passage: Passage,
    told: Sequence[Claim],
    links: Collection[str],
) -> list[Claim]:
    """The claims of one passage, read with those that were told right before it."""
    reading = context.contexts.reading
    figures = [one for one in context.quantities if not is_scale_of_head(one, context)]
    numbers = [quantity.span[0] for quantity in figures]
    values = [
        m.start
        for m in context.mentions
        if (m.named.values or m.named.foreign) and not m.named.entities
    ]
    days = [mention.span[0] for mention in context.dates]
    iris = reading.iris.within((passage.start, passage.end))
    places = [iri.start for iri in iris]
    judged = [
        judge_page(quantity, judge_number(quantity, context, numbers, known), context, known)
        for quantity in figures
    ]
    judged = _rejudged(judged, context, known)
    claims: list[Claim | None] = []
    held = judge_ranges([one for one in judged if one is not None], context, known)
    held = judge_runs(judge_totals(held, context, known), context, known)
    claims += judge_told_with(judge_beside(held, context, told), context)
    claims += [
        judge_ends_of_year(mention, context, days, known)
        or judge_date(mention, context, days, known)
        for mention in context.dates
    ]
    if known.facts.times:
        times = [clock.span[0] for clock in context.clocks]
        claims += [judge_time(clock, context, times, known) for clock in context.clocks]
    claims += no_days(context)
    claims += [judge_iri(iri, context, places, known, links) for iri in iris]
    claims += [
        judge_name(m, context, values if m.start in values else [m.start], known)
        for m in context.mentions
    ]
    held = judge_formulas([claim for claim in claims if claim is not None], context, known)
    for quote in reading.quotes.within((passage.start, passage.end)):
        within = reading.mentions.within((quote.start, quote.end))
        claim = judge_quote(quote, known, within)
        held += [claim] if claim is not None else []
    return held


def _once(claims: Sequence[Claim]) -> list[Claim]:
    """Claims in order, each supported name once."""
    seen: set[tuple[str, str]] = set()
    kept: list[Claim] = []
    for claim in claims:
        key = (claim.text.lower(), claim.detail)
        if claim.kind == "name" and claim.status == "supported":
            if key in seen:
                continue
            seen.add(key)
        kept.append(claim)
    return kept


def _rejudged(
    claims: Sequence[Claim | None], passage: PassageContext, known: Knowledge
) -> list[Claim | None]:
    """Judge numbers again without those that no record has in any reading.

    "48.8 million compared to 36.6 million, so 12.3 million more" has three numbers and names two
    things: the third belongs to neither, and must not stand in their order.
    """
    wrong = [c for c in claims if c is not None and c.status in ("contradicted", "unsupported")]
    if not wrong or len(passage.quantities) < 3:
        return list(claims)
    held = [q for q in passage.quantities if _is_recorded(q, passage, known)]
    starts = [q.span[0] for q in held]
    if not 2 <= len(held) < len(passage.quantities):
        return list(claims)
    again = {q.span[0]: judge_number(q, passage, starts, known) for q in held}
    places = {c.start for c in wrong}
    better = [again.get(c.start) if c and c.start in places else c for c in claims]
    return [
        new if new is not None and new.status in ("supported", "derived") else old
        for new, old in zip(better, claims, strict=True)
    ]


def _is_recorded(quantity: Quantity, passage: PassageContext, known: Knowledge) -> bool:
    """Whether a record has a number in some reading."""
    readings = (quantity, *(q for q, _ in other_readings(quantity, passage, may_be_lost=False)))
    return any(find_fits(one, known.facts, falls=True) for one in readings)
