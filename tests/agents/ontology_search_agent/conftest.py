"""The agent above the real ontology server with its embedded catalogue."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent_host import Host, hosted

from groundwire.agents.ontology_search_agent.reading import Reading, read_question
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.ontology.terms import CatalogueTerms
from groundwire.servers import ontology

Read = Callable[..., Reading]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosted(tmp_path_factory.mktemp("home"), ontology.build) as made:
        yield made


@pytest.fixture(scope="module")
def terms(host: Host) -> CatalogueTerms:
    document = host.runner.run(host.registry.read("vocabulary://none"))
    return CatalogueTerms.model_validate_json(document)


@pytest.fixture(scope="module")
def read(terms: CatalogueTerms) -> Read:
    vocabulary = QuestionVocabulary(terms)

    def reading(question: str, known: dict[str, Any] | None = None) -> Reading:
        return read_question(question, vocabulary, known)

    return reading
