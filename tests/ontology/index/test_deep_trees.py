"""Trees of classes as building ontologies have them: what classes share is kept once, and right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import class_trees
import pytest

from groundwire.ontology.index.build import Expander
from groundwire.ontology.index.files import shape_files
from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.merging import Shapes
from groundwire.ontology.index.model import ShapeIndex
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.triples import read_graph

KINDS = 120
Build = Callable[..., ShapeIndex]

# Each class refers to shapes of others, back to itself, and to what it is a kind of.
KNOTS = """
@prefix ex: <https://example.org/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:Thing a owl:Class , sh:NodeShape ; sh:property [ sh:path ex:part ; sh:node ex:PartShape ] ;
  sh:property [ sh:path ex:near ; sh:node ex:BShape ] , [ sh:path ex:name ; sh:maxCount 1 ] .
ex:A a owl:Class ; rdfs:subClassOf ex:Thing .
ex:B a owl:Class ; rdfs:subClassOf ex:A , ex:Other .
ex:C a owl:Class ; rdfs:subClassOf ex:Other .
ex:Other a owl:Class , sh:NodeShape ; sh:property [ sh:path ex:near ; sh:class ex:C ] ,
  [ sh:path ex:part ; sh:node ex:PartShape ; sh:name "piece"@en ] .
ex:AShape a sh:NodeShape ; sh:targetClass ex:A ;
  sh:property [ sh:path ex:near ; sh:node ex:CShape ] .
ex:BShape a sh:NodeShape ; sh:targetClass ex:B ;
  sh:property [ sh:path ex:name ; sh:in ( "b" ) ] ,
    [ sh:path ( ex:part ex:size ) ; sh:datatype xsd:decimal ] .
ex:CShape a sh:NodeShape ; sh:targetClass ex:C ; sh:or ( ex:BShape [ sh:node ex:PartShape ] ) .
ex:PartShape a sh:NodeShape ; sh:targetClass ex:Part ;
  sh:property [ sh:path ex:size ; sh:datatype xsd:integer ] ,
    [ sh:path ex:of ; sh:node ex:AShape ] , [ sh:path ex:part ; sh:node ex:PartShape ] .
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    (folder / "shapes.ttl").write_text(class_trees.shapes(KINDS), "utf-8")
    return folder


def read(folder: Path) -> Shapes:
    graph = read_graph(shape_files([folder]))
    schema = Schema(graph)
    return Shapes(graph, schema, schema.domain_names())


def said(expander: Expander, class_iri: str) -> tuple[object, ...]:
    properties, links, parts = expander.expand(class_iri)
    whole = {key: (prop._replace(paths=()), set(prop.paths)) for key, prop in properties.items()}
    return whole, links, parts


@pytest.mark.parametrize("which", ["knots", "tree"])
def test_what_is_shared_is_what_each_class_has_for_itself(
    which: str, tree: Path, tmp_path: Path
) -> None:
    (tmp_path / "knots.ttl").write_text(KNOTS, "utf-8")
    folder = tree if which == "tree" else tmp_path
    together = Expander(read(folder))
    classes = list(read(folder).schema.targets)
    assert len(classes) > 4
    for class_iri in classes:
        alone = said(Expander(read(folder)), class_iri)
        assert said(together, class_iri) == alone, class_iri


def test_subclasses_have_the_properties_of_all_above(tree: Path) -> None:
    index = load_index([tree])
    found = class_trees.tree(KINDS)
    assert set(found.parents) < set(index.domains)
    for name, parent in found.parents.items():
        own, above = index.domains[name].properties, index.domains[parent].properties
        assert above.items() <= own.items()
    # Those that add nothing share all.
    pairs = [
        (index.domains[name].properties, index.domains[parent].properties)
        for name, parent in found.parents.items()
    ]
    alike = [(own, above) for own, above in pairs if own.keys() == above.keys()]
    assert alike
    assert all(own is above for own, above in alike)


def test_connections_are_kept_where_they_are_declared(tree: Path) -> None:
    index = load_index([tree])
    families = {*class_trees.FAMILIES, "Thing", "Tag"}
    assert {c.source for c in index.connections} | {c.target for c in index.connections} == families
    assert ("Equipment", "Point", "hasPoint") in {
        (c.source, c.target, c.path.local()) for c in index.connections
    }
    assert len(index.connections) < 200


