"""Opening, changing and failing catalogues."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anyio
import pyoxigraph
import pytest

from groundwire.config import Settings
from groundwire.errors import ConfigurationError, GroundwireError, UnavailableError
from groundwire.ontology import catalogue as module
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import discover_domains
from groundwire.ontology.schema_texts import investigate_schema
from groundwire.servers.ontology import locations

PREFIXES = """
@prefix : <https://example.org/h/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
SHAPES = (
    ':S a sh:NodeShape ; sh:targetClass :Ship ; sh:property [ sh:path :flag ; sh:in ( "DE" ) ] .'
)
ASSETS = ':a a :Ship ; :flag "DE" .'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of shapes and one of assets, of one file each."""
    for name, text in (("shapes", SHAPES), ("assets", ASSETS)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ttl").write_text(PREFIXES + text, "utf-8")
    return tmp_path


@pytest.fixture
def bench(folder: Path, harbour: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(module, "_LOOK_AGAIN_AFTER", 0.0)
    catalogue = Catalogue([folder / "shapes"], [folder / "assets"], folder / "home")
    yield type(harbour)(catalogue)
    catalogue.close_now()


def refused(shapes: list[Any], assets: list[Any], home: Path) -> GroundwireError:
    catalogue = Catalogue(shapes, assets, home)
    with pytest.raises(GroundwireError) as caught:
        anyio.run(catalogue.state)
    catalogue.close_now()
    assert "\n" not in str(caught.value)
    return caught.value


# Change


def test_changed_assets_are_noticed(bench: Any, folder: Path) -> None:
    assert bench.found({"domains": ["ship"]}) == ["a"]
    (folder / "assets" / "more.ttl").write_text(f'{PREFIXES}:b a :Ship ; :flag "DE" .', "utf-8")
    assert set(bench.found({"domains": ["ship"]})) == {"a", "b"}
    (folder / "assets" / "assets.ttl").unlink()
    assert bench.found({"domains": ["ship"]}) == ["b"]


def test_changed_shapes_are_noticed(bench: Any, folder: Path) -> None:
    assert bench.gap({"domains": ["ship"], "filters": {"length": 5}}).reason == "unmapped"
    before = bench.call(investigate_schema, "SELECT ?s WHERE { ?s a ?t }")
    (folder / "shapes" / "shapes.ttl").write_text(
        f"{PREFIXES}{SHAPES} :S sh:property [ sh:path :length ] . :T a sh:NodeShape .", "utf-8"
    )
    assert bench.search({"domains": ["ship"], "filters": {"length": 5}}).status == "rejected"
    assert bench.search({"domains": ["ship"], "filters": {"length": {"exists": False}}}).total == 1
    after = bench.call(investigate_schema, "SELECT ?s WHERE { ?s a ?t }")
    assert len(after.rows) == len(before.rows) + 1


def test_a_call_that_has_begun_ends_on_the_state_it_began_with(bench: Any, folder: Path) -> None:
    async def change_in_between() -> int:
        state = await bench.catalogue.state()
        (folder / "assets" / "assets.ttl").write_text(f"{PREFIXES}:z a :Ship .", "utf-8")
        assert (await bench.catalogue.state()) is not state
        from groundwire.graph.queries import CompiledQuery

        rows = await state.graph.select(CompiledQuery("SELECT ?s WHERE { ?s a ?t }"))
        return len(rows.rows)

    assert anyio.run(change_in_between) == 1


def test_what_did_not_change_is_not_read_again(bench: Any) -> None:
    assert bench.state() is bench.state()


# Broken files


def test_a_broken_file_is_named_with_its_line_and_the_rest_is_served(
    bench: Any, folder: Path
) -> None:
    broken = f"{PREFIXES}:b a :Ship .\n:c a :Ship ; :flag \n\n ; ; .\n"
    (folder / "assets" / "broken.ttl").write_text(broken, "utf-8")
    (folder / "shapes" / "broken.ttl").write_text(f"{PREFIXES}\n:x :y [ .", "utf-8")
    assert "a" in bench.found({"domains": ["ship"]})
    problems = bench.state().problems
    assert [problem.rsplit("broken.ttl", 1)[1][:1] for problem in problems] == [":", ":"]
    assert all("\n" not in problem for problem in problems)
    said = bench.call(discover_domains)
    assert said.problems == list(problems)
    assert "broken.ttl" in said.answer


def test_a_file_that_is_mended_is_served_again(bench: Any, folder: Path) -> None:
    file = folder / "assets" / "assets.ttl"
    file.write_text("this is not Turtle", "utf-8")
    with pytest.raises(ConfigurationError, match=r"assets\.ttl:1: "):
        bench.search({"domains": ["ship"]})
    file.write_text(PREFIXES + ASSETS, "utf-8")
    assert bench.found({"domains": ["ship"]}) == ["a"]
    assert bench.call(discover_domains).problems is None


def test_a_file_that_is_no_text_is_named(bench: Any, folder: Path) -> None:
    (folder / "assets" / "noise.ttl").write_bytes(bytes(range(256)) * 10)
    assert bench.found({"domains": ["ship"]}) == ["a"]
    assert "noise.ttl" in bench.state().problems[0]


# Nothing there


def test_an_empty_folder_is_a_clear_error(folder: Path) -> None:
    empty = folder / "empty"
    empty.mkdir()
    assert str(empty) in str(refused([empty], [folder / "assets"], folder / "home"))
    assert str(empty) in str(refused([folder / "shapes"], [empty], folder / "home"))


def test_a_missing_file_is_a_clear_error(folder: Path) -> None:
    gone = folder / "gone.ttl"
    for shapes, assets in (([gone], [folder / "assets"]), ([folder / "shapes"], [gone])):
        assert f"{gone} does not exist" in str(refused(shapes, assets, folder / "home"))


def test_nothing_named_is_a_clear_error(folder: Path) -> None:
    assert "GROUNDWIRE_SHAPES" in str(refused([], [folder / "assets"], folder))
    assert "GROUNDWIRE_ASSETS" in str(refused([folder / "shapes"], [], folder))


def test_a_home_that_cannot_be_written_is_done_without(folder: Path, harbour: Any) -> None:
    (folder / "file").write_text("x", "utf-8")
    catalogue = Catalogue([folder / "shapes"], [folder / "assets"], folder / "file" / "home")
    bench = type(harbour)(catalogue)
    assert bench.search({"domains": ["ship"]}).status == "results"
    catalogue.close_now()


def test_shapes_without_instances_still_describe(folder: Path, harbour: Any) -> None:
    (folder / "assets" / "assets.ttl").write_text(f"{PREFIXES}:x :y :z .", "utf-8")
    catalogue = Catalogue([folder / "shapes"], [folder / "assets"], folder / "home")
    bench = type(harbour)(catalogue)
    assert [item.domain for item in bench.call(discover_domains).domains] == ["Ship"]
    assert bench.search({"domains": ["ship"], "filters": {"flag": "DE"}}).status == "empty"
    catalogue.close_now()


def test_shapes_with_cycles_are_read(make: Callable[[str, str], Any]) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Ship ; sh:node :S ; sh:property [ sh:path :part ; "
        "sh:node :P ] . :P a sh:NodeShape ; sh:property [ sh:path :part ; sh:node :P ] , "
        "[ sh:path :mass ; sh:datatype xsd:integer ] .",
        ":a a :Ship ; :part [ :mass 5 ] . :b a :Ship ; :part [ :mass 9 ] .",
    )
    assert bench.found({"domains": ["ship"], "ranges": {"mass": {"gt": 5}}}) == ["b"]


def test_a_domain_whose_assets_are_all_of_a_subclass_has_assets(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":Tanker rdfs:subClassOf :Ship . :S a sh:NodeShape ; sh:targetClass :Ship ; "
        "sh:property [ sh:path :crew ] . :P a sh:NodeShape ; sh:targetClass :Port ; "
        "sh:property [ sh:path :berths ] .",
        ":t a :Tanker ; :crew 3 . :p a :Port ; :berths 4 .",
    )
    listed = bench.call(discover_domains).domains
    assert [(item.domain, item.asset_count) for item in listed] == [
        ("Port", 1),
        ("Ship", 1),
        ("Tanker", 1),
    ]
    assert bench.found({"filters": {"crew": 3}}) == ["t"]


def test_a_domain_above_others_is_not_searched_beside_them(make: Callable[[str, str], Any]) -> None:
    shapes = (
        ":Ship rdfs:subClassOf :Vessel . "
        ":V a sh:NodeShape ; sh:targetClass :Vessel ; sh:property [ sh:path :crew ] . "
        ":S a sh:NodeShape ; sh:targetClass :Ship ; sh:property [ sh:path :crew ] ."
    )
    both = make(shapes, ":s a :Ship , :Vessel ; :crew 3 .")
    assert both.search({"domains": ["vessel"]}).total == 1
    narrow = make(shapes, ":s a :Ship ; :crew 3 .")
    assert narrow.search({"filters": {"crew": 3}}).applied["domains"] == ["Ship"]
    assert narrow.found({"domains": ["vessel"]}) == ["s"]


# Settings


def test_only_one_of_the_two_variables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="GROUNDWIRE_SHAPES is set but GROUNDWIRE_ASSETS"):
        locations(Settings(home=tmp_path, shapes=("x",)))
    with pytest.raises(ConfigurationError, match="GROUNDWIRE_ASSETS is set but GROUNDWIRE_SHAPES"):
        locations(Settings(home=tmp_path, assets=("x",)))
    shapes, assets = locations(Settings(home=tmp_path))
    assert all(Path(name).exists() for name in (*shapes, *assets))


# An endpoint


@pytest.fixture
def endpoint(hostile: Any, folder: Path) -> Any:
    """A SPARQL endpoint that holds the assets, and what it was asked."""
    store = pyoxigraph.Store()
    store.load(path=str(folder / "assets" / "assets.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    asked: list[str] = []

    def answer(exchange: Any) -> None:
        text = exchange.body.decode()
        query = parse_qs(text)["query"][0] if text.startswith("query=") else text
        asked.append(query)
        found = store.query(query)
        if isinstance(found, pyoxigraph.QueryBoolean):
            body = json.dumps({"head": {}, "boolean": bool(found)}).encode()
        else:
            assert isinstance(found, pyoxigraph.QuerySolutions)
            body = found.serialize(format=pyoxigraph.QueryResultsFormat.JSON)
        exchange.answer(body, Content_Type="application/sparql-results+json")

    hostile.asked = asked
    hostile.endpoint = hostile.on("sparql", answer)
    return hostile


def test_assets_in_an_endpoint_are_searched_alike(
    endpoint: Any, folder: Path, harbour: Any
) -> None:
    catalogue = Catalogue([folder / "shapes"], [endpoint.endpoint], folder / "home")
    bench = type(harbour)(catalogue)

    async def whole() -> tuple[Any, Any, Any]:
        from groundwire.ontology.search import Request, search
        from groundwire.ontology.slots import Slots

        try:
            found, _ = await search(
                catalogue,
                Request(Slots.model_validate({"domains": "ship", "filters": {"flag": "de"}})),
            )
            refused, _ = await search(
                catalogue, Request(Slots.model_validate({"filters": {"flag": "XX"}}))
            )
            empty, _ = await search(
                catalogue,
                Request(Slots.model_validate({"filters": {"flag": {"contains": "zz"}}})),
            )
            assert (empty.status, empty.confidence) == ("empty", "high")
            return found, refused, await discover_domains(catalogue)
        finally:
            await catalogue.close()

    found, rejected, domains = anyio.run(whole)
    assert [item.iri for item in found.results] == ["https://example.org/h/a"]
    assert (found.total, found.total_is_exact) == (1, True)
    assert rejected.status == "rejected"
    assert domains.domains[0].asset_count == 1
    assert all("SERVICE" not in query for query in endpoint.asked)
    assert bench is not None


def test_an_endpoint_that_is_down_is_a_clear_error(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}/sparql"

    async def ask() -> GroundwireError:
        catalogue = Catalogue([folder / "shapes"], [url], folder / "home")
        try:
            await catalogue.state()
        except GroundwireError as error:
            return error
        finally:
            await catalogue.close()
        raise AssertionError("it answered")

    error = anyio.run(ask)
    assert isinstance(error, UnavailableError)
    assert f"127.0.0.1:{port}" in str(error)


def test_an_endpoint_beside_files_is_refused(folder: Path) -> None:
    error = refused(
        [folder / "shapes"], ["https://example.org/sparql", folder / "assets"], folder / "home"
    )
    assert "name one endpoint, or files alone" in str(error)
