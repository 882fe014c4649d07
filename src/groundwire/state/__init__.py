"""Where state is kept: files of one machine, or a PostgreSQL database that several share."""

from groundwire.state.database import KEPT_HERE, Database, facts_place, shared_database
from groundwire.state.stores import Connection, Layout, Rows, StatePlace, Store, opened

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
