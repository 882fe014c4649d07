"""The agent's rules and its guard: the workflow is run, and its own text is the answer.

A run counts only if it was asked the user's prompt, letter by letter, with nothing from the model
but variants and triples that bring in no figure and no IRI. Where they bring in other words than
the prompt's, that is told, and the words are not repeated. What the user has to decide, no model
decides, and no sentence of a model is shown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import cast

from pydantic import JsonValue

from groundwire.agents.runtime.contract import Evidence, Guard, ReasoningStep, ToolAnswer, Verdict
from groundwire.agents.runtime.model import (
    Message,
    Model,
    ModelResponse,
    RulesModel,
    TextPart,
    ToolResultPart,
    ToolSpec,
    calling,
    saying,
)
from groundwire.language.asking import asked_in
from groundwire.language.plain_speech import plain_speech
from groundwire.language.requests import asked_of_each, requests_of
from groundwire.safe_text import safe_name
from groundwire.sparql.patterns.phrasing import graphs_text
from groundwire.sparql.patterns.words import superlative_of
from groundwire.sparql.workflow.model import EXIT_MESSAGE, QUESTION
from groundwire.sparql.workflow.questions import (
    ASKING,
    break_down,
    is_called,
    is_reworded,
    other_words,
    variants_of,
)
from groundwire.vocabulary.fold import CJK_RUN

WORKFLOW = "run_kg_workflow"
_TEXTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (files(__package__ or "") / "sentences.toml").read_text("utf-8")
)
NOT_ASKED = _TEXTS["en"]["not_asked"]
WITHOUT_GRAPH = _TEXTS["en"]["without_graph"]
_MOST_OTHER = 6
_NEXT_STEPS = ("synthesize", "continue", "variants")
_MANDATE = ("mandatory", "continue", "synthesize")
# What the report in English names as held, each with its IRI.
_HELD = re.compile(r"It names what is held there: (?P<names>[^\n]+)")
_NAMED = re.compile(r"(?<![^;()])([^;()]+?) \(https?://[^)]*\)")
_LINK = ("iri", "label", "describe_url", "endpoint")
_DONE = "The workflow has ended."
_MOST_VARIANTS = 3
_LONGEST = 400
_OWN = frozenset(("prompt", "variants", "triples", "enforce"))
_IRI = re.compile(r"(?:https?://|urn:)[^\s<>\"')\]}]+")
_COUNTS_THEM = re.compile("(?:一?共|总共|合计)?(?:有|是)?(?:几|多少)个?(?:国家)?")
_FIGURE = re.compile(r"\d+(?:[.,' \u00a0\u202f]\d+)*")
_ENDED = ("answered", "entity_found", "aborted", "needs_decision")


def result_of(
    data: Mapping[str, JsonValue],
    prompt: str,
    *,
    reworded: bool = False,
    other: Sequence[str] = (),
) -> dict[str, JsonValue]:
    """The agent's result of a workflow that has ended.

    Args:
        data: the answer of `run_kg_workflow`.
        prompt: what the workflow was asked, for a conversation that goes on.
        reworded: a model had it look for other wordings than the prompt. They are a model's
            sentences, so none is repeated.
        other: words of these that are about something else, which is told.
    """
    status = str(data.get("status"))
    rows = cast("list[Mapping[str, JsonValue]]", data.get("rows") or ())
    result: dict[str, JsonValue] = {
        "answer": str(data.get("markdown") or data.get("answer") or ""),
        "answer_format": "markdown",
        "status": status,
        "sources": [{name: row[name] for name in _LINK if name in row} for row in rows],
        "audits": data.get("audits") or [],
    }
    if isinstance(run_id := data.get("run_id"), str):
        result["kg_run_id"] = run_id
        result["kg_prompt"] = prompt
    chinese = bool(CJK_RUN.search(prompt))
    if status == "aborted":
        # Seed 003, "Enforcement Violation Box": this message, and nothing else.
        result["answer"] = EXIT_MESSAGE
    elif is_synthesis(data):
        result |= {"answer": WITHOUT_GRAPH, "kg_backed": False, "confidence": "low"}
    elif status == "answered" and isinstance(data.get("confidence"), str):
        result["confidence"] = data["confidence"]
    elif status == "answered":
        if any(row.get("steps_are_whole") is False for row in rows):
            result["confidence"] = "medium"
    elif status == "entity_found":
        # Entities that may be meant are no answer; that one is called so is known.
        named = any(is_called(str(row.get("label")), prompt) for row in rows)
        result["confidence"] = "medium" if named else "low"
    elif status == "needs_decision":
        _add_question(result, data, prompt, reworded=reworded)
    if other and status != "aborted":
        shown = ", ".join(f"“{safe_name(one)}”" for one in other[:_MOST_OTHER])
        told = _TEXTS["zh" if chinese else "en"]["other_words"].format(shown)
        result["answer"] = f"{result['answer']}\n\n{told}"
        result["confidence"] = "low"
    return result


def _add_question(
    result: dict[str, JsonValue], data: Mapping[str, JsonValue], prompt: str, *, reworded: bool
) -> None:
    """Add what the user is asked: the graph's own question, or what is to be done next."""
    if asked := _asked_back(data):
        result["question"] = asked
        result["asks_in_other_words"] = True
        return
    options = options_of(data)
    language = asked_in(prompt)
    said = _TEXTS[language]
    if "not_answered" in said:
        # The report is in English; the trace and the audits have it.
        told = said["not_answered"].format(safe_name(prompt))
        if held := _HELD.search(str(data.get("answer") or "")):
            names = dict.fromkeys(safe_name(one) for one in _NAMED.findall(held["names"]))
            told += said["are_held"].format(said["joint"].join(names))
        covered = cast("Mapping[str, JsonValue]", data.get("coverage") or {})
        looked, left = (
            cast("list[str]", covered.get(one) or []) for one in ("looked_at", "not_looked_at")
        )
        graphs = graphs_text(prompt, looked, left)
        beside = (str(covered.get("not_understood") or ""), graphs)
        told = " ".join((told, *(part for part in beside if part)))
        result["answer"] = told
        reworded = False
    listed = "\n".join(f"- {said[one]}" for one in options)
    if reworded:
        result["answer"] = _first_of(str(result["answer"]))
    result["question"] = str(data.get("question") or QUESTION)
    result["options"] = list(options)
    if reworded:
        result["answer"] = f"{result['answer']}\n\n{result['question']}"
    result["answer"] = f"{result['answer']}\n\n{said['lead']}\n{listed}"


