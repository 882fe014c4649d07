"""Four hosts, each installed once in a fixed version, and one run of each through the script.

Each run has folders of its own for home and configuration, sends no telemetry, and reaches no
address but loopback: a proxy that is not there stands before all others.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from host_script import SERVERS, STEPS
from scripted_model import scripted_model

CODEX = "0.169.0"
OPENCODE = "1.18.33"
PYDANTIC_AI = "2.68.0"
OPENAI_AGENTS = "0.24.0"
INSTALL_SECONDS = 240
RUN_SECONDS = 120
PROMPT = "Follow the script."


class CannotInstall(Exception):
    """Why a host is not here."""


class Run(NamedTuple):
    """What one host did.

    Attributes:
        seen: per step of the script, the text of the result that the model saw.
        said: what the host printed, for the message of a failure.
    """

    seen: dict[str, str]
    said: str


class Family(NamedTuple):
    """Hosts that are installed together, and how each is driven.

    Attributes:
        install: gives the folder, or raises `CannotInstall`.
        hosts: by name; each takes the folder and one to work in.
    """

    install: Callable[[], Path]
    hosts: dict[str, Callable[[Path, Path], Run]]


def opencode_package() -> str:
    """The package that holds the program for this machine, on x64 for processors of any age."""
    system = platform.system().lower()
    machine = {"x86_64": "x64-baseline", "aarch64": "arm64"}.get(
        platform.machine(), platform.machine()
    )
    return f"opencode-{system}-{machine}"


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
    """Codex CLI and opencode in one npm folder.

    Raises:
        CannotInstall: there is no npm, or it failed.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise CannotInstall("npm and node are not here")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
    packages = [f"@openai/codex@{CODEX}", f"{opencode_package()}@{OPENCODE}"]

    def install(folder: Path) -> None:
        command = [npm, "install", "--prefix", str(folder), *options, *packages]
        _finished(command, INSTALL_SECONDS, folder)

    return _once(f"{CODEX}_{OPENCODE}", install)


def install_python_hosts() -> Path:
    """pydantic-ai and openai-agents in one environment, which shares nothing with the tests' own.

    Raises:
        CannotInstall: there is no pip, or it failed.
    """
    packages = [f"pydantic-ai-slim[mcp]=={PYDANTIC_AI}", f"openai-agents=={OPENAI_AGENTS}"]

    def install(folder: Path) -> None:
        venv = folder / "venv"
        _finished([sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)], 60, folder)
        pip = [sys.executable, "-m", "pip", "--python", str(venv / "bin/python"), "install"]
        options = ["--quiet", "--no-input", "--disable-pip-version-check"]
        _finished([*pip, *options, *packages], INSTALL_SECONDS, folder)

    version = ".".join(map(str, sys.version_info[:2]))
    return _once(f"{PYDANTIC_AI}_{OPENAI_AGENTS}_{version}", install)


def codex(installed: Path, scratch: Path) -> Run:
    """Codex CLI, which speaks the Responses API with its model."""
    with scripted_model(list(STEPS.values())) as model:
        servers = "".join(
            f"[mcp_servers.{server}]\n"
            f"command = {json.dumps(command[0])}\n"
            f"args = {json.dumps(command[1:])}\n"
            # A session begins before the servers are up, except those it cannot do without.
            "required = true\n"
            "startup_timeout_sec = 60\n"
            'default_tools_approval_mode = "approve"\n'
            f"[mcp_servers.{server}.env]\n"
            + "".join(f"{name} = {json.dumps(value)}\n" for name, value in variables.items())
            for server, (command, variables) in _servers(scratch).items()
        )
        home = scratch / "codex"
        home.mkdir()
        (home / "config.toml").write_text(
            f"""\
model = "scripted"
model_provider = "loopback"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
web_search = "disabled"
[analytics]
enabled = false
[feedback]
enabled = false
[features]
apps = false
plugins = false
remote_plugin = false
[otel]
exporter = "none"
metrics_exporter = "none"
trace_exporter = "none"
[model_providers.loopback]
name = "loopback"
base_url = "{model.url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
{servers}""",
            "utf-8",
        )
        program = str(installed / "node_modules/.bin/codex")
        options = ["--skip-git-repo-check", "--ephemeral", "--json"]
        said = _run([program, "exec", *options, PROMPT], scratch, {"CODEX_HOME": str(home)})
        return _in_steps(model.seen, f"{said}\noffered: {model.offered}")


