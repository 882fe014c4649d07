from __future__ import annotations

import random
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from timetable_feeds import Feed, small_city

from groundwire.journeys.timetable.importing import import_feed
from groundwire.journeys.timetable.model import Timetable, feed_folder
from groundwire.journeys.timetable.router import Restrictions, Router, Way, moment_of
from groundwire.journeys.timetable.search import Ends

MONDAY, SATURDAY = date(2026, 6, 22), date(2026, 6, 27)


def router(feed: Feed, folder: Path) -> Router:
    path = feed.write(folder / "feed.zip")
    import_feed(path, "city", folder, lambda *_: None, MONDAY)
    return Router(Timetable(feed_folder(folder, "city")))


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Router:
    return router(small_city(), tmp_path_factory.mktemp("lake"))


def ends(city: Router, *stops: str) -> Ends:
    ids = city.timetable.stop_ids.all()
    return Ends(np.array([ids.index(one) for one in stops]), np.zeros(len(stops), np.int64))


def told(ways: list[Way]) -> list[tuple[str, str, int]]:
    return [(_clock(one.departure), _clock(one.arrival), len(one.rides)) for one in ways]


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"


def test_the_earliest_arrival_leaves_as_late_as_it_can(lake: Router) -> None:
    ways = lake.ways(MONDAY, 7 * 3600 + 50 * 60, ends(lake, "HBF1"), ends(lake, "INS"))

    assert told(ways) == [("08:00", "08:50", 3)]


def test_a_trip_after_midnight_is_of_the_day_before(lake: Router) -> None:
    night = lake.ways(MONDAY, 20 * 60, ends(lake, "HBF1"), ends(lake, "SEE"))

    # 24:30 of Sunday's services, which is 00:30 on Monday.
    assert told(night)[0] == ("00:30", "01:00", 1)


def test_the_search_goes_on_into_the_day_after(lake: Router) -> None:
    late = lake.ways(MONDAY, 26 * 3600, ends(lake, "HBF1"), ends(lake, "ALX"))

    assert told(late) == [("29:00", "29:07", 1)]


def test_weekday_services_do_not_run_on_saturday(lake: Router) -> None:
    asked = ends(lake, "PAR"), ends(lake, "SEE")

    assert told(lake.ways(MONDAY, 9 * 3600, *asked))[0] == ("09:00", "09:08", 1)
    # An exception takes them away on 10 June; and on Saturday there are none until Monday.
    assert lake.ways(SATURDAY, 9 * 3600, *asked) == []
    assert told(lake.ways(date(2026, 6, 10), 9 * 3600, *asked)) == [("30:00", "30:08", 1)]


def test_a_latest_arrival_is_kept_with_the_latest_departure(lake: Router) -> None:
    ways = lake.ways(MONDAY, 9 * 3600, ends(lake, "HBF1"), ends(lake, "INS"), arriving=True)

    assert told(ways) == [("08:00", "08:50", 3)]


def test_first_and_last_are_of_the_day_of_service(lake: Router) -> None:
    only = Restrictions(day_only=True)
    asked = ends(lake, "HBF1"), ends(lake, "ALX")

    first = lake.ways(MONDAY, -12 * 3600, *asked, restrictions=only)
    last = lake.ways(MONDAY, 48 * 3600, *asked, arriving=True, restrictions=only)
    assert told(first)[0] == ("05:00", "05:07", 1)
    assert told(last)[0] == ("25:30", "25:45", 1)


def test_step_free_ways_avoid_what_the_feed_says_is_not(lake: Router) -> None:
    known = Restrictions(step_free="known")

    assert told(
        lake.ways(MONDAY, 8 * 3600, ends(lake, "HBF1"), ends(lake, "MUS"), restrictions=known)
    )
    assert not lake.ways(
        MONDAY, 8 * 3600, ends(lake, "HBF1"), ends(lake, "ALX"), restrictions=known
    )


def test_modes_and_lines_that_may_not_be_used_are_not(lake: Router) -> None:
    asked = ends(lake, "HBF1"), ends(lake, "ALX")
    underground = lake.timetable.route_ids.all().index("U2")

    by_bus = lake.ways(MONDAY, 8 * 3600, *asked, restrictions=Restrictions(frozenset({3})))
    without = lake.ways(
        MONDAY, 8 * 3600, *asked, restrictions=Restrictions(routes=frozenset({underground}))
    )
    assert told(by_bus) == told(without) == [("24:30", "24:45", 1)]


def test_moments_are_right_when_the_clocks_change() -> None:
    from zoneinfo import ZoneInfo

    berlin = ZoneInfo("Europe/Berlin")

    # On 29 March 2026 at 02:00 the clocks go to 03:00; GTFS counts from noon less twelve hours.
    assert moment_of(date(2026, 3, 29), 0, berlin).strftime("%d %H:%M") == "28 23:00"
    assert moment_of(date(2026, 3, 29), 12 * 3600, berlin).strftime("%d %H:%M") == "29 12:00"
    assert moment_of(date(2026, 10, 25), 0, berlin).strftime("%d %H:%M") == "25 01:00"


def test_every_way_can_be_travelled(lake: Router) -> None:
    draw = random.Random(5)
    table = lake.timetable
    ids = table.stop_ids.all()
    for _ in range(60):
        one, other = draw.sample([stop for stop in ids if stop != "HBF"], 2)
        for way in lake.ways(MONDAY, draw.randrange(86_400), ends(lake, one), ends(lake, other)):
            at = way.departure
            for ride in way.rides:
                assert ride.enter < ride.leave
                assert at <= ride.departure <= ride.arrival
                at = ride.arrival
            assert ids[int(table.pos_stop[way.rides[0].enter])] == one
            assert ids[int(table.pos_stop[way.rides[-1].leave])] == other
