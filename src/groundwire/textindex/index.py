"""Full-text search over labels and passages, in SQLite's FTS5."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from groundwire.textindex.database import Database
from groundwire.textindex.matching import PASSAGES_TABLE, all_words, any_word, indexed


class Passage(NamedTuple):
    """One text to be found.

    Attributes:
        key: what the caller knows it by; unique.
        text: the text itself.
    """

    key: str
    text: str


class Hit(NamedTuple):
    """One passage found.

    Attributes:
        key: the passage's key.
        text: the passage's text, as it was given.
        score: BM25, greater is better; only good for ordering the hits of one search.
    """

    key: str
    text: str
    score: float


class TextIndex(Database):
    """Passages in an SQLite table, found by their words and ranked by BM25.

    Words are folded as terms are: case, accents, camelCase and simple plurals do not matter. An
    index may be shared by threads. Use it as a context manager, or close it.
    """

    what = "text index"
    remedy = "check the file and its folder, or remove the file to have it made anew"

    def __len__(self) -> int:
        return int(self._select("SELECT count(*) FROM passages")[0][0])

    def build(self, passages: Iterable[Passage]) -> int:
        """Replace what the index holds, all or nothing.

        Args:
            passages: what it shall hold. Of two with one key the later one stays.

        Returns:
            how many passages it holds now.

        Raises:
            UnavailableError: the file cannot be written; it holds what it held before.
        """
        texts = dict(passages)
        with self._writing() as connection:
            connection.execute("DELETE FROM passages")
            connection.executemany(
                "INSERT INTO passages (key, text, words, characters) VALUES (?, ?, ?, ?)",
                ((key, text, *indexed(text)) for key, text in texts.items()),
            )
        return len(texts)

    def search(self, query: str, limit: int = 10, any_of: bool = False) -> list[Hit]:
        """Find passages by words.

        Args:
            query: plain words; nothing in it is an operator.
            limit: how many passages at most.
            any_of: whether one of the words is enough; else a passage has all of them.

        Returns:
            the passages found, best first; none for a query without a word.

        Raises:
            UnavailableError: the file cannot be read.
        """
        match = any_word(query) if any_of else all_words(query)
        if not match or limit < 1:
            return []
        # FTS5 gives better passages the smaller, negative numbers.
        rows = self._select(
            "SELECT key, text, bm25(passages) AS away FROM passages "
            "WHERE passages MATCH ? ORDER BY away, rowid LIMIT ?",
            (match, limit),
        )
        return [Hit(key, text, -away) for key, text, away in rows]

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute(PASSAGES_TABLE)
