"""Times of day in drafts against records."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Record, Value
from tests.evidence.drafts import catalogue, record


def journey() -> list[Record]:
    """What a plan of a journey leaves."""
    leaving = ("leave", "depart", "start")
    arriving = ("arrive", "reach")
    values = [
        Value("departure", "10:05", "time", labels=leaving),
        Value("arrival", "10:31", "time", labels=arriving),
        Value("departure", "18:20", "time", labels=leaving),
        Value("arrival", "18:52", "time", labels=arriving),
        Value("duration", "26", unit="min"),
        Value("line", "Victoria", "name"),
        Value("notice", "Lifts are closed until 16:30.", "text"),
    ]
    return [record(values, ("Victoria", "Jubilee"), tool="get_computed_journey_plan")]


@pytest.mark.parametrize(
    ("draft", "time", "status", "says"),
    [
        ("Leave at 10:05.", "10:05", "supported", "departure"),
        ("Leave at 10:05 and arrive at 10:31.", "10:31", "supported", "arrival"),
        ("Leave at 10.05 am.", "10.05 am", "supported", "departure"),
        ("Leave at 6:20 pm.", "6:20 pm", "supported", "departure"),
        ("Leave at 6:20.", "6:20", "supported", "departure"),
        ("Leave at about 10:07.", "10:07", "supported", "departure"),
        ("Leave at 10:07.", "10:07", "contradicted", "departure 10:05"),
        ("Leave at 10:05 pm.", "10:05 pm", "contradicted", "departure 10:05"),
        ("You arrive at 10:05.", "10:05", "unsupported", "recorded as departure"),
        ("Take the Victoria line at 10:05 am.", "10:05 am", "supported", "departure"),
        ("The ticket office opens at 07:15.", "07:15", "unsupported", "no record has this time"),
        ("Lifts are closed until 16:30.", "16:30", "supported", "recorded text"),
        ("Lifts are open until 16:30.", "16:30", "not_judged", "'open'"),
    ],
)
def test_times_are_those_of_the_records(draft: str, time: str, status: str, says: str) -> None:
    claims = check(draft, journey()).claims
    found = [one for one in claims if (one.kind, one.text) == ("time", time)]
    assert [one.status for one in found] == [status], claims
    assert says in found[0].detail


def test_a_time_is_no_number() -> None:
    claims = check("Arrive by 10.31 am, after 26 minutes.", journey()).claims
    assert [(c.kind, c.text) for c in claims] == [("time", "10.31 am"), ("number", "26 minutes")]


def test_times_are_not_judged_where_no_record_has_any() -> None:
    result = check("It was made at 10:05.", catalogue())
    assert not [claim for claim in result.claims if claim.kind == "time"]
    assert result.verdict == "nothing_to_judge"
    assert "'10:05'" in result.not_judged[0]
