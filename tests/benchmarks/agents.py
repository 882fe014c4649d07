"""What the agent runtime adds to a step: everything but the model and the tool itself.

Run `python tests/benchmarks/agents.py`; it prints a table and exits 1 if a target is missed. A run
of many rounds is measured with a model that answers at once; `bare` is what the same calls take
through an in-memory client alone.
"""

from __future__ import annotations

import asyncio
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _table import Measured, report
from mcp import Client
from pydantic import BaseModel

from groundwire.agents.runtime.agent import Agent
from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.definition import AgentDefinition
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    ToolCallPart,
    ToolChoice,
    ToolSpec,
)
from groundwire.agents.runtime.observability import structured_logger
from groundwire.agents.runtime.prompts import PromptStore
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.serving import GroundwireServer, Toolset, build_server, tool
from groundwire.serving.handles import Handles

ROUNDS = 40
RUNS = 15
STEP_TARGET = 0.003
RUN_TARGET = 0.020
PROMPT = '---\nversion: 1.0.0\n---\n{% extends "system_prompt" %}\n'
SIZES = ((1, "a short answer"), (4_000, "4,000 characters"))


class Said(BaseModel):
    answer: str
    text: str


class Echo(Toolset):
    name = "echo"

    @tool("Echo", read_only=True, idempotent=True, open_world=False)
    async def echo(self, number: int, size: int = 1) -> Said:
        """Say much or little."""
        return Said(answer=f"Number {number}.", text="x" * size)


class Busy:
    """Asks for one call after the other, then answers."""

    name, native_tools, free = "busy", True, True

    def __init__(self, rounds: int, size: int, at_once: int = 1) -> None:
        self.rounds, self.size, self.at_once = rounds, size, at_once

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        turn = len(messages) // 2
        if turn >= self.rounds:
            return ModelResponse(text="Done.")
        calls = tuple(
            ToolCallPart(f"{turn}-{at}", "echo", {"number": turn * 10 + at, "size": self.size})
            for at in range(self.at_once)
        )
        return ModelResponse(text="One more.", tool_calls=calls, stop_reason="tool_use")


def agent(registry: ToolRegistry, folder: Path, model: Busy, logger: logging.Logger) -> Agent:
    config = AgentConfig(enabled_tools=("echo",)).merged(
        {"behavior": {"max_iterations": ROUNDS + 1, "timeout_ms": 600_000}}
    )
    definition = AgentDefinition("busy_agent", "1.0.0", "a busy agent", "busy_agent")
    prompts = PromptStore({"busy_agent": folder})
    return Agent(definition, config, model, registry, prompts, logger)


async def bare(server: GroundwireServer, size: int) -> float:
    async with Client(server) as client:
        began = time.perf_counter()
        for number in range(ROUNDS):
            await client.call_tool("echo", {"number": number, "size": size})
        return (time.perf_counter() - began) / ROUNDS


async def run(made: Agent, steps: int) -> float:
    began = time.perf_counter()
    output = await made.execute({"question": "How many?"})
    assert output.success, output.error
    assert len(output.reasoning.steps) == steps + 1
    return time.perf_counter() - began


async def measured(server: GroundwireServer, folder: Path) -> list[Measured]:
    logger = structured_logger()
    lines: list[Measured] = []
    async with ToolRegistry(server) as registry:
        for size, told in SIZES:
            made = agent(registry, folder, Busy(ROUNDS, size), logger)
            alone: list[float] = []
            ours: list[float] = []
            for _ in range(RUNS):
                alone.append(await bare(server, size))
                ours.append(await run(made, ROUNDS) / ROUNDS)
            low, high = statistics.median(alone), statistics.median(ours)
            lines.append(Measured(f"a step of {ROUNDS}, {told}", low, high))
            lines.append(Measured("  of it the runtime", None, high - low, seconds=STEP_TARGET))
        batch = agent(registry, folder, Busy(ROUNDS // 4, 1, at_once=4), logger)
        taken = [await run(batch, ROUNDS) / ROUNDS for _ in range(RUNS)]
        name = "a step, four at once"
        lines.append(Measured(name, None, statistics.median(taken), seconds=STEP_TARGET))
        single = agent(registry, folder, Busy(1, 1), logger)
        whole = [await run(single, 1) for _ in range(RUNS * 4)]
        name = "a whole run of one step, prompt and log"
        lines.append(Measured(name, None, statistics.median(whole), seconds=RUN_TARGET))
    return lines


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "prompt.md").write_text(PROMPT, "utf-8")
        toolsets: list[Any] = [Echo()]
        server = build_server(
            "echo",
            toolsets,
            settings=Settings(home=folder),
            handles=Handles(folder / "handles.sqlite"),
        )
        lines = asyncio.run(measured(server, folder))
        server.close()
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
