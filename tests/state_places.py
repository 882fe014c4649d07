"""Where tests of state run: over an SQLite file, and over a schema of PostgreSQL.

A test that asks for the fixture `place`, or for one made of it, runs over both; one that has
values of its own for `place` is left alone. One that looks into
the file itself, and so asks for `path`, runs over the file alone.
"""

from __future__ import annotations

import inspect
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from postgres_cluster import Cluster, cluster

from groundwire.state import Database

_EMPTY = """
    DO $$ DECLARE one text; BEGIN
        FOR one IN SELECT nspname FROM pg_namespace WHERE nspname LIKE 'groundwire%' LOOP
            EXECUTE 'DROP SCHEMA ' || one || ' CASCADE';
        END LOOP;
    END $$
"""


def url_of(place: Cluster | Database) -> str:
    port = place.port if isinstance(place, Cluster) else place.arguments()["port"]
    return f"postgresql://postgres@127.0.0.1:{port}/postgres"


def parametrize(metafunc: pytest.Metafunc) -> None:
    own = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "place" in metafunc.fixturenames and not any("place" in str(names) for names in own):
        of_files = "path" in inspect.signature(metafunc.function).parameters
        places = ["sqlite"] if of_files else ["sqlite", "postgresql"]
        metafunc.parametrize("place", places, indirect=True)


def ask(place: Path | Database, store: str, statement: str) -> list[Any]:
    """Run a statement of SQLite behind the back of a store; its rows."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place)) as connection, connection:
            return connection.execute(statement).fetchall()
    statement = re.sub(r"zeroblob\((\d+)\)", r"decode(repeat('00', \1), 'hex')", statement)
    statement = re.sub(r"\bx'(\w*)'", r"'\\x\1'::bytea", statement).replace("BLOB", "BYTEA")
    with psycopg.connect(**place.arguments(), autocommit=True) as connection:
        connection.execute(f"SET search_path = groundwire_{store}".encode())
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="session")
def state_server() -> Iterator[Cluster]:
    with cluster("") as server:
        yield server


@pytest.fixture
def database(state_server: Cluster, tmp_path: Path) -> Database:
    """A database without any state."""
    with psycopg.connect(url_of(state_server), autocommit=True) as connection:
        connection.execute(_EMPTY.encode())
    return Database(url_of(state_server), tmp_path / "home")


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Path | Database:
    return request.getfixturevalue("path" if request.param == "sqlite" else "database")
