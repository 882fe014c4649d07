from __future__ import annotations

from datetime import datetime

import pytest

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON, Options, Place, Point
from groundwire.journeys.network.model import by_bike_alone, cycled

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
BIKE = Options(mode=("cycle",))
# 3.8 km as the crow flies.
ENDS = [Place("Camden Town", Point(51.539, -0.142)), Place("Bank", Point(51.513, -0.089))]


def test_a_way_by_bike_is_estimated_from_the_distance() -> None:
    plan = cycled(ENDS, BIKE, NOW, arriving=False)
    [leg] = plan.legs
    assert (leg.mode, leg.timing, plan.start) == ("cycle", "distance_estimate", NOW)
    assert 22 <= plan.duration_minutes <= 26
    slow = cycled(ENDS, Options(mode=("cycle",), bike_proficiency=("Easy",)), NOW, arriving=True)
    assert slow.arrival == NOW
    assert slow.duration_minutes > plan.duration_minutes


def test_only_cycling_alone_is_a_way_by_bike() -> None:
    assert by_bike_alone(BIKE)
    assert not by_bike_alone(Options(mode=("cycle", "tube")))
    assert not by_bike_alone(Options())


def test_a_way_that_nobody_cycles_is_refused() -> None:
    with pytest.raises(InputError, match="40 km"):
        cycled([ENDS[0], Place("Brighton", Point(50.82, -0.14))], BIKE, NOW, arriving=False)
    with pytest.raises(InputError, match="position"):
        cycled([ENDS[0], Place("nowhere")], BIKE, NOW, arriving=False)
