"""The agents server as a host sees it: fake agents over a small server, and the real servers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from pydantic import BaseModel
from signed_in import user

from groundwire.agents.runs.desk import Desk
from groundwire.agents.runs.runs import Runs
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.agent import AgentFactory
from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.definition import AgentDefinition
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    RulesModel,
    ToolResultPart,
    ToolSpec,
    calling,
    saying,
)
from groundwire.agents.runtime.prompts import PromptStore
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.evidence.records import Draft, Value
from groundwire.servers import agents
from groundwire.servers.composition import below, compose, state
from groundwire.serving import Grounded, GroundwireServer, Toolset, current_owner, tool

pytestmark = pytest.mark.anyio

LONG = 60.0
ASKING = ("ontology_search_agent", "metrics_agent", "kg_agent", "journey_router_agent")
PARTS = ("journey_preferences_agent", "journey_planner_agent", "journey_artefacts_agent")
TOOLS = (*ASKING, *PARTS, "get_agent_result", "cancel_agent_run", "get_evidence", "verify_answer")
Rules = Callable[[Sequence[Message], Sequence[ToolSpec]], Any]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


class Found(BaseModel):
    answer: str
    value: int
    owner: str
    padding: str = ""
    evidence_id: str | None = None
    evidence_error: str | None = None


class Noted(BaseModel):
    answer: str


class Shelf(Toolset):
    """A server of one fact."""

    name = "shelf"

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.let_go = asyncio.Event()
        self.cancelled = False
        self.closed = 0

    @tool("Find", read_only=True, idempotent=True, open_world=False)
    async def find(self, query: str, padding: int = 0) -> Grounded[Found]:
        """Find the value of something."""
        owner = current_owner()
        found = Found(
            answer="It is 7.", value=7, owner=owner, padding="".join(map(str, range(padding)))
        )
        return Grounded(found, Draft(values=(Value(query, "7"),)))

    @tool("Wait", read_only=True, idempotent=True, open_world=False, timeout=600.0)
    async def wait(self) -> Noted:
        """Wait until the test lets go."""
        self.reached.set()
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return Noted(answer="It was let go.")

    @tool("Write", read_only=False, idempotent=True, open_world=False, writes_files=True)
    async def write(self) -> Noted:
        """Write a file."""
        return Noted(answer="It is written.")

    def close(self) -> None:
        self.closed += 1


def results(messages: Sequence[Message]) -> list[ToolResultPart]:
    return [part for one in messages for part in one.parts if isinstance(part, ToolResultPart)]


def asked_of(messages: Sequence[Message]) -> str:
    """The question of this run, the last before any tool was called."""
    texts = [
        one.parts[0].text
        for one in messages
        if one.role == "user" and not isinstance(one.parts[0], ToolResultPart)
    ]
    return texts[-1]


def finds(
    messages: Sequence[Message], tools: Sequence[ToolSpec], padding: int = 0, times: int = 1
) -> ModelResponse:
    """Looks the question up, as often as it is told to, then says what was found."""
    done = results(messages)
    if len(done) < times:
        sent = {"query": f"{asked_of(messages)} {len(done)}".strip(), "padding": padding}
        return calling(("find", sent), thought="It has to be looked up.")
    return saying("It is 7.")


def waits(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    return saying("Done.") if results(messages) else calling(("wait", {}))


def routes(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Has the planner plan, then the artefacts agent draw."""
    done = results(messages)
    if not done:
        return calling(("journey_planner_agent", {"input_prompt": "From here to there."}))
    if len(done) == 1:
        which = {"journey_id": "jo_1", "plan_index": 2}
        sent = {"input_prompt": "Draw it.", "input_structured": which}
        return calling(("journey_artefacts_agent", sent))
    return saying("It is 7.")


