"""The names in a store folder."""

from __future__ import annotations

# What is known of the store, and what a worker locks.
META = "store.json"
# The statements: a database on disk, or quads that are read into memory.
DATABASE = "database"
QUADS = "quads.nq"
STATISTICS = "statistics.json"
