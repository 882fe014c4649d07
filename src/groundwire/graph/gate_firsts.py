"""Which characters the elements of a pyparsing grammar can begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

ASCII = tuple(map(chr, range(33, 127)))
"""The characters that are looked up: all others may begin anything."""
# Terminals, by their first character: what one of these begins, an expression of it can begin.
_SAMPLES = (
    *("{0}", "{0}1", "{0}.1", "{0}1e1", "{0}:a", "{0}a"),
    *("{0}{0}", "{0}a{0}", "{0}{0}{0}a{0}{0}{0}"),
)


class Firsts:
    """Which characters an element can begin with, and whether it can be empty.

    Characters beyond ASCII are never looked up.
    """

    def __init__(self, elements: Sequence[Any]) -> None:
        """Find out about all of `elements`, which hold what they are made of."""
        self._characters: dict[int, frozenset[str]] = {}
        self._empty: dict[int, bool] = {}
        # The grammar is recursive: what is found out about a part adds to what contains it.
        changed = True
        while changed:
            changed = False
            for element in elements:
                found = self._of(element)
                if found != (self.characters(element), self.may_be_empty(element)):
                    self._characters[id(element)], self._empty[id(element)] = found
                    changed = True

    def characters(self, element: Any) -> frozenset[str]:
        """Return the characters that `element` can begin with."""
        return self._characters.get(id(element), frozenset())

    def may_be_empty(self, element: Any) -> bool:
        """Whether `element` can be nothing at all."""
        return self._empty.get(id(element), False)

    def _of(self, element: Any) -> tuple[frozenset[str], bool]:
        import pyparsing as pp

        if isinstance(element, (pp.Literal, pp.Keyword)):
            match: str = element.match
            return frozenset((match[:1].upper(), match[:1].lower())), not match
        if isinstance(element, pp.Regex):
            return _begins(element)
        if isinstance(element, pp.And):
            return self._of_sequence(element.exprs)
        if isinstance(element, pp.MatchFirst):
            return self._union(element.exprs), any(map(self.may_be_empty, element.exprs))
        if isinstance(element, pp.ParseElementEnhance):
            optional = isinstance(element, (pp.Opt, pp.ZeroOrMore))
            return self.characters(element.expr), optional or self.may_be_empty(element.expr)
        return frozenset(ASCII), True

    def _of_sequence(self, parts: Iterable[Any]) -> tuple[frozenset[str], bool]:
        found: frozenset[str] = frozenset()
        for part in parts:
            found |= self.characters(part)
            if not self.may_be_empty(part):
                return found, False
        return found, True

    def _union(self, parts: Iterable[Any]) -> frozenset[str]:
        none: frozenset[str] = frozenset()
        return none.union(*map(self.characters, parts))


def _begins(regex: Any) -> tuple[frozenset[str], bool]:
    found = (
        character
        for character in ASCII
        if any(regex.re.match(sample.format(character)) for sample in _SAMPLES)
    )
    return frozenset(found), regex.re.match("") is not None
