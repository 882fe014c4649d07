"""The LIMIT of a query, lowered or added.

Rules: SPARQL 1.1 Query Language, section 19.8.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.errors import InputError
from groundwire.graph.lexer import Token

END = Token("end", "", False)
"""What stands after the last token."""
_OPENING, _CLOSING = "({[", ")}]"


def start_of(tokens: Sequence[Token]) -> Token | None:
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


def with_limit(tokens: Sequence[Token], most: int) -> tuple[list[Token], int | None]:
    """The query with a LIMIT of at most `most`, and what that LIMIT is; an ASK has none.

    LIMIT stands at the end of a query, before a trailing VALUES (rules [2], [18] and [28]).

    Raises:
        InputError: no number follows the query's own LIMIT.
    """
    outer = _outermost(tokens)
    start = start_of(tokens)
    limits = [place for place in outer if tokens[place].is_word("LIMIT")]
    if limits:
        place = limits[0] + 1
        number = tokens[place] if place < len(tokens) else END
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
