"""Walks between stops, and what a feed says of them."""

from __future__ import annotations

import numpy as np

from groundwire.journeys.timetable.search import Ends
from groundwire.journeys.timetable.trips import each_its_own
from groundwire.journeys.timetable.walks import Transfer, build_walks, seconds_for

_LAT, _LON = np.array([52.500, 52.501, 52.530]), np.array([13.40, 13.40, 13.40])


def test_the_least_time_of_a_change_is_no_walk_of_kilometres() -> None:
    told = [Transfer(0, 1, 60), Transfer(0, 2, 60)]
    walks = build_walks(_LAT, _LON, np.arange(3), np.ones(3, bool), told)
    took = dict(zip(walks.to[: walks.first[1]], walks.seconds[: walks.first[1]], strict=True))
    assert took[1] == 60
    assert took[2] == seconds_for(np.array([3335.9]))[0]


def test_nobody_sets_out_from_where_they_want_to_be() -> None:
    begins = Ends(np.array([1, 2, 3]), np.array([0, 60, 120]))
    ends = Ends(np.array([2, 1]), np.array([0, 60]))
    first, last = each_its_own([begins, ends])
    assert first.stops.tolist() == [1, 3]
    assert last.stops.tolist() == [2]
