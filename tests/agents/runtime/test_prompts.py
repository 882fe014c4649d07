"""Prompts: versions, strictness, and what a system prompt holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from agent_bench import Bench, call, calls, context, says, text_model

from groundwire.agents.runtime.prompts import THIS_RUN, PromptStore
from groundwire.errors import ConfigurationError

Make = Callable[..., Bench]


def store(folder: Path, *texts: str) -> PromptStore:
    for at, text in enumerate(texts):
        name = f"prompt-{at}.md" if at else "prompt.md"
        (folder / name).write_text(text, "utf-8")
    return PromptStore({"it": folder})


def test_versions_are_what_the_files_say(tmp_path: Path) -> None:
    prompts = store(
        tmp_path,
        "---\nversion: 1.10.0\n---\nNew for {{ name }}.",
        "---\nversion: 1.9.0\n---\nOld for {{ name }}.",
    )
    assert prompts.versions("it") == ("1.9.0", "1.10.0")
    assert prompts.render("it", "1.9.0", {"name": "Ada"}) == "Old for Ada.\n"


def test_what_a_user_says_is_never_a_template(tmp_path: Path) -> None:
    prompts = store(tmp_path, "---\nversion: 1.0.0\n---\n{{ task }}")
    task = "{{ 7 * 7 }} {% for x in y %} <b> & 'c'"
    assert prompts.render("it", "1.0.0", {"task": task}) == task + "\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{ missing }}", "'missing' is undefined"),
        ("{{ ''.__class__.__mro__ }}", "cannot be rendered"),
        ("{% if %}", "cannot be rendered"),
    ],
)
def test_a_template_is_strict_and_sandboxed(tmp_path: Path, text: str, told: str) -> None:
    prompts = store(tmp_path, f"---\nversion: 1.0.0\n---\n{text}")
    with pytest.raises(ConfigurationError, match=told):
        prompts.render("it", "1.0.0", {})


def test_absent_prompts_and_versions_are_named(tmp_path: Path) -> None:
    prompts = store(tmp_path, "---\nversion: 1.0.0\n---\nx")
    with pytest.raises(ConfigurationError, match=r"no version 2\.0\.0.*one of 1\.0\.0"):
        prompts.render("it", "2.0.0", {})
    with pytest.raises(ConfigurationError, match="no prompt other; prompts are: it"):
        prompts.render("other", "1.0.0", {})
    with pytest.raises(ConfigurationError, match="does not begin with its version"):
        store(tmp_path, "no version").versions("it")


@pytest.mark.anyio
async def test_build_system_prompt_has_everything_the_specification_names(bench: Bench) -> None:
    await bench.run(
        says("Hello."),
        question="How many cars are there?",
        reference_date="2026-11-20",
        context=context(budget={"max_cost_usd": 0.5, "max_time_ms": 9_000}),
    )
    system = bench.model.requests[0].system
    parts = [
        "You are a keeper of a shelf.",
        "- counting things",
        "Look things up on the shelf.",
        "- look_up: How many of a thing there are.\n  Parameters: thing, year?\n  Example: {",
        "Call tools where you need them",
        "# Examples\n\nQuestion: How many cars?",
        "At most 10 rounds and 9 seconds.",
        "At most 0.5 US dollars",
        "Today is 2026-11-20.",
        "Task: How many cars are there?",
    ]
    positions = [system.index(part) for part in parts]
    assert positions == sorted(positions)
    # What can be cached comes first, what differs by run comes last.
    stable, _, varying = system.partition(THIS_RUN)
    assert "cars are there" not in stable
    assert "9 seconds" in varying


@pytest.mark.anyio
async def test_build_system_prompt_tells_text_models_the_form_and_the_parameters(
    bench: Bench,
) -> None:
    await bench.run(model=(model := text_model("Final Answer: Hello.")))
    system = model.requests[0].system
    assert "Action Input: its arguments as one JSON object" in system
    assert "Final Answer: the answer" in system
    assert "    thing (string, required)" in system
    assert 'Example: {"thing":"<thing>"}' in system


@pytest.mark.anyio
async def test_few_shot_examples_are_left_out_where_configured(make_bench: Make) -> None:
    bench = make_bench(prompts={"few_shot_examples": False})
    await bench.run(says("Hello."))
    assert "Examples" not in bench.model.requests[0].system


@pytest.mark.anyio
async def test_the_system_prompt_stays_the_same_through_a_run(bench: Bench) -> None:
    def later(request: object) -> object:
        bench.time.seconds += 2
        return calls(call("look_up", thing="cars"))

    await bench.run(later, says("There are 42 cars."))
    first, second = bench.model.requests
    assert first.system is second.system


@pytest.mark.anyio
async def test_an_absent_version_is_an_error_of_the_run(make_bench: Make) -> None:
    bench = make_bench(prompts={"system_prompt_version": "9.0.0"})
    output = await bench.run(says("never"))
    assert output.error is not None
    assert output.error.code == "ValidationError"
    assert "no version 9.0.0" in output.error.message
