"""Members that a draft enumerates are of the set that it tells, and the rest is counted."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Record, Statement, Value
from tests.evidence.drafts import record

MAPS = ("Lyon city centre", "Lyon expressway", "Lyon city centre, north", "Lyon ring road")
FRANCE = Condition(("country", "Land"), "is", (("FR", "France", "Frankreich", "法国"),))
KIND = ("HD map", "HD-Karte", "高清地图")


def records() -> list[Record]:
    values = [Value("total", "4", unit="assets", labels=KIND)]
    values += [Value("country", "FR", "name", None, one) for one in MAPS]
    objects = tuple((one,) for one in MAPS)
    scope = Statement("scope", KIND, (), objects, (FRANCE,), value=0, complete="all_listed")
    return [record(values, statements=[scope])]


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("There are four HD maps of France: Lyon city centre and three more.", "supported"),
        ("There are four HD maps of France: Lyon city centre and two more.", "contradicted"),
        ("There are four HD maps of France, including Lyon ring road and more.", "supported"),
        ("Es gibt vier HD-Karten aus Frankreich: Lyon expressway und drei weitere.", "supported"),
        (
            "Es gibt vier HD-Karten aus Frankreich: Lyon ring road und 4 weitere.",
            "contradicted",
        ),
        ("法国有4张高清地图：“Lyon expressway”、“Lyon ring road”，另有2张。", "supported"),
        ("法国有4张高清地图：“Lyon expressway”、“Lyon ring road”，另有3张。", "contradicted"),
        ("There are four HD maps of France:\n- Lyon ring road\n- and 3 more", "supported"),
        ("There are four HD maps of France:\n- Lyon ring road\n- and 4 more", "contradicted"),
        ("There are four HD maps of France. They include Lyon ring road.", "supported"),
    ],
)
def test_the_rest_of_a_list_is_counted(draft: str, verdict: str) -> None:
    assert check(draft, records()).verdict == verdict


@pytest.mark.parametrize(
    "draft",
    [
        "There are four HD maps of Sweden: Lyon city centre and three more.",
        "There are four HD maps of France. They include Paris ring road.",
        "There are four HD maps of France: Lyon city centre, Lyon beach and two more.",
        "There are four HD maps of France: Lyon city centre and dozens more.",
        "All of them: " + ", ".join(MAPS) + " and more.",
    ],
)
def test_other_members_and_other_sets_are_not_proven(draft: str) -> None:
    assert check(draft, records()).verdict != "supported"


def test_only_ids_of_records_are_supported() -> None:
    held = records()
    assert check(f"Evidence: {held[0].evidence_id}.", held).verdict != "unsupported"
    assert check("Evidence: ev_000000000000x.", held).verdict != "supported"
