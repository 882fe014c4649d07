"""The OPTION that Virtuoso allows after an object or a group.

[Virt] TripleOptions ::= 'OPTION' '(' TripleOption ( ',' TripleOption )* ')'

Of a TripleOption's value this reads what is constant or a variable; Virtuoso allows expressions in
some, which are refused here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.errors import ForbiddenError, InputError
from groundwire.graph.lexer import Token

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
_NOTHING = Token("end", "", False)


def is_rule_set(token: Token) -> bool:
    """Whether it can be the name or IRI of a rule set, or a yes or no: no spaces, no quotes."""
    return token.kind == "iri" or (
        token.kind == "string" and _PLAIN.fullmatch(token.text[1:-1]) is not None
    )


def read_option(tokens: Sequence[Token], place: int, allowed: frozenset[str]) -> tuple[int, bool]:
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
            if not is_rule_set(self.next()):
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
