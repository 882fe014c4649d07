"""The floors of the house: who may import whom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.import_graph import ROOT, imported_names

# From the ground up. A room may import rooms of lower floors, and its own modules.
FLOORS: list[set[str]] = [
    {"errors", "problems"},
    {"postgres_url", "safe_text"},
    {"config", "private_files"},
    {"scratch", "statefile", "variables"},
    {"answers", "apps", "state"},
    {"quantities"},
    {"vocabulary"},
    {"language"},
    {"evidence"},
    {"textindex"},
    {"transport"},
    {"graph"},
    {"documents"},
    {"tables"},
    {"ontology", "metrics", "sparql", "journeys", "learning"},
    {"serving"},
    {"agents"},
    {"shapes", "profiles"},
    {"servers"},
    {"cli"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
DOMAINS = {"ontology", "metrics", "sparql", "journeys", "learning"}
# Data packages hold no code, so they are found by whoever composes a server.
DATA = {"shapes", "profiles"}


def modules() -> list[tuple[str, Path]]:
    found = [
        (path.relative_to(ROOT / "src/groundwire").parts[0], path)
        for path in (ROOT / "src/groundwire").rglob("*.py")
    ]
    found += [("servers", path) for path in (ROOT / "servers").rglob("*.py")]
    return [(room.removesuffix(".py"), path) for room, path in found]


def rooms(names: set[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("groundwire.")}


@pytest.mark.parametrize(("room", "path"), modules(), ids=lambda value: str(value)[-60:])
def test_a_module_imports_only_floors_below(room: str, path: Path) -> None:
    if room == "__init__" and path.parent == ROOT / "src/groundwire":
        return
    if room == "__main__":
        room = "cli"
    assert room in LEVEL, f"{path} is in no room of the house: add it to FLOORS"
    for other in rooms(imported_names(path.read_text("utf-8"))) - {room}:
        assert other in LEVEL, f"{path} imports groundwire.{other}, which is in no room"
        assert LEVEL[other] < LEVEL[room], f"{path} ({room}) imports {other}, not a floor below"


@pytest.mark.parametrize(("room", "path"), modules(), ids=lambda value: str(value)[-60:])
def test_protocol_and_models_stay_on_their_floors(room: str, path: Path) -> None:
    heads = {name.split(".")[0] for name in imported_names(path.read_text("utf-8"))}
    if room not in {"serving", "agents", "servers", "cli", "__main__"}:
        assert not heads & {"mcp", "mcp_types"}, f"{path}: the protocol lives in serving and above"
    if room != "agents":
        assert "anthropic" not in heads, f"{path}: models live in agents"


def test_the_levels_tell_domains_apart() -> None:
    assert len({LEVEL[domain] for domain in DOMAINS}) == 1


def test_imports_are_absolute() -> None:
    relative = [
        str(path.relative_to(ROOT))
        for _, path in modules()
        if re.search(r"^\s*from \.", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert relative == []
