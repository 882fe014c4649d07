"""Seals of facts, and digests of series: what was imported, to hold against it what the file has.

A seal is a hash of one fact; every fact that is told is held against its own, so a value, unit,
period, place or source that was edited in the file is found. The digest of a series is a sum over
all of its facts that SQLite computes, a million in 0.3 s: it finds what was edited in facts that
are not told but decide which ones are, and facts that were added or removed. Of each document the
sum of its seals is kept too. Whoever computes all of these anew is not found by them.

Imports and removals keep seals, digests and counts in step with the facts.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

# Older versions of a store: of the first nothing is sealed, of the second no series has a digest.
# They are read as they are, and brought to the current version by the first import.
UNSEALED, UNDIGESTED = 2, 3

# Sums are kept in 63 bits, as SQLite's integers have them.
_SUM = 1 << 63

# A prime: the residues of two numbers below it differ, and products with a seal keep them apart.
_PRIME = (1 << 31) - 1
# The seal multiplies the value and the other numbers of its fact, so that no edit of any of them
# is balanced by another but by chance.
DIGEST = f"""((f.seal & {_PRIME}) * (f.mantissa & {_PRIME}) % {_PRIME}
        + (f.seal >> 31 & {_PRIME}) * ((f.mantissa >> 31) % {_PRIME}) % {_PRIME}
        + (f.seal >> 16 & {_PRIME}) * ((f.start_day * 1301 + f.end_day * 7919 + f.as_of * 104729
            + f.exponent * 611953 + f.document * 1299709 + f.place * 15485863
            + f.number * 32452843) % {_PRIME}) % {_PRIME})"""
# In the order of the key of series, so that nothing is sorted.
_SERIES = f"""
    SELECT s.entity, s.channel, m.text, e.text, c.text, s.unit, s.facts, s.first_day, s.last_day,
        s.digest, coalesce(sum({DIGEST}), 0)
    FROM series s
    CROSS JOIN metrics m ON m.id = s.metric
    CROSS JOIN entities e ON e.id = s.entity
    CROSS JOIN channels c ON c.id = s.channel
    LEFT JOIN facts f ON f.series = s.id
    WHERE s.metric = ? {{which}} GROUP BY s.entity, s.channel"""  # noqa: S608 - only ours
_WHOLE_METRIC = _SERIES.format(which="")
_ONE_SERIES = _SERIES.format(which="AND s.entity = ? AND s.channel = ?")
# The digest of a series as it is stored now, by one walk over its facts.
_HELD = f"""
    SELECT m.text, e.text, c.text, s.unit, count(f.series), coalesce(min(f.start_day), 0),
        coalesce(max(f.end_day), 0), coalesce(sum({DIGEST}), 0)
    FROM series s
    CROSS JOIN metrics m ON m.id = s.metric
    CROSS JOIN entities e ON e.id = s.entity
    CROSS JOIN channels c ON c.id = s.channel
    LEFT JOIN facts f ON f.series = s.id
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ?"""  # noqa: S608 - only ours
_COUNTS = """
    SELECT (SELECT count(*) FROM series WHERE metric = ?),
        (SELECT facts FROM summary) = (SELECT coalesce(sum(facts), 0) FROM series)"""
# Of a series whose facts were changed; no sum is negative.
_WRONG = -1
SeriesKey = tuple[int, int, int]
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
    """Return the mark that stands for a document in the seals of its facts."""
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


def _existing(
    connection: sqlite3.Connection, key: SeriesKey | tuple[int] | tuple[()] = ()
) -> Iterator[_Existing]:
    """Every fact, or every one of a metric or series, that has a series, place and document."""
    named = ("s.metric", "s.entity", "s.channel")[: len(key)]
    where = " AND ".join(f"{one} = ?" for one in named) or "1"
    for row in connection.execute(f"{_EXISTING} WHERE {where}", key):
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


def check_each(connection: sqlite3.Connection) -> None:
    """See that every fact has its seal; as slow as an import.

    Raises:
        ChangedError: one was changed.
    """
    checked = check_seals(connection, ())
    (held,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    if held != checked:
        raise ChangedError("it has facts of no series, place or document")


def check_seals(connection: sqlite3.Connection, key: SeriesKey | tuple[int] | tuple[()]) -> int:
    """See that every fact of a series, metric or file has its seal; how many there are.

    Raises:
        ChangedError: one was changed.
    """
    checked = 0
    for one in _existing(connection, key):
        checked += 1
        if one.stored != one.seal:
            raise changed(*one.series[:3], one.document)
    return checked


class _Digest(NamedTuple):
    """A series with the digest that was kept of it, and the one that it has."""

    key: SeriesKey
    names: tuple[str, str, str]
    kept: int
    found: int


def _digests(connection: sqlite3.Connection, key: SeriesKey | tuple[int]) -> Iterator[_Digest]:
    query = _ONE_SERIES if len(key) == 3 else _WHOLE_METRIC
    for row in connection.execute(query, key):
        entity, channel, *about, kept, facts = row
        yield _Digest((key[0], entity, channel), tuple(about[:3]), kept, _digest(about, facts))


def _digest(about: Sequence[object], facts: int) -> int:
    """The digest of a series of the sum over its facts; `about` is what else stands of it."""
    text = "\x1f".join(map(str, about)).encode("utf-8", "surrogatepass")
    return summed(int.from_bytes(blake2b(text, digest_size=8).digest()) >> 1, facts)


def check_digests(connection: sqlite3.Connection, key: SeriesKey | tuple[int]) -> None:
    """See that a series, or every series of a metric, has the facts that were imported.

    Raises:
        ChangedError: facts were changed, added or removed.
    """
    found = 0
    for one in _digests(connection, key):
        found += 1
        if one.kept != one.found:
            check_seals(connection, one.key)
            metric, entity, channel = one.names
            raise ChangedError(
                f"facts of {metric} of {entity} in {channel} were changed after their import"
            )
    if len(key) == 1:
        series, is_whole = connection.execute(_COUNTS, key).fetchone()
        if series != found or not is_whole:
            raise ChangedError("facts were changed after their import")


def is_sound(connection: sqlite3.Connection, key: SeriesKey) -> bool:
    """Whether a series has the facts that were imported; a new one has."""
    return all(one.kept == one.found for one in _digests(connection, key))


def keep_series(
    connection: sqlite3.Connection, changed: Iterable[SeriesKey], wrong: Collection[SeriesKey]
) -> None:
    """Write down what some series hold, in an open transaction that has changed them.

    Args:
        connection: where the transaction is open; its documents are written down already.
        changed: the series; one that holds nothing now is removed.
        wrong: those of them that were not sound before; they stay so unless every fact that is
            left has its seal, and every document its facts.
    """
    kept: list[tuple[object, ...]] = []
    for key in changed:
        sound = key not in wrong or _is_mended(connection, key)
        *about, facts = connection.execute(_HELD, key).fetchone()
        kept.append((*about[4:], _digest(about, facts) if sound else _WRONG, *key))
    connection.executemany(
        "UPDATE series SET facts = ?, first_day = ?, last_day = ?, digest = ? "
        "WHERE metric = ? AND entity = ? AND channel = ?",
        kept,
    )
    connection.execute("DELETE FROM series WHERE facts = 0")


def _is_mended(connection: sqlite3.Connection, key: SeriesKey) -> bool:
    try:
        check_seals(connection, key)
        check_totals(connection)
    except ChangedError:
        return False
    return True


def digest_all(connection: sqlite3.Connection) -> None:
    """Give digests to the series of a store that has none, in an open transaction."""
    every = connection.execute("SELECT metric, entity, channel FROM series").fetchall()
    wrong: set[SeriesKey] = set()
    try:
        check_totals(connection)
        check_each(connection)
    except ChangedError:
        wrong.update(every)
    keep_series(connection, every, wrong)


def changed(metric: str, entity: str, channel: str, document: str) -> ChangedError:
    """The error to raise for a fact that is not as it was imported."""
    return ChangedError(
        f"{metric} of {entity} in {channel}, from {document}, was changed after its import"
    )


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


def documents_named(connection: sqlite3.Connection, name: str) -> list[int]:
    """Return the numbers of the documents of a name, whatever their hashes are."""
    return _numbers(connection, "SELECT id FROM documents WHERE name = ?", name)


def documents_of_origin(connection: sqlite3.Connection, origin: str) -> list[int]:
    """Return the numbers of the documents that came with a profile and file."""
    return _numbers(connection, "SELECT id FROM documents WHERE origin = ?", origin)


def forget_documents(connection: sqlite3.Connection, documents: Sequence[int]) -> int:
    """Remove documents with their facts, and return how many facts that were.

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


