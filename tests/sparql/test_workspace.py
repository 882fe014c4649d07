"""A registry that is opened when it is first asked, and read anew when it changes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from groundwire.errors import ConfigurationError
from groundwire.sparql import workspace
from groundwire.sparql.commands import config_text, help_text
from groundwire.sparql.opening import Supplies
from groundwire.sparql.workspace import Workspace

pytestmark = pytest.mark.anyio

ONE = 'default_endpoint = "one"\n[[endpoints]]\nname = "one"\nurl = "local:help"\n'
TWO = ONE + '[[endpoints]]\nname = "two"\nurl = "https://example.org/sparql"\n'


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "endpoints.toml"


@pytest.fixture
async def space(path: Path, tmp_path: Path) -> AsyncIterator[Workspace]:
    opened = Workspace(path, Supplies(tmp_path / "home", (), None))
    yield opened
    await opened.close()


async def test_nothing_is_read_or_written_before_the_first_call(
    path: Path, tmp_path: Path, space: Workspace
) -> None:
    path.write_text(ONE, "utf-8")
    assert (await space.desk()).registry.names == ("one",)
    assert not (tmp_path / "home").exists()


async def test_a_change_is_seen_at_the_next_look_and_not_before(
    path: Path, space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(ONE, "utf-8")
    first = await space.desk()
    path.write_text(TWO, "utf-8")
    assert await space.desk() is first
    monkeypatch.setattr(workspace, "_LOOK_AGAIN_AFTER", 0.0)
    second = await space.desk()
    assert second.registry.names == ("one", "two")
    assert await space.desk() is second


async def test_an_error_stays_until_it_is_mended(
    path: Path, space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "_LOOK_AGAIN_AFTER", 0.0)
    path.write_text(ONE, "utf-8")
    await space.desk()
    for broken, says in (("[[", "is no TOML"), ("", "endpoints is missing"), (None, "cannot be")):
        if broken is None:
            path.unlink()
        else:
            path.write_text(broken, "utf-8")
        for _ in range(2):
            with pytest.raises(ConfigurationError, match=says):
                await space.desk()
    path.write_text(TWO, "utf-8")
    assert (await space.desk()).registry.names == ("one", "two")


async def test_commands_name_the_endpoints_of_now(path: Path, space: Workspace) -> None:
    path.write_text(TWO, "utf-8")
    for text in (await help_text(space), await config_text(space)):
        assert "Endpoints: one (sparql, spasql, graphql), two (" in text
