"""An output within the characters of one result: the whole trace in short, and the rest in pages.

The first page has every step; its longest values are shortened, what tools answered before what was
thought, and the result last of all. The pages after it have those values, whole, as text. Both
follow from the output alone, so that a page needs nothing but its offset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import to_json

from groundwire.agents.runtime.output import AgentOutput

_ANSWERS = (4_000, 2_000, 1_000, 500, 250)
_THOUGHTS = (1_000, 400, 150)
_RESULTS = (6_000, 3_000, 1_500, 700, 300)
_FEWEST_STEPS = 1
# Of an answer without its trace: characters of each value that the answer is made of.
_BRIEF = 1_500
Tree = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """A value that the first page has in short.

    Attributes:
        of: where it stands, as in `reasoning.steps[2].action.output`.
        text: the whole value, as JSON where it is not a text.
        value: the value itself.
    """

    of: str
    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a value that was cut.

    Attributes:
        of: where the value stands.
        text: the characters.
        begin: position of the first of them in the value, from 0.
        total: characters of the value.
    """

    of: str
    text: str
    begin: int
    total: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value can be shortened."""

    of: str
    holder: Any
    key: Any


def first_page(output: AgentOutput, room: int) -> tuple[Tree, tuple[Cut, ...]]:
    """The output as JSON in `room` characters, if that can be, and what of it is in short.

    Args:
        output: the output.
        room: characters of compact JSON.
    """
    tree = output.dumped()
    cuts: dict[str, Cut] = {}
    stages: tuple[tuple[Callable[[Tree], Iterator[_Place]], tuple[int, ...]], ...] = (
        (_answers, _ANSWERS),
        (_thoughts, _THOUGHTS),
        (_results, _RESULTS),
    )
    for places, caps in stages:
        for cap in caps:
            if _size(tree) <= room:
                return tree, _ordered(cuts)
            for place in places(tree):
                _shorten(place, cap, cuts)
    _drop_steps(tree, room, cuts, output)
    return tree, _ordered(cuts)


def brief(output: AgentOutput, room: int) -> tuple[Tree, tuple[str, ...]]:
    """The output without its trace, long values in short, and the names of what is left out.

    The answer itself is shortened only if all else was and it still does not fit.

    Args:
        output: the output.
        room: characters of compact JSON.
    """
    tree = output.dumped()
    cuts: dict[str, Cut] = {}
    count = len(_steps(tree))
    left_out = [f"the trace ({count} step{'' if count == 1 else 's'})"] if count else []
    tree["reasoning"].pop("steps", None)
    for place in _results(tree):
        if place.of != "result.answer":
            _shorten(place, _BRIEF, cuts)
    for cap in _RESULTS:
        if _size(tree) <= room:
            break
        for place in (*_thoughts(tree), *_results(tree)):
            _shorten(place, cap, cuts)
    return tree, (*left_out, *sorted(cuts))


def page_after(cuts: Sequence[Cut], offset: int, room: int) -> tuple[tuple[Piece, ...], int | None]:
    """Return the part that was cut, from a position in all of it, in `room` characters of JSON.

    Returns:
        The pieces, and the position of the next page; None on the last.
    """
    pieces: list[Piece] = []
    position = 0
    for cut in cuts:
        begin = max(0, offset - position)
        if begin < len(cut.text):
            taken = _most_that_fits(cut.text[begin : begin + room], room)
            if not taken:
                return tuple(pieces), position + begin
            pieces.append(Piece(cut.of, taken, begin, len(cut.text)))
            room -= _size(taken) + len(cut.of) + 80
            if begin + len(taken) < len(cut.text):
                return tuple(pieces), position + begin + len(taken)
        position += len(cut.text)
    return tuple(pieces), None


def _most_that_fits(text: str, room: int) -> str:
    """The beginning of a text that takes at most `room` characters as JSON."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _steps(tree: Tree) -> list[Tree]:
    return cast("list[Tree]", tree["reasoning"].get("steps", []))


