"""`groundwire config HOST`: the block to paste, with absolute paths, since hosts lack PATH."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from groundwire.config import Settings, load_settings, locations

# Variables that say what is served; keys and tokens are never printed.
CARRIED = (
    "GROUNDWIRE_HOME",
    "GROUNDWIRE_SHAPES",
    "GROUNDWIRE_ASSETS",
    "GROUNDWIRE_PROFILE",
    "GROUNDWIRE_FACTS",
    "GROUNDWIRE_MODELS",
    "GROUNDWIRE_WAREHOUSE",
    "GROUNDWIRE_ENDPOINTS",
    "TFL_BASE_URL",
    "GROUNDWIRE_JOURNEYS",
    "AI_PROVIDER",
    "AI_MODEL",
    "AI_BASE_URL",
    "LLM_MAX_AGENT_STEPS",
    "LLM_EFFORT",
    "LLM_TEMPERATURE",
    "LLM_THINKING_BUDGET",
    "GROUNDWIRE_TOOLSETS",
    "GROUNDWIRE_TOOLS",
    "GROUNDWIRE_READ_ONLY",
    "GROUNDWIRE_LOG_LEVEL",
)
# What a server takes from its environment and nobody else may read.
_WAREHOUSE = ("GROUNDWIRE_WAREHOUSE_USER", "GROUNDWIRE_WAREHOUSE_PASSWORD")
_KEYS = ("TFL_APP_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", *_WAREHOUSE)
_SECRETS = {"journeys": ("TFL_APP_KEY",), "metrics": _WAREHOUSE, "agents": _KEYS, "all": _KEYS}
# Servers that ask the endpoints of the registry, which names the variables of their credentials.
_OF_ENDPOINTS = ("sparql", "agents", "all")
_Block = Callable[[str, list[str], Mapping[str, str]], str]


def config(arguments: argparse.Namespace) -> int:
    """Print the block for one host, with where it goes."""
    where, block, variables = _HOSTS[arguments.host]
    command = command_of(arguments.server)
    entry = "groundwire" if arguments.server == "all" else arguments.server
    environment = {name: _absolute(name) for name in CARRIED if os.environ.get(name)}
    sys.stderr.write(f"{where}\n")
    sys.stdout.write(block(entry, command, environment) + "\n")
    sys.stdout.flush()
    for name in _secrets(arguments.server):
        place = variables.format(name=name, server=entry)
        sys.stderr.write(f"{name} is a secret and not printed: add it yourself {place}.\n")
    return 0


def _secrets(server: str) -> list[str]:
    """Variables that the server needs and that the block does not show.

    Keys only where they are set, since none has to be; credentials of endpoints always, since an
    endpoint whose variable is missing is not asked.

    Raises:
        ConfigurationError: the endpoint registry cannot be read.
    """
    names = [name for name in _SECRETS.get(server, ()) if os.environ.get(name)]
    settings = load_settings()
    if server in _OF_ENDPOINTS and settings.endpoints is not None:
        from groundwire.servers.sparql import registry_file
        from groundwire.sparql.registry import load_registry

        for endpoint in load_registry(registry_file(settings)).endpoints:
            names += endpoint.credential_variables
    return list(dict.fromkeys(names))


def command_of(server: str) -> list[str]:
    """The absolute command that serves over stdio, whatever the host's PATH is."""
    script = f"groundwire-{server}"
    beside = Path(sys.executable).parent / (f"{script}.exe" if os.name == "nt" else script)
    if beside.exists():
        return [str(beside)]
    found = shutil.which(script)
    if found:
        return [str(Path(found).absolute())]
    return [sys.executable, "-m", "groundwire", "serve", server]


