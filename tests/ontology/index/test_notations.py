"""Listed literals get the names of the concepts that are written so."""

from __future__ import annotations

from pathlib import Path

from groundwire import shapes
from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import ShapeIndex, Text

HEAD = """
@prefix : <https://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
"""
SHAPE = """
:S a sh:NodeShape ; sh:targetClass :C ;
  sh:property [ sh:path :lanes ; sh:in ( "driving" "bicycle" "tram" ) ] ,
    [ sh:path :users ; sh:in ( "car" "bicycle" "bus" ) ] .
"""
LANES = """
:l1 skos:inScheme :lanes ; skos:notation "driving" ; skos:prefLabel "traffic lane"@en .
:l2 skos:inScheme :lanes ; skos:notation "bicycle" ;
  skos:altLabel "Radweg"@de ; skos:prefLabel "cycle lane"@en .
"""
USERS = """
:u1 skos:inScheme :users ; skos:notation "bicycle" ; skos:prefLabel "push-bike"@en .
:u2 skos:inScheme :users ; skos:notation "car" ; skos:prefLabel "passenger car"@en .
"""


def index_of(folder: Path, *parts: str) -> ShapeIndex:
    (folder / "shapes.ttl").write_text(HEAD + "".join(parts), "utf-8")
    return load_index([folder])


def labels(index: ShapeIndex, domain: str, prop: str, value: str) -> list[str]:
    found = next(p for p in index.domains[domain].properties.values() if p.local_name == prop)
    return [text.value for v in found.enum if v.term.value == value for text in v.labels]


def test_a_scheme_names_the_values_of_the_list_that_it_fits(tmp_path: Path) -> None:
    index = index_of(tmp_path, SHAPE, LANES, USERS)
    assert labels(index, "C", "lanes", "bicycle") == ["cycle lane", "Radweg"]
    assert labels(index, "C", "users", "bicycle") == ["push-bike"]
    assert labels(index, "C", "lanes", "tram") == []


def test_a_scheme_that_shares_a_value_only_names_nothing(tmp_path: Path) -> None:
    index = index_of(tmp_path, SHAPE, LANES)
    assert labels(index, "C", "users", "bicycle") == []


def test_of_two_schemes_that_fit_alike_neither_is_taken(tmp_path: Path) -> None:
    index = index_of(tmp_path, SHAPE, LANES, LANES.replace(":lanes", ":tracks").replace(":l", ":m"))
    assert labels(index, "C", "lanes", "bicycle") == []


def test_concepts_without_a_scheme_are_one(tmp_path: Path) -> None:
    index = index_of(tmp_path, SHAPE, LANES.replace("skos:inScheme :lanes ;", ""))
    assert labels(index, "C", "lanes", "bicycle") == ["cycle lane", "Radweg"]


def test_the_embedded_shapes_know_other_names_in_three_languages() -> None:
    index = load_index(shapes.shape_files())
    roads = next(
        prop
        for prop in index.domains["hdmap"].properties.values()
        if prop.local_name == "roadTypes"
    )
    motorway = next(value for value in roads.enum if value.term.value == "motorway")
    assert {Text("freeway", "en"), Text("Autobahn", "de"), Text("高速公路", "zh")} <= set(
        motorway.labels
    )
    assert "Nebel" in labels(index, "scenario", "weather", "fog")
    assert "Germany" in labels(index, "hdmap", "country", "DE")
