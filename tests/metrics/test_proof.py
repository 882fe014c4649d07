"""What the record of an answer holds."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.query import query_metric
from groundwire.metrics.terms import Arguments

TODAY = date(2026, 11, 21)


def drawn(state: State, *sent: str):
    return query_metric(state, Arguments(*sent), TODAY)[1]


def test_a_value_is_recorded_with_names_unit_period_and_source(state: State) -> None:
    draft = drawn(state, "net profit", "香港", "FY2024", "TOTAL")
    value, document = draft.values
    assert (document.name, document.value) == ("document", "Tolvarne Group annual report 2025")
    assert (value.name, value.value, value.unit) == ("NET_PROFIT", "-12300000", "CNY")
    assert (value.entity, value.period) == ("Tolvarne Hong Kong", "FY2024 = 2024")
    assert {"Net profit", "净利润", "HK", "香港"} <= set(value.labels)
    assert value.source == "Tolvarne Group annual report 2025, row 16, column FY2024"


@pytest.mark.parametrize(
    ("entity", "period", "names"),
    [
        ("HK", "2024", "2024 = FY2024"),
        ("HK", "FY2024Q3", "FY2024Q3 = 2024Q3"),
        ("JP", "FY2024", "FY2024 = 2024-04-01 to 2025-03-31"),
        ("JP", "2024Q3", "2024Q3 = FY2024Q2"),
    ],
)
def test_a_period_has_every_name_of_its_days(
    state: State, entity: str, period: str, names: str
) -> None:
    assert drawn(state, "revenue", entity, period, "TOTAL").values[0].period == names


def test_a_channel_is_part_of_the_name(state: State) -> None:
    value = drawn(state, "revenue", "HK", "FY2024", "online").values[0]
    assert value.name == "REVENUE ONLINE"
    assert {"Online", "线上"} <= set(value.labels)


def test_sources_that_differ_are_recorded_after_what_was_answered(state: State) -> None:
    draft = drawn(state, "revenue", "HK", "FY2024", "stores")
    assert [value.value for value in draft.values] == [
        "228100000",
        "219700000",
        "Tolvarne Group annual report 2025",
        "Retail sales survey 2024",
    ]


def test_the_audit_names_the_fact_and_its_raw_cell(state: State) -> None:
    draft = drawn(state, "net profit", "HK", "FY2024", "TOTAL", "2025-06-30")
    (line,) = draft.audit["outcomes"]
    assert draft.audit["profile"] == "default"
    assert line["key"] == "NET_PROFIT HK TOTAL 2024-01-01 2024-12-31"
    assert (line["as_of"], line["raw"]) == ("2025-03-25", "(9.7)")
    assert len(line["doc_hash"]) == 64


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        (
            ("GDP", "Germany", "2024Q3", "TOTAL"),
            {
                "status": "not_found",
                "metric": "GDP",
                "entity": "DEU",
                "period": "2024Q3",
                "channel": "TOTAL",
            },
        ),
        (
            ("populaton", "Germany", "2020", "TOTAL"),
            {"status": "unrecognized_param", "param": "metric", "reason": "unknown"},
        ),
    ],
)
def test_a_refusal_is_recorded_without_a_number(
    state: State, sent: tuple[str, ...], line: dict[str, str]
) -> None:
    draft = drawn(state, *sent)
    assert {value.kind for value in draft.values} <= {"name"}
    assert draft.derivations == ()
    assert draft.audit["outcomes"] == [line]


def test_periods_that_are_named_without_a_value_are_recorded_as_words(state: State) -> None:
    query = query_metric(state, Arguments("GDP", "Germany", "2024Q3", "TOTAL"), TODAY)
    assert query[0].available is not None
    values = query[1].values
    assert {(value.name, value.kind) for value in values} == {("named periods", "name")}
    named = [
        period for value in values for period in value.value.removeprefix("periods: ").split(", ")
    ]
    assert named == ["2024Q3", *query[0].available.periods]
    assert max(len(value.value) for value in values) < 300


def test_a_period_that_is_named_in_words_is_a_name_of_its_own(state: State) -> None:
    query = query_metric(
        state, Arguments("GDP", "Germany", "2024-01-01 to 2024-09-30", "TOTAL"), TODAY
    )
    first, second, *_ = query[1].values
    assert (first.value, second.value.split(", ")[0]) == ("2024 first nine months", "periods: 2023")


def test_other_names_of_the_vocabularies_are_recorded(state: State) -> None:
    draft = drawn(state, "revenue", "HK", "FY2024", "TOTAL")
    assert {"Net profit", "Tolvarne China"} <= set(draft.vocabulary)
    assert "Population" not in draft.vocabulary
    assert len(draft.vocabulary) <= 150
