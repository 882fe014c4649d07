"""The members of a list in their order, by its nodes or by numbers of places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.workflow.queries import RDF_REST

_NIL = RDF_REST.replace("rest", "nil")
_Rows = Sequence[Mapping[str, Cell]]


def in_sequence(rows: _Rows) -> tuple[list[Cell], str]:
    """Return the members of an RDF list, and what is missing of it ("" for nothing).

    Args:
        rows: its nodes with head ?h, node ?n, member ?item and ?rest.
    """
    heads = {_key(row.get("h")) for row in rows}
    if len(heads) != 1:
        return [], f"there are {len(heads)} lists"
    items: dict[str, list[Cell]] = {}
    rests: dict[str, set[str]] = {}
    for row in rows:
        node = _key(row.get("n"))
        if (item := row.get("item")) is not None and item not in items.setdefault(node, []):
            items[node].append(item)
        if (rest := row.get("rest")) is not None:
            rests.setdefault(node, set()).add(_key(rest))
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
    nodes = {_key(row["n1"]): row["n1"] for row in rows}
    places: dict[str, set[str]] = {}
    for row in stated:
        places.setdefault(_key(row["x"]), set()).add(_key(row["v"]))
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


def _key(cell: Cell) -> str:
    return cell.value if isinstance(cell, Term) else str(cell)
