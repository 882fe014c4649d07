"""Questions in the words that the rules of the ontology agent read."""

from __future__ import annotations

import pytest

from groundwire.agents.ontology_search_agent.language import rephrased
from groundwire.agents.ontology_search_agent.reading import read_question
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT, QuestionVocabulary
from groundwire.ontology.terms import CatalogueTerms


def _read_as(terms: CatalogueTerms, question: str) -> str:
    """Return a question as it is put, with the names of a catalogue at hand."""
    token = CURRENT.set(QuestionVocabulary(terms))
    try:
        return rephrased(question).text
    finally:
        CURRENT.reset(token)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Münchner Karten", "Munich Karten"),
        ("Karten, deren Name München enthält", "Karten, deren Name München enthält"),
        ("How many French maps do we have, and which?", "French maps do we have"),
        ("Traces shorter than half an hour", "Traces shorter than 30 minutes"),
        ("Compare the number of maps in Sweden and Denmark", "maps Sweden or Denmark"),
        ("Who offers models of parking garages?", "who provides models of parking garages?"),
        ("Wer bietet Karten von Brno an?", "who provides Karten von Brno"),
        ("unter welcher Lizenz?", "welcher Lizenz?"),
        ("Which cities have urban maps, and how many each?", "how many urban maps per cities"),
        ("Welche Länder haben Karten, und wie viele jeweils?", "how many Karten per Länder"),
        ("Which maps are delivered as shapefiles?", "Which maps are as shapefiles?"),
        ("urban maps, and where are they?", "urban maps and in which city are they?"),
    ],
)
def test_words_are_those_of_the_rules(question: str, text: str) -> None:
    assert rephrased(question).text == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("有多少张日本的高精地图？", "how many 高精地图 日本"),
        ("没有红绿灯的地图", "地图 without 红绿灯"),
        ("德国和日本以外的地图", "地图 not 德国 and 日本"),
        ("除了德国以外的地图", "地图 not 德国"),
        ("有收费站的地图", "地图 收费站"),
        ("英国地图的平均长度是多少？", "average length of 地图 英国"),
        ("不在德国的场景有多少个？", "how many 场景 not 德国"),
        ("2022年之前创建的地图", "地图 created before 2022"),
        ("长度在10到20公里之间的地图", "地图 长度 10 km to 20 km"),
        ("哪张地图的红绿灯最多？", "地图 most 红绿灯"),
        ("哪个国家的地图最多？", "how many 地图 per 国家"),
        ("德国一共有多少红绿灯", "how many 红绿灯 德国"),
        ("周一的地图有几张", "how many 地图 Monday"),
        ("长度最长的三张地图", "地图 3 longest 长度"),
        ("德国的地图多还是法国的多", "地图 of 德国 or 法国"),
        ("有混凝土路面的路面模型吗？", "路面模型 混凝土"),
        ("谁提供德国的场景？", "who provides 场景 德国"),
        ("谁制作了德国的地图？", "地图 德国 谁"),
    ],
)
def test_chinese_names_stay_and_small_words_are_put_in_order(
    terms: CatalogueTerms, question: str, text: str
) -> None:
    assert _read_as(terms, question) == text


def test_sides_of_a_comparison_are_joined_to_the_kind() -> None:
    compared = rephrased("Are there more maps of France than of Spain?")
    assert (compared.text, compared.compares) == ("maps of France or Spain", True)
    assert not rephrased("Are there maps with more than 3 lanes?").compares


def test_what_a_question_asks_beside_its_search() -> None:
    assert rephrased("the second longest map").place == 2
    assert rephrased("Do we have more maps of China than of Japan?").compares
    assert rephrased("Which country has the most maps?").text == "how many maps per country"
    assert rephrased("Warum gibt es keine Karten von Brasilien?").asks_why
    assert not rephrased("maps of Japan").asks_why


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Are there more maps or scenarios?", "how many maps and scenarios"),
        ("Wovon gibt es mehr, Karten oder Szenarien?", "how many Karten and Szenarien"),
        ("How many maps and how many scenarios?", "How many maps and scenarios?"),
        ("地图和场景哪个多？", "how many 地图 and 场景"),
    ],
)
def test_kinds_that_are_compared_are_counted(
    terms: CatalogueTerms, question: str, text: str
) -> None:
    assert _read_as(terms, question) == text


def test_a_follow_up_of_another_kind_keeps_what_narrowed_the_one_before(
    terms: CatalogueTerms,
) -> None:
    vocabulary = QuestionVocabulary(terms)
    known = read_question("scenarios from Suzhou", vocabulary).slots
    kept = read_question("and maps?", vocabulary, known).slots
    assert kept == {**known, "domains": ["hdmap"]}
    assert read_question("maps", vocabulary, known).slots == {"domains": ["hdmap"]}
