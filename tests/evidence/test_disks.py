"""Disks that are full, read-only or missing, and files that are no ledger of ours."""

from __future__ import annotations

import contextlib
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_disks import mount, mounted_disk

from groundwire.errors import GroundwireError, UnavailableError
from groundwire.evidence import Draft, Ledger, Value

BIG = Draft(audit={"text": "x" * 100_000})


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    with mounted_disk(tmp_path, "1m") as disk:
        yield disk


def test_a_full_disk_is_told_and_recording_goes_on_when_it_has_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with Ledger(small_disk / "evidence.db") as ledger:
        good = [ledger.record("local", "t", {}, Draft()).evidence_id]
        ballast.write_bytes(b"\0" * 600_000)
        with pytest.raises(UnavailableError, match="is full") as told:
            for _ in range(20):
                good.append(ledger.record("local", "t", {}, BIG).evidence_id)
        assert "\n" not in str(told.value)
        with pytest.raises(UnavailableError):
            ledger.record("local", "t", {}, Draft(payload=os.urandom(900_000)))
        for handle in good:
            ledger.get(handle, "local")
        assert ledger.verify().records == len(good)
        ballast.unlink()
        good.append(ledger.record("local", "t", {}, Draft()).evidence_id)
        assert ledger.verify().ok
        assert len(ledger.recent("local")) == len(good)


def test_a_disk_that_is_full_from_the_start(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError):
        ballast.write_bytes(b"\0" * 2_000_000)
    with Ledger(small_disk / "new" / "evidence.db") as ledger:
        with pytest.raises(UnavailableError):
            ledger.record("local", "t", {}, Draft())
        assert ledger.recent("local") == []
        ballast.unlink()
        assert ledger.record("local", "t", {}, Draft()).sequence == 1


def test_a_read_only_disk_is_read_and_told(small_disk: Path) -> None:
    path = small_disk / "evidence.db"
    with Ledger(path) as ledger:
        kept = [ledger.record("local", "t", {"n": n}, Draft()) for n in range(3)]
    mount(small_disk, "-o", "remount,ro")
    with Ledger(path) as ledger:
        with pytest.raises(UnavailableError, match="read-only"):
            ledger.record("local", "t", {}, Draft())
        assert ledger.get(kept[1].evidence_id, "local").arguments == {"n": 1}
        assert ledger.head().hash == kept[2].hash
        assert ledger.verify(kept[0].hash).ok
        mount(small_disk, "-o", "remount,rw")
        assert ledger.record("local", "t", {}, Draft()).sequence == 4
        assert len(ledger.recent("local")) == 4


def test_a_file_that_may_not_grow_is_told_and_mended(path: Path) -> None:
    """The same without root: the process may write no file beyond a size."""
    script = f"""
import resource, signal
from pathlib import Path
from groundwire.errors import UnavailableError
from groundwire.evidence import Draft, Ledger
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Ledger(Path({str(path)!r})) as ledger:
    ledger.record("local", "t", {{}}, Draft())
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    written = 1
    try:
        for _ in range(10):
            ledger.record("local", "t", {{"x": "y" * 50_000}}, Draft())
            written += 1
    except UnavailableError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    ledger.record("local", "t", {{}}, Draft())
    found = ledger.verify()
    print(found.ok, found.records == written + 1, 1 < written < 10)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    told, verdict = done.stdout.splitlines()
    assert told.startswith("The evidence ledger evidence.db cannot be used: its disk")
    assert verdict == "True True True"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with (
        Ledger(tmp_path / "file" / "state" / "evidence.db") as ledger,
        pytest.raises(UnavailableError, match="GROUNDWIRE_HOME"),
    ):
        ledger.record("local", "t", {}, Draft())


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "evidence.db").mkdir()
    with Ledger(tmp_path / "evidence.db") as ledger:
        with pytest.raises(UnavailableError):
            ledger.record("local", "t", {}, Draft())
        with pytest.raises(UnavailableError):
            ledger.recent("local")


@pytest.mark.parametrize("content", [b"not a database at all" * 400, b"SQLite format 3\0" * 300])
def test_a_file_that_is_no_database(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with Ledger(path) as ledger:
        for use in (lambda: ledger.record("local", "t", {}, Draft()), ledger.head):
            with pytest.raises(UnavailableError, match="cannot be used"):
                use()
        assert not ledger.verify().ok
        assert path.read_bytes() == content
        path.rename(path.with_name("away"))
        assert ledger.record("local", "t", {}, Draft()).sequence == 1


def test_another_programs_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE photos (id)")
    before = path.read_bytes()
    with Ledger(path) as ledger:
        for use in (lambda: ledger.record("local", "t", {}, Draft()), ledger.head):
            with pytest.raises(UnavailableError, match="another program's database"):
                use()
    assert path.read_bytes() == before


def test_a_ledger_of_a_newer_version_is_left_alone(ledger: Ledger, path: Path) -> None:
    handle = ledger.record("local", "t", {}, Draft()).evidence_id
    ledger.close()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 2")
    with pytest.raises(UnavailableError, match=r"version 2.*update Groundwire"):
        ledger.record("local", "t", {}, Draft())
    with pytest.raises(UnavailableError, match="update Groundwire"):
        ledger.get(handle, "local")


def test_a_truncated_file_is_told(ledger: Ledger, path: Path) -> None:
    for _ in range(30):
        ledger.record("local", "t", {}, Draft((Value("n", "1" * 3_000),)))
    ledger.close()
    os.truncate(path, path.stat().st_size // 2)
    found: list[str] = []
    for use in (
        lambda: ledger.record("local", "t", {}, Draft()),
        lambda: ledger.recent("local"),
    ):
        with pytest.raises(UnavailableError, match="damaged") as told:
            use()
        found.append(str(told.value))
    assert not ledger.verify().ok
    assert all("\n" not in message for message in found)


def test_every_message_is_one_line_without_the_folders_path(tmp_path: Path) -> None:
    """The line may be shown to a model over the network."""
    (tmp_path / "file").write_text("in the way")
    with (
        Ledger(tmp_path / "file" / "evidence.db") as ledger,
        pytest.raises(GroundwireError) as told,
    ):
        ledger.record("local", "t", {}, Draft())
    assert str(tmp_path) not in str(told.value)
    assert len(str(told.value).splitlines()) == 1
