"""A GraphQL text, read and measured before anything looks at what it asks for.

Every bound is checked with fragments written out, since that is what an executor works on. A text
is only ever walked as far as its bounds reach, so a bomb costs no more than a query.

Rules: GraphQL specification of October 2021, sections 2 (language) and 4 (introspection).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groundwire.errors import ForbiddenError, InputError, LimitError

if TYPE_CHECKING:
    from graphql import (
        DirectiveNode,
        DocumentNode,
        FieldNode,
        FragmentDefinitionNode,
        GraphQLSchema,
        OperationDefinitionNode,
        SelectionNode,
        SelectionSetNode,
    )

MAX_TEXT = 20_000
MAX_TOKENS = 2_000
MAX_DEPTH = 8
MAX_FIELDS = 200
MAX_ALIASES = 30
MAX_INTROSPECTION = 40
"""Fields of introspection, each of which is answered for every type, field and argument."""
# Brackets, and fragments within fragments, which do not count as depth.
_MAX_NESTING = 24

# Lists of the introspection schema: one inside another of its name multiplies the answer.
_INTROSPECTION_LISTS = frozenset(
    (
        *("types", "fields", "args", "inputFields", "interfaces", "possibleTypes"),
        *("enumValues", "directives"),
    )
)
_DIRECTIVES = ("skip", "include")


@dataclass(frozen=True, slots=True)
class Document:
    """One query that is within the bounds.

    Attributes:
        tree: the whole document.
        operation: its one query.
        fragments: its fragments by name.
        text: the document as it is printed from the tree.
    """

    tree: DocumentNode
    operation: OperationDefinitionNode
    fragments: dict[str, FragmentDefinitionNode]
    text: str


def read_document(text: str) -> Document:
    """Read a text.

    Raises:
        InputError: the text is not GraphQL, not one query, or uses what is not supported.
        ForbiddenError: it is a mutation or a subscription, or asks for introspection in a way
            that is not open.
        LimitError: it passes a bound.
    """
    from graphql import GraphQLError, OperationDefinitionNode, OperationType, parse, print_ast

    used = _scan(text)
    try:
        tree = parse(text, no_location=False, max_tokens=MAX_TOKENS)
    except GraphQLError as error:
        raise InputError(f"The query is no GraphQL: {' '.join(error.message.split())}.") from None
    except RecursionError:
        raise LimitError("The query nests too deeply: ask for less in one.") from None
    operations = [one for one in tree.definitions if isinstance(one, OperationDefinitionNode)]
    fragments = _fragments(tree)
    if len(operations) != 1:
        raise InputError(f"The text holds {len(operations)} operations: send one query.")
    operation = operations[0]
    if operation.operation is not OperationType.QUERY:
        raise ForbiddenError(
            f"A {operation.operation.value} is refused: only queries are run here."
        )
    declared = {one.variable.name.value for one in operation.variable_definitions}
    if undeclared := sorted(used - declared):
        raise InputError(
            f"The variable ${undeclared[0]} is not declared: write query (${undeclared[0]}: TYPE)."
        )
    _check_directives(operation.directives)
    walk = _Walk(fragments)
    walk.selections(operation.selection_set, _Place())
    unused = sorted(set(fragments) - walk.used)
    if unused:
        raise InputError(f"The fragment {unused[0]} is not used: remove it.")
    return Document(tree, operation, fragments, print_ast(tree))


def read_variables(
    schema: GraphQLSchema, document: Document, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of the variables of a query that fits a schema.

    Raises:
        InputError: one that is declared has no value or another type, or one is not declared.
    """
    from graphql.execution.values import get_variable_values

    check_variables(document, given)
    declared = document.operation.variable_definitions
    found = get_variable_values(schema, declared, dict(given), max_errors=1)
    if isinstance(found, list):
        raise InputError(f"{' '.join(found[0].message.split())[:300]}: mend it in variables.")
    return found


def check_variables(document: Document, given: Mapping[str, Any]) -> None:
    """Refuse values of variables that a query does not declare, and too many of them.

    Raises:
        InputError: so it is.
    """
    names = [one.variable.name.value for one in document.operation.variable_definitions]
    unknown = sorted(set(given) - set(names))
    if unknown:
        known = f"it declares {', '.join(names)}" if names else "it declares none"
        raise InputError(f"The query has no variable {unknown[0][:60]}: {known}.")
    if len(json.dumps(given, default=str)) > MAX_TEXT:
        raise InputError(f"The variables have more than {MAX_TEXT} characters: send less.")


def _scan(text: str) -> set[str]:
    """Refuse what the tokens alone show, before a parser goes down into it.

    Returns:
        the names of its variables.
    """
    from graphql import GraphQLError, Source, TokenKind
    from graphql.language import Lexer

    if len(text) > MAX_TEXT:
        raise LimitError(f"The query has {len(text)} characters: shorten it to {MAX_TEXT}.")
    if not text.strip():
        raise InputError("The query is empty: send one GraphQL query.")
    opening = (TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L)
    closing = (TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R)
    count = nesting = 0
    lexer = Lexer(Source(text))
    names: set[str] = set()
    after_dollar = False
    try:
        while (kind := (token := lexer.advance()).kind) is not TokenKind.EOF:
            count += 1
            if after_dollar and kind is TokenKind.NAME:
                names.add(token.value or "")
            after_dollar = kind is TokenKind.DOLLAR
            nesting += (kind in opening) - (kind in closing)
            if count > MAX_TOKENS or nesting > _MAX_NESTING:
                raise LimitError(
                    f"The query has more than {MAX_TOKENS} words and signs, or brackets"
                    f" {_MAX_NESTING} deep: ask for less in one."
                )
    except GraphQLError as error:
        raise InputError(f"The query is no GraphQL: {' '.join(error.message.split())}.") from None
    return names


