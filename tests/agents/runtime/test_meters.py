"""Metrics of runs by OpenTelemetry, as its SDK reads them."""

from __future__ import annotations

from typing import Any

import pytest
from agent_bench import Bench, call, calls, says

from groundwire.agents.runtime import observability
from groundwire.agents.runtime.errors import LLMFailure

sdk = pytest.importorskip("opentelemetry.sdk.metrics", reason="needs the OpenTelemetry SDK")
pytestmark = pytest.mark.anyio


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Reads the points of all metrics, by name."""
    from opentelemetry import metrics
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader

    reader = InMemoryMetricReader()
    provider = sdk.MeterProvider([reader])
    monkeypatch.setattr(metrics, "get_meter", lambda name: provider.get_meter(name))
    made = observability.Meters()
    monkeypatch.setattr(observability, "meters", lambda: made)

    def points() -> dict[str, list[Any]]:
        (resource,) = reader.get_metrics_data().resource_metrics
        (scope,) = resource.scope_metrics
        assert scope.scope.name == observability.METER
        return {one.name: list(one.data.data_points) for one in scope.metrics}

    yield points
    provider.shutdown()


async def test_runs_errors_steps_tokens_cost_and_time_are_measured(bench: Bench, read: Any) -> None:
    await bench.run(calls(call("look_up", thing="cars"), cost=0.5), says("There are 42.", cost=0.5))
    await bench.run(LLMFailure("away", recoverable=False))
    found = read()
    assert sum(one.value for one in found[observability.RUNS]) == 2
    (failed,) = found[observability.ERRORS]
    assert (failed.value, failed.attributes["error.type"]) == (1, "LLMError")
    assert sum(one.value for one in found[observability.COST]) == pytest.approx(1.0)
    assert sum(one.value for one in found[observability.STEPS]) >= 2
    assert sum(one.count for one in found[observability.DURATION]) == 2
    kinds = {one.attributes["gen_ai.token.type"]: one.sum for one in found[observability.TOKENS]}
    assert kinds["input"] > 0 and kinds["output"] > 0
    names = {one.attributes["gen_ai.agent.name"] for one in found[observability.RUNS]}
    assert len(names) == 1


async def test_nothing_is_measured_without_the_sdk(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observability, "find_spec", lambda _: None)
    observability.meters.cache_clear()
    assert observability.meters() is None
    output = await bench.run(calls(call("look_up", thing="cars")), says("There are 42."))
    assert output.success
    observability.meters.cache_clear()
