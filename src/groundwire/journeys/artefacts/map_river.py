"""The Thames through London, by which people find their way on a map.

A centre line from Teddington to Erith through the bridges, piers and bends that lie on it, set by
hand from their published positions; good to about a hundred metres.
"""

from __future__ import annotations

from typing import NamedTuple

from groundwire.journeys.itinerary import Point


class Reach(NamedTuple):
    """A stretch of the river.

    Attributes:
        above, below: about how wide it is at its upper and lower end, in metres.
        points: its centre line, downstream.
    """

    above: float
    below: float
    points: tuple[Point, ...]


def _line(*numbers: float) -> tuple[Point, ...]:
    return tuple(Point(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))


# fmt: off
THAMES = (
    # Teddington Lock, Eel Pie Island, Richmond, Isleworth, Kew, Chiswick, Barnes, Hammersmith
    Reach(80, 150, _line(
        51.4190, -0.3080, 51.4305, -0.3215, 51.4370, -0.3270, 51.4455, -0.3240, 51.4475, -0.3170,
        51.4460, -0.3095, 51.4515, -0.3060, 51.4571, -0.3073, 51.4620, -0.3165, 51.4690, -0.3215,
        51.4745, -0.3180, 51.4790, -0.3070, 51.4828, -0.2985, 51.4868, -0.2872, 51.4848, -0.2789,
        51.4800, -0.2720, 51.4735, -0.2697, 51.4700, -0.2610, 51.4722, -0.2525, 51.4800, -0.2480,
        51.4870, -0.2460, 51.4897, -0.2390, 51.4882, -0.2304, 51.4825, -0.2262, 51.4745, -0.2240,
        51.4695, -0.2185, 51.4667, -0.2131,
    )),
    # Putney, Wandsworth, Chelsea, Westminster, the City, Tower Bridge
    Reach(150, 240, _line(
        51.4667, -0.2131, 51.4650, -0.2040, 51.4622, -0.1975, 51.4649, -0.1881, 51.4705, -0.1820,
        51.4752, -0.1785, 51.4778, -0.1774, 51.4800, -0.1755, 51.4814, -0.1719, 51.4822, -0.1677,
        51.4830, -0.1620, 51.4844, -0.1513, 51.4847, -0.1470, 51.4845, -0.1400,
        51.4850, -0.1315, 51.4875, -0.1268, 51.4944, -0.1233,
        51.5008, -0.1218, 51.5062, -0.1201, 51.5085, -0.1165, 51.5097, -0.1100, 51.5097, -0.1044,
        51.5098, -0.0985, 51.5088, -0.0943, 51.5079, -0.0877, 51.5068, -0.0810, 51.5055, -0.0754,
    )),
    # The Pool, Limehouse, the Isle of Dogs, Blackwall, Woolwich, Barking, Erith
    Reach(240, 480, _line(
        51.5055, -0.0754, 51.5027, -0.0670, 51.5022, -0.0590, 51.5042, -0.0500, 51.5082, -0.0415,
        51.5092, -0.0350, 51.5060, -0.0295, 51.4990, -0.0283, 51.4920, -0.0310, 51.4865, -0.0270,
        51.4840, -0.0180, 51.4845, -0.0090, 51.4875, -0.0025, 51.4940, -0.0010, 51.5005, -0.0030,
        51.5055, -0.0030, 51.5073, 0.0030, 51.5055, 0.0085, 51.5000, 0.0125, 51.4952, 0.0220,
        51.4958, 0.0360, 51.4960, 0.0500, 51.4955, 0.0620, 51.4990, 0.0750, 51.5060, 0.0805,
        51.5120, 0.0900, 51.5145, 0.1020, 51.5115, 0.1200, 51.5100, 0.1380, 51.5110, 0.1600,
        51.4990, 0.1790, 51.4870, 0.1880,
    )),
)
# fmt: on
