"""Several requests of one question, answered one by one: each answer, or why there is none.

Each request is answered as a question that goes on from those before it, so that what it leaves out
is known: "What is the capital of Peru, and how many people live there?"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from pydantic import JsonValue

from groundwire.agents.runtime.context import AgentInput, Turn
from groundwire.agents.runtime.guards import Verdict
from groundwire.agents.runtime.run import Run
from groundwire.language.asking import Asked, asked_in
from groundwire.language.sentences import catalogue
from groundwire.safe_text import safe_name

_ANSWERED = ("found", "results", "answered")
# A list, and the line that leads it.
_LIST = re.compile(r"^[ \t]*(?:-|\d+\.) |:$", re.MULTILINE)
# What an answer consists of, of which the joined answer has that of every request.
_OF_ALL = ("assets", "passages", "sources", "values", "rows")


class Part(NamedTuple):
    """A request of a question, the run that it was given, and its verdict."""

    request: str
    run: Run
    verdict: Verdict


def is_answered(verdict: Verdict) -> bool:
    """Whether a verdict answers what was asked, leaves no part of it open and asks nothing."""
    result = verdict.result or {}
    status = result.get("status")
    return (
        # That no asset matches is an answer, that no passage does is none.
        (status in _ANSWERED or (status == "empty" and "assets" in result))
        and not result.get("gaps")
        and not result.get("pending")
        and result.get("confidence") != "low"
    )


def is_whole(verdict: Verdict) -> bool:
    """Whether a verdict answers every request of a question."""
    return is_answered(verdict) and not verdict.leaves


def part_of(run: Run, asked: AgentInput, request: str, before: Sequence[Part]) -> Run:
    """Return a run of one request, which goes on from those before it."""
    said = tuple(
        Turn(question=one.request, result=dict(one.verdict.result or {})) for one in before
    )
    context = run.context.model_copy(update={"turns": (*run.context.turns, *said)})
    return Run(asked.model_copy(update={"question": request}), context, run.with_)


def joined(run: Run, verdict: Verdict, parts: Sequence[Part]) -> Verdict:
    """Return the answers of all requests as one; what was not answered is told with its reason.

    The run takes over what the runs of the requests did.

    Args:
        run: the run of the question.
        verdict: what it answered to the question at once.
        parts: its requests.
    """
    for one in parts:
        start = len(run.steps)
        run.steps += [
            step.model_copy(update={"step": start + at}) for at, step in enumerate(one.run.steps, 1)
        ]
        run.iterations = max(run.iterations, one.run.iterations)
        run.account.completion_tokens += one.run.account.completion_tokens
    answered = [one for one in parts if is_answered(one.verdict)]
    language = asked_in(run.asked.question)
    if not answered:
        return _with_note(verdict, parts, language) if is_answered(verdict) else verdict
    run.judged = [judged for one in parts for judged in one.run.judged]
    run.notes = [*dict.fromkeys(note for one in parts for note in one.run.notes)]
    told = [
        _answer(one.verdict)
        if one in answered
        else catalogue().say(
            "not_answered_of", language, text=safe_name(one.request), why=_reason(one.verdict)
        )
        for one in parts
    ]
    results = [dict(one.verdict.result or {}) for one in answered]
    result = {**results[0], **results[-1], "answer": "\n\n".join(told)}
    for name in _OF_ALL:
        if lists := [held for one in results if isinstance(held := one.get(name), list)]:
            result[name] = [item for held in lists for item in held]
    open_requests: list[JsonValue] = [one.request for one in parts if one not in answered]
    if open_requests:
        result |= {"confidence": "low", "not_answered": open_requests}
    return replace(answered[-1].verdict, result=result)


def _answer(verdict: Verdict) -> str:
    return str((verdict.result or {}).get("answer") or "")


def _reason(verdict: Verdict) -> str:
    """Return why a request has no answer: of a report the sentences before its lists."""
    paragraphs = _answer(verdict).strip().split("\n\n")
    told = takewhile(lambda one: not _LIST.search(one), paragraphs)
    return " ".join(" ".join(told).split()) or paragraphs[0]


def _with_note(verdict: Verdict, parts: Sequence[Part], language: Asked) -> Verdict:
    """Return the answer to one of several requests, which says that it is one of them only."""
    listed = "; ".join(f"“{safe_name(one.request)}”" for one in parts)
    note = catalogue().say("one_of_several", language, listed=listed)
    result = dict(verdict.result or {})
    result |= {"answer": f"{result.get('answer')}\n{note}", "confidence": "low"}
    return replace(verdict, result=result)
