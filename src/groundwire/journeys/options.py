"""Options of a journey, by the meaning that the TfL API gives each.

Source: the OpenAPI of `/Journey/JourneyResults/{from}/to/{to}`. Names are the snake_case of the
API's; values keep the API's spelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

TimeIs = Literal["departing", "arriving"]


@dataclass(frozen=True, slots=True)
class AvoidedStop:
    """A stop that a way shall not pass, or not change at.

    Attributes:
        name: what people call it.
        keys: by any of these a plan may name it; see `stops_avoided`.
    """

    name: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one journey, checked; None or empty leaves the choice to the planner.

    Attributes:
        when: the moment to depart at or arrive by, in Europe/London; None is now.
        time_is: whether `when` is the departure or the arrival.
        mode: modes that may be used; empty means all.
        avoid_modes, avoid_lines: ids of what shall not be used; the API knows neither.
        only_lines: ids of the lines that alone may be ridden; empty means all. The API does not
            know it.
        avoid_stops, avoid_changes: stops that shall not be passed, and those that shall not be
            changed at; the API knows neither.
        max_transfer_minutes, max_walking_minutes: limits in minutes.
        adjustment: `TripFirst` or `TripLast`: the first or last trip of the day.
        from_name, to_name, via_name: names that the answer is to have for the places.
    """

    when: datetime | None = None
    time_is: TimeIs = "departing"
    journey_preference: str = ""
    mode: tuple[str, ...] = ()
    accessibility_preference: tuple[str, ...] = ()
    max_transfer_minutes: int | None = None
    max_walking_minutes: int | None = None
    walking_speed: str = ""
    cycle_preference: str = ""
    bike_proficiency: tuple[str, ...] = ()
    adjustment: str = ""
    avoid_modes: tuple[str, ...] = ()
    avoid_lines: tuple[str, ...] = ()
    only_lines: tuple[str, ...] = ()
    avoid_stops: tuple[AvoidedStop, ...] = ()
    avoid_changes: tuple[AvoidedStop, ...] = ()
    national_search: bool | None = None
    alternative_cycle: bool | None = None
    alternative_walking: bool | None = None
    use_multi_modal_call: bool | None = None
    walking_optimization: bool | None = None
    taxi_only_trip: bool | None = None
    route_between_entrances: bool | None = None
    use_real_time_live_arrivals: bool | None = None
    calc_one_direction: bool | None = None
    include_alternative_routes: bool | None = None
    combine_transfer_legs: bool | None = None
    apply_html_markup: bool | None = None
    override_multi_modal_scenario: int | None = None
    from_name: str = ""
    to_name: str = ""
    via_name: str = ""

    def rules_out(self, line_id: str) -> bool:
        """Whether a line may not be ridden."""
        return line_id in self.avoid_lines or bool(
            self.only_lines and line_id not in self.only_lines
        )
