"""Files that are missing, read-only, damaged, moved away, full, or no store of ours."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from small_disks import mount, mounted_disk

from groundwire.errors import ConfigurationError, GroundwireError, UnavailableError
from groundwire.metrics.facts import schema
from groundwire.metrics.facts import store as store_module
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.schema import VERSION
from groundwire.metrics.facts.store import SqliteFacts

ReportOf = Callable[..., SourceDocument]
RowOf = Callable[..., FactRow]

ASKED = ("REVENUE", "ACME", "TOTAL", date(2024, 1, 1), date(2024, 12, 31))


@pytest.fixture
def filled(path: Path, report: ReportOf, row: RowOf) -> Path:
    """A file with three thousand facts."""
    with SqliteFacts(path) as store, store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number)])
        writer.add(row(number, entity=f"E{n}", raw="x" * 50) for n in range(2_999))
    return path


def one_line(error: BaseException) -> str:
    text = str(error)
    assert "\n" not in text
    assert text.endswith(".")
    return text


def test_a_missing_file_is_made_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "facts.sqlite"
    with SqliteFacts(path) as store:
        assert not path.exists()
        assert store.count() == 0
        assert store.documents() == []
        assert store.coverage("REVENUE") is None
    assert path.exists()


def test_a_missing_file_is_not_made_for_reading(path: Path) -> None:
    with (
        SqliteFacts(path, read_only=True) as store,
        pytest.raises(UnavailableError, match="is not there: import") as told,
    ):
        store.count()
    one_line(told.value)
    assert not path.exists()


def test_a_store_for_reading_takes_nothing_in(filled: Path) -> None:
    before = filled.read_bytes()
    with SqliteFacts(filled, read_only=True) as store:
        assert store.count() == 3_000
        with pytest.raises(UnavailableError, match="for reading only"), store.writer():
            pass
        with pytest.raises(UnavailableError, match="for reading only"):
            store.forget("report.csv")
        assert store.lookup(*ASKED)
    assert filled.read_bytes() == before


def test_a_file_that_is_moved_away_is_no_empty_store(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "LOOK_SECONDS", 0)
    with SqliteFacts(filled) as store:
        assert store.count() == 3_000
        away = filled.rename(filled.with_name("away.sqlite"))
        with pytest.raises(UnavailableError, match="is not there"):
            store.count()
        assert not filled.exists()
        shutil.copy(away, filled)
        assert store.count() == 3_000


def test_an_import_makes_anew_what_was_removed(filled: Path, report: ReportOf, row: RowOf) -> None:
    with SqliteFacts(filled) as store:
        assert store.count() == 3_000
        for name in list(filled.parent.iterdir()):
            name.unlink()
        with store.writer() as writer:
            writer.add([row(writer.document(report()), "7")])
        assert store.count() == 1
        assert store.lookup(*ASKED)[0].value == 7


def test_a_file_that_is_replaced_is_read_anew(
    filled: Path, report: ReportOf, row: RowOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "LOOK_SECONDS", 0)
    other = filled.with_name("other.sqlite")
    with SqliteFacts(other) as store, store.writer() as writer:
        # The codes have other numbers there.
        number = writer.document(report("other.csv"))
        writer.add([row(number, "8", metric="COST", entity="Z"), row(number, "9")])
    with SqliteFacts(filled) as store:
        assert store.lookup(*ASKED)[0].value == 1000
        other.replace(filled)
        (fact,) = store.lookup(*ASKED)
        assert (fact.value, fact.source.doc) == (9, "other.csv")


def test_a_file_that_is_no_database(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("Metric,Value\n" * 1000)
    with SqliteFacts(path) as store:
        with pytest.raises(UnavailableError, match="damaged or no fact store") as told:
            store.lookup(*ASKED)
        one_line(told.value)
        with pytest.raises(UnavailableError, match="damaged or no fact store"), store.writer():
            pass
        assert "damaged or no fact store" in str(store.check())
    assert path.read_text() == "Metric,Value\n" * 1000


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with SqliteFacts(tmp_path) as store, pytest.raises(UnavailableError):
        store.count()
    with SqliteFacts(tmp_path / "file" / "facts.sqlite") as store:
        (tmp_path / "file").write_text("")
        with pytest.raises(UnavailableError):
            store.count()


def test_another_programs_database(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE facts (a, b)")
    before = path.read_bytes()
    with SqliteFacts(path) as store:
        for work in (store.count, store.writer().__enter__):
            with pytest.raises(ConfigurationError, match="another program's") as told:
                work()
            one_line(told.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("version", "words"), [(VERSION + 1, "update"), (-1, "away and import the facts")]
)
def test_another_version_says_so(filled: Path, version: int, words: str) -> None:
    with closing(sqlite3.connect(filled)) as file:
        file.execute(f"PRAGMA user_version={version}")
    with SqliteFacts(filled) as store:
        for work in (store.count, store.writer().__enter__):
            with pytest.raises(ConfigurationError, match=f"has version {version},.*{words}"):
                work()


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_file_is_told(filled: Path, seed: int) -> None:
    """Bytes that changed in a value are not seen, but nothing that is broken goes unsaid."""
    chance = random.Random(seed)
    content = bytearray(filled.read_bytes())
    for _ in range(300):
        content[chance.randrange(len(content))] = chance.randrange(256)
    filled.write_bytes(content)
    told: list[str] = []
    with SqliteFacts(filled) as store:
        asks: list[Callable[[], object]] = [
            store.count,
            store.documents,
            lambda: store.coverage("REVENUE"),
            lambda: store.periods("REVENUE"),
            lambda: store.entities("REVENUE", *ASKED[3:]),
            lambda: [store.lookup("REVENUE", f"E{n}", *ASKED[2:]) for n in range(0, 2_999, 7)],
            lambda: store.forget("report.csv"),
        ]
        wrong = store.check()
        for ask in asks:
            try:
                ask()
            except GroundwireError as error:
                told.append(one_line(error))
    assert "damaged" in str(wrong)
    assert told


def test_a_page_that_is_overwritten_is_told(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    begin = len(content) // 2
    content[begin : begin + 8_192] = bytes(8_192)
    filled.write_bytes(content)
    with SqliteFacts(filled) as store:
        assert "damaged" in str(store.check())
        with pytest.raises(UnavailableError, match="is damaged"):
            for n in range(2_999):
                store.lookup("REVENUE", f"E{n}", *ASKED[2:])


def test_a_wrong_sum_is_found(filled: Path) -> None:
    with SqliteFacts(filled) as store:
        assert store.check() is None
        with closing(sqlite3.connect(filled, isolation_level=None)) as file:
            file.execute("UPDATE summary SET facts = 7")
        assert "it says that it has 7 facts, and its series 3,000" in str(store.check())


def test_a_fact_of_no_document_is_told(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as file:
        file.execute("DELETE FROM documents")
    with (
        SqliteFacts(filled) as store,
        pytest.raises(UnavailableError, match="a document that is not in it"),
    ):
        store.lookup(*ASKED)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes."""
    with mounted_disk(tmp_path, "2m") as disk:
        yield disk


