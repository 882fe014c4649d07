"""Keeping in step what the store knows of its facts as a whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from groundwire.metrics.facts.reading import SeriesKey

# One walk over the facts of the series, which lie together.
_RESTATE = """
    UPDATE series SET (facts, first_day, last_day) = (
        SELECT count(*), coalesce(min(start_day), 0), coalesce(max(end_day), 0)
        FROM facts WHERE facts.series = series.id
    ) WHERE metric = ? AND entity = ? AND channel = ?"""


def restate(
    connection: sqlite3.Connection, changed: Iterable[SeriesKey], added: Mapping[int, int]
) -> None:
    """Count anew what the series that were changed hold, and add to what the documents do.

    Args:
        connection: where a transaction is open.
        changed: the series; one that holds nothing now is removed.
        added: by the number of the document, how many facts it has more.
    """
    connection.executemany(_RESTATE, sorted(changed))
    connection.execute("DELETE FROM series WHERE facts = 0")
    connection.executemany(
        "UPDATE documents SET facts = facts + ? WHERE id = ?",
        ((facts, document) for document, facts in added.items()),
    )
    connection.execute("UPDATE summary SET facts = facts + ?", (sum(added.values()),))


def forget(connection: sqlite3.Connection, name: str) -> int:
    """Remove the documents of a name with their facts; how many facts that were.

    Args:
        connection: where a transaction is open.
        name: what the documents are called, whatever their hashes are.
    """
    numbers = [
        number
        for (number,) in connection.execute("SELECT id FROM documents WHERE name = ?", (name,))
    ]
    if not numbers:
        return 0
    facts, touched = 0, set[int]()
    for number in numbers:
        touched.update(
            series
            for (series,) in connection.execute(
                "SELECT DISTINCT series FROM facts WHERE document = ?", (number,)
            )
        )
        facts += connection.execute("DELETE FROM facts WHERE document = ?", (number,)).rowcount
        connection.execute("DELETE FROM documents WHERE id = ?", (number,))
    keys = [
        (metric, entity, channel)
        for metric, entity, channel, series in connection.execute(
            "SELECT metric, entity, channel, id FROM series"
        )
        if series in touched
    ]
    restate(connection, keys, {0: -facts})
    return facts
