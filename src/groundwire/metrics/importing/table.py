"""The result of every reader of tables: headings, records with their places, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.errors import ConfigurationError, InputError


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that could not be read at all.

    Attributes:
        reason: why.
    """

    reason: str


class Record(NamedTuple):
    """One record of a table.

    Attributes:
        number: the first line or row of it, counted from 1.
        cells: its cells as text, "" for an empty one.
    """

    number: int
    cells: Sequence[str] | Unreadable


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is read once, from its first record to its last.

    Attributes:
        headings: the headings.
        records: what follows them; rows without any cell are left out.
        place: the locator of a column's cells, with `{}` where the number of the record belongs.
        position: how much was read, in the unit of `total`.
        total: bytes or rows of the whole.
        close: closes the file, however far it was read.
        notes: what was assumed in reading it, for people.
    """

    headings: tuple[str, ...]
    records: Iterator[tuple[int, Sequence[str] | Unreadable]]
    place: Callable[[int], str]
    position: Callable[[], int]
    total: int
    close: Callable[[], None]
    notes: tuple[str, ...] = ()

    def column(self, heading: str) -> int:
        """The index of a heading.

        Raises:
            ConfigurationError: no column has it, or several do; the nearest are named.
        """
        wanted = heading.strip()
        found = [index for index, name in enumerate(self.headings) if name == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise ConfigurationError(
                f"{len(found)} columns are headed {wanted!r}: rename all but one of them"
            )
        from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary

        names = [name for name in dict.fromkeys(self.headings) if name]
        near = Vocabulary([Term(name, name) for name in names], KnownWords(languages=()))
        likely = near.resolve(wanted, Policy.CANDIDATES_ONLY)
        alike = [likely.term.id] if likely.term else [one.term.id for one in likely.candidates]
        shown = ", ".join(repr(name) for name in (alike or names)[:5])
        way_out = f"did you mean {shown}?" if alike else f"the columns are {shown}"
        raise ConfigurationError(f"No column is headed {wanted!r}: {way_out}")


def headings_of(cells: Sequence[str], where: str) -> tuple[str, ...]:
    """The headings of a table, trimmed.

    Raises:
        InputError: there are none.
    """
    headings = tuple(" ".join(cell.split()) for cell in cells)
    while headings and not headings[-1]:
        headings = headings[:-1]
    if not headings:
        raise InputError(f"{where} has no headings in its header row: set layout.header_row")
    return headings


def template(text: str) -> str:
    """A text as a part of a locator, without the braces that stand for its number."""
    return text.replace("{", "(").replace("}", ")")
