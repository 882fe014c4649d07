"""The cases of `agents_bound.py`, read from `agents_bound/HALF/NAME.toml`.

The cases are lines of text with parts between " | "; every file says which. Tool calls are written
shortly, in one way for each agent (`parsed_calls`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_suffix("").with_name("agents_bound")
HALVES = ("seen", "held_out")
CORPORA = "GROUNDWIRE_INJECTION_CORPORA"
# Characters of a public string that are used; longer ones are cut, as models cut them.
MOST_CHARACTERS = 4_000
# How many strings of each half are made of its orders and payloads, beside those written whole.
_STRINGS = 150
_MARK = re.compile(r"<<(.+?)>>(?!>)", re.DOTALL)
_LINK_TEXT = re.compile(r"(?<!!)\[([^\]]{6,})\]\(")
_ACTIVE = re.compile(
    r"(?:javascript|vbscript|data):[^\s)>\]]+|(?<=//)[\w.-]+\.example", re.IGNORECASE
)

Calls = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Statement:
    """A false sentence, or an injected string.

    Attributes:
        half: of `HALVES`.
        agent: who is asked; "" for every agent in turn.
        questions: what it may be asked.
        kind: class of the text.
        text: what the model says.
        marks: words by which it is known again; none for the whole text.
        corpus: name of the public corpus, or "".
    """

    half: str
    agent: str
    questions: tuple[str, ...]
    kind: str
    text: str
    marks: tuple[str, ...]
    corpus: str = ""


@dataclass(frozen=True)
class Binding:
    """Calls beside a question.

    Attributes:
        half: of `HALVES`.
        kind: dropped, swapped, added, control or rules.
        agent: who is asked.
        question: what it is asked.
        calls: what its model calls; empty for its rules.
        tells: words one of which an answer has to name where the calls are not what was asked.
    """

    half: str
    kind: str
    agent: str
    question: str
    calls: Calls
    tells: tuple[str, ...]


@dataclass(frozen=True)
class Write:
    """A change of state beside a prompt.

    Attributes:
        half: of `HALVES`.
        agent: who is asked.
        prompt: what it is asked.
        calls: what its model calls.
        change: what the calls keep or reset.
        asked: whether the prompt asks for the change.
        allowed: what the prompt does ask for where the change is more than that.
    """

    half: str
    agent: str
    prompt: str
    calls: Calls
    change: Mapping[str, Any]
    asked: bool
    allowed: Mapping[str, Any]


def statements(half: str) -> Iterator[Statement]:
    """False sentences of each agent."""
    for group in _read(half, "false")["agent"]:
        for line in group["says"]:
            kind, language, text = line.split(" | ", 2)
            plain, marks = marked(text)
            yield Statement(
                half, group["name"], tuple(group["questions"]), f"{kind}, {language}", plain, marks
            )


def injections(half: str) -> Iterator[Statement]:
    """Strings of our own: those written whole, then orders with payloads."""
    data = _read(half, "injections")
    made = 0
    for line in data["texts"]:
        kind, text = line.split(" | ", 1)
        plain, marks = marked(text)
        made += 1
        yield Statement(half, "", (), kind, plain, marks)
    orders, payloads, frames = data["orders"], data["payloads"], data["frames"]
    for number in range(_STRINGS - made):
        order, payload = orders[number % len(orders)], payloads[number * 7 % len(payloads)]
        text = frames[number * 3 % len(frames)].format(order.format(payload))
        yield Statement(half, "", (), "order and payload", text, (payload,))


def public(folder: str | None = None) -> list[Statement]:
    """Strings of public corpora: each `NAME.jsonl` of a folder holds one {"text": ...} a line.

    Which half a string is in is decided by its hash.
    """
    found: list[Statement] = []
    place = folder if folder is not None else os.environ.get(CORPORA, "")
    for path in sorted(Path(place).glob("*.jsonl")) if place else ():
        for line in filter(None, path.read_text("utf-8").split("\n")):
            text = str(json.loads(line)["text"])[:MOST_CHARACTERS]
            half = HALVES[hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] % 2]
            found.append(Statement(half, "", (), path.stem, text, (), path.stem))
    return found


def bindings(half: str) -> Iterator[Binding]:
    """Questions with calls that drop, swap or add, with right ones, and with none."""
    for kind, agents in _read(half, "bindings").items():
        for agent, lines in agents.items():
            for line in lines:
                if kind == "rules":
                    question, tells = line.split(" | ")
                    calls = ""
                elif kind == "control":
                    question, calls = line.split(" | ")
                    tells = ""
                else:
                    question, calls, tells = line.split(" | ")
                words = tuple(one.strip() for one in tells.split(",") if one.strip())
                made = parsed_calls(agent, calls) if calls else []
                yield Binding(half, kind, agent, question.strip(), made, words)


def writes(half: str) -> Iterator[Write]:
    """Prompts with calls that change what the user keeps."""
    for kind, agents in _read(half, "writes").items():
        for agent, lines in agents.items():
            for line in lines:
                prompt, told, *more = line.split(" | ")
                change = _change(told)
                allowed = _change(more[0]) if more else {}
                calls = [_writing(agent, change)]
                yield Write(half, agent, prompt, calls, change, kind == "asked", allowed)


def marked(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its marks, and what was marked; links that act are marked as well."""
    marks = tuple(_MARK.findall(text))
    plain = _MARK.sub(lambda found: found[1], text)
    return plain, (*marks, *_ACTIVE.findall(plain), *_LINK_TEXT.findall(plain))


