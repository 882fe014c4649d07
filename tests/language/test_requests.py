"""Questions with several requests, and what is one request only."""

from __future__ import annotations

import pytest

from groundwire.language.requests import (
    THERE,
    asked_of_each,
    is_aside,
    requests_of,
    speaks_of_before,
)


@pytest.mark.parametrize(
    ("question", "requests"),
    [
        (
            "What is the capital of Peru, and how many people live there?",
            ("What is the capital of Peru", "how many people live there?"),
        ),
        (
            "GDP of Japan in 2023, and which country in Asia has the highest one?",
            ("GDP of Japan in 2023", "which country in Asia has the highest one?"),
        ),
        ("gdp of japan in 2020? And China?", ("gdp of japan in 2020?", "And China?")),
        ("who borders Laos and who borders Chad", ("who borders Laos", "who borders Chad")),
        (
            "Wie hoch war die Marge 2025, und wie hoch die Rendite 2024?",
            ("Wie hoch war die Marge 2025", "wie hoch die Rendite 2024?"),
        ),
        (
            "In which year was it built, and who built it?",
            ("In which year was it built", "who built it?"),
        ),
        ("香港2024财年营收多少？日本呢？", ("香港2024财年营收多少", "日本呢")),
        ("2023年法国，人口多少，GDP多少", ("2023年法国，人口多少", "GDP多少")),
        (
            "Which shop had the highest and which the lowest revenue?",
            ("Which shop had the highest revenue?", "which the lowest revenue?"),
        ),
        ("the longest and shortest map", ("the longest map", "the shortest map")),
        ("最长和最短的地图分别是哪张", ("最长的地图是哪张", "最短的地图是哪张")),
        ("List the maps. Who made them?", ("List the maps", "Who made them?")),
        ("capital of peru and its currency", ("capital of peru", "its currency")),
        ("Hauptstadt von Peru und dessen Nachbarn", ("Hauptstadt von Peru", "dessen Nachbarn")),
        ("秘鲁的首都以及其货币", ("秘鲁的首都", "其货币")),
        ("秘鲁的首都和它的货币是什么？", ("秘鲁的首都", "它的货币是什么")),
    ],
)
def test_requests_stand_apart(question: str, requests: tuple[str, ...]) -> None:
    assert requests_of(question) == requests


@pytest.mark.parametrize(
    "question",
    [
        "which country has the most people?",
        "revenue and profit of CN and HK, 2023 and 2024",
        "scenarios that use maps and which have rain",
        "show scenarios that use maps and which have rain?",
        "How many scenarios and how many traces are from Berlin?",
        "who made the Graz taxi ride recording and when?",
        "For Ashquillo Living, what was the return on equity in FY2022?",
        "In Atlantis, how many people lived in 2010?",
        "According to the report, which year was the best?",
        "Im Jahr 2023, wie hoch war der Umsatz?",
        "Laut Bericht, welches Jahr war das beste?",
        "Hauptstadt und Fläche von Peru",
        "有多少张地图和多少条轨迹来自柏林",
        "南美洲和其他大洲的国家",
    ],
)
def test_one_request_stays_whole(question: str) -> None:
    assert requests_of(question) == (question,)


def test_there_is_a_place_unless_something_is_there() -> None:
    assert THERE.sub("in Peru", "how many people live there?") == "how many people live in Peru?"
    assert THERE.sub("in Peru", "welche Sprache spricht man dort") == (
        "welche Sprache spricht man in Peru"
    )
    assert THERE.search("how many are there") is None
    assert THERE.search("there are how many") is None


def test_a_request_behind_a_preposition_is_asked_of_what_was_found() -> None:
    assert not is_aside("in which city?", "Which scenarios are at night")
    assert is_aside("which are in Lyon?", "Which scenarios are at night")


@pytest.mark.parametrize(
    ("request_", "speaks"),
    [
        ("and its margin?", True),
        ("which had the highest revenue?", True),
        ("which the highest sales?", True),
        ("welche hatte den höchsten Umsatz?", True),
        ("哪个销售额最高？", True),
        ("Which country had the highest revenue?", False),
        ("Welche Firma hatte den höchsten Umsatz?", False),
        ("2025年哪个产品品类的销售额最高？", False),
    ],
)
def test_a_request_without_a_noun_speaks_of_the_one_before(request_: str, *, speaks: bool) -> None:
    assert speaks_of_before(request_) is speaks


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Does Germany border France and Spain?", "Does Germany border France?",
         "Does Germany border Spain?"),
        ("Do France and Germany border Spain?", "Does France border Spain?",
         "Does Germany border Spain?"),
        ("Grenzt Österreich an Italien und Polen?", "Grenzt Österreich an Italien?",
         "Grenzt Österreich an Polen?"),
        ("中国和俄罗斯、日本接壤吗？", "中国和俄罗斯接壤吗？", "中国和日本接壤吗？"),
        ("What is the area and the anthem of Ghana?", "What is the area of Ghana?",
         "What is the anthem of Ghana?"),
        ("Hauptstadt und Bürgermeister von Portugal?", "Hauptstadt von Portugal?",
         "Bürgermeister von Portugal?"),
        ("蒙古的首都和总统是什么？", "蒙古的首都是什么？", "蒙古的总统是什么？"),
    ],
)  # fmt: skip
def test_a_question_for_two_things_is_asked_of_each(question: str, first: str, second: str) -> None:
    assert asked_of_each(question) == (first, second)


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between the area and the population of Ghana?",
        "maps of Munich and Berlin",
        "Does Germany border France?",
        "Hauptstadt von Portugal",
    ],
)
def test_a_question_for_one_thing_is_not(question: str) -> None:
    assert asked_of_each(question) == ()
