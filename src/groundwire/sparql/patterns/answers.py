"""The answer of a pattern: an ending, a sentence, rows, and the statements behind them.

Rows that are the members of a list are put in its order, by its nodes or by numbers of places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from groundwire.evidence.records import Statement, Value
from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.reading import Option
from groundwire.sparql.workflow.model import Row
from groundwire.sparql.workflow.queries import RDF_REST

_LONGEST = 300
_NIL = RDF_REST.replace("rest", "nil")
_Rows = Sequence[Mapping[str, Cell]]
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


def in_sequence(rows: _Rows) -> tuple[list[Cell], str]:
    """Return the members of an RDF list, and what is missing of it ("" for nothing).

    Args:
        rows: its nodes with head ?h, node ?n, member ?item and ?rest.
    """
    heads = {key_of(row.get("h")) for row in rows}
    if len(heads) != 1:
        return [], f"there are {len(heads)} lists"
    items: dict[str, list[Cell]] = {}
    rests: dict[str, set[str]] = {}
    for row in rows:
        node = key_of(row.get("n"))
        if (item := row.get("item")) is not None and item not in items.setdefault(node, []):
            items[node].append(item)
        if (rest := row.get("rest")) is not None:
            rests.setdefault(node, set()).add(key_of(rest))
    found: list[Cell] = []
    seen: set[str] = set()
    at = heads.pop()
    while at != _NIL:
        if at in seen:
            return found, f"after member {len(found)} it begins again"
        seen.add(at)
        if len(items.get(at, ())) != 1:
            return found, f"member {len(found) + 1} is not stated once"
        found += items[at]
        if len(rests.get(at, ())) != 1:
            return found, f"it breaks off after member {len(found)}"
        at = next(iter(rests[at]))
    return found, ""


def in_places(rows: _Rows, stated: _Rows) -> tuple[list[Cell], str]:
    """Return nodes by their numbers, and what is missing of them ("" for nothing).

    Args:
        rows: the nodes, ?n1.
        stated: node ?x with its number ?v.
    """
    nodes = {key_of(row["n1"]): row["n1"] for row in rows}
    places: dict[str, set[str]] = {}
    for row in stated:
        places.setdefault(key_of(row["x"]), set()).add(key_of(row["v"]))
    numbered: dict[int, Cell] = {}
    for key, node in nodes.items():
        held = places.get(key, set[str]())
        if len(held) != 1 or not (number := next(iter(held))).isdigit():
            return [], f"{len(nodes)} are held, and of one the place is not stated once"
        if int(number) in numbered:
            return [], f"more than one has the place {number}"
        numbered[int(number)] = node
    first = min(1, *numbered) if numbered else 1
    absent = [str(one) for one in range(first, max(numbered, default=0) + 1) if one not in numbered]
    missing = (
        f"{len(nodes)} are held, and number {', '.join(absent[:20])} is missing" if absent else ""
    )
    return [numbered[one] for one in sorted(numbered)], missing
