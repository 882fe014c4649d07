"""The demo of the journeys server: on the embedded network, and in a city by its timetable."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

from groundwire.cli.demo import Answer, Exchange, Part

_CITY = "lindow"


def _first_plan(answers: list[Answer]) -> dict[str, Any]:
    return _plan_of(answers, 0) | {"detail": "full"}


def _first_map(answers: list[Answer]) -> dict[str, Any]:
    return _plan_of(answers, 0) | {"compare_plan_indices": [1]}


def _whole_day(answers: list[Answer]) -> dict[str, Any]:
    return {"journey_id": _day(answers).get("journey_id", "none"), "whole_day": True}


def _widths(answer: Answer) -> tuple[str, Any]:
    """The drawings of a page of a map as pictures, one for each width that it is drawn for."""
    from groundwire.journeys.artefacts.map_html import WIDTHS
    from groundwire.journeys.artefacts.map_png import draw_png

    page = Path(answer["path"])
    text = page.read_text("utf-8")
    made: list[str] = []
    for name, width in WIDTHS.items():
        found = re.search(rf'<svg[^>]*class="gw {name}".*?</svg>', text, re.DOTALL)
        if found is not None:
            picture = page.with_name(f"{page.stem}-{name}.png")
            picture.write_bytes(draw_png(found[0]))
            made.append(f"{name}, {width:.0f} px: {picture.name}")
    return "pictures beside it", made


def _last_calendar(answers: list[Answer]) -> dict[str, Any]:
    return _plan_of(answers, 2) | {"alarm_minutes": 15}


def _plan_of_city(answers: list[Answer]) -> dict[str, Any]:
    return _plan_of(answers, 0)


def _rule(answer: Answer) -> tuple[str, Any]:
    """The rule by which the event of a calendar file repeats."""
    rules = [line for line in answer.get("ics", "").splitlines() if line.startswith("RRULE:FREQ=W")]
    return "ics", next(iter(rules), "")


def _every_other_week(answers: list[Answer]) -> dict[str, Any]:
    return _plan_of(answers, 0) | {"repeat_weeks": 2}


def _import_city(home: Path) -> list[str]:
    """Import the timetable of an invented city, as `groundwire journeys import` does."""
    from groundwire.cli.demos.town import write_feed
    from groundwire.cli.journeys import summary
    from groundwire.cli.terminal import labelled_bar
    from groundwire.journeys.timetable.importing import import_feed

    home.mkdir(parents=True, exist_ok=True)
    feed = home / f"{_CITY}.zip"
    write_feed(feed, date.today())
    with labelled_bar() as told:
        info = import_feed(feed, _CITY, home, told)
    return [
        "# Any city that publishes its timetable (GTFS); this one is invented",
        f"   $ groundwire journeys import {feed.name} --name {_CITY}",
        *(f"   {line}" for line in summary(info)),
        f"   $ GROUNDWIRE_JOURNEYS={_CITY} groundwire serve journeys",
    ]


def _plan_of(answers: list[Answer], journey: int) -> dict[str, Any]:
    day = _day(answers).get("journey_id", "none")
    return {"journey_id": day, "journey_index": journey, "plan_index": 0}


def _day(answers: list[Answer]) -> Answer:
    """The trips of the day; empty where a service that the user named planned none."""
    nothing: Answer = {}
    return next((one for one in answers if one.get("journey_id")), nothing)


def _a_claim(answers: list[Answer]) -> dict[str, Any]:
    """A draft with the true departure of the first plan, and an arrival that none has."""
    day = _day(answers)
    plans: list[Any] = day["journeys"][0]["plans"] if day else []
    leave: str = plans[0]["start"][11:16] if plans else "09:00"
    return {
        "draft": f"Leave at {leave}, and you arrive at Tate Modern at 09:41.",
        "evidence_ids": [day["evidence_id"]] if day.get("evidence_id") else [],
    }


SCRIPT = [
    Exchange(
        "Home has a name from now on, and slow walking holds for every journey",
        "set_default_journey_parameters",
        {"places": {"home": "Kentish Town station"}, "walking_speed": "slow"},
    ),
    Exchange(
        "A day: at Tate Modern for 10:00, then on to Kew Gardens, home by early evening",
        "compute_journey_plans",
        {
            "date": "tomorrow",
            "trips": [
                {
                    "starting_point": "home",
                    "destination": "Tate Modern",
                    "time": "10:00",
                    "time_is": "arriving",
                },
                {"destination": "Kew Gardens", "time": "1pm"},
                {"destination": "home", "time": "early evening", "time_is": "arriving"},
            ],
        },
        ("source", "journeys", "assumptions"),
    ),
    Exchange("The first of them in words", "get_computed_journey_plan", _first_plan, ("text",)),
    Exchange(
        "Its map, beside that of the second plan: an image for the model, files for the user",
        "draw_map_for_plan",
        _first_map,
        ("svg_path", "legend"),
    ),
    Exchange(
        "The way home as a calendar file, with a reminder",
        "create_ics_file_for_plan",
        _last_calendar,
        ("events",),
    ),
    Exchange(
        "One map of the whole day, drawn for a phone, for a chat pane and for a wide screen",
        "draw_map_for_plan",
        _whole_day,
        (_widths,),
    ),
    Exchange(
        "Half an hour by what is known; the train of 7 minutes is not known, and that is said",
        "compute_journey_plans",
        {
            "starting_point": "Clapham Junction",
            "destination": "Victoria",
            "date": "tomorrow",
            "time": "9:00",
        },
        ("journeys", "notes"),
    ),
    Exchange(
        "A nickname is known; a name of several stations is asked back, and planned for each",
        "compute_journey_plans",
        {"starting_point": "Kings X", "destination": "Heathrow", "time": "6am", "date": "tomorrow"},
        ("corrections", "options"),
    ),
    Exchange(
        "A misspelt name, without one line: corrected, and told",
        "compute_journey_plans",
        {
            "starting_point": "Padington",
            "destination": "Canary Wharf",
            "date": "tomorrow",
            "time": "noon",
            "avoid_lines": ["Elizabeth"],
        },
        ("corrections", "journeys"),
    ),
    Exchange(
        "A mode that does not exist is refused with the nearest",
        "compute_journey_plans",
        {"starting_point": "home", "destination": "Brixton", "mode": ["tub"]},
    ),
    Exchange(
        "A station by a name that is nearly right",
        "find_stops",
        {"query": "Totenham Cort Road"},
        ("stops",),
    ),
    Exchange(
        "How does the Victoria line run? Without TfL's live service nobody knows, so nobody says",
        "get_line_status",
        {"lines": ["Victoria"]},
    ),
    Exchange(
        "Before a user sees a draft, it is checked: its time of arrival is invented",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]

CITY = [
    Exchange(
        "A way by the timetable: it says who planned, and until when the timetable holds",
        "compute_journey_plans",
        {
            "starting_point": "Windmill Hill",
            "destination": "Heron Island",
            "date": "tomorrow",
            "time": "9:30",
        },
        ("source", "journeys", "notes"),
    ),
    Exchange(
        "The same, but not past the Old Market: only the night bus goes another way",
        "compute_journey_plans",
        {
            "starting_point": "Windmill Hill",
            "destination": "Heron Island",
            "date": "tomorrow",
            "time": "9:30",
            "avoid_stops": ["Old Market"],
        },
        ("journeys",),
    ),
    Exchange(
        "The last connection of the day, which runs after midnight",
        "compute_journey_plans",
        {
            "starting_point": "University",
            "destination": "Harbour",
            "date": "tomorrow",
            "adjustment": "TripLast",
        },
        ("journeys",),
    ),
    Exchange("The map of the first", "draw_map_for_plan", _plan_of_city, ("legend",)),
    Exchange(
        "Its calendar file, every other week until the timetable ends",
        "create_ics_file_for_plan",
        _every_other_week,
        ("events", _rule),
    ),
]
PARTS = [Part(_import_city, {"GROUNDWIRE_JOURNEYS": _CITY}, CITY)]
