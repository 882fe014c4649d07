"""Facts that were changed in the file are found: by the lookup, by opening it, or by a check."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.metrics.facts import reading
from groundwire.metrics.facts import store as store_module
from groundwire.metrics.facts.schema import UNSEALED, VERSION
from groundwire.metrics.facts.store import SqliteFacts

ASKED = ("REVENUE", "ACME", "TOTAL", date(2024, 1, 1), date(2024, 12, 31))
# As the version before this one had it: no column of seals.
UNSEAL = (
    "ALTER TABLE facts DROP COLUMN seal",
    "ALTER TABLE documents DROP COLUMN seal",
    f"PRAGMA user_version={UNSEALED}",
)


@pytest.fixture
def filled(path: Path, report, row) -> Path:
    """Three entities' revenue of one document, and one of another."""
    with SqliteFacts(path) as store, store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number, str(1000 + n), entity=("ACME", "B", "C")[n]) for n in range(3)])
        writer.add([row(writer.document(report("other.csv")), "5", entity="D")])
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE facts SET mantissa = 999 WHERE mantissa = 1000",
        "UPDATE facts SET exponent = 3 WHERE mantissa = 1000",
        "UPDATE facts SET raw = 'about 1,000' WHERE mantissa = 1000",
        "UPDATE facts SET number = 77 WHERE mantissa = 1000",
        "UPDATE facts SET as_of = as_of - 1 WHERE mantissa = 1000",
        "UPDATE facts SET seal = seal + 1 WHERE mantissa = 1000",
        "UPDATE facts SET document = 2 WHERE mantissa = 1000",
        "UPDATE series SET unit = 'EUR'",
        "UPDATE places SET text = 'row {}, column Other'",
        "UPDATE documents SET name = 'annual-report.csv' WHERE id = 1",
        "UPDATE documents SET publisher = 'Somebody' WHERE id = 1",
        "UPDATE documents SET sha256 = 'f' WHERE id = 1",
        "UPDATE entities SET text = iif(text = 'ACME', 'B', 'ACME') || ' ' WHERE text < 'C';",
    ],
)
def test_a_lookup_finds_what_was_changed(
    filled: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    # However large the store is: without the sums of its documents.
    monkeypatch.setattr(reading, "FEW", 0)
    change(filled, statement)
    if "entities" in statement:
        change(filled, "UPDATE entities SET text = trim(text)")
    with (
        SqliteFacts(filled) as store,
        pytest.raises(UnavailableError, match=r"was changed after its import: move the file away"),
    ):
        store.lookup(*ASKED)
    with SqliteFacts(filled) as store:
        assert "after their import" in str(store.check()) or "after its" in str(store.check())


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM facts WHERE mantissa = 1001",
        "INSERT INTO facts SELECT series, start_day - 365, end_day - 365, as_of, document, "
        "mantissa, exponent, place, number, raw, seal FROM facts WHERE mantissa = 1001",
        "UPDATE facts SET seal = seal + 1 WHERE mantissa = 1001",
        "UPDATE documents SET seal = 1",
        "UPDATE documents SET facts = 9 WHERE id = 1",
    ],
)
def test_what_was_added_or_removed_is_found(
    filled: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.setattr(store_module, "LOOK_SECONDS", 0)
    with SqliteFacts(filled) as store:
        assert store.lookup(*ASKED)[0].value == 1000
        assert store.check() is None
        change(filled, statement)
        # A server that is running finds it too, by the next look at the file.
        with pytest.raises(UnavailableError, match="changed after their import"):
            store.lookup(*ASKED)
    with SqliteFacts(filled) as store, pytest.raises(UnavailableError, match="changed after"):
        store.count()


def test_facts_in_a_large_store_that_were_removed_are_found_by_a_check(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FEW", 0)
    change(filled, "DELETE FROM facts WHERE mantissa = 1001")
    with SqliteFacts(filled) as store:
        assert store.lookup(*ASKED)[0].value == 1000
        assert "facts of the document report.csv were changed" in str(store.check())


def test_an_unsealed_store_is_read_and_sealed_by_the_next_import(filled: Path, report, row) -> None:
    change(filled, *UNSEAL)
    with SqliteFacts(filled) as store:
        assert store.lookup(*ASKED)[0].value == 1000
        with store.writer() as writer:
            writer.add([row(writer.document(report("new.csv")), "7", entity="E")])
        assert store.check() is None
        assert store.lookup(*ASKED)[0].value == 1000
    with closing(sqlite3.connect(filled)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert file.execute("SELECT count(*) FROM facts WHERE seal = 0").fetchone() == (0,)
    change(filled, "UPDATE facts SET mantissa = 1 WHERE mantissa = 1000")
    with SqliteFacts(filled) as store, pytest.raises(UnavailableError, match="changed after"):
        store.lookup(*ASKED)


def test_imports_and_withdrawals_keep_the_sums(filled: Path, report, row) -> None:
    with SqliteFacts(filled) as store:
        with store.writer() as writer:
            number = writer.document(report())
            again = row(number, "1000")
            assert writer.add([again, again, row(number, "3", entity="F")]) == 1
        assert store.check() is None
        store.forget("other.csv")
        assert store.check() is None
        assert store.count() == 4