@pytest.mark.parametrize("cache", [-100, -100_000], ids=["in the middle", "at the end"])
def test_a_full_disk_keeps_everything_out(
    small_disk: Path, report: ReportOf, row: RowOf, cache: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "WRITER_CACHE", cache)
    with SqliteFacts(small_disk / "facts.sqlite") as store:
        with store.writer() as writer:
            writer.add([row(writer.document(report("small.csv")))])
        with pytest.raises(UnavailableError, match="is full") as told, store.writer() as writer:
            number = writer.document(report())
            writer.add(row(number, entity=f"E{n}", raw="x" * 500) for n in range(5_000))
        one_line(told.value)
        assert store.count() == 1
        assert store.check() is None
        with store.writer() as writer:
            writer.add([row(writer.document(report()), entity="NEW")])
        assert store.count() == 2


def test_a_read_only_disk_is_read(small_disk: Path, report: ReportOf, row: RowOf) -> None:
    path = small_disk / "facts.sqlite"
    with SqliteFacts(path) as store, store.writer() as writer:
        writer.add([row(writer.document(report()))])
    mount(small_disk, "-o", "remount,ro")
    with SqliteFacts(path) as store:
        assert store.lookup(*ASKED)[0].value == 1000
        with pytest.raises(UnavailableError, match="read-only"), store.writer():
            pass
        assert store.count() == 1


def test_a_read_only_disk_with_a_log_is_no_old_answer(
    small_disk: Path, report: ReportOf, row: RowOf
) -> None:
    path = small_disk / "facts.sqlite"
    with SqliteFacts(path) as store:
        with closing(sqlite3.connect(path)) as reader, store.writer() as writer:
            store.count()
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM summary").fetchall()
            writer.add([row(writer.document(report()))])
        kept = {name.name: name.read_bytes() for name in small_disk.iterdir()}
    for name in list(small_disk.iterdir()):
        name.unlink()
    for name, content in kept.items():
        if not name.endswith("-shm"):
            (small_disk / name).write_bytes(content)
    if not kept.get("facts.sqlite-wal"):
        pytest.skip("SQLite left no log")
    mount(small_disk, "-o", "remount,ro")
    with SqliteFacts(path) as store, pytest.raises(UnavailableError):
        store.count()


def test_a_folder_that_may_not_be_written(filled: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("permissions do not bind root")
    filled.parent.chmod(0o555)
    try:
        with SqliteFacts(filled) as store:
            assert store.count() == 3_000
            with pytest.raises(UnavailableError), store.writer():
                pass
    finally:
        filled.parent.chmod(0o755)