def opencode(installed: Path, scratch: Path) -> Run:
    """opencode, which speaks chat completions with its model."""
    with scripted_model(list(STEPS.values())) as model:
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": model.url, "apiKey": "none"},
            "models": {
                "scripted": {"tool_call": True, "limit": {"context": 200_000, "output": 8_000}}
            },
        }
        servers = {
            server: {
                "type": "local",
                "command": command,
                "environment": variables,
                "timeout": 60_000,
            }
            for server, (command, variables) in _servers(scratch).items()
        }
        configuration = {
            "autoupdate": False,
            "share": "disabled",
            "enabled_providers": ["loopback"],
            "model": "loopback/scripted",
            "small_model": "loopback/scripted",
            "provider": {"loopback": provider},
            "mcp": servers,
        }
        (scratch / "opencode.json").write_text(json.dumps(configuration), "utf-8")
        program = str(installed / "node_modules" / opencode_package() / "bin/opencode")
        options = ["--auto", "--pure", "--title", "script", "--format", "json"]
        parts = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE")
        off = {f"OPENCODE_DISABLE_{part}": "1" for part in parts}
        said = _run([program, "run", *options, PROMPT], scratch, off)
        return _in_steps(model.seen, f"{said}\noffered: {model.offered}")


def pydantic_ai(installed: Path, scratch: Path) -> Run:
    """pydantic-ai with a `FunctionModel`."""
    return _in_process("host_pydantic_ai.py", installed, scratch)


def openai_agents(installed: Path, scratch: Path) -> Run:
    """openai-agents with a model of our own."""
    return _in_process("host_openai_agents.py", installed, scratch)


FAMILIES = (
    Family(install_node_hosts, {"codex": codex, "opencode": opencode}),
    Family(install_python_hosts, {"pydantic-ai": pydantic_ai, "openai-agents": openai_agents}),
)


def _in_process(program: str, installed: Path, scratch: Path) -> Run:
    servers = _servers(scratch)
    asked = {"servers": {name: [*command] for name, (command, _) in servers.items()}}
    asked["variables"] = next(iter(servers.values()))[1] | {"PATH": os.environ.get("PATH", "")}
    (scratch / "asked.json").write_text(json.dumps(asked), "utf-8")
    answer = scratch / "seen.json"
    python = str(installed / "venv/bin/python")
    off = {"OPENAI_AGENTS_DISABLE_TRACING": "1", "FASTMCP_CHECK_FOR_UPDATES": "off"}
    command = [python, str(Path(__file__).parent / program), "asked.json", answer.name]
    said = _run(command, scratch, off)
    return _in_steps(json.loads(answer.read_text("utf-8")) if answer.exists() else [], said)


def _servers(scratch: Path) -> dict[str, tuple[list[str], dict[str, str]]]:
    """The command of each server and its variables; the embedded network answers for TfL."""
    variables = {"GROUNDWIRE_HOME": str(scratch / "groundwire"), "TFL_BASE_URL": "offline"}
    return {
        name: ([sys.executable, "-m", "groundwire", "serve", name], variables) for name in SERVERS
    }


def _run(command: Sequence[str], scratch: Path, variables: dict[str, str]) -> str:
    """Run a host to its end, or end it and all it started; what it printed."""
    nowhere = "http://127.0.0.1:9"
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(scratch),
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "ALL_PROXY": nowhere,
        "NO_PROXY": "127.0.0.1,localhost",
        "DO_NOT_TRACK": "1",
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
        **variables,
    }
    environment |= {name.lower(): environment[name] for name in environment if "PROXY" in name}
    with (scratch / "said").open("w+", encoding="utf-8") as output:
        host = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=scratch,
            env=environment,
            start_new_session=True,
        )
        try:
            host.wait(RUN_SECONDS)
            ended = f"exit code {host.returncode}"
        except subprocess.TimeoutExpired:
            os.killpg(host.pid, signal.SIGKILL)
            host.wait(10)
            ended = f"stopped after {RUN_SECONDS} s"
        output.seek(0)
        return f"{output.read()[-4000:]}\n{ended}"


def _in_steps(seen: Sequence[str], said: str) -> Run:
    return Run(dict(zip(STEPS, seen, strict=False)), said)
