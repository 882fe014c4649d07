"""Functions that read the elements of a pyparsing grammar, one for each kind of element.

They read canonical text, in which the only white space outside strings is a space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

Found = tuple[int, list[Any]]
"""The place after what was read, and its tokens."""
Read = Callable[[str, int], Found | None]
"""Reads an element at a place; None if the text does not fit there."""


def after_spaces(bare: Read) -> Read:
    """Return a reader of `bare` that passes over any spaces first."""

    def read(text: str, place: int) -> Found | None:
        while text[place : place + 1] == " ":
            place += 1
        return bare(text, place)

    return read


def next_character(text: str, place: int) -> str:
    """Return the first character from `place` on that differs from a space; empty at the end."""
    character = text[place : place + 1]
    while character == " ":
        place += 1
        character = text[place : place + 1]
    return character


def literal(match: str) -> Read:
    """Exactly `match`."""
    length = len(match)

    def read(text: str, place: int) -> Found | None:
        return (place + length, [match]) if text.startswith(match, place) else None

    return read


def keyword(element: Any) -> Read:
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


def regex(element: Any) -> Read:
    """Return a reader of what a regular expression matches."""
    match_at = element.re.match

    def read(text: str, place: int) -> Found | None:
        found = match_at(text, place)
        return None if found is None else (found.end(), [found.group()])

    return read


def sequence(parts: Sequence[Read]) -> Read:
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


def chosen(table: dict[str, tuple[Read, ...]], everything: tuple[Read, ...]) -> Read:
    """The first that fits, of those that `table` names for the next character."""

    def read(text: str, place: int) -> Found | None:
        for part in table.get(next_character(text, place), everything):
            found = part(text, place)
            if found is not None:
                return found
        return None

    return read


def optional(part: Read, skipped: frozenset[str]) -> Read:
    """`part` or nothing; nothing where the next character is in `skipped`."""

    def read(text: str, place: int) -> Found | None:
        found = None if next_character(text, place) in skipped else part(text, place)
        return (place, []) if found is None else found

    return read


def repeated(part: Read, skipped: frozenset[str], least: int) -> Read:
    """`part`, as often as it fits and at least `least` times."""

    def read(text: str, place: int) -> Found | None:
        tokens: list[Any] = []
        times = 0
        while next_character(text, place) not in skipped:
            found = part(text, place)
            if found is None:
                break
            place = found[0]
            tokens += found[1]
            times += 1
        return (place, tokens) if times >= least else None

    return read


def converted(part: Read, convert: Callable[[list[Any]], list[Any]]) -> Read:
    """`part`, with its tokens as `convert` makes them."""

    def read(text: str, place: int) -> Found | None:
        found = part(text, place)
        return None if found is None else (found[0], convert(found[1]))

    return read


def labelled(part: Read, element: Any) -> Read:
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


def composed(part: Read, element: Any) -> Read:
    """`part` as a node of the tree: rdflib's `Comp`."""
    compose = element.postParse

    def read(text: str, place: int) -> Found | None:
        found = part(text, place)
        return None if found is None else (found[0], [compose(text, place, found[1])])

    return read


def acted(part: Read, actions: Sequence[Callable[..., Any]]) -> Read:
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
