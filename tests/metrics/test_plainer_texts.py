"""Questions that are asked back are read in plainer words, with typos corrected."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.plainer_texts import plainer_texts
from groundwire.metrics.questions import clarify_question

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which shop paid the most rent in 2025?", "Which shop had the most rent in 2025?"),
        ("How much rent did Mong Kok pay in 2025?", "How much rent did Mong Kok have in 2025?"),
        ("Wie viel Miete zahlte Mong Kok 2025?", "Wie viel Miete hatte Mong Kok 2025?"),
        ("visitors 2025, and was it more than the year before?", "visitors 2025 and 2024?"),
        (
            "Was it higher in FY2024 than the year before?",
            "Was it higher in FY2024 than in FY2023?",
        ),
        ("War es 2025 höher als im Vorjahr?", "War es 2025 höher als 2024?"),
        ("2025年的客流量比上一年多吗？", "2025年的客流量比2024年多吗？"),
        ("Did Chile have fewer people in 2010", "Did Chile have a lower Population in 2010"),
        ("Hong Kong revnue 2024", "Hong Kong Revenue 2024"),
    ],
)
def test_a_question_is_said_plainer(state: State, question: str, text: str) -> None:
    assert [one for one, _ in plainer_texts(state, question)][-1:] == [text]


@pytest.mark.parametrize(
    "question",
    [
        "what paid visitors did Mong Kok have in 2025",
        "Was it higher than the year before in 2024 or 2025?",
        "revenue of Zorblax and Huaway in 2024",
        "population of Austira",
    ],
)
def test_what_may_mean_something_else_is_left(state: State, question: str) -> None:
    assert not list(plainer_texts(state, question))


def test_a_correction_is_said(state: State) -> None:
    read = clarify_question(state, "populaton of Chile in 2010", "", TODAY)
    assert read.mode == "none"
    assert read.assumption_note == "“populaton” is read as Population."
    assert read.intent.metrics == ["POPULATION"]


def test_a_versus_b_asks_for_the_difference(state: State) -> None:
    read = clarify_question(state, "Germany vs France population 2020", "", TODAY)
    assert read.intent.derive == ["delta"]
    plain = clarify_question(state, "Germany and France population 2020", "", TODAY)
    assert plain.intent.derive is None
