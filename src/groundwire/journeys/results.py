"""Answers of the journey tools. Field names are public (design.md, "journeys").

Every model begins with `answer`, one sentence that can be quoted as it is. Moments are ISO 8601
with the offset of their place; durations are whole minutes, fares pence, positions WGS 84.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from groundwire.evidence.answers import Answer, Paged, Part, Proven
from groundwire.journeys.itinerary import CREDIT, Source
from groundwire.journeys.tfl.severity import Standing


class CorrectionItem(Part):
    """An argument that was read as something else than was sent."""

    param: str
    raw: str
    resolved: str
    how: str


class OptionItem(Part):
    """A place that may have been meant; `value` can be sent as it stands."""

    param: str
    raw: str
    name: str
    value: str
    detail: str | None = None


class DisruptionItem(Part):
    """A hindrance of a plan, and the best way around it among the plans that are known.

    A notice is told in the same form; it hinders nobody and has no way around.
    """

    line: str
    reason: str
    alternative: str | None = None


class PlanItem(Part):
    """One plan without its legs: get_computed_journey_plan has them."""

    plan_index: int
    start: str
    arrival: str
    duration_minutes: int
    modes: list[str]
    lines: list[str]
    interchanges: int
    stops: int | None = None
    walking_minutes: int
    fare_pence: int | None = None
    step_free: bool | None = None
    disruptions: list[DisruptionItem] | None = None
    planned_works: list[DisruptionItem] | None = None
    notices: list[DisruptionItem] | None = None


class ConditionItem(Part):
    """A condition of a trip in words, and whether its first plan keeps to it."""

    option: str
    asked: str
    standing: str


class StepFreeItem(Part):
    """A stop where a plan is entered, changed or left; without `step_free` it is not known."""

    stop: str
    step_free: bool | None = None


class JourneyItem(Part):
    """One journey with its plans, best first, or why it has none.

    Attributes:
        trip: the position, from 1, of its trip in the request. A trip keeps its position among the
            journeys where it failed; other readings of ambiguous trips follow after the last trip.
    """

    journey_index: int
    trip: int | None = None
    from_: str = Field(serialization_alias="from")
    to: str
    via: str | None = None
    source: Source
    plans: list[PlanItem]
    conditions: list[ConditionItem] | None = None
    step_free_stops: list[StepFreeItem] | None = None
    notes: list[str] | None = None
    error: str | None = None


class ComputedJourneys(Answer, Proven):
    """Journeys that were planned, as metadata; details follow by index.

    Attributes:
        not_kept: why journeys with plans have no journey_id, where they could not be kept.
    """

    journey_id: str | None = None
    not_kept: str | None = None
    source: Source | None = None
    journeys: list[JourneyItem]
    options: list[OptionItem] | None = None
    corrections: list[CorrectionItem] | None = None
    assumptions: list[str] | None = None
    notes: list[str] | None = None
    effective_preferences: dict[str, Any]
    left_out: str | None = None
    as_of: str | None = None
    credit: str = CREDIT


class LegItem(Part):
    """One leg: what is taken from where to where, and when."""

    mode: str
    line: str | None = None
    direction: str | None = None
    also: list[str] | None = None
    from_: str = Field(serialization_alias="from")
    to: str
    platform: str | None = None
    departure: str
    arrival: str
    duration_minutes: int
    distance_metres: int | None = None
    stops: list[str] | None = None
    summary: str | None = None
    timing: str


class LegsItem(PlanItem):
    """A plan with its legs."""

    legs: list[LegItem]


class ComputedJourney(Answer, Proven):
    """One journey with its plans and legs."""

    journey_id: str
    journey_index: int
    from_: str = Field(serialization_alias="from")
    to: str
    via: str | None = None
    source: Source
    plans: list[LegsItem]
    notes: list[str] | None = None
    error: str | None = None
    credit: str = CREDIT


class StepItem(Part):
    """One instruction within a leg."""

    leg: int
    instruction: str
    distance_metres: int | None = None


class ObstacleItem(Part):
    """Stairs, a lift or the like on the way to or from a platform."""

    leg: int
    kind: str
    incline: str | None = None
    position: str | None = None


class ComputedPlan(Answer, Proven):
    """One plan in detail."""

    journey_id: str
    journey_index: int
    plan_index: int
    source: Source
    text: str
    legs: list[LegItem]
    steps: list[StepItem]
    obstacles: list[ObstacleItem]
    disruptions: list[DisruptionItem] | None = None
    planned_works: list[DisruptionItem] | None = None
    notices: list[DisruptionItem] | None = None
    fare_pence: int | None = None
    fare_notes: list[str] | None = None
    step_free: bool | None = None
    notes: list[str] | None = None
    credit: str = CREDIT


class DrawnMap(Answer, Proven):
    """A map, and where it was written; `path_error` says why a file of it was not.

    Callers on another machine get links, `url` and `svg_url`, in place of the paths.
    """

    unlisted = frozenset(("svg_url",))
    files: ClassVar[Mapping[str, str]] = {"path": "url", "svg_path": "svg_url"}
    path: str | None = None
    svg_path: str | None = None
    url: str | None = None
    svg_url: str | None = None
    path_error: str | None = None
    legend: list[str]
    source: Source
    shown_in_browser: bool | None = None
    notes: list[str] | None = None
    credit: str = CREDIT


class CalendarFile(Answer, Proven):
    """A calendar file, and its text; a text that is too long for an answer is in the file alone.

    A file that could not be written has no path; `path_error` says why. Callers on another machine
    get a link, `url`, in place of the path.
    """

    files: ClassVar[Mapping[str, str]] = {"path": "url"}
    path: str | None = None
    url: str | None = None
    path_error: str | None = None
    ics: str
    events: int
    source: Source
    left_out: str | None = None


class PlaceItem(Part):
    """A place that the user named."""

    name: str
    value: str


class DefaultParameters(Answer):
    """The defaults of a user: what every journey begins with."""

    effective: dict[str, Any]
    places: list[PlaceItem]
    corrections: list[CorrectionItem] | None = None
    notes: list[str] | None = None


class StatusItem(Part):
    """One thing that is said of a line now."""

    description: str
    severity: int
    standing: Standing
    reason: str | None = None
    advice: str | None = None
    planned: bool
    holds_now: bool
    begins: str | None = None
    ends: str | None = None


class LineItem(Part):
    """One line, by the worst that is said of it."""

    line: str
    line_id: str
    mode: str
    standing: str
    severity: int
    description: str
    statuses: list[StatusItem]


class LineStatuses(Paged, Proven):
    """Lines, worst status first."""

    items = "lines"

    lines: list[LineItem]
    corrections: list[CorrectionItem] | None = None
    notes: list[str] | None = None
    as_of: str | None = None
    credit: str = CREDIT


class StopItem(Part):
    """A stop or station."""

    id: str
    name: str
    modes: list[str]
    lines: list[str]
    lat: float | None = None
    lon: float | None = None
    zone: str | None = None
    step_free: bool | None = None
    why: str


class FoundStops(Paged, Proven):
    """Stops that a text may mean, best first."""

    items = "stops"

    stops: list[StopItem]
    source: Source
    notes: list[str] | None = None
    credit: str = CREDIT


class ArrivalItem(Part):
    """One service that is expected at a stop."""

    line: str
    mode: str | None = None
    destination: str
    platform: str | None = None
    expected: str
    minutes: int
    stop: str | None = None
    cancelled: bool | None = None


class Arrivals(Answer, Proven):
    """Services expected at a stop, next first, or why there are none."""

    stop: str
    arrivals: list[ArrivalItem]
    reason: str | None = None
    total: int
    options: list[OptionItem] | None = None
    corrections: list[CorrectionItem] | None = None
    notes: list[str] | None = None
    as_of: str | None = None
    credit: str = CREDIT
