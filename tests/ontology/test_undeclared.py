"""What assets hold and no shape declares is searched like what shapes declare, and is told so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from groundwire.ontology import observed_paths
from groundwire.ontology.asset import get_asset
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.connections import reachability
from groundwire.ontology.discover import discover_properties, discover_values
from groundwire.ontology.schema_texts import complete

HARBOUR = "https://example.org/harbour/"
Make = Callable[[str, str], Any]
SHAPES = """
    :Tug rdfs:subClassOf :Ship ; rdfs:label "tug boat"@en , "Schlepper"@de .
    :ShipShape a sh:NodeShape ; sh:targetClass :Ship ; sh:property
      [ sh:path :title ] , [ sh:path :hull ; sh:node :HullShape ] ,
      [ sh:path :kind ; sh:nodeKind sh:IRI ] .
    :HullShape a sh:NodeShape ; sh:property [ sh:path :colour ] .
    :BoxShape a sh:NodeShape ; sh:targetClass :Box ; sh:property [ sh:path :title ] .
    :sloop rdfs:label "single mast"@en .
"""
ASSETS = """
    :s a :Ship ; rdfs:label "Amber Star" ; :title "One" ; engine:title "Another" ; :kind :sloop ;
      :hull [ :colour "amber" ; :maker [ :city "Rotterdam" ] ] ;
      :route ( "Bonn" "Ulm" ) .
    :t a :Tug ; rdfs:label "Birch" ; :title "Two" ; :hull :hull_t ; engine:crew "twelve" .
    :hull_t :colour "birch" ; :maker [ :city "Ulm" ] .
    :b a :Box ; rdfs:label "Cedar" ; engine:crew "thirteen" .
    :log :of :s ; :entry "calm" .
"""


@pytest.fixture
def bench(make: Make) -> Any:
    return make(SHAPES, ASSETS)


def _found(bench: Any, key: str, value: Any, kind: str = "Ship") -> list[str]:
    result = bench.search({"domains": [kind], "filters": {key: value}})
    return [item.iri.removeprefix(HARBOUR) for item in result.results]


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("label", "Amber Star", ["s"]),
        ("rdfs:label", {"contains": "birch"}, ["t"]),
        ("city", "Rotterdam", ["s"]),
        ("maker/city", "Ulm", ["t"]),
        ("crew", "twelve", ["t"]),
        ("route/first", "Bonn", ["s"]),
        ("first", "Ulm", ["s"]),
        ("entry", "calm", ["s"]),
        ("engine:title", "Another", ["s"]),
    ],
)
def test_what_no_shape_declares_is_found(
    key: str, value: Any, found: list[str], bench: Any
) -> None:
    assert _found(bench, key, value) == found


def test_a_value_of_an_undeclared_property_is_corrected_and_told(bench: Any) -> None:
    result = bench.search({"domains": ["Ship"], "filters": {"city": "Roterdam"}})
    assert [item.iri for item in result.results] == [HARBOUR + "s"]
    told = {one.how for one in result.corrections}
    assert told == {"stored", "corrected"} and result.confidence == "medium"


def test_values_belong_to_the_kind(bench: Any) -> None:
    values = bench.call(discover_values, "crew", "Ship").values
    assert [one.value for one in values] == ["twelve"]
    # What another kind has by this very name is no misspelling, and nothing of this kind.
    assert _found(bench, "crew", "thirteen") == []
    result = bench.search({"domains": ["Ship"], "filters": {"crew": "thirtean"}})
    assert result.status == "rejected"


def test_a_name_is_read_as_its_homonym_where_that_alone_has_the_value(bench: Any) -> None:
    result = bench.search({"domains": ["Ship"], "filters": {"title": "Another"}})
    assert result.total == 1 and result.confidence == "medium"
    assert "engine:title" in result.corrections[0].resolved
    assert bench.search({"domains": ["Ship"], "filters": {"title": "One"}}).confidence == "high"


def test_a_class_without_a_shape_is_a_kind(bench: Any) -> None:
    for name in ("Tug", "tug boat", "Schlepper"):
        assert _found(bench, "title", "Two", name) == ["t"]
    assert _found(bench, "title", "One", "Tug") == []
    assert _found(bench, "title", "Two") == ["t"]


def test_an_iri_is_found_by_the_label_that_the_shapes_have(bench: Any) -> None:
    assert _found(bench, "kind", "single mast") == ["s"]


def test_the_list_marks_what_no_shape_declares(bench: Any) -> None:
    listed = bench.call(discover_properties, "Ship").properties
    marked = {one.local_name: one.declared for one in listed}
    assert marked["title"] is None or marked["title"] is False
    assert {(one.iri, one.declared) for one in listed if one.local_name == "title"} == {
        (HARBOUR + "title", None),
        ("https://example.org/engine/title", False),
    }
    (city,) = [one for one in listed if one.local_name == "city"]
    assert (city.paths, city.declared, city.observed_count) == (["hull/maker/city"], False, 2)
    assert "city" in bench.call(complete, "property", "ci", {"domain": "Ship"})


def test_each_name_of_an_asset_is_a_key(bench: Any) -> None:
    for iri in ("s", "t"):
        asset = bench.call(get_asset, HARBOUR + iri)[0]
        assert {one.property for one in asset.values} >= {"label", "hull/colour"}
        for one in asset.values:
            if one.property != "type":
                assert iri in _found(bench, one.property, one.value), one


def test_every_statement_is_counted_as_reachable_or_not(make: Make) -> None:
    bench = make(SHAPES, ASSETS + ':alone :word "x" . :h a :House ; :word "y" .')
    found = bench.call(_reachability)
    assert found.leaves - found.reachable == 2
    (word,) = found.unreachable
    assert (word.statements, "path leads to it" in word.reason) == (2, True)
    assert make(SHAPES, ASSETS).call(_reachability).unreachable == ()


async def _reachability(catalogue: Catalogue) -> Any:
    return await reachability(await catalogue.state())


def test_a_circle_is_left_and_told(make: Make) -> None:
    bench = make(SHAPES, ":s a :Ship ; :a :x . :x :b :y . :y :c :x ; :word 'deep' .")
    assert _found(bench, "word", "deep") == ["s"]
    assert any("lies behind" in one for one in bench.state().paths.unread)


def test_of_a_large_class_a_part_is_looked_at_and_told(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observed_paths, "_LARGE", 5)
    monkeypatch.setattr(observed_paths, "_SAMPLE", 3)
    assets = " ".join(f':s{n} a :Ship ; engine:crew "{n}" .' for n in range(9))
    bench = make(SHAPES, assets + ' :s4 engine:rare "seldom" .')
    assert _found(bench, "crew", "7") == ["s7"]
    told = f"not looked at: 6 of the 9 assets of {HARBOUR}Ship"
    assert bench.state().paths.unread == (told,)
    assert _found(bench, "rare", "seldom") == ["s4"]


def test_paths_are_kept_beside_the_store(tmp_path: Path, make: Make) -> None:
    first = make(SHAPES, ASSETS)
    paths = first.state().paths

    async def again() -> Any:
        catalogue = Catalogue(first.catalogue.shapes, first.catalogue.assets, tmp_path / "home")
        try:
            await catalogue.state()
            (kept,) = (tmp_path / "home" / "stores").glob("*.paths")
            kept.write_text("[[], {}, []]")
            await catalogue.close()
            catalogue = Catalogue(catalogue.shapes, catalogue.assets, tmp_path / "home")
            return (await catalogue.state()).paths
        finally:
            await catalogue.close()

    assert paths.by_class and anyio.run(again).by_class == {}
