"""Words that are a value's name but for a typo: sent as they are, corrected by the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from agent_host import Host

from groundwire.agents.ontology_search_agent.reading import Reading
from groundwire.agents.ontology_search_agent.vocabulary import Misspellings
from groundwire.ontology.terms import CatalogueTerms

Read = Callable[..., Reading]
NAME = "ontology_search_agent"


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("HD maps of motorwy", {"roadTypes": "motorwy"}),
        ("HD maps of motorways in Germny", {"roadTypes": "motorway", "country": "Germny"}),
        ("maps without motorwys", {"roadTypes": {"none_of": ["motorwys"]}}),
        ("Karten mit Autobanh", {"roadTypes": "Autobanh"}),
    ],
)
def test_a_typo_is_sent_as_it_is_written(
    question: str, filters: dict[str, Any], read: Read
) -> None:
    reading = read(question)
    assert reading.slots["filters"] == filters
    assert not reading.gaps


@pytest.mark.parametrize("word", ["Atlantis", "divided", "Norwey", "fogg", "car", "xyz"])
def test_a_word_that_exists_or_is_near_to_nothing_is_no_typo(
    word: str, terms: CatalogueTerms
) -> None:
    assert Misspellings(terms).meant(word) is None


def test_what_was_corrected_is_told(host: Host) -> None:
    output = host.ask(NAME, "HD maps of motorwy in Germany")
    assert output.result is not None
    assert "Read as: motorwy as motorway." in output.result["answer"]
    assert "Not used" not in output.result["answer"]
