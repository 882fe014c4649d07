"""Declared values and their stored variants."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import need, shared_folder

from groundwire import shapes as embedded
from groundwire.ontology.forms import declared_texts, same_word, variants_of
from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import local_name
from groundwire.vocabulary.fold import fold

PAIRS = [
    ("fog", "foggy"),
    ("rain", "rainy"),
    ("ice", "icy"),
    ("cloud", "cloudy"),
    ("overtaking", "overtake"),
    ("emergency-braking", "emergency-brake"),
    ("following", "follow"),
    ("merging", "merge"),
    ("cutting", "cuts"),
    ("limit", "limited"),
    ("paved", "pave"),
    ("planned", "plan"),
    ("carry", "carried"),
    ("Lanelet2", "Lanelet"),
    ("Lanelet", "Lanelet2"),
    ("lane_change", "laneChanging"),
    ("traffic light", "Traffic-Lights"),
    ("MCAP", "mcap"),
]


@pytest.mark.parametrize(("declared", "stored"), PAIRS)
def test_forms_of_one_value(declared: str, stored: str) -> None:
    others = ["night", "clear", "other"]
    assert variants_of([declared, *others], [stored, *others]) == {stored: declared}


@pytest.mark.parametrize(
    ("declared", "stored"),
    [
        ("divided", "undivided"),
        ("urban", "suburban"),
        ("paved", "unpaved"),
        ("left", "right"),
        ("day", "night"),
        ("drive", "driver"),
        ("careful", "careless"),
        ("car", "care"),
        ("car", "cart"),
        ("rod", "rode"),
        ("van", "vane"),
        ("rail", "railing"),
        ("park", "parking"),
        ("train", "training"),
        ("county", "count"),
        ("store", "story"),
        ("copy", "cope"),
        ("tram", "train"),
        ("bar", "barrier"),
        ("Lanelet2", "Lanelet3"),
        ("H264", "H"),
        ("Apache-1.1", "Apache-2.0"),
        ("GPL-2.0", "GPL-2"),
        ("merging", "highway-merge"),
        ("Autodesk FBX", "FBX"),
        ("ASAM OpenSCENARIO XML", "ASAM OpenSCENARIO"),
        ("adverse_weather", "weather"),
        ("雾", "雾天"),
    ],
)
def test_other_values(declared: str, stored: str) -> None:
    assert variants_of([declared, "other"], [stored]) == {}
    assert variants_of([stored, "other"], [declared]) == {}


def test_a_stored_value_that_is_declared_is_no_variant() -> None:
    assert variants_of(["fog", "foggy"], ["foggy", "fog"]) == {}


def test_two_partners_are_none() -> None:
    assert variants_of(["braking", "brakes"], ["braked"]) == {}
    assert variants_of(["level1", "level2"], ["level"]) == {}
    assert variants_of(["Fog", "fog"], ["FOG"]) == {}


def test_a_declared_value_that_is_nearer_wins_against_the_rule() -> None:
    assert variants_of(["overtaking"], ["overtake"]) == {"overtake": "overtaking"}
    assert variants_of(["overtaking", "overtaken"], ["overtake"]) == {}


def test_several_stored_forms_may_stand_for_one() -> None:
    assert variants_of(["overtaking"], ["overtake", "overtakes"]) == {
        "overtake": "overtaking",
        "overtakes": "overtaking",
    }


@given(st.text(string.ascii_lowercase, min_size=1, max_size=9), st.text(max_size=9))
def test_the_relation_is_symmetric_and_total(one: str, other: str) -> None:
    assert same_word(one, one)
    assert same_word(one, other) == same_word(other, one)


def _real_shapes() -> list[Path]:
    return [need(shared_folder("data", "ontology", "envited"))]


@pytest.mark.parametrize(
    ("shapes", "least", "known"),
    [
        # One product with and without its version, both declared.
        (_real_shapes, 1500, {("Lanelet", "Lanelet2"), ("Lanelet2", "Lanelet")}),
        (embedded.shape_files, 50, set[tuple[str, str]]()),
    ],
)
def test_lists_hold_no_variants_of_their_own_values(
    shapes: Callable[[], Sequence[Path]], least: int, known: set[tuple[str, str]]
) -> None:
    """Each value of each list left out in turn: what remains is not taken for it."""
    tried = 0
    wrong: list[tuple[str, str]] = []
    index = load_index(list(shapes()))
    lists = list(declared_texts(index).values())
    lists += [
        [local_name(value.term.value) for value in prop.enum if value.term.kind == "iri"]
        for domain in index.domains.values()
        for prop in domain.properties.values()
    ]
    for values in lists:
        if len(values) > 700:
            continue
        for number, value in enumerate(values):
            rest = values[:number] + values[number + 1 :]
            for stored, partner in variants_of(rest, [value]).items():
                if fold(stored) != fold(partner):
                    wrong.append((stored, partner))
            tried += 1
    assert tried > least
    assert set(wrong) == known
