"""First places, multiples, shares and growth are proven by the recorded values that they are of."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Record, Statement, Value
from tests.evidence.drafts import record

ORDER = Condition(("order",), "is", (("descending",),))


def lands() -> Record:
    """Three lands in the order of their areas."""
    held = (("Atlantis", "6000"), ("Thule", "2950"), ("Avalon", "1000"))
    return record(
        [Value("area", value, "number", None, land, source="atlas") for land, value in held],
        tool="run_kg_workflow",
        statements=[
            Statement("order", ("land",), ("area",), tuple((land,) for land, _ in held), (ORDER,)),
            Statement("relation", ("Atlantis",), ("borders",), (("Thule",),)),
            Statement("relation", ("Atlantis",), ("capital",), (("Poseidonis",),)),
            Statement("relation", ("Avalon",), ("capital",), (("Glastonbury",),)),
        ],
    )


def lands_of_mu() -> Record:
    """The first two countries of Mu by area, as a sorted query with a limit tells them."""
    held = (("Atlantis", "6000"), ("Thule", "2950"))
    of_mu = Condition(("continent",), "is", (("Mu",),))
    names = tuple((land,) for land, _ in held)
    return record(
        [
            *(Value("area", value, "number", None, land, source="atlas") for land, value in held),
            Value("rows", "2", unit="rows"),
        ],
        tool="execute_query",
        statements=[
            Statement("order", ("country", "countries"), ("area",), names, (of_mu, ORDER)),
            Statement("scope", ("rows",), (), (), (), 2, complete="page"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The two largest of Mu by area:\n\n1. Atlantis (6000)\n2. Thule (2950)", True),
        ("The two largest of Mu by area are:\n\n1. Atlantis\n2. Thule", True),
        ("The two largest of Lemuria by area are:\n\n1. Atlantis\n2. Thule", False),
        ("The two smallest of Mu by area are:\n\n1. Atlantis\n2. Thule", False),
        ("The two largest of Mu by area are:\n\n1. Thule\n2. Atlantis", False),
        ("Thule is the smallest country of Mu by area.", False),
        ("Atlantis is the largest country by area.", False),
    ],
)
def test_first_places_are_of_what_the_order_is_narrowed_by(text: str, holds: bool) -> None:
    assert (check(text, [lands_of_mu()]).verdict == "supported") == holds


def years() -> Record:
    """Two years of one thing, and the quarters of a third year."""

    def of(period: str, value: str) -> Value:
        return Value("revenue", value, "number", "USD", "Acme", period=period, source="report")

    held = [("2020", "200"), ("2021", "570"), ("2022Q1", "100"), ("2022Q2", "120")]
    return record(
        [of(*one) for one in (*held, ("2022Q3", "130"), ("2022Q4", "180"))],
        tool="query_metric_grid",
    )


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The two largest by area are Atlantis and Thule.", True),
        ("The two largest by area are Atlantis and Avalon.", False),
        ("The two largest by area are Thule and Atlantis, in that order.", False),
        ("Atlantis borders Thule.", True),
        ("Atlantis borders Thule and Avalon.", False),
        ("Atlantis borders Thule. Its capital is Poseidonis.", True),
        ("Atlantis borders Thule. Its capital is Glastonbury.", False),
    ],
)
def test_places_and_relations_are_of_what_is_named(text: str, holds: bool) -> None:
    assert (check(text, [lands()]).verdict == "supported") == holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Acme's revenue nearly tripled between 2020 and 2021.", True),
        ("Acme's revenue more than doubled between 2020 and 2021.", True),
        ("Acme's revenue doubled between 2020 and 2021.", False),
        ("Acme's revenue nearly quadrupled between 2020 and 2021.", False),
        ("Acme's revenue rose by 185% in 2021.", True),
        ("Acme's revenue fell by 185% in 2021.", False),
        ("Acme's revenue rose by 185% in 2020.", False),
        ("The fourth quarter had the highest revenue of 2022 for Acme.", True),
        ("The third quarter had the highest revenue of 2022 for Acme.", False),
    ],
)
def test_multiples_growth_and_the_best_part_of_a_year(text: str, holds: bool) -> None:
    assert (check(text, [years()]).verdict == "supported") == holds
