"""Paths, nesting, targets, connections."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.ontology.index.model import Domain, Path, Property, ShapeIndex, Step

EX = "https://example.org/ns#"
Build = Callable[..., ShapeIndex]


def paths(prop: Property) -> list[str]:
    return [path.local() for path in prop.paths]


def named(domain: Domain, name: str) -> Property:
    (found,) = [p for p in domain.properties.values() if p.local_name == name]
    return found


def test_a_path_in_sparql_and_for_people() -> None:
    path = Path((Step(EX + "a"), Step(EX + "b", inverse=True), Step("urn:x:c>", repeat="*")))
    assert path.sparql() == f"<{EX}a>/^<{EX}b>/<urn:x:c%3E>*"
    assert path.local() == "a/^b/c>*"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("( ex:a ex:b ex:p )", ["a/b/p"]),
        ("( ex:a [ sh:alternativePath ( ex:b ex:c ) ] ex:p )", ["a/b/p", "a/c/p"]),
        ("( ex:a [ sh:inversePath ex:b ] ex:p )", ["a/^b/p"]),
        ("( [ sh:inversePath ( ex:a ex:b ) ] ex:p )", ["^b/^a/p"]),
        ("( [ sh:zeroOrMorePath ex:a ] ex:p )", ["a*/p"]),
        ("( [ sh:oneOrMorePath [ sh:inversePath ex:a ] ] ex:p )", ["^a+/p"]),
        ("( [ sh:zeroOrOnePath ex:a ] ex:p )", ["a?/p"]),
    ],
)
def test_path_expressions(index_of: Build, expression: str, expected: list[str]) -> None:
    index = index_of(
        f"ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path {expression} ] ."
    )
    assert paths(named(index.domains["T"], "p")) == expected


def test_an_inverse_leaf_has_a_key_of_its_own(index_of: Build) -> None:
    index = index_of(
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ] ;"
        " sh:property [ sh:path [ sh:inversePath ex:p ] ; sh:nodeKind sh:IRI ] ."
    )
    properties = index.domains["T"].properties
    assert set(properties) == {EX + "p", "^" + EX + "p"}
    assert properties["^" + EX + "p"].local_name == "^p"
    assert properties["^" + EX + "p"].paths[0].sparql() == f"^<{EX}p>"
    assert all(key == prop.key for key, prop in properties.items())


@pytest.mark.parametrize(
    "expression",
    ["[ sh:zeroOrMorePath ( ex:a ex:b ) ]", "[ ex:unknown ex:a ]", "()"],
)
def test_a_path_that_is_not_understood_is_a_problem(index_of: Build, expression: str) -> None:
    index = index_of(
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ;\n sh:property [ sh:path ex:fine ] ;\n"
        f" sh:property [ sh:path {expression} ] ."
    )
    assert set(index.domains["T"].properties) == {EX + "fine"}
    (problem,) = index.problems
    assert problem.file == "shapes0.ttl" and "left out" in problem.message


NESTED = """
ex:MapShape a sh:NodeShape ; sh:targetClass ex:Map ;
    sh:property [ sh:path ex:content ; sh:node ex:ContentShape ] ;
    sh:and ( [ sh:property [ sh:path ex:fromAnd ] ] ex:MoreShape ) ;
    sh:node [ sh:xone ( [ sh:property [ sh:path ex:fromXone ] ]
                        [ sh:path ex:bare ; sh:minCount 1 ] ) ] .
ex:MoreShape a sh:NodeShape ; sh:property [ sh:path ex:fromNamed ] .
ex:ContentShape a sh:NodeShape ;
    sh:or ( [ sh:node ex:SingleShape ] [ sh:node ex:MultiShape ] ) .
ex:SingleShape a sh:NodeShape ; sh:property [ sh:path ex:format ; sh:in ( "OSI" "TXTH" ) ] .
ex:MultiShape a sh:NodeShape ;
    sh:property [ sh:path ex:format ; sh:in ( "MCAP" ) ] ,
                [ sh:path ex:channel ; sh:property [ sh:path ex:topic ] ] ;
    sh:property [ sh:path ex:link ;
        sh:qualifiedValueShape [ sh:property [ sh:path ex:target ] ] ; sh:qualifiedMinCount 1 ] .
