"""What shapes leave out of the stored data, and drafted shapes beside given ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.connections import coverage, offer
from groundwire.ontology.discover import discover_properties
from groundwire.ontology.index.model import Property
from groundwire.ontology.infer import infer
from groundwire.ontology.search import Request, search
from groundwire.ontology.slots import Slots
from tests.ontology.web_catalogues import dcat_turtle, schema_turtle

PREFIXES = """@prefix : <https://example.org/shapes/> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <https://schema.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
# As official profiles are: classes of what is referred to, and few leaves.
GIVEN = f"""{PREFIXES}
:Dataset a sh:NodeShape ; sh:targetClass dcat:Dataset ;
  sh:property [ sh:path dct:title ; sh:name "name of the dataset"@en ; sh:nodeKind sh:Literal ] ,
    [ sh:path dct:issued ; sh:name "release date"@en ] ,
    [ sh:path dcat:keyword ; sh:name "keyword"@en , "Schlagwort"@de ; sh:nodeKind sh:Literal ] ,
    [ sh:path dcat:distribution ; sh:class dcat:Distribution ] .
:Distribution a sh:NodeShape ; sh:targetClass dcat:Distribution ;
  sh:property [ sh:path dcat:byteSize ; sh:datatype xsd:integer ] .
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.ttl").write_text(dcat_turtle(), "utf-8")
    (tmp_path / "given.ttl").write_text(GIVEN, "utf-8")
    (tmp_path / "drafted.ttl").write_text(infer([tmp_path / "data.ttl"]), "utf-8")
    return tmp_path


def opened(folder: Path, *shapes: str) -> Catalogue:
    sources = [folder / name for name in shapes]
    return Catalogue(sources, [folder / "data.ttl"], folder / "home")


async def state_of(folder: Path, *shapes: str) -> State:
    catalogue = opened(folder, *shapes)
    try:
        return await catalogue.state()
    finally:
        await catalogue.close()


def properties(state: State, domain: str) -> dict[str, Property]:
    found = state.index.domains[domain].properties.values()
    return {prop.local_name: prop for prop in found if prop.sources}


def test_coverage_counts_the_statements_of_declared_properties(folder: Path) -> None:
    state = asyncio.run(state_of(folder, "given.ttl"))
    assert state.statistics is not None
    found = coverage(state.assets, state.statistics)
    # Titles of 60 datasets, 60 files and the catalogue; 60 dates; 120 keywords; 60 links; 60 sizes;
    # and 4 labels of themes.
    assert found.declared == 121 + 60 + 120 + 60 + 60 + 4
    assert found.is_low
    assert "http://xmlns.com/foaf/0.1/name" in found.left_out
    both = asyncio.run(state_of(folder, "given.ttl", "drafted.ttl"))
    whole = coverage(both.assets, state.statistics)
    assert (whole.declared, whole.statements) == (found.statements, found.statements)
    assert offer(whole, [], []) == ()


def test_the_offer_names_files_that_a_shell_reads_as_they_are(folder: Path) -> None:
    state = asyncio.run(state_of(folder, "given.ttl"))
    assert state.statistics is not None
    found = coverage(state.assets, state.statistics)
    drafting, serving = offer(found, [str(folder / "my shapes.ttl")], [str(folder / "data.ttl")])
    assert drafting.startswith(f"groundwire ontology infer {folder / 'data.ttl'} -o ")
    assert f"'{folder / 'my shapes.ttl'}:" in serving


def test_given_labels_and_constraints_win_and_nothing_is_lost(folder: Path) -> None:
    given = properties(asyncio.run(state_of(folder, "given.ttl")), "Dataset")
    drafted = properties(asyncio.run(state_of(folder, "drafted.ttl")), "Dataset")
    both = properties(asyncio.run(state_of(folder, "given.ttl", "drafted.ttl")), "Dataset")
    assert set(both) == set(given) | set(drafted)
    for name, prop in given.items():
        # A draft names what the given shapes do not.
        assert both[name].labels == (prop.labels or drafted[name].labels), name
        assert both[name].paths[0] == prop.paths[0], name
        assert (both[name].closed, both[name].enum) == (prop.closed, prop.enum), name
    assert drafted["keyword"].closed, "a draft lists what is stored"
    assert [iri.rpartition("#")[2] for iri in both["issued"].datatypes] == ["date"]
    assert [name for name, prop in both.items() if prop.drafted] == [
        name for name in both if name not in given
    ]


def test_the_order_of_the_files_does_not_matter(folder: Path) -> None:
    one = properties(asyncio.run(state_of(folder, "given.ttl", "drafted.ttl")), "Dataset")
    other = properties(asyncio.run(state_of(folder, "drafted.ttl", "given.ttl")), "Dataset")
    for name, prop in one.items():
        assert other[name].labels == prop.labels
        assert other[name].datatypes == prop.datatypes
        assert other[name].closed == prop.closed


async def total(catalogue: Catalogue, **slots: object) -> tuple[str, int | None]:
    found, _ = await search(catalogue, Request(Slots.model_validate(slots)))
    return found.status, found.total


def test_discover_tells_drafted_properties(folder: Path) -> None:
    async def listed() -> dict[str, bool | None]:
        catalogue = opened(folder, "given.ttl", "drafted.ttl")
        try:
            found = await discover_properties(catalogue, "Dataset")
            return {item.local_name: item.drafted for item in found.properties}
        finally:
            await catalogue.close()

    drafted = asyncio.run(listed())
    assert drafted["startDate"] is True
    assert drafted["title"] is None


def test_given_and_drafted_shapes_find_what_given_ones_alone_do_not(folder: Path) -> None:
    async def asked(*shapes: str) -> list[tuple[str, int | None]]:
        catalogue = opened(folder, *shapes)
        try:
            csv = {"domain": "Distribution", "filters": {"format": "CSV"}}
            return [
                await total(catalogue, domains=["Dataset"], references=[csv]),
                await total(
                    catalogue, domains=["Dataset"], ranges={"startDate": {"gte": "2015-01-01"}}
                ),
                await total(catalogue, domains=["Dataset"], filters={"fn": "Desk 1"}),
            ]
        finally:
            await catalogue.close()

    right = [("results", 20), ("results", 30), ("results", 20)]
    assert asyncio.run(asked("given.ttl", "drafted.ttl")) == right


def test_a_schema_org_catalogue_is_drafted_served_and_searched(tmp_path: Path) -> None:
    (tmp_path / "data.ttl").write_text(schema_turtle(), "utf-8")
    (tmp_path / "drafted.ttl").write_text(infer([tmp_path / "data.ttl"]), "utf-8")

    async def asked() -> list[tuple[str, int | None]]:
        catalogue = opened(tmp_path, "drafted.ttl")
        try:
            state = await catalogue.state()
            assert {each.name: state.count(each) for each in state.assets} == {
                "Book": 45,
                "Person": 5,
            }
            return [
                await total(catalogue, domains=["Book"], filters={"genre": "crime"}),
                await total(catalogue, domains=["Book"], ranges={"price": {"lt": 10}}),
                await total(catalogue, domains=["Book"], filters={"availability": "OutOfStock"}),
                await total(
                    catalogue,
                    domains=["Book"],
                    references=[{"domain": "Person", "filters": {"name": "Ada Bonn"}}],
                ),
                await total(catalogue, domains=["Book"], filters={"name": {"contains": "poetry"}}),
            ]
        finally:
            await catalogue.close()

    assert asyncio.run(asked()) == [("results", n) for n in (15, 10, 12, 9, 15)]
