"""The options of a journey: their kinds, the values that each may have, and what TfL calls them.

Source of names and values: the OpenAPI of `/Journey/JourneyResults/{from}/to/{to}`; everyday words
for them are ours. Ids of modes are those of `Line/Meta/Modes`: the names of the first API
(`public-bus`, `train`, `river`, `cablecar`) and of what has been renamed since (TfL Rail,
Crossrail) are aliases.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from functools import cache
from importlib.resources import files
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
    "only_lines": "lines",
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
# fmt: on
"""The options by name, but for those that say when."""
TIME_NAMES = ("date", "time", "time_is")
STOPS_AVOIDED = frozenset({"avoid_stops", "avoid_changes"})
OF_A_TRIP = frozenset(
    (*TIME_NAMES, *STOPS_AVOIDED, "only_lines", "from_name", "to_name", "via_name")
)
"""What is said of one trip, and so is no default."""

MINUTES = (1, 240)
"""Bounds of the options that are minutes; longer walks are no limit any more."""
LARGEST_NUMBER = 2**31 - 1  # int32, as the API declares it
LONGEST_TEXT = 100

_TABLES = tomllib.loads((files(__package__ or "") / "values.toml").read_text("utf-8"))
# Each value in the API's spelling, with the words that people have for it.
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    option: {value: tuple(said) for value, said in values.items()}
    for option, values in _TABLES["choices"].items()
}


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


_NAMES: dict[str, tuple[str, ...]] = {mode: tuple(said) for mode, said in _TABLES["modes"].items()}
# Words for several modes at once.
GROUPS: dict[str, tuple[str, ...]] = {
    said: tuple(modes) for said, modes in _TABLES["groups"].items()
}

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
    ("when", "time_is", "mode", "avoid_modes", "avoid_lines", "only_lines", *STOPS_AVOIDED)
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
