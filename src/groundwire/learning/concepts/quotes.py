"""Quotes that stand behind a change: letter by letter in a passage, and naming what they prove."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundwire.learning.concepts.graph import Node
from groundwire.learning.concepts.language import Fault
from groundwire.learning.concepts.rules import Limits
from groundwire.problems import phrase
from groundwire.safe_text import safe_name
from groundwire.vocabulary.fold import CJK_RUN, split_words


class SentQuote(BaseModel):
    """A quote as it is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)

    passage_id: str = Field(max_length=200)
    text: str = Field(min_length=1)
    operations: tuple[int, ...] = Field((), strict=False)


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote that stands in its passage.

    Attributes:
        text: what is quoted.
        passage_id: the passage.
        source: title of its source.
        locator: where it stands there.
        hash: the hash of the passage.
        operations: places of the operations that it is for, from 1; empty means all.
    """

    text: str
    passage_id: str
    source: str
    locator: str
    hash: str
    operations: tuple[int, ...]

    def names(self, node: Node) -> bool:
        """Whether it holds the name or an alias of a node, as whole words."""
        return any(holds_name(self.text, name) for name in (node.name, *node.aliases))


def quote_of(tree: Mapping[str, Any]) -> Quote:
    """Return a quote from the fields that were kept of it."""
    return Quote(
        tree["text"],
        tree["passage_id"],
        tree["source"],
        tree["locator"],
        tree["hash"],
        tuple(tree["operations"]),
    )


def holds_name(text: str, name: str) -> bool:
    """Whether a text holds a name as whole words; case, accents and simple plurals are folded."""
    if CJK_RUN.search(name):
        return name in text
    words, wanted = split_words(text).singular, split_words(name).singular
    if not wanted:
        return False
    last = len(words) - len(wanted)
    return any(words[at : at + len(wanted)] == wanted for at in range(last + 1))


def read_quotes(
    connection: sqlite3.Connection,
    reader: str,
    sent: Sequence[Mapping[str, Any]],
    limits: Limits,
) -> tuple[list[Quote], list[Fault]]:
    """Read quotes and look each up in the passages of who sent them.

    Args:
        connection: the file of learning.
        reader: whose passages are looked in.
        sent: the quotes as they came.
        limits: how many and how long they may be.

    Returns:
        the quotes that stand, and what is wrong with the others.
    """
    if len(sent) > limits.most_quotes:
        said = f"{len(sent):,} quotes are too many: send at most {limits.most_quotes}"
        return [], [Fault("quotes", 0, said)]
    found: list[Quote] = []
    faults: list[Fault] = []
    for number, one in enumerate(sent, 1):
        try:
            quote = SentQuote.model_validate(one)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, problem["loc"])) or "it"
            faults.append(Fault("quotes", 0, f"quote {number}: {where} {phrase(problem)}"))
            continue
        said = ""
        row: tuple[str, str, str, str] | None = None
        if len(quote.text) > limits.longest_quote:
            said = f"is too long: at most {limits.longest_quote:,} characters"
        else:
            row = connection.execute(
                "SELECT p.text, p.locator, p.hash, coalesce(s.title, '') FROM passages p"
                " LEFT JOIN sources s ON s.owner = p.owner AND s.source_id = p.source_id"
                " WHERE p.owner = ? AND p.passage_id = ?",
                (reader, quote.passage_id),
            ).fetchone()
        if not said and row is None:
            shown = safe_name(quote.passage_id, 80)
            said = f'has no passage "{shown}": send a passage_id of search_sources'
        elif row is not None and (not quote.text.strip() or quote.text not in row[0]):
            said = "does not stand in its passage letter by letter: copy it from there"
        if said or row is None:
            faults.append(Fault("quotes", 0, f"quote {number} {said}"))
        else:
            text, operations = quote.text, quote.operations
            found.append(Quote(text, quote.passage_id, row[3], row[1], row[2], operations))
    return found, faults


def unproven(
    quotes: Sequence[Quote], about: Mapping[int, Sequence[Node]], edges: Iterable[int]
) -> list[Fault]:
    """Return a fault for each operation that no quote stands behind.

    Args:
        quotes: the quotes that stand in their passages.
        about: by operation the nodes that have to be named.
        edges: operations that relate two nodes: one quote has to name both.
    """
    related = set(edges)
    faults: list[Fault] = []
    for number, nodes in sorted(about.items()):
        own = [one for one in quotes if not one.operations or number in one.operations]
        if number in related:
            proven = any(all(one.names(node) for node in nodes) for one in own)
        else:
            proven = all(any(one.names(node) for one in own) for node in nodes)
        if not proven:
            names = " and ".join(f'"{safe_name(node.name, 80)}"' for node in nodes[:3])
            together = "one quote that names both" if number in related else "a quote that names"
            faults.append(Fault("quotes", number, f"send {together} {names}"))
    return faults
