"""Values that a query fixes for all of its rows: the year it asks for, a column's property.

`SELECT country, value FROM population WHERE year = 2010` answers with figures of 2010, and no cell
says so. Only what holds for every row counts: an equality that all rows must meet, on the one
table of a SELECT or on the subject of the statement that a column comes from. What stands under
OR, NOT, UNION, OPTIONAL, a join or a group is left alone.

Statements of the rows of a query: which names are of one thing, and how things are related. A row
is about its first thing. Columns that differ in what they say of a thing (country, country_code,
countryLabel) name the same one; a column of another thing relates the two by the column's name, and
where the columns are a triple, by the predicate of the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from groundwire.evidence.answers import in_words, names_of, sent
from groundwire.evidence.records import Condition, Names, Statement, Value
from groundwire.graph.lexer import Token, tokenize
from groundwire.graph.terms import Term
from groundwire.language.places import other_names
from groundwire.quantities import parse_number
from groundwire.sparql.absent import named_iris, slices
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Cell, Language, Outcome
from groundwire.sparql.query_pattern import NO_PATTERN, Asked, Pattern, Sorting, pattern_of
from groundwire.sparql.statements import (
    Labels,
    Relations,
    counted_set,
    entity_names,
    nothing_found,
    object_names,
    predicate_names,
    property_names,
    source_stated,
    text_names,
    words,
)
from groundwire.sparql.workflow.queries import local_name

if TYPE_CHECKING:
    from sqlglot import exp


PERIODS = frozenset(("year", "quarter", "month", "period", "date", "jahr", "年份", "年"))
"""Columns that say when the other cells of their row hold."""
_Fixed = Mapping[str, str]


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
        pattern = pattern_of(query)
        return {
            column: ColumnConstants(property_names(local_name(leads)), pattern.fixed[column])
            for column, leads in pattern.properties.items()
            if leads
        }
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


# Rows

_TRIPLES = (("s", "p", "o"), ("subject", "predicate", "object"))
# What a column says of a thing, behind the name of the thing.
_ASPECT = re.compile(
    r"[_ ]?(?:label|name|title|iri|uri|url|code|iso[23]?|id|(?<=_)(?:en|de|zh|fr|es))$",
    re.IGNORECASE,
)
# Aspects that are no name that a person uses.
_CODE = re.compile(r"[_ ]?(?:iri|uri|url|code|iso[23]?|id)$", re.IGNORECASE)
_PLAIN_TEXT = frozenset(("", "http://www.w3.org/2001/XMLSchema#string"))
_MOST_ROWS = 100
_MOST_NAMED = 20
_MOST_TEXTS = 10
_LONGEST_FIXED = 80
# Endings of plurals by which a counted class may be called.
_PLURALS = ("s", "es", "n", "en", "e")


def rows_stated(
    outcome: Outcome,
    endpoint: Endpoint,
    values: list[Value],
    labels: Labels,
    units: Mapping[str, str],
) -> list[Statement]:
    """Return what the rows of a query state; their number is added to the values.

    Args:
        outcome: what the query came to.
        endpoint: where it ran.
        values: the values of the answer.
        labels: what the graph calls the IRIs of the rows, and of the query.
        units: units of properties.
    """
    is_sparql = outcome.audit.query_language == "sparql"
    pattern = pattern_of(outcome.audit.query_text) if is_sparql else NO_PATTERN
    asked = tuple(_asked(one, labels, units) for one in pattern.conditions)
    if not outcome.answered:
        return [source_stated(endpoint)]
    if not outcome.rows or _is_no(outcome):
        return [*_nothing(outcome, endpoint, asked), source_stated(endpoint)]
    relations = Relations()
    is_triple = tuple(column.lower() for column in outcome.columns) in _TRIPLES
    for row in outcome.rows[:_MOST_ROWS]:
        if is_triple:
            _add_triple(relations, row, labels)
        else:
            _add_row(relations, outcome.columns, row, labels, pattern)
    counted = _counted(outcome, pattern, asked, labels)
    values.append(Value("rows", str(len(outcome.rows)), unit="rows"))
    is_whole = not _is_cut(outcome, pattern.sorting)
    number = counted_set(words("rows"), _fixed(outcome), len(values) - 1, is_whole=is_whole)
    found = [
        *relations.statements(),
        *counted,
        number,
        *_order(outcome, labels, pattern.sorting, asked),
    ]
    return [*found, source_stated(endpoint)]


def _asked(one: Asked, labels: Labels, units: Mapping[str, str]) -> Condition:
    """Return a condition of a pattern in the words of its graph."""
    names = entity_names(one.value, labels) if one.is_entity else text_names(one.value)
    names = names if one.is_entity else names_of(*names, *other_names(one.value))
    unit = units.get(one.predicate)
    return Condition(predicate_names(one.predicate, labels), one.operator, (names,), unit)


def _counted(
    outcome: Outcome, pattern: Pattern, asked: Sequence[Condition], labels: Labels
) -> list[Statement]:
    """Return the set that a query counts, under all that narrows it, where that is read."""
    if not pattern.counts or not pattern.is_read or not asked or len(outcome.rows) != 1:
        return []
    kinds = [name for one in pattern.counts for name in entity_names(one, labels)]
    plural = [f"{name}{end}" for name in kinds if "://" not in name for end in _PLURALS]
    is_whole = outcome.status == "complete"
    return [counted_set(names_of(*kinds, *plural, most=60), asked, 0, is_whole=is_whole)]


def _order(
    outcome: Outcome, labels: Labels, sorting: Sorting | None, asked: Sequence[Condition]
) -> Iterator[Statement]:
    """Yield the order of the things of rows by a figure, where it rises or falls.

    A condition that is not read leaves open among which things it holds.
    """
    rows = [dict(zip(outcome.columns, row, strict=False)) for row in outcome.rows[:_MOST_ROWS]]
    things = [
        [
            one
            for one in _things(outcome.columns, row, labels)
            if not sorting or one[0] in sorting.thing
        ]
        for row in outcome.rows[:_MOST_ROWS]
    ]
    figures = [c for c in outcome.columns if all(_figure(row[c]) is not None for row in rows)]
    if sorting is None:
        sorting, asked = _sorted_by(outcome, figures)
    if sorting is None or len(rows) < 2 or sorting.column not in figures:
        return
    if {len(one) for one in things} != {1}:
        return
    numbers = [number for row in rows if (number := _figure(row[sorting.column])) is not None]
    rises = {a < b for a, b in pairwise(numbers)}
    names = [called for [(_, called)] in things]
    if len(set(numbers)) < len(rows) or len(rises) != 1 or len({n[0] for n in names}) < len(rows):
        return
    way = words("ascending" if rises == {True} else "descending")
    constants = row_constants(outcome.audit.query_language, outcome.audit.query_text)
    called = constants[sorting.column].names if sorting.column in constants else ()
    yield Statement(
        "order",
        property_names(things[0][0][0]),
        names_of(sorting.column, in_words(sorting.column), *called),
        tuple(names),
        (*asked, Condition(words("order"), "is", (way,))),
        complete="" if _is_cut(outcome, sorting) else "all_listed",
    )


def _sorted_by(
    outcome: Outcome, figures: Sequence[str]
) -> tuple[Sorting | None, Sequence[Condition]]:
    """Return how the rows of a plain SELECT with one figure may be sorted, and what it asks."""
    select, conditions = _narrowed(outcome)
    if select is None or len(figures) != 1:
        return None, ()
    limit = select.args.get("limit")
    most = limit.expression.name if limit is not None else ""
    return Sorting(figures[0], (), False, int(most) if most.isdigit() else None), conditions


def _is_cut(outcome: Outcome, sorting: Sorting | None) -> bool:
    """Whether there may be more things than the rows of an answer have."""
    limit = sorting.limit if sorting is not None else None
    return outcome.status != "complete" or (limit is not None and len(outcome.rows) >= limit)


def _figure(cell: Cell) -> Decimal | None:
    """Return the number in a cell, or None."""
    if isinstance(cell, Term):
        of_text = cell.kind != "literal" or cell.language or cell.datatype in _PLAIN_TEXT
        return None if of_text else parse_number(cell.value)
    is_number = isinstance(cell, (int, float, Decimal)) and not isinstance(cell, bool)
    return Decimal(str(cell)) if is_number else None


def _narrowed(outcome: Outcome) -> tuple[exp.Select | None, tuple[Condition, ...]]:
    """Return a plain SELECT with all that it asks of its rows; None where that is not read."""
    if outcome.audit.query_language != "sql":
        return None, ()
    select, _ = _of_table(outcome.audit.query_text)
    where = select.args.get("where") if select is not None else None
    asked = list(_conditions(where.this)) if where is not None else []
    if select is None or select.args.get("offset") or None in asked:
        return None, ()
    return select, tuple(one for one in asked if one is not None)


def _conditions(condition: exp.Expr) -> Iterator[Condition | None]:
    """Yield each condition that all rows must meet; None for one that is not read."""
    from sqlglot import exp

    inner = condition.unnest()
    if isinstance(inner, exp.And):
        yield from _conditions(inner.left)
        yield from _conditions(inner.right)
        return
    column = inner.this if isinstance(inner, exp.In) else None
    equal = dict(_equalities(inner))
    values = [one.name for one in inner.expressions] if column is not None else [*equal.values()]
    name = column.name if isinstance(column, exp.Column) else next(iter(equal), "")
    if not (name and values) or any(len(value) > _LONGEST_FIXED for value in values):
        yield None
        return
    called = property_names(name)
    if name.casefold() in PERIODS:
        called += ("period",)
    kind = "is" if column is None else "any_of"
    yield Condition(called, kind, tuple(names_of(one, *other_names(one)) for one in values))


def _is_no(outcome: Outcome) -> bool:
    """Whether an outcome is the answer No."""
    return len(outcome.rows) == 1 and tuple(outcome.rows[0]) == (False,)


def _nothing(outcome: Outcome, endpoint: Endpoint, asked: tuple[Condition, ...]) -> list[Statement]:
    """Return that nothing matches the names and texts of a query, where it looked at all of it."""
    query = outcome.audit.query_text
    if outcome.status not in ("empty", "complete"):
        return []
    if outcome.audit.query_language != "sparql":
        return [nothing_found(words("row"), _fixed(outcome), endpoint)]
    if any(slices(query)):
        return []
    named: list[Names] = [entity_names(iri, {}) for iri in named_iris(query)[:_MOST_NAMED]]
    named += [text_names(sent(token.text.strip("\"'"))) for token in _strings(query)]
    pattern = Condition(words("pattern"), "contains", tuple(one for one in named if one))
    return [nothing_found(words("row"), ((pattern,) if named else ()) + asked, endpoint)]


def _fixed(outcome: Outcome) -> tuple[Condition, ...]:
    """Return what a query asks of every row, where it is an equality on the one table."""
    known = query_constants(outcome.audit.query_language, outcome.audit.query_text)
    return tuple(
        Condition(property_names(column), "is", (names_of(value, *other_names(value)),))
        for column, value in known.items()
        if value and len(value) <= _LONGEST_FIXED
    )


def _strings(query: str) -> list[Token]:
    return [token for token in tokenize(query) if token.kind == "string"][:_MOST_TEXTS]


def _add_triple(relations: Relations, row: Sequence[Cell], labels: Labels) -> None:
    subject, predicate, value = row
    if isinstance(predicate, Term) and (named := object_names(subject, labels)):
        relations.add(named, predicate_names(predicate.value, labels), object_names(value, labels))


def _add_row(
    relations: Relations,
    columns: Sequence[str],
    row: Sequence[Cell],
    labels: Labels,
    pattern: Pattern,
) -> None:
    things = _things(columns, row, labels)
    if not things:
        return
    (first, subject), *others = things
    if not others and len(subject) > 1:
        relations.add(subject, names_of(first, in_words(first), *words("name")), subject[:1])
    for kind in pattern.classes.get(first, ()):
        relations.add(subject, names_of("type", *words("kind")), entity_names(kind, labels))
    for column, names in others:
        predicate = pattern.properties.get(column, "")
        called = predicate_names(predicate, labels) if predicate else ()
        relations.add(subject, names_of(column, in_words(column), *called), names)


def _things(columns: Sequence[str], row: Sequence[Cell], labels: Labels) -> list[tuple[str, Names]]:
    """Return the things of a row with the column that names each, in the order of the columns."""
    cells = {
        column: cell for column, cell in zip(columns, row, strict=False) if _names_a_thing(cell)
    }
    stems = {column: _ASPECT.sub("", column).casefold() for column in cells}
    # A column that is called `label` and no more is of the first IRI.
    iris = [
        column for column, cell in cells.items() if isinstance(cell, Term) and cell.kind == "iri"
    ]
    whole = iris[0] if iris else next(iter(cells), "")
    of: dict[str, list[str]] = {}
    for column, stem in stems.items():
        of.setdefault(stem or stems[whole], []).append(column)
    return [
        (group[0], _joined({one: cells[one] for one in group}, labels)) for group in of.values()
    ]


def _names_a_thing(cell: Cell) -> bool:
    """Whether a cell is an IRI or a short text, and no figure."""
    if isinstance(cell, Term):
        plain = cell.language or cell.datatype in _PLAIN_TEXT
        return cell.kind == "iri" or (
            cell.kind == "literal" and bool(plain and text_names(cell.value))
        )
    return isinstance(cell, str) and bool(text_names(cell))


def _joined(cells: Mapping[str, Cell], labels: Labels) -> Names:
    """Return the names that some columns give one thing: labels, then codes, then IRIs."""

    def rank(column: str) -> tuple[bool, bool]:
        return _is_iri(cells[column]), bool(_CODE.search(column))

    ordered = sorted(cells, key=rank)
    return names_of(*(name for one in ordered for name in object_names(cells[one], labels)))


def _is_iri(cell: Cell) -> bool:
    return isinstance(cell, Term) and cell.kind == "iri"
