"""Computed journeys, kept under a random id, and their details looked up by their indices.

An id is its owner's alone, outlives the process, and holds what was planned under it in order: the
first journey is number 0, and what is added later follows. Nothing is lost with one that is lost:
the caller plans again. So a commit does not wait for the disk.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.evidence.records import Draft
from groundwire.journeys import telling
from groundwire.journeys.artefacts.files import HANDLE
from groundwire.journeys.artefacts.text import describe
from groundwire.journeys.itinerary import Journey, Plan, from_json
from groundwire.journeys.proof import prove
from groundwire.journeys.region import Region
from groundwire.journeys.results import ComputedJourney, ComputedPlan
from groundwire.journeys.wording import count, plan_name
from groundwire.safe_text import may_be_handle, new_handle
from groundwire.state import Connection, Database, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

DAYS_KEPT = 30
"""Days until an id expires, counted from what was last added to it."""
MOST_JOURNEYS = 100
"""Journeys of one id."""
MOST_BYTES = 8 * 1024 * 1024
"""Bytes of all journeys of one id, compressed."""
MOST_IDS = 1_000
"""Ids of one owner; of more the oldest go."""
MOST_BYTES_OF_OWNER = 128 * 1024 * 1024
"""Bytes of all journeys of one owner, compressed; of more the oldest ids go."""

_TABLES = (
    """CREATE TABLE ids (
        journey_id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        expires REAL NOT NULL,
        journeys INTEGER NOT NULL,
        bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX ids_by_owner ON ids (owner, expires)",
    "CREATE INDEX ids_by_expiry ON ids (expires)",
    """CREATE TABLE journeys (
        journey_id TEXT NOT NULL,
        journey_index INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (journey_id, journey_index)
    ) STRICT""",
)
_LAYOUT = Layout(
    "journeys",
    "file of journeys",
    application=0x47574A4E,  # "GWJN"
    version=1,
    tables=_TABLES,
    synchronous="NORMAL",
)
_REMOVED_AT_ONCE = 200


class JourneyStore(Kept[Store]):
    """The journeys at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.

    Args:
        place: the SQLite file, made with its folder when something is kept; or the database.
        clock: seconds since 1970.
        days: days until an id expires.
    """

    def __init__(
        self, place: StatePlace, clock: Callable[[], float] = time.time, days: float = DAYS_KEPT
    ) -> None:
        self._state = opened(place, _LAYOUT)
        self._clock = place.clock(clock) if isinstance(place, Database) else clock
        self._seconds = days * 86_400

    def create(self, owner: str, journeys: Sequence[Journey]) -> str:
        """Keep journeys under a new id, and remove what has expired.

        Raises:
            LimitError: they are too many or too large.
            UnavailableError: the file cannot be written.
        """
        packed = [_pack(journey) for journey in journeys]
        journey_id = new_handle(HANDLE)
        _check_limits(len(packed), sum(map(len, packed)))
        with self._state.writing() as connection:
            now = self._clock()
            _remove_expired(connection, now)
            connection.execute(
                "INSERT INTO ids (journey_id, owner, expires, journeys, bytes) "
                "VALUES (?, ?, ?, 0, 0)",
                (journey_id, owner, now + self._seconds),
            )
            self._append(connection, journey_id, 0, packed)
            _remove_oldest(connection, owner)
        return journey_id

    def add(self, owner: str, journey_id: str, journeys: Sequence[Journey]) -> int:
        """Keep more journeys under an id, which lives as long again.

        Returns:
            the index of the first of them; the others follow.

        Raises:
            NotFoundError: the id is unknown, expired or another owner's.
            LimitError: they are too many or too large; nothing is added.
            UnavailableError: the file cannot be written.
        """
        packed = [_pack(journey) for journey in journeys]
        with self._state.writing() as connection:
            count, size = self._found(connection, owner, journey_id)
            _check_limits(count + len(packed), size + sum(map(len, packed)))
            self._append(connection, journey_id, count, packed)
            _remove_oldest(connection, owner)
        return count

    def get(self, owner: str, journey_id: str) -> tuple[Journey, ...]:
        """All journeys of an id, by their index.

        Raises:
            NotFoundError: the id is unknown, expired or another owner's.
            UnavailableError: the file cannot be read.
        """
        with self._state.reading() as connection:
            self._found(connection, owner, journey_id)
            rows = (
                [] if connection is None else connection.execute(_OF_ID, (journey_id,)).fetchall()
            )
        return tuple(_unpack(data) for (data,) in rows)

    def listed(
        self, owner: str, limit: int, before: str = ""
    ) -> list[tuple[str, float, tuple[Journey, ...]]]:
        """Ids of an owner, when each was last added to, and their journeys; the newest first.

        Args:
            owner: whose.
            limit: so many ids at most.
            before: only ids last added to before this one; empty: all.

        Raises:
            NotFoundError: the owner has no id `before`, or a journey cannot be read.
            UnavailableError: the file cannot be read.
        """
        with self._state.reading() as connection:
            if before:
                self._found(connection, owner, before)
            if connection is None:
                return []
            place = connection.execute(_PLACE, (before,)).fetchone() or (float("inf"), "")
            found = connection.execute(_LISTED, (owner, self._clock(), *place, limit)).fetchall()
            kept = [
                (name, expires, connection.execute(_OF_ID, (name,)).fetchall())
                for name, expires in found
            ]
        return [
            (name, expires - self._seconds, tuple(_unpack(data) for (data,) in rows))
            for name, expires, rows in kept
        ]

    def living(self, journey_ids: Collection[str]) -> frozenset[str]:
        """Those of some ids, whoever's they are, that have not expired.

        Raises:
            UnavailableError: the file cannot be read.
        """
        with self._state.reading() as connection:
            if connection is None:
                return frozenset()
            found = connection.execute(
                "SELECT journey_id FROM ids WHERE expires > ?", (self._clock(),)
            )
            return frozenset(journey_ids) & {name for (name,) in found}

    def _found(self, connection: Connection | None, owner: str, journey_id: str) -> tuple[int, int]:
        """How many journeys an id has, and their bytes.

        Raises:
            NotFoundError: it is unknown, expired or another owner's; which of these is not told.
        """
        row = None
        if connection is not None and may_be_handle(journey_id):
            row = connection.execute(
                "SELECT journeys, bytes FROM ids WHERE journey_id = ? AND owner = ? "
                "AND expires > ?",
                (journey_id, owner, self._clock()),
            ).fetchone()
        if row is None:
            raise NotFoundError(
                "This journey_id is unknown or has expired: compute it again with "
                "compute_journey_plans, and send the journey_id that it returns."
            )
        return row[0], row[1]

    def _append(
        self, connection: Connection, journey_id: str, first: int, packed: list[bytes]
    ) -> None:
        connection.executemany(
            "INSERT INTO journeys (journey_id, journey_index, data) VALUES (?, ?, ?)",
            [(journey_id, index, data) for index, data in enumerate(packed, first)],
        )
        connection.execute(
            "UPDATE ids SET journeys = journeys + ?, bytes = bytes + ?, expires = ? "
            "WHERE journey_id = ?",
            (len(packed), sum(map(len, packed)), self._clock() + self._seconds, journey_id),
        )


