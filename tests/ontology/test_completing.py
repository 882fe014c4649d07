"""Completions of domain, property and value."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.ontology.schema_texts import complete


@pytest.mark.parametrize(
    ("name", "typed", "known", "offered"),
    [
        ("domain", "", {}, ["Ship", "Voyage", "Port"]),
        ("domain", "sh", {}, ["Ship"]),
        ("domain", "zz", {}, []),
        ("property", "cargo", {}, ["cargoTypes"]),
        ("property", "b", {"domain": "port"}, ["berths"]),
        ("property", "be", {"domain": "ship"}, []),
        ("property", "x", {"domain": "zeppelin"}, []),
        ("value", "Co", {"property": "cargoTypes"}, ["containers"]),
        ("value", "co", {"property": "quays", "domain": "Port"}, ["concrete"]),
        ("value", "", {"property": "bogus"}, []),
        ("value", "", {}, []),
        ("colour", "r", {}, None),
    ],
)
def test_completions(
    harbour: Any, name: str, typed: str, known: dict[str, str], offered: list[str] | None
) -> None:
    found = harbour.call(complete, name, typed, known)
    assert (found[: len(offered)] if offered else found) == offered


def test_two_properties_of_one_name_are_offered_apart(harbour: Any) -> None:
    found = harbour.call(complete, "property", "", {"domain": "ship"})
    assert "version" not in found
    assert "engine:version" in found
