"""The parent, as a child process of it sees it. Standard library only: children import it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

from groundwire.graph import frames
from groundwire.graph.confinement import end_with_parent, take_over_pipes

Message = tuple[Any, ...]


class Parent:
    """Who started this process: says what is to be done, and is told what became of it.

    From here on a stray `print` reaches nobody, and the process ends when its parent does.
    """

    def __init__(self) -> None:
        # Control-C at a terminal reaches the whole group; the parent decides when a child ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._inbound, self._outbound = take_over_pipes()
        end_with_parent(self._inbound)

    def hear(self) -> Message | None:
        """The parent's next message; None where it has no more."""
        return frames.read(self._inbound)

    def tell(self, *message: Any) -> None:
        """Send the parent one message."""
        frames.write(self._outbound, frames.encode(message))

    def tell_outcome(self, work: Callable[[], Message]) -> None:
        """Do `work` and tell what it gives; ("failed", reason) where it fails."""
        try:
            reply = work()
        # Whatever it is, the parent is told: nobody else sees this process.
        except Exception as error:
            reply = ("failed", " ".join(f"{type(error).__name__}: {error}".split()))
        self.tell(*reply)
        # Wait for the parent's word, so that it never mistakes an end for a failure.
        self.hear()
