"""Reading of a caller's wishes for a journey into the options of the TfL API.

Words are read as the ontology's are: other names are applied, misspellings corrected word by word,
and both reported; what is none of the allowed values is refused with the nearest and all of them.
Options that leave nothing to travel by are refused, and options that do not go together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Options, TimeIs
from groundwire.journeys.times.reading import TimeReading, read_time
from groundwire.journeys.wishes.readers import (
    OF_A_TRIP,
    OPTION_KINDS,
    STOPS_AVOIDED,
    TIME_NAMES,
    Correction,
    Reading,
    Value,
    name_vocabulary,
    usable_modes,
)
from groundwire.vocabulary import Policy

__all__ = [
    "Correction",
    "Value",
    "Wishes",
    "check",
    "overlaid",
    "read_wishes",
    "shown",
]

_ORDER = {field.name: place for place, field in enumerate(fields(Options))}


@dataclass(frozen=True, slots=True)
class Wishes:
    """The wishes for a journey, checked.

    Attributes:
        given: options by name in the API's spelling of their values, as far as they were sent.
        values: the same over the defaults.
        time: when, or None for now.
        corrections: words in whose place others were used.
        notes: what cannot be as it was asked, and defaults that gave way.
    """

    given: Mapping[str, Value]
    values: Mapping[str, Value]
    time: TimeReading | None = None
    corrections: tuple[Correction, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def options(self) -> Options:
        """The options that the journey is planned with, but for stops, which are places."""
        known: dict[str, Any] = {
            name: value for name, value in self.values.items() if name not in STOPS_AVOIDED
        }
        if self.time is None:
            return Options(**known)
        return Options(when=self.time.when, time_is=self.time.time_is, **known)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Return what was chosen rather than said, and what cannot be as it was asked."""
        return (*(self.time.assumptions if self.time is not None else ()), *self.notes)


def read_wishes(
    sent: Mapping[str, object],
    now: datetime,
    after: datetime | None = None,
    *,
    base: Mapping[str, Value] | None = None,
    defaults: bool = False,
) -> Wishes:
    """Read options as a caller sent them.

    Args:
        sent: options by name; blanks count as not sent. Lists may be texts, numbers words.
        now: the present moment.
        after: the moment of the trip before, for times without a day.
        base: the user's defaults, over which they are laid.
        defaults: whether they are defaults for trips to come, which have no time.

    Raises:
        InputError: an option or value is unknown, out of its bounds, or contradicts another.
    """
    named: dict[str, object] = {}
    for raw, value in sent.items():
        if _is_blank(value):
            continue
        name = _name(raw, defaults=defaults)
        if name in named and named[name] != value:
            raise InputError(f"{name} was sent twice: send it once.")
        named[name] = value
    reading = Reading()
    given = {
        name: getattr(reading, OPTION_KINDS[name])(name, value)
        for name, value in named.items()
        if name in OPTION_KINDS
    }
    if reading.avoided:
        avoid = (*given.get("avoid_modes", ()), *reading.avoided)
        given["avoid_modes"] = tuple(dict.fromkeys(avoid))
        if not given.get("mode"):
            given.pop("mode", None)
    for name in ("avoid_lines", "only_lines"):
        if not given.get(name, True):
            del given[name]
    notes = _tidied(given)
    values, gave_way = overlaid(base or {}, given)
    time = _time(named, reading, now, after)
    return Wishes(given, values, time, tuple(reading.corrections), (*notes, *gave_way))


def overlaid(
    base: Mapping[str, Value], given: Mapping[str, Value]
) -> tuple[dict[str, Value], tuple[str, ...]]:
    """Options over others that hold where nothing else is said, and what that took away.

    A mode that is asked for is not avoided any more, and one that is avoided not asked for.

    Raises:
        InputError: together they leave nothing, or do not go together.
    """
    merged = {**base, **given}
    notes: list[str] = []
    for name, other in (("mode", "avoid_modes"), ("avoid_modes", "mode")):
        said, before = given.get(name), base.get(other)
        if isinstance(said, tuple) and isinstance(before, tuple) and other not in given:
            kept = tuple(mode for mode in before if mode not in said)
            if kept != before:
                gone = ", ".join(mode for mode in before if mode in said)
                notes.append(f"{name} counts, so the default {other} does not hold for {gone}.")
            if kept:
                merged[other] = kept
            else:
                merged.pop(other, None)
    check(merged)
    return merged, tuple(notes)


