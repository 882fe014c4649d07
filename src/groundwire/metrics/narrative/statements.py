"""The tables of the narrative store and its searches, with the one filter that keeps them."""

from __future__ import annotations

# A chunk's number is its document's, shifted, and its place: the chunks of a document are one range
# of numbers, and the document of a chunk is known without a look at a table. AUTOINCREMENT never
# gives a number twice, so that an old number of a chunk can find no other.
PLACE_BITS = 20
MOST_CHUNKS = 1 << PLACE_BITS
DOCUMENTS_TABLE = """
    CREATE TABLE IF NOT EXISTS documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        entity TEXT NOT NULL,
        first INTEGER,
        last INTEGER,
        sensitivity TEXT NOT NULL,
        dated INTEGER,
        imported INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        origin TEXT NOT NULL
    ) STRICT"""
COLUMNS = "name, title, sha256, entity, first, last, sensitivity, dated, imported, chunks, origin"

# The one place where a search is kept to what it may see. A level that is not named is withheld.
# Each match costs one look at its document, before it is scored. Looked up the other way round, all
# documents that may be seen cost more than a rare word; and a column of tags in the index costs the
# length of the tags' own lists (tests/benchmarks/narrative.py).
_SCOPE = """
    EXISTS (
        SELECT 1 FROM documents
        WHERE id = passages.rowid >> 20
        AND sensitivity IN (SELECT value FROM json_each(:allowed))
        AND (:entities IS NULL OR entity IN (SELECT value FROM json_each(:entities)))
        AND (:first IS NULL OR (first <= :last AND last >= :first))
    )"""
_RANKED = "SELECT rowid AS id, bm25(passages) AS away FROM passages WHERE passages MATCH :match AND"
_BEST = "ORDER BY away, rowid LIMIT :limit"
# Those that hold enough of the words: each word's own matches, counted.
_ENOUGH = """
    AND +passages.rowid IN (
        SELECT one.rowid FROM json_each(:parts) AS part CROSS JOIN passages AS one
        WHERE one.passages MATCH part.value
        GROUP BY one.rowid HAVING count(*) >= :enough
    )"""
_WANTED = """
    SELECT wanted.value AS id, wanted.key AS away
    FROM json_each(:keys) AS wanted CROSS JOIN passages ON passages.rowid = wanted.value WHERE"""
_SHOWN_FIRST = """
    SELECT found.id, found.away, passages.text, passages.key, d.name, d.title, d.entity,
        d.first, d.last, d.sensitivity
    FROM ("""
_SHOWN_LAST = """
    ) AS found
    CROSS JOIN passages ON passages.rowid = found.id
    CROSS JOIN documents AS d ON d.id = found.id >> 20"""
ALL_WORDS = " ".join((_SHOWN_FIRST, _RANKED, _SCOPE, _BEST, _SHOWN_LAST))
ENOUGH_WORDS = " ".join((_SHOWN_FIRST, _RANKED, _SCOPE, _ENOUGH, _BEST, _SHOWN_LAST))
BY_KEYS = " ".join((_SHOWN_FIRST, _WANTED, _SCOPE, _SHOWN_LAST))
ALL_KEYS = " ".join(("SELECT passages.rowid FROM passages WHERE", _SCOPE, "ORDER BY rowid"))
