"""Whether a question is English or Chinese: by its grammar, not by the names in it."""

from __future__ import annotations

import pytest

from groundwire.language.asking import asked_in
from tests.metrics.intent.conftest import Desk


@pytest.mark.parametrize(
    "question",
    [
        "population of India",
        "Revenue of 中国内地 in FY2024?",
        "Revenue of 托瓦恩公司 in FY2024?",
        "compare 中国内地 and 香港 revenue 2024",
    ],
)
def test_an_english_question_may_hold_chinese_names(question: str) -> None:
    assert asked_in(question) == "en"


@pytest.mark.parametrize(
    "question",
    [
        "中国内地FY2024的REVENUE是多少",
        "REVENUE of 中国内地是多少",
        "中国 GDP 2020",
        "China和India的人口",
        "今天天气怎么样",
    ],
)
def test_a_chinese_question_may_hold_english_terms(question: str) -> None:
    assert asked_in(question) == "zh"


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("Did Greek GDP shrink by more than 25% between 2008 and 2013?", "GRC"),
        ("Hat die polnische Bevölkerung von 2008 bis 2013 um mehr als 5 % abgenommen?", "POL"),
        ("希腊GDP从2008年到2013年下降超过25%吗？", "GRC"),
    ],
)
def test_a_change_beyond_a_bound_is_a_change_in_percent(
    embedded: Desk, question: str, entity: str
) -> None:
    intent = embedded.parse(question)
    assert "percent_change" in intent.derive
    assert (intent.entity, [one.raw for one in intent.periods]) == (entity, ["2008", "2013"])


def test_a_noun_tells_that_a_question_is_german() -> None:
    assert asked_in("Umsatz Tolvarne 2024") == "de"
    assert asked_in("Revenue of Umsatz AG") == "en"
