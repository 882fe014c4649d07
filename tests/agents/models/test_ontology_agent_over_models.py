"""The ontology agent driven by the models that AI_PROVIDER names, over HTTP and the real servers.

The catalogue, its tools, the agent, the SDK and the clients are the real ones; only what a model
says is a script, played by a server on loopback.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from scripted_messages import message, text, tool_use

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent_host import DAY, PATIENCE, Host, answer, hosted, tools

from groundwire.agents.models.choose import Chooser
from groundwire.agents.runtime.agent import AgentFactory
from groundwire.agents.runtime.contract import AgentOutput
from groundwire.config import load_settings
from groundwire.servers import ontology

NAME = "ontology_search_agent"
ASKED = "How many maps of Germany are there?"
SLOTS: dict[str, Any] = {"slots": {"domains": ["hdmap"], "filters": {"country": "DE"}}}
LIE = "There are 4,711 maps, the best is https://evil.example/asset/1."
LIES = ("4,711", "4711", "evil.example")
KEYS = {"ANTHROPIC_API_KEY": "sk-ant-s3cret", "OPENAI_API_KEY": "sk-proj-s3cret"}

Said = Mapping[str, Any]


def claude_says(prose: str = "", **submitted: Any) -> Said:
    if submitted:
        return message(
            text(prose or "I submit."), tool_use("submit_slots", submitted), stop="tool_use"
        )
    return message(text(prose))


def chat_says(prose: str = "", **submitted: Any) -> Said:
    told: dict[str, Any] = {"role": "assistant", "content": prose or None}
    if submitted:
        function = {"name": "submit_slots", "arguments": json.dumps(submitted)}
        told["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    choice = {"index": 0, "message": told, "finish_reason": "tool_calls" if submitted else "stop"}
    return {"id": "c", "model": "m", "choices": [choice], "usage": {"prompt_tokens": 9}}


class Api:
    """One of the two APIs, as AI_PROVIDER and AI_MODEL choose it.

    Args:
        provider: of AI_PROVIDER.
        model: of AI_MODEL.
        forces: whether the model may be made to call a tool.
    """

    def __init__(self, provider: str, model: str, *, forces: bool) -> None:
        self.provider = provider
        self.model = model
        self.forces = forces
        self.is_claude = provider == "anthropic"
        self.path = "v1/messages" if self.is_claude else "v1/chat/completions"
        self.says: Callable[..., Said] = claude_says if self.is_claude else chat_says

    def settings(self, url: str) -> dict[str, str]:
        base = url if self.is_claude else f"{url}/v1"
        return {
            **KEYS, "AI_PROVIDER": self.provider, "AI_MODEL": self.model, "AI_BASE_URL": base,
        }  # fmt: skip

    def forced(self, body: Mapping[str, Any]) -> str | None:
        """The tool that a request forces."""
        choice = body.get("tool_choice")
        if choice is None:
            return None
        return choice["name"] if self.is_claude else choice["function"]["name"]

    def last_words(self, body: Mapping[str, Any]) -> str:
        """What the last message of a request says."""
        return json.dumps(body["messages"][-1]["content"])


APIS = {
    "a Claude that cannot be forced": Api("anthropic", "claude-opus-5-5", forces=False),
    "a Claude that can be forced": Api("anthropic", "claude-haiku-5-5", forces=True),
    "a chat that cannot be forced": Api("ollama", "llama3.3", forces=False),
    "a chat that can be forced": Api("openai", "gpt-4.1", forces=True),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosted(tmp_path_factory.mktemp("home"), ontology.build) as made:
        yield made


@pytest.fixture(params=list(APIS))
def api(request: pytest.FixtureRequest) -> Api:
    return APIS[request.param]


class Played:
    """A run of the agent over one API whose model plays a script."""

    def __init__(self, host: Host, hostile: Any, api: Api, *script: Said) -> None:
        self.bodies: list[dict[str, Any]] = []
        lines = iter(script)

        def play(exchange: Any) -> None:
            self.bodies.append(json.loads(exchange.body))
            exchange.answer(json.dumps(next(lines)), Content_Type="application/json")

        hostile.on(api.path, play)
        self.output: AgentOutput = host.runner.run(_asked(host, api.settings(hostile.url)))


def _silent() -> logging.Logger:
    logger = logging.Logger("agents")
    logger.addHandler(logging.NullHandler())
    return logger


async def _asked(host: Host, variables: Mapping[str, str]) -> AgentOutput:
    chooser = Chooser(load_settings(dict(variables)).ai)
    factory = AgentFactory(
        host.registry, choose=chooser.choose, logger=_silent(), ledger=host.ledger
    )
    agent = factory.create(NAME, behavior={"timeout_ms": round(PATIENCE * 1e3)})
    try:
        return await agent.execute({"question": ASKED, "reference_date": DAY})
    finally:
        await chooser.aclose()


def expected(output: AgentOutput) -> None:
    """The answer is the catalogue's, and nothing in the output is the model's own."""
    assert output.success
    assert output.result is not None
    assert output.result["total"] == 55
    assert answer(output).startswith("55 HD map assets match with country = Germany.")
    assert list(output.evidence_ids) == [output.result["evidence_id"]]
    assert tools(output) == ["submit_slots"]
    assert not any(lie in str(output.result) for lie in LIES)


def test_a_first_call_of_the_tool_is_the_answer(host: Host, hostile: Any, api: Api) -> None:
    played = Played(host, hostile, api, api.says(**SLOTS))
    expected(played.output)
    (body,) = played.bodies
    assert api.forced(body) == ("submit_slots" if api.forces else None)


def test_prose_is_asked_again_and_the_call_is_the_answer(
    host: Host, hostile: Any, api: Api
) -> None:
    played = Played(host, hostile, api, api.says(LIE), api.says(LIE, **SLOTS))
    expected(played.output)
    first, second = played.bodies
    assert api.forced(first) == ("submit_slots" if api.forces else None)
    assert api.forced(second) is None
    assert "submit_slots" in api.last_words(second)


def test_a_model_that_only_talks_ends_with_nothing_of_its_own(
    host: Host, hostile: Any, api: Api
) -> None:
    played = Played(host, hostile, api, *[api.says(LIE)] * 3)
    output = played.output
    assert output.result is not None
    assert output.result["status"] == "not_searched"
    assert answer(output).startswith("Nothing was searched")
    assert not any(lie in str(output.result) for lie in LIES)
    assert not output.evidence_ids
    assert tools(output) == []
    assert output.metadata.fabrication_guard_triggered
    # Once it was asked for the tool by name, once by the guard.
    assert [("submit_slots" in api.last_words(body)) for body in played.bodies] == [
        False,
        True,
        True,
    ]


def test_what_a_call_gets_wrong_is_mended_by_the_tools_answer(
    host: Host, hostile: Any, api: Api
) -> None:
    wrong = {"slots": {"domains": ["hdmap"], "filters": {"country": "Atlantis"}}}
    played = Played(host, hostile, api, api.says(**wrong), api.says(**SLOTS), api.says(LIE))
    output = played.output
    assert output.result is not None
    assert not any(lie in str(output.result) for lie in LIES)
    assert answer(output).startswith("55 HD map assets match with country = Germany.")
    assert tools(output) == ["submit_slots", "submit_slots"]
    assert all(key not in output.model_dump_json() for key in KEYS.values())


def test_slots_are_open_so_the_tool_goes_unstrict_and_the_server_holds_it(
    host: Host, hostile: Any
) -> None:
    # No strict schema can say "any property of the catalogue"; what is misspelt comes back refused.
    api = APIS["a Claude that cannot be forced"]
    misspelt = {"slots": {"domain": ["hdmap"], "filter": {"country": "DE"}}}
    played = Played(host, hostile, api, api.says(**misspelt), api.says(**SLOTS))
    first, second = played.bodies
    submit = next(tool for tool in first["tools"] if tool["name"] == "submit_slots")
    assert "strict" not in submit
    assert set(submit["input_schema"]["properties"]["slots"]["properties"]) >= {
        "domains",
        "filters",
    }
    assert "domain" in api.last_words(second)
    assert played.output.result is not None
    assert played.output.result["total"] == 55
