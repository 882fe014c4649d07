"""Installs the hosts of the tests, each once and in a fixed version, below the temporary folder.

The packages come through whatever registries npm and pip are configured for.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

CODEX = "0.169.0"
OPENCODE = "1.18.33"
GEMINI = "0.61.0"
CLAUDE = "2.1.332"
PYDANTIC_AI = "2.68.0"
OPENAI_AGENTS = "0.24.0"
PEERS = (
    "langchain==1.5.2",
    "langchain-mcp-adapters==0.3.2",
    "mcp-use==1.7.1",
    "fastmcp==3.4.11",
    "google-genai==3.6.1",
)
TYPESCRIPT_SDK = "1.32.2"
INSTALL_SECONDS = 240


class CannotInstall(Exception):
    """Why a host is not here."""


def opencode_package() -> str:
    """The package that holds the program for this machine, on x64 for processors of any age."""
    system = platform.system().lower()
    machine = {"x86_64": "x64-baseline", "aarch64": "arm64"}.get(
        platform.machine(), platform.machine()
    )
    return f"opencode-{system}-{machine}"


def claude_package() -> str:
    """The package that holds the program of Claude Code for this machine."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return f"@anthropic-ai/claude-code-{platform.system().lower()}-{machine}"


def _finished(command: Sequence[str], seconds: float, folder: Path) -> None:
    """Run a step of an installation to its end.

    Raises:
        CannotInstall: it failed, or took too long.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd=folder,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotInstall(str(error)) from error
    if done.returncode:
        raise CannotInstall(done.stderr[-400:])


def _once(name: str, install: Callable[[Path], None]) -> Path:
    """The folder of one installation; several test processes wait for the same one.

    Raises:
        CannotInstall: it failed.
    """
    folder = Path(tempfile.gettempdir()) / f"groundwire-interop-{os.getuid()}-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            install(folder)
            (folder / "installed").touch()
    return folder


def install_node_hosts() -> Path:
    """Codex CLI, opencode and Gemini CLI in one npm folder.

    Raises:
        CannotInstall: there is no npm, or it failed.
    """
    packages = [f"@openai/codex@{CODEX}", f"{opencode_package()}@{OPENCODE}"]
    packages += [f"@google/gemini-cli@{GEMINI}"]
    return _from_npm(packages, f"{CODEX}_{OPENCODE}_{GEMINI}")


def install_claude_code() -> Path:
    """Claude Code in an npm folder.

    Raises:
        CannotInstall: there is no npm, or it failed.
    """
    return _from_npm([f"{claude_package()}@{CLAUDE}"], f"claude_{CLAUDE}")


def install_typescript_client() -> Path:
    """The TypeScript SDK in an npm folder.

    Raises:
        CannotInstall: there is no npm, or it failed.
    """
    package = f"@modelcontextprotocol/sdk@{TYPESCRIPT_SDK}"
    return _from_npm([package], f"typescript_{TYPESCRIPT_SDK}")


def _from_npm(packages: Sequence[str], name: str) -> Path:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise CannotInstall("npm and node are not here")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]

    def install(folder: Path) -> None:
        command = [npm, "install", "--prefix", str(folder), *options, *packages]
        _finished(command, INSTALL_SECONDS, folder)

    return _once(name, install)


def install_python_hosts() -> Path:
    """pydantic-ai and openai-agents in one environment, which shares nothing with the tests' own.

    Raises:
        CannotInstall: there is no pip, or it failed.
    """
    packages = [f"pydantic-ai-slim[mcp]=={PYDANTIC_AI}", f"openai-agents=={OPENAI_AGENTS}"]
    return _environment(packages, f"{PYDANTIC_AI}_{OPENAI_AGENTS}")


def install_peers() -> Path:
    """LangChain, mcp-use, fastmcp and google-genai in one environment, likewise.

    Raises:
        CannotInstall: there is no pip, or it failed.
    """
    return _environment(PEERS, "_".join(one.partition("==")[2] for one in PEERS))


def _environment(packages: Sequence[str], name: str) -> Path:
    def install(folder: Path) -> None:
        venv = folder / "venv"
        _finished([sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)], 60, folder)
        pip = [sys.executable, "-m", "pip", "--python", str(venv / "bin/python"), "install"]
        options = ["--quiet", "--no-input", "--disable-pip-version-check"]
        _finished([*pip, *options, *packages], INSTALL_SECONDS, folder)

    version = ".".join(map(str, sys.version_info[:2]))
    return _once(f"{name}_{version}", install)
