"""Gathers classes, datatypes and examples of a predicate while a schema is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from groundwire.graph.terms import XSD, XSD_STRING, Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.schema.model import Basis, Use

_MOST_EXAMPLES = 2
_LONGEST_EXAMPLE = 60


@dataclass(slots=True)
class Gathered:
    """The classes, datatypes and examples that were seen at one end of a predicate."""

    classes: dict[str, None] = field(default_factory=dict[str, None])
    datatypes: dict[str, None] = field(default_factory=dict[str, None])
    languages: dict[str, None] = field(default_factory=dict[str, None])
    iris: bool = False
    nodes: bool = False
    examples: dict[str, None] = field(default_factory=dict[str, None])
    basis: Basis = "not counted"

    def take(self, cell: Cell, of: Cell) -> None:
        """Take one value with its class."""
        if isinstance(cell, Term):
            kind = {"iri": "iri", "bnode": "node"}.get(cell.kind, cell.datatype)
            self.take_kind(kind, cell.language, of)
            text = "" if cell.kind == "bnode" else cell.value
        elif cell is None:
            return
        else:
            kind, text = _datatype_of(cell), str(cell)
            self.take_kind(kind, "", of)
        if 0 < len(text) <= _LONGEST_EXAMPLE and len(self.examples) < _MOST_EXAMPLES:
            self.examples[text] = None

    def take_kind(self, kind: str, tag: str, of: Cell) -> None:
        """Take the kind of a value: "iri", "node", or its datatype with its language."""
        if isinstance(of, Term):
            if of.kind == "iri":
                self.classes[of.value] = None
        elif kind in ("iri", "node"):
            self.iris, self.nodes = self.iris or kind == "iri", self.nodes or kind == "node"
        elif tag:
            self.languages[tag.lower()] = None
        else:
            self.datatypes[kind or XSD_STRING] = None

    def use(self, steps: tuple[str, ...], count: int = 0, sampled: int = 0) -> Use:
        """Return the predicate with what was seen of it."""
        basis: Basis = self.basis
        if count:
            basis = "estimated" if sampled else "counted"
        return Use(
            steps, count, basis, tuple(self.classes), tuple(self.datatypes),
            tuple(self.languages), self.iris, self.nodes, tuple(self.examples),
        )  # fmt: skip


def _datatype_of(cell: Any) -> str:
    if isinstance(cell, bool):
        return f"{XSD}boolean"
    return f"{XSD}integer" if isinstance(cell, int) else XSD_STRING


def text_of(cell: Cell) -> str:
    """Return a cell as text."""
    if isinstance(cell, Term):
        return cell.value
    return "" if cell is None else str(cell)
