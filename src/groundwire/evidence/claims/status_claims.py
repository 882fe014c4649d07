"""The status that a passage gives to a thing, such as a line: it must be recorded of that thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit

_STATUS = "status"
# Between two things of which one status is told.
_JOINED = re.compile(
    r"(?:\s*(?:[,、/&和与及]|\b(?:and|or|und|oder|sowie|both|the|die|der|das)\b|以及)\s*)+"
)
# Before a thing whose status was named: "minor delays on the Victoria line".
_ON = re.compile(r"\b(?:on|for|of|auf|bei|für)\s+(?:the|der|dem|den)?\s*$", re.IGNORECASE)
_MOST_BEFORE = 16


def judge_status(draft: DraftStatements, here: Here, found: Found) -> None:
    """Contradict a status that a passage gives to a thing of which the record has another.

    A status belongs to the things named right before it, or to those that "on" leads right behind.

    Args:
        draft: where the draft names anything of statements.
        here: the names of the passage.
        found: what statements say of it, to which this adds.
    """
    relations = [
        (number, stated)
        for number, stated in draft.naming(here, "relation")
        if _STATUS in stated.statement.predicate and stated.statement.complete == "all_listed"
    ]
    subjects = _hits(here, relations, "subject")
    statuses = {
        hit: numbers for hit, numbers in _hits(here, relations, "object").items() if numbers
    }
    if not subjects or not statuses:
        return
    for hit, having in statuses.items():
        of = _of(draft.text, hit, list(subjects), list(statuses))
        wrong = [one for one in of if subjects[one].isdisjoint(having)]
        if not wrong:
            continue
        number = min(subjects[wrong[0]])
        stated = draft.known.statements[number]
        has = ", ".join(names[0] for names in stated.statement.objects)
        start, end = min(wrong[0].start, hit.start), max(wrong[0].end, hit.end)
        detail = f"the record has {stated.statement.subject[0]}: {has}"
        found.claims.append(
            Claim(
                draft.text[start:end], "statement", "contradicted", stated.evidence_id, detail,
                start, end,
            )
        )  # fmt: skip


def _hits(
    here: Here, relations: Sequence[tuple[int, object]], slot: str
) -> Mapping[Hit, frozenset[int]]:
    """Return the names that stand in a slot of some relations, each with their numbers."""
    found: dict[Hit, set[int]] = {}
    for number, _ in relations:
        for hit, term in here.terms[number]:
            if term.slot == slot:
                found.setdefault(hit, set()).add(number)
    return {hit: frozenset(found[hit]) for hit in sorted(found, key=lambda one: one.start)}


def _of(text: str, status: Hit, subjects: Sequence[Hit], statuses: Sequence[Hit]) -> list[Hit]:
    """Return the things that a status is told of."""
    behind = [one for one in subjects if one.start >= status.end]
    if behind and _ON.search(text, max(status.end, behind[0].start - _MOST_BEFORE), behind[0].start):
        between = [one for one in statuses if status.end <= one.start < behind[0].start]
        if not between:
            return _run(text, behind)
    before = [one for one in subjects if one.end <= status.start]
    return _run(text, before[::-1])


def _run(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """Return the first of some names and those that are joined to it."""
    run = list(hits[:1])
    for one in hits[1:]:
        first, last = sorted((run[-1], one), key=lambda each: each.start)
        if not _JOINED.fullmatch(text, first.end, last.start):
            break
        run.append(one)
    return run
