"""Embeddings of passages: kept by the hash of their text, compared by their cosine."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.textindex import Database

Vector = tuple[float, ...]

_APPLICATION = 0x47574556  # "GWEV"


class EmbeddingCache:
    """Embeddings by the hash of model, address and text. A text that is sent once is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._held: dict[str, Vector] = {}

    def known(self, space: str, texts: Sequence[str]) -> dict[str, Vector]:
        """The embeddings of those texts that have one.

        Args:
            space: the model and where it is: embeddings of two models do not compare.
            texts: the texts.

        Raises:
            UnavailableError: the file cannot be read.
        """
        digests = {_digest(space, text): text for text in texts}
        found = {
            text: vector
            for digest, text in digests.items()
            if (vector := self._held.get(digest)) is not None
        }
        rest = [digest for digest, text in digests.items() if text not in found]
        if self._path is not None and rest and self._path.is_file():
            with _Vectors(self._path) as file:
                found |= {digests[digest]: vector for digest, vector in file.read(rest)}
        return found

    def keep(self, space: str, embedded: Mapping[str, Vector]) -> None:
        """Keep embeddings by their text.

        Raises:
            UnavailableError: the file cannot be written.
        """
        rows = {_digest(space, text): vector for text, vector in embedded.items()}
        if self._path is None:
            self._held |= rows
            return
        with _Vectors(self._path) as file:
            file.write(rows)


def _digest(space: str, text: str) -> str:
    return hashlib.sha256(f"{space}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


class _Vectors(Database):
    """The file of embeddings."""

    what = "store of embeddings"
    remedy = "remove the file; embeddings are made anew"

    def read(self, digests: Sequence[str]) -> list[tuple[str, Vector]]:
        """The embeddings of some hashes."""
        rows = self._select(
            "SELECT digest, vector FROM embeddings "
            "WHERE digest IN (SELECT value FROM json_each(:digests))",
            {"digests": json.dumps(list(digests))},
        )
        return [(str(digest), _unpacked(vector)) for digest, vector in rows]

    def write(self, vectors: Mapping[str, Vector]) -> None:
        """Add embeddings, all or none."""
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO embeddings VALUES (?, ?)",
                [(digest, array("f", vector).tobytes()) for digest, vector in vectors.items()],
            )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application == _APPLICATION:
            return
        if tables or application:
            raise self._unavailable("it is another kind of file")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS embeddings (digest TEXT PRIMARY KEY, vector BLOB NOT NULL) "
            "WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")


def _unpacked(packed: bytes) -> Vector:
    numbers: array[float] = array("f")
    numbers.frombytes(packed)
    return tuple(numbers)


class VectorIndex:
    """Vectors by the number of their chunk, which no other chunk ever has."""

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}
        self._vectors: list[Vector] = []
        self._matrix: Any = None

    def missing(self, keys: Sequence[int]) -> list[int]:
        """The keys without a vector."""
        return [key for key in keys if key not in self._rows]

    def sizes(self) -> set[int]:
        """How many numbers the vectors have; empty without any."""
        return {len(self._vectors[0])} if self._vectors else set()

    def add(self, keys: Sequence[int], vectors: Sequence[Vector]) -> None:
        """Take in vectors of length one."""
        for key, vector in zip(keys, vectors, strict=True):
            if key not in self._rows:
                self._rows[key] = len(self._vectors)
                self._vectors.append(vector)
        self._matrix = None

    def nearest(self, vector: Vector, keys: Sequence[int], limit: int, least: float) -> list[int]:
        """Those of the keys whose vectors are most like one, best first.

        Args:
            vector: of length one.
            keys: what may be found.
            limit: how many at most.
            least: the cosine below which nothing is found.
        """
        import numpy

        places = [(key, self._rows[key]) for key in keys if key in self._rows]
        if not places:
            return []
        if self._matrix is None:
            self._matrix = numpy.array(self._vectors, dtype=numpy.float32)
        scores = self._matrix[[row for _, row in places]] @ numpy.array(vector, numpy.float32)
        best = numpy.argsort(-scores, kind="stable")[:limit]
        return [places[int(at)][0] for at in best if float(scores[at]) >= least]
