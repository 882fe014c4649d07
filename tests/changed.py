"""Run the tests of what a change touches: the quick loop.

    python -m tests.changed [--base REV] [--steps 2] [--list] [PYTEST ARGUMENT ...]

A change is what differs from REV (default: HEAD, so the uncommitted change) and what git does not
track yet. Tests are chosen along imports: test files that changed, and those that reach a changed
module within so many steps. A module that no test reaches so soon has its nearest tests run. A
changed data file counts as the modules beside it that name it. The floors and the rules of the
repository are always tested, the published contracts where a server's definitions may change.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.import_graph import ROOT, distances, importers, module_name, modules

ALWAYS = ("tests/test_floors.py", "tests/test_repository.py")
# From here definitions of tools come.
DEFINING = ("servers/", "src/groundwire/serving/")
FURTHEST = 6


def changed_files(base: str) -> list[Path]:
    """Files that differ from a revision, and those that git does not know yet."""
    listings = (
        ["git", "diff", "--name-only", "-z", base],
        ["git", "ls-files", "--others", "--exclude-standard", "-z"],
    )
    names: set[str] = set()
    for command in listings:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60)
        names |= {name for name in done.stdout.decode().split("\0") if name}
    return sorted(ROOT / name for name in names)


def touched_modules(files: Iterable[Path]) -> set[str]:
    """Modules that changed, and those that name a changed data file of their folder."""
    touched: set[str] = set()
    for path in files:
        if path.suffix == ".py":
            touched.add(module_name(path))
            continue
        beside = path.parent.glob("*.py")
        touched |= {module_name(near) for near in beside if _names(near, path)}
    return touched & modules().keys()


def _names(module: Path, data: Path) -> bool:
    """Whether a module names a file, or makes the names of files of its kind."""
    text = module.read_text("utf-8")
    return data.name in text or f'}}{data.suffix}"' in text


def tests_of(module: str, steps: int) -> set[Path]:
    """Test files within so many steps of imports from a module, else the nearest ones."""
    for reach in range(steps, FURTHEST + 1):
        near = distances([module], importers(), reach)
        found = {modules()[name] for name in near if is_test(name)}
        if found:
            return found
    return set()


def is_test(module: str) -> bool:
    """Whether a module is collected by pytest."""
    return module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")


def chosen(files: Iterable[Path], steps: int) -> list[str]:
    """The test files to run for a change, as paths from the root of the checkout."""
    files = list(files)
    found = {path for module in touched_modules(files) for path in tests_of(module, steps)}
    names = {path.relative_to(ROOT).as_posix() for path in found} | set(ALWAYS)
    touched = [path.relative_to(ROOT).as_posix() for path in files]
    if any(name.startswith(DEFINING) for name in touched):
        names.add("tests/contracts")
    if any(name.startswith("docs/") or name == "README.md" for name in touched):
        names.add("tests/test_readme.py")
    return sorted(names)


def memory_for_tests() -> Path | None:
    """A folder in memory with room for what tests write, as `.ci/run` has; None without one.

    Tests write thousands of small files that each wait for the disk.
    """
    memory = Path("/dev/shm")
    if not memory.is_dir() or os.statvfs(memory).f_flag & os.ST_NOEXEC:
        return None
    return memory if shutil.disk_usage(memory).free > 4 << 30 else None


def main() -> int:
    """Choose the tests of the change, and list or run them."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.changed", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--base", default="HEAD", help="revision to compare with (default: HEAD)")
    parser.add_argument("--steps", type=int, default=2, help="steps of imports (default: 2)")
    parser.add_argument("--list", action="store_true", help="print the test files, run none")
    options, rest = parser.parse_known_args()
    names = chosen(changed_files(options.base), options.steps)
    if options.list:
        print("\n".join(names))
        return 0
    # What pytest and the processes of tests compile is kept, wherever that is switched off for all:
    # to compile it anew takes longer than most tests.
    kept = {"PYTHONPYCACHEPREFIX": str(ROOT / ".pytest_cache" / "compiled")}
    if (memory := memory_for_tests()) is not None:
        kept["TMPDIR"] = str(memory)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", *names, *rest]
    return subprocess.run(command, cwd=ROOT, env=kept | own).returncode


if __name__ == "__main__":
    sys.exit(main())
