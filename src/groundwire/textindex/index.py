"""Full-text search over labels and passages, in SQLite's FTS5.

CJK text is stored and asked for as pairs of characters, since the tokenizer `unicode61` takes a
run of it for one word and the tokenizer `trigram` cannot find words of two characters.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from groundwire.errors import UnavailableError
from groundwire.vocabulary.fold import CJK_RUN, split_words

# Queries are cut here: a longer one is a text, and one word more finds nothing more.
MOST_QUERY_WORDS = 64


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


def _is_cjk(word: str) -> bool:
    return CJK_RUN.fullmatch(word) is not None


def _pairs(run: str) -> Iterator[str]:
    """A CJK run as its overlapping pairs of characters; a single character as itself."""
    if len(run) == 1:
        yield run
    yield from (run[at : at + 2] for at in range(len(run) - 1))


def _words(text: str) -> list[str]:
    """The words of a text, folded as terms are; signs are left out."""
    return [word for word in split_words(text).singular if word[0].isalnum()]


def _columns(text: str) -> tuple[str, str]:
    """What is indexed of a text: words with CJK as pairs, and each CJK character by itself."""
    parts: list[str] = []
    characters: dict[str, None] = {}
    for word in _words(text):
        if _is_cjk(word):
            parts += _pairs(word)
            characters.update(dict.fromkeys(word))
        else:
            parts.append(word)
    return " ".join(parts), " ".join(characters)


def _match(query: str, any_of: bool) -> str:
    """The query in FTS5's language, every word of it quoted, so that none is an operator."""
    parts: list[str] = []
    for word in _words(query)[:MOST_QUERY_WORDS]:
        if not _is_cjk(word):
            parts.append(f'words : "{word}"')
        elif len(word) == 1:
            parts.append(f'characters : "{word}"')
        elif any_of:
            parts += (f'words : "{pair}"' for pair in _pairs(word))
        else:
            # Pairs in a row: the run itself, not its pairs from anywhere.
            parts.append(f'words : "{" ".join(_pairs(word))}"')
    return (" OR " if any_of else " AND ").join(parts)


class TextIndex:
    """Passages in an SQLite table, found by their words and ranked by BM25.

    Words are folded as terms are: case, accents, camelCase and simple plurals do not matter. An
    index may be shared by threads. Use it as a context manager, or close it.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open an index.

        Args:
            path: the SQLite file, made if absent; None keeps the index in memory.

        Raises:
            UnavailableError: the file cannot be opened, or is no index.
        """
        self._where = ":memory:" if path is None else str(path)
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(
                self._where, check_same_thread=False, isolation_level=None
            )
        except sqlite3.Error as error:
            raise self._unavailable(error) from error
        try:
            self._connection.execute("PRAGMA busy_timeout = 2000")
            self._connection.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5("
                "key UNINDEXED, text UNINDEXED, words, characters, "
                "tokenize = 'unicode61 remove_diacritics 2')"
            )
        except sqlite3.Error as error:
            self._connection.close()
            raise self._unavailable(error) from error

    def __enter__(self) -> TextIndex:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        with self._lock:
            self._connection.close()

    def __len__(self) -> int:
        with self._lock:
            row = self._connection.execute("SELECT count(*) FROM passages").fetchone()
        return int(row[0])

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
        rows = ((key, text, *_columns(text)) for key, text in texts.items())
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("DELETE FROM passages")
                self._connection.executemany(
                    "INSERT INTO passages (key, text, words, characters) VALUES (?, ?, ?, ?)", rows
                )
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._unavailable(error) from error
                raise
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
        match = _match(query, any_of)
        if not match or limit < 1:
            return []
        with self._lock:
            try:
                rows = self._connection.execute(
                    "SELECT key, text, bm25(passages) AS away FROM passages "
                    "WHERE passages MATCH ? ORDER BY away, rowid LIMIT ?",
                    (match, limit),
                ).fetchall()
            except sqlite3.Error as error:
                raise self._unavailable(error) from error
        # FTS5 gives better passages the smaller, negative numbers.
        return [Hit(key, text, -away) for key, text, away in rows]

    def _unavailable(self, error: sqlite3.Error) -> UnavailableError:
        return UnavailableError(
            f"The text index {self._where} cannot be used ({error}): "
            "check the file and its folder, or remove the file to have it made anew"
        )
