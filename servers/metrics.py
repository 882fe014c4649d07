"""The metrics server: one number with its lineage, or an honest no."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
from mcp.server.apps import client_supports_apps
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import BaseModel, Field, JsonValue, create_model

from groundwire import profiles as embedded
from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.metrics.factbase import FactBase, Places
from groundwire.metrics.results import (
    Clarified,
    DimensionValues,
    GridResult,
    Metrics,
    NarrativeResult,
    QueryResult,
)
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.terms import TOTAL, DerivedBy
from groundwire.servers.composition import compose
from groundwire.serving import (
    APP_PAGE,
    START,
    Check,
    Cursor,
    Grounded,
    GroundwireServer,
    Illustration,
    Picture,
    Toolset,
    prompt,
    resource,
    tool,
)
from groundwire.state import facts_place

TABLE_PAGE = "ui://groundwire/table"
_LONGEST = 400
_LONGEST_QUESTION = 4_000
_METRIC = Annotated[str, Field(description="Code, label or alias.", max_length=_LONGEST)]
_ENTITY = Annotated[str, Field(description="Code, name or alias.", max_length=_LONGEST)]
_PERIOD = Annotated[
    str,
    Field(
        description='As 2024, 2024H1, 2024Q3, 2024-03, 2024-03-31, or "latest".',
        max_length=_LONGEST,
    ),
]
_AS_OF = Annotated[str, Field(description="Known then.", max_length=_LONGEST)]
_CHANNEL = Annotated[str, Field(description="Code, label or alias.", max_length=_LONGEST)]
_SEARCH = Annotated[str, Field(description="Words to look for.", max_length=200)]
_Terms = Annotated[tuple[Annotated[str, Field(max_length=_LONGEST)], ...], Field(max_length=50)]
_Columns = Annotated[tuple[Annotated[str, Field(max_length=_LONGEST)], ...], Field(max_length=10)]
_NOWHERE: dict[str, Any] = {}
Compare = Literal["", "previous_period", "previous_year"]
Chart = Literal["", "line", "bar"]
Answer_ = TypeVar("Answer_")


class Choice(BaseModel):
    """The form by which a user is asked for a missing piece of a question."""

    value: str = Field(description="One of the options.")


class MetricsTools(Toolset):
    """One number with its lineage, or an honest no."""

    name = "metrics"
    title = "Metrics"
    instructions = (
        "Numbers with their source. Call query_metric with the user's own words for metric, "
        "entity and period: it returns found (quote value_text with unit and source), not_found "
        "(say so; never fill in a number) or unrecognized_param (send one of its candidates, or "
        "ask the user). query_metric_grid takes several at once and computes changes, ratios, "
        "shares and sums: never compute yourself. If a question is vague, call clarify_question "
        "first. Check your final text with verify_answer."
    )

    def __init__(self, facts: FactBase) -> None:
        """Serve one fact base; its stores are opened by the first call."""
        self._facts = facts
        self._examples: Mapping[str, str] | None = None

    def close(self) -> None:
        """Close the stores."""
        self._facts.close()

    def checks(self) -> Iterable[Check]:
        """The store of facts."""

        def look() -> int:
            return self._facts.state().store.count()

        return (Check("facts", partial(anyio.to_thread.run_sync, look)),)

    def examples(self) -> Mapping[str, str]:
        """Examples of arguments, from the profile, which is read for them once."""
        if self._examples is None:
            self._examples = self._facts.examples()
        return self._examples

    @tool("Query a metric", read_only=True, idempotent=True, open_world=False)
    async def query_metric(
        self,
        metric: _METRIC,
        entity: _ENTITY,
        period: _PERIOD,
        channel: _CHANNEL = TOTAL,
        as_of: _AS_OF = "",
    ) -> Grounded[QueryResult]:
        """One exact value with its source, or why there is none.

        Status is found, not_found (see available) or unrecognized_param (see candidates).
        """
        from groundwire.metrics.query import query_metric
        from groundwire.metrics.terms import Arguments

        sent = Arguments(metric, entity, period, channel, as_of)
        return Grounded(*await self._answered(query_metric, sent, self._facts.today()))

    @tool("Query a grid of metrics", read_only=True, idempotent=True, open_world=False)
    async def query_metric_grid(
        self,
        metrics: _Terms,
        entities: _Terms,
        periods: Annotated[_Terms, Field(description='Periods or ranges: "2021-2023".')],
        channels: _Terms = (),
        derive: Annotated[
            tuple[DerivedBy, ...], Field(description="Computed from found values alone.")
        ] = (),
        share_of: Annotated[
            str,
            Field(
                description='The entity that shares are of; "those listed": their sum.',
                max_length=_LONGEST,
            ),
        ] = "",
        as_of: _AS_OF = "",
        cursor: Cursor = START,
    ) -> Grounded[GridResult]:
        """Every combination, each answered as query_metric does, with what is derived of them.

        Changes run along periods; with one period, delta takes the first entity, else channel,
        from each other one. Sums run along entities, else channels, else periods. A share is of
        share_of, else of a listed entity or total that holds the part, else it is asked of which;
        ratios divide the first by the second.
        """
        from groundwire.metrics.grid import GridRequest, query_grid

        request = GridRequest(
            metrics, entities, periods, channels, derive, as_of, cursor.offset, share_of
        )
        return Grounded(*await self._answered(query_grid, request, self._facts.today()))

    @tool(
        "Query a table of metrics",
        read_only=True,
        idempotent=True,
        open_world=False,
        meta={"ui": {"resourceUri": TABLE_PAGE}},
    )
    async def query_metric_table(
        self,
        ctx: Context[Any, Any],
        metrics: _Columns,
        by: Annotated[_Columns, Field(description="entity, period, channel, group, ...")] = (),
        where: Annotated[
            dict[str, Any],
            Field(
                description="{dimension: value | [values] | {none_of: []} | {gt, gte, lt, lte}}.",
                max_length=20,
            ),
        ] = _NOWHERE,
        period: Annotated[
            str, Field(description='Also "2019-2023", "since 2020".', max_length=_LONGEST)
        ] = "",
        grain: Annotated[str, Field(max_length=40)] = "",
        order_by: Annotated[tuple[Any, ...], Field(description='"-GDP".', max_length=5)] = (),
        limit: Annotated[int, Field(ge=1, le=1_000)] = 100,
        compare: Compare = "",
        as_of: _AS_OF = "",
        rolling_average: Annotated[str, Field(description='"3 months".', max_length=40)] = "",
        chart: Chart = "",
        dry_run: bool = False,
        cursor: Cursor = START,
    ) -> Grounded[TableResult]:
        """Rank, break down, filter or follow metrics: exact rows.

        Status as of query_metric.
        """
        from groundwire.metrics.table.answering import query_table
        from groundwire.metrics.table.query import TableArguments

        sent = TableArguments(
            metrics, by, where, period, grain, order_by, limit, compare, as_of, chart, dry_run,
            cursor.offset, rolling_average,
        )  # fmt: skip
        result, draft = await self._answered(query_table, sent, self._facts.today())
        if not result.chart:
            return Grounded(result, draft)
        draw = partial(_illustrated, result.chart, client_supports_apps(ctx))
        return Grounded(result, draft, illustrate=draw)

    @resource(TABLE_PAGE, title="Table of metrics", mime_type=APP_PAGE)
    async def metric_table(self) -> str:
        """The page in which hosts show a table with its picture inline."""
        from groundwire.metrics.table.page import app_page

        return app_page()

    @tool("List metrics", read_only=True, idempotent=True, open_world=False)
    async def list_metrics(self, search: _SEARCH = "", cursor: Cursor = START) -> Metrics:
        """Metrics with unit, grains and what is held of each."""
        from groundwire.metrics.listing import list_metrics

        return await self._answered(list_metrics, search, cursor.offset)

    @tool("List values of a dimension", read_only=True, idempotent=True, open_world=False)
    async def list_dimension_values(
        self,
        dimension: Annotated[
            str, Field(description='entity, period, channel, ...; "" lists them.', max_length=80)
        ] = "",
        metric: Annotated[str, Field(description="Only what it has.", max_length=_LONGEST)] = "",
        search: _SEARCH = "",
        cursor: Cursor = START,
    ) -> DimensionValues:
        """Dimensions, and the values of one that can be asked for."""
        from groundwire.metrics.listing import list_dimension_values

        return await self._answered(list_dimension_values, dimension, metric, search, cursor.offset)

    async def which(
        self, question: str, reference_date: str, ctx: Context[Any, Any]
    ) -> Choice | Elicit[Choice]:
        """The user's choice of what the question lacks, where the host can ask for it."""
        from groundwire.metrics.questions import missing

        capabilities = ctx.client_capabilities
        if capabilities is None or capabilities.elicitation is None:
            return Choice(value="")
        asked = await self._answered(missing, question, reference_date, self._facts.today())
        if asked is None:
            return Choice(value="")
        values: list[JsonValue] = [option.value for option in asked.options]
        field = Field(title=asked.slot, json_schema_extra={"enum": values})
        form = create_model("Choice", __base__=Choice, value=(str, field))
        return Elicit(asked.question, form)

    @tool("Clarify a question", read_only=True, idempotent=True, open_world=False, timeout=600.0)
    async def clarify_question(
        self,
        question: Annotated[str, Field(min_length=1, max_length=_LONGEST_QUESTION)],
        choice: Annotated[
            ElicitationResult[Choice],
            # The class is whole when this is read, which pyright cannot know.
            Resolve(MetricsTools.which),  # pyright: ignore
        ],
        reference_date: Annotated[
            str, Field(description="The day that counts as today.", max_length=_LONGEST)
        ] = "",
    ) -> Clarified:
        """How a question is read: its slots, what is assumed, what must be asked first.

        Mode is none (complete), answer_with_assumptions (say the assumption_note), ask_first (ask
        the question with its options) or out_of_scope_entity (refuse).
        """
        from groundwire.metrics.questions import clarify_question

        chosen = choice.data.value if isinstance(choice, AcceptedElicitation) else ""
        return await self._answered(
            clarify_question, question, reference_date, self._facts.today(), chosen
        )

    @tool("Search documents", read_only=True, idempotent=True, open_world=False)
    async def search_narrative(
        self,
        query: Annotated[
            str, Field(description="Plain words.", min_length=1, max_length=_LONGEST_QUESTION)
        ],
        entity: _ENTITY = "",
        period: _PERIOD = "",
        limit: Annotated[int, Field(ge=1, le=20)] = 5,
    ) -> Grounded[NarrativeResult]:
        """Quotations from documents, each with its place. Withheld documents are never searched."""
        from groundwire.metrics.quoting import PassageRequest, search_narrative

        request = PassageRequest(query, entity, period, limit)
        return Grounded(*await self._answered(search_narrative, request, self._facts.today()))

    @resource("metrics://profile", title="Metrics and kinds of entity")
    async def profile(self) -> str:
        """Metrics with definition and unit, kinds of entity, and channels, as JSON."""
        from groundwire.metrics.listing import overview

        return await self._answered(overview)

    @prompt("Ask for a number", name="ask_metric", needs=("query_metric",))
    async def ask_metric(self, question: str) -> str:
        """Ask a question about a number; carries the metrics that there are."""
        from groundwire.metrics.listing import briefing

        return await self._answered(briefing, question)

    async def _answered(self, verb: Callable[..., Answer_], *arguments: Any) -> Answer_:
        """One call into the domain, in a thread: its stores block."""
        return await anyio.to_thread.run_sync(self._call, verb, arguments, abandon_on_cancel=True)

    def _call(self, verb: Callable[..., Answer_], arguments: tuple[Any, ...]) -> Answer_:
        return verb(self._facts.state(), *arguments)


