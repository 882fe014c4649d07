"""Agents by name, with their defaults and what the caller wants otherwise."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from groundwire.agents.folders import folders
from groundwire.agents.runtime.agent import Agent
from groundwire.agents.runtime.clock import Clock
from groundwire.agents.runtime.configuration import RULES, LLMConfig
from groundwire.agents.runtime.definition import AgentDefinition, load_definition
from groundwire.agents.runtime.model import Model
from groundwire.agents.runtime.observability import AgentMetrics, structured_logger
from groundwire.agents.runtime.prompts import PromptStore
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.errors import ConfigurationError

if TYPE_CHECKING:
    from groundwire.evidence import Ledger

Choose = Callable[[LLMConfig, AgentDefinition], Model]
"""Makes the model of an agent by its configuration."""


def rules_only(llm: LLMConfig, definition: AgentDefinition) -> Model:
    """The agent's own rules; no other model.

    Raises:
        ConfigurationError: another model is configured, or the agent has no rules.
    """
    if llm.model != RULES:
        raise ConfigurationError(
            f"The model {llm.model!r} of {definition.name} needs a provider: set AI_PROVIDER."
        )
    if definition.rules is None:
        raise ConfigurationError(f"The agent {definition.name} has no rules: set AI_PROVIDER.")
    return definition.rules()


class AgentFactory:
    """Makes agents and injects what they work with.

    Args:
        tools: the registry of all tools.
        choose: makes models.
        prompts: the prompts; default: those in the agents' folders.
        logger: parent of the agents' logs; default: JSON on stderr.
        clock: where time comes from.
        definitions: definitions of agents that have no folder, by name.
        closing: gives back what the models hold open.
        ledger: where the servers of these tools record their answers; without one a model's own
            words can be proven by nothing but sentences of the tools.
    """

    def __init__(
        self,
        tools: ToolRegistry,
        *,
        choose: Choose = rules_only,
        prompts: PromptStore | None = None,
        logger: logging.Logger | None = None,
        clock: Clock | None = None,
        definitions: dict[str, AgentDefinition] | None = None,
        closing: Callable[[], Awaitable[None]] | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self._tools = tools
        self._choose = choose
        self._prompts = prompts or PromptStore(folders())
        self._logger = logger or structured_logger()
        self._clock = clock or Clock()
        self._definitions = dict(definitions or {})
        self._metrics: dict[str, AgentMetrics] = {}
        self._closing = closing
        self._ledger = ledger

    def create(self, name: str, **overrides: Any) -> Agent:
        """An agent, set up by its own defaults and what is named here.

        Args:
            name: the agent's.
            overrides: a partial configuration: `behavior={"max_iterations": 3}`.

        Raises:
            ConfigurationError: the agent is unknown, the configuration is not valid, or its
                model cannot be made.
        """
        definition = self.definition(name)
        config = definition.config.merged(overrides)
        return Agent(
            definition,
            config,
            self._choose(config.llm, definition),
            self._tools,
            self._prompts,
            self._logger,
            metrics=self.metrics(name),
            clock=self._clock,
            ledger=self._ledger,
        )

    async def aclose(self) -> None:
        """Have the models give back what belongs to the running event loop."""
        if self._closing is not None:
            await self._closing()

    def definition(self, name: str) -> AgentDefinition:
        """The definition of an agent, read once."""
        if name not in self._definitions:
            self._definitions[name] = load_definition(name)
        return self._definitions[name]

    def metrics(self, name: str) -> AgentMetrics:
        """The metrics of all agents of this name that this factory has made."""
        return self._metrics.setdefault(name, AgentMetrics())
