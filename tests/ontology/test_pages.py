"""Every page is small, says what it leaves out, and the pages together leave nothing out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from groundwire.config import Settings
from groundwire.graph.engine import LocalGraph
from groundwire.graph.terms import Rows
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import (
    discover_domains,
    discover_properties,
    discover_values,
)
from groundwire.servers.ontology import build
from tests.evals.ontology_languages import write_catalogue
from tests.evals.ontology_sizes import longest_pages
from tests.ontology.conftest import Bench


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A catalogue with labels and descriptions in ten languages, more than a page holds."""
    folder = tmp_path_factory.mktemp("languages")
    shapes, assets = write_catalogue(folder)
    catalogue = Catalogue([shapes], [assets], folder / "home")
    yield Bench(catalogue)
    catalogue.close_now()


def every_page(bench: Any, verb: Any, *sent: str) -> list[Any]:
    pages = [bench.call(verb, *sent)]
    while pages[-1].next_offset is not None:
        pages.append(bench.call(verb, *sent, offset=pages[-1].next_offset))
    return pages


@pytest.mark.parametrize("own", [True, False])
def test_no_page_has_more_than_4000_characters(own: bool, languages: Bench, tmp_path: Path) -> None:
    """What is sent counts: the handle of the next page and every note are part of it."""
    files = languages.catalogue
    settings = Settings(home=tmp_path)
    if not own:
        settings = Settings(home=tmp_path, shapes=files.shapes, assets=files.assets)

    async def longest() -> dict[str, int]:
        server = build(settings)
        try:
            async with Client(server) as client:
                return await longest_pages(client)
        finally:
            server.close()

    found = anyio.run(longest)
    assert min(found.values()) > 0
    assert max(found.values()) <= 4_000, found


def test_kinds_with_assets_come_first_and_the_others_are_counted(languages: Bench) -> None:
    first, *others = every_page(languages, discover_domains, "")
    assert [item.domain for item in first.domains] == ["Kind0", "Kind1", "Kind2", "Kind3"]
    assert first.without_assets == 56
    assert "56 kinds without assets: send cursor = next_cursor, or search" in first.left_out
    listed = [item.domain for page in others for item in page.domains]
    assert len(listed) == len(set(listed)) == 56
    assert languages.call(discover_domains, "Kind41").domains[0].domain == "Kind41"


def test_pages_of_properties_and_values_leave_nothing_out(languages: Bench) -> None:
    pages = every_page(languages, discover_properties, "Kind0", "")
    listed = [item.iri for page in pages for item in page.properties]
    declared = languages.state().index.domains["Kind0"].properties.values()
    assert sorted(listed) == sorted(prop.iri for prop in declared if prop.kind != "node")
    values = every_page(languages, discover_values, "property0", "Kind0", "")
    assert len({item.value for page in values for item in page.values}) == 90


def test_a_page_names_what_is_on_later_pages(languages: Bench) -> None:
    first = languages.call(discover_properties, "Kind0")
    shown = {item.local_name for item in first.properties}
    every = {one.local_name for one in languages.state().index.domains["Kind0"].properties.values()}
    assert first.left_out.startswith(f"{len(every - shown) - 12} more properties (")
    later = [name for name in every - shown if f"{name}," in first.left_out]
    assert len(later) > 20


def test_texts_are_whole_where_there_is_room(languages: Bench) -> None:
    brief = languages.call(discover_properties, "Kind0").properties[0]
    (whole,) = languages.call(discover_properties, "Kind0", brief.local_name).properties
    assert brief.description.endswith("…") and len(brief.description) <= 80
    assert not whole.description.endswith("…") and len(whole.description) > 400


def test_a_value_that_no_filter_takes_is_cut_and_marked(languages: Bench) -> None:
    page = languages.call(discover_values, "property3", "Kind0")
    item = page.values[0]
    assert item.is_cut and item.value.endswith("…")
    assert "the ends of texts" in page.left_out
    slots = {"domains": ["Kind0"], "filters": {"property3": {"contains": item.value[:-1]}}}
    assert languages.search(slots).status == "results"


def test_values_that_are_not_listed_are_not_told_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of a predicate of more statements than are read, values too long to be kept are not listed.
    monkeypatch.setattr("groundwire.ontology.observed._MOST_READ", 0)
    shapes, assets = write_catalogue(tmp_path)
    catalogue = Catalogue([shapes], [assets], tmp_path / "home")
    page = Bench(catalogue).call(discover_values, "property1", "Kind0")
    catalogue.close_now()
    assert (page.values, page.is_complete) == ([], False)
    assert page.answer.startswith("property1: Not every stored value is listed")


def test_an_asset_is_shown_alike_in_whatever_order_its_rows_come(
    harbour: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "containers", "flag": "DE"}}
    shown = harbour.submit(slots, sort="crew")
    select = LocalGraph.select

    async def backwards(graph: LocalGraph, query: Any, **limits: Any) -> Rows:
        rows = await select(graph, query, **limits)
        return rows._replace(rows=rows.rows[::-1]) if "?key" in str(query) else rows

    monkeypatch.setattr(LocalGraph, "select", backwards)
    again = harbour.submit(slots, sort="crew")
    assert again[0].model_dump_json() == shown[0].model_dump_json()
    assert list(again[0].results[0].values) == ["cargoTypes", "flag", "crew"]
    assert again[1].values == shown[1].values
