"""Patterns of SPARQL queries: what they name, and what they say of their columns and all rows.

A column holds values of a property of the row's thing, or names what the property leads to; the
thing is of a class; and literals, entities and bounds of the pattern hold for every row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from groundwire.evidence.records import Operator
from groundwire.sparql.workflow.queries import LABEL_PATHS, local_name

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# Triples of these make no pattern that has to match.
_NOT_MATCHED = frozenset(("template",))
# Predicates that an engine computes; no statement has them.
_COMPUTED = (
    "bif:",
    "sql:",
    "http://www.openlinksw.com/schemas/",
    "http://jena.apache.org/",
    "http://jena.hpl.hp.com/",
    "http://qlever.cs.uni-freiburg.de/",
    "http://www.bigdata.com/",
    "http://www.ontotext.com/",
    "http://www.openrdf.org/contrib/",
    "http://wikiba.se/ontology#label",
    "http://www.w3.org/2000/01/rdf-schema#member",
)
_INNER = frozenset(
    ("SelectQuery", "AskQuery", "Project", "OrderBy", "Distinct", "Reduced", "Extend", "Slice")
)
_GROUPED = frozenset(("AggregateJoin", "Group"))
_BOUNDS: dict[str, Operator] = {
    "=": "is", ">": "more_than", ">=": "at_least", "<": "less_than", "<=": "at_most",
}  # fmt: skip
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "="}


class NamedInQuery(NamedTuple):
    """IRIs that stand as predicates, and as classes, in the patterns of a query."""

    predicates: tuple[str, ...]
    classes: tuple[str, ...]


@lru_cache(maxsize=64)
def algebra_of(query: str) -> Any:
    """Return the algebra of a query as rdflib reads it; None where it does not."""
    from rdflib.plugins.sparql import prepareQuery

    try:
        return cast("Any", prepareQuery(query)).algebra
    except Exception:  # rdflib raises whatever its grammar actions do
        return None


def named_in(query: str) -> NamedInQuery:
    """Return the predicates and classes that the patterns of a query name.

    Those that an engine computes, and those that a path excludes, are left out. Nothing is
    returned of a query that is not understood.
    """
    from rdflib.term import URIRef

    predicates: dict[str, None] = {}
    classes: dict[str, None] = {}
    for _, predicate, value in _triples(algebra_of(query)):
        steps = list(_steps(predicate))
        predicates |= dict.fromkeys(steps)
        if RDF_TYPE in steps and isinstance(value, URIRef):
            classes[str(value)] = None
    held = (one for one in predicates if one != RDF_TYPE and not one.startswith(_COMPUTED))
    return NamedInQuery(tuple(held), tuple(classes))


def _triples(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The triples of every pattern in a query, those of filters too."""
    from rdflib.plugins.sparql.parserutils import CompValue

    if isinstance(node, CompValue):
        for key, value in cast("Any", node).items():
            if key == "triples":
                yield from (one for one in value if len(one) == 3)
            elif key not in _NOT_MATCHED:
                yield from _triples(value)
    elif isinstance(node, (list, tuple, set)):
        for one in cast("list[Any]", node):
            yield from _triples(one)


def _steps(predicate: Any) -> Iterator[str]:
    """The IRIs of a predicate or path, without those that it excludes."""
    from rdflib import paths
    from rdflib.term import URIRef

    if isinstance(predicate, URIRef):
        yield str(predicate)
    elif isinstance(predicate, (paths.SequencePath, paths.AlternativePath)):
        for one in cast("Any", predicate).args:
            yield from _steps(one)
    elif isinstance(predicate, (paths.InvPath, paths.MulPath)):
        inner = cast("Any", predicate)
        yield from _steps(inner.arg if isinstance(predicate, paths.InvPath) else inner.path)


class Asked(NamedTuple):
    """A condition that every row meets: a property with its value or bound."""

    predicate: str
    operator: Operator
    value: str
    is_entity: bool = False


