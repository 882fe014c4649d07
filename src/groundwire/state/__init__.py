"""Where state is kept: files of one machine, or a PostgreSQL database that several share."""

from groundwire.state.database import Database, shared_database
from groundwire.state.stores import Connection, Layout, Place, Rows, Store, opened

__all__ = [
    "Connection",
    "Database",
    "Layout",
    "Place",
    "Rows",
    "Store",
    "opened",
    "shared_database",
]
