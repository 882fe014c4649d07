"""GraphQL schemas: one made of the classes of a graph, and the types that a service tells."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from groundwire.errors import DeadlineError, NotFoundError, UnavailableError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Rows, iri_n3
from groundwire.safe_text import safe_name
from groundwire.sparql.outcome import Outcome, Request, Runner
from groundwire.sparql.schema.entries import PAGE_CHARACTERS, Entry, size
from groundwire.vocabulary import Policy, Term, Vocabulary

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


_SECONDS = 8.0
_MOST_ARGUMENTS = 8
_LONGEST_DESCRIPTION = 160
_LONGEST_NAME = 80
_SHOWN = ("OBJECT", "INTERFACE", "INPUT_OBJECT", "ENUM", "UNION")
_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")


@dataclass(frozen=True, slots=True)
class ServiceType:
    """One type.

    Attributes:
        name: its name.
        kind: object, interface, input_object, enum or union.
        description: what the service says of it.
        fields: of each field its name, how a query writes its arguments and type, and its
            description; of an enumeration, its values.
    """

    name: str
    kind: str
    description: str
    fields: tuple[tuple[str, str, str], ...]


@cache
def _query() -> str:
    return Path(__file__).with_name("introspection.graphql").read_text("utf-8")


async def read_types(runner: Runner) -> tuple[tuple[ServiceType, ...], Outcome]:
    """Return the types of a service, the one of its queries first.

    Raises:
        UnavailableError: it does not tell its types.
    """
    outcome = await runner.run(Request("graphql", _query(), 1000, _SECONDS))
    try:
        schema = json.loads(str(outcome.rows[0][0]))["__schema"] if outcome.rows else None
        if not isinstance(schema, dict):
            raise UnavailableError(
                f"The service does not tell its types: {outcome.reason or outcome.status}"
            )
        return _types(cast("dict[str, Any]", schema)), outcome
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnavailableError("The service tells its types in a form that is not known.") from (
            error
        )


def _types(schema: Mapping[str, Any]) -> tuple[ServiceType, ...]:
    root: dict[str, Any] = schema.get("queryType") or {}
    first = str(root.get("name", "Query"))
    found: list[ServiceType] = []
    for one in schema["types"]:
        name = str(one["name"])
        if one["kind"] not in _SHOWN or name.startswith("__") or not _is_name(name):
            continue
        fields = [
            (str(f["name"]), _arguments(f.get("args")) + f": {_type(f['type'])}",
             str(f.get("description") or ""))
            for f in one.get("fields") or () if _is_name(f["name"])
        ]  # fmt: skip
        for kind in ("inputFields", "enumValues"):
            listed: list[dict[str, Any]] = one.get(kind) or []
            fields += [(str(f["name"]), "", "") for f in listed if _is_name(f["name"])]
        shown = str(one["kind"]).lower()
        found.append(ServiceType(name, shown, str(one.get("description") or ""), tuple(fields)))
    return tuple(sorted(found, key=lambda one: str(one.name) != first))


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= _LONGEST_NAME and bool(_NAME.fullmatch(name))


def _arguments(listed: Any) -> str:
    known = [one for one in listed or () if _is_name(one["name"])]
    if not known:
        return ""
    more = ", ..." if len(known) > _MOST_ARGUMENTS else ""
    said = ", ".join(f"{one['name']}: {_type(one['type'])}" for one in known[:_MOST_ARGUMENTS])
    return f"({said}{more})"


def _type(tree: Any) -> str:
    """Return a type as a schema writes it; what lies deeper than was asked for is "..."."""
    if not isinstance(tree, dict):
        return "..."
    held = cast("dict[str, Any]", tree)
    if held.get("kind") == "NON_NULL":
        return f"{_type(held.get('ofType'))}!"
    if held.get("kind") == "LIST":
        return f"[{_type(held.get('ofType'))}]"
    return str(held["name"]) if _is_name(held.get("name")) else "..."


def type_entries(types: Sequence[ServiceType]) -> list[Entry]:
    """Return the types, with their fields where one page holds them all."""
    full = [type_entry(one, with_fields=True) for one in types]
    if size(full) <= PAGE_CHARACTERS:
        return full
    return [type_entry(one, with_fields=at == 0) for at, one in enumerate(types)]


def type_entry(one: ServiceType, *, with_fields: bool) -> Entry:
    """Return a type; each field is written with its arguments and its type."""
    entry: Entry = {"kind": "type", "name": one.name}
    if one.kind != "object":
        entry["of"] = one.kind
    if one.description:
        entry["comment"] = safe_name(one.description, _LONGEST_DESCRIPTION)
    if with_fields:
        entry["fields"] = [f"{name}{rest}" for name, rest, _ in one.fields]
    else:
        entry["field_count"] = len(one.fields)
    return entry


def field_entries(one: ServiceType) -> list[Entry]:
    """Return the fields of one type with what the service says of them."""
    entries: list[Entry] = []
    for name, rest, description in one.fields:
        arguments, _, type_ = rest.rpartition(": ")
        entry: Entry = {"kind": "field", "of": one.name, "name": name}
        if arguments:
            entry["arguments"] = arguments
        if type_:
            entry["type"] = type_
        if description:
            entry["comment"] = safe_name(description, _LONGEST_DESCRIPTION)
        entries.append(entry)
    return entries


def find_type(
    types: Sequence[ServiceType], text: str
) -> tuple[ServiceType | None, list[ServiceType]]:
    """Return the one type that is called so, or None with those whose names come near."""
    by_name = {one.name: one for one in types}
    vocabulary = Vocabulary(Term(name, name) for name in by_name)
    resolution = vocabulary.resolve(text, Policy.CANDIDATES_ONLY)
    if resolution.term is not None:
        return by_name[resolution.term.id], []
    return None, [by_name[one.term.id] for one in resolution.candidates]


def search_types(types: Sequence[ServiceType], text: str) -> list[ServiceType]:
    """Return the types that have words of a text in their names or those of their fields."""
    words = {word.casefold() for word in re.findall(r"\w+", text)}

    def score(one: ServiceType) -> int:
        own = one.name.casefold()
        inner = " ".join(name for name, _, _ in one.fields).casefold()
        return sum(2 * (word in own) + (word in inner) for word in words)

    held = [one for one in types if score(one)]
    return sorted(held, key=score, reverse=True) or find_type(types, text)[1]