def _illustrated(chart: Mapping[str, Any], has_app: bool, evidence_id: str | None) -> Illustration:
    """The picture of a table, which names the record that proves it."""
    from groundwire.metrics.table.chart import can_draw, draw, with_evidence
    from groundwire.metrics.table.page import VIEW_KEY

    told = with_evidence(chart, evidence_id)
    if not can_draw():
        return Illustration(fields={"chart": told})
    svg, png = draw(told)
    view = {VIEW_KEY: {"svg": svg}} if has_app else {}
    return Illustration((Picture(png, "image/png"),), view, {"chart": told})


def build(settings: Settings) -> GroundwireServer:
    """The server `metrics` as the settings describe it; no fact is read before the first call.

    Raises:
        ConfigurationError: the profile cannot be read, or the settings name an unknown tool.
    """
    return compose("metrics", [toolset(settings)], settings, title="Groundwire metrics")


def toolset(settings: Settings) -> MetricsTools:
    """The tools over the facts that the settings name.

    Raises:
        ConfigurationError: the profile cannot be read.
    """
    return MetricsTools(FactBase(places(settings)))


def places(settings: Settings) -> Places:
    """Where profile, facts and warehouse lie: as the settings say, else the embedded ones.

    The embedded warehouse belongs to the embedded profile.

    Raises:
        ConfigurationError: of models and warehouse only one is named.
    """
    profile = settings.profile or embedded.metrics_profile()
    models, warehouse = settings.models, settings.warehouse
    if bool(models) != bool(warehouse):
        named, other = (
            ("GROUNDWIRE_MODELS", "GROUNDWIRE_WAREHOUSE, the URL of the engine that has the tables")
            if models
            else ("GROUNDWIRE_WAREHOUSE", "GROUNDWIRE_MODELS, the files that say what is in it")
        )
        raise ConfigurationError(f"{named} is set alone: set {other}, too.")
    if not models and settings.profile is None:
        model, tables = embedded.warehouse()
        models, warehouse = (model,), f"duckdb:{tables}"
    return Places(profile, facts_place(settings), settings.home, models, warehouse)
