"""Several requests of one question, and questions that go on from the one before."""

from __future__ import annotations

import pytest
from agent_host import Host, answer, turn

NAME = "kg_agent"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "what is the capital of Peru and how many people live in Brazil",
            ("Capital of Peru: Lima", "Population of Brazil: 211,998,573"),
        ),
        (
            "Was ist die Hauptstadt von Chile und welche Sprache spricht man dort?",
            ("Hauptstadt von Chile: Santiago", "Sprache von Chile: Spanisch"),
        ),
        ("哪些国家与老挝接壤，面积最大的是哪个？", ("与老挝接壤：中国、柬埔寨", "面积最大：中国")),
        ("capital of Peru and its currency", ("Capital of Peru: Lima", "Peru: Peruvian Sol")),
        ("Fläche von Peru und seine Sprachen", ("Fläche von Peru: 1", "Sprache von Peru: ")),
        ("How many neighbours do Russia and Laos have?", ("Russia borders: 14", "Laos borders: 5")),
        ("Wie viele Nachbarn haben Russland und Laos jeweils?", ("Russland", "Laos grenzt an: 5")),
        ("俄罗斯和老挝各有几个邻国？", ("与俄罗斯接壤：14", "与老挝接壤：5")),
        ("哪些国家使用欧元，一共几个？", ("另有16个（共26个）", "货币为欧元的有26个")),
        ("非洲面积最大和最小的国家分别是哪个？", ("阿尔及利亚", "塞舌尔")),
        ("Does Peru speak Spanish and Quechua?", ("Peru is Spanish", "Peru is Quechua")),
        ("秘鲁的首都以及其货币", ("秘鲁的首都：利马", "秘鲁的货币：秘鲁索尔")),
        ("南美洲有几个国家？其中面积最大的是哪个？", ("12", "面积最大：巴西")),
        (
            "How many countries are there in Africa? Which one has the most people?",
            ("54 with continent Africa", "greatest first: Nigeria"),
        ),
        (
            "Wie viele Länder hat Afrika? Welches hat die meisten Einwohner?",
            ("54 mit Kontinent Afrika", "zuerst: Nigeria"),
        ),
        ("非洲有几个国家？人口最多的是哪个？", ("54", "人口最大：尼日利亚")),
    ],
)
def test_each_request_is_answered(host: Host, question: str, says: tuple[str, ...]) -> None:
    output = host.ask(NAME, question)
    assert output.result is not None
    assert output.result["status"] == "answered"
    assert all(one in answer(output) for one in says)
    steps = [one.step for one in output.reasoning.steps]
    assert steps == list(range(1, len(steps) + 1))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "Does Germany border France and Spain?",
            ("Yes: Germany borders France", "Not answered, “Does Germany border Spain?”"),
        ),
        (
            "中国和俄罗斯、日本接壤吗？",
            ("是：中国与俄罗斯接壤", "未回答“中国和日本接壤吗？”"),
        ),
        (
            "What is the area and the anthem of Ghana?",
            ("Area of Ghana: 239,460", "Not answered, “What is the anthem of Ghana?”"),
        ),
        (
            "Hauptstadt und Bürgermeister von Portugal?",
            ("Hauptstadt von Portugal: Lissabon", "Nicht beantwortet, „Bürgermeister von"),
        ),
    ],
)
def test_what_is_held_of_one_of_two_is_told(
    host: Host, question: str, says: tuple[str, ...]
) -> None:
    output = host.ask(NAME, question)
    assert all(one in answer(output) for one in says)
    assert output.result is not None
    assert output.result["confidence"] == "low"


@pytest.mark.parametrize(
    ("before", "question", "says"),
    [
        ("Population of Kenya in 2000?", "And in 2015?", "in 2015: 47,088,526"),
        ("Wie viele Einwohner hatte Rumänien 1990?", "Und 2020?", "Jahr 2020: 19.265.250"),
        ("肯尼亚1990年人口", "那2010年呢？", "2010年肯尼亚的人口：41,598,567"),
    ],
)
def test_another_year_is_asked_of_the_same(
    host: Host, before: str, question: str, says: str
) -> None:
    first = host.ask(NAME, before)
    assert says in answer(host.ask(NAME, question, turns=[turn(before, first)]))


