"""Full-text search over labels and passages in FTS5: what is indexed, and how it is asked for.

CJK text is stored and asked for as pairs of characters, since the tokenizer `unicode61` takes a
run of it for one word and the tokenizer `trigram` cannot find words of two characters.

The index is an SQLite file that the threads of a process share, one statement or transaction at a
time.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

from groundwire.errors import UnavailableError
from groundwire.private_files import private_file
from groundwire.statefile import primary_code
from groundwire.vocabulary.fold import CJK_RUN, split_words

# What SQLite says where it cannot make the files that it keeps beside a database.
_NOTHING_BESIDE = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
)


class Database:
    """One connection behind a lock. Use it as a context manager, or close it.

    Every failure of SQLite is an `UnavailableError` that says what to do.
    """

    # What the file is called in messages, and what to do about one that is of no use.
    what = "database"
    remedy = "check the file and its folder"

    def __init__(self, path: Path | None = None) -> None:
        """Open the file, made if absent; None keeps all in memory.

        Raises:
            UnavailableError: the file cannot be opened, or is none of this kind.
        """
        self._where = ":memory:" if path is None else str(path)
        self._lock = threading.Lock()
        if path is not None and path.parent.is_dir():
            # What cannot be made is told by SQLite, in its own words.
            with suppress(OSError):
                private_file(path)
        try:
            self._connection = self._connected(self._where)
        except sqlite3.Error as error:
            if path is None or primary_code(error) not in _NOTHING_BESIDE or not _is_whole(path):
                raise self._unavailable(error) from error
            try:
                # The disk has no room for the index of a log, and without a log none is needed.
                self._connection = self._connected(f"{path.absolute().as_uri()}?immutable=1")
            except sqlite3.Error:
                raise self._unavailable(error) from error

    def _connected(self, where: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            where,
            uri=where.startswith("file:"),
            check_same_thread=False,
            isolation_level=None,
        )
        try:
            connection.execute("PRAGMA busy_timeout = 2000")
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        with self._lock:
            self._connection.close()

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables that are not there yet."""

    def _select(
        self, statement: str, parameters: Sequence[object] | Mapping[str, object] = ()
    ) -> list[Any]:
        """The rows of a query."""
        with self._lock:
            try:
                return self._connection.execute(statement, parameters).fetchall()
            except sqlite3.Error as error:
                raise self._unavailable(error) from error

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """A transaction: all of it is kept, or nothing if it ends by an error."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._unavailable(error) from error
                raise

    def _unavailable(self, error: object) -> UnavailableError:
        return UnavailableError(
            f"The {self.what} {self._where} cannot be used ({error}): {self.remedy}"
        )


def _is_whole(path: Path) -> bool:
    """Whether a file is there, and nothing of it stands in a log beside it."""
    try:
        log = path.with_name(f"{path.name}-wal")
        return path.stat().st_size > 0 and not (log.exists() and log.stat().st_size)
    except OSError:
        return False


_ENGLISH = """
    a about after all also am an and any are as at be because been before being between both but
    by can could did do does doing done for from give get had has have having he her him his how i
    if in into is it its just let like may me might more most must my no not of on only or other
    our out over please shall she should show so some such tell than that the their them then
    there these they this those through to too under up us very was we were what whats when where
    whether which while who whom whose why will with would you your
"""
# Long ones first: a shorter one may be a part of them.
_CHINESE = """
    为什么 怎么样 是不是 有没有 多少 什么 怎么 怎样 如何 为何 哪些 哪个 哪里 几个 请问 告诉
    是否 可以 能否 我们 你们 他们 它们 这个 那个 这些 那些 以及 并且 或者 还是 因为 所以 但是
    关于 对于 由于 一下 的 了 是 在 和 与 及 或 吗 呢 吧 啊 我 你 他 她 它 这 那 请 也 都 就
"""

ENGLISH = frozenset(_ENGLISH.split())
# Between words of these a run of Chinese is taken apart.
CHINESE_RUN = re.compile("|".join(_CHINESE.split()))


# Queries are cut here: a longer one is a text, and one word more finds nothing more.
MOST_QUERY_WORDS = 64
_MOST_QUERY_CHARACTERS = 4_096

PASSAGES_TABLE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5("
    "key UNINDEXED, text UNINDEXED, words, characters, "
    "tokenize = 'unicode61 remove_diacritics 2')"
)


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


def indexed(text: str) -> tuple[str, str]:
    """Return a text in the form that is indexed: CJK as pairs, and each CJK character alone."""
    parts: list[str] = []
    characters: dict[str, None] = {}
    for word in _words(text):
        if _is_cjk(word):
            parts += _pairs(word)
            characters.update(dict.fromkeys(word))
        else:
            parts.append(word)
    return " ".join(parts), " ".join(characters)


def _asked(words: Sequence[str]) -> str:
    """Words in a row, quoted, so that none is an operator."""
    column = "characters" if len(words[0]) == 1 and _is_cjk(words[0]) else "words"
    return f'{column} : "{" ".join(words)}"'


def all_words(query: str) -> str:
    """The MATCH text that asks for all words of a query; empty for a query without a word."""
    left = MOST_QUERY_WORDS
    parts: list[str] = []
    for word in _words(query[:_MOST_QUERY_CHARACTERS]):
        # Pairs in a row: the run itself, not its pairs from anywhere.
        row = list(islice(_pairs(word), left)) if _is_cjk(word) else [word]
        left -= len(row)
        parts.append(_asked(row))
        if left <= 0:
            break
    return " AND ".join(parts)


def any_word(query: str) -> str:
    """The MATCH text that asks for any word of a query, or any pair of a CJK run."""
    words = _words(query[:_MOST_QUERY_CHARACTERS])
    return any_part(
        islice((_asked([part]) for word in words for part in _parts(word)), MOST_QUERY_WORDS)
    )


def any_part(parts: Iterable[str]) -> str:
    """The MATCH text that asks for any of some parts."""
    return " OR ".join(parts)


def informative_parts(query: str) -> tuple[str, ...]:
    """MATCH texts of what a query is about: each word, and each pair of a CJK run, by itself.

    Words such as "what", "the" and 多少 are left out, and what repeats.
    """
    words = split_words(query[:_MOST_QUERY_CHARACTERS])
    parts: dict[str, None] = {}
    for plain, word in zip(words.plain, words.singular, strict=True):
        if plain in ENGLISH or not word[0].isalnum():
            continue
        runs = CHINESE_RUN.split(word) if _is_cjk(word) else [word]
        parts.update(dict.fromkeys(_asked([part]) for run in runs if run for part in _parts(run)))
    return tuple(islice(parts, MOST_QUERY_WORDS))


def _parts(word: str) -> Iterable[str]:
    return _pairs(word) if _is_cjk(word) else (word,)


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
