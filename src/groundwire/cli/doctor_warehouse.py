"""Check of `groundwire doctor` on the warehouse: reachable, and not open to writing."""

from __future__ import annotations

from groundwire.config import Settings


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
    readable = f"{found.version}, {tables} table{'' if tables == 1 else 's'} to read"
    if found.can_write is False:
        return f"{readable}, nothing can be written"
    if found.can_write is None:
        return f"{readable}; {found.detail}"
    return f"{readable}; WARNING: {found.detail}"
