"""The instructions that a model is given before it plans a day."""

from __future__ import annotations

from groundwire.journeys.lines.names import services_of
from groundwire.journeys.london import London
from groundwire.journeys.network.limits import unknown_modes
from groundwire.journeys.options import Options
from groundwire.journeys.spoken_times import clock, day, listed


def briefing(london: London, owner: str, request: str) -> str:
    """A request with the user's places and defaults, the time, and the rules of answering."""
    now = london.now()
    kept = london.preferences.get(owner)
    places = ", ".join(f"{one.name} ({one.value})" for one in kept.named.values()) or "none"
    options = ", ".join(f"{name} = {value}" for name, value in kept.options.items()) or "none"
    source = "the TfL API" if london.supplies.online else _offline(london)
    return (
        f"{request}\n\nPlan this with compute_journey_plans: each trip in `trips`, in order, with "
        "the user's own words for places and times. State no time, line or fare that no result "
        "has; tell assumptions and corrections; ask where options come back. Then offer the map, "
        "the calendar file and the text of the plan that is chosen.\n"
        f"Now: {day(now.date())}, {clock(now)} in London. Places by name: {places}. Defaults: "
        f"{options}. Journeys are planned by {source}.\n"
    )


def _offline(london: London) -> str:
    modes = unknown_modes(london.network, Options())
    named = listed([services_of(mode) for mode in modes], last="or")
    return f"the embedded network, as estimates; it does not know {named}"
