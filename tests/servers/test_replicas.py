"""Three servers with one database: nothing is lost, and what one made the others know."""

from __future__ import annotations

from pathlib import Path

from replicas import Load, replicas
from state_places import url_of

from groundwire.evidence import Ledger
from groundwire.state import Database


def test_a_killed_replica_loses_nothing_that_was_acknowledged(
    database: Database, tmp_path: Path
) -> None:
    with replicas(url_of(database), tmp_path) as servers:
        said = f"state is shared in {database.shown}; on this machine alone stay facts and imported"
        assert said in servers[0].said
        outcome = Load(servers).run(clients=8, calls=300, kill_every=0.5)
    assert outcome.kills > 0
    assert outcome.wrong == []
    assert outcome.calls["get_computed_journey"] > 0 and outcome.calls["get_evidence"] > 0
    assert sum(outcome.told.values()) < 150, outcome.told
    with Ledger(database) as ledger:
        assert outcome.lost(ledger) == []
        found = ledger.verify()
        assert found.ok, found.reason
        assert found.records >= len(outcome.acknowledged) > 100
