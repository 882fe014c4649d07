"""The gate: which SPARQL that a model or a user wrote may run on a graph.

A query is split into tokens once, written out canonically, and read by two parsers that see
the same text: rdflib's, whose tree a policy judges, and the engine's own, which is strict. What
is not understood is refused, with the reason. Virtuoso's extensions, which neither parser knows,
are judged by `virtuoso_extensions`.

Rules: SPARQL 1.1 Query Language, section 19.8.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.errors import ForbiddenError, GroundwireError, InputError, LimitError
from groundwire.graph import syntax
from groundwire.graph.gate_policy import (
    GEOSPARQL_FUNCTIONS,
    REMOTE_POLICY,
    SCHEMA_GRAPH,
    SCHEMA_POLICY,
    VIRTUOSO_POLICY,
    XSD_CASTS,
    Policy,
)
from groundwire.graph.lexer import Token, is_new, reduced, refuse_escapes, tokenize, write
from groundwire.graph.queries import GatedQuery, Verdict
from groundwire.graph.virtuoso_extensions import (
    RESERVED,
    check_places,
    check_prefixes,
    take_out,
)

__all__ = [
    "GEOSPARQL_FUNCTIONS",
    "REMOTE_POLICY",
    "SCHEMA_GRAPH",
    "SCHEMA_POLICY",
    "VIRTUOSO_POLICY",
    "XSD_CASTS",
    "Policy",
    "check",
]

_END = Token("end", "", False)
"""Stands after the last token."""

_UPDATES = frozenset(
    (
        *("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "WITH"),
        "MODIFY",
    )
)
# Where an IRI begins so, Virtuoso runs a function or searches, and Jena loads a class of Java,
# wherever it stands.
_RESERVED_IRIS = (
    "java:",
    *(f"{prefix}:" for prefix in RESERVED),
    *(f"http://www.openlinksw.com/schemas/{prefix}#" for prefix in RESERVED),
)
_OPENING, _CLOSING = "({[", ")}]"


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
    admitted = _judged(tokenize(text), policy)
    # Last, so that what an escape would hide is told by its own name.
    refuse_escapes(text)
    return admitted


def _judged(tokens: list[Token], policy: Policy) -> GatedQuery:
    check_prefixes(tokens)
    if policy.dialect != "virtuoso":
        limited, facts = _read(tokens, policy)
        _check_facts(facts, policy)
        canonical = write(limited)
        syntax.accept_by_engine(canonical)
        return GatedQuery(canonical, _verdict(facts, policy))
    taken = take_out(tokens, policy)
    try:
        limited, facts = _read(taken.tokens, policy)
        syntax.accept_by_engine(write(limited))
    except InputError as error:
        raise InputError(taken.named(str(error))) from error
    facts = facts._replace(functions=facts.functions - check_places(taken, facts))
    _check_facts(facts, policy)
    return GatedQuery(taken.put_back(limited), _verdict(facts, policy))


def _read(tokens: Sequence[Token], policy: Policy) -> tuple[list[Token], syntax.Facts]:
    """The query with its LIMIT, and what it does."""
    _check_tokens(tokens, policy)
    limited, expected = _with_limit(tokens, policy.max_rows + 1)
    if is_new(limited):
        if policy.dialect == "virtuoso":
            raise InputError("Virtuoso does not know SPARQL 1.2: write the query in SPARQL 1.1.")
        simple = reduced(limited)
        facts = syntax.read(simple.tokens)
        facts = facts._replace(patterns=facts.patterns + simple.patterns)
    else:
        facts = syntax.read(limited)
    if facts.limit != expected:
        raise InputError("The LIMIT of the query is not understood: put it at the end.")
    return limited, facts


def _verdict(facts: syntax.Facts, policy: Policy) -> Verdict:
    dataset = facts.default_graphs is not None
    return Verdict(
        form=facts.form,
        columns=facts.columns,
        max_rows=policy.max_rows,
        limit=facts.limit,
        default_graphs=facts.default_graphs if dataset else policy.default_graphs,
        named_graphs=facts.named_graphs if dataset else policy.allowed_graphs,
    )


def _check_tokens(tokens: Sequence[Token], policy: Policy) -> None:
    """Refuse what the tokens alone show, before a slower parser meets it."""
    if len(tokens) > policy.max_tokens:
        raise LimitError(
            f"The query has {len(tokens)} terms and signs: make do with {policy.max_tokens}."
        )
    start = _start_of(tokens)
    if start is None:
        raise InputError("There is no query: send one SELECT.")
    if start.text.upper() in _UPDATES:
        raise ForbiddenError(f"{start.text.upper()} is an update: only queries are run here.")
    _check_depth(tokens, policy)
    declared = _declared(tokens)
    for token, after in _pairs(tokens):
        if token.is_word("SERVICE"):
            raise ForbiddenError("SERVICE is refused: a query may not leave this graph.")
        if token.is_word("DEFINE", "OPTION"):
            where = " at this place" if policy.dialect == "virtuoso" else " here"
            raise ForbiddenError(f"{token.text} is an extension of Virtuoso: it is refused{where}.")
        if token.kind == "name" and token.prefix in RESERVED and after.text == "(":
            raise ForbiddenError(f"{token.text} is a function of Virtuoso: it is refused here.")
        if token.kind == "name" and token.prefix not in declared:
            raise InputError(
                f"The prefix of {token.text} is not declared: begin with PREFIX "
                f"{token.prefix}: <its IRI>."
            )
        _check_reserved(token, declared)


def _check_depth(tokens: Sequence[Token], policy: Policy) -> None:
    depth = 0
    for token in tokens:
        if token.kind == "mark" and token.text in _OPENING:
            depth += 1
            if depth > policy.max_depth:
                raise LimitError(f"The query is nested deeper than {policy.max_depth}: flatten it.")
        elif token.kind == "mark" and token.text in _CLOSING:
            depth -= 1


def _declared(tokens: Sequence[Token]) -> dict[str, list[str]]:
    """Every IRI that PREFIX declares for a prefix: of two, a server may take either."""
    declared: dict[str, list[str]] = defaultdict(list)
    for word, name, iri in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word.is_word("PREFIX"):
            declared[name.prefix].append(iri.text.strip("<>"))
    return dict(declared)


def _check_reserved(token: Token, declared: dict[str, list[str]]) -> None:
    """Refuse an IRI that has a server run code, wherever it stands.

    The IRIs that PREFIX declares are only what such an IRI may begin with.
    """
    if token.kind == "name":
        local = token.text.partition(":")[2]
        iris = [f"{begin}{local}" for begin in declared[token.prefix]] if local else []
    elif token.kind == "iri":
        iris = [token.text[1:-1]]
    else:
        return
    for iri in iris:
        beginning = next((one for one in _RESERVED_IRIS if iri.lower().startswith(one)), iri)
        if len(iri) > len(beginning):
            raise ForbiddenError(f"<{iri}> runs code of the server: it is refused here.")


def _pairs(tokens: Sequence[Token]) -> Sequence[tuple[Token, Token]]:
    """Each token with the one after it."""
    return list(zip(tokens, [*tokens[1:], _END], strict=True))


def _check_facts(facts: syntax.Facts, policy: Policy) -> None:
    if facts.form not in policy.forms:
        known = ", ".join(sorted(policy.forms)).upper()
        raise ForbiddenError(f"{facts.form.upper()} is refused here: send {known}.")
    for function in sorted(facts.functions - policy.functions):
        raise ForbiddenError(f"The function <{function}> is refused: use SPARQL's own functions.")
    _check_graphs(facts, policy)
    for what, number, most in (
        ("triple patterns", facts.patterns, policy.max_patterns),
        ("triples in its template", facts.template, policy.max_patterns),
        ("rows of VALUES", facts.values, policy.max_values),
        ("members of IN", facts.listed, policy.max_values),
    ):
        if number > most:
            raise LimitError(f"The query has {number} {what}: make do with {most}.")


def _check_graphs(facts: syntax.Facts, policy: Policy) -> None:
    allowed = policy.allowed_graphs
    sources = {*(facts.default_graphs or ()), *(facts.named_graphs or ())}
    _check_named(sources, allowed if policy.sources is None else policy.sources, "FROM")
    _check_named(facts.graphs, allowed, "FROM and GRAPH")
    if facts.open_graph and allowed == ():
        raise ForbiddenError(
            "GRAPH is refused, there are no graphs to query: leave FROM and GRAPH out."
        )


def _check_named(
    graphs: set[str] | frozenset[str], allowed: tuple[str, ...] | None, by: str
) -> None:
    if allowed is None:
        return
    way_out = f"query <{allowed[0]}>" if allowed else f"leave {by} out"
    for graph in sorted(graphs.difference(allowed)):
        raise ForbiddenError(f"The graph <{graph}> is refused: {way_out}.")


def _start_of(tokens: Sequence[Token]) -> Token | None:
    """The first word after the declarations of BASE and PREFIX."""
    rest = iter(tokens)
    for token in rest:
        if token.is_word("VERSION"):
            next(rest, None)
            continue
        if not token.is_word("PREFIX", "BASE"):
            return token
        for following in rest:
            if following.kind == "iri":
                break
    return None


def _with_limit(tokens: Sequence[Token], most: int) -> tuple[list[Token], int | None]:
    """The query with a LIMIT of at most `most`, and what that LIMIT is; an ASK has none.

    LIMIT stands at the end of a query, before a trailing VALUES (rules [2], [18] and [28]).

    Raises:
        InputError: no number follows the query's own LIMIT.
    """
    outer = _outermost(tokens)
    start = _start_of(tokens)
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
