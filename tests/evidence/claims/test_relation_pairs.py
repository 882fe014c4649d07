"""Relations that a list or its lead names, pair by pair, and attributes that no lexicon has."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Statement, Value
from tests.evidence.drafts import record

CAPITAL = ("capital", "Hauptstadt", "首都", "capital city")
BORDERS = ("borders", "neighbour", "grenzt an", "Nachbarland", "接壤")
PAIRS = {
    ("Austria", "Österreich", "奥地利"): ("Vienna", "Wien", "维也纳"),
    ("France", "Frankreich", "法国"): ("Paris", "巴黎"),
    ("Italy", "Italien", "意大利"): ("Rome", "Rom", "罗马"),
}
SWITZERLAND = ("Switzerland", "Schweiz", "瑞士")


def stated(subject: tuple[str, ...], predicate: tuple[str, ...], *objects: tuple[str, ...]):
    return Statement("relation", subject, predicate, objects, complete="all_listed")


AROUND = [
    record(
        [Value("text", names[0], "text", None, names[0]) for names in PAIRS.values()],
        statements=[
            stated(SWITZERLAND, BORDERS, *PAIRS),
            *(stated(country, CAPITAL, city) for country, city in PAIRS.items()),
        ],
    )
]
BOTSWANA = [
    record(
        [Value("label", "Botswana", "name", None, "Botswana")],
        statements=[
            stated(("Botswana", "Botsuana"), CAPITAL, ("Gaborone",)),
            stated(
                ("Botswana", "Botsuana"),
                ("currency", "Währung", "货币"),
                ("Botswanan Pula", "Botswanischer Pula"),
            ),
            stated(
                ("Botswana", "Botsuana"),
                ("language", "Sprache", "语言"),
                ("English", "Englisch"),
                ("Tswana",),
            ),
        ],
    )
]


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("Their capitals are:\n- Austria: Vienna\n- France: Paris", True),
        ("Their capitals are:\n- Austria: Vienna\n- France: Rome", False),
        ("Their neighbours are:\n- Austria: Vienna\n- France: Paris", False),
        ("Die Hauptstädte:\n- Österreich: Wien\n- Italien: Rom", True),
        ("Die Hauptstädte:\n- Österreich: Rom\n- Italien: Wien", False),
        ("首都：\n- 奥地利：维也纳\n- 意大利：罗马", True),
        ("首都：\n- 奥地利：罗马\n- 意大利：维也纳", False),
        ("The capitals of Austria and Italy are Vienna and Rome, respectively.", True),
        ("The capitals of Austria and Italy are Rome and Vienna, respectively.", False),
        ("The neighbours of Austria and Italy are Vienna and Rome, respectively.", False),
        (
            "Switzerland borders Austria, France and Italy. "
            "The capitals are Vienna, Paris and Rome.",
            True,
        ),
        (
            "Switzerland borders Austria, France and Italy. "
            "The capitals are Vienna, Rome and Paris.",
            False,
        ),
        ("Switzerland borders Austria, France and Italy. The capitals are Vienna and Rome.", False),
    ],
)
def test_lists_are_judged_pair_by_pair(draft: str, held: bool) -> None:
    assert (check(draft, AROUND).verdict == "supported") is held


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("Botswana's currency is the pula.", True),
        ("Botswana's currency is the Tswana.", False),
        ("Botswana's currency is the rand.", False),
        ("Botswana's capital is the pula.", False),
        ("Botswana's currency is Gaborone.", False),
        ("The currency of Botswana is the Botswanan pula.", True),
        ("Die Währung von Botsuana ist der Pula.", True),
        ("Die Währung von Botsuana ist Tswana.", False),
        ("Botswana's languages are English and Tswana.", True),
        ("Botswana's languages are English and Zulu.", False),
        ("Botswana's languages are English and the pula.", False),
        ("The capital of Botswana is Gaborone. Its languages are English and Tswana.", True),
        ("The capital of Botswana is Gaborone. Its languages are English and Zulu.", False),
    ],
)
def test_attributes_are_told_by_their_own_nouns(draft: str, held: bool) -> None:
    assert (check(draft, BOTSWANA).verdict == "supported") is held
