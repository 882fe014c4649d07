"""A toy server over which agents run in tests, and an agent with everything that it needs."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import Context
from pydantic import BaseModel

from groundwire.agents.models.scripted import ScriptedModel
from groundwire.agents.runtime.agent import Agent
from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.contract import RUNNING, AgentContext, AgentOutput, Guard
from groundwire.agents.runtime.definition import AgentDefinition
from groundwire.agents.runtime.model import ModelResponse, ToolCallPart, Usage
from groundwire.agents.runtime.observability import AgentMetrics, JsonLines
from groundwire.agents.runtime.prompts import PromptStore
from groundwire.agents.runtime.registry import CONTEXT_KEY, ToolRegistry
from groundwire.agents.runtime.run import Clock
from groundwire.config import Settings
from groundwire.errors import InputError, NotFoundError
from groundwire.evidence.records import Draft, Value
from groundwire.serving import (
    Grounded,
    GroundwireServer,
    Toolset,
    build_server,
    current_owner,
    resource,
    tool,
)

PROMPTS = Path(__file__).with_name("shelf_agent")
HELD = {"cars": "42", "boats": "17"}
ALL_TOOLS = ("look_up", "arrivals", "remember", "pause", "shaky", "long", "who", "suggest")


class Found(BaseModel):
    answer: str
    status: str
    value_text: str | None = None
    candidates: list[str] | None = None
    evidence_id: str | None = None
    evidence_error: str | None = None


class Said(BaseModel):
    answer: str
    text: str = ""
    context: dict[str, Any] | None = None


class Suggested(BaseModel):
    answer: str
    status: str
    gaps: list[dict[str, Any]]


class Shelf(Toolset):
    name = "shelf"
    instructions = "Counts of things."

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.under_way = 0
        self.most_under_way = 0
        self.stopped = 0
        self.failures = 0

    @tool("Look up", read_only=True, idempotent=True, open_world=False)
    async def look_up(self, thing: str, year: int = 2024) -> Grounded[Found]:
        """How many of a thing there are.

        Names are exact.
        """
        self.calls.append(f"look_up {thing} {year}")
        if thing not in HELD:
            candidates = [name for name in HELD if name[0] == thing[0]]
            status = "unrecognized_param" if candidates else "not_found"
            said = Found(answer="There is none.", status=status, candidates=candidates or None)
            return Grounded(said, Draft())
        value = HELD[thing]
        found = Found(answer=f"There are {value} {thing}.", status="found", value_text=value)
        return Grounded(found, Draft(values=(Value(thing, value),)))

    @tool("Arrivals", read_only=True, idempotent=True, open_world=True)
    async def arrivals(self, stop: str) -> Said:
        """What comes next."""
        self.calls.append(f"arrivals {stop}")
        return Said(answer=f"Bus {len(self.calls)} comes.")

    @tool("Remember", read_only=False, idempotent=False, open_world=False, changes_state=True)
    async def remember(self, text: str) -> Said:
        """Keep a text."""
        self.calls.append(f"remember {text}")
        if text == "break":
            raise RuntimeError("password=hunter2")
        return Said(answer="Kept.", text=text)

    @tool("Pause", read_only=True, idempotent=True, open_world=False)
    async def pause(self, key: str, with_others: int = 0) -> Said:
        """Wait until so many others wait as well, or for ever."""
        self.calls.append(f"pause {key}")
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            while with_others == 0 or self.most_under_way < with_others:
                await anyio.sleep(0.001)
        except anyio.get_cancelled_exc_class():
            self.stopped += 1
            raise
        finally:
            self.under_way -= 1
        return Said(answer=f"{key} waited.")

    @tool("Shaky", read_only=True, idempotent=True, open_world=False)
    async def shaky(self, failures: int = 1) -> Said:
        """Fail some times, then work."""
        self.calls.append("shaky")
        if self.failures < failures:
            self.failures += 1
            raise RuntimeError("password=hunter2")
        return Said(answer="It works.")

    @tool("Long", read_only=True, idempotent=True, open_world=False)
    async def long(self, size: int = 15_000) -> Said:
        """Say much."""
        return Said(answer="Much.", text="z" * size)

    @tool("Suggest", read_only=True, idempotent=True, open_world=False)
    async def suggest(self, term: str) -> Suggested:
        """Say what could be sent instead of a term."""
        gap = {"term": term, "suggestions": ["boats"]}
        return Suggested(answer="There are boats.", status="partial", gaps=[gap])

    @tool("Who", read_only=True, idempotent=True, open_world=False)
    async def who(self, context: Context, expected: str = "") -> Said:
        """Say what reached the tool."""
        if expected == "nobody":
            raise NotFoundError("there is nobody: ask for somebody.")
        if expected == "wrong":
            raise InputError("that is wrong.")
        meta: Any = context.request_context.meta
        running = RUNNING.get()
        told = dict(meta)[CONTEXT_KEY] if meta and CONTEXT_KEY in dict(meta) else {}
        return Said(
            answer="This reached me.",
            text=current_owner(),
            context={"meta": told, "running": running.run_id if running else None},
        )

    @resource("shelf://{thing}", title="A thing", mime_type="text/plain")
    async def described(self, thing: str) -> str:
        """What is known of a thing."""
        if thing not in HELD:
            raise NotFoundError(f"there is no {thing}: ask for cars.")
        return f"{thing} stand on the shelf."


class Record:
    def __init__(self, evidence_id: str) -> None:
        self.evidence_id = evidence_id
        self.seal = "0123456789ab"


class Ledger:
    """Numbers its records."""

    def __init__(self) -> None:
        self.count = 0

    def record(
        self,
        owner: str,
        tool: str,
        arguments: Mapping[str, Any],
        draft: Draft,
        beside: Callable[[], None] | None = None,
    ) -> Record:
        self.count += 1
        return Record(f"ev_{self.count:08d}")


class NoHandles:
    def mint(self, owner: str, kind: str, payload: Mapping[str, Any], ttl: float) -> str:
        return "cu_1"

    def open(self, handle: str, owner: str, kind: str) -> dict[str, Any]:
        raise NotFoundError("There is no such handle.")

    def close(self) -> None:
        pass


class Time:
    """Time that stands still until a test or a sleep moves it."""

    def __init__(self) -> None:
        self.seconds = 1_000.0
        self.slept: list[float] = []

    def clock(self) -> Clock:
        return Clock(self.now, lambda: self.seconds, self.sleep)

    def now(self) -> datetime:
        return datetime(2026, 11, 21, 12, tzinfo=UTC) + timedelta(seconds=self.seconds - 1_000)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        await anyio.sleep(0)


class Lines(logging.Handler):
    """Keeps log lines as the JSON that they are."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines(texts=True))
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == event]


