"""Which year, name or change the figure of a sentence belongs to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Value
from tests.evidence.drafts import catalogue, record, statistics


def margins() -> list[Value]:
    """A rate of one company in two years."""
    return [
        Value("margin", value, unit="%", entity="Acme", period=year)
        for year, value in (("2023", "41.4"), ("2024", "41.7"))
    ]


@pytest.mark.parametrize(
    "draft",
    [
        "The margin of Acme rose by 0.3 pp, from 41.4 % in 2023 to 41.7 % in 2024.",
        "The margin of Acme was 41.7 % (2024), after 41.4 % (2023).",
    ],
)
def test_a_figure_belongs_to_the_year_right_behind_it(draft: str) -> None:
    assert check(draft, [record(margins())]).verdict == "supported"


def test_a_year_right_behind_a_figure_is_not_that_of_another() -> None:
    result = check(
        "The margin of Acme rose by 0.3 pp, from 41.7 % in 2023 to 41.4 % in 2024.",
        [record(margins())],
    )
    assert [c.text for c in result.claims if c.status == "contradicted"] == ["41.7 %", "41.4 %"]


def test_what_a_figure_is_compared_with_says_nothing_of_the_next() -> None:
    draft = "2023年德国的国内生产总值为4.53万亿美元，比2022年增长10.8%；法国为3.05万亿美元。"
    assert check(draft, statistics(derived=True)).verdict == "supported"


def test_a_later_clause_with_claims_of_its_own_says_nothing_of_an_earlier_claim() -> None:
    values = [
        Value("recorded", "2019-07-19", "date", entity="Munich Ring"),
        Value("created", "2020-06-14", "date", entity="Munich Ring"),
    ]
    draft = "Munich Ring was recorded on 19 July 2019, created on 14 June 2020."
    assert check(draft, [record(values)]).verdict == "supported"


def test_a_change_goes_the_way_that_its_own_clause_says() -> None:
    records = [record([*margins(), *(
        Value("margin", value, unit="%", entity="Bolt", period=year)
        for year, value in (("2023", "30.0"), ("2024", "28.5"))
    )])]  # fmt: skip
    grew = "Between 2023 and 2024 the margin of Acme rose by 0.3 pp, while that of Bolt fell by {}."
    assert check(grew.format("1.5 pp"), records).verdict == "supported"
    assert check(grew.format("0.3 pp"), records).verdict != "supported"
    shrank = grew.replace("rose", "fell").replace("while that of Bolt fell", "while Bolt's rose")
    assert check(shrank.format("1.5 pp"), records).verdict != "supported"


def test_percents_that_grow_by_points_grow_by_another_share() -> None:
    records = [record(margins())]
    grew = "The margin of Acme grew by {} between 2023 and 2024."
    assert check(grew.format("0.3 percentage points"), records).verdict == "supported"
    assert check(grew.format("0.3 %"), records).verdict != "supported"


def test_both_ends_of_a_comparison_keep_their_own() -> None:
    assert check("Munich Ring is 12.5 km, Berlin Map 8 km long.", catalogue()).verdict == (
        "supported"
    )
    assert check("Munich Ring is 8 km, Berlin Map 12.5 km long.", catalogue()).verdict == (
        "contradicted"
    )


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("Acme held its margin in the two years 2023 and 2024.", True),
        ("Acme held its margin in the three years 2023 and 2024.", False),
    ],
)
def test_years_are_counted_by_those_that_the_sentence_names(draft: str, right: bool) -> None:
    assert (check(draft, [record(margins())]).verdict == "supported") == right


def test_who_is_the_only_one_need_not_be_named_beside_a_sum() -> None:
    values = [
        Value("revenue", value, unit="CNY", entity="Acme", period=year)
        for year, value in (("2023", "4856300000"), ("2024", "5113700000"))
    ]
    both = "{}evenue of 2023 and 2024 together: CNY {} million."
    for subject, million, verdict in (
        ("R", "9,970", "supported"),
        ("R", "9,790", "unsupported"),
        ("Northvale's r", "9,970", "unsupported"),
    ):
        assert check(both.format(subject, million), [record(values)]).verdict == verdict


def test_a_small_percentage_is_rounded_to_places() -> None:
    records = [record([Value("growth", "-0.037294", unit="%", entity="Germany")])]
    assert check("Germany: −0.04 %", records).verdict == "supported"
    assert check("Germany: −0.05 %", records).verdict == "contradicted"
    assert check("Germany: −0.1 %", records).verdict == "contradicted"


def test_an_amount_in_brackets_beside_another_is_no_loss() -> None:
    records = [record([Value("costs", "3.00", unit="GBP", entity="Acme")])]
    assert check("Acme costs 3 pounds (£3.00).", records).verdict == "supported"
    assert check("| Company | Costs |\n|---|---|\n| Acme | (£3.00) |", records).verdict == (
        "contradicted"
    )


def test_numbers_of_footnotes_and_rows_claim_nothing() -> None:
    table = "| # | Asset | Length |\n|---|---|---|\n| 7 | Munich Ring | 12.5 km |"
    noted = "Munich Ring is 12.5 km long.[^3]\n\n[^3]: As the catalogue says."
    for draft in (table, noted):
        assert [c.text for c in check(draft, catalogue()).claims if c.kind == "number"] == [
            "12.5 km"
        ]


@pytest.mark.parametrize(
    ("draft", "right"),
    [
        ("The sales of Q4 came to 62.5 million CNY in 2024 and 61.5 million CNY in 2025.", True),
        ("The sales of Q4 came to 61.5 million CNY in 2024 and 62.5 million CNY in 2025.", False),
        ("The sales of Q3 came to 62.5 million CNY in 2024 and 61.5 million CNY in 2025.", False),
    ],
)
def test_a_quarter_that_is_named_once_is_that_of_each_year(draft: str, right: bool) -> None:
    values = [
        Value("sales", value, unit="CNY", period=period)
        for period, value in (
            ("2024Q3", "57000000"), ("2024Q4", "62500000"),
            ("2025Q3", "58000000"), ("2025Q4", "61500000"),
        )
    ]  # fmt: skip
    records = [record(values, arguments={"period": "2024-2025"})]
    assert (check(draft, records).verdict == "supported") == right


def test_a_figure_that_another_clause_leads_to_its_thing_is_not_contradicted() -> None:
    values = [
        Value("margin", value, unit="%", entity=name, period="2024")
        for name, value in (("Acme", "41.7"), ("Bolt", "28.5"))
    ]
    draft = "The margin of the other one was 41.7 % in 2024, that of Bolt 28.5 %."
    assert check(draft, [record(values)]).verdict != "contradicted"


def test_a_figure_that_may_be_meant_otherwise_is_not_contradicted() -> None:
    told = record(
        [
            Value("reviews", "68", "number", None, "tides", None, ("reviews",)),
            Value("cards reviewed", "11", "number", None, "tides", None, ("cards",)),
        ]
    )
    statuses = {
        c.status for c in check("The concept tides rests on 68 reviews of 11 cards.", [told]).claims
    }
    assert "contradicted" not in statuses
    assert check("There are 70 reviews of tides.", [told]).verdict == "contradicted"


def test_a_table_whose_corner_tells_the_scale_is_not_contradicted() -> None:
    told = record(
        [
            Value("revenue", number, "number", "EUR", "Nordwind", None, ("revenue",), year)
            for year, number in (("2023", "4602700000"), ("2024", "4856300000"))
        ]
    )
    draft = "| EUR million | 2023 | 2024 |\n|---|---|---|\n| Nordwind, revenue | {} | 4,856.3 |\n"
    assert check(draft.format("4,602.7"), [told]).verdict != "contradicted"
    assert check(draft.format("4,702.7"), [told]).verdict != "supported"


@pytest.mark.parametrize(
    "draft",
    [
        "GDP of Germany for 2023: 4.53 trillion USD. population of France in 2023: 68,287,487.",
        "Im Jahr 2023 lebten in Frankreich rund 68,3 Mio. Menschen.",
    ],
)
def test_a_sentence_may_begin_small_and_an_abbreviation_ends_none(draft: str) -> None:
    result = check(draft, statistics())
    assert result.verdict == "supported", [c for c in result.claims if c.status != "supported"]


def test_every_sentence_of_an_item_is_judged() -> None:
    draft = (
        "- GDP of Germany for 2023: 9.99 trillion USD. GDP of France for 2023: 3.05 trillion USD."
    )
    result = check(draft, statistics())
    assert [c.status for c in result.claims if c.text == "9.99 trillion USD"] == ["contradicted"]


def test_a_unit_of_one_letter_may_end_a_sentence() -> None:
    result = check("Munich Ring is 12.5 m. Berlin Map has two lanes.", catalogue())
    assert [c.status for c in result.claims if c.text == "12.5 m"] == ["contradicted"]
    assert [c.status for c in result.claims if c.text == "two"] == ["supported"]


@pytest.mark.parametrize("before", ["", "**Munich Ring**\n\n", "Munich Ring is an HD map.\n\n"])
def test_a_table_of_the_properties_of_one_thing_tells_only_its_own(before: str) -> None:
    name = "" if before else "| Name | Munich Ring |\n"
    table = f"{before}| Property | Value |\n|---|---|\n{name}| License | %s |\n| Length | %s km |"
    assert check(table % ("CC-BY-4.0", "12.5"), catalogue()).verdict == "supported"
    assert check(table % ("MIT", "12.5"), catalogue()).verdict != "supported"
    assert check(table % ("CC-BY-4.0", "8"), catalogue()).verdict != "supported"


def test_the_ends_of_a_range_are_the_lowest_and_the_highest_value_of_one_property() -> None:
    limits = {"speedLimitMin": "60", "speedLimitMax": "100", "freightLimitMax": "80"}
    values = [Value(k, v, unit="km/h", entity="Munich Ring") for k, v in limits.items()]
    draft = "The speed limits of Munich Ring are between {} and {} km/h."
    assert check(draft.format(60, 100), [record(values)]).verdict == "supported"
    assert check(draft.format(60, 80), [record(values)]).verdict != "supported"
    assert check(draft.format(100, 60), [record(values)]).verdict != "supported"
