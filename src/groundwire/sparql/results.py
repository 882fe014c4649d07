"""Answers of the sparql tools. Field names are public (design.md, "sparql").

Every model begins with `answer`, one sentence that can be quoted as it is, and every answer about
an endpoint carries its audit, also when nothing was run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from groundwire.evidence.answers import Answer, Paged, Part, Proven
from groundwire.sparql.outcome import Status

CellValue = str | int | float | bool | None


class LinkItem(Part):
    """An IRI with the page that describes it at the endpoint that answered."""

    iri: str
    describe_url: str


CellKinds = str | list[str | None] | None


class QueryResult(Paged, Proven):
    """Answer of `execute_query`.

    Attributes:
        column_kinds: of each column, in order, what its cells are in RDF: iri, bnode, @LANGUAGE or
            the IRI of a datatype (xsd:NAME for those of XML Schema); a list where the rows differ,
            one for each row. A column of plain texts has null, as a cell without a value has.
        export_path: the file of an export.
        export_url: a link to it, in place of the path, for callers on another machine.
    """

    items = "rows"
    unlisted = frozenset(("provenance", "audit", "export_path", "export_url"))
    files: ClassVar[Mapping[str, str]] = {"export_path": "export_url"}
    status: Status
    columns: list[str]
    rows: list[list[CellValue]]
    row_count: int
    column_kinds: list[CellKinds] | None = None
    reason: str | None = None
    provenance: list[LinkItem] | None = None
    audit: dict[str, Any]
    export_path: str | None = None
    export_url: str | None = None

    def shortened(self, keep: int) -> Self:
        """The same with its first `keep` rows, and the links of those."""
        kept = super().shortened(keep)
        cells = {cell for row in kept.rows for cell in row if isinstance(cell, str)}
        links = [one for one in self.provenance or () if one.iri in cells]
        kinds = [one[:keep] if isinstance(one, list) else one for one in self.column_kinds or ()]
        return kept.model_copy(update={"provenance": links or None, "column_kinds": kinds or None})


class MatchItem(Part):
    """An entity whose label matches."""

    iri: str
    label: str
    value: str
    score: float
    describe_url: str


class Matches(Paged, Proven):
    """Answer of `match_label`."""

    items = "matches"
    matches: list[MatchItem]
    audits: list[dict[str, Any]]


class TypeItem(Part):
    """A type of entity with how many there are."""

    iri: str
    label: str | None = None
    count: int


class Types(Paged, Proven):
    """Answer of `explore_types`."""

    items = "types"
    types: list[TypeItem]
    audits: list[dict[str, Any]]


class TripleItem(Part):
    """One statement about an entity; `inverse` where the entity is its object."""

    predicate: str
    value: str
    inverse: bool | None = None


class Description(Paged, Proven):
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


class WorkflowResult(Paged, Proven):
    """Answer of `run_kg_workflow`.

    Where no graph answers, `coverage` has the names of the graphs that were looked at
    (`looked_at`), of those that were not (`not_looked_at`), and what was `not_understood`.
    """

    items = "rows"
    unlisted = frozenset(("steps", "audits", "confidence", "coverage"))
    status: Literal["answered", "entity_found", "needs_decision", "aborted", "running"]
    run_id: str | None = None
    markdown: str | None = None
    rows: list[dict[str, Any]]
    steps: list[StepItem]
    audits: list[dict[str, Any]]
    question: str | None = None
    exit_message: str | None = None
    confidence: Literal["high", "medium"] | None = None
    coverage: dict[str, Any] | None = None


class SchemaResult(Paged, Proven):
    """Answer of `describe_schema`; an entry says by `kind` what it is."""

    items = "entries"
    unlisted = frozenset(("prefixes", "not_looked_at", "read_at"))
    status: Literal["complete", "partial", "unknown", "error"]
    entries: list[dict[str, Any]]
    prefixes: dict[str, str] | None = None
    not_looked_at: list[str] | None = None
    read_at: str | None = None


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
