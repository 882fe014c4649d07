"""The journeys server: London journeys with map, calendar and text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import anyio.to_thread
from mcp.server.apps import client_supports_apps
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, Elicit, Resolve
from pydantic import Field

from groundwire import profiles as embedded
from groundwire.config import Settings, without_secrets
from groundwire.journeys.artefacts.calendar import Monthly, Recurrence, Weekday
from groundwire.journeys.london import London, Supplies
from groundwire.journeys.region import Region
from groundwire.journeys.results import (
    Arrivals,
    CalendarFile,
    ComputedJourney,
    ComputedJourneys,
    ComputedPlan,
    DefaultParameters,
    DrawnMap,
    FoundStops,
    LineStatuses,
)
from groundwire.servers.composition import compose
from groundwire.servers.journey_arguments import (
    Choice,
    DefaultOptions,
    JourneyId,
    JourneyIndex,
    JourneyOptions,
    PlaceName,
    Places,
    PlanIndex,
    Trip,
    form_for,
    request_of,
)
from groundwire.serving import (
    APP_PAGE,
    LOCAL,
    SPREAD,
    START,
    Cursor,
    Grounded,
    GroundwireServer,
    Picture,
    Toolset,
    current_owner,
    current_site,
    prompt,
    resource,
    tool,
)
from groundwire.serving.sections import Entry, Listing, Section, Shown
from groundwire.state import shared_database

Answer_ = TypeVar("Answer_")
MAP_PAGE = "ui://groundwire/journey-map"
_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
# A browser of the terminal stays in front until it is ended: it is no use to a host.
_BROWSER_SECONDS = 10.0
WholeDay = Annotated[bool, Field(description="All trips of journey_id in one.")]


class OverLondon(Toolset):
    """Works on one region, London or another, whose data is opened by the first call."""

    def __init__(self, london: Region) -> None:
        """Serve one region."""
        self._london = london

    async def aclose(self) -> None:
        """Close the connections to planners."""
        await self._london.aclose()

    def close(self) -> None:
        """Close the files of state."""
        self._london.close()

    async def with_marked_names(self, text: str) -> str:
        """Return a text in which the names of stops stand in marks, where they are not London's."""
        return await anyio.to_thread.run_sync(self._london.with_marked_names, text)

    async def _answered(self, verb: Callable[..., Answer_], *arguments: Any) -> Answer_:
        """One call into the domain, in a thread: its files block."""
        return await anyio.to_thread.run_sync(
            verb, self._london, *arguments, abandon_on_cancel=True
        )


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
            Field(description="Each overrides these.", max_length=12),
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
        from groundwire.journeys.computed_journeys import Which, get_computed_journey

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
        """A plan in detail: text to show as it is, legs, steps, obstacles, fare."""
        from groundwire.journeys.computed_journeys import Which, get_computed_journey_plan

        which = Which(journey_id, journey_index, plan_index)
        return Grounded(
            *await self._answered(get_computed_journey_plan, current_owner(), which, detail)
        )

    @prompt("Plan a day in London", name="plan_journey", needs=("compute_journey_plans",))
    async def plan_journey(self, request: str) -> str:
        """Plan journeys from a request in plain words."""
        from groundwire.journeys.briefing import briefing

        return await self._answered(briefing, current_owner(), request)


_Lines = Annotated[
    tuple[Annotated[str, Field(max_length=100)], ...],
    Field(description="Names or ids of lines.", max_length=30),
]
_Modes = Annotated[
    tuple[Annotated[str, Field(max_length=100)], ...],
    Field(description="Such as tube, bus, dlr, walking.", max_length=20),
]


