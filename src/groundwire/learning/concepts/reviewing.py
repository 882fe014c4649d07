"""The shared graph changes only when a second owner agrees: what waits, and what becomes of it."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from groundwire.errors import ForbiddenError, InputError, NotFoundError
from groundwire.evidence.records import Draft, Value
from groundwire.learning.concepts.changing import (
    Attempt,
    ChangeRequest,
    apply_undo,
    attempt_list,
    clean_rationale,
)
from groundwire.learning.concepts.graph import SHARED
from groundwire.learning.concepts.history import (
    Change,
    Status,
    keep,
    read_change,
    undone_by,
    waiting,
)
from groundwire.learning.concepts.language import Fault
from groundwire.learning.concepts.proving import Proof, graph_hash
from groundwire.learning.concepts.quotes import quote_of
from groundwire.learning.concepts.results import (
    PendingChange,
    PendingChanges,
    ReviewedChange,
)
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.concepts.wording import counted, stage_item
from groundwire.learning.concepts.writing import trial, write_moves
from groundwire.safe_text import safe_line, safe_name
from groundwire.statefile import StateFile

Decision = Literal["approve", "reject", "request_revision"]
_PAGE = 20
_MOST_SHOWN = 40
_LONGEST_NOTE = 1_000
_BECOMES: dict[Decision, Status] = {
    "approve": "committed",
    "reject": "rejected",
    "request_revision": "revision_requested",
}


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """The decision of a second owner.

    Attributes:
        change_id: the change that waits.
        decision: what becomes of it.
        note: why, for its author; needed unless it is approved.
    """

    change_id: str
    decision: Decision
    note: str = ""


def pending_changes(state: StateFile, owner: str, offset: int = 0) -> PendingChanges:
    """Return the changes of the shared graph that wait for a second owner, oldest first.

    Raises:
        UnavailableError: the file cannot be read.
    """
    with state.reading() as connection:
        found, total = waiting(connection, SHARED, offset, _PAGE) if connection else ([], 0)
    own = sum(one.author == owner for one in found)
    said = f"{counted(total, 'change')} of the shared graph wait for a second owner"
    said += f"; {own} of those shown are your own" if own else ""
    end = offset + len(found)
    return PendingChanges(
        answer=said + ".",
        changes=[_pending(one, owner) for one in found],
        total=total,
        offset=offset,
        next_offset=end if end < total else None,
        left_out=f"{total - end} more changes" if end < total else None,
    )


def _pending(change: Change, owner: str) -> PendingChange:
    quotes = [
        f'"{safe_name(one["text"])}" ({safe_name(one["source"], 80)}, {one["locator"]})'
        for one in change.proof.get("quotes", ())
    ]
    return PendingChange(
        change_id=change.change_id,
        is_own=change.author == owner,
        status="pending_review" if change.status == "pending_review" else "revision_requested",
        rationale=safe_name(change.rationale, _LONGEST_NOTE),
        undoes=change.undoes,
        operations=[_said(one) for one in change.operations[:_MOST_SHOWN]],
        quotes=quotes[:_MOST_SHOWN],
        notes=[safe_name(one["note"], _LONGEST_NOTE) for one in change.proof.get("reviews", ())]
        or None,
        sent=_moment(change.at_ms),
    )


def _moment(at_ms: int) -> str:
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _said(operation: dict[str, Any]) -> str:
    """Return an operation as one line."""
    rest = {name: value for name, value in operation.items() if name != "op"}
    told = ", ".join(f"{name} {safe_name(str(value), 120)}" for name, value in rest.items())
    return f"{operation.get('op')}: {told}"


def review_change(
    state: StateFile, rules: Rules, owner: str, request: ReviewRequest
) -> tuple[ReviewedChange, Draft]:
    """Approve, reject or send back a change of the shared graph.

    An approved change runs through every stage again, on the graph as it is now; where it fails it
    goes on waiting, and the stages say why. Its quotes are those that were checked when it came.

    Args:
        state: the file of learning.
        rules: types, relations and limits.
        owner: who decides; an author never approves a change of their own.
        request: what is decided.

    Returns:
        what became of the change, and what is recorded.

    Raises:
        NotFoundError: no such change waits.
        ForbiddenError: an author approves or rejects a change of their own.
        InputError: the note is missing or too long.
    """
    note = clean_rationale(request.note)
    if request.decision != "approve" and not note:
        raise InputError("Send a note that tells the author why.")
    if len(note) > _LONGEST_NOTE:
        raise InputError(f"The note is too long: at most {_LONGEST_NOTE:,} characters.")
    with state.writing() as connection, trial(connection) as kept:
        change = read_change(connection, SHARED, safe_line(request.change_id))
        if change is None or change.status not in ("pending_review", "revision_requested"):
            shown = safe_name(request.change_id, 60)
            raise NotFoundError(f'No change "{shown}" waits: list those that do.')
        if change.author == owner:
            raise ForbiddenError("A change of the shared graph needs a second owner to review it.")
        now = graph_hash(connection, SHARED)
        attempt = Attempt(SHARED, change.author, Proof(now, now))
        if request.decision == "approve":
            _run(connection, attempt, rules, change)
            passed = attempt.proof.passed
        else:
            passed = True
        reviews = [*change.proof.get("reviews", ()), _review(owner, request.decision, note)]
        if passed:
            proof = {**change.proof, "reviews": reviews}
            if request.decision == "approve":
                proof |= {
                    "hash_before": attempt.proof.hash_before,
                    "hash_after": attempt.proof.hash_after,
                    "places": attempt.proof.places,
                }
                write_moves(connection, change.change_id, attempt.moves)
            at = _now() if request.decision == "approve" else change.at_ms
            made = replace(change, status=_BECOMES[request.decision], proof=proof, at_ms=at)
            keep(connection, SHARED, made, attempt.delta)
            kept.keep()
    return _reviewed(request, change, attempt, passed=passed)


def _review(owner: str, decision: str, note: str) -> dict[str, Any]:
    return {"by": owner, "decision": decision, "note": safe_line(note), "at_ms": _now()}


def _now() -> int:
    return time.time_ns() // 1_000_000


def _run(connection: sqlite3.Connection, attempt: Attempt, rules: Rules, change: Change) -> None:
    """Run every stage of a change again."""
    if change.undoes:
        undone = read_change(connection, SHARED, change.undoes)
        faults: list[Fault] = []
        if undone is None or undone.inverse is None:
            faults.append(Fault("schema", 0, f"the change {change.undoes} is not there any more"))
        elif other := undone_by(connection, SHARED, change.undoes):
            faults.append(Fault("schema", 0, f"{change.undoes} is undone already, by {other}"))
        if attempt.proof.take("schema", faults) and undone is not None:
            apply_undo(connection, attempt, rules, undone)
        return
    kept: list[dict[str, Any]] = change.proof.get("quotes", [])
    attempt.seed = change.proof["seed"]
    attempt.quotes = [quote_of(one) for one in kept]
    request = ChangeRequest(change.operations, change.rationale, scope="shared")
    attempt_list(connection, attempt, rules, request)


def _reviewed(
    request: ReviewRequest, change: Change, attempt: Attempt, *, passed: bool
) -> tuple[ReviewedChange, Draft]:
    handle = change.change_id
    if not passed:
        fault = attempt.proof.stages[-1].faults[0]
        why = f"goes on waiting: {fault.message}"
        said = f"Change {handle} does not fit the graph any more, and {why}."
        status = "pending_review"
    else:
        status = _BECOMES[request.decision]
        said = {
            "approve": f"Change {handle} is committed to the shared graph.",
            "reject": f"Change {handle} is rejected; nothing was changed.",
            "request_revision": f"Change {handle} waits for its author to revise it.",
        }[request.decision]
    result = ReviewedChange(
        answer=said,
        change_id=handle,
        status=status,
        stages=[stage_item(one) for one in attempt.proof.stages] or None,
        hash_before=attempt.proof.hash_before,
        hash_after=attempt.proof.hash_after if passed else attempt.proof.hash_before,
    )
    audit = {
        "status": status,
        "decision": request.decision,
        "hash_before": result.hash_before,
        "hash_after": result.hash_after,
    }
    return result, Draft((Value("change", handle, "name"),), audit=audit, answer=said)
