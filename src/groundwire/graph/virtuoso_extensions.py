"""Virtuoso's extensions of SPARQL, taken out of a query and put back.

No parser of SPARQL 1.1 knows them. So each one that the policy allows is replaced by a stand-in
that stands in the same place of the grammar: an OPTION after an object by one more object, an
OPTION after a group by one more filter, a function or `bif:contains` by an IRI. Both parsers judge
that text, the tree shows whether every stand-in came to stand where its extension may, and then
each gives its place back. DEFINE stands before everything and is only cut off.

Rules: the productions marked [Virt] in Virtuoso's documentation, "SPARQL Implementation Details".

The OPTION that Virtuoso allows after an object or a group.

[Virt] TripleOptions ::= 'OPTION' '(' TripleOption ( ',' TripleOption )* ')'

Of a TripleOption's value this reads what is constant or a variable; Virtuoso allows expressions in
some, which are refused here.

Rules: Virtuoso documentation, "Text Expression Syntax" of "Querying Free Text Indexes": words,
phrases in quotes, AND, OR, AND NOT, NEAR, parentheses, and `*` after four letters of a word. Found
out from a Virtuoso 7.2: outside quotes a word has ASCII letters, and begins with one; `*`, numbers
and other scripts stand in quotes only; a phrase of punctuation is an error.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import ForbiddenError, InputError, LimitError
from groundwire.graph.gate_policy import Policy
from groundwire.graph.lexer import Token, write
from groundwire.graph.syntax import Facts

_MOST_TERMS = 60
# A word that begins with fewer letters than this before its `*` is an error of the server (FT370).
_LEAST_BEFORE_STAR = 4

_PART = re.compile(
    r"""(?P<space>[ \t]+)|(?P<open>\()|(?P<close>\))|"""
    r"""(?P<phrase>'[^'\\]+'|"[^"\\]+")|(?P<word>[A-Za-z_][A-Za-z0-9_-]*)""",
)
_JOINS = frozenset(("AND", "OR", "NEAR"))
_EXAMPLE = """'knowledge graph' AND sparql"""

_FLAGS = frozenset(
    (
        *("transitive", "t_distinct", "t_no_cycles", "t_cycles_only", "t_exists", "t_no_order"),
        "t_shortest_only",
    )
)
_INTEGERS = frozenset(("score_limit", "t_min", "t_max", "t_direction", "t_end_flag"))
_VARIABLES = frozenset(("score", "t_final_as"))
_LISTS = frozenset(("t_in", "t_out"))
_STEPS = ('"path_id"', '"step_no"')
_PLAIN = re.compile(r"[\w:/.#%&=~+,;@?-]*")


class _Reader:
    """Goes through the tokens of one OPTION."""

    def __init__(self, tokens: Sequence[Token], place: int) -> None:
        self._tokens = tokens
        self.place = place

    def next(self) -> Token:
        token = self._tokens[self.place] if self.place < len(self._tokens) else _NOTHING
        self.place += 1
        return token

    def skip(self, mark: str) -> bool:
        """Whether `mark` comes next; then it is passed."""
        found = self.next().text == mark
        self.place -= not found
        return found

    def take(self, *marks: str) -> None:
        for mark in marks:
            found = self.next()
            if found.text != mark:
                shown = repr(found.text) if found.text else "the end"
                raise InputError(f"OPTION needs {mark!r} where {shown} stands: mend it.")

    def of_kind(self, name: str, *kinds: str) -> Token:
        found = self.next()
        if found.kind not in kinds:
            shown = repr(found.text) if found.text else "the end"
            raise InputError(f"OPTION ({name} ...) needs {' or '.join(kinds)}, not {shown}.")
        return found

    def value_of(self, name: str) -> None:
        """Read what stands after the word `name`, in lower case."""
        if name in _FLAGS:
            return
        if name in _VARIABLES:
            self.of_kind(name, "variable")
        elif name in _INTEGERS:
            enclosed = self.skip("(")
            self.of_kind(name, "integer")
            if enclosed:
                self.take(")")
        elif name in _LISTS:
            self.take("(")
            self.of_kind(name, "variable")
            while self.skip(","):
                self.of_kind(name, "variable")
            self.take(")")
        elif name == "t_step":
            self._step()
        elif name == "inference":
            if not _is_rule_set(self.next()):
                raise InputError("OPTION (inference ...) needs a rule set: write its IRI.")
        else:
            raise ForbiddenError(f"OPTION ({name} ...) is not understood here: leave it out.")

    def _step(self) -> None:
        self.take("(")
        step = self.of_kind("t_step", "variable", "string")
        if step.kind == "string" and step.text not in _STEPS:
            raise InputError(f"OPTION (t_step({step.text})) is unknown: use {' or '.join(_STEPS)}.")
        self.take(")")
        if not self.next().is_word("AS"):
            raise InputError("OPTION (t_step(...)) needs AS and a variable after it.")
        self.of_kind("t_step", "variable")


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
            end, scores = _read_option(tokens, place, policy.options)
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
        if not _is_rule_set(value):
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


