"""The ledger in PostgreSQL: what only a database can do to it is found, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from state_places import ask, url_of

from groundwire.evidence import Draft, Ledger
from groundwire.state import Database

RECORDS = 5


@pytest.fixture
def written(database: Database, answer: Draft) -> Iterator[Ledger]:
    with Ledger(database) as ledger:
        for n in range(RECORDS):
            ledger.record("local", "t", {"n": n}, Draft(answer.values, payload=b"answer %d" % n))
        yield ledger


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DROP INDEX records_by_owner", "missing is CREATE INDEX records_by_owner"),
        ("ALTER TABLE records ADD COLUMN note TEXT", "missing is table records"),
        ("ALTER TABLE records DROP CONSTRAINT records_evidence_id_key", "missing is CREATE UNIQUE"),
        ("CREATE VIEW other AS SELECT * FROM records", "there is besides"),
        ("CREATE RULE silent AS ON INSERT TO records DO INSTEAD NOTHING", "besides rule silent"),
        ("CREATE POLICY hidden ON records USING (owner = 'bob')", "besides policy hidden"),
        (
            "CREATE FUNCTION quiet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
            "CREATE TRIGGER hush BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION quiet()",
            "besides trigger hush",
        ),
    ],
)
def test_changed_tables_are_found(
    written: Ledger, database: Database, statement: str, reason: str
) -> None:
    assert written.verify().ok
    ask(database, "evidence", statement)
    found = written.verify()
    assert (found.ok, found.first_bad) == (False, 0)
    assert found.reason is not None
    assert reason in found.reason


def test_a_database_that_was_put_back_is_found_by_every_server(
    database: Database, answer: Draft, tmp_path: Path
) -> None:
    other = Database(url_of(database), tmp_path / "other")
    with Ledger(database) as first, Ledger(other) as second:
        for ledger in (first, second, first):
            ledger.record("local", "t", {}, answer)
        assert first.verify().noted == first.head()
        assert second.verify().ok
        ask(database, "evidence", "DELETE FROM records WHERE sequence > 1")
        for ledger, last in ((first, 3), (second, 2)):
            found = ledger.verify()
            assert not found.ok
            assert found.reason is not None
            assert f"(record {last}) is not in the chain" in found.reason


def test_a_walk_along_the_chain_does_not_stop_writers(written: Ledger, answer: Draft) -> None:
    more: list[str] = []

    def told(done: int, total: int) -> None:
        more.append(written.record("local", "t", {}, answer).evidence_id)

    assert written.verify(progress=told).records == RECORDS
    assert more
    assert all(written.inspect(one).tool == "t" for one in more)
