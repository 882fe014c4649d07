"""Where agents are asked: the one place between a server's tools and the runtime.

Nothing is opened before the first question: then the servers below are made, their tools listed,
once per process, and the agent is created.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio
import anyio.to_thread

from groundwire.agents.runs.records import Asked, RunView, Told
from groundwire.agents.runs.results import Question
from groundwire.agents.runs.runs import Runs
from groundwire.agents.runtime.agent import AgentFactory
from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.contract import RUNNING, AgentContext, Budget
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.serving import GroundwireServer

PRIVATE = "[question]"
"""What is kept of a question where its trace may not hold it."""
_INHERITED = {"user_id", "session_id", "correlation_id", "trace_id", "metadata"}


class Desk:
    """Asks agents for the owners of their runs.

    Args:
        runs: the runs of this process.
        servers: makes the servers whose tools agents call; called once, at the first question.
        factory: makes the factory above their tools.
        overrides: partial configurations of single agents, by name.
        read_only: whether tools that are not offered are left out instead of refused at once.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        runs: Runs,
        servers: Callable[[], Sequence[GroundwireServer]],
        factory: Callable[[ToolRegistry], AgentFactory],
        *,
        overrides: Mapping[str, Mapping[str, Any]] | None = None,
        read_only: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.runs = runs
        self._make_servers = servers
        self._make_factory = factory
        self._changed = dict(overrides or {})
        self._read_only = read_only
        self._clock = clock
        self._servers: Sequence[GroundwireServer] = ()
        self._tools: ToolRegistry | None = None
        self._factory: AgentFactory | None = None
        self._opening = anyio.Lock()

    async def ask(
        self, owner: str, question: Question, seconds: float, told: Told | None = None
    ) -> RunView:
        """Ask an agent, and wait for its answer for so many seconds.

        Raises:
            ConfigurationError: the agent, its model or the servers below cannot be set up.
            InputError: the conversation cannot be carried on.
            NotFoundError: this owner has not had such a conversation.
            LimitError: too many runs are under way.
        """
        began = self._clock()
        turns = (
            await self.runs.conversation(owner, question.agent, question.continue_run_id)
            if question.continue_run_id
            else ()
        )
        factory = await self._opened()
        agent = factory.create(question.agent, **self._overrides(question.agent))
        context = AgentContext.model_validate(
            {"user_id": owner, **question.context, "turns": turns}
        )
        asked = self._asked(factory, owner, question, context)
        return await self.runs.ask(
            asked,
            lambda: agent.execute(_input_of(question), context),
            # The first question opens the servers below, and its caller waits for that too.
            max(0.0, seconds - (self._clock() - began)),
            told,
        )

    async def ask_within(
        self, owner: str, question: Question, budget: Mapping[str, Any]
    ) -> RunView:
        """Ask an agent for the agent whose run this is; it ends with that run, and is kept too.

        Args:
            owner: whose run that is.
            question: what it is asked.
            budget: what the calling run has left, by the names of `Budget`.
        """
        factory = await self._opened()
        agent = factory.create(question.agent, **self._overrides(question.agent))
        above = RUNNING.get()
        kept = {} if above is None else above.model_dump(include=_INHERITED)
        limits = _stricter(question.context.get("budget") or {}, budget)
        context = AgentContext.model_validate({**kept, **question.context, "budget": limits})
        output = await agent.execute(_input_of(question), context)
        asked = self._asked(factory, owner, question, context)
        return await self.runs.keep(asked, output)

    async def aclose(self) -> None:
        """End every run, and close what belongs to the running event loop."""
        await self.runs.aclose()
        if self._tools is not None:
            await self._tools.close()
        if self._factory is not None:
            await self._factory.aclose()
        for server in self._servers:
            await server.aclose()

    def close(self) -> None:
        """End every run, and close the servers below."""
        self.runs.close()
        servers, self._servers = self._servers, ()
        self._tools = self._factory = None
        for server in servers:
            server.close()

    async def _opened(self) -> AgentFactory:
        """The factory, above the open tools of the servers below."""
        async with self._opening:
            if self._factory is None or self._tools is None:
                self._servers = await anyio.to_thread.run_sync(self._make_servers)
                self._tools = ToolRegistry(*self._servers)
                self._factory = self._make_factory(self._tools)
        await self._tools.open()
        return self._factory

    def _asked(
        self, factory: AgentFactory, owner: str, question: Question, context: AgentContext
    ) -> Asked:
        definition = factory.definition(question.agent)
        private = definition.config.tracing.private or context.metadata.get("private") is True
        text = question.text.encode("utf-8", "surrogatepass")
        told = factory.redactor.clean_facts(text).decode("utf-8", "surrogatepass")
        return Asked(
            run_id=context.run_id,
            owner=owner,
            agent=question.agent,
            question=PRIVATE if private else told,
            turns=context.turns,
            model=definition.config.llm.model,
            version=definition.version,
        )

    def _overrides(self, agent: str) -> dict[str, Any]:
        """Return the settings that differ from an agent's own configuration."""
        changed: dict[str, Any] = dict(self._changed.get(agent, {}))
        if self._read_only and self._tools is not None and self._factory is not None:
            # A server that changes nothing offers fewer tools, to agents as to hosts.
            config: AgentConfig = self._factory.definition(agent).config
            offered = self._tools.names()
            changed["enabled_tools"] = tuple(
                name for name in config.enabled_tools if name in offered
            )
        return changed


def _stricter(*budgets: Mapping[str, Any]) -> dict[str, Any]:
    """The least of each limit."""
    limits: dict[str, Any] = {}
    for name in Budget.model_fields:
        named = [one[name] for one in budgets if one.get(name) is not None]
        if named:
            limits[name] = min(named)
    return limits


def _input_of(question: Question) -> dict[str, Any]:
    """Return the input of the agent that a question is for."""
    asked: dict[str, Any] = {"question": question.text, "context": dict(question.variables)}
    return asked | ({"reference_date": question.reference_date} if question.reference_date else {})