class Bench:
    """An agent with everything that it works with.

    Args:
        changes: changes of the configuration; and `guard`, `definition` parts by their names. What
            is asked of the bench asks for every change, unless `allows` says otherwise.
    """

    def __init__(self, **changes: Any) -> None:
        self.shelf = Shelf()
        self.server: GroundwireServer = build_server(
            "shelf",
            [self.shelf],
            settings=Settings(home=Path("/nowhere")),
            handles=NoHandles(),
            ledger=Ledger(),
        )
        self.registry = ToolRegistry(self.server)
        self.prompts = PromptStore({"shelf_agent": PROMPTS})
        self.time = Time()
        self.log = Lines()
        self.logger = logging.Logger("groundwire.agents", logging.DEBUG)
        self.logger.addHandler(self.log)
        self.logger.manager = _Children(self.logger)  # type: ignore[assignment]
        self.metrics = AgentMetrics()
        self.parts: dict[str, Any] = {
            key: changes.pop(key)
            for key in ("briefing", "input_model", "version", "allows")
            if key in changes
        }
        guard: Guard | None = changes.pop("guard", None)
        if guard is not None:
            self.parts["guard"] = guard
        self.config = AgentConfig(enabled_tools=ALL_TOOLS).merged(changes)

    def agent(self, model: Any) -> Agent:
        definition = AgentDefinition(
            **{
                "name": "shelf_agent",
                "version": "1.2.3",
                "role": "a keeper of a shelf",
                "prompt": "shelf_agent",
                "capabilities": ("counting things",),
                "config": self.config,
                "allows": lambda change: None,
                **self.parts,
            }
        )
        return Agent(
            definition,
            self.config,
            model,
            self.registry,
            self.prompts,
            self.logger,
            metrics=self.metrics,
            clock=self.time.clock(),
        )

    async def run(self, *script: Any, question: str = "How many cars?", **more: Any) -> AgentOutput:
        """Run the agent with a scripted model; `context` and fields of the input may follow."""
        context = more.pop("context", None)
        model = more.pop("model", None) or ScriptedModel(*script)
        self.model: ScriptedModel = model
        return await self.agent(model).execute({"question": question, **more}, context)


class _Children:
    """Makes child loggers that pass on to their parent without the global tree."""

    def __init__(self, parent: logging.Logger) -> None:
        self.parent = parent
        self.disable = 0

    def getLogger(self, name: str) -> logging.Logger:
        child = logging.Logger(name, logging.DEBUG)
        child.parent = self.parent
        return child


def call(name: str, at: int = 1, /, **arguments: Any) -> ToolCallPart:
    return ToolCallPart(f"call_{at}", name, arguments)


def calls(*parts: ToolCallPart, text: str = "", cost: float | None = 0.0) -> ModelResponse:
    return ModelResponse(
        text=text,
        tool_calls=parts,
        stop_reason="tool_use",
        usage=Usage(prompt=100, completion=20),
        cost_usd=cost,
    )


def says(text: str, cost: float | None = 0.0, **more: Any) -> ModelResponse:
    return ModelResponse(text=text, usage=Usage(prompt=50, completion=10), cost_usd=cost, **more)


def text_model(*script: Any, **more: Any) -> ScriptedModel:
    return ScriptedModel(*script, native_tools=False, **more)


def context(**fields: Any) -> AgentContext:
    return AgentContext.model_validate(fields)
