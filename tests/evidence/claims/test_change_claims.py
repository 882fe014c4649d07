"""Changes of a journey: between which lines, where, how often, and which line is avoided."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Item, Statement, Value
from tests.evidence.drafts import record

TRIP = ("Brixton to Borough", "Brixton - Borough")
ITEM = Item(TRIP, options=(1,))
PLAN = ("plan 1", "first plan", *TRIP)
CHANGES = ("change", "interchange", "transfer", "Umstieg", "umsteigen", "换乘")


def leg(position: int, line: str, start: str, end: str) -> Statement:
    conditions = [Condition((name,), "is", ((value,),)) for name, value in (
        ("line", line), ("from", start), ("to", end),
    )]  # fmt: skip
    return Statement("part", PLAN, conditions=tuple(conditions), position=position)


RECORDS = [
    record(
        [
            Value("interchanges", "1", labels=("changes", "change"), item=ITEM),
            *(
                Value("line of the plan", line, "name", item=ITEM)
                for line in ("Victoria line", "Northern line")
            ),
            *(
                Value("stop of the plan", stop, "name", item=ITEM)
                for stop in ("Brixton", "Stockwell", "Borough")
            ),
        ],
        vocabulary=("Victoria line", "Northern line", "Jubilee line"),
        tool="get_computed_journey_plan",
        statements=[
            Statement(
                "order", PLAN, ("line", "Linie"), (("Victoria line",), ("Northern line",)),
                complete="all_listed",
            ),
            Statement("order", PLAN, CHANGES, (("Stockwell",),), complete="all_listed"),
            leg(1, "Victoria line", "Brixton", "Stockwell"),
            leg(2, "Northern line", "Stockwell", "Borough"),
        ],
    )
]  # fmt: skip


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("Change from the Victoria line to the Northern line at Stockwell.", True),
        ("Change from the Northern line to the Victoria line at Stockwell.", False),
        ("In Stockwell steigt man von der Victoria line in die Northern line um.", True),
        ("In Stockwell steigt man von der Northern line in die Victoria line um.", False),
        ("在Stockwell由Victoria line换乘Northern line。", True),
        ("在Stockwell由Northern line换乘Victoria line。", False),
        ("You need to change once, at Stockwell.", True),
        ("You need to change twice, at Stockwell.", False),
        ("Man steigt einmal um, und zwar in Stockwell.", True),
        ("Man steigt einmal um, und zwar in Brixton.", False),
        ("Man steigt zweimal um, und zwar in Stockwell.", False),
        ("It avoids the Jubilee line.", True),
        ("It avoids the Northern line.", False),
        ("在Brixton换乘Northern line。", False),
    ],
)
def test_changes_are_those_of_the_plan(draft: str, held: bool) -> None:
    result = check(draft, RECORDS)
    assert (result.verdict == "supported") == held, result.claims
