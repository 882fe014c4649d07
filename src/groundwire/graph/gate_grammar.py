"""rdflib's query grammar, read several times faster, with the same trees.

pyparsing tries alternatives one after the other, of which rdflib's grammar has up to sixty at a
place, and wraps the result of every element in an object of its own. Here each element becomes a
function that returns a plain list, and that looks at the next character before it tries what
cannot begin with it. Texts that do not fit are read once more by pyparsing, for its message.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from groundwire.graph.gate_firsts import ASCII, Firsts
from groundwire.graph.gate_readers import (
    Read,
    acted,
    after_spaces,
    chosen,
    composed,
    converted,
    keyword,
    labelled,
    literal,
    optional,
    regex,
    repeated,
    sequence,
)


def parse(text: str) -> Any:
    """The parse tree of a query in its canonical text, as `rdflib`'s own parser makes it.

    Raises:
        pyparsing.ParseException: it does not read the text as a query.
    """
    from pyparsing import ParseResults

    found = _reader()(text, 0)
    if found is None or text[found[0] :].strip(" "):
        return grammar().parse_string(text, parse_all=True)
    return ParseResults(found[1])


@cache
def grammar() -> Any:
    """An instance of rdflib's grammar of our own, that looks for no comments.

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
    for element in _elements(root):
        element.ignoreExprs = []
    return root


@cache
def _reader() -> Read:
    root = grammar()
    return _Compiler(Firsts(_elements(root))).full(root)


def _elements(root: Any) -> list[Any]:
    pending: list[Any] = [root]
    seen: dict[int, Any] = {}
    while pending:
        element = pending.pop()
        if id(element) not in seen:
            seen[id(element)] = element
            pending.extend(element.recurse())
    return list(seen.values())


class _Compiler:
    """Makes the functions of a grammar, one for each element."""

    def __init__(self, firsts: Firsts) -> None:
        self._firsts = firsts
        self._bare: dict[int, Read] = {}

    def full(self, element: Any) -> Read:
        """The function that passes white space first, if the element does."""
        bare = self.bare(element)
        return after_spaces(bare) if element.callPreparse and element.skipWhitespace else bare

    def bare(self, element: Any) -> Read:
        """The function that begins where it is."""
        known = self._bare.get(id(element))
        if known is None:
            # An element that contains itself calls what is only known once it is made.
            made: list[Read] = []
            self._bare[id(element)] = lambda text, place: made[0](text, place)
            made.append(self._made(element))
            known = self._bare[id(element)] = made[0]
        return known

    def _made(self, element: Any) -> Read:
        import pyparsing as pp
        from rdflib.plugins.sparql.parserutils import Param

        if isinstance(element, pp.Keyword):
            read = keyword(element)
        elif isinstance(element, pp.Literal):
            read = literal(element.match)
        elif isinstance(element, pp.Regex):
            read = regex(element)
        elif isinstance(element, pp.And):
            first, *rest = element.exprs
            read = sequence([self.bare(first), *map(self.full, rest)])
        elif isinstance(element, pp.MatchFirst):
            read = self._choice(element)
        elif isinstance(element, (pp.Opt, pp.ZeroOrMore)):
            read = self._perhaps(element)
        elif isinstance(element, pp.OneOrMore):
            read = repeated(self.full(element.expr), frozenset(), least=1)
        elif isinstance(element, Param):
            # Its only action is to label, which `labelled` does without calling it.
            return labelled(self.bare(element.expr), element)
        else:
            read = self._enclosed(element)
        return acted(read, element.parseAction) if element.parseAction else read

    def _enclosed(self, element: Any) -> Read:
        import pyparsing as pp
        from rdflib.plugins.sparql.parserutils import Comp

        part = self.bare(element.expr)
        if isinstance(element, Comp):
            return composed(part, element)
        if isinstance(element, pp.Suppress):
            return converted(part, lambda _: [])
        if isinstance(element, pp.Group):
            return converted(part, lambda tokens: [pp.ParseResults(tokens)])
        if isinstance(element, pp.Combine):
            join: Callable[[list[Any]], str] = element.joinString.join
            return converted(part, lambda tokens: [join(tokens)])
        if isinstance(element, (pp.Forward, pp.DelimitedList)):
            return part
        raise TypeError(f"rdflib's grammar has an element that is unknown here: {element!r}")

    def _choice(self, element: Any) -> Read:
        firsts = self._firsts
        parts = [(part, self.full(part)) for part in element.exprs]
        table = {
            character: tuple(
                read
                for part, read in parts
                if firsts.may_be_empty(part) or character in firsts.characters(part)
            )
            for character in ASCII
        }
        return chosen(table, tuple(read for _, read in parts))

    def _perhaps(self, element: Any) -> Read:
        import pyparsing as pp

        part = element.expr
        skipped: frozenset[str] = frozenset()
        if not self._firsts.may_be_empty(part):
            skipped = frozenset(ASCII) - self._firsts.characters(part)
        if isinstance(element, pp.Opt):
            return optional(self.bare(part), skipped)
        return repeated(self.full(part), skipped, least=0)
