"""What hinders a leg: disruptions, planned works, obstacles, and whether stairs can be avoided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.journeys.itinerary import Disruption, Leg, Obstacle
from groundwire.journeys.tfl.fields import Node, children, flag, text
from groundwire.journeys.tfl.line_payload import LineStatus, Status

_PLANNED = "PlannedWork"
# What a wheelchair cannot use; a lift, a ramp and a level walkway it can.
_STEPS = frozenset({"stairs", "escalator"})
_LONGEST_NAME = 60
# The words of the journey planner (EFA) for where an obstacle lies; IDEST: on the way itself.
_POSITIONS = {"before": "before", "after": "after", "idest": "within"}


class Subject(NamedTuple):
    """What the hindrances of one leg are about, where their text does not say it.

    Attributes:
        line, line_id: the service of the leg; empty on foot.
        origin: where the leg begins.
        statuses: what TfL says of all lines of the answer.
    """

    line: str
    line_id: str
    origin: str
    statuses: Sequence[LineStatus] = ()


def read_disruptions(leg: Node, subject: Subject) -> tuple[Disruption, ...]:
    """The disruptions of a leg, each told once; one without words where TfL gives only a mark."""
    found = [_disruption(entry, subject) for entry in children(leg, "disruptions")]
    told = tuple(dict.fromkeys(one for one in found if one.reason))
    if flag(leg, "isDisrupted") and not told and not leg.get("plannedWorks"):
        name = subject.line or subject.origin
        reason = "TfL marks this part of the journey as disrupted and gives no reason."
        return (Disruption(name, reason, subject.line_id),)
    return told


def read_planned_works(leg: Node, subject: Subject) -> tuple[Disruption, ...]:
    """The works planned on a leg, each told once."""
    name = subject.line or subject.origin
    found = [
        Disruption(name, text(entry, "description"), subject.line_id, _PLANNED, planned=True)
        for entry in children(leg, "plannedWorks")
    ]
    return tuple(dict.fromkeys(one for one in found if one.reason))


def read_obstacles(leg: Node) -> tuple[Obstacle, ...]:
    """Stairs, escalators, lifts and walkways, in the order of the way."""
    found: list[Obstacle] = []
    for entry in children(leg, "obstacles"):
        position = text(entry, "position").lower()
        found.append(
            Obstacle(
                text(entry, "type").lower(),
                text(entry, "incline").lower(),
                _POSITIONS.get(position, position),
                text(entry, "stopId"),
            )
        )
    return tuple(found)


def step_free(legs: Iterable[Leg], *, asked: bool) -> bool | None:
    """Whether a plan needs no stairs or escalators, as far as TfL tells.

    TfL lists obstacles, but not all of them: a plan without stairs in it is known to be step-free
    only where TfL was asked for one, and none of its lifts is told to be out of order.
    """
    known = tuple(legs)
    if any(obstacle.kind in _STEPS for leg in known for obstacle in leg.obstacles):
        return False
    if not asked:
        return None
    hindered = any(
        "step free access" in one.reason.casefold().replace("-", " ")
        for leg in known
        for one in (*leg.disruptions, *leg.planned_works)
    )
    return None if hindered else True


def _disruption(entry: Node, subject: Subject) -> Disruption:
    kind, description = text(entry, "type"), text(entry, "description")
    reason = description or text(entry, "summary")
    more = text(entry, "additionalInfo")
    if more and more not in reason:
        reason = f"{reason} {more}".strip()
    category = text(entry, "categoryDescription") or text(entry, "category")
    planned = _PLANNED in (category, text(entry, "category"))
    head = description.partition(":")[0].strip() if ":" in description else ""
    head = head if len(head) <= _LONGEST_NAME else ""
    if kind != "stopInfo" and subject.line:
        status = _status(subject, description)
        return Disruption(
            subject.line,
            reason,
            subject.line_id,
            category,
            planned,
            status.begins if status else None,
            status.ends if status else None,
        )
    return Disruption(head or subject.origin, reason, category=category, planned=planned)


def _status(subject: Subject, reason: str) -> Status | None:
    """The line's status with these very words, which knows when it holds."""
    if not reason or not subject.line_id:
        return None
    return next(
        (
            status
            for line in subject.statuses
            if line.line_id == subject.line_id
            for status in line.statuses
            if status.reason == reason
        ),
        None,
    )
