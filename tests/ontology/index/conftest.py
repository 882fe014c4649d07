"""Small shape files, and the real ones where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from shared_data import need, shared_folder

from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import ShapeIndex

PREFIXES = """
@prefix ex: <https://example.org/ns#> .
@prefix other: <https://example.org/other/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <https://schema.org/> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
"""
EX = "https://example.org/ns#"


@pytest.fixture
def index_of(tmp_path: Path) -> Callable[..., ShapeIndex]:
    """The index of Turtle texts, each in a file of its own, the prefixes given."""

    def build(*texts: str) -> ShapeIndex:
        for number, text in enumerate(texts):
            (tmp_path / f"shapes{number}.ttl").write_text(PREFIXES + text, "utf-8")
        return load_index([tmp_path])

    return build


@pytest.fixture(scope="session")
def envited() -> ShapeIndex:
    folder = need(shared_folder("data", "ontology", "envited"))
    return load_index([folder])
