"""Settings of users for the KG workflow, kept for later prompts in all processes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from groundwire.sparql.registry import Mode
from groundwire.state import Connection, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

_TABLES = (
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


class KgPolicies(Kept[Store]):
    """The settings of users at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.
    """

    def __init__(self, place: StatePlace) -> None:
        """Take the file or the database; it is laid out when something is first set."""
        layout = Layout(
            "kg_policies",
            "file of KG policies",
            application=0x47574B47,  # "GWKG"
            version=1,
            tables=_TABLES,
            busy_seconds=_BUSY_SECONDS,
        )
        self._state = opened(place, layout)

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


def _read(connection: Connection, owner: str) -> KgPolicy:
    row = connection.execute(
        "SELECT mode, result_limit FROM policies WHERE owner = ?", (owner,)
    ).fetchone()
    return KgPolicy() if row is None else KgPolicy(*row)
