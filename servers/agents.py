"""The agents server: every agent as a tool, over the tools of the other four servers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from mcp.server.mcpserver import Context
from pydantic import JsonValue

from groundwire.agents.context import RUNNING
from groundwire.agents.desk import ANSWER_WITHIN, Desk, Question
from groundwire.agents.factory import AgentFactory
from groundwire.agents.observability import structured_logger
from groundwire.agents.registry import CONTEXT_KEY, ToolRegistry
from groundwire.agents.results import AgentResult, said_of, shown
from groundwire.agents.run_records import RunView
from groundwire.agents.run_store import RunStore
from groundwire.agents.runs import Runs, Told
from groundwire.config import Settings
from groundwire.servers.agent_arguments import (
    BudgetArgument,
    ContextArgument,
    ContinueRun,
    InputPrompt,
    QuestionText,
    ReferenceDate,
    RunId,
    WhichPlan,
    context_of,
)
from groundwire.servers.composition import State, below, compose, state
from groundwire.serving import START, Cursor, GroundwireServer, Toolset, current_owner, tool

RUNS_FILE = "runs.sqlite"
# The body answers before that; what comes on top is for a machine that is busy.
_TIMEOUT = 90.0
# An agent within another agent's run ends with that run.
_WITHIN_RUN = 3_600.0


class _Asking(Toolset):
    """What every tool that asks an agent does."""

    def __init__(self, desk: Desk, patience: float = ANSWER_WITHIN) -> None:
        """Ask at one desk.

        Args:
            desk: where agents are asked; nothing is opened before the first question.
            patience: seconds after which a call answers that its run goes on.
        """
        self._desk = desk
        self._patience = patience

    async def _asked(self, question: Question, ctx: Context[Any, Any]) -> AgentResult:
        owner = current_owner()
        if RUNNING.get() is not None:
            return shown(await self._desk.ask_within(owner, question, _left(ctx)))
        return shown(await self._desk.ask(owner, question, self._patience, _telling(ctx)))


class JourneyAgents(_Asking):
    """The agents of journeys, each for one part of it; the router calls them."""

    name = "subagents"
    title = "Agents of journeys"

    @tool(
        "Set journey preferences by an agent",
        read_only=False,
        idempotent=False,
        open_world=True,
        changes_state=True,
        timeout=_WITHIN_RUN,
    )
    async def journey_preferences_agent(
        self,
        ctx: Context[Any, Any],
        input_prompt: InputPrompt,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
    ) -> AgentResult:
        """Set or tell the user's journey defaults and places, from plain words."""
        given = context_of(context, budget)
        asked = Question("journey_preferences_agent", input_prompt, context=given)
        return await self._asked(asked, ctx)

    @tool(
        "Plan journeys by an agent",
        read_only=False,
        idempotent=False,
        open_world=True,
        timeout=_WITHIN_RUN,
    )
    async def journey_planner_agent(
        self,
        ctx: Context[Any, Any],
        input_prompt: InputPrompt,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
    ) -> AgentResult:
        """Plan trips that plain words ask for; returns their journey_id and plans."""
        given = context_of(context, budget)
        asked = Question("journey_planner_agent", input_prompt, context=given)
        return await self._asked(asked, ctx)

    @tool(
        "Make a map, calendar or text by an agent",
        read_only=False,
        idempotent=False,
        open_world=True,
        writes_files=True,
        timeout=_WITHIN_RUN,
    )
    async def journey_artefacts_agent(
        self,
        ctx: Context[Any, Any],
        input_prompt: InputPrompt,
        input_structured: WhichPlan,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
    ) -> AgentResult:
        """Make the map, the calendar file or the text of a computed plan."""
        which = cast("Mapping[str, JsonValue]", input_structured.model_dump())
        given = context_of(context, budget)
        asked = Question("journey_artefacts_agent", input_prompt, variables=which, context=given)
        return await self._asked(asked, ctx)


class _Answering(_Asking):
    """The agents that take a question and carry a conversation on."""

    @tool(
        "Search the catalogue by an agent",
        read_only=True,
        idempotent=False,
        open_world=True,
        timeout=_TIMEOUT,
    )
    async def ontology_search_agent(
        self,
        ctx: Context[Any, Any],
        question: QuestionText,
        reference_date: ReferenceDate = "",
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        continue_run_id: ContinueRun = "",
    ) -> AgentResult:
        """Find assets of the catalogue by a question in English or German."""
        given = context_of(context, budget)
        return await self._asked(
            Question(
                "ontology_search_agent",
                question,
                reference_date,
                context=given,
                continue_run_id=continue_run_id,
            ),
            ctx,
        )

    @tool(
        "Answer from metrics by an agent",
        read_only=True,
        idempotent=False,
        open_world=True,
        timeout=_TIMEOUT,
    )
    async def metrics_agent(
        self,
        ctx: Context[Any, Any],
        question: QuestionText,
        reference_date: ReferenceDate = "",
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        continue_run_id: ContinueRun = "",
    ) -> AgentResult:
        """Answer a question about figures or documents, in English or Chinese, with sources."""
        given = context_of(context, budget)
        return await self._asked(
            Question(
                "metrics_agent",
                question,
                reference_date,
                context=given,
                continue_run_id=continue_run_id,
            ),
            ctx,
        )

    @tool(
        "Answer from a knowledge graph by an agent",
        read_only=True,
        idempotent=False,
        open_world=True,
        timeout=_TIMEOUT,
    )
    async def kg_agent(
        self,
        ctx: Context[Any, Any],
        question: QuestionText,
        reference_date: ReferenceDate = "",
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        continue_run_id: ContinueRun = "",
    ) -> AgentResult:
        """Answer a question from a knowledge graph, with links."""
        given = context_of(context, budget)
        return await self._asked(
            Question(
                "kg_agent",
                question,
                reference_date,
                context=given,
                continue_run_id=continue_run_id,
            ),
            ctx,
        )

    @tool(
        "Plan a day in London by an agent",
        read_only=False,
        idempotent=False,
        open_world=True,
        timeout=_TIMEOUT,
    )
    async def journey_router_agent(
        self,
        ctx: Context[Any, Any],
        question: QuestionText,
        reference_date: ReferenceDate = "",
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        continue_run_id: ContinueRun = "",
    ) -> AgentResult:
        """Plan London journeys from plain words: several trips, preferences, map and calendar."""
        given = context_of(context, budget)
        return await self._asked(
            Question(
                "journey_router_agent",
                question,
                reference_date,
                context=given,
                continue_run_id=continue_run_id,
            ),
            ctx,
        )


