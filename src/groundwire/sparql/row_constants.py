"""Values that a query fixes for all of its rows: the year it asks for, a column's property.

`SELECT country, value FROM population WHERE year = 2010` answers with figures of 2010, and no cell
says so. Only what holds for every row counts: an equality that all rows must meet, on the one
table of a SELECT or on the subject of the statement that a column comes from. What stands under
OR, NOT, UNION, OPTIONAL, a join or a group is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.evidence.records import Names
from groundwire.sparql.outcome import Language
from groundwire.sparql.query_algebra import algebra_of
from groundwire.sparql.statements import property_names, words
from groundwire.sparql.workflow.exploring import local_name

if TYPE_CHECKING:
    from sqlglot import exp

_Fixed = Mapping[str, str]
_WHOLE = frozenset(("Project", "Slice", "OrderBy", "Distinct", "Reduced", "SelectQuery"))


class ColumnConstants(NamedTuple):
    """Values that a query fixes for one column of its answer.

    Attributes:
        names: other names of the column: the property that it holds, the table of a bare value.
        fixed: the values that each row has, by the name of their column or property.
    """

    names: Names
    fixed: _Fixed


def row_constants(language: Language, query: str) -> dict[str, ColumnConstants]:
    """Return what a query fixes, by column; nothing for a query that is not understood whole."""
    if language == "sparql":
        return dict(_of_sparql(query))
    if language == "sql":
        return dict(_of_sql(query))
    return {}


def query_constants(language: Language, query: str) -> _Fixed:
    """Return what a query of a single table fixes for all of its rows, by column."""
    return _of_table(query)[1] if language == "sql" else {}


# SQL


def _of_sql(query: str) -> Iterator[tuple[str, ColumnConstants]]:
    from sqlglot import exp

    select, fixed = _of_table(query)
    if select is None:
        return
    table = select.find(exp.Table)
    for one in select.expressions:
        column = one.this if isinstance(one, exp.Alias) else one
        if isinstance(column, exp.Column):
            names = property_names(column.name)
            if table is not None and column.name.casefold() in words("bare_value"):
                names += property_names(table.name)
            yield one.alias_or_name, ColumnConstants(names, fixed)


def _of_table(query: str) -> tuple[exp.Select | None, _Fixed]:
    """Return a plain SELECT from one table with what its WHERE fixes; None for any other."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse(query)
    except (SqlglotError, RecursionError):
        return None, {}
    select = parsed[0] if len(parsed) == 1 else None
    if not isinstance(select, exp.Select) or any(
        select.args.get(part) for part in ("joins", "with_", "with", "group", "having", "laterals")
    ):
        return None, {}
    source = select.find(exp.From)
    if source is None or not isinstance(source.this, exp.Table):
        return None, {}
    where = select.args.get("where")
    return select, dict(_equalities(where.this)) if where is not None else {}


def _equalities(condition: exp.Expr) -> Iterator[tuple[str, str]]:
    """The columns that must equal a literal, with it, where all parts of a condition must hold."""
    from sqlglot import exp

    inner = condition.unnest()
    if isinstance(inner, exp.And):
        yield from _equalities(inner.left)
        yield from _equalities(inner.right)
    elif isinstance(inner, exp.EQ):
        sides = (inner.left, inner.right)
        for column, literal in (sides, sides[::-1]):
            if isinstance(column, exp.Column) and isinstance(literal, exp.Literal):
                yield column.name, literal.name


# SPARQL


def _of_sparql(query: str) -> Iterator[tuple[str, ColumnConstants]]:
    from rdflib.term import Literal, URIRef, Variable

    algebra = algebra_of(query)
    if algebra is None:
        return
    triples: list[tuple[Any, Any, Any]] = []
    equal: dict[Any, str] = {}
    for node in _required(algebra):
        if node.name == "BGP":
            triples += [t for t in node.triples if isinstance(t[1], URIRef)]
        else:
            equal |= dict(_filtered(node.expr))
    for subject, predicate, value in triples:
        if not isinstance(value, Variable):
            continue
        fixed = {
            local_name(str(p)): str(o) if isinstance(o, Literal) else equal[o]
            for s, p, o in triples
            if s == subject and (isinstance(o, Literal) or o in equal)
        }
        yield str(value), ColumnConstants(property_names(local_name(str(predicate))), fixed)


def _required(node: Any) -> Iterator[Any]:
    """The basic graph patterns and filters that every row of a query must match."""
    name = getattr(node, "name", "")
    if name in _WHOLE:
        yield from _required(node.p)
    elif name in ("Filter", "Extend"):
        if name == "Filter":
            yield node
        yield from _required(node.p)
    elif name == "Join":
        yield from _required(node.p1)
        yield from _required(node.p2)
    elif name == "LeftJoin":
        yield from _required(node.p1)
    elif name == "BGP":
        yield node


def _filtered(expression: Any) -> Iterator[tuple[Any, str]]:
    """The variables that must equal a literal, with it, where all parts of a filter must hold."""
    from rdflib.term import Literal, Variable

    name = getattr(expression, "name", "")
    if name == "ConditionalAndExpression":
        for part in (expression.expr, *expression.other):
            yield from _filtered(part)
    elif name == "RelationalExpression" and expression.op == "=":
        sides = (expression.expr, expression.other)
        for variable, literal in (sides, sides[::-1]):
            if isinstance(variable, Variable) and isinstance(literal, Literal):
                yield variable, str(literal)
