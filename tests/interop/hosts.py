"""Hosts, and one run of each through the script.

Each is started with what `groundwire config` prints for it.

Each run has folders of its own for home and configuration, sends no telemetry, and reaches no
address but loopback: a proxy that is not there stands before all others.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from host_installs import (
    claude_package,
    install_claude_code,
    install_node_hosts,
    install_peers,
    install_python_hosts,
    opencode_package,
)
from host_script import SERVERS, STEPS
from scripted_model import scripted_model

RUN_SECONDS = 90
PROMPT = "Follow the script."


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


def codex(installed: Path, scratch: Path) -> Run:
    """Codex CLI, which speaks the Responses API with its model."""
    with scripted_model(list(STEPS.values())) as model:
        # A session begins before the servers are up, except those it cannot do without.
        ours = (
            'required = true\nstartup_timeout_sec = 60\ndefault_tools_approval_mode = "approve"\n'
        )
        servers = "".join(
            block.replace(f"[mcp_servers.{server}]\n", f"[mcp_servers.{server}]\n{ours}")
            for server, block in _blocks("codex", scratch).items()
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
            server: json.loads(block)["mcp"][server] | {"timeout": 60_000}
            for server, block in _blocks("opencode", scratch).items()
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


def gemini(installed: Path, scratch: Path) -> Run:
    """Gemini CLI, which speaks Gemini's interface with its model."""
    with scripted_model(list(STEPS.values())) as model:
        servers: dict[str, Any] = {}
        for server, block in _blocks("gemini", scratch).items():
            servers[server] = json.loads(block)["mcpServers"][server] | {"trust": True}
        settings = {
            "mcpServers": servers,
            "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}},
        }
        folder = scratch / ".gemini"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
        program = str(installed / "node_modules/.bin/gemini")
        ours = {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": model.url.removesuffix("/v1"),
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        options = ["--model", "gemini-2.5-pro", "--approval-mode", "yolo", "--prompt", PROMPT]
        said = _run([program, *options], scratch, ours)
        return _in_steps(model.seen, f"{said}\noffered: {model.offered}")


def claude(installed: Path, scratch: Path) -> Run:
    """Claude Code, which speaks the Messages API with its model."""
    with scripted_model(list(STEPS.values())) as model:
        program = str(installed / "node_modules" / claude_package() / "claude")
        ours = {
            "ANTHROPIC_BASE_URL": model.url.removesuffix("/v1"),
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            # Else the model has to search for our tools first.
            "ENABLE_TOOL_SEARCH": "false",
            "MCP_TIMEOUT": "60000",
            "MCP_CONNECT_TIMEOUT_MS": "60000",
            "MCP_CONNECTION_NONBLOCKING": "false",
        }
        said = ""
        for block in _blocks("claude-code", scratch).values():
            named, *words = shlex.split(block)
            assert named == "claude"
            said += _run([program, *words], scratch, ours)
        allowed = ",".join(f"mcp__{server}" for server in SERVERS)
        said += _run([program, "--print", PROMPT, "--allowedTools", allowed], scratch, ours)
        return _in_steps(model.seen, f"{said}\noffered: {model.offered}")


def pydantic_ai(installed: Path, scratch: Path) -> Run:
    """pydantic-ai with a `FunctionModel`."""
    return _in_process("host_pydantic_ai.py", installed, scratch)


def openai_agents(installed: Path, scratch: Path) -> Run:
    """openai-agents with a model of our own."""
    return _in_process("host_openai_agents.py", installed, scratch)


def langchain(installed: Path, scratch: Path) -> Run:
    """An agent of LangChain over langchain-mcp-adapters, with a model of our own."""
    return _in_process("host_langchain.py", installed, scratch)


def mcp_use(installed: Path, scratch: Path) -> Run:
    """An agent of mcp-use, with the same model."""
    return _in_process("host_mcp_use.py", installed, scratch)


def fastmcp(installed: Path, scratch: Path) -> Run:
    """The client of fastmcp, which follows the script itself."""
    return _in_process("host_fastmcp.py", installed, scratch)


FAMILIES = (
    Family(install_node_hosts, {"codex": codex, "opencode": opencode, "gemini": gemini}),
    Family(install_claude_code, {"claude-code": claude}),
    Family(install_python_hosts, {"pydantic-ai": pydantic_ai, "openai-agents": openai_agents}),
    Family(install_peers, {"langchain": langchain, "mcp-use": mcp_use, "fastmcp": fastmcp}),
)


def _in_process(program: str, installed: Path, scratch: Path) -> Run:
    servers: dict[str, Any] = {}
    for block in _blocks("cursor", scratch).values():
        servers |= json.loads(block)["mcpServers"]
    (scratch / "asked.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    answer = scratch / "seen.json"
    python = str(installed / "venv/bin/python")
    off = {
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "FASTMCP_CHECK_FOR_UPDATES": "off",
        "MCP_USE_ANONYMIZED_TELEMETRY": "false",
    }
    command = [python, str(Path(__file__).parent / program), "asked.json", answer.name]
    said = _run(command, scratch, off)
    return _in_steps(json.loads(answer.read_text("utf-8")) if answer.exists() else [], said)


def _blocks(host: str, scratch: Path) -> dict[str, str]:
    """Return the printed configuration of each server; the embedded network answers for TfL."""
    ours = {"GROUNDWIRE_HOME": str(scratch / "groundwire"), "TFL_BASE_URL": "offline"}
    others = {name: value for name, value in os.environ.items() if not name.startswith("GROUND")}
    return {
        server: subprocess.run(
            [sys.executable, "-m", "groundwire", "config", host, "--server", server],
            env=others | ours, stdout=subprocess.PIPE, text=True, check=True, timeout=60,
        ).stdout
        for server in SERVERS
    }  # fmt: skip


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
