"""Catalogues as they are found: deep trees of kinds, shapes and data that disagree on forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import class_trees
import pytest

from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import discover_connections, discover_domains
from groundwire.ontology.schema_texts import investigate_schema

KINDS, ASSETS = 150, 600
Make = Callable[[str, str], Any]


def typed(text: str) -> dict[str, str]:
    """The class of each generated asset, by local names."""
    lines = [line for line in text.splitlines() if line.startswith(":a")]
    return {line.split()[0][1:]: line.split()[2][1:] for line in lines}


@pytest.fixture(scope="module")
def building(
    tmp_path_factory: pytest.TempPathFactory, harbour: Any
) -> Iterator[tuple[Any, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("building")
    assets = class_trees.assets(ASSETS, KINDS)
    (folder / "shapes.ttl").write_text(class_trees.shapes(KINDS), "utf-8")
    (folder / "assets.ttl").write_text(assets, "utf-8")
    catalogue = Catalogue([folder / "shapes.ttl"], [folder / "assets.ttl"], folder / "home")
    yield type(harbour)(catalogue), typed(assets)
    catalogue.close_now()


def below(kinds: dict[str, str]) -> Counter[str]:
    """How many assets each class has, those of the classes below it included."""
    tree = class_trees.tree(KINDS)
    return Counter(above for kind in kinds.values() for above in tree.above(kind))


def test_a_kind_is_found_with_all_kinds_below_it(building: Any) -> None:
    bench, kinds = building
    expected = below(kinds)
    state = bench.state()
    for name in ("Equipment", "Point_10", "Equipment_6", *list(expected)[-5:]):
        assert bench.search({"domains": [name]}).total == expected[name]
        assert state.counts[name] == expected[name]


def test_a_query_names_the_classes_that_have_instances(building: Any) -> None:
    bench, kinds = building
    sparql = bench.search({"domains": ["Equipment"]}, dry_run=True).sparql
    tree = class_trees.tree(KINDS)
    held = {kind for kind in kinds.values() if tree.family[kind] == "Equipment"}
    assert len(held) < sum(family == "Equipment" for family in tree.family.values())
    named = {part.split(">")[0] for part in sparql.split(class_trees.NAMESPACE)[1:]}
    assert named == held


def test_references_and_conditions_over_families(building: Any) -> None:
    bench, kinds = building
    by_hand = bench.search(
        {
            "domains": ["Equipment"],
            "references": [{"domain": "Point", "ranges": {"reading": {"min": 50}}}],
        }
    )
    assert by_hand.status == "results"
    assert 0 < by_hand.total < below(kinds)["Equipment"]


def test_of_many_kinds_connections_are_told_as_declared(building: Any) -> None:
    bench, _ = building
    assert len(bench.state().assets) > 40
    found = bench.call(discover_connections)
    pairs = {(c.from_, c.to) for c in found.connections}
    assert {("Equipment", "Point"), ("Equipment", "Location")} <= pairs
    assert {name for pair in pairs for name in pair} <= {*class_trees.FAMILIES, "Thing"}
    # A kind below has what is declared above it.
    own = bench.call(discover_connections, "Equipment_6")
    assert ("Equipment_6", "Point") in {(c.from_, c.to) for c in own.connections}


def test_a_kind_is_named_in_any_language(building: Any) -> None:
    bench, _ = building
    for code in class_trees.LANGUAGES:
        name = "Point 10" if code == "en" else f"Point 10 {code}"
        assert bench.search({"domains": [name]}, dry_run=True).applied["domains"] == ["Point_10"]


def test_assets_of_several_classes_count_once(make: Make) -> None:
    shapes = "".join(
        f":K{n} a owl:Class , sh:NodeShape ; rdfs:subClassOf :K{n - 1} .\n" for n in range(1, 8)
    )
    every = " , ".join(f":K{n}" for n in range(1, 8))
    bench = make(
        ":K0 a owl:Class , sh:NodeShape . " + shapes,
        f":all a {every} . :two a :K1 , :K2 . :one a :K3 . [] a :K1 .",
    )
    state = bench.state()
    assert [state.counts[f"K{n}"] for n in range(8)] == [3, 3, 3, 2, 1, 1, 1, 1]
    listed = {item.domain: item.asset_count for item in bench.call(discover_domains).domains}
    assert listed["K1"] == 3


def test_a_value_that_is_a_text_here_and_an_iri_there(make: Make) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Map ; sh:property"
        " [ sh:path :license ; sh:datatype xsd:string ] , [ sh:path :code ] .",
        """:a a :Map ; :license "MIT" ; :code "7" .
           :b a :Map ; :license <https://opensource.org/licenses/MIT> ; :code <urn:x/7> .
           :c a :Map ; :license :mit-licence . :mit-licence rdfs:label "MIT"@en .
           :d a :Map ; :license "GPL" .""",
    )
    found = bench.search({"domains": ["Map"], "filters": {"license": "MIT"}})
    assert {item.iri[-1] for item in found.results} == {"a", "b", "c"}
    (told,) = found.corrections
    assert (told.raw, told.how) == ("MIT", "stored_variant")
    assert "https://opensource.org/licenses/MIT" in told.resolved
    # A number behind the last slash is no name.
    assert bench.found({"domains": ["Map"], "filters": {"code": "7"}}) == ["a"]


def test_datatypes_that_shapes_and_data_do_not_agree_on(make: Make) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Map ; sh:property"
        " [ sh:path :lanes ; sh:datatype xsd:integer ] ,"
        " [ sh:path :title ; sh:datatype ( xsd:string rdfs:Literal ) ] .",
        """:a a :Map ; :lanes 4 ; :title "x"@en . :b a :Map ; :lanes "4" ; :title "x" .
           :c a :Map ; :lanes 4.0 ; :title "x"^^:odd . :d a :Map ; :lanes "many" .""",
    )
    assert set(bench.found({"domains": ["Map"], "filters": {"lanes": 4}})) == {"a", "b", "c"}
    assert set(bench.found({"domains": ["Map"], "ranges": {"lanes": {"min": 3}}})) == {
        *("a", "b", "c")
    }
    assert set(bench.found({"domains": ["Map"], "filters": {"title": "x"}})) == {"a", "b", "c"}


def test_amounts_are_compared_by_the_scale_of_the_unit(make: Make) -> None:
    bench = make(
        "@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/>"
        " . :S a sh:NodeShape ; sh:targetClass :Boiler ; sh:property"
        " [ sh:path :output ; sh:datatype xsd:decimal ; qudt:hasUnit unit:BTU_IT-PER-HR ] ,"
        " [ sh:path :flow ; sh:datatype xsd:decimal ; qudt:hasUnit unit:M3-PER-SEC ] .",
        ":a a :Boiler ; :output 3000 ; :flow 1.5 . :b a :Boiler ; :output 4000 ; :flow 2 .",
    )
    # A kilowatt is 3,412 Btu/h.
    assert bench.found({"domains": ["Boiler"], "ranges": {"output": {"min": "1 kW"}}}) == ["b"]
    assert bench.found({"domains": ["Boiler"], "filters": {"flow": "1.5 m³/s"}}) == ["a"]
    large = {"domains": ["Boiler"], "ranges": {"output": {"max": "900000000000000000 GW"}}}
    assert bench.found(large) == ["a", "b"]
    small = {"domains": ["Boiler"], "ranges": {"output": {"min": "0.00000000000000000001 W"}}}
    assert bench.found(small) == ["a", "b"]
    gap = bench.gap({"domains": ["Boiler"], "ranges": {"flow": {"min": "1 kW"}}})
    assert "m³/s" in gap.detail


def test_the_schema_graph_is_read_from_the_files_of_the_index(tmp_path: Path, harbour: Any) -> None:
    shapes = tmp_path / "shapes"
    (shapes / ".hidden").mkdir(parents=True)
    sh = "@prefix sh: <http://www.w3.org/ns/shacl#> ."
    (shapes / "a.ttl").write_text(f"{sh} <#S> a sh:NodeShape ; sh:targetClass <#T> .")
    (shapes / "b.ttl").write_text(f'{sh} <urn:S> sh:targetClass <urn:x:has##two> ; sh:name "x" .')
    (shapes / "x.context.jsonld").write_text('{"@id": "urn:no", "urn:p": "context"}')
    (shapes / "c.json").write_text('{"@id": "urn:no", "urn:p": "json"}')
    (shapes / ".hidden" / "d.ttl").write_text("<urn:no> <urn:p> 'hidden' .")
    (tmp_path / "assets.ttl").write_text("<urn:a> a <file:///a.ttl#T> .")
    catalogue = Catalogue([shapes], [tmp_path / "assets.ttl"], tmp_path / "home")
    try:
        bench = type(harbour)(catalogue)
        index = bench.state().index
        classes = {domain.class_iri for domain in index.domains.values()}
        assert classes == {"file:///a.ttl#T", "urn:x:has##two"}
        (problem,) = index.problems
        assert problem.message.startswith("malformed, read all the same")
        rows = bench.call(investigate_schema, "SELECT ?c WHERE { ?s sh:targetClass ?c }").rows
        assert {row["c"] for row in rows} == classes
        assert bench.call(investigate_schema, "SELECT ?o WHERE { <urn:no> ?p ?o }").rows == []
    finally:
        catalogue.close_now()
