"""Relations of what a sentence only points at, "it borders A and B", and of a thing to itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.relation_cues import LISTED, recorded_senses
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.language import Span as Word

_ITS = re.compile(r"\b(?:its|their|seine[nrs]?|ihre[nrs]?)\s$", re.IGNORECASE)
# Right before the first of those that stand before a verb at the end of its clause.
_LED = re.compile(r"(?:[与和跟同]|\b(?:an|mit)\s)$", re.IGNORECASE)
_LONGEST_LEAD = 12
# From a word of a relation to the name that it leads to.
_NEAR = 8
_APART = re.compile(r"[:;：；]|\b(?:or|oder)\b|或", re.IGNORECASE)
_HAVE = re.compile(
    r"(?:['’]s|,? (?:which )?(?:has|have|with|hat|haben|mit|whose|dessen|deren))"
    r"(?: (?:the|a|as|die|das|den|der|als))? |的|有",
    re.IGNORECASE,
)
_OF = re.compile(r"\b(?:of|von|des|der|for|für|in|near)\b|的", re.IGNORECASE)
_ENDS = re.compile(r"[\"“”»«'’]*\s*(?:[.!?;。！；]|$)")


def only_bearers(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return the keys of the one thing of which records state a relation, by what it is called."""
    found: dict[str, set[frozenset[str]]] = {}
    for number in known.by_kind.get("relation", ()):
        stated = known.statements[number]
        found.setdefault(stated.statement.predicate[0], set()).add(frozenset(stated.subjects))
    return {name: next(iter(of)) for name, of in found.items() if len(of) == 1}


def bearer_meant(draft: DraftStatements, context: PassageContext, name: str) -> frozenset[str]:
    """Return the one thing that a relation is recorded of, where a passage and a draft name none.

    "It has seven neighbours" answers a question about Niger.

    Args:
        draft: the draft.
        context: the passage.
        name: what the relation is called.
    """
    only = draft.known.once(only_bearers).get(name, frozenset[str]())
    statements = draft.known.statements
    named = (
        statements[term.stated]
        for hit in (draft.within(0, context.passage.end) if only else ())
        for term in hit.terms
        if term.slot == "subject"
    )
    others = any(one.statement.kind == "relation" and not only >= one.subjects for one in named)
    return frozenset[str]() if others else only


def _leads(
    draft: DraftStatements, context: PassageContext, cue: Word, target: Hit, *, is_named: bool
) -> bool:
    """Whether a word for a relation tells of what is pointed at: "capital: B", "it borders B".

    "Its neighbour Namibia has the capital B" tells of another.
    """
    start, _ = context.clause(cue.start)
    before = [hit for hit in draft.within(start, cue.start) if hit.start != cue.start]
    if is_named:
        return not any(_HAVE.fullmatch(draft.text, hit.end, cue.start) for hit in before)
    return not before and _OF.search(draft.text, cue.end, target.start) is None


def support_pointed(
    draft: DraftStatements,
    stated: Stated,
    objects: Sequence[Hit],
    cues: Sequence[Word],
    context: PassageContext,
    pointed: frozenset[str],
    found: Found,
) -> None:
    """Support "its capital is B" of what was named before, where a record says so.

    Args:
        draft: the draft.
        stated: a relation of what was named before.
        objects: where the passage names what it relates to.
        cues: the words of the passage for such a relation.
        context: the passage.
        pointed: keys of what it points at; where nothing was named, the one thing that it may be.
        found: what its statements say, to which the claim is added.
    """
    words, is_named = context.words, bool(pointed)
    of = pointed or bearer_meant(draft, context, stated.statement.predicate[0])
    if of.isdisjoint(stated.subjects):
        return
    recorded = recorded_senses(stated.statement.predicate)
    for cue in cues:
        behind = _told_of(draft.text, cue, objects)
        if not behind or cue.role is None or cue.role.sense not in recorded:
            continue
        if not _leads(draft, context, cue, behind[0], is_named=is_named):
            continue
        if words and cue.start < words[0].start:  # the head of a column
            found.above.append((cue.start, cue.end))
            cue = cue._replace(start=behind[0].start, end=behind[0].end)
        start, end = min(cue.start, behind[0].start), max(cue.end, behind[0].end)
        has = f"{stated.statement.subject[0]} {stated.statement.predicate[0]}"
        name = draft.text[behind[0].start : behind[0].end]
        detail = f"the record has {has} {name}"
        text, evidence_id = draft.text[start:end], stated.evidence_id
        claim = Claim(text, "statement", "supported", evidence_id, detail, start, end)
        found.claims.append(claim)
        listed = takewhile(lambda pair: _are_listed(draft.text, *pair), pairwise(behind))
        found.taken += [(cue.start, cue.end), (behind[0].start, behind[0].end)]
        found.taken += [(other.start, other.end) for _, other in listed]
        found.taken += [
            (one.start, one.end)  # "its capital is called B"
            for one in cues
            if start < one.start < end and one.role is not None and one.role.sense == "same_as"
        ]
        return


def _told_of(text: str, cue: Word, objects: Sequence[Hit]) -> Sequence[Hit]:
    """Return what a word relates the thing to: what stands behind it, else what leads to it.

    Before it stand "English and Tswana are listed as its languages", and what a verb at the end of
    its clause takes.
    """
    behind = [hit for hit in objects if hit.start >= cue.end]
    before = [hit for hit in objects if hit.end <= cue.start]
    if behind or not before:
        return behind
    if _ITS.search(text, max(0, cue.start - _LONGEST_LEAD), cue.start):
        return before
    first = before[0].start
    is_led = _LED.search(text, max(0, first - _LONGEST_LEAD), first) is not None
    is_led = is_led and not text[before[-1].end : cue.start].strip()
    return before if is_led and all(_are_listed(text, *two) for two in pairwise(before)) else []


def _are_listed(text: str, one: Hit, other: Hit) -> bool:
    """Whether two names stand side by side in a list."""
    return LISTED.fullmatch(text, one.end, other.start) is not None


def related_to_itself(
    draft: DraftStatements, here: Here, cues: Iterable[Sequence[Word]]
) -> Iterator[Span]:
    """Yield the names of things that a passage relates to themselves, or lists twice.

    "Before A come B and, before that, B" tells nothing else between the two, but the relation.
    """
    text, said = draft.text, [word for own in cues for word in own]
    things = [hit for hit in here.hits if any(t.slot in ("subject", "object") for t in hit.terms)]
    if not said or len(things) < 2:
        return
    for at, (one, two) in enumerate(pairwise(things)):
        gap = (one.end, two.start)
        between = any(gap[0] <= word.start < gap[1] for word in said)
        if set(one.terms) == set(two.terms) and not _APART.search(text, *gap):
            led = at == 0 and any(0 <= one.start - word.end <= _NEAR for word in said)
            listed = LISTED.fullmatch(text, *gap) and len(things) == at + 2
            if between or led or listed:
                yield two.start, two.end
    breaks = (LISTED.fullmatch(text, one.end, two.start) is None for one, two in pairwise(things))
    start = max((at for at, is_break in enumerate(breaks, 1) if is_break), default=0)
    if len(things) > start + 1 and _ENDS.match(text, things[-1].end):
        # "A has two prerequisites: B and A."
        told = {hit.terms for hit in things[:start]}
        yield from ((one.start, one.end) for one in things[start:] if one.terms in told)
