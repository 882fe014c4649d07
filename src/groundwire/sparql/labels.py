"""Labels of a local graph, found by what a prompt says.

Best first: labels that are the prompt but for spelling; those that hold it as a phrase; those
that hold all its words; and if there are none of these, those that hold enough of the words that
say what it is about, and those that stand in the prompt whole.

What is approximate: of the labels that hold a phrase, or all or some words, the shortest are looked
at, `CANDIDATES` for each question that the index is asked. For phrases and all words that is the
order of their scores, so only entities behind hundreds of better labels are missed. Among labels
that hold enough of the words, one that is longer than hundreds of others with the same rare word
may be missed; so may be the type that was asked for among twenty things of one name within a text.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import UnavailableError
from groundwire.sparql.label_file import (
    APPLICATION,
    COMMON,
    VERSION,
    Asked,
    Part,
    asked,
    label_key,
    mentions,
    tokens_of,
    type_token,
)
from groundwire.textindex import Database, any_part

# Of the words that say what a text is about, by weight, so many are enough.
_ENOUGH = 0.5

Weights = dict[Part, float]

# How many labels are looked at for one question to the index.
CANDIDATES = 200
MOST_MATCHES = 100
# Words of a prompt beyond these, rarest first, are not asked for by themselves.
_MOST_PARTS = 12
_MENTIONED_EACH = 20
_CACHE_KIB = 32_768
_MAPPED = 1 << 30

_BY_KEY = "SELECT id FROM labels WHERE key = ? ORDER BY id LIMIT ?"
# The few labels of each key, so that one key with many leaves room for the others.
_BY_KEYS = """
    SELECT l.id, l.key FROM json_each(?) AS asked CROSS JOIN labels AS l ON l.id IN (
        SELECT one.id FROM labels AS one WHERE one.key = asked.value ORDER BY one.id LIMIT ?
    )"""
_BY_WORDS = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid LIMIT ?"
_ROWS = """
    SELECT l.id, l.entity, e.iri, n.iri, l.language, l.value, e.types
    FROM json_each(?) AS wanted
    CROSS JOIN labels AS l ON l.id = wanted.value
    CROSS JOIN entities AS e ON e.id = l.entity
    CROSS JOIN names AS n ON n.id = l.property"""
_NAMES_OF = "SELECT property, language, value FROM labels WHERE entity = ? ORDER BY id LIMIT 100"
_COMMON = "SELECT labels FROM common WHERE part = ? AND term = ?"
_RARE = "SELECT doc FROM vocabulary WHERE col = ? AND term = ?"

# What an entity is called, best first; any other property comes after these.
PREFERRED = (
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://schema.org/name",
    "https://schema.org/name",
)


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """One entity whose label fits.

    Attributes:
        iri: the entity.
        label: what it is called, in the language of the label that was found where it can be.
        value: the label that was found.
        property: IRI of the property that says so.
        score: 1 for a label that is the text but for spelling; from 0.8 for a phrase, from 0.6 for
            all words, below 0.6 for some; greater is better.
        types: IRIs of its types.
    """

    iri: str
    label: str
    value: str
    property: str
    score: float
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A label with its entity, as the file has them."""

    id: int
    entity: int
    iri: str
    property: str
    language: str
    value: str
    types: tuple[int, ...]


