"""The workflow's end as the agent's answer: its own Markdown, its question, or its refusal."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import cast

from pydantic import JsonValue

from groundwire.language.asking import asked_in
from groundwire.safe_text import safe_name
from groundwire.sparql.patterns.phrasing import graphs_text
from groundwire.sparql.workflow.model import EXIT_MESSAGE, QUESTION
from groundwire.sparql.workflow.questions import is_called
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
