"""Times, days and durations as one says them, in the time zone of their place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from groundwire.journeys.itinerary import zone_of
from groundwire.safe_text import safe_name

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def clock(moment: datetime) -> str:
    """The time of day: "07:05"; in the hour that comes twice "01:30 BST" or "01:30 GMT"."""
    local = moment.astimezone(zone_of(moment))
    twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{local:%H:%M %Z}" if twice else f"{local:%H:%M}"


def day(when: date, reference: date | None = None) -> str:
    """A day: "Sunday 28 March"; with its year where that is not the reference's."""
    year = "" if reference is not None and reference.year == when.year else f" {when.year}"
    return f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}{year}"


def london_day(moment: datetime) -> date:
    """The day that a moment falls on in its place, which is London where it names none."""
    return moment.astimezone(zone_of(moment)).date()


def moment(when: datetime, reference: datetime) -> str:
    """A moment: "14:41", or "00:29 on Monday 23 October" where that is another day."""
    if london_day(when) == london_day(reference):
        return clock(when)
    return f"{clock(when)} on {day(london_day(when), london_day(reference))}"


def span(begins: datetime | None, ends: datetime | None, now: datetime) -> str:
    """When something holds: "until 18:39", "from 04:30 on Sunday 22 October to ..."; or empty."""
    if begins is not None and begins > now:
        if ends is None:
            return f"from {moment(begins, now)}"
        same_day = london_day(begins) == london_day(ends)
        return f"from {moment(begins, now)} to {clock(ends) if same_day else moment(ends, now)}"
    return f"until {moment(ends, now)}" if ends is not None and ends > now else ""


def count(number: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 stop", "3 stops"."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def duration(minutes: int) -> str:
    """Minutes as one says them: "1 minute", "50 minutes", "2 hours 14 minutes"."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return count(rest, "minute") if rest else "under a minute"
    return f"{count(hours, 'hour')} {count(rest, 'minute')}" if rest else count(hours, "hour")


def listed(names: Sequence[str], most: int | None = None, last: str = "and") -> str:
    """Names in a row: "a", "a and b", "a, b and 3 more"; empty for none."""
    names = [safe_name(one) for one in names]
    if most is not None and len(names) > most:
        return f"{', '.join(names[:most])} {last} {len(names) - most} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"
