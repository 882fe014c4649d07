"""Results and records of changes: one sentence, and what the record states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.evidence.answers import other_names
from groundwire.evidence.records import Draft, Value
from groundwire.learning.concepts.language import Fault
from groundwire.learning.concepts.neighbourhood import PACKAGE, edge_statements
from groundwire.learning.concepts.performing import Resolved
from groundwire.learning.concepts.proving import StageResult
from groundwire.learning.concepts.results import (
    GraphChanges,
    ResolvedName,
    StageItem,
    TouchedNode,
    ViolationItem,
)
from groundwire.safe_text import safe_name

if TYPE_CHECKING:
    from groundwire.learning.concepts.changing import Attempt, ChangeRequest

_MOST_NODES = 60
_MOST_RESOLVED = 30
_MOST_EFFECTS = 20
_SHOWN = 80


def stage_item(stage: StageResult) -> StageItem:
    """Return a stage as results show it."""
    return StageItem(
        name=stage.name,
        passed=stage.passed,
        violations=[_violation(one) for one in stage.faults] or None,
    )


def _violation(fault: Fault) -> ViolationItem:
    return ViolationItem(
        operation=fault.operation or None,
        message=fault.message,
        cycle=list(fault.cycle) or None,
        candidates=list(fault.candidates) or None,
        depends=list(fault.depends) or None,
    )


def _resolved(one: Resolved) -> ResolvedName:
    name = safe_name(one.node.name)
    node_id = one.node.node_id
    return ResolvedName(
        operation=one.operation, raw=one.raw, name=name, node_id=node_id, how=one.how
    )


def counted(number: int, word: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "edge"), counted(2, "node")
    ('1 edge', '2 nodes')
    """
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def changes_result(attempt: Attempt, request: ChangeRequest, change_id: str) -> GraphChanges:
    """Return what became of a change."""
    proof, delta = attempt.proof, attempt.delta
    passed = proof.passed
    nodes = list(delta.nodes.items()) if delta and passed else []
    written = [(before, after) for _, (before, after) in nodes if after is not None]
    removed = [before.name for _, (before, after) in nodes if before and not after]
    status = "rejected"
    if passed:
        status = "needs_review" if request.scope == "shared" else "committed"
    restored = bool(request.undo)
    items = [
        TouchedNode(
            node_id=after.node_id,
            name=safe_name(after.name),
            type=after.type,
            version=before.version + 1 if before else after.version + 2 if restored else 1,
        )
        for before, after in written[:_MOST_NODES]
    ]
    return GraphChanges(
        answer=_sentence(attempt, request, change_id),
        status=status,
        scope=request.scope,
        change_id=change_id or None,
        dry_run=request.dry_run,
        stages=[stage_item(one) for one in proof.stages],
        resolved=[_resolved(one) for one in attempt.resolved[:_MOST_RESOLVED]] or None,
        effects=attempt.effects[:_MOST_EFFECTS] or None,
        nodes=items or None,
        nodes_removed=[safe_name(name, _SHOWN) for name in removed[:_MOST_NODES]] or None,
        edges_added=len(delta.added) if delta and passed else 0,
        edges_removed=len(delta.removed) if delta and passed else 0,
        cards_moved=len(attempt.moves) if passed else 0,
        hash_before=proof.hash_before,
        hash_after=proof.hash_after,
    )


def _sentence(attempt: Attempt, request: ChangeRequest, change_id: str) -> str:
    proof, delta = attempt.proof, attempt.delta
    if not proof.passed or delta is None:
        failed = proof.stages[-1]
        fault = failed.faults[0]
        where = f"operation {fault.operation}: " if fault.operation else ""
        more = failed.count - 1
        also = f" ({more:,} more)" if more else ""
        return f"Rejected at {failed.name}: {where}{fault.message}{also}. Nothing was changed."
    pairs = list(delta.nodes.values())
    new = sum(before is None for before, _ in pairs)
    gone = sum(after is None for _, after in pairs)
    parts = [
        (new, "node", "added"),
        (gone, "node", "removed"),
        (len(pairs) - new - gone, "node", "changed"),
        (len(delta.added), "edge", "added"),
        (len(delta.removed), "edge", "removed"),
        (len(attempt.moves), "card", "moved"),
    ]
    said = ", ".join(f"{counted(n, noun)} {done}" for n, noun, done in parts if n)
    said = said or "nothing is different"
    if request.dry_run:
        return f"Every check passes; nothing was changed: {said}."
    if request.scope == "shared":
        return f"Change {change_id} waits for a second owner of the shared graph: {said}."
    if request.undo:
        return f"Change {safe_name(request.undo, 60)} is undone by {change_id}: {said}."
    return f"Committed as {change_id}: {said}."


def changes_draft(attempt: Attempt, request: ChangeRequest, result: GraphChanges) -> Draft:
    """Return what is recorded of a change: its handle, its proof, and the edges it adds."""
    values: list[Value] = []
    if result.change_id:
        values.append(Value("change", result.change_id, "name"))
    if request.undo:
        values.append(Value("undone change", safe_name(request.undo, 60), "name"))
    for stage in result.stages:
        for one in stage.violations or ():
            names = dict.fromkeys([*(one.cycle or ()), *(one.candidates or ())])
            values += [Value("named", name, "name") for name in names][:_MOST_NODES]
    delta = attempt.delta
    committed = result.status == "committed" and not request.dry_run
    if committed and delta is not None:
        pairs = list(delta.nodes.values())
        counts = {
            "nodes_added": sum(before is None for before, _ in pairs),
            "nodes_removed": sum(after is None for _, after in pairs),
            "edges_added": len(delta.added),
            "edges_removed": len(delta.removed),
            "cards_moved": len(attempt.moves),
        }
        named = other_names(PACKAGE, "values")
        values += [
            Value(named[key][0], str(count), labels=named[key][1:])
            for key, count in counts.items()
            if count
        ]
    return Draft(
        values=tuple(values),
        audit={
            "status": result.status,
            "scope": request.scope,
            "dry_run": request.dry_run,
            "stages": {one.name: one.passed for one in attempt.proof.stages},
            "hash_before": result.hash_before,
            "hash_after": result.hash_after,
            "places": attempt.proof.places if committed else {},
            "quotes": [one.hash for one in attempt.quotes],
        },
        statements=edge_statements(attempt.edges) if committed else (),
        answer=result.answer,
    )
