"""Large files of facts are held against their seals in the background, once after each change.

A table that SQLite cuts reads the facts that it tells, and holds these against their seals. The
facts beside them decide which ones are told; of a metric of many facts nobody can wait for theirs.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

from groundwire.metrics.facts import connections
from groundwire.metrics.facts.sealing import ChangedError, check_each, check_totals

# So many facts are checked at once, then others have the processor for so many seconds.
_AT_ONCE, _PAUSE = 200, 0.004
_Key = tuple[connections.Identity | None, connections.Identity | None]


class StoppedError(Exception):
    """The store was closed before all facts were checked; never seen outside of this module."""


class Audit:
    """Checks one file, in one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is read yet."""
        self._path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._checked: _Key | None = None
        self._wrong: ChangedError | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def look(self) -> None:
        """Begin to check the file, where it has changed since it was checked last.

        Raises:
            ChangedError: the file as it stands was checked, and a fact of it was changed.
        """
        now = self._identity()
        if self._checked == now:
            if self._wrong is not None:
                raise self._wrong
            return
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, args=(now,), daemon=True)
            self._thread.start()

    def wait(self) -> None:
        """Wait until no check is at work."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End a check that is at work."""
        self._stop.set()
        self.wait()

    def _identity(self) -> _Key:
        return connections.identity(self._path), connections.identity(self._log)

    def _run(self, before: _Key) -> None:
        wrong: ChangedError | None = None
        # What keeps the file from being read is told by the questions to it.
        with contextlib.suppress(Exception):
            connection, _ = connections.open_reader(self._path)
            try:
                connection.execute("BEGIN")
                check_totals(connection)
                check_each(connection, self._pause)
            except ChangedError as error:
                wrong = error
            finally:
                connection.close()
            if self._identity() == before:
                self._wrong, self._checked = wrong, before

    def _pause(self, checked: int) -> None:
        """Let others have the processor.

        Raises:
            StoppedError: the store is closed.
        """
        if checked % _AT_ONCE == 0 and self._stop.wait(_PAUSE):
            raise StoppedError
