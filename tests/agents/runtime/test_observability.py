"""Logs, metrics and spans."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_bench import Bench, call, calls, context, says

from groundwire.agents.runtime import observability
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.observability import RunLog, is_sampled, structured_logger
from groundwire.evidence.canonical import Redactor

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
LOOK = calls(call("look_up", thing="cars"), text="I look up the cars.")
TRACE = "0af7651916cd43dd8448eb211c80319c"
IDS = {"user_id": "ada", "correlation_id": "c1", "trace_id": TRACE, "run_id": "run_1"}


async def test_everything_that_must_be_logged_is(bench: Bench) -> None:
    await bench.run(LOOK, says("There are 42 cars."), context=context(**IDS))
    events = [line["event"] for line in bench.log.lines]
    assert events == [
        "agent_started",
        "model_called",
        "tool_called",
        "agent_step",
        "model_called",
        "agent_step",
        "agent_finished",
    ]
    for line in bench.log.lines:
        assert line["agent"] == "shelf_agent"
        assert line["agent_version"] == "1.2.3"
        assert {key: line[key] for key in IDS} == IDS
    steps = bench.log.of("agent_step")
    assert [line["step"] for line in steps] == [1, 2]
    assert steps[0]["thought"] == "I look up the cars."
    assert (steps[0]["tool"], steps[0]["input"]) == ("look_up", {"thing": "cars"})
    assert "There are 42 cars." in steps[0]["observation"]
    (called,) = bench.log.of("tool_called")
    assert (called["tool"], called["step"], called["success"]) == ("look_up", 1, True)
    assert called["time_ms"] >= 0 and called["evidence_id"] == "ev_00000001"
    (end,) = bench.log.of("agent_finished")
    assert {"tokens", "cost_usd", "time_ms", "iterations", "success"} <= set(end)


async def test_errors_are_logged_with_their_code(bench: Bench) -> None:
    await bench.run(LLMFailure("away", recoverable=False))
    (line,) = bench.log.of("agent_error")
    assert (line["code"], line["level"]) == ("LLMError", "warning")


async def test_an_internal_error_is_logged_with_its_place_and_no_text(make_bench: Make) -> None:
    class Broken:
        def final(self, *_: object) -> Any:
            raise KeyError("password=hunter2")

    bench = make_bench(guard=Broken())
    output = await bench.run(says("Hello."))
    assert output.error is not None
    assert output.error.code == "InternalError"
    (line,) = bench.log.of("agent_error")
    assert line["error"] == "KeyError"
    assert any("test_observability.py" in frame for frame in line["stack"])
    assert "hunter2" not in json.dumps(bench.log.lines) + output.model_dump_json()


async def test_no_secret_of_the_environment_is_logged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "squirrel-bridge-lamp")
    said = calls(call("remember", text="squirrel-bridge-lamp"), text="squirrel-bridge-lamp")
    await bench.run(said, says("Kept."), question="Is it squirrel-bridge-lamp?")
    assert "squirrel" not in json.dumps(bench.log.lines)
    assert bench.log.of("tool_called")[0]["input"] == {"text": "[redacted]"}


@pytest.mark.parametrize("how", ["configuration", "metadata"])
async def test_privacy_keeps_the_question_out_of_logs_and_trace(make_bench: Make, how: str) -> None:
    question = "How many cars has my neighbour?"
    bench = make_bench(tracing={"private": how == "configuration"})
    output = await bench.run(
        calls(call("remember", text=question), text=f"They ask: {question}"),
        says("Kept."),
        question=question,
        context=context(metadata={"private": how == "metadata"}),
    )
    assert "neighbour" not in json.dumps(bench.log.lines)
    assert "neighbour" not in output.reasoning.model_dump_json()
    assert output.reasoning.steps[0].thought == "They ask: [question]"
    # The tool itself got the words.
    assert bench.shelf.calls == [f"remember {question}"]


async def test_privacy_knows_a_question_in_json_and_those_of_earlier_turns(
    make_bench: Make,
) -> None:
    bench = make_bench(tracing={"private": True})
    question = 'Has "my" neighbour\ncars?'
    earlier = "What is my neighbour called?"
    output = await bench.run(
        calls(call("remember", text=question), text=f"First {earlier}"),
        says("Kept."),
        question=question,
        context=context(turns=[{"question": earlier}]),
    )
    assert "neighbour" not in output.reasoning.model_dump_json()
    assert "neighbour" not in json.dumps(bench.log.lines)


async def test_logs_are_json_lines_on_stderr(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observability, "ROOT", "groundwire.agents.of_a_test")
    logger = structured_logger()
    log = RunLog(logger, "it", "1.0.0", context(**IDS), private=False, redactor=Redactor())
    log.event("agent_step", step=1, texts={"thought": "größer\nso"})
    assert "größer" not in capsys.readouterr().err
    structured_logger(texts=True)
    log.event("agent_step", step=1, texts={"thought": "größer\nso"})
    told = capsys.readouterr()
    assert told.out == ""
    line = json.loads(told.err)
    assert (line["event"], line["step"], line["thought"]) == ("agent_step", 1, "größer\nso")
    assert (line["agent"], line["agent_version"], line["level"]) == ("it", "1.0.0", "info")
    assert {key: line[key] for key in IDS} == IDS
    assert structured_logger() is logger
    assert len(logger.handlers) == 1


def test_levels_that_nobody_reads_cost_nothing() -> None:
    logger = logging.Logger("quiet", logging.ERROR)
    logger.addHandler(logging.StreamHandler(stream := io.StringIO()))
    RunLog(logger, "it", "1.0.0", context(), private=False, redactor=Redactor()).event("agent_step")
    assert stream.getvalue() == ""


async def test_metrics_are_those_of_the_specification(bench: Bench) -> None:
    assert bench.metrics.snapshot()["executions"] == 0
    step = calls(call("look_up", thing="cars"), call("look_up", 2, thing="boats"), cost=0.5)
    await bench.run(step, says("There are 42 cars.", cost=0.5))
    await bench.run(calls(call("who")), LLMFailure("away", recoverable=False))
    assert bench.metrics.snapshot() == {
        "executions": 2,
        "success_rate": 0.5,
        "average_execution_time_ms": 0.0,
        "average_iterations": 2.0,
        "average_steps": 2.0,
        "average_cost_usd": 0.5,
        "total_cost_usd": 1.0,
        "prompt_tokens": 250,
        "completion_tokens": 50,
        "tool_calls": {"look_up": 2, "who": 1},
        "tool_distribution": {"look_up": 2 / 3, "who": 1 / 3},
        "errors": {"LLMError": 1},
        "error_rate": {"LLMError": 0.5},
        "fabrications_stopped": 0,
    }


@pytest.fixture(scope="module")
def exported() -> Iterator[Any]:
    """Receives every span of this process; a provider can be set only once."""
    sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="needs opentelemetry-sdk")
    from opentelemetry import trace
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = trace.get_tracer_provider()
    if not isinstance(provider, sdk.TracerProvider):
        provider = sdk.TracerProvider()
        trace.set_tracer_provider(provider)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()


async def test_spans_have_the_names_of_the_conventions(exported: Any, bench: Bench) -> None:
    exported.clear()
    await bench.run(LOOK, says("There are 42 cars."), context=context(session_id="s1", **IDS))
    spans = {span.name: span for span in exported.get_finished_spans()}
    run = spans["invoke_agent shelf_agent"]
    chat, tool = spans["chat scripted"], spans["execute_tool look_up"]
    served = spans["tools/call look_up"]
    assert dict(run.attributes) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "shelf_agent",
        "gen_ai.agent.version": "1.2.3",
        "gen_ai.request.model": "scripted",
        "gen_ai.conversation.id": "s1",
        "groundwire.run_id": "run_1",
        "groundwire.correlation_id": "c1",
    }
    assert chat.attributes["gen_ai.usage.input_tokens"] == 50
    assert chat.attributes["gen_ai.usage.output_tokens"] == 10
    assert chat.attributes["gen_ai.response.finish_reasons"] == ("end_turn",)
    assert tool.attributes["gen_ai.tool.name"] == "look_up"
    assert tool.attributes["gen_ai.tool.call.id"] == "call_1"
    # The trace is the caller's, and the server's own span is below the call.
    assert {f"{span.context.trace_id:032x}" for span in spans.values()} == {TRACE}
    assert chat.parent.span_id == tool.parent.span_id == run.context.span_id
    assert served.parent.span_id == tool.context.span_id
    assert not any("cars" in str(span.attributes) for span in spans.values())


async def test_spans_tell_failures_by_their_kind(exported: Any, bench: Bench) -> None:
    exported.clear()
    await bench.run(calls(call("who", expected="wrong")), LLMFailure("key=abc", recoverable=False))
    spans = {span.name: span for span in exported.get_finished_spans()}
    kinds = {
        name: span.attributes.get("error.type")
        for name, span in spans.items()
        if not span.name.startswith("tools/")
    }
    assert kinds == {
        "chat scripted": "LLMError",
        "execute_tool who": "ToolExecutionError",
        "invoke_agent shelf_agent": "LLMError",
    }
    assert not any(span.events for span in spans.values())


@pytest.mark.parametrize("tracing", [{"enabled": False}, {"sample_rate": 0.0}])
async def test_runs_that_are_not_sampled_make_no_spans(
    exported: Any, make_bench: Make, tracing: dict[str, Any]
) -> None:
    exported.clear()
    output = await make_bench(tracing=tracing).run(LOOK, says("There are 42 cars."))
    assert output.success
    assert exported.get_finished_spans() == ()


def test_sampling_takes_its_share_and_is_the_same_for_all_parts_of_a_trace() -> None:
    import secrets

    traces = [secrets.token_hex(16) for _ in range(4_000)]
    taken = sum(is_sampled(trace, 0.25) for trace in traces)
    assert 800 < taken < 1_200
    assert all(is_sampled(trace, 1.0) and not is_sampled(trace, 0.0) for trace in traces)
    assert len({is_sampled(TRACE, 0.5) for _ in range(10)}) == 1
    assert is_sampled("no trace id", 1.0)
