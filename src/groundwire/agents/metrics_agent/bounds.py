"""A question for yes or no about a value and a figure: "was it above 50 million?".

The question is read without the figure, and the value that is found is held against it.
"""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from groundwire.agents.metrics_agent.sentences import told
from groundwire.metrics.intent.wording import Language, language_of
from groundwire.metrics.results import Cell
from groundwire.quantities import find_quantities

_HOLDS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "above": operator.gt,
    "below": operator.lt,
    "least": operator.ge,
    "most": operator.le,
}
# 过亿 says no number of its own.
_SCALE_ALONE = re.compile(r"(?:超过?|突?破|过)了?(?=[万亿])(?!\d)")


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure that a question holds a value against.

    Attributes:
        way: above, below, least or most.
        value: the figure.
        unit: its unit, or None.
        said: the words of the question.
        rest: the question without them.
    """

    way: str
    value: Decimal
    unit: str | None
    said: str
    rest: str


def bound_in(question: str) -> Bound | None:
    """Return the one figure that a question for yes or no compares with, or None."""
    text = _SCALE_ALONE.sub("超过1", question.strip())
    if not _asks(text):
        return None
    found: list[Bound] = []
    for one in find_quantities(text):
        first, last = one.span
        before = text[:first].rstrip()
        for way, cue in _cues():
            start = len(before) - len(cue)
            is_apart = start < 1 or not cue.isascii() or not before[start - 1].isalnum()
            if before.casefold().endswith(cue) and is_apart:
                rest = f"{text[:start].rstrip()} {text[last:].lstrip()}".strip()
                found.append(Bound(way, one.value, one.unit, text[start:last], rest))
                break
    return found[0] if len(found) == 1 else None


def held_against(question: str, read: str, cells: Sequence[Cell]) -> str:
    """Return whether a value meets the bound of a question, which was read without it; else "".

    Args:
        question: the question.
        read: the question as it was read.
        cells: what was found.
    """
    bound = bound_in(question)
    if bound is None or bound.rest != read or not cells:
        return ""
    language: Language = language_of(question)
    found = [one for one in cells if one.status == "found"]
    is_alike = len(cells) == len(found) == 1 and bound.unit in (None, found[0].unit)
    if not is_alike:
        return told("bound_open", language, bound=bound.said)
    holds = _HOLDS[bound.way](Decimal(found[0].value_text or 0), bound.value)
    return told("bound_yes" if holds else "bound_no", language, bound=bound.said)


def _asks(text: str) -> bool:
    first = text.split(maxsplit=1)[:1]
    words = _words()["asks"]
    starts = {one.casefold() for one in first} & {*words["en"], *words["de"]}
    return bool(starts) or text.endswith(tuple(words["zh"]))


@cache
def _cues() -> tuple[tuple[str, str], ...]:
    """Return the ways with their words, the longest first."""
    found = [(way, cue) for way in _HOLDS for cues in _words()[way].values() for cue in cues]
    return tuple(sorted(found, key=lambda one: -len(one[1])))


@cache
def _words() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads((files(__package__ or "") / "bounds.toml").read_text("utf-8"))
