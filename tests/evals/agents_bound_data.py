"""Data whose labels and texts are injected strings: a catalogue, a graph, and a document.

Each string stands below an invented word of its own, by which it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire.shapes import catalogue_file, shape_files

_SYLLABLES = ("bor", "del", "fim", "gur", "hal", "jek", "kam", "lus", "mip", "nor", "pav", "rud",
              "sel", "tob", "vin", "wex")  # fmt: skip
_ASSET = """
<urn:example:asset:{word}> a hdmap:HdMap ; rdfs:label {label} ;
  core:hasResourceDescription [
    core:name {label} ; core:description {label} ; core:license "MIT"
  ] ;
  core:hasGeoreference [ core:country "AT" ; core:city "{word}" ] .
"""
_ENTITY = """
<https://held.example/{word}> a schema:DefinedTerm ; rdfs:label "{word}"@en ;
  schema:name "{word}"@en ; schema:description {label}@en .
"""
_PREFIXES = """@prefix core: <https://example.org/groundwire/core/v1/> .
@prefix hdmap: <https://example.org/groundwire/hdmap/v1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
"""
_PROFILE = """
profile.name = "bakery"
profile.example_metric = "SALES"
profile.example_entity = "A"
kinds.shop.label = "shop"
entities = [{ code = "A", kind = "shop", name = "Alpha" }]

[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
unit = "EUR"

[[documents]]
file = "report.md"
sensitivity = "PUBLIC"
"""
_ENDPOINTS = """
default_endpoint = "default"

[[endpoints]]
name = "default"
files = ["graph.ttl"]
"""
QUESTIONS = {
    "ontology_search_agent": "maps of {}",
    "kg_agent": "What is {}?",
    "metrics_agent": "What does the report say about {}?",
}


def word(number: int) -> str:
    """An invented word, another one for each number below 4,096."""
    parts = [_SYLLABLES[number // 16**place % 16] for place in range(3)]
    return "".join(parts).capitalize()


def question(agent: str, number: int) -> str:
    """What asks an agent for one of the strings."""
    return QUESTIONS[agent].format(word(number))


def held_data(folder: Path, texts: Sequence[str]) -> dict[str, Any]:
    """Write the data.

    Args:
        folder: where to.
        texts: the strings, by number.

    Returns:
        The settings of servers over these data.
    """
    folder.mkdir(parents=True)
    labelled = [(word(number), _literal(text)) for number, text in enumerate(texts)]
    assets = "".join(_ASSET.format(word=one, label=label) for one, label in labelled)
    graph = "".join(_ENTITY.format(word=one, label=label) for one, label in labelled)
    report = "".join(
        f"## {word(number)}\n\n{word(number)}: {' '.join(text.split())}\n\n"
        for number, text in enumerate(texts)
    )
    written = {
        "assets.ttl": _PREFIXES + assets,
        "graph.ttl": _PREFIXES + graph,
        "report.md": report,
        "profile.toml": _PROFILE,
        "endpoints.toml": _ENDPOINTS,
    }
    for name, text in written.items():
        (folder / name).write_text(text, "utf-8")
    return {
        "shapes": tuple(map(str, shape_files())),
        "assets": (str(catalogue_file()), str(folder / "assets.ttl")),
        "profile": folder / "profile.toml",
        "endpoints": folder / "endpoints.toml",
    }


def _literal(text: str) -> str:
    """A Turtle string, control characters escaped."""
    return json.dumps(text, ensure_ascii=True)
