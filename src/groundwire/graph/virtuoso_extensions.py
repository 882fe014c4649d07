"""Virtuoso's extensions of SPARQL, taken out of a query and put back.

No parser of SPARQL 1.1 knows them. So each one that the policy allows is replaced by a stand-in
that stands in the same place of the grammar: an OPTION after an object by one more object, an
OPTION after a group by one more filter, a function or `bif:contains` by an IRI. Both parsers judge
that text, the tree shows whether every stand-in came to stand where its extension may, and then
each gives its place back. DEFINE stands before everything and is only cut off.

Rules: the productions marked [Virt] in Virtuoso's documentation, "SPARQL Implementation Details".
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import ForbiddenError, InputError
from groundwire.graph.gate_policy import Policy
from groundwire.graph.lexer import Token, write
from groundwire.graph.syntax import Facts
from groundwire.graph.virtuoso_options import is_rule_set, read_option
from groundwire.graph.virtuoso_text import check_text_expression

RESERVED = ("bif", "sql")
"""Prefixes that Virtuoso declares itself, for functions written in C and in SQL."""
CONTAINS = "bif:contains"
# No query can name a stand-in: what begins it is drawn when the process starts.
_STEM = f"urn:{secrets.token_hex(12)}:"
_NOTHING = Token("end", "", False)


class StandIn(NamedTuple):
    """An extension that was taken out of a query, and what stands there instead.

    Attributes:
        iri: the IRI of the stand-in; it occurs once in the text.
        place: the place in the grammar that the extension needs.
        extension: what was taken out.
        scores: whether it is an OPTION with a score, which only `bif:contains` has.
    """

    iri: str
    place: str
    extension: tuple[Token, ...]
    scores: bool = False


class Taken(NamedTuple):
    """A query without its extensions.

    Attributes:
        tokens: SPARQL 1.1, with stand-ins.
        defines: the DEFINEs that were cut off its beginning.
        stand_ins: what stands in for what, by the text of its token.
    """

    tokens: list[Token]
    defines: list[Token]
    stand_ins: dict[str, StandIn]

    def put_back(self, tokens: Sequence[Token]) -> str:
        """The text of `tokens`, which is `self.tokens` with a LIMIT, for the server."""
        whole = list(self.defines)
        for token in tokens:
            known = self.stand_ins.get(token.text) if token.kind == "stand-in" else None
            whole.extend((token,) if known is None else known.extension)
        return write(whole)

    def named(self, message: str) -> str:
        """A parser's complaint about `self.tokens`, in the words of the query."""
        for stand_in in self.stand_ins.values():
            message = message.replace(stand_in.iri, write(stand_in.extension))
        return message


def take_out(tokens: Sequence[Token], policy: Policy) -> Taken:
    """Replace the extensions that `policy` allows; what it does not allow stays, to be refused.

    Raises:
        InputError: an extension is not well formed.
        ForbiddenError: a pragma, a word of an OPTION or a function is not in `policy`.
    """
    start = _end_of_defines(tokens, policy)
    stand_ins: dict[str, StandIn] = {}
    out: list[Token] = []
    place, depth = start, 0
    while place < len(tokens):
        token = tokens[place]
        end = place + 1
        depth += (token.text == "{") - (token.text == "}")
        if token.is_word("OPTION"):
            end, scores = read_option(tokens, place, policy.options)
            extension = tokens[place:end]
            kind = "group" if out and out[-1].text == "}" else "object"
            if depth == 0:
                raise _misplaced(extension, "inside WHERE { ... }")
            out.append(_stand_in(stand_ins, kind, extension, scores))
        elif _is_built_in(token):
            following = tokens[end].text if end < len(tokens) else ""
            _check_built_in(token, following, policy)
            kind = "predicate" if _name(token) == CONTAINS else "function"
            out.append(_stand_in(stand_ins, kind, [token], scores=False))
        else:
            out.append(token)
        place = end
    return Taken(_spread(out), _spread(tokens[:start]), stand_ins)


def check_places(taken: Taken, facts: Facts) -> frozenset[str]:
    """Assert that every extension stands where it may.

    Returns:
        the IRIs of the functions and filters that stand in for extensions.

    Raises:
        InputError: it stands elsewhere, or the object of `bif:contains` is not well formed.
    """
    objects = {statement.iri: statement.predicate for statement in facts.statements}
    contains = {one.iri for one in taken.stand_ins.values() if one.place == "predicate"}
    for stand_in in taken.stand_ins.values():
        if stand_in.place == "predicate":
            _check_contains(stand_in, facts)
        elif stand_in.place == "object":
            if stand_in.iri not in objects:
                raise _misplaced(
                    stand_in.extension, "after the object of a triple pattern or after a group"
                )
            if stand_in.scores and objects[stand_in.iri] not in contains:
                raise _misplaced(stand_in.extension, f"after the text of {CONTAINS}")
        elif stand_in.iri not in facts.functions:
            where = "after a group inside WHERE" if stand_in.place == "group" else "as a function"
            raise _misplaced(stand_in.extension, where)
        elif stand_in.scores:
            raise _misplaced(stand_in.extension, f"after the text of {CONTAINS}")
    return frozenset(stand_in.iri for stand_in in taken.stand_ins.values())


