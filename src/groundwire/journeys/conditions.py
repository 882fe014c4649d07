"""The conditions of a trip in words: which of them a plan keeps to, and which nobody looked at.

A condition that its planner cannot apply is named in the answer; so is one whose truth is not known
of the stops of the way.

A stop that a way shall not pass, or not change at, is named in a plan by its id, by TfL's code of
it, or only by its name; a station has several ids. The keys of an avoided stop are all of these
that its region knows.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, cast

from groundwire.errors import InputError
from groundwire.journeys.itinerary import AvoidedStop, Journey, Options, Place, Plan, Source
from groundwire.journeys.lines.names import services_of
from groundwire.journeys.stops.names import expanded, public_name
from groundwire.journeys.wishes.readers import STOPS_AVOIDED
from groundwire.journeys.wording import listed

if TYPE_CHECKING:
    from groundwire.journeys.places.sides import Reader
    from groundwire.journeys.region import Region
    from groundwire.journeys.wishes.reading import Value

_JOINED = re.compile(r",?\s(?:and|or|nor|&)\s(?:(?:the|via|through|at)\s)?", re.IGNORECASE)
# Modes that call at no stops, or whose way the traveller chooses.
_NO_CALLS = frozenset({"walking", "cycle", "cycle-hire", "taxi", "plane"})


def keys_of(place: Place) -> frozenset[str]:
    """Return what a plan may name a place by."""
    named = f"name:{expanded(public_name(place.name))}" if place.name else ""
    return frozenset(filter(None, (place.stop_id, place.ics, named)))


def read_stops(
    options: Options,
    wanted: Mapping[str, Value],
    region: Region,
    reader: Reader,
    ends: Sequence[Place],
) -> tuple[Options, tuple[str, ...]]:
    """Return options with the stops that are to be avoided, and what has to be told of them.

    Args:
        options: the other options.
        wanted: all options by name, with the stops as words.
        region: knows the stops.
        reader: reads the words.
        ends: where the trip begins and ends, and the place that it passes, as far as settled.

    Raises:
        InputError: the words name no stop, or one that the trip is to or from.
    """
    told: list[str] = []
    found: dict[str, tuple[AvoidedStop, ...]] = {}
    for param in ("avoid_stops", "avoid_changes"):
        words = wanted.get(param, ())
        stops = [
            stop for one in _texts(words) for stop in _read_any(param, one, region, reader, told)
        ]
        if param == "avoid_stops":
            for stop in stops:
                _refuse_end(stop, ends)
        found[param] = tuple(stops)
    passed, changed = found["avoid_stops"], found["avoid_changes"]
    return replace(options, avoid_stops=passed, avoid_changes=changed), tuple(told)


def _texts(words: Value) -> tuple[str, ...]:
    return words if isinstance(words, tuple) else (str(words),)


def _read_any(
    param: Literal["avoid_stops", "avoid_changes"],
    words: str,
    region: Region,
    reader: Reader,
    told: list[str],
) -> Iterator[AvoidedStop]:
    """Read the stop that words name as a whole, else those that "and" joins in them."""
    parts = _JOINED.split(words)
    try:
        if not _each_is_a_stop(param, words, parts, reader):
            yield _read(param, words, region, reader, told)
            return
    except InputError:
        if len(parts) < 2:
            raise
    for one in parts:
        yield _read(param, one, region, reader, told)


def _each_is_a_stop(
    param: Literal["avoid_stops", "avoid_changes"],
    words: str,
    parts: Sequence[str],
    reader: Reader,
) -> bool:
    """Whether each of several names is that of a stop, and all together only a nickname of one.

    Some call Bank "Bank and Monument"; who avoids these avoids both.
    """
    if len(parts) < 2 or reader.read(param, words).how != "alias":
        return False
    try:
        return all(reader.read(param, one).how in ("exact", "folded") for one in parts)
    except InputError:
        return False


def _read(
    param: Literal["avoid_stops", "avoid_changes"],
    words: str,
    region: Region,
    reader: Reader,
    told: list[str],
) -> AvoidedStop:
    side = reader.read(param, words)
    places = [one.place for one in side.candidates]
    keys = frozenset(key for one in places for key in region.stop_keys(one))
    if not keys:
        raise InputError(
            f"{param}: {words!r} is no stop that is known here: send the name of a station."
        )
    names = [one.name for one in places]
    if len(places) > 1:
        told.append(f"{words} may be {listed(names, len(names))}: all of them are avoided.")
    elif side.note:
        within = words.casefold() in side.note.casefold()
        told.append(side.note if within else f"{words}: {side.note}")
    return AvoidedStop(listed(names, len(names), last="or"), keys)


def _refuse_end(stop: AvoidedStop, ends: Sequence[Place]) -> None:
    for place in ends:
        if stop.keys & keys_of(place):
            raise InputError(
                f"{place.name} is where the trip is to begin, end or pass, and cannot be avoided "
                "as well: leave one of them out."
            )


def clear_of(options: Options) -> list[str]:
    """Return the avoided stops as restrictions in words: "without passing Bank or Angel"."""
    told = (("passing", options.avoid_stops), ("changing at", options.avoid_changes))
    return [
        f"without {how} {listed([one.name for one in stops], len(stops), last='or')}"
        for how, stops in told
        if stops
    ]


def spoils(plan: Plan, options: Options) -> tuple[str, ...]:
    """Return the names of the avoided stops that a plan passes or changes at."""
    named = [one.name for one in options.avoid_stops if one.keys & _keys(_passed(plan))]
    named += [one.name for one in options.avoid_changes if one.keys & _keys(_changes(plan))]
    return tuple(dict.fromkeys(named))


def calls_known(plan: Plan) -> bool:
    """Whether every ride of a plan names the stops that it calls at."""
    return all(leg.stops for leg in plan.legs if leg.mode not in _NO_CALLS)


def without_stops(
    plans: Sequence[Plan], options: Options
) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
    """Return the plans that keep clear of the avoided stops, and the stops of the others."""
    if not (options.avoid_stops or options.avoid_changes):
        return tuple(plans), ()
    spoilt = [spoils(one, options) for one in plans]
    kept = tuple(one for one, names in zip(plans, spoilt, strict=True) if not names)
    return kept, tuple(dict.fromkeys(name for names in spoilt for name in names))


def _keys(places: Iterator[Place]) -> frozenset[str]:
    return frozenset(key for one in places for key in keys_of(one))


def _passed(plan: Plan) -> Iterator[Place]:
    for leg in plan.legs:
        yield from (leg.origin, leg.destination, *leg.stops)


def _changes(plan: Plan) -> Iterator[Place]:
    """The places between two rides at which one is left and the next entered."""
    for before, after in pairwise(plan.rides):
        yield from (before.destination, after.origin)


Standing = Literal["applied", "not_applied", "not_known"]
_ACCESS = "accessibility_preference"
_KINDS = {"NoSolidStairs": "stairs", "NoEscalators": "escalator", "NoElevators": "lift"}
_ALWAYS = frozenset({"journey_preference", "mode", "avoid_modes", "max_walking_minutes"})
# The options that each planner keeps to, but for step-free ways; TfL's keeps to all.
_APPLIED: dict[Source, frozenset[str]] = {
    "offline_estimate": _ALWAYS
    | {"avoid_lines", "only_lines", "max_transfer_minutes", "walking_speed"},
    "timetable": _ALWAYS | {"avoid_lines", "only_lines", "adjustment"},
    "planner": _ALWAYS,
}
_OBSTACLES = frozenset({"NoSolidStairs", "NoEscalators", "StepFreeToVehicle", "StepFreeToPlatform"})


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a trip.

    Attributes:
        option: the option that says it.
        asked: the condition in words.
        standing: whether the first plan keeps to it; `not_known` where its planner looked at it
            and does not know it of every stop.
    """

    option: str
    asked: str
    standing: Standing


