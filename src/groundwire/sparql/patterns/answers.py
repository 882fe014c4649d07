"""The answer of a pattern: an ending, a sentence, rows, and the statements behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from groundwire.evidence.records import Statement, Value
from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.reading import Option
from groundwire.sparql.workflow.model import Row

_LONGEST = 300
Ending = Literal["answered", "entity_found", "needs_decision", "unread"]


class Proof(NamedTuple):
    """One statement of the graph."""

    subject: Cell
    predicate: Cell
    object: Cell


@dataclass(frozen=True, slots=True)
class PatternAnswer:
    """The answer of a pattern.

    Attributes:
        ending: as of a run; `unread` where words of the prompt were not understood.
        sentence: what is told, in the language of the prompt.
        rows: the answer, or the entities that are known.
        values, statements: what the rows state, for the ledger.
        confidence: `medium` where a relation was concluded from the use of the graph, or where the
            graph does not say a value of everything that was compared; else `high`.
        denies: it says no.
    """

    ending: Ending
    sentence: str
    rows: tuple[Row, ...] = ()
    values: tuple[Value, ...] = ()
    statements: tuple[Statement, ...] = ()
    confidence: Literal["high", "medium"] = "high"
    denies: bool = False


def key_of(cell: Cell) -> str:
    """Return the text of a cell."""
    return cell.value if isinstance(cell, Term) else "" if cell is None else str(cell)


def start_term(option: Option) -> Term:
    """Return an entity as a term, or the value that stands for one."""
    return Term("literal", option.label) if option.property else Term("iri", option.iri)


def ends_of(found: Sequence[tuple[Cell, list[Proof]]]) -> list[Cell]:
    """Return what the steps before the last of some proofs join."""
    return [end for _, proofs in found for one in proofs[:-1] for end in (one.subject, one.object)]


def cut_text(text: str) -> str:
    """Return a text on one line, cut where it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST].rstrip()}..."
