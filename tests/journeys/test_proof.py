"""The record of plans, and the check of drafts against it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest
from plans import london, made, record, ride, sent

from groundwire.evidence.claims.check import check
from groundwire.journeys.artefacts.text import describe
from groundwire.journeys.itinerary import Disruption, Fare, Journey, Plan
from groundwire.journeys.proof import prove, trips_of

LINES = ("Bakerloo", "Central", "Elizabeth line", "Jubilee", "Northern", "Piccadilly", "Victoria")
NINE = london(2026, 11, 23, 9, 0)


def judged(text: str, plan: Plan, journey: Journey, **more: Any) -> tuple[str, list[str]]:
    draft = prove([journey], [(journey, plan)], legs=True, lines=LINES, **more)
    found = check(text, [record(draft)])
    bad = [one.text for one in found.claims if one.status not in ("supported", "derived")]
    return found.verdict, bad


PLANS = [
    "journeyByBike", "journeyByBoat", "journeyByBusLong", "journeyByBusShort",
    "journeyByCableCar", "journeyByNationalRail", "journeyByOverground", "journeyByTube",
    "journeyByWalking", "journeyResultsKingsXToWaterlooEarlier",
    "journeyWithLongDisruptionMessage",
]  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("detail", ["brief", "full"])
def test_what_is_told_of_a_recorded_plan_is_supported(name: str, detail: Any) -> None:
    plan, journey = sent(name)
    text = describe(plan, journey, detail)
    draft = prove([journey], [(journey, plan)], legs=True, lines=LINES)
    wrong = {"contradicted", "unsupported"}
    bare = check(text, [record(draft)])
    assert not [one for one in bare.claims if one.status in wrong]
    assert "supported" in {one.status for one in bare.claims}
    # As the tools record it, with the sentences of the answer.
    assert check(text, [record(replace(draft, answer=text))]).verdict == "supported"


TRUE = (
    "Leave at 09:00 and arrive at 09:10. It takes 10 minutes by the Victoria line from King's "
    "Cross St. Pancras to Oxford Circus and costs £2.80."
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("09:00", "09:30"),
        ("09:10", "09:20"),
        ("at 09:00 and arrive at 09:10", "at 09:10 and arrive at 09:00"),
        ("10 minutes", "12 minutes"),
        ("Victoria", "Central"),
        ("£2.80", "£3.80"),
    ],
)
def test_what_is_changed_is_found(right: str, wrong: str) -> None:
    plan, journey = made(ride(NINE), fare=Fare(280))
    verdict, bad = judged(TRUE.replace(right, wrong) if right else TRUE, plan, journey)
    assert (verdict == "supported") == (not right), bad
    assert bool(bad) == bool(right)


def test_a_disruption_is_recorded_with_its_times() -> None:
    works = Disruption(
        "Victoria", "Closed for works.", "victoria", planned=True,
        begins=NINE.replace(hour=22), ends=NINE.replace(hour=23, minute=30),
    )  # fmt: skip
    plan, journey = made(ride(NINE, planned_works=(works,)))
    text = 'The Victoria line is "Closed for works." from 22:00 to 23:30 on 23 November 2026.'
    assert judged(text, plan, journey) == ("supported", [])
    assert judged(text.replace("23:30", "23:45"), plan, journey)[1] == ["23:45"]


def test_a_record_says_who_planned_and_what_was_asked() -> None:
    plan, journey = made(ride(NINE), source="offline_estimate")
    draft = prove([journey], [(journey, plan)], legs=False, audit={"asked": "x"})
    assert draft.audit == {"sources": ["the embedded network"], "asked": "x"}
    assert len({str(asdict(value)) for value in draft.values}) == len(draft.values)


def test_a_long_record_is_bounded() -> None:
    plan, journey = sent("journeyByBusLong")
    legs = plan.legs * 400
    long = Plan(plan.start, plan.arrival, legs)
    draft = prove([journey], [(journey, long)], legs=True)
    assert len(draft.values) <= 1_500
    assert len(draft.statements) <= 400
    assert draft.statements[0].kind == "source"


def test_trips_of_a_day_are_told_apart() -> None:
    first = ride(NINE)
    evening = ride(NINE.replace(hour=18), 25, origin=first.destination, destination=first.origin)
    (plan, there), (plan_back, back) = made(first), made(evening)
    back = replace(back, origin=there.destination, destination=there.origin)
    draft = prove([there, back], [(there, plan), (back, plan_back)], legs=True, lines=LINES)
    out, home = (trip.names[0] for trip in trips_of([there, back]))
    assert out == "King's Cross St. Pancras to Oxford Circus"

    def bad(text: str) -> list[str]:
        claims = check(text, [record(draft)]).claims
        return [one.text for one in claims if one.status not in ("supported", "derived")]

    assert bad(f"{out} takes 10 minutes, {home} 25 minutes.") == []
    assert bad(f"{out} takes 25 minutes.") == ["25 minutes"]
    assert bad(f"The second trip leaves at 09:00; {out} at 09:00.") == ["09:00"]
