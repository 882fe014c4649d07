"""The words on a map: made harmless, measured, shortened, and named as travellers name things."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from html import escape
from typing import NamedTuple

from groundwire.journeys import wording
from groundwire.journeys.itinerary import Leg, Place, Plan, Source, zone_of
from groundwire.journeys.lines.names import MODE_NAMES, service_name
from groundwire.journeys.stops.names import public_name
from groundwire.safe_text import safe_line

ESTIMATE_MARK = "Estimated times, embedded network"

# Families that hosts have; Arial's widths are those that `text_width` counts with.
FONT_FAMILY = (
    "Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans Condensed,DejaVu Sans,sans-serif"
)

# Widths of Arial in thousandths of the size, by groups of characters; the rest counts as 556.
_WIDTHS = {
    **dict.fromkeys("ijl'|", 225),
    **dict.fromkeys(" !.,:;ftI/[]\\", 280),
    **dict.fromkeys("r()-`·", 335),
    **dict.fromkeys('ckszvxyJ^*"', 500),
    **dict.fromkeys("wCDHNRUAKBEPSVXY&", 710),
    **dict.fromkeys("GOQ", 778),
    **dict.fromkeys("mM%", 850),
    **dict.fromkeys("W→—…@", 1000),
}


class Words(NamedTuple):
    """A line of text: what it says, its size in pixels and whether it is bold."""

    text: str
    size: float
    bold: bool = False

    @property
    def width(self) -> float:
        """About how wide it is, in pixels."""
        return text_width(self.text, self.size, self.bold)


def markup(text: str) -> str:
    """The text as it may stand in an element or an attribute of XML and HTML."""
    return escape(safe_line(text), quote=True)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide the text is in pixels; rather too wide than too narrow."""
    units = 0
    for character in text:
        known = _WIDTHS.get(character)
        if known is None:
            wide = ord(character) > 0x2E7F or unicodedata.east_asian_width(character) in "WF"
            known = 1000 if wide else 680 if character.isupper() else 556
        units += known
    return units / 1000 * size * (1.08 if bold else 1.02)


def shorten(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, cut with an ellipsis where it is wider than `width` pixels."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip(" ,.·→-") + "…"


def wrap(text: str, width: float, size: float, lines: int, bold: bool = False) -> list[str]:
    """The text broken at blanks into at most so many lines; what is left over is cut."""
    words = text.split(" ")
    wrapped: list[str] = []
    while words and len(wrapped) < lines - 1:
        line = words.pop(0)
        while words and text_width(f"{line} {words[0]}", size, bold) <= width:
            line = f"{line} {words.pop(0)}"
        wrapped.append(shorten(line, width, size, bold))
    if words:
        wrapped.append(shorten(" ".join(words), width, size, bold))
    return wrapped


def place_name(place: Place) -> str:
    """The place by the name that people use (`Oxford Circus`)."""
    return safe_line(wording.place_name(place))


def direction(leg: Leg) -> str:
    """Where the service of a leg goes, by the name that people use."""
    return safe_line(public_name(leg.direction))


def clock(moment: datetime) -> str:
    """The time of day there, as `09:02`."""
    return f"{moment.astimezone(zone_of(moment)):%H:%M}"


def leg_name(leg: Leg) -> str:
    """Return the name of what is travelled with: `Victoria line`, `Bus 73`, `Walk`."""
    line = safe_line(leg.line)
    if leg.mode == "walking":
        name = "walk"
    elif not line or not leg.is_ride:
        known = MODE_NAMES.get(leg.mode)
        name = known[0] if known else safe_line(leg.mode).replace("-", " ")
    else:
        name = service_name(leg.mode, line)
    return name[:1].upper() + name[1:]


def leg_detail(leg: Leg) -> str:
    """How far and where to: `6 min · 3 stops · towards Brixton`."""
    parts = [minutes(leg.duration_minutes)]
    if leg.is_ride and leg.stops:
        parts.append(f"{len(leg.stops)} stop{'s' if len(leg.stops) > 1 else ''}")
    elif not leg.is_ride and leg.distance_metres:
        parts.append(wording.distance(leg.distance_metres))
    if leg.is_ride and leg.direction:
        parts.append(f"towards {direction(leg)}")
    return " · ".join(parts)


def leg_sentence(number: int | str, leg: Leg) -> str:
    """Return a leg in words, for those who do not see the map."""
    return (
        f"{number}. {leg_name(leg)} from {place_name(leg.origin)} to "
        f"{place_name(leg.destination)}, {clock(leg.departure)} to {clock(leg.arrival)}"
        f" ({leg_detail(leg)})"
    )


def day(moment: datetime) -> str:
    """The day there, as `Sat 21 Nov 2026`."""
    local = moment.astimezone(zone_of(moment))
    return f"{local:%a} {local.day} {local:%b} {local.year}"


def plan_facts(plan: Plan) -> str:
    """The plan in one line: `09:02–09:31 · 29 min · 1 change · £2.80`."""
    changes = plan.interchanges
    parts = [f"{clock(plan.start)}–{clock(plan.arrival)}", minutes(plan.duration_minutes)]
    if plan.rides:
        parts.append(f"{changes} change{'s' if changes > 1 else ''}" if changes else "direct")
    if plan.fare is not None:
        parts.append(f"£{plan.fare.total_pence // 100}.{plan.fare.total_pence % 100:02}")
    return " · ".join(parts)


def minutes(count: int) -> str:
    """A duration as `29 min` or `1 h 5 min`."""
    hours, rest = divmod(count, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def source_mark(source: Source) -> str:
    """Say what a reader has to know about the times; empty for TfL's own."""
    return ESTIMATE_MARK if source == "offline_estimate" else ""
