"""A prompt is read span by span, and what no span took is left over."""

from __future__ import annotations

import pytest

from groundwire.language.asking import asked_in
from groundwire.sparql.patterns.reading import Option, Reading, read
from groundwire.sparql.patterns.schema import Schema
from groundwire.sparql.patterns.words import phrase, stem
from groundwire.sparql.schema.names import Named

BASE = "https://reading.example/"
HELD = ("Velmora", "Welmora", "维尔莫拉", "Upper Quendal", "Quendal", "Water")


@pytest.fixture
def schema() -> Schema:
    found = Schema(
        {
            f"{BASE}capital": Named(f"{BASE}capital", "capital", 9, (("Hauptstadt", "de"),)),
            f"{BASE}subsidiaryOf": Named(f"{BASE}subsidiaryOf", "subsidiary of", 3),
        },
        {f"{BASE}Country": Named(f"{BASE}Country", "Country", 9, (("Land", "de"),))},
    )
    found.index()
    return found


def reading(prompt: str, schema: Schema) -> Reading:
    held = {one: (Option(BASE + one, one, (), True),) for one in HELD if one in prompt}
    return read(prompt, schema, held)


@pytest.mark.parametrize(
    "prompt",
    (
        "What is the capital of Velmora?",
        "Was ist die Hauptstadt von Welmora?",
        "维尔莫拉的首都是什么？",
    ),
)
def test_an_entity_and_a_property_take_a_question_whole(prompt: str, schema: Schema) -> None:
    found = reading(prompt, schema)
    assert [one.properties for one in found.relations] == [(f"{BASE}capital",)]
    assert len(found.entities) == 1
    assert not found.left


@pytest.mark.parametrize("word", ("former", "only", "not", "rural", "second-largest"))
def test_a_word_that_narrows_is_left_over(word: str, schema: Schema) -> None:
    found = reading(f"What is the {word} capital of Velmora?", schema)
    assert found.left or found.cues
    assert word not in " ".join(one.text for one in found.relations)


def test_the_longest_label_wins(schema: Schema) -> None:
    found = reading("capital of Upper Quendal", schema)
    assert [one.text for one in found.entities] == ["Upper Quendal"]


def test_numbers_are_read_with_their_groups_and_scales(schema: Schema) -> None:
    for prompt, number in (
        ("more than 100,000", "100000"),
        ("mehr als 100.000", "100000"),
        ("大于10万", "100000"),
        ("three", "3"),
    ):
        assert [one.number for one in reading(prompt, schema).numbers] == [number], prompt


def test_a_founder_is_no_founding_date() -> None:
    assert phrase("founded") == phrase("founding")
    assert phrase("founder") != phrase("founded")
    assert phrase("Hauptstädte") == phrase("Hauptstadt")


def test_an_english_question_about_the_past_is_not_german() -> None:
    assert asked_in("What was the area of Velmora?") == "en"
    assert asked_in("Was ist die Hauptstadt?") == "de"


def test_a_plural_names_what_its_singular_does() -> None:
    assert stem("paintings") == stem("painting") != stem("painter")
