"""A server of ClickHouse's HTTP interface, as a process of its own; see `clickhouse_server.py`."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from postgres_cluster import free_port

SERVER = Path(__file__).parent / "tables/clickhouse_server.py"


class ClickHouseProcess:
    """Started at once, and again after `stop`."""

    def __init__(self, folder: Path) -> None:
        self.port, self._folder = free_port(), folder
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SERVER), str(self.port), str(self._folder)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def seen(self) -> list[dict[str, str]]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/seen", timeout=5) as answer:
            return json.loads(answer.read())
