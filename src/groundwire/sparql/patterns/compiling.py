"""The queries of patterns: every part is a constant of the code or a term that is escaped.

By values and types it is checked whether steps fit, values have an order, or a value is a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri, literal
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.patterns.answers import key_of
from groundwire.sparql.patterns.reading import Option, Span, is_dated
from groundwire.sparql.schema.names import DATES, NUMERIC, Use, local
from groundwire.sparql.workflow.queries import (
    HIDDEN_LABEL,
    LABEL_PATHS,
    OTHER_NAMES,
    RDF_FIRST,
    RDF_REST,
    RDF_TYPE,
)

MOST_ROWS = 500
COMMENT = "http://www.w3.org/2000/01/rdf-schema#comment"
UNITS = ("http://schema.org/unitText", "http://schema.org/unitCode", COMMENT)


class Way(NamedTuple):
    """A property, in its direction or against it."""

    property: str
    inverse: bool


Step = tuple[Way, ...]
"""Ways that say the same."""


def _n3(name: str) -> str:
    # A value of `stated_query` is written as a term already; no IRI begins with a quotation mark.
    return name if name.startswith('"') else iri(name).n3()


def _hop(start: str, step: Step, end: str, direction: str) -> str:
    """One hop; where there are several ways, ?d says which one was gone."""
    parts = [
        f"{end} {_n3(way.property)} {start} ."
        if way.inverse
        else f"{start} {_n3(way.property)} {end} ."
        for way in step
    ]
    if len(parts) == 1:
        return f"  {parts[0]}\n"
    return (
        "  "
        + "  UNION ".join(
            f"{{ {part} BIND({at} AS {direction}) }}" for at, part in enumerate(parts)
        )
        + "\n"
    )


def path_query(
    start: str, steps: Sequence[Step], classes: Sequence[Sequence[str]], limit: int = MOST_ROWS
) -> CompiledQuery:
    """Return the query that follows steps from an entity: ?n1, ?d1, ?n2, ...

    Args:
        start: IRI of the entity.
        steps: one for each hop.
        classes: of which the node after each hop has to be; nothing for any.
        limit: most rows.
    """
    body, at = "", _n3(start)
    columns: list[str] = []
    for number, (step, of) in enumerate(zip(steps, classes, strict=True), 1):
        node = f"?n{number}"
        body += _hop(at, step, node, f"?d{number}")
        if of:
            kind = f"?c{number}"
            body += f"  FILTER EXISTS {{ {node} a {kind} . FILTER({kind} IN ({_listed(of)})) }}\n"
        columns += [node, f"?d{number}"] if len(step) > 1 else [node]
        at = node
    return CompiledQuery(
        f"SELECT DISTINCT {' '.join(columns)}\nWHERE {{\n{body}}}\nLIMIT {int(limit)}"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(_n3, names))


def links_query(start: str, classes: Sequence[str]) -> CompiledQuery:
    """Return the query for entities of a class that any property joins with an entity."""
    return CompiledQuery(
        f"SELECT DISTINCT ?p ?out ?x\nWHERE {{\n  {{ ?x ?p {_n3(start)} . BIND(false AS ?out) }}\n"
        f"  UNION {{ {_n3(start)} ?p ?x . BIND(true AS ?out) }}\n"
        f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n}}\nLIMIT {MOST_ROWS}"
    )


def joined_query(one: str, other: str) -> CompiledQuery:
    """Return the query for the properties that join two entities."""
    return CompiledQuery(
        "SELECT DISTINCT ?p ?out\nWHERE {\n"
        f"  {{ {_n3(one)} ?p {_n3(other)} . BIND(true AS ?out) }}\n"
        f"  UNION {{ {_n3(other)} ?p {_n3(one)} . BIND(false AS ?out) }}\n}}\nLIMIT 50"
    )


def parts_query(start: str, name: str) -> CompiledQuery:
    """Return the query for the properties that lead to parts of an entity that state a property.

    A part is a blank node, which has no identity but as a part of that entity.
    """
    return CompiledQuery(
        f"SELECT DISTINCT ?p\nWHERE {{\n  {_n3(start)} ?p ?part . FILTER(isBLANK(?part))\n"
        f"  ?part {_n3(name)} ?v\n}}\nLIMIT 50"
    )


def one_sided_query(name: str) -> CompiledQuery:
    """Return the query for a statement of a property that is not stated the other way round too."""
    p = _n3(name)
    return CompiledQuery(
        f"SELECT ?a ?b\nWHERE {{\n  ?a {p} ?b . FILTER NOT EXISTS {{ ?b {p} ?a }}\n}}\nLIMIT 1"
    )


def used_query(names: Sequence[str]) -> CompiledQuery:
    """Return the query for those of some IRIs that are used as properties."""
    values = " ".join(map(_n3, names))
    return CompiledQuery(
        f"SELECT ?name\nWHERE {{\n  VALUES ?name {{ {values} }}\n"
        f"  FILTER EXISTS {{ ?s ?name ?o }}\n}}\nLIMIT {len(names)}"
    )


def listed_query(count: CompiledQuery, limit: int) -> CompiledQuery:
    """Return the query that lists what another one counts, for an endpoint that cannot count."""
    before, _, after = count.partition("(COUNT(DISTINCT ")
    counted, _, rest = after.partition(") AS ?count)")
    return CompiledQuery(f"{before}DISTINCT {counted}{rest}\nLIMIT {int(limit)}")


def several_query(name: str) -> CompiledQuery:
    """Return the query for a subject of which a property has more than one object."""
    p = _n3(name)
    return CompiledQuery(f"SELECT ?s\nWHERE {{\n  ?s {p} ?a , ?b . FILTER(?a != ?b)\n}}\nLIMIT 1")


def values_query(entities: Sequence[str], name: str, limit: int = 50) -> CompiledQuery:
    """Return the query for the values of a property of some entities."""
    values = " ".join(map(_n3, entities))
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?v\nWHERE {{\n  VALUES ?x {{ {values} }}\n  ?x {_n3(name)} ?v\n}}\n"
        f"LIMIT {int(limit)}"
    )


def units_query() -> CompiledQuery:
    """Return the query for the names of the units that the graph states of its properties."""
    return CompiledQuery(
        f"SELECT DISTINCT ?p ?by ?unit\nWHERE {{\n  VALUES ?by {{ {' '.join(map(_n3, UNITS))} }}\n"
        f"  ?p ?by ?unit . FILTER(isLITERAL(?unit) && STRLEN(?unit) < 60)\n}}\nLIMIT {MOST_ROWS}"
    )


def linked_query(classes: Sequence[str], name: str, limit: int) -> CompiledQuery:
    """Return the query for the entities of a class, each with the objects of a property."""
    return CompiledQuery(
        "SELECT DISTINCT ?x ?v\nWHERE {\n"
        f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n"
        f"  ?x {_n3(name)} ?v\n}}\nORDER BY ?v ?x\nLIMIT {int(limit)}"
    )


class Bound(NamedTuple):
    """A bound of a value: a sign (<, <=, =, > or >=) and digits; of dates a year, month or day."""

    sign: str
    number: str
    is_date: bool = False

    def filter(self, variable: str) -> str:
        """Return the filter of a variable that this bounds."""
        value = f"SUBSTR(STR({variable}), 1, {len(self.number)})"
        held = f"{value} {self.sign} {literal(self.number).n3()}"
        return f"  FILTER({held if self.is_date else f'{variable} {self.sign} {self.number}'})\n"


class Link(NamedTuple):
    """A condition on what is selected.

    Attributes:
        kind: `is` of all entities, `any` of them, `not` of any of them, `none` at all; `except`
            of all but the entities themselves, without a step; `bound` of a value; `many` of the
            number of things that a step joins with what is selected.
        step: from an entity to what is selected; of a bound the property of its value.
        entities: IRIs.
        bounds: of a value or number.
    """

    kind: Literal["is", "any", "not", "none", "except", "bound", "many"]
    step: Step
    entities: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()


def selected_by(classes: Sequence[str], links: Sequence[Link]) -> str:
    """Return the group of patterns that ?x meets: it is of one of some classes, with all links.

    ?d and ?a with a number say which way and which entity of a link was met; ?s of what is denied
    says whether another statement of the kind is held.
    """
    parts = [f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n"] if classes else []
    for at, link in enumerate(links):
        back = "|".join(("" if way.inverse else "^") + _n3(way.property) for way in link.step)
        if link.kind == "except":
            parts.append(f"  FILTER(?x NOT IN ({_listed(link.entities)}))\n")
        elif link.kind == "none":
            parts.append(f"  FILTER NOT EXISTS {{ ?x {back} ?o{at} }}\n")
        elif link.kind == "not":
            parts += [f"  FILTER NOT EXISTS {{ ?x {back} {_n3(e)} }}\n" for e in link.entities]
            parts.append(f"  BIND(EXISTS {{ ?x {back} ?o{at} }} AS ?s{at})\n")
        elif link.kind == "bound":
            value = f"?b{at}"
            parts.append(
                f"  ?x {_n3(link.step[0].property)} {value} . FILTER(isLITERAL({value}))\n"
            )
            parts += [one.filter(value) for one in link.bounds]
        elif link.kind == "many":
            parts.append(
                f"  {{ SELECT ?x (COUNT(DISTINCT ?o{at}) AS ?b{at})\n"
                f"    WHERE {{ ?x {back} ?o{at} }} GROUP BY ?x }}\n"
            )
            parts += [one.filter(f"?b{at}") for one in link.bounds]
        elif link.kind == "any":
            values = " ".join(map(_n3, link.entities))
            parts.append(f"  VALUES ?a{at} {{ {values} }}\n")
            parts.append(_hop(f"?a{at}", link.step, "?x", f"?d{at}"))
        else:
            parts += [
                _hop(_n3(e), link.step, "?x", f"?d{at}_{number}")
                for number, e in enumerate(link.entities)
            ]
    return "".join(parts)


def selection_query(
    classes: Sequence[str],
    links: Sequence[Link],
    name: str = "",
    bounds: Sequence[Bound] = (),
    order: Literal["", "ASC", "DESC"] = "",
    limit: int = MOST_ROWS,
) -> CompiledQuery:
    """Return the query for what is of a class and meets some conditions: ?x, ?v, ?d, ?a, ?s.

    Args:
        classes: of one of which it is; see `selected_by`.
        links: its conditions.
        name: the property that says a value, or "".
        bounds: of that value.
        order: by that value.
        limit: most rows.
    """
    body = selected_by(classes, links)
    columns = ["?x", *(["?v"] if name else [])]
    for at, link in enumerate(links):
        columns += [f"?a{at}"] if link.kind == "any" else []
        columns += [f"?s{at}"] if link.kind == "not" else []
        columns += [f"?b{at}"] if link.kind in ("bound", "many") else []
        if len(link.step) > 1 and link.kind == "any":
            columns.append(f"?d{at}")
        elif len(link.step) > 1 and link.kind == "is":
            columns += [f"?d{at}_{number}" for number in range(len(link.entities))]
    if name:
        body += f"  ?x {_n3(name)} ?v . FILTER(isLITERAL(?v))\n"
    body += "".join(one.filter("?v") for one in bounds)
    by = f"ORDER BY {'DESC(?v)' if order == 'DESC' else '?v'} ?x\n" if name else "ORDER BY ?x\n"
    return CompiledQuery(
        f"SELECT DISTINCT {' '.join(columns)}\nWHERE {{\n{body}}}\n{by}LIMIT {int(limit)}"
    )


def joining_query(classes: Sequence[str], links: Sequence[Link], entity: str) -> CompiledQuery:
    """Return the query for the properties that join what is selected with an entity."""
    e = _n3(entity)
    return CompiledQuery(
        f"SELECT DISTINCT ?p ?out\nWHERE {{\n{selected_by(classes, links)}"
        f"  {{ ?x ?p {e} . BIND(false AS ?out) }}\n  UNION {{ {e} ?p ?x . BIND(true AS ?out) }}\n"
        "}\nLIMIT 50"
    )


def without_query(classes: Sequence[str], links: Sequence[Link], name: str) -> CompiledQuery:
    """Return the query for how many of what is selected state nothing by a property."""
    return CompiledQuery(
        f"SELECT (COUNT(DISTINCT ?x) AS ?count)\nWHERE {{\n{selected_by(classes, links)}"
        f"  FILTER NOT EXISTS {{ ?x {_n3(name)} ?v }}\n}}"
    )


def hops_query(hops: Sequence[tuple[str, Step]]) -> CompiledQuery:
    """Return the query for one hop from each of some entities: number ?k, end ?n1, way ?d1."""
    parts = (
        f"  {{\n  {_hop(_n3(start), step, '?n1', '?d1')}  BIND({at} AS ?k)\n  }}\n"
        for at, (start, step) in enumerate(hops)
    )
    return CompiledQuery(
        f"SELECT DISTINCT ?k ?n1 ?d1\nWHERE {{\n{'  UNION'.join(parts)}}}\nLIMIT {MOST_ROWS}"
    )


def members_query(classes: Sequence[str]) -> CompiledQuery:
    """Return the query for how many entities a class has."""
    return CompiledQuery(
        "SELECT (COUNT(DISTINCT ?x) AS ?count)\nWHERE {\n"
        f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n}}"
    )


def counted_query(
    start: str, steps: Sequence[Step], classes: Sequence[Sequence[str]]
) -> CompiledQuery:
    """Return the query for how many nodes stand at the end of some steps."""
    inner = path_query(start, steps, classes).partition("WHERE")[2].rpartition("LIMIT")[0]
    return CompiledQuery(f"SELECT (COUNT(DISTINCT ?n{len(steps)}) AS ?count)\nWHERE{inner}")


def observed_query(entity: str, name: str) -> CompiledQuery:
    """Return the query for values of nodes that are joined with an entity and have a time."""
    e = _n3(entity)
    return CompiledQuery(
        f"SELECT DISTINCT ?n ?link ?out ?v ?yp ?y\nWHERE {{\n"
        f"  {{ ?n ?link {e} . BIND(false AS ?out) }}\n"
        f"  UNION {{ {e} ?link ?n . BIND(true AS ?out) }}\n"
        f"  ?n {_n3(name)} ?v ; ?yp ?y .\n"
        f"  FILTER(isLITERAL(?y) && ?yp != {_n3(name)})\n}}\nLIMIT {MOST_ROWS}"
    )


def list_query(start: str, step: Step) -> CompiledQuery:
    """Return the query for the nodes of an RDF list: ?h, ?n, ?item, ?rest."""
    return CompiledQuery(
        f"SELECT DISTINCT ?h ?n ?item ?rest\nWHERE {{\n{_hop(_n3(start), step[:1], '?h', '?d')}"
        f"  ?h {_n3(RDF_REST)}* ?n .\n  OPTIONAL {{ ?n {_n3(RDF_FIRST)} ?item }}\n"
        f"  OPTIONAL {{ ?n {_n3(RDF_REST)} ?rest }}\n}}\nLIMIT {MOST_ROWS}"
    )


def places_query(nodes: Sequence[str], properties: Sequence[str]) -> CompiledQuery:
    """Return the query for the numbers that say the places of some nodes."""
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?v\nWHERE {{\n  VALUES ?x {{ {' '.join(map(_n3, nodes))} }}\n"
        f"  ?x ?p ?v . FILTER(?p IN ({_listed(properties)}))\n}}\nLIMIT {MOST_ROWS}"
    )


def labels_query(entity: str) -> CompiledQuery:
    """Return the query for the names of an entity, with the property that says each."""
    listed = _listed((*LABEL_PATHS, *OTHER_NAMES))
    return CompiledQuery(
        "SELECT DISTINCT ?p ?label\nWHERE {\n"
        f"  {_n3(entity)} ?p ?label . FILTER(?p IN ({listed}))\n}}\n"
        f"LIMIT {MOST_ROWS}"
    )


def called_query(texts: Sequence[str], languages: Sequence[str]) -> CompiledQuery:
    """Return the query for entities that are called a text, letter by letter, with their types."""
    values = " ".join(
        literal(text, language=language).n3() for text in texts for language in ("", *languages)
    )
    paths = "|".join(map(_n3, (*LABEL_PATHS, *OTHER_NAMES, HIDDEN_LABEL)))
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?label ?type\nWHERE {{\n  VALUES ?label {{ {values} }}\n"
        f"  ?x {paths} ?label .\n  OPTIONAL {{ ?x {_n3(RDF_TYPE)} ?type }}\n}}\nLIMIT {MOST_ROWS}"
    )


def stated_query(texts: Sequence[str], languages: Sequence[str]) -> CompiledQuery:
    """Return the query for the properties that state a text as their value: ?p, ?v."""
    values = " ".join(
        literal(text, language=language).n3() for text in texts for language in ("", *languages)
    )
    return CompiledQuery(
        f"SELECT DISTINCT ?p ?v\nWHERE {{\n  VALUES ?v {{ {values} }}\n"
        f"  ?x ?p ?v . FILTER(?p NOT IN ({_listed(UNITS)}))\n}}\nLIMIT {MOST_ROWS}"
    )


_TIMES = ("year", "date", "time", "period", "jahr", "datum")


def placed_classes(
    nodes: Sequence[frozenset[str]], classes: Sequence[Span]
) -> tuple[tuple[str, ...], ...] | None:
    """Return the class that the node after each hop has to be of; None where one fits no node."""
    placed: list[tuple[str, ...]] = [()] * len(nodes)
    for span in classes:
        wanted = frozenset(span.classes)
        free = [at for at in reversed(range(len(nodes))) if not placed[at]]
        fit = next((at for at in free if nodes[at] & wanted), None)
        if fit is None:
            fit = next((at for at in free if not nodes[at]), None)
        if fit is None:
            return None
        placed[fit] = span.classes
    return tuple(placed)


def may_stand(here: frozenset[str], types: Sequence[str], use: Use) -> bool:
    """Whether something of some types may stand where things of other types were seen."""
    if not types or not here:
        return bool(here) is bool(types) or use.untyped or not types
    return not here.isdisjoint(types)


def statements_of(start: Option, step: Step, end: Option) -> frozenset[tuple[str, str, str]]:
    """Return the statements that a step from one entity to another may be."""
    return frozenset(
        (end.iri, way.property, start.iri) if way.inverse else (start.iri, way.property, end.iri)
        for way in step
    )


def may_order(cue: Span, use: Use) -> bool:
    """Whether a word orders values of a kind: nothing is oldest by number, or largest by date."""
    dated = is_dated(cue)
    return dated is None or dated is use.is_date


def order_of(value: Cell) -> float | str | None:
    """Return what a literal is ordered by; None for what has no order."""
    if not isinstance(value, Term):
        return float(value) if isinstance(value, (int, float)) else None
    if value.datatype in NUMERIC:
        try:
            return float(value.value)
        except ValueError:
            return None
    return value.value if value.datatype in DATES else None


def is_time(name: Cell, value: Cell) -> bool:
    """Whether a literal of a node says the time that its other values hold for."""
    if not isinstance(value, Term):
        return False
    return value.datatype in DATES or any(word in local(key_of(name)).split() for word in _TIMES)


def is_true(cell: Cell) -> bool:
    """Whether a cell is the boolean true."""
    return key_of(cell) in ("true", "1", "True")


def is_cut_short(outcome: Outcome) -> bool:
    """Whether there may be more rows than an outcome has."""
    return outcome.status not in ("complete", "empty") or len(outcome.rows) >= MOST_ROWS


def count_of(outcome: Outcome) -> int:
    """Return the number that a count came to."""
    row = outcome.rows[0] if outcome.rows else (0,)
    return int(float(key_of(row[0]) or 0))


def gap_between(one: Span, other: Span) -> int:
    """Return how many words stand between two spans."""
    return max(other.first - one.last, one.first - other.last)


def rank_of(order: Sequence[str], name: str) -> int:
    """Return the place of the last part of an IRI in an order; what is not in it comes last."""
    last = name.rstrip("#/").replace("#", "/").rpartition("/")[2]
    return order.index(last) if last in order else len(order)
