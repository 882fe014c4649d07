"""One asset with everything that is stored of it."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.errors import NotFoundError
from groundwire.ontology.asset import get_asset

AURORA = "https://example.org/harbour/aurora"


def test_every_value_with_the_path_to_it(harbour: Any) -> None:
    asset, draft = harbour.call(get_asset, AURORA)
    assert (asset.label, asset.domain) == ("Aurora", "Ship")
    values = {(item.property, item.value) for item in asset.values}
    assert ("hasEngine/power", "9000") in values
    assert {("cargoTypes", "containers"), ("cargoTypes", "reefer")} <= values
    assert ("hasEngine/power", "9000", "kW") in {
        (value.name if "/" in value.name else f"hasEngine/{value.name}", value.value, value.unit)
        for value in draft.values
    }
    assert all(value.entity_iri == AURORA for value in draft.values)


def test_datatypes_and_languages_are_shown(harbour: Any) -> None:
    asset, _ = harbour.call(get_asset, AURORA)
    shown = {item.property: (item.datatype, item.language) for item in asset.values}
    assert shown["name"][1] == "en"
    assert shown["inService"][0] == "xsd:boolean"


def test_an_iri_in_brackets_and_a_curie_are_read(harbour: Any, sample: Any) -> None:
    assert harbour.call(get_asset, f" <{AURORA}> ")[0].iri == AURORA
    iri = sample.search({"domains": ["hdmap"]}, limit=1).results[0].iri
    assert sample.call(get_asset, iri)[0].iri == iri


def test_an_iri_that_no_statement_is_about_is_not_found(harbour: Any) -> None:
    for iri in (
        f"{AURORA}x",
        "nothing",
        "x> ?p ?o . ?s ?p2 ?o2 } #",
        '"> } SERVICE <http://127.0.0.1:1/> { ?a ?b ?c',
        ":",
        "a b\nc",
    ):
        with pytest.raises(NotFoundError, match="take one from the results") as caught:
            harbour.call(get_asset, iri)
        assert "\n" not in str(caught.value)
