"""Handles: random, their owner's, short-lived, and there even without a disk."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_cluster import free_port
from state_places import ask

from groundwire.errors import NotFoundError
from groundwire.serving import handles as handles_module
from groundwire.serving.handles import Handles
from groundwire.state import Database, StatePlace


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "handles.sqlite"


@pytest.fixture
def handles(place: StatePlace, clock: Clock) -> Iterator[Handles]:
    with Handles(place, clock) as store:
        yield store


def rows(place: StatePlace) -> int:
    return ask(place, "handles", "SELECT count(*) FROM handles")[0][0]


def test_a_handle_opens_to_what_it_was_minted_for(handles: Handles) -> None:
    payload = {"offset": 50, "bound_to": "ab", "name": "环路 \ud800", "list": [1, None, {"a": 1.5}]}
    handle = handles.mint("local", "cursor", payload, ttl=60)
    assert handles.open(handle, "local", "cursor") == payload
    assert handles.open(handle, "local", "cursor") == payload  # opening does not use it up


def test_handles_are_random_and_plain(handles: Handles) -> None:
    minted = {handles.mint("local", "journey", {}, ttl=60) for _ in range(50)}
    assert len(minted) == 50
    assert all(re.fullmatch(r"jo_[0-9a-z]{13}", handle) for handle in minted)


def test_what_may_not_be_opened_looks_like_what_is_not_there(
    handles: Handles, clock: Clock
) -> None:
    handle = handles.mint("alice", "cursor", {}, ttl=60)
    expired = handles.mint("alice", "cursor", {}, ttl=10)
    clock.now += 11
    said: set[str] = set()
    for sent, owner in [
        (handle, "bob"),
        (expired, "alice"),
        ("cu_0000000000000", "alice"),
        ("\ud800", "alice"),
        ("", "alice"),
    ]:
        with pytest.raises(NotFoundError) as told:
            handles.open(sent, owner, "cursor")
        said.add(str(told.value))
    assert len(said) == 1
    assert "repeat the call that gave it" in said.pop()
    with pytest.raises(NotFoundError, match="This journey is unknown or has expired"):
        handles.open(handle, "alice", "journey")
    assert handles.open(handle, "alice", "cursor") == {}


def test_a_handle_outlives_the_process_and_its_store(handles: Handles, place: StatePlace) -> None:
    handle = handles.mint("local", "cursor", {"offset": 3}, ttl=60)
    handles.close()
    with Handles(place, lambda: 1_700_000_000.0) as again:
        assert again.open(handle, "local", "cursor") == {"offset": 3}


def test_processes_share_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each waits for the other however slow the disk is, instead of going on in memory.
    monkeypatch.setattr(handles_module, "_BUSY_SECONDS", 120.0)
    script = (
        "import sys; from pathlib import Path; from groundwire.serving import handles\n"
        "handles._BUSY_SECONDS = 120.0\n"
        "Handles = handles.Handles\n"
        "with Handles(Path(sys.argv[1])) as store:\n"
        "    for n in range(50): print(store.mint('local', 'cursor', {'n': n}, ttl=600))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=-1, text=True)
        for _ in range(2)
    ]
    with Handles(path) as store:
        mine = store.mint("local", "cursor", {"n": -1}, ttl=600)
        for process in processes:
            output, _ = process.communicate(timeout=120)
            assert process.returncode == 0
            opened = [store.open(handle, "local", "cursor")["n"] for handle in output.split()]
            assert opened == list(range(50))
        assert store.open(mine, "local", "cursor") == {"n": -1}
    assert rows(path) == 101


def test_what_has_expired_is_removed_in_time(
    handles: Handles, clock: Clock, place: StatePlace
) -> None:
    for _ in range(600):
        handles.mint("local", "cursor", {}, ttl=10)
    clock.now += 400
    kept = handles.mint("local", "cursor", {}, ttl=10)
    assert rows(place) == 101
    handles.mint("local", "cursor", {}, ttl=10)
    assert rows(place) == 2
    assert handles.open(kept, "local", "cursor") == {}


def test_without_a_folder_handles_are_kept_in_memory_until_there_is_one(
    path: Path, handles: Handles, clock: Clock
) -> None:
    path.parent.write_text("in the way")
    handle = handles.mint("local", "cursor", {"offset": 1}, ttl=60)
    assert handles.open(handle, "local", "cursor") == {"offset": 1}
    with pytest.raises(NotFoundError):
        handles.open("cu_0000000000000", "local", "cursor")
    path.parent.unlink()
    clock.now += 6
    later = handles.mint("local", "cursor", {"offset": 2}, ttl=60)
    assert rows(path) == 1
    assert handles.open(later, "local", "cursor") == {"offset": 2}
    assert handles.open(handle, "local", "cursor") == {"offset": 1}
    clock.now += 60
    with pytest.raises(NotFoundError):
        handles.open(handle, "local", "cursor")


def test_memory_is_bounded(path: Path, handles: Handles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.serving.handles._MEMORY", 3)
    path.parent.write_text("in the way")
    minted = [handles.mint("local", "cursor", {"n": n}, ttl=60) for n in range(5)]
    with pytest.raises(NotFoundError):
        handles.open(minted[1], "local", "cursor")
    assert [handles.open(handle, "local", "cursor")["n"] for handle in minted[2:]] == [2, 3, 4]


def test_a_damaged_file_makes_room_for_a_new_one(
    path: Path, handles: Handles, clock: Clock
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1_000)
    first = handles.mint("local", "cursor", {"n": 1}, ttl=60)
    clock.now += 6
    second = handles.mint("local", "cursor", {"n": 2}, ttl=60)
    assert [handles.open(handle, "local", "cursor")["n"] for handle in (first, second)] == [1, 2]
    assert rows(path) == 1
    assert path.with_name("handles.sqlite.damaged").exists()


def test_another_programs_file_is_left_alone(path: Path, handles: Handles) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photos (id)")
    connection.close()
    handle = handles.mint("local", "cursor", {"n": 1}, ttl=60)
    assert handles.open(handle, "local", "cursor") == {"n": 1}
    connection = sqlite3.connect(path)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
    connection.close()
    assert names == ["photos"]


def test_a_file_that_somebody_holds_does_not_hold_a_caller(
    path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handles_module, "_BUSY_SECONDS", 1.0)
    with Handles(path, clock) as handles:
        handles.mint("local", "cursor", {}, ttl=60)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        minted = [handles.mint("local", "cursor", {"n": n}, ttl=60) for n in range(30)]
        assert 0.9 < time.monotonic() - started < 15  # one waits, the others know
        opened = [handles.open(handle, "local", "cursor")["n"] for handle in minted]
        assert opened == list(range(30))
        holder.close()


def test_a_file_that_was_moved_away_begins_anew(path: Path, handles: Handles) -> None:
    old = handles.mint("local", "cursor", {}, ttl=60)
    for file in path.parent.iterdir():
        file.rename(file.with_name(f"kept-{file.name}"))
    new = handles.mint("local", "cursor", {}, ttl=60)
    assert handles.open(new, "local", "cursor") == {}
    with pytest.raises(NotFoundError):
        handles.open(old, "local", "cursor")


def test_threads_share_a_store(handles: Handles) -> None:
    failed: list[BaseException] = []

    def work(owner: str) -> None:
        try:
            for n in range(50):
                handle = handles.mint(owner, "cursor", {"n": n}, ttl=60)
                assert handles.open(handle, owner, "cursor") == {"n": n}
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(f"owner{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_handle_takes_a_fraction_of_a_millisecond(handles: Handles, place: StatePlace) -> None:
    times: list[float] = []
    for n in range(300):
        started = time.thread_time()
        handle = handles.mint("local", "cursor", {"offset": n, "bound_to": "x" * 64}, ttl=60)
        handles.open(handle, "local", "cursor")
        times.append(time.thread_time() - started)
    assert sorted(times)[len(times) // 2] < (0.001 if isinstance(place, Path) else 0.003)


def test_a_database_that_is_down_does_not_hold_a_caller(tmp_path: Path, clock: Clock) -> None:
    nowhere = Database(f"postgresql://me@127.0.0.1:{free_port()}/state", tmp_path)
    with Handles(nowhere, clock) as handles:
        handle = handles.mint("local", "cursor", {"n": 1}, ttl=60)
        assert handles.open(handle, "local", "cursor") == {"n": 1}
