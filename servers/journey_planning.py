"""Journeys planned, and shown by their indices."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import Field

from groundwire.journeys.results import (
    ComputedJourney,
    ComputedJourneys,
    ComputedPlan,
)
from groundwire.servers.journey_arguments import (
    Choice,
    JourneyId,
    JourneyIndex,
    JourneyOptions,
    PlaceName,
    PlanIndex,
    Trip,
    form_for,
    request_of,
)
from groundwire.servers.journey_toolset import OverLondon
from groundwire.serving import SPREAD, Grounded, current_owner, prompt, tool


class JourneyPlanning(OverLondon):
    """Trips planned, and looked at in detail."""

    async def which_places(
        self,
        options: JourneyOptions,
        starting_point: str,
        destination: str,
        via: str,
        trips: tuple[Trip, ...],
        journey_id: str,
        ctx: Context[Any, Any],
    ) -> Choice | Elicit[Choice]:
        """The user's choice among places of one name, where the host can ask for it."""
        capabilities = ctx.client_capabilities
        if capabilities is None or capabilities.elicitation is None:
            return Choice()
        from groundwire.journeys.making import unclear_places

        single = (starting_point, destination, via)
        request = request_of(single, trips, options, journey_id, {})
        unclear = await unclear_places(self._london, current_owner(), request)
        if not unclear:
            return Choice()
        asked = " and ".join(f"“{words}”" for words in unclear)
        return Elicit(f"Which place is meant by {asked}?", form_for(unclear))

    @tool("Plan journeys", read_only=True, idempotent=False, open_world=True, timeout=600.0)
    async def compute_journey_plans(
        self,
        starting_point: PlaceName = "",
        destination: PlaceName = "",
        via: PlaceName = "",
        trips: Annotated[
            tuple[Trip, ...],
            Field(description="Several trips in order; each overrides the options.", max_length=12),
        ] = (),
        journey_id: Annotated[str, Field(description="Add to these journeys.", max_length=64)] = "",
        *,
        options: Annotated[JourneyOptions, SPREAD],
        chosen: Annotated[
            ElicitationResult[Choice],
            # The class is whole when this is read, which pyright cannot know.
            Resolve(JourneyPlanning.which_places),  # pyright: ignore
        ],
    ) -> Grounded[ComputedJourneys]:
        """Plan one trip or several; returns plans as metadata, best first.

        Places: names, home or work, postcodes, stop ids, "lat,lon". Ambiguous ones come back as
        options to send.
        """
        from groundwire.journeys.making import make_journeys

        single = (starting_point, destination, via)
        places = chosen.data.places() if isinstance(chosen, AcceptedElicitation) else {}
        request = request_of(single, trips, options, journey_id, places)
        return Grounded(*await make_journeys(self._london, current_owner(), request))

    @tool("Show a journey", read_only=True, idempotent=True, open_world=False)
    async def get_computed_journey(
        self, journey_id: JourneyId, journey_index: JourneyIndex = 0
    ) -> Grounded[ComputedJourney]:
        """A computed journey: its plans with their legs."""
        from groundwire.journeys.looking import Which, get_computed_journey

        which = Which(journey_id, journey_index)
        return Grounded(*await self._answered(get_computed_journey, current_owner(), which))

    @tool("Show a plan", read_only=True, idempotent=True, open_world=False)
    async def get_computed_journey_plan(
        self,
        journey_id: JourneyId,
        journey_index: JourneyIndex = 0,
        plan_index: PlanIndex = 0,
        detail: Literal["brief", "full"] = "brief",
    ) -> Grounded[ComputedPlan]:
        """A plan in detail: text that can be shown as it is, legs, steps, obstacles, fare."""
        from groundwire.journeys.looking import Which, get_computed_journey_plan

        which = Which(journey_id, journey_index, plan_index)
        return Grounded(
            *await self._answered(get_computed_journey_plan, current_owner(), which, detail)
        )

    @prompt("Plan a day in London", name="plan_journey", needs=("compute_journey_plans",))
    async def plan_journey(self, request: str) -> str:
        """Plan journeys from a request in plain words."""
        from groundwire.journeys.briefing import briefing

        return await self._answered(briefing, current_owner(), request)