def test_a_request_without_an_answer_is_named(host: Host) -> None:
    output = host.ask(
        NAME, "how many languages are spoken in India and who is the president of France"
    )
    assert output.result is not None
    assert "Language of India: 23" in answer(output)
    assert "Not answered, “who is the president of France”:" in answer(output)
    assert output.result["not_answered"] == ["who is the president of France"]
    assert output.result["confidence"] == "low"


@pytest.mark.parametrize(
    ("before", "question", "read_as"),
    [
        (
            "What is the capital of Iceland?",
            "How many people live there?",
            "How many people live in Iceland?",
        ),
        ("What is the capital of Peru?", "and the area?", "What is the area of Peru?"),
        ("What is the capital of Peru?", "and Chile?", "What is the capital of Chile?"),
        ("Hauptstadt von Kenia?", "Wie viele Einwohner hat es?", "Wie viele Einwohner hat Kenia?"),
        ("秘鲁的首都是哪里？", "那货币呢？", "秘鲁的货币是什么？"),
        ("什么是知识图谱？", "那SPARQL呢？", "什么是SPARQL？"),
        ("neighbours of Laos", "which of them has the most people?", "of the neighbours of Laos"),
        ("neighbours of Laos", "and their capitals?", "capitals of the neighbours of Laos"),
        ("Nachbarn von Laos", "Welcher davon hat die meisten Einwohner?", "der Nachbarn von Laos"),
        ("老挝的邻国有哪些？", "其中人口最多的是哪个？", "老挝的邻国中人口最多"),
        ("老挝的邻国有哪些？", "它们的首都呢？", "老挝的邻国的首都"),
        ("population of Japan", "and their capital?", "capital of Japan"),
        ("老挝的邻国", "其首都", "老挝的邻国的首都"),
        ("哈萨克斯坦的语言", "其首都", "哈萨克斯坦的首都"),
    ],
)
def test_a_question_goes_on(host: Host, before: str, question: str, read_as: str) -> None:
    first = host.ask(NAME, before)
    output = host.ask(NAME, question, turns=[turn(before, first)])
    assert output.result is not None
    assert output.result["status"] == "answered"
    assert read_as in answer(output)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How big is Kenya?", "Area of Kenya: 582,650"),
        ("How big is the population of Kenya?", "Population of Kenya: 56,432,944"),
        ("Wie groß ist die Einwohnerzahl von Kenia?", "Einwohnerzahl von Kenia: 56"),
        ("肯尼亚有多大？", "肯尼亚的面积：582,650"),
    ],
)
def test_a_size_is_an_area_unless_something_else_is_named(
    host: Host, question: str, says: str
) -> None:
    assert says in answer(host.ask(NAME, question)).replace("\\", "")


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("Wie verbinde ich Groundwire mit Zed?", "Wie verbinde ich Zed?"),
        ("How do I connect Groundwire to Zed?", "How do I connect Zed?"),
        ("怎么把 Groundwire 连接到 Zed？", "怎么连接Zed？"),
        ("Wie binde ich Groundwire in Zed ein?", "Wie verbinde ich Zed?"),
        ("How do I add Groundwire to Zed?", "How do I connect Zed?"),
        ("如何在Zed中使用Groundwire？", "怎么连接Zed？"),
        ("Zed怎么接入？", "怎么连接Zed？"),
    ],
)
def test_what_is_connected_is_asked_for(host: Host, question: str, read_as: str) -> None:
    said = answer(host.ask(NAME, question))
    assert read_as in said
    assert "groundwire config zed" in said


def test_what_is_not_held_is_not_connected(host: Host) -> None:
    assert "Read as" not in answer(host.ask(NAME, "How do I connect Groundwire to Emacs?"))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What's an IRI good for?", "identifier of a thing in a graph"),
        ("Wozu dient ein IRI?", "Was ist IRI?"),
        ("IRI有什么用？", "图中事物的标识符"),
        ("Was heißt es, wenn bei einer Antwort „partial“ steht?", "Was bedeutet partial?"),
        ("Where do people speak Swahili?", "Congo - Kinshasa, Kenya, Rwanda, Tanzania, Uganda"),
        ("Wo sprechen die Leute Swahili?", "Kenia, Kongo-Kinshasa, Ruanda, Tansania, Uganda"),
        ("Name the countries that touch both Laos and Thailand", "Cambodia, Myanmar"),
    ],
)
def test_a_use_a_language_and_a_border_are_asked_in_plain_words(
    host: Host, question: str, says: str
) -> None:
    assert says in answer(host.ask(NAME, question))
