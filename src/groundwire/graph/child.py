"""A child process: it gives up what it does not need, hears its parent, and ends with it.

The gate keeps SERVICE out of queries; these are for the day when it does not. Each is done where
the platform has it and left out where not.

Messages between it and its parent are frames: a length, then a marshalled tuple. Both ends are the
same Python and the same code, and only plain values cross, so `marshal` is the fastest encoding
there is; nothing that came from a file or the network is ever decoded.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import platform
import select
import signal
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = tuple[Any, ...]

_HEADER = struct.Struct("<Q")
# Every reply is bounded by the worker long before this; past it the stream is not ours.
MAX_FRAME = 1 << 31
# linux/audit.h, and the number of socket(2), by machine.
_SOCKET_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
# linux/prctl.h and linux/seccomp.h.
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_ALLOW, _REFUSE_WITH_EACCES = 0x7FFF0000, 0x00050000 | 13
# linux/bpf_common.h: load a word, jump if equal, jump if greater or equal, return.
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06


def encode_frame(message: tuple[Any, ...]) -> bytes:
    """`message` as one frame."""
    body = marshal.dumps(message)
    return _HEADER.pack(len(body)) + body


def write_frame(descriptor: int, frame: bytes) -> None:
    """Write a whole frame to a blocking pipe."""
    view = memoryview(frame)
    while view:
        view = view[os.write(descriptor, view) :]


def read_frame(descriptor: int) -> tuple[Any, ...] | None:
    """The next message of a blocking pipe, or None at its end."""
    header = _read_exactly(descriptor, _HEADER.size)
    if header is None:
        return None
    (length,) = _HEADER.unpack(header)
    if length > MAX_FRAME:
        return None
    body = _read_exactly(descriptor, length)
    return None if body is None else marshal.loads(body)


def _read_exactly(descriptor: int, size: int) -> bytes | None:
    first = os.read(descriptor, size)
    if len(first) == size:
        return first
    parts = bytearray(first)
    while first and len(parts) < size:
        first = os.read(descriptor, min(size - len(parts), 1 << 20))
        parts += first
    return bytes(parts) if len(parts) == size else None


def _take_over_pipes() -> tuple[int, int]:
    """The pipes to the parent, moved away from where a stray `print` could write."""
    inbound, outbound = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return inbound, outbound


def hold_lock(path: Path, *, exclusive: bool = False) -> int | None:
    """A lock on `path` until its descriptor is closed or the process ends.

    Returns:
        the descriptor; None where somebody else holds the lock, or the platform has none.
    """
    with contextlib.suppress(ImportError, OSError):
        import fcntl

        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
        else:
            return descriptor
    return None


def end_with_parent(descriptor: int) -> None:
    """End this process as soon as the other end of a pipe is closed, even within a query."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(descriptor, 0)

    def watch() -> None:
        while not poll.poll():
            pass
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def limit_memory(size: int) -> None:
    """Let allocations of `size` bytes beyond today's fail; the process then ends."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        statm = Path("/proc/self/statm")
        used = int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 0
        resource.setrlimit(resource.RLIMIT_AS, (used + size, used + size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def open_nothing_more() -> None:
    """Open no further file or socket. A database on disk opens its files as it needs them.

    The limit is 1 and not 0 because `poll` may not watch more descriptors than the limit.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (1, 1))


def refuse_sockets() -> bool:
    """Have the kernel refuse every further socket of this thread and those that it starts.

    Returns:
        whether the kernel agreed; False on machines without seccomp filters.
    """
    numbers = _SOCKET_CALLS.get(platform.machine())
    if numbers is None or sys.platform != "linux":
        return False
    import ctypes

    architecture, socket = numbers
    # Each instruction: code, jump if true, jump if false, operand. The call's number stands at
    # offset 0 of the data, its architecture at 4. Calls of another architecture, and x32's
    # (bit 30 of the number), have other numbers: they are refused all alike.
    program = b"".join(
        struct.pack("<HBBI", *instruction)
        for instruction in (
            (_LOAD, 0, 0, 4),
            (_EQUAL, 0, 4, architecture),
            (_LOAD, 0, 0, 0),
            (_AT_LEAST, 2, 0, 0x40000000),
            (_EQUAL, 1, 0, socket),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _REFUSE_WITH_EACCES),
        )
    )
    code = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
        if prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
            buffer = ctypes.create_string_buffer(filter_, len(filter_))
            return prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(buffer), 0, 0) == 0
    return False


class Parent:
    """Who started this process: says what is to be done, and is told what became of it.

    From here on a stray `print` reaches nobody, and the process ends when its parent does.
    """

    def __init__(self) -> None:
        # Control-C at a terminal reaches the whole group; the parent decides when a child ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._inbound, self._outbound = _take_over_pipes()
        end_with_parent(self._inbound)

    def hear(self) -> Message | None:
        """The parent's next message; None where it has no more."""
        return read_frame(self._inbound)

    def tell(self, *message: Any) -> None:
        """Send the parent one message."""
        write_frame(self._outbound, encode_frame(message))

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
