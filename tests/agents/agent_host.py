"""Agents over the real servers of this process, with their own rules or with a script."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from groundwire.agents.models.scripted import Line, ScriptedModel
from groundwire.agents.runtime.agent import AgentFactory, rules_only
from groundwire.agents.runtime.contract import AgentContext, AgentOutput, Turn
from groundwire.agents.runtime.model import ModelResponse, ToolCallPart, Usage
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.evidence import Ledger
from groundwire.servers.composition import EVIDENCE_FILE
from groundwire.serving import GroundwireServer
from groundwire.serving.tools import GroundedTool

DAY = "2026-11-21"
PATIENCE = 600.0

Build = Callable[[Settings], GroundwireServer]


class Host:
    """Agents above some servers, in one event loop.

    Args:
        settings: of the servers.
        builds: make the servers.
    """

    def __init__(self, settings: Settings, *builds: Build) -> None:
        self.servers = [build(settings) for build in builds]
        self.registry = ToolRegistry(*self.servers)
        self.ledger = Ledger(settings.home / EVIDENCE_FILE)
        self.runner = asyncio.Runner()
        self.model: ScriptedModel | None = None
        self._logger = logging.getLogger("hosted")
        self._logger.handlers[:] = [logging.NullHandler()]
        self._logger.propagate = False

    def ask(
        self,
        agent: str,
        question: str,
        *script: Line,
        turns: Sequence[Turn] = (),
        context: AgentContext | None = None,
        forever: bool = False,
        native_tools: bool = True,
        variables: dict[str, Any] | None = None,
        **overrides: Any,
    ) -> AgentOutput:
        """Ask an agent: by its rules, or where there is a script by that."""
        model: ScriptedModel | None = None
        if script:
            model = ScriptedModel(*script, forever=forever, native_tools=native_tools, free=True)
        self.model = model
        choose = rules_only if model is None else lambda llm, definition: model
        factory = AgentFactory(
            self.registry, choose=choose, logger=self._logger, ledger=self.ledger
        )
        behavior = {"timeout_ms": round(PATIENCE * 1e3), **overrides.pop("behavior", {})}
        made = factory.create(agent, behavior=behavior, **overrides)
        context = context or AgentContext(turns=tuple(turns))
        asked = {"question": question, "reference_date": DAY, "context": variables or {}}
        return self.runner.run(made.execute(asked, context))

    def close(self) -> None:
        self.runner.run(self.registry.close())
        for server in self.servers:
            self.runner.run(server.aclose())
        self.runner.close()
        for server in self.servers:
            server.close()
        self.ledger.close()


@contextmanager
def hosted(home: Path, *builds: Build, **settings: Any) -> Iterator[Host]:
    """A host whose tools are not stopped for a slow machine."""
    equipped = GroundedTool.equipped
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            GroundedTool,
            "equipped",
            lambda tool, arguments, delivery, _: equipped(tool, arguments, delivery, PATIENCE),
        )
        host = Host(Settings(home=home, **settings), *builds)
        try:
            yield host
        finally:
            host.close()


def calls(*made: tuple[str, dict[str, Any]], text: str = "") -> ModelResponse:
    """A response of a script that calls tools."""
    return ModelResponse(
        text=text,
        tool_calls=tuple(
            ToolCallPart(f"call_{number}", name, arguments)
            for number, (name, arguments) in enumerate(made, 1)
        ),
        stop_reason="tool_use",
        usage=Usage(prompt=100, completion=20),
        cost_usd=0.0,
    )


def answer(output: AgentOutput) -> str:
    """The answer of a run that has one."""
    assert output.result is not None, output.error
    said = output.result["answer"]
    assert isinstance(said, str)
    return said


def turn(question: str, output: AgentOutput) -> Turn:
    """A run as the turn before of a conversation."""
    return Turn(question=question, result=output.result or {})


def tools(output: AgentOutput) -> list[str]:
    """Tools of a run in the order of their calls."""
    return [step.action.tool for step in output.reasoning.steps if step.action is not None]
