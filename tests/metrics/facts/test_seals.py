"""Facts that were changed in the file are found: by the lookup, by opening it, or by a check."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.metrics.facts import sealing
from groundwire.metrics.facts import store as store_module
from groundwire.metrics.facts.model import FactPage, Interval, Slice
from groundwire.metrics.facts.schema import VERSION
from groundwire.metrics.facts.sealing import UNDIGESTED, UNSEALED
from groundwire.metrics.facts.store import SqliteFacts

ASKED = ("REVENUE", "ACME", "TOTAL", date(2024, 1, 1), date(2024, 12, 31))
# As earlier versions had it: no digests, and before that no column of seals.
UNDIGEST = ("ALTER TABLE series DROP COLUMN digest", f"PRAGMA user_version={UNDIGESTED}")
UNSEAL = (
    UNDIGEST[0],
    "ALTER TABLE facts DROP COLUMN seal",
    "ALTER TABLE documents DROP COLUMN seal",
    f"PRAGMA user_version={UNSEALED}",
)
# What a page asks about the fixture: all revenue of the year, greatest first.
PAGE = FactPage(
    "REVENUE", (), ("TOTAL",), (Interval(*ASKED[3:]),), (("value", True), ("entity", False))
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
    monkeypatch.setattr(sealing, "FEW", 0)
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


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM facts WHERE mantissa = 1001",
        "DELETE FROM series WHERE entity = 2",
        "DELETE FROM facts WHERE mantissa = 1001; DELETE FROM series WHERE entity = 2",
        "UPDATE facts SET mantissa = 1 WHERE mantissa = 1001",
        "UPDATE facts SET mantissa = 1001 + (1 << 40) WHERE mantissa = 1001",
        "UPDATE facts SET mantissa = iif(mantissa = 1001, 1000, 1001) WHERE mantissa < 1002",
        "UPDATE facts SET exponent = -1 WHERE mantissa = 1001",
        "UPDATE facts SET start_day = start_day - 1, end_day = end_day - 1 WHERE mantissa = 1001",
        "UPDATE facts SET as_of = as_of + 1 WHERE mantissa = 1001",
        "UPDATE facts SET document = 2 WHERE mantissa = 1001",
        "UPDATE facts SET number = 77 WHERE mantissa = 1001",
        "UPDATE facts SET seal = seal + 1 WHERE mantissa = 1001",
        "INSERT INTO facts SELECT series, start_day - 365, end_day - 365, as_of, document, "
        "mantissa, exponent, place, number, raw, seal FROM facts WHERE mantissa = 1001",
        "UPDATE series SET last_day = last_day + 1 WHERE entity = 2",
        "UPDATE series SET unit = 'EUR' WHERE entity = 2",
        "UPDATE entities SET text = 'E' WHERE id = 2",
        "UPDATE series SET digest = digest + 1 WHERE entity = 2",
    ],
)
@pytest.mark.parametrize("is_sum", [False, True])
def test_no_page_or_sum_is_told_beside_a_fact_that_was_changed(
    filled: Path, monkeypatch: pytest.MonkeyPatch, statement: str, is_sum: bool
) -> None:
    """However large the store is, and whether the fact that was changed is told or not."""
    monkeypatch.setattr(sealing, "FEW", 0)
    monkeypatch.setattr(store_module, "LOOK_SECONDS", 0)

    def ask(store: SqliteFacts) -> list[Decimal]:
        if is_sum:
            return [one.value for one in store.totals(PAGE, ())]
        return [some[0].value for some in store.page(PAGE).facts]

    with SqliteFacts(filled) as store:
        assert ask(store) == ([3008] if is_sum else [1002])
        for one in statement.split(";"):
            change(filled, one)
        for _ in range(2):
            with pytest.raises(UnavailableError, match="changed after"):
                ask(store)
        with pytest.raises(UnavailableError, match="changed after"):
            store.slice(Slice("REVENUE", (), ("TOTAL",), *ASKED[3:], 0, 366))
    with SqliteFacts(filled) as store:
        with pytest.raises(UnavailableError, match="changed after"):
            ask(store)
        assert store.check() is not None


def test_a_lookup_in_a_large_store_misses_no_fact_that_was_removed(
    filled: Path, monkeypatch: pytest.MonkeyPatch, report, row
) -> None:
    monkeypatch.setattr(sealing, "FEW", 0)
    with SqliteFacts(filled) as store, store.writer() as writer:
        restated = row(writer.document(report("later.csv")), "7", as_of=date(2025, 9, 1))
        writer.add([restated])
    change(filled, "DELETE FROM facts WHERE mantissa = 7")
    with SqliteFacts(filled) as store:
        with pytest.raises(UnavailableError, match="changed after their import"):
            store.lookup(*ASKED)
        assert "facts of the document later.csv were changed" in str(store.check())


def test_an_import_does_not_make_what_was_changed_right(
    filled: Path, monkeypatch: pytest.MonkeyPatch, report, row
) -> None:
    monkeypatch.setattr(sealing, "FEW", 0)
    change(filled, "UPDATE facts SET mantissa = 1 WHERE mantissa = 1001")
    with SqliteFacts(filled) as store:
        with store.writer() as writer:
            number = writer.document(report("new.csv"))
            writer.add([row(number, "7", entity="B"), row(number, "8", entity="C")])
        with pytest.raises(UnavailableError, match=r"REVENUE of B .* was changed after"):
            store.page(PAGE)
        # Without the document that holds it everything that is left is right again.
        store.forget("report.csv")
        assert store.check() is None
        assert {some[0].entity for some in store.page(replace(PAGE, limit=9)).facts} == set("BCD")


def test_a_store_without_digests_is_checked_by_its_seals_and_digested_by_the_next_import(
    filled: Path, monkeypatch: pytest.MonkeyPatch, report, row
) -> None:
    monkeypatch.setattr(sealing, "FEW", 0)
    change(filled, *UNDIGEST)
    with SqliteFacts(filled) as store:
        assert [some[0].value for some in store.page(PAGE).facts] == [1002]
    spoilt = filled.with_name("spoilt.sqlite")
    shutil.copy(filled, spoilt)
    change(spoilt, "UPDATE facts SET mantissa = 1 WHERE mantissa = 1001")
    for path in (filled, spoilt):
        with SqliteFacts(path) as store, store.writer() as writer:
            writer.add([row(writer.document(report("new.csv")), "7", entity="E")])
    with SqliteFacts(filled) as store:
        assert store.check() is None
        assert [some[0].value for some in store.page(PAGE).facts] == [1002]
    with SqliteFacts(spoilt) as store, pytest.raises(UnavailableError, match="changed after"):
        store.page(PAGE)


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
