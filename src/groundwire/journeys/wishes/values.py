"""The options of a journey, their kinds, and the values that each may have.

Source of names and values: the OpenAPI of `/Journey/JourneyResults/{from}/to/{to}`; everyday words
for them are ours. Lists of modes and lines have vocabularies of their own.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

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
