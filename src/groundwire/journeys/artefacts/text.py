"""A plan in words, the same words every time: in brief, and in full.

The brief text says when to leave, where to walk, which service to take in which direction to where,
where to change, when one arrives, what it costs and what is disrupted. The full text adds the times
of every leg, platforms, the stops on the way, every turn of a walk, obstacles, and the reasons of
disruptions and works as the operator wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from groundwire.journeys import wording
from groundwire.journeys.itinerary import Disruption, Journey, Leg, Plan, Timing
from groundwire.journeys.lines.names import first_sentence, service_name, without_name
from groundwire.journeys.wording import (
    count,
    day,
    duration,
    listed,
    london_day,
    moment,
    span,
)

Detail = Literal["brief", "full"]
# Where minutes come from when no timetable was asked.
_BASES: dict[Timing, str] = {
    "running_times": "TfL's published running times between stations",
    "distance_estimate": "distances",
    "walking_speed": "walking speed",
}


def describe(plan: Plan, journey: Journey, detail: Detail = "brief") -> str:
    """A plan in words.

    Args:
        plan: one of the journey's plans.
        journey: says from where to where, who planned it, and what holds for all its plans.
        detail: how much is told.

    Returns:
        lines of text, ended by the credit; no markup.
    """
    lines = [_heading(plan, journey), ""]
    after_ride = False
    for number, (leg, following) in enumerate(
        zip(plan.legs, (*plan.legs[1:], None), strict=True), 1
    ):
        said = wording.sentence(leg, changing=after_ride and leg.is_ride)
        after_ride = leg.is_ride
        start = moment(leg.departure, plan.start)
        if detail == "brief":
            lines.append(f"{number}. At {start}, {said}.")
        else:
            end = moment(leg.arrival, plan.start)
            lines += [f"{number}. {start} to {end}: {said}.", *_leg_details(leg, following)]
    lines.append("")
    lines += _facts(plan, detail)
    lines += journey.notes
    if journey.source == "offline_estimate":
        lines.append(estimate_mark(plan))
    lines.append(f"{journey.credit}.")
    return "\n".join(lines)


def estimate_mark(plan: Plan) -> str:
    """Say of an estimated plan that its times are estimates, wherever they are shown."""
    used = dict.fromkeys(_BASES[leg.timing] for leg in plan.legs if leg.timing in _BASES)
    bases = listed(list(used)) if used else "typical speeds"
    return (
        f"Offline estimate: times are estimated from {bases}, counted from the time that was asked"
        " for; no timetable or live service was asked."
    )


def fare_words(plan: Plan) -> str:
    """Say what the plan costs: "£3.00 pay as you go (off peak, zone 1)"; empty if nobody says."""
    if plan.fare is None:
        return ""
    pounds = f"£{plan.fare.total_pence // 100}.{plan.fare.total_pence % 100:02d} pay as you go"
    zones = plan.fare.zones
    about = [plan.fare.charge_level.casefold()] if plan.fare.charge_level else []
    if zones:
        about.append(f"zones {zones}" if "-" in zones else f"zone {zones}")
    return f"{pounds} ({', '.join(about)})" if about else pounds


def _heading(plan: Plan, journey: Journey) -> str:
    origin = wording.place_name(journey.origin)
    destination = wording.place_name(journey.destination)
    via = f" via {wording.place_name(journey.via)}" if journey.via else ""
    changes = count(plan.interchanges, "change") if plan.interchanges else "direct"
    changes = changes if plan.rides else ""
    mark = "about " if journey.source == "offline_estimate" else ""
    took = ", ".join(part for part in (mark + duration(plan.duration_minutes), changes) if part)
    return (
        f"{origin} to {destination}{via} on {day(london_day(plan.start))}: leave at"
        f" {moment(plan.start, plan.start)}, arrive at {mark}{moment(plan.arrival, plan.start)}"
        f" ({took})."
    )


def _leg_details(leg: Leg, following: Leg | None) -> list[str]:
    """Obstacles, stops on the way, turns, and the time for changing, each on its line."""
    lines: list[str] = []
    before = tuple(one for one in leg.obstacles if one.position != "after")
    after = tuple(one for one in leg.obstacles if one.position == "after")
    if before:
        where = "On the way to the platform" if leg.is_ride else "On the way"
        lines.append(f"   {where}: {wording.obstacles(before)}.")
    passed = [wording.place_name(stop) for stop in leg.stops[:-1]]
    if leg.is_ride and passed:
        lines.append(f"   Stops on the way: {listed(passed)}.")
    lines += [f"   - {wording.step(step.instruction)}" for step in leg.steps]
    if after:
        lines.append(f"   After the ride: {wording.obstacles(after)}.")
    if leg.interchange_minutes:
        at = wording.place_name(leg.destination)
        allowed = f"   Allow {count(leg.interchange_minutes, 'minute')}"
        if following is None or (leg.is_ride and following.is_ride):
            lines.append(f"{allowed} to change at {at}.")
        else:
            way = "walk" if following.mode == "walking" else "ride"
            lines.append(f"{allowed} at {at} before the {way}.")
    return lines


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _facts(plan: Plan, detail: Detail) -> list[str]:
    """List what holds for the whole plan: walking, fare, step-free access, disruptions, works."""
    lines: list[str] = []
    rides_and_walks = plan.rides and plan.walking_minutes
    if rides_and_walks and detail == "full":
        lines.append(f"Walking: {count(plan.walking_minutes, 'minute')} in all.")
    fare = fare_words(plan)
    if fare:
        lines.append(f"Fare: {fare}.")
    if plan.fare is not None and detail == "full":
        lines += [_sentence(caveat) for caveat in plan.fare.caveats]
    access = _access(plan)
    if access:
        lines.append(access)
    lines += _hindrances("Disruption", plan.disruptions, plan, detail)
    lines += _hindrances("Planned works", plan.planned_works, plan, detail)
    lines += _hindrances("Notice", plan.notices, plan, detail)
    return lines


def _access(plan: Plan) -> str:
    kinds = dict.fromkeys(one.kind for leg in plan.legs for one in leg.obstacles)
    named = listed([kind for kind in kinds if kind in ("stairs", "escalator", "lift")])
    if plan.step_free:
        return "Step-free as far as is known."
    if plan.step_free is False:
        return f"Not step-free: {named} on the way." if named else "Not step-free."
    return f"On the way: {named}." if named else ""


def _hindrances(kind: str, found: Iterable[Disruption], plan: Plan, detail: Detail) -> list[str]:
    """Each disruption or work once; in brief its first sentence."""
    services = {
        name: service_name(leg.mode, leg.line)
        for leg in plan.rides
        for name in (leg.line_id, leg.line)
        if name
    }
    lines: list[str] = []
    for one in found:
        about = services.get(one.line_id) or services.get(one.line, one.line)
        names = (about, one.line, f"{one.line} line", f"{one.line} station")
        reason = without_name(one.reason, names)
        if detail == "brief":
            reason = first_sentence(reason)
        elif one.ends is not None and (when := span(one.begins, one.ends, plan.start)):
            about = f"{about} ({when})"
        lines.append(f"{kind}: {about}: {_sentence(reason)}" if about else f"{kind}: {reason}")
    return list(dict.fromkeys(lines))
