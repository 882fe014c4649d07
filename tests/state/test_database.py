"""A store in PostgreSQL: laid out once, upgraded, alone while it is written, and told of."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from postgres_cluster import Cluster, cluster, free_port
from state_places import ask, url_of

from groundwire.errors import ConfigurationError, NotFoundError, UnavailableError
from groundwire.state import Database, Layout, StatePlace, Store, opened

TABLES = ("CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT",)
LAYOUT = Layout("counts", "file of counts", 0x47575454, 1, TABLES, busy_seconds=30.0)
NEWER = Layout(
    "counts",
    "file of counts",
    0x47575454,
    3,
    ("CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL, a REAL, b BLOB) STRICT",),
    {
        1: ("ALTER TABLE counts ADD COLUMN a REAL",),
        2: ("ALTER TABLE counts ADD COLUMN b BLOB", "UPDATE counts SET a = count / 2.0"),
    },
    busy_seconds=30.0,
)
ADD = (
    "INSERT INTO counts (name, count) VALUES (?, 1) "
    "ON CONFLICT (name) DO UPDATE SET count = counts.count + 1"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "counts.sqlite"


@pytest.fixture
def store(place: StatePlace) -> Iterator[Store]:
    made = opened(place, LAYOUT)
    yield made
    made.close()


def add(store: Store, name: str) -> None:
    with store.writing() as connection:
        connection.execute(ADD, (name,))


def count(store: Store, name: str) -> int | None:
    with store.reading() as connection:
        if connection is None:
            return None
        row = connection.execute("SELECT count FROM counts WHERE name = ?", (name,)).fetchone()
        return row[0] if row else 0


def refusal(place: StatePlace, layout: Layout = LAYOUT) -> str:
    """The one line that both a reader and a writer are told."""
    store = opened(place, layout)
    said: set[str] = set()
    for act in (lambda: add(store, "a"), lambda: count(store, "a")):
        with pytest.raises(UnavailableError) as told:
            act()
        said.add(str(told.value))
    store.close()
    (line,) = said
    assert "\n" not in line
    return line


def test_nothing_is_laid_out_before_something_is_written(store: Store) -> None:
    assert count(store, "a") is None
    add(store, "a")
    assert (count(store, "a"), count(store, "b")) == (1, 0)


def test_a_block_that_fails_leaves_nothing_and_the_store_goes_on(store: Store) -> None:
    add(store, "a")
    with pytest.raises(NotFoundError), store.writing() as connection:
        connection.execute(ADD, ("a",))
        raise NotFoundError("not there")
    with pytest.raises(UnavailableError), store.writing() as connection:
        connection.execute(ADD, ("a",))
        connection.execute("SELECT nothing FROM nowhere")
    add(store, "a")
    assert count(store, "a") == 2


def test_what_one_writer_reads_stays_true_until_it_ends(place: StatePlace) -> None:
    """Each reads the count and writes it back: none is lost."""

    def work() -> None:
        store = opened(place, LAYOUT)
        for _ in range(25):
            with store.writing() as connection:
                row = connection.execute("SELECT count FROM counts WHERE name = 'a'").fetchone()
                connection.execute("UPDATE counts SET count = ? WHERE name = 'a'", (row[0] + 1,))
        store.close()

    first = opened(place, LAYOUT)
    add(first, "a")
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(first, "a") == 76
    first.close()


def test_servers_that_lay_out_or_upgrade_at_once_agree(place: StatePlace) -> None:
    for layout in (LAYOUT, NEWER):
        failed: list[BaseException] = []

        def work(layout: Layout = layout, failed: list[BaseException] = failed) -> None:
            store = opened(place, layout)
            try:
                add(store, "a")
            except BaseException as error:
                failed.append(error)
            store.close()

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
    assert ask(place, "counts", "SELECT count, a FROM counts") == [(8, 2.0)]


def test_a_newer_store_is_left_alone(place: StatePlace) -> None:
    newer = opened(place, NEWER)
    add(newer, "a")
    newer.close()
    line = refusal(place)
    assert "it has version 3, this Groundwire reads version 1" in line
    assert line.endswith("update Groundwire.")


def test_versions_are_recorded(database: Database) -> None:
    for layout in (LAYOUT, NEWER):
        store = opened(database, layout)
        add(store, "a")
        store.close()
    assert ask(database, "counts", "SELECT version FROM versions ORDER BY version") == [
        (1,), (2,), (3,)
    ]  # fmt: skip
    older = Layout("counts", "", 1, 4, TABLES, {2: ()})
    assert "from which nothing leads to version 4" in refusal(database, older)


def test_a_writer_waits_only_so_long(database: Database) -> None:
    hasty = Layout("counts", "file of counts", 0x47575454, 1, TABLES, busy_seconds=0.2)
    store, other = opened(database, hasty), opened(database, hasty)
    add(store, "a")
    with other.writing():
        started = time.monotonic()
        with pytest.raises(UnavailableError, match="another server is at work on it"):
            add(store, "a")
        assert time.monotonic() - started < 5
        assert count(store, "a") == 1  # readers do not wait
    add(store, "a")
    store.close()
    other.close()


def test_a_connection_that_the_server_ended_is_made_anew(database: Database) -> None:
    store = opened(database, LAYOUT)
    add(store, "a")
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND application_name = 'groundwire'"
        )
    time.sleep(0.2)
    add(store, "a")
    assert count(store, "a") == 2
    store.close()


def test_a_database_that_is_read_only_is_read(database: Database) -> None:
    store = opened(database, LAYOUT)
    add(store, "a")
    store.close()
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute("ALTER DATABASE postgres SET default_transaction_read_only = on")
        try:
            assert count(store, "a") == 1
            with pytest.raises(UnavailableError, match="it is read-only, as a standby is"):
                add(store, "a")
        finally:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute("ALTER DATABASE postgres RESET default_transaction_read_only")
    store.close()


def test_clocks_are_compared(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is an hour slow counts as the others do."""
    now = time.time
    monkeypatch.setattr("groundwire.state.postgres.time.time", lambda: now() - 3_600)
    store = opened(database, LAYOUT)
    add(store, "a")
    store.close()
    assert 3_590 < database.ahead < 3_610
    assert abs(database.clock(time.time)() - now()) < 10


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    nowhere = Database(f"postgresql://me@127.0.0.1:{free_port()}/state", tmp_path)
    line = refusal(nowhere)
    assert line.startswith(f"The counts in {nowhere.shown} cannot be used (")
    assert line.endswith("see that the server runs and that GROUNDWIRE_STATE names it.")
    assert "me@" not in line