def conditions_of(
    journey: Journey, options: Options, line_name: Callable[[str], str]
) -> tuple[Condition, ...]:
    """Return the conditions that a trip was planned under, in the order of the options.

    Args:
        journey: the journey; without plans it keeps to none.
        options: what was asked of it, defaults of the user among it.
        line_name: names a line by its id, as it stands in a sentence.
    """
    if not journey.plans:
        return ()
    return tuple(
        Condition(
            name,
            asked.format(changes=journey.plans[0].interchanges),
            _standing(name, value, journey, options),
        )
        for name, value, asked in _asked(options, line_name)
    )


def step_free_stops(journey: Journey, options: Options) -> tuple[tuple[str, bool | None], ...]:
    """Return the stops where the first plan is entered, changed and left, where steps matter.

    With each stands whether it is step-free; where nobody asked for that, there are none.
    """
    if not journey.plans or not _OBSTACLES & set(options.accessibility_preference):
        return ()
    places: dict[str, bool | None] = {}
    for leg in journey.plans[0].rides:
        for place in (leg.origin, leg.destination):
            seen = place.name in places
            places[place.name] = _both(places[place.name], place) if seen else place.step_free
    return tuple(places.items())


def _both(before: bool | None, place: Place) -> bool | None:
    """Whether two stops of one name are both step-free: platforms of a station may differ."""
    if before is False or place.step_free is False:
        return False
    return True if before and place.step_free else None


class Said(Protocol):
    """A condition in words, and whether a plan keeps to it."""

    @property
    def asked(self) -> str:
        """The condition in words."""
        ...

    @property
    def standing(self) -> str:
        """Whether the plan keeps to it."""
        ...


