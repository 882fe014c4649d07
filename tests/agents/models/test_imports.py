"""What takes seconds to import is imported when it is used, and not before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MODULES = sorted(
    ".".join(("groundwire", *path.relative_to(ROOT / "src/groundwire").with_suffix("").parts))
    for path in (ROOT / "src/groundwire/agents").rglob("*.py")
    if path.stem != "__init__"
)
SERVERS = sorted(
    f"groundwire.servers.{path.stem}"
    for path in (ROOT / "servers").glob("*.py")
    if path.stem != "__init__"
)


@pytest.mark.parametrize("modules", [MODULES, SERVERS], ids=["agents", "servers"])
def test_no_sdk_of_a_model_is_imported_before_a_model_answers(modules: list[str]) -> None:
    program = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(sorted({'anthropic', 'genai_prices'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"
    assert len(modules) > 2
