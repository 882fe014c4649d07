"""Questions to graphs of a user's own are answered by what their properties are called."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.sparql.opening import Supplies
from groundwire.sparql.results import WorkflowResult
from groundwire.sparql.running import WorkflowRequest, run_kg_workflow
from groundwire.sparql.runs import Runs
from groundwire.sparql.workspace import Workspace

pytestmark = pytest.mark.anyio

GRAPHS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("own_graphs.toml").read_text("utf-8")
)
ANSWERED = [
    pytest.param(name, question, facts, id=question)
    for name, graph in GRAPHS.items()
    for question, *facts in graph["answered"]
]
OPEN = [
    pytest.param(name, question, id=question)
    for name, graph in GRAPHS.items()
    for question in graph["open"]
]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Workspace]]:
    folder = tmp_path_factory.mktemp("own")
    opened: dict[str, Workspace] = {}
    for name, graph in GRAPHS.items():
        file, registry = folder / f"{name}.ttl", folder / f"{name}.toml"
        file.write_text(graph["graph"], "utf-8")
        registry.write_text(
            'default_endpoint = "own"\n[[endpoints]]\nname = "own"\n'
            f'files = ["{file.as_posix()}"]\n',
            "utf-8",
        )
        opened[name] = Workspace(registry, Supplies(folder / f"{name}-home", (), None))
    yield opened
    for one in opened.values():
        one.close_now()


async def _told(workspace: Workspace, question: str) -> WorkflowResult:
    runs = Runs()
    try:
        return (await run_kg_workflow(workspace, runs, "me", WorkflowRequest(question)))[0]
    finally:
        runs.close()


@pytest.mark.parametrize(("name", "question", "facts"), ANSWERED)
async def test_what_is_stated_is_answered(
    workspaces: dict[str, Workspace], name: str, question: str, facts: list[str]
) -> None:
    found = await _told(workspaces[name], question)
    assert found.status == "answered", found.answer
    assert [one for one in facts if one not in found.answer] == [], found.answer
    # Nothing else that the graph holds is in the answer.
    said = found.answer
    for one in sorted((*facts, *question.split()), key=len, reverse=True):
        said = said.replace(one, "")
    named = {label for label in _labels(name) if label in said and label not in question}
    assert named == set(), found.answer


@pytest.mark.parametrize(("name", "question"), OPEN)
async def test_what_is_not_stated_or_not_understood_is_not(
    workspaces: dict[str, Workspace], name: str, question: str
) -> None:
    found = await _told(workspaces[name], question)
    assert found.status != "answered", found.answer


def _labels(name: str) -> set[str]:
    """Return the labels of the entities of a graph: those with a class."""
    lines = GRAPHS[name]["graph"].splitlines()
    stated = (line for line in lines if " a :" in line)
    return {line.partition('rdfs:label "')[2].partition('"')[0] for line in stated}
