"""The gate: which SPARQL that a model or a user wrote may run on a local graph.

A query is split into tokens once, written out canonically, and read by two parsers that see
the same text: rdflib's, whose tree a policy judges, and the engine's own, which is strict. What
is not understood is refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.errors import ForbiddenError, GroundwireError, InputError, LimitError
from groundwire.graph import syntax
from groundwire.graph.lexer import Token, tokenize, write
from groundwire.graph.queries import Form, GatedQuery, Verdict

_XSD = "http://www.w3.org/2001/XMLSchema#"
# SPARQL 1.1, section 17.5: the constructor functions, and those that engines add for dates.
_CASTS = (
    *("boolean", "string", "integer", "decimal", "float", "double", "dateTime", "date", "time"),
    *("duration", "dayTimeDuration", "yearMonthDuration"),
    *("gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay"),
)
XSD_CASTS = frozenset(_XSD + name for name in _CASTS)
SCHEMA_GRAPH = "urn:graph:schema"

_UPDATES = frozenset(
    ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "WITH")
)
_OPENING, _CLOSING = "({[", ")}]"


class Policy(NamedTuple):
    """What a query may do.

    Attributes:
        forms: query forms.
        default_graphs: names of the graphs that make up the default graph where the query has no
            FROM; None is the store's own.
        allowed_graphs: IRIs that FROM, FROM NAMED and GRAPH may name; None allows all. `GRAPH ?g`
            ranges over them only.
        functions: IRIs of functions that may be called besides the built-ins.
        max_rows: most rows of an answer.
        max_length: most characters of a query.
        max_tokens: most terminals of a query.
        max_depth: deepest nesting of brackets.
        max_patterns: most triple patterns and steps of paths; the engine orders n of them in a
            time that grows with the cube of n.
        max_values: most rows of a VALUES, and most members of an IN.
    """

    forms: frozenset[Form] = frozenset(("select", "ask", "construct", "describe"))
    default_graphs: tuple[str, ...] | None = None
    allowed_graphs: tuple[str, ...] | None = ()
    functions: frozenset[str] = XSD_CASTS
    max_rows: int = 10_000
    max_length: int = 8_000
    max_tokens: int = 1_200
    max_depth: int = 16
    max_patterns: int = 60
    max_values: int = 500


SCHEMA_POLICY = Policy(
    forms=frozenset(("select",)),
    default_graphs=(SCHEMA_GRAPH,),
    allowed_graphs=(SCHEMA_GRAPH,),
    max_rows=50,
    max_length=4_000,
    max_tokens=600,
)
"""For `investigate_schema`: one SELECT on the schema graph, 50 rows."""


class _Refusal(NamedTuple):
    """An error to raise again for a query that was seen before."""

    kind: type[GroundwireError]
    message: str


def check(text: str, policy: Policy) -> GatedQuery:
    """Let `text` through, or say why not.

    Returns:
        the canonical text with its LIMIT, and what is known about it.

    Raises:
        InputError: it is not well-formed SPARQL, or not understood.
        ForbiddenError: it does what `policy` does not allow.
        LimitError: it is larger than `policy` allows.
    """
    if len(text) > policy.max_length:
        raise LimitError(
            f"The query has {len(text)} characters: shorten it to {policy.max_length}."
        )
    verdict = _judge(text, policy)
    if isinstance(verdict, _Refusal):
        raise verdict.kind(verdict.message)
    return verdict


@lru_cache(maxsize=256)
def _judge(text: str, policy: Policy) -> GatedQuery | _Refusal:
    try:
        return _admit(text, policy)
    except (InputError, ForbiddenError, LimitError) as error:
        return _Refusal(type(error), str(error))


def _admit(text: str, policy: Policy) -> GatedQuery:
    tokens = tokenize(text)
    _check_tokens(tokens, policy)
    most = policy.max_rows + 1
    limited, expected = _limit(tokens, most)
    facts = syntax.read(limited)
    _check_facts(facts, policy)
    if facts.limit != expected:
        raise InputError("The LIMIT of the query is not understood: put it at the end.")
    canonical = write(limited)
    syntax.accept_by_engine(canonical)
    dataset = facts.default_graphs is not None
    verdict = Verdict(
        form=facts.form,
        columns=facts.columns,
        max_rows=policy.max_rows,
        limit=facts.limit,
        default_graphs=facts.default_graphs if dataset else policy.default_graphs,
        named_graphs=facts.named_graphs if dataset else policy.allowed_graphs,
    )
    return GatedQuery(canonical, verdict)


def _check_tokens(tokens: Sequence[Token], policy: Policy) -> None:
    """Refuse what the tokens alone show, before a slower parser meets it."""
    if len(tokens) > policy.max_tokens:
        raise LimitError(
            f"The query has {len(tokens)} terms and signs: make do with {policy.max_tokens}."
        )
    start = _start(tokens)
    if start is None:
        raise InputError("There is no query: send one SELECT.")
    if start.text.upper() in _UPDATES:
        raise ForbiddenError(f"{start.text.upper()} is an update: only queries are run here.")
    depth = 0
    declared = {after.prefix for word, after in _pairs(tokens) if word.is_word("PREFIX")}
    for token, after in _pairs(tokens):
        if token.kind == "mark" and token.text in _OPENING:
            depth += 1
            if depth > policy.max_depth:
                raise LimitError(f"The query is nested deeper than {policy.max_depth}: flatten it.")
        elif token.kind == "mark" and token.text in _CLOSING:
            depth -= 1
        elif token.is_word("SERVICE"):
            raise ForbiddenError("SERVICE is refused: a query may not leave this graph.")
        elif token.is_word("DEFINE", "OPTION"):
            raise ForbiddenError(f"{token.text} is an extension of Virtuoso: it is refused here.")
        elif token.kind == "name" and token.prefix in ("bif", "sql") and after.text == "(":
            raise ForbiddenError(f"{token.text} is a function of Virtuoso: it is refused here.")
        elif token.kind == "name" and token.prefix not in declared:
            raise InputError(
                f"The prefix of {token.text} is not declared: begin with PREFIX "
                f"{token.prefix}: <its IRI>."
            )


_END = Token("end", "", False)


def _pairs(tokens: Sequence[Token]) -> Sequence[tuple[Token, Token]]:
    """Each token with the one after it."""
    return list(zip(tokens, [*tokens[1:], _END], strict=True))


def _start(tokens: Sequence[Token]) -> Token | None:
    """The first word after the declarations of BASE and PREFIX."""
    rest = iter(tokens)
    for token in rest:
        if not token.is_word("PREFIX", "BASE"):
            return token
        for following in rest:
            if following.kind == "iri":
                break
    return None


def _limit(tokens: Sequence[Token], most: int) -> tuple[list[Token], int | None]:
    """The query with a LIMIT of at most `most`, and what that LIMIT is; an ASK has none.

    LIMIT stands at the end of a query, before a trailing VALUES (rules [2], [18] and [28]).
    """
    outer = _outermost(tokens)
    start = _start(tokens)
    limits = [place for place in outer if tokens[place].is_word("LIMIT")]
    if limits:
        place = limits[0] + 1
        number = tokens[place] if place < len(tokens) else _END
        if number.kind != "integer":
            raise InputError("LIMIT needs a number after it.")
        value = min(int(number.text[:12]), most)
        lowered = number._replace(text=str(value), spaced=True)
        return [*tokens[:place], lowered, *tokens[place + 1 :]], value
    if start is None or start.is_word("ASK"):
        return list(tokens), None
    end = next((place for place in outer if tokens[place].is_word("VALUES")), len(tokens))
    added = [Token("word", "LIMIT", True), Token("integer", str(most), True)]
    rest = tokens[end:]
    if rest:
        rest = [rest[0]._replace(spaced=True), *rest[1:]]
    return [*tokens[:end], *added, *rest], most


def _outermost(tokens: Sequence[Token]) -> list[int]:
    """The places of the tokens that stand in no bracket."""
    places: list[int] = []
    depth = 0
    for place, token in enumerate(tokens):
        if token.kind == "mark" and token.text in _OPENING:
            depth += 1
        elif token.kind == "mark" and token.text in _CLOSING:
            depth -= 1
        elif depth == 0:
            places.append(place)
    return places


def _check_facts(facts: syntax.Facts, policy: Policy) -> None:
    if facts.form not in policy.forms:
        known = ", ".join(sorted(policy.forms)).upper()
        raise ForbiddenError(f"{facts.form.upper()} is refused here: send {known}.")
    for function in sorted(facts.functions - policy.functions):
        raise ForbiddenError(f"The function <{function}> is refused: use SPARQL's own functions.")
    _check_graphs(facts, policy)
    for what, number, most in (
        ("triple patterns", facts.patterns, policy.max_patterns),
        ("rows of VALUES", facts.values, policy.max_values),
        ("members of IN", facts.listed, policy.max_values),
    ):
        if number > most:
            raise LimitError(f"The query has {number} {what}: make do with {most}.")


def _check_graphs(facts: syntax.Facts, policy: Policy) -> None:
    allowed = policy.allowed_graphs
    if allowed is None:
        return
    named = {*facts.graphs, *(facts.default_graphs or ()), *(facts.named_graphs or ())}
    way_out = f"query <{allowed[0]}>" if allowed else "leave FROM and GRAPH out"
    for graph in sorted(named.difference(allowed)):
        raise ForbiddenError(f"The graph <{graph}> is refused: {way_out}.")
    if facts.open_graph and not allowed:
        raise ForbiddenError(f"GRAPH is refused, there are no graphs to query: {way_out}.")
