"""Files as they are found: with relative IRIs, cut short, of newer versions of SHACL."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import class_trees
import pytest

from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import Measure, Property, ShapeIndex
from groundwire.ontology.index.namespaces import RDF, XSD

EX = "https://example.org/ns#"
SH = "http://www.w3.org/ns/shacl#"
Build = Callable[..., ShapeIndex]

TURTLE = f"""@prefix ex: <{EX}> . @prefix sh: <{SH}> .
ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ] .
"""
XML = f"""<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="{RDF}" xmlns:sh="{SH}">
<sh:NodeShape rdf:about="{EX}S"><sh:targetClass rdf:resource="{EX}T"/></sh:NodeShape>
</rdf:RDF>
"""
JSON = f'{{"@id": "{EX}S", "{SH}targetClass": {{"@id": "{EX}T"}}}}'


def named(index: ShapeIndex, domain: str, name: str) -> Property:
    (found,) = [p for p in index.domains[domain].properties.values() if p.local_name == name]
    return found


def test_relative_iris_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "person 1.ttl").write_text(
        f"""@prefix sh: <{SH}> .
<> a <http://www.w3.org/2002/07/owl#Ontology> .
<PersonShape> a sh:NodeShape ; sh:targetClass <#Person> ;
    sh:property [ sh:path <name> ; sh:in ( <a> "b" ) ] ;
    sh:node <OtherShape> .
<OtherShape> sh:property [ sh:path <other> ] .
"""
    )
    index = load_index([tmp_path])
    assert index.problems == ()
    person = index.domains["Person"]
    assert person.class_iri == "file:///person%201.ttl#Person"
    assert person.sources[0].line == 3
    name = named(index, "Person", "name")
    assert name.iri == "file:///name"
    assert [value.term.value for value in name.enum] == ["file:///a", "b"]
    assert named(index, "Person", "other").paths


def test_a_base_in_the_file_goes_first(index_of: Build) -> None:
    index = index_of("@base <https://base.org/x/> . <S> a sh:NodeShape ; sh:targetClass <T> .")
    assert index.domains["T"].class_iri == "https://base.org/x/T"
    assert index.problems == ()


@pytest.mark.parametrize(
    ("suffix", "text", "cut"),
    [
        (".ttl", TURTLE, "sh:property [ sh:path"),
        (".ttl", TURTLE + 'ex:S sh:name "the first of man', "first"),
        (".rdf", XML, "</sh:NodeShape>"),
        (".owl", XML, "</rdf:RDF>"),
        (".jsonld", JSON, "}}"),
    ],
)
def test_a_file_that_ends_in_the_middle_is_refused_and_told(
    tmp_path: Path, suffix: str, text: str, cut: str
) -> None:
    (tmp_path / "whole.ttl").write_text(TURTLE.replace("ex:T", "ex:Whole"))
    (tmp_path / f"cut{suffix}").write_text(text[: text.index(cut) + len(cut) // 2])
    index = load_index([tmp_path])
    assert set(index.domains) == {"Whole"}, "nothing of half a file is used"
    (problem,) = index.problems
    assert problem.file == f"cut{suffix}"
    assert problem.message.startswith("left out: ")
    if suffix != ".jsonld":
        assert problem.line
        assert problem.message == "left out: it ends in the middle of a statement"


def test_a_remote_context_is_never_fetched(tmp_path: Path) -> None:
    (tmp_path / "whole.ttl").write_text(TURTLE)
    (tmp_path / "remote.jsonld").write_text('{"@context": "https://schema.org/", "name": "x"}')
    (problem,) = load_index([tmp_path]).problems
    assert problem.file == "remote.jsonld"
    assert problem.message == (
        "left out: it names a remote JSON-LD context, which is never fetched: put it in the file"
    )


def test_a_byte_order_mark_and_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "marked.ttl").write_text("\ufeff" + TURTLE, "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "old.ttl").write_text("no Turtle")
    (tmp_path / "._marked.ttl").write_bytes(b"\x00\x05\x16\x07")
    index = load_index([tmp_path])
    assert (set(index.domains), index.problems) == ({"T"}, ())


def test_a_file_of_another_suffix_is_turtle(tmp_path: Path) -> None:
    (tmp_path / "shapes.shacl").write_text(TURTLE)
    assert set(load_index([tmp_path / "shapes.shacl"]).domains) == {"T"}


def test_lists_of_datatypes_classes_and_node_kinds(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property
             [ sh:path ex:text ; sh:datatype ( xsd:string rdf:langString ) ] ,
             [ sh:path ex:to ; sh:class ( ex:A ex:B ) ] ,
             [ sh:path ex:any ; sh:nodeKind ( sh:IRI sh:Literal ) ] .
           ex:AShape a sh:NodeShape ; sh:targetClass ex:A .
           ex:B a sh:ShapeClass ; sh:property [ sh:path ex:size ] ."""
    )
    assert index.problems == ()
    text = named(index, "T", "text")
    assert text.datatypes == (XSD + "string", RDF + "langString")
    assert text.kind == "literal"
    assert named(index, "T", "to").classes == (EX + "A", EX + "B")
    assert {c.target for c in index.connections if c.via == "class"} == {"A", "B"}
    assert named(index, "T", "any").kind == "any"
    assert not any(c.path.local() == "any" for c in index.connections)
    assert named(index, "B", "size").paths


