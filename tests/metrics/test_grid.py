"""`query_metric_grid`: every combination a cell, and what is computed of those that were found."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from groundwire.errors import InputError, LimitError
from groundwire.evidence.records import Draft
from groundwire.metrics.derive import SUM_OF_LISTED
from groundwire.metrics.factbase import State
from groundwire.metrics.grid import MOST_CELLS, GridRequest, query_grid
from groundwire.metrics.results import GridResult

TODAY = date(2026, 11, 21)
Grid = Callable[..., tuple[GridResult, Draft]]


@pytest.fixture
def grid(state: State) -> Grid:
    def ask(metrics: str, entities: str, periods: str, **rest: Any) -> tuple[GridResult, Draft]:
        axes = [one.split(", ") if one else [] for one in (metrics, entities, periods)]
        return query_grid(state, GridRequest(*axes, **rest), TODAY)

    return ask


def keys(result: GridResult) -> list[str]:
    return [
        f"{one.metric} {one.entity} {one.channel} {one.period}"
        if one.status == "found"
        else f"{one.status} {' '.join((one.normalized or {'param': str(one.raw)}).values())}"
        for one in result.cells
    ]


def test_cells_come_metric_by_metric_then_entity_channel_and_period(grid: Grid) -> None:
    result, _ = grid("revenue, net profit", "CN, HK", "2023, 2024", channels=["TOTAL", "online"])
    assert keys(result) == [
        "REVENUE CN TOTAL 2023",
        "REVENUE CN TOTAL 2024",
        "REVENUE CN ONLINE 2023",
        "REVENUE CN ONLINE 2024",
        "REVENUE HK TOTAL 2023",
        "REVENUE HK TOTAL 2024",
        "REVENUE HK ONLINE 2023",
        "REVENUE HK ONLINE 2024",
        "NET_PROFIT CN TOTAL 2023",
        "NET_PROFIT CN TOTAL 2024",
        "not_found NET_PROFIT CN 2023 ONLINE",
        "not_found NET_PROFIT CN 2024 ONLINE",
        "NET_PROFIT HK TOTAL 2023",
        "NET_PROFIT HK TOTAL 2024",
        "not_found NET_PROFIT HK 2023 ONLINE",
        "not_found NET_PROFIT HK 2024 ONLINE",
    ]
    for name in ("Tolvarne China for 2023", "Tolvarne Hong Kong for 2024"):
        assert f"Net profit (Online) of {name}" in result.answer


def test_each_cell_is_what_a_single_query_answers(grid: Grid, query: Any) -> None:
    sent = ("revenue, revenu, population", "HK, Tangyuju, 中国", "2024, TTM, never")
    result, _ = grid(*sent)
    assert len(result.cells) == 27
    singles = [
        query(metric, entity, period)
        for metric in sent[0].split(", ")
        for entity in sent[1].split(", ")
        for period in sent[2].split(", ")
    ]
    for cell, single in zip(result.cells, singles, strict=True):
        assert cell.model_dump() == single.model_dump(exclude={"evidence_id", "evidence_error"})


@pytest.mark.parametrize(
    ("periods", "labels"),
    [
        ("2022-2024", ["2022", "2023", "2024"]),
        ("2023Q2 to 2023Q4", ["2023Q2", "2023Q3", "2023Q4"]),
        ("since 2023", ["2023", "2024", "2025"]),
        ("since 2026Q1", ["2026Q1", "2026Q2", "2026Q3"]),
        ("FY2024, latest quarter", ["FY2024", "2026Q3"]),
    ],
)
def test_ranges_and_since_are_expanded(grid: Grid, periods: str, labels: list[str]) -> None:
    result, _ = grid("revenue", "HK", periods)
    assert [one.period for one in result.cells] == labels


def test_since_a_time_without_facts_names_what_is_missing(grid: Grid) -> None:
    result, _ = grid("revenue", "HK", "since 2030")
    assert keys(result) == ["not_found REVENUE HK 2030 TOTAL"]
    assert result.answer == "Not held: Revenue of Tolvarne Hong Kong for 2030."


def since(state: State, metric: str, entity: str, period: str) -> list[tuple[str | None, ...]]:
    """Periods and values that "since" finds."""
    result, _ = query_grid(state, GridRequest([metric], [entity], [period]), TODAY)
    return [(one.period, one.value_text) for one in result.cells if one.status == "found"]


def test_since_a_year_finds_the_years_of_a_stock_that_is_held_at_days(
    shop_state: Any, written: Any
) -> None:
    ends = {"2020-12-31": "1", "2021-12-31": "2", "2022-06-30": "3", "2022-12-31": "4"}
    state = shop_state(*(written("STOCK", "A", day, day, value) for day, value in ends.items()))
    assert since(state, "STOCK", "A", "since 2021") == [("2021", "2"), ("2022", "4")]
    assert since(state, "STOCK", "A", "since 2022Q1") == [("2022Q2", "3"), ("2022Q4", "4")]
    assert since(state, "STOCK", "A", "since 2022-06-30") == [
        ("2022-06-30", "3"),
        ("2022-12-31", "4"),
    ]


def test_since_a_year_finds_the_days_of_a_stock_where_they_end_no_year(
    shop_state: Any, written: Any
) -> None:
    days = ("2020-03-15", "2021-03-15", "2022-03-15")
    state = shop_state(*(written("STOCK", "A", day, day, day[3]) for day in days))
    assert since(state, "STOCK", "A", "since 2021") == [("2021-03-15", "1"), ("2022-03-15", "2")]


def test_since_a_fiscal_year_finds_what_ends_fiscal_years(shop_state: Any, written: Any) -> None:
    # Years from 1 February, of 52 weeks: they end on a Saturday near the calendar's last day.
    days = ("2024-02-03", "2024-12-31", "2025-02-01")
    state = shop_state(*(written("STOCK", "W", day, day, day[3:4]) for day in days))
    assert since(state, "STOCK", "W", "since FY2023") == [("FY2023", "4"), ("FY2024", "5")]
    assert since(state, "STOCK", "W", "since 2024") == [("2024", "4")]


def test_days_of_a_flow_are_no_years_of_it(shop_state: Any, written: Any) -> None:
    state = shop_state(written("SALES", "A", "2021-12-31", "2021-12-31", "2"))
    assert since(state, "SALES", "A", "since 2021") == []


def test_ranges_follow_the_calendar_of_each_entity(grid: Grid) -> None:
    result, _ = grid("revenue", "HK, JP", "FY2023-FY2024")
    assert [(one.entity, one.interval.start) for one in result.cells] == [
        ("HK", "2023-01-01"),
        ("HK", "2024-01-01"),
        ("JP", "2023-04-01"),
        ("JP", "2024-04-01"),
    ]


def test_what_is_sent_twice_is_answered_once_and_counted_once(grid: Grid) -> None:
    result, draft = grid("revenue, revenue", "HK, CN, HK", "2024, 2024", derive=["sum"])
    assert keys(result) == ["REVENUE HK TOTAL 2024", "REVENUE CN TOTAL 2024"]
    assert [value.value for value in draft.values[:2]] == ["384100000", "3998900000"]
    assert {value.name for value in draft.values[2:]} == {"document"}
    # Two names of one are two cells, and still one operand.
    named, _ = grid("revenue", "HK, Hong Kong, CN", "2024", derive=["sum"])
    (one,) = named.derived
    assert one.value == "4383000000"
    assert [operand.entity for operand in one.operands] == ["HK", "CN"]


def test_as_of_holds_for_every_cell(grid: Grid) -> None:
    result, _ = grid("net profit", "HK", "FY2023, FY2024", as_of="2025-06-30")
    assert [one.value_text for one in result.cells][-1] == "-9700000"
    assert all(one.as_of <= "2025-06-30" for one in result.cells)


# Limits


def test_more_cells_than_one_call_answers_are_refused(grid: Grid) -> None:
    many = "Germany, France, Italy, Spain, Poland, Greece"
    result, _ = grid("population", many, "1960-2024")
    assert len(result.cells) == 390 <= MOST_CELLS
    with pytest.raises(LimitError, match="more than 400 cells: ask for fewer"):
        grid("population", f"{many}, Ireland", "1960-2024")


@pytest.mark.parametrize("empty", ["metrics", "entities", "periods"])
def test_an_empty_axis_is_refused_by_name(grid: Grid, empty: str) -> None:
    axes = {"metrics": "revenue", "entities": "HK", "periods": "2024"} | {empty: ""}
    with pytest.raises(InputError, match=f"`{empty}` is empty"):
        grid(**axes)


# Computed


def test_what_is_computed_is_said_with_all_its_operands(grid: Grid) -> None:
    result, draft = grid("revenue", "HK", "2023Q1 to 2023Q3", derive=["sum"])
    (one,) = result.derived
    assert (one.operation, one.value, one.unit, one.exact) == ("sum", "271300000", "CNY", True)
    assert one.formula == "88700000 + 92200000 + 90400000 = 271300000 CNY"
    assert (
        "Sum of Revenue of Tolvarne Hong Kong for 2023Q1, Revenue of Tolvarne Hong Kong for "
        "2023Q2, Revenue of Tolvarne Hong Kong for 2023Q3: 271,300,000 CNY." in result.answer
    )
    (recorded,) = draft.derivations
    assert [draft.values[place].value for place in recorded.operands] == [
        "88700000", "92200000", "90400000",
    ]  # fmt: skip
    assert (recorded.operation, recorded.value) == ("sum", "271300000")


def test_shares_of_channels_are_told_apart(grid: Grid) -> None:
    channels = ["online", "retail", "wholesale", "total"]
    result, _ = grid("revenue", "HK", "2024", channels=channels, derive=["share"])
    assert [one.value for one in result.derived] == ["26.868003", "59.385577", "13.74642"]
    assert "Share of Revenue (Retail) of Tolvarne Hong Kong for 2024: 59.385577%." in result.answer


PAIRS = [
    ("DEU", "EUU"), ("FRA", "EMU"), ("POL", "CEB"), ("MEX", "OED"), ("NGA", "SSF"), ("IND", "WLD"),
    ("BRA", "LCN"), ("EGY", "ARB"), ("USA", "NAC"), ("EUU", "WLD"), ("JPN", "EAS"), ("TUR", "ECS"),
]  # fmt: skip


@pytest.mark.parametrize(("part", "whole"), PAIRS)
@pytest.mark.parametrize("metric", ["GDP", "population"])
def test_a_share_is_of_the_group_and_a_sum_adds_no_part_to_it(
    grid: Grid, metric: str, part: str, whole: str
) -> None:
    for pair in (f"{part}, {whole}", f"{whole}, {part}"):
        result, draft = grid(metric, pair, "2020", derive=["share", "sum"])
        values = {one.entity: Decimal(one.value_text) for one in result.cells}
        (one,) = result.derived
        wanted = values[part] / values[whole] * 100
        assert (one.operation, abs(Decimal(one.value) - wanted) < Decimal("0.000001")) == (
            "share", True,
        )  # fmt: skip
        assert [operand.entity for operand in one.operands] == [part, whole]
        (left,) = result.not_derived
        assert left.operation == "sum" and "one holds the other already" in left.reason
        assert all(derivation.operation == "share" for derivation in draft.derivations)
        named, _ = grid(metric, part, "2020", derive=["share"], share_of=whole)
        assert [item.value for item in named.derived] == [one.value]


@pytest.mark.parametrize(
    ("entities", "reason"),
    [
        (
            "EU, OECD",
            "European Union and OECD members both hold Austria, Belgium, Czechia and more",
        ),
        ("EU, Euro area", "Euro area is in European Union"),
        ("Germany, Low income", "does not name all members of Low income, so it may hold Germany"),
    ],
)
def test_what_overlaps_is_not_added_and_has_no_shares_of_the_sum(
    grid: Grid, entities: str, reason: str
) -> None:
    result, _ = grid("GDP", entities, "2020", derive=["sum"])
    assert result.derived == []
    assert reason in result.answer
    shares, _ = grid("GDP", entities, "2020", derive=["share"])
    assert all(len(one.operands) == 2 and one.whole != SUM_OF_LISTED for one in shares.derived)


def test_what_is_apart_is_added_and_its_shares_say_of_what(grid: Grid) -> None:
    bare, _ = grid("population", "EU, US", "2020", derive=["sum", "share"])
    assert [one.operation for one in bare.derived] == ["sum"]
    assert "which whole is meant? European Union and United States are parts of" in bare.answer
    result, _ = grid(
        "population", "EU, US", "2020", derive=["sum", "share"], share_of="those listed"
    )
    assert [one.operation for one in result.derived] == ["sum", "share", "share"]
    assert {one.whole for one in result.derived[1:]} == {SUM_OF_LISTED}
    assert "in the sum of those listed (European Union, United States): " in result.answer


def test_the_sum_of_those_listed_is_no_whole_where_one_is_missing(grid: Grid) -> None:
    sent = {"derive": ["share"], "share_of": "those listed"}
    found, _ = grid("GDP", "Germany, France", "2020", **sent)
    assert len(found.derived) == 2
    unknown, _ = grid("GDP", "Germany, France, Atlantis", "2020", **sent)
    assert unknown.derived == []
    assert "Atlantis among those listed is not known" in unknown.answer
    unheld, _ = grid("revenue", "HK, CN, TW", "2020, 2024", **sent)
    periods = {operand.period for one in unheld.derived for operand in one.operands}
    missing = {one.normalized["period"] for one in unheld.cells if one.status == "not_found"}
    assert missing and not periods & missing
    channels, _ = grid("revenue", "HK", "2024", channels=["online", "retail"], derive=["share"])
    assert channels.derived == []
    assert "The total of all channels is not among the values" in channels.answer


def test_a_whole_that_is_not_known_gives_no_share(grid: Grid) -> None:
    result, _ = grid("GDP", "Germany", "2020", derive=["share"], share_of="Atlantis")
    assert result.derived == []
    assert [one.status for one in result.cells] == ["found", "unrecognized_param"]
    assert "the whole Atlantis is not known" in result.answer
    refused, _ = grid("revenue", "HK", "2024", derive=["share"], share_of="Tangyuju")
    assert refused.cells[-1].reason == "out_of_scope_entity"


def test_operands_of_a_record_are_found_values_though_others_are_missing(grid: Grid) -> None:
    result, draft = grid("revenue", "HK", "2020, 2023, TTM, 2024", derive=["percent_change"])
    assert [one.status for one in result.cells] == [
        "not_found", "found", "unrecognized_param", "found",
    ]  # fmt: skip
    (made,) = draft.derivations
    assert [draft.values[place].period for place in made.operands] == [
        "2024 = FY2024", "2023 = FY2023",
    ]  # fmt: skip
    assert result.derived[0].value == "2.29028"


def test_what_cannot_be_computed_is_said_with_the_reason(grid: Grid) -> None:
    result, draft = grid("revenue, headcount", "HK", "2024", derive=["ratio", "delta"])
    assert result.derived == []
    assert [(one.operation, one.reason) for one in result.not_derived] == [
        ("ratio", "the operands have different units: CNY, people"),
        ("delta", "needs two periods, entities or channels of one metric with a fact each"),
    ]
    assert "Not computed: ratio (the operands have different units: CNY, people)." in result.answer
    assert draft.derivations == ()


def test_a_difference_of_entities_is_the_first_less_the_others(grid: Grid) -> None:
    result, _ = grid("revenue", "CN, HK", "2024", derive=["delta"])
    assert [one.formula for one in result.derived] == ["3998900000 - 384100000 = 3614800000 CNY"]


def test_nothing_is_computed_of_what_was_not_found(grid: Grid) -> None:
    result, _ = grid("revenue", "HK", "2019, 2020", derive=["delta", "sum"])
    assert result.derived == []
    assert {one.operation for one in result.not_derived} == {"delta", "sum"}


# Pages


def test_a_later_page_holds_the_rest_and_computes_nothing_again(grid: Grid) -> None:
    whole, _ = grid("revenue", "HK", "2022-2025", derive=["delta"])
    rest, _ = grid("revenue", "HK", "2022-2025", derive=["delta"], offset=3)
    assert rest.cells == whole.cells[3:]
    assert (len(whole.derived), rest.derived) == (4, [])
    kept = whole.shortened(2)
    assert (kept.cells, kept.next_offset) == (whole.cells[:2], 2)


@pytest.mark.parametrize(
    ("axes", "derived", "said"),
    [
        (
            ("population", "China", "2010, 2020"), "percent_change",
            "Percent change of Population of China from 2010 to 2020: 5.486636%.",
        ),
        (
            ("population", "China", "2010, 2020"), "delta",
            "Change of Population of China from 2010 to 2020: 73,395,000 people.",
        ),
        (
            ("population", "India, China", "2010"), "delta",
            "Difference of Population of India for 2010 and Population of China for 2010: "
            "-94,223,436 people.",
        ),
        (
            ("net profit, revenue", "CN", "2024"), "ratio",
            "Ratio of Net profit of Tolvarne China for 2024 to Revenue of Tolvarne China for 2024:",
        ),
    ],
)  # fmt: skip
def test_what_is_computed_can_be_quoted_as_it_is(
    grid: Grid, axes: tuple[str, ...], derived: str, said: str
) -> None:
    result, _ = grid(*axes, derive=[derived])
    assert said in result.answer


def test_a_change_tells_the_days_of_fiscal_years_as_values_do(grid: Grid) -> None:
    result, _ = grid("revenue", "Tolvarne Japan, TVN", "FY2023, FY2024", derive=["delta"])
    later = "(2023-04-01 to 2024-03-31) to FY2024 (2024-04-01 to 2025-03-31): 24,400,000 CNY"
    assert f"Change of Revenue of Tolvarne Japan from FY2023 {later}" in result.answer
    assert "Change of Revenue of Tolvarne Group from FY2023 to FY2024:" in result.answer
