"""No text names a tool that its server does not offer, under any choice of tools.

Run: python tests/evals/offered_names.py [--fraction 0.1] [--seed 7] [--update]
A sample has its share of 400 selections, a whole run 2,000.

Every server, whole and read-only, and servers of tools and toolsets drawn at random. Of each, every
text is read that a host gets: instructions, definitions, prompts, resources, and what calls return,
right ones and wrong ones. Counted are texts that name a tool that is there elsewhere and not
offered. A name that the call itself sent does not count, nor one in a trace or a row.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.cli.registry import SERVERS, build  # noqa: E402
from groundwire.config import Settings  # noqa: E402
from groundwire.servers.all import _instructions  # noqa: E402
from groundwire.servers.composition import compose, state  # noqa: E402
from groundwire.servers.every_tool import AGENTS, LEARNING_AGENTS, TOOLSETS  # noqa: E402
from groundwire.serving import GroundwireServer, Toolset  # noqa: E402
from groundwire.serving.fitting import VERBATIM  # noqa: E402
from groundwire.serving.toolsets import ToolDeclaration  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

SELECTIONS, SAMPLED = 2_000, 400
QUIET: dict[str, Any] = {"tfl_base_url": "offline", "log_level": "error"}
CALLED_OF_A_SERVER = 4
TOOLS = sorted({tool for tools in TOOLSETS.values() for tool in tools})
NAMED = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(TOOLS)})(?![A-Za-z0-9_])")
# Calls whose answers and refusals name tools where those are offered.
CALLS: dict[str, list[dict[str, Any]]] = {
    "submit_slots": [
        {"slots": {"domains": ["hdmap"], "filters": {"country": "DE"}}},
        {"slots": {"domains": ["spaceship"]}},
        {"slots": {"domains": ["hdmap"], "filters": {"wingspan": "3"}}},
        {"slots": {"domains": ["hdmap"], "filters": {"country": "Mordor"}}},
        {"slots": {"domains": ["hdmap"], "references": {"domain": "ontology"}}},
        {"slots": {"location": "DE"}},
    ],
    "discover_properties": [{"domain": "hdmap"}, {"domain": "spaceship"}],
    "discover_values": [{"property": "country"}, {"property": "wingspan"}, {"property": ""}],
    "get_asset": [{"iri": "urn:no:such"}],
    "query_metric": [
        {"metric": "revenue", "entity": "中国内地", "period": "FY2024"},
        {"metric": "xyzzy", "entity": "中国内地", "period": "FY2024"},
        {"metric": "revenue per employee", "entity": "中国内地", "period": "FY2024"},
        {"metric": "revenue", "entity": "Xyzzy", "period": "FY2024"},
        {"metric": "revenue", "entity": "中国内地", "period": "FY2022 to FY2024"},
    ],
    "query_metric_table": [
        {"metrics": ["xyzzy"], "by": ["entity"]},
        {"metrics": ["revenue"], "by": ["entity"], "where": {"entity": "Xyzzy"}},
    ],
    "clarify_question": [
        {"question": "What was the revenue of 中国内地 in FY2024?"},
        {"question": "What does the report say about the outlook?"},
        {"question": "Rank the entities by revenue in FY2024"},
    ],
    "search_narrative": [{"query": "outlook", "entity": "Xyzzy"}],
    "list_dimension_values": [{"dimension": "period", "metric": "xyzzy"}],
    "run_kg_workflow": [{"prompt": "What is SPARQL?"}, {"prompt": "x", "run_id": "ru_none"}],
    "execute_query": [
        {"query_language": "sparql", "query_string": "SELECT * {"},
        {"query_language": "sparql", "query_string": "ASK {}", "endpoint": "nowhere"},
        {"query_language": "sparql", "query_string": 'SELECT ("get_evidence" AS ?x) {}'},
    ],
    "describe_schema": [{"endpoint": "nowhere"}, {}],
    "explore_types": [{"endpoint": "facts"}],
    "compute_journey_plans": [
        {"starting_point": "Brixton", "destination": "Bank"},
        {"starting_point": "Brixton", "destination": "Bank", "journey_id": "jo_none"},
        {"trips": [{"starting_point": "Bank", "destination": "Oxford Circus"}] * 9},
    ],
    "get_computed_journey_plan": [{"journey_id": "jo_x", "journey_index": 0, "plan_index": 0}],
    "set_default_journey_parameters": [{"options": {"date": "tomorrow"}}, {"date": "tomorrow"}],
    "get_arrivals": [{"stop": "Xyzzy"}],
    "record_review": [{"card_id": "ca_none", "response": "x"}],
    "submit_cards": [
        {"cards": [{"front": "a", "back": "b", "quote": "c", "passage_id": "pa_none"}]},
        {"cards": [{"front": "a", "back": "b", "quote": "c", "concepts": ["x"]}]},
    ],
    "submit_graph_changes": [
        {"operations": [], "quotes": [{"passage_id": "x", "text": "y", "operations": [0]}]}
    ],
    "metrics_agent": [{"question": "What was the revenue of 中国内地 in FY2024?"}],
    "ontology_search_agent": [{"question": "German HD maps", "continue_run_id": "ru_none"}],
    "get_agent_result": [{"run_id": "ru_none"}],
    "cancel_agent_run": [{"run_id": "ru_none"}],
    "get_evidence": [{"evidence_id": "ev_none"}],
    "verify_answer": [{"draft": "The revenue was 5 million in 2024."}],
}


def strings(node: Any) -> Iterator[str]:
    """Yield the sentences of a result; what was asked, done or stored is none."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            if key not in VERBATIM:
                yield from strings(value)
    elif isinstance(node, list):
        for one in node:
            yield from strings(one)


