"""Times without a zone, also where the clocks change (25 October 2026, 28 March 2027)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.journeys.itinerary import minutes_between
from groundwire.journeys.tfl.journey_payload import read_itinerary
from groundwire.journeys.tfl.leg_payload import london_time, settled


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-01T09:00:00", utc("2026-07-01T08:00:00")),
        ("2026-11-23T09:00:00", utc("2026-11-23T09:00:00")),
        ("2026-07-01T09:00:00Z", utc("2026-07-01T09:00:00")),
        ("2026-10-25T01:30:00", utc("2026-10-25T00:30:00")),
        ("2027-03-28T01:30:00", utc("2027-03-28T01:30:00")),
        ("20261123T0900", utc("2026-11-23T09:00:00")),
    ],
)
def test_wall_clock_becomes_a_moment(text: str, moment: datetime) -> None:
    found = london_time(text)
    assert found is not None
    # By timestamps: moments of two zones are never equal within the hour that comes twice.
    assert found.timestamp() == moment.timestamp()
    assert str(found.tzinfo) == "Europe/London"


@pytest.mark.parametrize("text", ["", "soon", "0001-01-01T00:00:00", "2026-13-01T00:00:00"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert london_time(text) is None


@pytest.mark.parametrize(
    ("start", "end", "minutes"),
    [
        ("01:50", "01:10", 20),  # over the change: the clock goes back
        ("01:50", "02:10", 20),  # both after the change
        ("00:50", "01:10", 20),  # both before it
        ("00:50", "01:10", 80),  # the second time that it is 01:10
        ("01:10", "01:30", 20),
        ("01:10", "01:30", 80),
        ("01:40", "02:40", 120),
    ],
)
def test_durations_tell_which_hour_is_meant(start: str, end: str, minutes: int) -> None:
    first, last = london_time(f"2026-10-25T{start}:00"), london_time(f"2026-10-25T{end}:00")
    assert first is not None
    assert last is not None
    assert minutes_between(*settled(first, last, minutes)) == minutes


def test_a_leg_does_not_begin_before_the_one_before_it_ended() -> None:
    def leg(start: str, end: str, minutes: int) -> dict[str, object]:
        return {
            "mode": {"id": "bus"},
            "departureTime": f"2026-10-25T{start}:00",
            "arrivalTime": f"2026-10-25T{end}:00",
            "duration": minutes,
        }

    payload = {
        "journeys": [
            {
                "startDateTime": "2026-10-25T01:40:00",
                "arrivalDateTime": "2026-10-25T01:35:00",
                "duration": 55,
                "legs": [
                    leg("01:40", "01:05", 25),
                    leg("01:10", "01:30", 20),
                    leg("01:30", "01:35", 5),
                ],
            }
        ]
    }
    [plan] = read_itinerary(payload).plans
    assert plan.duration_minutes == 55
    assert [one.duration_minutes for one in plan.legs] == [25, 20, 5]
    moments = [moment.timestamp() for one in plan.legs for moment in (one.departure, one.arrival)]
    assert moments == sorted(moments)
    assert plan.legs[-1].arrival.timestamp() == plan.arrival.timestamp()
