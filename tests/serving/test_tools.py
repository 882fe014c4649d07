from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import ResourceTemplateReference
from pydantic import BaseModel

from groundwire.config import Settings
from groundwire.errors import UnavailableError
from groundwire.serving import Toolset, build_server, tool
from groundwire.serving.fitting import RESULT_CHARACTERS

pytestmark = pytest.mark.anyio


class Waited(BaseModel):
    answer: str


async def test_text_is_the_structured_content(bench: Any, era: str) -> None:
    calls: dict[str, dict[str, Any]] = {
        "find": {"filters": {"country": "DE"}, "limit": 1_000},
        "echo": {"text": "größer 大", "words": ["a"]},
        "fail": {},
        "long": {"size": 90_000},
        "remember": {"text": "x"},
        "count": {},
        "write": {},
    }
    async with bench.client(era) as client:
        for name, arguments in calls.items():
            result = await client.call_tool(name, arguments)
            text = result.content[0].text
            assert json.loads(text) == result.structured_content, name
            assert next(iter(json.loads(text))) == "answer"
            assert text == json.dumps(
                result.structured_content, ensure_ascii=False, separators=(",", ":")
            )
            assert len(text) <= RESULT_CHARACTERS


async def test_results_hold_no_nulls(bench: Any) -> None:
    found = await bench.call("find", filters={}, limit=1)
    assert set(found["items"][0]) == {"name"}
    assert None not in found.values()


async def test_an_answer_from_facts_is_recorded(bench: Any) -> None:
    found = await bench.call("find", filters='{"country": "DE"}', limit="2")
    assert (found["evidence_id"], found["evidence_seal"]) == ("ev_1", "0123456789ab")
    owner, name, arguments, draft = bench.ledger.records[0]
    assert (owner, name) == ("local", "find")
    assert arguments == {"filters": {"country": "DE", "lanes": []}, "limit": 2}
    assert draft.values[0].value == "1000"


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (
            UnavailableError("the disk is full: free some room."),
            "the disk is full: free some room.",
        ),
        (OSError("/secret/path"), "could not be written"),
    ],
)
async def test_what_could_not_be_recorded_says_so(
    bench: Any, era: str, failure: Exception, says: str
) -> None:
    bench.ledger.broken = failure
    async with bench.client(era) as client:
        result = await client.call_tool("find", {"filters": {}})
    found = result.structured_content
    assert json.loads(result.content[0].text) == found
    assert found["answer"] == "1000 things were found."
    assert found["evidence_id"] is None
    assert "evidence_seal" not in found
    assert says in found["evidence_error"]
    assert "/secret" not in found["evidence_error"]


async def test_an_unknown_argument_is_refused_with_the_nearest_name(bench: Any, era: str) -> None:
    async with bench.client(era) as client:
        result = await client.call_tool("find", {"filter": {"country": "DE"}})
    assert result.is_error
    assert result.structured_content is None
    assert result.content[0].text == (
        "no argument `filter`; did you mean `filters`? "
        "arguments are: filters, limit, sort, cursor; "
        "`filters` is missing: send it (What is looked for.)"
    )
    assert bench.ledger.records == []


async def test_every_tool_refuses_an_unknown_argument(bench: Any) -> None:
    for listed in await bench.server.list_tools():
        assert "no argument `bogus`" in await bench.refused(listed.name, bogus=1)


async def test_nested_keys_are_refused_too(bench: Any) -> None:
    line = await bench.refused("find", filters={"inner": {"contry": "DE"}})
    assert line == (
        "no `contry` in `filters.inner`; did you mean `country`? it takes: country, lanes, inner"
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({}, "`filters` is missing: send it (What is looked for.)"),
        ({"filters": []}, "`filters` must be an object; got []"),
        ({"filters": {}, "limit": "many"}, '`limit` must be a whole number; got "many"'),
        ({"filters": {}, "limit": 1.5}, "`limit` must be a whole number; got 1.5"),
        ({"filters": {}, "limit": 0}, "`limit` must be at least 1; got 0"),
        (
            {"filters": {}, "sort": "by_nam"},
            '`sort` must be one of by_name, by_size; got "by_nam"; did you mean `by_name`?',
        ),
        (
            {"filters": {"lanes": "two, three"}},
            '`filters.lanes` must be a list, such as ["a", "b"]; got "two, three"',
        ),
        (
            {"filters": {"lanes": [1, "two"]}},
            '`filters.lanes[1]` must be a whole number; got "two"',
        ),
    ],
)
async def test_a_refusal_says_what_to_send(bench: Any, arguments: Any, line: str) -> None:
    assert await bench.refused("find", **arguments) == line


