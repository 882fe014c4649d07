"""The workflows of `packaging/workflows/`, which only the hosting service can run."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "packaging/workflows"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FILES = sorted(FOLDER.glob("*.yml"))


def read(name: str) -> dict[str, Any]:
    # In YAML 1.1 the key `on` is a boolean.
    return yaml.safe_load((FOLDER / name).read_text("utf-8"))


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    return read(path.name)["jobs"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_workflow_may_no_more_than_it_needs(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("# Not run yet") and "secrets." not in text
    assert read(path.name)["permissions"] == {}
    for job in jobs(path).values():
        allowed = job["permissions"]
        assert allowed in ({"contents": "read"}, {"id-token": "write"})
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            # A tag can be moved, a hash cannot; what a caller names is never part of a script.
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", f"a@{'0' * 40}"))
            assert "${{" not in step.get("run", "")
            if "checkout" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_three_systems_and_every_python_are_tested() -> None:
    matrix = jobs(FOLDER / "tests.yml")["tests"]["strategy"]["matrix"]
    assert {one.partition("-")[0] for one in matrix["system"]} == {"ubuntu", "macos", "windows"}
    named = re.findall(r":: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert set(named) <= set(matrix["python"])
    assert f">={matrix['python'][0]}" == PROJECT["requires-python"]
    assert matrix["python"][-1] == "3.14"


def test_what_the_steps_name_is_there() -> None:
    steps = [
        step.get("run", "")
        for path in FILES
        for job in jobs(path).values()
        for step in job["steps"]
    ]
    extras = {one for run in steps for one in re.findall(r"\.\[(\w+)\]", run)}
    assert extras and extras <= set(PROJECT["optional-dependencies"])
    assert ".ci/run" in steps and (ROOT / ".ci/run").is_file()


def test_only_what_was_built_and_tested_is_published_and_by_no_token() -> None:
    release = jobs(FOLDER / "release.yml")
    assert read("release.yml")[True] == {"push": {"tags": ["v*"]}}
    assert release["publish"]["needs"] == "build"
    assert release["publish"]["environment"]["name"] == "pypi"
    assert not any("run" in step for step in release["publish"]["steps"])
    assert any("cyclonedx-py" in step.get("run", "") for step in release["build"]["steps"])
