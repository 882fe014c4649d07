"""Figures for operators over HTTP, in the text format of Prometheus."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from groundwire.serving.toolsets import Sample, Toolset

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0)


class Meters:
    """The figures of one server.

    Args:
        tools: names of its tools; each has its figures from the start.
        toolsets: what they are of; they have figures of their own.
    """

    media_type = "text/plain; version=0.0.4; charset=utf-8"

    def __init__(self, tools: Iterable[str], toolsets: Sequence[Toolset]) -> None:
        self._registry = CollectorRegistry()
        calls = Counter(
            "groundwire_calls", "Calls of tools that were answered.", ["tool"],
            registry=self._registry,
        )  # fmt: skip
        self._refusals = Counter(
            "groundwire_refusals", "Calls of tools that were refused, by what the refusal is.",
            ["tool", "kind"], registry=self._registry,
        )  # fmt: skip
        seconds = Histogram(
            "groundwire_call_seconds", "Seconds that calls took.", ["tool"], buckets=_SECONDS,
            registry=self._registry,
        )  # fmt: skip
        self._running = Gauge(
            "groundwire_calls_running", "Calls that run now.", registry=self._registry
        )
        self._checks = Gauge(
            "groundwire_ready", "1 for what answered when it was looked at, else 0.",
            ["check"], registry=self._registry,
        )  # fmt: skip
        self._by_tool = {tool: (calls.labels(tool), seconds.labels(tool)) for tool in sorted(tools)}
        self._registry.register(_OfToolsets(toolsets))

    def began(self) -> None:
        """Count a call that begins."""
        self._running.inc()

    def ended(self, tool: str, kind: str, seconds: float) -> None:
        """Count a call that has ended."""
        self._running.dec()
        answered, took = self._by_tool[tool]
        took.observe(seconds)
        if kind:
            self._refusals.labels(tool, kind).inc()
        else:
            answered.inc()

    def checked(self, check: str, ok: bool) -> None:
        """Take note of whether a store or an endpoint answered."""
        self._checks.labels(check).set(ok)

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self._registry)


@dataclass
class _Family:
    help: str
    gauge: bool
    samples: list[Sample] = field(default_factory=list[Sample])


class _OfToolsets(Collector):
    """The figures that toolsets have, and the worker processes, read when they are asked for."""

    def __init__(self, toolsets: Sequence[Toolset]) -> None:
        self._toolsets = toolsets

    def collect(self) -> Iterator[Any]:
        """Yield every figure, those of one name together."""
        families: dict[str, _Family] = {}
        for toolset in self._toolsets:
            for one in toolset.samples():
                families.setdefault(one.name, _Family(one.help, one.gauge)).samples.append(one)
        for name, family in families.items():
            labels = list(family.samples[0].labels)
            kind = GaugeMetricFamily if family.gauge else CounterMetricFamily
            made = kind(f"groundwire_{name}", family.help, labels=labels)
            for one in family.samples:
                made.add_metric(list(one.labels.values()), one.value)
            yield made
        workers = _children()
        if workers is not None:
            yield GaugeMetricFamily(
                "groundwire_worker_processes", "Child processes of the server.", value=workers
            )


def _children() -> int | None:
    """Return how many child processes there are, or None where the system does not tell."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        tasks = list(Path(f"/proc/{os.getpid()}/task").iterdir())
        return sum(len((task / "children").read_text("ascii").split()) for task in tasks)
    except OSError:
        return None
