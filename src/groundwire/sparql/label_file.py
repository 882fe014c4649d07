"""The file of a label index: the words of a label, the tables, and how they are written at once.

Labels are numbered from the shortest to the longest, so that whoever reads the first matches of a
word or phrase reads those that hold the least besides.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import UnavailableError
from groundwire.private_files import private_folder
from groundwire.textindex import all_words, indexed, informative_parts
from groundwire.textindex.index import CHINESE_RUN, ENGLISH
from groundwire.vocabulary.fold import CJK_RUN, fold, joined, split_words

# A prompt longer than this is a text: what follows is not looked at.
MOST_CHARACTERS = 4_096
# A label within a prompt has at most so many words, or characters of a run of CJK.
MOST_MENTION_WORDS = 8
MOST_MENTIONS = 1_000


class Part(NamedTuple):
    """One thing that a label may hold.

    Attributes:
        match: the MATCH text that asks for it.
        tokens: what it is made of, as the index holds them, in a row.
        column: the column that holds them.
    """

    match: str
    tokens: tuple[str, ...]
    column: str


class Asked(NamedTuple):
    """A text, as the label index is asked for it.

    Attributes:
        key: of labels that are this text but for spelling.
        phrase: the MATCH text that asks for all its words in a row; "" if there is none.
        length: number of its tokens.
        words: each of its words; all of them are asked for together.
        informative: those that say what it is about, by themselves.
    """

    key: int
    phrase: str
    length: int
    words: tuple[Part, ...]
    informative: tuple[Part, ...]


def label_key(text: str) -> int:
    """A number that two spellings of one label share, and hardly any two labels."""
    return _hashed(fold(text))


@lru_cache(maxsize=8_192)
def tokens_of(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words of a label in order, CJK as pairs; and each of its CJK characters."""
    words, characters = indexed(text)
    return tuple(words.split()), frozenset(characters.split())


def asked(text: str) -> Asked:
    """Take a text apart; nothing in it is an operator."""
    text = text[:MOST_CHARACTERS]
    row = indexed(text)[0]
    words = tuple(map(_part, dict.fromkeys(all_words(text).split(" AND ")))) if row else ()
    length = len(row.split())
    return Asked(
        key=label_key(text),
        phrase=f'words : "{row}"' if length > 1 else "".join(word.match for word in words),
        length=length,
        words=words,
        informative=tuple(map(_part, informative_parts(text))),
    )


def mentions(text: str) -> dict[int, tuple[str, ...]]:
    """Keys of the labels that may stand within a text, with their tokens; longest first.

    Each holds a word that says something: "What is" and 什么 are none.
    """
    words = split_words(text[:MOST_CHARACTERS])
    said = [_says(*pair) for pair in zip(words.plain, words.singular, strict=True)]
    found: list[tuple[str, ...]] = []
    for first in range(len(said)):
        for last in range(first + 1, min(first + MOST_MENTION_WORDS, len(said)) + 1):
            if any(said[first:last]):
                found.append(words.singular[first:last])
    for word in words.singular:
        if CJK_RUN.fullmatch(word):
            found += ((piece,) for piece in _pieces(word))
    found.sort(key=lambda row: -sum(map(len, row)))
    keys: dict[int, tuple[str, ...]] = {}
    for row in found[:MOST_MENTIONS]:
        keys.setdefault(_hashed(joined(row)), tuple(indexed(" ".join(row))[0].split()))
    return keys


def _hashed(folded: str) -> int:
    digest = hashlib.blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _part(match: str) -> Part:
    # No word holds a quote or a space: words are letters and digits.
    column, _, rest = match.partition(" : ")
    return Part(match, tuple(rest.strip('"').split()), column)


def _says(plain: str, singular: str) -> bool:
    if CJK_RUN.fullmatch(singular):
        return any(CHINESE_RUN.split(singular))
    return len(plain) > 1 and plain[0].isalnum() and plain not in ENGLISH


def _pieces(run: str) -> Iterator[str]:
    for first in range(len(run)):
        for last in range(first + 2, min(first + MOST_MENTION_WORDS, len(run)) + 1):
            if any(CHINESE_RUN.split(run[first:last])):
                yield run[first:last]


APPLICATION = 0x47574C42  # "GWLB"
VERSION = 1
ASIDE = ".building-"
# Longer texts are no labels.
MOST_LABEL_CHARACTERS = 512
# Document frequencies of words in so many labels are kept; those of rarer ones are quickly counted.
COMMON = 64
_BATCH = 10_000
_HASH_BYTES = 32 << 20
_CACHE_KIB = 65_536

_STAGING = """
    CREATE TABLE staged.subjects (id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, types TEXT);
    CREATE TABLE staged.rows (
        length INTEGER, key INTEGER, entity INTEGER, property INTEGER, language TEXT, value TEXT,
        words TEXT, characters TEXT
    );
"""
_TABLES = """
    CREATE TABLE names (id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE entities (id INTEGER PRIMARY KEY, iri TEXT NOT NULL, types TEXT NOT NULL) STRICT;
    CREATE TABLE labels (
        id INTEGER PRIMARY KEY,
        key INTEGER NOT NULL,
        entity INTEGER NOT NULL,
        property INTEGER NOT NULL,
        language TEXT NOT NULL,
        value TEXT NOT NULL
    ) STRICT;
    CREATE TABLE common (
        part TEXT, term TEXT, labels INTEGER NOT NULL, PRIMARY KEY (part, term)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE texts USING fts5(
        words, characters, types, content = '', columnsize = 0,
        tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, 'col');
"""
_INDEXES = (
    "CREATE INDEX labels_by_key ON labels (key)",
    "CREATE INDEX labels_by_entity ON labels (entity)",
)

