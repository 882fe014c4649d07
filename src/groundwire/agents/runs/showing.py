"""A run as it stands, within the size of one result.

An output within the characters of one result: the whole trace in short, and the rest in pages. The
first page has every step; its longest values are shortened, what tools answered before what was
thought, and the result last of all. The pages after it have those values, whole, as text. Both
follow from the output alone, so that a page needs nothing but its offset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import to_json

from groundwire.agents.runs.records import RunView
from groundwire.agents.runs.results import AgentResult, RunProgress, TracePiece
from groundwire.agents.runtime.contract import AgentOutput
from groundwire.agents.runtime.outcome import QUALITY_REACHED
from groundwire.serving.fitting import RESERVED_CHARACTERS, RESULT_CHARACTERS, compact

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


# What stands beside the output: agent, status, and the note on what is in short.
_BESIDE = 1_000
_LONGEST_ANSWER = 2_000
_NAMED_CUTS = 3
_BELOW_QUALITY = "(This does not reach the required quality; reasoning.assumptions_made says why.)"


def answered(view: RunView) -> AgentResult:
    """The answer of a run with what proves it, or how far it is; its trace is asked for by itself.

    Args:
        view: the run.
    """
    if view.output is None:
        return _under_way(view)
    answer = _sentence(view.output)
    tree, left_out = brief(view.output, _room(answer))
    note = f"{_named(left_out)}: get_agent_result with run_id {view.asked.run_id} has it whole"
    return AgentResult(
        answer=answer,
        agent=view.asked.agent,
        status=view.status,
        left_out=note if left_out else None,
        **tree,
    )


def shown(view: RunView, offset: int = 0) -> AgentResult:
    """A run as it stands, with its whole trace.

    Args:
        view: the run.
        offset: 0 for all of it, long values in short; n + 1 for these values, whole, from their
            character n.
    """
    if view.output is None:
        return _under_way(view)
    answer = _sentence(view.output)
    tree, cuts = first_page(view.output, _room(answer))
    if offset:
        return _rest(view, cuts, offset - 1)
    return AgentResult(
        answer=answer,
        agent=view.asked.agent,
        status=view.status,
        left_out=_note(view, cuts) if cuts else None,
        next_offset=1 if cuts else None,
        **tree,
    )


def said_of(view: RunView) -> str:
    """Say in a few words what a run that goes on does."""
    steps = len(view.steps)
    return f"{view.asked.agent} {view.doing} ({steps} step{'' if steps == 1 else 's'} so far)"


def _under_way(view: RunView) -> AgentResult:
    used = [step.action.tool for step in view.steps if step.action is not None]
    return AgentResult(
        answer=f"No answer yet: {said_of(view)}. Call get_agent_result with run_id "
        f"{view.asked.run_id} for the answer, or cancel_agent_run.",
        run_id=view.asked.run_id,
        agent=view.asked.agent,
        status="running",
        progress=RunProgress(
            doing=view.doing,
            steps=len(view.steps),
            tools_used=list(dict.fromkeys(used)),
            seconds=round(view.seconds, 1),
        ),
    )


def _rest(view: RunView, cuts: tuple[Cut, ...], offset: int) -> AgentResult:
    """A page of the values that the first page has in short."""
    total = sum(len(cut.text) for cut in cuts)
    room = RESULT_CHARACTERS - RESERVED_CHARACTERS - _BESIDE
    pieces, following = page_after(cuts, offset, room)
    end = total if following is None else following
    return AgentResult(
        answer=f"Characters {min(offset, total):,} to {end:,} of {total:,} that the first page of "
        f"{view.asked.run_id} has in short.",
        run_id=view.asked.run_id,
        agent=view.asked.agent,
        status=view.status,
        more=[
            TracePiece(of=one.of, text=one.text, begin=one.begin, total=one.total) for one in pieces
        ],
        next_offset=None if following is None else following + 1,
    )


def _sentence(output: AgentOutput) -> str:
    said = (output.result or {}).get("answer")
    text = said if isinstance(said, str) else ""
    if output.error is not None:
        text = f"No answer: {output.error.message} {text}".strip()
    if len(text) > _LONGEST_ANSWER:
        text = f"{text[:_LONGEST_ANSWER]}… (result.answer has the rest)"
    if (output.result or {}).get(QUALITY_REACHED) is False:
        text = f"{text} {_BELOW_QUALITY}"
    return text or "The agent is done and says nothing."


def _room(answer: str) -> int:
    """Return the characters that an output has left beside its answer."""
    return RESULT_CHARACTERS - RESERVED_CHARACTERS - _BESIDE - len(compact({"": answer}))


def _named(left_out: Sequence[str]) -> str:
    more = len(left_out) - _NAMED_CUTS
    return ", ".join(left_out[:_NAMED_CUTS]) + (f" and {more} more" if more > 0 else "")


def _note(view: RunView, cuts: tuple[Cut, ...]) -> str:
    """Say what a result holds in short, and how to get it whole."""
    return (
        f"{_named([cut.of for cut in cuts])} are in short: get_agent_result with run_id "
        f"{view.asked.run_id}, then with its next_cursor, has them whole; get_evidence has what "
        "the tools recorded"
    )


def first_page(output: AgentOutput, room: int) -> tuple[Tree, tuple[Cut, ...]]:
    """Return the output as JSON in about `room` characters, and what of it is in short.

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
