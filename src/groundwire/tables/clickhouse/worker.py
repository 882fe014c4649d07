"""The process that runs SQL in chDB, ClickHouse's engine as a library: one folder, one query.

The folder is opened with `readonly=1`, so that ClickHouse itself refuses whatever writes, changes a
setting, or reads elsewhere by a table function; the gate has read the query before it comes here.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from groundwire.tables.clickhouse.values import FORMAT, SETTINGS
from groundwire.tables.worker_life import Answer, CannotOpen, Reply, live

# The library reserves far more addresses than it uses; its own limit is on memory.
_SHARE = 16


def _run(connection: Any, request: tuple[Any, ...]) -> Reply:
    """The lines of an answer: two of names and types, then rows."""
    text, rows, _, characters = request
    taken: list[str] = []
    room = characters
    more = False
    try:
        # The result gives its chunks as they come, each with names and types before its rows.
        result = connection.send_query(text, FORMAT)
        for chunk in result:
            found = chunk.bytes().decode("utf-8", "replace").splitlines()
            for line in found[2:] if taken else found:
                room -= len(line)
                if len(taken) >= rows + 2 or (room < 0 and len(taken) > 2):
                    more = True
                    break
                taken.append(line)
            if more:
                break
        result.close()
    except Exception as error:
        # The library has a class of its own for errors, and RuntimeError where a chunk fails.
        return ("failed", str(error))
    return ("rows", taken, more)


def _opened(path: str, memory: int) -> Answer:
    try:
        session: Any = import_module("chdb.session")
        if not Path(path).is_dir():
            raise CannotOpen("there is no such folder")
        settings = {**SETTINGS, "max_memory_usage": str(memory), "max_threads": "2"}
        opened = session.Session(f"{path}?{urlencode(settings)}")
    except CannotOpen:
        raise
    except Exception as error:
        raise CannotOpen(" ".join(str(error).split())[:300]) from error
    return partial(_run, opened)


def main() -> None:
    """Answer queries of the folder that the parent names."""
    live(_opened, _SHARE)
