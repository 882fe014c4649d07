"""What records of line status and arrivals state beside their values."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from opened import done, opened
from replay import Replay

from groundwire.evidence.records import Draft, Statement
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London
from groundwire.journeys.reporting import arrivals, line_status

EVENING = datetime(2024, 11, 26, 18, 0, tzinfo=LONDON)


@pytest.fixture
def online(tmp_path: Path, replay: Replay) -> Iterator[London]:
    london = opened(tmp_path / "online", replay.url, EVENING)
    yield london
    london.close()


def of(draft: Draft, kind: str, predicate: str = "") -> list[Statement]:
    return [
        one
        for one in draft.statements
        if one.kind == kind and (not predicate or predicate in one.predicate)
    ]


def standing(draft: Draft, words: str) -> list[Statement]:
    """The sets of lines that stand so."""
    return [
        one
        for one in of(draft, "scope")
        if any(words in names for each in one.conditions for names in each.objects)
    ]


def line(name: str, *statuses: tuple[int, str, str], mode: str = "tube") -> dict[str, Any]:
    """A line of TfL's answer: severity, description and reason of each status."""
    return {
        "id": name.casefold(),
        "name": name,
        "modeName": mode,
        "lineStatuses": [
            {"statusSeverity": severity, "statusSeverityDescription": said, "reason": reason}
            for severity, said, reason in statuses
        ],
    }


def status(online: London, replay: Replay, *lines: dict[str, Any]) -> Draft:
    ids = ",".join(one["id"] for one in lines)
    replay.answer(f"/Line/{ids}/Status", list(lines))
    result, draft = done(online, line_status, [one["id"] for one in lines], (), 0)
    assert draft is not None, result.answer
    return draft


def test_lines_that_stand_alike_are_sets_with_their_counts(online: London) -> None:
    result, draft = done(online, line_status, (), (), 0)
    assert draft is not None and "3 of 20 lines are disrupted" in result.answer
    (disrupted,) = standing(draft, "disrupted")
    assert [names[0] for names in disrupted.objects] == [
        "Elizabeth line",
        "Jubilee line",
        "Windrush line",
    ]
    assert disrupted.complete == "all_listed"
    assert disrupted.value is not None and draft.values[disrupted.value].value == "3"
    (good,) = standing(draft, "runs well")
    assert good.value is not None and draft.values[good.value].value == "17"
    everything = of(draft, "scope")[0]
    assert everything.value is not None and draft.values[everything.value].value == "20"
    # It is said of those that were told of, not of all lines that there are.
    assert all(one.conditions[0].predicate == ("told of",) for one in of(draft, "scope"))


def test_a_line_has_the_statuses_that_hold_now(online: London) -> None:
    _, draft = done(online, line_status, (), (), 0)
    assert draft is not None
    statuses = {one.subject[0]: one for one in of(draft, "relation", "status")}
    elizabeth = statuses["Elizabeth line"]
    assert [names[0] for names in elizabeth.objects] == ["Part Suspended", "Severe Delays"]
    assert "starke Verspätungen" in elizabeth.objects[1]
    assert elizabeth.complete == "all_listed"
    assert statuses["Victoria line"].objects[0][0] == "Good Service"
    assert elizabeth.conditions[0].objects == (("18:00", "2024-11-26"),)


def test_only_a_line_that_runs_well_has_no_disruption(online: London, replay: Replay) -> None:
    draft = status(
        online,
        replay,
        line("Victoria", (10, "Good Service", "")),
        line("Jubilee", (9, "Minor Delays", "Jubilee Line: Minor delays.")),
    )
    absent = {one.subject for one in of(draft, "absence", "disruption")}
    assert absent == {("Victoria line", "Victoria")}
    # Nothing was asked about other lines, so nothing is stated of them.
    assert not any("Central" in name for one in draft.statements for name in one.subject)


