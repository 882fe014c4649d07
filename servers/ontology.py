"""The ontology server: search a catalogue that SHACL shapes describe, by slots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from mcp_types import Completion, PromptReference
from pydantic import Field

from groundwire import shapes as embedded
from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.ontology.aggregates import AggregateArgument
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.results import (
    Asset,
    Connections,
    Domains,
    Properties,
    SchemaRows,
    SearchResult,
    Values,
)
from groundwire.ontology.slots import Slots, SubmittedGaps
from groundwire.servers.composition import compose
from groundwire.serving import (
    START,
    Check,
    Cursor,
    Grounded,
    GroundwireServer,
    Toolset,
    completion,
    prompt,
    resource,
    tool,
)

if TYPE_CHECKING:
    from groundwire.ontology.terms import TermsKeeper

# Seconds that a call waits for assets that are read for the first time; hosts give up soon after.
_PATIENCE = 15.0
_SEARCH = Annotated[str, Field(description="Words to look for.", max_length=200)]
_DOMAIN = Annotated[str, Field(description="A kind of asset, from discover_domains.")]


class OntologyTools(Toolset):
    """Search a catalogue by slots; the server writes every query."""

    name = "ontology"
    title = "Catalogue search"
    instructions = (
        "Search a catalogue of assets by filling slots; never write a query yourself. Call "
        "submit_slots at once with what the user said: typos, plurals, synonyms and units are "
        "corrected and reported; what cannot be placed comes back as a gap whose suggestions can "
        "be sent as they stand. Use the discover tools only after a gap. State only what results "
        "hold, say what was corrected, and name the evidence_id. Check your final text with "
        "verify_answer."
    )

    def __init__(self, catalogue: Catalogue) -> None:
        """Serve one catalogue; it is opened by the first call."""
        self._catalogue = catalogue
        self._terms: TermsKeeper | None = None

    def close(self) -> None:
        """End the processes that hold the catalogue."""
        self._catalogue.close_now()

    def checks(self) -> Iterable[Check]:
        """The catalogue."""
        return (Check("catalogue", self._catalogue.state),)

    @tool("Search the catalogue", read_only=True, idempotent=True, open_world=False, timeout=25.0)
    async def submit_slots(
        self,
        slots: Slots,
        interpretation: Annotated[str, Field(description="Your reading.", max_length=1000)] = "",
        gaps: Annotated[SubmittedGaps, Field(description="Terms not placed.")] = (),
        sort: Annotated[str, Field(description='Property; "-" descends.', max_length=500)] = "",
        count_by: Annotated[str, Field(description="Property to count by.", max_length=500)] = "",
        aggregate: AggregateArgument = None,
        limit: Annotated[
            int | None,
            Field(description="Assets a page; default 20.", ge=1, le=100),
        ] = None,
        cursor: Cursor = START,
        dry_run: Annotated[bool, Field(description="Compile only.")] = False,
    ) -> Grounded[SearchResult]:
        """Find assets by domain, values, ranges and connected assets.

        Status is results, empty (with each condition's cost) or rejected (send its gaps'
        suggestions).
        """
        from groundwire.ontology.page_queries import DEFAULT_LIMIT, Request
        from groundwire.ontology.search import search

        request = Request(
            slots,
            interpretation,
            tuple(gaps),
            sort,
            count_by,
            limit or DEFAULT_LIMIT,
            cursor.offset,
            cursor.first_page,
            dry_run,
            aggregate,
            in_short=limit is None,
        )
        return Grounded(*await search(self._catalogue, request))

    @tool("List kinds of asset", read_only=True, idempotent=True, open_world=False)
    async def discover_domains(self, search: _SEARCH = "", cursor: Cursor = START) -> Domains:
        """Kinds of asset with their numbers: those that have assets, then a count of the others."""
        from groundwire.ontology.discover import discover_domains

        return await discover_domains(self._catalogue, search, cursor.offset)

    @tool("List properties", read_only=True, idempotent=True, open_world=False)
    async def discover_properties(
        self, domain: _DOMAIN, search: _SEARCH = "", cursor: Cursor = START
    ) -> Properties:
        """Properties that assets of a domain can be filtered by, with units and paths."""
        from groundwire.ontology.discover import discover_properties

        return await discover_properties(self._catalogue, domain, search, cursor.offset)

    @tool("List values", read_only=True, idempotent=True, open_world=False)
    async def discover_values(
        self,
        property: Annotated[str, Field(description="Local name, label, CURIE or IRI.")],
        domain: _DOMAIN = "",
        search: _SEARCH = "",
        cursor: Cursor = START,
    ) -> Values:
        """Values of a property, declared by shapes and observed in assets."""
        from groundwire.ontology.discover import discover_values

        return await discover_values(self._catalogue, property, domain, search, cursor.offset)

    @tool("List connections", read_only=True, idempotent=True, open_world=False)
    async def discover_connections(
        self, domain: _DOMAIN = "", cursor: Cursor = START
    ) -> Connections:
        """Which kinds of asset refer to which; each can be asked for in slots.references."""
        from groundwire.ontology.discover import discover_connections

        return await discover_connections(self._catalogue, domain, cursor.offset)

    @tool("Query the schema", read_only=True, idempotent=True, open_world=False)
    async def investigate_schema(
        self,
        query: Annotated[str, Field(description="One SPARQL SELECT on urn:graph:schema.")],
    ) -> SchemaRows:
        """Read the SHACL and OWL statements themselves; at most 50 rows."""
        from groundwire.ontology.schema_texts import investigate_schema

        return await investigate_schema(self._catalogue, query)

    @tool("Show one asset", read_only=True, idempotent=True, open_world=False)
    async def get_asset(
        self,
        iri: Annotated[str, Field(description="IRI or CURIE.", min_length=1, max_length=2000)],
        cursor: Cursor = START,
    ) -> Grounded[Asset]:
        """Every value of one asset, each with the path to it."""
        from groundwire.ontology.asset import get_asset

        return Grounded(*await get_asset(self._catalogue, iri, cursor.offset))

    @resource("shapes://{domain}", title="Shapes of a domain", mime_type="text/turtle")
    async def shapes(self, domain: str) -> str:
        """The SHACL shapes of a domain, as Turtle."""
        from groundwire.ontology.schema_texts import shapes_of

        return await shapes_of(self._catalogue, domain)

    @resource("vocabulary://{known}", title="Terms of the catalogue")
    async def vocabulary(self, known: str) -> str:
        """Names of all domains, properties and values; just the digest if it is `known`."""
        if self._terms is None:
            from groundwire.ontology.terms import TermsKeeper

            self._terms = TermsKeeper()
        return await self._terms.document(await self._catalogue.state(), known)

    @prompt("Search the catalogue", name="search_catalogue", needs=("submit_slots",))
    async def search_catalogue(self, question: str, domain: str = "") -> str:
        """Ask a question of the catalogue; carries its schema in short."""
        from groundwire.ontology.schema_texts import briefing

        return await briefing(self._catalogue, question, domain)

    @completion
    async def complete(self, ref: Any, argument: Any, context: Any) -> Completion | None:
        """Complete domain, property and value."""
        from groundwire.ontology.schema_texts import complete

        known: dict[str, str] = (context.arguments or {}) if context else {}
        if isinstance(ref, PromptReference) and ref.name != "search_catalogue":
            return None
        values = await complete(self._catalogue, argument.name, argument.value, known)
        return None if values is None else Completion(values=values[:100], total=len(values))


def build(settings: Settings) -> GroundwireServer:
    """The server `ontology` as the settings describe it; nothing is read before the first call.

    Raises:
        ConfigurationError: the settings contradict one another, or name an unknown tool.
    """
    return compose("ontology", [toolset(settings)], settings, title="Groundwire ontology")


def toolset(settings: Settings) -> OntologyTools:
    """The tools over the catalogue that the settings name.

    Raises:
        ConfigurationError: the settings contradict one another.
    """
    shapes, assets = locations(settings)
    return OntologyTools(Catalogue(shapes, assets, settings.home, patience=_PATIENCE))


def locations(settings: Settings) -> tuple[list[str], list[str]]:
    """Where shapes and assets lie: as the settings say, else the embedded ones.

    Raises:
        ConfigurationError: only one of the two is set, which would mix two catalogues.
    """
    if settings.shapes and settings.assets:
        return list(settings.shapes), list(settings.assets)
    if settings.shapes or settings.assets:
        given, missing = (
            ("GROUNDWIRE_SHAPES", "GROUNDWIRE_ASSETS")
            if settings.shapes
            else ("GROUNDWIRE_ASSETS", "GROUNDWIRE_SHAPES")
        )
        raise ConfigurationError(
            f"{given} is set but {missing} is not: set both, or neither for the embedded "
            "catalogue. `groundwire ontology infer DATA` drafts shapes for data that has none."
        )
    return [str(path) for path in embedded.shape_files()], [str(embedded.catalogue_file())]
