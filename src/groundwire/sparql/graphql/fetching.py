"""The data of a GraphQL query, fetched level by level: one SPARQL query for each."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.errors import DeadlineError, InputError, LimitError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri_n3, literal_n3
from groundwire.sparql.graphql.document import Document
from groundwire.sparql.graphql.schema import DEFAULT_LIMIT, Ask, Property, Shape
from groundwire.sparql.label_store import LABEL_PROPERTIES
from groundwire.sparql.sql.relations import typed

if TYPE_CHECKING:
    from graphql import FieldNode, GraphQLObjectType, GraphQLSchema


_LABELS = " ".join(map(iri_n3, LABEL_PROPERTIES))


class Root(NamedTuple):
    """One field of the query, and what it asks for.

    Attributes:
        class_iri: members of this class.
        limit: how many; the query finds one more, if there is one.
        offset: how many to skip.
        iri: only the member with this IRI; "" for all.
        label: only members with a label that holds this text; "" for all.
    """

    class_iri: str
    limit: int
    offset: int = 0
    iri: str = ""
    label: str = ""


class Wanted(NamedTuple):
    """Predicates of which the values are wanted, of some things."""

    things: Sequence[str]
    predicates: Sequence[str]


MAX_NODES = 2_000
"""Things in one answer, each as often as it stands there."""
MAX_VALUES = 20_000
"""Values that one level may have before its limits are applied."""
MAX_OFFSET = 100_000
_MAX_LABEL = 200
_MAX_IRI = 2_000
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7}")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*")

Fields = dict[str, "list[FieldNode]"]
Node = dict[str, Any]


class _Page(NamedTuple):
    """Which part of a list is asked for.

    Attributes:
        limit: how many.
        offset: how many are skipped.
        open: whether the query leaves open how many, or wants more than it may have; then
            what is left out has to be told.
    """

    limit: int
    offset: int
    open: bool


@dataclass(slots=True)
class _Group:
    """Things of one level that are asked for the same."""

    shape: Shape
    fields: Fields
    things: list[tuple[str, Node]] = field(default_factory=list[tuple[str, Node]])


@dataclass(slots=True)
class Fetched:
    """The data that was fetched.

    Attributes:
        data: of each field of the query its things, by the name that the answer has for it.
        nodes: things in it.
        queries: SPARQL queries that were run.
        cut: fields of which there is more than the answer holds, without their limit being said.
        left_out: fields with values that are no IRIs, where the schema promises IRIs.
    """

    data: Node = field(default_factory=dict[str, Any])
    nodes: int = 0
    queries: int = 0
    cut: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Fetcher:
    """Fetches the data of one valid query.

    Attributes:
        document: the query.
        schema: what it was validated with.
        shapes: the classes of the schema, by IRI.
        ask: runs SPARQL.
        limit: most things or values of a list.
        variables: their values, as the query declares them.
    """

    document: Document
    schema: GraphQLSchema
    shapes: Mapping[str, Shape]
    ask: Ask
    limit: int
    variables: dict[str, Any] = field(default_factory=dict[str, Any])
    found: Fetched = field(default_factory=Fetched)

    async def fetch(self) -> Fetched:
        """Fetch all that the query asks for.

        Raises:
            InputError: an argument cannot be used.
            LimitError: the answer passes MAX_NODES or MAX_VALUES.
            DeadlineError: the time was over before all was there.
            GroundwireError: the graph does not answer.
        """
        level = await self._roots()
        while level:
            level = await self._next(level)
        return self.found

    async def _roots(self) -> list[_Group]:
        from graphql.execution.collect_fields import collect_fields

        query = self.schema.query_type
        if query is None:
            return []
        selected = self.document.operation.selection_set
        fields = collect_fields(
            self.schema, self.document.fragments, self.variables, query, selected
        )
        by_root = {shape.root: shape for shape in self.shapes.values()}
        pages: list[_Page] = []
        asked: list[Root] = []
        groups: list[_Group] = []
        names: list[str] = []
        for name, nodes in fields.items():
            shape = by_root.get(nodes[0].name.value)
            if shape is None:
                continue
            arguments = self._arguments(query, nodes[0])
            page = self._page(nodes[0], arguments)
            pages.append(page)
            asked.append(_root(shape, page, arguments))
            groups.append(_Group(shape, self._below(shape, nodes)))
            names.append(name)
        if not asked:
            return []
        rows = await self._select(_roots_query(asked), sum(page.limit + 2 for page in pages))
        members: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for place, thing, order in rows:
            if place is not None and thing is not None and order is not None:
                members[int(place.value)].append((order.value, thing.value))
        for at, (group, page, name) in enumerate(zip(groups, pages, names, strict=True)):
            things = [thing for _, thing in sorted(members[at])]
            self.found.data[name] = self._add(group, things[: page.limit])
            if page.open and len(things) > page.limit:
                self._tell(name)
        return groups

    async def _next(self, level: Sequence[_Group]) -> list[_Group]:
        """Fill the things of a level; the things below them."""
        wanted: list[Wanted] = []
        for group in level:
            predicates = _predicates(group)
            if group.things and predicates:
                things = list(dict.fromkeys(iri for iri, _ in group.things))
                wanted.append(Wanted(things, predicates))
        values: dict[tuple[str, str], list[Term]] = defaultdict(list)
        if wanted:
            for thing, predicate, value in await self._select(
                _values_query(wanted, MAX_VALUES), MAX_VALUES
            ):
                if thing is not None and predicate is not None and value is not None:
                    values[thing.value, predicate.value].append(value)
        below: list[_Group] = []
        for group in level:
            for name, nodes in group.fields.items():
                below += self._fill(group, name, nodes, values)
        return [group for group in below if group.things]

    def _fill(
        self,
        group: _Group,
        name: str,
        nodes: list[FieldNode],
        values: Mapping[tuple[str, str], list[Term]],
    ) -> list[_Group]:
        """Fill one field of all things of a group; the group of the things below, if any."""
        wanted = nodes[0].name.value
        if wanted in ("iri", "label"):
            language = _language(self._arguments(self._type(group.shape), nodes[0]))
            for iri, node in group.things:
                node[name] = iri if wanted == "iri" else _best_label(iri, values, language)
            return []
        one = group.shape.properties.get(wanted)
        if one is None:
            return []
        type_ = self._type(group.shape)
        arguments = self._arguments(type_, nodes[0])
        page, language = self._page(nodes[0], arguments), _language(arguments)
        target = self.shapes.get(one.target)
        below = None
        if target is not None:
            below = _Group(target, self._below(target, nodes))
        for iri, node in group.things:
            found = self._fitting(one, name, values.get((iri, one.iri), ()))
            if language:
                found = [term for term in found if not term.language or _is_in(term, language)]
            part = found[page.offset : page.offset + page.limit]
            if page.open and len(found) > page.offset + page.limit:
                self._tell(name)
            if below is None:
                node[name] = [_plain(term) for term in part]
            else:
                node[name] = self._add(below, [term.value for term in part])
        return [] if below is None else [below]

    def _fitting(self, one: Property, name: str, values: Sequence[Term]) -> list[Term]:
        """The values that the type of a field takes, in an order that holds.

        The schema knows some members of a class, and others may have what none of those had.
        """
        fitting = [term for term in values if one.kind == "values" or term.kind == "iri"]
        if len(fitting) < len(values) and name not in self.found.left_out:
            self.found.left_out.append(name)
        return sorted(fitting)

    def _add(self, group: _Group, iris: Sequence[str]) -> list[Node]:
        self.found.nodes += len(iris)
        if self.found.nodes > MAX_NODES:
            raise LimitError(
                f"The answer holds more than {MAX_NODES:,} things: lower the limits, or ask in"
                " steps."
            )
        nodes: list[Node] = [{} for _ in iris]
        group.things += zip(iris, nodes, strict=True)
        return nodes

    def _tell(self, name: str) -> None:
        if name not in self.found.cut:
            self.found.cut.append(name)

    def _below(self, shape: Shape, nodes: list[FieldNode]) -> Fields:
        from graphql.execution.collect_fields import collect_sub_fields

        type_ = self._type(shape)
        fields = collect_sub_fields(
            self.schema, self.document.fragments, self.variables, type_, nodes
        )
        return {name: one for name, one in fields.items() if one[0].name.value[:2] != "__"}

    def _type(self, shape: Shape) -> GraphQLObjectType:
        from graphql import GraphQLObjectType

        type_ = self.schema.type_map[shape.type_name]
        assert isinstance(type_, GraphQLObjectType)
        return type_

    def _arguments(self, type_: GraphQLObjectType, node: FieldNode) -> dict[str, Any]:
        from graphql import GraphQLError
        from graphql.execution.values import get_argument_values

        try:
            return get_argument_values(type_.fields[node.name.value], node, self.variables)
        except GraphQLError as error:
            raise InputError(f"{' '.join(error.message.split())}: mend it.") from None

    def _page(self, node: FieldNode, arguments: Mapping[str, Any]) -> _Page:
        limit = arguments.get("limit")
        offset = arguments.get("offset") or 0
        said = any(one.name.value == "limit" for one in node.arguments) and limit is not None
        limit = limit if said and limit is not None else DEFAULT_LIMIT
        if limit < 0 or not 0 <= offset <= MAX_OFFSET:
            raise InputError(
                f"limit {limit} and offset {offset} of {node.name.value} cannot be used: give a"
                f" limit from 0 and an offset from 0 to {MAX_OFFSET:,}."
            )
        return _Page(min(limit, self.limit), offset, not said or limit > self.limit)

    async def _select(self, query: Any, most: int) -> list[tuple[Term | None, ...]]:
        self.found.queries += 1
        rows = await self.ask(query, most)
        if rows.complete:
            return rows.rows
        if len(rows.rows) >= most:
            raise LimitError(
                f"One level of the query has more than {most:,} values: ask for fewer fields or"
                " things in one."
            )
        raise DeadlineError(
            "The endpoint gave a part of what was asked, for want of time or by a limit of its own:"
            " ask for less, or in steps."
        )


def _root(shape: Shape, page: _Page, arguments: Mapping[str, Any]) -> Root:
    iri, label = arguments.get("iri"), arguments.get("label")
    if iri is not None and (len(iri) > _MAX_IRI or not _IRI.fullmatch(iri)):
        raise InputError(f"{iri[:60]!r} is no IRI: send it whole, without prefix and brackets.")
    if label is not None and not 0 < len(label) <= _MAX_LABEL:
        raise InputError(f"The text of label has {len(label)} characters: send 1 to {_MAX_LABEL}.")
    return Root(shape.iri, page.limit, page.offset, iri or "", label or "")


def _language(arguments: Mapping[str, Any]) -> str:
    """Return the language that an argument asks for, or "".

    Raises:
        InputError: the argument is not a language tag.
    """
    language = arguments.get("language") or ""
    if language and not _LANGUAGE.fullmatch(language):
        raise InputError(f"{language[:40]!r} is no language tag: send one as de or pt-BR.")
    return language


def _predicates(group: _Group) -> list[str]:
    """The predicates that the fields of a group need."""
    needed: dict[str, None] = {}
    for nodes in group.fields.values():
        name = nodes[0].name.value
        if name == "label":
            needed |= dict.fromkeys(LABEL_PROPERTIES)
        elif name in group.shape.properties:
            needed[group.shape.properties[name].iri] = None
    return list(needed)


def _roots_query(roots: Sequence[Root]) -> CompiledQuery:
    """The members for all fields of a query at once.

    As `?k`, the place of the field, `?s`, and `?x`: 0 where a label is the text that is asked for,
    else 1. Such members come first.
    """
    branches = (_branch(place, root) for place, root in enumerate(roots))
    return CompiledQuery(f"SELECT ?k ?s ?x {{ {_union(branches)} }}")


def _values_query(wanted: Iterable[Wanted], most: int) -> CompiledQuery:
    """The values `?o` of predicates `?p` of things `?s`, for all parts of a level at once.

    It finds one more than `most`, if there is one.
    """
    # A second VALUES instead of the filter makes pyoxigraph read the whole graph: of 500,000
    # triples, 300 things take 8 s so, and 20 ms as it stands.
    branches = (
        f"VALUES ?s {{ {_listed(one.things)} }} ?s ?p ?o "
        f"FILTER(?p IN ({', '.join(map(iri_n3, one.predicates))}))"
        for one in wanted
    )
    return CompiledQuery(f"SELECT DISTINCT ?s ?p ?o {{ {_union(branches)} }} LIMIT {most + 1}")


def _branch(place: int, root: Root) -> str:
    parts = [f"?s a {iri_n3(root.class_iri)} . FILTER(isIRI(?s))"]
    if root.iri:
        parts.insert(0, f"VALUES ?s {{ {iri_n3(root.iri)} }}")
    exact = "1"
    if root.label:
        text = literal_n3(root.label)
        parts.append(
            f"FILTER EXISTS {{ VALUES ?lp {{ {_LABELS} }} ?s ?lp ?l . "
            f"FILTER(CONTAINS(LCASE(STR(?l)), LCASE({text}))) }} "
            f"OPTIONAL {{ VALUES ?ep {{ {_LABELS} }} ?s ?ep ?e . "
            f"FILTER(LCASE(STR(?e)) = LCASE({text})) }}"
        )
        exact = "IF(BOUND(?e), 0, 1)"
    return (
        f"{{ SELECT DISTINCT ({place} AS ?k) ?s ({exact} AS ?x) {{ {' '.join(parts)} }} "
        f"ORDER BY ?x ?s LIMIT {root.limit + 1} OFFSET {root.offset} }}"
    )


def _union(branches: Iterable[str]) -> str:
    return " UNION ".join(f"{{ {branch} }}" for branch in branches)


def _listed(iris: Iterable[str]) -> str:
    return " ".join(map(iri_n3, iris))


def _best_label(iri: str, values: Mapping[tuple[str, str], list[Term]], wanted: str) -> str | None:
    """The best label: by property, then English or of no language, then the first.

    Args:
        iri: the thing.
        values: what is said of it, by predicate.
        wanted: a language that comes before all of that; a label in it, whatever its property.
    """
    held = [
        (place, term)
        for place, predicate in enumerate(LABEL_PROPERTIES)
        for term in values.get((iri, predicate), ())
        if term.kind == "literal"
    ]
    if not held:
        return None
    return min(held, key=lambda one: (not (wanted and _is_in(one[1], wanted)), one[0],
                                      _goodness(one[1])))[1].value  # fmt: skip


def _is_in(term: Term, language: str) -> bool:
    """Whether a literal is of a language: "de" is that of "de-AT" too (RFC 4647, section 3.3.1)."""
    tag, wanted = term.language.lower(), language.lower()
    return tag == wanted or tag.startswith(f"{wanted}-")


def _goodness(term: Term) -> tuple[int, str, str]:
    language = term.language.lower()
    rank = 0 if language.split("-")[0] == "en" else 1 if not language else 2
    return rank, language, term.value


def _plain(term: Term) -> str | int | float | bool | None:
    """A value as JSON has it; what JSON has no number for is a text.

    A blank node is `_:` and a name that only this answer knows it by.
    """
    if term.kind == "bnode":
        return f"_:{term.value}"
    value = typed(term)
    if isinstance(value, (Decimal, Term)) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        return term.value
    return value