def _answers(tree: Tree) -> Iterator[_Place]:
    """Yield what tools answered, and what a model was shown of it."""
    for at, step in enumerate(_steps(tree)):
        action = step.get("action")
        if action is not None and "output" in action:
            yield _Place(f"reasoning.steps[{at}].action.output", action, "output")
        if "observation" in step:
            yield _Place(f"reasoning.steps[{at}].observation", step, "observation")


def _thoughts(tree: Tree) -> Iterator[_Place]:
    """Yield what was thought and sent, and what else is told of the way to the answer."""
    for at, step in enumerate(_steps(tree)):
        yield _Place(f"reasoning.steps[{at}].thought", step, "thought")
        if "action" in step:
            yield _Place(f"reasoning.steps[{at}].action.input", step["action"], "input")
    for key in ("decision", "context_used", "assumptions_made", "alternatives"):
        if key in tree["reasoning"]:
            yield _Place(f"reasoning.{key}", tree["reasoning"], key)


def _results(tree: Tree) -> Iterator[_Place]:
    """Yield what the answer is made of, and what is known of an error."""
    for name in ("result", "error"):
        holder: Mapping[str, Any] = tree.get(name) or {}
        for key in holder:
            if key not in ("code", "recoverable"):
                yield _Place(f"{name}.{key}", holder, key)
    if len(tree.get("evidence_ids", ())) > 1:
        yield _Place("evidence_ids", tree, "evidence_ids")


def _shorten(place: _Place, cap: int, cuts: dict[str, Cut]) -> None:
    """Shorten a value to `cap` characters; one that was cut before is cut again."""
    known = cuts.get(place.of)
    value = known.value if known else place.holder[place.key]
    text = known.text if known else value if isinstance(value, str) else _json(value)
    if len(text) <= cap:
        return
    cuts[place.of] = known or Cut(place.of, text, value)
    if isinstance(value, list):
        # A list stays one, of the items that fit.
        place.holder[place.key] = _first(cast("list[Any]", value), cap)
    else:
        place.holder[place.key] = f"{text[:cap]}… ({len(text) - cap:,} characters left out)"


def _first(items: list[Any], cap: int) -> list[Any]:
    size = 2
    for at, item in enumerate(items):
        size += _size(item) + 1
        if size > cap:
            return items[:at]
    return items


def _drop_steps(tree: Tree, room: int, cuts: dict[str, Cut], output: AgentOutput) -> None:
    """Leave out the last steps of a trace that is too long even in short."""
    steps = _steps(tree)
    whole = output.dumped()["reasoning"].get("steps", [])
    while len(steps) > _FEWEST_STEPS and (excess := _size(tree) - room) > 0:
        keep = len(steps) - max(1, len(steps) * excess // max(1, _size(tree)))
        keep = max(_FEWEST_STEPS, keep)
        del steps[keep:]
    dropped = whole[len(steps) :]
    if not dropped:
        return
    for of in [one for one in cuts if _step_of(one) >= len(steps)]:
        del cuts[of]
    of = f"reasoning.steps[{len(steps)}:]"
    cuts[of] = Cut(of, _json(dropped), dropped)


def _step_of(of: str) -> int:
    """The position of the step that a value belongs to; -1 if it belongs to none."""
    if not of.startswith("reasoning.steps["):
        return -1
    return int(of.removeprefix("reasoning.steps[").partition("]")[0].partition(":")[0])


def _ordered(cuts: Mapping[str, Cut]) -> tuple[Cut, ...]:
    """The cut values in the order in which they stand in the output."""
    return tuple(sorted(cuts.values(), key=lambda one: (_step_of(one.of), one.of)))


def _json(value: object) -> str:
    return to_json(value).decode("utf-8")


def _size(value: object) -> int:
    return len(_json(value))
