"""A file of SQLite that servers share through a database: each sees what the others wrote."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from postgres_cluster import Cluster, cluster
from state_places import ask, url_of

from groundwire.errors import NotFoundError, UnavailableError
from groundwire.state import Database, Layout
from groundwire.state.shared_file import COPIES, SharedFile

LAYOUT = Layout(
    "counts",
    "file of counts",
    0x47575454,
    1,
    (
        "CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT",
        "CREATE VIRTUAL TABLE words USING fts5(word)",
    ),
    busy_seconds=30.0,
)
NEWER = Layout(
    "counts",
    "file of counts",
    0x47575454,
    2,
    (),
    {1: ("ALTER TABLE counts ADD COLUMN a INTEGER", "UPDATE counts SET a = count * 2")},
    busy_seconds=30.0,
)
ADD = "INSERT INTO counts VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1"

Open = Callable[..., SharedFile]


@pytest.fixture
def server(database: Database) -> Iterator[Open]:
    """Open the file as one more server does."""
    opened: list[SharedFile] = []

    def open_one(layout: Layout = LAYOUT) -> SharedFile:
        opened.append(SharedFile(database, layout))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def add(file: SharedFile, name: str = "a") -> None:
    with file.writing() as connection:
        connection.execute(ADD, (name,))


def count(file: SharedFile, name: str = "a") -> int | None:
    with file.reading() as connection:
        if connection is None:
            return None
        row = connection.execute("SELECT count FROM counts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else 0


def whole(file: SharedFile) -> tuple[list[str], str]:
    with file.reading() as connection:
        assert connection is not None
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
        return list(connection.iterdump()), sound


def test_what_one_server_writes_the_others_read(server: Open) -> None:
    one, other = server(), server()
    assert count(one) is None
    for turn in range(1, 6):
        add((one, other)[turn % 2])
        assert (count(one), count(other)) == (turn, turn)
    with one.writing() as connection:
        connection.executemany("INSERT INTO words VALUES (?)", [("tower bridge",), ("thames",)])
    with other.reading() as connection:
        assert connection is not None
        found = connection.execute("SELECT word FROM words WHERE words MATCH 'bridge'").fetchall()
    assert found == [("tower bridge",)]
    assert whole(one) == whole(other) == whole(server())
    assert whole(one)[1] == "ok"


def test_writers_wait_for_each_other_and_none_is_lost(server: Open) -> None:
    def work(file: SharedFile, name: str) -> None:
        for _ in range(20):
            with file.writing() as connection:
                row = connection.execute("SELECT count FROM counts WHERE name = 'a'").fetchone()
                connection.execute("UPDATE counts SET count = ? WHERE name = 'a'", (row[0] + 1,))
                connection.execute(ADD, (name,))

    first = server()
    add(first)
    files = [server() for _ in range(3)]
    threads = [
        threading.Thread(target=work, args=(file, f"n{number}"))
        for number, file in enumerate(files)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [count(first, name) for name in ("a", "n0", "n1", "n2")] == [61, 20, 20, 20]


def test_servers_that_lay_out_at_once_agree(server: Open) -> None:
    threads = [threading.Thread(target=add, args=(server(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(server()) == 4


def test_a_block_that_fails_leaves_nothing_here_or_there(server: Open) -> None:
    one, other = server(), server()
    for failure in (NotFoundError("no"), sqlite3.OperationalError("no")):
        with pytest.raises((NotFoundError, UnavailableError)), one.writing() as connection:
            connection.execute(ADD, ("a",))
            raise failure
    assert count(other) is None
    add(one)
    with pytest.raises(NotFoundError), one.writing() as connection:
        # More than the cache holds, so that pages of it come to the log before it is undone.
        connection.execute("PRAGMA cache_size = 5")
        connection.executemany(ADD, [(f"name {number:06}",) for number in range(20_000)])
        raise NotFoundError("no")
    add(other)
    add(one)
    assert (count(one), count(other), count(other, "name 000001")) == (3, 3, 0)
    assert whole(one) == whole(other)


def test_a_commit_of_many_pages_arrives_whole(server: Open) -> None:
    one, other = server(), server()
    add(other)
    with one.writing() as connection:
        connection.execute("PRAGMA cache_size = 5")
        connection.executemany(ADD, [(f"name {number:06}",) for number in range(20_000)])
    with one.writing() as connection:
        connection.execute("DELETE FROM counts WHERE name LIKE 'name%'")
    add(other)
    assert whole(one) == whole(other) == whole(server())
    assert (count(one), whole(one)[1]) == (2, "ok")


def test_what_did_not_come_to_the_database_is_not_read(database: Database, server: Open) -> None:
    one, other = server(), server()
    add(one)
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION groundwire_counts.refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$"
        )
        connection.execute(
            "CREATE TRIGGER refused BEFORE INSERT ON groundwire_counts.commits "
            "FOR EACH ROW EXECUTE FUNCTION groundwire_counts.refuse()"
        )
        for _ in range(2):
            with pytest.raises(UnavailableError, match="free some space on its disk"):
                add(one)
            assert (count(one), count(other)) == (1, 1)
        connection.execute("DROP TRIGGER refused ON groundwire_counts.commits")
    add(one)
    assert (count(one), count(other)) == (2, 2)


def test_what_was_deleted_is_scrubbed_from_the_disk(
    state_server: Cluster, database: Database, server: Open
) -> None:
    def on_disk() -> bool:
        with psycopg.connect(**database.arguments(), autocommit=True) as connection:
            connection.execute("CHECKPOINT")
        files = (one for one in Path(state_server.data, "base").rglob("*") if one.is_file())
        return any(b"what is to be erased" in one.read_bytes() for one in files)

    one = server()
    one.scrub()
    add(one)
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute("ALTER TABLE groundwire_counts.pages ALTER data SET STORAGE EXTERNAL")
        add(one, "what is to be erased")
        with one.writing() as file:
            file.execute("PRAGMA secure_delete = ON")
            file.execute("DELETE FROM counts WHERE name = 'what is to be erased'")
        assert on_disk()
        connection.execute("BEGIN; LOCK TABLE groundwire_counts.pages IN ACCESS SHARE MODE")
        other = server(replace(LAYOUT, busy_seconds=0.2))
        with pytest.raises(UnavailableError, match="another server is at work on it, so try"):
            other.scrub()
        connection.execute("ROLLBACK")
    other.scrub()
    assert not on_disk()
    add(one)
    assert (count(one), count(other)) == (2, 2)


def test_a_database_that_was_put_back_is_followed(database: Database, server: Open) -> None:
    one, other = server(), server()
    add(one)
    kept = {
        table: ask(database, "counts", f"SELECT * FROM {table}") for table in ("commits", "pages")
    }
    for _ in range(3):
        add(one, "of the lost history")
    assert count(other, "of the lost history") == 3
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute("SET search_path = groundwire_counts")
        for table, rows in kept.items():
            connection.execute(f"TRUNCATE {table}".encode())
            marks = ", ".join(["%s"] * len(rows[0]))
            with connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO {table} VALUES ({marks})".encode(), rows)
    # Another server writes until the lost history was as long.
    late = server()
    for _ in range(4):
        add(late)
    for file in (one, other):
        assert (count(file, "of the lost history"), count(file)) == (0, 5)
    assert whole(one) == whole(late)


def test_an_older_file_is_upgraded_once_and_a_newer_one_left_alone(server: Open) -> None:
    older = server()
    add(older)
    newer, also = server(NEWER), server(NEWER)
    assert count(newer) == 1
    with also.reading() as connection:
        assert connection is not None
        assert connection.execute("SELECT a FROM counts").fetchall() == [(2,)]
    for act in (add, count):
        with pytest.raises(UnavailableError, match=r"it has version 2.*update Groundwire"):
            act(older)
    assert count(also) == 1


def test_a_read_only_database_is_read(database: Database, server: Open) -> None:
    add(server())
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
        try:
            file = server()
            assert count(file) == 1
            with pytest.raises(UnavailableError, match="it is read-only, as a standby is"):
                add(file)
            assert count(file) == 1
        finally:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute("ALTER DATABASE postgres RESET default_transaction_read_only")


def test_a_database_that_goes_and_comes_is_told_and_found_again(tmp_path: Path) -> None:
    with cluster("") as running:
        file = SharedFile(Database(url_of(running), tmp_path), LAYOUT)
        add(file)
        running.stop()
        for act in (add, count, add):
            with pytest.raises(UnavailableError, match=r"see that the server runs|try again"):
                act(file)
        running.start()
        add(file)
        assert count(file) == 2
        file.close()


def test_copies_are_of_their_user_and_end_with_their_process(
    database: Database, server: Open
) -> None:
    folder = database.home / COPIES
    first = server()
    add(first)
    (left,) = folder.glob("*.sqlite")
    assert left.stat().st_mode & 0o077 == 0
    # One whose process was killed, and the one that is in use.
    dead = folder / "counts-dead.sqlite"
    dead.write_bytes(b"pages")
    dead.with_suffix(".lock").touch()
    second = server()
    assert count(second) == 1
    assert not dead.exists()
    assert left.exists()
    first.close()
    second.close()
    assert [*folder.iterdir()] == []


def test_a_copy_that_was_removed_is_made_anew(database: Database, server: Open) -> None:
    file = server()
    add(file)
    for one in (database.home / COPIES).glob("*.sqlite*"):
        one.unlink()
    assert count(file) == 1
    for one in (database.home / COPIES).glob("*.sqlite*"):
        one.unlink()
    add(file)
    assert count(server()) == 2


def test_a_reader_beside_sees_what_its_block_sees(server: Open) -> None:
    file, other = server(), server()
    add(file)
    with file.reading() as connection:
        assert connection is not None
        add(other)
        beside = file.beside()
        with beside.reading() as second:
            assert second is not None
            assert second.execute("SELECT count FROM counts").fetchall() == [(1,)]
        beside.close()
        assert connection.execute("SELECT count FROM counts").fetchall() == [(1,)]
    assert count(file) == 2
