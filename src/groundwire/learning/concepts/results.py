"""The answers of the tools of concepts. Every model begins with `answer`, one quotable sentence."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field

from groundwire.evidence.answers import Answer, Paged, Part, Proven


class ViolationItem(Part):
    """A fault, and a way to mend it."""

    operation: int | None = None
    message: str
    cycle: list[str] | None = None
    candidates: list[str] | None = None
    depends: list[str] | None = None


class StageItem(Part):
    """One stage of a change."""

    name: str
    passed: bool
    violations: list[ViolationItem] | None = None


class ResolvedName(Part):
    """How a name was read that is not written as the node's own."""

    operation: int | None = None
    raw: str
    name: str
    node_id: str
    how: str


class TouchedNode(Part):
    """A node that a change made or wrote anew."""

    node_id: str
    name: str
    type: str
    version: int


class GraphChanges(Answer, Proven):
    """The answer to a list of changes."""

    unlisted: ClassVar[frozenset[str]] = frozenset((
        "dry_run", "resolved", "effects", "nodes", "nodes_removed", "edges_added", "edges_removed",
        "cards_moved", "hash_before", "hash_after", "scope",
    ))  # fmt: skip

    status: Literal["committed", "needs_review", "rejected"]
    scope: Literal["mine", "shared"]
    change_id: str | None = None
    dry_run: bool = False
    stages: list[StageItem]
    resolved: list[ResolvedName] | None = None
    effects: list[str] | None = None
    nodes: list[TouchedNode] | None = None
    nodes_removed: list[str] | None = None
    edges_added: int = 0
    edges_removed: int = 0
    cards_moved: int = 0
    hash_before: str
    hash_after: str


class PendingChange(Part):
    """A change of the shared graph that waits for a second owner."""

    change_id: str
    is_own: bool
    status: Literal["pending_review", "revision_requested"]
    rationale: str
    undoes: str | None = None
    operations: list[str]
    quotes: list[str]
    notes: list[str] | None = None
    sent: str


class PendingChanges(Paged):
    """Changes that wait, oldest first."""

    items: ClassVar[str] = "changes"

    changes: list[PendingChange]
    total: int


class ReviewedChange(Answer, Proven):
    """The answer to the review of a change by a second owner."""

    change_id: str
    status: Literal["pending_review", "revision_requested", "committed", "rejected"]
    stages: list[StageItem] | None = None
    hash_before: str
    hash_after: str


class ConceptItem(Part):
    """A node of the graph."""

    node_id: str
    name: str
    type: str
    version: int
    definition: str | None = None
    aliases: list[str] | None = None


class RelatedConcept(Part):
    """A node that a relation joins to the concept.

    `layer` counts edges to the concept, of prerequisites along the longest path: whoever learns the
    highest layer first never meets a concept before what it needs. `says` reads the edge that leads
    here as a sentence.
    """

    name: str
    node_id: str
    relation: str
    layer: int
    says: str


class UnmetConcept(Part):
    """A prerequisite that is not known to be mastered."""

    name: str
    node_id: str
    layer: int
    status: Literal["below", "not_enough"]
    value_text: str | None = None
    interval: list[str] | None = None
    n_reviews: int | None = None


class MetricItem(Part):
    """A number about the whole graph, or what it would need."""

    metric: str
    means: str
    status: Literal["computed", "not_enough"]
    value: float | None = None
    value_text: str | None = None
    n: int | None = None
    needs: str | None = None


class Concepts(Paged, Proven):
    """The neighbours of a concept, or an overview of the graph with its names if they are few.

    The page runs over prerequisites, dependents, siblings and others, in this order.
    """

    unlisted: ClassVar[frozenset[str]] = frozenset((
        "scope", "others", "total", "param", "raw", "reason", "candidates", "graph_hash",
        "siblings", "names",
    ))  # fmt: skip

    status: Literal["found", "overview", "unrecognized_param"]
    scope: Literal["mine", "shared"] | None = None
    concept: ConceptItem | None = None
    prerequisites: list[RelatedConcept] = Field(default_factory=list[RelatedConcept])
    dependents: list[RelatedConcept] = Field(default_factory=list[RelatedConcept])
    siblings: list[RelatedConcept] = Field(default_factory=list[RelatedConcept])
    others: list[RelatedConcept] = Field(default_factory=list[RelatedConcept])
    total: int | None = None
    unmet: list[UnmetConcept] | None = None
    unmet_total: int | None = None
    param: str | None = None
    raw: str | None = None
    reason: Literal["unknown", "ambiguous", "unsupported"] | None = None
    candidates: list[str] | None = None
    metrics: list[MetricItem] | None = None
    names: list[str] | None = None
    graph_hash: str | None = None

    @property
    def item_count(self) -> int:
        """How many concepts this page holds."""
        return sum(len(one) for one in self._lists().values())

    def shortened(self, keep: int) -> Self:
        """The same page with its first `keep` concepts; the next page begins after them."""
        kept: dict[str, list[RelatedConcept]] = {}
        left = keep
        for name, some in self._lists().items():
            kept[name] = some[:left]
            left -= len(kept[name])
        return self.model_copy(update={**kept, "next_offset": self.offset + keep})

    def _lists(self) -> dict[str, list[RelatedConcept]]:
        return {
            "prerequisites": self.prerequisites,
            "dependents": self.dependents,
            "siblings": self.siblings,
            "others": self.others,
        }
