"""The questions of a reader in SQL.

A series is found by its three numbers, and its facts lie together behind the key of their table.
"""

from __future__ import annotations

CODES = {
    "metrics": "SELECT id FROM metrics WHERE text = ?",
    "entities": "SELECT id FROM entities WHERE text = ?",
    "channels": "SELECT id FROM channels WHERE text = ?",
}
# Versions in the order in which they were known, then in that of their documents.
LOOKUP = """
    SELECT f.as_of, f.document, f.mantissa, f.exponent, f.place, f.number, f.raw, s.unit, f.seal
    FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ?
    AND f.series = s.id AND f.start_day = ? AND f.end_day = ? AND f.as_of <= ?
    ORDER BY f.as_of, f.document"""
LOOKUP_UNSEALED = LOOKUP.replace("f.seal", "NULL")
INTERVALS = """
    SELECT DISTINCT f.start_day, f.end_day FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ? AND f.series = s.id AND f.as_of <= ?
    ORDER BY f.end_day DESC, f.start_day"""
PERIODS = """
    SELECT DISTINCT f.start_day, f.end_day FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND f.series = s.id
    ORDER BY f.end_day DESC, f.start_day"""
FIRST_KNOWN = """
    SELECT min(f.as_of) FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ?
    AND f.series = s.id AND f.start_day = ? AND f.end_day = ?"""
# Versions of facts of some entities (JSON) that their own publisher stated otherwise later.
RESTATED = """
    SELECT DISTINCT m.text, e.text, c.text, f.start_day, f.end_day, f.as_of
    FROM json_each(?) named CROSS JOIN entities e ON e.text = named.value
    CROSS JOIN series s ON s.entity = e.id CROSS JOIN facts f ON f.series = s.id
    CROSS JOIN facts g ON g.series = f.series
        AND g.start_day = f.start_day AND g.end_day = f.end_day AND g.as_of > f.as_of
    CROSS JOIN documents d ON d.id = f.document
    CROSS JOIN documents h ON h.id = g.document AND h.publisher = d.publisher
    CROSS JOIN metrics m ON m.id = s.metric CROSS JOIN channels c ON c.id = s.channel
    WHERE (g.mantissa, g.exponent) <> (f.mantissa, f.exponent)"""
ENTITIES = """
    SELECT DISTINCT e.text FROM series s CROSS JOIN entities e ON e.id = s.entity
    WHERE s.metric = ? AND s.first_day <= ? AND s.last_day >= ?
    AND EXISTS (SELECT 1 FROM facts f WHERE f.series = s.id AND f.start_day = ? AND f.end_day = ?)
    ORDER BY e.text"""
CHANNELS = """
    SELECT c.text FROM series s CROSS JOIN channels c ON c.id = s.channel
    WHERE s.metric = ? AND s.entity = ? ORDER BY c.text"""
COVERED_ENTITIES = """
    SELECT DISTINCT e.text FROM series s CROSS JOIN entities e ON e.id = s.entity
    WHERE s.metric = ? ORDER BY e.text"""
COVERED_CHANNELS = """
    SELECT DISTINCT c.text FROM series s CROSS JOIN channels c ON c.id = s.channel
    WHERE s.metric = ? ORDER BY c.text"""
COVERED_DAYS = "SELECT sum(facts), min(first_day), max(last_day) FROM series WHERE metric = ?"
METRICS = """
    SELECT text FROM metrics m WHERE EXISTS (SELECT 1 FROM series s WHERE s.metric = m.id)
    ORDER BY text"""
DOCUMENTS = (
    "SELECT name, sha256, publisher, dated, facts, imported, origin FROM documents ORDER BY id"
)
SOURCE = "SELECT name, sha256, publisher FROM documents WHERE id = ?"
PLACE = "SELECT text FROM places WHERE id = ?"
COUNT = "SELECT facts FROM summary"
SUM = "SELECT coalesce(sum(facts), 0) FROM series"
# All series of a metric that are asked for, with every version of their facts between two days.
# The lists of numbers are JSON; an empty one of entities means all of them. A period is between
# `shortest` and `longest` days long; with `days` a value at a day, such as a stock's, is one too.
TABLE = """
    SELECT s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document, f.mantissa,
        f.exponent, f.place, f.number, f.raw, s.unit, f.seal
    FROM series s CROSS JOIN facts f
    WHERE s.metric = :metric
    AND s.channel IN (SELECT value FROM json_each(:channels))
    AND (:entities = '[]' OR s.entity IN (SELECT value FROM json_each(:entities)))
    AND s.first_day <= :last AND s.last_day >= :first
    AND f.series = s.id AND f.start_day BETWEEN :first AND :last AND f.end_day <= :last
    AND (f.end_day - f.start_day BETWEEN :shortest AND :longest
        OR (:days AND f.end_day = f.start_day))
    AND f.as_of <= :as_of
    ORDER BY s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document"""
