"""Conversations about the catalogue: what is said anew, what was not searched, the first of all."""

from __future__ import annotations

import pytest
from agent_host import Host, answer, turn

NAME = "ontology_search_agent"

# Turns, each with what its answer says, and what it does not say.
TALKS: dict[str, list[tuple[str, str, str]]] = {
    "a condition stays where it was said": [
        ("How many scenarios play on a map from Japan?", "8 scenario assets", ""),
        ("and from the US?", "10 scenario assets match with a connected HD map", "Japan"),
        ("and in France?", "a connected HD map with country = France", "United States"),
    ],
    "what was not searched is told again": [
        ("frobnicated maps", "Nothing was searched", ""),
        ("and in China?", 'so not searched for: "frobnicated"', "scenario"),
        ("and in Japan?", "7 HD map assets match with country = Japan", "China"),
    ],
    "an answer says which property is meant": [
        ("maps wider than 5 cm", "Nothing was searched", ""),
        ("precision better than 5 cm", "50 HD map assets match with precision < 0.05 m", ""),
    ],
    "more is asked of the first one alone": [
        ("Which map is the longest?", "Cologne motorway and country roads", ""),
        ("and where is it?", "city: Cologne", "Nagoya"),
    ],
    "in German": [
        ("Wie viele HD-Karten sind genauer als 5 cm?", "Es gibt 50 Einträge", ""),
        ("Und wie viele davon liegen in China?", "3 Einträge", "Szenario"),
    ],
    "in Chinese": [
        ("使用日本地图的场景有多少", "8个", "未使用"),
        ("德国呢？", "50个", "日本"),
    ],
}


@pytest.mark.parametrize("name", TALKS)
def test_a_conversation_goes_on(host: Host, name: str) -> None:
    before = []
    for question, says, nothing_of in TALKS[name]:
        output = host.ask(NAME, question, turns=before)
        said = answer(output)
        assert says in said, question
        assert not nothing_of or nothing_of not in said, question
        before = [*before, turn(question, output)]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("enviroment models of tunels", "9 environment model assets match"),
        ("how mnay hd maps are there in japan", "7 HD map assets"),
        ("hd map with trafic lights in Germany", "44 HD map assets"),
        ("which maps were last updated in 2026", "12 HD map assets match with modified"),
        ("Karten mit Straßenbahn- und Fahrradspuren", "alle von Straßenbahngleis, Radweg"),
        ("下雪天的场景有多少个？", "8个"),
        ("slipperiest surface?", "friction coefficient: 0.19"),
        ("which is the shortest scenario and what is its weather?", "weather: cloudy"),
    ],
)
def test_plain_wordings_are_read(host: Host, question: str, says: str) -> None:
    assert says in answer(host.ask(NAME, question))


def test_a_compound_at_the_end_is_read(host: Host) -> None:
    assert host.ask(NAME, "Asphaltflächen").success
