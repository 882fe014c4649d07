"""Settings that a user keeps for all journeys: options, and places known by name."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.journeys.results import DefaultParameters
from groundwire.servers.journey_arguments import DefaultOptions, Places
from groundwire.servers.journey_toolset import OverLondon
from groundwire.serving import SPREAD, current_owner, tool


class JourneyDefaults(OverLondon):
    """Defaults kept, shown and forgotten."""

    @tool(
        "Set journey defaults",
        read_only=False,
        idempotent=True,
        open_world=False,
        changes_state=True,
    )
    async def set_default_journey_parameters(
        self,
        places: Places | None = None,
        reset: Annotated[
            tuple[Annotated[str, Field(max_length=60)], ...],
            Field(description='Names of options or places to forget, or "all".', max_length=30),
        ] = (),
        *,
        options: Annotated[DefaultOptions, SPREAD],
    ) -> DefaultParameters:
        """Keep options and places (home, work, ...) for later journeys; returns the defaults."""
        from groundwire.journeys.defaults import set_defaults

        sent = options.model_dump(exclude_unset=True, exclude_none=True)
        return await self._answered(set_defaults, current_owner(), sent, places or {}, reset)

    @tool("Show journey defaults", read_only=True, idempotent=True, open_world=False)
    async def get_default_journey_parameters(self) -> DefaultParameters:
        """The defaults that every journey begins with, and the places known by name."""
        from groundwire.journeys.defaults import get_defaults

        return await self._answered(get_defaults, current_owner())
