"""Threads and processes on one file, and one that dies in the middle of an import."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.metrics.facts import schema
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts

ReportOf = Callable[..., SourceDocument]
RowOf = Callable[..., FactRow]

DAY = date(2024, 1, 1)

# Imports of `size` facts one after the other, each told when it is committed; the last one, when
# it is half in the file, waits to be killed.
IMPORTER = """
import sys, time
from pathlib import Path
from groundwire.metrics.facts import schema
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.facts.model import FactRow, SourceDocument

# So little that most of an import is in the log before it ends.
schema.WRITER_CACHE = -100
# It waits for the other process however slow the disk is.
schema.BUSY_SECONDS = 120.0
path, name, size, imports, wait = sys.argv[1:]
day = 738886

def rows(document, part):
    for n in range(int(size)):
        if wait == "wait" and part == int(imports) - 1 and n == int(size) - 1:
            print("waiting", flush=True)
            time.sleep(60)
        yield FactRow("M", f"{name} {part}", "TOTAL", day + n, day + n, day, n, 0, "", document,
                      "row {}", n, None)

with SqliteFacts(Path(path)) as store:
    for part in range(int(imports)):
        with store.writer() as writer:
            document = writer.document(SourceDocument(f"{name} {part}", "0" * 64, name, None))
            writer.add(rows(document, part))
        print(part, flush=True)
"""


def start(path: Path, name: str, size: int, imports: int, wait: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", IMPORTER, str(path), name, str(size), str(imports), wait],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_processes_import_into_one_file(path: Path) -> None:
    importers = [start(path, name, 200, 10, "go") for name in ("a", "b")]
    with SqliteFacts(path) as store:
        while any(one.poll() is None for one in importers):
            # Whole imports only, while both are at work.
            assert store.count() % 200 == 0
            assert sum(one.facts for one in store.documents()) % 200 == 0
            time.sleep(0.01)
        for one in importers:
            output, errors = one.communicate(timeout=120)
            assert (one.returncode, errors) == (0, "")
            assert output.split() == [str(part) for part in range(10)]
        assert store.count() == 4000
        coverage = store.coverage("M")
        assert coverage is not None
        assert coverage.facts == 4000
        assert len(coverage.entities) == 20
        assert store.check() is None


def test_codes_of_another_process_are_met_at_once(path: Path, report: ReportOf, row: RowOf) -> None:
    with SqliteFacts(path) as store:
        assert store.lookup("M", "a 0", "TOTAL", DAY, DAY) == ()
        done = start(path, "a", 10, 1, "go")
        assert done.communicate(timeout=120) == ("0\n", "")
        day = date.fromordinal(738886 + 3)
        assert store.lookup("M", "a 0", "TOTAL", day, day)[0].value == 3
        assert store.metrics() == ["M"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("watched", [True, False])
def test_a_killed_import_leaves_what_was_committed(
    path: Path, watched: bool, read_only: bool
) -> None:
    importer = start(path, "a", 60_000, 2, "wait")
    try:
        assert importer.stdout is not None
        assert importer.stdout.readline() == "0\n"
        watcher = SqliteFacts(path)
        if watched:
            assert watcher.count() == 60_000
        assert importer.stdout.readline() == "waiting\n"
        assert path.with_name(f"{path.name}-wal").stat().st_size > 1_000_000
        if watched:
            assert watcher.count() == 60_000
    finally:
        importer.kill()
        importer.communicate(timeout=120)
    assert importer.returncode == -signal.SIGKILL
    with SqliteFacts(path, read_only=read_only) as store:
        assert store.count() == 60_000
        assert [one.document.name for one in store.documents()] == ["a 0"]
        assert store.coverage("M").facts == len(store.periods("M")) == 60_000  # type: ignore[union-attr]
        assert store.check() is None
    with watcher:
        assert watcher.count() == 60_000
        # Nobody holds the dead one's lock.
        assert watcher.forget("a 0") == 60_000


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_imports_killed_at_any_moment_are_whole_or_not_there(path: Path) -> None:
    chance = random.Random(7)
    told: set[str] = set()
    for turn in range(8):
        importer = start(path, f"{turn}", 500, 1_000, "go")
        assert importer.stdout is not None
        first = importer.stdout.readline()
        time.sleep(chance.uniform(0, 0.1))
        importer.kill()
        rest, errors = importer.communicate(timeout=120)
        assert errors == ""
        lines = (first + rest).splitlines(keepends=True)
        told.update(f"{turn} {line[:-1]}" for line in lines if line.endswith("\n"))
        with SqliteFacts(path) as store:
            documents = store.documents()
            assert {one.facts for one in documents} == {500}
            assert told <= {one.document.name for one in documents}
            assert store.count() == 500 * len(documents)
            assert store.check() is None
    assert len(told) >= 8


def test_a_thousand_questions_from_many_threads(
    store: SqliteFacts, report: ReportOf, row: RowOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    year = (date(2024, 1, 1), date(2024, 12, 31))
    # Imports wait for each other here, however long that takes.
    monkeypatch.setattr("groundwire.metrics.facts.store.BUSY_SECONDS", 120.0)

    def ask(n: int) -> bool:
        (fact,) = store.lookup("REVENUE", f"E{n % 50}", "TOTAL", *year)
        return fact.value == n % 50 and len(store.intervals("REVENUE", "E1", "TOTAL")) == 1

    with store.writer() as writer:
        number = writer.document(report())
        writer.add(row(number, str(n), entity=f"E{n}") for n in range(50))

    def write(n: int) -> int:
        with store.writer() as writer:
            return writer.add([row(writer.document(report(f"{n}")), metric=f"M{n}")])

    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(ask, range(1000))
        written = [pool.submit(write, n) for n in range(10)]
        assert all(answers)
        assert [one.result() for one in written] == [1] * 10
    assert store.count() == 60


def test_a_second_import_waits_and_then_says_so(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    started, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store.writer() as writer:
            writer.add([row(writer.document(report()))])
            started.set()
            done.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert started.wait(30)
        began = time.monotonic()
        with pytest.raises(UnavailableError, match="try again") as told, store.writer():
            pass
        assert "\n" not in str(told.value)
        assert 1.5 < time.monotonic() - began < 25
        assert store.count() == 0
    finally:
        done.set()
        holder.join(30)
    assert store.count() == 1
    assert store.forget("report.csv") == 1


def test_a_file_that_is_locked_is_no_empty_answer(
    path: Path, report: ReportOf, row: RowOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.3)
    with SqliteFacts(path) as store, store.writer() as writer:
        writer.add([row(writer.document(report()))])
    with closing(sqlite3.connect(path, isolation_level=None)) as holder, SqliteFacts(path) as store:
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("UPDATE summary SET facts = 0")
        for ask in (store.count, store.metrics):
            with pytest.raises(UnavailableError, match="another process has held it"):
                ask()
        holder.execute("ROLLBACK")
    with SqliteFacts(path) as store:
        assert store.count() == 1


def test_readers_go_on_while_another_process_writes(
    path: Path, report: ReportOf, row: RowOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.3)
    with SqliteFacts(path) as store:
        with store.writer() as writer:
            writer.add([row(writer.document(report()))])
        with closing(sqlite3.connect(path, isolation_level=None)) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            holder.execute("UPDATE summary SET facts = 7")
            assert store.count() == 1
            with pytest.raises(UnavailableError, match="another process"):
                store.forget("report.csv")
