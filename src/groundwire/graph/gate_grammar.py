"""An instance of rdflib's query grammar of our own, made faster without reading otherwise.

pyparsing tries alternatives one after the other, and rdflib's grammar has up to sixty at a place.
Here every element that has a choice first looks at the next character, and tries only what can
begin with it. What is skipped would have failed at once, so the trees are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

_ASCII = tuple(map(chr, range(33, 127)))
# Terminals, by their first character: what one of these begins, an expression of it can begin.
_SAMPLES = (
    *("{0}", "{0}1", "{0}.1", "{0}1e1", "{0}:a", "{0}a"),
    *("{0}{0}", "{0}a{0}", "{0}{0}{0}a{0}{0}{0}"),
)
_SPACES = " \t\n\r"

Parse = Callable[..., tuple[int, Any]]


@cache
def grammar() -> Any:
    """The grammar, which looks for no comments.

    The canonical text has none, and to look for one before every terminal takes half of the time
    to parse. The instance that others in this process may use keeps its comments.
    """
    from importlib.util import find_spec, module_from_spec

    spec = find_spec("rdflib.plugins.sparql.parser")
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    root: Any = module.QueryUnit
    # What pyparsing would otherwise do at the first text.
    root.streamline()
    elements = _elements(root)
    firsts = _Firsts(elements)
    for element in elements:
        element.ignoreExprs = []
    for element in elements:
        _look_ahead(element, firsts)
    return root


def _elements(root: Any) -> list[Any]:
    pending: list[Any] = [root]
    seen: dict[int, Any] = {}
    while pending:
        element = pending.pop()
        if id(element) not in seen:
            seen[id(element)] = element
            pending.extend(element.recurse())
    return list(seen.values())


class _Firsts:
    """Which characters an element can begin with, and whether it can be empty.

    Characters beyond ASCII are never looked up.
    """

    def __init__(self, elements: Sequence[Any]) -> None:
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
        return self._characters.get(id(element), frozenset())

    def may_be_empty(self, element: Any) -> bool:
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
        return frozenset(_ASCII), True

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
        for character in _ASCII
        if any(regex.re.match(sample.format(character)) for sample in _SAMPLES)
    )
    return frozenset(found), regex.re.match("") is not None


def _look_ahead(element: Any, firsts: _Firsts) -> None:
    """Have an element that has a choice look at the next character first."""
    import pyparsing as pp

    if isinstance(element, pp.MatchFirst):
        parts: list[Any] = element.exprs
        table = {
            character: [
                part
                for part in parts
                if firsts.may_be_empty(part) or character in firsts.characters(part)
            ]
            for character in _ASCII
        }
        element.parseImpl = _chosen(element, table)
    elif isinstance(element, (pp.Opt, pp.ZeroOrMore)) and not firsts.may_be_empty(element.expr):
        skipped = frozenset(_ASCII) - firsts.characters(element.expr)
        if isinstance(element, pp.Opt):
            element.parseImpl = _perhaps(element, skipped)
        else:
            element.parseImpl = _repeated(element, skipped)


def _next_character(text: str, place: int) -> str:
    while text[place : place + 1] in _SPACES and place < len(text):
        place += 1
    return text[place : place + 1]


def _chosen(element: Any, table: dict[str, list[Any]]) -> Parse:
    """`MatchFirst.parseImpl` with the alternatives that can begin with the next character."""
    from pyparsing import ParseException

    everything: list[Any] = element.exprs

    def parse(text: str, place: int, do_actions: bool = True) -> tuple[int, Any]:
        deepest: ParseException | None = None
        for part in table.get(_next_character(text, place), everything):
            try:
                return part._parse(text, place, do_actions)
            except ParseException as error:
                if deepest is None or error.loc > deepest.loc:
                    deepest = error
            except IndexError:
                deepest = ParseException(text, len(text), part.errmsg, element)
        raise deepest or ParseException(text, place, element.errmsg, element)

    return parse


def _perhaps(element: Any, skipped: frozenset[str]) -> Parse:
    """`Opt.parseImpl`, for one without a default."""
    whole: Parse = element.parseImpl

    def parse(text: str, place: int, do_actions: bool = True) -> tuple[int, Any]:
        if _next_character(text, place) in skipped:
            return place, []
        return whole(text, place, do_actions)

    return parse


def _repeated(element: Any, skipped: frozenset[str]) -> Parse:
    """`ZeroOrMore.parseImpl`, for one without an end of its own."""
    from pyparsing import ParseException, ParseResults

    part: Any = element.expr

    def parse(text: str, place: int, do_actions: bool = True) -> tuple[int, Any]:
        found = ParseResults([], name=element.resultsName)
        while _next_character(text, place) not in skipped:
            try:
                place, more = part._parse(text, place, do_actions)
            except (ParseException, IndexError):
                break
            found += more
        return place, found

    return parse
