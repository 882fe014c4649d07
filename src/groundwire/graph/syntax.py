"""A query as rdflib's grammar and algebra understand it, reduced to what a policy judges.

Every node that the walk does not know is refused, so a grammar that grows does not open a door.
Rules: SPARQL 1.1 Query Language, section 19.8.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from groundwire.errors import ForbiddenError, GroundwireError, InputError, UnavailableError
from groundwire.graph.gate_grammar import parse
from groundwire.graph.lexer import Token, write
from groundwire.graph.queries import Form

FORMS: Mapping[str, Form] = {
    "SelectQuery": "select",
    "AskQuery": "ask",
    "ConstructQuery": "construct",
    "DescribeQuery": "describe",
}
# Names of rdflib's nodes. Built-ins and aggregates are the engine's own: none of them leaves it.
_KNOWN = re.compile(
    r"AdditiveExpression|Bind|ConditionalAndExpression|ConditionalOrExpression|DatasetClause|"
    r"DistinctPath|FakeGroupGraphPatten|Filter|Function|GraphGraphPattern|GroupAs|"
    r"GroupClause|GroupGraphPatternSub|GroupOrUnionGraphPattern|HavingClause|InlineData|"
    r"InversePath|LimitOffsetClauses|MinusGraphPattern|MultiplicativeExpression|"
    r"OptionalGraphPattern|OrderClause|OrderCondition|PathAlternative|PathElt|"
    r"PathEltOrInverse|PathNegatedPropertySet|PathSequence|RelationalExpression|SubSelect|"
    r"TriplesBlock|UnaryMinus|UnaryNot|UnaryPlus|ValuesClause|literal|pname|vars|"
    r"(?:Aggregate|Builtin)_[A-Za-z_0-9]+"
)


class Statement(NamedTuple):
    """A triple pattern whose predicate or object is written as `<IRI>`.

    Attributes:
        predicate: the IRI of the predicate; empty for a variable, a prefixed name or a path.
        iri: the IRI of the object, else empty.
        text: the object where it is a string without language and datatype, else None.
    """

    predicate: str
    iri: str
    text: str | None


class Facts(NamedTuple):
    """The deeds of a query, in the terms of a policy.

    Attributes:
        form: its form.
        columns: projected variables; empty for `SELECT *` and forms other than SELECT.
        limit: its own LIMIT, not that of a sub-query.
        functions: IRIs that it calls.
        graphs: IRIs that `GRAPH` names.
        open_graph: whether `GRAPH` stands with a variable.
        default_graphs: IRIs of FROM; None without any FROM or FROM NAMED.
        named_graphs: IRIs of FROM NAMED; None without any FROM or FROM NAMED.
        patterns: number of triple patterns, and of further steps of paths.
        values: number of rows of the largest VALUES.
        listed: number of members of the longest IN.
        template: number of triples in the template of a CONSTRUCT.
        statements: the triple patterns in which an IRI is written as such; none of a CONSTRUCT
            WHERE.
    """

    form: Form
    columns: tuple[str, ...]
    limit: int | None
    functions: frozenset[str]
    graphs: frozenset[str]
    open_graph: bool
    default_graphs: tuple[str, ...] | None
    named_graphs: tuple[str, ...] | None
    patterns: int
    values: int
    listed: int
    template: int
    statements: tuple[Statement, ...]


def read(tokens: Sequence[Token]) -> Facts:
    """Parse a query with rdflib and find out what it does.

    Raises:
        InputError: the query is not well formed.
        ForbiddenError: it has a SERVICE or something that is not understood.
    """
    # Imported here: it takes a fifth of a second, and only servers with queries need it.
    from pyparsing import ParseException
    from rdflib.plugins.sparql.algebra import translatePrologue

    try:
        parsed: Any = parse(_shown(tokens))
        prologue: Any = translatePrologue(parsed[0], None)
        found = _Findings(prologue)
        for node in _nodes(parsed[1]):
            found.visit(node)
    except ParseException as error:
        raise InputError(f"The query is not well-formed SPARQL ({error}): mend it.") from error
    except RecursionError as error:
        raise InputError("The query is nested too deeply: make it simpler.") from error
    except GroundwireError:
        raise
    # What else rdflib raises differs from mistake to mistake: TypeError, KeyError, bare Exception.
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"The query is not understood ({reason}): mend it.") from error
    return found.facts()


def _shown(tokens: Sequence[Token]) -> str:
    """The text for rdflib, which cannot negate decimals: it is shown doubles in their place."""
    return write([t._replace(text=f"{t.text}e0") if t.kind == "decimal" else t for t in tokens])


class _Findings:
    """The findings that the nodes of one query add up to."""

    def __init__(self, prologue: Any) -> None:
        self._prologue = prologue
        self.form: Form | None = None
        self._limit: int | None = None
        self._functions: set[str] = set()
        self._graphs: set[str] = set()
        self._open_graph = False
        self._default: list[str] = []
        self._named: list[str] = []
        self._patterns = self._values = self._listed = self._template = 0
        self._columns: tuple[str, ...] = ()
        self._statements: list[Statement] = []
        # Whether it is a CONSTRUCT WHERE, whose patterns are its template too.
        self._short = False

    def visit(self, node: Any) -> None:
        """Take one node into account.

        Raises:
            ForbiddenError: it is a SERVICE or of an unknown kind.
        """
        name: str = node.name
        if name == "ServiceGraphPattern":
            raise ForbiddenError("SERVICE is refused: a query may not leave this graph.")
        if self.form is None:
            self._visit_query(node)
        elif _KNOWN.fullmatch(name) is None:
            raise ForbiddenError(f"The query has a part that is not understood here: {name}.")
        elif name.startswith("Aggregate_") and _is_nested(node):
            raise InputError("An aggregate stands within another: use a sub-query.")
        elif name == "Function":
            self._functions.add(self._iri(node.iri))
        elif name == "GraphGraphPattern":
            self._visit_graph(node.term)
        elif name == "DatasetClause" and node.default:
            self._default.append(self._iri(node.default))
        elif name == "DatasetClause":
            self._named.append(self._iri(node.named))
        else:
            self._measure(node)

    def _visit_query(self, node: Any) -> None:
        """The outermost node comes first: the query itself."""
        self.form = FORMS.get(node.name)
        if self.form is None:
            raise ForbiddenError(f"A query of the form {node.name} is not understood here.")
        if node.limitoffset and node.limitoffset.limit is not None:
            self._limit = int(node.limitoffset.limit)
        # The variables of `SELECT *` have no order here; the engine gives them one.
        if self.form == "select":
            self._columns = tuple(str(v.var or v.evar) for v in node.projection or ())
        elif self.form == "construct":
            self._template = sum(len(triples) // 3 for triples in node.template or ())

    def _visit_graph(self, term: object) -> None:
        from rdflib import Variable

        if isinstance(term, Variable):
            self._open_graph = True
        else:
            self._graphs.add(self._iri(term))

    def _measure(self, node: Any) -> None:
        if node.name == "TriplesBlock":
            # Subject, predicate and object stand in a row.
            for block in node.triples:
                self._patterns += len(block) // 3
                for predicate, value in zip(block[1::3], block[2::3], strict=True):
                    self._state(predicate, value)
        elif node.name == "FakeGroupGraphPatten":
            self._short = True
        elif node.name == "PathSequence":
            # The engine joins its steps as it joins patterns.
            self._patterns += len(node.part) - 1
        elif node.name in ("InlineData", "ValuesClause"):
            self._values = max(self._values, len(node.value or ()))
        elif node.name == "RelationalExpression" and node.op in ("IN", "NOT IN"):
            self._listed = max(self._listed, len(node.get("other") or ()))

    def _state(self, predicate: Any, value: Any) -> None:
        from rdflib import URIRef

        known = _plain_predicate(predicate)
        iri = str(cast("str", value)) if isinstance(value, URIRef) else ""
        if not self._short and (known or iri):
            self._statements.append(Statement(known, iri, _plain_string(value)))

    def _iri(self, term: object) -> str:
        return str(self._prologue.absolutize(term))

    def facts(self) -> Facts:
        """All that was found."""
        assert self.form is not None
        dataset = bool(self._default or self._named)
        return Facts(
            self.form,
            self._columns,
            self._limit,
            frozenset(self._functions),
            frozenset(self._graphs),
            self._open_graph,
            tuple(self._default) if dataset else None,
            tuple(self._named) if dataset else None,
            self._patterns,
            self._values,
            self._listed,
            self._template,
            tuple(self._statements),
        )


@cache
def _probe() -> tuple[Any, dict[Any, Any]]:
    """An empty store, and a substitution that no query can take.

    pyoxigraph has no way to parse only. But it refuses, after parsing and before evaluating, to
    substitute a variable that the query does not project; the name cannot be guessed.
    """
    import pyoxigraph as ox

    return ox.Store(), {ox.Variable(f"p{secrets.token_hex(16)}"): ox.Literal("")}


def accept_by_engine(text: str) -> None:
    """Have the engine's own parser, which is strict where rdflib is lax, read the query.

    Only for texts in which `read` found no SERVICE.

    Raises:
        InputError: the query is not well formed.
    """
    store, substitution = _probe()
    try:
        store.query(text, substitutions=substitution)
    except SyntaxError as error:
        raise InputError(f"The query is not well-formed SPARQL ({error.msg}): mend it.") from error
    except RuntimeError as error:
        # It knows none of the functions that only other servers have, and says so after parsing.
        if any(known in str(error) for known in ("SELECT projection", "custom function")):
            return
        raise UnavailableError(f"The engine does not say whether it reads this: {error}") from error
    raise UnavailableError("The engine did more than read the query: it was stopped there.")


def _plain_predicate(node: Any) -> str:
    """The IRI of a predicate that is written as one, else empty."""
    from rdflib import URIRef

    # It is a path of one step that has one alternative.
    for name in ("PathAlternative", "PathSequence", "PathElt"):
        part = node.part if getattr(node, "name", "") == name else None
        if part is None or (name == "PathElt" and node.mod):
            return ""
        node = part if name == "PathElt" else part[0] if len(part) == 1 else None
    return str(node) if isinstance(node, URIRef) else ""


def _plain_string(node: Any) -> str | None:
    """The text of a string literal without language and datatype."""
    if getattr(node, "name", "") != "literal" or node.lang or node.datatype:
        return None
    return str(node.string)


def _is_nested(aggregate: Any) -> bool:
    """Whether an aggregate stands within this one; those of its groups and sub-queries aside."""
    below = _nodes(list(aggregate.values()), without=("GroupGraphPatternSub", "SubSelect"))
    return any(node.name.startswith("Aggregate_") for node in below)


def _nodes(root: object, without: Sequence[str] = ()) -> Iterator[Any]:
    """Every node of a parse tree, wherever it stands; not those below nodes named in `without`."""
    from pyparsing import ParseResults
    from rdflib.plugins.sparql.parserutils import CompValue

    pending: list[Any] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, CompValue):
            if node.name in without:
                continue
            yield node
            pending.extend(cast("dict[str, Any]", node).values())
        elif isinstance(node, (list, tuple, ParseResults)):
            pending.extend(cast("Sequence[Any]", node))
        elif isinstance(node, dict):
            pending.extend(cast("dict[Any, Any]", node).values())
