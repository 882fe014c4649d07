"""Every part of a question leaves its trace in the reading: a slot, an order or a gap."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from ontology_questions import JOINTS, KINDS, PARTS, said

from groundwire.agents.ontology_search_agent.reading import Reading, read_question
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.ontology.terms import CatalogueTerms


@pytest.fixture(scope="module")
def vocabulary(terms: CatalogueTerms) -> QuestionVocabulary:
    return QuestionVocabulary(terms)


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
    whole = read_question(said(kind, parts), vocabulary)
    last = read_question(said(kind, parts[:-1]), vocabulary)
    assert _meant(whole) != _meant(last), said(kind, parts)


@pytest.mark.parametrize(
    ("question", "gap"),
    [
        ("scenarios with rain and fog or snow", "rain and fog or snow"),
        ("Who made the HD maps of Brno?", "Who made"),
        ("Wer nutzt HD-Karten von Brno?", "Wer nutzt"),
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
