"""Checks of `groundwire doctor` on engines for SQL: reachable, and not open to writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from groundwire.config import Settings

if TYPE_CHECKING:
    from groundwire.sparql.endpoint import Endpoint
    from groundwire.tables.engine import Check


def warehouse(settings: Settings) -> str:
    """The engine that GROUNDWIRE_WAREHOUSE names: its version and tables, and whether it can write.

    An account that could write is a warning and no failure: the gate lets SELECT through only.

    Raises:
        ConfigurationError: the URL is wrong.
        UnavailableError: the engine does not answer.
    """
    from groundwire.tables.opening import open_engine

    if not settings.warehouse:
        return "none: GROUNDWIRE_WAREHOUSE names one"
    engine = open_engine(settings.warehouse)
    try:
        found = engine.check()
        tables = len(engine.tables())
    finally:
        engine.close()
    return _told(f"{found.version}, {tables} table{'' if tables == 1 else 's'} to read", found)


def lakes(endpoints: Iterable[Endpoint]) -> Iterator[str]:
    """The engines behind endpoints for SQL: version, read-only mode, and whether one could write.

    Raises:
        ConfigurationError: the URL of one is wrong, or a variable that it names is not set.
        UnavailableError: one does not answer.
    """
    from groundwire.sparql.endpoint import LAKES
    from groundwire.sparql.sql.engines import open_endpoint

    for endpoint in endpoints:
        if endpoint.kind != "sql" or endpoint.place not in (*LAKES, "postgresql"):
            continue
        engine = open_endpoint(endpoint)
        try:
            found = engine.check()
        finally:
            engine.close()
        yield _told(f"{endpoint.name} is {found.version}", found)


def _told(begin: str, found: Check) -> str:
    """A check in words: what was found, and what keeps queries from writing."""
    mode = f", asked with {found.read_only}" if found.read_only else ""
    if found.can_write is False:
        return f"{begin}{mode}, nothing can be written"
    warning = "WARNING: " if found.can_write else ""
    return f"{begin}{mode}; {warning}{found.detail}"
