"""The modes of travel that the TfL API knows now, by every name that people have for them.

Ids are those of `Line/Meta/Modes`. The names of the first API (`public-bus`, `train`, `river`,
`cablecar`) and of what has been renamed since (TfL Rail, Crossrail) are aliases.
"""

from __future__ import annotations

from functools import cache

from groundwire.vocabulary import Term, Vocabulary

# fmt: off
_NAMES: dict[str, tuple[str, ...]] = {
    "bus": ("public-bus", "London bus", "night bus", "double decker", "bus line"),
    "cable-car": ("IFS Cloud Cable Car", "London Cable Car", "Emirates Air Line", "Dangleway",
                  "gondola", "aerial tramway"),
    "coach": ("coach service", "long distance bus"),
    "cycle": ("bike", "bicycle", "cycling", "biking", "own bike", "own cycle", "pushbike",
              "push bike", "by bike"),
    "cycle-hire": ("hire bike", "bike hire", "rental bike", "rented bike", "bike rental",
                   "bike share", "shared bike", "hired cycle", "hire cycle", "Santander Cycles",
                   "Santander bike", "Boris bike"),
    "dlr": ("Docklands Light Railway", "Docklands", "light rail", "light railway"),
    "elizabeth-line": ("Elizabeth", "Lizzie line", "Crossrail", "TfL Rail", "tflrail",
                       "Elizabeth Line train"),
    "international-rail": ("Eurostar", "international train", "international railway"),
    "national-rail": ("train", "rail", "railway", "mainline", "main line", "British Rail",
                      "suburban rail", "suburban train", "national railway"),
    "overground": ("London Overground", "Overground line", "Overground train"),
    "plane": ("aeroplane", "airplane", "flight", "aircraft", "flying", "air"),
    "replacement-bus": ("rail replacement bus", "rail replacement", "replacement bus service"),
    "river-bus": ("river", "boat", "ferry", "riverboat", "river boat", "Thames Clipper", "clipper",
                  "Uber Boat", "ship", "water bus"),
    "river-tour": ("river cruise", "tour boat", "boat tour", "sightseeing boat"),
    "taxi": ("cab", "black cab", "minicab", "taxicab"),
    "tram": ("tramway", "Tramlink", "London Trams", "Croydon tram", "streetcar"),
    "tube": ("underground", "London Underground", "metro", "subway", "tube train", "tube line",
             "underground train", "LU"),
    "walking": ("walk", "foot", "on foot", "by foot", "feet", "pedestrian"),
}
# Words for several modes at once.
GROUPS: dict[str, tuple[str, ...]] = {
    "public transport": (
        "bus", "cable-car", "coach", "dlr", "elizabeth-line", "national-rail", "overground",
        "replacement-bus", "river-bus", "tram", "tube", "walking",
    ),
    "any": (),
    "all": (),
    "everything": (),
    "any mode": (),
    "all modes": (),
}
# fmt: on

MODES: tuple[str, ...] = tuple(_NAMES)
"""Ids of all modes, in the order of the alphabet."""


@cache
def mode_vocabulary() -> Vocabulary:
    """All modes, by id and by every name."""
    return Vocabulary(Term(mode, mode, names) for mode, names in _NAMES.items())


@cache
def group_vocabulary() -> Vocabulary:
    """Words for several modes at once, as `GROUPS` has them."""
    return Vocabulary(Term(name, name) for name in GROUPS)


def usable_modes(mode: tuple[str, ...], avoid_modes: tuple[str, ...]) -> tuple[str, ...]:
    """The modes that are left: those that may be used, or all, without those to avoid."""
    return tuple(one for one in MODES if one in (mode or MODES) and one not in avoid_modes)
