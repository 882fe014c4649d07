"""A question for yes or no about a figure is answered by the value that is held against it."""

from __future__ import annotations

import pytest
from agent_host import Host, answer

from groundwire.agents.metrics_agent.answer import bound_in

NAME = "metrics_agent"


@pytest.mark.parametrize(
    ("question", "way", "rest"),
    [
        ("was Kenya's population above 50 million in 2020?", "above",
         "was Kenya's population in 2020?"),
        ("Hatte Kenia 2020 mindestens 50 Millionen Einwohner?", "least",
         "Hatte Kenia 2020 Einwohner?"),
        ("2023年越南人口过亿了吗", "above", "2023年越南人口 了吗"),
    ],
)  # fmt: skip
def test_the_figure_is_read_apart(question: str, way: str, rest: str) -> None:
    bound = bound_in(question)
    assert bound is not None
    assert (bound.way, bound.rest) == (way, rest)


@pytest.mark.parametrize(
    "question",
    ["Which countries have more than 50 million people?", "was it above 5 and below 9 million?"],
)
def test_what_is_no_question_for_yes_or_no_about_one_figure_has_none(question: str) -> None:
    assert bound_in(question) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("was Kenya's population above 50 million in 2020?", "Yes: above 50 million."),
        ("was Kenya's population above 55 million in 2020?", "No: not above 55 million."),
        ("was the revenue of Tolvarne above 1 billion dollars in 2024?", "is not told"),
        ("2023年越南人口超过一亿吗", "是，超过一亿。"),
    ],
)
def test_the_value_is_held_against_it(question: str, said: str, host: Host) -> None:
    assert said in answer(host.ask(NAME, question))
