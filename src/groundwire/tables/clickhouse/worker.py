"""The process that runs SQL in chDB, ClickHouse's engine as a library: one folder, one query.

The folder is opened with `readonly=1`, so that ClickHouse itself refuses whatever writes, changes a
setting, or reads elsewhere by a table function; the gate has read the query before it comes here.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from groundwire.tables.clickhouse.values import FORMAT, SETTINGS
from groundwire.tables.worker_life import Answer, CannotOpen, Reply, live

# The library reserves far more addresses than it uses; its own limit is on memory.
_SHARE = 16


class _Folder:
    """A folder that is open, and is opened anew after an answer broke off."""

    def __init__(self, path: str, memory: int) -> None:
        settings = {**SETTINGS, "max_memory_usage": str(memory), "max_threads": "2"}
        self._place = f"{path}?{urlencode(settings)}"
        self._session: Any = self._opened()

    def _opened(self) -> Any:
        session: Any = import_module("chdb.session")
        return session.Session(self._place)

    def run(self, text: str, rows: int, _: Any, characters: int) -> Reply:
        """The lines of an answer: two of names and types, then rows."""
        taken: list[str] = []
        try:
            if self._session is None:
                self._session = self._opened()
            result = self._session.send_query(text, FORMAT)
        except Exception as error:
            # The library has a class of its own for errors of queries.
            return ("failed", str(error))
        try:
            more = _take(result, taken, rows, characters)
            result.close()
            if not taken:
                # An answer without rows has no chunk, and so no names.
                whole = self._session.query(text, FORMAT).bytes()
                taken += whole.decode("utf-8", "replace").rstrip("\n").split("\n")
        except Exception as error:
            # What the library still holds of this answer would stand before the next one.
            self._session.close()
            self._session = None
            return ("failed", str(error))
        return ("rows", taken, more)


def _take(result: Any, taken: list[str], rows: int, characters: int) -> bool:
    """Fill `taken` with lines up to the limits; whether there are more.

    The result gives its chunks as they come, each with names and types before its rows.
    """
    room = characters
    for chunk in result:
        # Rows end with a line feed; a text may hold other ends of lines.
        found = chunk.bytes().decode("utf-8", "replace").rstrip("\n").split("\n")
        for line in found[2:] if taken else found:
            room -= len(line)
            if len(taken) >= rows + 2 or (room < 0 and len(taken) > 2):
                return True
            taken.append(line)
    return False


def _opened(path: str, memory: int) -> Answer:
    if not Path(path).is_dir():
        raise CannotOpen("there is no such folder")
    try:
        folder = _Folder(path, memory)
    except Exception as error:
        raise CannotOpen(" ".join(str(error).split())[:300]) from error
    return lambda request: folder.run(*request)


def main() -> None:
    """Answer queries of the folder that the parent names."""
    live(_opened, _SHARE)