class Reader:
    """Reads the texts of servers, and counts those that name what is not offered."""

    def __init__(self) -> None:
        self.read: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()

    def look(self, kind: str, text: str, absent: set[str], sent: str = "") -> None:
        self.read[kind] += 1
        found = {name for name in NAMED.findall(text) if name in absent and name not in sent}
        if found:
            self.wrong[kind] += 1
            print(f"{kind}: {', '.join(sorted(found))} in {text[:300]!r}", file=sys.stderr)

    async def server(self, built: GroundwireServer, chance: random.Random) -> None:
        async with Client(built) as client:
            tools = (await client.list_tools()).tools
            absent = set(TOOLS) - {tool.name for tool in tools}
            self.look("instructions", built.instructions or "", absent)
            for tool in tools:
                said = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                self.look("definitions", json.dumps(said, ensure_ascii=False), absent)
            for prompt in (await client.list_prompts()).prompts:
                sent = {one.name: "1" for one in prompt.arguments or () if one.required}
                self.look("definitions", prompt.model_dump_json(), absent)
                told = await client.get_prompt(prompt.name, sent)
                self.look("prompts", told.model_dump_json(), absent)
            for listed in (await client.list_resources()).resources:
                self.look("definitions", listed.model_dump_json(exclude={"uri"}), absent)
                if not str(listed.uri).startswith(("ui://", "agents://metrics")):
                    text = (await client.read_resource(str(listed.uri))).model_dump_json()
                    self.look("resources", text, absent)
            with suppress(MCPError):
                await client.get_prompt("no_such_prompt", {})
            called = [tool.name for tool in tools if tool.name in CALLS]
            for name in chance.sample(called, min(len(called), CALLED_OF_A_SERVER)):
                sent = chance.choice(CALLS[name])
                result = await client.call_tool(name, sent)
                own = json.dumps(sent)
                for text in strings(result.structured_content):
                    self.look("answers", text, absent, own)
                if result.is_error:
                    for part in result.content:
                        self.look("refusals", getattr(part, "text", ""), absent, own)


def toolsets(settings: Settings) -> list[Toolset]:
    """Every toolset, made once."""
    from groundwire.servers import agents, journeys, learning, metrics, ontology, sparql

    below: dict[str, Toolset] = {
        one.__name__.rpartition(".")[2]: one.toolset(settings)
        for one in (ontology, metrics, sparql, journeys, learning)
    }
    shared = state(settings)
    desk = agents.desk(settings, shared, lambda: agents.servers_below(settings, shared, below))
    asking: list[Toolset] = [
        agents.agents_toolset(lambda: desk, shared, with_runs=True),
        agents.learning_toolset(lambda: desk, shared, with_runs=False),
    ]
    return [*below.values(), *asking]


async def select(reader: Reader, selections: int, seed: int, home: Path) -> None:
    """Read servers of tools drawn at random out of toolsets drawn at random."""
    settings = Settings(home=home, **QUIET)
    made, shared = toolsets(settings), state(settings)
    chance = random.Random(seed)
    for _ in range(selections):
        chosen = [one for one in made if chance.random() < 0.5] or [chance.choice(made)]
        names = [
            name
            for one in chosen
            for name, kind, _ in one.declarations()
            if isinstance(kind, ToolDeclaration)
        ]
        names += TOOLSETS["evidence"]
        share = chance.choice((0.05, 0.3, 0.7, 0.95))
        kept = tuple(name for name in names if chance.random() < share) or (chance.choice(names),)
        drawn = Settings(home=home, **QUIET, tools=kept)
        built = compose(
            "drawn",
            chosen,
            drawn,
            title="Drawn",
            shared=shared,
            # The instructions of several toolsets are those of the server of all.
            instructions=_instructions(one.name for one in chosen) if len(chosen) > 1 else None,
        )
        await reader.server(built, chance)


async def run(selections: int, seed: int, home: Path) -> Reader:
    reader = Reader()
    chance = random.Random(f"{seed} servers")
    sets = [(name, ()) for name in SERVERS] + [("all", (one,)) for one in (*TOOLSETS, "")]
    for name, added in sets:
        for read_only in (False, True):
            every = tuple(TOOLSETS) if added == ("",) else added
            built = build(
                name,
                Settings(home=home, **QUIET, toolsets=every, read_only=read_only),
            )
            await reader.server(built, chance)
            await built.aclose()
            built.close()
    await select(reader, selections, seed, home)
    return reader


def main() -> int:
    options = arguments(__doc__)
    assert {AGENTS, LEARNING_AGENTS} <= set(TOOLSETS)
    with tempfile.TemporaryDirectory() as home:
        whole = options.fraction == 1
        selections = max(1, round((SELECTIONS if whole else SAMPLED) * options.fraction))
        reader = anyio.run(run, selections, options.seed, Path(home))
    rows = [(kind, count, reader.wrong[kind]) for kind, count in sorted(reader.read.items())]
    print(table(("texts", "read", "wrong"), rows))
    print(f"{selections} selections")
    figures = {kind: {"wrong": reader.wrong[kind]} for kind in reader.read}
    return Ratchet(__file__, lower={"wrong"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
