"""Schemas that were read, kept in the state folder.

A graph of files is known by its hash, so what was read of it stays true. What was read of an
endpoint has its date: after `KEPT_SECONDS` it is read anew, and shown with its date where the
endpoint does not answer.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from groundwire.sparql.schema.model import ClassSchema, ExampleQuery, GraphSchema, Name, Use
from groundwire.statefile import Kept, StateFile

KEPT_SECONDS = 86_400.0
"""How long what was read of an endpoint is taken for current."""
PARTLY_KEPT_SECONDS = 600.0
"""How long it is where the budget ended the reading."""
_APPLICATION = 0x47575343  # "GWSC"
_VERSION = 1
_SCHEMA = (
    """CREATE TABLE schemas (
        graph TEXT NOT NULL,
        part TEXT NOT NULL,
        read_at REAL NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (graph, part)
    ) STRICT, WITHOUT ROWID""",
)
_MOST_IN_MEMORY = 200
_MOST_KEPT = 5_000


class Schemas(Kept):
    """What was read of graphs, in the SQLite file at `path`; it is opened when it is needed.

    Its methods may be called from any thread, and several processes may share the file.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; the file and its folder are made when something is first kept."""
        self._state = StateFile(
            path,
            "file of schemas",
            application=_APPLICATION,
            version=_VERSION,
            schema=_SCHEMA,
            synchronous="NORMAL",
        )
        self._memory: dict[tuple[str, str], GraphSchema | ClassSchema] = {}

    def graph(self, key: str) -> GraphSchema | None:
        """Return what was read of a graph as a whole, or None.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        found = self._memory.get((key, "")) or self._read(key, "")
        return found if isinstance(found, GraphSchema) else None

    def one_class(self, key: str, iri: str) -> ClassSchema | None:
        """Return what was read of one class of a graph, or None.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        found = self._memory.get((key, iri)) or self._read(key, iri)
        return found if isinstance(found, ClassSchema) else None

    def keep(self, key: str, schema: GraphSchema | ClassSchema) -> None:
        """Keep what was read in place of what was known before.

        Raises:
            UnavailableError: the file cannot be written; it is known in this process all the same.
        """
        part = "" if isinstance(schema, GraphSchema) else schema.iri
        self._remember(key, part, schema)
        document = json.dumps(asdict(schema), ensure_ascii=False, separators=(",", ":"))
        with self._state.writing() as connection:
            connection.execute(
                "INSERT INTO schemas (graph, part, read_at, document) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (graph, part) DO UPDATE SET read_at = excluded.read_at, "
                "document = excluded.document",
                (key, part, schema.read_at, document.encode("utf-8", "replace").decode("utf-8")),
            )
            connection.execute(
                "DELETE FROM schemas WHERE read_at < (SELECT min(read_at) FROM (SELECT read_at "
                "FROM schemas ORDER BY read_at DESC LIMIT ?))",
                (_MOST_KEPT,),
            )

    def _remember(self, key: str, part: str, schema: GraphSchema | ClassSchema) -> None:
        if len(self._memory) >= _MOST_IN_MEMORY:
            self._memory.clear()
        self._memory[key, part] = schema

    def _read(self, key: str, part: str) -> GraphSchema | ClassSchema | None:
        with self._state.reading() as connection:
            row = (
                connection
                and connection.execute(
                    "SELECT document FROM schemas WHERE graph = ? AND part = ?", (key, part)
                ).fetchone()
            )
        if not row:
            return None
        try:
            found = _class(json.loads(row[0])) if part else _graph(json.loads(row[0]))
        except (ValueError, TypeError, KeyError):
            # Of another version of this project: it is read anew.
            return None
        self._remember(key, part, found)
        return found


def _graph(tree: dict[str, Any]) -> GraphSchema:
    names = {key: tuple(map(_name, tree.pop(key))) for key in ("classes", "predicates")}
    examples = tuple(ExampleQuery(**one) for one in tree.pop("examples"))
    uses = {iri: tuple(map(_use, found)) for iri, found in tree.pop("uses").items()}
    left = tuple(tree.pop("not_looked_at"))
    return GraphSchema(**names, **tree, examples=examples, uses=uses, not_looked_at=left)


def _class(tree: dict[str, Any]) -> ClassSchema:
    uses = tuple(map(_use, tree.pop("uses")))
    return ClassSchema(**tree | {"not_looked_at": tuple(tree["not_looked_at"])}, uses=uses)


def _name(tree: dict[str, Any]) -> Name:
    labels = tuple((text, tag) for text, tag in tree.pop("labels"))
    return Name(**tree, labels=labels)


def _use(tree: dict[str, Any]) -> Use:
    return Use(**{key: tuple(one) if isinstance(one, list) else one for key, one in tree.items()})
