"""`submit_graph_changes`: a list of operations becomes a checked change, or nothing happens."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from groundwire.errors import ForbiddenError
from groundwire.evidence.records import Draft
from groundwire.learning.concepts.graph import SHARED, Delta, StoredGraph, WorkingGraph
from groundwire.learning.concepts.history import (
    Change,
    Undoing,
    keep,
    moves_back,
    read_change,
    undone_by,
)
from groundwire.learning.concepts.language import (
    AddEdge,
    Fault,
    Operation,
    RemoveEdge,
    parsed,
)
from groundwire.learning.concepts.neighbourhood import NamedEdge
from groundwire.learning.concepts.performing import (
    Card,
    CardMove,
    Outcome,
    Resolved,
    carried_out,
)
from groundwire.learning.concepts.proving import (
    Proof,
    cards_about,
    cycle_faults,
    cycles,
    graph_hash,
    wrong_ends,
)
from groundwire.learning.concepts.quotes import Quote, read_quotes, unproven
from groundwire.learning.concepts.results import GraphChanges
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.concepts.wording import changes_draft, changes_result
from groundwire.learning.concepts.writing import trial, write, write_moves
from groundwire.safe_text import safe_characters, safe_line, safe_name
from groundwire.statefile import StateFile

_MOST_RECORDED = 60

Scope = Literal["mine", "shared"]


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """A request to change a graph.

    Attributes:
        operations: the list, as it came; empty where a change is taken back.
        rationale: why, in a sentence.
        quotes: `{passage_id, text, operations?}`; the shared graph needs them.
        dry_run: whether only to say what would happen.
        undo: handle of the change that is taken back, or empty.
        scope: the caller's own graph, or the one that all share.
    """

    operations: Sequence[Mapping[str, Any]] = ()
    rationale: str = ""
    quotes: Sequence[Mapping[str, Any]] = ()
    dry_run: bool = False
    undo: str = ""
    scope: Scope = "mine"


@dataclass(slots=True)
class Attempt:
    """A change on its way through the stages.

    Attributes:
        owner: whose graph.
        author: who sent it; quotes are looked up in the author's passages.
        proof: what the stages found.
        delta: what it changes, once that is known.
        moves: cards that change their node.
        resolved: names that were read folded or by an alias.
        effects: what it does beside what it names.
        quotes: quotes that stand; those that are given are not looked up again.
        edges: edges that it adds, with their nodes.
        seed: what the handles of its new nodes are made from.
    """

    owner: str
    author: str
    proof: Proof
    delta: Delta | None = None
    moves: list[CardMove] = field(default_factory=list[CardMove])
    resolved: list[Resolved] = field(default_factory=list[Resolved])
    effects: list[str] = field(default_factory=list[str])
    quotes: list[Quote] = field(default_factory=list[Quote])
    edges: list[NamedEdge] = field(default_factory=list[NamedEdge])
    seed: str = field(default_factory=lambda: secrets.token_hex(16))

    def named(self, graph: WorkingGraph) -> None:
        """Take the new edges with their nodes, for the record."""
        for a, relation, b in self.delta.added[:_MOST_RECORDED] if self.delta else ():
            source, target = graph.node(a), graph.node(b)
            if source is not None and target is not None:
                self.edges.append((source, relation, target))


def submit_graph_changes(
    state: StateFile, rules: Rules, owner: str, request: ChangeRequest
) -> tuple[GraphChanges, Draft]:
    """Check a list of operations as one, and commit it where every stage passes.

    A change of the shared graph that passes waits for a second owner. Nothing of a list that fails
    stays, nor of a dry run.

    Args:
        state: the file of learning.
        rules: types, relations and limits.
        owner: who asks.
        request: what is asked.

    Returns:
        what became of it, and what is recorded.

    Raises:
        ForbiddenError: the caller has the name of the shared graph.
        UnavailableError: the file cannot be written.
    """
    if owner == SHARED:
        raise ForbiddenError(f'"{SHARED}" is the name of the shared graph, and no learner\'s.')
    graph_owner = SHARED if request.scope == "shared" else owner
    with state.writing() as connection, trial(connection) as kept:
        attempt = Attempt(graph_owner, owner, _begun(connection, graph_owner))
        undone = None
        if request.undo:
            undone = read_change(connection, graph_owner, safe_line(request.undo))
            _attempt_undo(connection, attempt, rules, request, undone)
        else:
            attempt_list(connection, attempt, rules, request)
        change_id = ""
        if attempt.proof.passed and not request.dry_run:
            change_id = f"gc_{secrets.token_hex(10)}"
            if request.scope == "mine":
                commit(connection, attempt, _change(change_id, attempt, request))
                kept.keep()
    if change_id and request.scope == "shared":
        with state.writing() as connection:
            change = _change(change_id, attempt, request, status="pending_review")
            keep(connection, graph_owner, change, None)
    result = changes_result(attempt, request, change_id)
    return result, changes_draft(attempt, request, result)


def _begun(connection: sqlite3.Connection, owner: str) -> Proof:
    now = graph_hash(connection, owner)
    return Proof(now, now)


def _change(
    change_id: str,
    attempt: Attempt,
    request: ChangeRequest,
    status: Literal["committed", "pending_review"] = "committed",
) -> Change:
    """Return a change as it is kept."""
    proof: dict[str, Any] = {
        "hash_before": attempt.proof.hash_before,
        "hash_after": attempt.proof.hash_after,
        "places": attempt.proof.places,
        "quotes": [asdict(one) for one in attempt.quotes],
        "seed": attempt.seed,
    }
    return Change(
        0,
        change_id,
        attempt.author,
        status,
        clean_rationale(request.rationale),
        [dict(one) for one in request.operations],
        None,
        proof,
        safe_line(request.undo) or None,
        time.time_ns() // 1_000_000,
    )


def clean_rationale(text: str) -> str:
    """Return a rationale without characters that act or are not seen."""
    return safe_characters(text).strip()


def commit(connection: sqlite3.Connection, attempt: Attempt, change: Change) -> None:
    """Keep a change that passed every stage, with the cards that it moves."""
    assert attempt.delta is not None
    write_moves(connection, change.change_id, attempt.moves)
    keep(connection, attempt.owner, change, attempt.delta)


def attempt_list(
    connection: sqlite3.Connection, attempt: Attempt, rules: Rules, request: ChangeRequest
) -> None:
    """Run the stages of a list of operations; rows are written, for the caller to keep or not."""
    limits = rules.graph
    read, faults = parsed(request.operations, limits)
    faults = [*_request_faults(request, limits.longest_rationale), *faults]

    def cards(node_id: str) -> list[Card]:
        return cards_about(connection, attempt.owner, node_id)

    outcome = carried_out(StoredGraph(connection, attempt.owner), read, rules, cards, attempt.seed)
    faults += outcome.faults
    attempt.resolved, attempt.effects = outcome.resolved, outcome.effects
    proof = attempt.proof
    if not proof.take("schema", [one for one in faults if one.stage == "schema"]):
        return
    attempt.delta, attempt.moves = outcome.graph.delta(), outcome.moves
    ends = [one for one in faults if one.stage == "ends"]
    if not proof.take("ends", ends or wrong_ends(outcome.graph, attempt.delta, rules)):
        return
    if not _stays_acyclic(connection, attempt, outcome.graph, rules):
        return
    if not proof.take("conflicts", [one for one in faults if one.stage == "conflicts"]):
        return
    if proof.take("quotes", _quote_faults(connection, attempt, rules, request, read, outcome)):
        proof.hash_after = graph_hash(connection, attempt.owner)
        attempt.named(outcome.graph)
        proof.take("commit")


def _request_faults(request: ChangeRequest, longest: int) -> list[Fault]:
    """Return what is wrong with the request beside its operations."""
    if request.undo and request.operations:
        return [Fault("schema", 0, "send operations, or the handle of a change to undo: not both")]
    found: list[Fault] = []
    if not request.undo and not request.operations:
        found.append(Fault("schema", 0, "send operations, or the handle of a change to undo"))
    if len(request.rationale) > longest:
        said = (
            f"a rationale of {len(request.rationale):,} characters is too long: at most {longest:,}"
        )
        found.append(Fault("schema", 0, said))
    elif not request.undo and not clean_rationale(request.rationale):
        found.append(Fault("schema", 0, "rationale is missing: say in a sentence why"))
    return found


def _stays_acyclic(
    connection: sqlite3.Connection,
    attempt: Attempt,
    graph: WorkingGraph,
    rules: Rules,
    *,
    restored: bool = False,
) -> bool:
    """Write the change; where an edge closes a cycle, take it back and say the shortest."""
    assert attempt.delta is not None
    with trial(connection) as written:
        places = write(connection, attempt.owner, attempt.delta, rules, restored=restored)
        if places is not None:
            attempt.proof.places = places
            written.keep()
    if places is not None:
        return attempt.proof.take("acyclicity")
    found = cycles(graph, attempt.delta, rules)
    return attempt.proof.take("acyclicity", cycle_faults(graph, found))


def _quote_faults(
    connection: sqlite3.Connection,
    attempt: Attempt,
    rules: Rules,
    request: ChangeRequest,
    read: Sequence[tuple[int, Operation]],
    outcome: Outcome,
) -> list[Fault]:
    """Check the quotes that were sent; the shared graph needs one for each operation that adds."""
    faults: list[Fault] = []
    if not attempt.quotes:
        sent = request.quotes
        attempt.quotes, faults = read_quotes(connection, attempt.author, sent, rules.graph)
    for one in attempt.quotes:
        if any(not 1 <= number <= len(request.operations) for number in one.operations):
            faults.append(Fault("quotes", 0, "a quote names an operation that is not in the list"))
    if request.scope == "shared" and not faults:
        edges = [
            number
            for number, one in read
            if isinstance(one, AddEdge) and not isinstance(one, RemoveEdge)
        ]
        faults = unproven(attempt.quotes, outcome.about, edges)
    return faults


def _attempt_undo(
    connection: sqlite3.Connection,
    attempt: Attempt,
    rules: Rules,
    request: ChangeRequest,
    change: Change | None,
) -> None:
    """Run the stages of taking a change back."""
    faults = _request_faults(request, rules.graph.longest_rationale)
    shown = safe_name(request.undo, 60)
    if change is None:
        faults.append(Fault("schema", 0, f'this graph has no change "{shown}"'))
    elif change.status != "committed" or change.inverse is None:
        said = f"the change {shown} was not committed, so there is nothing to undo"
        faults.append(Fault("schema", 0, said))
    elif other := undone_by(connection, attempt.owner, change.change_id):
        said = f"the change {shown} is undone already, by {other}: undo that one to have it again"
        faults.append(Fault("schema", 0, said))
    if not attempt.proof.take("schema", faults) or change is None:
        return
    apply_undo(connection, attempt, rules, change)


def apply_undo(
    connection: sqlite3.Connection, attempt: Attempt, rules: Rules, change: Change
) -> None:
    """Run the stages of an undo behind the first; rows are written, for the caller to keep."""
    proof = attempt.proof
    undoing = Undoing(connection, attempt.owner, change, rules)
    conflicts = undoing.conflicts()
    if conflicts:
        # Ends and cycles cannot be told of a graph to which the change does not fit.
        proof.take("conflicts", conflicts)
        return
    attempt.delta = undoing.delta
    attempt.moves, stay = moves_back(connection, change.change_id)
    if stay:
        attempt.effects.append(f"{stay} cards stay about what they are about since")
    if not proof.take("ends", wrong_ends(undoing.graph, attempt.delta, rules)):
        return
    if not _stays_acyclic(connection, attempt, undoing.graph, rules, restored=True):
        return
    proof.take("conflicts")
    proof.take("quotes")
    proof.hash_after = graph_hash(connection, attempt.owner)
    attempt.named(undoing.graph)
    proof.take("commit")