class LabelIndex(Database):
    """The label index of one store; see `groundwire.sparql.label_file.write_labels`.

    Threads may share it. Use it as a context manager, or close it.
    """

    what = "label index"
    remedy = "remove the file to have it made anew"

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            UnavailableError: there is none, or it is another kind of file.
        """
        if not path.is_file():
            raise UnavailableError(f"There is no label index {path}: build it first.")
        super().__init__(path)
        self._names: dict[int, str] = dict(self._select("SELECT id, iri FROM names"))
        self._numbers = {iri: number for number, iri in self._names.items()}
        self._count = int(self._select("SELECT coalesce(max(id), 0) FROM labels")[0][0])

    def __len__(self) -> int:
        return self._count

    def match(self, text: str, *, types: Collection[str] = (), limit: int = 10) -> list[LabelMatch]:
        """Find entities by a label that fits a text.

        Args:
            text: a prompt or a term; nothing in it is an operator.
            types: IRIs of types; an entity has to have one of them. Empty allows all.
            limit: how many at most, up to `MOST_MATCHES`.

        Returns:
            one match for each entity, best first.

        Raises:
            UnavailableError: the file cannot be read.
        """
        wanted = frozenset(self._numbers[name] for name in types if name in self._numbers)
        limit = min(limit, MOST_MATCHES)
        question = asked(text)
        if limit < 1 or not question.length or (types and not wanted):
            return []
        best: dict[int, tuple[float, _Row]] = {}
        for score, row in self._found(question, text, wanted, limit):
            if row.entity not in best or best[row.entity][0] < score:
                best[row.entity] = (score, row)
        ranked = sorted(best.values(), key=lambda pair: (-pair[0], pair[1].id))
        return [self._matched(score, row) for score, row in ranked[:limit]]

    def called(self, texts: Sequence[str]) -> dict[str, list[LabelMatch]]:
        """Find the entities that are called some texts, but for spelling; those alone.

        Args:
            texts: names; nothing in them is an operator.

        Returns:
            by text the entities with a label that is the text, those written so first; texts that
            are no label are left out.

        Raises:
            UnavailableError: the file cannot be read.
        """
        keys: dict[int, list[str]] = {}
        for text in texts:
            keys.setdefault(label_key(text), []).append(text)
        found = self._select(_BY_KEYS, (json.dumps(list(keys)), _MENTIONED_EACH))
        by_row: dict[int, int] = dict(found)
        matches: dict[str, dict[str, LabelMatch]] = {}
        for row in self._rows(list(by_row)):
            matched = self._matched(1.0, row)
            for text in keys[by_row[row.id]]:
                held = matches.setdefault(text, {}).get(row.iri)
                if held is None or (row.value == text and held.value != text):
                    matches[text][row.iri] = matched
        return {
            text: sorted(of.values(), key=lambda one: one.value != text)
            for text, of in matches.items()
        }

    def values(self, most: int) -> list[str]:
        """Return labels as they are written, the shortest first, so many and no more.

        Raises:
            UnavailableError: the file cannot be read.
        """
        rows = self._select("SELECT value FROM labels ORDER BY id LIMIT ?", (most,))
        return [row[0] for row in rows]

    def _found(
        self, question: Asked, text: str, wanted: frozenset[int], limit: int
    ) -> Iterator[tuple[float, _Row]]:
        """Scored labels, tier by tier, until there are enough entities."""
        entities: set[int] = set()

        def kept(rows: Iterable[_Row], base: float, span: float) -> Iterator[tuple[float, _Row]]:
            for row in rows:
                entities.add(row.entity)
                length = len(tokens_of(row.value)[0])
                yield base + span * min(1.0, question.length / max(length, 1)), row

        yield from kept(self._exact(question, wanted), 1.0, 0.0)
        counted = [(self._frequency(part), part) for part in question.words]
        if all(count for count, _ in counted):
            if len(entities) < limit:
                yield from kept(self._matching(question.phrase, wanted), 0.8, 0.15)
            every = _together(part.match for _, part in sorted(counted))
            if len(entities) < limit and every != question.phrase:
                yield from kept(self._matching(every, wanted), 0.6, 0.15)
        if not entities:
            yield from self._partly(question, text, wanted)

    def _exact(self, question: Asked, wanted: frozenset[int]) -> list[_Row]:
        # A type is no part of the key; where one is asked for, more are looked at.
        most = CANDIDATES * 5 if wanted else CANDIDATES
        rows = self._rows([row[0] for row in self._select(_BY_KEY, (question.key, most))])
        return [row for row in rows if _is_of(row, wanted)]

    def _partly(
        self, question: Asked, text: str, wanted: frozenset[int]
    ) -> Iterator[tuple[float, _Row]]:
        """Labels that hold enough of the informative words, or stand in the text whole."""
        counted = sorted((self._frequency(part), part) for part in question.informative)
        weighed = [(self._weight(count), count, part) for count, part in counted]
        total = sum(weight for weight, _, _ in weighed)
        if not total:
            return
        known = [(weight, part) for weight, count, part in weighed if count][:_MOST_PARTS]
        weights = {part: weight for weight, part in known}
        seen = set[int]()
        for match in _enough(known, total):
            for row in self._matching(match, wanted):
                share = held(row.value, weights) / total
                if row.id not in seen and share >= _ENOUGH:
                    seen.add(row.id)
                    yield _partial_score(share, covered(row.value, question)), row
        whole = mentions(text)
        found = self._select(_BY_KEYS, (json.dumps(list(whole)), _MENTIONED_EACH))
        keys = {number: key for number, key in found if number not in seen}
        for row in self._rows(list(keys)):
            mentioned = _weighing(frozenset(whole[keys[row.id]]), frozenset(), weights)
            if mentioned and _is_of(row, wanted):
                yield _partial_score(mentioned / total, 1.0), row

    def _matching(self, match: str, wanted: frozenset[int]) -> list[_Row]:
        """The shortest labels for a MATCH text."""
        if wanted:
            kinds = " OR ".join(f'types : "{type_token(number)}"' for number in sorted(wanted))
            match = f"({match}) AND ({kinds})"
        return self._rows([row[0] for row in self._select(_BY_WORDS, (match, CANDIDATES))])

    def _rows(self, numbers: Sequence[int]) -> list[_Row]:
        rows = self._select(_ROWS, (json.dumps(numbers),)) if numbers else []
        return [_row(row) for row in rows]

    def _frequency(self, part: Part) -> int:
        """In how many labels the rarest token of a part stands."""
        return min(self._labels_with(part.column, token) for token in part.tokens)

    def _labels_with(self, column: str, token: str) -> int:
        # The vocabulary counts a word's list each time it is asked: only short ones are left to it.
        for statement in (_COMMON, _RARE):
            if rows := self._select(statement, (column, token)):
                return int(rows[0][0])
        if token.isascii():
            return 0
        # FTS5 takes more marks off letters than folding does, so the word may be listed otherwise.
        return len(self._select(_BY_WORDS, (f'{column} : "{token}"', COMMON)))

    def _weight(self, count: int) -> float:
        return math.log((self._count + 1) / (count + 0.5))

    def _matched(self, score: float, row: _Row) -> LabelMatch:
        types = tuple(self._names[number] for number in row.types)
        label = self._called(row)
        return LabelMatch(row.iri, label, row.value, row.property, round(score, 4), types)

    def _called(self, row: _Row) -> str:
        """The name of an entity by the language and property of its labels."""
        names = self._select(_NAMES_OF, (row.entity,))

        def place(name: tuple[int, str, str]) -> tuple[bool, int]:
            about = self._names[name[0]]
            order = PREFERRED.index(about) if about in PREFERRED else len(PREFERRED)
            return name[1] != row.language, order

        return min(names, key=place)[2] if names else row.value

    def _prepare(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if (application, version) != (APPLICATION, VERSION):
            raise self._unavailable("it is another kind of file, or of another version")
        connection.execute("PRAGMA query_only = ON")
        connection.execute(f"PRAGMA cache_size = {-_CACHE_KIB}")
        connection.execute(f"PRAGMA mmap_size = {_MAPPED}")


def _row(found: Sequence[Any]) -> _Row:
    number, entity, iri, about, language, value, types = found
    return _Row(number, entity, iri, about, language, value, tuple(map(int, types.split())))


def _is_of(row: _Row, wanted: frozenset[int]) -> bool:
    return not wanted or not wanted.isdisjoint(row.types)


def _together(matches: Iterable[str]) -> str:
    """All of some MATCH texts; FTS5 steps through the first and looks the others up."""
    return " AND ".join(matches)


def _enough(known: Sequence[tuple[float, Part]], total: float) -> Iterator[str]:
    """MATCH texts that together find every label with enough of the words, rarest words first.

    A label that has none of the rarest words, up to where the rest weigh too little, has not
    enough; one of these words that is not enough by itself needs another beside it.
    """
    if len(known) > 1:
        yield _together(part.match for _, part in known)
    rest = sum(weight for weight, _ in known)
    for place, (weight, part) in enumerate(known):
        if rest < _ENOUGH * total:
            return
        rest -= weight
        if weight >= _ENOUGH * total:
            yield part.match
        elif others := [other.match for _, other in known[place + 1 :]]:
            yield f"{part.match} AND ({any_part(others)})"


def held(label: str, weights: Weights) -> float:
    """Return the weight of those words of a text that a label holds."""
    words, characters = tokens_of(label)
    return _weighing(frozenset(words), characters, weights)


def _weighing(words: frozenset[str], characters: frozenset[str], weights: Weights) -> float:
    """Return the weight of those words of a text that are among some words and CJK characters."""
    columns = {"words": words, "characters": characters}
    return sum(
        weight for part, weight in weights.items() if columns[part.column].issuperset(part.tokens)
    )


def covered(label: str, question: Asked) -> float:
    """Which share of a label's words the text has."""
    words = tokens_of(label)[0]
    said = {token for part in question.words for token in part.tokens}
    return sum(word in said for word in words) / len(words) if words else 0.0


def _partial_score(share: float, covered: float) -> float:
    """The score, below 0.6, of a label that holds a share of a text and is covered so far by it."""
    return 0.59 * share * (0.5 + 0.5 * covered)
