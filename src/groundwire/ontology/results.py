"""Results of the ontology tools, and what of a resolution they report. Field names are public.

Every model begins with `answer`, one sentence that can be quoted as it is (design.md, "ontology").
Corrections, and gaps with the candidates that are likely, are collected while slots are resolved.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from groundwire.evidence.answers import Answer, Paged, Part, Proven
from groundwire.vocabulary import Candidate, Resolution


def _is_empty(value: Any) -> bool:
    return not value


class Correction(Part):
    """A term that was read otherwise than it was sent. `score` is 1 for a certain reading."""

    slot: str
    raw: str
    resolved: str
    how: str
    score: float


class DomainItem(Part):
    """A searchable kind of asset.

    `asset_count` is None where it could not be counted, and the least where it is not exact.
    """

    domain: str
    class_iri: str
    label: str | None = None
    description: str | None = None
    asset_count: int | None = None
    asset_count_is_exact: bool | None = None


class Domains(Paged):
    """Answer of `discover_domains`, with the files and statements that could not be read.

    Attributes:
        without_assets: how many kinds have no asset; pages list them behind the others.
    """

    items = "domains"
    domains: list[DomainItem]
    without_assets: int | None = None
    problems: list[str] | None = None


class PropertyItem(Part):
    """A property that assets of a domain can be filtered by.

    `declared` is False where assets hold it and no shape names it, and is left out elsewhere.

    Attributes:
        path_count: how many paths lead to its values, where not all are shown.
        drafted: only shapes that `groundwire ontology infer` drafted from data declare it.
    """

    local_name: str
    iri: str
    paths: list[str]
    path_count: int | None = None
    datatype: str | None = None
    has_enum: bool
    unit: str | None = None
    label: str | None = None
    description: str | None = None
    observed_count: int | None = None
    declared: bool | None = None
    drafted: bool | None = None
    ambiguous_with: list[str] | None = None


class Properties(Paged):
    """Answer of `discover_properties`."""

    items = "properties"
    domain: str
    properties: list[PropertyItem]
    corrections: list[Correction] | None = None


class ValueItem(Part):
    """A value of a property: declared by a shape, observed in an asset, or both.

    A value that ends in an ellipsis where `is_cut` is set is longer than a filter takes: its
    beginning can be sent as {"contains": ...}.
    """

    value: str
    label: str | None = None
    declared: bool
    observed: bool
    count: int | None = None
    conditional: bool | None = None
    is_cut: bool | None = None


class Values(Paged):
    """Answer of `discover_values`; not complete where the store was too large to read whole."""

    items = "values"
    property: str
    domain: str | None = None
    values: list[ValueItem]
    is_complete: bool
    corrections: list[Correction] | None = None


class ConnectionItem(Part):
    """A declared path from assets of one domain to assets of another."""

    from_: str = Field(serialization_alias="from", validation_alias="from")
    to: str
    path: str
    count: int | None = None

    model_config = ConfigDict(populate_by_name=True)


class Connections(Paged):
    """Answer of `discover_connections`."""

    items = "connections"
    connections: list[ConnectionItem]
    corrections: list[Correction] | None = None


class SchemaRows(Answer):
    """Answer of `investigate_schema`: at most 50 rows of the schema graph."""

    columns: list[str]
    rows: list[dict[str, str]]
    truncated: bool


class GapItem(Part):
    """A term that could not be used. Each suggestion can be sent in its place as it stands."""

    term: str
    reason: Literal["unmapped", "ambiguous", "unsupported", "limitation"]
    suggestions: list[str] = Field(default_factory=list[str])
    slot: str | None = None
    detail: str | None = None


class AssetItem(Part):
    """One asset of the answer, with the values of the properties that were asked about.

    What is empty is not sent. `more_references` counts the connected assets that are not listed.
    """

    iri: str
    label: str | None = None
    domain: str | None = None
    values: dict[str, Any] = Field(default_factory=dict[str, Any], exclude_if=_is_empty)
    references: list[str] = Field(default_factory=list[str], exclude_if=_is_empty)
    more_references: int | None = None


class CountItem(Part):
    """How many of the matching assets hold a value."""

    value: str
    label: str | None = None
    count: int
    aggregate: str | None = None
    is_rounded: bool | None = None
    values: int | None = None
    assets_with_value: int | None = None


class AggregateItem(Part):
    """A number that was computed from a property of the matching assets, as an exact decimal.

    Attributes:
        value: None where no asset has a number, or where each group has its own.
        is_rounded: the mean has more digits than are shown.
        values: how many numbers count; more than `assets_with_value` where some assets have
            several. None where each group has its own, as is `assets_with_value`.
        assets_without_value: None where the matching assets could not be counted.
    """

    property: str
    function: str
    value: str | None = None
    unit: str | None = None
    is_rounded: bool | None = None
    values: int | None = 0
    assets_with_value: int | None = 0
    assets_without_value: int | None = None


class WithoutCondition(Part):
    """One condition of an empty search: how many assets remain without it.

    Attributes:
        allowed: the values that the shapes allow, where the condition asks for none of them.
    """

    slot: str
    condition: str
    remaining: int
    remaining_is_exact: bool
    nearest: list[str] = Field(default_factory=list[str])
    allowed: str | None = None


class SearchResult(Paged, Proven):
    """Answer of `submit_slots`.

    Attributes:
        sparql: the query, in a dry run; the evidence of every search holds it.
        tied: the next asset, which is left out, has the value that the last one has.
        first_page: the assets of the first page; later pages leave them out and are sorted, since
            engines may list what matches in another order each time.
    """

    items = "results"
    status: Literal["results", "empty", "rejected"]
    confidence: Literal["high", "medium", "low"]
    interpretation: str | None = None
    first_page: tuple[str, ...] = Field(default=(), exclude=True)
    total: int | None = None
    total_is_exact: bool | None = None
    tied: bool | None = None
    results: list[AssetItem] = Field(default_factory=list[AssetItem])
    counts: list[CountItem] | None = None
    aggregate: AggregateItem | None = None
    applied: dict[str, Any] = Field(default_factory=dict[str, Any])
    corrections: list[Correction] = Field(default_factory=list[Correction])
    gaps: list[GapItem] = Field(default_factory=list[GapItem])
    explanation_of_empty: list[WithoutCondition] | None = None
    sparql: str | None = None

    @property
    def item_count(self) -> int:
        """How many assets, or groups of a count, this page holds."""
        return len(self.results if self.counts is None else self.counts)

    def shortened(self, keep: int) -> Self:
        """The same page with its first `keep` assets or groups."""
        field = "results" if self.counts is None else "counts"
        kept = getattr(self, field)[:keep]
        update: dict[str, Any] = {field: kept, "next_offset": self.offset + keep}
        if not self.offset and field == "results":
            update["first_page"] = tuple(item.iri for item in kept)
        return self.model_copy(update=update)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.status == "rejected":
            assert self.gaps, "a rejected search names its gaps"
            assert not self.results and self.total is None, "a rejected search holds no asset"
        if self.status == "empty":
            assert not self.results and not self.total, "an empty search holds no asset"
        return self


class ValueOfAsset(Part):
    """One value of an asset, with the path that leads to it."""

    property: str
    value: str
    unit: str | None = None
    datatype: str | None = None
    language: str | None = None


class Asset(Paged, Proven):
    """Answer of `get_asset`."""

    items = "values"
    iri: str
    label: str | None = None
    domain: str | None = None
    values: list[ValueOfAsset]


Confidence = Literal["high", "medium", "low"]
Reason = Literal["unmapped", "ambiguous", "unsupported", "limitation"]

MAX_SUGGESTIONS = 8
_MAX_REPORTED = 50


class Findings:
    """Collects corrections and gaps in the order in which they are found."""

    def __init__(self) -> None:
        """Nothing was found yet."""
        self.corrections: list[Correction] = []
        self.gaps: list[GapItem] = []
        self._medium = False
        self._stored = False
        self._doubted = False
        # What could not be looked at, in words.
        self.unlooked: dict[str, None] = {}

    def doubt(self) -> None:
        """Lower the confidence to low: an empty search may have missed something."""
        self._doubted = True

    def lower(self) -> None:
        """Lower the confidence to medium."""
        self._medium = True

    @property
    def confidence(self) -> Confidence:
        """High for certain readings, medium after a respelling or an inferred slot, else low."""
        known = self.confidence_of_zero
        return "medium" if known == "high" and self._stored else known

    @property
    def confidence_of_zero(self) -> Confidence:
        """As `confidence`, for an empty answer, on which a property read as stored casts no doubt.

        Nothing is found as the shapes declare it, and nothing as the assets have it.
        """
        if self.gaps or self._doubted:
            return "low"
        return "medium" if self._medium else "high"

    def term(self, slot: str, raw: str, resolved: str, resolution: Resolution) -> None:
        """Report how a term was read."""
        self.correction(
            slot,
            raw,
            resolved,
            resolution.how,
            score=resolution.score,
            certain=resolution.how != "corrected",
        )

    def correction(
        self, slot: str, raw: str, resolved: str, how: str, *, score: float = 1.0, certain: bool
    ) -> None:
        """Report what was read otherwise than as sent.

        A correction that is not certain lowers the confidence to medium.
        """
        self._stored = self._stored or how == "stored"
        self._medium = self._medium or not (certain or how == "stored")
        found = Correction(slot=slot, raw=raw, resolved=resolved, how=how, score=round(score, 3))
        if (
            raw != resolved
            and found not in self.corrections
            and len(self.corrections) < _MAX_REPORTED
        ):
            self.corrections.append(found)

    def gap(
        self,
        slot: str | None,
        term: str,
        reason: Reason,
        detail: str,
        suggestions: list[str] | tuple[str, ...] = (),
    ) -> None:
        """Report a term that could not be used, with what may be sent instead."""
        unique = list(dict.fromkeys(suggestions))[:MAX_SUGGESTIONS]
        if len(self.gaps) < _MAX_REPORTED:
            self.gaps.append(
                GapItem(term=term, reason=reason, suggestions=unique, slot=slot, detail=detail)
            )


# A value of so few letters is a code, which does not show why it is suggested.
_LONGEST_CODE = 3
_LEAST_OF_CODE = 0.6
# By another name of a code: Holandia is 0.5 alike Atlantis, Dania 0.73 alike Narnia.
_LEAST_OF_NAME = 0.75


def likely(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates without the codes that share some letters with what was sent, and no more.

    A person sees that "motorway" was suggested for "motor road"; that NL was, because one of its
    names is a little alike, looks like an answer.
    """
    return [one for one in candidates if one.score >= _least(one)]


def _least(candidate: Candidate) -> float:
    label = candidate.term.label
    if len(label) > _LONGEST_CODE:
        return 0.0
    return _LEAST_OF_CODE if candidate.label_matched == label else _LEAST_OF_NAME
