"""What `.ci/run` would do; the run itself is too long for a test."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUN = ROOT / ".ci/run"

if shutil.which("bash") is None:
    pytest.skip("there is no bash to run .ci/run with", allow_module_level=True)


def steps(*arguments: str) -> dict[str, str]:
    """The command of every step, by its name."""
    done = subprocess.run(
        ["bash", str(RUN), "--dry-run", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    parts = re.split(r"^# (.+)\n", done.stdout, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def scripts(folder: str) -> set[str]:
    found = (ROOT / "tests" / folder).glob("[!_]*.py")
    return {path.stem for path in found if "sys.exit(" in path.read_text("utf-8")}


def named(commands: dict[str, str], kind: str) -> set[str]:
    return {name.split()[1] for name in commands if name.startswith(f"{kind} ")}


def judged(command: str) -> set[str]:
    """The evals that a command runs side by side."""
    return set(re.findall(r"tests/evals/(\w+)\.py", command))


def test_it_runs_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"^<!-- test-command -->\n+```\w*\n(.+?)^```", readme, re.M | re.S)
    assert block is not None, "README.md names its test command below <!-- test-command -->"
    assert "pytest" in block[1]
    assert steps()["tests"].strip() == block[1].strip()


def test_a_plain_run_takes_a_tenth_of_every_eval_and_no_benchmark() -> None:
    commands = steps()
    assert judged(commands["evals"]) == scripts("evals")
    assert "--fraction 0.1 --seed 7" in commands["evals"]
    assert not named(commands, "benchmark")


def test_a_full_run_takes_all_evals_and_benchmarks() -> None:
    commands = steps("--full")
    assert judged(commands["evals"]) == scripts("evals")
    assert named(commands, "benchmark") == scripts("benchmarks")
    assert "--fraction" not in "".join(commands.values())


def test_it_can_be_started_as_it_is_and_refuses_what_it_does_not_know() -> None:
    assert RUN.stat().st_mode & 0o111
    done = subprocess.run(
        [str(RUN), "--fast"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "--fast" in done.stderr


def test_every_script_that_holds_figures_ends_with_a_verdict() -> None:
    """Only what calls `sys.exit` is run."""
    texts = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests/evals").glob("[!_]*.py")}
    held = {name for name, text in texts.items() if "Ratchet(__file__" in text}
    assert held <= scripts("evals")
