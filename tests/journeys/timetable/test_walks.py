"""Ends of a trip that reach each other on foot."""

from __future__ import annotations

import numpy as np

from groundwire.journeys.timetable.search import Ends
from groundwire.journeys.timetable.trips import each_its_own


def test_nobody_sets_out_from_where_they_want_to_be() -> None:
    begins = Ends(np.array([1, 2, 3]), np.array([0, 60, 120]))
    ends = Ends(np.array([2, 1]), np.array([0, 60]))
    first, last = each_its_own([begins, ends])
    assert first.stops.tolist() == [1, 3]
    assert last.stops.tolist() == [2]
