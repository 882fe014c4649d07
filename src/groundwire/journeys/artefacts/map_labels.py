"""Where the names on a map stand: beside what they name, over nothing else, or nowhere.

A greedy placement: captions come in the order of their importance, and each takes the best place
that is left. Those that must be seen may stand farther away, with a line to what they name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from groundwire.journeys.artefacts.map_projection import Box, Pixel
from groundwire.journeys.artefacts.map_words import Words

Align = Literal["start", "middle", "end"]

LEADING = 1.22
# Where a caption may stand around its point, best first: right, left, then the corners.
_SIDES = ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1))
_NEAR = 5.0
# What a name may cost that need not be seen: its side, and two pixels of a line crossed.
_TOO_MUCH = 22.0
_FAR = (12.0, 22.0, 44.0, 72.0, 104.0)
_SQUARE = 24.0


@dataclass(frozen=True, slots=True)
class Caption:
    """A name and the point that it names.

    Attributes:
        lines: what it says, line by line.
        point: what it names.
        radius: how much room the marker takes around the point.
        kind: what it is drawn as.
        must: whether it may stand apart from its point rather than not at all.
    """

    lines: tuple[Words, ...]
    point: Pixel
    radius: float
    kind: str = "ink"
    must: bool = False


class Placed(NamedTuple):
    """A caption in its place.

    Attributes:
        caption: what stands there.
        box: the room that it takes.
        align: from which side its lines are set.
        leader: the end of the line to its point, where it stands apart.
    """

    caption: Caption
    box: Box
    align: Align
    leader: Pixel | None = None


def place(
    captions: Iterable[Caption], frame: Box, taken: Iterable[Box], ways: Iterable[Pixel]
) -> list[Placed]:
    """The captions that find a place inside the frame.

    Args:
        captions: most important first.
        frame: what they may not leave.
        taken: what they may not cover, such as markers.
        ways: pixels of lines, which they cover only where no better place is free.
    """
    inner = frame.grown(-4)
    occupied = list(taken)
    crossed = _Ways(ways)
    placed: list[Placed] = []
    for caption in captions:
        best: Placed | None = None
        least = float("inf")
        for candidate, cost in _candidates(caption):
            if cost >= least or not inner.holds(candidate.box):
                continue
            if any(candidate.box.overlaps(box) for box in occupied) or _crosses(candidate, placed):
                continue
            cost += (8 if caption.must else 5) * crossed.count(candidate.box.grown(5))
            if cost < least and (caption.must or cost < _TOO_MUCH):
                best, least = candidate, cost
        if best is not None:
            placed.append(best)
            occupied.append(best.box.grown(2))
    return placed


def _crosses(candidate: Placed, placed: Iterable[Placed]) -> bool:
    """Whether a line to a point would cross another one, or a name that another point has."""
    own = _line(candidate)
    for other in placed:
        line = _line(other)
        if own and (_enters(own, other.box) or (line and _cross(own, line))):
            return True
        if line and _enters(line, candidate.box):
            return True
    return False


def _line(placed: Placed) -> tuple[Pixel, Pixel] | None:
    """Return the line between a name that stands apart and its point."""
    return (placed.caption.point, placed.leader) if placed.leader else None


def _enters(line: tuple[Pixel, Pixel], box: Box) -> bool:
    (left, top), (right, bottom) = (box.left, box.top), (box.right, box.bottom)
    across = (((left, top), (right, bottom)), ((left, bottom), (right, top)))
    return box.has(line[0]) or box.has(line[1]) or any(_cross(line, one) for one in across)


def _cross(one: tuple[Pixel, Pixel], other: tuple[Pixel, Pixel]) -> bool:
    """Whether two lines have a point in common."""

    def side(line: tuple[Pixel, Pixel], pixel: Pixel) -> float:
        (x, y), (to_x, to_y) = line
        return (to_x - x) * (pixel[1] - y) - (to_y - y) * (pixel[0] - x)

    return (
        side(one, other[0]) * side(one, other[1]) < 0
        and side(other, one[0]) * side(other, one[1]) < 0
    )


def _candidates(caption: Caption) -> Iterator[tuple[Placed, float]]:
    """Places of a caption, with what each costs before anything is crossed."""
    width = max(words.width for words in caption.lines)
    height = sum(words.size for words in caption.lines) * LEADING
    for step, away in enumerate((_NEAR, *(_FAR if caption.must else ()))):
        reach = caption.radius + away
        for order, (across, down) in enumerate(_SIDES):
            # A corner is nearer along each axis than a side.
            offset = reach * (0.7 if across and down else 1)
            x = caption.point[0] + across * offset
            y = caption.point[1] + down * offset
            left = x if across > 0 else x - width if across < 0 else x - width / 2
            top = y if down > 0 else y - height if down < 0 else y - height / 2
            align: Align = "start" if across > 0 else "end" if across < 0 else "middle"
            leader = (x, y) if step else None
            placed = Placed(caption, Box(left, top, width, height), align, leader)
            yield placed, order * 1.5 + step * 14


class _Ways:
    """Pixels of lines, found by the square they lie in."""

    def __init__(self, pixels: Iterable[Pixel]) -> None:
        self._squares: defaultdict[tuple[int, int], list[Pixel]] = defaultdict(list)
        for pixel in pixels:
            self._squares[int(pixel[0] // _SQUARE), int(pixel[1] // _SQUARE)].append(pixel)

    def count(self, box: Box) -> int:
        """How many of them a box would cover."""
        return sum(
            box.has(pixel)
            for column in range(int(box.left // _SQUARE), int(box.right // _SQUARE) + 1)
            for row in range(int(box.top // _SQUARE), int(box.bottom // _SQUARE) + 1)
            for pixel in self._squares.get((column, row), ())
        )


def baselines(placed: Placed) -> Iterator[tuple[Words, Pixel]]:
    """Each line of a caption with the point at which its baseline begins, by its alignment."""
    box = placed.box
    x = {"start": box.left, "middle": box.left + box.width / 2, "end": box.right}[placed.align]
    y = box.top
    for words in placed.caption.lines:
        yield words, (x, y + words.size * 0.95)
        y += words.size * LEADING


def free(
    candidates: Sequence[Pixel], radius: float, taken: Sequence[Box], frame: Box
) -> Pixel | None:
    """The first of the pixels around which a disc of that radius covers nothing taken."""
    for x, y in candidates:
        box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
        if frame.holds(box) and not any(box.overlaps(other) for other in taken):
            return x, y
    return None
