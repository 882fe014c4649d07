"""Stops that a way shall not pass: by the network, by a timetable and by TfL."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from opened import NOW, done
from timetable_feeds import Feed, random_city, small_city

from groundwire.errors import GroundwireError, InputError
from groundwire.journeys.conditions import conditions_of, keys_of, spoils
from groundwire.journeys.itinerary import AvoidedStop, Journey, Leg, Options, Place, Plan
from groundwire.journeys.london import London
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.network.planner import plan
from groundwire.journeys.results import ComputedJourneys
from groundwire.journeys.timetable.city import City
from groundwire.journeys.timetable.importing import import_feed
from groundwire.journeys.timetable.model import Timetable, feed_folder
from groundwire.journeys.timetable.router import Restrictions, Router
from groundwire.journeys.timetable.search import Ends

DAY = date(2026, 3, 30)
BERLIN = ZoneInfo("Europe/Berlin")


def avoiding(place: Place) -> tuple[AvoidedStop, ...]:
    return (AvoidedStop(place.name, keys_of(place)),)


def planned(region: Any, one: str, other: str, via: str = "", **wishes: Any) -> ComputedJourneys:
    request = Request((Trip(one, other, via, wishes),))
    result, _ = done(region, make_journeys, "me", request)
    return result


@pytest.mark.parametrize("option", ["avoid_stops", "avoid_changes"])
def test_no_plan_over_the_network_goes_by_what_is_avoided(offline: London, option: str) -> None:
    network, draw = offline.network, random.Random(7)
    stops = [one.place for one in network.stops.values()]
    met = Counter[str]()
    for _ in range(80):
        one, other, bar = draw.sample(stops, 3)
        free = plan(network, one, other, Options(), NOW)[0]
        between = [place for leg in free.rides for place in leg.stops[:-1]]
        changes = [leg.destination for leg in free.rides[:-1]]
        on_way = between if option == "avoid_stops" else changes
        bar = draw.choice(on_way) if on_way and draw.random() < 0.7 else bar
        if not keys_of(bar).isdisjoint(keys_of(one) | keys_of(other)):
            continue
        options = Options(**{option: avoiding(bar)})
        try:
            found = plan(network, one, other, options, NOW)
        except GroundwireError as error:
            assert bar.name in str(error)
            met["none"] += 1
            continue
        assert not any(spoils(each, options) for each in found)
        met["another" if spoils(free, options) else "same"] += 1
        if not spoils(free, options):
            assert found[0].duration_minutes == free.duration_minutes
    assert met["same"] and met["another"]


def test_a_line_that_serves_as_well_does_so_without_the_stop(offline: London) -> None:
    free = planned(offline, "Bond Street", "Liverpool Street")
    kept = planned(offline, "Bond Street", "Liverpool Street", avoid_stops=["Bank"])
    journey = offline.journeys.get("me", kept.journey_id or "")[0]

    assert len(free.journeys[0].plans) > 1
    assert not any(leg.also for one in journey.plans for leg in one.legs if leg.line == "Elizabeth")
    assert "As asked: not passing Bank." in kept.answer


def test_what_cannot_be_kept_clear_of_is_refused(offline: London) -> None:
    with pytest.raises(InputError, match="Bank is where the trip is to begin, end or pass"):
        planned(offline, "Bank", "Angel", avoid_stops=["Bank"])
    with pytest.raises(InputError, match=r"avoid_stops: .*Xyzzy"):
        planned(offline, "Brixton", "Angel", avoid_stops=["Xyzzy"])
    with pytest.raises(InputError, match="no stop that is known here"):
        planned(offline, "Brixton", "Angel", avoid_stops=["Tate Modern"])
    none = planned(offline, "Brixton", "Vauxhall", avoid_stops="Stockwell", max_walking_minutes=5)
    assert "without passing Stockwell" in (none.journeys[0].error or "")


def test_a_name_of_several_stops_keeps_clear_of_all(offline: London) -> None:
    result = planned(offline, "Brixton", "Hammersmith", avoid_stops=["Heathrow", "Oxford Circos"])

    assumed = " ".join(result.assumptions or ())
    assert "Heathrow may be Heathrow Terminals 2 & 3, Heathrow Terminal 4" in assumed
    assert "Oxford Circos" in assumed


@pytest.mark.parametrize("said", ["Bank and Monument", "Monument & Bank", "Bank or Monument"])
def test_a_nickname_of_one_stop_that_names_two_keeps_clear_of_both(
    offline: London, said: str
) -> None:
    result = planned(offline, "Waterloo", "Tower Hill", avoid_stops=[said])
    journey = offline.journeys.get("me", result.journey_id or "")[0]

    first, other = said.split()[0], said.split()[-1]
    assert f"As asked: not passing {first} or {other}." in result.answer
    for one in journey.plans:
        assert not spoils(one, Options(avoid_stops=stops_named(offline, first, other)))


def stops_named(region: London, *names: str) -> tuple[AvoidedStop, ...]:
    places = [region.places.read(one).place for one in names]
    return tuple(stop for one in places if one is not None for stop in avoiding(one))


def test_one_station_of_two_names_is_one(offline: London) -> None:
    said = ["King's Cross and St Pancras"]
    result = planned(offline, "Waterloo", "Euston", avoid_stops=said)
    assert "As asked: not passing King's Cross St. Pancras." in result.answer


def test_plans_of_tfl_by_what_is_avoided_are_not_shown(online: London) -> None:
    free = planned(online, "King's Cross", "Waterloo")
    journey = online.journeys.get("me", free.journey_id or "")[0]
    changes = [leg.destination.name for one in journey.plans for leg in one.rides[:-1]]
    assert free.source == "tfl"
    assert changes

    kept = planned(online, "King's Cross", "Waterloo", avoid_stops=["Oxford Circus"])

    after = online.journeys.get("me", kept.journey_id or "")[0]
    clear = Options(avoid_stops=avoiding(online.places.read("Oxford Circus").place or Place("")))
    gone = sum(bool(spoils(one, clear)) for one in journey.plans)
    assert gone
    assert len(after.plans) == len(journey.plans) - gone or after.source == "offline_estimate"
    assert not any(spoils(one, clear) for one in after.plans)
    assert any("TfL cannot leave out stops" in one for one in after.notes)


def test_a_ride_without_its_calls_may_pass_anything() -> None:
    oval, bank, angel = Place("Oval"), Place("Bank"), Place("Angel")
    ride = Leg("bus", oval, angel, NOW, NOW + timedelta(minutes=9), line_id="155", line="155")
    journey = Journey(oval, angel, (Plan(NOW, ride.arrival, (ride,)),), "planner")

    [one] = conditions_of(journey, Options(avoid_stops=avoiding(bank)), str)
    assert (one.asked, one.standing) == ("not passing Bank", "not_known")
    [one] = conditions_of(journey, Options(avoid_stops=avoiding(angel)), str)
    assert one.standing == "not_applied"


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[City]:
    feed = small_city().write(tmp_path / "feed.zip")
    import_feed(feed, "lake", tmp_path, lambda *_: None, date(2026, 6, 22))
    city = City("lake", tmp_path, lambda: datetime(2026, 6, 22, 7, 50, tzinfo=BERLIN))
    yield city
    city.close()


def test_a_timetable_rides_round_what_is_avoided(lake: City) -> None:
    free = planned(lake, "Hauptbahnhof", "Alexplatz")
    # Only the night bus goes by another way.
    kept = planned(lake, "Hauptbahnhof", "Alexplatz", avoid_stops=["Museum"])
    same = planned(lake, "Hauptbahnhof", "Alexplatz", avoid_changes=["Museum"])

    assert free.journeys[0].plans[0].lines == same.journeys[0].plans[0].lines == ["U2"]
    assert kept.journeys[0].plans[0].lines == ["N5"]
    assert "not passing Museum" in kept.answer
    refused = planned(lake, "Hauptbahnhof", "Insel", avoid_changes=["Seestraße"])
    assert "without changing at Seestraße" in (refused.journeys[0].error or refused.answer)


def test_a_search_past_a_stop_equals_one_over_trips_cut_there(tmp_path: Path) -> None:
    feed, draw = random_city(11), random.Random(3)
    feed.tables["frequencies"][1].clear()
    bar, _ = Counter(str(one[1]) for one in feed.tables["stop_times"][1]).most_common(1)[0]
    whole, cut = (
        _router(one, tmp_path / name) for name, one in (("whole", feed), ("cut", _cut(feed, bar)))
    )
    barred = Restrictions(stops=frozenset({whole.timetable.stop_ids.all().index(bar)}))
    spared = 0
    for _ in range(150):
        one, other = draw.sample([f"s{n}" for n in range(40) if f"s{n}" != bar], 2)
        arriving, seconds = draw.random() < 0.5, draw.randrange(5, 25) * 3600

        def found(router: Router, restrictions: Restrictions) -> list[tuple[int, int, int]]:
            ends = [
                Ends(np.array([router.timetable.stop_ids.all().index(stop)]), np.zeros(1, np.int64))
                for stop in (one, other)  # noqa: B023 -- called within the turn
            ]
            ways = router.ways(DAY, seconds, *ends, arriving=arriving, restrictions=restrictions)  # noqa: B023 -- as above
            return [(way.departure, way.arrival, len(way.rides)) for way in ways]

        assert found(whole, barred) == found(cut, Restrictions())
        spared += found(whole, barred) != found(whole, Restrictions())
    assert spared > 5


def _router(feed: Feed, folder: Path) -> Router:
    folder.mkdir()
    path = feed.write(folder / "feed.zip")
    import_feed(path, "city", folder, lambda *_: None, DAY)
    return Router(Timetable(feed_folder(folder, "city")))


def _cut(feed: Feed, bar: str) -> Feed:
    """The feed whose trips end before a stop, and begin anew after it."""
    parts: dict[str, list[str]] = {}
    calls: list[list[object]] = []
    part = dict[str, int]()
    for trip, stop, *rest in feed.tables["stop_times"][1]:
        if stop == bar:
            part[str(trip)] = part.get(str(trip), 0) + 1
            continue
        name = f"{trip}.{part.get(str(trip), 0)}"
        parts.setdefault(str(trip), []).append(name)
        calls.append([name, stop, *rest])
    counted = Counter(str(one[0]) for one in calls)
    trips = [
        [name, *rest]
        for trip, *rest in feed.tables["trips"][1]
        for name in dict.fromkeys(parts.get(str(trip), ()))
        if counted[name] > 1
    ]
    other = Feed(dict(feed.tables))
    walks = [one for one in feed.tables["transfers"][1] if bar not in one[:2]]
    other.add("transfers", feed.tables["transfers"][0], walks)
    other.add(
        "stop_times",
        feed.tables["stop_times"][0],
        [one for one in calls if counted[str(one[0])] > 1],
    )
    return other.add("trips", feed.tables["trips"][0], trips)
