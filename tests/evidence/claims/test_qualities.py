"""Comparisons by a measure, by changes over time and by the answer that a value stands in."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Record, Value
from tests.evidence.drafts import record

POPULATION = {
    ("Avalon", "2000"): "6200000",
    ("Avalon", "2010"): "5900000",
    ("Avalon", "2020"): "5000000",
    ("Thule", "2020"): "2500000",
    ("Lyonesse", "2020"): "1100000",
}
REVENUE = {"2021": "400", "2022": "380", "2023": "390"}


def lands(evidence_id: str = "ev_0123456789abc") -> Record:
    return record(
        [
            Value("population", value, "number", "people", land, period=year, source="atlas")
            for (land, year), value in POPULATION.items()
        ],
        tool="query_metric_grid",
        evidence_id=evidence_id,
    )


def firm() -> Record:
    return record(
        [
            Value("revenue", value, "number", "USD", "Acme", period=year, source="report")
            for year, value in REVENUE.items()
        ],
        tool="query_metric_grid",
        evidence_id="ev_abcdefghijklm",
    )


TRUE = [
    "Avalon is more populous than Thule: 5.0 compared to 2.5 million people in 2020.",
    "Avalon ist bevölkerungsreicher als Thule: 5,0 gegenüber 2,5 Millionen Menschen (2020).",
    "2020年Avalon的population比Thule多。",
    "In 2020 Avalon's population was twice that of Thule (5,000,000 against 2,500,000).",
    "Avalon's population fell in every decade: from 6.2 million in 2000 to 5.9 million in 2010 and "
    "5.0 million in 2020.",
    "Avalon's population fell from 6.2 million in 2000 to 5.0 million in 2020. That is a decline "
    "of about 19% over twenty years.",
    "In 2020 the population of Lyonesse had passed 1 million.",
    "Of the three, Avalon has the most people in 2020 and Lyonesse the fewest.",
]
FALSE = [
    "Thule is more populous than Avalon: 2.5 compared to 5.0 million people in 2020.",
    "Thule ist bevölkerungsreicher als Avalon: 2,5 gegenüber 5,0 Millionen Menschen (2020).",
    "2020年Thule的population比Avalon多。",
    "In 2020 Avalon's population was three times that of Thule (5,000,000 against 2,500,000).",
    "Avalon's population rose in every decade: from 6.2 million in 2000 to 5.9 million in 2010 and "
    "5.0 million in 2020.",
    "Avalon's population fell each year from 6.2 million in 2000 to 5.0 million in 2020.",
    # The base is the value of the earlier time: 1.2 of 6.2 million.
    "Avalon's population fell from 6.2 million in 2000 to 5.0 million in 2020. That is a decline "
    "of 24%.",
    "In 2020 the population of Thule had passed 3 million.",
    "Of the three, Thule has the most people in 2020.",
    "Thule passed Avalon in 2020.",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_comparison_by_a_named_measure_is_proven(text: str) -> None:
    assert check(text, [lands()]).verdict == "supported"


@pytest.mark.parametrize("text", FALSE)
def test_a_comparison_that_the_values_do_not_show_is_not(text: str) -> None:
    assert check(text, [lands()]).verdict != "supported"


@pytest.mark.parametrize("text", [*TRUE, *FALSE])
def test_asking_twice_changes_no_verdict(text: str) -> None:
    twice = [lands(), lands("ev_nopqrstuvwxyz")]
    assert check(text, twice).verdict == check(text, [lands()]).verdict


def test_a_value_is_no_sum_of_itself_in_two_records() -> None:
    twice = [lands(), lands("ev_nopqrstuvwxyz")]
    assert check("Together they had 10 million people in 2020.", twice).verdict != "supported"


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (
            "Acme's revenue fell to $380 in 2022, then rose slightly to $390 in 2023.",
            1,
        ),
        (
            "Acme's revenue fell to $380 in 2022, then fell slightly to $390 in 2023.",
            0,
        ),
        ("In 2022 Acme's revenue fell from 400 to 380 dollars.", 1),
        ("In 2022 Acme's revenue fell from 390 to 380 dollars.", 0),
        ("In 2022 Acme's revenue fell slightly.", 1),
        ("In 2022 Acme's revenue rose slightly.", 0),
    ],
)
def test_a_change_is_read_from_the_value_before_it(text: str, holds: int) -> None:
    assert (check(text, [firm()]).verdict == "supported") == bool(holds)


@pytest.mark.parametrize(
    ("closing", "holds"),
    [
        ("If you need other years, just tell me which ones.", True),
        ("如需其他年份，请告诉我。", True),
        ("If you like, Thule supplies the furniture.", False),
        ("Let me know if you need more, as Thule supplies furniture.", False),
        ("I can also show that Thule grew.", False),
    ],
)
def test_an_offer_states_nothing_and_what_hides_in_one_does(closing: str, holds: bool) -> None:
    draft = f"In 2020 Thule had 2.5 million people. {closing}"
    assert (check(draft, [lands()]).verdict == "supported") == holds


@pytest.mark.parametrize(("metric", "holds"), [("sales by country", True), ("sales", False)])
def test_a_code_is_a_country_only_where_the_record_speaks_of_countries(
    metric: str, holds: bool
) -> None:
    values = [
        Value(metric, number, "number", "USD", code, period="2020", source="report")
        for code, number in (("IT", "400"), ("HR", "300"))
    ]
    told = check("Italy had sales of 400 dollars in 2020.", [record(values)])
    assert (told.verdict == "supported") == holds
