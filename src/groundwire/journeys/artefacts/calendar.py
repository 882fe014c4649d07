"""A plan as a calendar file (RFC 5545) that every calendar reads alike.

Times are local, with the rules of their zone beside them. The hour that comes twice when summer
time ends has no sign of its own in a local time, which stands for the first of the two (RFC 5545,
3.3.5): an event that touches the second is written in UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal, get_args
from urllib.parse import quote, urlencode
from uuid import NAMESPACE_URL, uuid5

from groundwire.errors import InputError
from groundwire.journeys import wording
from groundwire.journeys.artefacts.text import describe, estimate_mark
from groundwire.journeys.itinerary import LONDON, Journey, Leg, Place, Plan, zone_of
from groundwire.journeys.wording import clock, day, listed

# Components take values of every kind, so their methods are untyped.
Component = Any

PRODUCT = "-//Groundwire//Journeys//EN"
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
Monthly = Literal["date", "weekday", "last_weekday"]
_SPANS = {WEEKDAYS: "each day", WEEKDAYS[:5]: "each weekday"}
_NTH = ("first", "second", "third", "fourth", "fifth")
_PLANNER = "https://tfl.gov.uk/plan-a-journey/results"
# A week: longer before it starts nobody wants to be told to leave.
MOST_ALARM_MINUTES = 7 * 24 * 60
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\u2028\u2029]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_UNSAFE_IN_URI = re.compile(r"[^\x21-\x7e]|[\"<>\\^`{|}]")
_FORMATS = {".html": "text/html", ".svg": "image/svg+xml", ".png": "image/png"}


@dataclass(frozen=True, slots=True)
class Recurrence:
    """When a journey is made again, by default never.

    Attributes:
        on: days of the week; none where only `weeks` is given stands for the plan's own.
        weeks: in how many weeks once.
        monthly: each month on the plan's date, on its weekday counted from the first of the month
            ("the second Tuesday"), or on the last such weekday.
        until: the last day on which it may be made; None for no end.
    """

    on: tuple[Weekday, ...] = ()
    weeks: int = 1
    monthly: Monthly | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        return bool(self.on or self.weeks > 1 or self.monthly)

    def told(self, start: datetime) -> str:
        """Say when the journey of a plan is made again, as it stands in a sentence."""
        last = f" until {day(self.until, start.date())}" if self.until else ""
        return f"{self._days(start)}{last}"

    def _days(self, start: datetime) -> str:
        own = WEEKDAYS[start.weekday()].capitalize()
        if self.monthly == "date":
            return f"each month on day {start.day}"
        if self.monthly:
            nth = "last" if self.monthly == "last_weekday" else _NTH[(start.day - 1) // 7]
            return f"on the {nth} {own} of each month"
        named = listed([one.capitalize() for one in self.on] or [own])
        if self.weeks == 1 and self.on in _SPANS:
            return _SPANS[self.on]
        if self.weeks == 1:
            return f"each {named}"
        return f"every other {named}" if self.weeks == 2 else f"every {self.weeks} weeks on {named}"

    def days(self, first: date, last: date) -> Iterator[date]:
        """Yield the days from the first one on at which the journey is made, its own the first."""
        for ahead in range((last - first).days + 1):
            on = first + timedelta(days=ahead)
            if self._holds(first, on):
                yield on

    def _holds(self, first: date, on: date) -> bool:
        if self.monthly == "date":
            return on.day == first.day
        if self.monthly:
            nth = (on.day - 1) // 7 == (first.day - 1) // 7
            if self.monthly == "last_weekday":
                nth = (on + timedelta(days=7)).month != on.month
            return nth and on.weekday() == first.weekday()
        weeks = (on - first + timedelta(days=first.weekday())).days // 7
        named = self.on or (WEEKDAYS[first.weekday()],)
        return weeks % self.weeks == 0 and WEEKDAYS[on.weekday()] in named


ONCE = Recurrence()


def calendar_for(
    plan: Plan,
    journey: Journey,
    *,
    uid_seed: str,
    now: datetime,
    per_leg: bool = False,
    alarm_minutes: int | None = None,
    map_uri: str | None = None,
    recurrence: Recurrence = ONCE,
    excepted: Sequence[date] = (),
    sequence: int = 0,
) -> bytes:
    """Write a plan as a calendar file.

    Args:
        plan: one of the journey's plans.
        journey: says from where to where and who planned it.
        uid_seed: names the plan for good (its journey's handle and its indices): the same seed
            gives the same events, so that a calendar that reads the file again updates them.
        now: when the file is made.
        per_leg: one event a leg instead of one for the plan.
        alarm_minutes: minutes before leaving at which to be reminded; None for no alarm. With one
            event a leg the first has it.
        map_uri: address or file name of the map, which is attached by reference.
        recurrence: when the journey is made again.
        excepted: days that the rule of recurrence has, and on which it is not made.
        sequence: how often the events were changed since they were first written.

    Returns:
        the file: UTF-8, lines of at most 75 octets, each ended by CR LF.

    Raises:
        InputError: `alarm_minutes` is below 0 or above a week, the plan is of a day on which it is
            not repeated, or it is to be repeated both by weeks and by months, or not beyond its own
            day, or nothing says on which days.
    """
    from icalendar import Calendar

    if alarm_minutes is not None and not 0 <= alarm_minutes <= MOST_ALARM_MINUTES:
        raise InputError(
            f"An alarm {alarm_minutes} minutes before leaving cannot be set: send 0 to"
            f" {MOST_ALARM_MINUTES}"
        )
    rule = _rule(plan, journey, recurrence)
    calendar: Component = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add_component(_timezone(plan))
    text = describe(plan, journey, "brief")
    seeds = [f"{uid_seed}/{number}" for number in range(len(plan.legs))] if per_leg else [uid_seed]
    for number, seed in enumerate(seeds):
        if per_leg:
            event = _leg_event(plan.legs[number], plan, journey)
        else:
            event = _plan_event(plan, journey, text)
        event.add("uid", f"{uuid5(NAMESPACE_URL, f'groundwire:journeys:{seed}')}@groundwire")
        event.add("dtstamp", now.astimezone(UTC))
        event.add("sequence", sequence)
        # An estimate is told as one by every calendar that shows it.
        event.add("status", "TENTATIVE" if _estimated(journey) else "CONFIRMED")
        if rule:
            event.add("rrule", rule)
            begins = event["dtstart"].dt
            left_out = [begins + timedelta(days=(one - plan.start.date()).days) for one in excepted]
            if left_out:
                event.add("exdate", left_out)
        if journey.source in ("tfl", "offline_estimate"):
            event.add("url", _planner_url(journey))
        if map_uri:
            _attach(event, map_uri)
        if alarm_minutes is not None and number == 0:
            event.add_component(_alarm(alarm_minutes, plan))
        calendar.add_component(event)
    return calendar.to_ical()


def days_without(
    plan: Plan,
    recurrence: Recurrence,
    runs: Callable[[Plan, date], bool],
    known: date | None,
) -> tuple[date, ...]:
    """Return the days of a recurrence on which a plan's services are known not to run.

    Args:
        plan: what is made again.
        recurrence: on which days.
        runs: whether all services of a plan run on a day as they do on its own.
        known: until which day that is looked at; None where nothing is known of it.
    """
    if not recurrence or known is None:
        return ()
    first, last = plan.start.date(), min(known, recurrence.until or known)
    return tuple(one for one in recurrence.days(first, last) if not runs(plan, one))


def joined_calendars(files: Iterable[bytes]) -> bytes:
    """Return one calendar file with the events of several, and each time zone once.

    Args:
        files: calendar files as `calendar_for` writes them, at least one.
    """
    from icalendar import Calendar

    read: list[Component] = [Calendar.from_ical(one) for one in files]
    whole, *others = read
    zones = {str(zone["tzid"]) for zone in whole.walk("VTIMEZONE")}
    for other in others:
        for part in other.subcomponents:
            if part.name == "VTIMEZONE" and str(part["tzid"]) in zones:
                continue
            zones |= {str(part["tzid"])} if part.name == "VTIMEZONE" else set()
            whole.add_component(part)
    return whole.to_ical()


def _rule(plan: Plan, journey: Journey, recurrence: Recurrence) -> dict[str, Any] | None:
    """The rule by which a plan is repeated, or None (RFC 5545, 3.3.10)."""
    if not recurrence:
        if recurrence.until is not None:
            raise InputError(
                "repeat_until needs days: send repeat_on, repeat_weeks or repeat_monthly."
            )
        return None
    start = plan.start.astimezone(zone_of(plan.start))
    rule = _monthly(start, recurrence) if recurrence.monthly else _weekly(start, recurrence)
    if recurrence.until is not None and recurrence.until <= start.date():
        raise InputError(
            f"repeat_until is {recurrence.until.isoformat()}, and the plan is of "
            f"{start.date().isoformat()}: send a later day, or leave it out."
        )
    # Nobody knows what runs after the timetable has ended.
    known = date.fromisoformat(journey.holds_until) if journey.holds_until else None
    ends = [one for one in (recurrence.until, known) if one is not None]
    if ends:
        last = datetime.combine(min(ends), time.max)
        rule["until"] = last.replace(microsecond=0, tzinfo=zone_of(plan.start)).astimezone(UTC)
    return rule


def _weekly(start: datetime, recurrence: Recurrence) -> dict[str, Any]:
    own = WEEKDAYS[start.weekday()]
    on = recurrence.on or (own,)
    if own not in on:
        raise InputError(
            f"The plan is of a {own}, on which it is not to be repeated ({', '.join(on)}): "
            "plan it for one of these days."
        )
    if recurrence.weeks == 1 and len(frozenset(on)) == len(WEEKDAYS):
        return {"freq": "daily"}
    rule: dict[str, Any] = {"freq": "weekly"}
    if recurrence.weeks > 1:
        rule["interval"] = recurrence.weeks
    return rule | {"byday": [one[:2].upper() for one in WEEKDAYS if one in on]}


def _monthly(start: datetime, recurrence: Recurrence) -> dict[str, Any]:
    if recurrence.on or recurrence.weeks > 1:
        raise InputError(
            "repeat_monthly takes the day from the plan: leave repeat_on and repeat_weeks out."
        )
    if recurrence.monthly == "date":
        return {"freq": "monthly", "bymonthday": start.day}
    nth = (start.day - 1) // 7 + 1
    if recurrence.monthly == "last_weekday":
        if (start + timedelta(days=7)).month == start.month:
            own = WEEKDAYS[start.weekday()]
            raise InputError(
                f"The plan is not of the last {own} of its month: plan it for that day."
            )
        nth = -1
    return {"freq": "monthly", "byday": f"{nth}{WEEKDAYS[start.weekday()][:2].upper()}"}


def _planner_url(journey: Journey) -> str:
    """The address of TfL's planner for a journey, which opens on any device."""
    ends = {
        name: wording.place_name(place)
        for name, place in (("InputFrom", journey.origin), ("InputTo", journey.destination))
    }
    return f"{_PLANNER}?{urlencode(ends)}"


def _estimated(journey: Journey) -> bool:
    return journey.source == "offline_estimate"


def _plan_event(plan: Plan, journey: Journey, text: str) -> Component:
    origin = wording.place_name(journey.origin)
    destination = wording.place_name(journey.destination)
    services = [wording.service(leg).removeprefix("the ") for leg in plan.rides]
    by = f" by {listed(list(dict.fromkeys(services)))}" if services else ""
    mark = " (estimated times)" if _estimated(journey) else ""
    return _event(
        (plan.start, plan.arrival),
        f"Leave at {clock(plan.start)}: {origin} to {destination}{by}{mark}",
        text,
        plan.legs[0].origin,
        plan.legs[0].mode,
    )


def _leg_event(leg: Leg, plan: Plan, journey: Journey) -> Component:
    mark = " (estimated times)" if _estimated(journey) else ""
    said = wording.sentence(leg)
    lines = [f"{said[0].upper()}{said[1:]}."]
    lines += [f"- {wording.step(step.instruction)}" for step in leg.steps]
    lines += [f"Disruption: {one.reason}" for one in dict.fromkeys(leg.disruptions)]
    lines += [f"Planned works: {one.reason}" for one in dict.fromkeys(leg.planned_works)]
    lines += [f"Notice: {one.reason}" for one in dict.fromkeys(leg.notices)]
    if _estimated(journey):
        lines += [*journey.notes, estimate_mark(plan)]
    lines.append(f"{journey.credit}.")
    return _event(
        (leg.departure, leg.arrival),
        f"{wording.headline(leg)}{mark}",
        "\n".join(lines),
        leg.origin,
        leg.mode,
    )


def _event(
    when: tuple[datetime, datetime], summary: str, description: str, place: Place, mode: str
) -> Component:
    from icalendar import Event

    event: Component = Event()
    start, end = _written(when)
    event.add("dtstart", start)
    # An event without an end ends when it starts; an end may not be the start (3.6.1).
    if end > start:
        event.add("dtend", end)
    event.add("summary", _clean(summary).replace("\n", " "))
    event.add("description", _clean(description))
    waits_at = wording.platform(place, mode)
    name = wording.place_name(place)
    event.add("location", _clean(f"{name} ({waits_at})" if waits_at else name))
    if place.point is not None:
        event.add("geo", (place.point.lat, place.point.lon))
    return event


def _written(moments: tuple[datetime, datetime]) -> tuple[datetime, datetime]:
    """Start and end in local time, or both in UTC where a local time would mean another one."""
    local = tuple(moment.astimezone(zone_of(moment)) for moment in moments)
    plain = [moment.replace(fold=0) for moment in local]
    if all(one.utcoffset() == other.utcoffset() for one, other in zip(local, plain, strict=True)):
        return local[0], local[1]
    return moments[0].astimezone(UTC), moments[1].astimezone(UTC)


def _timezone(plan: Plan) -> Component:
    """The rules of the zone that the plan is in."""
    zone = zone_of(plan.start)
    if zone == LONDON:
        return _london()
    from icalendar import Timezone

    year = plan.start.year
    return Timezone.from_tzinfo(zone, zone.key, date(year - 1, 1, 1), date(year + 3, 1, 1))


def _london() -> Component:
    """The rules of Europe/London since 1996.

    Source: the Summer Time Order 2002: from the last Sunday of March to that of October, both
    changes at 01:00 UTC. Each onset is told in the local time before it (3.6.5).
    """
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

    zone: Component = Timezone()
    zone.add("tzid", "Europe/London")
    changes = (
        (TimezoneDaylight, "BST", datetime(1996, 3, 31, 1), 3, 0, 1),
        (TimezoneStandard, "GMT", datetime(1996, 10, 27, 2), 10, 1, 0),
    )
    for kind, name, first, month, hours_before, hours_after in changes:
        rule: Component = kind()
        rule.add("dtstart", first)
        rule.add("rrule", {"freq": "yearly", "bymonth": month, "byday": "-1SU"})
        rule.add("tzname", name)
        rule.add("tzoffsetfrom", timedelta(hours=hours_before))
        rule.add("tzoffsetto", timedelta(hours=hours_after))
        zone.add_component(rule)
    return zone


def _attach(event: Component, uri: str) -> None:
    """The map by reference; a bare name is quoted, so that it is an address too."""
    address = uri if _SCHEME.match(uri) else quote(uri)
    address = _UNSAFE_IN_URI.sub(lambda found: quote(found[0]), address)
    suffix = next((kind for end, kind in _FORMATS.items() if address.lower().endswith(end)), "")
    parameters: dict[str, Any] = {"FMTTYPE": suffix} if suffix else {}
    event.add("attach", address, parameters=parameters)


def _alarm(minutes: int, plan: Plan) -> Component:
    from icalendar import Alarm

    alarm: Component = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", timedelta(minutes=-minutes))
    said = wording.sentence(plan.legs[0])
    alarm.add("description", _clean(f"Time to leave: {said}"))
    return alarm


def _clean(text: str) -> str:
    """A text without the control characters that no calendar text may hold (3.1)."""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n"))
