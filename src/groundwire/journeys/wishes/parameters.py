"""Options of a journey in the names and spellings of the TfL API."""

from __future__ import annotations

import re
from dataclasses import fields

from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.options import Options
from groundwire.journeys.wishes.modes import usable_modes

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
