from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from shared_data import need, shared_folder

from groundwire.graph.engine import LocalGraph
from groundwire.graph.stores import build_store

PEOPLE = """
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ada a :Person ; :name "Ada" , "Ada"@fr ; :age 36 ; :knows :bob , [ :name "nobody" ] .
:bob a :Person ; :name "Bob" ; :born "1950-02-03"^^xsd:date .
"""


@pytest.fixture(scope="session")
def shared() -> Path:
    return need(shared_folder())


@pytest.fixture(scope="session")
def people_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people")
    (folder / "people.ttl").write_text(PEOPLE, "utf-8")
    numbers = "".join(
        f"<http://example.org/n{n}> <http://example.org/n> {n} .\n" for n in range(3000)
    )
    (folder / "numbers.ttl").write_text(numbers, "utf-8")
    return build_store([folder], folder / "stores").path


@pytest.fixture
def people(people_store: Path) -> Iterator[LocalGraph]:
    graph = LocalGraph(people_store)
    yield graph
    graph.close_now()