class Sorting(NamedTuple):
    """How the rows of a query are sorted and cut.

    Attributes:
        column: the column by whose values they are sorted.
        thing: the columns that are the thing which the values are of, or its name.
        falls: whether the greatest value stands first.
        limit: how many rows are returned at most; None where all are.
    """

    column: str
    thing: tuple[str, ...]
    falls: bool
    limit: int | None


class Pattern(NamedTuple):
    """The pattern of a query.

    Attributes:
        properties: by column the property that leads to what it holds or names; "" for the name
            of the row's own thing.
        classes: by column the classes of the thing that it is or names.
        fixed: by column the literals that its subject has in every row, by the property's name;
            nothing where rows are grouped.
        conditions: what every row meets.
        counts: the classes of what a COUNT without groups counts; None where the query is none.
        is_read: whether all that narrows the rows is among the conditions.
        sorting: how the rows are sorted; None where they are not sorted by one property of a
            thing, or where something is not read that narrows the things.
    """

    properties: dict[str, str]
    classes: dict[str, tuple[str, ...]]
    fixed: dict[str, dict[str, str]]
    conditions: tuple[Asked, ...]
    counts: tuple[str, ...] | None
    is_read: bool
    sorting: Sorting | None = None

    def iris(self) -> Iterator[str]:
        """Yield the properties, classes and entities that it names."""
        yield from (one for one in self.properties.values() if one)
        for own in (*self.classes.values(), self.counts or ()):
            yield from own
        for one in self.conditions:
            yield from ((one.predicate, one.value) if one.is_entity else (one.predicate,))


NO_PATTERN = Pattern({}, {}, {}, (), None, False)


@lru_cache(maxsize=64)
def pattern_of(query: str) -> Pattern:
    """Return what the pattern of a query says; `NO_PATTERN` for one that is not understood."""
    from rdflib.term import Literal, URIRef, Variable

    algebra = algebra_of(query)
    if algebra is None:
        return NO_PATTERN
    nodes = list(_nodes(algebra))
    triples = [t for node in nodes if node.name == "BGP" for t in _plain(node.triples)]
    leads = {o: (s, str(p)) for s, p, o in triples if isinstance(o, Variable)}
    classes: dict[Any, list[str]] = {}
    asked: list[tuple[Any, Asked]] = []
    for subject, predicate, value in triples:
        if str(predicate) == RDF_TYPE and isinstance(value, URIRef):
            classes.setdefault(subject, []).append(str(value))
        elif isinstance(value, (Literal, URIRef)):
            is_entity = isinstance(value, URIRef)
            thing, leading = leads.get(subject, (subject, ""))
            if leading and str(predicate) in LABEL_PATHS:  # "continent is Oceania", not its label
                subject, predicate = thing, leading
            asked.append((subject, Asked(str(predicate), "is", str(value), is_entity)))
    is_read = all(node.name in ("BGP", "Filter", "AggregateJoin") for node in nodes)
    is_sorted = is_read
    for node in nodes:
        if node.name == "Filter":
            bounds = list(_bounds(node.expr))
            is_read = is_read and None not in bounds
            is_sorted = is_sorted and bounds.count(None) == sum(1 for _ in _languages(node.expr))
            asked += [
                (leads[one[0]][0], Asked(leads[one[0]][1], one[1], one[2]))
                for one in bounds
                if one is not None and one[0] in leads
            ]
    properties: dict[str, str] = {}
    of_columns: dict[str, tuple[str, ...]] = {}
    fixed: dict[str, dict[str, str]] = {}
    is_grouped = any(node.name == "AggregateJoin" for node in nodes)
    for variable in algebra.PV or ():
        thing, predicate = leads.get(variable, (variable, ""))
        own = [one for subject, one in asked if subject == thing and not is_grouped]
        fixed[str(variable)] = {
            local_name(one.predicate): one.value
            for one in own
            if one.operator == "is" and not one.is_entity
        }
        if predicate in LABEL_PATHS:
            predicate = leads.get(thing, (thing, ""))[1]
        else:
            thing = variable
        properties[str(variable)] = predicate
        of_columns[str(variable)] = tuple(classes.get(thing, ()))
    conditions = tuple(one for _, one in asked)
    sorting = _sorting(algebra, leads) if is_sorted and not is_grouped else None
    counts = _counts(nodes, classes)
    return Pattern(properties, of_columns, fixed, conditions, counts, is_read, sorting)


