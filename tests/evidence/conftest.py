"""What the tests of the ledger share: a ledger in an empty folder, and an answer to record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from state_places import ask

from groundwire.evidence import Derivation, Draft, Ledger, Value
from groundwire.state import StatePlace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "evidence.db"


@pytest.fixture
def ledger(place: StatePlace) -> Iterator[Ledger]:
    with Ledger(place) as opened:
        yield opened


@pytest.fixture
def answer() -> Draft:
    """Two lengths with all that a value can carry, their sum, an audit and a vocabulary."""
    return Draft(
        values=(
            Value("length", "12.5", unit="km", entity="A 9", source="urn:asset:a9"),
            Value(
                "length",
                "7.25",
                unit="km",
                entity="Ring 环路",
                entity_iri="https://example.org/ring",
                labels=("Ringstraße", "环路"),
                period="2024",
                source="catalogue.ttl#ring",
            ),
            Value("motorway", "false", kind="boolean"),
        ),
        derivations=(Derivation("sum", (0, 1), "19.75", "km", "12.5 km + 7.25 km"),),
        audit={"query_text": 'SELECT ?x WHERE { ?x a "hdmap" }', "status_code": 200, "rows": [1]},
        vocabulary=("hdmap", "motorway"),
    )


@pytest.fixture
def tamper(ledger: Ledger, place: StatePlace) -> Callable[[str], None]:
    """Changes what is stored behind the ledger's back, as its owner could."""

    def change(statement: str) -> None:
        ledger.close()
        ask(place, "evidence", statement)

    return change
