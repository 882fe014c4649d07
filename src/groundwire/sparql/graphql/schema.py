"""The GraphQL schema of a graph: its classes and what their members have, as found in it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from groundwire.errors import DeadlineError, NotFoundError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Rows, iri_n3

if TYPE_CHECKING:
    from graphql import GraphQLField, GraphQLObjectType, GraphQLSchema


MAX_CLASSES = 60
MAX_PREDICATES = 60
MAX_MEMBERS = 500
"""Members of a class that are looked at; a field that none of them has is not in the schema."""
# Virtuoso sorts no more than 10,000 rows.
_MAX_FOUND = 9_999

Kind = Literal["values", "iris", "nodes"]
Ask = Callable[[CompiledQuery, int], Awaitable[Rows]]
"""Runs a SELECT for at most so many rows."""

# Names that a schema has already.
_TYPES = frozenset(("Query", "String", "Int", "Float", "Boolean", "ID", "Value", "Iri"))
_FIELDS = frozenset(("iri", "label"))
_WORD = re.compile(r"[A-Za-z0-9]+")
_TAIL = re.compile(r"[^#/:]*$")


@dataclass(frozen=True, slots=True)
class Property:
    """A field of a class.

    Attributes:
        name: the field.
        iri: the predicate.
        kind: `values` are literals or a mixture; `iris` things of no one class; `nodes` things
            of which most are of `target`: the others have what they say by its fields.
        target: IRI of the class of `nodes`, else "".
    """

    name: str
    iri: str
    kind: Kind
    target: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A class.

    Attributes:
        iri: the class.
        type_name: the type in the schema.
        root: the field of the query that lists its members.
        count: its members.
        properties: its fields besides iri and label, by name.
    """

    iri: str
    type_name: str
    root: str
    count: int
    properties: dict[str, Property]


class _Use(NamedTuple):
    """How often the members of a class have a predicate, and how often its value is an IRI."""

    values: int
    iris: int


async def discover(ask: Ask) -> tuple[Shape, ...]:
    """The largest classes of a graph with the commonest predicates of their members.

    Returns:
        at most MAX_CLASSES, the largest first, each with at most MAX_PREDICATES.

    Raises:
        DeadlineError: the endpoint did not give all of it.
        NotFoundError: the graph has no classes.
        GroundwireError: the graph does not answer.
    """
    counted = await _rows(ask, _CLASSES)
    classes = {str(row[0]): int(row[1]) for row in counted}
    if not classes:
        raise NotFoundError(
            "No thing of this graph has a class, so it has no GraphQL schema: ask it in SPARQL."
        )
    having = _of_members(_PREDICATES, classes, "?s ?p ?o")
    leading = _of_members(_TARGETS, classes, "?s ?p ?o . ?o a ?t FILTER(isIRI(?o))")
    uses: dict[str, dict[str, _Use]] = defaultdict(dict)
    for class_, predicate, count, iris in await _rows(ask, having):
        if len(uses[class_]) < MAX_PREDICATES:
            uses[class_][predicate] = _Use(int(count), int(iris))
    targets: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for class_, predicate, target, count in await _rows(ask, leading):
        targets[class_, predicate].append((target, int(count)))
    types = unique((pascal(one) for one in classes), _TYPES)
    roots = unique((_lowered(name) for name in types), frozenset())
    return tuple(
        Shape(class_, type_name, root, classes[class_], _properties(class_, uses, targets, classes))
        for class_, type_name, root in zip(classes, types, roots, strict=True)
    )


_CLASSES = f"""SELECT ?c (COUNT(*) AS ?n) {{ ?s a ?c FILTER(isIRI(?c) && isIRI(?s)) }}
GROUP BY ?c ORDER BY DESC(?n) ?c LIMIT {MAX_CLASSES}"""
_PREDICATES = """SELECT ?c ?p (COUNT(*) AS ?n) (SUM(IF(isIRI(?o), 1, 0)) AS ?i) { MEMBERS }
GROUP BY ?c ?p ORDER BY ?c DESC(?n) ?p"""
_TARGETS = """SELECT ?c ?p ?t (COUNT(*) AS ?n) { MEMBERS } GROUP BY ?c ?p ?t ORDER BY ?c ?p ?t"""


def _of_members(text: str, classes: Iterable[str], pattern: str) -> str:
    """A query about some members `?s` of each class `?c`, of whom it says `pattern`.

    The pattern stands beside each subquery, so that an engine goes from the members to what they
    have, and does not read the whole graph.
    """
    branches = (
        f"{{ {{ SELECT ({iri_n3(one)} AS ?c) ?s {{ ?s a {iri_n3(one)} FILTER(isIRI(?s)) }} "
        f"LIMIT {MAX_MEMBERS} }} {pattern} }}"
        for one in classes
    )
    return f"{text.replace('MEMBERS', ' UNION '.join(branches))} LIMIT {_MAX_FOUND + 1}"


async def _rows(ask: Ask, text: str) -> list[tuple[str, ...]]:
    found = await ask(CompiledQuery(text), _MAX_FOUND)
    if not found.complete:
        raise DeadlineError(
            "The classes of the graph could not all be found, for want of time or by a limit of the"
            " endpoint: allow more, or ask it in SPARQL."
        )
    return [tuple("" if term is None else term.value for term in row) for row in found.rows]


