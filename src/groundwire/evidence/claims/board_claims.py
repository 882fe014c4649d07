"""Whether a draft says of the board of a stop where its services leave and where they go.

A board has departures of one stop, each towards its end. Who takes the end for the stop names both
as they are recorded, and is still wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Here, Hit
from groundwire.evidence.claims.ride_frames import cues, stands_before

_GOES_TO = re.compile(
    r"(?:\b(?:to|towards?|nach|richtung|bound for)\s|[到往至])\s*(?:(?:the|die|der|den|dem)\s)?$",
    re.IGNORECASE,
)
_NEAR = 18


def board_claims(draft: DraftStatements, here: Here) -> Iterator[Claim]:
    """Yield the names of a passage that stand for the wrong end of the services of a board."""
    boards = draft.known.once(_ends)
    for hit in here.hits if not boards.keys().isdisjoint(here.terms) else ():
        role = _role(hit, boards)
        if role == "end" and stands_before("origin", draft.text, hit.start):
            yield _wrong(draft, hit, "where a service goes, and not where it leaves")
        before = draft.text[max(0, hit.start - _NEAR) : hit.start]
        if role == "end" and cues("arrival").search(before):
            yield _wrong(draft, hit, "where a service goes, and not when it is there")
        if role == "stop" and _GOES_TO.search(before):
            yield _wrong(draft, hit, "where services leave, and not where they go")


def _ends(known: Knowledge) -> Mapping[int, int]:
    """Return the departures of boards, each with the place of the condition on where it goes."""
    found: dict[int, int] = {}
    for number in known.by_kind.get("part", ()):
        names = [one.predicate[0] for one in known.statements[number].statement.conditions]
        if "towards" in names and "from" not in names:
            found[number] = names.index("towards")
    return found


def _role(hit: Hit, boards: Mapping[int, int]) -> str:
    """Return whether a name is that of the stop or of an end alone, of boards alone; else ""."""
    roles: set[str] = set()
    for term in hit.terms:
        if term.stated not in boards:
            return ""
        is_end = term.slot == "condition" and term.place == boards[term.stated]
        roles.add("stop" if term.slot == "subject" else "end" if is_end else "")
    return roles.pop() if len(roles) == 1 else ""


def _wrong(draft: DraftStatements, hit: Hit, what: str) -> Claim:
    name = draft.text[hit.start : hit.end]
    evidence_id = draft.known.statements[hit.terms[0].stated].evidence_id
    detail = f"the record has {name} as the place {what}"
    return Claim(name, "statement", "contradicted", evidence_id, detail, hit.start, hit.end)
