from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import pytest
from planner_servers import MUSEUM, PlannerServer, Reply, as_json, motis, motis_plan, otp, wrong

from groundwire.errors import ConfigurationError, GroundwireError, InputError
from groundwire.journeys.computed_journeys import Which, get_computed_journey_plan
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.remote import apis
from groundwire.journeys.remote.planner import RemotePlanner
from groundwire.journeys.results import ComputedJourneys
from groundwire.journeys.tfl.outcomes import (
    BadRequestError,
    BrokenAnswerError,
    KeyRefusedError,
    RateLimitedError,
    TflFailedError,
    TflTimeoutError,
    TflUnreachableError,
    UnexpectedAnswerError,
    WebPageError,
)

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 6, 22, 8, 0, tzinfo=BERLIN)


@pytest.fixture
def serving() -> Iterator[Callable[[PlannerServer], str]]:
    started: list[PlannerServer] = []

    def start(server: PlannerServer) -> str:
        started.append(server)
        return server.url

    yield start
    for one in started:
        one.close()


def region(url: str, home: Path) -> RemotePlanner:
    return RemotePlanner(url, home, lambda: NOW)


def planned(where: RemotePlanner, one: str, other: str, **wishes: Any) -> ComputedJourneys:
    request = Request((Trip(one, other, "", wishes),))
    result, _ = anyio.run(make_journeys, where, "local", request)
    return result


Serving = Callable[[PlannerServer], str]


def test_motis_plans_by_name_and_says_so(serving: Serving, tmp_path: Path) -> None:
    url = serving(motis(lambda when: [motis_plan(when + timedelta(minutes=5))]))
    where = region(f"{url}#Europe/Berlin", tmp_path)
    result = planned(where, "Museum", "Zoo")

    assert result.source == "planner"
    assert result.answer == (
        "Museum to Zoo: the first plan leaves at 08:05 on Monday 22 June, arrives at 08:23 "
        "(18 minutes), by the U2; disruption on U2."
    )
    assert result.credit == "Planned by MOTIS at 127.0.0.1"
    plan, draft = get_computed_journey_plan(
        where, "local", Which(result.journey_id or "", 0, 0), "full"
    )
    ride = plan.legs[1]
    assert (ride.from_, ride.to, ride.platform, ride.timing) == (
        "Museum U",
        "Zoo U",
        "2",
        "real_time",
    )
    assert ride.stops == ["Bridge", "Zoo U"]
    assert plan.legs[0].from_ == "Museum"
    assert "Lift broken: At Zoo." in (plan.disruptions or [])[0].reason
    assert any("MOTIS at 127.0.0.1" in one.subject for one in draft.statements)


def test_open_trip_planner_plans_and_names_its_zone(serving: Serving, tmp_path: Path) -> None:
    where = region(f"{serving(otp())}/otp/gtfs/v1", tmp_path)
    result = planned(where, "Museum", "Zoo", time="9am")

    assert result.answer.startswith(
        "Museum to Zoo: the first plan leaves at 09:00 on Monday 22 June, arrives at 09:12 "
        "(12 minutes), by the M1"
    )
    assert where.zone == BERLIN
    assert result.credit == "Planned by OpenTripPlanner at 127.0.0.1"


def test_an_arrival_is_asked_for_as_one(serving: Serving, tmp_path: Path) -> None:
    server = otp()
    where = region(f"{serving(server)}/otp/gtfs/v1", tmp_path)
    planned(where, "Museum", "Zoo", time="9am", time_is="arriving")

    variables = server.asked[-1][2]["variables"]
    assert (variables["departure"], variables["arrival"]) == (None, "2026-06-22T07:00:00Z")


def test_a_name_of_two_places_is_asked_about(serving: Serving, tmp_path: Path) -> None:
    url = serving(motis(lambda when: [motis_plan(when)]))
    result = planned(region(f"{url}#Europe/Berlin", tmp_path), "Museum", "Heath")

    values = [one.value for one in result.options or ()]
    assert values == ["Heath (52.600000,13.200000)", "Heath (52.400000,13.200000)"]
    # What the planner answers is of another place: none of it passes as right.
    assert [one.plans for one in result.journeys] == [[], []]
    assert "does not end where it was asked for" in (result.journeys[0].notes or [""])[-1]


