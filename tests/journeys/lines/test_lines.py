"""How the lines run, from recorded answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import anyio
import pytest
from recorded import recorded

from groundwire.errors import InputError, UnavailableError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.running import LineReport, get_line_status

TODAY = "line/ridgeview_lineStatusesToday.json"
FUTURE = "line/ridgeview_lineStatusesFuture.json"
CLOSED = "line/alexa_tfl-line-statuses.bundle.json"


def london(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=LONDON)  # type: ignore[arg-type]


class Answers:
    """A source that answers with one payload, as far as it was asked for, and keeps the calls."""

    def __init__(self, payload: Any) -> None:
        self.payload = payload
        self.calls: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    async def line_status(self, lines: Sequence[str], modes: Sequence[str]) -> Any:
        self.calls.append((tuple(lines), tuple(modes)))
        if not isinstance(self.payload, list):
            return self.payload
        return [one for one in self.payload if one["id"] in lines or one["modeName"] in modes]

    async def stop(self, stop_id: str) -> Any:
        raise AssertionError("no stop is needed")

    async def arrivals(self, stop_id: str) -> Any:
        raise AssertionError("no board is needed")


def asked(
    payload: Any, now: datetime, lines: Sequence[str] = (), modes: Sequence[str] = ()
) -> LineReport:
    async def ask() -> LineReport:
        return await get_line_status(Answers(payload), now=now, lines=lines, modes=modes)

    return anyio.run(ask)


def test_the_worst_line_comes_first() -> None:
    report = asked(recorded(TODAY), london(2024, 11, 26, 18, 0))
    assert report.answer == (
        "3 of 20 lines are disrupted: Elizabeth line (Part Suspended), Jubilee line (Minor Delays)"
        " and Windrush line (Minor Delays); 17 run well now."
    )
    assert [state.line.line_id for state in report.states[:3]] == [
        "elizabeth",
        "jubilee",
        "windrush",
    ]
    assert len(report.standing("good")) == 17


def test_one_line_is_told_with_its_reason_and_for_how_long() -> None:
    report = asked(recorded(TODAY), london(2024, 11, 26, 18, 0), ["Lizzie line"])
    assert report.answer == (
        "Elizabeth line: Part Suspended, until 20:37 (No service between Paddington and Abbey Wood"
        " while we deal with a signalling systems fault)."
    )


def test_planned_works_are_told_apart_from_disruptions() -> None:
    report = asked(recorded(FUTURE), london(2023, 10, 20, 9, 0), modes=["dlr", "tram"])
    assert report.answer == (
        "None of 2 lines has an unplanned disruption; 2 have planned works: DLR (Part Closure, from"
        " 04:30 on Sunday 22 October to 01:29 on Monday 23 October) and Tram (Part Closure, from"
        " 04:30 on Saturday 21 October to 01:29 on Monday 30 October)."
    )
    assert report.standing("disrupted") == ()
    assert [state.holds for state in report.states] == [False, False]


def test_of_planned_works_those_that_hold_now_come_first() -> None:
    report = asked(recorded(FUTURE), london(2023, 10, 21, 9, 0))
    assert [state.line.line_id for state in report.states[:5]] == [
        "waterloo-city",
        "tram",
        "dlr",
        "windrush",
        "elizabeth",
    ]
    assert [state.holds for state in report.states[:5]] == [True, True, False, False, False]


def test_a_service_that_is_closed_for_the_night_is_no_disruption() -> None:
    items = recorded(CLOSED)["items"]
    payload = [line for item in items for line in item["contentJson"]]
    report = asked(payload, london(2019, 10, 20, 10, 0), modes=["tube"])
    assert report.answer == (
        "None of 11 tube lines has an unplanned disruption; 2 have planned works: Circle line (Part"
        " Closure, until 02:29 on Monday 21 October) and District line (Part Closure, until 02:29"
        " on Monday 21 October); 1 is closed at this hour: Waterloo & City line; 8 run well"
        " now."
    )


def test_one_of_several_and_all_of_several() -> None:
    payload = recorded("line/pydantic_lineStatusByMode_tube_overground_None_Line.json")
    now = london(2024, 7, 15, 16, 0)
    some = asked(payload, now, ["Central", "Victoria", "Northern"])
    assert some.answer == (
        "1 of 3 tube lines is disrupted: Central line (Minor Delays); 2 run well now."
    )
    assert asked(payload, now, ["Victoria", "Northern"]).answer == (
        "All 2 tube lines have a good service."
    )
    assert asked(payload, now, ["Victoria"]).answer == "Victoria line: Good Service."


def test_a_line_that_tfl_does_not_tell_of_is_missing_not_good() -> None:
    payload = recorded("line/pydantic_lineStatusByMode_tube_overground_None_Line.json")
    report = asked(payload, london(2024, 7, 15, 16, 0), ["Victoria", "DLR"])
    assert report.missing == ("DLR",)
    assert report.answer == "Victoria line: Good Service; TfL says nothing about DLR."
    nothing = asked([], london(2024, 7, 15, 16, 0), ["DLR"])
    assert not nothing.known
    assert nothing.answer == "TfL says nothing about DLR."


def test_lines_without_a_status_are_not_said_to_run() -> None:
    payload = recorded("line/pydantic_routeByMode_tube_None_Line.json")
    report = asked(payload, london(2024, 7, 15, 16, 0), modes=["tube"])
    assert report.answer.startswith("11 have no status from TfL: Bakerloo line,")
    assert "good" not in report.answer


def test_without_names_the_rail_lines_are_asked_for() -> None:
    source = Answers([])

    async def ask() -> None:
        await get_line_status(source, now=london(2026, 11, 21, 9))
        await get_line_status(source, now=london(2026, 11, 21, 9), lines=["Vic"], modes=["tram"])

    anyio.run(ask)
    assert source.calls == [
        ((), ("tube", "dlr", "overground", "elizabeth-line", "tram")),
        (("victoria",), ()),
        ((), ("tram",)),
    ]


def test_offline_nothing_is_presumed() -> None:
    async def ask() -> LineReport:
        return await get_line_status(None, now=london(2026, 11, 21, 9), lines=["Victoria"])

    report = anyio.run(ask)
    assert not report.known
    assert report.states == ()
    assert report.as_of is None, "nothing is told, of no moment"
    assert "cannot be known" in report.answer
    assert "good" not in report.answer.casefold()


def test_a_wrong_name_is_refused_also_offline() -> None:
    async def ask() -> LineReport:
        return await get_line_status(None, now=london(2026, 11, 21, 9), lines=["Fleet"])

    with pytest.raises(InputError, match="no line 'Fleet'"):
        anyio.run(ask)


def test_an_answer_that_is_no_line_status_is_an_error() -> None:
    with pytest.raises(UnavailableError):
        asked({"message": "nothing of the sort"}, london(2026, 11, 21, 9))


def test_a_live_status_holds_as_long_as_tfl_sends_it() -> None:
    report = asked(recorded(TODAY), london(2026, 11, 21, 9, 0), ["Jubilee"])
    assert report.states[0].holds
    assert report.answer == "Jubilee line: Minor Delays (Minor delays due to train cancellations)."


def test_works_to_come_are_told_beside_a_good_service() -> None:
    """Synthetic: no recording has both."""
    works = {
        "statusSeverity": 5,
        "statusSeverityDescription": "Part Closure",
        "reason": "Victoria Line: no service north of Euston.",
        "validityPeriods": [
            {"fromDate": "2026-11-29T04:30:00Z", "toDate": "2026-11-29T23:59:00Z", "isNow": False}
        ],
        "disruption": {"category": "PlannedWork"},
    }
    good = {"statusSeverity": 10, "statusSeverityDescription": "Good Service"}
    line = {"id": "victoria", "name": "Victoria", "modeName": "tube"}
    other = {"id": "central", "name": "Central", "modeName": "tube", "lineStatuses": [good]}
    payload = [{**line, "lineStatuses": [works, good]}, other]
    now = london(2026, 11, 21, 9, 0)
    assert asked(payload, now, ["Victoria"]).answer == (
        "Victoria line: Good Service; planned: Part Closure, from 04:30 on Sunday 29 November to"
        " 23:59."
    )
    assert asked(payload, now, modes=["tube"]).answer == (
        "None of 2 tube lines has an unplanned disruption; 1 has planned works: Victoria line (Part"
        " Closure, from 04:30 on Sunday 29 November to 23:59); 2 run well now."
    )
    during = asked(payload, london(2026, 11, 29, 9, 0), ["Victoria"])
    assert during.answer == (
        "Victoria line: planned: Part Closure, until 23:59 (no service north of Euston)."
    )


def line(name: str, *statuses: tuple[int, str, str]) -> dict[str, Any]:
    return {
        "id": name.casefold(),
        "name": name,
        "modeName": "tube",
        "lineStatuses": [
            {
                "statusSeverity": severity,
                "statusSeverityDescription": description,
                "reason": f"{name} Line: synthetic words.",
                "disruption": {"category": category, "categoryDescription": category},
            }
            for severity, description, category in statuses
        ],
    }


def test_information_and_crowding_are_notices_and_no_disruptions() -> None:
    payload = [
        line("Victoria", (19, "Information", "Information")),
        line("Central", (77, "Busy stations", "Crowding")),
        line("Jubilee", (10, "Good Service", "")),
    ]
    report = asked(payload, london(2026, 11, 23, 9, 0), modes=["tube"])
    assert report.answer == (
        "None of 3 tube lines has an unplanned disruption; 2 have notices: Central line (Busy "
        "stations) and Victoria line (Information); 1 runs well now."
    )
    assert report.standing("disrupted") == ()
    one = asked(payload, london(2026, 11, 23, 9, 0), ["Victoria"])
    assert one.answer == "Victoria line: notice: Information (synthetic words)."


def test_a_notice_hides_no_delay_of_the_same_line() -> None:
    payload = [line("Victoria", (77, "Busy", "Crowding"), (9, "Minor Delays", "RealTime"))]
    report = asked(payload, london(2026, 11, 23, 9, 0), ["Victoria"])
    assert report.answer == "Victoria line: Minor Delays (synthetic words)."
