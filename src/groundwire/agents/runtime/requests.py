"""Several requests of one question, answered one by one: each answer, or why there is none.

Each request is answered as a question that goes on from those before it, so that what it leaves out
is known: "What is the capital of Peru, and how many people live there?"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import NamedTuple, cast

from pydantic import JsonValue

from groundwire.agents.runtime.contract import AgentInput, Turn, Verdict
from groundwire.agents.runtime.run import Run
from groundwire.language.asking import Asked, asked_in
from groundwire.language.requests import is_aside, speaks_of_before
from groundwire.language.sentences import catalogue
from groundwire.safe_text import safe_name

ASIDE = "aside"
"""In the result of a turn: whether what is asked now shares no condition with it."""

# A list, and the line that leads it.
_LIST = re.compile(r"^[ \t]*(?:-|\d+\.) |:$", re.MULTILINE)
# The joined answer has these fields of the answer to every request.
_OF_ALL = ("assets", "passages", "sources", "values", "rows")


class Part(NamedTuple):
    """A request of a question, the run that it was given, and its verdict."""

    request: str
    run: Run
    verdict: Verdict


def left_open(verdict: Verdict, requests: Sequence[str]) -> Sequence[str]:
    """Return the requests of a question that a verdict on all of it does not answer."""
    return verdict.leaves if verdict.is_answered else requests


def part_of(run: Run, asked: AgentInput, request: str, before: Sequence[Part]) -> Run:
    """Return a run of one request, which goes on from those before it or stands beside them."""
    said = [
        Turn(
            question=one.request,
            result={**(one.verdict.result or {}), ASIDE: is_aside(request, one.request)},
        )
        for one in before
    ]
    context = run.context.model_copy(update={"turns": (*run.context.turns, *said)})
    return Run(asked.model_copy(update={"question": request}), context, run.with_)


_NAMED = "entity_found"


def in_turn(verdict: Verdict, request: str, before: Sequence[Part], question: str) -> Verdict:
    """Return the verdict on a request, or that it is about an earlier one without an answer.

    "How many chairs were sold, and what was its margin?" asks for no other margin.
    """
    last = before[-1].verdict if before else verdict
    is_known = last.is_answered or (last.result or {}).get("status") == _NAMED
    if is_known or not before or not speaks_of_before(request):
        return verdict
    told = catalogue().say("after_unanswered", asked_in(question))
    return replace(verdict, result={"answer": told, "status": "not_run", "confidence": "low"})


def joined(run: Run, verdict: Verdict, parts: Sequence[Part], requests: Sequence[str]) -> Verdict:
    """Return the answers of all requests as one; what was not answered is told with its reason.

    The run takes over what the runs of the requests did.

    Args:
        run: the run of the question.
        verdict: what it answered to the question at once; it counts for what it does not leave.
        parts: the requests that were answered one by one.
        requests: all requests.
    """
    at_once = list(run.judged), list(run.notes)
    for one in parts:
        start = len(run.steps)
        run.steps += [
            step.model_copy(update={"step": start + at}) for at, step in enumerate(one.run.steps, 1)
        ]
        run.iterations = max(run.iterations, one.run.iterations)
    answered = [one.verdict for one in parts if one.verdict.is_answered]
    language = asked_in(run.asked.question)
    is_kept = verdict.is_answered and len(parts) < len(requests)
    if not answered:
        return _with_note(verdict, requests, language) if verdict.is_answered else verdict
    run.judged = [judged for one in parts for judged in one.run.judged]
    run.notes = [note for one in parts for note in one.run.notes]
    told = [
        _answer(one.verdict)
        if one.verdict.is_answered
        else catalogue().say(
            "not_answered_of", language, text=safe_name(one.request), why=_reason(one.verdict)
        )
        for one in parts
    ]
    for at, (one, following) in enumerate(pairwise(parts)):
        if _assets(one) and _assets(one) == _assets(following):
            # The same assets are listed once, with all that is told of them.
            lines = told[at].splitlines()
            told[at] = "\n".join(line for line in lines if not line.startswith("- "))
    if is_kept:
        run.judged += at_once[0]
        run.notes += at_once[1]
        answered.append(verdict)
        told.append(_answer(verdict))
    run.notes = list(dict.fromkeys(run.notes))
    results = [dict(one.result or {}) for one in answered]
    result = {**results[0], **results[-1], "answer": "\n\n".join(told)}
    for name in _OF_ALL:
        if lists := [held for one in results if isinstance(held := one.get(name), list)]:
            result[name] = [item for held in lists for item in held]
    if unanswered := [one.request for one in parts if not one.verdict.is_answered]:
        result |= {"confidence": "low", "not_answered": cast("JsonValue", unanswered)}
    return replace(answered[-1], result=result, leaves=())


def _assets(part: Part) -> list[JsonValue]:
    """Return the assets that an answered request found, without their values."""
    held = (part.verdict.result or {}).get("assets") if part.verdict.is_answered else None
    found = held if isinstance(held, list) else []
    return [one.get("iri") for one in found if isinstance(one, dict)]


def _answer(verdict: Verdict) -> str:
    return str((verdict.result or {}).get("answer") or "")


def _reason(verdict: Verdict) -> str:
    """Return why a request has no answer: of a report the sentences before its lists."""
    paragraphs = _answer(verdict).strip().split("\n\n")
    told = takewhile(lambda one: not _LIST.search(one), paragraphs)
    return " ".join(" ".join(told).split()) or paragraphs[0]


def _with_note(verdict: Verdict, requests: Sequence[str], language: Asked) -> Verdict:
    """Return the answer to a part of a question, which says that it is a part only."""
    listed = "; ".join(f"“{safe_name(one)}”" for one in requests)
    note = catalogue().say("one_of_several", language, listed=listed)
    result = dict(verdict.result or {})
    result |= {"answer": f"{result.get('answer')}\n{note}", "confidence": "low"}
    return replace(verdict, result=result, leaves=())
