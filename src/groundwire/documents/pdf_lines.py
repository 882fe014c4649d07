"""The lines of a PDF page, with gaps between paragraphs: a PDF has words at places only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from groundwire.documents.blocks import clean

# A step down that is larger than this many usual ones, or letters of another size, set paragraphs
# apart.
_GAP = 1.4
_OTHER_SIZE = 1.1


@dataclass(slots=True)
class _Line:
    text: str = ""
    height: float = 0.0
    size: float = 0.0

    def take(self, text: str, height: float, size: float) -> None:
        if text.strip() and not self.text.strip():
            self.height, self.size = height, size
        self.text += text


def page_lines(page: Any) -> list[str]:
    """The lines of a page of pypdf, an empty one where a paragraph ends visibly.

    Where pypdf does not tell the places of its text, the lines are as it gives them.
    """
    lines = [_Line()]

    def take(
        text: str, around: Sequence[float], own: Sequence[float], _: object, size: float
    ) -> None:
        height = own[4] * around[1] + own[5] * around[3] + around[5]
        for place, part in enumerate(clean(text).split("\n")):
            if place:
                lines.append(_Line())
            lines[-1].take(part, height, abs(size * own[3] * around[3]))

    whole = clean(page.extract_text(visitor_text=take))
    filled = [line for line in lines if line.text.strip()]
    if "".join("".join(line.text for line in filled).split()) != "".join(whole.split()):
        return whole.split("\n")
    usual = _usual_step(filled)
    spaced = [line.text for line in filled[:1]]
    for before, line in pairwise(filled):
        if before.height - line.height > usual * _GAP or _differ(before.size, line.size):
            spaced.append("")
        spaced.append(line.text)
    return spaced


def _usual_step(lines: Sequence[_Line]) -> float:
    steps = [before.height - line.height for before, line in pairwise(lines)]
    return median([step for step in steps if step > 0] or [0.0])


def _differ(one: float, other: float) -> bool:
    return max(one, other) > min(one, other) * _OTHER_SIZE
