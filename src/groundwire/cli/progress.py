"""Progress bars on stderr, where a person watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def bar(what: str) -> Generator[Callable[[int, int], None]]:
    """A bar that is told how much is done and how much there is; silent without a terminal."""
    with labelled_bar() as told:
        yield lambda done, total: told(what, done, total)


@contextmanager
def labelled_bar() -> Generator[Callable[[str, int, int], None]]:
    """A bar that is also told what is being done."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def told(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total)

        yield told
