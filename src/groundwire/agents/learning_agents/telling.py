"""Reading what tools of learning answered, and putting their sentences together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import Answers, Result
from groundwire.agents.learning_agents.task import Task

Row = dict[str, JsonValue]
UNRECOGNIZED = "unrecognized_param"


def rows(data: Mapping[str, JsonValue], name: str) -> list[Row]:
    """The objects of a list in an answer; none where it has no such list."""
    value = data.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text(row: Mapping[str, JsonValue], name: str) -> str:
    """A text of an object with single blanks, or ""."""
    value = row.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


def picked(row: Mapping[str, JsonValue], *names: str) -> Row:
    """Some fields of an object, those that it has."""
    return {name: row[name] for name in names if row.get(name) is not None}


def sentences(task: Task, answers: Answers, *tools: str) -> list[str]:
    """The quotable sentences of some tools in the language of the task, each once."""
    said = [text(one.data, "answer") for tool in tools for one in answers.of(tool)]
    return [task.worded(one) for one in dict.fromkeys(said) if one]


def about_all(task: Task) -> list[str]:
    """The sentence that an answer is about all cards; nothing where the task names some."""
    return [] if task.deck or task.topic else [task.say("about_all")]


def joined(lines: Iterable[str]) -> str:
    """Lines as one text, each once."""
    return "\n".join(dict.fromkeys(line for line in lines if line))


def result(task: Task, lines: Sequence[str], answers: Answers, **fields: object) -> Result:
    """A result with its answer; what tools refused or did not recognize is told beside it.

    Args:
        task: what was asked.
        lines: of the answer.
        answers: what the tools answered.
        fields: the rest, as JSON; what is empty is left out.
    """
    refused = [task.worded(one) for one in answers.refused()]
    unread = [
        picked(one.data, "param", "raw", "candidates")
        for one in answers.all
        if one.data.get("status") == UNRECOGNIZED
    ]
    made: Result = {"answer": joined([*lines, *refused]) or task.say("nothing_held")}
    told = cast("Result", fields)
    made |= {name: value for name, value in told.items() if value not in (None, [], {}, "")}
    if refused:
        made |= {"refused": list(refused), "confidence": "low"}
    if unread:
        made |= {"unrecognized": list(unread), "confidence": "low"}
    return made
