"""Files of state: private, shared by threads and processes, and told about in one line."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_disks import mount, mounted_disk

from groundwire.errors import NotFoundError, UnavailableError
from groundwire.statefile import DamagedError, Flush, StateFile

SCHEMA = ("CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT",)
ADD = (
    "INSERT INTO counts (name, count) VALUES (?, 1) "
    "ON CONFLICT (name) DO UPDATE SET count = count + 1"
)


def state_file(path: Path, version: int = 1, busy_seconds: float = 20.0) -> StateFile:
    return StateFile(
        path,
        "file of counts",
        application=0x47575454,
        version=version,
        schema=SCHEMA,
        busy_seconds=busy_seconds,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "counts.sqlite"


@pytest.fixture
def state(path: Path) -> Iterator[StateFile]:
    file = state_file(path)
    yield file
    file.close()


def add(state: StateFile, name: str) -> None:
    with state.writing() as connection:
        connection.execute(ADD, (name,))


def count(state: StateFile, name: str) -> int | None:
    with state.reading() as connection:
        if connection is None:
            return None
        row = connection.execute("SELECT count FROM counts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else 0


def refusal(state: StateFile) -> str:
    """The one line that both a reader and a writer are told."""
    said: set[str] = set()
    for attempt in (lambda: count(state, "a"), lambda: add(state, "a")):
        with pytest.raises(UnavailableError) as caught:
            attempt()
        said.add(str(caught.value))
    assert len(said) == 1
    line = said.pop()
    assert "\n" not in line
    return line


def test_reading_makes_no_file(state: StateFile, path: Path) -> None:
    assert count(state, "a") is None
    assert not path.parent.exists()


def test_what_was_written_is_there_for_another(state: StateFile, path: Path) -> None:
    add(state, "a")
    add(state, "a")
    another = state_file(path)
    assert count(another, "a") == 2
    another.close()
    another.close()
    assert count(another, "a") == 2
    another.close()


def test_folder_and_files_are_their_users_alone(state: StateFile, path: Path) -> None:
    add(state, "a")
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes[path.name] == modes[f"{path.name}-wal"] == 0o600


@pytest.mark.parametrize(("synchronous", "level"), [("FULL", 2), ("NORMAL", 1)])
def test_a_commit_waits_for_the_disk_or_not(path: Path, synchronous: str, level: int) -> None:
    file = StateFile(path, "file", application=1, version=1, schema=SCHEMA, synchronous=synchronous)  # pyright: ignore[reportArgumentType]
    with file.writing() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    file.close()


@pytest.mark.parametrize("failure", [NotFoundError("no"), KeyboardInterrupt(), sqlite3.Error("x")])
def test_a_block_that_fails_leaves_nothing(state: StateFile, failure: BaseException) -> None:
    add(state, "a")
    failures = (NotFoundError, KeyboardInterrupt, UnavailableError)
    with pytest.raises(failures), state.writing() as connection:
        connection.execute(ADD, ("a",))
        raise failure
    assert count(state, "a") == 1
    add(state, "a")
    assert count(state, "a") == 2


def test_the_error_of_a_caller_is_not_changed(state: StateFile) -> None:
    with pytest.raises(NotFoundError, match=r"^no$"), state.writing():
        raise NotFoundError("no")


def test_a_file_that_was_removed_or_replaced_is_noticed(state: StateFile, path: Path) -> None:
    add(state, "a")
    for file in list(path.parent.iterdir()):
        file.unlink()
    assert count(state, "a") is None
    add(state, "b")
    assert (count(state, "a"), count(state, "b")) == (0, 1)
    other = state_file(path.with_name("other.sqlite"))
    add(other, "c")
    other.close()
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink()
    path.with_name("other.sqlite").replace(path)
    assert (count(state, "b"), count(state, "c")) == (0, 1)


def test_another_programs_database_is_left_alone(state: StateFile, path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photos (id)")
    connection.close()
    before = path.read_bytes()
    assert refusal(state) == (
        "The file of counts counts.sqlite cannot be used (it is no file of counts of this "
        "version): move it away; a new one begins by itself."
    )
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_asks_for_an_update(state: StateFile, path: Path) -> None:
    newer = state_file(path, version=2)
    add(newer, "a")
    newer.close()
    assert refusal(state) == (
        "The file of counts counts.sqlite cannot be used (it has version 2, this Groundwire reads "
        "version 1): update Groundwire."
    )
    assert count(newer, "a") == 1
    newer.close()


def test_what_is_no_database_is_not_touched_until_it_is_moved_aside(
    state: StateFile, path: Path
) -> None:
    path.parent.mkdir()
    path.write_text("These are my notes, and no database at all. " * 50, "utf-8")
    before = path.read_bytes()
    assert refusal(state).endswith(": move it away; a new one begins by itself.")
    with pytest.raises(DamagedError):
        add(state, "a")
    assert path.read_bytes() == before
    state.move_aside()
    add(state, "a")
    assert count(state, "a") == 1
    assert path.with_name("counts.sqlite.damaged").read_bytes() == before


def test_moving_aside_what_is_not_there_is_nothing(state: StateFile, path: Path) -> None:
    state.move_aside()
    assert not path.parent.exists()


def test_another_writer_who_does_not_end_is_told(path: Path) -> None:
    state = state_file(path, busy_seconds=0.1)
    add(state, "a")
    holding = sqlite3.connect(path, isolation_level=None)
    holding.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(UnavailableError, match="another process is at work on it, so try"):
            add(state, "a")
        assert count(state, "a") == 1  # readers do not wait
    finally:
        holding.execute("ROLLBACK")
        holding.close()
    add(state, "a")
    assert count(state, "a") == 2
    state.close()


def test_a_folder_that_cannot_be_made_says_where_to_go(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    state = state_file(tmp_path / "file" / "counts.sqlite")
    with pytest.raises(UnavailableError, match="writable, or set GROUNDWIRE_HOME to one that is"):
        add(state, "a")
    assert count(state, "a") is None


def test_a_folder_in_place_of_the_file_is_one_line(state: StateFile, path: Path) -> None:
    path.mkdir(parents=True)
    assert "set GROUNDWIRE_HOME" in refusal(state)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_file_that_is_read_only_is_read(state: StateFile, path: Path) -> None:
    add(state, "a")
    state.close()
    path.chmod(0o400)
    assert count(state, "a") == 1
    with pytest.raises(UnavailableError, match="make it and its folder writable"):
        add(state, "a")
    path.chmod(0o600)
    add(state, "a")
    assert count(state, "a") == 2


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted_disk(tmp_path, "1m") as disk:
        yield disk


def test_a_read_only_disk_is_read_and_written_once_it_can_be(small_disk: Path) -> None:
    path = small_disk / "counts.sqlite"
    state = state_file(path)
    add(state, "a")
    state.close()
    mount(small_disk, "-o", "remount,ro")
    assert count(state, "a") == 1
    with pytest.raises(UnavailableError, match="make it and its folder writable"):
        add(state, "a")
    assert count(state, "a") == 1
    mount(small_disk, "-o", "remount,rw")
    add(state, "a")
    assert count(state, "a") == 2
    state.close()


def test_a_read_only_disk_with_a_log_is_no_old_state(small_disk: Path) -> None:
    path = small_disk / "counts.sqlite"
    state = state_file(path)
    add(state, "a")
    kept = {one.name: one.read_bytes() for one in small_disk.iterdir()}
    state.close()
    assert kept["counts.sqlite-wal"], "what was added stands in the log alone"
    for name in ("counts.sqlite", "counts.sqlite-wal"):
        (small_disk / name).write_bytes(kept[name])
    mount(small_disk, "-o", "remount,ro")
    assert "make it and its folder writable" in refusal(state)


@pytest.mark.parametrize("content", ["", "no database " * 100])
def test_what_was_never_laid_out_is_refused_on_a_read_only_disk(
    small_disk: Path, content: str
) -> None:
    (small_disk / "counts.sqlite").write_text(content, "utf-8")
    mount(small_disk, "-o", "remount,ro")
    with pytest.raises(UnavailableError):
        count(state_file(small_disk / "counts.sqlite"), "a")


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, str(Path(sys.argv[1])))
from test_statefile import add, state_file
state = state_file(Path(sys.argv[2]), busy_seconds=60.0)
for turn in range(40):
    add(state, "all")
    add(state, sys.argv[3])
"""


