"""What the sparql tools answer. Field names are public (design.md, "sparql").

Every model begins with `answer`, one sentence that can be quoted as it is, and every answer about
an endpoint carries its audit, also when nothing was run.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from groundwire.sparql.outcome import Status


class Part(BaseModel):
    """What a result holds. Validators are built on first use, so that a server starts quickly."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Answer(Part):
    """A result with its quotable sentence first."""

    answer: str


class Proven(Part):
    """The handle of the evidence record, or why nothing could be recorded."""

    evidence_id: str | None = None
    evidence_error: str | None = None


class Listed(Answer):
    """A result with one list that is shortened where it is too long to send.

    Attributes:
        offset: where the list begins in the whole one.
        next_offset: where the next page begins, or None at the end.
        left_out: what was left out and how to get it.
        next_cursor: the handle for the next page.
    """

    items: ClassVar[str]

    offset: int = Field(default=0, exclude=True)
    next_offset: int | None = Field(default=None, exclude=True)
    left_out: str | None = None
    next_cursor: str | None = None

    @property
    def item_count(self) -> int:
        """How many items there are."""
        return len(getattr(self, self.items))

    def shortened(self, keep: int) -> Self:
        """The same result with its first `keep` items; the next page begins after them."""
        kept = getattr(self, self.items)[:keep]
        return self.model_copy(update={self.items: kept, "next_offset": self.offset + keep})


CellValue = str | int | float | bool | None


class LinkItem(Part):
    """An IRI with the page that describes it at the endpoint that answered."""

    iri: str
    describe_url: str


class QueryResult(Listed, Proven):
    """Answer of `execute_query`."""

    items = "rows"
    status: Status
    columns: list[str]
    rows: list[list[CellValue]]
    row_count: int
    reason: str | None = None
    provenance: list[LinkItem] | None = None
    audit: dict[str, Any]
    export_path: str | None = None


class MatchItem(Part):
    """An entity whose label matches."""

    iri: str
    label: str
    value: str
    score: float
    describe_url: str


class Matches(Listed, Proven):
    """Answer of `match_label`."""

    items = "matches"
    matches: list[MatchItem]
    audits: list[dict[str, Any]]


class TypeItem(Part):
    """A type of entity with how many there are."""

    iri: str
    label: str | None = None
    count: int


class Types(Listed, Proven):
    """Answer of `explore_types`."""

    items = "types"
    types: list[TypeItem]
    audits: list[dict[str, Any]]


class TripleItem(Part):
    """One statement about an entity; `inverse` where the entity is its object."""

    predicate: str
    value: str
    inverse: bool | None = None


class Description(Listed, Proven):
    """Answer of `describe_entity`."""

    items = "triples"
    iri: str
    describe_url: str
    triples: list[TripleItem]
    audits: list[dict[str, Any]]


class StepItem(Part):
    """A step of the workflow: what it did, or why it was skipped."""

    step: str
    status: str
    detail: str


class WorkflowResult(Listed, Proven):
    """Answer of `run_kg_workflow`."""

    items = "rows"
    status: Literal["answered", "needs_decision", "aborted", "running"]
    run_id: str | None = None
    markdown: str | None = None
    rows: list[dict[str, Any]]
    steps: list[StepItem]
    audits: list[dict[str, Any]]
    question: str | None = None
    exit_message: str | None = None


class EndpointItem(Part):
    """An endpoint of the registry."""

    name: str
    url: str
    kind: str
    dialect: str | None = None
    languages: list[str]
    describe_template: str | None = None
    reachable: bool | None = None
    detail: str | None = None


class EndpointList(Answer):
    """Answer of `list_endpoints`."""

    endpoints: list[EndpointItem]
    default: str
    fallbacks: list[str]


class KgPolicyInForce(Answer):
    """Answer of `set_kg_policy`: the policy in force for this user."""

    kg: Literal["off", "classes", "strict"]
    limit: int
    demanded_by_registry: Literal["off", "classes", "strict"]
