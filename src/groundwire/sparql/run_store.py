"""Runs of the KG workflow that are kept, so that another process can wait for one or go on with it.

A run is kept for half an hour after it ended. One that is under way gives signs of life; without
them it is taken as interrupted. What is lost can be asked again, so no commit waits for the disk.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, ValidationError

from groundwire.evidence.handle import may_be_handle
from groundwire.sparql.workflow.model import Asked, Report
from groundwire.state import Database, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

KEPT_SECONDS = 1800.0
"""Seconds for which a run is kept that nobody asks for."""
SIGN_OF_LIFE_S = 60.0
"""Seconds without a sign of life after which a run is taken as interrupted."""
MOST_RUNS = 200
"""Runs of one owner that are kept; of more the oldest go."""
MOST_BYTES = 4 * 1024 * 1024
"""Bytes of one run, compressed; of a larger one the raw responses are left out."""

_TABLES = (
    """CREATE TABLE runs (
        run_id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        seen REAL NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX runs_by_owner ON runs (owner, seen)",
    "CREATE INDEX runs_by_age ON runs (seen)",
)
_LAYOUT = Layout(
    "kg_runs",
    "file of KG runs",
    application=0x47574B52,  # "GWKR"
    version=1,
    tables=_TABLES,
    synchronous="NORMAL",
)
_KEEP = """
    INSERT INTO runs (run_id, owner, seen, data) VALUES (?, ?, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET seen = excluded.seen, data = excluded.data
"""
_TOO_MANY = """
    DELETE FROM runs WHERE owner = ? AND run_id NOT IN (
        SELECT run_id FROM runs WHERE owner = ? ORDER BY seen DESC, run_id LIMIT ?)
"""


class KgRun(BaseModel):
    """A run as it is kept.

    Attributes:
        asked: the question.
        endpoint: the endpoint that is asked first.
        report: what came of it, or None.
        failure: what ended it without a report, in one line, or "".
        is_lost: whether its process gave no sign of life for too long before it ended.
    """

    model_config = ConfigDict(defer_build=True, ser_json_bytes="base64", val_json_bytes="base64")

    asked: Asked
    endpoint: str
    report: Report | None = None
    failure: str = ""
    is_lost: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether a report or a failure is known."""
        return self.report is not None or bool(self.failure)


class KgRunStore(Kept[Store]):
    """The runs at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.
    """

    def __init__(self, place: StatePlace, clock: Callable[[], float] = time.time) -> None:
        """Take the file or the database, and a clock of seconds since 1970."""
        self._state = opened(place, _LAYOUT)
        self._clock = place.clock(clock) if isinstance(place, Database) else clock

    def keep(self, owner: str, run_id: str, run: KgRun) -> None:
        """Keep a run as it stands; remove what is old or too much.

        Raises:
            UnavailableError: the store cannot be written.
        """
        data = _packed(run)
        with self._state.writing() as connection:
            now = self._clock()
            connection.execute(_KEEP, (run_id, owner, now, data))
            connection.execute("DELETE FROM runs WHERE seen < ?", (now - KEPT_SECONDS,))
            connection.execute(_TOO_MANY, (owner, owner, MOST_RUNS))

    def beat(self, run_id: str) -> None:
        """Say that a run is still under way.

        Raises:
            UnavailableError: the store cannot be written.
        """
        with self._state.writing() as connection:
            connection.execute("UPDATE runs SET seen = ? WHERE run_id = ?", (self._clock(), run_id))

    def get(self, owner: str, run_id: str) -> KgRun | None:
        """Return a run of an owner, or None where there is none that can be read.

        Raises:
            UnavailableError: the store cannot be read.
        """
        if not may_be_handle(run_id):
            return None
        row: tuple[float, bytes] | None = None
        with self._state.reading() as connection:
            if connection is not None:
                row = connection.execute(
                    "SELECT seen, data FROM runs WHERE run_id = ? AND owner = ?", (run_id, owner)
                ).fetchone()
        if row is None:
            return None
        quiet = self._clock() - row[0]
        if quiet > KEPT_SECONDS:
            return None
        try:
            run = KgRun.model_validate_json(zlib.decompress(row[1]))
        except (zlib.error, ValidationError):
            return None
        lost = not run.has_ended and quiet > SIGN_OF_LIFE_S
        return run.model_copy(update={"is_lost": lost})


def _packed(run: KgRun) -> bytes:
    data = zlib.compress(run.model_dump_json().encode(), 3)
    if len(data) <= MOST_BYTES or run.report is None:
        return data
    audits = tuple(
        replace(one, raw=b"", raw_size=one.raw_size or len(one.raw)) for one in run.report.audits
    )
    slim = run.model_copy(update={"report": replace(run.report, audits=audits)})
    return zlib.compress(slim.model_dump_json().encode(), 3)
