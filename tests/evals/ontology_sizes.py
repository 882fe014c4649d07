"""How many characters the answers of the ontology server take: twenty typical ones, and every page.

A model pays for each answer that it reads. Twenty calls that a search takes are measured as a host
receives them, and every page of every discover tool of every catalogue that is there, a catalogue
with labels and descriptions in ten languages among them.

Run: python tests/evals/ontology_sizes.py [--update]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from mcp import Client

from groundwire.config import Settings
from groundwire.servers.ontology import build
from tests.evals._report import Ratchet, arguments, table
from tests.evals.ontology_languages import write_catalogue
from tests.shared_data import shared_folder

SHARED = shared_folder("data", "ontology")
MOST_PAGES = 200

Call = tuple[str, str, dict[str, Any]]


class Catalogue(NamedTuple):
    """A catalogue that is measured; the embedded one where no files are named."""

    name: str
    shapes: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()
    weather: str = "weather"


def _search(about: str, slots: dict[str, Any], **more: Any) -> Call:
    return about, "submit_slots", {"slots": slots, **more}


def typical(weather: str) -> list[Call]:
    """Return twenty calls; `weather` is the name that the catalogue has for it."""
    maps, scenarios = {"domains": ["hdmap"]}, {"domains": ["scenario"]}
    german = {"domain": "hdmap", "filters": {"country": "DE"}}
    return [
        _search("all of a kind", maps),
        _search("one filter", {**maps, "filters": {"country": "DE"}}),
        _search("two filters", {**maps, "filters": {"country": "DE", "roadTypes": "motorway"}}),
        _search("a typo and a name", {**maps, "filters": {"country": "Germany"}}, limit=5),
        _search("a range", {**maps, "ranges": {"length": {"gt": 2}}}),
        _search("sorted", maps, sort="-length", limit=3),
        _search("counted", maps, count_by="license"),
        _search("counted by a long list", scenarios, count_by=weather),
        _search("a reference", {**scenarios, "references": german}),
        _search("a reference, filtered", {**scenarios, "references": german}, limit=5),
        _search("all of", {**maps, "filters": {"roadTypes": {"all_of": ["motorway", "rural"]}}}),
        _search("present", {**maps, "filters": {"city": {"exists": True}}}, limit=10),
        _search(
            "nothing found",
            {**maps, "filters": {"license": "MIT"}, "ranges": {"length": {"gt": 9000}}},
        ),
        _search("no such value", {**maps, "filters": {"roadTypes": "suburban"}}),
        _search("no such property", {**maps, "filters": {"colour": "red"}}),
        _search("an ambiguous key", {"filters": {"version": "1"}}),
        _search("tried only", {**maps, "filters": {"country": "DE"}}, dry_run=True),
        ("kinds", "discover_domains", {}),
        ("properties", "discover_properties", {"domain": "hdmap"}),
        ("values", "discover_values", {"property": "roadTypes", "domain": "hdmap"}),
    ]


async def size(client: Client, tool: str, sent: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return how many characters the text of an answer has, and the answer."""
    result = await client.call_tool(tool, sent)
    assert not result.is_error, (tool, sent, result.content)
    return len(result.content[0].text), result.structured_content or {}


async def pages(
    client: Client, tool: str, sent: dict[str, Any]
) -> AsyncIterator[tuple[int, dict[str, Any]]]:
    """Yield every page of a listing with its size."""
    cursor: dict[str, Any] = {}
    for _ in range(MOST_PAGES):
        length, answer = await size(client, tool, {**sent, **cursor})
        yield length, answer
        if "next_cursor" not in answer:
            return
        cursor = {"cursor": answer["next_cursor"]}


async def longest_pages(client: Client) -> dict[str, int]:
    """Return the size of the longest page of each discover tool."""
    longest = dict.fromkeys(
        ("discover_domains", "discover_connections", "discover_properties", "discover_values"), 0
    )

    async def read(tool: str, sent: dict[str, Any], items: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        async for length, answer in pages(client, tool, sent):
            longest[tool] = max(longest[tool], length)
            found += answer[items]
        return found

    await read("discover_connections", {}, "connections")
    for domain in await read("discover_domains", {}, "domains"):
        sent = {"domain": domain["domain"]}
        await read("discover_connections", sent, "connections")
        listed = await read("discover_properties", sent, "properties")
        for prop in listed if domain.get("asset_count") else ():
            # An inverse property has its sign before its name.
            key = prop["iri"] if prop["local_name"][:1] != "^" else ""
            if key and (prop["has_enum"] or prop.get("observed_count")):
                await read("discover_values", {"property": key, **sent}, "values")
    return longest


async def _measure(catalogue: Catalogue, home: Path) -> tuple[list[list[object]], dict[str, int]]:
    server = build(Settings(home=home, shapes=catalogue.shapes, assets=catalogue.assets))
    try:
        async with Client(server) as client:
            rows: list[list[object]] = []
            for about, tool, sent in typical(catalogue.weather) if catalogue.weather else ():
                rows.append([about, tool, (await size(client, tool, sent))[0]])
            return rows, await longest_pages(client)
    finally:
        server.close()


def _catalogues(home: Path) -> Sequence[Catalogue]:
    shapes, assets = write_catalogue(home)
    found = [
        Catalogue("embedded"),
        Catalogue("ten languages", (str(shapes),), (str(assets),), weather=""),
    ]
    if SHARED.exists():
        real = (str(SHARED / "envited"),), (str(SHARED / "catalogue"),)
        found.append(Catalogue("envited", *real, weather="weatherSummary"))
    else:
        print("envited: skipped, since its shapes or assets are not there")
    return found


async def _run() -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for catalogue in _catalogues(Path(folder)):
            rows, longest = await _measure(catalogue, Path(folder, catalogue.name))
            if rows:
                print(f"{catalogue.name}:", table(("answer", "tool", "characters"), rows), sep="\n")
                sizes = [int(str(row[2])) for row in rows]
                figures[f"twenty answers ({catalogue.name})"] = {
                    "mean_characters": round(mean(sizes)),
                    "longest_characters": max(sizes),
                }
            print(f"{catalogue.name}: longest pages: {longest}", end="\n\n")
            figures[f"pages ({catalogue.name})"] = {
                f"{tool}_longest": length for tool, length in longest.items()
            }
    return figures


if __name__ == "__main__":
    options = arguments(__doc__)
    measured = asyncio.run(_run())
    if not SHARED.exists():
        options.fraction = min(options.fraction, 0.99)
    names = {name for figures in measured.values() for name in figures}
    sys.exit(Ratchet(__file__, lower=names).settle(measured, options))
