"""Line status as TfL sends it, read into statuses.

Source: schemas `Line`, `LineStatus`, `Disruption`, `ValidityPeriod` of the saved OpenAPI. A line
has several statuses; times are UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.tfl.fields import plain_text
from groundwire.journeys.tfl.outcomes import UnexpectedAnswerError
from groundwire.journeys.tfl.severity import (
    DESCRIPTIONS,
    Standing,
    category_of,
    code_of,
    rank,
    standing,
)

Payload = Mapping[str, Any]
# A weekend's closure comes as one period a day, a minute apart.
_SAME_SPELL = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Validity:
    """From when to when a status holds, in Europe/London."""

    begins: datetime | None
    ends: datetime | None

    def covers(self, moment: datetime) -> bool:
        """Whether it holds at a moment."""
        return (self.begins is None or self.begins <= moment) and (
            self.ends is None or moment <= self.ends
        )


@dataclass(frozen=True, slots=True)
class Status:
    """One thing that TfL says about a line.

    Attributes:
        severity: TfL's code.
        description: TfL's words for it (`Minor Delays`).
        reason: the whole text as the operator wrote it, without markup.
        advice: what the operator adds (replacement buses), without markup.
        category: `RealTime`, `PlannedWork`, `Information`, else empty.
        standing: whether it is a disruption, planned, a closed service or none of these.
        validity: when it holds; empty means as long as TfL says it.
        live: whether TfL says that it holds now (`isNow`), rather than will.
        stops, routes: names of the stops and routes that TfL says are affected.
    """

    severity: int
    description: str
    reason: str = ""
    advice: str = ""
    category: str = ""
    standing: Standing = "good"
    validity: tuple[Validity, ...] = ()
    stops: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    live: bool = False

    @property
    def planned(self) -> bool:
        """Whether it was announced rather than happened."""
        return self.standing == "planned"

    @property
    def rank(self) -> int:
        """Its place in the order from worst to best."""
        return rank(self.severity, self.description, self.category)

    @property
    def begins(self) -> datetime | None:
        """When it first holds, if that is known."""
        return self.spells[0].begins if self.validity else None

    @property
    def ends(self) -> datetime | None:
        """When it last holds, if that is known."""
        return self.spells[-1].ends if self.validity else None

    @property
    def spells(self) -> tuple[Validity, ...]:
        """The stretches of time in which it holds, in order, joined where they meet."""
        joined: list[Validity] = []
        for one in sorted(self.validity, key=lambda one: (one.begins is not None, one.begins)):
            before = joined[-1] if joined else None
            if before is None or (
                before.ends and one.begins and one.begins - before.ends > _SAME_SPELL
            ):
                joined.append(one)
                continue
            ends = max(before.ends, one.ends) if before.ends and one.ends else None
            joined[-1] = Validity(before.begins, ends)
        return tuple(joined)

    def spell(self, moment: datetime) -> Validity | None:
        """The stretch that a moment falls in, else the next one, else the last; None for none."""
        spells = self.spells
        ahead = (one for one in spells if one.ends is None or one.ends >= moment)
        return next(ahead, spells[-1] if spells else None)

    def holds(self, moment: datetime) -> bool:
        """Whether it holds at a moment; a live status does as long as TfL sends it."""
        if self.live or not self.validity:
            return True
        return any(one.covers(moment) for one in self.validity)

    def is_ahead(self, moment: datetime) -> bool:
        """Whether it will hold, and does not yet."""
        spell = self.spell(moment)
        return not self.holds(moment) and bool(spell and spell.begins and spell.begins > moment)


@dataclass(frozen=True, slots=True)
class LineStatus:
    """All that TfL says about one line.

    Attributes:
        line_id, line, mode: the line by id and name, and the id of its mode.
        statuses: worst first, each told once.
    """

    line_id: str
    line: str
    mode: str
    statuses: tuple[Status, ...] = ()

    @property
    def worst(self) -> Status | None:
        """The worst of its statuses, or None where TfL gives none."""
        return self.statuses[0] if self.statuses else None

    def at(self, moment: datetime) -> Status | None:
        """The worst status that holds at a moment, or None where none does."""
        return next((one for one in self.statuses if one.holds(moment)), None)


@dataclass(frozen=True, slots=True)
class LineStatuses:
    """The lines of one answer, and what in it could not be read, in words."""

    lines: tuple[LineStatus, ...]
    unread: tuple[str, ...] = ()


def read_line_statuses(payload: object) -> LineStatuses:
    """Read an answer of `Line/{ids}/Status`, `Line/Mode/{modes}/Status` or the like.

    Args:
        payload: the JSON value: a list of lines, or one line.

    Returns:
        the lines in the order of the answer. An entry that cannot be read is told in `unread`.

    Raises:
        UnexpectedAnswerError: the payload is not about lines.
    """
    entries = cast("object", [payload] if isinstance(payload, Mapping) else payload)
    if not isinstance(entries, list):
        raise UnexpectedAnswerError(
            "TfL sent something other than the status of lines: try again later"
        )
    lines: list[LineStatus] = []
    unread: list[str] = []
    for number, entry in enumerate(cast("list[object]", entries), 1):
        line = _read_line(entry, unread)
        if line is None:
            unread.append(f"entry {number} names no line")
        else:
            lines.append(line)
    if unread and not lines:
        raise UnexpectedAnswerError(
            "TfL sent something other than the status of lines: try again later"
        )
    return LineStatuses(tuple(lines), tuple(unread))


def objects(values: object) -> list[Payload]:
    """Return the objects of a JSON array; none of any other value."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        return []
    return [
        cast("Payload", one) for one in cast("Sequence[object]", values) if isinstance(one, Mapping)
    ]


