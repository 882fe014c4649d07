"""Three servers with one database: nothing is lost, and what one made the others know."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from postgres_cluster import cluster
from replicas import (
    ERAS,
    QUESTIONS,
    Load,
    Outcome,
    Refusal,
    call,
    keep_cards,
    keep_facts,
    plain_client,
    proxied,
    replicas,
)
from state_places import url_of

from groundwire.evidence import Ledger
from groundwire.state import Database


def test_a_killed_replica_loses_nothing_that_was_acknowledged(
    database: Database, tmp_path: Path
) -> None:
    keep_cards(database)
    keep_facts(database)
    with replicas(url_of(database), tmp_path) as servers, proxied(servers) as url:
        said = f"state is shared in {database.shown}; on this machine alone stay facts (unless"
        assert said in servers[0].said
        assert f"facts are shared in {database.shown}" in servers[0].said
        outcome = Load(servers, url).run(clients=8, calls=300, kill_every=0.5)
    assert outcome.kills > 0
    assert outcome.wrong == []
    assert outcome.calls["get_computed_journey"] > 0 and outcome.calls["get_evidence"] > 0
    assert sum(outcome.told.values()) < 150, outcome.told
    assert outcome.reviewed and outcome.reviews_lost(database) == []
    with Ledger(database) as ledger:
        assert outcome.lost(ledger) == []
        found = ledger.verify()
        assert found.ok, found.reason
        assert found.records >= len(outcome.acknowledged) > 100


@pytest.mark.parametrize("era", ERAS)
def test_what_one_server_began_another_goes_on_with(
    database: Database, tmp_path: Path, era: str
) -> None:
    keep_cards(database)
    keep_facts(database)
    with (
        replicas(url_of(database), tmp_path, count=2) as (one, other),
        plain_client() as http,
    ):
        due = call(http, one.url, era, "list_cards", limit=1)["cards"][0]["card_id"]
        sent = {"card_id": due, "response": "answer", "review_id": "r1"}
        first = call(http, one.url, era, "record_review", **sent)
        # A proxy that had no answer sends the call again, elsewhere.
        again = call(http, other.url, era, "record_review", **sent)
        assert (first["status"], again["status"]) == ("recorded", "already_recorded")
        assert first["after"] == again["after"]
        left = [card["card_id"] for card in call(http, other.url, era, "list_cards")["cards"]]
        assert due not in left and left
        prompt = {"prompt": "Who founded Qwertzuiop?"}
        asked = call(http, one.url, era, "run_kg_workflow", **prompt)
        assert asked["status"] in ("needs_decision", "running")
        one.kill()
        shown = call(http, other.url, era, "run_kg_workflow", run_id=asked["run_id"])
        assert (shown["status"], shown["answer"]) == (asked["status"], asked["answer"])
        went_on = call(
            http, other.url, era, "run_kg_workflow", run_id=asked["run_id"], decision="synthesize"
        )
        assert went_on["run_id"] != asked["run_id"]
        with pytest.raises(Refusal, match="no such run"):
            call(http, other.url, era, "run_kg_workflow", run_id="kg_unknown")


def test_a_call_that_a_proxy_sends_twice_at_once_counts_once(
    database: Database, tmp_path: Path
) -> None:
    keep_cards(database)
    keep_facts(database)
    with replicas(url_of(database), tmp_path, count=2) as servers:
        said: list[str] = []

        def send(url: str, review_id: str) -> None:
            with plain_client() as http:
                sent = {"card_id": "card_1", "response": "answer", "review_id": review_id}
                said.append(call(http, url, ERAS[1], "record_review", **sent)["status"])

        for turn in range(10):
            threads = [
                threading.Thread(target=send, args=(server.url, f"r{turn}")) for server in servers
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert sorted(said) == ["already_recorded"] * 10 + ["recorded"] * 10
    outcome = Outcome(reviewed={f"r{turn}" for turn in range(10)})
    assert outcome.reviews_lost(database) == []


def test_a_database_that_goes_in_the_middle_is_told_and_found_again(tmp_path: Path) -> None:
    with cluster("") as running:
        database = Database(url_of(running), tmp_path)
        keep_cards(database)
        with (
            replicas(url_of(running), tmp_path, count=1, facts="") as (server,),
            plain_client() as http,
        ):
            ready = server.url.replace("/mcp", "/ready")

            def review(review_id: str) -> str:
                sent = {"card_id": "card_1", "response": "answer", "review_id": review_id}
                return call(http, server.url, ERAS[1], "record_review", **sent)["status"]

            def ask() -> dict[str, object]:
                return call(http, server.url, ERAS[1], "query_metric", **QUESTIONS[0])

            assert review("r1") == "recorded"
            kept = [ask()["evidence_id"]]
            running.stop()
            answer = ask()
            assert answer["status"] == "found" and answer.get("evidence_id") is None
            assert "see that the server runs" in str(answer["evidence_error"])
            with pytest.raises(Refusal, match="The learning in postgresql://"):
                review("r2")
            while http.get(ready).status_code != 503:
                time.sleep(0.2)
            running.start()
            while http.get(ready).status_code != 200:
                time.sleep(0.2)
            kept.append(ask()["evidence_id"])
            assert (review("r2"), review("r1")) == ("recorded", "already_recorded")
        with Ledger(database) as ledger:
            assert all(ledger.inspect(str(one)) for one in kept)
            assert ledger.verify().ok
