"""Statements of the rows of a query: which names are of one thing, and how things are related.

A row is about its first thing. Columns that differ in what they say of a thing (country,
country_code, countryLabel) name the same one; a column of another thing relates the two by the
column's name, and where the columns are a triple, by the predicate of the row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from groundwire.evidence.records import Condition, Names, Statement, Value
from groundwire.evidence.statement_names import in_words, names_of, sent
from groundwire.graph.lexer import Token, tokenize
from groundwire.graph.terms import Term
from groundwire.language.places import other_names
from groundwire.sparql.absent import named_iris, slices
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.row_constants import query_constants
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


def rows_stated(
    outcome: Outcome, endpoint: Endpoint, values: list[Value], labels: Labels
) -> list[Statement]:
    """Return what the rows of a query state; their number is added to the values.

    Args:
        outcome: what the query came to.
        endpoint: where it ran.
        values: the values of the answer.
        labels: what the graph calls the IRIs of the rows.
    """
    if not outcome.answered:
        return [source_stated(endpoint)]
    if not outcome.rows or _is_no(outcome):
        return [*_nothing(outcome, endpoint), source_stated(endpoint)]
    relations = Relations()
    is_triple = tuple(column.lower() for column in outcome.columns) in _TRIPLES
    for row in outcome.rows[:_MOST_ROWS]:
        if is_triple:
            _add_triple(relations, row, labels)
        else:
            _add_row(relations, outcome.columns, row, labels)
    values.append(Value("rows", str(len(outcome.rows)), unit="rows"))
    is_whole = outcome.status == "complete"
    number = counted_set(words("rows"), _fixed(outcome), len(values) - 1, is_whole=is_whole)
    return [*relations.statements(), number, source_stated(endpoint)]


def _is_no(outcome: Outcome) -> bool:
    """Whether an outcome is the answer No."""
    return len(outcome.rows) == 1 and tuple(outcome.rows[0]) == (False,)


def _nothing(outcome: Outcome, endpoint: Endpoint) -> list[Statement]:
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
    return [nothing_found(words("row"), (pattern,) if named else (), endpoint)]


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
    relations: Relations, columns: Sequence[str], row: Sequence[Cell], labels: Labels
) -> None:
    things = _things(columns, row, labels)
    if not things:
        return
    (first, subject), *others = things
    if not others and len(subject) > 1:
        relations.add(subject, names_of(first, in_words(first), *words("name")), subject[:1])
    for column, names in others:
        relations.add(subject, names_of(column, in_words(column)), names)


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
