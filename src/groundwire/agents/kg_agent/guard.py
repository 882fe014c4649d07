"""The guard: the answer is the workflow's own text about the user's own prompt, and nothing else.

A run counts only if it was asked the user's prompt, letter by letter, with nothing from the model
but variants and triples that bring in no figure and no IRI. Where they bring in other words than
the prompt's, that is told, and the words are not repeated. What the user has to decide, no model
decides, and no sentence of a model is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from groundwire.agents.kg_agent.answer import NOT_ASKED, WORKFLOW, digits_of, result_of
from groundwire.agents.runtime.contract import Evidence, Guard, ReasoningStep, ToolAnswer, Verdict
from groundwire.language.plain_speech import plain_speech
from groundwire.language.requests import asked_of_each, requests_of
from groundwire.sparql.patterns.words import superlative_of
from groundwire.sparql.workflow.breakdown import ASKING
from groundwire.sparql.workflow.questions import is_reworded, other_words

_OWN = frozenset(("prompt", "variants", "triples", "enforce"))
_IRI = re.compile(r"(?:https?://|urn:)[^\s<>\"')\]}]+")
_COUNTS_THEM = re.compile("(?:一?共|总共|合计)?(?:有|是)?(?:几|多少)个?(?:国家)?")
_FIGURE = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")
_ENDED = ("answered", "entity_found", "aborted", "needs_decision")


def build_guard() -> Guard:
    """The guard of this agent."""
    return KgGuard()


class KgGuard:
    """Hands on what the workflow says; what a model wrote is dropped."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
        runs = list(_own_runs(evidence))
        ended = [one for status in _ENDED for one in runs if one.data.get("status") == status]
        if ended:
            question = evidence.question
            reworded = any(_is_reworded(one, question) for one in runs)
            other = [word for one in runs for word in _other_words(one, question)]
            result = result_of(
                ended[0].data, question, reworded=reworded, other=tuple(dict.fromkeys(other))
            )
            return Verdict(result, leaves=_left_requests(question))
        told = f"Call {WORKFLOW} with prompt exactly as the user wrote it, and with no decision."
        if runs:
            told = f"The workflow is running: call {WORKFLOW} with run_id alone."
        failed = [
            one.text.strip()
            for one in evidence.answers
            if one.is_error and one.tool == WORKFLOW and _is_own(one, evidence.question)
        ]
        refused: dict[str, JsonValue] = {
            "answer": f"{NOT_ASKED} {failed[-1]}" if failed else NOT_ASKED,
            "status": "not_run",
            "confidence": "low",
        }
        return Verdict(refused, ask_again=told)


def _left_requests(question: str) -> tuple[str, ...]:
    """Return the requests that a ranking leaves out, as "who borders Laos" of "and the largest".

    Of those that are ranked the answer names the first only. A number leaves out who is counted.
    """
    if each := asked_of_each(question, always=True):
        # A question for the things that both have is another one.
        return each
    *first, last = requests_of(question)
    if _COUNTS_THEM.fullmatch(last.strip(" ?？。")):
        return tuple(first)
    return tuple(one for one in first if superlative_of(last) and not superlative_of(one))


def _own_runs(evidence: Evidence) -> Iterator[ToolAnswer]:
    """Answers of the workflow about the user's own prompt, in order."""
    known: set[str] = set()
    for one in evidence.of(WORKFLOW):
        run_id = one.arguments.get("run_id")
        goes_on = run_id in known and set(one.arguments) == {"run_id"}
        if goes_on or _is_own(one, evidence.question):
            known.add(str(one.data.get("run_id")))
            yield one


def _is_own(one: ToolAnswer, question: str) -> bool:
    """Whether a run was asked the user's prompt, and no figure or IRI was brought into it."""
    if set(one.arguments) - _OWN or one.arguments.get("prompt") != question:
        return False
    iris, figures = _iris(question), _figures(question)
    digits = digits_of(question)
    plain = [(text, _IRI.sub(" ", text)) for text in _brought(one)]
    return all(
        _iris(text) <= iris and (_figures(bare) <= figures or digits_of(bare) == digits)
        for text, bare in plain
    )


def _iris(text: str) -> set[str]:
    return {found.rstrip(".,;:") for found in _IRI.findall(text)}


def _figures(text: str) -> set[str]:
    return {re.sub(r"[^\d.]", "", found).lstrip("0") for found in _FIGURE.findall(text)}


def _is_reworded(one: ToolAnswer, question: str) -> bool:
    """Whether a model brought words into a run that are not the user's."""
    return any(is_reworded(text, question) for text in _brought(one) if text not in ASKING)


def _other_words(one: ToolAnswer, question: str) -> Iterator[str]:
    """Words of wordings that are about something else than the question.

    A wording that has all words of the question may say more, as in "SPARQL query language".
    """
    # Words of a wording stand apart at an apostrophe: "Isn t".
    apart = re.sub("['’]", " ", question)
    known = f"{question} {plain_speech(question)} {apart}"
    for text in _texts(one.arguments.get("variants")):
        if is_reworded(question, text):
            yield from other_words(text, known)
    triples = one.arguments.get("triples")
    for triple in triples if isinstance(triples, list) else ():
        if isinstance(triple, dict):
            for part in ("subject", "object"):
                yield from other_words(str(triple.get(part) or ""), known)


def _brought(one: ToolAnswer) -> Iterator[str]:
    yield from _texts(one.arguments.get("variants"))
    yield from _texts(one.arguments.get("triples"))


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