def told(
    conditions: Sequence[Said],
    stops: Sequence[tuple[str, bool | None]],
    source: Source,
    *,
    step_free: bool | None,
) -> str:
    """Say of each condition whether the first plan keeps to it; empty where there is none.

    Args:
        conditions: those of the trip.
        stops: the stops of the plan with what is known of their steps, where steps matter.
        source: who planned it.
        step_free: whether the whole plan is step-free, as far as is known.
    """
    words = _words()["said"]

    def of(standing: Standing) -> str:
        return listed([one.asked for one in conditions if one.standing == standing])

    said = [words["applied"].format(of("applied"))] if of("applied") else []
    if of("not_applied"):
        said.append(
            words["not_applied"].format(who=_words()["who"][source], what=of("not_applied"))
        )
    if of("not_known"):
        said.append(words["not_known"].format(of("not_known")))
    if source == "tfl" and stops and step_free is not None:
        said.append(words["by_tfl" if step_free else "not_by_tfl"])
    else:
        said += _of_stops(stops, step_free=step_free)
    return " ".join(said)


def _of_stops(stops: Sequence[tuple[str, bool | None]], *, step_free: bool | None) -> Iterator[str]:
    """Which of some stops are step-free, which are not, and of which that is not known."""
    words = _words()["said"]
    for key, standing in (("step_free", True), ("not_step_free", False)):
        named = [name for name, known in stops if known is standing]
        if named:
            yield words[key].format(listed(named))
    unknown = [name for name, known in stops if known is None]
    if unknown:
        yield words["step_free_unknown"].format(listed(unknown))
    elif stops and step_free is None:
        yield words["vehicles_unknown"]
    elif stops and step_free is False and all(known for _, known in stops):
        yield words["vehicles_not"]


def _standing(name: str, value: str, journey: Journey, options: Options) -> Standing:
    """Whether the first plan keeps to a condition."""
    plan = journey.plans[0]
    if name == _ACCESS:
        return _without_steps(value, journey)
    applied = _APPLIED.get(journey.source)
    if name in ("cycle_preference", "bike_proficiency"):
        return _by_bike(value, journey)
    if name in STOPS_AVOIDED:
        if spoils(plan, options):
            return "not_applied"
        return "applied" if calls_known(plan) else "not_known"
    if applied is not None and name not in applied:
        return "not_applied"
    if name == "avoid_lines":
        avoided = {one.casefold() for one in options.avoid_lines}
        return _kept(avoided.isdisjoint(leg.line_id.casefold() for leg in plan.rides))
    if name == "only_lines":
        only = {one.casefold() for one in options.only_lines}
        return _kept(only.issuperset(leg.line_id.casefold() for leg in plan.rides))
    if name == "max_walking_minutes":
        return _kept(plan.walking_minutes <= (options.max_walking_minutes or 0))
    if name == "avoid_modes":
        return _kept(set(plan.modes).isdisjoint(options.avoid_modes))
    return "applied"


def _without_steps(value: str, journey: Journey) -> Standing:
    """Whether the first plan spares stairs, escalators or lifts."""
    plan = journey.plans[0]
    if journey.source == "tfl" and value in _KINDS:
        named = {one.kind for leg in plan.legs for one in leg.obstacles}
        if _KINDS[value] in named:
            return "not_applied"
        # TfL does not list every obstacle.
        return "applied" if plan.step_free and value != "NoElevators" else "not_known"
    if value in _OBSTACLES:
        return "not_known" if plan.step_free is None else _kept(plan.step_free)
    return "not_known" if journey.source == "offline_estimate" else "not_applied"


def _by_bike(value: str, journey: Journey) -> Standing:
    """Whether the first plan has the cycling that is asked for, or none."""
    plan = journey.plans[0]
    cycles = any(mode.startswith("cycle") for mode in plan.modes)
    if value == "None":
        return _kept(not cycles)
    if value == "AllTheWay":
        return _kept(set(plan.modes) == {"cycle"})
    if cycles:
        return "applied"
    # TfL is asked for it, and does not say of a plan whether a bike may be taken.
    return "not_known" if journey.source == "tfl" else "not_applied"


def _kept(kept: bool) -> Standing:
    return "applied" if kept else "not_applied"


def _asked(options: Options, line_name: Callable[[str], str]) -> Iterator[tuple[str, str, str]]:
    """The options that are conditions: their names, their values, and both in words."""
    words = _words()
    for field in fields(options):
        value = getattr(options, field.name)
        if value in (None, "", (), False):
            continue
        several = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        values = tuple(one.name if isinstance(one, AvoidedStop) else str(one) for one in several)
        if field.name in words["values"]:
            named = _named(field.name, values, line_name)
            yield field.name, "", words["values"][field.name].format(named)
            continue
        for one in values:
            asked = words["choices"].get(f"{field.name} {one}")
            if asked:
                yield field.name, one, asked


def _named(name: str, values: Sequence[str], line_name: Callable[[str], str]) -> str:
    """Modes and lines by the names that people use."""
    if name in ("mode", "avoid_modes"):
        return listed([services_of(one) for one in values], last="or")
    if name in ("avoid_lines", "only_lines"):
        return listed(list(dict.fromkeys(map(line_name, values))), last="or")
    if name in STOPS_AVOIDED:
        return listed(values, len(values), last="or")
    return listed(values)


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
