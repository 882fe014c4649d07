"""How long an agent takes to answer by its rules: the whole call, as a host waits for it.

Run `python tests/benchmarks/rules_answers.py`; it prints a table and exits 1 if a target is missed.
Every question is asked once, after others have warmed the process, so that nothing is answered from
what an earlier answer left.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _table import Measured, report
from mcp import Client

from groundwire.config import Settings
from groundwire.servers.agents import build

TARGET = 0.050
WARMING = 3
CATALOGUE = (
    "Which HD maps of motorways are there in Germany?",
    "Show scenarios in fog under CC-BY-4.0",
    "Maps of country roads longer than 20 km",
    "Welche HD-Karten gibt es in Frankreich?",
    "Zeige Szenarien bei Regen, die nach 2023 aufgenommen wurden",
    "Which OSI traces were recorded in Sweden?",
    "Maps with tunnels but without roundabouts",
    "How many surface models are there?",
    "Szenarien mit Fußgängern in der Stadt",
    "Motorway maps in Italy or Spain between 10 and 30 km",
    "Welche Karten haben Kreisverkehre?",
    "Scenarios that run on maps in Japan",
)
FIGURES = (
    "What was the population of India in 2010?",
    "Population of China and India in 2015",
    "GDP of Germany in 2019",
    "中国内地FY2024的营业收入是多少？",
    "Net profit of Tolvarne Hong Kong in 2024",
    "How did the GDP of France change from 2010 to 2020, in percent?",
    "香港2023年的净利润是多少？",
    "Gross margin of the Tolvarne Group in FY2023",
    "Revenue of Tolvarne China by quarter in 2024",
    "What is the weather in Paris?",
    "2015年日本的人口是多少？",
    "Headcount of Tolvarne Singapore in 2024",
)
GRAPH = (
    "What is SPARQL?",
    "How do I connect Claude Desktop?",
    "What is an evidence id?",
    "Which endpoints can be asked?",
    "What is a knowledge graph?",
    "How do I add an endpoint?",
    "What does partial mean?",
    "What is GraphQL?",
    "Who is the king of Norway?",
    "What is a named graph?",
    "How do I install Groundwire?",
    "What is SHACL?",
)
TRIPS = (
    "From Paddington to Greenwich",
    "From Brixton to Camden Town tomorrow at 9",
    "Hampstead to Canary Wharf, arriving by 10 am",
    "From Stratford to Victoria without the Central line",
    "Euston to Wimbledon by bus or train on Friday at 18:30",
    "From Kennington to Angel with the fewest changes",
    "Waterloo to Kew Gardens at noon",
    "Please get me from Finsbury Park to Oval",
    "From Ealing Broadway to Bank step free",
    "King's Cross to Clapham Junction tonight",
    "From Highbury & Islington to London Bridge via Moorgate",
    "Morden to Bond Street, walking at most 10 minutes",
)
TWO_TRIPS = tuple(
    f"{first}, then from there to {end}"
    for first, end in zip(
        TRIPS,
        ("Bank", "Oval", "Angel", "Euston", "Morden", "Hampstead") * 2,
        strict=True,
    )
)
DEFAULTS = tuple(
    f"{words} from now on"
    for words in (
        "Avoid the Central line",
        "I walk slowly",
        "Only use the tube",
        "No buses please",
        "Walk at most 10 minutes",
        "Step free only",
        "Use the fewest changes",
        "Avoid the Jubilee line",
        "I walk fast",
        "Walk at most 15 minutes",
    )
)
WISHES = (
    "The calendar file, please",
    "Write it out for me",
    "Put it in my calendar, with a reminder 10 minutes before",
    "The text of the plan",
    "A calendar file for each leg",
    "Tell me every step",
    "A calendar file with an alarm 20 minutes before I leave",
    "The whole plan as text",
)


def questions(texts: Sequence[str], name: str = "question") -> list[dict[str, Any]]:
    return [{name: text} for text in texts]


async def wishes(client: Client) -> list[dict[str, Any]]:
    """Wishes for one computed plan, by its indices."""
    planned = await client.call_tool("journey_planner_agent", {"input_prompt": TRIPS[0]})
    assert planned.structured_content
    journey_id = planned.structured_content["result"]["outputs"][0]["journey_id"]
    plan = {"journey_id": journey_id, "journey_index": 0, "plan_index": 0}
    return [{"input_prompt": text, "input_structured": plan} for text in WISHES]


async def answered(client: Client, agent: str, asked: Sequence[Mapping[str, Any]]) -> Measured:
    """The median of all questions but the first few."""
    taken: list[float] = []
    for arguments in asked:
        began = time.perf_counter()
        result = await client.call_tool(agent, dict(arguments))
        taken.append(time.perf_counter() - began)
        assert result.structured_content and result.structured_content["status"] == "completed", (
            result
        )
    return Measured(agent, None, statistics.median(taken[WARMING:]), seconds=TARGET)


async def measured(home: Path) -> list[Measured]:
    server = build(Settings(home=home, tfl_base_url="offline"))
    async with Client(server) as client:
        lines = [
            await answered(client, "ontology_search_agent", questions(CATALOGUE)),
            await answered(client, "metrics_agent", questions(FIGURES)),
            await answered(client, "kg_agent", questions(GRAPH)),
            await answered(client, "journey_router_agent", questions(TRIPS)),
        ]
        two = await answered(client, "journey_router_agent", questions(TWO_TRIPS))
        lines.append(Measured("journey_router_agent, two trips", None, two.ours, seconds=TARGET))
        planner = questions(TRIPS, "input_prompt")
        lines.append(await answered(client, "journey_planner_agent", planner))
        lines.append(await answered(client, "journey_artefacts_agent", await wishes(client)))
        defaults = questions(DEFAULTS, "input_prompt")
        lines.append(await answered(client, "journey_preferences_agent", defaults))
    server.close()
    return lines


def main() -> int:
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as home:
        return report(asyncio.run(measured(Path(home))))


if __name__ == "__main__":
    sys.exit(main())
