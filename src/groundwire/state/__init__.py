"""Where state is kept: files of one machine, or a PostgreSQL database that several share."""

from groundwire.state.stores import (
    KEPT_HERE,
    Connection,
    Database,
    Layout,
    Rows,
    StatePlace,
    Store,
    facts_place,
    opened,
    shared_database,
)

__all__ = [
    "KEPT_HERE",
    "Connection",
    "Database",
    "Layout",
    "Rows",
    "StatePlace",
    "Store",
    "facts_place",
    "opened",
    "shared_database",
]