"""


def test_nesting_of_every_kind(index_of: Build) -> None:
    index = index_of(NESTED)
    found = {p.local_name: paths(p) for p in index.domains["Map"].properties.values()}
    assert found == {
        "content": ["content"],
        "format": ["content/format"],
        "channel": ["content/channel"],
        "topic": ["content/channel/topic"],
        "link": ["content/link"],
        "target": ["content/link/target"],
        "fromAnd": ["fromAnd"],
        "fromNamed": ["fromNamed"],
        "fromXone": ["fromXone"],
        "bare": ["bare"],
    }
    prop = named(index.domains["Map"], "format")
    assert [v.term.value for v in prop.enum] == ["OSI", "TXTH", "MCAP"]
    assert prop.closed and not prop.conditional
    assert named(index.domains["Map"], "content").kind == "node"


def test_all_paths_of_a_property_the_shortest_first(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetClass ex:T ;
           sh:property [ sh:path ( ex:deep ex:deeper ex:name ) ] ;
           sh:property [ sh:path ex:part ; sh:node ex:P ] ; sh:property [ sh:path ex:name ] .
           ex:P a sh:NodeShape ; sh:property [ sh:path ex:name ] ."""
    )
    assert paths(named(index.domains["T"], "name")) == ["name", "part/name", "deep/deeper/name"]


def test_parts_of_parts_are_a_repeated_step_and_other_cycles_end(index_of: Build) -> None:
    index = index_of(
        """ex:A a sh:NodeShape ; sh:targetClass ex:Asset ;
           sh:property [ sh:path ex:name ] ; sh:property [ sh:path ex:part ; sh:node ex:B ] .
           ex:B a sh:NodeShape ; sh:property [ sh:path ex:size ] ;
           sh:property [ sh:path ex:inner ; sh:node ex:B ] ;
           sh:property [ sh:path ex:owner ; sh:node ex:A ] .
           ex:Loop a sh:NodeShape ; sh:targetClass ex:Loop1 ; sh:node ex:Loop2 .
           ex:Loop2 a sh:NodeShape ; sh:node ex:Loop ; sh:property [ sh:path ex:x ] ."""
    )
    asset = index.domains["Asset"]
    assert paths(named(asset, "size")) == ["part/inner*/size"]
    assert paths(named(asset, "name")) == ["name"]
    assert set(index.domains["Loop1"].properties) == {EX + "x"}
    assert [(c.target, c.path.local(), c.nested) for c in index.connections] == [
        ("Asset", "part/inner*/owner", False)
    ]


def test_very_deep_shapes_end_with_a_problem(index_of: Build) -> None:
    chain = "".join(
        f"ex:S{n} a sh:NodeShape ; sh:property [ sh:path ex:p{n} ; sh:node ex:S{n + 1} ] .\n"
        for n in range(40)
    )
    index = index_of("ex:S0 sh:targetClass ex:T .\n" + chain)
    assert len(index.domains["T"].properties) == 16
    assert any("16 steps" in problem.message for problem in index.problems)


def test_implicit_targets_and_inheritance(index_of: Build) -> None:
    index = index_of(
        """ex:Asset a sh:NodeShape, owl:Class ; sh:property [ sh:path ex:name ] .
           ex:Map a rdfs:Class, sh:NodeShape ; rdfs:subClassOf ex:Asset ;
               sh:property [ sh:path ex:size ] .
           ex:CityMap a owl:Class ; rdfs:subClassOf ex:Map ."""
    )
    assert set(index.domains) == {"Asset", "Map"}
    assert index.domains["Asset"].subclasses == (EX + "Map", EX + "CityMap")
    assert index.domains["Map"].superclasses == (EX + "Asset",)
    assert {p.local_name for p in index.domains["Map"].properties.values()} == {"name", "size"}
    assert {p.local_name for p in index.domains["Asset"].properties.values()} == {"name"}


def test_subclass_cycles_end(index_of: Build) -> None:
    index = index_of(
        """ex:A a sh:NodeShape, owl:Class ; rdfs:subClassOf ex:B .
           ex:B a owl:Class ; rdfs:subClassOf ex:A , ex:B ."""
    )
    assert index.domains["A"].subclasses == (EX + "B",)


