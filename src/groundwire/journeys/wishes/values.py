"""The options of a journey: their kinds, the values that each may have, and what TfL calls them.

Source of names and values: the OpenAPI of `/Journey/JourneyResults/{from}/to/{to}`; everyday words
for them are ours. Ids of modes are those of `Line/Meta/Modes`: the names of the first API
(`public-bus`, `train`, `river`, `cablecar`) and of what has been renamed since (TfL Rail,
Crossrail) are aliases.
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import Literal

from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.options import Options
from groundwire.vocabulary import Term, Vocabulary

Kind = Literal["choice", "choices", "modes", "lines", "names", "minutes", "flag", "number", "text"]

# fmt: off
OPTION_KINDS: dict[str, Kind] = {
    "journey_preference": "choice",
    "mode": "modes",
    "accessibility_preference": "choices",
    "max_transfer_minutes": "minutes",
    "max_walking_minutes": "minutes",
    "walking_speed": "choice",
    "cycle_preference": "choice",
    "bike_proficiency": "choices",
    "adjustment": "choice",
    "avoid_modes": "modes",
    "avoid_lines": "lines",
    "avoid_stops": "names",
    "avoid_changes": "names",
    "national_search": "flag",
    "alternative_cycle": "flag",
    "alternative_walking": "flag",
    "use_multi_modal_call": "flag",
    "walking_optimization": "flag",
    "taxi_only_trip": "flag",
    "route_between_entrances": "flag",
    "use_real_time_live_arrivals": "flag",
    "calc_one_direction": "flag",
    "include_alternative_routes": "flag",
    "combine_transfer_legs": "flag",
    "apply_html_markup": "flag",
    "override_multi_modal_scenario": "number",
    "from_name": "text",
    "to_name": "text",
    "via_name": "text",
}
"""The options by name, but for those that say when."""
TIME_NAMES = ("date", "time", "time_is")
STOPS_AVOIDED = frozenset({"avoid_stops", "avoid_changes"})
OF_A_TRIP = frozenset((*TIME_NAMES, *STOPS_AVOIDED, "from_name", "to_name", "via_name"))
"""What is said of one trip, and so is no default."""

MINUTES = (1, 240)
"""Bounds of the options that are minutes; longer walks are no limit any more."""
LARGEST_NUMBER = 2**31 - 1  # int32, as the API declares it
LONGEST_TEXT = 100

# Each value in the API's spelling, with the words that people have for it.
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    "time_is": {
        "departing": ("depart", "departure", "leaving", "leave", "leave at", "depart at",
                      "leave after", "start", "starting", "from", "after", "at"),
        "arriving": ("arrive", "arrival", "arrive by", "arrive at", "arriving by", "arrive before",
                     "by", "before", "until", "be there by", "get there by"),
    },
    "journey_preference": {
        "LeastInterchange": ("fewest changes", "fewest interchanges", "fewest transfers",
                             "least changes", "least transfers", "fewer changes",
                             "fewer interchanges", "fewer transfers", "minimum changes",
                             "minimal changes", "few changes", "no changes", "direct",
                             "most direct", "simplest"),
        "LeastTime": ("fastest", "quickest", "shortest time", "fast", "quick", "shortest",
                      "fastest route", "quickest route", "minimum time", "least duration"),
        "LeastWalking": ("less walking", "minimal walking", "minimum walking", "little walking",
                         "fewest steps", "shortest walk", "shortest walking", "no walking",
                         "least walk"),
    },
    "accessibility_preference": {
        "NoRequirements": ("none", "no requirement", "no special requirements", "not needed"),
        "NoSolidStairs": ("no stairs", "without stairs", "avoid stairs", "no steps",
                          "without steps", "avoid steps", "no fixed stairs"),
        "NoEscalators": ("without escalators", "avoid escalators", "no moving stairs"),
        "NoElevators": ("no lifts", "without lifts", "avoid lifts", "without elevators",
                        "avoid elevators"),
        "StepFreeToVehicle": ("step free", "stepfree", "step free access", "wheelchair",
                              "wheelchair accessible", "wheelchair access", "wheelchair user",
                              "full step free access", "step free to train",
                              "step free from street to train", "level boarding"),
        "StepFreeToPlatform": ("step free to the platform", "step free from street to platform",
                               "platform only step free"),
    },
    "walking_speed": {
        "Slow": ("slowly", "slow walker", "leisurely"),
        "Average": ("normal", "medium", "moderate", "usual", "standard"),
        "Fast": ("quick", "brisk", "quickly", "fast walker"),
    },
    "cycle_preference": {
        "None": ("no cycling", "no bike", "no cycle", "without a bike", "never"),
        "LeaveAtStation": ("leave bike at station", "leave at the station", "park at station",
                           "park the bike at the station", "bike and ride"),
        "TakeOnTransport": ("take on board", "take bike on train", "take bike on board",
                            "bring the bike", "take it along", "carry on"),
        "AllTheWay": ("whole way", "the whole way", "cycle all the way", "bike all the way",
                      "entire way", "all way"),
        "CycleHire": ("hire", "hire bike", "bike hire", "rental", "rent", "Santander Cycles",
                      "Boris bike"),
    },
    "bike_proficiency": {
        "Easy": ("beginner", "novice", "gentle"),
        "Moderate": ("medium", "intermediate", "average"),
        "Fast": ("expert", "advanced", "experienced"),
    },
    "adjustment": {
        "TripFirst": ("first", "first trip", "first train", "first service", "earliest",
                      "first bus"),
        "TripLast": ("last", "last trip", "last train", "last service", "latest", "last bus"),
    },
}
# fmt: on


@cache
def choice_vocabulary(option: str) -> Vocabulary:
    """The values of an option, by every name."""
    return Vocabulary(Term(value, value, names) for value, names in CHOICES[option].items())


@cache
def name_vocabulary() -> Vocabulary:
    """The names of all options, also in the API's spelling (`maxWalkingMinutes`)."""
    aliases = {"mode": ("modes",), "accessibility_preference": ("accessibility",)}
    return Vocabulary(
        Term(name, name, aliases.get(name, ())) for name in (*TIME_NAMES, *OPTION_KINDS)
    )


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


# These are said by other parameters, or not known to the API.
_OTHERWISE = frozenset(
    {"when", "time_is", "mode", "avoid_modes", "avoid_lines", "avoid_stops", "avoid_changes"}
)
_WORD = re.compile(r"_([a-z])")


def to_tfl_parameters(options: Options) -> dict[str, str]:
    """The query parameters of `/Journey/JourneyResults/{from}/to/{to}`.

    The date is yyyyMMdd and the time HHmm of London's clocks, lists are separated by commas, and
    what was not asked for is not sent. The API has no way to avoid a mode, so that all others are
    listed; nor to avoid a line or a stop, which is left to whoever reads its answer.
    """
    sent: dict[str, str] = {}
    if options.when is not None:
        when = options.when.astimezone(LONDON)
        sent["date"] = f"{when:%Y%m%d}"
        sent["time"] = f"{when:%H%M}"
        sent["timeIs"] = options.time_is.capitalize()
    if options.mode or options.avoid_modes:
        sent["mode"] = ",".join(usable_modes(options.mode, options.avoid_modes))
    for field in fields(options):
        value: str | int | tuple[str, ...] | None = getattr(options, field.name)
        if field.name in _OTHERWISE or value is None or value in ("", ()):
            continue
        name = _WORD.sub(lambda found: found[1].upper(), field.name)
        if isinstance(value, bool):
            sent[name] = "true" if value else "false"
        else:
            sent[name] = ",".join(value) if isinstance(value, tuple) else str(value)
    return sent
