"""What the workflow came to, as the agent's answer: its own Markdown, its question, or its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from groundwire.sparql.workflow.model import EXIT_MESSAGE, QUESTION
from groundwire.vocabulary.fold import CJK_RUN

WORKFLOW = "run_kg_workflow"
NOT_ASKED = "The graph was not asked, so there is no answer from it."
_NEXT_STEPS = ("synthesize", "continue", "variants")
_MANDATE = ("mandatory", "continue", "synthesize")
_SAID = {
    "synthesize": "“synthesize” for an answer without KG backing",
    "continue": "“continue” to go on probing",
    "variants": "“variants: …; …” to probe in other words",
    "mandatory": "“mandatory” to make the workflow mandatory for this prompt",
}
_SAID_IN_CHINESE = {
    "synthesize": "“直接回答”: 不依据图谱作答",
    "continue": "“继续”: 继续探查",
    "variants": "“变体: …; …”: 换种说法探查",
    "mandatory": "“强制”: 对此问题强制执行图谱流程",
}
_LINK = ("iri", "label", "describe_url", "endpoint")


def result_of(data: Mapping[str, JsonValue], prompt: str) -> dict[str, JsonValue]:
    """The agent's result of a workflow that has ended.

    Args:
        data: the answer of `run_kg_workflow`.
        prompt: what the workflow was asked, for a conversation that goes on.
    """
    status = str(data.get("status"))
    result: dict[str, JsonValue] = {
        "answer": str(data.get("markdown") or data.get("answer") or ""),
        "answer_format": "markdown",
        "status": status,
        "sources": [
            {name: row[name] for name in _LINK if name in row}
            for row in cast("list[Mapping[str, JsonValue]]", data.get("rows") or ())
        ],
        "audits": data.get("audits") or [],
    }
    if isinstance(run_id := data.get("run_id"), str):
        result["kg_run_id"] = run_id
        result["kg_prompt"] = prompt
    if status == "aborted":
        # Seed 003, "Enforcement Violation Box": this message, and nothing else.
        result["answer"] = EXIT_MESSAGE
    elif status == "needs_decision":
        options = options_of(data)
        chinese = bool(CJK_RUN.search(prompt))
        told = [(_SAID_IN_CHINESE if chinese else _SAID)[one] for one in options]
        listed = "\n".join(f"- {one}" for one in told)
        lead = "请回复:" if chinese else "Answer with:"
        result["answer"] = f"{result['answer']}\n\n{lead}\n{listed}"
        result["question"] = str(data.get("question") or QUESTION)
        result["options"] = list(options)
    return result


def options_of(data: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """What the user can decide after `needs_decision`."""
    return _NEXT_STEPS if data.get("question") == QUESTION else _MANDATE


def is_synthesis(data: Mapping[str, JsonValue]) -> bool:
    """Whether the workflow ended because the user chose an answer without the graph."""
    return data.get("status") == "answered" and not data.get("rows")
