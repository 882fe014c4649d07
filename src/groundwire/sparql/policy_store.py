"""Settings of users for the KG workflow, kept for later prompts in all processes."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

from groundwire.sparql.registry import Mode
from groundwire.statefile import Kept, StateFile

_APPLICATION = 0x47574B47  # "GWKG"
_VERSION = 1
_SCHEMA = (
    """CREATE TABLE policies (
        owner TEXT PRIMARY KEY,
        mode TEXT NOT NULL CHECK (mode IN ('off', 'classes', 'strict')),
        result_limit INTEGER
    ) STRICT, WITHOUT ROWID""",
)
_BUSY_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class KgPolicy:
    """The settings of one user.

    Attributes:
        mode: `strict` after /kg-on, else `off`.
        limit: results by default, or None where /limit was never used.
    """

    mode: Mode = "off"
    limit: int | None = None


class KgPolicies(Kept):
    """The settings of users in the SQLite file at `path`; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the file.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; the file and its folder are made when something is first set."""
        self._state = StateFile(
            path,
            "file of KG policies",
            application=_APPLICATION,
            version=_VERSION,
            schema=_SCHEMA,
            busy_seconds=_BUSY_SECONDS,
        )

    def stored(self, owner: str) -> KgPolicy:
        """Return what a user set; of one who set nothing, the policy that demands nothing.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        with self._state.reading() as connection:
            return KgPolicy() if connection is None else _read(connection, owner)

    def change(
        self,
        owner: str,
        *,
        mode: Mode | None = None,
        limit: int | None = None,
        reset: bool = False,
    ) -> KgPolicy:
        """Change what a user set; what is None stays as it was, or with `reset` as at first.

        Raises:
            UnavailableError: the file cannot be written; nothing is changed.
        """
        with self._state.writing() as connection:
            before = KgPolicy() if reset else _read(connection, owner)
            after = replace(
                before,
                mode=before.mode if mode is None else mode,
                limit=before.limit if limit is None else limit,
            )
            connection.execute(
                "INSERT INTO policies (owner, mode, result_limit) VALUES (?, ?, ?) "
                "ON CONFLICT (owner) DO UPDATE SET mode = excluded.mode, "
                "result_limit = excluded.result_limit",
                (owner, after.mode, after.limit),
            )
            return after


def _read(connection: sqlite3.Connection, owner: str) -> KgPolicy:
    row = connection.execute(
        "SELECT mode, result_limit FROM policies WHERE owner = ?", (owner,)
    ).fetchone()
    return KgPolicy() if row is None else KgPolicy(*row)