# The same, of some intervals only: each is a number, its first day 22 bits above its last.
TABLE_OF_INTERVALS = """
    SELECT s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document, f.mantissa,
        f.exponent, f.place, f.number, f.raw, s.unit, f.seal
    FROM series s CROSS JOIN json_each(:intervals) i CROSS JOIN facts f
    WHERE s.metric = :metric
    AND s.channel IN (SELECT value FROM json_each(:channels))
    AND (:entities = '[]' OR s.entity IN (SELECT value FROM json_each(:entities)))
    AND f.series = s.id AND f.start_day = i.value >> 22 AND f.end_day = i.value & 4194303
    AND f.as_of <= :as_of
    ORDER BY s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document"""
# How the facts of a metric are held. Two versions of a fact differ in day or document.
HELD_VALUES = """
    SELECT min(f.exponent), max(f.exponent), max(typeof(f.mantissa) = 'text'), min(f.mantissa),
        max(f.mantissa), min(f.as_of) = max(f.as_of) AND min(f.document) = max(f.document),
        count(*)
    FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND f.series = s.id"""
HELD_UNITS = "SELECT DISTINCT unit FROM series WHERE metric = ?"
SECOND_VERSION = """
    SELECT EXISTS (
        SELECT 1 FROM series s CROSS JOIN facts f CROSS JOIN facts g
        WHERE s.metric = ? AND f.series = s.id AND g.series = f.series
        AND g.start_day = f.start_day AND g.end_day = f.end_day
        AND (g.as_of, g.document) > (f.as_of, f.document))"""
# A page of facts of a metric. What stands in braces is put together of the lines below.
PAGE = """
    SELECT e.text, c.text, f.start_day, f.end_day, f.as_of, f.document, f.mantissa, f.exponent,
        f.place, f.number, f.raw, s.unit, f.seal
    {of}
    ORDER BY {order} LIMIT :limit OFFSET :offset"""
PAGE_TOTALS = """
    SELECT {columns} sum({value}), min(f.exponent), count(*), min(f.document), max(f.document)
    {of} {group}"""
PAGE_DOCUMENTS = "SELECT DISTINCT {columns} f.document {of} ORDER BY f.document"
PAGE_COUNT = "SELECT count(*) {of}"
PAGE_ENTITIES = "SELECT DISTINCT e.text {of}"
PAGE_HOLDS = "SELECT EXISTS (SELECT 1 {of})"
PAGE_OF = """FROM series s CROSS JOIN entities e ON e.id = s.entity
    CROSS JOIN channels c ON c.id = s.channel CROSS JOIN facts f ON f.series = s.id
    WHERE s.metric = :metric AND s.channel IN (SELECT value FROM json_each(:channels))"""
PAGE_COUNT_OF = """FROM series s CROSS JOIN facts f ON f.series = s.id
    WHERE s.metric = :metric AND s.channel IN (SELECT value FROM json_each(:channels))"""
OF_ENTITIES = "AND s.entity IN (SELECT value FROM json_each(:entities))"
OF_ONE_INTERVAL = "AND f.start_day = :first AND f.end_day = :last"
OF_INTERVALS = """AND f.start_day BETWEEN :first AND :last
    AND f.end_day - f.start_day BETWEEN :shortest AND :longest"""
OF_LISTED_INTERVALS = (
    "AND f.start_day * 4194304 + f.end_day IN (SELECT value FROM json_each(:intervals))"
)
AS_KNOWN_THEN = "AND f.as_of <= :as_of"
LAST_VERSION = """AND NOT EXISTS (
        SELECT 1 FROM facts g WHERE g.series = f.series AND g.start_day = f.start_day
        AND g.end_day = f.end_day AND g.as_of <= :as_of
        AND (g.as_of, g.document) > (f.as_of, f.document))"""
NUMBERED = {
    "entities": "SELECT id, text FROM entities WHERE id IN (SELECT value FROM json_each(?))",
    "channels": "SELECT id, text FROM channels WHERE id IN (SELECT value FROM json_each(?))",
}