class LiveServices(OverLondon):
    """Lines, stops and arrivals."""

    @tool("Show line status", read_only=True, idempotent=True, open_world=True)
    async def get_line_status(
        self,
        lines: _Lines = (),
        modes: _Modes = (),
        date: Annotated[str, Field(description="Such as Saturday.")] = "",
        cursor: Cursor = START,
    ) -> Grounded[LineStatuses]:
        """How lines run, worst first, with reasons."""
        return Grounded(*await self._london.line_status(lines, modes, cursor.offset, date))

    @tool("Find stops", read_only=True, idempotent=True, open_world=True)
    async def find_stops(
        self,
        query: Annotated[str, Field(min_length=1, max_length=300)],
        modes: _Modes = (),
        cursor: Cursor = START,
    ) -> Grounded[FoundStops]:
        """Stops and stations by name, with lines, position and zone."""
        return Grounded(*await self._london.find_stops(query, modes, cursor.offset))

    @tool("Show arrivals", read_only=True, idempotent=True, open_world=True)
    async def get_arrivals(
        self,
        stop: Annotated[str, Field(description="Name or id.", min_length=1, max_length=300)],
        lines: _Lines = (),
        limit: Annotated[int, Field(ge=1, le=60)] = 12,
        when: Annotated[
            str,
            Field(description="Of a timetable: Sunday 22:00, last on Sunday.", max_length=100),
        ] = "",
    ) -> Grounded[Arrivals]:
        """Services expected at a stop, next first, or why there are none."""
        return Grounded(*await self._london.arrivals(current_owner(), stop, lines, limit, when))


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
        from groundwire.journeys.artefacts.map_html import SVG_META_KEY, SVG_NARROW_META_KEY
        from groundwire.journeys.computed_journeys import Which
        from groundwire.journeys.drawing import draw_map

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
        repeat_until: Annotated[
            str | None, Field(max_length=40, description="Last day it repeats.")
        ] = None,
        whole_day: WholeDay = False,
    ) -> Grounded[CalendarFile]:
        """Write a plan as an iCalendar file; returns its place and text."""
        from groundwire.journeys.computed_journeys import Which
        from groundwire.journeys.drawing import calendar_record, create_calendar

        which = Which(journey_id, journey_index, plan_index)
        create = partial(
            create_calendar,
            per_leg=per_leg,
            alarm_minutes=alarm_minutes,
            recurrence=Recurrence(repeat_on, repeat_weeks, repeat_monthly),
            until=repeat_until,
            whole_day=whole_day,
            names_map=current_site() is None,
        )
        owner = current_owner()
        file = await self._answered(create, owner, which)
        record = partial(calendar_record, alarm_minutes=alarm_minutes, whole_day=whole_day)
        return Grounded(file, await self._answered(record, owner, which, file))

    @resource(MAP_PAGE, title="Map of a plan", mime_type=APP_PAGE)
    async def journey_map(self) -> str:
        """The page in which hosts show a map inline."""
        from groundwire.journeys.artefacts.map_html import app_page

        return app_page()


# The tools of the last base come first.
class JourneysTools(LiveServices, JourneyDefaults, JourneyArtefacts, JourneyPlanning):
    """London journeys: planned, told, drawn and put into a calendar."""

    name = "journeys"
    title = "London journeys"
    instructions = (
        "London journeys. Call compute_journey_plans with the user's own words for places and "
        "times; several trips go into trips, in order. It returns metadata and a journey_id; "
        "get_computed_journey_plan, draw_map_for_plan and create_ics_file_for_plan take "
        "it with the indices. If options come back, ask the user which place is meant. Tell "
        "assumptions and corrections, and that offline_estimate times are estimates. Never state a "
        "time, line or fare that no result has. Check your final text with verify_answer."
    )


class OtherJourneysTools(JourneysTools):
    """The same tools over an imported timetable or a remote planner."""

    title = "Journeys"
    instructions = (
        "Journeys by a timetable or a journey planner. Call compute_journey_plans with the "
        "user's own words for places and times; several trips go into trips, in order. It "
        "returns metadata and a journey_id; get_computed_journey_plan, draw_map_for_plan and "
        "create_ics_file_for_plan take it with the indices. If options come back, ask the user "
        "which place is meant. "
        "adjustment TripLast gives the last connection of a day. Tell who planned and until when "
        "the timetable holds; it knows no delays. Never state a time, line or fare that no result "
        "has. Check your final text with verify_answer."
    )


def build(settings: Settings) -> GroundwireServer:
    """The server `journeys` as the settings describe it; nothing is read before the first call.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    return compose("journeys", [toolset(settings)], settings, title="Groundwire journeys")


def toolset(settings: Settings) -> JourneysTools:
    """The tools over the region that the settings name.

    Raises:
        NotFoundError: no feed of that name is imported.
    """
    found = region(settings)
    found.database = shared_database(settings)
    return JourneysTools(found) if isinstance(found, London) else OtherJourneysTools(found)


def region(settings: Settings) -> Region:
    """London, an imported city or a remote planner, as `GROUNDWIRE_JOURNEYS` says.

    Raises:
        NotFoundError: no feed of that name is imported.
        ConfigurationError: the address of the planner cannot be used.
    """
    name = settings.journeys
    if name.lower() in ("", "london"):
        return London(supplies(settings))
    if "://" in name:
        from groundwire.journeys.remote.planner import RemotePlanner

        return RemotePlanner(name, settings.home)
    from groundwire.journeys.timetable.city import City

    return City(name, settings.home)


def supplies(settings: Settings) -> Supplies:
    """Where the data of journeys lies, and who is asked."""
    return Supplies(
        network=embedded.london_network(),
        landmarks=embedded.london_places(),
        home=settings.home,
        base_url=settings.tfl_base_url,
        key=settings.tfl_key,
    )


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
