"""The life of a process that runs SQL: open a database, limit itself, answer until the end.

Standard library only, and what of ours keeps to it: workers import it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.graph.child import Parent, limit_memory, refuse_sockets
from groundwire.tables.bounds import Refused

Reply = tuple[Any, ...]
Answer = Callable[[tuple[Any, ...]], Reply]

DESCRIBE: tuple[Any, ...] = ("describe",)
"""The request for what tables there are."""

OUT_OF_MEMORY: Reply = ("failed", "The query needs more memory than it may have: narrow it.")
"""The reply to a query that the limits of the process have ended."""


class CannotOpen(Exception):
    """A database cannot be opened; the message says why."""


def live(opened: Callable[[str, int], Answer], share: int = 1) -> None:
    """Open the database named by the first message, then answer until the parent is gone.

    Args:
        opened: opens the database at a path, told the bytes that it may take, and gives what
            answers a request; raises CannotOpen.
        share: how many times that the process as a whole may allocate.
    """
    parent = Parent()
    opening = parent.hear()
    if opening is None:
        return
    path, memory = opening
    refuse_sockets()
    try:
        answer = opened(path, memory)
    except CannotOpen as reason:
        parent.tell("failed", str(reason), False)
        return
    limit_memory(memory * share)
    parent.tell("ready", False)
    while (request := parent.hear()) is not None:
        parent.tell(*_reply(answer, request), False)


def _reply(answer: Answer, request: tuple[Any, ...]) -> Reply:
    try:
        return answer(request)
    except Refused as reason:
        return ("refused", str(reason))
    except MemoryError:
        return OUT_OF_MEMORY