async def test_many_problems_stay_one_short_line(bench: Any) -> None:
    line = await bench.refused("find", **{f"bogus_{number}": number for number in range(50)})
    assert line.endswith("; and 46 more")
    assert len(line) < 1_000


async def test_hostile_argument_names_are_shown_short_and_escaped(bench: Any) -> None:
    line = await bench.refused("echo", **{"x" * 5_000 + "\x00": 1}, text="\x1b[31m")
    assert len(line) < 300
    assert "\x00" not in line
    line = await bench.refused("echo", number="\x1b[31m\r\nred")
    assert "\x1b" not in line


@pytest.mark.parametrize(
    ("sent", "arrived"),
    [
        ({"words": '["a", "b"]'}, {"words": ["a", "b"]}),
        ({"words": "a"}, {"words": ["a"]}),
        ({"number": "20"}, {"number": 20}),
        ({"flag": "true"}, {"flag": True}),
        ({"mapping": '{"a": 1}'}, {"mapping": {"a": 1}}),
        ({"words": "", "number": "null", "text": "null", "mapping": None}, {}),
        ({"text": "none"}, {"text": "none"}),
        ({"operator": "="}, {"operator": "eq"}),
        ({"operator": "equals"}, {"operator": "eq"}),
        ({"endpoint_url": "here"}, {"endpoint": "here"}),
        ({"endpoint": "here"}, {"endpoint": "here"}),
    ],
)
async def test_what_hosts_send_is_understood(bench: Any, sent: Any, arrived: Any) -> None:
    echoed = (await bench.call("echo", **sent))["values"]
    absent = {"flag": False, "operator": "eq", "endpoint": "default"}
    assert echoed == {**absent, **arrived}


async def test_one_argument_under_two_names_is_refused(bench: Any) -> None:
    line = await bench.refused("echo", endpoint="a", endpoint_url="b")
    assert line == "`endpoint` was sent twice, under two names: send it once."


async def test_expected_failures_are_one_line(bench: Any, era: str) -> None:
    async with bench.client(era) as client:
        result = await client.call_tool("fail", {"how": "expected"})
    assert result.is_error
    assert result.content[0].text == "there is no such thing: send another."


async def test_unexpected_failures_leak_nothing(
    bench: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        line = await bench.refused("fail", how="unexpected")
    assert "hunter2" not in line and "/secret" not in line
    reference = line.partition("reference ")[2][:8]
    assert reference in caplog.text
    assert "RuntimeError: password=hunter2" in caplog.text


async def test_a_tool_that_takes_too_long_is_stopped(bench: Any, era: str) -> None:
    async with bench.client(era) as client:
        with anyio.fail_after(30):
            result = await client.call_tool("sleep", {})
    assert result.is_error
    assert "did not end within 0.2 s" in result.content[0].text
    assert bench.sample.cancelled


class Patient(Toolset):
    name = "patient"
    instructions = "Wait."

    def __init__(self) -> None:
        self.started, self.may_end, self.cancelled = anyio.Event(), anyio.Event(), anyio.Event()

    @tool("Wait", read_only=True, idempotent=True, open_world=False, timeout=600.0)
    async def wait(self) -> Waited:
        """Wait until it is told to go on."""
        self.started.set()
        try:
            await self.may_end.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled.set()
            raise
        return Waited(answer="Waited.")

    @tool("Look", read_only=True, idempotent=True, open_world=False)
    async def look(self) -> Waited:
        """Answer at once."""
        return Waited(answer="Seen.")


@pytest.fixture
async def patient(bench: Any) -> AsyncIterator[tuple[Patient, Client]]:
    """A toolset whose calls wait for the test, and a client of its server."""
    toolset = Patient()
    settings = Settings(home=Path("/nowhere"))
    server = build_server(
        "patient", [toolset], settings=settings, handles=bench.handles, ledger=bench.ledger
    )
    async with Client(server) as client:
        yield toolset, client


async def test_a_call_that_is_given_up_is_cancelled(patient: tuple[Patient, Client]) -> None:
    toolset, client = patient
    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "wait", {})
            await toolset.started.wait()
            tasks.cancel_scope.cancel()
        await toolset.cancelled.wait()


