"""What can be asked for, with search and pages."""

from __future__ import annotations

import pytest

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.listing import PAGE, list_dimension_values, list_metrics


def values(state: State, *sent: str, offset: int = 0) -> list[str]:
    return [one.value for one in list_dimension_values(state, *sent, offset=offset).values]  # type: ignore[arg-type]


def test_metrics_come_with_unit_grains_and_what_is_held(state: State) -> None:
    listed = list_metrics(state)
    found = {one.code: one for one in listed.metrics}
    assert set(found) == set(state.profile.metric_by_code)
    population = found["POPULATION"]
    assert (population.unit, population.grains) == ("people", ["year"])
    assert population.entities_covered > 200
    assert population.periods_covered == "1960-01-01 to 2024-12-31"
    assert "人口" in population.aliases
    assert found["REVENUE"].entities_covered == 4
    assert "REVENUE (Revenue)" in listed.answer
    assert listed.next_offset is None


@pytest.mark.parametrize(
    ("search", "codes"),
    [
        ("营", ["REVENUE"]),
        ("equity", ["ROE"]),
        ("populaton", ["POPULATION"]),
        ("PROFIT", ["NET_PROFIT", "GROSS_MARGIN", "NET_MARGIN", "ROE"]),
        ("zzz", []),
    ],
)
def test_metrics_are_searched_by_what_they_are_called_and_count(
    state: State, search: str, codes: list[str]
) -> None:
    listed = list_metrics(state, search)
    assert [one.code for one in listed.metrics] == codes
    assert f'"{search}"' in listed.answer


def test_entities_are_those_that_have_the_metric(state: State) -> None:
    assert values(state, "entity", "revenue") == ["TVN", "CN", "HK", "JP"]
    assert values(state, "entity", "人口", "中国")[0] == "CHN"
    assert "CN" not in values(state, "entity", "population")


def test_a_near_miss_comes_after_what_holds_the_words(state: State) -> None:
    assert values(state, "entity", "population", "Irland")[0] == "IRL"
    both = values(state, "entity", "", "日本")
    assert both[:2] == ["JPN", "JP"]


def test_entities_come_page_by_page(state: State) -> None:
    found: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = list_dimension_values(state, "entity", offset=offset)
        assert len(page.values) <= PAGE
        found += [one.value for one in page.values]
        offset = page.next_offset
    assert sorted(found) == sorted(state.profile.entity_by_code)
    assert values(state, "entity", offset=10_000) == []


def test_periods_are_named_on_the_calendars_newest_first(state: State) -> None:
    assert values(state, "period", "population")[:2] == ["2024", "2023"]
    found = values(state, "period", "revenue")
    assert found[:2] == ["2026-09", "2026Q3"]
    assert "FY2025" in found and "2025" in found
    assert all("Q" in one for one in values(state, "period", "revenue", "quarter"))
    assert values(state, "period", "revenue", "2025Q2") == ["2025Q2"]


def test_every_listed_period_of_a_metric_can_be_asked_for(state: State, query: object) -> None:
    for period in values(state, "period", "gross margin"):
        answers = [query("gross margin", entity, period) for entity in ("TVN", "CN", "HK", "JP")]  # type: ignore[operator]
        assert any(one.status == "found" for one in answers), period


def test_channels_are_those_that_have_facts(state: State) -> None:
    assert values(state, "channel", "revenue") == ["TOTAL", "ONLINE", "RETAIL", "WHOLESALE"]
    assert values(state, "channel", "population") == ["TOTAL"]
    assert values(state, "channel", "net profit") == ["TOTAL"]
    assert values(state, "channel", "", "电商") == ["ONLINE"]


def test_a_metric_without_facts_has_no_values(shops: object) -> None:
    query = shops()  # type: ignore[operator]
    assert query("sales", "Alpha", "latest").status == "not_found"
    state = query.__closure__[0].cell_contents
    for dimension in ("entity", "period", "channel"):
        assert values(state, dimension, "sales") == []
    assert values(state, "channel") == ["TOTAL", "WEB"]


def test_a_search_without_a_match_says_how_to_see_all(state: State) -> None:
    way_out = "none; call without search to see all."
    assert list_metrics(state, "zzz").answer == f'Metrics that match "zzz": {way_out}'
    assert list_dimension_values(state, "entity", "", "zzz").answer.endswith(way_out)


def test_no_such_metric_names_the_nearest(state: State) -> None:
    with pytest.raises(InputError, match="'reveneu' is no metric; near to it: Revenue"):
        list_dimension_values(state, "period", "reveneu")
    with pytest.raises(InputError, match="list_metrics has them"):
        list_dimension_values(state, "period", "zzz")


@pytest.mark.parametrize("name", ["中国棠屿居", "Tangy\u200buju", "香港澜雀百货"])
def test_a_name_out_of_scope_is_refused_and_no_part_of_it_is_offered(
    state: State, name: str
) -> None:
    for call in (
        lambda: list_metrics(state, name),
        lambda: list_dimension_values(state, "entity", "", name),
        lambda: list_dimension_values(state, "entity", name),
    ):
        with pytest.raises(InputError, match="is outside the scope of this server"):
            call()


@pytest.mark.parametrize("search", ["Tolvarne", "托瓦恩"])
def test_what_holds_a_name_is_told_without_what_is_near_to_it(state: State, search: str) -> None:
    assert values(state, "entity", "", search) == ["TVN", "CN", "HK", "JP"]
    assert "TVN" in values(state, "entity", "", "Tolvarme")
