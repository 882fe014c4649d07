"""Servers on a home that cannot be written, or is full: what needs no writing is answered."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from small_disks import mount, mounted_disk

from groundwire.cli.registry import SERVERS, build
from groundwire.config import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted_disk(tmp_path, "40m", lazily=True) as disk:
        yield disk


@pytest.fixture
def impossible(tmp_path: Path) -> Path:
    """A home that nobody can make, whoever runs the tests."""
    (tmp_path / "file").write_text("in the way")
    return tmp_path / "file" / "home"


@pytest.fixture
def read_only(small_disk: Path) -> Path:
    """A disk that nothing was ever written to."""
    mount(small_disk, "-o", "remount,ro")
    return small_disk / "home"


@pytest.fixture
def full(small_disk: Path) -> Path:
    """A disk without a free byte."""
    with (small_disk / "ballast").open("wb", buffering=0) as ballast:
        try:
            while ballast.write(bytes(1 << 16)):
                pass
        except OSError:
            pass
    (small_disk / "home").mkdir()
    return small_disk / "home"


async def first_calls(server: str, home: Path) -> list[dict[str, Any]]:
    """The answers to the first two calls of a server's demo that change nothing."""
    script = [
        exchange
        for exchange in import_module(f"groundwire.cli.demos.{server}").SCRIPT
        if not exchange.tool.startswith("set_")
    ]
    built = build(server, Settings(home=home, tfl_base_url="offline"))
    answers: list[dict[str, Any]] = []
    try:
        async with Client(built) as client:
            # A journey that could not be kept is answered, and no later call finds it.
            for exchange in script[: 1 if server == "journeys" else 2]:
                sent = exchange.arguments
                if callable(sent):
                    sent = sent(answers)
                result = await client.call_tool(exchange.tool, sent)
                assert not result.is_error, result.content
                answers.append(result.structured_content or {})
                assert answers[-1].get("status") not in ("error", "refused"), answers[-1]
    finally:
        await built.aclose()
        built.close()
    return answers


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("disk", ["impossible", "read_only", "full"])
async def test_first_calls_are_answered_where_nothing_can_be_written(
    server: str, disk: str, request: pytest.FixtureRequest
) -> None:
    answers = await first_calls(server, request.getfixturevalue(disk))
    grounded = [one for one in answers if "evidence_id" in one]
    for answer in grounded:
        assert answer["evidence_id"] is None
        assert answer["evidence_error"]
        assert "evidence_seal" not in answer
    assert grounded or server == "agents"


@pytest.mark.parametrize("server", SERVERS)
async def test_a_home_that_became_read_only_is_read(small_disk: Path, server: str) -> None:
    home = small_disk / "home"
    before = await first_calls(server, home)
    mount(small_disk, "-o", "remount,ro")
    after = await first_calls(server, home)
    for one, other in zip(before, after, strict=True):
        if "evidence_id" in one:
            assert other["evidence_id"] is None
            assert "read-only" in other["evidence_error"]
            assert other["answer"] == one["answer"]


async def test_a_kept_plan_is_drawn_and_put_into_a_calendar_on_a_read_only_disk(
    small_disk: Path,
) -> None:
    settings = Settings(home=small_disk / "home", tfl_base_url="offline")
    built = build("journeys", settings)
    try:
        async with Client(built) as client:
            asked = {"starting_point": "Brixton", "destination": "Bank"}
            computed = await client.call_tool("compute_journey_plans", asked)
    finally:
        await built.aclose()
        built.close()
    which = {"journey_id": (computed.structured_content or {})["journey_id"]}
    mount(small_disk, "-o", "remount,ro")
    built = build("journeys", settings)
    try:
        async with Client(built) as client:
            told = await client.call_tool("get_computed_journey_plan", which)
            drawn = await client.call_tool("draw_map_for_plan", which)
            calendar = await client.call_tool("create_ics_file_for_plan", which)
    finally:
        await built.aclose()
        built.close()
    assert "Victoria line" in (told.structured_content or {})["text"]
    assert [part.type for part in drawn.content] == ["text", "image"]
    assert "BEGIN:VEVENT" in (calendar.structured_content or {})["ics"]
    for result in (drawn, calendar):
        answer = result.structured_content or {}
        assert "path" not in answer
        assert "Read-only file system" in answer["path_error"]
