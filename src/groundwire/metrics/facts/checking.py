"""Checks of metrics and series against their digests and seals, each once after a change."""

from __future__ import annotations

import sqlite3

from groundwire.metrics.facts.schema import UNDIGESTED, UNSEALED
from groundwire.metrics.facts.sealing import (
    SeriesKey,
    check_digests,
    check_seals,
    check_totals,
)

# A store of so many facts is held against the sums of its documents whenever it changed.
FEW = 50_000


class Checks:
    """Sees that facts are those that were imported, each metric or series once after a change.

    Attributes:
        is_sealed: whether the facts have seals.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Begin; nothing is checked yet."""
        self._connection = connection
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        self.is_sealed = version != UNSEALED
        self._has_digests = version not in (UNSEALED, UNDIGESTED)
        self._version: int | None = None
        self._metrics: set[int] = set()
        self._series: set[SeriesKey] = set()

    def look(self) -> int:
        """Forget what was checked if the file has changed since; return which change it was."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self._metrics.clear()
            self._series.clear()
        return version

    def metric(self, number: int) -> None:
        """Check every series of a metric; the block that asks for it reads one state of the file.

        Raises:
            ChangedError: facts were changed, added or removed behind the back of the store.
        """
        self.look()
        if number in self._metrics or not self.is_sealed:
            return
        if self._has_digests:
            check_digests(self._connection, (number,))
        else:
            check_seals(self._connection, (number,))
        self._metrics.add(number)

    def series(self, key: SeriesKey) -> None:
        """Check one series, if the store has digests.

        Raises:
            ChangedError: facts were changed, added or removed behind the back of the store.
        """
        if key in self._series or key[0] in self._metrics or not self._has_digests:
            return
        check_digests(self._connection, key)
        self._series.add(key)

    def totals(self, facts: int) -> None:
        """Hold the documents of a store of few facts against their sums.

        Raises:
            ChangedError: facts were changed, added or removed behind the back of the store.
        """
        if self.is_sealed and facts <= FEW:
            check_totals(self._connection)
