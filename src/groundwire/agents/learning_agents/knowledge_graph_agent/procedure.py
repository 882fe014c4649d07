"""Links of concepts: told where the graph holds them, else read from sentences and proposed.

A question about links ("what do I need before navigation?") is answered from the graph. Where the
graph holds none of its names, and where links are to be made, they are read from sentences that say
them and checked as one change. The learner's own graph changes only where the task says `commit`;
the shared one only by a proposal that a second person reviews.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import (
    Answers,
    Arguments,
    Call,
    Procedure,
    Result,
    Row,
    picked,
    result,
    rows,
    sentences,
    text,
)
from groundwire.agents.learning_agents.sentences import Link, cued_relations, links
from groundwire.agents.learning_agents.task import Task, linked_names
from groundwire.agents.runtime.contract import ToolAnswer
from groundwire.safe_text import safe_name

SEARCH, CONCEPTS, CHANGE = "search_sources", "query_concepts", "submit_graph_changes"
_PASSAGES = 20
_MOST_LINKS = 5
_WHY = "Said by the quoted sentences."
_NOT_SO = 'Changes are sent as the task says: {}, rationale "{}".'
_UNQUOTED = (
    "Every operation needs a quote that holds its names and says the link: send quotes "
    "[{passage_id, text, operations}] from passages of search_sources."
)
_MOST_ASKED = 3
_AROUND = ("prerequisites", "dependents", "siblings", "others")


def plan(task: Task, answers: Answers) -> Sequence[Call]:
    """Look up the names that are asked about; else search, and have links that are said checked."""
    asked: list[Call] = [(CONCEPTS, {"concept": name}) for name in _asked(task)]
    if asked and (len(_looked_up(answers)) < len(asked) or _held(answers)):
        return asked
    return [*asked, *_drafted(task, answers)]


def _drafted(task: Task, answers: Answers) -> list[Call]:
    sent: dict[str, JsonValue] = {"query": task.topic or task.question, "limit": _PASSAGES}
    if source := task.text("source"):
        sent["source"] = source
    calls: list[Call] = [(SEARCH, sent)]
    found = _links(answers)
    names = dict.fromkeys(name for one in found for name in (one.source, one.target))
    calls += [(CONCEPTS, {"concept": name, "depth": 1}) for name in names]
    if found and len(_ends(answers)) == len(names):
        calls.append((CHANGE, _change(task, answers, found)))
    return calls


def tell(task: Task, answers: Answers) -> Result:
    """Tell the links that the graph holds; else those of sentences, and what became of them."""
    if held := _held(answers):
        return _told_from_graph(task, held, answers)
    changes = answers.of(CHANGE)
    lines = [task.say("unknown_concept", name=safe_name(name, 80)) for name in _asked(task)]
    lines += sentences(task, answers, CHANGE)
    told: list[JsonValue] = []
    for change in changes:
        quotes = rows(change.arguments, "quotes")
        for one in rows(change.arguments, "operations"):
            if text(one, "op") != "add_edge" or change.data.get("status") == "rejected":
                continue
            edge = picked(one, "source", "relation", "target")
            told.append(edge)
            lines.append("- " + " ".join(str(part) for part in edge.values()))
        lines += [f"  “{text(one, 'text')}”" for one in quotes]
    if not changes:
        found = answers.data(SEARCH)
        lines.append(
            task.say("no_link") if rows(found, "passages") else task.worded(text(found, "answer"))
        )
    elif _dry(task):
        lines.append(task.say("not_changed"))
    last: Mapping[str, JsonValue] = changes[-1].data if changes else {}
    return result(
        task,
        lines,
        answers,
        links=told,
        **picked(last, "status", "scope", "change_id", "dry_run", "stages"),
    )


def _told_from_graph(
    task: Task, held: Sequence[Mapping[str, JsonValue]], answers: Answers
) -> Result:
    """Tell what the graph holds of some concepts: what comes before each, and what joins them."""
    lines = sentences(task, answers, CONCEPTS)
    names = [_name(one) for one in held]
    layers: list[JsonValue] = []
    for one in held:
        first = sorted(rows(one, "prerequisites"), key=lambda row: -_layer(row))
        if first:
            order = [text(row, "name") for row in first]
            lines.append(task.say("before", name=_name(one), order=task.say("then").join(order)))
            layers.append({"of": _name(one), "order": [*order]})
        unmet = [text(row, "name") for row in rows(one, "unmet")]
        if unmet:
            lines.append(task.say("unmet", names=task.say("comma").join(unmet)))
        for key in ("dependents", "others"):
            said = [f"{text(row, 'says')}." for row in rows(one, key) if text(row, "says")]
            lines += [task.worded(says) for says in said]
    for one, other in combinations(held, 2):
        around = [row for key in _AROUND for row in rows(one, key)]
        if all(text(row, "name") != _name(other) for row in around):
            shared = sorted(_before(one) & _before(other))
            lines.append(task.say("apart", one=_name(one), other=_name(other)))
            names = task.say("comma").join(shared)
            lines += [task.say("both", names=names)] if shared else []
    return result(task, lines, answers, concepts=names, prerequisites=layers)


def _name(found: Mapping[str, JsonValue]) -> str:
    concept = found.get("concept")
    return text(concept, "name") if isinstance(concept, dict) else ""


def _before(found: Mapping[str, JsonValue]) -> set[str]:
    return {text(row, "name") for row in rows(found, "prerequisites")}


def _layer(row: Mapping[str, JsonValue]) -> int:
    layer = row.get("layer")
    return layer if isinstance(layer, int) else 0


def _asked(task: Task) -> tuple[str, ...]:
    """The names whose links are asked for, rather than to be made."""
    if task.flag("commit") or task.text("scope") or task.variables.get("topic"):
        return ()
    return linked_names(task.question)[:_MOST_ASKED]


def _looked_up(answers: Answers) -> list[ToolAnswer]:
    return [one for one in answers.all if one.tool == CONCEPTS and "depth" not in one.arguments]


def _held(answers: Answers) -> list[Mapping[str, JsonValue]]:
    return [one.data for one in _looked_up(answers) if one.data.get("status") == "found"]


def _ends(answers: Answers) -> list[ToolAnswer]:
    """The answers about the two ends of links that sentences say."""
    return [one for one in answers.of(CONCEPTS) if "depth" in one.arguments]


def _dry(task: Task) -> bool:
    """Whether the change is only checked; a proposal for the shared graph is the real one."""
    return not (task.flag("commit") or _scope(task) == "shared")


def _scope(task: Task) -> str:
    return "shared" if task.text("scope") == "shared" else "mine"


def _links(answers: Answers) -> list[Link]:
    return list(links(rows(answers.data(SEARCH), "passages")))[:_MOST_LINKS]


def _change(task: Task, answers: Answers, found: Sequence[Link]) -> dict[str, JsonValue]:
    """Return the change that adds the links, with the nodes that are not there."""
    missing = [
        text(one.arguments, "concept")
        for one in _ends(answers)
        if one.data.get("status") != "found"
    ]
    operations: list[JsonValue] = []
    quotes: list[JsonValue] = []
    for one in found:
        numbers: list[JsonValue] = []
        for name in (one.source, one.target):
            if name in missing:
                missing.remove(name)
                operations.append({"op": "add_node", "name": name})
                numbers.append(len(operations))
        operations.append(
            {
                "op": "add_edge",
                "source": one.source,
                "relation": one.relation,
                "target": one.target,
            }
        )
        numbers.append(len(operations))
        quotes.append({"passage_id": one.passage_id, "text": one.sentence, "operations": numbers})
    return {
        "operations": operations,
        "rationale": _WHY,
        "quotes": quotes,
        "scope": _scope(task),
        "dry_run": _dry(task),
    }


def _permit(task: Task, sent: Arguments) -> str | None:
    """Let a model's own links through that quotes hold word for word, sent as the task says."""
    dry, scope = sent.get("dry_run") is True, sent.get("scope") or "mine"
    told = (dry, scope, sent.get("rationale"))
    if told != (_dry(task), _scope(task), _WHY) or sent.get("undo"):
        return _NOT_SO.format(f"scope {_scope(task)}, dry_run {str(_dry(task)).lower()}", _WHY)
    quoted: dict[int, str] = {}
    for one in rows(sent, "quotes"):
        numbers = one.get("operations")
        for number in numbers if isinstance(numbers, list) else []:
            if isinstance(number, int):
                quoted[number] = text(one, "text").casefold()
    operations = rows(sent, "operations")
    held = all(_is_quoted(one, quoted.get(at, "")) for at, one in enumerate(operations, 1))
    return None if operations and held else _UNQUOTED


def _is_quoted(operation: Row, quote: str) -> bool:
    """Whether a quote holds the names of a node or link that is added, and the cue of a link."""
    names = [text(operation, key) for key in ("name", "source", "target") if operation.get(key)]
    relation = text(operation, "relation")
    return (
        set(operation) <= {"op", "name", "source", "relation", "target"}
        and text(operation, "op") in ("add_node", "add_edge")
        and bool(names)
        and all(name and name.casefold() in quote for name in names)
        and (not relation or relation in cued_relations(quote))
    )


PROCEDURE = Procedure(plan, tell, drafts={CHANGE: _permit})
