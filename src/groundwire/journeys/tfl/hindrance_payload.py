"""Hindrances of a leg: disruptions, planned works, obstacles, and whether stairs can be avoided.

TfL sends messages of every category among the `disruptions` of a leg. Which of them are disruptions
is told by TfL's own fields: the status of the line that has the same words, the type of closure,
and the category of the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from groundwire.journeys.itinerary import Disruption, Leg, Obstacle
from groundwire.journeys.tfl.fields import Node, children, flag, text
from groundwire.journeys.tfl.line_payload import LineStatus, Status
from groundwire.journeys.tfl.severity import PLANNED_WORK, category_of, standing_of_message

# What a wheelchair cannot use; a lift, a ramp and a level walkway it can.
_STEPS = frozenset({"stairs", "escalator"})
_LONGEST_NAME = 60
Kind = Literal["disrupted", "planned", "notice"]
# The words of the journey planner (EFA) for where an obstacle lies; IDEST: on the way itself.
_POSITIONS = {"before": "before", "after": "after", "idest": "within"}


class Subject(NamedTuple):
    """The subject of one leg's hindrances, where their text does not say it.

    Attributes:
        line, line_id: the service of the leg; empty on foot.
        origin: where the leg begins.
        statuses: what TfL says of all lines of the answer.
    """

    line: str
    line_id: str
    origin: str
    statuses: Sequence[LineStatus] = ()


class Hindrances(NamedTuple):
    """TfL's messages about a leg, each told once.

    Attributes:
        disruptions: what happened; one without words where TfL gives only a mark.
        planned_works: what was announced.
        notices: what is to be known and hinders nobody.
    """

    disruptions: tuple[Disruption, ...] = ()
    planned_works: tuple[Disruption, ...] = ()
    notices: tuple[Disruption, ...] = ()


def read_hindrances(leg: Node, subject: Subject) -> Hindrances:
    """The messages of a leg, by what they are."""
    name = subject.line or subject.origin
    found: dict[Kind, dict[Disruption, None]] = {"disrupted": {}, "planned": {}, "notice": {}}
    for entry in children(leg, "disruptions"):
        kind, told = _message(entry, subject)
        if told.reason:
            found[kind][told] = None
    known = any(found.values())
    for entry in children(leg, "plannedWorks"):
        works = text(entry, "description")
        told = Disruption(name, works, subject.line_id, PLANNED_WORK, planned=True)
        if works and all(one.reason != works for one in found["planned"]):
            found["planned"][told] = None
    if flag(leg, "isDisrupted") and not known and not leg.get("plannedWorks"):
        reason = "TfL marks this part of the journey as disrupted and gives no reason."
        found["disrupted"][Disruption(name, reason, subject.line_id)] = None
    return Hindrances(*(tuple(found[kind]) for kind in ("disrupted", "planned", "notice")))


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
        for one in (*leg.disruptions, *leg.planned_works, *leg.notices)
    )
    return None if hindered else True


def _message(entry: Node, subject: Subject) -> tuple[Kind, Disruption]:
    """A message, and whether it is a disruption, planned works or a notice."""
    kind, description = text(entry, "type"), text(entry, "description")
    reason = description or text(entry, "summary")
    more = text(entry, "additionalInfo")
    if more and more not in reason:
        reason = f"{reason} {more}".strip()
    category = category_of(text(entry, "categoryDescription"), text(entry, "category"))
    head = description.partition(":")[0].strip() if ":" in description else ""
    head = head if len(head) <= _LONGEST_NAME else ""
    of_line = kind != "stopInfo" and bool(subject.line)
    status = _status(subject, description) if of_line else None
    meant = _kind(status, text(entry, "closureText"), category)
    planned = meant == "planned"
    if of_line:
        return meant, Disruption(
            subject.line,
            reason,
            subject.line_id,
            category,
            planned,
            status.begins if status else None,
            status.ends if status else None,
        )
    return meant, Disruption(head or subject.origin, reason, category=category, planned=planned)


def _kind(status: Status | None, closure: str, category: str) -> Kind:
    """Return a message's kind, by the status of the line with its words, else by its own fields."""
    standing = status.standing if status else standing_of_message(closure, category)
    if category == PLANNED_WORK or standing == "planned":
        return "planned"
    return "notice" if standing in ("notice", "good") else "disrupted"


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
