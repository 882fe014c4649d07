"""Files taken in by their ending, packages, tables and documents, and told in lines for people.

Documents become sources: passages, with offsets in their text and places for a reader.

The embedded sample is a text, a deck of cards that quote it, and an invented log of reviews, for
demos and tests. The log tells times as days before now, so that some cards are always due.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.documents.blocks import Progress, tidy
from groundwire.documents.bounds import read_bytes
from groundwire.documents.chunks import chunks
from groundwire.documents.reading import read
from groundwire.errors import ConfigurationError, InputError, LimitError
from groundwire.learning.cards import store
from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
from groundwire.learning.concepts.rules import read_rules
from groundwire.learning.learner import Learner
from groundwire.learning.packages.apkg_reading import PackageReport, import_package
from groundwire.learning.packages.csv_columns import is_anki_text
from groundwire.learning.packages.csv_reading import TableReport, import_table
from groundwire.learning.reviews.store import Imported, add_imported
from groundwire.learning.terms import DAY_MS
from groundwire.safe_text import new_handle
from groundwire.statefile import StateFile
from groundwire.vocabulary import fold

LONGEST_PASSAGE = 1_200
"""Characters of a passage; a longer paragraph is cut at the ends of sentences."""

MOST_PASSAGES = 200_000
"""Passages that one source may have."""

LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The result of taking in a document.

    Attributes:
        source_id: its id.
        title: its title.
        passages: passages that were added; 0 where the same file was there already.
        characters: characters of its text.
        notes: what could not be read of it, for people.
    """

    source_id: str
    title: str
    passages: int
    characters: int
    notes: tuple[str, ...]


def import_source(
    state: StateFile,
    owner: str,
    path: Path,
    *,
    now_ms: int,
    title: str = "",
    progress: Progress | None = None,
) -> SourceReport:
    """Read a document and keep its passages, all of them or nothing.

    The same file is taken once. One that changed is another source: cards go on quoting the
    passages that proved them.

    Args:
        state: the file of learning.
        owner: whose source.
        path: text, Markdown, HTML, DOCX or PDF.
        now_ms: the present, milliseconds since 1970 in UTC.
        title: its title; "" takes that of its front matter, else the file's name.
        progress: told of the name of the file, pages read, of how many.

    Raises:
        InputError: it is not there, broken, without text, or of no known format.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
        UnavailableError: the file of learning cannot be written.
    """
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    with state.reading() as connection:
        row = (
            connection
            and connection.execute(
                "SELECT source_id, title FROM sources WHERE owner = ? AND hash = ?", (owner, digest)
            ).fetchone()
        )
    if row:
        return SourceReport(row[0], row[1], 0, 0, ("the same file is held already",))
    reading = read(path, progress)
    front = dict(reading.front)
    named = " ".join(tidy(title or front.get("title", "") or path.name).split())
    text = "\n".join(block.text for block in reading.blocks)
    passages = list(chunks(reading.blocks, LONGEST_PASSAGE))
    if len(passages) > MOST_PASSAGES:
        raise LimitError(f"The document {path.name} is too long: split it")
    source_id = new_handle("source")
    kind = path.suffix.lower().lstrip(".")
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO sources (owner, source_id, title, kind, hash, added_ms) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (owner, source_id, named[:LONGEST_TITLE], kind, digest, now_ms),
        )
        store.add_passages(connection, owner, source_id, passages)
    return SourceReport(
        source_id, named[:LONGEST_TITLE], len(passages), len(text), tuple(reading.notes)
    )


PACKAGES = (".apkg", ".colpkg")
TABLES = (".csv", ".tsv")
DOCUMENTS = (".md", ".markdown", ".txt", ".html", ".htm", ".docx", ".pdf")

_MOST_DECKS = 5


