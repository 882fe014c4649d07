"""A PostgreSQL server that is not there, and one that answers and says no."""

from __future__ import annotations

import pytest

from groundwire.tables.postgres.connections import explained

psycopg = pytest.importorskip("psycopg", reason="PostgreSQL's driver is not installed")


@pytest.mark.parametrize(
    "said",
    [
        'connection failed: connection to server at "127.0.0.1", port 9 failed: Connection refused',
        "connection timeout expired",
        'could not translate host name "nowhere" to address: Name or service not known',
    ],
)
def test_a_server_that_is_not_there_cannot_be_reached(said: str) -> None:
    refused, told = explained(psycopg.OperationalError(said), None)
    assert not refused
    assert told == f"The PostgreSQL server cannot be reached ({said}): check the endpoint."


def test_a_server_that_answers_has_its_reason_told() -> None:
    said = 'connection failed: FATAL: role "ann" does not exist'
    _, told = explained(psycopg.OperationalError(said), None)
    assert told == f"The PostgreSQL server does not let us in ({said}): check the endpoint."
