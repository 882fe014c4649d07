"""Plans without a connection: which lines, at what times, and within which limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise

import pytest

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.itinerary import LONDON, Journey, Options, Place, Plan, Point, from_json
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=LONDON)
TATE_MODERN = Place("Tate Modern", Point(51.5076, -0.0994), "point_of_interest")
ANY = Options()
Named = Callable[[str], Place]


@pytest.fixture(scope="session")
def named(network: Network) -> Named:
    """A hub of that name, else the stop."""

    def find(name: str) -> Place:
        for hub in network.hubs.values():
            if hub.name == name:
                return Place(name, stop_id=hub.id)
        return next(stop.place for stop in network.stops.values() if stop.name == name)

    return find


def lines(found: Plan) -> list[str]:
    return [leg.line_id for leg in found.rides]


def test_a_ride_without_a_change_is_told_in_full(network: Network, named: Named) -> None:
    found = plan(network, named("Brixton"), named("Walthamstow Central"), ANY, NOW)[0]
    (ride,) = found.legs
    assert (ride.mode, ride.line_id, ride.line) == ("tube", "victoria", "Victoria")
    assert ride.direction == "Walthamstow Central"
    assert ride.origin.stop_id == "940GZZLUBXN"
    assert [stop.name for stop in ride.stops[:2]] == ["Stockwell", "Vauxhall"]
    assert ride.stops[-1] == ride.destination
    assert len(ride.path) == len(ride.stops) + 1 == 16
    assert ride.timing == "running_times"
    assert ride.summary == (
        "Take the Victoria line towards Walthamstow Central to Walthamstow Central."
    )
    assert found.step_free is None


def test_waiting_and_changing_are_part_of_the_times(network: Network, named: Named) -> None:
    found = plan(
        network, named("King's Cross & St Pancras International"), named("Waterloo"), ANY, NOW
    )
    for one in found:
        assert one.start == NOW < one.legs[0].departure
        assert one.arrival == one.legs[-1].arrival
        for leg, following in pairwise(one.legs):
            assert leg.interchange_minutes >= 2
            gap = (following.departure - leg.arrival).total_seconds() / 60
            assert gap == leg.interchange_minutes
        assert one.duration_minutes == sum(
            leg.duration_minutes + leg.interchange_minutes for leg in one.legs
        ) + round((one.legs[0].departure - NOW).total_seconds() / 60)


def test_plans_differ_in_their_lines_and_none_takes_far_longer(
    network: Network, named: Named
) -> None:
    found = plan(
        network, named("King's Cross & St Pancras International"), named("Waterloo"), ANY, NOW
    )
    assert len(found) == 3
    assert len({tuple(lines(one)) for one in found}) == 3
    assert max(one.duration_minutes for one in found) <= 1.6 * found[0].duration_minutes


def test_arriving_by_ends_at_the_moment(network: Network, named: Named) -> None:
    options = Options(when=datetime(2026, 11, 22, 9, 30, tzinfo=LONDON), time_is="arriving")
    for one in plan(network, named("Stratford"), named("Heathrow Terminals 2 & 3"), options, NOW):
        assert one.arrival == options.when
        assert one.start < one.legs[0].departure


def test_times_run_on_across_a_change_of_the_clocks(network: Network, named: Named) -> None:
    options = Options(when=datetime(2026, 10, 25, 1, 50, tzinfo=LONDON))  # back to 01:00 at 02:00
    found = plan(network, named("Brixton"), named("Walthamstow Central"), options, NOW)[0]
    assert 30 <= found.duration_minutes <= 40
    assert found.arrival.strftime("%H:%M %Z") < "01:30 GMT"


def test_a_train_does_not_jump_between_branches(network: Network, named: Named) -> None:
    found = plan(network, named("Waterloo"), named("Angel"), ANY, NOW)
    assert all(len(one.rides) > 1 for one in found)
    found = plan(network, named("Mill Hill East"), named("Edgware"), ANY, NOW)
    assert found[0].rides[0].destination.name == "Camden Town"
    found = plan(network, named("Kensington (Olympia)"), named("Richmond"), ANY, NOW)
    assert all(len(one.rides) > 1 for one in found)
    for one in found:
        for leg in one.rides:
            ridden = (leg.origin.stop_id, *(stop.stop_id for stop in leg.stops))
            routes = network.line(leg.line_id).routes
            assert any(
                route.stop_ids[at : at + len(ridden)] == ridden
                for route in routes
                for at in range(len(route.stop_ids))
            )


def test_a_direction_names_the_way_where_the_trains_part(network: Network, named: Named) -> None:
    found = plan(network, named("Camden Town"), named("Morden"), ANY, NOW)
    assert found[0].legs[0].direction == "Morden"
    found = plan(network, named("Camden Town"), named("Old Street"), ANY, NOW)
    assert found[0].legs[0].direction == "Morden via Bank"


def test_lines_that_do_as_well_are_told_with_the_ride_and_are_no_plan_of_their_own(
    network: Network, named: Named
) -> None:
    found = plan(network, named("Barbican"), named("Moorgate"), ANY, NOW)
    assert len(found[0].legs[0].also) == 2
    assert len([one for one in found if len(one.rides) == 1]) == 1


def test_a_place_that_is_no_stop_is_walked_from(network: Network, named: Named) -> None:
    found = plan(network, TATE_MODERN, named("Kew Gardens"), ANY, NOW)[0]
    walk, ride = found.legs[:2]
    assert (walk.mode, walk.origin, walk.timing) == ("walking", TATE_MODERN, "walking_speed")
    assert walk.departure == found.start == NOW
    assert walk.destination.stop_id == ride.origin.stop_id
    assert walk.distance_metres is not None
    assert 300 < walk.distance_metres < 1200
    assert walk.summary == f"Walk to {ride.origin.name}."


def test_near_stops_are_walked_between(network: Network, named: Named) -> None:
    assert [
        leg.mode
        for leg in plan(network, named("Kenton"), named("Northwick Park"), ANY, NOW)[0].legs
    ] == ["walking"]
    found = plan(network, named("Upper Holloway"), named("Highgate"), ANY, NOW)
    assert [leg.mode for leg in found[0].legs] == ["walking", "tube"]


def test_walking_faster_takes_less_time(network: Network, named: Named) -> None:
    first, second = (
        plan(network, TATE_MODERN, named("Oval"), Options(walking_speed=speed), NOW)[0]
        for speed in ("Slow", "Fast")
    )
    assert second.duration_minutes < first.duration_minutes


@pytest.mark.parametrize(
    ("options", "closed_lines", "closed_modes"),
    [
        (Options(avoid_lines=("northern", "victoria")), {"northern", "victoria"}, set[str]()),
        (Options(only_lines=("jubilee", "mildmay")), {"northern", "central"}, set[str]()),
        (Options(avoid_modes=("tube",)), set[str](), {"tube"}),
        (Options(mode=("overground", "dlr", "walking")), set[str](), {"tube", "elizabeth-line"}),
    ],
)
def test_lines_and_modes_that_are_ruled_out_are_not_used(
    network: Network, named: Named, options: Options, closed_lines: set[str], closed_modes: set[str]
) -> None:
    found = plan(network, named("Stratford"), named("Clapham Junction"), options, NOW)
    for one in found:
        assert not closed_lines & set(lines(one))
        assert not closed_modes & set(one.modes)
        assert not {network.line(line_id).name for line_id in closed_lines} & {
            name for leg in one.legs for name in leg.also
        }


def test_preferences_are_kept(network: Network, named: Named) -> None:
    def first(preference: str, origin: Place, destination: Place) -> Plan:
        return plan(network, origin, destination, Options(journey_preference=preference), NOW)[0]

    ends = named("Richmond"), named("Mile End")
    fewest, quickest = (first(name, *ends) for name in ("LeastInterchange", "LeastTime"))
    assert fewest.interchanges == 0 <= quickest.interchanges
    ends = (
        Place("Lincoln's Inn", Point(51.5165, -0.1160)),
        Place("The Oval", Point(51.4838, -0.1149)),
    )
    assert first("LeastWalking", *ends).walking_minutes <= first("LeastTime", *ends).walking_minutes


def test_a_limit_of_walking_holds_for_every_plan(network: Network, named: Named) -> None:
    options = Options(max_walking_minutes=10)
    for one in plan(network, TATE_MODERN, named("Kew Gardens"), options, NOW):
        assert one.walking_minutes <= 10
    with pytest.raises(InputError, match="raise max_walking_minutes \\(2\\)"):
        plan(network, TATE_MODERN, named("Kew Gardens"), Options(max_walking_minutes=2), NOW)


def test_a_limit_of_transfers_closes_long_walks_in_between(network: Network, named: Named) -> None:
    ends = named("Kenton"), named("Wembley Park")
    free, bound = (
        plan(network, *ends, Options(max_transfer_minutes=limit), NOW) for limit in (None, 3)
    )
    assert any(leg.mode == "walking" for one in free for leg in one.legs)
    assert not any(leg.mode == "walking" for one in bound for leg in one.legs)


def test_a_journey_by_way_of_a_place_passes_it(network: Network, named: Named) -> None:
    via = named("Bank")
    members = network.hubs[via.stop_id].stop_ids
    found = plan(network, named("Hammersmith"), named("Camden Town"), ANY, NOW, via=via)
    assert 1 <= len(found) <= 3
    for one in found:
        assert any(leg.destination.stop_id in members for leg in one.legs[:-1])
        assert all(leg.arrival <= after.departure for leg, after in pairwise(one.legs))


def test_a_count_bounds_the_plans(network: Network, named: Named) -> None:
    ends = named("Paddington"), named("London Bridge")
    assert len(plan(network, *ends, ANY, NOW, count=1)) == 1
    assert len(plan(network, *ends, ANY, NOW, count=5)) > 3


def test_an_estimate_says_so(network: Network, named: Named) -> None:
    found = plan(network, named("Heathrow Terminals 2 & 3"), named("Canary Wharf"), ANY, NOW)[0]
    assert lines(found) == ["elizabeth"]
    assert found.legs[0].timing == "distance_estimate"


def test_a_journey_of_such_plans_survives_json(network: Network, named: Named) -> None:
    ends = TATE_MODERN, named("Kew Gardens")
    journey = Journey(*ends, plan(network, *ends, ANY, NOW), "offline_estimate")
    assert from_json(journey.to_json()) == journey


def test_seconds_of_the_clock_do_not_make_one_late(network: Network, named: Named) -> None:
    late = NOW.replace(second=20)
    ends = named("Brixton"), named("Oxford Circus")
    assert plan(network, *ends, ANY, late)[0].start == NOW.replace(minute=1)
    options = Options(when=late, time_is="arriving")
    assert plan(network, *ends, options, NOW)[0].arrival == NOW


@pytest.mark.parametrize(
    ("origin", "message"),
    [
        (Place("Cambridge", Point(52.2053, 0.1218)), "Cambridge is more than 3 km from any stop"),
        (Place("Atlantis"), "where Atlantis is is not known without a connection"),
        (Place("Bank", stop_id="940GZZLUBNK"), "the same place: name two different ones"),
    ],
)
def test_places_that_cannot_be_used_say_what_to_do(
    network: Network, origin: Place, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        plan(network, origin, network.stops["940GZZLUBNK"].place, ANY, NOW)


def test_no_way_under_the_limits_says_which(network: Network, named: Named) -> None:
    with pytest.raises(NotFoundError, match=r"no way from Brixton to Uxbridge without tube: allow"):
        plan(network, named("Brixton"), named("Uxbridge"), Options(avoid_modes=("tube",)), NOW)
    with pytest.raises(InputError, match="without a connection buses cannot be planned, only DLR"):
        plan(network, named("Brixton"), named("Uxbridge"), Options(mode=("bus",)), NOW)


def test_plans_between_any_stops_hang_together(network: Network) -> None:
    made = random.Random(11)
    stops = list(network.stops.values())
    for _ in range(150):
        origin, destination = (stop.place for stop in made.sample(stops, 2))
        found = plan(network, origin, destination, ANY, NOW)
        best = min(one.duration_minutes for one in found)
        for one in found:
            assert one.legs[0].origin.stop_id == origin.stop_id
            assert one.legs[-1].destination.stop_id == destination.stop_id
            assert one.duration_minutes <= max(1.6 * best, best + 3) + 1
            for leg, after in pairwise(one.legs):
                assert leg.departure < leg.arrival <= after.departure
                ends = (network.stops[place.stop_id] for place in (leg.destination, after.origin))
                assert len({stop.hub or stop.id for stop in ends}) == 1


def test_a_hub_and_its_stop_are_the_same_place(network: Network, named: Named) -> None:
    stop = network.stops[network.hubs["HUBBAN"].stop_ids[0]].place
    with pytest.raises(InputError, match="the same place"):
        plan(network, named("Bank"), stop, ANY, NOW)


def test_stops_of_one_hub_are_a_walk_apart(network: Network) -> None:
    ends = (network.stops[stop_id].place for stop_id in ("940GZZLUPAC", "940GZZLUPAH"))
    (found,) = plan(network, *ends, ANY, NOW)
    assert [leg.mode for leg in found.legs] == ["walking"]


def test_the_preferred_plan_stays_first_even_where_another_is_quicker(
    network: Network, named: Named
) -> None:
    few = Options(journey_preference="LeastInterchange")
    made = random.Random(5)
    stops = list(network.stops.values())
    for _ in range(60):
        origin, destination = (stop.place for stop in made.sample(stops, 2))
        first = plan(network, origin, destination, few, NOW)[0]
        usual = plan(network, origin, destination, ANY, NOW)
        assert first.interchanges <= min(one.interchanges for one in usual)


def test_who_walks_least_is_not_sent_on_foot(network: Network, named: Named) -> None:
    ends = named("Kenton"), named("Northwick Park")
    found = plan(network, *ends, Options(journey_preference="LeastWalking"), NOW)
    assert found[0].rides


def test_a_limit_of_walking_holds_by_way_of_a_place(network: Network, named: Named) -> None:
    ends = TATE_MODERN, named("Kew Gardens")
    park = Place("Hyde Park", Point(51.5073, -0.1657))
    for one in plan(network, *ends, Options(max_walking_minutes=60), NOW, via=park):
        assert one.walking_minutes <= 60
    with pytest.raises(NotFoundError, match="by that place with at most 30 minutes on foot"):
        plan(network, *ends, Options(max_walking_minutes=30), NOW, via=park)


def test_a_place_is_known_by_its_ics_code(network: Network, named: Named) -> None:
    stop = network.stops["940GZZLUBXN"]
    by_code = Place("Brixton", ics=stop.ics)
    found = plan(network, by_code, named("Green Park"), ANY, NOW)
    assert found[0].legs[0].origin.stop_id == stop.id


def test_a_moment_without_a_zone_is_of_london(network: Network, named: Named) -> None:
    options = Options(when=datetime(2026, 7, 1, 8, 0))
    found = plan(network, named("Brixton"), named("Green Park"), options, NOW)[0]
    assert found.start == datetime(2026, 7, 1, 8, 0, tzinfo=LONDON)


def test_no_plan_leaves_a_line_that_goes_all_the_way(network: Network, named: Named) -> None:
    found = plan(network, named("Hammersmith"), named("Green Park"), ANY, NOW, count=5)
    assert all("piccadilly" not in lines(one)[:-1] for one in found)
    found = plan(network, named("Bond Street"), named("Heathrow Airport Terminal 5"), ANY, NOW)
    assert all("elizabeth" not in lines(one) for one in found[1:])
