"""Why a query matched nothing: names in it that the graph does not have, with those it does.

A model that writes `https://schema.org/Question` for `http://schema.org/Question` gets no row, and
takes that for an answer. So where a query of an embedded graph is empty, its IRIs are looked for,
and one that is nowhere is told of with what it may have been meant for. Nothing is corrected.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from itertools import pairwise

from groundwire.errors import GroundwireError
from groundwire.graph.lexer import Token, tokenize
from groundwire.graph.terms import Term, iri_n3
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.workflow.queries import local_name
from groundwire.vocabulary import Policy, Vocabulary
from groundwire.vocabulary import Term as Named

Run = Callable[[str], Awaitable[Outcome]]
"""Runs one query of our own where the empty one was run."""

_MOST_IRIS = 8
_SLICE = re.compile(r"LIMIT 0|OFFSET 0*[1-9]\d*")
_SCHEMES = ("http://", "https://")
_SAID = 2
# Less alike than this is another word.
_LIKE = 0.8


async def absent(query: str, run: Run, checked: Collection[str] = ()) -> str:
    """Say why an answer is empty; return "" where every name of the query is known.

    Args:
        query: a query as the gate wrote it.
        run: runs a query on the same graph.
        checked: IRIs of which it is known already whether they are held.
    """
    iris = [one for one in named_iris(query) if one not in checked][:_MOST_IRIS]
    if not iris:
        return ""
    twins = {iri: _twin(iri) for iri in iris}
    known = await _known((*iris, *filter(None, twins.values())), run)
    if known is None:
        return ""
    missing = [iri for iri in iris if iri not in known][:_SAID]
    names: Vocabulary | None = None
    said: list[str] = []
    for iri in missing:
        meant = [twins[iri]] if twins[iri] in known else []
        if not meant:
            names = names or await _names(run)
            meant = _alike(iri, names)
        other = f", but {' and '.join(f'<{one}>' for one in meant)}" if meant else ""
        said.append(f"This graph knows no <{iri}>{other}.")
    return " ".join(said)


def slices(query: str) -> list[str]:
    """List what in a query leaves out solutions that there may be: `LIMIT 0`, `OFFSET 20`."""
    try:
        tokens = tokenize(query)
    except GroundwireError:
        return []
    said = (f"{one.text.upper()} {other.text}" for one, other in pairwise(tokens))
    return [one for one in said if _SLICE.fullmatch(one)]


def named_iris(query: str) -> list[str]:
    """The IRIs of things that a query names, in order, those of prefixed names too.

    Those of declarations, graphs, datatypes and functions name nothing that a pattern matches.
    """
    try:
        tokens = tokenize(query)
    except GroundwireError:
        return []
    prefixes: dict[str, str] = {}
    found: dict[str, None] = {}
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.is_word("PREFIX"):
            prefixes[tokens[at + 1].prefix] = tokens[at + 2].text[1:-1]
            at += 3
        elif token.is_word("BASE", "FROM", "NAMED", "GRAPH") or token.text == "^^":
            at += 1 if tokens[at + 1].kind == "word" else 2
        else:
            called = at + 1 < len(tokens) and tokens[at + 1].text == "("
            iri = "" if called else _iri_of(token, prefixes)
            if iri:
                found[iri] = None
            at += 1
    return list(found)


def _iri_of(token: Token, prefixes: Mapping[str, str]) -> str:
    """The IRI that a token stands for, or empty."""
    if token.kind == "iri":
        return token.text[1:-1]
    if token.kind != "name" or token.prefix not in prefixes:
        return ""
    return prefixes[token.prefix] + token.text.partition(":")[2].replace("\\", "")


def _twin(iri: str) -> str:
    """The same IRI of the other scheme of the web, or empty."""
    for scheme, other in (_SCHEMES, _SCHEMES[::-1]):
        if iri.startswith(scheme):
            return other + iri.removeprefix(scheme)
    return ""


async def _known(iris: Sequence[str], run: Run) -> frozenset[str] | None:
    """Those of some IRIs that stand anywhere in the graph, or None where it cannot be known."""
    values = " ".join(map(iri_n3, iris))
    outcome = await run(
        f"SELECT ?iri WHERE {{ VALUES ?iri {{ {values} }} FILTER(EXISTS {{ ?iri ?p ?o }} || "
        "EXISTS { ?s ?iri ?o } || EXISTS { ?s ?p ?iri }) }"
    )
    return frozenset(_texts(outcome)) if outcome.status in ("complete", "empty") else None


async def _names(run: Run) -> Vocabulary:
    """The classes and properties of the graph, by the last part of their IRIs."""
    outcome = await run("SELECT DISTINCT ?iri WHERE { { ?s ?iri ?o } UNION { ?s a ?iri } }")
    return Vocabulary(Named(iri, local_name(iri)) for iri in dict.fromkeys(_texts(outcome)))


def _texts(outcome: Outcome) -> list[str]:
    return [cell.value for row in outcome.rows for cell in row if isinstance(cell, Term)]


def _alike(iri: str, names: Vocabulary) -> list[str]:
    """Classes and properties whose name is that of an IRI, or nearly."""
    resolution = names.resolve(local_name(iri), Policy.CANDIDATES_ONLY, _SAID)
    if resolution.term is not None:
        return [resolution.term.id]
    return [one.term.id for one in resolution.candidates if one.score >= _LIKE]
