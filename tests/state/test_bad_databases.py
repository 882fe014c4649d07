"""Databases that are full, slow or silent, and servers whose clocks are apart."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from learning_worlds import World
from postgres_cluster import Cluster, cluster
from small_disks import mounted_disk
from state_places import ask, url_of

from groundwire.agents.runs.records import Asked
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.contract import AgentExecutionMetadata, AgentOutput, AgentReasoning
from groundwire.errors import NotFoundError, UnavailableError
from groundwire.evidence import Draft, Ledger, Value
from groundwire.serving.handles import Handles
from groundwire.sparql.runs import KgRun, KgRunStore
from groundwire.sparql.workflow.model import Asked as AskedGraph
from groundwire.state import Database, Layout, opened
from groundwire.state.shared_file import SharedFile

COUNTS = Layout(
    "counts", "file of counts", 0x47575454, 1, ("CREATE TABLE counts (one TEXT) STRICT",)
)
ANSWER = Draft((Value("length", "12.5", unit="km"),), payload=os.urandom(50_000))


def processes(server: Cluster) -> list[int]:
    with psycopg.connect(url_of(server), autocommit=True) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'groundwire'"
        ).fetchall()
    return [one for (one,) in found]


@contextmanager
def silent(server: Cluster) -> Iterator[None]:
    """Let every process that serves us stand still, as where a disk does not answer."""
    stopped = processes(server)
    assert stopped
    for one in stopped:
        os.kill(one, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in stopped:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGCONT)


@contextmanager
def small_cluster(folder: Path) -> Iterator[tuple[Database, Path]]:
    """A database whose tables lie on a disk of three megabytes."""
    with cluster("") as server, mounted_disk(Path(server.data).parent, "3m", lazily=True) as disk:
        tables = disk / "tables"
        tables.mkdir()
        shutil.chown(tables, "postgres")
        with psycopg.connect(url_of(server), autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{tables}'".encode())
            connection.execute("ALTER ROLE postgres SET default_tablespace = small")
        yield Database(url_of(server), folder), disk
        with psycopg.connect(url_of(server), autocommit=True) as connection:
            connection.execute("CHECKPOINT")


def test_a_full_disk_is_told_and_what_was_acknowledged_is_there(tmp_path: Path) -> None:
    with small_cluster(tmp_path) as (database, disk), Ledger(database) as ledger:
        kept: list[str] = []
        ballast = disk / "ballast"
        kept.append(ledger.record("ada", "t", {}, ANSWER).evidence_id)
        with suppress(OSError):
            ballast.write_bytes(bytes(4_000_000))
        said = ""
        for _ in range(200):
            try:
                kept.append(ledger.record("ada", "t", {}, ANSWER).evidence_id)
            except UnavailableError as error:
                said = str(error)
                break
        assert said.endswith("free some space on its disk."), said
        assert "\n" not in said
        with Handles(database) as handles:
            handle = handles.mint("ada", "cursor", {"n": 1}, ttl=60)
            assert handles.open(handle, "ada", "cursor") == {"n": 1}
        ballast.unlink()
        kept.append(ledger.record("ada", "t", {}, ANSWER).evidence_id)
        assert all(ledger.get(one, "ada").tool == "t" for one in kept)
        found = ledger.verify()
        assert (found.ok, found.records) == (True, len(kept)), found.reason


@pytest.mark.parametrize("kind", [opened, SharedFile], ids=["rows", "pages"])
def test_a_database_that_stands_still_is_given_up(
    kind: Callable[..., SharedFile], state_server: Cluster, database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("groundwire.state.postgres.PATIENCE_S", 1.0)
    store = kind(database, COUNTS)
    with store.writing() as connection:
        connection.execute("INSERT INTO counts VALUES ('before')")
    for block in (store.writing, store.reading):
        with silent(state_server):
            began = time.monotonic()
            with pytest.raises(UnavailableError, match="does not answer"), block() as connection:
                connection.execute("SELECT one FROM counts").fetchall()
            assert time.monotonic() - began < 20
        # It goes on with the next call.
        with store.writing() as connection:
            connection.execute("INSERT INTO counts VALUES ('after')")
    with store.reading() as connection:
        rows = connection.execute("SELECT one FROM counts").fetchall()
    assert sorted(rows) == [("after",), ("after",), ("before",)]
    store.close()


def test_a_database_that_is_slow_is_waited_for(database: Database) -> None:
    """Each commit takes half a second, and nothing is lost or given up."""
    store = opened(database, COUNTS)
    with store.writing() as connection:
        connection.execute("INSERT INTO counts VALUES ('first')")
    with psycopg.connect(**database.arguments(), autocommit=True) as connection:
        connection.execute("SET search_path = groundwire_counts")
        connection.execute(
            "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$"
        )
        connection.execute(
            "CREATE TRIGGER slow BEFORE INSERT ON counts FOR EACH ROW EXECUTE FUNCTION slow()"
        )

    def work() -> None:
        other = opened(database, COUNTS)
        with other.writing() as connection:
            connection.execute("INSERT INTO counts VALUES ('later')")
        other.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ask(database, "counts", "SELECT one FROM counts")) == 4
    store.close()


class Skewed:
    """The clocks of two machines, and the databases that their servers name."""

    def __init__(self, database: Database, slow_by: float, patch: pytest.MonkeyPatch) -> None:
        self._slow_by, self._patch = slow_by, patch
        self.right = database
        url = f"postgresql://postgres@127.0.0.1:{database.arguments()['port']}/postgres"
        self.slow = Database(url, database.home / "slow")
        self.later = 0.0
        now = time.time
        with patch.context() as patched:
            patched.setattr("groundwire.state.postgres.time.time", lambda: now() - slow_by)
            store = opened(self.slow, COUNTS)
            with store.writing() as connection:
                connection.execute("INSERT INTO counts VALUES ('x')")
            store.close()
        # What was learnt of the clocks stays, though this process has but one.
        self.ahead = self.slow.ahead
        assert abs(self.ahead - slow_by) < 5

    def right_clock(self) -> float:
        return time.time() + self.later

    def slow_clock(self) -> float:
        return time.time() + self.later - self._slow_by


@pytest.fixture(params=[7_200.0, -7_200.0], ids=["slow", "fast"])
def skewed(
    database: Database, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Skewed:
    made = Skewed(database, request.param, monkeypatch)
    # Each store connects anew, and would learn that this machine's clock is right.
    monkeypatch.setattr(
        Database,
        "ahead",
        property(lambda one: made.ahead if one is made.slow else 0.0, lambda one, value: None),
        raising=False,
    )
    return made


def test_handles_expire_by_one_clock(skewed: Skewed) -> None:
    with (
        Handles(skewed.right, skewed.right_clock) as right,
        Handles(skewed.slow, skewed.slow_clock) as slow,
    ):
        of_slow = slow.mint("ada", "cursor", {"n": 1}, ttl=60)
        of_right = right.mint("ada", "cursor", {"n": 2}, ttl=60)
        assert right.open(of_slow, "ada", "cursor") == {"n": 1}
        assert slow.open(of_right, "ada", "cursor") == {"n": 2}
        skewed.later = 70
        for handles, handle in ((right, of_slow), (slow, of_right)):
            with pytest.raises(NotFoundError):
                handles.open(handle, "ada", "cursor")


def test_signs_of_life_are_counted_by_one_clock(skewed: Skewed) -> None:
    output = AgentOutput(
        run_id="run_1",
        success=False,
        result={},
        reasoning=AgentReasoning(decision="", confidence=0),
        metadata=AgentExecutionMetadata(
            execution_time_ms=0, iterations=0, model="m", agent_version="1"
        ),
    )
    graph = KgRun(asked=AskedGraph("x"), endpoint="e")
    with (
        RunStore(skewed.right, skewed.right_clock) as right,
        RunStore(skewed.slow, skewed.slow_clock) as slow,
        KgRunStore(skewed.right, skewed.right_clock) as right_graphs,
        KgRunStore(skewed.slow, skewed.slow_clock) as slow_graphs,
    ):
        slow.keep(Asked("run_1", "ada", "metrics_agent", "x"), "running", output)
        slow_graphs.keep("ada", "kg_1", graph)
        assert right.get("ada", "run_1").status == "running"
        found = right_graphs.get("ada", "kg_1")
        assert found is not None and not found.is_lost
        skewed.later = 90
        assert right.get("ada", "run_1").status == "interrupted"
        found = right_graphs.get("ada", "kg_1")
        assert found is not None and found.is_lost


def test_reviews_stand_in_the_order_of_their_answers(skewed: Skewed) -> None:
    right = World(skewed.right, round(skewed.right_clock() * 1000))
    slow = World(skewed.slow, round(skewed.slow_clock() * 1000))
    right.card("c1")
    for world in (right, slow, right, slow):
        world.review("c1")
        for each in (right, slow):
            each.wait(days=3)
    rows = right.rows("SELECT at_ms FROM reviews ORDER BY sequence")
    moments = [one for (one,) in rows]
    assert moments == sorted(moments)
    gaps = [later - first for first, later in itertools.pairwise(moments)]
    assert all(abs(one - 3 * 86_400_000) < 60_000 for one in gaps), gaps
    assert right.schedule() == slow.schedule()
    for world in (right, slow):
        world.base.close()


def test_records_of_servers_whose_clocks_are_apart_are_one_chain(skewed: Skewed) -> None:
    with (
        Ledger(skewed.right, clock=skewed.right_clock) as right,
        Ledger(skewed.slow, clock=skewed.slow_clock) as slow,
    ):
        ids = [
            ledger.record("ada", "t", {"n": number}, ANSWER).evidence_id
            for number, ledger in enumerate((right, slow, right, slow))
        ]
        assert [one.evidence_id for one in right.listed("ada", 10)] == ids[::-1]
        assert right.verify().ok
