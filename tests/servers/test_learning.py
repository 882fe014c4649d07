"""The learning server as a host sees it, through the in-memory client."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from learning_worlds import World
from mcp_types import ElicitResult
from one_host import OneHost

from groundwire.config import Settings
from groundwire.servers.learning import LearningTools, build
from groundwire.serving import definitions_size
from groundwire.serving.owner import acting_for

pytestmark = pytest.mark.anyio


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "home")
    yield made
    made.base.close()


@pytest.fixture
def host(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OneHost]:
    """A host whose server has the clock of the world."""
    monkeypatch.setattr("groundwire.servers.learning.base", lambda _: world.base)
    server = build(Settings(home=tmp_path / "home"))
    yield OneHost(server)
    server.close()


async def test_definitions_are_within_their_budget(host: OneHost) -> None:
    assert await definitions_size(host.server) <= 14_000


async def test_from_an_empty_folder_to_a_proven_review(world: World, host: OneHost) -> None:
    empty = await host.call("list_cards")
    assert (empty["status"], empty["due_count"]) == ("empty", 0)
    world.card("c1", "Capital of France?", "Paris")
    listed = await host.call("list_cards")
    assert [one["card_id"] for one in listed["cards"]] == ["c1"]
    assert "back" not in listed["cards"][0] and listed["cards"][0]["why"] == "new"
    done = await host.call("record_review", card_id="c1", response="paris", confidence=0.7)
    assert done["status"] == "recorded"
    assert done["graded"] == {
        "outcome": "right", "how": "folded", "rating": "good", "rated_by": "server",
        "back": "Paris",
    }  # fmt: skip
    assert done["after"]["due"] > "2026-03-02" and "before" not in done
    world.wait(days=1)
    due = await host.call("list_cards", show_back=True)
    assert due["due_count"] == 1 and due["cards"][0]["back"] == "Paris"
    said = await host.call("verify_answer", draft="One card is due, and 1 card is due.")
    assert said["verdict"] == "supported"
    said = await host.call("verify_answer", draft="7 cards are due.")
    assert said["verdict"] == "contradicted"


async def test_an_undecided_response_asks_and_records_nothing(world: World, host: OneHost) -> None:
    world.card("c1", "Why is the sky blue?", "Rayleigh scattering")
    done = await host.call("record_review", card_id="c1", response="short waves scatter more")
    assert done["status"] == "undecided"
    assert "Rayleigh scattering" in done["question"]
    assert done["options"] == ["again", "hard", "good", "easy"]
    assert "evidence_id" not in done
    assert world.rows("SELECT * FROM reviews") == []


async def test_where_the_host_can_ask_the_learner_rates(world: World, host: OneHost) -> None:
    world.card("c1", "Why is the sky blue?", "Rayleigh scattering")
    asked: list[str] = []

    async def answered(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"rating": "hard"})

    async with host.client(elicitation_callback=answered) as client:
        for arguments in (
            {"response": "short waves scatter more", "review_id": "r1"},
            {"rating": "easy", "review_id": "r2"},
        ):
            result = await client.call_tool("record_review", {"card_id": "c1", **arguments})
            graded = result.structured_content["graded"]
            assert (graded["rating"], graded["rated_by"]) == ("hard", "learner")
        # A comparison needs nobody, nor does what is recorded already.
        for arguments in (
            {"response": "Rayleigh scattering"},
            {"rating": "easy", "review_id": "r2"},
        ):
            await client.call_tool("record_review", {"card_id": "c1", **arguments})
    assert len(asked) == 2 and "you wrote" in asked[0]


async def test_a_learner_who_declines_leaves_it_to_nobody(world: World, host: OneHost) -> None:
    world.card("c1", "Why?", "Because")

    async def declined(_: Any, __: Any) -> ElicitResult:
        return ElicitResult(action="decline")

    async with host.client(elicitation_callback=declined) as client:
        result = await client.call_tool("record_review", {"card_id": "c1", "response": "so"})
    assert result.structured_content["status"] == "undecided"


async def test_a_rating_without_asking_is_the_hosts(world: World, host: OneHost) -> None:
    world.card("c1")
    done = await host.call("record_review", card_id="c1", rating="easy", rated_by="learner")
    assert done["graded"]["rated_by"] == "host"
    assert "by the model alone" in done["answer"]
    known = await host.call("query_mastery", of="c1")
    assert known["status"] == "not_enough" and known["rated_by"]["host"] == 1


async def test_undo(world: World, host: OneHost) -> None:
    world.card("c1")
    done = await host.call("record_review", card_id="c1", response="answer")
    undone = await host.call("record_review", card_id="c1", undo=True)
    assert (undone["status"], undone["review_id"]) == ("undone", done["review_id"])
    assert "is new again" in undone["answer"]
    again = await host.call("record_review", card_id="c1", undo=True, review_id=done["review_id"])
    assert again["status"] == "already_undone"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"card_id": "none", "response": "x"}, "There is no such card"),
        ({"card_id": "c1"}, "needs the response"),
        ({"card_id": "c1", "response": "x", "confidence": 85}, "0.85 for 85 %"),
        ({"card_id": "c1", "rating": "5"}, "rating"),
        ({"card_id": "c1", "response": "x", "due": "2030-01-01"}, "due"),
        ({"card_id": "c1", "response": "x", "stability": 100}, "stability"),
        ({"card_id": "c1", "response": "x", "confidence": "NaN"}, "confidence"),
    ],
)
async def test_refusals_say_what_to_send(
    world: World, host: OneHost, arguments: dict[str, Any], said: str
) -> None:
    world.card("c1")
    assert said in await host.refused("record_review", **arguments)
    assert world.rows("SELECT * FROM reviews") == []


async def test_names_that_are_not_there_come_with_candidates(world: World, host: OneHost) -> None:
    world.card("c1", deck="Spanish verbs", concepts=["ser and estar"])
    listed = await host.call("list_cards", deck="Spanish verb")
    assert listed["status"] == "empty" or listed["cards"]
    listed = await host.call("list_cards", deck="Spanisch verben")
    assert listed["status"] == "unrecognized_param" and "due_count" not in listed
    known = await host.call("query_mastery", of="ser y estar")
    assert known["status"] == "unrecognized_param" and known["param"] == "of"
    assert "value" not in known
    judged = await host.call("query_calibration", of="nothing like it")
    assert judged["status"] == "unrecognized_param"


async def test_owners_do_not_see_each_other(world: World, host: OneHost) -> None:
    world.card("mine")
    with acting_for("eve"):
        tools = LearningTools(world.base)
        listed = await tools.list_cards()
        assert listed.result.cards == []
        known = await tools.query_mastery("mine")
        assert known.result.status == "unrecognized_param"


async def test_a_policy_is_told_and_changed(world: World, host: OneHost) -> None:
    for number in range(6):
        world.card(f"c{number}")
        world.review(f"c{number}", None, rating="easy")
    told = await host.call("set_learning_policy")
    assert told["policy"]["loadout"] == "steady" and told["changed"] == []
    assert "workload_before" not in told
    changed = await host.call("set_learning_policy", desired_retention=0.95)
    assert changed["changed"] == ["loadout", "desired_retention"]
    assert changed["workload"]["reviews"] > changed["workload_before"]["reviews"]
    assert changed["moved_cards"] == 6
    draft = "The desired retention is 95 %."
    assert (await host.call("verify_answer", draft=draft))["verdict"] == "supported"
    assert "0.70 to 0.97" in await host.refused("set_learning_policy", desired_retention=0.5)


async def test_every_tool_answers_by_a_sentence(world: World, host: OneHost) -> None:
    world.card("c1")
    await host.check_every_tool(
        {
            "list_cards": {},
            "record_review": {"card_id": "c1", "response": "answer"},
            "query_mastery": {"of": "c1"},
            "query_calibration": {},
            "diagnose_reviews": {},
            "search_sources": {"query": "tides"},
            "submit_cards": {"deck": "Spanish", "cards": [{"front": "one?", "back": "uno"}]},
            "query_concepts": {},
            "submit_graph_changes": {
                "operations": [{"op": "add_node", "name": "verbs"}], "rationale": "a first concept",
            },
            "set_learning_policy": {},
            "verify_answer": {"draft": "No card is due."},
            "get_evidence": {
                "evidence_id": (await host.call("list_cards"))["evidence_id"],
            },
        }
    )


async def test_reading_hides_what_changes_state(tmp_path: Path) -> None:
    server = build(Settings(home=tmp_path, read_only=True))
    offered = {one.name for one in await server.list_tools()}
    server.close()
    assert offered == {
        "list_cards", "query_mastery", "query_calibration", "diagnose_reviews", "search_sources",
        "query_concepts", "get_evidence", "verify_answer",
    }  # fmt: skip


def test_a_server_starts_without_what_it_does_not_need(tmp_path: Path) -> None:
    import subprocess

    code = (
        "import sys; from pathlib import Path; from groundwire.config import Settings; "
        "from groundwire.servers.learning import build; "
        f"build(Settings(home=Path({str(tmp_path)!r}))); "
        "print([name for name in ('fsrs', 'numpy', 'groundwire.learning.schedule.state') "
        "if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
