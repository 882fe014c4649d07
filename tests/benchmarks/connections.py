"""What 10,000 open connections cost a server, and how long others wait meanwhile.

Connections that send nothing, half of a head, or a body without end are opened one after the other;
each has to be told, or closed, within its time, and `/health` answers while they are there.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HEAD = b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n"
BODY = (
    b"content-type: application/json\r\naccept: application/json, text/event-stream\r\n"
    b"content-length: 1000000\r\n\r\n{"
)
KINDS = {"nothing": b"", "half of a head": HEAD, "a body without end": HEAD + BODY}
# What the process may grow to; and how long others may wait, in the second too in which all these
# are told at once, on two processors that the clients take their share of.
MOST_MB, MOST_SECONDS = 400, 3.0
TOLD_SECONDS = 75.0


class Found(NamedTuple):
    """What a server did: megabytes before and at most, the longest wait, and how all ended."""

    opened: int
    before: int
    most: int
    waited: float
    ends: Counter[str]


def megabytes(pid: int) -> int:
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) // 1_024


def health(port: int) -> float:
    """Seconds until `/health` has answered."""
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 200"), "not answered"
    return time.monotonic() - started


def ended(one: socket.socket) -> str:
    """How a connection ended; empty where it has not."""
    try:
        return one.recv(100)[9:12].decode() or "closed"
    except BlockingIOError:
        return ""
    except OSError:
        return "closed"


def measure(sent: bytes, count: int, home: str) -> Found:
    command = [sys.executable, "-m", "groundwire", "serve", "metrics"]
    process = subprocess.Popen(
        [*command, "--transport", "http", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "GROUNDWIRE_HOME": home},
    )
    opened: list[socket.socket] = []
    try:
        assert process.stderr is not None
        port = int(re.findall(r":(\d+)/mcp", process.stderr.readline())[0])
        waits = [health(port)]
        before = most = megabytes(process.pid)
        for at in range(count):
            one = socket.create_connection(("127.0.0.1", port), timeout=20)
            if sent:
                one.sendall(sent)
            one.setblocking(False)
            opened.append(one)
            if at % 1_000 == 999:
                waits.append(health(port))
                most = max(most, megabytes(process.pid))
        left, ends = list(opened), Counter[str]()
        until = time.monotonic() + TOLD_SECONDS
        while left and time.monotonic() < until:
            time.sleep(1)
            waits.append(health(port))
            most = max(most, megabytes(process.pid))
            found = [(one, ended(one)) for one in left]
            ends.update(how for _, how in found if how)
            left = [one for one, how in found if not how]
        ends["open still"] += len(left)
        return Found(count, before, most, max(waits), ends)
    finally:
        for one in opened:
            one.close()
        process.terminate()
        process.wait(30)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="connections of each kind")
    count = parser.parse_args().count
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = hard if hard != resource.RLIM_INFINITY else 2 * count + 1_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    count = min(count, files - 100)
    missed = False
    for kind, sent in KINDS.items():
        with tempfile.TemporaryDirectory() as home:
            found = measure(sent, count, home)
        ends = ", ".join(f"{how} {many:,}" for how, many in sorted(found.ends.items()) if many)
        bad = found.ends["open still"] or found.most > MOST_MB or found.waited > MOST_SECONDS
        missed = missed or bool(bad)
        print(
            f"{found.opened:,} that send {kind}: {found.before} to {found.most} MB, /health within "
            f"{found.waited:.2f} s, ended: {ends}{'  MISSED' if bad else ''}",
            flush=True,
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