def definition(name: str, rules: Rules, enabled: tuple[str, ...]) -> AgentDefinition:
    return AgentDefinition(
        name=name,
        version="2.1.0",
        role="a clerk",
        prompt="clerk",
        rules=lambda: RulesModel(rules),
        allows=lambda change: None,
        config=AgentConfig(enabled_tools=enabled, behavior={"timeout_ms": 600_000}),
    )


class Host:
    """A host of an agents server whose agents are fakes."""

    def __init__(
        self,
        home: Path,
        *,
        patience: float,
        rules: Rules | None = None,
        process: str = "",
        clock: Callable[[], float] = time.monotonic,
        **settings: Any,
    ) -> None:
        self.settings = Settings(home=home, **settings)
        self.shelf = Shelf()
        self.models_closed = 0
        folder = home / "clerk"
        folder.mkdir(parents=True, exist_ok=True)
        frame = '---\nversion: 1.0.0\n---\n{% extends "system_prompt" %}\n'
        (folder / "prompt.md").write_text(frame, "utf-8")
        own = ("find", "wait", "write")
        definitions = {name: definition(name, rules or finds, own) for name in (*ASKING, *PARTS)}
        definitions["journey_router_agent"] = definition("journey_router_agent", routes, PARTS)
        shared = state(self.settings)

        def factory(tools: ToolRegistry) -> AgentFactory:
            return AgentFactory(
                tools,
                prompts=PromptStore({"clerk": folder}),
                definitions=definitions,
                closing=self._closing,
                ledger=shared.ledger,
            )

        def servers() -> Sequence[GroundwireServer]:
            inner = [
                ("shelf", self.shelf),
                ("subagents", agents.Subagents(lambda: self.desk)),
            ]
            return [below(name, toolset, self.settings, shared) for name, toolset in inner]

        self.runs = Runs(RunStore(home / "runs.sqlite", process=process))
        self.desk = Desk(
            self.runs, servers, factory, read_only=self.settings.read_only, clock=clock
        )
        tools = agents.AgentsTools(lambda: self.desk, patience)
        self.server = compose("agents", [tools], self.settings, title="Agents", shared=shared)

    async def _closing(self) -> None:
        self.models_closed += 1

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = await self.raw(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        text = result.content[0].text
        assert json.loads(text) == result.structured_content
        assert next(iter(result.structured_content)) == "answer"
        assert len(text) <= 20_000
        return result.structured_content

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        result = await self.raw(tool, arguments)
        assert result.is_error, result.content
        line: str = result.content[0].text
        assert "\n" not in line and "inside the server" not in line
        return line

    async def raw(self, tool: str, arguments: dict[str, Any], **rest: Any) -> Any:
        async with Client(self.server) as client:
            return await client.call_tool(tool, arguments, **rest)


@pytest.fixture
async def made(tmp_path: Path) -> Any:
    """Makes hosts, and closes their servers."""
    hosts: list[Host] = []

    def make(patience: float = LONG, rules: Rules | None = None, **settings: Any) -> Host:
        hosts.append(Host(tmp_path / "home", patience=patience, rules=rules, **settings))
        return hosts[-1]

    yield make
    for host in hosts:
        await host.server.aclose()
        host.server.close()


Made = Callable[..., Host]


# The contract


async def test_every_agent_is_a_tool_with_the_arguments_of_the_contract(tmp_path: Path) -> None:
    server = agents.build(Settings(home=tmp_path / "home"))
    listed = {one.name: one for one in await server.list_tools()}
    assert tuple(listed) == TOOLS
    for name in ASKING:
        assert tuple(listed[name].input_schema["properties"]) == (
            "question",
            "reference_date",
            "context",
            "budget",
            "continue_run_id",
            "include_trace",
        )
        assert listed[name].input_schema["required"] == ["question"]
    plain = ("input_prompt", "context", "budget", "include_trace")
    structured = ("input_prompt", "input_structured", *plain[1:])
    assert [tuple(listed[name].input_schema["properties"]) for name in PARTS] == [
        plain,
        plain,
        structured,
    ]
    assert tuple(listed["cancel_agent_run"].input_schema["properties"]) == ("run_id",)
    assert "$ref" not in json.dumps([one.model_dump(mode="json") for one in listed.values()])
    server.close()
    assert not (tmp_path / "home").exists(), "nothing is opened before the first question"


async def test_an_answer_is_small_and_its_trace_is_had_by_its_run(made: Made) -> None:
    host = made(rules=partial(finds, padding=2_500, times=6))
    got = await host.call("metrics_agent", question="it")
    assert got["result"]["answer"] == got["answer"] and len(got["evidence_ids"]) == 6
    assert got["reasoning"]["decision"] and "steps" not in got["reasoning"]
    assert got["left_out"].startswith("the trace (7 steps): get_agent_result with run_id")
    assert "next_cursor" not in got and len(json.dumps(got)) < 2_500
    page = await host.call("get_agent_result", run_id=got["run_id"])
    assert [step["step"] for step in page["reasoning"]["steps"]] == list(range(1, 8))


async def test_an_answer_comes_with_its_whole_trace_where_that_is_asked_for(made: Made) -> None:
    host = made()
    got = await host.call(
        "metrics_agent",
        question="What is it?",
        reference_date="2026-11-21",
        include_trace=True,
    )
    assert got["answer"] == "It is 7."
    assert (got["agent"], got["status"], got["success"]) == ("metrics_agent", "completed", True)
    assert got["result"]["answer"] == "It is 7."
    (step, last) = got["reasoning"]["steps"]
    assert step["action"]["tool"] == "find"
    assert step["action"]["output"]["value"] == 7
    assert last["step"] == 2
    assert got["metadata"]["tools_used"] == ["find"]
    assert got["metadata"]["agent_version"] == "2.1.0"
    (evidence_id,) = got["evidence_ids"]
    assert step["action"]["output"]["evidence_id"] == evidence_id
    record = await host.call("get_evidence", evidence_id=evidence_id)
    assert record["evidence_id"] == evidence_id
    checked = await host.call("verify_answer", draft=got["answer"])
    assert checked["records_used"] == 1


async def test_ids_and_budgets_of_the_caller_hold(made: Made) -> None:
    host = made()
    context = {"user_id": "u1", "session_id": "s1", "metadata": {"k": [1]}, "required_quality": 1}
    got = await host.call("kg_agent", question="it", context=context, budget={"max_time_ms": 60000})
    assert got["success"] and got["result"]["answer"] == "It is 7."
    assert got["result"]["reaches_required_quality"] is False
    assert got["answer"].startswith("It is 7. (This does not reach the required quality;")
    assert "below the required quality" in got["reasoning"]["assumptions_made"][-1]
    context["required_quality"] = 0.5
    reached = await host.call("kg_agent", question="it", context=context)
    assert reached["result"]["reaches_required_quality"] is True
    assert reached["answer"] == "It is 7."
    late = await host.call("kg_agent", question="it", budget={"max_time_ms": 1})
    assert (late["success"], late["error"]["code"]) == (False, "TimeoutError")
    assert late["answer"].startswith("No answer: ")
    assert "steps" in late["reasoning"] or late["reasoning"]["decision"]
    line = await host.refused("kg_agent", question="it", budget={"max_tim_ms": 1})
    assert "max_time_ms" in line
    line = await host.refused("kg_agent", question="it", context={"required_quality": 2})
    assert "required_quality" in line
    assert "question" in await host.refused("kg_agent", questoin="it")
    wrong = await host.call("kg_agent", question="it", reference_date="yesterday")
    assert wrong["error"]["code"] == "ValidationError"


# Runs


async def test_a_run_past_its_patience_gives_progress_then_the_output(made: Made) -> None:
    host = made(patience=0.0, rules=waits)
    begun = await host.call("metrics_agent", question="it")
    assert begun["status"] == "running"
    assert "get_agent_result" in begun["answer"]
    run_id = begun["run_id"]
    await host.shelf.reached.wait()
    got = await host.call("get_agent_result", run_id=run_id)
    assert (got["status"], got["progress"]["doing"]) == ("running", "calls wait")
    host.shelf.let_go.set()
    while got["status"] == "running":
        got = await host.call("get_agent_result", run_id=run_id)
    assert got["run_id"] == run_id
    assert got["result"]["answer"] and got["success"]
    assert await host.call("get_agent_result", run_id=run_id) == got


async def test_what_the_first_question_opens_takes_of_its_patience(made: Made) -> None:
    host = made(patience=LONG, rules=waits, clock=iter((0.0, LONG)).__next__)
    assert (await host.call("metrics_agent", question="it"))["status"] == "running"


async def test_a_finished_result_survives_a_restart(made: Made) -> None:
    first = made()
    got = await first.call("metrics_agent", question="it", include_trace=True)
    await first.server.aclose()
    first.server.close()
    second = made()
    again = await second.call("get_agent_result", run_id=got["run_id"])
    assert again == got


async def test_a_run_that_a_restart_interrupted_says_so(made: Made) -> None:
    first = made(patience=0.0, rules=waits)
    run_id = (await first.call("metrics_agent", question="it", include_trace=True))["run_id"]
    await first.shelf.reached.wait()
    await first.server.aclose()
    assert first.shelf.cancelled
    first.server.close()
    got = await made().call("get_agent_result", run_id=run_id)
    assert (got["status"], got["success"]) == ("interrupted", False)
    assert got["error"]["code"] == "InterruptedError"
    assert "interrupted" in got["answer"] and "Ask again" in got["answer"]


async def test_cancelling_stops_the_tool_call_and_returns_the_trace(made: Made) -> None:
    host = made(patience=0.0, rules=waits)
    run_id = (await host.call("metrics_agent", question="it"))["run_id"]
    await host.shelf.reached.wait()
    got = await host.call("cancel_agent_run", run_id=run_id)
    assert (got["status"], got["success"]) == ("cancelled", False)
    assert got["error"]["code"] == "CancelledError"
    assert host.shelf.cancelled
    assert got["metadata"]["iterations"] == 1
    again = await host.call("cancel_agent_run", run_id=run_id)
    assert again["answer"].startswith("The run had ended before: ")
    assert (await host.call("get_agent_result", run_id=run_id))["status"] == "cancelled"


async def test_a_run_is_cancelled_by_another_process_of_the_same_home(made: Made) -> None:
    first = made(patience=0.0, rules=waits, process="elsewhere|7|a")
    second = made()
    run_id = (await first.call("metrics_agent", question="it"))["run_id"]
    await first.shelf.reached.wait()
    got = await second.call("cancel_agent_run", run_id=run_id)
    assert (got["status"], got["error"]["code"]) == ("cancelled", "CancelledError")
    assert first.shelf.cancelled
    with user("bob"):
        await second.refused("cancel_agent_run", run_id=run_id)


async def test_a_host_that_gives_a_call_up_stops_its_run(made: Made) -> None:
    host = made(rules=waits)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(host.raw, "metrics_agent", {"question": "it"}))
        await host.shelf.reached.wait()
        tasks.cancel_scope.cancel()
    while not host.shelf.cancelled:
        await asyncio.sleep(0)


