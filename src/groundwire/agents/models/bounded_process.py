"""Running a program with a text on its standard input, bounded in time and in what it writes."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, Process

MOST_OUTPUT = 4_194_304
_MOST_COMPLAINTS = 65_536


class TooMuchOutputError(Exception):
    """The program wrote more than any answer has."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The outcome of a program that has ended.

    Attributes:
        code: its exit code.
        output: what it wrote on standard output.
        complaints: what it wrote on standard error, at most the first 64 KiB.
    """

    code: int
    output: bytes
    complaints: bytes


async def run_bounded(
    command: Sequence[str], given: bytes, *, environ: Mapping[str, str], folder: Path
) -> Ended:
    """Run a program to its end; whoever cancels this stops it and its children.

    Args:
        command: the program's path and its arguments; no shell reads them.
        given: its standard input.
        environ: its environment.
        folder: where it runs.

    Raises:
        OSError: it cannot be started.
        TooMuchOutputError: it wrote more than 4 MiB.
    """
    import anyio

    process = await anyio.open_process(
        list(command), env=dict(environ), cwd=folder, start_new_session=True
    )
    output, complaints = bytearray(), bytearray()

    async def give() -> None:
        assert process.stdin is not None
        # A program that has read enough may close its input.
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.send(given)
        with suppress(anyio.BrokenResourceError, BrokenPipeError):
            await process.stdin.aclose()

    async def complain() -> None:
        assert process.stderr is not None
        async for piece in process.stderr:
            complaints.extend(piece[: _MOST_COMPLAINTS - len(complaints)])

    too_much = False
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(give)
            tasks.start_soon(complain)
            assert process.stdout is not None
            too_much = not await _collect(process.stdout, output)
            if too_much:
                tasks.cancel_scope.cancel()
        if too_much:
            raise TooMuchOutputError
        return Ended(await process.wait(), bytes(output), bytes(complaints))
    finally:
        with anyio.CancelScope(shield=True):
            _stop(process)
            await process.aclose()


async def _collect(stream: ByteReceiveStream, output: bytearray) -> bool:
    """Read a stream; False where it holds more than it may."""
    async for piece in stream:
        output.extend(piece)
        if len(output) > MOST_OUTPUT:
            return False
    return True


def _stop(process: Process) -> None:
    """End the program with whatever it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            # It leads a group of its own, which may outlive it.
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
