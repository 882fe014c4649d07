"""The wheel: all of the package, nothing else, and what it needs."""

from __future__ import annotations

import ast
import configparser
import importlib
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = CONFIGURATION["project"]
# Where each part of the package lies in the tree.
FOLDERS = {
    "groundwire": ROOT / "src/groundwire",
    "groundwire/servers": ROOT / "servers",
    "groundwire/shapes": ROOT / "shapes",
    "groundwire/profiles": ROOT / "profiles",
}
SOURCES = ("src", "servers", "shapes", "profiles", "pyproject.toml", "README.md", "LICENSE")


def tree() -> dict[str, Path]:
    """What the wheel must hold, by its name there."""
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": path
        for name, folder in FOLDERS.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def modules() -> Iterator[Path]:
    return (path for path in tree().values() if path.suffix == ".py")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """A wheel of a copy of the sources, so that no build folder is left in the tree or read."""
    folder = tmp_path_factory.mktemp("wheel")
    skip = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=skip)
        else:
            shutil.copy(source, folder / name)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "out", "."],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "Deprecat" not in done.stdout + done.stderr
    with zipfile.ZipFile(next((folder / "out").glob("*.whl"))) as archive:
        yield archive


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == set(tree())


def test_files_in_the_wheel_are_those_of_the_tree(wheel: zipfile.ZipFile) -> None:
    for name, path in tree().items():
        assert wheel.read(name) == path.read_bytes(), name


def test_the_wheel_carries_licence_readme_and_version(wheel: zipfile.ZipFile) -> None:
    info = next(name for name in wheel.namelist() if name.endswith("/METADATA"))
    metadata = wheel.read(info).decode()
    assert f"\nVersion: {PROJECT['version']}\n" in metadata
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert metadata.partition("\n\n")[2].strip() == (ROOT / "README.md").read_text("utf-8").strip()
    licence = info.replace("METADATA", "licenses/LICENSE")
    assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_console_scripts_are_functions_of_the_package(wheel: zipfile.ZipFile) -> None:
    info = next(name for name in wheel.namelist() if name.endswith("/entry_points.txt"))
    points = configparser.ConfigParser()
    points.read_string(wheel.read(info).decode())
    scripts = dict(points["console_scripts"])
    assert scripts == PROJECT["scripts"]
    assert {"groundwire", "groundwire-ontology"} <= set(scripts)
    for target in scripts.values():
        module, _, function = target.partition(":")
        assert callable(getattr(importlib.import_module(module), function))


def test_every_package_is_listed_and_has_a_file_of_its_own() -> None:
    listed = CONFIGURATION["tool"]["setuptools"]["packages"]
    found = {path.rpartition("/")[0].replace("/", ".") for path in tree() if path.endswith(".py")}
    assert sorted(found) == listed
    for name, folder in FOLDERS.items():
        assert (folder / "__init__.py").is_file(), f"{name}: a mapped folder needs an __init__.py"


def test_every_package_is_imported_from_where_it_lies() -> None:
    """In a checkout and an editable install from the tree, else from the installed wheel."""
    for name in CONFIGURATION["tool"]["setuptools"]["packages"]:
        module = importlib.import_module(name)
        assert module.__file__ is not None
        assert Path(module.__file__).name == "__init__.py"


def normal(requirement: str) -> str:
    """The name that a requirement begins with, as package indexes compare names."""
    name = re.match(r"[\w.-]+", requirement)
    assert name is not None, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def with_what_they_bring(requirements: list[str]) -> set[str]:
    """Names of distributions and of those that they require: mcp brings mcp-types."""
    names = {normal(one) for one in with_extras(requirements)} - {PROJECT["name"]}
    return names | {
        normal(requirement)
        for name in names
        for requirement in requires(name) or ()
        if "extra ==" not in requirement
    }


def with_extras(requirements: list[str]) -> Iterator[str]:
    """Requirements, and in place of an extra of this project what the extra lists."""
    for requirement in requirements:
        own = re.fullmatch(rf"{PROJECT['name']}\[([\w,-]+)\]", requirement)
        if own:
            for extra in own[1].split(","):
                yield from with_extras(PROJECT["optional-dependencies"][extra])
        else:
            yield requirement


