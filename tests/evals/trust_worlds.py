"""The worlds that the cases of `trust.py` are asked in: the embedded one, and small ones.

A world is written into a temporary folder from the files of `trust_cases/worlds`. What is made of a
template there is made twice, in other words, so that nothing hangs on a name.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from string import Template
from typing import Any
from zoneinfo import ZoneInfo

from groundwire.cli import main
from groundwire.config import Settings

FILES = Path(__file__).parent / "trust_cases" / "worlds"
LONDON = ZoneInfo("Europe/London")
_TFL = "Tfl.Api.Presentation.Entities"


def open_world(name: str, spec: Mapping[str, Any], folder: Path, url: str = "offline") -> Settings:
    """Write a world, and return the settings of servers that serve it.

    Args:
        name: of the world.
        spec: its table in `worlds.toml`; empty for the embedded data.
        folder: where it is written.
        url: of the TfL API that is asked.
    """
    home = folder / "home" / name
    home.mkdir(parents=True)
    made = folder / name
    made.mkdir()
    words = {key: str(value) for key, value in spec.get("words", {}).items()}
    paths = {
        file: _written(FILES / file, made / Path(file).name, words)
        for file in spec.get("files", ())
    }
    given: dict[str, Any] = {}
    for setting in ("profile", "endpoints"):
        if setting in spec:
            given[setting] = paths[spec[setting]]
    for setting in ("shapes", "assets"):
        if setting in spec:
            given[setting] = (str(paths[spec[setting]]),)
    if "facts" in spec:
        given["facts"] = made / "facts.sqlite"
        run_command(
            "metrics", "import", str(paths[spec["facts"]]),
            "--mapping", str(paths[spec["mapping"]]),
            "--profile", str(given["profile"]), "--facts", str(given["facts"]),
        )  # fmt: skip
    return Settings(home=home, tfl_base_url=url, log_level="error", **given)


def run_command(*words: str, must_end_well: bool = True) -> tuple[int, str]:
    """Run `groundwire` in this process; the exit code and all that it printed."""
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    if code and must_end_well:
        raise SystemExit(f"groundwire {' '.join(words)} ended with {code}:\n{printed.getvalue()}")
    return code, printed.getvalue()


def _written(source: Path, target: Path, words: Mapping[str, str]) -> Path:
    if words:
        target.write_text(Template(source.read_text("utf-8")).substitute(words), "utf-8")
    else:
        shutil.copyfile(source, target)
    return target


def itinerary(spec: Mapping[str, Any], now: datetime | None = None) -> dict[str, Any]:
    """The payload of a journey search in the shape of the TfL API, made up from a short table.

    Args:
        spec: `plans`, each with `legs` of {from, to, line, mode, minutes, disruptions, works}. All
            begin on the day after `now` at 10:00.
        now: the present moment in London; default: that of the clock.
    """
    start = _tomorrow(now)
    return {
        "$type": f"{_TFL}.JourneyPlanner.ItineraryResult, {_TFL}",
        "journeys": [_journey(plan, start) for plan in spec["plans"]],
        "lines": [],
        "stopMessages": [],
        "recommendedMaxAgeMinutes": 2,
        "searchCriteria": {"dateTime": start.isoformat(), "dateTimeType": "Departing"},
        "journeyVector": {"from": "synthetic", "to": "synthetic", "via": "", "uri": "/synthetic"},
    }


def line_statuses(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The payload of line statuses in the shape of the TfL API."""
    return [
        {
            "$type": f"{_TFL}.Line, {_TFL}",
            "id": one["id"],
            "name": one["name"],
            "modeName": one.get("mode", "tube"),
            "disruptions": [],
            "lineStatuses": [
                {
                    "$type": f"{_TFL}.LineStatus, {_TFL}",
                    "id": 0,
                    "statusSeverity": status["severity"],
                    "statusSeverityDescription": status["description"],
                    "reason": status.get("reason", ""),
                    "lineId": one["id"],
                    "validityPeriods": [],
                }
                for status in one["statuses"]
            ],
            "routeSections": [],
            "serviceTypes": [],
        }
        for one in spec["lines"]
    ]


def _tomorrow(now: datetime | None) -> datetime:
    today = (now or datetime.now(LONDON)).replace(tzinfo=None)
    return (today + timedelta(days=1)).replace(hour=10, minute=0, second=0, microsecond=0)


def _journey(plan: Mapping[str, Any], start: datetime) -> dict[str, Any]:
    at = start
    legs: list[dict[str, Any]] = []
    for leg in plan["legs"]:
        until = at + timedelta(minutes=leg.get("minutes", 10))
        legs.append(_leg(leg, at, until))
        at = until
    minutes = round((at - start).total_seconds() / 60)
    return {
        "startDateTime": start.isoformat(),
        "duration": minutes,
        "arrivalDateTime": at.isoformat(),
        "alternativeRoute": False,
        "legs": legs,
    }


def _leg(leg: Mapping[str, Any], start: datetime, end: datetime) -> dict[str, Any]:
    mode = leg.get("mode", "tube")
    line = leg.get("line", "")
    identifier = {"id": line.casefold(), "name": line, "uri": f"/Line/{line}", "type": "Line"}
    option = {"name": line, "directions": [""], "direction": ""}
    return {
        "duration": round((end - start).total_seconds() / 60),
        "instruction": {
            "summary": f"{line or mode} to {leg['to']['name']}",
            "detailed": f"{line or mode} to {leg['to']['name']}",
            "steps": [],
        },
        "obstacles": [],
        "departureTime": start.isoformat(),
        "arrivalTime": end.isoformat(),
        "departurePoint": _point(leg["from"]),
        "arrivalPoint": _point(leg["to"]),
        "path": {"lineString": "", "stopPoints": [], "elevation": []},
        "routeOptions": [option | ({"lineIdentifier": identifier} if line else {})],
        "mode": {"id": mode, "name": mode, "type": "Mode", "network": "tfl"},
        "disruptions": [
            {
                "category": one["category"],
                "type": one.get("type", "lineInfo"),
                "categoryDescription": one["category"],
                "description": one["description"],
                "summary": "",
                "additionalInfo": "",
                "created": start.isoformat(),
                "lastUpdate": start.isoformat(),
            }
            for one in leg.get("disruptions", ())
        ],
        "plannedWorks": [],
        "distance": 400.0,
        "isDisrupted": bool(leg.get("disruptions")),
        "hasFixedLocations": True,
        "scheduledDepartureTime": start.isoformat(),
        "scheduledArrivalTime": end.isoformat(),
    }


def _point(place: Mapping[str, Any]) -> dict[str, Any]:
    stop = {"naptanId": place["id"], "icsCode": place["ics"]} if "id" in place else {}
    kind = "StopPoint" if stop else "Place"
    return {
        "$type": f"{_TFL}.{kind}, {_TFL}",
        "platformName": "",
        "icsCode": place.get("ics", ""),
        "commonName": place["name"],
        "placeType": kind,
        "additionalProperties": [],
        "lat": place["lat"],
        "lon": place["lon"],
        **stop,
    }
