"""The arguments of the journey tools that several of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.config import JsonDict

from groundwire.errors import InputError
from groundwire.journeys.making import MOST_TRIPS, Request
from groundwire.journeys.making import Trip as AskedTrip

_WORDS = 200


def _one_of(*words: str) -> Any:
    """Return the field of a text that is published as one of some words; others are looked up."""
    return Field(max_length=_WORDS, json_schema_extra={"enum": list(words)})


_Word = Annotated[str, Field(max_length=_WORDS)]
_Words = Annotated[tuple[_Word, ...] | None, Field(max_length=30)]
_Accessibility = Annotated[
    tuple[
        Annotated[
            str,
            _one_of(
                "NoSolidStairs",
                "NoEscalators",
                "NoElevators",
                "StepFreeToVehicle",
                "StepFreeToPlatform",
            ),
        ],
        ...,
    ]
    | None,
    Field(max_length=30),
]
_Proficiency = Annotated[
    tuple[Annotated[str, _one_of("Easy", "Moderate", "Fast")], ...] | None, Field(max_length=30)
]
_Minutes = Annotated[int | None, Field(ge=0, le=1_440)]
PlaceName = Annotated[str, Field(max_length=300)]
JourneyId = Annotated[str, Field(description="From compute_journey_plans.", max_length=64)]
JourneyIndex = Annotated[int, Field(ge=0, le=999, description="From 0.")]
PlanIndex = Annotated[int, Field(ge=0, le=99, description="From 0.")]
Places = Annotated[
    dict[Annotated[str, Field(max_length=60)], PlaceName],
    Field(description='Places by name: {"home": "N1 9AG"}; an empty one is forgotten.'),
]


class DefaultOptions(BaseModel):
    """Options that can be kept for later journeys; values are those of the TfL API."""

    model_config = ConfigDict(extra="forbid")

    journey_preference: (
        Annotated[str, _one_of("LeastTime", "LeastInterchange", "LeastWalking")] | None
    ) = None
    mode: _Words = None
    avoid_modes: _Words = None
    avoid_lines: _Words = None
    accessibility_preference: _Accessibility = None
    max_transfer_minutes: _Minutes = None
    max_walking_minutes: _Minutes = None
    walking_speed: Annotated[str, _one_of("Slow", "Average", "Fast")] | None = None
    cycle_preference: (
        Annotated[
            str, _one_of("None", "LeaveAtStation", "TakeOnTransport", "AllTheWay", "CycleHire")
        ]
        | None
    ) = None
    bike_proficiency: _Proficiency = None
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


class JourneyOptions(DefaultOptions):
    """Options of a journey, those of its time among them."""

    date: Annotated[_Word | None, Field(description="2026-12-01, Friday.")] = None
    time: Annotated[_Word | None, Field(description="18:00, 6pm.")] = None
    time_is: Annotated[str, _one_of("departing", "arriving")] | None = None
    avoid_stops: _Words = None
    avoid_changes: _Words = None
    only_lines: _Words = None
    adjustment: Annotated[str, _one_of("TripFirst", "TripLast")] | None = None


def _undescribed(schema: JsonDict) -> None:
    del schema["description"]


class Trip(JourneyOptions):
    """One of several trips, which the argument that takes them describes."""

    model_config = ConfigDict(json_schema_extra=_undescribed)

    starting_point: Annotated[PlaceName, Field(description="Default: end of trip before.")] = ""
    destination: PlaceName
    via: PlaceName = ""


class Choice(BaseModel):
    """The places that a user chose; a form has a field for each ambiguous place.

    Attributes:
        offered: by field, the words that are ambiguous, and what to send for each answer.
    """

    offered: ClassVar[Mapping[str, tuple[str, Mapping[str, str]]]] = {}

    def places(self) -> dict[str, str]:
        """Return what to send by the words that were ambiguous; what was not offered is none."""
        told = {
            words: answers.get(str(getattr(self, field)), "")
            for field, (words, answers) in self.offered.items()
        }
        return {words: sent for words, sent in told.items() if sent}


def form_for(unclear: Mapping[str, Mapping[str, str]]) -> type[Choice]:
    """A form that asks which places are meant.

    Args:
        unclear: by the words that are ambiguous, what each value to send stands for.
    """
    # Words of a caller are no names of fields: a field is called by its number.
    offered = {
        f"place_{number}": (words, {told: sent for sent, told in options.items()})
        for number, (words, options) in enumerate(unclear.items(), 1)
    }
    fields: dict[str, Any] = {
        field: (str, Field(title=words, json_schema_extra={"enum": list(answers)}))
        for field, (words, answers) in offered.items()
    }
    form = create_model("Choice", __base__=Choice, **fields)
    form.offered = offered
    return form


def request_of(
    single: tuple[str, str, str],
    trips: Sequence[Trip],
    options: JourneyOptions,
    journey_id: str,
    chosen: Mapping[str, str],
) -> Request:
    """Return the request to the planner.

    Args:
        single: starting point, destination and via of the one trip, or empty texts.
        trips: several trips.
        options: what holds for all of them.
        journey_id: what to add them to, or empty.
        chosen: places that the user chose, by the words that were ambiguous.

    Raises:
        InputError: the trip is missing, or both forms are used at once.
    """
    common = _wishes(options)
    if any(single) and trips:
        raise InputError(
            "starting_point, destination and via are of one trip: leave them out beside `trips`."
        )
    if not trips:
        asked = (AskedTrip(*single, common),)
    else:
        asked = tuple(
            AskedTrip(one.starting_point, one.destination, one.via, common | _wishes(one))
            for one in trips
        )
    if not asked[0].destination.strip():
        raise InputError("`destination` is missing: send where the trip ends.")
    return Request(asked[:MOST_TRIPS], journey_id.strip(), chosen)


def _wishes(options: BaseModel) -> dict[str, Any]:
    sent = options.model_dump(exclude_unset=True, exclude_none=True)
    return {
        name: value
        for name, value in sent.items()
        if name not in ("starting_point", "destination", "via") and value not in ("", ())
    }
