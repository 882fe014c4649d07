"""Runs that are kept, so that a result outlives the process that made it.

A run belongs to its owner and is forgotten after a week. Whether a run that is marked as running
goes on is known by its process: while it lives it says so every few seconds. On one machine a
process that has ended is known at once; servers that share a database know each other by the signs
of life alone. A result that is lost can be asked for again, so a commit does not wait for the disk.
"""

from __future__ import annotations

import json
import os
import platform
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, cast

from pydantic import ValidationError

from groundwire.agents.runs.records import STATUSES, Asked, RunStatus, RunView
from groundwire.agents.runtime.contract import AgentOutput, Turn
from groundwire.agents.runtime.observability import AgentMetrics
from groundwire.errors import LimitError, NotFoundError
from groundwire.safe_text import may_be_handle, new_handle
from groundwire.state import Connection, Database, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

DAYS_KEPT = 7
"""Days until a run is forgotten, counted from when it ended."""
MOST_RUNS = 500
"""Runs of one owner; of more the oldest go."""
MOST_BYTES = 4 * 1024 * 1024
"""Bytes of one run, compressed; of a larger one the tools' answers are left out of the trace."""
MOST_BYTES_OF_OWNER = 64 * 1024 * 1024
"""Bytes of all runs of one owner, compressed; of more the oldest go."""
SIGN_OF_LIFE_S = 60.0
"""Seconds without a sign of life after which a run is taken as interrupted."""

