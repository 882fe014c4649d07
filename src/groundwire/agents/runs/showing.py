"""A run as it stands, within the size of one result."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.agents.runs.pages import Cut, brief, first_page, page_after
from groundwire.agents.runs.records import RunView
from groundwire.agents.runs.results import AgentResult, RunProgress, TracePiece
from groundwire.agents.runtime.outcome import QUALITY_REACHED
from groundwire.agents.runtime.output import AgentOutput
from groundwire.serving.budget import RESERVED_CHARACTERS, RESULT_CHARACTERS, compact

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
    """Return the characters that an output has beside its answer."""
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
