"""Server processes forked from one that has imported all and answered calls already.

A process of its own imports for a second and reads its word lists with the first calls. Tests of
what servers do beside each other, and not of how one starts, need that only once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

# Calls by their tools and arguments.
Calls = Sequence[tuple[str, dict[str, Any]]]
# Seconds for threads that were told to end.
_PATIENCE = 30.0


class WarmServers:
    """Starts `groundwire serve all ...` again and again, each in a process of its own."""

    def __init__(self, calls: Calls) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(calls)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, words: Sequence[str], environment: Mapping[str, str], log: Path) -> int:
        """Start one that logs to a file; return its process's id."""
        return self._ask("start", [*words], dict(environment), str(log))

    def runs(self, process: int) -> bool:
        return self._ask("runs", process)

    def kill(self, process: int) -> None:
        """Kill one as nothing can forbid it, and wait until it is gone."""
        self._ask("kill", process)

    def close(self) -> None:
        """End them all."""
        self._process.communicate()

    def _ask(self, *order: Any) -> Any:
        with self._lock:
            assert self._process.stdin and self._process.stdout
            self._process.stdin.write(f"{json.dumps(order)}\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())


async def _warm(home: Path, calls: Calls) -> None:
    from mcp import Client

    from groundwire.cli.registry import build
    from groundwire.config import Settings

    built = build("all", Settings(home=home, tfl_base_url="offline"))
    async with Client(built) as client:
        for tool, arguments in calls:
            await client.call_tool(tool, arguments)
    await built.aclose()
    built.close()


class _Forks:
    """The processes that were forked, by their ids; each order of a test is a method."""

    def __init__(self, answers: TextIO) -> None:
        self._answers = answers
        self._running: set[int] = set()

    def start(self, words: list[str], environment: dict[str, str], log: str) -> int:
        process = os.fork()
        if not process:
            self._serve(words, environment, log)
        self._running.add(process)
        return process

    def runs(self, process: int) -> bool:
        if process in self._running and os.waitpid(process, os.WNOHANG)[0]:
            self._running.discard(process)
        return process in self._running

    def kill(self, process: int) -> None:
        if self.runs(process):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            self._running.discard(process)

    def kill_all(self) -> None:
        for process in [*self._running]:
            self.kill(process)

    def _serve(self, words: list[str], environment: dict[str, str], log: str) -> None:
        from groundwire.cli import main

        self._answers.close()
        with open(os.devnull, "r+b") as nothing, open(log, "ab") as file:  # noqa: PTH123 - of names of files
            os.dup2(nothing.fileno(), 0)
            os.dup2(nothing.fileno(), 1)
            os.dup2(file.fileno(), 2)
        os.environ.clear()
        os.environ.update(environment)
        os._exit(main(["serve", "all", *words]))


def _main(calls: Calls) -> None:
    import gc
    import logging
    import tempfile

    import anyio
    import psycopg  # noqa: F401 - is imported with the first connection

    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as home:
        anyio.run(_warm, Path(home), calls)
    logging.disable(logging.NOTSET)
    others = [one for one in threading.enumerate() if one is not threading.main_thread()]
    for one in others:
        one.join(_PATIENCE)
    left = [one.name for one in others if one.is_alive()]
    assert not left, f"a fork would not have the threads {', '.join(left)}"
    gc.collect()
    gc.freeze()
    # Nothing but answers is to be written where they are read.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    forks = _Forks(answers)
    for line in sys.stdin:
        order, *details = json.loads(line)
        answers.write(f"{json.dumps(getattr(forks, order)(*details))}\n")
        answers.flush()
    forks.kill_all()


if __name__ == "__main__":
    _main(json.loads(sys.argv[1]))
