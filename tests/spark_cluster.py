"""A standalone Spark cluster on loopback, with two workers and Spark Connect before it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

from postgres_cluster import free_port

_STARTING = 300.0


def missing() -> str:
    """What a cluster needs and is not here, or ""."""
    if find_spec("pyspark") is None or find_spec("grpc") is None:
        return "Spark is not installed: pip install 'groundwire[spark]'"
    if shutil.which("java") is None:
        return "Java 17 is not installed"
    return ""


class SparkCluster:
    """Started at once; `close` ends its processes."""

    def __init__(self, folder: Path) -> None:
        spec = find_spec("pyspark")
        assert spec is not None and spec.origin is not None
        self._home = Path(spec.origin).parent
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.port, master = free_port(), free_port()
        url = f"spark://127.0.0.1:{master}"
        self._start(
            "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(master),
            "--webui-port", "0",
        )  # fmt: skip
        self._wait(master)
        for number in (1, 2):
            self._start(
                "org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "1g",
                "--host", "127.0.0.1", "--webui-port", "0",
                "--work-dir", str(folder / f"worker{number}"), url,
            )  # fmt: skip
        settings = {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "600m",
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(self.port),
        }
        pairs = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
        self._start(
            "org.apache.spark.deploy.SparkSubmit", "--master", url, *pairs, "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer", "--name", "connect",
            "spark-internal",
        )  # fmt: skip
        self._wait(self.port)

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, *command: str) -> None:
        environment = {
            **os.environ, "SPARK_HOME": str(self._home), "SPARK_LOCAL_IP": "127.0.0.1",
        }  # fmt: skip
        with (self._folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [str(self._home / "bin/spark-class"), *command],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=environment,
            )
        self._processes.append(process)

    def _wait(self, port: int) -> None:
        """Return when something listens; a cluster that does not come up is ended."""
        deadline = time.monotonic() + _STARTING
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
            except OSError:
                time.sleep(0.3)
            else:
                return
        self.close()
        raise AssertionError((self._folder / "log").read_text("utf-8", "replace")[-2000:])
