"""Every part of a question leaves its trace in the reading: a slot, an order or a gap."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from groundwire.agents.ontology_search_agent.reading import Reading, read_question
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.ontology.terms import CatalogueTerms

KINDS = {
    "en": ("scenarios", "HD maps", "traces", "surface models"),
    "de": ("Szenarien", "HD-Karten", "Aufzeichnungen", "Oberflächenmodelle"),
}
# Each says something; no two of them say the same.
PARTS = {
    "en": (
        "with rain", "without fog", "not in Germany", "from Japan", "whose license is MIT",
        "longer than 5 km", "with at least 3 traffic lights", "file size under 40 MB",
        "in 2021", "created after 2022", "between 10 and 20 km", "sorted by duration",
        "newest first", "per country", "with zorblax", "except motorways", "7 frobs",
        "only left-hand", "with an average speed", "near Berlin", "about 30 km", "the longest",
        "preferably snow", "that use a map", "that use a trace", "with pedestrians",
        "with no file format", "unpaved", "above 30 km/h", "3-5 lanes",
    ),
    "de": (
        "mit Regen", "ohne Nebel", "nicht in Deutschland", "aus Japan", "deren Lizenz MIT ist",
        "länger als 5 km", "mit mindestens 3 Ampeln", "Dateigröße unter 40 MB", "im Jahr 2021",
        "nach 2022 erstellt", "zwischen 10 und 20 km", "sortiert nach Dauer", "neueste zuerst",
        "pro Land", "mit Zorblax", "außer Autobahnen", "7 Frobse", "nur Linksverkehr",
        "im Durchschnitt", "in der Nähe von Berlin", "etwa 30 km", "die längste",
        "die eine Karte verwenden", "mit Fußgängern", "über 30 km/h", "3-5 Fahrspuren",
        "bevorzugt Schnee", "unbefestigt",
    ),
}  # fmt: skip
JOINTS = {
    "en": (" ", ", ", " and ", " or ", " but ", " and not ", " that are "),
    "de": (" ", ", ", " und ", " oder ", " aber ", " und nicht ", ", die "),
}


@pytest.fixture(scope="module")
def vocabulary(terms: CatalogueTerms) -> QuestionVocabulary:
    return QuestionVocabulary(terms)


def _said(kind: str, parts: list[tuple[str, str]]) -> str:
    return kind + "".join(joint + part for joint, part in parts)


def _meant(reading: Reading) -> str:
    return repr((reading.arguments(), reading.look))


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """A kind of asset with some parts, each behind what joins it."""
    language = draw(st.sampled_from(("en", "de")))
    parts = draw(st.lists(st.sampled_from(PARTS[language]), min_size=1, max_size=4, unique=True))
    joints = [draw(st.sampled_from(JOINTS[language])) for _ in parts]
    return draw(st.sampled_from(KINDS[language])), list(zip(joints, parts, strict=True))


@given(questions())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_part_that_is_taken_away_is_missed(
    vocabulary: QuestionVocabulary, question: tuple[str, list[tuple[str, str]]]
) -> None:
    kind, parts = question
    whole = read_question(_said(kind, parts), vocabulary)
    last = read_question(_said(kind, parts[:-1]), vocabulary)
    assert _meant(whole) != _meant(last), _said(kind, parts)


@pytest.mark.parametrize(
    ("question", "gap"),
    [
        ("scenarios with rain and fog or snow", "rain and fog or snow"),
        ("scenarios that do not have both rain and fog", "rain and fog"),
        ("maps sorted by length and then by file size", "file size"),
        ("How many maps are there per country and license?", "license"),
        ("maps at least 5 km in length, length above 10 km", "length above 10 km"),
        ("maps in descending order", "in descending order"),
        ("scenarios in fog, preferably on motorways", "preferably"),
        ("traces that use a trace", "a trace"),
        ("maps mit", "mit"),
        ("the 5 longest maps and the shortest", "shortest"),
    ],
)
def test_what_one_search_cannot_say_is_told(
    question: str, gap: str, vocabulary: QuestionVocabulary
) -> None:
    assert gap in [one.term for one in read_question(question, vocabulary).gaps]


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("maps 5-10 km long", {"ranges": {"length": {"min": "5 km", "max": "10 km"}}}),
        ("length 5..10 km maps", {"ranges": {"length": {"min": "5 km", "max": "10 km"}}}),
        ("scenarios -rain", {"filters": {"weather": {"none_of": ["rain"]}}}),
        ("scenarios with fog | rain", {"filters": {"weather": ["fog", "rain"]}}),
        ("scenarios not only with rain", {"filters": {"weather": "rain"}}),
        (
            "scenarios without rain and with fog",
            {"filters": {"weather": {"any_of": ["fog"], "none_of": ["rain"]}}},
        ),
    ],
)
def test_signs_and_short_forms_are_read(
    question: str, slots: dict[str, object], vocabulary: QuestionVocabulary
) -> None:
    reading = read_question(question, vocabulary)
    assert not reading.gaps
    assert {**reading.slots, **slots} == reading.slots