def test_a_wrong_password_is_one_line_without_it(
    state_server: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_STATE_PASSWORD", "not-the-password")
    with psycopg.connect(url_of(state_server), autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN PASSWORD 'the-password'")
    url = f"postgresql://reader@127.0.0.1:{state_server.port}/postgres"
    line = refusal(Database(url, tmp_path))
    assert 'password authentication failed for user "reader"' in line
    assert line.endswith("GROUNDWIRE_STATE and GROUNDWIRE_STATE_PASSWORD are right.")
    assert "not-the-password" not in line
    monkeypatch.setenv("GROUNDWIRE_STATE_PASSWORD", "the-password")
    store = opened(Database(url, tmp_path), LAYOUT)
    with pytest.raises(UnavailableError, match="GRANT CREATE ON DATABASE"):
        add(store, "a")
    store.close()
    url = url.replace("/postgres", "/nowhere").replace("reader", "postgres")
    assert 'database "nowhere" does not exist' in refusal(Database(url, tmp_path))


def test_a_server_that_goes_and_comes_is_told_and_found_again(tmp_path: Path) -> None:
    with cluster("") as server:
        store = opened(Database(url_of(server), tmp_path), LAYOUT)
        add(store, "a")
        server.stop()
        for _ in range(2):
            with pytest.raises(UnavailableError, match=r"see that the server runs|try again"):
                add(store, "a")
        server.start()
        add(store, "a")
        assert count(store, "a") == 2
        store.close()


def test_a_password_in_the_url_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="holds a password") as told:
        Database("postgresql://me:hunter2@h/d", tmp_path)
    assert "hunter2" not in str(told.value)
