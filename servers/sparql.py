"""The sparql server: queries with audit in four languages, and the KG-first workflow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import anyio.to_thread
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from groundwire import profiles as embedded
from groundwire import shapes
from groundwire.config import Settings
from groundwire.errors import ForbiddenError
from groundwire.servers.composition import compose
from groundwire.servers.sparql_commands import Commands
from groundwire.serving import (
    LOCAL,
    START,
    Cursor,
    Grounded,
    GroundwireServer,
    current_owner,
    tool,
)
from groundwire.sparql.opening import Supplies
from groundwire.sparql.results import (
    Description,
    EndpointList,
    KgPolicyInForce,
    Matches,
    QueryResult,
    Types,
    WorkflowResult,
)
from groundwire.sparql.runs import Runs
from groundwire.sparql.workspace import Workspace

if TYPE_CHECKING:
    from groundwire.sparql.running import WorkflowRequest

# The registry of public endpoints that is shipped beside the embedded one.
OPENLINK = "openlink"
EXPORTS = "exports"
_ENDPOINT = Annotated[
    str,
    Field(
        description="A name from list_endpoints.",
        max_length=2000,
        validation_alias=AliasChoices("endpoint", "endpoint_url"),
    ),
]
_LIMIT = Annotated[int, Field(ge=0, le=1000, description="Most rows; 0: as the policy says.")]
_Texts = Annotated[tuple[Annotated[str, Field(max_length=2000)], ...], Field(max_length=20)]


class Statement(BaseModel):
    """A statement that a prompt asks about; a blank part is what it asks for."""

    model_config = ConfigDict(extra="forbid")

    subject: str = Field(default="", max_length=400)
    predicate: str = Field(default="", max_length=400)
    object: str = Field(default="", max_length=400)


class Choice(BaseModel):
    """What a user decides where the graph has no answer."""

    decision: Literal["synthesize", "continue"] | None = Field(
        default=None,
        description="Synthesize an answer without the graph, or continue probing.",
    )


class SparqlTools(Commands):
    """Queries with audit, and the workflow that asks a graph before anyone answers."""

    name = "sparql"
    title = "Queries and knowledge graphs"
    instructions = (
        "Answers from knowledge graphs and databases, each with an audit block. For a question, "
        "call run_kg_workflow with the whole prompt; show its markdown with the links as they "
        "are. If it returns needs_decision, ask the user its question; if aborted, show "
        "exit_message and say nothing else. execute_query runs one SPARQL, SQL, SPASQL or GraphQL "
        "query; say its status: partial and truncated are not all. Never invent an IRI. Check "
        "your final text with verify_answer."
    )

    def __init__(self, workspace: Workspace, exports: Path | None) -> None:
        """Serve one registry; nothing is opened before the first call.

        Args:
            workspace: the registry with its endpoints.
            exports: folder of exported rows; None where this server writes no files.
        """
        super().__init__(workspace)
        self._exports = exports
        self._runs = Runs()
        # Runs that were begun to see whether the user has to be asked, until their call shows them.
        self._begun: dict[tuple[str, WorkflowRequest], str] = {}

    def close(self) -> None:
        """End the runs, and the processes of every graph and database."""
        self._runs.close()
        self._workspace.close_now()

    # An export is a new file in the state folder, like the evidence: nothing that was there
    # changes, so the tool stays a read-only one; `--read-only` refuses that argument alone.
    @tool("Run a query", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def execute_query(
        self,
        query_language: Annotated[str, Field(description="sparql, sql, spasql or graphql.")],
        query_string: Annotated[str, Field(description="One read-only query.", max_length=20_000)],
        endpoint: _ENDPOINT = "default",
        limit: _LIMIT = 0,
        cursor: Cursor = START,
        export: Annotated[
            Literal["csv"] | None, Field(description="Write all rows to a file too.")
        ] = None,
    ) -> Grounded[QueryResult]:
        """Run one query and show its rows with an audit block.

        Status is complete, partial, truncated, empty, refused (not run: see reason) or error.
        """
        from groundwire.sparql.answering import execute_query
        from groundwire.sparql.execution import Execution

        asked = Execution(query_language, query_string, endpoint, limit)
        owner = current_owner()
        folder = self._export_folder(owner) if export else None
        return Grounded(*await execute_query(self._workspace, asked, owner, cursor.offset, folder))

    def _export_folder(self, owner: str) -> Path:
        """Where rows are exported to, if they may be.

        Raises:
            ForbiddenError: this server writes no files, or the caller is on another machine.
        """
        if self._exports is None:
            raise ForbiddenError(
                "`export` writes a file, and this server is read-only: leave it out and read the "
                "rows page by page with cursor."
            )
        if owner != LOCAL:
            raise ForbiddenError(
                "`export` writes a file on the machine of this server, for its local user alone: "
                "leave it out and read the rows page by page with cursor."
            )
        return self._exports

    @tool("Match a label", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def match_label(
        self,
        text: Annotated[str, Field(min_length=1, max_length=2000)],
        variants: Annotated[_Texts, Field(description="Other ways to say it.")] = (),
        endpoint: _ENDPOINT = "default",
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
    ) -> Grounded[Matches]:
        """Entities whose label is, holds, or has all words of a text."""
        from groundwire.sparql.looking import Search, match_label

        search = Search(text, variants, endpoint, limit)
        return Grounded(*await match_label(self._workspace, search))

    @tool("Explore types", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def explore_types(
        self,
        types: Annotated[_Texts, Field(description="IRIs; none: all types.")] = (),
        endpoint: _ENDPOINT = "default",
        limit: Annotated[int, Field(ge=1, le=50)] = 20,
    ) -> Grounded[Types]:
        """Types of entity with how many there are of each."""
        from groundwire.sparql.looking import explore_types

        return Grounded(*await explore_types(self._workspace, types, endpoint, limit))

    @tool("Describe an entity", read_only=True, idempotent=True, open_world=True, timeout=60.0)
    async def describe_entity(
        self,
        iri: Annotated[str, Field(min_length=1, max_length=2000)],
        endpoint: _ENDPOINT = "default",
        cursor: Cursor = START,
    ) -> Grounded[Description]:
        """Every statement about an entity, with the page that describes it."""
        from groundwire.sparql.looking import describe_entity

        return Grounded(*await describe_entity(self._workspace, iri, endpoint, cursor.offset))

    async def decide(
        self,
        prompt: str,
        variants: tuple[str, ...],
        triples: tuple[Statement, ...],
        entity_types: tuple[str, ...],
        endpoint: str,
        limit: int,
        enforce: Literal["strict", "classes", "off"],
        run_id: str,
        decision: Literal["synthesize", "continue", "variants"] | None,
        ctx: Context[Any, Any],
    ) -> Choice | Elicit[Choice]:
        """The user's decision where the graph has no answer and the host can ask for it."""
        from groundwire.sparql.running import run_kg_workflow

        capabilities = ctx.client_capabilities
        if decision or run_id or capabilities is None or capabilities.elicitation is None:
            return Choice()
        request = _request(prompt, variants, triples, entity_types, endpoint, limit, enforce)
        owner = current_owner()
        begun = self._begun.get((owner, request))
        if begun is not None:
            request = replace(request, run_id=begun)
        result, _ = await run_kg_workflow(self._workspace, self._runs, owner, request)
        if begun is None and result.run_id:
            # The body shows this run, and a host that asks in a second round finds it again.
            self._begun[(owner, request)] = result.run_id
        if result.status != "needs_decision" or not result.question:
            return Choice()
        return Elicit(result.question, Choice)

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
            Resolve(SparqlTools.decide),  # pyright: ignore
        ],
        prompt: Annotated[str, Field(description="The whole prompt.", max_length=8000)] = "",
        variants: Annotated[_Texts, Field(description="Other ways to say it.")] = (),
        triples: Annotated[
            tuple[Statement, ...], Field(description="Its meaning.", max_length=10)
        ] = (),
        entity_types: Annotated[_Texts, Field(description="IRIs of types.")] = (),
        endpoint: _ENDPOINT = "",
        limit: _LIMIT = 0,
        enforce: Annotated[
            Literal["strict", "classes", "off"], Field(description="A stricter policy.")
        ] = "off",
        run_id: Annotated[str, Field(description="To go on with a run.", max_length=100)] = "",
        decision: Annotated[
            Literal["synthesize", "continue", "variants"] | None,
            Field(description="What the user decided after needs_decision."),
        ] = None,
    ) -> Grounded[WorkflowResult]:
        """Answer a prompt from the graph: label match, exploration, one query, links.

        Status is answered, needs_decision (ask the user), aborted, or running (call again with
        run_id).
        """
        from groundwire.sparql.running import run_kg_workflow

        request = _request(prompt, variants, triples, entity_types, endpoint, limit, enforce)
        begun = self._begun.pop((current_owner(), request), "")
        chosen = choice.data.decision if isinstance(choice, AcceptedElicitation) else None
        request = replace(request, run_id=run_id or begun, decision=decision or chosen)
        return Grounded(
            *await run_kg_workflow(self._workspace, self._runs, current_owner(), request)
        )

    @tool("List endpoints", read_only=True, idempotent=True, open_world=True, timeout=30.0)
    async def list_endpoints(self) -> EndpointList:
        """Endpoints with their languages, and whether they answer now."""
        from groundwire.sparql.listing import list_endpoints

        return await list_endpoints(self._workspace)

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
        """Set or show the policy of this user; it never weakens what the registry demands."""
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
    enforce: Literal["strict", "classes", "off"],
) -> WorkflowRequest:
    from groundwire.sparql.running import WorkflowRequest
    from groundwire.sparql.workflow.model import Triple

    stated = tuple(Triple(one.subject, one.predicate, one.object) for one in triples)
    return WorkflowRequest(prompt, variants, stated, entity_types, endpoint, limit or None, enforce)


def build(settings: Settings) -> GroundwireServer:
    """The server `sparql` as the settings describe it; nothing is opened before the first call.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    exports = None if settings.read_only else settings.home / EXPORTS
    tools = SparqlTools(workspace(settings), exports)
    return compose("sparql", [tools], settings, title="Groundwire sparql")


def workspace(settings: Settings) -> Workspace:
    """The registry that the settings name, else the embedded one."""
    graph = (*embedded.sparql_help(), *shapes.shape_files(), shapes.catalogue_file())
    supplies = Supplies(settings.home, graph, embedded.sparql_sample())
    return Workspace(_registry(settings), supplies)


def _registry(settings: Settings) -> Path:
    """The registry's file; one that is shipped may be named without its folder."""
    named = settings.endpoints
    if named is None:
        return embedded.endpoint_registry()
    shipped = embedded.FOLDER / f"{named.stem}.toml"
    return shipped if not named.exists() and named.name == OPENLINK else named