def import_into(
    learner: Learner,
    path: Path,
    *,
    deck: str = "",
    title: str = "",
    progress: Progress | None = None,
) -> list[str]:
    """Take in a file, all of it or nothing, and return what became of it, line by line.

    Args:
        learner: whose it is.
        path: a package of Anki, a table of cards or reviews, or a document.
        deck: deck of a table's cards, where it names none.
        title: title of a document; "" takes its own.
        progress: told of the name of the file, what is done, of how much.

    Raises:
        InputError: it is not there, broken, or of no known format.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
        UnavailableError: the file of learning cannot be written.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder: name the files in it.")
    report = import_file(learner, path, deck=deck, title=title, progress=progress)
    match report:
        case PackageReport():
            return [*_of_package(path.name, report)]
        case TableReport():
            return [*_of_table(path.name, report)]
        case SourceReport():
            return [*_of_source(path.name, report)]


def import_file(
    learner: Learner,
    path: Path,
    *,
    deck: str = "",
    title: str = "",
    progress: Progress | None = None,
) -> PackageReport | TableReport | SourceReport:
    """Take in cards and reviews, or a source that cards may quote; as `import_into`."""
    state, owner, now_ms = learner.file, learner.owner, learner.clock()
    ending = path.suffix.lower()
    if ending in PACKAGES:
        return import_package(state, owner, path, now_ms=now_ms, progress=progress)
    if ending in TABLES or (ending == ".txt" and is_anki_text(path)):
        return import_table(state, owner, path, now_ms=now_ms, deck=deck, progress=progress)
    if ending in DOCUMENTS:
        return import_source(state, owner, path, now_ms=now_ms, title=title, progress=progress)
    raise InputError(
        f"{path.name} is of no known format: use one of "
        f"{', '.join((*PACKAGES, *TABLES, *DOCUMENTS))}"
    )


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Return files with documents first, so that the cards of the others find their quotes."""
    return sorted(paths, key=lambda path: path.suffix.lower() not in DOCUMENTS)


def _of_package(name: str, report: PackageReport) -> Iterator[str]:
    yield (
        f"{name}: {_new(report.cards, 'card', report.known)} from {_count(report.notes, 'note')}; "
        f"{_new(report.reviews, 'review', report.reviews_known)}"
    )
    if report.decks:
        yield f"decks: {_named(report.decks)}"
    if report.schedules:
        yield (
            f"{_count(report.schedules, 'card')} without reviews in the package: "
            "the due dates of SM-2 are kept"
        )
    yield from _left_out(report.left_out)


def _of_table(name: str, report: TableReport) -> Iterator[str]:
    if report.columns.kind == "reviews":
        yield f"{name}: {_new(report.reviews, 'review', report.reviews_known)}"
    else:
        quoted = f", {report.quoted:,} of them proven by their quote" if report.quoted else ""
        yield f"{name}: {_new(report.cards, 'card', report.known)}{quoted}"
    if report.decks:
        yield f"decks: {_named(report.decks)}"
    unread = ", ".join(report.columns.unread)
    yield f"columns read: {', '.join(report.columns.roles)}" + (
        f"; not: {unread}" if unread else ""
    )
    open_cards = report.cards - report.quoted
    if open_cards:
        yield f"note: no quote proves {_count(open_cards, 'card')}: learnt as imported"
    yield from (f"note: {note}" for note in report.columns.notes)
    yield from _left_out(report.left_out)


def _of_source(name: str, report: SourceReport) -> Iterator[str]:
    if report.passages:
        yield (
            f"{name}: {_count(report.passages, 'passage')} of {report.characters:,} characters, "
            f'as the source "{report.title}"'
        )
        yield from (f"note: {note}" for note in report.notes)
        yield "note: no card is made of it yet: ask your host to make some, each with its quote"
    else:
        yield f'{name}: nothing new, it is held already as the source "{report.title}"'


def _named(decks: Sequence[str]) -> str:
    more = len(decks) - _MOST_DECKS
    return ", ".join(decks[:_MOST_DECKS]) + (f" and {more:,} more" if more > 0 else "")


def _left_out(counts: Mapping[str, int]) -> Iterator[str]:
    for why, count in counts.items():
        noun, _, rest = why.partition(" ")
        yield f"left out: {_count(count, noun.removesuffix('s'))} {rest}"


def _new(count: int, noun: str, known: int) -> str:
    return f"{_count(count, noun)} new" + (f", {known:,} known before" if known else "")


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