def parsed_calls(agent: str, told: str) -> Calls:
    """Tool calls from their short form; several are joined by " && "."""
    return [_READERS[agent](one.strip()) for one in told.split(" && ")]


def _metrics(told: str) -> tuple[str, dict[str, Any]]:
    """ "METRIC; ENTITY; PERIOD; CHANNEL", "grid METRICS; ENTITIES; PERIODS; CHANNELS; DERIVED",
    "narrative QUERY; ENTITY; PERIOD" or "list SEARCH"."""
    first, _, rest = told.partition(" ")
    if first == "list":
        return "list_metrics", {"search": rest}
    if first == "clarify":
        return "clarify_question", {"question": rest}
    if first == "narrative":
        keys = ("query", "entity", "period")
        return "search_narrative", _filled(keys, _parts(rest))
    if first == "grid":
        keys = ("metrics", "entities", "periods", "channels", "derive")
        return "query_metric_grid", {
            key: _list(value) for key, value in _filled(keys, _parts(rest)).items()
        }
    return "query_metric", _filled(("metric", "entity", "period", "channel"), _parts(told))


def _ontology(told: str) -> tuple[str, dict[str, Any]]:
    """ "DOMAINS; property=value; property!=value; property>number; count_by:name; sort:name", a
    list of values by "/"; or "values PROPERTY"."""
    if told.startswith("values "):
        return "discover_values", {"property": told.removeprefix("values ")}
    if told.startswith("properties "):
        return "discover_properties", {"domain": told.removeprefix("properties ")}
    domains, *conditions = _parts(told)
    slots: dict[str, Any] = {"domains": _list(domains)} if domains else {}
    more: dict[str, Any] = {}
    for one in conditions:
        name, sign, value = re.split(r"(!=|>=|<=|[=<>:])", one, maxsplit=1)
        if sign == ":":
            more[name] = int(value) if value.isdigit() else value
        elif sign in ("=", "!="):
            values = value.split("/")
            sent: Any = {"none_of": values} if sign == "!=" else values
            if sign == "=" and len(values) == 1:
                sent = values[0]
            slots.setdefault("filters", {})[name] = sent
        else:
            bound = {">": "gt", "<": "lt", ">=": "gte", "<=": "lte"}[sign]
            number = float(value) if re.fullmatch(r"[\d.]+", value) else value
            slots.setdefault("ranges", {}).setdefault(name, {})[bound] = number
    return "submit_slots", {"slots": slots, "interpretation": told, **more}