def test_several_processes_write_to_one_new_file(state: StateFile, path: Path) -> None:
    arguments = [sys.executable, "-c", WRITER, str(Path(__file__).parent), str(path)]
    children = [
        subprocess.Popen([*arguments, f"child{n}"], stderr=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    for child in children:
        _, said = child.communicate(timeout=240)
        assert (child.returncode, said) == (0, "")
    assert count(state, "all") == 120
    assert [count(state, f"child{n}") for n in range(3)] == [40, 40, 40]


def test_threads_share_one_file(state: StateFile) -> None:
    def work(name: str) -> None:
        for _ in range(25):
            add(state, name)
            count(state, name)

    threads = [threading.Thread(target=work, args=(f"thread{n % 2}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert [count(state, f"thread{n}") for n in range(2)] == [50, 50]


def test_a_caller_may_wait_for_the_disk_itself(state: StateFile, path: Path) -> None:
    synced: list[str] = []
    flush = Flush()
    flush.wait()  # nothing was written yet
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            os,
            "fdatasync",
            lambda file: synced.append(str(Path(f"/proc/self/fd/{file}").readlink())),
        )
        with state.writing(flush) as connection:
            connection.execute(ADD, ("a",))
        flush.wait()
    assert synced == [f"{path}-wal"]
    assert count(state, "a") == 1
    with state.writing() as connection:
        # What is written without a flush waits for the disk as before.
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_commit_may_go_to_the_disk_beside_another(state: StateFile) -> None:
    synced: list[int] = []
    flush = Flush()
    flush.start()  # nothing was written yet
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fdatasync", synced.append)
        with state.writing(flush) as connection:
            connection.execute(ADD, ("a",))
        assert not synced
        flush.start()
        flush.start()
        flush.wait()
        flush.wait()
        assert len(synced) == 1
        with state.writing(closed := Flush()) as connection:
            connection.execute(ADD, ("b",))
        state.close()
        closed.start()
        closed.wait()
    assert len(synced) == 2


def test_a_disk_that_takes_nothing_is_told_to_who_waits(state: StateFile) -> None:
    def refuse(_: int) -> None:
        raise OSError(5, "Input/output error")

    flush = Flush()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fdatasync", refuse)
        with state.writing(flush) as connection:
            connection.execute(ADD, ("a",))
        with pytest.raises(UnavailableError, match="Input/output error"):
            flush.wait()


def test_what_failed_in_a_block_is_never_brought_to_the_disk(state: StateFile) -> None:
    flush = Flush()
    with pytest.raises(NotFoundError), state.writing(flush) as connection:
        connection.execute(ADD, ("a",))
        raise NotFoundError("no such thing")
    flush.wait()
    assert count(state, "a") == 0
    with state.writing() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
