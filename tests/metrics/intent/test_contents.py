"""Greetings and questions for what there is ask for nothing that could be looked up."""

from __future__ import annotations

import pytest

from groundwire.metrics.intent.contents import asks_for_nothing, dropped_words


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


def test_a_search_need_not_have_the_word_for_documents_but_for_one_kind_of_them() -> None:
    assert dropped_words("What do the documents say about staffing?", "staffing") == ()
    assert dropped_words("What does the memo say about staffing?", "staffing") == ("memo",)