def _is_rule_set(token: Token) -> bool:
    """Whether it can be the name or IRI of a rule set, or a yes or no: no spaces, no quotes."""
    return token.kind == "iri" or (
        token.kind == "string" and _PLAIN.fullmatch(token.text[1:-1]) is not None
    )


def _read_option(tokens: Sequence[Token], place: int, allowed: frozenset[str]) -> tuple[int, bool]:
    """Read the OPTION whose first token is at `place`.

    Returns:
        the place after it, and whether it has a score.

    Raises:
        InputError: it is not well formed.
        ForbiddenError: a word in it is not in `allowed`.
    """
    reader = _Reader(tokens, place + 1)
    reader.take("(")
    scores = False
    while True:
        word = reader.next()
        name = word.text.lower()
        if word.kind != "word" or name not in allowed:
            known = ", ".join(sorted(allowed)) or "none"
            raise ForbiddenError(f"OPTION ({word.text} ...) is refused: allowed are {known}.")
        scores = scores or name in ("score", "score_limit")
        reader.value_of(name)
        if not reader.skip(","):
            break
    reader.take(")")
    return reader.place, scores


def check_text_expression(text: str) -> None:
    """Refuse what Virtuoso's free-text search would not read, or not read as it seems.

    Raises:
        InputError: it is not well formed.
        LimitError: it has more than `_MOST_TERMS` words and phrases.
    """
    terms = depth = 0
    expects_term = True
    joined = ""
    for kind, part in _parts(text):
        word = part.upper() if kind == "word" else ""
        if word == "NOT" and expects_term and joined == "AND":
            joined = ""
        elif word in _JOINS or word == "NOT":
            if expects_term:
                raise _malformed(text, f"{part} needs a word or phrase before it")
            if word == "NOT":
                raise _malformed(text, "NOT stands after AND only")
            joined, expects_term = word, True
        elif kind == "close":
            depth -= 1
            if expects_term or depth < 0:
                raise _malformed(text, "its parentheses do not match")
        elif not expects_term:
            raise _malformed(text, f"AND, OR or NEAR is missing before {part}")
        elif kind == "open":
            depth += 1
            joined = ""
        else:
            _check_term(text, part)
            terms += 1
            expects_term = False
    if expects_term or depth:
        raise _malformed(text, "it ends too early" if text.strip() else "it is empty")
    if terms > _MOST_TERMS:
        raise LimitError(
            f"The free-text expression has {terms} words and phrases: make do with {_MOST_TERMS}."
        )


def _parts(text: str) -> list[tuple[str, str]]:
    """Return kind and text of every part but spaces."""
    parts: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        match = _PART.match(text, position)
        if match is None:
            wrong = text[position]
            quote = wrong in "'\""
            what = "a quote has no other" if quote else f"{wrong!r} stands outside quotes"
            raise _malformed(text, what)
        position = match.end()
        if match.lastgroup != "space":
            parts.append((str(match.lastgroup), match.group()))
    return parts


def _check_term(text: str, part: str) -> None:
    words = part.strip("'\"").split()
    if not any(letter.isalnum() for letter in part):
        raise _malformed(text, f"there is no word in {part}")
    for word in words:
        before, star, _ = word.partition("*")
        if star and len(before) < _LEAST_BEFORE_STAR:
            raise _malformed(text, f"{word} needs {_LEAST_BEFORE_STAR} letters before its *")


def _malformed(text: str, reason: str) -> InputError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return InputError(
        f"The free-text expression {shown!r} is not well formed, {reason}:"
        f' write it like "{_EXAMPLE}".'
    )
