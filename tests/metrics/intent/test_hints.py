"""Words that may mean a metric: asked about without its name, explained beside it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "metric"),
    [
        ("How rich was Germany in 2020?", "GDP"),
        ("德国2020年有多富", "GDP"),
        ("How profitable was Hong Kong in 2024?", "NET_PROFIT"),
    ],
)
def test_a_metric_is_offered_by_a_word_that_may_mean_it(embedded, question, metric):
    made = embedded.clarify(question)
    assert (made.mode, made.narrowing_options[0].value) == ("ask_first", metric)
    assert made.narrowing_options[0].label in made.question


def test_what_is_done_with_a_metric_says_nothing_beside_it(embedded):
    for question in ("How many staff did HK employ in FY2024?", "What profit did HK earn in 2024?"):
        assert embedded.clarify(question).mode == "none", question


def test_before_a_metric_it_may_qualify_it(embedded):
    assert embedded.clarify("What was the earned net profit of HK in 2024?").mode == "ask_first"


def test_documents_are_searched_for_what_says_more(embedded):
    assert embedded.parse("香港2024年员工培训情况").route == "narrative"