async def test_progress_is_told_while_a_run_works(made: Made) -> None:
    host = made(rules=waits)
    seen: list[tuple[float, str | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))
        if message and "calls wait" in message:
            host.shelf.let_go.set()

    result = await host.raw("metrics_agent", {"question": "it"}, progress_callback=told)
    assert result.structured_content["success"]
    numbers = [number for number, _ in seen]
    assert numbers == sorted(set(numbers))
    assert any(message and "metrics_agent calls wait" in message for _, message in seen)


async def test_a_conversation_goes_on_by_the_handle(made: Made) -> None:
    asked: list[list[str]] = []

    def listening(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
        asked.append([part.text for one in messages for part in one.parts if hasattr(part, "text")])
        return saying("It is so.")

    host = made(rules=listening)
    first = await host.call("metrics_agent", question="What is it?")
    second = await host.call(
        "metrics_agent", question="And there?", continue_run_id=first["run_id"]
    )
    assert second["run_id"] != first["run_id"]
    assert len(asked[-1]) == 3 and asked[-1][0] == "What is it?"
    line = await host.refused("kg_agent", question="it", continue_run_id=first["run_id"])
    assert "metrics_agent" in line
    line = await host.refused("kg_agent", question="it", continue_run_id="run_nothing")
    assert "unknown or has expired" in line


async def test_what_is_private_or_secret_is_not_kept_with_the_run(
    made: Made, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-s3cret-0123456789")
    host = made()
    metadata = {"private": True}
    words = "Nobody shall know that I ask"
    quiet = await host.call("metrics_agent", question=words, context={"metadata": metadata})
    told = await host.call("metrics_agent", question="My key is sk-s3cret-0123456789, why?")
    for run_id, kept in ((quiet["run_id"], "[question]"), (told["run_id"], "My key is ")):
        view = await host.runs.view("local", run_id)
        assert view.asked.question.startswith(kept)
        assert view.output is not None
        text = view.output.model_dump_json() + view.asked.question
        assert words not in text and "s3cret" not in text
    assert words not in json.dumps(await host.call("get_agent_result", run_id=quiet["run_id"]))


# Owners


async def test_runs_and_what_they_record_are_their_callers(made: Made) -> None:
    host = made()
    with user("ada"):
        ada = await host.call("metrics_agent", question="it", include_trace=True)
    with user("bob"):
        bob = await host.call("metrics_agent", question="it", include_trace=True)
    for got, owner in ((ada, "ada"), (bob, "bob")):
        assert got["reasoning"]["steps"][0]["action"]["output"]["owner"] == owner
    with user("bob"):
        assert await host.call("get_evidence", evidence_id=bob["evidence_ids"][0])
        await host.refused("get_evidence", evidence_id=ada["evidence_ids"][0])
        line = await host.refused("get_agent_result", run_id=ada["run_id"])
        assert "unknown or has expired" in line
        await host.refused("cancel_agent_run", run_id=ada["run_id"])
        await host.refused("metrics_agent", question="it", continue_run_id=ada["run_id"])
    await host.refused("get_agent_result", run_id=ada["run_id"])


async def test_a_run_that_goes_on_is_still_its_callers(made: Made) -> None:
    def waits_then_finds(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
        done = results(messages)
        if not done:
            return calling(("wait", {}))
        return calling(("find", {"query": "it"})) if len(done) == 1 else saying("It is 7.")

    host = made(patience=0.0, rules=waits_then_finds)
    with user("ada"):
        run_id = (await host.call("metrics_agent", question="it"))["run_id"]
    await host.shelf.reached.wait()
    host.shelf.let_go.set()
    with user("ada"):
        got = await host.call("get_agent_result", run_id=run_id)
        while got["status"] == "running":
            got = await host.call("get_agent_result", run_id=run_id)
    assert got["reasoning"]["steps"][1]["action"]["output"]["owner"] == "ada"


# Traces


async def test_a_long_trace_is_in_short_and_whole_on_the_pages_after(made: Made) -> None:
    host = made(rules=partial(finds, padding=2_500, times=6))
    got = await host.call("metrics_agent", question="it", include_trace=True)
    steps = got["reasoning"]["steps"]
    assert [step["step"] for step in steps] == list(range(1, 8))
    assert "characters left out)" in steps[0]["action"]["output"]
    assert f"get_agent_result with run_id {got['run_id']}" in got["left_out"]
    assert "next_cursor" not in got
    page = await host.call("get_agent_result", run_id=got["run_id"])
    assert page["reasoning"] == got["reasoning"]
    whole: dict[str, str] = {}
    while "next_cursor" in page:
        cursor = page["next_cursor"]
        page = await host.call("get_agent_result", run_id=got["run_id"], cursor=cursor)
        for piece in page["more"]:
            whole[piece["of"]] = whole.get(piece["of"], "") + piece["text"]
    for at in range(6):
        output = json.loads(whole[f"reasoning.steps[{at}].action.output"])
        assert output["padding"] == "".join(map(str, range(2_500)))
        assert output["evidence_id"] == got["evidence_ids"][at]


async def test_evidence_ids_are_all_there_even_if_a_trace_is_long(made: Made) -> None:
    host = made(rules=partial(finds, times=9))
    got = await host.call("metrics_agent", question="it")
    assert len(got["evidence_ids"]) == 9


# Agents within agents


async def test_the_router_calls_its_agents_and_their_evidence_is_its_own(made: Made) -> None:
    host = made()
    with user("ada"):
        got = await host.call(
            "journey_router_agent",
            question="From here to there, with a map.",
            include_trace=True,
        )
        steps = got["reasoning"]["steps"]
        planned, drawn = (step["action"]["output"] for step in steps[:2])
        assert (planned["agent"], drawn["agent"]) == PARTS[1:]
        assert planned["status"] == "completed"
        asked = drawn["reasoning"]["steps"][0]["action"]["input"]["query"]
        assert asked.startswith("Draw it.")
        assert "jo_1" in asked and "plan_index = 2" in asked
        assert set(got["evidence_ids"]) >= {*planned["evidence_ids"], *drawn["evidence_ids"]}
        # The runs within a run can be looked at as well.
        assert (await host.call("get_agent_result", run_id=planned["run_id"]))["success"]
        for evidence_id in got["evidence_ids"]:
            assert await host.call("get_evidence", evidence_id=evidence_id)


async def test_an_agent_within_a_run_has_what_is_left_and_ends_with_it(made: Made) -> None:
    host = made(patience=0.0, rules=waits)
    run_id = (await host.call("journey_router_agent", question="Plan."))["run_id"]
    await host.shelf.reached.wait()
    got = await host.call("cancel_agent_run", run_id=run_id)
    assert got["status"] == "cancelled"
    assert host.shelf.cancelled


# What is offered


async def test_read_only_leaves_out_what_writes_for_agents_too(made: Made) -> None:
    offered: list[list[str]] = []

    def looking(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
        offered.append([one.name for one in tools])
        return saying("It is so.")

    host = made(rules=looking, read_only=True)
    names = [one.name for one in await host.server.list_tools()]
    assert names == [
        name
        for name in TOOLS
        if name not in ("journey_preferences_agent", "journey_artefacts_agent")
    ]
    await host.call("metrics_agent", question="it")
    assert offered == [["find", "wait"]]


async def test_closing_closes_the_models_and_the_servers_below_once(made: Made) -> None:
    host = made()
    await host.call("metrics_agent", question="it")
    await host.server.aclose()
    host.server.close()
    assert (host.models_closed, host.shelf.closed) == (1, 1)


async def test_the_servers_below_offer_every_tool_whatever_hosts_are_offered(
    tmp_path: Path,
) -> None:
    settings = Settings(home=tmp_path, tools=("get_agent_result",), toolsets=("agents",))
    built = agents.servers_below(settings, state(settings))
    names = [[one.name for one in await server.list_tools()] for server in built]
    expected = {
        "ontology": "submit_slots",
        "metrics": "query_metric",
        "sparql": "run_kg_workflow",
        "journeys": "draw_map_for_plan",
        "learning": "submit_cards",
    }
    assert [one.name for one in built] == list(expected)
    for name, listed in zip(expected.values(), names, strict=True):
        assert name in listed and "verify_answer" in listed
    for server in built:
        server.close()
