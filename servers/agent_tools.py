"""The tools of the agents server: one for each agent, and two for their runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from mcp.server.mcpserver import Context

from groundwire.agents.runs.question import Question
from groundwire.agents.runs.results import AgentResult
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
from groundwire.serving import START, Cursor, Toolset, current_owner, tool

if TYPE_CHECKING:
    from groundwire.agents.runs.desk import Desk
    from groundwire.agents.runs.records import RunView
    from groundwire.agents.runs.runs import Told

# Seconds after which a call says that its run goes on; hosts give up after 30.
_PATIENCE = 25.0
# The body answers before that; what comes on top is for a machine that is busy.
_TIMEOUT = 90.0
# An agent within another agent's run ends with that run.
_WITHIN_RUN = 3_600.0


class _Asking(Toolset):
    """What every tool that asks an agent does."""

    def __init__(self, desk: Callable[[], Desk], patience: float = _PATIENCE) -> None:
        """Ask at one desk.

        Args:
            desk: makes the desk where agents are asked, at the first question.
            patience: seconds after which a call answers that its run goes on.
        """
        self._make_desk = desk
        self._made: Desk | None = None
        self._patience = patience

    def _desk(self) -> Desk:
        if self._made is None:
            self._made = self._make_desk()
        return self._made

    async def _asked(self, question: Question, ctx: Context[Any, Any]) -> AgentResult:
        from groundwire.agents.runs.showing import shown
        from groundwire.agents.runtime.context import RUNNING

        owner, desk = current_owner(), self._desk()
        if RUNNING.get() is not None:
            return shown(await desk.ask_within(owner, question, _left(ctx)))
        return shown(await desk.ask(owner, question, self._patience, _telling(ctx)))


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
        which = input_structured.model_dump()
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
        timeout=_TIMEOUT,
    )
    async def get_agent_result(
        self, ctx: Context[Any, Any], run_id: RunId, cursor: Cursor = START
    ) -> AgentResult:
        """The progress of a run, and when it has ended its output; pages have the whole trace."""
        from groundwire.agents.runs.showing import shown

        owner = current_owner()
        view = await self._desk().runs.wait(owner, run_id, self._patience, _telling(ctx))
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
        if stopped:
            return result
        told = f"The run had ended before: {result.answer}"
        return result.model_copy(update={"answer": told})


def _left(ctx: Context[Any, Any]) -> dict[str, Any]:
    """What the run that calls has left, as the runtime sends it with every call."""
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
