"""The files of `packaging/` say what the project says."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from groundwire.cli.registry import SERVERS

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MANIFEST = json.loads((PACKAGING / "mcpb/manifest.json").read_text("utf-8"))
ENTRY = json.loads((PACKAGING / "server.json").read_text("utf-8"))
VARIABLES = (ROOT / "docs/variables.md").read_text("utf-8")


def test_every_package_has_the_version_of_the_project() -> None:
    bundle = tomllib.loads((PACKAGING / "mcpb/pyproject.toml").read_text("utf-8"))["project"]
    [package] = ENTRY["packages"]
    version = PROJECT["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == version and citation["license"] == PROJECT["license"]
    assert MANIFEST["version"] == bundle["version"] == ENTRY["version"] == version
    assert bundle["dependencies"] == [f"groundwire=={version}"]
    assert (package["version"], package["identifier"]) == (version, PROJECT["name"])


def test_the_bundle_lists_the_tools_that_are_offered() -> None:
    offered = json.loads((ROOT / "tests/contracts/all.json").read_text("utf-8"))["tools"]
    assert [one["name"] for one in MANIFEST["tools"]] == [one["name"] for one in offered]


def test_the_entry_of_the_registry_keeps_to_its_schema() -> None:
    """Source: server.schema.json of the MCP registry, 2025-09-29."""
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", ENTRY["name"])
    assert 1 <= len(ENTRY["description"]) <= 100
    [package] = ENTRY["packages"]
    known = {
        "registryType", "registryBaseUrl", "identifier", "version", "fileSha256", "runtimeHint",
        "transport", "runtimeArguments", "packageArguments", "environmentVariables",
    }  # fmt: skip
    assert set(package) <= known
    assert package["transport"] == {"type": "stdio"}
    for argument in package["packageArguments"]:
        assert argument["type"] == "positional" and {"value", "valueHint"} & set(argument)
    assert package["packageArguments"][1]["choices"] == list(SERVERS)


def named(tree: Any) -> set[str]:
    return set(re.findall(r"\b(?:GROUNDWIRE|TFL)_[A-Z_]+", json.dumps(tree)))


@pytest.mark.parametrize("tree", [MANIFEST, ENTRY], ids=["bundle", "registry"])
def test_every_variable_is_documented(tree: Any) -> None:
    assert named(tree) and named(tree) <= named(VARIABLES)


def run_health(dockerfile: str, port: int) -> list[str]:
    """The command by which the engine asks for health, asking at another port."""
    found = re.search(r"^HEALTHCHECK .*\\\n\s+CMD (\[.*\])$", dockerfile, re.MULTILINE)
    assert found
    return [one.replace(":8000/", f":{port}/") for one in json.loads(found[1])]


def test_the_health_check_of_the_image_tells_a_server_from_none(tmp_path: Path) -> None:
    text = (PACKAGING / "Dockerfile").read_text("utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    check = [sys.executable, *run_health(text, port)[1:]]
    assert subprocess.run(check, capture_output=True, timeout=60, check=False).returncode
    # As the image starts it, on an address that others reach.
    [start] = re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)
    flags = [one.replace("8000", str(port)) for one in json.loads(start)]
    environment = {
        "GROUNDWIRE_HOME": str(tmp_path),
        "GROUNDWIRE_HTTP_TOKEN": "a token of thirty characters..",
        "PATH": os.environ["PATH"],
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "groundwire", "serve", "all", *flags],
        env=environment, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stderr and any("/mcp" in line for line in server.stderr)
        assert subprocess.run(check, timeout=60, check=False).returncode == 0
    finally:
        server.terminate()
        server.wait(30)
        if server.stderr:
            server.stderr.close()


def test_the_image_runs_without_rights_and_tells_its_health() -> None:
    text = (PACKAGING / "Dockerfile").read_text("utf-8")
    last = text.rpartition("FROM ")[2]
    assert re.search(r"^USER groundwire$", last, re.MULTILINE) and "/health" in last
    assert last.index("USER") < last.index("ENTRYPOINT")
    assert run_health(text, port=8000)[0] == "python"
    assert "GROUNDWIRE_HTTP_TOKEN=" not in last, "no secret is in the image"


def test_the_bundle_is_valid_to_the_tool_that_packs_it() -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("npx is not here")
    command = [npx, "--yes", "@anthropic-ai/mcpb@2.1.2", "validate", "manifest.json"]
    try:
        done = subprocess.run(
            command,
            cwd=PACKAGING / "mcpb",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip("mcpb cannot be fetched")
    if "passes" not in done.stdout and "npm error" in done.stderr:
        pytest.skip("mcpb cannot be fetched")
    assert done.returncode == 0, done.stdout + done.stderr