def test_planned_works_are_no_unplanned_disruption(online: London, replay: Replay) -> None:
    draft = status(online, replay, line("Victoria", (4, "Planned Closure", "Works.")))
    assert of(draft, "absence", "disruption") == []
    assert len(of(draft, "absence", "unplanned disruption")) == 1
    (works,) = of(draft, "relation", "planned works")
    assert works.objects == (("Planned Closure",),)
    with_works = [one for one in of(draft, "scope") if one.conditions[-1].operator == "exists"]
    assert with_works[-1].value is not None
    assert draft.values[with_works[-1].value].value == "1"


def test_works_beside_delays_do_not_hide_them(online: London, replay: Replay) -> None:
    draft = status(
        online,
        replay,
        line("Victoria", (4, "Planned Closure", "Works."), (6, "Severe Delays", "A fault.")),
    )
    assert of(draft, "absence") == []


def test_a_line_that_tfl_is_silent_about_has_no_status(online: London, replay: Replay) -> None:
    replay.answer("/Line/victoria,jubilee/Status", [line("Victoria", (10, "Good Service", ""))])
    result, draft = done(online, line_status, ("victoria", "jubilee"), (), 0)
    assert draft is not None and "TfL says nothing about Jubilee line" in result.answer
    (absence,) = of(draft, "absence", "status")
    assert absence.subject == ("Jubilee line",)


def test_the_report_is_from_tfl(online: London) -> None:
    _, draft = done(online, line_status, (), (), 0)
    assert draft is not None
    assert [one.subject[:2] for one in of(draft, "source")] == [("TfL live services", "TfL")]


STOP = "490000001Z"


def board(replay: Replay, *services: dict[str, Any]) -> None:
    replay.answer(f"/StopPoint/{STOP}", {
        "id": STOP, "commonName": "Zorblax Road", "modes": ["bus"],
        "lines": [{"id": "73", "name": "73", "modeName": "bus"}],
    })  # fmt: skip
    replay.answer("/StopPoint/Search", {"matches": [
        {"id": STOP, "name": "Zorblax Road", "modes": ["bus"], "lat": 51.5, "lon": 0.1}
    ]})  # fmt: skip
    replay.answer(f"/StopPoint/{STOP}/Arrivals", list(services))


def coming(minutes: int, destination: str = "Stoke Newington") -> dict[str, Any]:
    expected = (EVENING + timedelta(minutes=minutes)).isoformat()
    return {
        "id": f"p{minutes}", "vehicleId": f"V{minutes}", "naptanId": STOP,
        "stationName": "Zorblax Road", "lineId": "73", "lineName": "73", "modeName": "bus",
        "destinationName": destination, "platformName": "R", "expectedArrival": expected,
        "timestamp": EVENING.isoformat(),
    }  # fmt: skip


def test_arrivals_are_parts_in_their_order(online: London, replay: Replay) -> None:
    board(replay, coming(8), coming(3), coming(14, "Oxford Circus"))
    result, draft = done(online, arrivals, "ada", "Zorblax Road", (), 2)
    assert draft is not None
    (listed,) = of(draft, "scope")
    assert listed.complete == "all_counted"
    assert listed.value is not None and draft.values[listed.value].value == "3"
    assert listed.conditions[0].objects[0][0] == "Zorblax Road"
    first, second = of(draft, "part")
    assert (first.position, second.position) == (1, 2)
    told = {one.predicate[0]: one.objects[0][0] for one in first.conditions}
    assert told["line"] == "bus 73" and told["to"] == "Stoke Newington"
    assert (told["expected"], told["minutes"]) == ("18:03", "3")
    assert "2 more follow" in result.answer
    assert {one.value for one in draft.values if "follow" in one.name} == {"2"}


def test_a_silent_board_has_no_arrivals(online: London, replay: Replay) -> None:
    board(replay)
    replay.answer("/Line/73/Status", [line("73", (10, "Good Service", ""), mode="bus")])
    _, draft = done(online, arrivals, "ada", "Zorblax Road", ("73",), 12)
    assert draft is not None
    (absence,) = of(draft, "absence")
    assert (absence.subject[0], absence.predicate[0]) == ("Zorblax Road", "arrival")
    assert absence.conditions[0].objects[0][0] == "bus 73"
    assert of(draft, "scope") == []
