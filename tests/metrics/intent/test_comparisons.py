"""Questions for which is more: all that is named is looked up, and nothing is ranked."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "question",
    [
        "Which had the higher revenue in 2024, CN or HK?",
        "Who earned more in 2024, CN or HK?",
        "Was revenue in CN higher than in HK in 2024?",
        "2024年中国内地和香港谁的收入更高",
        "2024年中国内地还是香港收入更高?",
        "2024年中国内地和香港哪个收入高",
    ],
)
def test_what_is_compared_is_looked_up(embedded, question):
    intent = embedded.parse(question)
    assert set(intent.entities) == {"CN", "HK"}
    assert (len(intent.metrics), intent.leftovers) == (1, ())


@pytest.mark.parametrize(
    "question",
    [
        "which country has the largest population?",
        "top 5 countries by GDP",
        "哪个国家人口最多",
        "2020年GDP排名前十的国家",
    ],
)
def test_a_ranking_is_told_what_to_name(embedded, question):
    made = embedded.clarify(question)
    assert made.mode == "ask_first"
    assert "not understood as a ranking" in made.question or "未能理解为排名" in made.question


@pytest.mark.parametrize(
    "question",
    [
        "highest revenue of HK in 2024",
        "revenue of HK more than the plan in 2024",
        "Is HK or revenue higher in 2024?",
        "revenue of CN or HK in 2024",
    ],
)
def test_nothing_to_compare_is_still_asked_about(embedded, question):
    assert embedded.clarify(question).mode == "ask_first"
