from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import ConfigurationError
from groundwire.serving import Toolset, build_server, select_tools, tool
from groundwire.serving.toolsets import ToolDeclaration

pytestmark = pytest.mark.anyio
SAMPLE = ["find", "echo", "fail", "sleep", "long", "remember"]


async def offered(bench: Any) -> list[str]:
    return [one.name for one in await bench.server.list_tools()]


async def test_everything_is_offered_in_the_order_of_its_declaration(
    make_bench: Callable[..., Any],
) -> None:
    assert await offered(make_bench()) == [*SAMPLE, "count", "write"]


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"toolsets": ("other",)}, ["count", "write"]),
        ({"toolsets": ("other", "sample")}, [*SAMPLE, "count", "write"]),
        ({"tools": ("count", "find")}, ["find", "count"]),
        ({"tools": ("count",), "toolsets": ("other",)}, ["count"]),
        ({"read_only": True}, [*SAMPLE[:-1], "count"]),
        ({"read_only": True, "tools": ("write", "find")}, ["find"]),
    ],
)
async def test_toolsets_tools_and_read_only_choose(
    make_bench: Callable[..., Any], settings: Any, names: list[str]
) -> None:
    assert await offered(make_bench(**settings)) == names


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"toolsets": ("othr",)}, "there is no toolset 'othr'; did you mean 'other'?"),
        ({"tools": ("fnd",)}, "there is no tool 'fnd'; did you mean 'find'?"),
        ({"tools": ("find",), "toolsets": ("other",)}, "'find' is of toolset 'sample'"),
        ({"tools": ("write",), "read_only": True}, "no tool is left to offer"),
    ],
)
def test_a_wrong_choice_fails_at_start(
    make_bench: Callable[..., Any], settings: Any, line: str
) -> None:
    with pytest.raises(ConfigurationError, match=line.replace("?", r"\?")):
        make_bench(**settings)


async def test_a_hidden_tool_cannot_be_called(make_bench: Callable[..., Any]) -> None:
    bench = make_bench(read_only=True)
    assert "no tool" in await bench.refused("remember", text="x")


def test_toolsets_add_to_a_servers_default_tools(bench: Any) -> None:
    def chosen(**choice: Any) -> list[str]:
        picked = select_tools(toolsets, default=["find"], **choice)
        return [one.name for one in picked]

    toolsets = bench.server.toolsets
    assert chosen() == ["find"]
    assert chosen(toolsets=["other"]) == ["find", "count", "write"]
    assert chosen(names=["echo"]) == ["echo"]


class Base(Toolset):
    name = "base"

    @tool("One", read_only=True, idempotent=True, open_world=False)
    async def one(self) -> Any: ...

    @tool("Two", read_only=True, idempotent=True, open_world=False)
    async def two(self) -> Any: ...


class Derived(Base):
    @tool("Three", read_only=True, idempotent=True, open_world=False)
    async def three(self) -> Any: ...

    @tool("Another one", read_only=True, idempotent=True, open_world=False)
    async def one(self) -> Any: ...


def test_a_derived_toolset_keeps_its_places() -> None:
    found = list(Derived().declarations())
    assert [name for name, _, _ in found] == ["one", "two", "three"]
    declaration = found[0][1]
    assert isinstance(declaration, ToolDeclaration)
    assert declaration.title == "Another one"


def test_one_name_in_two_toolsets_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="two tools are named 'one'"):
        select_tools([Base(), Derived()])


@pytest.mark.parametrize("name", ["", "thirteen_char"])
def test_server_names_are_short(bench: Any, name: str) -> None:
    from pathlib import Path

    from groundwire.config import Settings

    with pytest.raises(TypeError, match="at most 12 characters"):
        build_server(name, [bench.sample], settings=Settings(Path("/x")), handles=bench.handles)