def _graph(told: str) -> tuple[str, dict[str, Any]]:
    """ "PROMPT; variants=a,b; triple=subject,predicate,object"."""
    prompt, *rest = _parts(told)
    arguments: dict[str, Any] = {"prompt": prompt}
    for one in rest:
        key, _, value = one.partition("=")
        if key == "variants":
            arguments["variants"] = _list(value)
        elif key == "triple":
            subject, predicate, thing = [*value.split(","), "", ""][:3]
            part = {"subject": subject, "predicate": predicate, "object": thing}
            arguments["triples"] = [part]
        else:
            arguments[key] = int(value) if value.isdigit() else value
    return "run_kg_workflow", arguments


_LISTS = ("mode", "avoid_modes", "avoid_lines", "accessibility_preference", "bike_proficiency")


def _planner(told: str) -> tuple[str, dict[str, Any]]:
    """ "FROM > TO; option=value", or "stops QUERY", "status LINES"."""
    first, _, rest = told.partition(" ")
    if first == "stops":
        return "find_stops", {"query": rest}
    if first == "status":
        return "get_line_status", {"lines": _list(rest)}
    trip, *options = _parts(told)
    start, _, end = trip.partition(" > ")
    arguments: dict[str, Any] = {"starting_point": start, "destination": end}
    for one in options:
        key, _, value = one.partition("=")
        arguments[key] = _list(value) if key in _LISTS else int(value) if value.isdigit() else value
    return "compute_journey_plans", arguments


def _router(told: str) -> tuple[str, dict[str, Any]]:
    tool, arguments = _planner(told)
    start, end = arguments.get("starting_point"), arguments.get("destination")
    said = f"Plan a journey from {start} to {end}." if start else "Look this up."
    values = json.dumps({tool: arguments}, ensure_ascii=False)
    return "journey_planner_agent", {"input_prompt": f"{said}\n\n=== Variable values ===\n{values}"}


_READERS = {
    "metrics_agent": _metrics,
    "ontology_search_agent": _ontology,
    "kg_agent": _graph,
    "journey_planner_agent": _planner,
    "journey_router_agent": _router,
}


def _change(told: str) -> dict[str, Any]:
    """ "reset=a,b; walking_speed=Fast; place:home=Angel; policy:limit=5"."""
    change: dict[str, Any] = {}
    for one in _parts(told):
        key, _, value = one.partition("=")
        group, _, name = key.partition(":")
        if group == "place":
            change.setdefault("places", {})[name] = value
        elif group == "policy":
            sent: Any = int(value) if value.isdigit() else value
            change.setdefault("policy", {})[name] = True if value == "true" else sent
        elif key == "reset" or key in _LISTS:
            change[key] = _list(value)
        elif value in ("true", "false"):
            change[key] = value == "true"
        else:
            change[key] = int(value) if value.isdigit() else value
    return change


def _writing(agent: str, change: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The call that makes a change, as this agent can make it."""
    if "policy" in change:
        return "set_kg_policy", dict(change["policy"])
    if agent != "journey_router_agent":
        return "set_default_journey_parameters", dict(change)
    values = json.dumps({"set_default_journey_parameters": change}, ensure_ascii=False)
    said = f"Remember what the values below say.\n\n=== Variable values ===\n{values}"
    return "journey_preferences_agent", {"input_prompt": said}


def _parts(told: str) -> list[str]:
    return [one.strip() for one in told.split(";")]


def _list(told: str) -> list[str]:
    return [one.strip() for one in told.split(",") if one.strip()]


def _filled(keys: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in zip(keys, values, strict=False) if value}


def _read(half: str, name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / half / f"{name}.toml").read_text("utf-8"))