class AgentsTools(JourneyAgents, _Answering):
    """Agents with their whole traces, and their runs."""

    name = "agents"
    title = "Agents"
    instructions = (
        "Agents that answer a whole question and return how they came to it. Send the user's own "
        "words. Show `answer`; tell what reasoning.assumptions_made says. If status is running, "
        "call get_agent_result with the run_id until it is not; cancel_agent_run stops a run. "
        "Send continue_run_id for a question that goes on from an answer. State only what result "
        "holds, and name evidence_ids. Check your final text with verify_answer."
    )

    async def aclose(self) -> None:
        """End every run, and close what belongs to the running event loop."""
        await self._desk.aclose()

    def close(self) -> None:
        """End every run, and close the servers below."""
        self._desk.close()

    @tool(
        "Get an agent's result",
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=_TIMEOUT,
    )
    async def get_agent_result(
        self, ctx: Context[Any, Any], run_id: RunId, cursor: Cursor = START
    ) -> AgentResult:
        """The progress of a run, and when it has ended its output; pages have the whole trace."""
        owner = current_owner()
        view = await self._desk.runs.wait(owner, run_id, self._patience, _telling(ctx))
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
        view, stopped = await self._desk.runs.cancel(current_owner(), run_id)
        result = shown(view)
        if stopped:
            return result
        told = f"The run had ended before: {result.answer}"
        return result.model_copy(update={"answer": told})


def _left(ctx: Context[Any, Any]) -> dict[str, Any]:
    """What the run that calls has left, as the runtime sends it with every call."""
    meta = cast("Mapping[str, Any]", ctx.request_context.meta or {})
    told = meta.get(CONTEXT_KEY)
    left = cast("Mapping[str, Any]", told).get("budget") if isinstance(told, Mapping) else None
    return dict(cast("Mapping[str, Any]", left)) if isinstance(left, Mapping) else {}


def _telling(ctx: Context[Any, Any]) -> Told:
    """Reports what is new of a run to whoever called."""
    told = 0

    async def tell(view: RunView) -> None:
        nonlocal told
        told += 1
        await ctx.report_progress(told, message=said_of(view))

    return tell


def build(settings: Settings) -> GroundwireServer:
    """The server `agents` as the settings describe it; the servers below wait for a question.

    Raises:
        ConfigurationError: the settings name an unknown tool, or a variable cannot be used.
    """
    shared = state(settings)
    tools = toolset(settings, shared, lambda: servers_below(settings, shared))
    return compose("agents", [tools], settings, title="Groundwire agents", shared=shared)


def toolset(
    settings: Settings, shared: State, servers: Callable[[], Sequence[GroundwireServer]]
) -> AgentsTools:
    """The tools over some servers.

    Args:
        settings: where the runs are kept, and which model thinks.
        shared: ledger and handles of the process.
        servers: makes the servers whose tools agents call, at the first question.
    """
    return AgentsTools(desk(settings, shared, servers))


def desk(
    settings: Settings,
    shared: State,
    servers: Callable[[], Sequence[GroundwireServer]],
    log_level: int = logging.INFO,
) -> Desk:
    """The desk above some servers; see `toolset`.

    Args:
        settings: where the runs are kept, and which model thinks.
        shared: ledger and handles of the process.
        servers: makes the servers whose tools agents call, at the first question.
        log_level: what of the runs is logged to stderr.
    """

    def all_servers() -> Sequence[GroundwireServer]:
        return [*servers(), below("subagents", JourneyAgents(made), settings, shared)]

    def factory(tools: ToolRegistry) -> AgentFactory:
        from groundwire.agents.models.choose import chooser

        logger = structured_logger(log_level)
        return AgentFactory(tools, choose=chooser(settings.ai), logger=logger)

    runs = Runs(RunStore(settings.home / RUNS_FILE))
    made = Desk(
        runs,
        all_servers,
        factory,
        overrides=_overrides(settings),
        read_only=settings.read_only,
    )
    return made


def _overrides(settings: Settings) -> dict[str, Any]:
    """What variables say of single agents."""
    from groundwire.agents.models.wishes import wishes_of

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
    from groundwire.servers import journeys, metrics, ontology, sparql

    made: dict[str, Callable[[Settings], Toolset]] = {
        "ontology": ontology.toolset,
        "metrics": metrics.toolset,
        "sparql": sparql.toolset,
        "journeys": journeys.toolset,
    }
    known = toolsets or {}
    return [
        below(name, known.get(name) or make(settings), settings, shared)
        for name, make in made.items()
    ]
