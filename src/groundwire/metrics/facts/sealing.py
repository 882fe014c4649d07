"""Seals of facts: a hash of each as it was imported, and of each document the sum of its facts'.

A lookup holds every fact that it answers with against its seal, so a value, unit, period, place or
source that was edited in the file is found. Facts that were added or removed are found by the sums.
Whoever computes seals and sums anew is not found by them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import NamedTuple

# Sums are kept in 63 bits, as SQLite's integers have them.
_SUM = 1 << 63

# Of the joined tables only facts is large.
_EXISTING = """
    SELECT f.seal, f.series, f.document, m.text, e.text, c.text, s.unit, d.name, d.sha256,
        d.publisher, f.start_day, f.end_day, f.as_of, f.mantissa, f.exponent, p.text, f.number,
        f.raw
    FROM facts f
    JOIN series s ON s.id = f.series
    JOIN metrics m ON m.id = s.metric
    JOIN entities e ON e.id = s.entity
    JOIN channels c ON c.id = s.channel
    JOIN places p ON p.id = f.place
    JOIN documents d ON d.id = f.document"""
_TOTALS = """
    SELECT d.name, d.facts, d.seal, count(f.series), coalesce(sum(f.seal >> 32), 0),
        coalesce(sum(f.seal & 4294967295), 0)
    FROM documents d LEFT JOIN facts f ON f.document = d.id GROUP BY d.id"""


class ChangedError(sqlite3.DatabaseError):
    """A fact is not as it was imported."""


def source_mark(name: str, sha256: str, publisher: str) -> str:
    """What stands for a document in the seals of its facts."""
    text = f"{name}\x1f{sha256}\x1f{publisher}"
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def seal_of(
    series: tuple[str, str, str, str] | str,
    start: int,
    end: int,
    as_of: int,
    mantissa: int | str,
    exponent: int,
    place: str,
    number: int,
    raw: str | None,
    source: str,
) -> int:
    """The seal of one fact: 63 bits of the hash of everything that an answer says of it.

    `series` is metric, entity, channel and unit, or `str` of these four; `source` is the
    `source_mark` of the document; the others are those of `FactRow`.
    """
    text = (
        f"{series}{start} {end} {as_of} {mantissa} {exponent} {number} {source}{place}\x1f"
        f"{raw or ''}"
    )
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


def summed(before: int, more: int) -> int:
    """The seal of a document with the seals of more facts in it."""
    return (before + more) % _SUM


class _Existing(NamedTuple):
    """A fact as the file has it, and its seal as it should be."""

    stored: int
    seal: int
    key: tuple[int, int, int, int, int]
    series: tuple[str, str, str, str]
    document: str


def _existing(connection: sqlite3.Connection, metric: int | None = None) -> Iterator[_Existing]:
    """Every fact, or every one of a metric, that belongs to a series, a place and a document."""
    where = "" if metric is None else " WHERE s.metric = :metric"
    for row in connection.execute(_EXISTING + where, {"metric": metric}):
        stored, series, document, *names = row[:10]
        code, entity, channel, unit, name, sha256, publisher = names
        about, source = (code, entity, channel, unit), source_mark(name, sha256, publisher)
        start, end, as_of, mantissa, exponent, place, number, raw = row[10:]
        yield _Existing(
            stored,
            seal_of(about, start, end, as_of, mantissa, exponent, place, number, raw, source),
            (series, start, end, as_of, document),
            about,
            name,
        )


def seal_all(connection: sqlite3.Connection) -> None:
    """Give seals to the facts of a store that has none, in an open transaction."""
    sums: dict[int, int] = {}
    # All at once: a table is not read while it is written.
    every = [(one.seal, *one.key) for one in _existing(connection)]
    for seal, *key in every:
        sums[key[-1]] = summed(sums.get(key[-1], 0), seal)
    connection.executemany(
        "UPDATE facts SET seal = ? WHERE series = ? AND start_day = ? AND end_day = ? "
        "AND as_of = ? AND document = ?",
        every,
    )
    connection.executemany(
        "UPDATE documents SET seal = ? WHERE id = ?",
        [(seal, document) for document, seal in sums.items()],
    )


def check_totals(connection: sqlite3.Connection) -> None:
    """See that every document has the facts that were imported from it; all seals are read.

    Raises:
        ChangedError: facts were added or removed, or one was replaced with its seal.
    """
    for name, facts, seal, count, high, low in connection.execute(_TOTALS):
        if facts != count or seal != ((high << 32) + low) % _SUM:
            raise ChangedError(f"facts of the document {name} were changed after their import")


def check_each(connection: sqlite3.Connection, pause: Callable[[int], None] | None = None) -> None:
    """See that every fact has its seal; as slow as an import.

    Args:
        connection: where it reads.
        pause: called after each fact with how many were checked.

    Raises:
        ChangedError: one was changed.
    """
    checked = 0
    for one in _existing(connection):
        checked += 1
        if one.stored != one.seal:
            raise changed(*one.series[:3], one.document)
        if pause is not None:
            pause(checked)
    (held,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    if held != checked:
        raise ChangedError("it has facts of no series, place or document")


def check_metric(connection: sqlite3.Connection, metric: int) -> None:
    """See that every fact of a metric has its seal.

    Raises:
        ChangedError: one was changed.
    """
    for one in _existing(connection, metric):
        if one.stored != one.seal:
            raise changed(*one.series[:3], one.document)


def changed(metric: str, entity: str, channel: str, document: str) -> ChangedError:
    """The error to raise for a fact that is not as it was imported."""
    return ChangedError(
        f"{metric} of {entity} in {channel}, from {document}, was changed after its import"
    )
