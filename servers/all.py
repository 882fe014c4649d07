"""All toolsets behind one process: the twelve tools most hosts need, and whole sets by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from groundwire.config import Settings
from groundwire.servers.composition import State, compose, state
from groundwire.servers.every_tool import AGENTS, EVIDENCE, LEARNING_AGENTS, TOOLSETS
from groundwire.serving import GroundwireServer, Toolset

if TYPE_CHECKING:
    from groundwire.agents.runs.desk import Desk

DEFAULT_TOOLS = (
    "submit_slots",
    "query_metric",
    "query_metric_table",
    "list_metrics",
    "execute_query",
    "describe_schema",
    "run_kg_workflow",
    "compute_journey_plans",
    "get_computed_journey_plan",
    "get_line_status",
    "get_evidence",
    "verify_answer",
)
SERVER_ID = "groundwire"
"""The name by which hosts know the server of all toolsets."""

_ASKING = (AGENTS, LEARNING_AGENTS)

# The first 500 characters decide: what is true of every toolset, then one line for each.
_ALWAYS = (
    "Tools that answer from facts. Call one with the user's own words before you answer; state "
    "no number, name, time or IRI that no result has. Say what was corrected or assumed; if "
    "candidates, options or a question come back, ask the user."
)
_CHECK = "Check your final text with verify_answer."
_INSTRUCTIONS: Mapping[str, str] = {
    "ontology": (
        "Catalogue: submit_slots at once with what the user said; suggestions of a gap can be sent "
        "as they stand."
    ),
    "metrics": (
        "Figures: query_metric; found, not_found and unrecognized_param are its only outcomes, and "
        "a value stands in found alone."
    ),
    "sparql": (
        "Knowledge graphs: run_kg_workflow with the whole prompt; show its markdown with the links "
        "as they are. execute_query runs one query, of names that describe_schema gave: say its "
        "status."
    ),
    "journeys": (
        "London journeys: compute_journey_plans, then get_computed_journey_plan with its "
        "journey_id; offline_estimate times are estimates."
    ),
    "learning": (
        "Flashcards: list_cards, then record_review with what the learner typed; query_mastery "
        "gives a number or says that there is none."
    ),
    AGENTS: (
        "Agents answer a whole question with their trace; while status is running, call "
        "get_agent_result with the run_id."
    ),
    LEARNING_AGENTS: (
        "Agents of learning take question and inputs of a task; state no rating, date, mastery or "
        "card that result does not hold."
    ),
}


def build(settings: Settings) -> GroundwireServer:
    """The server `all` as the settings describe it: twelve tools, or what they name.

    Toolsets of which no tool is asked for are not imported; nothing is read before a call.

    Raises:
        ConfigurationError: the settings contradict one another, or name an unknown toolset or
            tool.
    """
    shared = state(settings)
    made: dict[str, Toolset] = {}
    desk = cache(lambda: _desk(settings, shared, made))
    for name in wanted(settings):
        if name in _ASKING:
            first = not any(one in made for one in _ASKING)
            made[name] = _agents(name, desk, shared, with_runs=first)
        else:
            made[name] = _made(name, settings)
    return compose(
        SERVER_ID,
        list(made.values()),
        settings,
        title="Groundwire",
        shared=shared,
        instructions=_instructions(made),
        default_tools=DEFAULT_TOOLS if not settings.tools else (),
    )


def wanted(settings: Settings) -> tuple[str, ...]:
    """The toolsets of which a tool is asked for; all of them where a name is unknown.

    An unknown name is refused with the nearest of all that there are.
    """
    owner = {tool: name for name, tools in TOOLSETS.items() for tool in tools}
    asked = [*settings.toolsets, *(owner.get(tool, "") for tool in settings.tools)]
    every = tuple(name for name in TOOLSETS if name != EVIDENCE)
    if any(name not in TOOLSETS for name in asked):
        return every
    if not settings.tools:
        asked += [owner[tool] for tool in DEFAULT_TOOLS]
    return tuple(name for name in every if name in asked)


def _instructions(made: Iterable[str]) -> str:
    """Return what is told of the toolsets."""
    return " ".join((_ALWAYS, _CHECK, *(_INSTRUCTIONS[name] for name in made)))


def _made(name: str, settings: Settings) -> Toolset:
    module = import_module(f"groundwire.servers.{name}")
    return cast("Callable[[Settings], Toolset]", module.toolset)(settings)


def _agents(name: str, desk: Callable[[], Desk], shared: State, *, with_runs: bool) -> Toolset:
    """A toolset of agents; the tools for runs are of one of them."""
    from groundwire.servers.agents import agents_toolset, learning_toolset

    make = agents_toolset if name == AGENTS else learning_toolset
    return make(desk, shared, with_runs=with_runs)


def _desk(settings: Settings, shared: State, made: Mapping[str, Toolset]) -> Desk:
    """The desk of the agents, over the toolsets that this process has already."""
    from groundwire.servers.agents import desk, servers_below

    known = {name: one for name, one in made.items() if name not in _ASKING}
    return desk(settings, shared, lambda: servers_below(settings, shared, known))
