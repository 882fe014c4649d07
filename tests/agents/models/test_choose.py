"""Which model the environment and an agent's configuration ask for."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from groundwire.agents.models.anthropic import AnthropicModel
from groundwire.agents.models.chat_completions import ChatCompletionsModel
from groundwire.agents.models.choose import Chooser, choose_model
from groundwire.agents.models.command_line import CommandLineModel
from groundwire.agents.models.options import PROVIDERS, Wishes, wishes_of
from groundwire.agents.runtime.configuration import LLMConfig
from groundwire.agents.runtime.definition import AgentDefinition
from groundwire.agents.runtime.model import Message, RulesModel, TextPart, saying
from groundwire.config import load_settings
from groundwire.errors import ConfigurationError

pytestmark = pytest.mark.anyio

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-s3cret-a", "OPENAI_API_KEY": "sk-proj-s3cret-o"}


def rules() -> RulesModel:
    return RulesModel(lambda messages, tools: saying("Here."))


def environment(provider: str = "", **variables: str):
    return load_settings({**KEYS, "AI_PROVIDER": provider, **variables}).ai


def test_rules_are_the_default_and_need_nothing() -> None:
    model = choose_model(load_settings({}).ai, rules=rules)
    assert isinstance(model, RulesModel)


def test_claude_is_opus_unless_said_otherwise() -> None:
    assert choose_model(environment("anthropic")).name == "claude-opus-5-5"
    named = choose_model(environment("anthropic", AI_MODEL="claude-haiku-5-5"))
    assert isinstance(named, AnthropicModel)
    assert named.name == "claude-haiku-5-5"
    # What an agent is configured with goes before what all of them get.
    own = choose_model(
        environment("anthropic", AI_MODEL="claude-haiku-5-5"), LLMConfig(model="claude-opus-5")
    )
    assert own.name == "claude-opus-5"


@pytest.mark.parametrize("provider", ["openai", "ollama", "mistral", "copilot"])
def test_chat_completions(provider: str) -> None:
    model = choose_model(environment(provider, AI_MODEL="a-model"))
    assert isinstance(model, ChatCompletionsModel)
    assert (model.name, model.free) == ("a-model", provider == "ollama")


@pytest.mark.parametrize("provider", ["claude-cli", "vibe-cli", "Vibe_CLI"])
def test_command_line_tools_choose_their_own_model(provider: str) -> None:
    model = choose_model(environment(provider))
    assert isinstance(model, CommandLineModel)
    assert model.name == provider.lower().replace("_", "-")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_can_be_chosen(provider: str) -> None:
    assert choose_model(environment(provider, AI_MODEL="a-model"), rules=rules).name


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("AI_PROVIDER", "azure", "one of rules, anthropic, openai, ollama, mistral, copilot"),
        ("LLM_EFFORT", "enormous", "one of low, medium, high, xhigh, max"),
        ("LLM_TEMPERATURE", "warm", "no number from 0 to 1"),
        ("LLM_TEMPERATURE", "1.5", "no number from 0 to 1"),
        ("LLM_TEMPERATURE", "nan", "no number from 0 to 1"),
        ("LLM_THINKING_BUDGET", "-1", "no whole number from 0 to 128000"),
        ("LLM_THINKING_BUDGET", "lots", "no whole number from 0 to 128000"),
        ("LLM_MAX_AGENT_STEPS", "0", "no whole number from 1 to 1000"),
        ("LLM_MAX_AGENT_STEPS", "2.5", "no whole number from 1 to 1000"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_may_be(variable: str, value: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told) as refused:
        choose_model(load_settings({variable: value}).ai, rules=rules)
    assert variable in str(refused.value)


def test_what_is_read() -> None:
    assert wishes_of(load_settings({}).ai) == Wishes()
    assert Wishes().max_agent_steps == 3
    read = wishes_of(
        environment(
            "Anthropic",
            LLM_EFFORT="High",
            LLM_TEMPERATURE="0",
            LLM_THINKING_BUDGET="2000",
            LLM_MAX_AGENT_STEPS="5",
        )
    )
    assert (read.provider, read.effort, read.temperature) == ("anthropic", "high", 0.0)
    assert (read.thinking_budget, read.max_agent_steps) == (2_000, 5)
    assert read.asked_for == {"LLM_EFFORT", "LLM_TEMPERATURE", "LLM_THINKING_BUDGET"}


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"AI_PROVIDER": "anthropic"}, "set ANTHROPIC_API_KEY"),
        ({"AI_PROVIDER": "openai", "AI_MODEL": "m"}, "set OPENAI_API_KEY"),
        ({"AI_PROVIDER": "openai"}, "set AI_MODEL"),
        ({"AI_PROVIDER": "ollama"}, "set AI_MODEL"),
        ({"AI_PROVIDER": "openai", "AI_MODEL": "m", "AI_BASE_URL": "ftp://a"}, "AI_BASE_URL"),
        ({"AI_PROVIDER": "openai", "AI_MODEL": "m", "AI_BASE_URL": "https://a/?b=c"}, "a query"),
    ],
)
def test_what_is_missing_or_unusable_is_named(variables: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        choose_model(load_settings(variables).ai)


def test_an_agent_that_names_a_model_needs_a_provider() -> None:
    with pytest.raises(ConfigurationError, match="set AI_PROVIDER"):
        choose_model(load_settings({}).ai, LLMConfig(model="claude-opus-5"), rules)
    with pytest.raises(ConfigurationError, match="has no rules"):
        choose_model(load_settings({}).ai)


def test_a_key_is_sent_in_the_clear_to_nobody_far_away() -> None:
    for near in ("http://localhost:8000/v1", "http://10.1.2.3:8000/v1", "https://a.example/v1"):
        assert choose_model(environment("openai", AI_MODEL="m", AI_BASE_URL=near))
    for far in ("http://models.example.org/v1", "http://93.184.216.34/v1"):
        with pytest.raises(ConfigurationError, match="OPENAI_API_KEY could be read on the way"):
            choose_model(environment("openai", AI_MODEL="m", AI_BASE_URL=far))
        without = load_settings({"AI_PROVIDER": "openai", "AI_MODEL": "m", "AI_BASE_URL": far}).ai
        assert choose_model(without)


def test_no_key_is_in_a_representation_or_a_message() -> None:
    models = [choose_model(environment(p, AI_MODEL="m")) for p in PROVIDERS if p != "rules"]
    assert "s3cret" not in repr(models) + repr(environment("anthropic"))
    with pytest.raises(ConfigurationError) as refused:
        url = "https://me:sk-proj-s3cret-o@a.example"
        choose_model(environment("openai", AI_MODEL="m", AI_BASE_URL=url))
    assert "s3cret" not in str(refused.value)


def test_variables_that_cannot_act_are_told_once(agent_logs: pytest.LogCaptureFixture) -> None:
    wishes = {"LLM_TEMPERATURE": "0", "LLM_THINKING_BUDGET": "2000"}
    for _ in range(3):
        choose_model(environment("anthropic", AI_MODEL="claude-fable-5-2", **wishes))
    choose_model(environment("anthropic", AI_MODEL="claude-haiku-4-5", LLM_THINKING_BUDGET="2000"))
    choose_model(environment("anthropic", AI_MODEL="claude-fable-5-1"))
    [told] = [record.getMessage() for record in agent_logs.records]
    assert told == (
        "LLM_TEMPERATURE, LLM_THINKING_BUDGET: no effect, claude-fable-5-2 takes no temperature and"
        " takes no thinking budget. LLM_EFFORT acts on it."
    )


def test_agents_of_one_configuration_share_a_model_and_rules_are_each_ones_own() -> None:
    def definition(**fields: Any) -> AgentDefinition:
        return cast("AgentDefinition", SimpleNamespace(name="a", rules=None, **fields))

    choose = Chooser(environment("anthropic")).choose
    first = choose(LLMConfig(), definition())
    assert choose(LLMConfig(), definition()) is first
    assert choose(LLMConfig(max_tokens=9), definition()) is not first
    own = SimpleNamespace(name="a", rules=rules)
    by_rules = Chooser(load_settings({}).ai).choose
    one, two = (by_rules(LLMConfig(), cast("AgentDefinition", own)) for _ in range(2))
    assert isinstance(one, RulesModel)
    assert one is not two
    with pytest.raises(ConfigurationError, match="AI_PROVIDER"):
        Chooser(environment("azure"))


async def test_closing_gives_back_the_connections_of_every_model() -> None:
    said = {"choices": [{"message": {"role": "assistant", "content": "Here."}}]}
    body = json.dumps(said).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    ended = asyncio.Event()

    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (asked := await reader.read(65_536)) != b"":
            if asked.rstrip().endswith(b"}"):
                writer.write(f"{head}\r\n\r\n".encode() + body)
        ended.set()
        writer.close()

    async with await asyncio.start_server(answers, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        at = f"http://127.0.0.1:{port}"
        models = Chooser(environment("openai", AI_MODEL="gpt-4.1", AI_BASE_URL=at))
        model = models.choose(LLMConfig(), cast("AgentDefinition", SimpleNamespace(name="a")))
        asked = (Message("user", (TextPart("Where?"),)),)
        for _ in range(2):
            assert (await model.create("", asked, (), "none")).text == "Here."
            assert not ended.is_set()
            await models.aclose()
            await asyncio.wait_for(ended.wait(), 60)
            ended.clear()