def read_moment(value: object) -> datetime | None:
    """A moment as TfL's live services write it, in Europe/London; None for none.

    Without a zone it is UTC. `0001-01-01T00:00:00` stands for none.
    """
    if not isinstance(value, str) or value.startswith("0001"):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(LONDON)


def text_of(entry: Payload, key: str) -> str:
    """A text of an object, without spaces around it; empty if it has none."""
    value = entry.get(key)
    return value.strip() if isinstance(value, str) else ""


def _read_line(entry: object, unread: list[str]) -> LineStatus | None:
    if not isinstance(entry, Mapping):
        return None
    line = cast("Payload", entry)
    line_id = text_of(line, "id")
    if not line_id or not isinstance(line.get("lineStatuses"), list):
        return None
    statuses: list[Status] = []
    for number, found in enumerate(cast("list[object]", line["lineStatuses"]), 1):
        status = _status(cast("Payload", found)) if isinstance(found, Mapping) else None
        if status is None:
            unread.append(f"status {number} of {line_id} has no severity")
        else:
            statuses.append(status)
    return LineStatus(
        line_id,
        text_of(line, "name") or line_id,
        text_of(line, "modeName"),
        tuple(sorted(dict.fromkeys(statuses), key=lambda status: status.rank)),
    )


def _status(entry: Payload) -> Status | None:
    found = entry.get("disruption")
    disruption: Payload = cast("Payload", found) if isinstance(found, Mapping) else {}
    periods = objects(entry.get("validityPeriods"))
    flags = [period.get("isNow") for period in periods]
    severity = entry.get("statusSeverity")
    description = text_of(entry, "statusSeverityDescription")
    code = severity if isinstance(severity, int) else code_of(description)
    if code is None:
        return None
    category = category_of(
        text_of(disruption, "categoryDescription"), text_of(disruption, "category")
    )
    return Status(
        code,
        description or DESCRIPTIONS.get(code, f"Status {code}"),
        plain_text(entry.get("reason")) or plain_text(disruption.get("description")),
        plain_text(disruption.get("additionalInfo")),
        category,
        standing(code, description, category, any(flags) if flags else None),
        tuple(
            Validity(read_moment(period.get("fromDate")), read_moment(period.get("toDate")))
            for period in periods
        ),
        _names(objects(disruption.get("affectedStops")), ("commonName", "name", "id")),
        _names(
            objects(disruption.get("affectedRoutes")),
            ("name", "vehicleDestinationText", "destinationName", "id"),
        ),
        any(flags),
    )


def _names(entries: Iterable[Payload], keys: tuple[str, ...]) -> tuple[str, ...]:
    """The first of some keys that each object has, each name once."""
    named = (
        next((plain_text(entry[key]) for key in keys if plain_text(entry.get(key))), "")
        for entry in entries
    )
    return tuple(name for name in dict.fromkeys(named) if name)