def shown(values: Mapping[str, Value]) -> dict[str, Any]:
    """Values by name as JSON, in the order of the options."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in sorted(values.items(), key=lambda item: _ORDER.get(item[0], 0))
    }


def check(values: Mapping[str, Value]) -> None:
    """See that options go together.

    Raises:
        InputError: they leave no mode, or one needs a mode that another takes away.
    """
    mode, avoided = _listed(values, "mode"), _listed(values, "avoid_modes")
    usable = usable_modes(mode, avoided)
    if not usable:
        asked = f"mode ({', '.join(mode)})" if mode else "all modes"
        raise InputError(
            f"{asked} without avoid_modes ({', '.join(avoided)}) leaves nothing to travel by: take "
            "something out of avoid_modes."
        )
    cycling = values.get("cycle_preference")
    needed = {"None": "", "CycleHire": "cycle-hire"}.get(str(cycling), "cycle")
    if cycling is not None and needed and needed not in usable:
        raise InputError(
            f"cycle_preference {cycling} needs the mode {needed}, which mode and avoid_modes take "
            f"away: add {needed}, or leave cycle_preference out."
        )
    if cycling == "None" and set(usable) <= {"cycle", "cycle-hire"}:
        raise InputError(
            f"cycle_preference None and mode ({', '.join(usable)}) leave nothing to travel by: "
            "leave one of them out."
        )
    if values.get("taxi_only_trip") is True and "taxi" not in usable:
        raise InputError(
            "taxi_only_trip needs the mode taxi, which mode and avoid_modes take away: add taxi, "
            "or leave taxi_only_trip out."
        )


def _is_blank(value: object) -> bool:
    """Whether a value says nothing: hosts send blanks for options that nobody asked for."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, Sized) and not len(value))


def _listed(values: Mapping[str, Value], name: str) -> tuple[str, ...]:
    value = values.get(name, ())
    return value if isinstance(value, tuple) else ()


def _name(raw: str, *, defaults: bool) -> str:
    """The name of an option, also in the API's spelling.

    Raises:
        InputError: the option does not exist, or cannot be a default.
    """
    found = name_vocabulary().resolve(raw, Policy.CANDIDATES_ONLY, limit=3)
    if found.term is None:
        near = ", ".join(candidate.term.id for candidate in found.candidates)
        nearest = f" The nearest is {near}." if near else ""
        allowed = ", ".join((*TIME_NAMES, *OPTION_KINDS))
        raise InputError(f"There is no option {raw[:40]!r}.{nearest} Options are {allowed}.")
    name = found.term.id
    if defaults and name in OF_A_TRIP:
        raise InputError(
            f"{name} is said of one trip and is no default: send it to compute_journey_plans."
        )
    return name


def _tidied(given: dict[str, Value]) -> tuple[str, ...]:
    """Leave out what says nothing beside the rest, and say what cannot be as it was asked."""
    notes: list[str] = []
    access = _listed(given, "accessibility_preference")
    if "NoRequirements" in access and len(access) > 1:
        rest = tuple(one for one in access if one != "NoRequirements")
        given["accessibility_preference"] = rest
        notes.append(f"accessibility_preference: {', '.join(rest)} counts, not NoRequirements.")
    if "walking" in _listed(given, "avoid_modes"):
        notes.append(
            "The way to, from and between stops is walked all the same: max_walking_minutes limits "
            "it."
        )
    if given.get("taxi_only_trip") is True and given.get("use_multi_modal_call") is True:
        notes.append("taxi_only_trip counts, not use_multi_modal_call.")
    return tuple(notes)


def _time(
    named: Mapping[str, object], reading: Reading, now: datetime, after: datetime | None
) -> TimeReading | None:
    """When, by date, time and time_is.

    Raises:
        InputError: it cannot be read or cannot be, or there is nothing to arrive at.
    """
    if not named.keys() & {"date", "time", "time_is"}:
        return None
    time_is: TimeIs | None = None
    if "time_is" in named:
        chosen = reading.choice("time_is", named["time_is"])
        time_is = "arriving" if chosen == "arriving" else "departing"
    date, time = (_text(named.get(name), name) for name in ("date", "time"))
    found = read_time(date, time, time_is, now, after)
    if found is None and time_is == "arriving":
        raise InputError("time_is arriving needs a time to arrive by: send time, such as 18:00.")
    return found


def _text(value: object, name: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{name} is a text such as {'2026-12-25' if name == 'date' else '18:00'}.")
