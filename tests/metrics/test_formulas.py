"""Formulas of metrics: what is read, the unit that they make, and what a profile refuses."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from groundwire.errors import ConfigurationError
from groundwire.metrics.ask import ask
from groundwire.metrics.factbase import State
from groundwire.metrics.formulas import read_formula, unit_of, value_of, written
from groundwire.metrics.profile import parse_profile
from groundwire.metrics.query import query_metric
from groundwire.metrics.terms import Arguments

TODAY = date(2026, 11, 21)
UNITS = {"GDP": "USD", "POPULATION": "people", "REVENUE": "CNY", "COST": "CNY", "N": ""}


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("GDP / POPULATION", "USD/person"),
        ("(REVENUE - COST) / REVENUE", ""),
        ("growth(REVENUE)", "%"),
        ("REVENUE - COST", "CNY"),
        ("REVENUE / N * 1000", "CNY"),
    ],
)
def test_units_compound(text: str, unit: str) -> None:
    assert unit_of(read_formula(text), UNITS) == unit


def test_values_of_different_units_are_not_added() -> None:
    with pytest.raises(ValueError, match="different units"):
        unit_of(read_formula("GDP + REVENUE"), UNITS)


@pytest.mark.parametrize(
    "text",
    ["", "1 + 2", "open(REVENUE)", "REVENUE ** 99", "REVENUE.real", "growth(1)", "A if B else C",
     "[A]", "lambda: A", "growth(A, B)", "A" * 400, "-REVENUE", "A / B; C"],
)  # fmt: skip
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_formula(text)


def test_the_value_and_the_computation_as_it_is_written() -> None:
    values = {("REVENUE", False): Decimal(110), ("REVENUE", True): Decimal(100)}
    formula = read_formula("growth(REVENUE)")

    def value(code: str, earlier: bool) -> Decimal:
        return values[code, earlier]

    assert value_of(formula, value) == 10
    assert written(formula, value) == "(110 - 100) / 100 * 100"
    values["REVENUE", True] = Decimal(0)
    assert value_of(formula, value) is None


def _profile(**formulas: tuple[str, str]) -> None:
    metrics = [
        {"code": "A", "kind": "k", "label": "A", "unit": "USD"},
        {"code": "B", "kind": "k", "label": "B", "unit": "people"},
    ]
    metrics += [
        {"code": code, "kind": "k", "label": f"{code} l", "unit": unit, "formula": text}
        for code, (text, unit) in formulas.items()
    ]
    parse_profile(
        {
            "profile": {"name": "made", "title": "made"},
            "kinds": {"k": {"label": "k"}},
            "entities": [{"code": "E", "kind": "k", "name": "E"}],
            "metrics": metrics,
        },
        "made",
    )


@pytest.mark.parametrize(
    ("formulas", "said"),
    [
        ({"C": ("A / X", "")}, "unknown metric 'X'"),
        ({"C": ("D / A", ""), "D": ("C / A", "")}, "in a circle"),
        ({"C": ("C / A", "")}, "in a circle"),
        ({"C": ("A + B", "")}, "different units"),
        ({"C": ("A / B", "EUR")}, "makes USD/person"),
        ({"C": ("A /", "")}, "is no formula"),
    ],
)
def test_a_profile_with_a_wrong_formula_is_refused(
    formulas: dict[str, tuple[str, str]], said: str
) -> None:
    with pytest.raises(ConfigurationError, match=said):
        _profile(**formulas)


def test_a_right_formula_is_taken() -> None:
    _profile(C=("A / B", "USD/person"), D=("growth(A)", "%"), F=("C * 2", ""))


def test_a_formula_metric_shows_its_operands_and_is_recorded(state: State) -> None:
    sent = Arguments("GDP per capita", "Germany", "2020", "TOTAL")
    result, draft = query_metric(state, sent, TODAY)
    assert result.status == "found"
    assert result.unit == "USD/person"
    assert result.exact is False
    assert [one.metric for one in result.operands or ()] == ["GDP", "POPULATION"]
    gdp, people = (Decimal(one.value_text) for one in result.operands or ())
    assert abs(Decimal(result.value_text or 0) - gdp / people) < Decimal("0.000001")
    (derivation,) = draft.derivations
    assert derivation.operation == "ratio"
    assert [draft.values[at].value for at in derivation.operands] == [str(gdp), str(people)]


def test_a_formula_without_one_of_its_operands_is_not_found(state: State) -> None:
    sent = Arguments("GDP per capita", "Germany", "2024", "TOTAL")
    result, _ = query_metric(state, sent, TODAY)
    assert result.status == "not_found"
    assert result.available is not None
    assert "2023" in result.available.periods


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How fast did Germany's GDP grow in 2019?", "from 2018 to 2019"),
        ("Wie stark wuchs das BIP Deutschlands 2019?", "2018 bis 2019"),
        ("2019年德国GDP同比增长多少？", "从2018到2019"),
        ("托瓦恩集团2024年第三季度营收环比增长多少？", "从2024Q2到2024Q3"),
        ("CAGR of the GDP of Italy between 2000 and 2010", "** (1 / 10)"),
        ("Germany's share of EU GDP in 2020", "25.275479%"),
        ("Wie hoch war der Anteil Deutschlands am BIP der EU 2020?", "25,275479%"),
        ("2020年德国占欧盟GDP的比重是多少？", "25.275479%"),
    ],
)
def test_computed_questions_are_answered(state: State, question: str, said: str) -> None:
    assert said in ask(state, question, TODAY).text


@pytest.mark.parametrize(
    "question",
    [
        "How fast did Germany's real GDP grow in 2019?",
        "Wie stark wuchs das reale BIP Deutschlands 2019?",
        "2019年德国实际GDP同比增长多少？",
        "Anteil der EU am BIP Deutschlands 2020",
        "GDP growth of France in 2024",
    ],
)
def test_what_is_something_else_is_not_computed(state: State, question: str) -> None:
    assert ask(state, question, TODAY).derived == ()
