"""The GraphQL schema of a graph: a list for each class, and what its members have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.sparql.graphql.shapes import Property, Shape

if TYPE_CHECKING:
    from graphql import GraphQLField, GraphQLObjectType, GraphQLSchema

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
        fields[one.name] = _field(one, types, scalars)
    return fields


def _field(
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
