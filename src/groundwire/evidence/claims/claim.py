"""The result of checking a draft: its claims, each with a status, and what was not judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # The statuses are part of the contract of a tool, and a server starts without the check.
    from groundwire.evidence.claims.fact_index import Fact

ClaimKind = Literal["number", "percent", "date", "iri", "name", "quotation", "time", "statement"]
POSSIBLE = "possible derivation, its operands are not named in the sentence"
"""How the detail of a figure begins that two recorded ones may give."""

Status = Literal["supported", "derived", "contradicted", "unsupported", "not_judged"]
Verdict = Literal[
    "supported", "supported_in_part", "contradicted", "unsupported", "nothing_to_judge"
]


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable statement of a draft.

    Attributes:
        text: as it stands in the draft.
        kind: what it is.
        status: supported: the records say so, rounding and conversion included and named in
            detail; derived: it follows from recorded values that the record or the sentence
            names; contradicted: the records say something else; unsupported: they say nothing.
        evidence_id: the record that speaks for or against it, or None.
        detail: why, with what the record has.
        start: offset of the first character in the draft.
        end: offset after the last.
        facts: the recorded values that it was judged by.
    """

    text: str
    kind: ClaimKind
    status: Status
    evidence_id: str | None
    detail: str
    start: int
    end: int
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one draft.

    Attributes:
        claims: every claim, in the order of the draft; a name that is supported is listed once.
        verdict: what `verdict_of` says of all claims.
        not_judged: short phrases that say what was not judged, and why.
    """

    claims: tuple[Claim, ...]
    verdict: Verdict
    not_judged: tuple[str, ...]


def verdict_of(claims: tuple[Claim, ...], beyond: bool = False) -> Verdict:
    """Return the verdict on a draft with these claims: its worst claim decides.

    Args:
        claims: every claim.
        beyond: whether a part of the draft was not read.

    Returns:
        contradicted or unsupported if any claim is; supported if all are supported or derived and
        nothing is left over; supported_in_part if some are and something is not judged;
        unsupported if there are figures, names or dates and none is supported; nothing_to_judge
        if there is nothing of them.
    """
    statuses = {claim.status for claim in claims}
    for worst in ("contradicted", "unsupported"):
        if worst in statuses:
            return worst
    holds = bool(statuses & {"supported", "derived"})
    if holds:
        return "supported_in_part" if beyond or "not_judged" in statuses else "supported"
    checkable = any(claim.kind != "statement" for claim in claims)
    return "unsupported" if checkable else "nothing_to_judge"


def is_value(claim: Claim | None) -> bool:
    """Whether a claim tells a recorded value, and no computation."""
    facts = claim.facts if claim is not None and claim.status == "supported" else ()
    return bool(facts) and not facts[0].operands
