"""The journeys server: London journeys with map, calendar and text."""

from __future__ import annotations

from groundwire import profiles as embedded
from groundwire.config import Settings
from groundwire.journeys.london import London, Supplies
from groundwire.journeys.region import Region
from groundwire.servers.composition import compose
from groundwire.servers.journey_artefacts import JourneyArtefacts
from groundwire.servers.journey_defaults import JourneyDefaults
from groundwire.servers.journey_live import LiveServices
from groundwire.servers.journey_planning import JourneyPlanning
from groundwire.serving import GroundwireServer


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
