"""What a question takes for granted is corrected, borne out, or said to be unchecked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Record
from groundwire.metrics.ask import ask
from groundwire.metrics.factbase import State
from groundwire.metrics.premises import compared_with, earlier_periods
from groundwire.metrics.questions import clarify_question
from tests.metrics.conftest import TODAY


@pytest.mark.parametrize(
    ("label", "earlier"),
    [
        ("2024", ("2023",)),
        ("FY2024", ("FY2023",)),
        ("2024Q3", ("2024Q2", "2023Q3")),
        ("FY2024Q1", ("FY2023Q4", "FY2023Q1")),
        ("2024H1", ("2023H2", "2023H1")),
        ("2024-01", ("2023-12", "2023-01")),
        ("2024-12", ("2024-11", "2023-12")),
        ("2024-03-31", ()),
        ("latest", ()),
    ],
)
def test_a_change_is_told_from_the_period_before_and_that_of_the_year_before(
    label: str, earlier: tuple[str, ...]
) -> None:
    assert earlier_periods(label) == earlier
    assert compared_with("fall", [label]) == earlier


def test_nothing_earlier_is_needed_where_several_periods_or_entities_are_compared() -> None:
    assert compared_with("fall", ["2023", "2024"]) == ()
    assert compared_with("higher", ["2024"]) == ()
    assert compared_with(None, ["2024"]) == ()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Why did revenue fall in FY2025?",
            "Revenue of Tolvarne Group did not fall in FY2025: it rose, in FY2024 it was "
            "4,856,300,000 CNY, in FY2025 it was 5,113,700,000 CNY.",
        ),
        (
            "Why did Hong Kong's retail revenue grow in FY2024?",
            "Revenue (Retail) of Tolvarne Hong Kong did not rise in FY2024: it fell, in "
            "FY2023 it was 229,200,000 CNY, in FY2024 it was 228,100,000 CNY.",
        ),
        (
            "How much did revenue of HK fall from FY2023 to FY2024?",
            "did not fall in FY2024: it rose, in FY2023 it was 375,500,000 CNY, in FY2024 it was ",
        ),
        (
            "Why did the population of India shrink in 2020?",
            "did not fall in 2020: it rose",
        ),
        ("Why did GDP of Germany fall?", "GDP (current US$) of Germany did not fall in 2023"),
        (
            "为什么集团2025财年收入下降？",
            "FY2025 托瓦恩集团营收并未下降: FY2024 为 4,856,300,000 元",
        ),
        ("Why was revenue higher in HK than in CN in FY2024?", "is lower than Revenue of"),
        ("为什么香港的收入比中国内地高FY2024", "低于而非高于"),
    ],
)
def test_a_premise_that_the_figures_deny_is_corrected_with_them(
    state: State, question: str, said: str
) -> None:
    assert said in ask(state, question, TODAY).text


@pytest.mark.parametrize(
    "question",
    [
        "Why did revenue rise in FY2024?",
        "Why did Hong Kong's retail revenue fall in FY2024?",
        "为什么集团2024财年收入增长？",
        "Why was revenue higher in CN than in HK in FY2024?",
        "What was the revenue of the group in FY2025?",
        "Why did revenue not fall in FY2025?",
        "Why did the growth of revenue slow in FY2025?",
    ],
)
def test_a_premise_that_is_so_or_that_is_none_is_not_corrected(state: State, question: str) -> None:
    text = ask(state, question, TODAY).text
    assert not any(one in text for one in ("did not", "并未", "not checked", "而非", "未经核实"))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did revenue of Hong Kong decline in 2019?", "fell is not checked"),
        ("为什么香港2019年收入下降", "是否下降未经核实"),
    ],
)
def test_a_premise_without_figures_is_said_to_be_unchecked(
    state: State, question: str, said: str
) -> None:
    assert said in ask(state, question, TODAY).text


def test_a_part_of_a_year_falls_if_it_fell_against_either(
    shop_state: Callable[..., State], written: Any
) -> None:
    quarters = [("2023-07-01", "2023-09-30", "9"), ("2024-04-01", "2024-06-30", "5"),
                ("2024-07-01", "2024-09-30", "7")]  # fmt: skip
    state = shop_state(*(written("SALES", "A", *one) for one in quarters))
    against_the_year = ask(state, "Why did sales of Alpha fall in 2024Q3?", TODAY).text
    assert "did not fall" not in against_the_year
    against_the_quarter = ask(state, "Why did sales of Alpha rise in 2024Q3?", TODAY).text
    assert "did not rise" not in against_the_quarter


def test_what_did_not_change_is_said_so(shop_state: Callable[..., State], written: Any) -> None:
    years = [("2023-01-01", "2023-12-31", "9"), ("2024-01-01", "2024-12-31", "9")]
    state = shop_state(*(written("SALES", "A", *one) for one in years))
    text = ask(state, "Why did sales of Alpha fall in 2024?", TODAY).text
    assert "did not fall in 2024: it was 9 EUR, as in 2023." in text


def test_the_figures_of_a_correction_are_recorded(state: State) -> None:
    draft = ask(state, "Why did revenue fall in FY2025?", TODAY).draft
    assert {"5113700000", "4856300000"} <= {one.value for one in draft.values}


def test_clarify_says_what_is_taken_for_granted_and_what_tells_it(state: State) -> None:
    intent = clarify_question(
        state, "Why did revenue fall in 2024Q3?", "", date(2026, 11, 21)
    ).intent
    assert (intent.premise, intent.compared_with) == ("fall", ["2024Q2", "2023Q3"])
    plain = clarify_question(state, "Revenue in 2024Q3", "", date(2026, 11, 21)).intent
    assert (plain.premise, plain.compared_with) == (None, None)


@pytest.mark.parametrize(
    "question",
    [
        "Why did revenue fall in FY2025?",
        "Why did the population of India shrink in 2020?",
        "为什么2024年中国内地收入下降",
        "Germany's share of EU GDP in 2020",
        "德国占欧盟GDP的比重2020",
        "combined GDP of EU and OECD in 2020",
        "JP share of group revenue FY2024",
    ],
)
def test_the_check_of_a_draft_bears_out_what_is_said(state: State, question: str) -> None:
    answered = ask(state, question, TODAY)
    draft = answered.draft
    one = Record("ev_0123456789abc", 1, "local", "ask", {}, "2026-11-20T02:00:00.000Z", draft,
                 None, None, False, "", "")  # fmt: skip
    said = answered.text.split("\n")[0]
    claims = check(said, [one]).claims
    assert [c.text for c in claims if c.status in ("contradicted", "unsupported")] == []
    # As the tool records it, with the sentences of its answer.
    answered_so = replace(one, draft=replace(draft, answer=said))
    assert check(said, [answered_so]).verdict == "supported"
