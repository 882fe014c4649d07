"""Endpoints that answer as a test says, and a clock that waits for nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from groundwire.graph.terms import Term, iri, literal
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Outcome, QueryAudit, Request, Status
from groundwire.sparql.registry import Registry
from groundwire.sparql.workflow.machine import Run
from groundwire.sparql.workflow.model import Asked, Report
from groundwire.sparql.workflow.queries import Explorer
from groundwire.sparql.workflow.sources import QueriedSource, Unopened
from groundwire.sparql.workflow.trail import Budget

Answer = tuple[Status, Sequence[tuple[str, ...]], str]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Clock:
    """Seconds that pass when somebody sleeps or a query takes time."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def kind_of(text: str) -> str:
    """What a query of the workflow is for."""
    if "?predicate (COUNT" in text:
        return "predicates"
    if "?type (COUNT" in text:
        return "types"
    if "?node ?property ?value" in text:
        return "steps"
    if "?label ?text ?question" in text:
        return "meaning" if "?sc ?label" in text else "texts"
    some = " || " in text or (" OR " in text and " OR (" not in text)
    return "alike" if some else "label"


COLUMNS = {
    "label": ("entity", "value", "sc", "fit"),
    "alike": ("entity", "value", "sc"),
    "types": ("type", "count"),
    "predicates": ("predicate", "count"),
    "texts": ("entity", "label", "text", "question", "asked", "answer", "kind", "whole"),
    "steps": ("node", "property", "value"),
    "meaning": ("entity", "value", "sc", "label", "text", "question", "asked"),
}


@dataclass
class Fake:
    """An endpoint: `answers` maps what a query is for to rows, or to a whole answer."""

    name: str
    answers: dict[str, object] = field(default_factory=dict)
    clock: Clock | None = None
    takes: float = 0.0
    opens_in: float = 0.0
    opened: bool = False
    log: list[tuple[str, str, float]] = field(default_factory=list)
    options: dict[str, object] = field(default_factory=dict)
    languages: frozenset[str] = frozenset({"sparql"})

    @property
    def endpoint(self) -> Endpoint:
        given = {"url": f"https://{self.name}.example/sparql", **self.options}
        return Endpoint(name=self.name, **given)

    @property
    def source(self) -> QueriedSource:
        return QueriedSource(self.endpoint, self)

    async def open(self) -> QueriedSource:
        self.opened = True
        if self.clock is not None:
            self.clock.now += self.opens_in
        return self.source

    async def run(self, request: Request) -> Outcome:
        what = kind_of(request.text)
        self.log.append((what, request.text, request.timeout))
        if self.clock is not None:
            self.clock.now += self.takes
        found = self.answers.get(what, ())
        if callable(found):
            found = found(request)
        status, reason = "", ""
        if isinstance(found, tuple) and found and isinstance(found[0], str):
            status, reason, found = found[0], found[1], found[2] if len(found) > 2 else ()
        rows = tuple(tuple(map(term, row)) for row in found)
        status = status or ("complete" if rows else "empty")
        said = f"{status}: {reason}" if reason else status
        audit = QueryAudit(
            "sparql", request.text, self.name, self.endpoint.shown, "then", "later", 200, said,
            f"{len(rows)} rows", b"x" * 10, 10,
        )  # fmt: skip
        columns = COLUMNS[what][: len(rows[0])] if rows else COLUMNS[what]
        return Outcome(status, columns, rows, reason, audit)

    async def close(self) -> None:
        pass


def term(value: str) -> Term | None:
    if not value:
        return None
    return iri(value) if value.startswith(("http", "urn:", "javascript:")) else literal(value)


@dataclass
class World:
    """What a run needs beside its endpoints."""

    clock: Clock = field(default_factory=Clock)
    explorer: Explorer = field(default_factory=Explorer)

    async def ask(self, asked: Asked, *fakes: Fake, **limits: float) -> Report:
        endpoints = tuple(fake.endpoint for fake in fakes)
        registry = Registry(
            endpoints=endpoints,
            default_endpoint=fakes[0].name,
            fallback_endpoints=tuple(fake.name for fake in fakes[1:]),
            limits=limits,
        )
        budget = Budget(registry.limits, self.clock, self.clock.sleep)
        sources = [Unopened(fake.endpoint, fake.open) for fake in fakes]
        return await Run(asked, registry, sources, budget, explorer=self.explorer).report()


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def fake() -> Callable[..., Fake]:
    return Fake
