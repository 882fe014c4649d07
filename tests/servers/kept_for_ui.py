"""A server with `/ui` over answers, runs and journeys that are kept for some owners."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from groundwire.agents.runs.records import Asked
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.contract import (
    Action,
    AgentExecutionMetadata,
    AgentOutput,
    AgentReasoning,
    Alternative,
    ReasoningStep,
)
from groundwire.cli.registry import build
from groundwire.config import HttpSettings, Settings
from groundwire.evidence import Draft, Ledger, Value
from groundwire.journeys.computed_journeys import JourneyStore
from groundwire.journeys.itinerary import LONDON, Journey, Leg, Place, Plan, Point
from groundwire.journeys.region import JOURNEYS_FILE
from groundwire.servers.agents import RUNS_FILE
from groundwire.servers.composition import EVIDENCE_FILE
from groundwire.serving import GroundwireServer
from groundwire.serving.exposure import http_app

BASE = "http://127.0.0.1:8000"


def server(home: Path, *, ui: bool = True, **changes: Any) -> GroundwireServer:
    """The server of all toolsets that have pages."""
    settings = Settings(
        home=home,
        tfl_base_url="offline",
        toolsets=("metrics", "journeys", "agents", "evidence"),
        http=HttpSettings(ui=ui),
        **changes,
    )
    return build("all", settings)


def browser(served: GroundwireServer) -> httpx2.AsyncClient:
    """A client of the application, at loopback; its routes need nothing that starts with it."""
    app = http_app(served, "127.0.0.1", 8_000)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE)


def keep_answers(home: Path, owner: str, *answers: str) -> list[str]:
    """Record answers; their ids."""
    with Ledger(home / EVIDENCE_FILE) as ledger:
        return [
            ledger.record(
                owner,
                "query_metric",
                {"metric": one},
                Draft(
                    values=(Value("length", "12.5", unit="km", entity=one, source=one),),
                    audit={"query_text": f"SELECT {one}", "status_code": 200},
                    payload=one.encode(),
                    answer=one,
                ),
            ).evidence_id
            for one in answers
        ]


def keep_run(home: Path, owner: str, run_id: str, text: str, *, success: bool = True) -> None:
    """Keep a run of which every text is this one."""
    action = Action(tool="query_metric", input={"metric": text}, output={"answer": text})
    moment = "2026-11-21T12:00:00.000+00:00"
    step = ReasoningStep(step=1, thought=text, action=action, observation=text, timestamp=moment)
    output = AgentOutput(
        run_id=run_id,
        success=success,
        result={"answer": text},
        reasoning=AgentReasoning(
            steps=(step,),
            decision=text,
            confidence=0.9,
            assumptions_made=(text,),
            alternatives=(Alternative(approach=text, confidence=0.1, reasoning=text),),
        ),
        metadata=AgentExecutionMetadata(
            execution_time_ms=3.5, iterations=1, model="scripted", agent_version="1"
        ),
        evidence_ids=("ev_1",),
    )
    with RunStore(home / RUNS_FILE) as store:
        store.keep(Asked(run_id, owner, "metrics_agent", text), "completed", output)


def journey(name: str = "Bank") -> Journey:
    """A journey of two plans."""
    start = datetime(2026, 11, 22, 9, 12, tzinfo=LONDON)
    home = Place("Brixton", Point(51.4627, -0.1145), "stop", "940GZZLUBXN", "1000030")
    there = Place(name, Point(51.5133, -0.0886))
    end = start + timedelta(minutes=19)
    leg = Leg("tube", home, there, start, end, line_id="victoria")
    plan = Plan(start, end, (leg,))
    return Journey(home, there, (plan, plan), "offline_estimate")


def keep_journeys(home: Path, owner: str, *names: str) -> list[str]:
    """Keep a journey to each of some places, each under an id of its own; the ids."""
    with JourneyStore(home / JOURNEYS_FILE) as store:
        return [store.create(owner, [journey(name)]) for name in names]
