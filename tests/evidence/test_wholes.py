"""Totals, means, shares and amounts per head of all that is recorded are derived."""

from __future__ import annotations

import pytest

from groundwire.evidence.check import check
from groundwire.evidence.records import Record, Value
from tests.evidence.drafts import record


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


def counts() -> Record:
    def of(country: str, number: str) -> Value:
        return Value("country", number, unit="assets", entity=country)

    return record([Value("total", "20", unit="assets"), of("Atlantis", "15"), of("Thule", "3")])


def flagged(text: str, one: Record) -> list[str]:
    claims = check(text, [one]).claims
    return [c.text for c in claims if c.status not in ("supported", "derived")]


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
