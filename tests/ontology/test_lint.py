"""Where shapes and data do not fit each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import need, shared_folder

from groundwire import shapes as embedded
from groundwire.graph.statistics import Statistics, collect
from groundwire.ontology.forms import variants
from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import ShapeIndex
from groundwire.ontology.lint import LintReport, lint, report_lines

EX = "https://example.org/ns#"
SHAPES = """@prefix ex: <https://example.org/ns#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix other: <https://example.org/other#> .
ex:SceneShape a sh:NodeShape ; sh:targetClass ex:Scene ; sh:sparql [ sh:select "" ] ;
    sh:property [ sh:path ex:weather ; sh:in ( "fog" "rain" "snow" ) ] ,
                [ sh:path ex:speed ; sh:datatype xsd:decimal ] ,
                [ sh:path ex:title ; sh:datatype xsd:string ] ,
                [ sh:path ex:never ; sh:datatype xsd:string ] ,
                [ sh:path ex:country ] , [ sh:path ( ex:place other:country ) ] ;
    sh:property [ sh:path ex:kind ; sh:in ( ex:a ex:b ) ] .
ex:OtherShape a sh:NodeShape ; sh:targetClass ex:Elsewhere ; sh:property [ sh:path ex:odd ] .
"""
DATA = """@prefix ex: <https://example.org/ns#> . @prefix other: <https://example.org/other#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:s1 a ex:Scene ; rdfs:label "One" ; ex:weather "foggy" ; ex:speed 3 ; ex:title "A"@en ;
    ex:kind ex:a ; ex:country "DE" ; ex:place [ other:country "DE" ] .
ex:s2 a ex:Scene ; ex:weather "foggy", "hail", "rain" ; ex:speed 2.5 ; ex:odd 1 ; ex:unknown 2 ;
    ex:kind ex:c .
"""


def statistics_of(*files: Path) -> Statistics:
    import pyoxigraph as ox

    store = ox.Store()
    for file in files:
        store.load(path=file)
    return collect(store, ox.DefaultGraph())


@pytest.fixture
def index(tmp_path: Path) -> ShapeIndex:
    (tmp_path / "shapes.ttl").write_text(SHAPES)
    return load_index([tmp_path / "shapes.ttl"])


@pytest.fixture
def report(index: ShapeIndex, tmp_path: Path) -> LintReport:
    (tmp_path / "data.ttl").write_text(DATA)
    return lint(index, statistics_of(tmp_path / "data.ttl"))


def test_values_stored_but_not_declared(report: LintReport) -> None:
    found = [
        (each.property, each.value.value, each.statements, each.variant_of)
        for each in report.undeclared_values
    ]
    assert found == [
        ("ex:weather", "foggy", 2, "fog"),
        ("ex:kind", EX + "c", 1, None),
        ("ex:weather", "hail", 1, None),
    ]


def test_values_declared_but_never_stored(report: LintReport) -> None:
    assert [tuple(each) for each in report.unused_values] == [
        ("ex:kind", (EX + "b",), 2),
        ("ex:weather", ("snow",), 3),
    ]


def test_a_stored_variant_counts_as_use_of_its_value(report: LintReport) -> None:
    (weather,) = [each for each in report.unused_values if each.property == "ex:weather"]
    assert "fog" not in weather.values


def test_properties_that_no_shape_of_an_asset_reaches(report: LintReport) -> None:
    assert {(e.name, e.statements, e.declared_for) for e in report.unreached_properties} == {
        ("ex:odd", 1, ("Elsewhere",)),
        ("ex:unknown", 1, ()),
    }


def test_properties_declared_but_never_stored(report: LintReport) -> None:
    assert [tuple(each) for each in report.unused_properties] == [("ex:never", ("Scene",))]


def test_values_of_another_datatype(report: LintReport) -> None:
    assert [tuple(each) for each in report.other_datatypes] == [
        ("ex:speed", ("decimal",), "integer", 1)
    ], "a language tag makes no other datatype of a text"


def test_names_that_stand_for_several_properties(report: LintReport) -> None:
    (collision,) = report.collisions
    assert collision.name == "country"
    assert collision.properties == (("ex:country", ("Scene",)), ("other:country", ("Scene",)))


def test_constraints_that_were_not_understood(report: LintReport) -> None:
    (problem,) = report.problems
    assert "sh:sparql" in problem.message and problem.line == 3


def test_shapes_alone_can_be_looked_at(index: ShapeIndex) -> None:
    report = lint(index)
    assert report.collisions and report.problems
    assert not report.undeclared_values and not report.unused_properties


def test_the_report_in_words(report: LintReport) -> None:
    text = "\n".join(report_lines(report))
    assert "shapes.ttl:3: sh:sparql" in text
    assert "ex:weather: 'foggy' (2) - read as 'fog'" in text
    assert "ex:odd (1) - declared for Elsewhere" in text
    assert "ex:speed: integer (1), declared decimal" in text
    assert len(list(report_lines(report, limit=1))) < len(text.splitlines())
    assert any(line.endswith("more") for line in report_lines(report, limit=1))
    assert next(iter(report_lines(LintReport()))).endswith(": none")


@pytest.fixture(scope="module")
def catalogue() -> tuple[ShapeIndex, Statistics]:
    folder = need(shared_folder("data", "ontology"))
    files = sorted((folder / "catalogue").glob("*.jsonld"))
    return load_index([folder / "envited"]), statistics_of(*files)


def test_the_embedded_catalogue() -> None:
    index = load_index(embedded.shape_files())
    stored = statistics_of(embedded.catalogue_file())
    core = "https://example.org/groundwire/core/v1/"
    scenario = "https://example.org/groundwire/scenario/v1/"
    assert variants(index, stored) == {
        core + "formatType": {"Lanelet": "Lanelet2"},
        core + "weather": {"foggy": "fog"},
        scenario + "scenarioCategory": {"emergency-brake": "emergency-braking"},
    }
    report = lint(index, stored)
    undeclared = {(each.property, each.value.value) for each in report.undeclared_values}
    assert ("core:weather", "foggy") in undeclared
    assert ("core:region", "Ibaraki") in undeclared
    assert "core:legacyId" in {each.name for each in report.unreached_properties}
    assert {"version", "resolution"} <= {each.name for each in report.collisions}


def test_variants_of_a_real_catalogue(catalogue: tuple[ShapeIndex, Statistics]) -> None:
    scenario = "https://w3id.org/ascs-ev/envited-x/scenario/v6/"
    assert variants(*catalogue) == {
        scenario + "weatherSummary": {"foggy": "fog"},
        scenario + "scenarioCategory": {
            "overtake": "overtaking",
            "emergency-brake": "emergency-braking",
        },
    }


def test_lint_of_a_real_catalogue(catalogue: tuple[ShapeIndex, Statistics]) -> None:
    report = lint(*catalogue)
    undeclared = {(each.property, each.value.value) for each in report.undeclared_values}
    assert ("scenario:weatherSummary", "foggy") in undeclared
    assert ("hdmap:roadTypes", "highway") in undeclared
    assert "gx:name" in {each.name for each in report.unreached_properties}
    assert "country" in {each.name for each in report.collisions}
    assert ("openlabel_v2:motionDriveValue", "integer") in {
        (each.property, each.stored) for each in report.other_datatypes
    }
