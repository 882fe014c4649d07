"""Whether a question is English or Chinese: by its grammar, not by the names in it."""

from __future__ import annotations

import pytest

from groundwire.metrics.intent.wording import language_of


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
    assert language_of(question) == "en"


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
    assert language_of(question) == "zh"
