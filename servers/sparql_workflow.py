"""The KG-first workflow of the sparql server: a run, the user's decision, and the policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import anyio.to_thread
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import Field

from groundwire.servers.sparql_arguments import (
    Choice,
    EndpointName,
    Enforce,
    Limit,
    Mandate,
    NextStep,
    Statement,
    Texts,
)
from groundwire.servers.sparql_commands import OverWorkspace
from groundwire.serving import Grounded, current_owner, tool
from groundwire.sparql.results import KgPolicyInForce, WorkflowResult

if TYPE_CHECKING:
    from groundwire.sparql.running import WorkflowRequest
    from groundwire.sparql.runs import Runs
    from groundwire.sparql.workspace import Workspace

# Runs that wait for a second round of their call; a host may never send it.
_MOST_BEGUN = 200


class _Begun(NamedTuple):
    """A run that was begun to see whether the user has to be asked.

    Attributes:
        run_id: the run.
        waited: its call has waited for it as long as a call may.
    """

    run_id: str
    waited: bool


class KgWorkflow(OverWorkspace):
    """The tools that ask a graph before anyone answers."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        """Run at the endpoints of one registry, which the first call opens."""
        super().__init__(workspace)
        self._begun: dict[tuple[str, WorkflowRequest], _Begun] = {}

    @cached_property
    def _runs(self) -> Runs:
        from groundwire.sparql.runs import Runs

        return Runs()

    async def decide(
        self,
        prompt: str,
        variants: tuple[str, ...],
        triples: tuple[Statement, ...],
        entity_types: tuple[str, ...],
        endpoint: str,
        limit: int,
        enforce: Enforce,
        run_id: str,
        decision: Literal["synthesize", "continue", "variants"] | None,
        ctx: Context[Any, Any],
    ) -> Choice | Elicit[Choice]:
        """The user's decision where the graph has no answer and the host can ask for it."""
        from groundwire.sparql.running import ANSWER_WITHIN, run_kg_workflow
        from groundwire.sparql.workflow.model import QUESTION

        capabilities = ctx.client_capabilities
        if decision or capabilities is None or capabilities.elicitation is None:
            return Choice()
        owner = current_owner()
        asked = replace(
            _request(prompt, variants, triples, entity_types, endpoint, limit, enforce),
            run_id=run_id,
        )
        begun = self._begun.get((owner, asked))
        request = asked if begun is None else replace(asked, run_id=begun.run_id)
        result, _ = await run_kg_workflow(
            self._workspace, self._runs, owner, request, ANSWER_WITHIN
        )
        if result.run_id:
            # The body shows this run, and a host that asks in a second round finds it again.
            self._keep(owner, asked, _Begun(result.run_id, result.status == "running"))
        if result.status != "needs_decision" or not result.question:
            return Choice()
        return Elicit(result.question, NextStep if result.question == QUESTION else Mandate)

    def _keep(self, owner: str, asked: WorkflowRequest, begun: _Begun) -> None:
        """Remember a run until its call shows it; of too many, not the oldest."""
        self._begun.pop((owner, asked), None)
        self._begun[(owner, asked)] = begun
        while len(self._begun) > _MOST_BEGUN:
            del self._begun[next(iter(self._begun))]

    @tool(
        "Run the KG-first workflow",
        read_only=True,
        idempotent=False,
        open_world=True,
        timeout=600.0,
    )
    async def run_kg_workflow(
        self,
        choice: Annotated[
            ElicitationResult[Choice],
            # The class is whole when this is read, which pyright cannot know.
            Resolve(KgWorkflow.decide),  # pyright: ignore
        ],
        prompt: Annotated[str, Field(description="The whole prompt.", max_length=8000)] = "",
        variants: Annotated[Texts, Field(description="Other ways to say it.")] = (),
        triples: Annotated[tuple[Statement, ...], Field(max_length=10)] = (),
        entity_types: Annotated[Texts, Field(description="IRIs.")] = (),
        endpoint: EndpointName = "",
        limit: Limit = 0,
        enforce: Annotated[Enforce, Field(description="Stricter.")] = "off",
        run_id: Annotated[str, Field(description="To go on with a run.", max_length=100)] = "",
        decision: Annotated[
            Literal["synthesize", "continue", "variants"] | None,
            Field(description="The user's, after needs_decision."),
        ] = None,
    ) -> Grounded[WorkflowResult]:
        """Answer a prompt from the graph: label match, exploration, one query, links.

        Status is answered (what was asked is bound), entity_found (no answer),
        needs_decision (ask the user), aborted, or running (call again with run_id).
        """
        from groundwire.sparql.running import ANSWER_WITHIN, run_kg_workflow

        owner = current_owner()
        request = replace(
            _request(prompt, variants, triples, entity_types, endpoint, limit, enforce),
            run_id=run_id,
        )
        begun = self._begun.pop((owner, request), None)
        if begun is not None:
            request = replace(request, run_id=begun.run_id)
        chosen = _decided(request, choice)
        seconds = ANSWER_WITHIN
        if begun is not None and begun.waited and chosen == request:
            seconds = 0.0
        request = replace(chosen, decision=decision or chosen.decision)
        return Grounded(
            *await run_kg_workflow(self._workspace, self._runs, owner, request, seconds)
        )

    @tool(
        "Set the KG policy",
        read_only=False,
        idempotent=True,
        open_world=False,
        changes_state=True,
    )
    async def set_kg_policy(
        self,
        kg: Annotated[
            Literal["on", "off"] | None, Field(description="Make the workflow mandatory.")
        ] = None,
        limit: Annotated[int, Field(ge=0, le=1000, description="Results; 0: unchanged.")] = 0,
        reset: Annotated[bool, Field(description="Forget what was set.")] = False,
    ) -> KgPolicyInForce:
        """Set or show the policy of this user; it never weakens what the registry demands.

        Change it only for a user who asks for that, as by /kg-on, /kg-off or /limit 20.
        """
        from groundwire.sparql.policy import set_kg_policy

        desk = await self._workspace.desk()
        owner = current_owner()

        def change() -> KgPolicyInForce:
            made = set_kg_policy(
                self._workspace.policies,
                desk.registry,
                owner,
                kg=kg,
                limit=limit or None,
                reset=reset,
            )
            return KgPolicyInForce(
                answer=made.answer,
                kg=made.mode,
                limit=made.limit,
                demanded_by_registry=made.demanded,
            )

        return await anyio.to_thread.run_sync(change)


def _request(
    prompt: str,
    variants: tuple[str, ...],
    triples: tuple[Statement, ...],
    entity_types: tuple[str, ...],
    endpoint: str,
    limit: int,
    enforce: Enforce,
) -> WorkflowRequest:
    from groundwire.sparql.running import WorkflowRequest
    from groundwire.sparql.workflow.model import Triple

    stated = tuple(Triple(one.subject, one.predicate, one.object) for one in triples)
    return WorkflowRequest(prompt, variants, stated, entity_types, endpoint, limit or None, enforce)


def _decided(request: WorkflowRequest, choice: ElicitationResult[Choice]) -> WorkflowRequest:
    """A request with what the user decided, where a form was filled in."""
    if not isinstance(choice, AcceptedElicitation):
        return request
    match choice.data:
        case NextStep(decision="synthesize" | "continue" as decision):
            return replace(request, decision=decision)
        case NextStep(variants=said):
            variants = tuple(one.strip() for one in re.split(r"[;；\n]", said) if one.strip())
            return replace(request, decision="variants", variants=variants) if variants else request
        case Mandate(decision="mandatory"):
            return replace(request, enforce="strict")
        case Mandate(decision="synthesize" | "continue" as decision):
            return replace(request, decision=decision)
        case _:
            return request
