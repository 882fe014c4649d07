"""The sparql server: queries with audit in four languages, and the KG-first workflow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import anyio.to_thread
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import Field

from groundwire import profiles as embedded
from groundwire import shapes
from groundwire.config import HttpSettings, Settings
from groundwire.errors import ForbiddenError, UnavailableError
from groundwire.servers.composition import compose
from groundwire.servers.sparql_commands import (
    Choice,
    Commands,
    EndpointName,
    Enforce,
    Limit,
    Mandate,
    NextStep,
    OverWorkspace,
    Statement,
    Texts,
)
from groundwire.serving import (
    LOCAL,
    START,
    Check,
    Cursor,
    Grounded,
    GroundwireServer,
    current_owner,
    current_site,
    tool,
)
from groundwire.sparql.results import (
    Description,
    EndpointList,
    KgPolicyInForce,
    Matches,
    QueryResult,
    SchemaResult,
    Types,
    WorkflowResult,
)
from groundwire.state import shared_database

if TYPE_CHECKING:
    from groundwire.sparql.running import WorkflowRequest
    from groundwire.sparql.runs import Runs
    from groundwire.sparql.workspace import Workspace

# The registry of public endpoints that is shipped beside the embedded one.
OPENLINK = "openlink"
EXPORTS = "exports"
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

        return Runs(store=self._workspace.kept_runs)

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
        from groundwire.sparql.workspace import set_kg_policy

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


class SparqlTools(KgWorkflow, Commands):
    """Queries with audit, and the workflow that asks a graph before anyone answers."""

    name = "sparql"
    makes_links = True
    title = "Queries and knowledge graphs"
    instructions = (
        "Answers from knowledge graphs and databases, each with an audit block. For a question, "
        "call run_kg_workflow with the whole prompt; show its markdown with the links as they "
        "are. Only status answered answers: entity_found names entities, so say that the question "
        "is not answered; at needs_decision ask the user its question; if aborted, show "
        "exit_message and say nothing else. execute_query runs one SPARQL, SQL, SPASQL or GraphQL "
        "query, of names that describe_schema gave; say its status: partial and truncated are not "
        "all. Never invent an IRI. Check your final text with verify_answer."
    )

    def __init__(
        self,
        workspace: Callable[[], Workspace],
        exports: Path | None,
        kept_seconds: float = HttpSettings().link_seconds,
    ) -> None:
        """Serve one registry.

        Args:
            workspace: opens the registry with its endpoints, at the first call.
            exports: folder of exported rows; None where this server writes no files.
            kept_seconds: how long exports of callers on other machines are kept.
        """
        super().__init__(workspace)
        self._kept_seconds = kept_seconds
        self._exports = exports

    def close(self) -> None:
        """End the runs, and the processes of every graph and database."""
        if "_runs" in self.__dict__:
            self._runs.close()
        if "_workspace" in self.__dict__:
            self._workspace.close_now()

    # An export is a new file in the state folder, like the evidence: nothing that was there
    # changes, so the tool stays a read-only one; `--read-only` refuses that argument alone.
    def checks(self) -> Iterable[Check]:
        """The endpoints of the registry, of which some may be down while others are of use."""
        return (Check("endpoints", self._all_reached, needed=False),)

    async def _all_reached(self) -> None:
        from groundwire.sparql.workspace import list_endpoints

        listed = (await list_endpoints(self._workspace)).endpoints
        if down := [one.name for one in listed if one.reachable is False]:
            raise UnavailableError(f"endpoints that do not answer: {', '.join(down)}.")

    @tool("Run a query", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def execute_query(
        self,
        query_language: Annotated[str, Field(description="sparql, sql, spasql, graphql.")],
        query_string: Annotated[str, Field(description="The query.", max_length=20_000)],
        endpoint: EndpointName = "default",
        limit: Limit = 0,
        cursor: Cursor = START,
        export: Annotated[
            Literal["csv", "parquet", "ntriples"] | None,
            Field(description="To a file."),
        ] = None,
        variables: Annotated[dict[str, Any] | None, Field(description="Of GraphQL.")] = None,
    ) -> Grounded[QueryResult]:
        """Run one read-only query; status says how whole its rows are."""
        from groundwire.sparql.answering import execute_query
        from groundwire.sparql.execution import Execution

        asked = Execution(query_language, query_string, endpoint, limit, variables or {})
        owner = current_owner()
        folder = await anyio.to_thread.run_sync(self._export_folder, owner) if export else None
        return Grounded(
            *await execute_query(
                self._workspace, asked, owner, cursor.offset, folder, export or "csv"
            )
        )

    def _export_folder(self, owner: str) -> Path:
        """Where rows are exported to, if they may be.

        Raises:
            ForbiddenError: this server writes no files, or the caller can be given no link.
            LimitError: the caller, on another machine, has too much that was exported lately.
        """
        from groundwire.sparql.exports import shared_folder

        if self._exports is None:
            raise ForbiddenError(
                "`export` writes a file, and this server is read-only: leave it out and read the "
                "rows page by page with cursor."
            )
        if current_site() is not None:
            return shared_folder(self._exports, owner, self._kept_seconds)
        if owner != LOCAL:
            raise ForbiddenError(
                "`export` writes a file on the machine of this server, for its local user alone: "
                "leave it out and read the rows page by page with cursor."
            )
        return self._exports

    @tool("Describe the schema", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def describe_schema(
        self,
        endpoint: EndpointName = "default",
        of: Annotated[
            str, Field(description="A class, predicate, table or type.", max_length=2000)
        ] = "",
        search: Annotated[str, Field(description="Words to look for.", max_length=400)] = "",
        cursor: Cursor = START,
    ) -> Grounded[SchemaResult]:
        """List what execute_query can ask at an endpoint: classes, predicates, tables, types."""
        from groundwire.sparql.schema.describing import SchemaRequest, describe_schema

        asked = SchemaRequest(endpoint, of, search)
        return Grounded(*await describe_schema(self._workspace, asked, cursor.offset))

    @tool("Match a label", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def match_label(
        self,
        text: Annotated[str, Field(min_length=1, max_length=2000)],
        variants: Annotated[Texts, Field(description="Other ways to say it.")] = (),
        endpoint: EndpointName = "default",
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> Grounded[Matches]:
        """Entities whose label is, holds, or has all words of a text."""
        from groundwire.sparql.looking import Search, match_label

        search = Search(text, variants, endpoint, limit)
        return Grounded(*await match_label(self._workspace, search))

    @tool("Explore types", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def explore_types(
        self,
        types: Annotated[Texts, Field(description="IRIs; none: all types.")] = (),
        endpoint: EndpointName = "default",
        limit: Annotated[int, Field(ge=1, le=50)] = 20,
    ) -> Grounded[Types]:
        """Types of entity with how many there are of each."""
        from groundwire.sparql.looking import explore_types

        return Grounded(*await explore_types(self._workspace, types, endpoint, limit))

    @tool("Describe an entity", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def describe_entity(
        self,
        iri: Annotated[str, Field(min_length=1, max_length=2000)],
        endpoint: EndpointName = "default",
        cursor: Cursor = START,
    ) -> Grounded[Description]:
        """Every statement about an entity, with the page that describes it."""
        from groundwire.sparql.looking import describe_entity

        return Grounded(*await describe_entity(self._workspace, iri, endpoint, cursor.offset))

    @tool("List endpoints", read_only=True, idempotent=True, open_world=True, timeout=30.0)
    async def list_endpoints(self) -> EndpointList:
        """Endpoints with their languages, and whether they answer now."""
        from groundwire.sparql.workspace import list_endpoints

        return await list_endpoints(self._workspace)


def build(settings: Settings) -> GroundwireServer:
    """The server `sparql` as the settings describe it; nothing is opened before the first call.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    return compose("sparql", [toolset(settings)], settings, title="Groundwire sparql")


def toolset(settings: Settings) -> SparqlTools:
    """The tools over the endpoints that the settings name."""
    exports = None if settings.read_only else settings.home / EXPORTS
    return SparqlTools(lambda: workspace(settings), exports, settings.http.link_seconds)


def workspace(settings: Settings) -> Workspace:
    """The registry that the settings name, else the embedded one."""
    from groundwire.sparql.opening import Supplies
    from groundwire.sparql.workspace import Workspace

    graph = (*embedded.sparql_help(), *shapes.shape_files(), shapes.catalogue_file())
    supplies = Supplies(
        settings.home,
        graph,
        embedded.sparql_sample(),
        countries=(embedded.sparql_countries(),),
        database=shared_database(settings),
    )
    return Workspace(registry_file(settings), supplies)


def registry_file(settings: Settings) -> Path:
    """The registry's file; one that is shipped may be named without its folder."""
    named = settings.endpoints
    if named is None:
        return embedded.endpoint_registry()
    shipped = embedded.FOLDER / f"{named.stem}.toml"
    return shipped if not named.exists() and named.name == OPENLINK else named


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
