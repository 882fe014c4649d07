"""Status of lines on days to come."""

from __future__ import annotations

from datetime import datetime

import anyio
import pytest
from replay import Replay

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.running import get_line_status, read_days
from groundwire.journeys.tfl.client import TflClient

MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)


def status(validity: str, ends: str, description: str = "Part Closure") -> dict[str, object]:
    return {
        "statusSeverity": 5,
        "statusSeverityDescription": description,
        "reason": f"VICTORIA LINE: {description}.",
        "validityPeriods": [{"fromDate": validity, "toDate": ends, "isNow": False}],
        "disruption": {"category": "PlannedWork"},
    }


def told(replay: Replay, said: str) -> str:
    async def go() -> str:
        client = TflClient(replay.url, clock=lambda: 0.0)
        try:
            days = read_days(said, MONDAY)
            report = await get_line_status(client, now=MONDAY, lines=["Victoria"], days=days)
            return report.answer
        finally:
            await client.aclose()

    return anyio.run(go)


def test_works_of_saturday_are_told_of_saturday_and_not_of_friday(replay: Replay) -> None:
    line = {
        "id": "victoria",
        "name": "Victoria",
        "modeName": "tube",
        "lineStatuses": [status("2026-11-28T04:30:00Z", "2026-11-29T01:29:00Z")],
    }
    replay.answer("/Line/victoria/Status/2026-11-28/to/2026-11-28", [line])
    replay.answer("/Line/victoria/Status/2026-11-27/to/2026-11-27", [line])
    assert "Part Closure" in told(replay, "Saturday")
    assert "Part Closure" not in told(replay, "Friday")


def test_a_weekend_is_both_of_its_days(replay: Replay) -> None:
    line = {
        "id": "victoria",
        "name": "Victoria",
        "modeName": "tube",
        "lineStatuses": [status("2026-11-29T04:30:00Z", "2026-11-30T01:29:00Z")],
    }
    replay.answer("/Line/victoria/Status/2026-11-28/to/2026-11-29", [line])
    said = told(replay, "this weekend")
    assert said.startswith("From Saturday 28 November 2026 to Sunday 29 November 2026: ")
    assert "Part Closure" in said


def test_today_is_asked_about_as_now_and_yesterday_is_refused() -> None:
    assert read_days("", MONDAY) is None
    assert read_days("today", MONDAY) is None
    with pytest.raises(InputError, match="has passed"):
        read_days("2026-11-22", MONDAY)


def test_offline_the_line_and_the_day_are_named() -> None:
    async def go() -> str:
        days = read_days("Saturday", MONDAY)
        return (await get_line_status(None, now=MONDAY, lines=["District"], days=days)).answer

    assert anyio.run(go).startswith(
        "How the District line runs on Saturday 28 November 2026 cannot be known"
    )
