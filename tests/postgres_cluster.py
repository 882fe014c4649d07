"""A PostgreSQL server on loopback, in a folder of its own, for tests that need a real one."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest


def binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    if found:
        return found[0].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def as_somebody() -> list[str] | None:
    """How to run a server, which refuses to run as root; None: not at all."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    if shutil.which("runuser") is None:
        return None
    known = subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode == 0
    return ["runuser", "-u", "postgres", "--"] if known else None


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Cluster:
    def __init__(self, folder: Path, prefix: list[str], name: str, *, durable: bool) -> None:
        self._fsync = "on" if durable else "off"
        self._folder, self._prefix, self._name = folder, prefix, name
        self.data, self.port = f"{name}/data", free_port()

    def run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self._prefix, str(self._folder / program), *arguments], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._name, timeout=240,
        )  # fmt: skip

    def start(self) -> None:
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "180", "-l", f"{self._name}/log", "-o",
            f"-p {self.port} -k {self._name} -c listen_addresses=127.0.0.1 -c fsync={self._fsync}",
            "start")  # fmt: skip

    def stop(self) -> None:
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")


@contextmanager
def cluster(schema: str, *, durable: bool = False) -> Iterator[Cluster]:
    """A server that holds a schema, where a role `reader` logs in by password; or skip.

    `durable` waits for the disk, as a server does that people use.
    """
    folder, prefix = binaries(), as_somebody()
    if folder is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: postgresql)")
    if prefix is None:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    with tempfile.TemporaryDirectory(prefix="gw") as name:
        if prefix:
            shutil.chown(name, "postgres")
        running = Cluster(folder, prefix, name, durable=durable)
        running.run("initdb", "-D", running.data, "-A", "trust", "-U", "postgres", "--no-sync",
            "-E", "UTF8")  # fmt: skip
        hba = Path(running.data, "pg_hba.conf")
        hba.write_text("host all reader 127.0.0.1/32 scram-sha-256\n" + hba.read_text())
        running.start()
        try:
            with psycopg.connect(
                host="127.0.0.1", port=running.port, user="postgres", dbname="postgres",
                autocommit=True,
            ) as connection:  # fmt: skip
                connection.execute(schema.encode())
            yield running
        finally:
            running.stop()
