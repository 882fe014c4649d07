"""The model that the environment and an agent's configuration ask for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from groundwire.agents.models.anthropic import DEFAULT_MODEL, AnthropicModel
from groundwire.agents.models.chat_completions import CHAT_PROVIDERS, ChatCompletionsModel
from groundwire.agents.models.command_line import COMMAND_LINE_TOOLS, CommandLineModel
from groundwire.agents.models.keys import ApiKey
from groundwire.agents.models.options import (
    EFFORT,
    TEMPERATURE,
    THINKING_BUDGET,
    Capabilities,
    Options,
    Wishes,
    capabilities_of,
    wishes_of,
)
from groundwire.agents.runtime.configuration import RULES, LLMConfig
from groundwire.agents.runtime.model import Model
from groundwire.config import AiSettings
from groundwire.errors import ConfigurationError, GroundwireError
from groundwire.transport.addresses import address_kind
from groundwire.transport.targets import Target, parse_target

if TYPE_CHECKING:
    from groundwire.agents.runtime.definition import AgentDefinition

_log = logging.getLogger(__name__)
_told: set[tuple[str, tuple[str, ...]]] = set()

_NOT_TAKEN = {
    TEMPERATURE: "takes no temperature",
    THINKING_BUDGET: "takes no thinking budget",
    EFFORT: "takes no effort",
}


def choose_model(
    ai: AiSettings, llm: LLMConfig | None = None, rules: Callable[[], Model] | None = None
) -> Model:
    """The model of an agent.

    Args:
        ai: what the environment says; it goes before the agent's configuration in how a model is
            sampled.
        llm: the agent's configuration; a model that it names goes before AI_MODEL.
        rules: makes the agent's own rules, for AI_PROVIDER=rules.

    Raises:
        ConfigurationError: a variable cannot be used, or one that is needed is not set.
    """
    llm = llm or LLMConfig()
    wishes = wishes_of(ai)
    if wishes.provider == RULES:
        return _rules(llm, rules)
    named = llm.model if llm.model != RULES else ai.model
    if wishes.provider == "anthropic":
        return _anthropic(ai, wishes, llm, named or DEFAULT_MODEL)
    if wishes.provider in COMMAND_LINE_TOOLS:
        tool = COMMAND_LINE_TOOLS[wishes.provider]
        options = _options(wishes, llm, named or tool.name, tool.capabilities)
        return CommandLineModel(tool, named, options=options)
    if not named:
        raise ConfigurationError(
            f"AI_PROVIDER={wishes.provider} needs a model: set AI_MODEL to its name."
        )
    return _chat(ai, wishes, llm, named)


class Chooser:
    """Chooses models for an `AgentFactory`; agents of the same configuration share one.

    Args:
        ai: what the environment says.

    Raises:
        ConfigurationError: a variable cannot be used.
    """

    def __init__(self, ai: AiSettings) -> None:
        self._ai = ai
        self._by_rules = wishes_of(ai).provider == RULES
        self._made: dict[LLMConfig, Model] = {}

    def choose(self, llm: LLMConfig, definition: AgentDefinition) -> Model:
        """The model of an agent; see `choose_model`."""
        if self._by_rules:
            return _rules(llm, definition.rules)
        if llm not in self._made:
            self._made[llm] = choose_model(self._ai, llm)
        return self._made[llm]

    async def aclose(self) -> None:
        """Close the connections of every model; one that is asked again opens its own."""
        for model in self._made.values():
            if isinstance(model, AnthropicModel | ChatCompletionsModel):
                await model.aclose()


def _rules(llm: LLMConfig, rules: Callable[[], Model] | None) -> Model:
    if llm.model != RULES:
        raise ConfigurationError(f"The model {llm.model!r} needs a provider: set AI_PROVIDER.")
    if rules is None:
        raise ConfigurationError("This agent has no rules: set AI_PROVIDER.")
    return rules()


def _anthropic(ai: AiSettings, wishes: Wishes, llm: LLMConfig, named: str) -> Model:
    key = ApiKey(ai.anthropic_key, "ANTHROPIC_API_KEY")
    if not key:
        raise ConfigurationError(
            "AI_PROVIDER=anthropic needs a key: set ANTHROPIC_API_KEY, or AI_PROVIDER=rules."
        )
    _check_base_url(ai.base_url, key)
    options = _options(wishes, llm, named, capabilities_of("anthropic", named))
    return AnthropicModel(key, named, options=options, base_url=ai.base_url)


def _chat(ai: AiSettings, wishes: Wishes, llm: LLMConfig, named: str) -> Model:
    provider = CHAT_PROVIDERS[wishes.provider]
    # On this machine nobody asks for a key, and a key for another service stays with it.
    wants_key = provider.needs_key or bool(ai.base_url)
    key = ApiKey(ai.openai_key if wants_key else None, "OPENAI_API_KEY")
    if provider.needs_key and not key and not ai.base_url:
        raise ConfigurationError(
            f"AI_PROVIDER={provider.name} needs a key: set OPENAI_API_KEY to it, or AI_BASE_URL to"
            " a server that needs none."
        )
    _check_base_url(ai.base_url, key)
    options = _options(wishes, llm, named, capabilities_of(provider.name, named))
    return ChatCompletionsModel(provider, key, named, options=options, base_url=ai.base_url)


def _check_base_url(base_url: str, key: ApiKey) -> None:
    if not base_url:
        return
    try:
        target = parse_target(base_url)
    except GroundwireError as error:
        raise ConfigurationError(f"AI_BASE_URL cannot be used: {key.message(str(error))}") from None
    if "?" in base_url or "#" in base_url:
        raise ConfigurationError("AI_BASE_URL holds a query or fragment: leave it out.")
    if key and target.scheme == "http" and not _is_near(target):
        raise ConfigurationError(
            f"AI_BASE_URL is not encrypted, so {key.variable} could be read on the way: use https,"
            " or an address of your own network."
        )


def _is_near(target: Target) -> bool:
    """Whether a host is this machine, or a numbered one of a private network."""
    host = target.host.rstrip(".")
    return host == "localhost" or address_kind(host) in ("loopback", "private")


def _options(wishes: Wishes, llm: LLMConfig, model: str, can: Capabilities) -> Options:
    options = Options(
        max_tokens=llm.max_tokens,
        temperature=llm.temperature if wishes.temperature is None else wishes.temperature,
        # A temperature that somebody asked for is not passed over for a default.
        top_p=llm.top_p if wishes.temperature is None else None,
        effort=wishes.effort,
        thinking_budget=wishes.thinking_budget,
        asked_for=wishes.asked_for,
    )
    idle = options.without_effect(can)
    if idle and (model, idle) not in _told:
        _told.add((model, idle))
        reasons = " and ".join(_NOT_TAKEN[name] for name in idle)
        hint = " LLM_EFFORT acts on it." if can.efforts and EFFORT not in idle else ""
        _log.warning("%s: no effect, %s %s.%s", ", ".join(idle), model, reasons, hint)
    return options
