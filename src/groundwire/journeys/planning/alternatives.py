"""The best way around a disruption, among plans that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.errors import GroundwireError
from groundwire.journeys.artefacts.leg_words import plan_name, ridden
from groundwire.journeys.itinerary import Disruption, Journey, Plan
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan as plan_offline
from groundwire.journeys.options import Options
from groundwire.journeys.spoken_times import duration, moment


def way_around(
    disruption: Disruption,
    disrupted: Plan,
    journey: Journey,
    network: Network,
    options: Options,
) -> str:
    """How to travel without a disrupted line, in words; empty where no way is known.

    Args:
        disruption: what hinders the plan.
        disrupted: the plan.
        journey: the journey with all its plans.
        network: the embedded network, for where every plan of the journey is disrupted.
        options: what was asked of the journey.
    """
    others = [
        (index, one)
        for index, one in enumerate(journey.plans)
        if one is not disrupted and not _meets(one, disruption)
    ]
    if others:
        index, best = min(others, key=lambda pair: (len(pair[1].disruptions), pair[1].arrival))
        arrival = moment(best.arrival, disrupted.start)
        called = plan_name(index, with_index=True)
        return f"{called}, {ridden(best)}, arrives at {arrival}"
    return _by_network(disruption, disrupted, journey, network, options)


def _meets(one: Plan, disruption: Disruption) -> bool:
    """Whether a plan is hindered by the same, or uses the line that is."""
    if disruption.line_id:
        return any(leg.line_id == disruption.line_id for leg in one.legs)
    return disruption in one.disruptions


def _by_network(
    disruption: Disruption, disrupted: Plan, journey: Journey, network: Network, options: Options
) -> str:
    if disruption.line_id not in network.lines:
        return ""
    asked = replace(
        options,
        when=disrupted.start,
        time_is="departing",
        avoid_lines=(*options.avoid_lines, disruption.line_id),
    )
    try:
        found = plan_offline(
            network, journey.origin, journey.destination, asked, disrupted.start, count=1
        )
    except GroundwireError:
        return ""
    return f"{ridden(found[0])}, about {duration(found[0].duration_minutes)} by estimate"


def without_lines(
    plans: Sequence[Plan], options: Options
) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
    """Plans that ride on lines that may be used, and the names of those that ruled others out."""
    kept: list[Plan] = []
    ruled_out: dict[str, None] = {}
    for one in plans:
        used = [
            leg.line or leg.line_id or leg.mode
            for leg in one.rides
            if options.rules_out(leg.line_id)
        ]
        ruled_out |= dict.fromkeys(used)
        if not used:
            kept.append(one)
    return tuple(kept), tuple(ruled_out)
