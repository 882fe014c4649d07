"""Recorded line statuses, read whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from recorded import recorded, recorded_names

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.tfl.line_payload import (
    LineStatus,
    Status,
    Validity,
    read_line_statuses,
    read_moment,
)

STATUS_FILES = [
    "line/pydantic_lineStatusByMode_tube_overground_None_Line.json",
    "line/pydantic_lineStatusBySeverity_3_None_Line.json",
    "line/pydantic_lineStatus_piccadilly_northern_None_Line.json",
    "line/pydantic_routeByMode_tube_None_Line.json",
    "line/ridgeview_lineStatusDisrupted.json",
    "line/ridgeview_lineStatusesFuture.json",
    "line/ridgeview_lineStatusesToday.json",
]
BUNDLES = ["line/alexa_tfl-line-severities.bundle.json", "line/alexa_tfl-line-statuses.bundle.json"]
OTHER_FILES = [
    "line/pydantic_lineDisruptionsByMode_tube_overground_None_Line.json",
    "line/pydantic_lineMetaModes_None_None_Mode.json",
    "line/pydantic_routeSequence_victoria_inbound.json",
]


def answers() -> Iterator[Any]:
    yield from (recorded(name) for name in STATUS_FILES)
    for name in BUNDLES:
        yield from (item["contentJson"] for item in recorded(name)["items"])


def london(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=LONDON)  # type: ignore[arg-type]


def only(name: str, line_id: str) -> LineStatus:
    found = [line for line in read_line_statuses(recorded(name)).lines if line.line_id == line_id]
    assert len(found) == 1
    return found[0]


def test_every_recording_of_lines_is_looked_at_here() -> None:
    assert set(recorded_names("line")) == {*STATUS_FILES, *BUNDLES, *OTHER_FILES}


def test_of_every_recorded_status_each_text_and_period_is_kept() -> None:
    lines = statuses = 0
    for payload in answers():
        sent = [payload] if isinstance(payload, dict) else payload
        read = read_line_statuses(payload)
        assert read.unread == ()
        assert [line.line_id for line in read.lines] == [entry["id"] for entry in sent]
        for entry, line in zip(sent, read.lines, strict=True):
            assert (line.line, line.mode) == (entry["name"], entry["modeName"])
            said = {json.dumps(one, sort_keys=True) for one in entry["lineStatuses"]}
            assert len(line.statuses) == len(said)
            for one in entry["lineStatuses"]:
                match = next(
                    status
                    for status in line.statuses
                    if status.severity == one["statusSeverity"]
                    and status.reason == " ".join(one.get("reason", "").split())
                )
                disruption = one.get("disruption", {})
                assert match.description == one["statusSeverityDescription"]
                assert match.category == disruption.get("category", "")
                assert bool(match.advice) == bool(disruption.get("additionalInfo"))
                assert len(match.validity) == len(one["validityPeriods"])
                statuses += 1
            lines += 1
    assert (lines, statuses) == (104, 96)


def test_the_worst_status_of_a_line_comes_first() -> None:
    line = only("line/ridgeview_lineStatusesToday.json", "elizabeth")
    assert [one.description for one in line.statuses] == ["Part Suspended", "Severe Delays"]
    assert line.worst is line.statuses[0]
    assert not line.statuses[0].planned


def test_a_planned_closure_says_when_it_holds_in_london_time() -> None:
    line = only("line/ridgeview_lineStatusDisrupted.json", "weaver")
    assert line.worst is not None
    assert line.worst.planned
    assert line.worst.begins == london(2023, 10, 15, 4, 30)
    assert line.worst.ends == london(2023, 10, 15, 10, 15)
    assert line.at(london(2023, 10, 15, 9, 0)) == line.worst
    assert line.at(london(2023, 10, 10, 9, 0)) is None
    assert line.worst.advice.startswith("Replacement buses operate")
    assert "\u00a0" not in line.statuses[1].advice


def test_periods_that_meet_are_one_spell_and_others_are_not() -> None:
    line = only("line/ridgeview_lineStatusesFuture.json", "waterloo-city")
    assert line.worst is not None
    assert len(line.worst.validity) == 3
    assert line.worst.spells == (
        Validity(london(2023, 10, 21, 0, 30), london(2023, 10, 23, 0, 45)),
    )
    weekends = Status(
        5,
        "Part Closure",
        validity=(
            Validity(london(2026, 11, 28, 1), london(2026, 11, 29, 23)),
            Validity(london(2026, 12, 5, 1), london(2026, 12, 6, 23)),
        ),
    )
    assert len(weekends.spells) == 2
    assert not weekends.holds(london(2026, 12, 1, 9))
    assert weekends.spell(london(2026, 12, 1, 9)) == weekends.spells[1]
    assert weekends.spell(london(2027, 1, 1, 9)) == weekends.spells[1]


def test_a_line_without_a_status_is_not_given_one() -> None:
    read = read_line_statuses(recorded("line/pydantic_routeByMode_tube_None_Line.json"))
    assert len(read.lines) == 11
    assert all(line.worst is None for line in read.lines)


@pytest.mark.parametrize("name", OTHER_FILES[1:])
def test_what_says_nothing_of_how_lines_run_is_refused(name: str) -> None:
    with pytest.raises(UnavailableError, match="other than the status of lines"):
        read_line_statuses(recorded(name))


@pytest.mark.parametrize("payload", ["<html>", 7, None, [None], [{"id": "x"}], {"message": "no"}])
def test_other_payloads_are_refused(payload: object) -> None:
    with pytest.raises(UnavailableError):
        read_line_statuses(payload)


def test_what_cannot_be_read_is_told_beside_what_can() -> None:
    """Synthetic: no recorded payload is broken."""
    good = {"id": "victoria", "name": "Victoria", "modeName": "tube"}
    read = read_line_statuses(
        [
            {
                **good,
                "lineStatuses": [
                    {"statusSeverity": 10, "statusSeverityDescription": "Good Service"},
                    {"reason": "no severity"},
                    "text",
                ],
            },
            {"name": "no id"},
        ]
    )
    assert [line.line_id for line in read.lines] == ["victoria"]
    assert len(read.lines[0].statuses) == 1
    assert read.unread == (
        "status 2 of victoria has no severity",
        "status 3 of victoria has no severity",
        "entry 2 names no line",
    )


def test_affected_stops_and_routes_are_kept() -> None:
    """Synthetic: the recorded ones are empty."""
    status = {
        "statusSeverity": 5,
        "statusSeverityDescription": "Part Closure",
        "reason": "No <b>service</b>",
        "disruption": {
            "category": "PlannedWork",
            "affectedStops": [
                {"commonName": "Oval"},
                {"id": "940GZZLUSKW"},
                {"commonName": "Oval"},
            ],
            "affectedRoutes": [{"name": "Morden - Edgware"}],
        },
    }
    read = read_line_statuses([{"id": "northern", "name": "Northern", "lineStatuses": [status]}])
    worst = read.lines[0].worst
    assert worst is not None
    assert worst.stops == ("Oval", "940GZZLUSKW")
    assert worst.routes == ("Morden - Edgware",)
    assert worst.reason == "No service"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2027-07-01T08:00:00Z", london(2027, 7, 1, 9, 0)),
        ("2027-01-01T08:00:00", london(2027, 1, 1, 8, 0)),
        ("0001-01-01T00:00:00", None),
        ("soon", None),
        (None, None),
    ],
)
def test_moments_of_the_live_services_are_utc(written: object, meant: datetime | None) -> None:
    assert read_moment(written) == meant
