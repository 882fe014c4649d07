"""Run evals beside each other, in processes forked from one that has imported what most share.

Run: evals.py AT_ONCE SECONDS SCRIPT ... [--fraction 0.1] [--seed 7]

Each prints what it said when it has ended, with the seconds it took; one that takes more than
SECONDS is ended. Exits with 1 if any failed, and names it. What differs from a process of its own
is that the modules, word lists and patterns that most read are there already, and the stores of
what comes with the package are copied: to make all that again took half of the time of the evals.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from kept_stores import schemas_checked_once, stores_kept  # noqa: E402

from tests.evals.claim_check_drafts import LANGUAGES, drafts  # noqa: E402
from tests.evals.claim_check_worlds import opened, worlds  # noqa: E402

# They load the parts of speech, the word lists and the patterns of each language.
DRAFTS = ("The ring is 12 km long.", "Der Ring ist 12 km lang.", "环路长12公里。")
# Seconds for threads that were told to end.
PATIENCE = 30.0


class Running(NamedTuple):
    """An eval that was begun."""

    script: str
    output: Path
    began: float


async def _visit(home: Path) -> None:
    """Call each tool of the worlds of the claim check once, and check drafts about its answer."""
    seen: set[tuple[str, str]] = set()
    known = worlds()
    written: dict[str, list[str]] = {name: [*DRAFTS] for name in known}
    for one in drafts(known, ("tenth_seen",), LANGUAGES):
        written[one.world].append(one.text)
    async with opened(home) as house:
        for name, world in known.items():
            tools = {(call.server, call.tool) for call in world.calls}
            if not tools <= seen:
                seen |= tools
                await house.check_all([(name, draft) for draft in written[name]])


def warm() -> None:
    """Read what most evals read, so that processes forked from this one have it.

    Raises:
        RuntimeError: a thread is left, which a fork would not have.
    """
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(_visit(Path(home)))
    logging.disable(logging.NOTSET)
    others = [one for one in threading.enumerate() if one is not threading.main_thread()]
    for one in others:
        one.join(PATIENCE)
    left = [one.name for one in others if one.is_alive()]
    if left:
        raise RuntimeError(f"threads are left: {', '.join(left)}")
    gc.collect()
    gc.freeze()


def forked(script: str, options: list[str], output: Path) -> int:
    """Run a script as `python SCRIPT OPTION ...` would, in a fork; return its process's id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    with output.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = [script, *options]
    sys.path.insert(0, str(Path(script).parent.resolve()))
    main = ModuleType("__main__")
    main.__file__ = script
    sys.modules["__main__"] = main
    exec(compile(Path(script).read_text("utf-8"), script, "exec"), main.__dict__)  # noqa: S102 - a script of this repository
    sys.exit(0)


def ended(running: dict[int, Running], most: float) -> tuple[Running, int, str]:
    """Wait until one has ended, and end what takes too long; return how it ended.

    Returns:
        the eval, its exit code, and the seconds that it took.
    """
    while True:
        child, status, used = os.wait4(-1, os.WNOHANG)
        if child in running:
            one = running.pop(child)
            seconds, busy = time.monotonic() - one.began, used.ru_utime + used.ru_stime
            told = f"{seconds:.0f} s, {busy:.0f} s of processors"
            return one, os.waitstatus_to_exitcode(status), told
        for late, one in running.items():
            seconds = time.monotonic() - one.began - most
            if seconds > 0:
                os.kill(late, signal.SIGKILL if seconds > 10 else signal.SIGTERM)
        time.sleep(0.1)


def main(at_once: int, most: float, arguments: list[str]) -> None:
    """Run all scripts; exit with 1 where one failed. Never returns in a fork."""
    scripts = [one for one in arguments if one.endswith(".py")]
    options = arguments[len(scripts) :]
    folder = Path(tempfile.mkdtemp())
    (folder / "kept").mkdir()
    # Without `with`, as a fork leaves this function too and must leave the folder to the others.
    stack = ExitStack()
    stack.enter_context(stores_kept(folder / "kept"))
    stack.enter_context(schemas_checked_once())
    warm()
    failed = run_all(scripts, options, folder, at_once, most)
    stack.close()
    shutil.rmtree(folder)
    if failed:
        sys.exit(f"failed: {' '.join(failed)}")


def run_all(
    scripts: list[str], options: list[str], folder: Path, at_once: int, most: float
) -> list[str]:
    """Run all scripts, so many at once, and print what they said; return those that failed."""
    running: dict[int, Running] = {}
    failed: list[str] = []
    while scripts or running:
        if scripts and len(running) < at_once:
            script = scripts.pop(0)
            output = folder / f"{Path(script).stem}.txt"
            began = time.monotonic()
            running[forked(script, options, output)] = Running(script, output, began)
            continue
        one, code, seconds = ended(running, most)
        how = f"failed with {code}" if code else "passed"
        sys.stdout.write(f"\n--- eval {one.script}, {how}, {seconds}\n")
        sys.stdout.write(one.output.read_text("utf-8", "replace"))
        sys.stdout.flush()
        one.output.unlink()
        if code:
            failed.append(one.script)
    return failed


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
