"""The learning server as a host sees it, through the in-memory client."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from learning_worlds import World
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp_types import ElicitResult
from one_host import OneHost

from groundwire.config import Settings
from groundwire.learning.report.page import VIEW_KEY
from groundwire.servers.learning import REPORT_PAGE, CardArgument, LearningTools, build
from groundwire.serving import definitions_size
from groundwire.serving.tools import acting_for

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
        "reported_by": "host", "back": "Paris",
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


async def test_where_the_host_can_ask_the_learner_rates(
    world: World, host: OneHost, era: str
) -> None:
    world.card("c1", "Why is the sky blue?", "Rayleigh scattering")
    asked: list[str] = []

    async def answered(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"value": "hard"})

    async with host.client(elicitation_callback=answered, mode=era) as client:
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
    assert "counts for no estimate" in done["answer"]
    known = await host.call("query_mastery", of="c1")
    assert known["status"] == "not_enough" and known["rated_by"]["host"] == 1


async def test_a_new_learner_is_told_what_to_do(world: World, host: OneHost) -> None:
    assert "submit_cards" in (await host.call("list_cards"))["answer"]
    assert "submit_graph_changes" in (await host.call("query_concepts"))["answer"]
    card = {"front": "Why?", "back": "Because"}
    await host.call("submit_cards", deck="Mine", cards=[card])
    assert "all are drafts" in (await host.call("list_cards"))["answer"]
    operation = {"op": "add_node", "name": "tides", "kind": "fact"}
    wrong = await host.call("submit_graph_changes", operations=[operation], rationale="Mine")
    assert "add_node takes name, type, definition, aliases" in wrong["answer"]


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
                "operations": [{"op": "add_node", "name": "verbs"}],
                "rationale": "a first concept",
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


async def test_what_cannot_be_recorded_is_refused_before_anybody_is_asked(
    world: World, host: OneHost, era: str
) -> None:
    world.card("c1")
    asked: list[str] = []

    async def answered(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"value": "good"})

    async with host.client(elicitation_callback=answered, mode=era) as client:
        for sent, said in (
            ({"card_id": "none", "rating": "good"}, "There is no such card"),
            ({"card_id": "c1", "confidence": 85}, "0.85 for 85 %"),
            ({"card_id": "c1", "rating": "good", "confidence": 85}, "0.85 for 85 %"),
        ):
            result = await client.call_tool("record_review", sent)
            assert result.is_error and said in result.content[0].text, result.content
    assert asked == [] and world.rows("SELECT * FROM reviews") == []


async def test_the_learner_can_type_the_answer_past_the_model(
    world: World, host: OneHost, era: str
) -> None:
    world.card("c1", "Capital of France?", "Paris")
    world.card("c2", "Why?", "Because")
    asked: list[str] = []

    async def answered(_: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"value": "paris"})

    async with host.client(elicitation_callback=answered, mode=era) as client:

        async def call(**sent: Any) -> dict[str, Any]:
            return (await client.call_tool("record_review", sent)).structured_content or {}

        done = await call(card_id="c1", review_id="r1")
        assert (done["status"], done["graded"]["rated_by"]) == ("recorded", "server")
        again = await call(card_id="c1", review_id="r1")
        assert again["status"] == "already_recorded"
        assert done["graded"]["how"] == "folded" and asked == ["Capital of France?"]
        undecided = await call(card_id="c2")
        assert (undecided["status"], undecided["response"]) == ("undecided", "paris")
    assert len(world.rows("SELECT * FROM reviews")) == 1


_TEXT = "# Rivers\n\nThe Rhine is 1,230 km long. It does not flow into the Baltic Sea.\n"


def _import(world: World, folder: Path) -> None:
    from groundwire.learning.importing import import_into

    path = folder / "rivers.md"
    path.write_text(_TEXT, "utf-8")
    import_into(world.learner, path)


async def test_cards_are_proven_by_what_was_imported(
    world: World, host: OneHost, tmp_path: Path
) -> None:
    _import(world, tmp_path)
    found = await host.call("search_sources", query="Rhine length km")
    passage = found["passages"][0]
    quote = "The Rhine is 1,230 km long."
    sent = [
        {"front": "How long is the Rhine?", "back": "1,230 km", "quote": quote},
        {"front": "How long is the Rhine, about?", "back": "1,320 km", "quote": quote},
        {"front": "Where does it rise?", "back": "in the Alps"},
    ]
    cards = [one | {"passage_id": passage["passage_id"]} for one in sent[:2]] + sent[2:]
    dry = await host.call("submit_cards", deck="Rivers", cards=cards, dry_run=True)
    assert world.rows("SELECT * FROM cards") == [] and dry["dry_run"] is True
    kept = await host.call("submit_cards", deck="Rivers", cards=cards)
    states = [(one["card"], one["state"]) for one in kept["accepted"]]
    assert states == [(1, "active"), (3, "draft")]
    assert [(one["card"], one["reason"]) for one in kept["gaps"]] == [(2, "number")]
    listed = await host.call("list_cards", deck="Rivers")
    assert [one["front"] for one in listed["cards"]] == ["How long is the Rhine?"]
    said = await host.call("verify_answer", draft="The Rhine is 1,230 km long.")
    assert said["verdict"] == "supported"
    said = await host.call("verify_answer", draft="The Rhine is 1,320 km long.")
    assert said["verdict"] not in ("supported", "nothing_to_judge")


async def test_a_graph_grows_refuses_a_circle_and_goes_back(host: OneHost) -> None:
    operations = [
        {"op": "add_node", "name": "limits"},
        {"op": "add_node", "name": "derivatives"},
        {"op": "add_edge", "source": "limits", "relation": "prerequisite", "target": "derivatives"},
    ]
    before = await host.call("query_concepts")
    made = await host.call("submit_graph_changes", operations=operations, rationale="Calculus")
    assert made["status"] == "committed"
    asked = await host.call("query_concepts", concept="Derivatives")
    assert [one["name"] for one in asked["prerequisites"]] == ["limits"]
    assert [(one["name"], one["status"]) for one in asked["unmet"]] == [("limits", "not_enough")]
    assert "value_text" not in asked["unmet"][0]
    for draft in (
        "Limits is a prerequisite of derivatives.",
        "Limits ist eine Voraussetzung von derivatives.",
    ):
        said = await host.call("verify_answer", draft=draft, evidence_ids=[asked["evidence_id"]])
        assert said["verdict"] == "supported", draft
    draft = "Derivatives is a prerequisite of limits."
    said = await host.call("verify_answer", draft=draft, evidence_ids=[asked["evidence_id"]])
    assert said["verdict"] == "contradicted"
    circle = {"op": "add_edge", "source": "derivatives", "relation": "prerequisite"}
    refused = await host.call(
        "submit_graph_changes", operations=[circle | {"target": "limits"}], rationale="back"
    )
    assert refused["status"] == "rejected"
    assert refused["stages"][-1]["violations"][0]["cycle"] == [
        "derivatives", "limits", "derivatives",
    ]  # fmt: skip
    undone = await host.call("submit_graph_changes", undo=made["change_id"])
    assert undone["status"] == "committed"
    assert undone["hash_after"] == before["graph_hash"] == made["hash_before"]


async def test_what_is_unmet_has_an_interval_beside_its_estimate(
    world: World, host: OneHost
) -> None:
    for number in range(8):
        world.card(f"c{number}", concepts=["limits"])
    for round_ in range(5):
        for number in range(8):
            given = "wrong" if round_ < 3 or number % 5 else "answer"
            world.review(f"c{number}", given, said="again")
        world.wait(days=1)
    operations = [
        {"op": "add_node", "name": "derivatives"},
        {"op": "add_edge", "source": "limits", "relation": "prerequisite", "target": "derivatives"},
    ]
    await host.call("submit_graph_changes", operations=operations, rationale="Calculus")
    [unmet] = (await host.call("query_concepts", concept="derivatives"))["unmet"]
    told = await host.call("query_mastery", of="limits")
    assert (unmet["status"], unmet["value_text"]) == ("below", told["value_text"])
    assert len(unmet["interval"]) == 2 and unmet["n_reviews"] == 40
    draft = f"The mastery of limits is {unmet['value_text']}."
    assert (await host.call("verify_answer", draft=draft))["verdict"] == "supported"


async def test_too_few_answers_are_not_diagnosed(world: World, host: OneHost) -> None:
    world.card("c1")
    world.review("c1", "wrong", said="again")
    found = await host.call("diagnose_reviews")
    assert (found["status"], found["families"], found["patches"]) == ("not_enough", [], [])


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_sources", {"query": "  "}, "query"),
        ("search_sources", {"query": "x", "limit": 0}, "limit"),
        ("submit_cards", {"cards": [], "deck": "d"}, "`cards` is empty"),
        ("submit_cards", {"cards": [{"front": "q", "back": "a"}], "deck": " "}, "deck"),
        ("submit_cards", {"cards": [{"front": "q", "answer": "a"}], "deck": "d"}, "answer"),
        ("submit_cards", {"cards": [{"type": "poem", "front": "q"}], "deck": "d"}, "type"),
        ("submit_cards", {"cards": [{"front": "q", "state": "active"}], "deck": "d"}, "state"),
        ("submit_cards", {"cards": "a poem", "deck": "d"}, "cards"),
        ("query_concepts", {"depth": 0}, "depth"),
        ("submit_graph_changes", {"operations": ["add"], "rationale": "x"}, "operations"),
        ("submit_graph_changes", {"scope": "everybody"}, "scope"),
        ("diagnose_reviews", {"since": "soon"}, "is no day"),
        ("diagnose_reviews", {"of": "nothing"}, "No card, deck or concept"),
    ],
)
async def test_wrong_arguments_are_told_and_change_nothing(
    world: World, host: OneHost, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in await host.refused(tool, **arguments)
    assert world.rows("SELECT * FROM cards") == world.rows("SELECT * FROM nodes") == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "send operations, or the handle of a change to undo"),
        ({"undo": "gc_none"}, 'no change "gc_none"'),
        ({"operations": [{"op": "explode"}], "rationale": "x"}, "op must be one of"),
        ({"operations": [{"op": "add_node", "name": "a"}]}, "rationale is missing"),
        ({"operations": [{"op": "add_node", "name": "a", "rank": 1}], "rationale": "x"}, "rank"),
        (
            {
                "operations": [{"op": "add_node", "name": "a"}],
                "rationale": "x",
                "scope": "shared",
            },
            "quote",
        ),
    ],
)
async def test_a_list_that_does_not_pass_says_at_which_stage(
    world: World, host: OneHost, arguments: dict[str, Any], said: str
) -> None:
    answer = await host.call("submit_graph_changes", **arguments)
    assert answer["status"] == "rejected" and said in answer["answer"]
    assert world.rows("SELECT * FROM nodes") == []


async def test_another_owners_handles_are_unknown(
    world: World, host: OneHost, tmp_path: Path
) -> None:
    _import(world, tmp_path)
    passage = (await host.call("search_sources", query="Rhine"))["passages"][0]["passage_id"]
    made = await host.call(
        "submit_graph_changes", operations=[{"op": "add_node", "name": "a"}], rationale="x"
    )
    card = {"front": "How long?", "back": "1,230 km", "quote": "1,230 km", "passage_id": passage}
    with acting_for("eve"):
        tools = LearningTools(world.base)
        assert (await tools.search_sources("Rhine")).result.status == "empty"
        kept = await tools.submit_cards((CardArgument(**card),), "d")
        assert [one.reason for one in kept.result.gaps or ()] == ["passage_unknown"]
        assert (await tools.query_concepts("a")).result.status == "unrecognized_param"
        undone = await tools.submit_graph_changes(undo=made["change_id"])
        assert undone.result.status == "rejected"


async def test_a_host_with_apps_gets_the_figures_beside_the_answer(
    world: World, host: OneHost
) -> None:
    world.card("c1")
    world.review("c1")
    async with host.client() as client:
        read = await client.read_resource(REPORT_PAGE)
        plain = await client.call_tool("query_calibration", {})
    assert "<main></main>" in read.contents[0].text
    assert VIEW_KEY not in (plain.meta or {})
    apps = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
    async with host.client(extensions=[apps]) as client:
        shown = await client.call_tool("query_calibration", {})
    assert shown.structured_content is not None and shown.meta is not None
    view = shown.meta[VIEW_KEY]
    assert [one["key"] for one in view["sections"]] == [
        "due", "retention", "calibration", "concepts",
    ]  # fmt: skip
    assert "<svg" not in shown.content[0].text