# A store of so many facts is held against the sums of its documents whenever it changed.
FEW = 50_000


class Checks:
    """Sees that facts are those that were imported, each metric or series once after a change.

    Attributes:
        is_sealed: whether the facts have seals.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Begin; nothing is checked yet."""
        self._connection = connection
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        self.is_sealed = version != UNSEALED
        self._has_digests = version not in (UNSEALED, UNDIGESTED)
        self._version: int | None = None
        self._metrics: set[int] = set()
        self._series: set[SeriesKey] = set()

    def look(self) -> int:
        """Forget what was checked if the file has changed since; return which change it was."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self._metrics.clear()
            self._series.clear()
        return version

    def metric(self, number: int) -> None:
        """Check every series of a metric; the block that asks for it reads one state of the file.

        Raises:
            ChangedError: facts were changed, added or removed behind the back of the store.
        """
        self.look()
        if number in self._metrics or not self.is_sealed:
            return
        if self._has_digests:
            check_digests(self._connection, (number,))
        else:
            check_seals(self._connection, (number,))
        self._metrics.add(number)

    def series(self, key: SeriesKey) -> None:
        """Check one series, if the store has digests.

        Raises:
            ChangedError: facts were changed, added or removed behind the back of the store.
        """
        if key in self._series or key[0] in self._metrics or not self._has_digests:
            return
        check_digests(self._connection, key)
        self._series.add(key)

    def totals(self, facts: int) -> None:
        """Hold the documents of a store of few facts against their sums.

        Raises:
            ChangedError: facts were changed, added or removed behind the back of the store.
        """
        if self.is_sealed and facts <= FEW:
            check_totals(self._connection)