class Needed(NamedTuple):
    """What is imported from elsewhere, each with a module that does so.

    Attributes:
        always: top-level names that are imported with their module.
        later: those that a function imports when it runs, or a type checker alone.
    """

    always: dict[str, Path]
    later: dict[str, Path]


def imported(paths: Iterable[Path]) -> Needed:
    needed = Needed({}, {})
    for path in paths:
        for node, is_later in _imports(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                names = [node.module or ""]
            found = needed.later if is_later else needed.always
            found.update((name.partition(".")[0], path) for name in names)
    known = sys.stdlib_module_names | {"groundwire", "tests"}
    for found in needed:
        for name, path in list(found.items()):
            # A script finds the modules that lie beside it, a test those of the folders above too.
            near = any((folder / f"{name}.py").is_file() for folder in _folders(path))
            if name in known or near:
                del found[name]
    return needed


def _imports(
    parent: ast.AST, later: bool = False
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports below a node, each with whether it waits for a call or for a type checker."""
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, later
        elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            waits = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
                isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            )
            yield from _imports(node, later or waits)


def _folders(path: Path) -> list[Path]:
    """The folder of a module and, of a test, those above it below `tests`."""
    tests = ROOT / "tests"
    above = [folder for folder in path.parents if folder != tests and tests in folder.parents]
    return above or [path.parent]


def extras() -> list[str]:
    """What users may install beside the dependencies: pictures, readers of files, a driver."""
    offered = PROJECT["optional-dependencies"]
    return [one for name in ("charts", "import", "learning", "postgres") for one in offered[name]]


def undeclared(found: dict[str, Path], requirements: list[str]) -> dict[str, str]:
    """Names that no requirement brings, each with a module that imports it."""
    declared = with_what_they_bring(requirements)
    distributions = packages_distributions()
    return {
        name: path.name
        for name, path in found.items()
        if not {normal(owner) for owner in distributions.get(name, [name])} & declared
    }


def test_what_the_package_imports_is_declared() -> None:
    """An extra may not be there: only a function that needs it may import what it brings."""
    found = imported(modules())
    extra = extras()
    assert {"mcp", "pydantic"} <= set(found.always)
    assert "duckdb" in found.later
    assert undeclared(found.always, PROJECT["dependencies"]) == {}
    assert undeclared(found.later, PROJECT["dependencies"] + extra) == {}


# Hosts and consumers run in an environment of their own, which the tests of interop install.
HOSTS = ("host_", "consumers", "langchain_model")

# What evals and benchmarks compare with where it is installed, and leave out where it is not.
COMPARED = {
    "anki",
    # 0.5 GB: tests that need it are skipped without it.
    "chdb",
    "genanki",
    "metricflow",
    "metricflow_semantic_interfaces",
    "metricflow_semantics",
}


def test_what_tests_import_is_declared() -> None:
    paths = list((ROOT / "tests").rglob("*.py"))
    found = imported(path for path in paths if not path.name.startswith(HOSTS))
    requirements = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]
    assert "pytest" in found.always
    # Tests of a server may use what stands by those of its domain, such as a replayed service.
    missing = undeclared(found.always | found.later, requirements)
    assert missing.keys() - {path.stem for path in paths} - COMPARED == set()


def test_an_import_that_nothing_declares_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "import psycopg\nimport scipy.linalg\n\n\ndef read():\n    import openpyxl, pandas\n",
        "utf-8",
    )
    found = imported([module])
    assert set(undeclared(found.always, PROJECT["dependencies"])) == {"psycopg", "scipy"}
    assert set(undeclared(found.later, PROJECT["dependencies"] + extras())) == {"pandas"}


def test_dependencies_are_bounded() -> None:
    """An open upper bound let a major release break many servers in one night."""
    for requirement in PROJECT["dependencies"]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+,<[\d.]+", requirement), requirement
