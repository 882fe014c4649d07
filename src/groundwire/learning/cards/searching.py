"""`search_sources`: passages that a card may quote, each with its place."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import dataclass

from groundwire.errors import InputError
from groundwire.evidence.answers import predicate_names
from groundwire.evidence.records import Condition, Draft, Statement, Value
from groundwire.learning.cards import store
from groundwire.learning.cards.results import PassageItem, SourcesResult
from groundwire.learning.cards.types import Passage
from groundwire.safe_text import safe_name
from groundwire.statefile import StateFile
from groundwire.textindex import all_words, any_part, informative_parts
from groundwire.vocabulary.fold import fold

MOST_PASSAGES = 20
"""Passages that one call returns."""

_QUOTED = 200
# Characters that passages may have in a result, and what stands beside each.
_ROOM, _BESIDE = 16_000, 100
_MOST_SCANNED = 200
_LONGEST_QUERY = 1_000
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search of the sources.

    Attributes:
        query: plain words.
        source: id or title of a source, or "" for all.
        limit: how many passages at most, up to `MOST_PASSAGES`.
    """

    query: str
    source: str = ""
    limit: int = 5


def search_sources(
    state: StateFile, owner: str, request: SearchRequest
) -> tuple[SourcesResult, Draft]:
    """Find passages that have all words of a query, or else at least half of them.

    Where none has, and the query names one source by its title, its first passages are returned.

    Args:
        state: the file of learning.
        owner: whose sources.
        request: what is looked for.

    Returns:
        the passages, and what is recorded of them.

    Raises:
        InputError: the query is blank.
        UnavailableError: the file cannot be read.
    """
    if not request.query.strip():
        raise InputError("`query` is blank: send the words to look for.")
    with state.reading() as connection:
        if connection is None:
            return _empty(request, "No source was imported yet: groundwire learning import FILE.")
        source_id = ""
        if request.source.strip():
            titles = _titles(connection, owner)
            named = [key for key, title in titles if _is_named(request.source, key, title)]
            if len(named) != 1:
                return _unknown(request, [title for _, title in titles])
            source_id = named[0]
        limit = max(1, min(request.limit, MOST_PASSAGES))
        found = by_words(connection, owner, request.query, source_id, limit)
        found = found or _by_title(connection, owner, request.query, source_id, limit)
    if not found:
        return _empty(request, "No passage has these words.")
    found, left = _that_fit(found)
    passages = [
        PassageItem(
            passage_id=one.passage_id, text=one.text, source=one.source, locator=one.locator
        )
        for one in found
    ]
    first = passages[0]
    text = first.text if len(first.text) <= _QUOTED else f"{first.text[: _QUOTED - 1].rstrip()}…"
    result = SourcesResult(
        answer=f'From {safe_name(first.source)}: "{text}" ({safe_name(first.locator)}).',
        status="found",
        passages=passages,
        left_out=f"{left} more: send other words, or a source." if left else None,
    )
    quoted = (
        Value("passage", one.text, "text", source=f"{one.source}, {one.locator}")
        for one in passages
    )
    titles_found = dict.fromkeys(one.source for one in passages)
    return result, Draft(
        values=(*quoted, *(Value("source", title, "name") for title in titles_found)),
        audit={"status": "found", "passages": [one.passage_id for one in passages]},
        statements=tuple(Statement("source", (title,)) for title in titles_found),
    )


def _that_fit(found: list[Passage]) -> tuple[list[Passage], int]:
    """The first passages that fit a result whole, and how many are left out."""
    room = _ROOM
    for count, one in enumerate(found):
        room -= len(one.text) + len(one.source) + len(one.locator) + _BESIDE
        if room < 0 and count:
            return found[:count], len(found) - count
    return found, 0


def by_words(
    connection: sqlite3.Connection, owner: str, query: str, source_id: str, limit: int
) -> list[Passage]:
    """Return the passages that have all words of a query, or else at least half, best first.

    Args:
        connection: the file.
        owner: whose passages.
        query: plain words; nothing in it is an operator.
        source_id: only of this source, or "" for all.
        limit: how many at most.
    """
    match = all_words(query)
    if not match:
        return []
    found = store.passages_by_words(connection, owner, match, source_id, limit)
    if found:
        return found
    parts = informative_parts(query)
    some = any_part(parts)
    if some in ("", match):
        return []
    enough = _with_enough(connection, owner, parts)
    near = store.passages_by_words(connection, owner, some, source_id, _MOST_SCANNED)
    return [one for one in near if one.passage_id in enough][:limit]


def _by_title(
    connection: sqlite3.Connection, owner: str, query: str, source_id: str, limit: int
) -> list[Passage]:
    """Return the first passages of the one source whose title a query holds, as whole words."""
    asked = _in_words(query[:_LONGEST_QUERY])
    named = [
        key
        for key, title in _titles(connection, owner)
        if source_id in ("", key) and title.strip() and _in_words(title) in asked
    ]
    return store.passages_of(connection, owner, named[0], limit) if len(named) == 1 else []


def _in_words(text: str) -> str:
    """Return the words of a text, folded, each between blanks; of Chinese all as one."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _with_enough(connection: sqlite3.Connection, owner: str, parts: tuple[str, ...]) -> set[str]:
    """Ids of the passages that have at least half of the parts of a query."""
    rows = connection.execute(
        "SELECT one.passage_id FROM json_each(?) AS part CROSS JOIN passage_words AS one "
        "WHERE one.passage_words MATCH part.value AND one.owner = ? "
        "GROUP BY one.passage_id HAVING count(*) >= ?",
        (json.dumps(parts), owner, (len(parts) + 1) // 2),
    )
    return {row[0] for row in rows}


def _titles(connection: sqlite3.Connection, owner: str) -> list[tuple[str, str]]:
    return connection.execute(
        "SELECT source_id, title FROM sources WHERE owner = ? ORDER BY title, source_id", (owner,)
    ).fetchall()


def _is_named(raw: str, source_id: str, title: str) -> bool:
    return raw == source_id or fold(raw[:400]) == fold(title)


def _unknown(request: SearchRequest, titles: list[str]) -> tuple[SourcesResult, Draft]:
    from rapidfuzz import process

    near = [title for title, _, _ in process.extract(request.source[:400], titles, limit=10)]
    said = f"There is no single source {safe_name(request.source, 80)!r}"
    said += f"; there are: {', '.join(safe_name(t, 80) for t in near)}." if near else "."
    result = SourcesResult(
        answer=said, status="unrecognized_param", passages=[], candidates=near or None
    )
    return result, Draft(
        audit={"status": "unrecognized_param"},
        statements=(Statement("absence", (request.source[:200],), ("source",)),),
    )


def _empty(request: SearchRequest, said: str) -> tuple[SourcesResult, Draft]:
    names = predicate_names("groundwire.learning.cards")
    about = Condition(names["query"], "is", ((request.query[:200],),))
    return SourcesResult(answer=said, status="empty", passages=[]), Draft(
        audit={"status": "empty"},
        statements=(Statement("absence", names["sources"], names["passage"], conditions=(about,)),),
    )
