"""The import graph of the project, read from its source: nothing is imported for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "servers", "profiles", "shapes", "tests")
_IMPORT = re.compile(
    r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n(]*)|import ([\w., \t]+))", re.MULTILINE
)


def module_name(path: Path) -> str:
    """The dotted name under which a file of the checkout is imported."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[0] == "src":
        parts = parts[1:]
    elif parts[0] != "tests":
        parts = ["groundwire", *parts]
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


@lru_cache(maxsize=1)
def modules() -> Mapping[str, Path]:
    """Every Python file of the project by its dotted name."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {module_name(path): path for path in sorted(found)}


def imported_names(source: str) -> set[str]:
    """Dotted names of everything that a text imports, at module level or inside functions."""
    names: set[str] = set()
    for module, listed, plain in _IMPORT.findall(source):
        if plain:
            names |= {name.split(" as ")[0].strip() for name in plain.split(",")}
        else:
            words = re.sub(r"#.*|[()\\]", "", listed).split(",")
            names.add(module)
            names |= {f"{module}.{word.split(' as ')[0].strip()}" for word in words if word.strip()}
    return names


@lru_cache(maxsize=1)
def imports() -> Mapping[str, frozenset[str]]:
    """The modules of the project that each of its modules imports."""
    known = modules()
    return {
        name: frozenset(imported_names(path.read_text("utf-8")) & known.keys() - {name})
        for name, path in known.items()
    }


@lru_cache(maxsize=1)
def importers() -> Mapping[str, frozenset[str]]:
    """The modules of the project that import each of its modules."""
    found: dict[str, set[str]] = {name: set() for name in modules()}
    for name, others in imports().items():
        for other in others:
            found[other].add(name)
    return {name: frozenset(others) for name, others in found.items()}


def distances(
    starts: Iterable[str], graph: Mapping[str, frozenset[str]], steps: int
) -> dict[str, int]:
    """Modules within so many steps along a graph, each with its distance; starts are at 0."""
    found = dict.fromkeys(starts, 0)
    front = set(found)
    for step in range(1, steps + 1):
        front = {other for name in front for other in graph.get(name, ())} - found.keys()
        found |= dict.fromkeys(front, step)
    return found