_OF_ID = "SELECT data FROM journeys WHERE journey_id = ? ORDER BY journey_index"
_PLACE = "SELECT expires, journey_id FROM ids WHERE journey_id = ?"
_LISTED = (
    "SELECT journey_id, expires FROM ids WHERE owner = ? AND expires > ? "
    "AND (expires, journey_id) < (?, ?) ORDER BY expires DESC, journey_id DESC LIMIT ?"
)


def _check_limits(count: int, size: int) -> None:
    if count > MOST_JOURNEYS:
        raise LimitError(
            f"One journey_id holds at most {MOST_JOURNEYS} journeys: leave journey_id out to begin "
            "a new one."
        )
    if size > MOST_BYTES:
        raise LimitError(
            f"The journeys of one journey_id take at most {MOST_BYTES:,} bytes: leave journey_id "
            "out to begin a new one, or send fewer trips at once."
        )


def _remove_expired(connection: Connection, now: float) -> None:
    """Remove some of what has expired."""
    _remove(
        connection,
        connection.execute(
            "SELECT journey_id FROM ids WHERE expires <= ? LIMIT ?", (now, _REMOVED_AT_ONCE)
        ).fetchall(),
    )


def _remove_oldest(connection: Connection, owner: str) -> None:
    """Remove the oldest ids of an owner who has too many, or whose journeys are too large."""
    _remove(
        connection,
        connection.execute(
            "SELECT journey_id FROM (SELECT journey_id, "
            "row_number() OVER newest AS place, sum(bytes) OVER newest AS so_far "
            "FROM ids WHERE owner = ? "
            "WINDOW newest AS (ORDER BY expires DESC, journey_id ROWS UNBOUNDED PRECEDING)) "
            "AS ranked WHERE place > ? OR (so_far > ? AND place > 1)",
            (owner, MOST_IDS, MOST_BYTES_OF_OWNER),
        ).fetchall(),
    )


def _remove(connection: Connection, ids: list[tuple[str]]) -> None:
    connection.executemany("DELETE FROM journeys WHERE journey_id = ?", ids)
    connection.executemany("DELETE FROM ids WHERE journey_id = ?", ids)


def _pack(journey: Journey) -> bytes:
    text = json.dumps(journey.to_json(), separators=(",", ":"))
    return zlib.compress(text.encode("ascii"), 6)


