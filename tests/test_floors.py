"""The floors of the house: who may import whom."""

from __future__ import annotations

import re
from pathlib import Path

from tests.import_graph import ROOT, imported_names

# From the ground up. A room may import rooms of lower floors, and its own modules.
FLOORS: list[set[str]] = [
    {"errors", "problems"},
    {"postgres_url", "safe_text"},
    {"config", "private_files", "process_lock"},
    {"statefile", "variables"},
    {"apps", "state"},
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


def test_a_module_imports_only_floors_below() -> None:
    faults: list[str] = []
    for found, path in modules():
        room = "cli" if found == "__main__" else found
        if room == "__init__" and path.parent == ROOT / "src/groundwire":
            continue
        if room not in LEVEL:
            faults.append(f"{path} is in no room of the house: add it to FLOORS")
            continue
        for other in rooms(imported_names(path.read_text("utf-8"))) - {room}:
            if other not in LEVEL:
                faults.append(f"{path} imports groundwire.{other}, which is in no room")
            elif LEVEL[other] >= LEVEL[room]:
                faults.append(f"{path} ({room}) imports {other}, not a floor below")
    assert faults == []


def test_protocol_and_models_stay_on_their_floors() -> None:
    faults: list[str] = []
    for room, path in modules():
        heads = {name.split(".")[0] for name in imported_names(path.read_text("utf-8"))}
        above = room in {"serving", "agents", "servers", "cli", "__main__"}
        if not above and heads & {"mcp", "mcp_types"}:
            faults.append(f"{path}: the protocol lives in serving and above")
        if room != "agents" and "anthropic" in heads:
            faults.append(f"{path}: models live in agents")
    assert faults == []


def test_the_levels_tell_domains_apart() -> None:
    assert len({LEVEL[domain] for domain in DOMAINS}) == 1


def test_imports_are_absolute() -> None:
    relative = [
        str(path.relative_to(ROOT))
        for _, path in modules()
        if re.search(r"^\s*from \.", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert relative == []
