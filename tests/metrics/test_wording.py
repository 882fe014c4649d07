"""Values, names and sources as readers see them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, Lineage
from groundwire.metrics.wording import (
    chinese_name,
    exact,
    grouped,
    listed,
    number,
    sentence,
    sentence_in_chinese,
    subject,
    with_unit,
)


@pytest.mark.parametrize(
    ("value", "plain", "read"),
    [
        ("3626396000", "3626396000", "3,626,396,000"),
        ("3.626396E+9", "3626396000", "3,626,396,000"),
        ("-12300000", "-12300000", "-12,300,000"),
        ("1E-12", "0.000000000001", "0.000000000001"),
        ("41.20", "41.20", "41.20"),
        ("0", "0", "0"),
        ("1234567.890", "1234567.890", "1,234,567.890"),
    ],
)
def test_values_are_exact_and_never_an_exponent(value: str, plain: str, read: str) -> None:
    assert exact(Decimal(value)) == plain
    assert grouped(Decimal(value)) == read


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_no_digit_is_lost(value: Decimal) -> None:
    assert Decimal(exact(value)) == value
    assert Decimal(grouped(value).replace(",", "")) == value
    assert "E" not in exact(value).upper()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("3626396000", 3626396000),
        ("41.20", 41.2),
        ("9007199254740992", 9007199254740992),
        ("9007199254740993", 9007199254740992.0),
    ],
)
def test_a_json_number_is_whole_where_every_reader_keeps_it(value: str, shown: float) -> None:
    made = number(Decimal(value))
    assert made == shown
    assert type(made) is type(shown)


def test_units() -> None:
    assert with_unit("38.2", "%") == "38.2%"
    assert with_unit("1,234", "CNY") == "1,234 CNY"
    assert with_unit("1,234", "") == "1,234"


def test_names_in_a_row() -> None:
    assert listed([]) == ""
    assert listed(["a", "b"]) == "a, b"
    assert listed(list("abcdefg")) == "a, b, c, d, e, f and more"
    assert listed(["a", "b"], 1) == "a and more"


def test_a_chinese_name_where_there_is_one() -> None:
    assert chinese_name("China", ["PRC", "中国", "中华"]) == "中国"
    assert chinese_name("Aruba", ["AW"]) == "Aruba"


SURVEY = Lineage("Survey", "row 9", "1" * 64, "Office", "")


def fact(channel: str) -> Fact:
    return Fact(
        "REVENUE", "HK", channel, date(2024, 1, 1), date(2024, 12, 31), date(2025, 3, 1),
        Decimal("3626396000"), "CNY", Lineage("Report", "row 3", "0" * 64, "House", ""),
    )  # fmt: skip


def test_the_quotable_sentence(state: State) -> None:
    profile = state.profile
    assert sentence(profile, [fact("TOTAL")], "FY2024") == (
        "Revenue of Tolvarne Hong Kong for FY2024: 3,626,396,000 CNY (Report, row 3)."
    )
    assert sentence(profile, [fact("ONLINE")], "FY2024").startswith("Revenue (Online) of")
    assert sentence_in_chinese(profile, [fact("ONLINE")], "FY2024") == (
        "托瓦恩香港 FY2024 营收（线上）：3,626,396,000 元（来源：Report，row 3）。"
    )


def test_sources_that_differ_are_said_in_both_languages(state: State) -> None:
    other = fact("TOTAL")._replace(value=Decimal(3500000000), source=SURVEY)
    facts = [fact("TOTAL"), other]
    assert sentence(state.profile, facts, "FY2024").endswith(
        "(Report, row 3); other sources differ: 3,500,000,000 CNY in Survey."
    )
    assert sentence_in_chinese(state.profile, facts, "FY2024").endswith(
        "；其他来源不同：Survey 为 3,500,000,000 元。"
    )


def test_a_subject_without_a_period(state: State) -> None:
    assert subject(state.profile, "ROE", "HK", "TOTAL", "") == (
        "Return on equity of Tolvarne Hong Kong"
    )
