"""Totals, means, shares and amounts per head of all that is recorded are derived."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Derivation, Record, Statement, Value
from tests.evidence.drafts import record, refused


def economies() -> Record:
    def of(name: str, land: str, value: str, unit: str) -> Value:
        return Value(name, value, "number", unit, land, None, (), "2020", "atlas")

    return record(
        [
            *(of("GDP", land, v, "USD") for land, v in (("Atlantis", "6000"), ("Thule", "2000"))),
            *(
                of("population", land, v, "people")
                for land, v in (("Atlantis", "40"), ("Thule", "8"))
            ),
        ],
        tool="query_metric_grid",
    )


def part_and_whole(*, recorded: bool = False) -> Record:
    """A part and its whole, which are told to overlap, with or without a recorded share."""

    def of(land: str, value: str) -> Value:
        return Value("GDP", value, "number", "USD", land, None, (), "2020", "atlas")

    share = Derivation("share", (0, 1), "25", "%", "2000 / 8000 * 100 = 25%")
    one = record(
        [of("Thule", "2000"), of("Atlantic Union", "8000")],
        tool="query_metric_grid",
        derivations=[share] if recorded else [],
    )
    overlaps = {"Thule": ("Atlantic Union",), "Atlantic Union": ("Thule",)}
    return replace(one, draft=replace(one.draft, overlaps=overlaps))


def counts() -> Record:
    def of(country: str, number: str) -> Value:
        return Value("country", number, unit="assets", entity=country)

    statements = [
        Statement(
            "scope", ("map", "maps"), conditions=conditions, value=value, complete="all_counted"
        )
        for value, conditions in enumerate(
            (
                (),
                (Condition(("country",), "is", (("Atlantis",),)),),
                (Condition(("country",), "is", (("Thule",),)),),
            )
        )
    ]
    values = [Value("total", "20", unit="assets"), of("Atlantis", "15"), of("Thule", "3")]
    return record(values, statements=statements)


def flagged(text: str, one: Record) -> list[str]:
    return [said for said in refused(check(text, [one])) if said != "two"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Together the two had a GDP of 8,000 USD in 2020.", []),
        ("Together the two had a GDP of 9,000 USD in 2020.", ["9,000 USD"]),
        ("The average GDP in 2020 was 4,000 USD.", []),
        ("Of the combined GDP in 2020, Thule accounts for 25 %.", []),
        ("Of the combined GDP in 2020, Thule accounts for 75 %.", ["75 %"]),
        ("GDP per head in 2020 was 250 USD in Thule.", []),
        ("GDP per capita in 2020 was 150 USD in Thule.", ["150 USD"]),
    ],
)
def test_figures_of_a_grid(text: str, found: list[str]) -> None:
    assert flagged(text, economies()) == found


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Thule's share of the GDP of the Atlantic Union in 2020 was 25 %.", []),
        ("Thule's share of the GDP of the Atlantic Union in 2020 was 20 %.", ["20 %"]),
        ("Thule makes up 20 % of the combined GDP of the two in 2020.", ["20 %"]),
        ("Thule accounts for 20 % of the combined GDP in 2020.", ["20 %"]),
        ("Thule's share of world GDP in 2020 was 25 %.", ["25 %"]),
        ("The Atlantic Union's share of Thule's GDP in 2020 was 25 %.", ["25 %"]),
        ("Together Thule and the Atlantic Union had a GDP of 10,000 USD in 2020.", ["10,000 USD"]),
        ("The mean GDP of Thule and the Atlantic Union in 2020 was 5,000 USD.", ["5,000 USD"]),
    ],
)
def test_a_part_is_not_added_to_its_whole(text: str, found: list[str], recorded: bool) -> None:
    assert flagged(text, part_and_whole(recorded=recorded)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Thule accounts for 25 % of the combined GDP of Atlantis and Thule in 2020.", []),
        ("Thule's share of GDP in 2020 was 25 %.", ["25 %"]),
        ("Thule's share of the GDP of the Union in 2020 was 25 %.", ["25 %"]),
        ("Thule's share of world GDP in 2020 was 25 %.", ["25 %"]),
    ],
)
def test_a_share_of_all_that_is_recorded_has_to_be_called_so(text: str, found: list[str]) -> None:
    assert flagged(text, economies()) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Atlantis has 75 % of the maps.", []),
        ("Atlantis has 83 % of the maps.", ["83 %"]),
        ("Thule accounts for 15 % of the maps.", []),
    ],
)
def test_shares_of_what_was_counted(text: str, found: list[str]) -> None:
    assert flagged(text, counts()) == found