def test_a_class_without_a_shape_stands_for_those_below_it(index_of: Build) -> None:
    index = index_of(
        """
        ex:Car rdfs:subClassOf ex:Vehicle . ex:Van rdfs:subClassOf ex:Car .
        ex:Boat rdfs:subClassOf ex:Vehicle .
        ex:CarShape a sh:NodeShape ; sh:targetClass ex:Car .
        ex:VanShape a sh:NodeShape ; sh:targetClass ex:Van .
        ex:BoatShape a sh:NodeShape ; sh:targetClass ex:Boat .
        ex:TripShape a sh:NodeShape ; sh:targetClass ex:Trip ;
          sh:property [ sh:path ex:by ; sh:class ex:Vehicle ] .
        """
    )
    assert [(c.source, c.target) for c in index.connections] == [("Trip", "Boat"), ("Trip", "Car")]


def test_a_kept_index_is_the_same(tree: Path, tmp_path: Path) -> None:
    fresh = load_index([tree], tmp_path)
    kept = load_index([tree], tmp_path)
    assert kept is not fresh
    assert kept.connections == fresh.connections
    for name, domain in fresh.domains.items():
        other = kept.domains[name]
        assert other.properties == domain.properties
        assert (other.subclasses, other.superclasses) == (domain.subclasses, domain.superclasses)
    sets = {id(domain.properties) for domain in fresh.domains.values()}
    assert len({id(domain.properties) for domain in kept.domains.values()}) == len(sets)


def test_what_many_shapes_have_is_told_once(tree: Path) -> None:
    (problem,) = load_index([tree]).problems
    number = KINDS - 3
    assert problem.message == (
        f"sh:rule of {class_trees.NAMESPACE}Equipment and {number:,} other shapes is not "
        "understood: ignored"
    )
    assert problem.line


@pytest.mark.parametrize(
    "shapes",
    [
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:node ex:S ; sh:property ex:P ."
        " ex:P sh:path ex:p ; sh:node ex:S ; sh:property ex:P .",
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:or ex:l ; sh:property [ sh:path ex:p ] ."
        " ex:l rdf:first ex:S ; rdf:rest ex:l .",
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ] ,"
        " [ sh:path ex:q ] . ex:q sh:inversePath ex:q .",
        "ex:T rdfs:subClassOf ex:U . ex:U rdfs:subClassOf ex:V . ex:V rdfs:subClassOf ex:T ."
        " ex:S a sh:NodeShape ; sh:targetClass ex:T ;"
        " sh:property [ sh:path ex:p ; sh:class ex:V ] ."
        " ex:R a sh:NodeShape ; sh:targetClass ex:V ;"
        " sh:property [ sh:path ex:r ; sh:class ex:U ] .",
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:not ex:S ; sh:and ( ex:S ex:R ) ;"
        " sh:property [ sh:path ex:p ; sh:in ex:l ] . ex:l rdf:first 1 ; rdf:rest ex:l ."
        " ex:R sh:qualifiedValueShape ex:R ; sh:xone ( ex:S ) .",
    ],
    ids=["node", "branch", "path", "class", "all"],
)
def test_a_circle_ends(index_of: Build, shapes: str) -> None:
    index = index_of(shapes)
    assert "https://example.org/ns#p" in index.domains["T"].properties


def test_shapes_that_are_all_branches_of_each_other_end(index_of: Build) -> None:
    names = [f"ex:S{number}" for number in range(14)]
    index = index_of(
        "".join(
            f"{name} a sh:NodeShape ; sh:targetClass {name}Class ; sh:or ( {' '.join(names)} ) ;"
            f" sh:property [ sh:path {name}path ] .\n"
            for name in names
        )
    )
    assert len(index.domains["S3Class"].properties) == len(names)


def test_a_long_chain_of_shapes_and_classes_ends(index_of: Build) -> None:
    links = "".join(
        f"ex:S{n} a sh:NodeShape ; sh:targetClass ex:C{n} ;"
        f" sh:property [ sh:path ex:p{n} ; sh:node ex:S{n + 1} ] ."
        f" ex:C{n + 1} rdfs:subClassOf ex:C{n} .\n"
        for n in range(300)
    )
    index = index_of(links)
    assert len(index.domains) == 300
    assert len(index.domains["C299"].properties) == 300
    assert any("more than 16 steps" in problem.message for problem in index.problems)
