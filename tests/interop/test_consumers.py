"""What hosts make of every definition before a model sees it: which are refused, and why.

Strict mode of openai-agents has no objects with names of the caller's choice (filters by the names
of a catalogue's fields), and takes a tool without arguments for one. That is its limit; it serves
such a tool without strict mode, as it serves all unless asked otherwise.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from host_installs import CannotInstall, install_peers, install_python_hosts

pytestmark = pytest.mark.interop
CONTRACTS = Path(__file__).parents[1] / "contracts"


def handed(install: Callable[[], Path], scratch: Path) -> dict[str, dict[str, str]]:
    """What each consumer of an environment said of each tool; empty where it took it."""
    try:
        installed = install()
    except CannotInstall as reason:
        pytest.skip(f"not installed: {reason}")
    seen = scratch / "seen.json"
    program = str(Path(__file__).with_name("consumers.py"))
    command = [str(installed / "venv/bin/python"), program, str(CONTRACTS), str(seen)]
    subprocess.run(command, check=True, timeout=120)
    return json.loads(seen.read_text("utf-8"))


def is_open(schema: Any) -> bool:
    """Whether a schema has an object whose names are not all told."""
    if isinstance(schema, list):
        return any(map(is_open, schema))
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "object" and not schema.get("properties"):
        return True
    return any(map(is_open, schema.values()))


def open_tools() -> set[str]:
    return {
        f"{path.stem}.{tool['name']}"
        for path in CONTRACTS.glob("*.json")
        for tool in json.loads(path.read_text("utf-8"))["tools"]
        if is_open(tool["inputSchema"])
    }


def test_strict_mode_takes_every_tool_whose_arguments_all_have_names(tmp_path: Path) -> None:
    said = handed(install_python_hosts, tmp_path)["openai-agents strict"]
    assert {tool for tool, why in said.items() if why} == open_tools()
    assert len(said) > 50
    assert all("permits undeclared properties" in why for why in said.values() if why)


def test_gemini_takes_every_tool(tmp_path: Path) -> None:
    found = handed(install_peers, tmp_path)
    assert set(found) == {"google-genai", "Gemini schema"}
    for said in found.values():
        assert {tool: why for tool, why in said.items() if why} == {}