def test_an_option_can_be_sent_as_it_stands(serving: Serving, tmp_path: Path) -> None:
    server = motis(lambda when: [motis_plan(when)])
    url = serving(server)
    where = region(f"{url}#Europe/Berlin", tmp_path)
    result = planned(where, "Museum (52.521000,13.398000)", "Zoo (52.507000,13.332000)")

    assert result.journeys[0].from_ == "Museum"
    assert [path for path, _, _ in server.asked] == ["/api/v5/plan"]


def test_a_place_that_the_planner_does_not_know_is_told(serving: Serving, tmp_path: Path) -> None:
    url = serving(motis(lambda when: []))
    with pytest.raises(InputError, match=r"knows no place 'Atlantis'"):
        planned(region(f"{url}#Europe/Berlin", tmp_path), "Museum", "Atlantis")


def test_where_every_plan_lies_the_answer_says_so(serving: Serving, tmp_path: Path) -> None:
    url = serving(motis(lambda when: [motis_plan(when - timedelta(hours=1)), {"legs": []}]))
    result = planned(region(f"{url}#Europe/Berlin", tmp_path), "Museum", "Zoo")
    assert "has no plan that answers this" in result.answer
    assert "1 plan of the planner is left out: it leaves before the time" in result.answer
    assert "1 plan of the planner could not be read" in result.answer


def test_two_names_that_are_taken_for_one_place_are_told(serving: Serving, tmp_path: Path) -> None:
    def answer(path: str, query: dict[str, str], body: Any) -> Reply:
        del path, query, body
        return as_json([{**MUSEUM, "name": "Elsewhere", "type": "PLACE", "areas": []}])

    where = region(f"{serving(PlannerServer(answer))}#Europe/Berlin", tmp_path)
    with pytest.raises(InputError, match=r"knows Pier and Zoo as one place, Elsewhere"):
        planned(where, "Pier", "Zoo")


def _late(plan: dict[str, Any], leg: int, **changed: Any) -> dict[str, Any]:
    plan["legs"][leg].update(changed)
    return plan


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (lambda when: motis_plan(when - timedelta(hours=1)), "leaves before the time"),
        (
            lambda when: _late(motis_plan(when), 1, startTime="2026-06-22T05:00:00Z"),
            "a leg leaves before the one before it arrives",
        ),
        (
            lambda when: _late(motis_plan(when), 2, to={"name": "END", "lat": 1.0, "lon": 2.0}),
            "does not end where it was asked for",
        ),
        (
            lambda when: _late(
                motis_plan(when), 1, to={"name": "Paris", "lat": 48.86, "lon": 2.35, "stopId": "p"}
            ),
            "begins where the one before it does not end",
        ),
        (
            lambda when: _late(
                motis_plan(when), 1, endTime=f"{when + timedelta(minutes=4):%Y-%m-%dT%H:%M:%SZ}"
            ),
            "a leg is faster than anything on the ground",
        ),
        (lambda when: _late(motis_plan(when), 1, endTime="2026-06-20T05:00:00Z"), "could not be"),
        (lambda when: _late(motis_plan(when), 1, startTime="soon"), "could not be read"),
        (lambda when: _late(motis_plan(when), 1, cancelled=True), "could not be read"),
    ],
)
def test_a_plan_that_lies_is_left_out_and_told(
    lie: Callable[[datetime], dict[str, Any]], told: str, serving: Serving, tmp_path: Path
) -> None:
    url = serving(motis(lambda when: [lie(when), motis_plan(when)]))
    result = planned(region(f"{url}#Europe/Berlin", tmp_path), "Museum", "Zoo")

    assert len(result.journeys[0].plans) == 1
    assert any(told in one for one in result.notes or ()), result.notes


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (lambda leg: _at(leg, "start", "2026-06-20T05:00:00Z"), "leaves before the time"),
        (lambda leg: _at(leg, "end", "2026-06-20T05:00:00Z"), "could not be"),
        (lambda leg: _at(leg, "start", "soon"), "could not be read"),
        (lambda leg: leg["to"].update(lat=1.0, lon=2.0), "does not end where it was asked for"),
    ],
)
def test_an_open_trip_planner_that_lies_is_not_believed(
    lie: Callable[[dict[str, Any]], object], told: str, serving: Serving, tmp_path: Path
) -> None:
    result = planned(region(f"{serving(otp(lie))}/otp/gtfs/v1", tmp_path), "Museum", "Zoo")

    assert len(result.journeys[0].plans) == 1
    assert any(told in one for one in result.notes or ()), result.notes


