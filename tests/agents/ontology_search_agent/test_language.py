"""A question is answered in its own language, with nothing in it but what the tools answered."""

from __future__ import annotations

import re

import pytest
from agent_host import Host, answer, calls

NAME = "ontology_search_agent"

GERMAN = {
    "deutsche Karten": "55 Einträge der Art HD-Karte mit Land = Deutschland: ",
    "Regenszenarien": "Einträge der Art Szenario mit Wetter = Regen: ",
    "Wie viele deutsche Karten gibt es?": "Es gibt 55 Einträge der Art HD-Karte mit Land = ",
    "Wie viele Szenarien gibt es je Wetter?": "Einträge der Art Szenario, nach Wetter:",
    "Karten mit Blubb": "Nicht verwendet: „Blubb“ ist nicht im Katalog.",
    "Szenarien, deren Wetter Rgen ist": "Gelesen: Rgen als rain.",
    "Karten, die 2 m nicht überschreiten": "Gemeint sein kann: Länge, Genauigkeit.",
    "Szenarien bei Regen über 100000 Sekunden Dauer": "Ohne Dauer > 100000 s gibt es ",
    "Karten, denen die Lizenz fehlt": "mit Lizenz fehlt",
    "Karten aus Deutschland, alle mit Lizenz": "Lizenz vorhanden",
    "Median der Länge der Karten": "ist keine Zahl, die hier aus vielen Einträgen berechnet wird",
    "Karten in Deutschland oder länger als 10 km": "durch ein „oder“ mit einer Bedingung",
    "Karten von etwa 5 km Länge": "ist keine genaue Zahl",
    "Karten in der Nähe von Berlin": "sagt, wie nahe ein Ort ist",
    "Karten mit Tunneln": "haben die gefragten Einträge nicht",
    "Welche Lizenzen gibt es?": "Werte von license (13):",
    "Welche Eigenschaften haben Karten?": "hdmap lässt sich suchen nach: country, ",
    "Umgebungsmodelle mit mehr als 900 Millionen Dreiecken": "Ohne Anzahl der Dreiecke > 9",
    "Hallo!": "Die Arten mit Einträgen sind: HD-Karte (110)",
}
ENGLISH = {
    "German maps": "55 HD map assets match with country = Germany: ",
    "How many German maps are there?": "55 HD map assets match with country = Germany.",
    "maps in München with rain": "Not used: ",
    "median length of maps": "is no figure that is computed of many assets here",
    "maps in Germany or longer than 10 km": 'is joined by an "or" to a condition',
    "maps of about 5 km length": "is no exact figure",
    "maps near Munich": "says how near a place is, which nothing in the catalogue does",
    "maps with tunnels": "is nothing that the assets asked for have. Known elsewhere: ",
    "scenarios with a truck and a tram": 'is found with "or"',
    "which licenses are there?": "license has 13 values: ",
    "models with trees": 'Kinds of asset that "models" may mean: environment model (36)',
    "Hello!": "The kinds that have assets are: HD map (110)",
}


@pytest.mark.parametrize("question", GERMAN)
def test_a_german_question_is_answered_in_german(question: str, host: Host) -> None:
    said = answer(host.ask(NAME, question))
    assert GERMAN[question] in said
    assert not re.search(r"\b(assets|match|Not used|Evidence|Nothing|there are)\b", said)


@pytest.mark.parametrize("question", ENGLISH)
def test_an_english_question_is_answered_in_english(question: str, host: Host) -> None:
    said = answer(host.ask(NAME, question))
    assert ENGLISH[question] in said
    assert not re.search(r"\b(Einträge|Beleg|Nicht verwendet|Es wurde)\b", said)


def test_only_a_number_is_told_where_only_that_is_asked(host: Host) -> None:
    output = host.ask(NAME, "Wie viele Karten gibt es?")
    assert output.result is not None
    assert "<https" not in answer(output)
    assert output.result["assets"]


def test_figures_of_a_german_answer_are_those_of_the_search(host: Host) -> None:
    output = host.ask(NAME, "Karten aus Deutschland länger als 10 km")
    assert output.result is not None
    first = answer(output).splitlines()[0]
    assert re.findall(r"\d+", first) == [str(output.result["total"]), "10"]


def test_a_model_has_no_word_in_a_german_answer(host: Host) -> None:
    slots = {"domains": ["hdmap"], "filters": {"country": "DE"}}
    submitted = calls(
        (
            "submit_slots",
            {
                "slots": slots,
                "gaps": [{"term": "Karten", "reason": "ambiguous", "suggestions": ["4711 km"]}],
            },
        )
    )
    lie = "Es gibt 4711 Karten, die beste ist „Erfundene Fahrt“."
    output = host.ask(NAME, "Zeige mir deutsche Karten", submitted, lie, forever=True)
    assert answer(output).startswith("55 Einträge der Art HD-Karte mit Land = Deutschland: ")
    assert "4711" not in answer(output)
    assert "Erfundene" not in answer(output)


def test_the_rest_of_a_german_question_is_answered_in_german(host: Host) -> None:
    told = answer(host.ask(NAME, "Wie viele HD-Karten gibt es in Graz und was kosten sie?"))
    assert "„was kosten sie?“: Nicht im Katalog" in told