def _sorting(algebra: Any, leads: Mapping[Any, tuple[Any, str]]) -> Sorting | None:
    """Return how a query sorts its rows by one property of a thing that it names, and cuts them."""
    from rdflib.term import Variable

    limit, node = None, algebra.p
    while node is not None and node.name in ("Slice", "Distinct", "Reduced", "Project"):
        if node.name == "Slice":
            if node.start:
                return None
            limit = node.length
        node = node.p
    if node is None or node.name != "OrderBy":
        return None
    first = node.expr[0]
    if not isinstance(first.expr, Variable) or first.expr not in leads:
        return None
    thing, _ = leads[first.expr]
    called = {v for v, (of, by) in leads.items() if of == thing and by in LABEL_PATHS}
    things = tuple(str(v) for v in algebra.PV if v == thing or v in called)
    return Sorting(str(first.expr), things, first.order == "DESC", limit)


def _languages(expression: Any) -> Iterator[Any]:
    """Yield the parts of a filter that only choose the language of a text."""
    from rdflib.term import Literal, Variable

    name = getattr(expression, "name", "")
    if name == "ConditionalAndExpression":
        for part in (expression.expr, *expression.other):
            yield from _languages(part)
    elif name == "RelationalExpression" and expression.op == "=":
        of = getattr(expression.expr, "arg", None)
        is_tag = getattr(expression.expr, "name", "") == "Builtin_LANG"
        if is_tag and isinstance(of, Variable) and isinstance(expression.other, Literal):
            yield expression


def _counts(nodes: Sequence[Any], classes: dict[Any, list[str]]) -> tuple[str, ...] | None:
    """Return the classes of what is counted, where a query counts one thing without groups."""
    joins = [node for node in nodes if node.name == "AggregateJoin"]
    if len(joins) != 1 or joins[0].p.expr or len(joins[0].A) != 1:
        return None
    [aggregate] = joins[0].A
    if aggregate.name != "Aggregate_Count":
        return None
    every = {one for own in classes.values() for one in own}
    return tuple(classes.get(aggregate.vars, sorted(every) if len(every) == 1 else ()))


def _nodes(node: Any) -> Iterator[Any]:
    """Yield the patterns, filters and aggregates of every row, and what is not read."""
    name = getattr(node, "name", "")
    if name in _INNER or name in _GROUPED or name == "Filter":
        if name in ("Filter", "AggregateJoin"):
            yield node
        yield from _nodes(node.p)
    elif name == "Join":
        yield from _nodes(node.p1)
        yield from _nodes(node.p2)
    elif name == "LeftJoin":
        yield from _nodes(node.p1)
    elif name:
        yield node


def _plain(triples: Sequence[Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield triples, those of a path from step to step."""
    from rdflib.paths import SequencePath
    from rdflib.term import URIRef, Variable

    for number, (subject, predicate, value) in enumerate(triples):
        if isinstance(predicate, URIRef):
            yield subject, predicate, value
        elif isinstance(predicate, SequencePath) and all(
            isinstance(one, URIRef) for one in predicate.args
        ):
            ends = [Variable(f"path_{number}_{step}") for step in range(len(predicate.args) - 1)]
            yield from zip((subject, *ends), predicate.args, (*ends, value), strict=True)


def _bounds(expression: Any) -> Iterator[tuple[Any, Operator, str] | None]:
    """Yield variables with their bound, where all parts of a filter hold; None for another part."""
    from rdflib.term import Literal, Variable

    name = getattr(expression, "name", "")
    if name == "ConditionalAndExpression":
        for part in (expression.expr, *expression.other):
            yield from _bounds(part)
        return
    op = expression.op if name == "RelationalExpression" else ""
    if op in _BOUNDS:
        sides = (expression.expr, expression.other)
        for (variable, literal), sign in ((sides, op), (sides[::-1], _TURNED[op])):
            if isinstance(variable, Variable) and isinstance(literal, Literal):
                yield variable, _BOUNDS[sign], str(literal)
                return
    yield None
