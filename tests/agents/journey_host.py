"""The journey agents over the real journeys server, with a fixed clock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from groundwire.agents.models.scripted import Line, ScriptedModel
from groundwire.agents.runs.desk import Desk
from groundwire.agents.runs.results import Question
from groundwire.agents.runs.runs import Runs
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.agent import AgentFactory, rules_only
from groundwire.agents.runtime.contract import AgentOutput
from groundwire.agents.runtime.model import Model, ModelResponse, ToolCallPart
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London
from groundwire.journeys.region import Region
from groundwire.servers import journeys
from groundwire.servers.agents import Subagents
from groundwire.servers.composition import below, state
from groundwire.serving import GroundwireServer
from groundwire.serving.tools import GroundedTool

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
PATIENCE = 600.0


class JourneyHost:
    """All journey agents, above a planner of the embedded network, or of a TfL by its URL.

    Attributes:
        london: what journeys are planned with: London, or the region that was given.
    """

    def __init__(self, home: Path, url: str = "offline", region: Region | None = None) -> None:
        settings = Settings(home=home, tfl_base_url=url)
        shared = state(settings)
        supplies = journeys.supplies(settings)
        self.london = london = region or London(supplies, now=lambda: NOW)
        self.models: dict[str, Model] = {}
        self.runner = asyncio.Runner()
        logger = logging.Logger("agents")
        logger.addHandler(logging.NullHandler())

        def servers() -> list[GroundwireServer]:
            planner = below("journeys", journeys.JourneysTools(london), settings, shared)
            agents = below("subagents", Subagents(lambda: self.desk), settings, shared)
            return [planner, agents]

        def factory(tools: ToolRegistry) -> AgentFactory:
            return AgentFactory(
                tools,
                choose=lambda llm, one: self.models.get(one.name) or rules_only(llm, one),
                logger=logger,
                ledger=shared.ledger,
            )

        self.desk = Desk(Runs(RunStore(home / "runs.sqlite")), servers, factory)

    def ask(
        self,
        text: str,
        *script: Line,
        after: str = "",
        agent: str = "",
        owner: str = "local",
        **sent: Any,
    ) -> AgentOutput:
        """Ask an agent, the router by default: by its rules, or where there is one by a script.

        Args:
            text: the request.
            script: what its model says.
            after: the run whose conversation goes on.
            agent: another agent than the router.
            owner: who asks.
            sent: further fields of the question.
        """
        name = agent or "journey_router_agent"
        self.models = {name: ScriptedModel(*script, forever=True, free=True)} if script else {}
        question = Question(name, text, continue_run_id=after, **sent)
        view = self.runner.run(self.desk.ask(owner, question, PATIENCE))
        assert view.output is not None
        return view.output

    def close(self) -> None:
        """End everything that was opened."""
        self.runner.run(self.desk.aclose())
        self.runner.close()
        self.desk.close()


@contextmanager
def hosted(home: Path, url: str = "offline", region: Region | None = None) -> Iterator[JourneyHost]:
    """A host whose tools are not stopped for a slow machine."""
    equipped = GroundedTool.equipped
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            GroundedTool,
            "equipped",
            lambda tool, arguments, delivery, _: equipped(tool, arguments, delivery, PATIENCE),
        )
        host = JourneyHost(home, url, region)
        try:
            yield host
        finally:
            host.close()


def calls(*made: tuple[str, Mapping[str, Any]]) -> ModelResponse:
    """What a scripted model says to call tools."""
    return ModelResponse(
        tool_calls=tuple(
            ToolCallPart(f"call_{number}", name, dict(arguments))
            for number, (name, arguments) in enumerate(made)
        ),
        stop_reason="tool_use",
        cost_usd=0.0,
    )


def result(output: AgentOutput) -> dict[str, Any]:
    """What a run returned."""
    assert output.result is not None, output.error
    return dict(output.result)


def used(output: AgentOutput) -> list[str]:
    """The tools of a run, call by call."""
    return [step.action.tool for step in output.reasoning.steps if step.action is not None]
