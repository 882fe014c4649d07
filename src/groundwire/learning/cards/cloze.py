"""Sentences with holes, in the notation of Anki: `{{c1::answer::hint}}`, one within another too.

Source: the Anki manual, "Cloze deletion".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_EDGE = re.compile(r"\{\{c(\d{1,3})::|\}\}|::")
MOST_HOLES = 500
DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Hole:
    """A part of a sentence that is hidden.

    Attributes:
        number: holes of one number are hidden on one card.
        answer: its text, holes within it filled.
        hint: what is shown instead, or "".
        start: where the answer begins in the whole text.
        stop: where it ends, exclusive.
    """

    number: int
    answer: str
    hint: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Cloze:
    """A sentence with its holes.

    Attributes:
        text: the sentence with every hole filled.
        holes: its holes, in the order of their ends.
    """

    text: str
    holes: tuple[Hole, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its holes, each once, ascending: one card each."""
        return tuple(sorted({hole.number for hole in self.holes}))

    def masked(self, number: int) -> str:
        """Return the sentence as the card of a number shows it, holes as `[...]` or `[hint]`."""
        shown: list[str] = []
        position = 0
        for hole in sorted(self.holes, key=lambda hole: (hole.start, -hole.stop)):
            if hole.number == number and hole.start >= position:
                shown += (self.text[position : hole.start], f"[{hole.hint or '...'}]")
                position = hole.stop
        return "".join((*shown, self.text[position:]))

    def answer(self, number: int) -> str:
        """Return what the card of a number asks for; several holes are set apart by a comma."""
        own = [hole for hole in self.holes if hole.number == number]
        outer = [
            hole
            for hole in own
            if not any(o is not hole and o.start <= hole.start and hole.stop <= o.stop for o in own)
        ]
        return ", ".join(hole.answer for hole in sorted(outer, key=lambda hole: hole.start))


@dataclass(slots=True)
class _Open:
    number: int
    start: int
    hint_at: int = -1
    inner: list[Hole] = field(default_factory=list[Hole])


def parse_cloze(front: str) -> Cloze | None:
    """Read a sentence with holes.

    Returns:
        the sentence, or None where no hole is well formed: one is not closed, is empty, has the
        number 0, or there are more than `MOST_HOLES` or they nest deeper than `DEEPEST`.
    """
    parts: list[str] = []
    length = position = 0
    holes: list[Hole] = []
    stack: list[_Open] = []

    def add(text: str) -> None:
        nonlocal length
        parts.append(text)
        length += len(text)

    for edge in _EDGE.finditer(front):
        text = front[position : edge.start()]
        add(text)
        position = edge.end()
        if edge[1] is not None:
            if int(edge[1]) == 0 or len(stack) >= DEEPEST or len(holes) >= MOST_HOLES:
                return None
            stack.append(_Open(int(edge[1]), length))
        elif edge[0] == "::" and stack and stack[-1].hint_at < 0:
            stack[-1].hint_at = length
        elif edge[0] == "::" or not stack:
            add(edge[0])
        else:
            opened = stack.pop()
            whole = "".join(parts)
            cut = opened.hint_at if opened.hint_at >= 0 else length
            answer, hint = whole[opened.start : cut], whole[cut:]
            if not answer.strip():
                return None
            parts[:] = [whole[:cut]]
            length = cut
            holes.append(Hole(opened.number, answer, hint.strip(), opened.start, cut))
    add(front[position:])
    return Cloze("".join(parts), tuple(holes)) if holes and not stack else None