_TABLES = (
    """CREATE TABLE runs (
        run_id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        agent TEXT NOT NULL,
        status TEXT NOT NULL,
        process TEXT NOT NULL,
        seen REAL NOT NULL,
        expires REAL NOT NULL,
        bytes INTEGER NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX runs_by_owner ON runs (owner, seen)",
    "CREATE INDEX runs_by_expiry ON runs (expires)",
)
_LAYOUT = Layout(
    "agent_runs",
    "file of agent runs",
    application=0x47575255,  # "GWRU"
    version=1,
    tables=_TABLES,
    synchronous="NORMAL",
)
# What is kept of a run that goes on and is to end: its process has not seen that yet.
_STOPPING = "stopping"
# A run that has ended never goes on again, whatever a slower thread still writes of it, and one
# that is to end stays so until it has.
_KEEP = """
    INSERT INTO runs (run_id, owner, agent, status, process, seen, expires, bytes, data)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET
        status = CASE excluded.status WHEN 'running' THEN runs.status ELSE excluded.status END,
        process = excluded.process, seen = excluded.seen, expires = excluded.expires,
        bytes = excluded.bytes, data = excluded.data
    WHERE runs.status IN ('running', 'stopping')
"""
_STOP = f"""
    UPDATE runs SET status = '{_STOPPING}'
    WHERE run_id = ? AND owner = ? AND expires > ? AND status = 'running'
"""  # noqa: S608 - the one value put in is a constant of this module
_REMOVED_AT_ONCE = 100
_LEFT_OUT = "left out, since the run was too long to be kept whole; get_evidence has what it proves"


class RunStore(Kept[Store]):
    """The runs at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.

    Args:
        place: the SQLite file, made with its folder when something is kept; or the database.
        clock: seconds since 1970.
        process: what this process is called, host and number first; default: by itself.
    """

    def __init__(
        self, place: StatePlace, clock: Callable[[], float] = time.time, process: str = ""
    ) -> None:
        self._state = opened(place, _LAYOUT)
        self._shared = isinstance(place, Database)
        self._clock = place.clock(clock) if isinstance(place, Database) else clock
        self._process = process or f"{platform.node()}|{os.getpid()}|{new_handle('pr')}"

    def keep(self, asked: Asked, status: RunStatus, output: AgentOutput) -> bool:
        """Keep a run as it stands now, and remove what has expired or is too much.

        Args:
            asked: what it is about.
            status: `running` is a sign of life; a run that is kept as ended stays as it is.
            output: what came of it; of one that goes on, what is told if its process ends.

        Returns:
            Whether it goes on and is to end: see `stop`.

        Raises:
            LimitError: it is too large to be kept.
            UnavailableError: the file cannot be written.
        """
        packed = _pack(asked, output)
        if len(packed) > MOST_BYTES:
            packed = _pack(asked, _without_answers(output))
        if len(packed) > MOST_BYTES:
            raise LimitError(f"A run takes at most {MOST_BYTES:,} bytes, so it was not kept.")
        with self._state.writing() as connection:
            now = self._clock()
            connection.execute(
                _KEEP,
                (
                    asked.run_id,
                    asked.owner,
                    asked.agent,
                    status,
                    self._process,
                    now,
                    now + DAYS_KEPT * 86_400,
                    len(packed),
                    packed,
                ),
            )
            _remove(connection, _EXPIRED, (now, _REMOVED_AT_ONCE))
            _remove(connection, _TOO_MANY, (asked.owner, MOST_RUNS, MOST_BYTES_OF_OWNER))
            return _status(connection, asked.run_id) == _STOPPING

    def stop(self, owner: str, run_id: str) -> None:
        """Say that a run is to end; the process that works on it sees that and ends it.

        Nothing happens to one that has ended, or is unknown.

        Raises:
            UnavailableError: the file cannot be written.
        """
        with self._state.writing() as connection:
            connection.execute(_STOP, (run_id, owner, self._clock()))

    def is_to_stop(self, run_id: str) -> bool:
        """Whether a run goes on and is to end.

        Raises:
            UnavailableError: the file cannot be read.
        """
        with self._state.reading() as connection:
            return connection is not None and _status(connection, run_id) == _STOPPING

    def get(self, owner: str, run_id: str) -> RunView:
        """A run as it stands; one whose process has ended is interrupted.

        Raises:
            NotFoundError: it is unknown, expired or another owner's; which of these is not told.
            UnavailableError: the file cannot be read.
        """
        row: tuple[str, str, str, float, bytes] | None = None
        with self._state.reading() as connection:
            if connection is not None and may_be_handle(run_id):
                row = connection.execute(
                    "SELECT agent, status, process, seen, data FROM runs "
                    "WHERE run_id = ? AND owner = ? AND expires > ?",
                    (run_id, owner, self._clock()),
                ).fetchone()
        if row is None:
            raise unknown_run()
        return self._view(run_id, owner, *row)

    def listed(self, owner: str, limit: int, before: str = "") -> list[tuple[RunView, float]]:
        """The runs of an owner as they stand, and when each was last heard of; the newest first.

        Args:
            owner: whose.
            limit: so many of them at most.
            before: only those heard of before this run; empty: all.

        Raises:
            NotFoundError: the owner has no run `before`, or one cannot be read.
            UnavailableError: the file cannot be read.
        """
        found: list[tuple[str, str, str, str, float, bytes]] = []
        with self._state.reading() as connection:
            if connection is not None:
                sent = before if may_be_handle(before) else ""
                place = connection.execute(
                    "SELECT seen, run_id FROM runs WHERE run_id = ? AND owner = ?", (sent, owner)
                ).fetchone()
                if before and place is None:
                    raise unknown_run()
                values = (owner, self._clock(), *(place or (float("inf"), "")), limit)
                found = connection.execute(_LISTED, values).fetchall()
        return [
            (self._view(run_id, owner, agent, status, process, seen, data), seen)
            for run_id, agent, status, process, seen, data in found
        ]

    def _view(
        self,
        run_id: str,
        owner: str,
        agent: str,
        status: str,
        process: str,
        seen: float,
        data: bytes,
    ) -> RunView:
        """A run as its row says; one whose process has ended is interrupted.

        Raises:
            NotFoundError: the row cannot be read as a run.
        """
        asked, output = _unpack(run_id, owner, agent, data)
        if status not in (*STATUSES, _STOPPING):
            raise unknown_run()
        if status not in ("running", _STOPPING):
            return RunView(asked, cast("RunStatus", status), output)
        if self._is_alive(process, seen):
            seconds = output.metadata.execution_time_ms / 1000
            works = "is to end" if status == _STOPPING else "works"
            return RunView(
                asked,
                "running",
                doing=f"{works} in another process",
                steps=output.reasoning.steps,
                seconds=seconds + max(0.0, self._clock() - seen),
            )
        return RunView(asked, "interrupted", output)

    def ended(self, owner: str) -> list[tuple[str, AgentOutput]]:
        """Agent and output of every run of an owner that has ended, oldest first.

        Raises:
            UnavailableError: the file cannot be read.
        """
        with self._state.reading() as connection:
            found: list[tuple[str, str, bytes]] = (
                []
                if connection is None
                else connection.execute(_ENDED, (owner, self._clock())).fetchall()
            )
        outputs: list[tuple[str, AgentOutput]] = []
        for run_id, agent, data in found:
            with suppress(NotFoundError):
                outputs.append((agent, _unpack(run_id, owner, agent, data)[1]))
        return outputs

    def _is_alive(self, process: str, seen: float) -> bool:
        """Whether a process that has said so lives on."""
        if self._clock() - seen > SIGN_OF_LIFE_S:
            return False
        if self._shared:
            # Names and numbers of containers repeat.
            return True
        host, _, rest = process.partition("|")
        number, _, _ = rest.partition("|")
        if process == self._process or host != platform.node() or not number.isdigit():
            return True
        if int(number) == os.getpid():
            # A new process has the number of the old one, as in a container that was restarted.
            return False
        if os.name != "posix":
            # Elsewhere signal 0 is not a question.
            return True
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True


def unknown_run() -> NotFoundError:
    """Return the error for a run that is unknown, expired or another owner's."""
    return NotFoundError(
        "This run_id is unknown or has expired: ask the agent again, and send the run_id that it "
        "returns."
    )


_ENDED = """
    SELECT run_id, agent, data FROM runs
    WHERE owner = ? AND expires > ? AND status NOT IN ('running', 'stopping')
    ORDER BY seen, run_id
"""
_LISTED = """
    SELECT run_id, agent, status, process, seen, data FROM runs
    WHERE owner = ? AND expires > ? AND (seen, run_id) < (?, ?)
    ORDER BY seen DESC, run_id DESC LIMIT ?
"""
_EXPIRED = "SELECT run_id FROM runs WHERE expires <= ? LIMIT ?"
_TOO_MANY = """
    SELECT run_id FROM (
        SELECT run_id, row_number() OVER newest AS place, sum(bytes) OVER newest AS so_far
        FROM runs WHERE owner = ?
        WINDOW newest AS (ORDER BY seen DESC, run_id ROWS UNBOUNDED PRECEDING)
    ) AS ranked WHERE place > ? OR (so_far > ? AND place > 1)
"""


def _status(connection: Connection, run_id: str) -> str:
    row = connection.execute("SELECT status FROM runs WHERE run_id = ?", (run_id,)).fetchone()
    return "" if row is None else str(row[0])


def _remove(connection: Connection, which: str, values: tuple[Any, ...]) -> None:
    found = connection.execute(which, values).fetchall()
    connection.executemany("DELETE FROM runs WHERE run_id = ?", found)


def _pack(asked: Asked, output: AgentOutput) -> bytes:
    tree = {
        "question": asked.question,
        "turns": [one.dumped() for one in asked.turns],
        "model": asked.model,
        "version": asked.version,
        "output": output.dumped(),
    }
    return zlib.compress(json.dumps(tree, separators=(",", ":")).encode("ascii"), 3)


def _unpack(run_id: str, owner: str, agent: str, data: bytes) -> tuple[Asked, AgentOutput]:
    """Return what was packed.

    Raises:
        NotFoundError: the stored text cannot be read as a run.
    """
    try:
        tree = json.loads(zlib.decompress(data))
        turns = tuple(Turn.model_validate(one) for one in tree["turns"])
        asked = Asked(run_id, owner, agent, tree["question"], turns, tree["model"], tree["version"])
        return asked, AgentOutput.model_validate(tree["output"])
    except (zlib.error, ValueError, KeyError, TypeError, ValidationError) as error:
        raise unknown_run() from error


def _without_answers(output: AgentOutput) -> AgentOutput:
    """The output with a note in place of what each tool answered."""
    steps = tuple(
        step
        if step.action is None
        else step.model_copy(
            update={"action": step.action.model_copy(update={"output": _LEFT_OUT})}
        )
        for step in output.reasoning.steps
    )
    return output.model_copy(
        update={"reasoning": output.reasoning.model_copy(update={"steps": steps})}
    )


def metrics_of(outputs: Iterable[tuple[str, AgentOutput]]) -> dict[str, Any]:
    """Return the metrics of runs that have ended, by agent, in the order of their names.

    Runs are kept for `DAYS_KEPT` days, so these are the days that are summed up.

    Args:
        outputs: agent and output of each run.
    """
    agents: dict[str, AgentMetrics] = {}
    for agent, output in outputs:
        agents.setdefault(agent, AgentMetrics()).record(output)
    return {"days": DAYS_KEPT, "agents": {name: agents[name].snapshot() for name in sorted(agents)}}
