"""Modes of a feed's routes: the types of GTFS, and its extended ones, as modes of journeys."""

from __future__ import annotations

MODES = (
    "tram",
    "metro",
    "train",
    "bus",
    "ferry",
    "cable-car",
    "funicular",
    "coach",
    "plane",
    "taxi",
)
"""Modes by the number under which a timetable keeps them."""
_BASIC = {
    0: "tram",
    1: "metro",
    2: "train",
    3: "bus",
    4: "ferry",
    5: "cable-car",
    6: "cable-car",
    7: "funicular",
    11: "bus",
    12: "train",
}
# The first type of each hundred of the extended ones.
_EXTENDED = {
    1: "train",
    2: "coach",
    4: "metro",
    5: "metro",
    6: "metro",
    7: "bus",
    8: "bus",
    9: "tram",
    10: "ferry",
    11: "plane",
    12: "ferry",
    13: "cable-car",
    14: "funicular",
    15: "taxi",
}
# What the options of a journey call the modes of any city: names that London's planner has.
_ASKED = {
    "tube": ("metro",),
    "dlr": ("metro", "train"),
    "overground": ("train",),
    "elizabeth-line": ("train",),
    "national-rail": ("train",),
    "international-rail": ("train",),
    "tram": ("tram",),
    "bus": ("bus",),
    "replacement-bus": ("bus",),
    "coach": ("coach",),
    "river-bus": ("ferry",),
    "river-tour": ("ferry",),
    "cable-car": ("cable-car", "funicular"),
    "plane": ("plane",),
    "taxi": ("taxi",),
}


def mode_number(route_type: int) -> int | None:
    """The number of a route type's mode, or None for a type that GTFS does not have."""
    name = _BASIC.get(route_type)
    if name is None and 100 <= route_type < 1600:
        name = _EXTENDED.get(route_type // 100)
    return None if name is None else MODES.index(name)


def modes_asked(names: tuple[str, ...]) -> frozenset[int]:
    """Numbers of the modes that the options of a journey name."""
    found = {MODES.index(mode) for name in names for mode in _ASKED.get(name, ())}
    return frozenset(found | {MODES.index(name) for name in names if name in MODES})