def test_a_class_by_a_metaclass_is_a_target(index_of: Build) -> None:
    index = index_of(
        """ex:Class rdfs:subClassOf rdfs:Class . ex:Special rdfs:subClassOf ex:Class .
           ex:Fan a ex:Special , sh:NodeShape ; sh:property [ sh:path ex:speed ] ."""
    )
    assert named(index, "Fan", "speed").paths
    assert index.problems == ()


def test_labels_in_ten_languages(tmp_path: Path) -> None:
    (tmp_path / "shapes.ttl").write_text(class_trees.shapes(40), "utf-8")
    domain = load_index([tmp_path]).domains["Point_10"]
    assert [text.language for text in domain.labels] == list(class_trees.LANGUAGES)
    assert domain.labels[1].value == "Point 10 de"


def unit_of(index_of: Build, unit: str, *more: str) -> tuple[str | None, Measure | None]:
    index = index_of(
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ;"
        f" sh:property [ sh:path ex:p ; sh:datatype xsd:decimal ; qudt:hasUnit {unit} ] .",
        *more,
    )
    prop = named(index, "T", "p")
    return prop.unit, prop.measure


@pytest.mark.parametrize(
    ("code", "unit", "dimension", "factor"),
    [
        ("KiloW-HR", "kWh", "", ""),
        ("DEG_F", "°F", "", ""),
        ("KiloM-PER-HR", "km/h", "", ""),
        ("M3-PER-SEC", "m³/s", "L3T-1", "1"),
        ("L-PER-MIN", "l/min", "L3T-1", "0.0000166666666667"),
        ("KiloGM-PER-M3", "kg/m³", "L-3M1", "1"),
        ("BTU_IT-PER-HR", "Btu/h", "power", "0.29307107"),
        ("PER-SEC2", "1/s²", "T-2", "1"),
        ("W-PER-M2-K", "W/(m²·K)", "M1T-3H-1", "1"),
        # A torque is no energy, and volt-amperes are no watts.
        ("N-M", "N·m", "torque", "1"),
        ("V-A", "V·A", "power", "1"),
    ],
)
def test_the_code_of_a_unit_is_read(
    index_of: Build, code: str, unit: str, dimension: str, factor: str
) -> None:
    found, measure = unit_of(index_of, f"unit:{code}")
    assert found == unit
    if not dimension:
        assert measure is None
        return
    assert measure is not None
    assert measure.dimension == dimension
    assert abs(Decimal(measure.factor) / Decimal(factor) - 1) < Decimal("1e-6")


def test_a_code_with_an_unknown_part_states_no_unit(index_of: Build) -> None:
    assert unit_of(index_of, "unit:KiloZORK-PER-HR") == (None, None)


def test_a_unit_is_what_the_files_say_of_it(index_of: Build) -> None:
    described = """ex:Smoot a qudt:Unit ; qudt:symbol "smoot" ; qudt:conversionMultiplier 1.7018 ;
      qudt:hasDimensionVector <http://qudt.org/vocab/dimensionvector/A0E0L1I0M0H0T0D0> ."""
    assert unit_of(index_of, "ex:Smoot", described) == ("smoot", Measure("length", "1.7018"))


def test_a_unit_that_files_contradict_each_other_about_is_none(index_of: Build) -> None:
    described = 'ex:Smoot qudt:symbol "smoot" ; qudt:conversionMultiplier 1.7018 , 1.8 .'
    assert unit_of(index_of, "ex:Smoot", described)[0] is None


def test_scales_are_kept_with_the_index(tmp_path: Path) -> None:
    (tmp_path / "shapes.ttl").write_text(
        f"""@prefix ex: <{EX}> . @prefix sh: <{SH}> . @prefix xsd: <{XSD}> .
ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ; sh:datatype xsd:decimal ;
  <http://qudt.org/schema/qudt/hasUnit> <http://qudt.org/vocab/unit/M3-PER-SEC> ] .
"""
    )
    fresh = named(load_index([tmp_path], tmp_path / "kept"), "T", "p")
    kept = named(load_index([tmp_path], tmp_path / "kept"), "T", "p")
    assert kept == fresh
    assert kept.measure == Measure("L3T-1", "1")