def _absolute(name: str) -> str:
    """A variable's value with the paths in it absolute: hosts start servers anywhere."""
    if name == "GROUNDWIRE_HOME":
        return str(load_settings().home)
    value = os.environ[name]
    settings = load_settings()
    named = {
        "GROUNDWIRE_PROFILE": settings.profile,
        "GROUNDWIRE_FACTS": settings.facts,
        "GROUNDWIRE_ENDPOINTS": settings.endpoints,
    }
    if name == "GROUNDWIRE_ENDPOINTS" and _is_shipped(settings):
        return value.strip()
    if name in named:
        return str(named[name])
    if name == "GROUNDWIRE_WAREHOUSE":
        from groundwire.tables.opening import absolute

        return absolute(value)
    if name not in ("GROUNDWIRE_SHAPES", "GROUNDWIRE_ASSETS", "GROUNDWIRE_MODELS"):
        return value
    return os.pathsep.join(
        place if "://" in place else str(Path(place).expanduser().absolute())
        for place in locations(value)
    )


def _is_shipped(settings: Settings) -> bool:
    """Whether the registry is one that comes with the package, known by its name."""
    from groundwire.servers.sparql import registry_file

    return registry_file(settings) != settings.endpoints


def _json(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, indent=2, ensure_ascii=False)


def _entry(command: list[str], environment: Mapping[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
    return entry | ({"env": dict(environment)} if environment else {})


def _mcp_servers(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    return _json({"mcpServers": {name: _entry(command, environment)}})


def _vscode(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    return _json({"servers": {name: {"type": "stdio", **_entry(command, environment)}}})


def _opencode(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    entry: dict[str, Any] = {"type": "local", "command": command, "enabled": True}
    entry |= {"environment": dict(environment)} if environment else {}
    return _json({"$schema": "https://opencode.ai/config.json", "mcp": {name: entry}})


def _codex(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    # JSON strings and arrays of strings are TOML too.
    lines = [
        f"[mcp_servers.{name}]",
        f"command = {json.dumps(command[0], ensure_ascii=False)}",
        f"args = {json.dumps(command[1:], ensure_ascii=False)}",
    ]
    if environment:
        lines += ["", f"[mcp_servers.{name}.env]"]
        lines += [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in environment.items()
        ]
    return "\n".join(lines)


def _claude_code(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    # The name stands first: Claude Code takes whatever follows --env for another variable.
    options = [part for key, value in environment.items() for part in ("--env", f"{key}={value}")]
    return shlex.join(["claude", "mcp", "add", name, *options, "--", *command])


def _inspector(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    # It hands on nothing of its own environment but what -e names.
    options = [part for key, value in environment.items() for part in ("-e", f"{key}={value}")]
    start = ["npx", "@modelcontextprotocol/inspector", "--cli", *options]
    return shlex.join([*start, *command, "--method", "tools/list"])


# Where a block goes, what writes it, and where in it a variable stands.
_HOSTS: dict[str, tuple[str, _Block, str]] = {
    "claude-desktop": (
        "Settings > Developer > Edit Config (claude_desktop_config.json), then restart:",
        _mcp_servers,
        'to "env" beside "args"',
    ),
    "claude-code": ("Run:", _claude_code, "as `--env {name}=...` before `--`"),
    "vscode": (
        ".vscode/mcp.json, or the user's mcp.json:",
        _vscode,
        'to "env" beside "args"; an "inputs" entry keeps it out of the file',
    ),
    "cursor": (".cursor/mcp.json, or ~/.cursor/mcp.json:", _mcp_servers, 'to "env" beside "args"'),
    "codex": ("~/.codex/config.toml:", _codex, "to [mcp_servers.{server}.env]"),
    "gemini": (
        "~/.gemini/settings.json, or .gemini/settings.json of a project:",
        _mcp_servers,
        'to "env" beside "args"',
    ),
    "opencode": (
        "opencode.json, or ~/.config/opencode/opencode.json:",
        _opencode,
        'to "environment" beside "command"',
    ),
    "inspector": ("Run, with Node 22.19 or newer:", _inspector, "as `-e {name}=...` after --cli"),
}
