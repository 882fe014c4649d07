"""The instructions that a model is given before it plans a day."""

from __future__ import annotations

from groundwire.journeys.itinerary import zone_of
from groundwire.journeys.region import Region
from groundwire.journeys.wording import clock, day


def briefing(london: Region, owner: str, request: str) -> str:
    """A request with the user's places and defaults, the time, and the rules of answering."""
    now = london.now()
    kept = london.preferences.get(owner)
    places = ", ".join(f"{one.name} ({one.value})" for one in kept.named.values()) or "none"
    options = ", ".join(f"{name} = {value}" for name, value in kept.options.items()) or "none"
    city = zone_of(now).key.rpartition("/")[2].replace("_", " ")
    return (
        f"{request}\n\nPlan this with compute_journey_plans: each trip in `trips`, in order, with "
        "the user's own words for places and times. State no time, line or fare that no result "
        "has; tell assumptions and corrections; ask where options come back. Then offer the map, "
        "the calendar file and the text of the plan that is chosen.\n"
        f"Now: {day(now.date())}, {clock(now)} in {city}. Places by name: {places}. Defaults: "
        f"{options}. Journeys are planned by {london.planned_by()}.\n"
    )