def _fragments(tree: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    from graphql import FragmentDefinitionNode, OperationDefinitionNode

    found: dict[str, FragmentDefinitionNode] = {}
    for definition in tree.definitions:
        if isinstance(definition, FragmentDefinitionNode):
            name = definition.name.value
            if name in found:
                raise InputError(f"Two fragments are called {name}: rename one.")
            _check_directives(definition.directives)
            found[name] = definition
        elif not isinstance(definition, OperationDefinitionNode):
            raise InputError("The text defines types: send a query alone.")
    return found


def _check_directives(directives: Iterable[DirectiveNode]) -> None:
    """Only what leaves out a part of the query, said once and by a constant."""
    from graphql import BooleanValueNode

    seen: set[str] = set()
    for directive in directives:
        name = directive.name.value
        if name not in _DIRECTIVES:
            raise ForbiddenError(f"The directive @{name} is refused: only @skip and @include are.")
        arguments = directive.arguments
        constant = len(arguments) == 1 and isinstance(arguments[0].value, BooleanValueNode)
        if name in seen or not constant or arguments[0].name.value != "if":
            raise InputError(f"Write @{name}(if: true) or @{name}(if: false), once in a place.")
        seen.add(name)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a walk is.

    Attributes:
        depth: fields around it.
        nesting: selection sets around it.
        fragments: names of fragments around it.
        introspection: None outside of introspection, else its lists around it.
    """

    depth: int = 0
    nesting: int = 0
    fragments: frozenset[str] = frozenset()
    introspection: frozenset[str] | None = None


@dataclass(slots=True)
class _Walk:
    """A walk through a query with its fragments written out, which ends at the first bound."""

    fragments: dict[str, FragmentDefinitionNode]
    used: set[str] = field(default_factory=set[str])
    fields: int = 0
    aliases: int = 0
    introspection: int = 0

    def selections(self, selected: SelectionSetNode, place: _Place) -> None:
        if place.nesting > _MAX_NESTING:
            raise LimitError(f"Fragments nest deeper than {_MAX_NESTING}: write their fields.")
        for selection in selected.selections:
            self._selection(selection, place)

    def _selection(self, selection: SelectionNode, place: _Place) -> None:
        from graphql import FieldNode, FragmentSpreadNode, InlineFragmentNode

        _check_directives(selection.directives)
        inner = place.nesting + 1
        if isinstance(selection, FieldNode):
            self._field(selection, place)
        elif isinstance(selection, InlineFragmentNode):
            deeper = _Place(place.depth, inner, place.fragments, place.introspection)
            self.selections(selection.selection_set, deeper)
        elif isinstance(selection, FragmentSpreadNode):
            name = selection.name.value
            if name in place.fragments:
                raise InputError(f"The fragment {name} holds itself: break the circle.")
            if name not in self.fragments:
                raise InputError(f"There is no fragment {name}: define it, or write its fields.")
            self.used.add(name)
            around = place.fragments | {name}
            deeper = _Place(place.depth, inner, around, place.introspection)
            self.selections(self.fragments[name].selection_set, deeper)

    def _field(self, node: FieldNode, place: _Place) -> None:
        self.fields += 1
        self.aliases += node.alias is not None
        depth = place.depth + 1
        if self.fields > MAX_FIELDS:
            raise LimitError(f"The query asks for more than {MAX_FIELDS} fields: ask for fewer.")
        if self.aliases > MAX_ALIASES:
            raise LimitError(f"The query has more than {MAX_ALIASES} aliases: use fewer.")
        if depth > MAX_DEPTH:
            raise LimitError(f"The query is deeper than {MAX_DEPTH} fields: ask in steps.")
        inside = _introspection(node, place.introspection)
        self.introspection += inside is not None
        if self.introspection > MAX_INTROSPECTION:
            raise LimitError(
                f"The query has more than {MAX_INTROSPECTION} fields of introspection: ask in"
                " steps, or by __type(name:) for one type."
            )
        if node.selection_set is not None:
            deeper = _Place(depth, place.nesting + 1, place.fragments, inside)
            self.selections(node.selection_set, deeper)


def _introspection(node: FieldNode, around: frozenset[str] | None) -> frozenset[str] | None:
    """Return what is known of introspection below a field."""
    name = node.name.value
    if name.startswith("__") and name not in ("__typename", "__schema", "__type"):
        raise ForbiddenError(f"{name} is refused: of introspection, __schema and __type are open.")
    if name in ("__schema", "__type"):
        around = around or frozenset()
    if around is None:
        return None
    if node.alias is not None:
        raise ForbiddenError(f"The alias of {name} is refused: introspection takes none.")
    if name not in _INTROSPECTION_LISTS:
        return around
    if name in around:
        raise ForbiddenError(f"{name} within {name} is refused in introspection: ask in steps.")
    return around | {name}
