"""Maps and calendar files of computed plans, written into the state folder.

Where a file cannot be written, its picture or text is answered without a path, with the reason.
Names of files are made of the handle and the indices alone: nothing that a caller or TfL sends is
part of a path. All trips of a handle can be drawn as one way, for a whole day.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from pathlib import Path

from groundwire.errors import InputError, UnavailableError
from groundwire.evidence.answers import other_names
from groundwire.evidence.records import Draft, Value
from groundwire.journeys.artefacts.calendar import (
    ONCE,
    Recurrence,
    calendar_for,
    days_without,
    joined_calendars,
)
from groundwire.journeys.artefacts.files import Written, folder_of, write
from groundwire.journeys.artefacts.map_html import WIDTHS, draw_html
from groundwire.journeys.artefacts.map_png import draw_png, draw_png_apart, fonts_missing
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg
from groundwire.journeys.computed_journeys import Which, kept_plan
from groundwire.journeys.itinerary import Journey, Plan
from groundwire.journeys.proof import prove
from groundwire.journeys.region import Region
from groundwire.journeys.results import CalendarFile, DrawnMap
from groundwire.journeys.statements import PACKAGE
from groundwire.journeys.telling import caveats, leg_item, name_of
from groundwire.journeys.times.reading import read_time
from groundwire.journeys.wording import count, listed, plan_name
from groundwire.journeys.wording import day as spoken_day


@dataclass(frozen=True, slots=True)
class DayTrip:
    """A trip of a day with the plan that is taken.

    Attributes:
        index: the journey, from 0.
        plan_index: its plan, from 0.
        journey: the journey.
        plan: the plan.
    """

    index: int
    plan_index: int
    journey: Journey
    plan: Plan

    @property
    def name(self) -> str:
        """From where to where it goes."""
        return f"{name_of(self.journey.origin)} to {name_of(self.journey.destination)}"


@dataclass(frozen=True, slots=True)
class Day:
    """The trips of a day in their order, and those that have no plan to show.

    Attributes:
        trips: by the time at which they begin.
        left_out: what is told of each trip that is not among them.
    """

    trips: tuple[DayTrip, ...]
    left_out: tuple[str, ...]

    @property
    def journey(self) -> Journey:
        """The day as one journey whose one plan has the legs of all trips."""
        first, last = self.trips[0], self.trips[-1]
        journeys = [one.journey for one in self.trips]
        estimated = next((one for one in journeys if one.source == "offline_estimate"), None)
        told = estimated or first.journey
        plan = Plan(
            first.plan.start,
            last.plan.arrival,
            tuple(leg for one in self.trips for leg in one.plan.legs),
        )
        notes = dict.fromkeys(note for one in journeys for note in one.notes)
        return Journey(
            first.journey.origin,
            last.journey.destination,
            (plan,),
            told.source,
            notes=(*notes, *self.left_out),
            unknown_modes=tuple(
                dict.fromkeys(mode for one in journeys for mode in one.unknown_modes)
            ),
            service=tuple(dict.fromkeys(said for one in journeys for said in one.service)),
            credit=told.credit,
            zone=told.zone,
            planner=told.planner,
            holds_until=told.holds_until,
        )


def day_of(london: Region, owner: str, which: Which) -> Day:
    """Return the trips under a handle: of the journey that is named the plan that is named.

    Of every other trip the first plan is taken. A trip without a plan, and one for a place that is
    not settled, is left out and told.

    Raises:
        NotFoundError, InputError: the plan does not exist, or the trips are of several days.
    """
    chosen = kept_plan(london, owner, which)
    trips: list[DayTrip] = []
    left_out: list[str] = []
    for index, journey in enumerate(london.journeys.get(owner, which.journey_id)):
        called = f"{name_of(journey.origin)} to {name_of(journey.destination)}"
        if index == which.journey_index:
            trips.append(DayTrip(index, which.plan_index, *chosen))
        elif not journey.plans:
            left_out.append(f"The trip {called} has no plan and is left out.")
        elif journey.guess:
            left_out.append(f"The trip {called} is left out until its place is settled.")
        else:
            trips.append(DayTrip(index, 0, journey, journey.plans[0]))
    trips.sort(key=lambda one: one.plan.start)
    days = dict.fromkeys(one.plan.start.date() for one in trips)
    if len(days) > 1:
        listed = ", ".join(day.isoformat() for day in days)
        raise InputError(
            f"The trips of {which.journey_id} are of several days ({listed}): one map or calendar "
            "file holds those of one day."
        )
    return Day(tuple(trips), tuple(left_out))


def overlaps(trips: Sequence[DayTrip]) -> tuple[str, ...]:
    """Return what is told of trips that begin before the one before them ends."""
    return tuple(
        f"{after.name} begins before {before.name} ends."
        for before, after in pairwise(trips)
        if after.plan.start < before.plan.arrival
    )


# Characters of a calendar as JSON that an answer has room for.
_LONGEST_CALENDAR = 18_000
_SHORTEST_MONTH = 28
_MOST_DAYS_TOLD = 6
MOST_COMPARED = 4
"""Plans that one map shows beside the one it is of."""


NARROW = ("pane", "phone")
"""Names of the widths at which a map is drawn to be shown inline."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A map as it was drawn.

    Attributes:
        result: what is answered.
        draft: the record of what the map tells.
        svg: the drawing.
        png: the same in pixels, or empty where it could not be made.
        narrow: the drawing for a pane and for a phone, where it is shown inline.
    """

    result: DrawnMap
    draft: Draft
    svg: str
    png: bytes
    narrow: Mapping[str, str] = field(default_factory=dict[str, str])


def draw_map(
    london: Region,
    owner: str,
    which: Which,
    compared: Sequence[int] = (),
    show: Callable[[Path], bool] | None = None,
    *,
    apart: bool = False,
    inline: bool = False,
    whole_day: bool = False,
) -> Drawing:
    """Draw a plan, and write it as HTML and SVG.

    Args:
        london: where journeys are kept.
        owner: whose journey it is.
        which: the plan.
        compared: other plans of the same journey to show beside it.
        show: opens the file in a browser and says whether it could; None to show nothing.
        apart: draw the picture in a process of its own, since others are answered meanwhile.
        inline: draw it for a pane and for a phone, too.
        whole_day: draw all trips of the handle on one map.

    Raises:
        NotFoundError, InputError: the plan does not exist.
        UnavailableError: neither a file nor a picture of the map can be made.
    """
    journey, plan = kept_plan(london, owner, which)
    others = tuple(dict.fromkeys(i for i in compared if i != which.plan_index))
    if len(others) > MOST_COMPARED:
        raise InputError(
            f"compare_plan_indices has {len(others)} plans: send {MOST_COMPARED} at most."
        )
    if whole_day and others:
        raise InputError("The map of a whole day compares no plans: leave one of them out.")
    for index in others:
        kept_plan(london, owner, Which(which.journey_id, which.journey_index, index))
    day = day_of(london, owner, which) if whole_day else None
    if day is not None and len(day.trips) > 1:
        plans = [(one.journey, one.plan) for one in day.trips]
        journey, plan = day.journey, day.journey.plans[0]
        trips = tuple((one.name, one.plan) for one in day.trips)
        request = MapRequest(journey, network=london.backdrop, title=_title(day), trips=trips)
    else:
        request = MapRequest(journey, which.plan_index, others, london.backdrop)
        plans = [(journey, journey.plans[index]) for index in (which.plan_index, *others)]
    svg = draw_svg(request)
    html = draw_html(request, svg)
    name = _day_name(day) if day else _file_name(which, others)
    folder = folder_of(london.home, which.journey_id)
    page = write(folder, f"{name}.html", html.encode())
    image = write(folder, f"{name}.svg", svg.encode())
    picture = draw_png_apart(svg) if apart else draw_png(svg)
    if page.error and not picture:
        raise UnavailableError(page.error)
    shown = show(page.path) if show and page.path else None
    beside = f" beside {count(len(others), 'other plan')}" if others else ""
    of_plan = (
        f"{plan_name(which.plan_index)} from {name_of(journey.origin)} to "
        f"{name_of(journey.destination)}{beside}"
    )
    result = DrawnMap(
        answer=f"The map of {_said(day) if day else of_plan} is {_whereabouts(page, 'picture')}."
        f"{_told(day)}{caveats(journey)}",
        path=_text(page),
        svg_path=_text(image),
        path_error=page.error or image.error,
        legend=[leg_item(leg).summary or leg.mode for leg in plan.legs],
        source=journey.source,
        shown_in_browser=shown,
        notes=[lacking] if (lacking := fonts_missing()) else None,
        credit=journey.credit,
    )
    journeys = [one for one, _ in plans] if day else [journey]
    draft = prove(journeys, plans, legs=True, lines=london.line_names())
    narrow = [draw_svg(replace(request, width=WIDTHS[name])) for name in NARROW] if inline else []
    return Drawing(result, draft, svg, picture, dict(zip(NARROW, narrow, strict=False)))


def create_calendar(
    london: Region,
    owner: str,
    which: Which,
    *,
    per_leg: bool = False,
    alarm_minutes: int | None = None,
    recurrence: Recurrence = ONCE,
    until: str | None = None,
    whole_day: bool = False,
    names_map: bool = True,
) -> CalendarFile:
    """Write a plan as a calendar file, repeated where it recurs.

    With `until`, it recurs until that day, in words that name one. With `whole_day`, all trips of
    the handle are in one file, each with its own reminder. With `names_map`, each event names the
    map of the plan on this machine, if there is one.

    Raises:
        NotFoundError, InputError: the plan does not exist, or it cannot be repeated so.
        UnavailableError: the file cannot be written, and its text is too long for an answer.
    """
    journey, plan = kept_plan(london, owner, which)
    last = read_time(until, None, None, london.now()) if until else None
    recurrence = replace(recurrence, until=last.when.date() if last else None)
    folder = folder_of(london.home, which.journey_id)
    day = day_of(london, owner, which) if whole_day else None
    name = _day_name(day) if day else _file_name(which)
    map_path = folder / f"{name}.html"
    own = DayTrip(which.journey_index, which.plan_index, journey, plan)
    trips = day.trips if day else (own,)
    without = [
        days_without(
            one.plan, recurrence, london.runs_on, london.known_until(one.journey, one.plan)
        )
        for one in trips
    ]
    content = joined_calendars(
        calendar_for(
            one.plan,
            one.journey,
            uid_seed=f"{which.journey_id}/{one.index}/{one.plan_index}",
            per_leg=per_leg,
            alarm_minutes=alarm_minutes,
            recurrence=recurrence,
            excepted=days,
            map_uri=map_path.as_uri() if names_map and map_path.exists() else None,
            now=london.now(),
        )
        for one, days in zip(trips, without, strict=True)
    )
    journey = day.journey if day else journey
    written = write(folder, f"{name}{'-legs' if per_leg else ''}.ics", content)
    ics = content.decode()
    events = ics.count("BEGIN:VEVENT")
    whole = len(json.dumps(ics)) <= _LONGEST_CALENDAR
    if written.error and not whole:
        raise UnavailableError(written.error)
    again = f", {recurrence.told(plan.start)}" if recurrence else ""
    if recurrence.monthly == "date" and plan.start.day > _SHORTEST_MONTH:
        again += " (months without that day are left out)"
    of_plan = (
        f"from {name_of(journey.origin)} to {name_of(journey.destination)}, "
        f"{plan_name(which.plan_index)}"
    )
    of = f"of {_said(day)}" if day else of_plan
    left_out = f"{_without(without)}{_unseen(trips, recurrence, without, london)}"
    return CalendarFile(
        answer=f"{count(events, 'event')} {of}{again}: the calendar file is "
        f"{_whereabouts(written, 'text')}.{left_out}{_told(day)}{caveats(journey)}",
        path=_text(written),
        path_error=written.error,
        ics=ics if whole else "",
        events=events,
        source=journey.source,
        left_out=None if whole else f"ics: {written.path} holds all {len(ics):,} characters of it",
    )


def calendar_record(
    london: Region,
    owner: str,
    which: Which,
    file: CalendarFile,
    *,
    alarm_minutes: int | None = None,
    whole_day: bool = False,
) -> Draft:
    """Return the record of a calendar file: its plans, how many events it has, and its reminder.

    Raises:
        NotFoundError: the plan does not exist.
    """
    day = day_of(london, owner, which) if whole_day else None
    plans = [(one.journey, one.plan) for one in day.trips] if day else []
    plans = plans or [kept_plan(london, owner, which)]
    draft = prove([one for one, _ in plans], plans, legs=True, lines=london.line_names())
    called = other_names(PACKAGE, "values")
    told = [Value("calendar events", str(file.events), labels=called["events"])]
    if alarm_minutes is not None:
        before = called["reminder"]
        told.append(Value("reminder", str(alarm_minutes), unit="min", labels=before))
    return replace(draft, values=(*draft.values, *told))


def _without(days: Iterable[Sequence[date]]) -> str:
    """Say which days of a recurrence an entry leaves out, since its services do not run then."""
    found = sorted({one for each in days for one in each})
    if not found:
        return ""
    named = listed([spoken_day(one) for one in found], _MOST_DAYS_TOLD)
    return f" These services do not run on {named}: the entry leaves that out."


def _unseen(
    trips: Sequence[DayTrip],
    recurrence: Recurrence,
    without: Iterable[Sequence[date]],
    london: Region,
) -> str:
    """Say from when on an entry without an end leaves out no day, where it leaves out days."""
    if not any(without):
        return ""
    ends = [
        known
        for one in trips
        if not one.journey.holds_until
        and (known := london.known_until(one.journey, one.plan))
        and (recurrence.until is None or recurrence.until > known)
    ]
    return f" Days after {spoken_day(min(ends))} are not looked at." if ends else ""


def _whereabouts(file: Written, form: str) -> str:
    """Say where a file is, or that only its picture or text is in the answer."""
    if file.path is not None:
        return f"at {file.path}"
    return f"not written to a file, and its {form} is in this answer alone"


def _text(file: Written) -> str | None:
    """Return the path of a file as text, or None where it was not written."""
    return None if file.path is None else str(file.path)


def _title(day: Day) -> str:
    """Return the places of a day in their order."""
    places = [name_of(day.trips[0].journey.origin)]
    for one in day.trips:
        start, end = name_of(one.journey.origin), name_of(one.journey.destination)
        places += [end] if start == places[-1] else [start, end]
    return " → ".join(places)


def _said(day: Day) -> str:
    """Say which trips, and which plan of each, a map or a calendar has."""
    trips = [f"{one.name} ({plan_name(one.plan_index)})" for one in day.trips]
    date = spoken_day(day.trips[0].plan.start.date())
    return f"the {count(len(trips), 'trip')} of {date}, {listed(trips)}"


def _told(day: Day | None) -> str:
    """Say what of a day is left out, and which trips overlap."""
    return "".join(f" {one}" for one in (*day.left_out, *overlaps(day.trips))) if day else ""


def _day_name(day: Day) -> str:
    """How the files of a day are named: by the plan of each trip, from 1."""
    chosen = [one.plan_index + 1 for one in day.trips]
    return f"day-{len(chosen)}-trips-plans-{'-'.join(map(str, chosen))}"


def _file_name(which: Which, compared: Sequence[int] = ()) -> str:
    """How the files of a plan are named, without suffix; journeys and plans count from 1."""
    beside = f"-with-{'-'.join(str(index + 1) for index in compared)}" if compared else ""
    return f"journey-{which.journey_index + 1}-plan-{which.plan_index + 1}{beside}"
