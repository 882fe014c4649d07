"""The agents server: every agent as a tool, over the tools of the other four servers."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from mcp.server.mcpserver import Context

from groundwire.agents.offers import Offer, offers
from groundwire.agents.runs.results import AgentResult, Question
from groundwire.config import Settings
from groundwire.servers.agent_arguments import RUN_SECONDS, RunId, body, declaration
from groundwire.servers.composition import State, below, compose, state
from groundwire.serving import (
    START,
    Cursor,
    GroundwireServer,
    Sample,
    Toolset,
    current_owner,
    resource,
    tool,
)
from groundwire.serving.sections import Listing, Section, Shown
from groundwire.serving.toolsets import Declaration
from groundwire.state import shared_database

if TYPE_CHECKING:
    from groundwire.agents.runs.desk import Desk
    from groundwire.agents.runs.records import RunView, Told
    from groundwire.agents.runtime.agent import AgentFactory
    from groundwire.agents.runtime.registry import ToolRegistry


# Seconds after which a call says that its run goes on; hosts give up after 30.
_PATIENCE = 25.0
_OF_RUNS = ("get_agent_result", "cancel_agent_run", "agent_metrics")
"""The tools and the resource about runs: one toolset of a server offers them for all its agents."""
_LEARNING = "learning_agents"


class _Asking(Toolset):
    """Agents as tools: each is its definition, asked at one desk."""

    def __init__(self, desk: Callable[[], Desk], patience: float = _PATIENCE) -> None:
        """Ask at one desk.

        Args:
            desk: makes the desk where agents are asked, at the first question.
            patience: seconds after which a call answers that its run goes on.
        """
        self._make_desk = desk
        self._made: Desk | None = None
        self._patience = patience
        self._with_runs = True

    def declarations(self) -> Iterator[tuple[str, Declaration, Callable[..., Any]]]:
        """The tools of the agents, then those that are methods."""
        for agent, offer in self._offered().items():
            yield agent, declaration(offer), body(agent, offer, self._asked)
        for name, kind, method in super().declarations():
            if self._with_runs or name not in _OF_RUNS:
                yield name, kind, method

    def samples(self) -> Iterable[Sample]:
        """Runs, tokens and cost of each agent; of two toolsets of one desk, one has them."""
        return self._made.runs.tally.samples() if self._made and self._with_runs else ()

    def sections(self) -> Iterable[Section]:
        """The runs, each with its trace; of two toolsets of one desk, one has them."""
        none = "No run of an agent is kept now: each is kept for a week."
        return (
            (Section("runs", "Runs", none, self._listed, self._shown),) if self._with_runs else ()
        )

    def _listed(self, owner: str, limit: int, before: str) -> Listing:
        from groundwire.agents.runs.looking import list_runs

        return list_runs(self._desk().runs, owner, limit, before)

    def _shown(self, owner: str, run_id: str) -> Shown:
        from groundwire.agents.runs.looking import show_run

        return show_run(self._desk().runs, owner, run_id)

    def _offered(self) -> Mapping[str, Offer]:
        return offers()

    def _desk(self) -> Desk:
        if self._made is None:
            self._made = self._make_desk()
        return self._made

    async def _asked(self, question: Question, ctx: Context[Any, Any]) -> AgentResult:
        from groundwire.agents.runs.showing import answered, shown
        from groundwire.agents.runtime.contract import RUNNING

        owner, desk = current_owner(), self._desk()
        if RUNNING.get() is not None:
            # The trace of an agent holds those of the agents that it asked.
            return shown(await desk.ask_within(owner, question, _left(ctx)))
        view = await desk.ask(owner, question, self._patience, _telling(ctx))
        return shown(view) if question.include_trace else answered(view)


class Subagents(_Asking):
    """The agents that take instructions, for the agents that call them."""

    name = "subagents"
    makes_links = True
    title = "Agents of agents"

    def _offered(self) -> Mapping[str, Offer]:
        return {name: one for name, one in offers().items() if one.takes == "instruction"}


class AgentsTools(_Asking):
    """Agents, and their runs with whole traces."""

    name = "agents"
    makes_links = True
    title = "Agents"
    instructions = (
        "Agents that answer a whole question. Send the user's own words. Show `answer`; tell what "
        "reasoning.assumptions_made says; include_trace shows every step. If status is running, "
        "call get_agent_result with the run_id until it is not; cancel_agent_run stops a run. "
        "Send continue_run_id for a question that goes on from an answer. State only what result "
        "holds, and name evidence_ids. Check your final text with verify_answer."
    )

    def __init__(
        self,
        desk: Callable[[], Desk],
        patience: float = _PATIENCE,
        *,
        remember: Callable[[Iterable[str]], None] | None = None,
        with_runs: bool = True,
    ) -> None:
        """Ask at one desk.

        Args:
            desk: makes the desk where agents are asked, at the first question.
            patience: seconds after which a call answers that its run goes on.
            remember: told the evidence ids of every run whose result is handed out.
            with_runs: whether it has what is of all runs; another toolset of its server may.
        """
        super().__init__(desk, patience)
        self._remember = remember
        self._with_runs = with_runs

    async def aclose(self) -> None:
        """End every run, and close what belongs to the running event loop."""
        if self._made is not None:
            await self._made.aclose()

    def close(self) -> None:
        """End every run, and close the servers below."""
        if self._made is not None:
            self._made.close()

    @tool(
        "Get an agent's result",
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=RUN_SECONDS,
    )
    async def get_agent_result(
        self, ctx: Context[Any, Any], run_id: RunId, cursor: Cursor = START
    ) -> AgentResult:
        """The progress of a run, and when it has ended its output; pages have the whole trace."""
        from groundwire.agents.runs.showing import shown

        owner = current_owner()
        view = await self._desk().runs.wait(owner, run_id, self._patience, _telling(ctx))
        if self._remember is not None and view.output is not None:
            # The run may be one of a process that ended: its records are this connection's too.
            self._remember(view.output.evidence_ids)
        return shown(view, cursor.offset)

    @tool(
        "Cancel an agent's run",
        read_only=False,
        idempotent=True,
        open_world=False,
        timeout=30.0,
    )
    async def cancel_agent_run(self, run_id: RunId) -> AgentResult:
        """Stop a run: its model and tool calls end; returns what it had, with its trace."""
        from groundwire.agents.runs.showing import shown

        view, stopped = await self._desk().runs.cancel(current_owner(), run_id)
        result = shown(view)
        if stopped or view.status == "running":
            return result
        told = f"The run had ended before: {result.answer}"
        return result.model_copy(update={"answer": told})

    @resource("agents://metrics", title="Metrics of agents")
    async def agent_metrics(self) -> str:
        """Runs, errors, steps, tokens, cost and time of each agent, of the caller's kept runs."""
        return json.dumps(await self._desk().runs.metrics(current_owner()))


