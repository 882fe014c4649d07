"""The ledger in a PostgreSQL database: one chain that several servers append to.

Each server notes the head of the chain in its own folder, so that a database that was cut, or put
back to an older copy, is found by every server that wrote to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from groundwire.evidence.heads import HeadFile
from groundwire.evidence.store import LAYOUT
from groundwire.private_files import private_folder
from groundwire.state import Connection, Database

if TYPE_CHECKING:
    from groundwire.state.postgres import Session

# Every table with its columns, every index, and whatever else could change what is written.
_OBJECTS = """
    SELECT 'table ' || relname || ' (' || string_agg(
        attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' not null'
        ELSE '' END, ', ' ORDER BY attnum) || ')'
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = to_regnamespace(?) AND relkind NOT IN ('i', 'I') GROUP BY relname
    UNION ALL
    SELECT replace(indexdef, schemaname || '.', '') FROM pg_indexes WHERE schemaname = ?
    UNION ALL
    SELECT 'trigger ' || tgname FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid
    WHERE relnamespace = to_regnamespace(?) AND NOT tgisinternal
    UNION ALL
    SELECT 'rule ' || rulename FROM pg_rules WHERE schemaname = ?
    UNION ALL
    SELECT 'policy ' || policyname FROM pg_policies WHERE schemaname = ?
"""
_LAID_OUT = frozenset(
    (
        "table records (sequence bigint not null, evidence_id text not null, owner text not null, "
        "created bigint not null, payload bytea, previous bytea not null, hash bytea not null, "
        "content bytea not null)",
        "table payloads (hash bytea not null, stored bigint not null, data bytea not null)",
        "table versions (version bigint not null, since timestamp with time zone not null)",
        "CREATE UNIQUE INDEX records_pkey ON records USING btree (sequence)",
        "CREATE UNIQUE INDEX records_evidence_id_key ON records USING btree (evidence_id)",
        "CREATE INDEX records_by_owner ON records USING btree (owner, created)",
        "CREATE INDEX records_by_payload ON records USING btree (payload, created) "
        "WHERE (payload IS NOT NULL)",
        "CREATE UNIQUE INDEX payloads_pkey ON payloads USING btree (hash)",
        "CREATE INDEX payloads_by_age ON payloads USING btree (stored)",
        "CREATE UNIQUE INDEX versions_pkey ON versions USING btree (version)",
    )
)


class LedgerDatabase:
    """The records of a ledger in a database; one connection writes, another one reads."""

    def __init__(self, database: Database) -> None:
        """Take the database; nothing is connected yet."""
        self._database = database
        self._writer = database.store(LAYOUT)
        self._reader = database.store(LAYOUT)
        self.name = database.shown
        self.folder = database.home
        # Two databases have two chains.
        mark = hashlib.sha256(database.shown.encode()).hexdigest()[:12]
        self.noted = HeadFile(database.home / f"evidence-{mark}")

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction that no other writer is in."""
        # The head is noted there; where it cannot be, verification goes without it.
        with suppress(OSError):
            private_folder(self.folder)
        return self._writer.writing()

    def select(self, query: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query; none before the first record."""
        with self._reader.reading() as session:
            return [] if session is None else session.execute(query, parameters).fetchall()

    @contextmanager
    def viewing(self) -> Generator[Session | None]:
        """Yield a connection to one state of the ledger, or None before the first record."""
        # Its own, since a walk along the chain may take long.
        store = self._database.store(LAYOUT)
        try:
            with store.viewing() as session:
                yield session
        finally:
            store.close()

    def each(self, view: Session, query: str) -> Iterator[Any]:
        """Yield the rows of a query, a few at a time."""
        return view.each(query)

    def changed(self, view: Session) -> str | None:
        """Name a table, index, trigger, rule or policy that is not as it was laid out, or None."""
        schema = self._reader.schema
        found = {one for (one,) in view.execute(_OBJECTS, (schema,) * 5).fetchall()}
        if missing := sorted(_LAID_OUT - found):
            return f"missing is {missing[0]}"
        if besides := sorted(found - _LAID_OUT):
            return f"there is besides {besides[0]}"
        return None

    def close(self) -> None:
        """Close the connections; a later call makes them anew."""
        self._writer.close()
        self._reader.close()
