"""Solutions of a SPARQL query: how to count those behind a graph, and how to write them down."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache

from groundwire.graph.lexer import Token, tokenize, write
from groundwire.graph.terms import RDF_LANG_STRING, XSD_STRING, Term

SOLUTION = "groundwire_solution"

_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=256)
def solutions_query(text: str) -> str | None:
    """A SELECT with one row for every solution that a CONSTRUCT or DESCRIBE is made from.

    LIMIT and a server's row limit count solutions, of which many can make one triple: a graph
    with few triples may well be cut. The rules are [10] and [11] of SPARQL 1.1, section 19.8.

    Args:
        text: a query as the gate writes it.

    Returns:
        the query; None for a DESCRIBE that names what it describes and matches nothing.
    """
    tokens = tokenize(text)
    start = next((at for at, one in enumerate(tokens) if _is_form(tokens, at, one)), len(tokens))
    if start == len(tokens):
        return None
    after = start + 1
    if tokens[start].is_word("CONSTRUCT"):
        if after < len(tokens) and tokens[after].text == "{":
            after = _closing(tokens, after) + 1
    else:
        while after < len(tokens) and not _begins_body(tokens[after]):
            after += 1
        if not any(token.text == "{" for token in tokens[after:]):
            return None
    if after >= len(tokens):
        return None
    rest = [tokens[after]._replace(spaced=True), *tokens[after + 1 :]]
    return f"{write(tokens[:start])} SELECT (1 AS ?{SOLUTION}) {write(rest)}".strip()


def _is_form(tokens: Sequence[Token], at: int, token: Token) -> bool:
    # A pragma's name may be any word; it has DEFINE before it.
    return token.is_word("CONSTRUCT", "DESCRIBE") and not (at and tokens[at - 1].is_word("DEFINE"))


def _begins_body(token: Token) -> bool:
    return token.text == "{" or token.is_word("FROM", "WHERE")


def _closing(tokens: Sequence[Token], opening: int) -> int:
    depth = 0
    for place in range(opening, len(tokens)):
        if tokens[place].kind != "mark":
            continue
        depth += (tokens[place].text == "{") - (tokens[place].text == "}")
        if depth == 0:
            return place
    return len(tokens)


def table_json(columns: Sequence[str], rows: Iterable[Sequence[Term | None]]) -> bytes:
    """Rows as compact SPARQL 1.1 Query Results JSON."""
    # An answer repeats its terms: each is written once.
    written: dict[Term, str] = {}
    names = [_text(name) for name in columns]
    bindings: list[str] = []
    for row in rows:
        cells: list[str] = []
        for name, term in zip(names, row, strict=True):
            if term is None:
                continue
            cell = written.get(term)
            if cell is None:
                cell = written[term] = _text(_cell(term))
            cells.append(f"{name}:{cell}")
        bindings.append(f"{{{','.join(cells)}}}")
    head = _text({"vars": list(columns)})
    document = f'{{"head":{head},"results":{{"bindings":[{",".join(bindings)}]}}}}'
    return document.encode("utf-8", "replace")


def boolean_json(value: bool) -> bytes:
    """The answer to an ASK as compact SPARQL 1.1 Query Results JSON."""
    return _text({"head": {}, "boolean": value}).encode()


def _cell(term: Term) -> dict[str, str]:
    if term.kind == "iri":
        return {"type": "uri", "value": term.value}
    if term.kind == "bnode":
        return {"type": "bnode", "value": term.value}
    cell = {"type": "literal", "value": term.value}
    if term.language:
        cell["xml:lang"] = term.language
    elif term.datatype not in ("", XSD_STRING, RDF_LANG_STRING):
        cell["datatype"] = term.datatype
    return cell