async def test_an_unknown_tool_is_refused_with_the_nearest(bench: Any) -> None:
    line = await bench.refused("fnd")
    assert line.startswith('no tool "fnd"; did you mean `find`? tools are: find, echo, ')


async def test_the_context_reaches_a_body_that_asks_for_it(bench: Any) -> None:
    schema = next(one for one in await bench.server.list_tools() if one.name == "remember")
    assert set(schema.input_schema["properties"]) == {"text"}
    assert (await bench.call("remember", text="x"))["text"] == "x True"


async def test_a_context_cannot_be_smuggled_in(bench: Any) -> None:
    assert "no argument `context`" in await bench.refused("remember", text="x", context={})


async def test_annotations_are_published(bench: Any) -> None:
    listed = {one.name: one.annotations for one in await bench.server.list_tools()}
    assert listed["find"].read_only_hint is True
    assert listed["find"].open_world_hint is False
    assert listed["remember"].read_only_hint is False
    assert listed["remember"].idempotent_hint is False


async def test_prompts_resources_and_completions(bench: Any, era: str) -> None:
    async with bench.client(era) as client:
        listed = await client.list_prompts()
        assert [one.name for one in listed.prompts] == ["how-to"]
        shown = await client.get_prompt("how-to", {"subject": "cars"})
        assert shown.messages[0].content.text == "Look up cars."
        with pytest.raises(Exception, match="there is no subject boats: ask for cars"):
            await client.get_prompt("how-to", {"subject": "boats"})
        templates = await client.list_resource_templates()
        assert templates.resource_templates[0].uri_template == "sample://{subject}"
        completed = await client.complete(
            ResourceTemplateReference(type="ref/resource", uri="sample://{subject}"),
            {"name": "subject", "value": "ca"},
        )
        assert completed.completion.values == ["cars"]
        read = await client.read_resource("sample://cars")
        assert read.contents[0].text == "Cars have lanes."
        with pytest.raises(Exception, match="there is no subject boats: ask"):
            await client.read_resource("sample://boats")
        with pytest.raises(Exception, match="the shelf is locked"):
            await client.read_resource("sample://down")


async def test_lists_are_stable_and_may_be_cached(bench: Any) -> None:
    async with bench.client() as client:
        first, second = await client.list_tools(), await client.list_tools()
    names = [one.name for one in first.tools]
    assert names == [one.name for one in second.tools]
    assert names[:3] == ["find", "echo", "fail"]
    assert first.ttl_ms and first.ttl_ms > 0
    assert first.cache_scope == "public"


async def test_no_change_of_lists_is_promised(bench: Any, era: str) -> None:
    async with bench.client(era) as client:
        capabilities = client.server_capabilities
    assert not capabilities.tools.list_changed
    assert not capabilities.resources.subscribe


def test_instructions_come_from_what_is_offered(make_bench: Callable[..., Any]) -> None:
    assert make_bench().server.instructions == "Look things up in the sample.\n\nOther things."
    assert make_bench(toolsets=("other",)).server.instructions == "Other things."


async def test_concurrent_calls_do_not_wait_for_each_other(patient: tuple[Patient, Client]) -> None:
    toolset, client = patient
    answers: list[dict[str, Any] | None] = []

    async def call(name: str) -> None:
        answers.append((await client.call_tool(name, {})).structured_content)

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, "wait")
            await toolset.started.wait()
            await call("look")
            toolset.may_end.set()
    assert answers == [{"answer": "Seen."}, {"answer": "Waited."}]
