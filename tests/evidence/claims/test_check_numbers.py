"""Numbers, dates and derivations of drafts against records."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.evidence.claims.check import check
from groundwire.evidence.claims.claim import Check, Claim
from groundwire.evidence.records import Derivation, Value
from tests.evidence.drafts import catalogue, record, statistics


def only(result: Check, text: str) -> Claim:
    (claim,) = [claim for claim in result.claims if claim.text == text]
    return claim


@pytest.mark.parametrize(
    "draft",
    [
        "There are 12 hdmap assets in Germany of at least 5 km; Munich Ring is 12.5 km long.",
        "A dozen assets match. Munich Ring (12.5 km, motorway) was created on 5 March 2024.",
        "Munich Ring and Berlin Map are 12.5 km and 8 km long.",
        "Munich Ring has 4 lanes and is 12.5 km long, Berlin Map has two lanes.",
        "Munich Ring is a motorway map. It is 12.5 km long and was made in March 2024.",
        "- **Munich Ring**: 12.5 km, CC-BY-4.0, created 2024-03-05\n- **Berlin Map**: 8 km, MIT",
        "1. Munich Ring\n   - length: 12.5 km\n   - lanes: 4\n2. Berlin Map\n   - lanes: 2",
        "| Asset | Length (km) | Lanes |\n|---|---|---|\n| Munich Ring | 12.5 | 4 |\n"
        "| Berlin Map | 8 | 2 |",
        "## Munich Ring\nLength: 12.5 km\nLanes: 4\n\n## Berlin Map\nLength: 8 km",
        "Assets longer than 5 km: Munich Ring with 12.5 km and Berlin Map with 8 km.",
        "共找到12个资产，其中Munich Ring长12.5公里，Berlin Map长8公里。",
        "Munich Ring有四条车道，创建于2024年3月5日。",
    ],
)
def test_true_drafts_over_a_catalogue_are_supported(draft: str) -> None:
    result = check(draft, catalogue())
    assert result.verdict == "supported", [c for c in result.claims if c.status != "supported"]


@pytest.mark.parametrize(
    "draft",
    [
        "Germany's GDP was 4.53 trillion USD in 2023, up from 4.09 trillion USD in 2022.",
        "Germany's GDP was $4.5 trillion in 2023, France's $3.1 trillion.",
        "GDP of Germany went from 4.09 trillion USD in 2022 to 4.53 trillion USD in 2023.",
        "In 2022 and 2023, Germany's GDP was 4.09 and 4.53 trillion USD, respectively.",
        "Germany had about 83 million people in 2023; its GDP growth was -0.3%.",
        "In 2023 Germany's GDP shrank: its growth was -0.3%.",
        "GDP (USD):\n\n| Country | 2022 | 2023 |\n|--|--|--|\n"
        "| Germany | 4,085,681,268,601.9 | 4,525,703,903,627.5 |",
        "2023年德国的国内生产总值为4.53万亿美元，人口约8328万。",
        "According to the World Bank, France recorded a GDP of US$3.05 trillion in 2023.",
        "As of 20 November 2026, the population of France in 2023 is given as 68,287,487.",
    ],
)
def test_true_drafts_over_metrics_are_supported(draft: str) -> None:
    result = check(draft, statistics())
    assert result.verdict == "supported", [c for c in result.claims if c.status != "supported"]


@pytest.mark.parametrize(
    ("draft", "text", "says"),
    [
        ("There are 13 assets.", "13", "total 12"),
        ("共找到13个资产。", "13", "total 12"),
        ("Munich Ring is 12.6 km long.", "12.6 km", "length of Munich Ring 12.5 km"),
        ("Munich Ring is 125 km long.", "125 km", "12.5 km"),
        ("Munich Ring is 12.5 m long.", "12.5 m", "12.5 km"),
        ("Munich Ring is -12.5 km long.", "-12.5 km", "12.5 km"),
        ("Munich Ring is 8 km long.", "8 km", "recorded as length of Berlin Map"),
        ("Munich Ring and Berlin Map are 8 km and 12.5 km long.", "8 km", "length of Munich Ring"),
        ("Munich Ring has 5 lanes.", "5", "laneCount of Munich Ring 4"),
        ("Munich Ring is 5 km long.", "5 km", "length of Munich Ring 12.5 km"),
        ("Munich Ring was created on 6 March 2024.", "6 March 2024", "2024-03-05"),
        ("Munich Ring was created on 10 January 2023.", "10 January 2023", "created of Berlin Map"),
        ("| Asset | Lanes |\n|---|---|\n| Berlin Map | 4 |", "4", "laneCount of Berlin Map 2"),
        ("- Berlin Map\n  - length: 12.5 km", "12.5 km", "length of Berlin Map 8 km"),
        ("Munich Ring is a map. It is 8 km long.", "8 km", "length of Munich Ring 12.5 km"),
    ],
)
def test_a_wrong_value_beside_a_right_name_is_contradicted(
    draft: str, text: str, says: str
) -> None:
    claim = only(check(draft, catalogue()), text)
    assert claim.status == "contradicted"
    assert says in claim.detail
    assert claim.evidence_id == "ev_0123456789abc"
    assert draft[claim.start : claim.end] == text


@pytest.mark.parametrize(
    ("draft", "text", "says"),
    [
        ("Germany's GDP was $4.5 trillion in 2022.", "$4.5 trillion", "(2022)"),
        ("Germany's GDP was 4.52 trillion USD in 2023.", "4.52 trillion USD", "4525703903627.5"),
        ("Germany's GDP was 5 trillion USD in 2023.", "5 trillion USD", "4525703903627.5"),
        ("Germany's GDP was 4.53 billion USD in 2023.", "4.53 billion USD", "4525703903627.5"),
        ("Germany's GDP was 4.53 trillion EUR in 2023.", "4.53 trillion EUR", "USD"),
        ("Germany's population was 4.53 trillion USD in 2023.", "4.53 trillion USD", "83280000"),
        ("Germany's GDP growth was 0.3% in 2023.", "0.3%", "-0.3 %"),
        (
            "Germany's GDP growth was -0.3 percentage points in 2023.",
            "-0.3 percentage points",
            "-0.3 %",
        ),
        ("2023年法国的国内生产总值为4.53万亿美元。", "4.53万亿美元", "gdp of Germany"),
    ],
)
def test_wrong_periods_units_signs_and_scales_are_contradicted(
    draft: str, text: str, says: str
) -> None:
    claim = only(check(draft, statistics()), text)
    assert claim.status == "contradicted"
    assert says in claim.detail


def test_a_value_of_a_year_that_no_record_has_is_unsupported() -> None:
    result = check("In 2021, Germany's GDP was 4.53 trillion USD.", statistics())
    assert only(result, "4.53 trillion USD").status == "unsupported"
    assert only(result, "2021").status == "unsupported"
    assert result.verdict == "unsupported"


@pytest.mark.parametrize(
    ("draft", "text", "note"),
    [
        ("Germany's GDP was 4.53 trillion USD in 2023.", "4.53 trillion USD", "rounded from"),
        ("Germany's GDP exceeded 4.5 trillion USD in 2023.", "4.5 trillion USD", "lower bound"),
        ("In 2023 Germany had nearly 83.3 million people.", "83.3 million", "upper bound"),
        ("In 2023 Germany had about 80 million people.", "80 million", "rounded from"),
        ("Munich Ring is 12,500 m long.", "12,500 m", "converted from 12.5 km"),
        ("Munich Ring is 7.8 miles long.", "7.8 miles", "converted from 12.5 km, rounded"),
        ("Munich Ring has a length of 12.5.", "12.5", "unit not stated"),
        ("Munich Ring is about 13 km long.", "13 km", "rounded from"),
    ],
)
def test_rounding_and_conversion_are_accepted_and_named(draft: str, text: str, note: str) -> None:
    claim = only(check(draft, [*catalogue(), *statistics()]), text)
    assert claim.status == "supported"
    assert note in claim.detail


def test_a_count_is_not_rounded_unless_the_draft_says_so() -> None:
    records = [record([Value("total", "1043")])]
    assert check("There are 1,000 assets.", records).verdict == "contradicted"
    assert check("There are about 1,000 assets.", records).verdict == "supported"
    assert check("There are more than 1,000 assets.", records).verdict == "supported"
    assert check("There are about 1,200 assets.", records).verdict == "contradicted"


def test_nobody_rounds_to_seven_digits() -> None:
    records = [record([Value("population", "22702472", entity="Chile", period="2020")])]
    told = "In 2020 the population of Chile was about {}."
    for figure, right in (("22,700,000", True), ("22,702,000", True), ("22,702,470", False)):
        assert (check(told.format(figure), records).verdict == "supported") == right


def test_a_count_of_an_answer_is_not_the_count_of_something_within_it() -> None:
    lanes = Value("laneCount", "8", entity="Munich Ring")
    records = [record([Value("total", "5"), lanes])]
    draft = "Munich Ring有8条车道。共有{}条匹配。"
    assert only(check(draft.format("5"), records), "5").status != "contradicted"
    wrong = check(draft.format("8"), records).claims[-1]
    assert (wrong.text, wrong.status) != ("8", "supported")


@pytest.mark.parametrize(
    ("draft", "text"),
    [
        ("Together, Munich Ring and Berlin Map cover 20.5 km.", "20.5 km"),
        ("Munich Ring is 4.5 km longer than Berlin Map.", "4.5 km"),
        ("On average, Munich Ring and Berlin Map are 10.25 km long.", "10.25 km"),
        ("From 2022 to 2023 the GDP of Germany grew by 10.8%.", "10.8%"),
        ("2023年德国的国内生产总值比2022年增长了10.8%。", "10.8%"),
        ("In 2023, Germany's GDP was 1.48 times that of France.", "1.48 times"),
        ("In 2023, France's GDP was 67.4% of Germany's.", "67.4%"),
    ],
)
def test_what_follows_from_named_values_is_derived(draft: str, text: str) -> None:
    claim = only(check(draft, [*catalogue(), *statistics()]), text)
    assert claim.status == "derived", claim
    assert "(" in claim.detail


@pytest.mark.parametrize(
    ("draft", "text"),
    [
        ("Berlin Map is 4.5 km longer than Munich Ring.", "4.5 km"),
        ("From 2022 to 2023 the GDP of Germany fell by 10.8%.", "10.8%"),
        ("From 2022 to 2023 the GDP of Germany grew by 11.8%.", "11.8%"),
        ("Together, Munich Ring and Berlin Map cover 21.5 km.", "21.5 km"),
    ],
)
def test_a_wrong_derivation_is_not_derived(draft: str, text: str) -> None:
    result = check(draft, [*catalogue(), *statistics()])
    assert only(result, text).status in ("contradicted", "unsupported", "not_judged")
    assert result.verdict in ("contradicted", "unsupported")


def test_an_unanchored_hit_is_only_a_possible_derivation() -> None:
    claim = only(check("That is 10.8% more.", statistics()), "10.8%")
    assert claim.status == "unsupported"
    assert "possible derivation" in claim.detail
    assert "gdp of Germany" in claim.detail


def test_a_recorded_derivation_needs_no_anchor() -> None:
    claim = only(check("That is 10.8% more.", statistics(derived=True)), "10.8%")
    assert claim.status == "derived"
    assert "percent_change" in claim.detail
    wrong = check("From 2022 to 2023 the GDP of Germany fell by 10.8%.", statistics(derived=True))
    assert wrong.verdict in ("contradicted", "unsupported")


def test_numbers_that_state_nothing_are_no_claims() -> None:
    draft = (
        "1. Munich Ring\n2. Berlin Map\n\nSee Table 2, step 3, [1] and evidence ev_0123456789abc. "
        "One of them is CC-BY-4.0."
    )
    assert {claim.kind for claim in check(draft, catalogue()).claims} <= {"name", "statement"}


def test_without_records_every_number_is_unsupported() -> None:
    result = check("GDP was 4.5 trillion USD in 2023.", [])
    assert [claim.status for claim in result.claims] == ["unsupported", "unsupported"]
    assert result.verdict == "unsupported"


def test_a_period_of_two_names_is_called_by_either() -> None:
    def revenue(entity: str, period: str, value: str) -> Value:
        return Value("REVENUE", value, unit="CNY", entity=entity, period=period)

    records = [
        record(
            [
                revenue("Alpha", "FY2023 = 2023", "100"),
                revenue("Alpha", "FY2024 = 2024", "110"),
                revenue("Beta", "FY2024 = 2024-04-01 to 2025-03-31", "300"),
            ],
            derivations=[Derivation("percent_change", (1, 0), "10", "%")],
        )
    ]
    for year in ("2024", "FY2024", "the fiscal year 2024"):
        said = check(f"Revenue of Alpha for {year} was 110 CNY.", records)
        assert only(said, "110 CNY").status == "supported", year
    grown = check("Revenue of Alpha rose by 10% from 2023 to FY2024.", records)
    assert only(grown, "10%").status == "derived"
    for wrong in (
        "Revenue of Alpha for 2023 was 110 CNY.",
        "Revenue of Beta for 2024 was 300 CNY.",
        "Revenue of Alpha rose by 10% from 2022 to 2024.",
    ):
        statuses = {claim.status for claim in check(wrong, records).claims}
        assert statuses & {"contradicted", "unsupported"}, wrong


PER_CAPITA = Value(
    "GDP_PER_CAPITA",
    "46749.476228",
    unit="USD/person",
    entity="Germany",
    labels=("GDP per capita", "BIP pro Kopf"),
    period="2020",
)
GDP = Value("GDP", "3887727161914.4077", unit="USD", entity="Germany", period="2020")


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("Germany's GDP per capita was 46,749 USD in 2020.", "supported"),
        ("2020 lag das BIP pro Kopf in Germany bei 46.749 US-Dollar.", "supported"),
        ("Germany's GDP per capita was 46,749 EUR in 2020.", "contradicted"),
        ("The GDP of Germany was 46,749 USD in 2020.", "contradicted"),
    ],
)
def test_a_quotient_may_be_told_in_the_unit_of_what_is_divided(draft: str, verdict: str) -> None:
    assert check(draft, [record([PER_CAPITA, GDP], ["GDP"])]).verdict == verdict


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("The GDP of Germany was about 4½ trillion USD in 2023.", "supported"),
        ("Germany had a GDP of about four and a half trillion USD in 2023.", "supported"),
        ("The GDP of Germany was about 4¾ trillion USD in 2023.", "contradicted"),
        ("The GDP of Germany was 4¼ trillion USD in 2023.", "contradicted"),
        ("The GDP of Germany was about 4,525,700 million USD in 2023.", "supported"),
        ("The GDP of Germany was about 4,525,710 million USD in 2023.", "contradicted"),
    ],
)
def test_about_a_fraction_is_rounded_to_its_parts(draft: str, verdict: str) -> None:
    assert check(draft, statistics()).verdict == verdict


@pytest.mark.parametrize(
    "draft",
    ["The value is 2023.", "结果为2023。", "Gefunden wurden 2023 Einträge.", "结果为2。"],
)
def test_a_number_of_nothing_that_is_named_is_not_proven(draft: str) -> None:
    assert check(draft, statistics()).verdict != "supported"


def test_a_year_of_what_is_named_is_proven() -> None:
    draft = "Germany had about 83 million people in 2023."
    assert check(draft, statistics()).verdict == "supported"
