"""Stores, and rows to put into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.state import Database

ReportOf = Callable[..., SourceDocument]
RowOf = Callable[..., FactRow]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "facts.sqlite"


@pytest.fixture(params=["file", "memory", "database"])
def store(request: pytest.FixtureRequest, path: Path) -> Iterator[SqliteFacts]:
    places = {"file": path, "memory": None}
    place = places[request.param] if request.param in places else _database(request)
    with SqliteFacts(place) as store:
        if isinstance(place, Database):
            with store.writer():
                pass
        yield store


def _database(request: pytest.FixtureRequest) -> Database:
    return request.getfixturevalue("database")


@pytest.fixture
def report() -> ReportOf:
    """A document by its name; its hash is made of the name."""

    def make(name: str = "report.csv", publisher: str = "ACME", dated: date | None = None):
        return SourceDocument(name, name.encode().hex().ljust(64, "0"), publisher, dated)

    return make


@pytest.fixture
def row() -> RowOf:
    """A row about 2024, by what is different in it."""

    def make(
        document: int,
        value: str = "1000",
        *,
        metric: str = "REVENUE",
        entity: str = "ACME",
        channel: str = "TOTAL",
        start: date = date(2024, 1, 1),
        end: date = date(2024, 12, 31),
        as_of: date = date(2025, 2, 1),
        unit: str = "USD",
        place: str = "row {}, column Value",
        number: int = 2,
        raw: str | None = None,
    ) -> FactRow:
        sign, digits, exponent = Decimal(value).as_tuple()
        mantissa = int("".join(map(str, digits))) * (-1 if sign else 1)
        assert isinstance(exponent, int)
        return FactRow(
            metric,
            entity,
            channel,
            start.toordinal(),
            end.toordinal(),
            as_of.toordinal(),
            mantissa,
            exponent,
            unit,
            document,
            place,
            number,
            raw,
        )

    return make
