"""Facts in a database that servers share: what one imports, the others answer from."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

import psycopg
import pytest
from postgres_cluster import Cluster, cluster
from state_places import url_of

from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.metrics.factbase import FactBase, Places
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.query import query_metric
from groundwire.metrics.terms import Arguments
from groundwire.state import Database
from groundwire.state.shared_file import COPIES

TODAY = date(2026, 11, 21)
YEAR = (date(2024, 1, 1), date(2024, 12, 31))
Open = Callable[..., SqliteFacts]


@pytest.fixture
def opened(database: Database, tmp_path: Path) -> Iterator[Open]:
    """Stores of servers on machines of their own, over one database."""
    stores: list[SqliteFacts] = []

    def make(read_only: bool = True) -> SqliteFacts:
        home = tmp_path / f"machine{len(stores)}"
        place = Database(url_of(database), home, "GROUNDWIRE_FACTS")
        stores.append(SqliteFacts(place, read_only=read_only))
        return stores[-1]

    yield make
    for one in stores:
        one.close()


def add(store: SqliteFacts, value: int, name: str = "a.csv") -> None:
    document = SourceDocument(name, name.encode().hex().ljust(64, "0"), "ACME", None)
    with store.writer() as writer:
        start, end, known = (one.toordinal() for one in (*YEAR, date(2025, 2, 1)))
        number = writer.document(document)
        about = ("SALES", "A", "TOTAL", start, end, known)
        writer.add([FactRow(*about, value, 0, "EUR", number, "row {}", 2, None)])


def told(store: SqliteFacts) -> list[str]:
    return [str(one.value) for one in store.lookup("SALES", "A", "TOTAL", *YEAR)]


def test_an_import_is_answered_by_every_server_at_once(opened: Open) -> None:
    writer, first, second = opened(read_only=False), opened(), opened()
    add(writer, 77123)
    assert told(first) == told(second) == told(writer) == ["77123"]
    add(writer, 5, "b.csv")
    assert [one.document.name for one in second.documents()] == ["a.csv", "b.csv"]
    assert writer.forget("a.csv") == 1
    assert told(first) == told(second) == ["5"]
    assert first.check() is None


def test_a_database_without_facts_says_so_and_is_left_as_it_is(
    opened: Open, database: Database
) -> None:
    reader = opened()
    with pytest.raises(UnavailableError, match="holds no facts yet: import some first"):
        told(reader)
    with psycopg.connect(url_of(database)) as connection:
        there = connection.execute("SELECT to_regnamespace('groundwire_facts')").fetchone()
    assert there == (None,)
    add(opened(read_only=False), 7)
    assert told(reader) == ["7"]


def test_a_reader_changes_nothing(opened: Open) -> None:
    with pytest.raises(UnavailableError, match="was opened for reading only"):
        add(opened(), 1)


def test_a_damaged_copy_is_made_anew_and_never_answered_from(opened: Open, tmp_path: Path) -> None:
    add(opened(read_only=False), 77123)
    reader = opened()
    assert told(reader) == ["77123"]
    (copy,) = (tmp_path / "machine1" / COPIES).glob("*.sqlite")
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE facts SET mantissa = 99999")
    for _ in range(2):
        with suppress(UnavailableError):
            assert told(reader) == ["77123"]
    assert told(reader) == ["77123"]


def test_facts_that_were_changed_in_the_database_are_no_answer(
    opened: Open, database: Database, tmp_path: Path
) -> None:
    add(opened(read_only=False), 77123)
    reader = opened()
    told(reader)
    (copy,) = (tmp_path / "machine1" / COPIES).glob("*.sqlite")
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("UPDATE facts SET mantissa = 99999")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = copy.read_bytes()
    with psycopg.connect(url_of(database), autocommit=True) as connection:
        for number in range(len(data) // size):
            connection.execute(
                "UPDATE groundwire_facts.pages SET data = %s WHERE number = %s",
                (data[number * size : (number + 1) * size], number + 1),
            )
    with pytest.raises(UnavailableError, match="changed after"):
        told(opened())


@pytest.fixture
def server() -> Iterator[Cluster]:
    with cluster("") as running:
        yield running


def test_a_database_that_goes_and_comes_back(server: Cluster, tmp_path: Path) -> None:
    place = Database(url_of(server), tmp_path, "GROUNDWIRE_FACTS")
    with SqliteFacts(place) as store:
        add(store, 77123)
        server.stop()
        for _ in range(2):
            with pytest.raises(UnavailableError) as refused:
                told(store)
            assert "The facts in postgresql://127.0.0.1" in str(refused.value)
            assert "GROUNDWIRE_STATE" not in str(refused.value)
        server.start()
        assert told(store) == ["77123"]


def test_a_fact_base_answers_from_the_database_and_keeps_documents_here(
    opened: Open, database: Database, tmp_path: Path
) -> None:
    add(opened(read_only=False), 77123)
    profile = tmp_path / "profile.toml"
    profile.write_text(
        '[profile]\nname = "bakery"\nexample_metric = "SALES"\n[kinds.shop]\nlabel = "shop"\n'
        'home = "A"\n[[entities]]\ncode = "A"\nkind = "shop"\nname = "Alpha"\n'
        '[[metrics]]\ncode = "SALES"\nkind = "shop"\nlabel = "Sales"\nunit = "EUR"\n',
        "utf-8",
    )
    places = Places(profile, Database(url_of(database), tmp_path / "home"), tmp_path / "home")
    with closing(FactBase(places, today=lambda: TODAY)) as base:
        asked = Arguments("sales", "Alpha", "2024", "TOTAL")
        assert query_metric(base.state(), asked, TODAY)[0].value_text == "77123"
        late = Arguments("sales", "Alpha", "2023", "TOTAL")
        assert query_metric(base.state(), late, TODAY)[0].status == "not_found"
        assert places.narrative_of(base.state().profile).parent == tmp_path / "home" / "facts"


def test_the_password_is_that_of_the_facts(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_STATE_PASSWORD", "of-state")
    place = Database(url_of(database), tmp_path, "GROUNDWIRE_FACTS")
    assert "password" not in place.arguments()
    monkeypatch.setenv("GROUNDWIRE_FACTS_PASSWORD", "of-facts")
    assert place.arguments()["password"] == "of-facts"


def test_without_psycopg_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.state.stores.find_spec", dict[str, None]().get)
    with pytest.raises(
        ConfigurationError, match=r"GROUNDWIRE_FACTS names .*groundwire\[postgres\]"
    ):
        Database("postgresql://h/d", tmp_path, "GROUNDWIRE_FACTS")
