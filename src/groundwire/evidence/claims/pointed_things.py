"""Relations of what a sentence only points at, "it borders A and B", and of a thing to itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from groundwire.evidence.claims.claim import Claim
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
_ENDS = re.compile(r"[\"“”»«'’]*\s*(?:[.!?;。！；]|$)")


def support_pointed(
    draft: DraftStatements,
    stated: Stated,
    objects: Sequence[Hit],
    cues: Sequence[Word],
    words: Sequence[Word],
    found: Found,
) -> None:
    """Support "its capital is B" of what was named before, where a record says so.

    Args:
        draft: the draft.
        stated: a relation of what was named before.
        objects: where the passage names what it relates to.
        cues: the words of the passage for such a relation.
        words: the words of the passage.
        found: what its statements say, to which the claim is added.
    """
    recorded = recorded_senses(stated.statement.predicate)
    for cue in cues:
        behind = _told_of(draft.text, cue, objects)
        if not behind or cue.role is None or cue.role.sense not in recorded:
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