def _at(leg: dict[str, Any], end: str, moment: str) -> None:
    leg[end]["scheduledTime"] = moment


@pytest.mark.parametrize("api", ["", "/otp/gtfs/v1"], ids=["MOTIS", "OpenTripPlanner"])
@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("page", WebPageError),
        ("hangs", TflTimeoutError),
        ("cut", BrokenAnswerError),
        ("shape", UnexpectedAnswerError),
        ("list", UnexpectedAnswerError),
        ("fails", TflFailedError),
        ("limits", RateLimitedError),
        ("key", KeyRefusedError),
        ("gone", UnexpectedAnswerError),
        ("bad", BadRequestError),
    ],
)
def test_what_no_planner_should_answer_has_its_own_outcome(
    kind: str,
    outcome: type[GroundwireError],
    api: str,
    serving: Serving,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apis, "DEADLINE", 1.0)
    url = serving(wrong(kind))
    with pytest.raises(outcome) as raised:
        planned(region(f"{url}{api}#Europe/Berlin", tmp_path), "52.521,13.398", "52.507,13.332")
    assert "127.0.0.1" in str(raised.value)
    assert "TfL" not in str(raised.value)


def test_a_planner_that_is_not_there_is_told(tmp_path: Path) -> None:
    where = region("http://127.0.0.1:9#Europe/Berlin", tmp_path)
    with pytest.raises(TflUnreachableError, match="cannot be reached"):
        planned(where, "52.521,13.398", "52.507,13.332")


@pytest.mark.parametrize(
    "url",
    [
        "http://planner.example/api",
        "https://user:pass@planner.example",
        "ftp://planner.example",
        "https://planner.example/?key=1",
        "https://planner.example#Mars/Base",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_at_the_start(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        RemotePlanner(url, tmp_path)


def test_a_place_on_the_way_is_not_asked_and_told(serving: Serving, tmp_path: Path) -> None:
    url = serving(motis(lambda when: []))
    request = Request((Trip("Museum", "Zoo", "Heath"),))
    with pytest.raises(InputError, match="send two trips"):
        anyio.run(make_journeys, region(url, tmp_path), "local", request)


@pytest.mark.parametrize(
    "wish", [{"avoid_stops": ("Alex",)}, {"avoid_lines": ("U2",)}, {"only_lines": ("S5",)}]
)
def test_what_a_planner_cannot_leave_out_is_left_out_of_its_plans(
    wish: dict[str, Any], serving: Serving, tmp_path: Path
) -> None:
    def plans(when: datetime) -> list[dict[str, Any]]:
        other = motis_plan(when + timedelta(minutes=9))
        for leg in other["legs"]:
            leg["intermediateStops"] = []
            leg |= {"routeShortName": "S5"} if "routeShortName" in leg else {}
        first = motis_plan(when + timedelta(minutes=5))
        for leg in first["legs"]:
            leg["intermediateStops"] = [{"name": "Alex", "lat": 52.515, "lon": 13.37}]
        return [first, other]

    server = motis(plans)
    where = region(f"{serving(server)}#Europe/Berlin", tmp_path)
    result = planned(where, "Museum", "Zoo", **wish)
    [journey] = result.journeys
    assert [one.lines for one in journey.plans] == [["S5"]]
    assert any("cannot leave out stops or lines: 1 plan of its 2" in one for one in result.notes)
    # More plans are asked for than usual, so that some are left.
    assert [query["numItineraries"] for path, query, _ in server.asked if "plan" in path] == ["12"]


def test_where_every_plan_passes_what_is_avoided_it_is_said(
    serving: Serving, tmp_path: Path
) -> None:
    where = region(f"{serving(motis(lambda when: [motis_plan(when)]))}#Europe/Berlin", tmp_path)
    result = planned(where, "Museum", "Zoo", avoid_lines=("U2",))
    assert "every plan that it has goes by way of U2" in result.answer