def _asked_back(data: Mapping[str, JsonValue]) -> str:
    """Return the one question that the graph's own names answer, or ""."""
    said = str(data.get("answer") or "").replace(QUESTION, "").strip()
    is_question = said.endswith(("?", "？"))
    return said if is_question and options_of(data) == _NEXT_STEPS else ""


def _first_of(report: str) -> str:
    """Return a final report's sentences on the prompt, without the list of what was looked for."""
    for heading in ("\nLooked for:", "\nExecuted queries:"):
        report = report.partition(heading)[0]
    return report.strip()


def read_as(question: str, whole: str) -> str:
    """Return the line that says as which whole question another one was read."""
    return _TEXTS[asked_in(question)]["read_as"].format(safe_name(whole))


def options_of(data: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Return the options that the user can decide among after `needs_decision`."""
    return _NEXT_STEPS if data.get("question") == QUESTION else _MANDATE


def is_synthesis(data: Mapping[str, JsonValue]) -> bool:
    """Whether the workflow ended because the user chose an answer without the graph."""
    return data.get("status") == "answered" and not data.get("rows")


def digits_of(text: str) -> str:
    """Return the digits of a text; two figures side by side look like one of grouped thousands."""
    return "".join(re.findall(r"\d", text))


def build_rules() -> Model:
    """The rules of this agent."""
    return RulesModel(respond)


def respond(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Run the workflow, wait for it, and end."""
    last = messages[-1].parts[-1] if messages else None
    if isinstance(last, ToolResultPart):
        data = last.data or {}
        if data.get("status") == "running" and isinstance(run_id := data.get("run_id"), str):
            return calling((WORKFLOW, {"run_id": run_id}), thought="The workflow is running.")
        return saying(_DONE)
    asked: Mapping[str, JsonValue] = (last.data or {}) if isinstance(last, TextPart) else {}
    if "ready" not in asked or not tools:
        return saying(_DONE)
    return calling(
        (WORKFLOW, _arguments(str(asked["question"]))), thought="The graph is asked first."
    )


def _arguments(prompt: str) -> dict[str, JsonValue]:
    """The prompt as it is, other ways to say it, and what it asks."""
    arguments: dict[str, JsonValue] = {"prompt": prompt}

    def keeps(*parts: str) -> bool:
        """Whether the figures of a wording are the prompt's: words are taken apart at a comma."""
        digits = "".join(map(digits_of, parts))
        return digits in ("", digits_of(prompt)) and all(len(one) <= _LONGEST for one in parts)

    variants = list(filter(keeps, variants_of(prompt)))[:_MOST_VARIANTS]
    if variants:
        arguments["variants"] = cast("list[JsonValue]", variants)
    triples = [one for one in break_down(prompt) if keeps(*one)]
    if triples:
        arguments["triples"] = [one._asdict() for one in triples]
    return arguments


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
