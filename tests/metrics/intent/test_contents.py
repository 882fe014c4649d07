"""Greetings and questions for what there is ask for nothing that could be looked up."""

from __future__ import annotations

import pytest

from groundwire.metrics.intent.contents import asks_for_nothing


@pytest.mark.parametrize(
    "question",
    [
        "hello",
        "?",
        "What can you do?",
        "which metrics do you have?",
        "你好",
        "有哪些指标",
        "你能做什么",
    ],
)
def test_nothing_is_asked_for(question: str) -> None:
    assert asks_for_nothing(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is the weather?",
        "what are the risks",
        "今天天气怎么样",
        "有哪些风险",
        "Tolvarne",
        "why?",
        "为什么",
    ],
)
def test_something_is_asked_for(question: str) -> None:
    assert not asks_for_nothing(question)
