"""rdflib's query grammar, read several times faster, with the same trees.

pyparsing tries alternatives one after the other, of which rdflib's grammar has up to sixty at a
place, and wraps the result of every element in an object of its own. Here each element becomes a
function that returns a plain list, and that looks at the next character before it tries what
cannot begin with it. Texts that do not fit are read once more by pyparsing, for its message.

Functions that read the elements of a pyparsing grammar, one for each kind of element. They read
canonical text, in which the only white space outside strings is a space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, cast

_ASCII = tuple(map(chr, range(33, 127)))
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
        # Parts stand behind what contains them, and what has none is known at once.
        pending = elements[::-1]
        changed = True
        while changed:
            changed = False
            for element in pending:
                found = self._of(element)
                if found != (self.characters(element), self.may_be_empty(element)):
                    self._characters[id(element)], self._empty[id(element)] = found
                    changed = True
            pending = [element for element in pending if element.recurse()]

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


Found = tuple[int, list[Any]]
"""The place after what was read, and its tokens."""
Read = Callable[[str, int], Found | None]
"""Reads an element at a place; None if the text does not fit there."""


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
        return _after_spaces(bare) if element.callPreparse and element.skipWhitespace else bare

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
            read = _keyword(element)
        elif isinstance(element, pp.Literal):
            read = _literal(element.match)
        elif isinstance(element, pp.Regex):
            read = _regex(element)
        elif isinstance(element, pp.And):
            first, *rest = element.exprs
            read = _sequence([self.bare(first), *map(self.full, rest)])
        elif isinstance(element, pp.MatchFirst):
            read = self._choice(element)
        elif isinstance(element, (pp.Opt, pp.ZeroOrMore)):
            read = self._perhaps(element)
        elif isinstance(element, pp.OneOrMore):
            read = _repeated(self.full(element.expr), frozenset(), least=1)
        elif isinstance(element, Param):
            # Its only action is to label, which `_labelled` does without calling it.
            return _labelled(self.bare(element.expr), element)
        else:
            read = self._enclosed(element)
        return _acted(read, element.parseAction) if element.parseAction else read

    def _enclosed(self, element: Any) -> Read:
        import pyparsing as pp
        from rdflib.plugins.sparql.parserutils import Comp

        part = self.bare(element.expr)
        if isinstance(element, Comp):
            return _composed(part, element)
        if isinstance(element, pp.Suppress):
            return _converted(part, lambda _: [])
        if isinstance(element, pp.Group):
            return _converted(part, lambda tokens: [pp.ParseResults(tokens)])
        if isinstance(element, pp.Combine):
            join: Callable[[list[Any]], str] = element.joinString.join
            return _converted(part, lambda tokens: [join(tokens)])
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
            for character in _ASCII
        }
        return _chosen(table, tuple(read for _, read in parts))

    def _perhaps(self, element: Any) -> Read:
        import pyparsing as pp

        part = element.expr
        skipped: frozenset[str] = frozenset()
        if not self._firsts.may_be_empty(part):
            skipped = frozenset(_ASCII) - self._firsts.characters(part)
        if isinstance(element, pp.Opt):
            return _optional(self.bare(part), skipped)
        return _repeated(self.full(part), skipped, least=0)


def _after_spaces(bare: Read) -> Read:
    """Return a reader of `bare` that passes over any spaces first."""

    def read(text: str, place: int) -> Found | None:
        while text[place : place + 1] == " ":
            place += 1
        return bare(text, place)

    return read


def _next_character(text: str, place: int) -> str:
    """Return the first character from `place` on that differs from a space; empty at the end."""
    character = text[place : place + 1]
    while character == " ":
        place += 1
        character = text[place : place + 1]
    return character


def _literal(match: str) -> Read:
    """Exactly `match`."""
    length = len(match)

    def read(text: str, place: int) -> Found | None:
        return (place + length, [match]) if text.startswith(match, place) else None

    return read


def _keyword(element: Any) -> Read:
    """A word in any case that no other letter touches."""
    match: str = element.match
    upper, letters, length = match.upper(), element.identChars, len(match)
    assert element.caseless

    def read(text: str, place: int) -> Found | None:
        end = place + length
        if text[place:end].upper() != upper or (end < len(text) and text[end].upper() in letters):
            return None
        if place and text[place - 1].upper() in letters:
            return None
        return end, [match]

    return read


def _regex(element: Any) -> Read:
    """Return a reader of what a regular expression matches."""
    match_at = element.re.match

    def read(text: str, place: int) -> Found | None:
        found = match_at(text, place)
        return None if found is None else (found.end(), [found.group()])

    return read


def _sequence(parts: Sequence[Read]) -> Read:
    """All of `parts`, one after the other."""

    def read(text: str, place: int) -> Found | None:
        tokens: list[Any] = []
        for part in parts:
            found = part(text, place)
            if found is None:
                return None
            place = found[0]
            tokens += found[1]
        return place, tokens

    return read


def _chosen(table: dict[str, tuple[Read, ...]], everything: tuple[Read, ...]) -> Read:
    """The first that fits, of those that `table` names for the next character."""

    def read(text: str, place: int) -> Found | None:
        for part in table.get(_next_character(text, place), everything):
            found = part(text, place)
            if found is not None:
                return found
        return None

    return read


def _optional(part: Read, skipped: frozenset[str]) -> Read:
    """`part` or nothing; nothing where the next character is in `skipped`."""

    def read(text: str, place: int) -> Found | None:
        found = None if _next_character(text, place) in skipped else part(text, place)
        return (place, []) if found is None else found

    return read


def _repeated(part: Read, skipped: frozenset[str], least: int) -> Read:
    """`part`, as often as it fits and at least `least` times."""

    def read(text: str, place: int) -> Found | None:
        tokens: list[Any] = []
        times = 0
        while _next_character(text, place) not in skipped:
            found = part(text, place)
            if found is None:
                break
            place = found[0]
            tokens += found[1]
            times += 1
        return (place, tokens) if times >= least else None

    return read


def _converted(part: Read, convert: Callable[[list[Any]], list[Any]]) -> Read:
    """`part`, with its tokens as `convert` makes them."""

    def read(text: str, place: int) -> Found | None:
        found = part(text, place)
        return None if found is None else (found[0], convert(found[1]))

    return read


def _labelled(part: Read, element: Any) -> Read:
    """`part` as a parameter of what contains it: rdflib's `Param`."""
    from pyparsing import ParseResults
    from rdflib.plugins.sparql.parserutils import ParamValue

    name, in_list = element.name, element.isList

    def read(text: str, place: int) -> Found | None:
        found = part(text, place)
        if found is None:
            return None
        end, tokens = found
        # A label of one token takes it out of its list, others keep theirs.
        whole: Any = tokens if len(tokens) == 1 else ParseResults(tokens)
        return end, [ParamValue(name, whole, in_list)]

    return read


def _composed(part: Read, element: Any) -> Read:
    """`part` as a node of the tree: rdflib's `Comp`."""
    compose = element.postParse

    def read(text: str, place: int) -> Found | None:
        found = part(text, place)
        return None if found is None else (found[0], [compose(text, place, found[1])])

    return read


def _acted(part: Read, actions: Sequence[Callable[..., Any]]) -> Read:
    """`part`, with its tokens as rdflib's parse actions make them."""
    from pyparsing import ParseResults

    def read(text: str, place: int) -> Found | None:
        found = part(text, place)
        if found is None:
            return None
        end, tokens = found
        for action in actions:
            made = action(text, place, ParseResults(tokens))
            if isinstance(made, (list, ParseResults)):
                tokens = list(cast("Sequence[Any]", made))
            elif made is not None:
                tokens = [made]
        return end, tokens

    return read


def _begins(regex: Any) -> tuple[frozenset[str], bool]:
    found = (
        character
        for character in _ASCII
        if any(regex.re.match(sample.format(character)) for sample in _SAMPLES)
    )
    return frozenset(found), regex.re.match("") is not None