_TITLE = "Tides and harbours"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the sample lies.

    Attributes:
        text: the text, Markdown.
        deck: its cards, CSV.
        log: the reviews, CSV.
        graph: the concepts and their edges, operations as JSON.
        rules: what a concept graph may hold, TOML.
    """

    text: Path
    deck: Path
    log: Path
    graph: Path
    rules: Path


def load_sample(learner: Learner, places: Places) -> int:
    """Give a learner the sample, unless they have it, and return how many cards were added.

    Raises:
        ConfigurationError: a file cannot be read, or a quote does not stand in the text.
        UnavailableError: the learner's file cannot be written.
    """
    try:
        cards, log = _rows(places.deck), _rows(places.log)
        operations: list[dict[str, Any]] = json.loads(places.graph.read_text("utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"The sample cannot be read ({error.strerror}): install Groundwire again."
        ) from error
    now = learner.clock()
    with learner.reading() as connection:
        held = connection.execute(
            "SELECT 1 FROM cards WHERE owner = ? AND card_id = ?",
            (learner.owner, cards[0]["card_id"]),
        ).fetchone()
    if held:
        return 0
    source = import_source(learner.file, learner.owner, places.text, now_ms=now, title=_TITLE)
    passages = _passages(learner, source.source_id)
    for card in cards:
        _passage_of(card, passages)
    _add_concepts(learner, operations, places.rules)
    with learner.writing() as connection:
        for card in cards:
            _add_card(connection, learner.owner, card, passages, now)
        entries = [
            Imported(
                f"sample:{number}",
                row["card_id"],
                int(row["rating"]),
                now - round(float(row["days_ago"]) * DAY_MS),
                duration_ms=int(row["duration_ms"]),
                confidence=float(row["confidence"]) if row["confidence"] else None,
            )
            for number, row in enumerate(log, 1)
        ]
        add_imported(connection, learner.owner, entries, now)
    return len(cards)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _passages(learner: Learner, source_id: str) -> list[tuple[str, str]]:
    """Return the passages of a source, each with its id and its text in one line."""
    with learner.reading() as connection:
        rows = connection.execute(
            "SELECT passage_id, text FROM passages WHERE owner = ? AND source_id = ?",
            (learner.owner, source_id),
        )
        return [(passage_id, " ".join(text.split())) for passage_id, text in rows]


def _passage_of(card: dict[str, str], passages: list[tuple[str, str]]) -> str:
    """Return the passage that has the quote of a card."""
    found = next((one for one, text in passages if card["quote"] in text), None)
    if found is None:
        raise ConfigurationError(f"The quote of the sample card {card['card_id']} is in no text.")
    return found


def _add_concepts(learner: Learner, operations: list[dict[str, Any]], rules: Path) -> None:
    """Add the concepts and edges that the learner does not have yet."""
    with learner.reading() as connection:
        names = {
            folded
            for (folded,) in connection.execute(
                "SELECT folded FROM nodes WHERE owner = ?", (learner.owner,)
            )
        }
    new = [one for one in operations if one["op"] != "add_node" or fold(one["name"]) not in names]
    request = ChangeRequest(new, "The concepts of the sample")
    result, _ = submit_graph_changes(learner.file, read_rules(rules), learner.owner, request)
    if result.status != "committed":
        raise ConfigurationError(f"The concepts of the sample do not fit: {result.answer}")


def _add_card(
    connection: sqlite3.Connection,
    owner: str,
    card: dict[str, str],
    passages: list[tuple[str, str]],
    now: int,
) -> None:
    quote, passage_id = card["quote"], _passage_of(card, passages)
    deck_id = f"deck_{fold(card['deck']).replace(' ', '_')}"
    connection.execute(
        "INSERT OR IGNORE INTO decks (owner, deck_id, name, folded, created_ms) "
        "VALUES (?, ?, ?, ?, ?)",
        (owner, deck_id, card["deck"], fold(card["deck"]), now),
    )
    card_id, sides = card["card_id"], [card["front"], card["back"]]
    connection.execute(
        "INSERT INTO notes (owner, note_id, guid, type, names, fields, tags, changed_ms) "
        "VALUES (?, ?, ?, ?, ?, ?, '[]', ?)",
        (
            owner, f"note_{card_id}", card_id, card["type"], json.dumps(["Front", "Back"]),
            json.dumps(sides, ensure_ascii=False), now,
        ),
    )  # fmt: skip
    aliases = [one for one in card["aliases"].split("|") if one]
    connection.execute(
        "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, aliases, "
        "quote, passage_id, state, proof, created_ms) "
        "VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 'active', 'quoted', ?)",
        (
            owner, card_id, f"note_{card_id}", deck_id, card["type"], *sides,
            json.dumps(aliases, ensure_ascii=False), quote, passage_id, now,
        ),
    )  # fmt: skip
    for name in filter(None, card["concepts"].split("|")):
        connection.execute(
            "INSERT OR IGNORE INTO card_concepts (owner, card_id, node_id) "
            "SELECT owner, ?, node_id FROM nodes WHERE owner = ? AND folded = ?",
            (card_id, owner, fold(name)),
        )
