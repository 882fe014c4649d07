"""Changes told of the time that they span, growths compared as growths, and degrees."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Derivation, Record, Value
from tests.evidence.drafts import record

PEOPLE = {
    ("Avalon", "2010"): "5000000",
    ("Avalon", "2020"): "5500000",
    ("Thule", "2010"): "800000",
    ("Thule", "2020"): "840000",
}


def lands() -> Record:
    values = [
        Value("population", value, "number", "people", land, period=year, source="atlas")
        for (land, year), value in PEOPLE.items()
    ]
    derivations = [
        Derivation("difference", (1, 0), "500000", "people", "5500000 - 5000000 = 500000"),
        Derivation("percent_change", (1, 0), "10", "%", "(5500000 - 5000000) / 5000000 = 10 %"),
        Derivation("difference", (3, 2), "40000", "people", "840000 - 800000 = 40000"),
        Derivation("percent_change", (3, 2), "5", "%", "(840000 - 800000) / 800000 = 5 %"),
    ]
    return record(values, tool="query_metric_grid", derivations=derivations)


TRUE = [
    "Avalon grew by 10% from 2010 to 2020.",
    "In the decade to 2020, Avalon grew by 10%.",
    "Over the ten years to 2020, Avalon gained 500,000 people.",
    "Avalon had 5.0 million people in 2010. By 2020, it had gained 500,000.",
    "Avalon grew faster than Thule between 2010 and 2020.",
    "From 2010 to 2020 Avalon grew by more than Thule: 10% against 5%.",
    "Avalon ist von 2010 bis 2020 schneller gewachsen als Thule.",
    "Avalon was far larger than Thule in 2020.",
    "Avalon remained larger than Thule in 2020.",
    "In 2020 Avalon was still larger than Thule.",
    "Mit 5,5 Millionen Einwohnern war Avalon 2020 größer als Thule.",
    "Avalon had exactly 5,500,000 inhabitants in 2020.",
    "Thule grew by just 5% from 2010 to 2020.",
    "2020 lebten in Avalon 5,5 Millionen Menschen, 2010 waren es noch 5,0 Millionen.",
]
FALSE = [
    "Avalon grew by 10% in 2020.",
    "Avalon gained 500,000 people in 2010.",
    "Avalon grew by 10% a year from 2010 to 2020.",
    "Avalon gained 500,000 people per year between 2010 and 2020.",
    "Avalon wuchs von 2010 bis 2020 jährlich um 10 %.",
    "Avalon人口2010年至2020年年均增长10%。",
    "Avalon grew by an average of 10% from 2010 to 2020.",
    "In the three years to 2020, Avalon grew by 10%.",
    "In the two decades to 2020, Avalon grew by 10%.",
    "Thule grew faster than Avalon between 2010 and 2020.",
    "From 2010 to 2020 Avalon grew by less than Thule: 10% against 5%.",
    "From 2010 to 2020 Avalon grew slower than Thule: 10% against 5%.",
    "Thule ist von 2010 bis 2020 schneller gewachsen als Avalon.",
    "Avalon was far larger in 2020 than in 2010.",
    "Thule remained larger than Avalon in 2020.",
    "In 2010 Avalon was still larger than Thule.",
    "Mit 0,84 Millionen Einwohnern war Thule 2020 größer als Avalon.",
    "Avalon had exactly 5.4 million inhabitants in 2020.",
    "2010 lebten in Avalon 5,0 Millionen Menschen, 2020 waren es noch 5,5 Millionen.",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_the_record_says_of_a_change_is_supported(text: str) -> None:
    answer = check(text, [lands()])
    assert answer.verdict == "supported", answer


@pytest.mark.parametrize("text", FALSE)
def test_what_the_record_does_not_say_of_a_change_is_not(text: str) -> None:
    assert check(text, [lands()]).verdict != "supported"
