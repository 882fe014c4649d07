"""Public shapes and their sample assets: what people ask of them, against a plain reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import discover_domains

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
Facts = dict[str, set[str]]


@pytest.fixture(scope="module")
def files(shared: Path) -> list[Path]:
    found = sorted((shared / "data" / "ontology" / "catalogue").glob("*.jsonld"))
    if not found:
        pytest.fail("the folder of real data has no assets in data/ontology/catalogue")
    return found


@pytest.fixture(scope="module")
def envited(
    files: list[Path], shared: Path, harbour: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    shapes = shared / "data" / "ontology" / "envited"
    catalogue = Catalogue([shapes], files, tmp_path_factory.mktemp("envited"))
    yield type(harbour)(catalogue)
    catalogue.close_now()


@pytest.fixture(scope="module")
def assets(files: list[Path]) -> dict[str, Facts]:
    """Every asset as it stands in the files: texts by local name, unnamed parts included."""
    store = pyoxigraph.Store()
    for file in files:
        store.load(path=str(file), format=pyoxigraph.RdfFormat.JSON_LD)

    def walk(node: Any, into: Facts) -> Facts:
        for quad in store.quads_for_pattern(node, None, None):
            if isinstance(quad.object, pyoxigraph.BlankNode):
                walk(quad.object, into)
            else:
                name = quad.predicate.value.replace("#", "/").rsplit("/", 1)[-1]
                into.setdefault(name, set()).add(quad.object.value)
        return into

    named = {
        quad.subject
        for quad in store.quads_for_pattern(None, pyoxigraph.NamedNode(TYPE), None)
        if isinstance(quad.subject, pyoxigraph.NamedNode)
    }
    return {node.value: walk(node, {}) for node in named}


def kind(facts: Facts, name: str) -> bool:
    return any(value.endswith(f"/{name}") for value in facts["type"])


def on_motorways(facts: Facts, assets: dict[str, Facts]) -> bool:
    """Whether a scenario names a map with motorways."""
    linked = {value for values in facts.values() for value in values} & set(assets)
    return any(
        kind(assets[iri], "HdMap") and "motorway" in assets[iri].get("roadTypes", ())
        for iri in linked
    )


def test_the_kinds_of_asset_are_found(envited: Any) -> None:
    held = {item.domain for item in envited.call(discover_domains).domains if item.asset_count}
    assert {"hdmap", "scenario", "ositrace", "environment-model", "surface-model"} <= held


@pytest.mark.parametrize(
    ("slots", "holds"),
    [
        (
            {"domains": ["hdmap"], "filters": {"country": "Germany"}},
            lambda facts, _: kind(facts, "HdMap") and "DE" in facts.get("country", ()),
        ),
        (
            {"domains": ["ositrace"], "filters": {"fileFormat": "mcap"}},
            lambda facts, _: kind(facts, "OSITrace") and "MCAP" in facts.get("fileFormat", ()),
        ),
        (
            {"filters": {"license": "CC-BY-4.0"}},
            lambda facts, _: "CC-BY-4.0" in facts.get("license", ()),
        ),
        (
            {"domains": ["scenario"], "filters": {"weatherSummary": "fog"}},
            lambda facts, _: kind(facts, "Scenario") and "foggy" in facts.get("weatherSummary", ()),
        ),
        (
            {
                "domains": ["scenario"],
                "references": {"domain": "hdmap", "filters": {"roadTypes": "motorway"}},
            },
            lambda facts, every: kind(facts, "Scenario") and on_motorways(facts, every),
        ),
        (
            {"domains": ["scenario"], "filters": {"roadTypes": "motorways"}},
            lambda facts, every: kind(facts, "Scenario") and on_motorways(facts, every),
        ),
        (
            {"domains": ["HD maps"], "filters": {"roadTypes": "motorwy"}},
            lambda facts, _: kind(facts, "HdMap") and "motorway" in facts.get("roadTypes", ()),
        ),
        (
            {"domains": ["hdmap"], "ranges": {"length": {"gt": "12000 m"}}},
            lambda facts, _: (
                kind(facts, "HdMap") and any(float(km) > 12 for km in facts.get("length", ()))
            ),
        ),
        (
            {"domains": ["hdmap"], "filters": {"roadTypes": {"none_of": ["motorway", "rural"]}}},
            lambda facts, _: (
                kind(facts, "HdMap") and not {"motorway", "rural"} & facts.get("roadTypes", set())
            ),
        ),
    ],
    ids=lambda part: str(part) if isinstance(part, dict) else "",
)
def test_exactly_the_assets_that_hold_it_are_found(
    envited: Any,
    assets: dict[str, Facts],
    slots: dict[str, Any],
    holds: Callable[[Facts, dict[str, Facts]], bool],
) -> None:
    expected = {iri for iri, facts in assets.items() if holds(facts, assets)}
    assert expected
    found: set[str] = set()
    offset: int | None = 0
    while offset is not None:
        result = envited.search(slots, limit=100, offset=offset)
        assert result.status == "results", result.answer
        if not offset:
            assert (result.total, result.total_is_exact) == (len(expected), True)
        found |= {item.iri for item in result.results}
        offset = result.next_offset
    assert found == expected


def test_the_stored_form_of_fog_is_reported(envited: Any) -> None:
    result = envited.search({"domains": ["scenario"], "filters": {"weatherSummary": "fog"}})
    assert [(c.raw, c.resolved, c.how) for c in result.corrections] == [
        ("fog", "foggy", "stored_variant")
    ]


def test_a_value_under_the_wrong_property_is_led_to_its_own(envited: Any) -> None:
    gap = envited.gap({"domains": ["ositrace"], "filters": {"formatType": "MCAP"}})
    assert gap.suggestions[0] == 'filters.fileFormat="MCAP"'


def test_a_property_that_is_named_otherwise_is_offered(envited: Any) -> None:
    gap = envited.gap({"domains": ["scenario"], "filters": {"weather": "fog"}})
    assert "weatherSummary" in gap.suggestions
