"""Questions in the words that the rules of the ontology agent read."""

from __future__ import annotations

import pytest

from groundwire.agents.ontology_search_agent.rephrasing import rephrased


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("有多少张日本的高精地图？", "how many HD maps Japan"),
        ("没有红绿灯的地图", "maps without traffic lights"),
        ("有收费站的地图", "maps 收费站"),
        ("英国地图的平均长度是多少？", "average length of maps United Kingdom"),
        ("Münchner Karten", "Munich Karten"),
        ("Karten, deren Name München enthält", "Karten, deren Name München enthält"),
        ("How many French maps do we have, and which?", "French maps do we have"),
    ],
)
def test_words_are_those_of_the_rules(question: str, text: str) -> None:
    assert rephrased(question).text == text


def test_what_a_question_asks_beside_its_search() -> None:
    assert rephrased("the second longest map").place == 2
    assert rephrased("Do we have more maps of China than of Japan?").compares
    assert rephrased("Which country has the most maps?").text == "how many maps per country"
    assert rephrased("Warum gibt es keine Karten von Brasilien?").asks_why
    assert not rephrased("maps of Japan").asks_why