def _properties(
    class_: str,
    uses: dict[str, dict[str, _Use]],
    targets: dict[tuple[str, str], list[tuple[str, int]]],
    classes: dict[str, int],
) -> dict[str, Property]:
    predicates = uses[class_]
    names = unique((_field(one) for one in predicates), _FIELDS)
    found: dict[str, Property] = {}
    for name, (predicate, use) in zip(names, predicates.items(), strict=True):
        # The class that most of its values have, if most have one; of several, the narrowest.
        held = [one for one in targets[class_, predicate] if one[0] in classes]
        most = max((count for _, count in held), default=0)
        whole = [
            (classes[target], target)
            for target, count in held
            if count == most and 2 * count > use.values
        ]
        if use.iris < use.values:
            found[name] = Property(name, predicate, "values")
        elif whole:
            found[name] = Property(name, predicate, "nodes", min(whole)[1])
        else:
            found[name] = Property(name, predicate, "iris")
    return found


def pascal(iri: str) -> str:
    """The local name of an IRI as a name of GraphQL, the words joined by capitals."""
    tail = _TAIL.search(iri.rstrip("#/:"))
    folded = unicodedata.normalize("NFKD", tail.group() if tail else "")
    words = _WORD.findall(folded.encode("ascii", "ignore").decode())
    name = "".join(word[0].upper() + word[1:] for word in words)[:60]
    if not name:
        return "Thing"
    return f"N{name}" if name[0].isdigit() else name


def _lowered(name: str) -> str:
    """`name` in camel case; capitals at its start go together ("FAQPage" is `faqPage`)."""
    lead = re.match(r"[A-Z]+(?![a-z])|[A-Z]", name)
    return name if lead is None else lead.group().lower() + name[lead.end() :]


def _field(iri: str) -> str:
    name = _lowered(pascal(iri))
    # What every node has is computed, and may be another value.
    return f"{name}Values" if name in _FIELDS else name


def unique(names: Iterable[str], taken: frozenset[str]) -> list[str]:
    """`names`, each that is taken already with a number."""
    used = set(taken)
    found: list[str] = []
    for name in names:
        candidate, number = name, 1
        while candidate in used:
            number += 1
            candidate = f"{name}{number}"
        used.add(candidate)
        found.append(candidate)
    return found


DEFAULT_LIMIT = 10


def build_schema(shapes: Sequence[Shape]) -> GraphQLSchema:
    """The schema of the classes of a graph.

    The data is fetched before it is executed: every resolver reads what stands under the name by
    which the answer will have it.
    """
    from graphql import GraphQLObjectType, GraphQLScalarType, GraphQLSchema

    # The library declares a wider type for what this makes.
    made: Any = GraphQLObjectType
    value = GraphQLScalarType(
        "Value",
        description="A text, integer, double or boolean; a decimal is a text, and a thing without "
        "an IRI is _: and a name.",
    )
    iri = GraphQLScalarType("Iri", description="The IRI of a thing.")
    types: dict[str, GraphQLObjectType] = {}

    def members(shape: Shape) -> GraphQLObjectType:
        return made(
            shape.type_name,
            lambda: _fields(shape, types, {"values": value, "iris": iri}),
            description=f"{shape.iri}, {shape.count:,} found",
        )

    types.update((shape.iri, members(shape)) for shape in shapes)
    query = made("Query", {one.root: _root(one, types[one.iri]) for one in shapes})
    return GraphQLSchema(query, types=list(types.values()))


def _root(shape: Shape, type_: GraphQLObjectType) -> GraphQLField:
    from graphql import GraphQLArgument, GraphQLField, specified_scalar_types

    id_, text = specified_scalar_types["ID"], specified_scalar_types["String"]
    arguments = {
        **_paging(),
        "iri": GraphQLArgument(id_, description="The one with this IRI."),
        "label": GraphQLArgument(
            text, description="Those whose label holds this text, first those whose label it is."
        ),
    }
    return GraphQLField(
        _list(type_), arguments, description=f"Things of the class {shape.iri} that have an IRI."
    )


def _fields(
    shape: Shape, types: Mapping[str, GraphQLObjectType], scalars: Mapping[str, Any]
) -> dict[str, GraphQLField]:
    from graphql import GraphQLArgument, GraphQLField, GraphQLNonNull, specified_scalar_types

    id_, text = specified_scalar_types["ID"], specified_scalar_types["String"]
    fields = {
        "iri": GraphQLField(GraphQLNonNull(id_), description="The IRI of the thing."),
        "label": GraphQLField(
            text,
            {"language": GraphQLArgument(text, description="One in this language, if there is.")},
            description="Its best label, if it has any.",
        ),
    }
    for one in shape.properties.values():
        fields[one.name] = _schema_field(one, types, scalars)
    return fields


def _schema_field(
    one: Property, types: Mapping[str, GraphQLObjectType], scalars: Mapping[str, Any]
) -> GraphQLField:
    from graphql import GraphQLArgument, GraphQLField, specified_scalar_types

    type_ = types[one.target] if one.kind == "nodes" else scalars[one.kind]
    arguments = _paging()
    if one.kind == "values":
        arguments["language"] = GraphQLArgument(
            specified_scalar_types["String"],
            description="Texts of this language, and what has none.",
        )
    return GraphQLField(_list(type_), arguments, description=one.iri)


def _paging() -> dict[str, Any]:
    from graphql import GraphQLArgument, specified_scalar_types

    number = specified_scalar_types["Int"]
    return {
        "limit": GraphQLArgument(
            number,
            default_value=DEFAULT_LIMIT,
            description="How many, at most the limit of the whole query.",
        ),
        "offset": GraphQLArgument(number, default_value=0, description="How many to skip."),
    }


def _list(type_: Any) -> Any:
    from graphql import GraphQLList, GraphQLNonNull

    return GraphQLNonNull(GraphQLList(GraphQLNonNull(type_)))
