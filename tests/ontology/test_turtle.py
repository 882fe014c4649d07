"""The shapes of one domain as a document of their own."""

from __future__ import annotations

from typing import Any

import pytest
import rdflib

from groundwire.errors import InputError
from groundwire.ontology.index.load import load_index
from groundwire.ontology.schema_texts import shapes_of

SH = rdflib.Namespace("http://www.w3.org/ns/shacl#")


def test_the_document_holds_the_shapes_of_the_domain_and_no_others(harbour: Any) -> None:
    document = rdflib.Graph().parse(data=harbour.call(shapes_of, "ships"), format="turtle")
    targets = {str(target) for target in document.objects(None, SH.targetClass)}
    assert targets == {"https://example.org/harbour/Ship"}
    paths = {str(path).rsplit("/", 1)[-1] for path in document.objects(None, SH.path)}
    assert {"cargoTypes", "length", "power"} <= paths
    assert not {"berths", "weather"} & paths


def test_the_document_describes_the_domain_alone(sample: Any, tmp_path: Any) -> None:
    """Read as the only shapes there are, it has the same properties as the whole set."""
    (tmp_path / "hdmap.ttl").write_text(sample.call(shapes_of, "hdmap"), "utf-8")
    alone = load_index([tmp_path / "hdmap.ttl"], tmp_path / "cache").domains["hdmap"]
    whole = sample.state().index.domains["hdmap"]
    declared = {key for key, prop in whole.properties.items() if prop.declared}
    assert set(alone.properties) == declared
    assert [
        v.term for v in alone.properties[next(k for k in alone.properties if "roadTypes" in k)].enum
    ]


def test_a_domain_that_was_misspelt_is_told_before_its_shapes(sample: Any) -> None:
    told, _, document = sample.call(shapes_of, "scenaro").partition("\n")
    assert told == "# 'scenaro' was read as scenario."
    assert document == sample.call(shapes_of, "scenario")


def test_an_unknown_domain_names_the_nearest(harbour: Any) -> None:
    with pytest.raises(InputError, match="There is no domain"):
        harbour.call(shapes_of, "zeppelin")
    with pytest.raises(InputError, match="There is no domain"):
        harbour.call(shapes_of, "x> } DROP ALL #")
