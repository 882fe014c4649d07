"""The constraints of one shape as plain values, malformed literals found on the way.

Names for listed literals, from concepts that have the literal as their notation. A list `( "DE"
"FR" )` says nothing of Germany; a concept scheme beside it may: concepts with `skos:notation "DE"`
and labels (SKOS Reference, section 6). Schemes are matched to lists by what they hold, so that
"bicycle" among lanes is a cycle lane and among road users is a bicycle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, NamedTuple

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import EnumValue, Text
from groundwire.ontology.index.namespaces import IN_SCHEME, NOTATION, SH, XSD
from groundwire.ontology.index.schema import Schema, to_term

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph, Node
    from groundwire.ontology.index.views import Fact


class Notations:
    """The concepts of all schemes by their notations."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self._schema = schema
        self._schemes: dict[str, dict[str, list[str]]] = {}
        for concept, predicate, node in graph.watched:
            if predicate == NOTATION:
                for scheme in graph.values(concept, IN_SCHEME) or ("",):
                    held = self._schemes.setdefault(scheme, {})
                    held.setdefault(node.value, []).append(concept)

    def names(self, values: Sequence[str]) -> dict[str, tuple[Text, ...]]:
        """Labels by value, from the one scheme that fits the list; nothing where none does.

        A scheme fits if it has more than half of the values; of several the one that has most of
        them, then the one that has fewest others. Where two fit alike, neither is taken.
        """
        wanted = set(values)
        fits = sorted(
            (-len(wanted & held.keys()), len(held), scheme)
            for scheme, held in self._schemes.items()
            if 2 * len(wanted & held.keys()) > len(wanted)
        )
        if not fits or (len(fits) > 1 and fits[0][:2] == fits[1][:2]):
            return {}
        held = self._schemes[fits[0][2]]
        return {
            value: tuple(
                dict.fromkeys(
                    text for concept in held[value] for text in self._schema.labels(concept)
                )
            )
            for value in wanted & held.keys()
        }


_INTEGERS = frozenset(
    XSD + name
    for name in (
        "integer",
        "int",
        "long",
        "short",
        "byte",
        "nonNegativeInteger",
        "positiveInteger",
        "nonPositiveInteger",
        "negativeInteger",
        "unsignedInt",
        "unsignedLong",
        "unsignedShort",
        "unsignedByte",
    )
)
NUMBERS = _INTEGERS | {XSD + "decimal", XSD + "float", XSD + "double"}
# Each takes one IRI or a list of IRIs, any of which will do (SHACL 1.2 Core, section 4.1).
_LISTED = ("datatype", "class", "nodeKind")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN")
_BOOLEANS = frozenset({"true", "false", "0", "1"})


class Bound(NamedTuple):
    """A least or greatest value; `order` compares it with bounds of the same type."""

    term: Term
    exclusive: bool
    order: Decimal | str


class Constraints(NamedTuple):
    """Constraints of one shape on values.

    Attributes:
        values: the items of `sh:in`, None without a list.
        node_kind: local name of `sh:nodeKind`, or empty.
        kinds: which kinds of term ("literal", "iri") the constraints speak of.
    """

    datatypes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    values: tuple[EnumValue, ...] | None = None
    has_values: tuple[Term, ...] = ()
    patterns: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    node_kind: str = ""
    minimum: Bound | None = None
    maximum: Bound | None = None
    kinds: frozenset[str] = frozenset()


