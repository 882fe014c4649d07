"""Which way figures go, losses, millions written "m", and counts beside the total of another."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Record, Statement, Value
from tests.evidence.drafts import record, refused


def company() -> Record:
    def of(name: str, entity: str, value: str, year: str, unit: str) -> Value:
        return Value(name, value, "number", unit, entity, None, (), year, "report")

    return record(
        [
            of("headcount", "Northvale", "384", "2023", "people"),
            of("headcount", "Northvale", "378", "2024", "people"),
            of("net profit", "Northvale", "3400000", "2024", "CNY"),
            of("net profit", "Northvale", "-12300000", "2023", "CNY"),
            of("population", "Atlantis", "60918661", "2024", "people"),
        ],
        tool="query_metric_grid",
    )


def counts() -> list[Record]:
    def of(country: str, label: str, number: str) -> Value:
        return Value("country", number, unit="assets", entity=country, labels=(label,))

    by_country = [
        Value("total", "16", unit="assets"),
        of("CN", "China", "9"),
        of("IT", "Italy", "7"),
    ]
    japanese = [Value("total", "5", unit="assets", labels=("maps",))]
    china = (("CN", "China"),)
    maps = ("hdmap", "map", "maps")
    statements = [
        Statement("scope", maps, conditions=(), value=0, complete="all_counted"),
        Statement(
            "scope", maps, conditions=(Condition(("country",), "is", china),), value=1,
            complete="all_counted",
        ),
        Statement(
            "scope", maps, conditions=(Condition(("country",), "is", (("IT", "Italy"),)),), value=2,
            complete="all_counted",
        ),
    ]  # fmt: skip
    return [
        record(by_country, statements=statements),
        record(japanese, evidence_id="ev_1111111111111"),
    ]


def wrong(text: str, *records: Record) -> list[str]:
    return refused(check(text, records or [company()]))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Headcount of Northvale fell from 384 to 378.", []),
        ("Headcount of Northvale rose from 384 to 378.", ["384", "378"]),
        ("Headcount of Northvale stieg von 384 auf 378.", ["384", "378"]),
        ("Headcount of Northvale fell to 378, from 384.", []),
        ("Headcount of Northvale rose to 378, from 384.", ["378", "384"]),
        ("Headcount of Northvale was 384 in 2023 and 378 in 2024.", []),
        ("Between 2023 and 2024, headcount of Northvale fell to 378, from 384.", []),
        ("Between 2023 and 2024, headcount of Northvale rose to 384, from 378.", ["384", "378"]),
        ("In 2023 Northvale made a loss of CNY 12.3 million.", []),
        ("In 2024 Northvale made a loss of CNY 3.4 million.", ["CNY 3.4 million"]),
        ("In 2024 Northvale made a net profit of CNY 3.4 million.", []),
        ("| Country | 2024 |\n|---|---|\n| Atlantis | 60.9 m |", []),
        ("| Country | 2024 |\n|---|---|\n| Atlantis | 61.9 m |", ["61.9 m"]),
    ],
)
def test_figures_go_the_way_that_is_said(text: str, found: list[str]) -> None:
    assert wrong(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("There are 9 maps in China and 7 in Italy.", []),
        ("There are 5 maps in China.", ["5"]),
        ("China has 7 maps.", ["7"]),
        ("CN: 9, IT: 7.", []),
        ("It has 16 assets.", []),
    ],
)
def test_what_is_counted_by_a_code_is_called_by_its_name(text: str, found: list[str]) -> None:
    assert wrong(text, *counts()) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Munich Ring was recorded in rain.", []),
        ("Munich Ring was recorded in snow.", ["snow"]),
        ("There are 4 maps in snow and 3 in rain.", []),
    ],
)
def test_a_value_that_is_counted_is_of_what_has_it(text: str, found: list[str]) -> None:
    def of(weather: str, number: str) -> Value:
        return Value("weather", number, unit="assets", entity=weather)

    asset = Value("weather", "rain", "name", entity="Munich Ring")
    statements = [
        Statement(
            "scope", ("map", "maps"), conditions=(Condition(("weather",), "is", ((weather,),)),),
            value=value, complete="all_counted",
        )
        for value, weather in ((1, "rain"), (2, "snow"))
    ]  # fmt: skip
    held = record([asset, of("rain", "3"), of("snow", "4")], statements=statements)
    assert wrong(text, held) == found


def test_a_share_in_words_is_said_to_be_unjudged() -> None:
    result = check("A third of them is in Italy.", counts())
    assert result.verdict != "supported"
    assert "'A third of'" in " ".join(result.not_judged)