class LearningAgentsTools(AgentsTools):
    """The agents of learning."""

    name = _LEARNING
    title = "Agents of learning"
    instructions = (
        "Agents for one learner's cards: each takes `question` and the inputs it names. Show "
        "`answer`; include_trace shows every step. State no rating, date, mastery or card "
        "that result does not hold. If status is running, call get_agent_result with the run_id. "
        "Send continue_run_id to go on, as with socratic_tutor_agent after each reply. Cards, "
        "policy and graph change only as context says (deck_id, loadout, commit)."
    )

    def _offered(self) -> Mapping[str, Offer]:
        return offers(_LEARNING)


RUNS_FILE = "runs.sqlite"


def build(settings: Settings) -> GroundwireServer:
    """The server `agents` as the settings describe it; the servers below wait for a question.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    shared = state(settings)
    made = cache(lambda: desk(settings, shared, lambda: servers_below(settings, shared)))
    toolsets = [agents_toolset(made, shared, with_runs=not of_learning_alone(settings))]
    if settings.toolsets or settings.tools:
        toolsets.append(learning_toolset(made, shared, with_runs=of_learning_alone(settings)))
    return compose("agents", toolsets, settings, title="Groundwire agents", shared=shared)


def toolset(
    settings: Settings, shared: State, servers: Callable[[], Sequence[GroundwireServer]]
) -> AgentsTools:
    """The toolset `agents` over some servers, which are made at the first question."""
    return agents_toolset(lambda: desk(settings, shared, servers), shared)


def of_learning_alone(settings: Settings) -> bool:
    """Whether of the agents only those of learning are asked for."""
    return _LEARNING in settings.toolsets and AgentsTools.name not in settings.toolsets


def agents_toolset(
    made: Callable[[], Desk], shared: State, *, with_runs: bool = True
) -> AgentsTools:
    """The toolset `agents` at a desk."""
    return AgentsTools(made, remember=shared.ledger.remember, with_runs=with_runs)


def learning_toolset(
    made: Callable[[], Desk], shared: State, *, with_runs: bool = True
) -> LearningAgentsTools:
    """The toolset `learning_agents` at a desk."""
    return LearningAgentsTools(made, remember=shared.ledger.remember, with_runs=with_runs)


def desk(
    settings: Settings,
    shared: State,
    servers: Callable[[], Sequence[GroundwireServer]],
    log_level: int = logging.INFO,
) -> Desk:
    """The desk where agents are asked, above some servers.

    Args:
        settings: where the runs are kept, and which model thinks.
        shared: ledger and handles of the process.
        servers: makes the servers whose tools agents call, at the first question.
        log_level: what of the runs is logged to stderr, unless the settings say.
    """
    from groundwire.agents.runs.desk import Desk
    from groundwire.agents.runs.runs import Runs
    from groundwire.agents.runs.store import RunStore
    from groundwire.agents.runtime.agent import AgentFactory
    from groundwire.agents.runtime.observability import structured_logger

    def all_servers() -> Sequence[GroundwireServer]:
        return [*servers(), below("subagents", Subagents(lambda: made), settings, shared)]

    def factory(tools: ToolRegistry) -> AgentFactory:
        from groundwire.agents.models.choose import Chooser

        models = Chooser(settings.ai)
        return AgentFactory(
            tools,
            choose=models.choose,
            logger=structured_logger(
                settings.log_level.upper() or log_level, texts=settings.log_questions
            ),
            closing=models.aclose,
            ledger=shared.ledger,
        )

    runs = Runs(RunStore(shared_database(settings) or settings.home / RUNS_FILE))
    made = Desk(
        runs,
        all_servers,
        factory,
        overrides=_overrides(settings),
        read_only=settings.read_only,
    )
    return made


def _overrides(settings: Settings) -> dict[str, Any]:
    """Return the settings of single agents that variables give."""
    from groundwire.agents.models.options import wishes_of

    if not settings.ai.max_agent_steps:
        return {}
    steps = wishes_of(settings.ai).max_agent_steps
    return {"ontology_search_agent": {"behavior": {"max_iterations": steps}}}


def servers_below(
    settings: Settings, shared: State, toolsets: Mapping[str, Toolset] | None = None
) -> list[GroundwireServer]:
    """The servers whose tools agents call.

    Args:
        settings: what they serve.
        shared: ledger and handles of the process.
        toolsets: those that this process has already, by name.

    Raises:
        ConfigurationError: what the settings name cannot be used.
    """
    from groundwire.servers import journeys, learning, metrics, ontology, sparql

    made: dict[str, Callable[[Settings], Toolset]] = {
        "ontology": ontology.toolset,
        "metrics": metrics.toolset,
        "sparql": sparql.toolset,
        "journeys": journeys.toolset,
        "learning": learning.toolset,
    }
    known = toolsets or {}
    return [
        below(name, known.get(name) or make(settings), settings, shared)
        for name, make in made.items()
    ]


def _left(ctx: Context[Any, Any]) -> dict[str, Any]:
    """Return what the run that calls has left, as the runtime sends it with every call."""
    from groundwire.agents.runtime.registry import CONTEXT_KEY

    meta = cast("Mapping[str, Any]", ctx.request_context.meta or {})
    told = meta.get(CONTEXT_KEY)
    left = cast("Mapping[str, Any]", told).get("budget") if isinstance(told, Mapping) else None
    return dict(cast("Mapping[str, Any]", left)) if isinstance(left, Mapping) else {}


def _telling(ctx: Context[Any, Any]) -> Told:
    """Reports what is new of a run to whoever called."""
    from groundwire.agents.runs.showing import said_of

    told = 0

    async def tell(view: RunView) -> None:
        nonlocal told
        told += 1
        await ctx.report_progress(told, message=said_of(view))

    return tell
