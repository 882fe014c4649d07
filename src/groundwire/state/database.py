"""A PostgreSQL database that `GROUNDWIRE_STATE` or `GROUNDWIRE_FACTS` names."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.postgres_url import connection_arguments, read_url

if TYPE_CHECKING:
    from groundwire.state.postgres import DatabaseStore
    from groundwire.state.stores import Layout

_STATE, _FACTS = "GROUNDWIRE_STATE", "GROUNDWIRE_FACTS"
KEPT_HERE = (
    "facts (unless GROUNDWIRE_FACTS names a database), documents and imported timetables",
    "files of answers (maps, calendars, exports)",
    "what can be read anew (indexes, schemas of endpoints)",
)
"""What stays on the machine of each server, whatever `GROUNDWIRE_STATE` says."""


class Database:
    """A database that holds the stores of several servers, each in a schema of its own.

    Attributes:
        shown: its URL for people, without a user.
        home: the folder of this machine for what is not shared.
        variable: the variable that names it; its password is in `variable`_PASSWORD.
        ahead: seconds by which its clock is ahead of this machine's, as of the last connection; 0
            where they are less than a second apart.
    """

    def __init__(self, url: str, home: Path, variable: str = _STATE) -> None:
        """Take a URL without a password; nothing is connected yet.

        Raises:
            ConfigurationError: it is another URL, or psycopg is not installed.
        """
        self._place = read_url(url)
        if find_spec("psycopg") is None:
            raise ConfigurationError(
                f"{variable} names a PostgreSQL database, and psycopg is not installed: run "
                "`pip install 'groundwire[postgres]'`."
            )
        self.shown = self._place.shown
        self.home = home
        self.variable = variable
        self.ahead = 0.0

    def arguments(self) -> dict[str, Any]:
        """Return what psycopg connects with, the password included."""
        password = f"{self.variable}_PASSWORD"
        return connection_arguments(
            self._place, None, password if os.environ.get(password) else None
        )

    def store(self, layout: Layout) -> DatabaseStore:
        """Return a store of this database; it is connected and laid out when it is needed."""
        from groundwire.state.postgres import DatabaseStore

        return DatabaseStore(self, layout)

    def clock(self, clock: Callable[[], float] = time.time) -> Callable[[], float]:
        """Return a clock that the servers of this database agree on, from one of this machine."""
        return lambda: clock() + self.ahead


def shared_database(settings: Settings) -> Database | None:
    """Return the database that servers of these settings share, or None for files in `home`.

    Raises:
        ConfigurationError: psycopg is not installed.
    """
    return _database(settings.state, settings.home, _STATE) if settings.state else None


def facts_place(settings: Settings) -> Path | Database | None:
    """Return the file or the database that the settings name for facts, or None.

    Raises:
        ConfigurationError: psycopg is not installed.
    """
    named = settings.facts_database
    return _database(named, settings.home, _FACTS) if named else settings.facts


@cache
def _database(url: str, home: Path, variable: str) -> Database:
    return Database(url, home, variable)
