"""One trip planned, by TfL or over the embedded network."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from opened import NOW, done
from recorded import recorded
from replay import Replay

from groundwire.errors import GroundwireError, InputError
from groundwire.journeys.itinerary import Options
from groundwire.journeys.london import London
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.places.sides import Reader
from groundwire.journeys.planning.trips import Planned, Planning
from groundwire.journeys.tfl.outcomes import (
    BadRequestError,
    NoJourneyError,
    PlaceNotFoundError,
    TflFailedError,
)

ENDS = ("King's Cross", "Waterloo")
PATH = "/Journey/JourneyResults/1000129/to/1000254"


def planned(
    london: London, *ends: str, exploring: bool = True, options: Options | None = None
) -> Planned:
    async def go(london: London) -> Planned:
        reader = Reader(london.places, {}, {}, online=london.supplies.online)
        origin, destination, *via = ends
        return await Planning(
            london=london,
            origin=reader.read("starting_point", origin),
            destination=reader.read("destination", destination),
            via=reader.read("via", via[0]) if via else None,
            options=options or Options(),
            now=NOW,
            exploring=exploring,
        ).run()

    return done(london, go)


def option(name: str, code: str, lat: float = 51.5) -> dict[str, Any]:
    place = {"commonName": name, "placeType": "StopPoint", "icsCode": code, "lat": lat, "lon": 0}
    return {"parameterValue": code, "matchQuality": 900, "place": place}


def ask_back(replay: Replay, path: str, **sides: list[dict[str, Any]]) -> None:
    value = {
        f"{side}LocationDisambiguation": {"matchStatus": "list", "disambiguationOptions": options}
        for side, options in sides.items()
    }
    replay.answer(path, value, status=300)


def tube() -> dict[str, Any]:
    return {"journeys": [recorded("journey/ridgeview_journeyByTube.json")]}


def test_over_the_embedded_network(offline: London) -> None:
    (journey,) = planned(offline, *ENDS).journeys
    assert journey.source == "offline_estimate"
    assert len(journey.plans) == 3
    assert journey.plans[0].start == NOW
    assert any("Times are estimates" in note for note in journey.notes)


def test_both_ends_at_one_place(offline: London) -> None:
    with pytest.raises(InputError, match="Bank is where the trip begins and where it ends"):
        planned(offline, "Bank", "Bank station")
    assert planned(offline, "Bank", "Bank", "Angel").journeys[0].plans


def test_each_pair_of_what_may_be_meant_has_its_journey(offline: London) -> None:
    found = planned(offline, "Ealing", "Heathrow")
    assert len(found.journeys) == 4
    assert [side.raw for side in found.unsettled] == ["Ealing", "Heathrow"]
    assert len({(one.origin.name, one.destination.name) for one in found.journeys}) == 4


def test_a_place_is_no_way_to_itself(offline: London) -> None:
    found = planned(offline, "Ealing", "Ealing")
    assert len(found.journeys) == 4
    assert all(one.origin.ics != one.destination.ics for one in found.journeys)


def test_a_pair_without_a_way_does_not_spoil_the_others(offline: London) -> None:
    options = Options(mode=("tube",), max_walking_minutes=15)
    found = planned(offline, "Ealing", "Bank", options=options)
    assert any(one.plans for one in found.journeys)
    assert all(one.plans or one.error for one in found.journeys)


def test_by_tfl_with_its_parameters(online: London, replay: Replay) -> None:
    replay.answer(PATH, tube())
    options = Options(walking_speed="Slow", when=NOW.replace(hour=18), time_is="arriving")
    (journey,) = planned(online, *ENDS, options=options).journeys
    assert journey.source == "tfl"
    query = replay.requests[-1].query
    assert (query["walkingSpeed"], query["time"], query["timeIs"]) == ("Slow", "1800", "Arriving")


def test_via_is_sent_by_its_code(online: London, replay: Replay) -> None:
    replay.answer(PATH, tube())
    (journey,) = planned(online, *ENDS, "Angel").journeys
    assert replay.requests[-1].query["via"] == "1000007"
    assert journey.via is not None and journey.via.name == "Angel"


def test_a_name_that_wins_clearly_is_not_asked_about(online: London, replay: Replay) -> None:
    options = [option("Zorblax Lane", "1049991"), option("Zorblax Road", "1049992", 51.6)]
    ask_back(replay, "/Journey/JourneyResults/Zorblax Road/to/1000254", **{"from": options})
    replay.answer("/Journey/JourneyResults/1049992/to/1000254", tube())
    found = planned(online, "Zorblax Road", "Waterloo")
    assert found.unsettled == ()
    assert found.sides[0].best.place.name == "Zorblax Road"
    assert len(replay.requests) == 2


def test_places_that_tfl_offers_are_planned_for_side_by_side(
    online: London, replay: Replay
) -> None:
    options = [option(f"Zorblax {name} Road", f"104999{n}", 51.5 + n / 50) for n, name in
               enumerate(("North", "South", "East", "West"))]  # fmt: skip
    ask_back(replay, "/Journey/JourneyResults/Zorblax/to/1000254", **{"from": options})
    for n in range(4):
        replay.answer(f"/Journey/JourneyResults/104999{n}/to/1000254", tube())
    found = planned(online, "Zorblax", "Waterloo")
    assert len(replay.requests) == 4
    assert [one.plans != () for one in found.journeys] == [True] * 3
    only_found = planned(online, "Zorblax", "Waterloo", exploring=False)
    assert only_found.journeys == ()
    assert len(only_found.unsettled[0].candidates) == 4
    assert len(replay.requests) == 5


def test_tfl_asks_twice(online: London, replay: Replay) -> None:
    same = [option("Zorblax Road", "1049992")]
    ask_back(replay, "/Journey/JourneyResults/Zorblax Road/to/1000254", **{"from": same})
    ask_back(replay, "/Journey/JourneyResults/1049992/to/1000254", **{"from": same})
    (journey,) = planned(online, "Zorblax Road", "Waterloo").journeys
    assert journey.error.startswith("TfL asks again which place is meant")
    assert len(replay.requests) == 2


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        ({"status": 404, "value": {"message": "No journey found"}}, NoJourneyError, "no journey"),
        ({"status": 404, "value": {"message": "Unknown"}}, PlaceNotFoundError, "does not know"),
        ({"status": 400, "value": {"message": "Bad"}}, BadRequestError, "(Bad)"),
    ],
)
def test_outcomes_call_places_by_their_names(
    online: London, replay: Replay, answer: Any, error: type[GroundwireError], says: str
) -> None:
    replay.answer(PATH, **answer)
    with pytest.raises(error) as raised:
        planned(online, *ENDS)
    assert says in str(raised.value)
    assert '"King\'s Cross St. Pancras" to "Waterloo"' in str(raised.value)


def test_while_tfl_is_down(online: London, replay: Replay) -> None:
    replay.answer(PATH, status=500, value={"message": "Down"})
    (journey,) = planned(online, *ENDS).journeys
    assert journey.source == "offline_estimate"
    assert journey.notes[0].startswith("TfL's service fails (HTTP 500) (Down)")
    assert journey.notes[0].endswith("Planned over the embedded network instead.")
    replay.answer("/Journey/JourneyResults/N1 9AG/to/1000254", status=500, value={})
    with pytest.raises(TflFailedError, match="Or send a station near N1 9AG"):
        planned(online, "N1 9AG", "Waterloo")


def test_one_request_does_not_ask_for_longer_than_hosts_wait(
    online: London, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.journeys.places.sides._LONGEST", -1.0)
    trips = (Trip(*ENDS), Trip("King's Cross", "Brixton"))
    result, _ = done(online, make_journeys, "ada", Request(trips))
    assert len(replay.requests) == 1
    late = result.journeys[1]
    assert late.source == "offline_estimate"
    assert any(
        "TfL answers too slowly" in note for note in (*(late.notes or ()), *(result.notes or ()))
    )


def test_down_for_one_of_several_pairs(online: London, replay: Replay) -> None:
    found = planned(online, "Ealing", "Waterloo")
    paths = replay.asked("/Journey/JourneyResults")
    assert len(paths) == 4
    again = Replay().start()
    try:
        again.answer(paths[1], status=503, value={})
        london = replace(online.supplies, base_url=again.url)
        elsewhere = London(london, online.now)
        mixed = planned(elsewhere, "Ealing", "Waterloo")
        elsewhere.close()
    finally:
        again.close()
    sources = [one.source for one in mixed.journeys]
    assert sources.count("offline_estimate") == 1
    assert len(found.journeys) == len(mixed.journeys) == 4


def test_lines_that_tfl_cannot_leave_out(online: London, replay: Replay) -> None:
    plans = recorded("journey/ridgeview_journeyResultsKingsXToWaterlooNow.json")["journeys"]
    replay.answer(PATH, {"journeys": [*plans, *tube()["journeys"]]})
    (journey,) = planned(online, *ENDS, options=Options(avoid_lines=("victoria",))).journeys
    assert journey.source == "tfl"
    assert len(journey.plans) == 1
    assert journey.notes[-1] == (
        "TfL cannot leave out lines: 3 plans of its 4 use Victoria and are not shown."
    )


def test_a_place_known_by_its_code_alone_has_the_name_that_tfl_gives(
    online: London, replay: Replay
) -> None:
    replay.answer("/Journey/JourneyResults/1009999/to/1000254", tube())
    (journey,) = planned(online, "1009999", "Waterloo").journeys
    sent = recorded("journey/ridgeview_journeyByTube.json")["legs"][0]["departurePoint"]
    assert journey.origin.name == sent["commonName"]
    assert journey.origin.point is not None
