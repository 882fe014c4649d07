"""Misspelt variables and paths where nothing is are told; every variable is known and explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import groundwire
from groundwire.config import Settings, load_settings
from groundwire.variables import PREFIX, VARIABLES, oddities

SOURCE = Path(groundwire.__file__).parent
DOCS = Path(__file__).parents[1] / "docs" / "variables.md"


def told(tmp_path: Path, **variables: str) -> list[str]:
    environ = {"GROUNDWIRE_HOME": str(tmp_path), **variables}
    return oddities(environ, load_settings(environ))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GROUNDWIRE_PROFIL", ": did you mean GROUNDWIRE_PROFILE?"),
        ("GROUNDWIRE_END_POINTS", ": did you mean GROUNDWIRE_ENDPOINTS?"),
        ("groundwire_tools", ": did you mean GROUNDWIRE_TOOLS?"),
        ("GROUNDWIRE_READONLY", ": did you mean GROUNDWIRE_READ_ONLY?"),
        ("GROUNDWIRE_HTTP_PORT", ": `groundwire serve` takes it as --port."),
        ("GROUNDWIRE_HOST", ": `groundwire serve` takes it as --host."),
        ("GROUNDWIRE_FROBNICATE", "; docs/variables.md has all that are."),
    ],
)
def test_a_misspelt_name_is_told_with_the_nearest(tmp_path: Path, name: str, meant: str) -> None:
    (line,) = told(tmp_path, **{name: "x"})
    assert line == f"{name} is set, and Groundwire has no such variable{meant}"


def test_names_of_others_and_right_ones_are_not_told(tmp_path: Path) -> None:
    here = str(tmp_path)
    assert told(tmp_path, PATH="/x", GROUNDWIRE_SHAPES=here, GROUNDWIRE_TEST_DATA="/nowhere") == []


@pytest.mark.parametrize("name", ["SHAPES", "ASSETS", "PROFILE", "MODELS", "ENDPOINTS", "FACTS"])
def test_a_path_where_nothing_is_is_told(tmp_path: Path, name: str) -> None:
    (line,) = told(tmp_path, **{PREFIX + name: str(tmp_path / "nowhere")})
    assert line.startswith(f"{PREFIX}{name} names {tmp_path / 'nowhere'}, ")


def test_urls_and_shipped_registries_are_no_paths(tmp_path: Path) -> None:
    assert told(tmp_path, GROUNDWIRE_ASSETS="https://example.org/sparql") == []
    assert told(tmp_path, GROUNDWIRE_ENDPOINTS="openlink") == []
    assert oddities({}, Settings(home=tmp_path)) == []


def test_every_variable_that_the_source_names_is_known_and_explained() -> None:
    named = {
        name
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r"\bGROUNDWIRE_[A-Z_]*[A-Z]\b", path.read_text("utf-8"))
    }
    assert named <= VARIABLES
    explained = DOCS.read_text("utf-8")
    assert {name for name in VARIABLES if f"`{name}`" not in explained} == set()
