"""A plan as a map and as a calendar file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from mcp.server.apps import client_supports_apps
from mcp.server.mcpserver import Context
from pydantic import Field

from groundwire.config import without_secrets
from groundwire.journeys.artefacts.calendar import Monthly, Recurrence, Weekday
from groundwire.journeys.results import CalendarFile, DrawnMap
from groundwire.servers.journey_arguments import JourneyId, JourneyIndex, PlanIndex
from groundwire.servers.journey_toolset import OverLondon
from groundwire.serving import (
    APP_PAGE,
    LOCAL,
    Grounded,
    Picture,
    current_owner,
    current_site,
    resource,
    tool,
)
from groundwire.serving.sections import Entry, Listing, Section, Shown

MAP_PAGE = "ui://groundwire/journey-map"
_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
# A browser of the terminal stays in front until it is ended: it is no use to a host.
_BROWSER_SECONDS = 10.0


WholeDay = Annotated[bool, Field(description="All trips of journey_id in one.")]


class JourneyArtefacts(OverLondon):
    """A plan drawn, and put into a calendar."""

    def sections(self) -> Iterable[Section]:
        """The journeys of an owner, each with its map."""
        none = "No journey is kept now: what was planned lately is listed here."
        return (Section("journeys", "Journeys", none, self._listed, self._shown),)

    def _listed(self, owner: str, limit: int, before: str) -> Listing:
        from groundwire.journeys.kept_maps import kept_journeys

        found = kept_journeys(self._london, owner, limit + 1, before)
        ids = list(dict.fromkeys(one.journey_id for one in found))
        entries = [
            Entry(one.key, one.title, (one.plans, one.journey_id), one.moment)
            for one in found
            if one.journey_id in ids[:limit]
        ]
        return Listing(tuple(entries), ids[limit - 1] if len(ids) > limit else "")

    def _shown(self, owner: str, key: str) -> Shown:
        from groundwire.journeys.kept_maps import kept_map

        return Shown(*kept_map(self._london, owner, key))

    @tool(
        "Draw a map",
        read_only=False,
        idempotent=True,
        open_world=False,
        writes_files=True,
        meta={"ui": {"resourceUri": MAP_PAGE}},
    )
    async def draw_map_for_plan(
        self,
        ctx: Context[Any, Any],
        journey_id: JourneyId,
        journey_index: JourneyIndex = 0,
        plan_index: PlanIndex = 0,
        compare_plan_indices: Annotated[
            tuple[PlanIndex, ...], Field(description="Other plans to show beside it.")
        ] = (),
        browser_display: Annotated[bool, Field(description="Open it in a browser.")] = False,
        whole_day: WholeDay = False,
    ) -> Grounded[DrawnMap]:
        """Draw the map of a plan: an image, and a self-contained HTML file."""
        from groundwire.journeys.artefacts.map_script import SVG_META_KEY, SVG_NARROW_META_KEY
        from groundwire.journeys.drawing import draw_map
        from groundwire.journeys.looking import Which

        which = Which(journey_id, journey_index, plan_index)
        owner = current_owner()
        # A browser opens on the server's machine, which is the user's on stdio alone.
        local = owner == LOCAL and _is_stdio(ctx) and current_site() is None
        show = _in_browser if browser_display and local else None
        inline = client_supports_apps(ctx)
        draw = partial(draw_map, apart=not _is_stdio(ctx), inline=inline, whole_day=whole_day)
        drawn = await self._answered(draw, owner, which, compare_plan_indices, show)
        pictures = (Picture(drawn.png, "image/png"),) if drawn.png else ()
        keys = (SVG_META_KEY, SVG_NARROW_META_KEY)
        view: dict[str, Any] = dict(zip(keys, drawn.narrow.values(), strict=False))
        return Grounded(drawn.result, drawn.draft, pictures, view)

    @tool(
        "Write a calendar file",
        read_only=False,
        idempotent=True,
        open_world=False,
        writes_files=True,
    )
    async def create_ics_file_for_plan(
        self,
        journey_id: JourneyId,
        journey_index: JourneyIndex = 0,
        plan_index: PlanIndex = 0,
        per_leg: Annotated[bool, Field(description="One event a leg.")] = False,
        alarm_minutes: Annotated[
            int | None, Field(ge=0, le=10_080, description="Remind so long before leaving.")
        ] = None,
        repeat_on: Annotated[
            tuple[Weekday, ...], Field(description="Days on which it repeats each week.")
        ] = (),
        repeat_weeks: Annotated[int, Field(ge=1, le=52, description="Once in so many weeks.")] = 1,
        repeat_monthly: Annotated[
            Monthly | None, Field(description="Each month, by the plan's date or weekday.")
        ] = None,
        whole_day: WholeDay = False,
    ) -> CalendarFile:
        """Write a plan as an iCalendar file; returns its place and text."""
        from groundwire.journeys.drawing import create_calendar
        from groundwire.journeys.looking import Which

        which = Which(journey_id, journey_index, plan_index)
        create = partial(
            create_calendar,
            per_leg=per_leg,
            alarm_minutes=alarm_minutes,
            recurrence=Recurrence(repeat_on, repeat_weeks, repeat_monthly),
            whole_day=whole_day,
            names_map=current_site() is None,
        )
        return await self._answered(create, current_owner(), which)

    @resource(MAP_PAGE, title="Map of a plan", mime_type=APP_PAGE)
    async def journey_map(self) -> str:
        """The page in which hosts show a map inline."""
        from groundwire.journeys.artefacts.map_html import app_page

        return app_page()


def _is_stdio(ctx: Context[Any, Any]) -> bool:
    """Whether the request came over stdio."""
    return ctx.request_context.request is None


def _in_browser(path: Path) -> bool:
    """Open a file in the user's browser, in a process that cannot touch this one's stdio."""
    command = [sys.executable, "-c", _OPEN, path.as_uri()]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=without_secrets(os.environ),
            timeout=_BROWSER_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