def check_prefixes(tokens: Sequence[Token]) -> None:
    """Refuse to declare Virtuoso's own prefixes as something else: some versions go by the name.

    Raises:
        ForbiddenError: a query does.
    """
    for word, name, iri in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if not word.is_word("PREFIX"):
            continue
        prefix = name.prefix.lower()
        if prefix in RESERVED and (name.prefix != prefix or iri.text != f"<{prefix}:>"):
            raise ForbiddenError(
                f"The prefix {name.text} is Virtuoso's own and may not be declared as {iri.text}:"
                " choose another."
            )


def _end_of_defines(tokens: Sequence[Token], policy: Policy) -> int:
    """How many tokens the DEFINEs at the beginning are.

    [Virt] Define ::= 'DEFINE' QNAME DefValue ( ',' DefValue )*
    """
    place = 0
    while place < len(tokens) and tokens[place].is_word("DEFINE"):
        name, value = (*tokens[place + 1 : place + 3], _NOTHING, _NOTHING)[:2]
        if name.text not in policy.defines:
            known = ", ".join(sorted(policy.defines)) or "none"
            raise ForbiddenError(f"DEFINE {name.text} is refused: allowed are {known}.")
        if not is_rule_set(value):
            raise InputError(
                f"DEFINE {name.text} needs one name or IRI: write it in quotes, without spaces."
            )
        place += 3
        if place < len(tokens) and tokens[place].text == ",":
            raise InputError(f"DEFINE {name.text} takes one value here: write one DEFINE for each.")
    return place


def _name(token: Token) -> str:
    return token.text.strip("<>")


def _is_built_in(token: Token) -> bool:
    begin, _, rest = _name(token).partition(":")
    return token.kind in ("name", "iri") and begin in RESERVED and bool(rest)


def _check_built_in(token: Token, following: str, policy: Policy) -> None:
    name = _name(token)
    if name not in policy.built_ins:
        raise ForbiddenError(f"{name} is a function of Virtuoso: it is refused here.")
    if name == CONTAINS and following == "(":
        raise InputError(
            f'{CONTAINS} stands as a predicate here: write ?value {CONTAINS} "..." as a pattern.'
        )


def _stand_in(
    stand_ins: dict[str, StandIn], place: str, extension: Sequence[Token], scores: bool
) -> Token:
    iri = f"{_STEM}{len(stand_ins)}"
    shapes = {"object": ", <{}>", "group": "FILTER (<{}>(1))"}
    text = shapes.get(place, "<{}>").format(iri)
    stand_ins[text] = StandIn(iri, place, tuple(_spread(extension)), scores)
    return Token("stand-in", text, True)


def _spread(tokens: Sequence[Token]) -> list[Token]:
    """One space before every token, except where one belongs to the one before it.

    Virtuoso splits a text without spaces otherwise than SPARQL does: `??` and `*>` are signs of
    their own there, and `1.` is a number.
    """
    spread: list[Token] = []
    before = _NOTHING
    for token in tokens:
        signed = before.text in ("+", "-") and token.kind in ("integer", "decimal", "number")
        # After a step of a path these say how often, and then nothing may stand between.
        either = signed or token.text in ("?", "*", "+")
        glued = token.kind == "language" or "^^" in (token.text, before.text)
        spread.append(token._replace(spaced=token.spaced if either else not glued))
        before = token
    return spread


def _check_contains(stand_in: StandIn, facts: Facts) -> None:
    found = [one for one in facts.statements if one.predicate == stand_in.iri]
    if not found:
        raise _misplaced(stand_in.extension, "as the predicate of a triple pattern")
    for statement in found:
        if statement.text is not None:
            check_text_expression(statement.text)
        elif not statement.iri.startswith(_STEM):
            raise InputError(
                f"The object of {CONTAINS} has to be a constant string without language or"
                " datatype: write the words there."
            )


def _misplaced(extension: Sequence[Token], where: str) -> InputError:
    return InputError(f"{write(extension)} stands in a wrong place: it goes {where}.")