def _unpack(data: bytes) -> Journey:
    """The journey that was packed.

    Raises:
        NotFoundError: the stored bytes cannot be read as a journey.
    """
    try:
        return from_json(json.loads(zlib.decompress(data)))
    except (zlib.error, ValueError, ValidationError) as error:
        raise NotFoundError(
            "This journey cannot be read from the file of journeys any more: compute it again."
        ) from error


Detail = Literal["brief", "full"]


@dataclass(frozen=True, slots=True)
class Which:
    """Which plan of which journey is meant.

    Attributes:
        journey_id: the handle under which journeys were computed.
        journey_index: the journey, from 0.
        plan_index: the plan of that journey, from 0.
    """

    journey_id: str
    journey_index: int
    plan_index: int = 0


def kept(london: Region, owner: str, which: Which) -> Journey:
    """A computed journey.

    Raises:
        NotFoundError: the handle is unknown, another owner's, or has expired.
        InputError: no journey has this index.
    """
    journeys = london.journeys.get(owner, which.journey_id)
    _check("journey_index", which.journey_index, journeys, which.journey_id)
    return journeys[which.journey_index]


def kept_plan(london: Region, owner: str, which: Which) -> tuple[Journey, Plan]:
    """A plan of a computed journey, and the journey.

    Raises:
        NotFoundError: as `kept`.
        InputError: no journey or plan has this index, or the journey has no plans.
    """
    journey = kept(london, owner, which)
    called = f"{telling.name_of(journey.origin)} to {telling.name_of(journey.destination)}"
    called += f" (journey_index {which.journey_index})"
    if not journey.plans:
        raise InputError(f"{called} of {which.journey_id} has no plan: {journey.error}")
    _check("plan_index", which.plan_index, journey.plans, called)
    return journey, journey.plans[which.plan_index]


def _check(param: str, index: int, items: Sequence[object], of: str) -> None:
    if not 0 <= index < len(items):
        there = "0" if len(items) == 1 else f"0 to {len(items) - 1}"
        raise InputError(f"There is no {param} {index} in {of}: send {there}.")


def get_computed_journey(london: Region, owner: str, which: Which) -> tuple[ComputedJourney, Draft]:
    """A journey with its plans and their legs.

    Raises:
        NotFoundError, InputError: as `kept`.
    """
    journey = kept(london, owner, which)
    find = london.ways_around(journey)
    item = telling.journey_item(which.journey_index, journey, find)
    said = f"{item.from_} to {item.to}: "
    if journey.plans:
        first = telling.in_a_sentence(journey.plans[0], journey, london.now())
        said += f"{count(len(journey.plans), 'plan')}; the first {first}."
        said += telling.caveats(journey)
    else:
        said += journey.error
    result = ComputedJourney(
        answer=said,
        journey_id=which.journey_id,
        journey_index=which.journey_index,
        from_=item.from_,
        to=item.to,
        via=item.via,
        source=journey.source,
        plans=[telling.legs_item(i, plan, find) for i, plan in enumerate(journey.plans)],
        notes=item.notes,
        error=item.error,
        credit=journey.credit,
    )
    plans = [(journey, plan) for plan in journey.plans]
    return result, prove([journey], plans, legs=True, lines=london.line_names())


def get_computed_journey_plan(
    london: Region, owner: str, which: Which, detail: Detail
) -> tuple[ComputedPlan, Draft]:
    """A plan in detail.

    Raises:
        NotFoundError, InputError: as `kept_plan`.
    """
    journey, plan = kept_plan(london, owner, which)
    find = london.ways_around(journey)
    full = detail == "full"
    result = ComputedPlan(
        answer=f"{telling.name_of(journey.origin)} to {telling.name_of(journey.destination)}: "
        f"{plan_name(which.plan_index)} {telling.in_a_sentence(plan, journey, london.now())}."
        f"{telling.caveats(journey)}",
        journey_id=which.journey_id,
        journey_index=which.journey_index,
        plan_index=which.plan_index,
        source=journey.source,
        text=describe(plan, journey, detail),
        legs=[telling.leg_item(leg) for leg in plan.legs],
        steps=telling.steps(plan.legs) if full else [],
        obstacles=telling.obstacles(plan.legs),
        disruptions=telling.hindrances(plan.disruptions, plan, find) or None,
        planned_works=telling.hindrances(plan.planned_works, plan, find) or None,
        notices=telling.notices(plan.notices) or None,
        fare_pence=plan.fare.total_pence if plan.fare else None,
        fare_notes=list(plan.fare.caveats) if plan.fare and plan.fare.caveats and full else None,
        step_free=plan.step_free,
        notes=list(journey.notes) or None,
        credit=journey.credit,
    )
    return result, prove([journey], [(journey, plan)], legs=True, lines=london.line_names())