def well_formed(term: Term) -> bool:
    """Return False for a literal whose text does not fit its datatype (XML Schema 1.1, part 2)."""
    if term.kind != "literal" or not term.datatype.startswith(XSD):
        return True
    if term.datatype in _INTEGERS:
        return _INTEGER.fullmatch(term.value) is not None
    if term.datatype in NUMBERS:
        return _NUMBER.fullmatch(term.value) is not None
    if term.datatype == XSD + "boolean":
        return term.value in _BOOLEANS
    try:
        if term.datatype == XSD + "date":
            date.fromisoformat(term.value[:10])
        elif term.datatype == XSD + "dateTime":
            datetime.fromisoformat(term.value.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


class ConstraintReader:
    """Reads the constraints of shapes, once each; equal lists become one enumeration."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self._graph = graph
        self._schema = schema
        self._notations = Notations(graph, schema)
        self._read: dict[tuple[str, int], Constraints] = {}
        self._lists: dict[str, tuple[EnumValue, ...]] = {}
        self._equal: dict[tuple[str, ...], tuple[EnumValue, ...]] = {}

    def of(self, fact: Fact) -> Constraints:
        """The constraints of a fact's shape."""
        # Of a drafted shape, a part of the constraints may be looked at.
        key = (fact.shape, len(fact.constraints))
        known = self._read.get(key)
        if known is None:
            known = self._read[key] = self._parse(fact)
        return known

    def _parse(self, fact: Fact) -> Constraints:
        by_name: dict[str, list[Node]] = {}
        for predicate, node in fact.constraints:
            by_name.setdefault(predicate[len(SH) :], []).append(node)
        for name in _LISTED:
            if name in by_name:
                by_name[name] = self._each(by_name[name])
        lists = [self._list(node.value, fact.shape) for node in by_name.get("in", ())]
        kinds = [node.value.rpartition("#")[2] for node in by_name.get("nodeKind", ())]
        values = _joined(lists) if lists else None
        terms = [to_term(node) for node in by_name.get("hasValue", ())]
        has_values = tuple([term for term in terms if self._checked(term, fact.shape)])
        return Constraints(
            datatypes=tuple([node.value for node in by_name.get("datatype", ())]),
            classes=tuple([node.value for node in by_name.get("class", ())]),
            values=values,
            has_values=has_values,
            patterns=tuple([node.value for node in by_name.get("pattern", ())]),
            languages=tuple(
                [
                    item.value
                    for node in by_name.get("languageIn", ())
                    for item in self._graph.items(node.value)
                ]
            ),
            node_kind=kinds[0] if len(kinds) == 1 else "",
            minimum=self._bound(by_name, "min", fact.shape),
            maximum=self._bound(by_name, "max", fact.shape),
            kinds=_kinds(by_name, kinds, has_values, values or ()),
        )

    def _each(self, nodes: list[Node]) -> list[Node]:
        """The nodes, with the items of those that are lists."""
        first = self._graph.first
        return [
            item
            for node in nodes
            for item in (self._graph.items(node.value) if node.value in first else (node,))
        ]

    def _bound(self, by_name: dict[str, list[Node]], end: str, shape: str) -> Bound | None:
        within, outside = f"{end}Inclusive", f"{end}Exclusive"
        if within not in by_name and outside not in by_name:
            return None
        found: list[Bound] = []
        for name, exclusive in ((within, False), (outside, True)):
            for node in by_name.get(name, ()):
                term = to_term(node)
                if self._checked(term, shape):
                    order = _order(term)
                    if order is not None:
                        found.append(Bound(term, exclusive, order))
        return tightest(found, end)

    def _checked(self, term: Term, shape: str) -> bool:
        if well_formed(term):
            return True
        kind = term.datatype.removeprefix(XSD)
        self._graph.warn(
            shape,
            f'"{term.value}" is no xsd:{kind}: this constraint is left out',
            f'"{term.value}"',
        )
        return False

    def _list(self, head: str, shape: str) -> tuple[EnumValue, ...]:
        known = self._lists.get(head)
        if known is not None:
            return known
        items = self._graph.items(head)
        key = tuple([str(item) for item in items])
        known = self._equal.get(key)
        if known is None:
            found: dict[Term, EnumValue] = {}
            terms = [to_term(item) for item in items]
            names = self._notations.names([t.value for t in terms if t.kind == "literal"])
            for term in terms:
                if not well_formed(term):
                    self._checked(term, shape)
                    continue
                if term.kind == "iri":
                    labels = self._schema.labels(term.value)
                else:
                    labels = names.get(term.value, ())
                found[term] = EnumValue(term, labels)
            known = self._equal[key] = tuple(found.values())
        self._lists[head] = known
        return known


def _kinds(
    by_name: Collection[str],
    node_kinds: list[str],
    has_values: tuple[Term, ...],
    values: tuple[EnumValue, ...],
) -> frozenset[str]:
    found: set[str] = {term.kind for term in has_values}
    found.update([value.term.kind for value in values])
    if "datatype" in by_name or any(kind.startswith("Literal") for kind in node_kinds):
        found.add("literal")
    if "class" in by_name or not {"IRI", "BlankNodeOrIRI"}.isdisjoint(node_kinds):
        found.add("iri")
    if "BlankNode" in node_kinds:
        found.add("node")
    return frozenset(found)


def _joined(lists: list[tuple[EnumValue, ...]]) -> tuple[EnumValue, ...]:
    if len(lists) == 1:
        return lists[0]
    return tuple({value.term: value for values in lists for value in values}.values())


def _order(term: Term) -> Decimal | str | None:
    if term.datatype not in NUMBERS:
        return term.value
    try:
        value = Decimal(term.value.replace("INF", "Infinity"))
    except InvalidOperation:
        return None
    return None if value.is_nan() else value


def tightest(bounds: list[Bound], end: str) -> Bound | None:
    """The bound that holds when all do; None for bounds that do not compare."""
    return _extreme(bounds, greatest=end == "min", exclusive_wins=True)


def loosest(bounds: list[Bound], end: str) -> Bound | None:
    """The bound that holds when any does; None for bounds that do not compare."""
    return _extreme(bounds, greatest=end == "max", exclusive_wins=False)


def _extreme(bounds: list[Bound], *, greatest: bool, exclusive_wins: bool) -> Bound | None:
    best: Bound | None = None
    for bound in bounds:
        if best is None:
            best = bound
        elif type(bound.order) is not type(best.order):
            return None
        elif bound.order == best.order:
            if bound.exclusive == exclusive_wins:
                best = bound
        elif (bound.order > best.order) == greatest:  # type: ignore[operator]  # of one type, see above
            best = bound
    return best
