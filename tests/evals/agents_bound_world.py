"""All agents over the servers of this process, with a fixed clock, a known state and chosen models.

The journeys server counts from a fixed moment, so that the same request has the same plans in each
run; what users keep (journey defaults and places, the policy of the graph) is set before a run and
compared after it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from groundwire.agents.runs.desk import Desk
from groundwire.agents.runs.results import Question
from groundwire.agents.runs.runs import Runs
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.agent import AgentFactory, rules_only
from groundwire.agents.runtime.contract import AgentOutput, ToolAnswer
from groundwire.agents.runtime.model import Model
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London
from groundwire.servers import agents as agents_server
from groundwire.servers import journeys
from groundwire.servers.agents import Subagents
from groundwire.servers.composition import below, state
from groundwire.serving.tools import GroundedTool

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
DAY = "2026-11-23"
PATIENCE = 600.0
Calls = Sequence[tuple[str, dict[str, Any]]]
# Keys of texts that a tool quotes from its data.
_LABELS = ("label", "name", "title", "from")


@dataclass(frozen=True)
class Kept:
    """What a user keeps on the servers.

    Attributes:
        options: journey defaults by name.
        places: places by name.
        policy: the policy of the graph in force.
    """

    options: Mapping[str, Any]
    places: Mapping[str, Any]
    policy: Mapping[str, Any]


class World:
    """Every agent, asked one question at a time.

    Attributes:
        label: replaces labels in what tools answer, or "".
    """

    def __init__(self, home: Path, **settings_of: Any) -> None:
        """Make the servers.

        Args:
            home: where they keep their state.
            settings_of: further settings of theirs.
        """
        settings = Settings(home=home, tfl_base_url="offline", **settings_of)
        shared = state(settings)
        self._london = London(journeys.supplies(settings), now=lambda: NOW)
        planner = journeys.JourneysTools(self._london)
        self._servers = agents_server.servers_below(settings, shared, {"journeys": planner})
        self._servers.append(below("subagents", Subagents(lambda: self.desk), settings, shared))
        self.runner = asyncio.Runner()
        self.label = ""
        self._models: Mapping[str, Model] = {}
        self._plan: dict[str, Any] = {}
        logger = logging.Logger("agents")
        logger.addHandler(logging.NullHandler())

        def factory(tools: ToolRegistry) -> AgentFactory:
            self._relabel(tools)
            return AgentFactory(
                tools,
                choose=lambda llm, one: self._models.get(one.name) or rules_only(llm, one),
                logger=logger,
                ledger=shared.ledger,
            )

        self.desk = Desk(Runs(RunStore(home / "runs.sqlite")), lambda: self._servers, factory)
        self._registry = ToolRegistry(*self._servers)

    def ask(
        self, agent: str, text: str, models: Mapping[str, Model] | None = None, label: str = ""
    ) -> AgentOutput:
        """Ask one agent.

        Args:
            agent: its name.
            text: the question.
            models: by agent; the others go by their rules.
            label: replaces the first label in each tool's answer.
        """
        self._models, self.label = models or {}, label
        question = Question(agent, text, DAY, self._variables(agent))
        try:
            view = self.runner.run(self.desk.ask("local", question, PATIENCE))
        finally:
            self._models, self.label = {}, ""
        assert view.output is not None
        return view.output

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a tool itself answers; empty where it refuses."""
        answer = self.runner.run(self._registry.call(tool, dict(arguments)))
        return answer.data if isinstance(answer.data, Mapping) else {}

    def kept(self) -> Kept:
        """What the user keeps now."""
        defaults = self.call("get_default_journey_parameters", {})
        places = {str(one.get("name")): one for one in defaults.get("places", ())}
        policy = dict(self.call("set_kg_policy", {}))
        for volatile in ("evidence_id", "as_of"):
            policy.pop(volatile, None)
        return Kept(dict(defaults.get("effective", {})), places, policy)

    def keep(self, options: Mapping[str, Any]) -> Kept:
        """Forget everything that the user keeps, then keep these options and places."""
        self.call("set_default_journey_parameters", {"reset": ["all"]})
        self.call("set_kg_policy", {"reset": True})
        self.call("set_default_journey_parameters", options)
        return self.kept()

    def close(self) -> None:
        self.runner.run(self._registry.close())
        self.runner.run(self.desk.aclose())
        for server in self._servers:
            self.runner.run(server.aclose())
        self.runner.close()
        self.desk.close()
        for server in self._servers:
            server.close()

    def _variables(self, agent: str) -> Mapping[str, Any]:
        """The plan that the agent of artefacts is asked about."""
        if agent != "journey_artefacts_agent":
            return {}
        if not self._plan:
            made = self.call(
                "compute_journey_plans", {"starting_point": "Victoria", "destination": "Bank"}
            )
            self._plan = {"journey_id": made["journey_id"], "journey_index": 0, "plan_index": 0}
        return self._plan

    def _relabel(self, tools: ToolRegistry) -> None:
        """Have the answers of tools hold the label that is set, if one is."""
        honest = tools.call

        async def call(*arguments: Any, **named: Any) -> ToolAnswer:
            answer = await honest(*arguments, **named)
            if not self.label:
                return answer
            text = f"{answer.text}\n{self.label}"
            return replace(answer, text=text, data=_relabelled(answer.data, self.label))

        tools.call = call  # type: ignore[method-assign]


def _relabelled(data: Any, label: str) -> Any:
    """The data with the first label in each list replaced."""
    if isinstance(data, Mapping):
        labels = (*_LABELS, "text") if "locator" in data else _LABELS
        return {
            key: label if key in labels and isinstance(value, str) else _relabelled(value, label)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [_relabelled(one, label) if at == 0 else one for at, one in enumerate(data)]
    return data


def calls_of(output: AgentOutput) -> Calls:
    """What a run called, in order."""
    made = [step.action for step in output.reasoning.steps if step.action is not None]
    return [(one.tool, dict(one.input)) for one in made if isinstance(one.input, dict)][:12]


def answer_of(output: AgentOutput) -> str:
    """What a run told, or why it told nothing."""
    if output.result is not None:
        return str(output.result.get("answer", ""))
    return output.error.message if output.error is not None else ""


@contextmanager
def opened(home: Path, **settings: Any) -> Iterator[World]:
    """A world whose tools are not stopped for a slow machine, closed at the end."""
    equipped: Callable[..., Any] = GroundedTool.equipped
    patient = patch.object(
        GroundedTool,
        "equipped",
        lambda tool, arguments, delivery, _: equipped(tool, arguments, delivery, PATIENCE),
    )
    with patient:
        world = World(home, **settings)
        try:
            yield world
        finally:
            world.close()
