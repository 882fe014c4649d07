"""Who may import the packages that learning brings."""

from __future__ import annotations

import ast
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "src/groundwire/learning"
ALLOWED = {"fsrs": {"state.py"}, "fsrs_rs_python": {"policy.py"}}


def test_one_module_alone_knows_each_package_and_imports_it_late() -> None:
    found: dict[str, set[str]] = {name: set() for name in ALLOWED}
    for path in FOLDER.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        late = {
            id(one)
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef)
            for one in ast.walk(function)
        }
        typed = {
            id(one)
            for block in ast.walk(tree)
            if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
            for one in ast.walk(block)
        }
        for node in ast.walk(tree):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                package = name.partition(".")[0]
                if package in ALLOWED:
                    found[package].add(path.name)
                    assert id(node) in late | typed, f"{path.name} imports {name} at its start"
    assert found == ALLOWED
