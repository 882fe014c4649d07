"""SQL in SQLite: a database file, read-only, in killable workers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from groundwire.errors import ConfigurationError
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sql.workers import FileRunner
from groundwire.tables.sqlite.engine import sqlite_workers


class SqliteRunner(FileRunner):
    """Runs SQL over one SQLite database, which is opened read-only; a `Runner`.

    `sqlite_master` may be read: it is how a caller learns what tables there are.

    Args:
        place: a path, or a URL of the form `sqlite:///PATH` or `file:PATH`; parameters of a URL are
            left out, the file is always opened with `mode=ro`.
        name: name of the endpoint in the registry.

    Raises:
        ConfigurationError: the URL is of another kind.
    """

    def __init__(self, place: str | Path, name: str) -> None:
        super().__init__(sqlite_workers(_path(place)), name, scheme="sqlite")

    async def run(self, request: Request) -> Outcome:
        """Run one SELECT; a query that failed or was stopped leaves the next one unharmed."""
        return await self.ask(request, lambda: request.timeout)

    def shown(self, rows: list[tuple[Any, ...]], kinds: list[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a reply, with words in place of infinite numbers and NaN."""
        return [tuple(map(_shown, row)) for row in rows]


def _shown(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _path(place: str | Path) -> Path:
    if isinstance(place, Path):
        return place.absolute()
    scheme, separator, _ = place.partition(":")
    if not separator or len(scheme) == 1:
        return Path(place).absolute()
    if scheme not in ("file", "sqlite"):
        raise ConfigurationError(f"{scheme}: is no URL of SQLite: write sqlite:///PATH or a path.")
    parts = urlsplit(place)
    if parts.netloc not in ("", "localhost"):
        raise ConfigurationError(
            f"{scheme}://{parts.netloc} names another machine: write {scheme}:///PATH."
        )
    path = unquote(parts.path)
    # sqlite:///a/b is the relative path a/b to some and absolute to others: absolute here.
    return Path(path).absolute()