def test_names_of_domains(index_of: Build) -> None:
    index = index_of(
        """@prefix city-map: <https://example.org/city/> .
           ex:S1 a sh:NodeShape ; sh:targetClass city-map:CityMap .
           ex:S2 a sh:NodeShape ; sh:targetClass other:CityMap .
           ex:S3 a sh:NodeShape ; sh:targetClass ex:Format, other:Format, ex:Plain .
           ex:S4 a sh:NodeShape ; sh:targetClass <urn:nowhere:Format> ."""
    )
    assert {d.name: d.class_iri for d in index.domains.values()} == {
        "city-map": "https://example.org/city/CityMap",
        "other:CityMap": "https://example.org/other/CityMap",
        "ex:Format": EX + "Format",
        "other:Format": "https://example.org/other/Format",
        "Plain": EX + "Plain",
        "urn:nowhere:Format": "urn:nowhere:Format",
    }


def test_connections_by_class_shape_and_link(index_of: Build) -> None:
    index = index_of(
        """
        ex:Asset a owl:Class .
        ex:MapShape a sh:NodeShape ; sh:targetClass ex:Map ; sh:property [ sh:path ex:manifest ;
            sh:node ex:ManifestShape ] .
        ex:SceneShape a sh:NodeShape ; sh:targetClass ex:Scene ;
            sh:property [ sh:path ex:uses ; sh:class ex:Map ] ;
            sh:property [ sh:path ex:manifest ;
                sh:and ( [ sh:node ex:ManifestShape ] [ sh:node ex:SceneManifestShape ] ) ] .
        ex:SceneManifestShape a sh:NodeShape ; sh:property [ sh:path ex:refers ;
            sh:or ( [ sh:node ex:MapShape ] [ sh:node ex:LinkShape ] ) ] .
        ex:ManifestShape a sh:NodeShape ; sh:targetClass ex:Manifest ;
            sh:property [ sh:path ex:refers ; sh:node ex:LinkShape ] .
        ex:LinkShape a sh:NodeShape ; sh:property [ sh:path ex:iri ; sh:nodeKind sh:IRI ] ;
            sh:property [ sh:path ex:role ; sh:nodeKind sh:IRI ; sh:in ( ex:a ) ] ;
            sh:property [ sh:path rdf:type ; sh:nodeKind sh:IRI ] .
        """
    )
    found = {
        (c.target, c.path.local(), c.via, c.nested)
        for c in index.connections
        if c.source == "Scene"
    }
    assert found == {
        ("Map", "uses", "class", False),
        ("Map", "manifest/refers", "shape", False),
        ("Map", "manifest/refers/iri", "link", False),
        ("*", "manifest/refers/iri", "link", False),
        ("Manifest", "manifest", "shape", True),
    }
    assert index.domains["Manifest"].part
    assert not index.domains["Map"].part and not index.domains["Scene"].part
    manifest = named(index.domains["Scene"], "manifest")
    assert paths(manifest) == ["manifest"], "a map beside the scene is not expanded inside it"


def test_a_class_connects_to_the_domains_below_it(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:of ;
               sh:class ex:Asset ] .
           ex:Map a sh:NodeShape, owl:Class ; rdfs:subClassOf ex:Asset ."""
    )
    assert [(c.source, c.target, c.via) for c in index.connections] == [("T", "Map", "class")]


def test_siblings_below_one_indexed_class_are_not_nested(index_of: Build) -> None:
    index = index_of(
        """ex:Asset a sh:NodeShape, owl:Class .
           ex:Scene a sh:NodeShape, owl:Class ; rdfs:subClassOf ex:Asset ;
               sh:property [ sh:path ex:map ; sh:node ex:Map ] .
           ex:Map a sh:NodeShape, owl:Class ; rdfs:subClassOf ex:Asset ;
               sh:property [ sh:path ex:road ] ."""
    )
    assert set(index.domains["Scene"].properties) == {EX + "map"}
    assert [(c.target, c.nested) for c in index.connections] == [("Map", False)]


def test_holders_name_the_domains_of_a_property(index_of: Build) -> None:
    index = index_of(
        """ex:A a sh:NodeShape ; sh:targetClass ex:One ; sh:property [ sh:path ex:p ] .
           ex:B a sh:NodeShape ; sh:targetClass ex:Two ; sh:property [ sh:path ex:p ] ."""
    )
    assert index.holders()[EX + "p"] == ("One", "Two")
