"""Keeping in step what the store knows of its facts as a whole."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence

from groundwire.metrics.facts.sealing import SeriesKey, is_sound, keep_series, summed


def restate(
    connection: sqlite3.Connection,
    changed: Collection[SeriesKey],
    added: Mapping[int, int],
    seals: Mapping[int, int],
    wrong: Collection[SeriesKey],
) -> None:
    """Count anew what the series that were changed hold, and add to what the documents do.

    Args:
        connection: where a transaction is open.
        changed: the series; one that holds nothing now is removed.
        added: by the number of the document, how many facts it has more.
        seals: by the number of the document, the sum of their seals.
        wrong: series of `changed` whose facts were not those that were imported, before the change.
    """
    connection.executemany(
        "UPDATE documents SET facts = facts + ? WHERE id = ?",
        ((facts, document) for document, facts in added.items()),
    )
    for document, more in seals.items():
        (before,) = connection.execute(
            "SELECT seal FROM documents WHERE id = ?", (document,)
        ).fetchone()
        connection.execute(
            "UPDATE documents SET seal = ? WHERE id = ?", (summed(before, more), document)
        )
    connection.execute("UPDATE summary SET facts = facts + ?", (sum(added.values()),))
    keep_series(connection, changed, wrong)


def named(connection: sqlite3.Connection, name: str) -> list[int]:
    """Numbers of the documents of a name, whatever their hashes are."""
    return _numbers(connection, "SELECT id FROM documents WHERE name = ?", name)


def from_origin(connection: sqlite3.Connection, origin: str) -> list[int]:
    """Numbers of the documents that came with a profile and file."""
    return _numbers(connection, "SELECT id FROM documents WHERE origin = ?", origin)


def forget(connection: sqlite3.Connection, documents: Sequence[int]) -> int:
    """Remove documents with their facts; how many facts that were.

    Args:
        connection: where a transaction is open.
        documents: their numbers.
    """
    if not documents:
        return 0
    # A filing is a document, and a file of a company holds a hundred: one walk for all.
    some = (json.dumps(documents),)
    touched = {
        series
        for (series,) in connection.execute(
            "SELECT DISTINCT series FROM facts WHERE document IN (SELECT value FROM json_each(?))",
            some,
        )
    }
    keys = [
        (metric, entity, channel)
        for metric, entity, channel, series in connection.execute(
            "SELECT metric, entity, channel, id FROM series"
        )
        if series in touched
    ]
    wrong = {key for key in keys if not is_sound(connection, key)}
    facts = connection.execute(
        "DELETE FROM facts WHERE document IN (SELECT value FROM json_each(?))", some
    ).rowcount
    connection.execute("DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?))", some)
    restate(connection, keys, {0: -facts}, {}, wrong)
    return facts


def _numbers(connection: sqlite3.Connection, query: str, text: str) -> list[int]:
    return [number for (number,) in connection.execute(query, (text,))]