# Told the kind of work, how much is done, and how much there is (0 if that is not known).
Progress = Callable[[str, int, int], None]


class Label(NamedTuple):
    """One label of an entity.

    Attributes:
        iri: the entity.
        property: IRI of the property that says so.
        value: the label itself.
        language: its language tag, or "".
        types: IRIs of the entity's types; those of its first label count.
    """

    iri: str
    property: str
    value: str
    language: str = ""
    types: tuple[str, ...] = ()


def write_labels(path: Path, labels: Iterable[Label], progress: Progress | None = None) -> int:
    """Write the label index at `path`, all of it or nothing; memory does not grow with it.

    Args:
        path: the file; one that stands there is replaced.
        labels: in any order. Those without a letter or digit and those that are texts are left
            out.
        progress: told how far it is.

    Returns:
        how many labels it holds.

    Raises:
        UnavailableError: the file cannot be written.
    """
    aside: Path | None = None
    try:
        private_folder(path.parent)
        aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=path.parent))
        made = aside / "labels.sqlite"
        count = _write(made, aside / "staged.sqlite", labels, progress or _silent)
        with made.open("rb") as file:
            os.fsync(file.fileno())
        made.replace(path)
    except (sqlite3.Error, OSError) as error:
        raise UnavailableError(
            f"The label index {path} cannot be written ({error}): set GROUNDWIRE_HOME to a folder "
            "with room that can be written to."
        ) from error
    finally:
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)
    return count


def _silent(what: str, done: int, total: int) -> None:
    """Progress that nobody hears."""


def _write(made: Path, staging: Path, labels: Iterable[Label], progress: Progress) -> int:
    connection = sqlite3.connect(made, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
        connection.execute("ATTACH DATABASE ? AS staged", (str(staging),))
        connection.execute("PRAGMA staged.journal_mode = OFF")
        connection.execute("PRAGMA staged.synchronous = OFF")
        connection.execute(f"PRAGMA staged.cache_size = {-_CACHE_KIB}")
        connection.executescript(_STAGING + _TABLES)
        connection.execute(
            "INSERT INTO texts(texts, rank) VALUES ('hashsize', ?)",
            (_HASH_BYTES,),
        )
        connection.execute("BEGIN")
        _stage(connection, labels, progress)
        count = connection.execute("SELECT count(*) FROM staged.rows").fetchone()[0]
        _fill(connection, count, progress)
        connection.execute("COMMIT")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("DETACH DATABASE staged")
    finally:
        connection.close()
    return count


def _stage(connection: sqlite3.Connection, labels: Iterable[Label], progress: Progress) -> None:
    """Put the labels aside, with their words; entities and names are numbered."""
    names = _Names(connection)
    rows = (
        (len(words.split()), label_key(value), entity, names.of(about), language, value, *found)
        for entity, about, value, language in _entities(connection, labels, names)
        if (words := (found := indexed(value))[0])
    )
    done = 0
    while batch := list(islice(rows, _BATCH)):
        connection.executemany("INSERT INTO staged.rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", batch)
        done += len(batch)
        progress("reading labels", done, 0)


def _entities(
    connection: sqlite3.Connection, labels: Iterable[Label], names: _Names
) -> Iterator[tuple[int, str, str, str]]:
    """Entity number, property, value and language of each label that may be one."""
    find = "SELECT id FROM staged.subjects WHERE iri = ?"
    add = "INSERT INTO staged.subjects (iri, types) VALUES (?, ?)"
    for label in labels:
        value = label.value.strip()
        if not 0 < len(value) <= MOST_LABEL_CHARACTERS:
            continue
        row = connection.execute(find, (label.iri,)).fetchone()
        if row is None:
            types = " ".join(str(names.of(name)) for name in dict.fromkeys(label.types))
            number = connection.execute(add, (label.iri, types)).lastrowid
            assert number is not None
        else:
            number = row[0]
        yield number, label.property, value, label.language.lower()


class _Names:
    """Numbers for the IRIs of properties and types."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, int] = {}

    def of(self, iri: str) -> int:
        number = self._known.get(iri)
        if number is None:
            number = len(self._known) + 1
            self._connection.execute("INSERT INTO names VALUES (?, ?)", (number, iri))
            self._known[iri] = number
        return number


def _fill(connection: sqlite3.Connection, count: int, progress: Progress) -> None:
    """Number the labels by their length and index their words, types and frequencies."""
    connection.execute("INSERT INTO entities SELECT id, iri, types FROM staged.subjects")
    rows = connection.execute(
        "SELECT key, entity, property, language, value, words, characters, s.types "
        "FROM staged.rows AS r CROSS JOIN staged.subjects AS s ON s.id = r.entity "
        "ORDER BY r.length, r.rowid"
    )
    number = 0
    while batch := rows.fetchmany(_BATCH):
        numbered = list(enumerate(batch, start=number + 1))
        connection.executemany(
            "INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?)",
            ((place, *row[:5]) for place, row in numbered),
        )
        connection.executemany(
            "INSERT INTO texts (rowid, words, characters, types) VALUES (?, ?, ?, ?)",
            ((place, *row[5:7], _tokens(row[7])) for place, row in numbered),
        )
        number += len(batch)
        progress("indexing labels", number, count)
    for statement in _INDEXES:
        connection.execute(statement)
    # One segment instead of many: each word then has one list.
    connection.execute("INSERT INTO texts(texts) VALUES ('optimize')")
    connection.execute(
        "INSERT INTO common SELECT col, term, doc FROM vocabulary "
        "WHERE col <> 'types' AND doc >= ?",
        (COMMON,),
    )


def type_token(number: int | str) -> str:
    """Return the token that stands for a type in the index."""
    return f"t{number}"


def _tokens(types: str) -> str:
    return " ".join(map(type_token, types.split()))
