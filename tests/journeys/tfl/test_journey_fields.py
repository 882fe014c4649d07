"""Nothing of a journey answer is dropped in silence: every field is read, or ignored for a reason.

The recorded payloads are those of data/tfl of the real data (Powered by TfL Open Data).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded import recorded, recorded_names
from shared_data import need, shared_folder

from groundwire.journeys.itinerary import Journey, Place, from_json
from groundwire.journeys.tfl import journey_payload
from groundwire.journeys.tfl.fields import plain_text
from groundwire.journeys.tfl.journey_payload import (
    EVERYWHERE,
    IGNORED,
    INSTEAD,
    READ,
    new_fields,
    read_itinerary,
)

OWN = Path(__file__).parents[1] / "data"
SHARED = shared_folder("data", "tfl")
RECORDED = recorded_names("journey")
SYNTHETIC = "synthetic_journey.json"
PAYLOADS = [*RECORDED, SYNTHETIC]
ENTITIES = "Tfl.Api.Presentation.Entities."


class Watched(dict[str, Any]):
    """An object of a payload that remembers which of its fields were asked for."""

    def __init__(self, value: dict[str, Any]) -> None:
        super().__init__({name: watch(held) for name, held in value.items()})
        self.asked: set[str] = set()

    def raw(self, key: str) -> Any:
        """A field, without asking for it."""
        return super().get(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)


def watch(value: Any) -> Any:
    if isinstance(value, dict):
        return Watched(value)
    return [watch(one) for one in value] if isinstance(value, list) else value


def load(name: str) -> dict[str, Any]:
    own = name == SYNTHETIC
    value = json.loads((OWN / name).read_text("utf-8")) if own else recorded(name)
    return value if "journeys" in value else {"journeys": [value]}


def unread(value: Any, entity: str, path: str, above: frozenset[str]) -> Iterator[str]:
    """Paths of fields that nobody asked for and no table excuses.

    Args:
        above: fields of the object above that hold something.
    """
    if isinstance(value, list):
        for one in value:
            yield from unread(one, entity, f"{path}[]", above)
    if not isinstance(value, Watched):
        return
    for name, held in value.items():
        if name in EVERYWHERE or name in IGNORED.get(entity, {}):
            continue
        if name not in value.asked:
            other = INSTEAD.get(entity, {}).get(name)
            if not (other and (value.raw(other) or other in above)):
                yield f"{path}.{name}"
            continue
        inner = READ[entity].get(name)
        if inner:
            full = frozenset(other for other in value if value.raw(other))
            yield from unread(held, inner, f"{path}.{name}", full)
        else:
            nested = held if isinstance(held, list) else [held]
            assert not any(isinstance(one, dict) for one in nested), f"{path}.{name}"


@pytest.mark.parametrize("name", PAYLOADS)
def test_every_field_is_read_or_ignored_for_a_reason(name: str, monkeypatch) -> None:
    payload = load(name)
    assert read_itinerary(payload).new_fields == ()
    # The search for new fields would ask for much that the reading does not.
    monkeypatch.setattr(journey_payload, "new_fields", lambda node: ())
    watched = watch(payload)
    found = read_itinerary(watched)
    assert list(unread(watched, "ItineraryResult", "", frozenset())) == []
    assert found.unread == ()
    assert len(found.plans) == len(payload["journeys"])


@pytest.mark.parametrize("name", PAYLOADS)
def test_plans_agree_with_the_payload(name: str) -> None:
    payload = load(name)
    plans = read_itinerary(payload).plans
    for plan, journey in zip(plans, payload["journeys"], strict=True):
        assert plan.duration_minutes == journey["duration"]
        assert len(plan.legs) == len(journey["legs"])
        assert plan.start.isoformat()[:19] == journey["startDateTime"]
        assert plan.arrival.isoformat()[:19] == journey["arrivalDateTime"]
        assert (plan.fare is None) == ("fare" not in journey)
        for leg, raw in zip(plan.legs, journey["legs"], strict=True):
            assert leg.mode == raw["mode"]["id"]
            assert leg.duration_minutes == raw["duration"]
            assert len(leg.steps) == len(raw["instruction"]["steps"])
            assert len(leg.obstacles) == len(raw["obstacles"])
            said = (*leg.disruptions, *leg.planned_works, *leg.notices)
            assert {one.reason for one in said} == {
                plain_text(one["description"])
                for one in (*raw["disruptions"], *raw["plannedWorks"])
            }
            points = json.loads(raw["path"].get("lineString") or "[]")
            assert len(leg.path) == (len(points) if len(points) > 1 else 2)
            assert all(51 < p.lat < 54 and -2 < p.lon < 1 for p in leg.path)
            assert leg.summary == " ".join(raw["instruction"]["summary"].split())
            assert leg.origin.point
            assert leg.destination.ics or leg.destination.kind == "address"
    journey = Journey(Place("A"), Place("B"), plans, "tfl")
    assert from_json(json.loads(json.dumps(journey.to_json()))) == journey


def test_the_recorded_payloads_are_all_there() -> None:
    assert len(RECORDED) == 14


def _saved_openapi() -> dict[str, set[str]]:
    path = need(SHARED / "openapi" / "tfl-ts_swagger2_tfl-v1.json")
    definitions = json.loads(path.read_text("utf-8"))["definitions"]
    return {
        name.removeprefix(ENTITIES): set(entity.get("properties", ()))
        for name, entity in definitions.items()
    }


def _own_names() -> dict[str, set[str]]:
    fields = json.loads((OWN / "api_names.json").read_text("utf-8"))["fields"]
    return {name: set(words.split()) for name, words in fields.items()}


SAVED = {"recorded": _saved_openapi, "own": _own_names}


def test_a_new_field_is_told_and_does_no_harm() -> None:
    payload = load(SYNTHETIC)
    payload["weather"] = "synthetic"
    payload["journeys"][0]["legs"][0]["colour"] = {"synthetic": 1}
    payload["journeys"][0]["legs"][1]["instruction"]["steps"][0]["surface"] = "gravel"
    found = read_itinerary(payload)
    assert found.new_fields == (
        "InstructionStep.surface",
        "ItineraryResult.weather",
        "Leg.colour",
    )
    assert len(found.plans) == 1


def test_no_field_is_both_read_and_ignored() -> None:
    assert IGNORED.keys() <= READ.keys()
    for entity, fields in READ.items():
        assert not fields.keys() & (IGNORED.get(entity, {}).keys() | EVERYWHERE.keys()), entity
        assert all(inner in READ for inner in fields.values() if inner)
    reasons = [*EVERYWHERE.values(), *(why for of in IGNORED.values() for why in of.values())]
    assert all(len(reason) >= 8 for reason in reasons)


@pytest.mark.parametrize("saved", SAVED)
def test_every_field_of_the_openapi_is_known(saved: str) -> None:
    fields_of = SAVED[saved]()
    names = {
        "ItineraryResult": "JourneyPlanner.ItineraryResult",
        "DockingStations": "JourneyPlanner.JourneyPlannerCycleHireDockingStationData",
        "SearchCriteria": "JourneyPlanner.SearchCriteria",
        "TimeAdjustments": "JourneyPlanner.TimeAdjustments",
        "TimeAdjustment": "JourneyPlanner.TimeAdjustment",
        "Journey": "JourneyPlanner.Journey",
        "JourneyFare": "JourneyPlanner.JourneyFare",
        "Fare": "JourneyPlanner.Fare",
        "FareCaveat": "JourneyPlanner.FareCaveat",
        "Leg": "JourneyPlanner.Leg",
        "Instruction": "Instruction",
        "InstructionStep": "InstructionStep",
        "Obstacle": "JourneyPlanner.Obstacle",
        "StopPoint": "StopPoint",
        "Path": "JourneyPlanner.Path",
        "PathStop": "Identifier",
        "RouteOption": "JourneyPlanner.RouteOption",
        "LineIdentifier": "Identifier",
        "Mode": "Identifier",
        "Disruption": "Disruption",
        "PlannedWork": "JourneyPlanner.PlannedWork",
        "Line": "Line",
        "LineStatus": "LineStatus",
        "ValidityPeriod": "ValidityPeriod",
        "LineDisruption": "Disruption",
    }
    assert names.keys() == READ.keys()
    for entity, name in names.items():
        fields = fields_of[name]
        assert new_fields(dict.fromkeys(fields), entity) == (), entity
        ours = READ[entity].keys() | IGNORED.get(entity, {}).keys()
        assert ours <= fields, f"{entity} names a field that TfL has not"
