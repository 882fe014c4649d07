"""`groundwire config HOST`: the block to paste, with absolute paths, since hosts lack PATH.

Where each host keeps its servers, and how it names them, is from its own documentation.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from groundwire.config import Settings, load_settings, locations
from groundwire.errors import InputError

# Variables that say what is served; keys and tokens are never printed.
CARRIED = (
    "GROUNDWIRE_HOME",
    "GROUNDWIRE_STATE",
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
_OF_STATE = "GROUNDWIRE_STATE_PASSWORD"
_OF_METRICS = ("GROUNDWIRE_FACTS_PASSWORD", *_WAREHOUSE)
_KEYS = ("TFL_APP_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", *_OF_METRICS)
_SECRETS = {"journeys": ("TFL_APP_KEY",), "metrics": _OF_METRICS, "agents": _KEYS, "all": _KEYS}
# Servers that ask the endpoints of the registry, which names the variables of their credentials.
_OF_ENDPOINTS = ("sparql", "agents", "all")
_Block = Callable[[str, list[str], Mapping[str, str]], str]
_Remote = Callable[[str, str], str]
_Link = Callable[[str, Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class _Host:
    """A host: where its block goes, what writes it, and where in it a variable stands.

    Attributes:
        place: where the block goes.
        local: writes it for a command that the host starts.
        variable: where a variable is added.
        remote: writes it for a server at a URL, or None where the host takes none in its file.
        token: where the token of a server at a URL is added.
        link: writes a link that adds an entry of its block, or None where the host takes none.
    """

    place: str
    local: _Block
    variable: str = 'to "env" beside "args"'
    remote: _Remote | None = None
    token: str = 'to "headers" beside the URL, as "Authorization": "Bearer ..."'
    link: _Link | None = None


def config(arguments: argparse.Namespace) -> int:
    """Print the block for one host, with where it goes."""
    host = _HOSTS[arguments.host]
    if arguments.url:
        return _remote(arguments, host)
    entry = entry_name(arguments.server)
    command = _by_uvx(arguments.server) if arguments.uvx else command_of(arguments.server)
    environment = {name: _absolute(name) for name in CARRIED if os.environ.get(name)}
    _show(arguments, host, host.local(entry, command, environment))
    for name in _secrets(arguments.server):
        place = host.variable.format(name=name, server=entry)
        sys.stderr.write(f"{name} is a secret and not printed: add it yourself {place}.\n")
    return 0


def entry_name(server: str) -> str:
    """The name under which a host knows a server: that of all toolsets is the product's own."""
    return "groundwire" if server == "all" else server


def _show(arguments: argparse.Namespace, host: _Host, block: str) -> None:
    """Print a block with where it goes, or the link that adds it.

    Raises:
        InputError: the host opens no links.
    """
    if not arguments.link:
        sys.stderr.write(f"{host.place}\n")
        sys.stdout.write(f"{block}\n")
    elif host.link is None:
        takes = ", ".join(name for name, one in _HOSTS.items() if one.link)
        raise InputError(
            f"{arguments.host} opens no link that adds a server: leave --link out, or name "
            f"{takes}. Claude Desktop opens the bundle that packaging/README.md tells how to make."
        )
    else:
        import yaml

        entry = entry_name(arguments.server)
        sys.stderr.write("Open in a browser, or by the system's own opener of links:\n")
        # JSON is read as YAML too.
        tree = next(iter(yaml.safe_load(block).values()))[entry]
        sys.stdout.write(f"{host.link(entry, tree)}\n")
    sys.stdout.flush()


def _remote(arguments: argparse.Namespace, host: _Host) -> int:
    """Print the block for a server that runs elsewhere.

    Raises:
        InputError: the host takes no URL in its configuration, or the URL is none of http(s).
    """
    url: str = arguments.url
    if host.remote is None:
        raise InputError(
            f"{arguments.host} takes no URL in its configuration: add the server under its "
            "connectors, or leave --url out."
        )
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise InputError(f"{url[:80]!r} is no http(s) URL: send one such as http://HOST:8000/mcp.")
    _show(arguments, host, host.remote(entry_name(arguments.server), url))
    sys.stderr.write(f"Its token is a secret and not printed: add it yourself {host.token}.\n")
    return 0


def _by_uvx(server: str) -> list[str]:
    """The command that runs the published package, whichever version uv has or fetches."""
    return ["uvx", "--from", "groundwire", f"groundwire-{server}"]


def _secrets(server: str) -> list[str]:
    """Variables that the server needs and that the block does not show.

    Keys only where they are set, since none has to be; credentials of endpoints always, since an
    endpoint whose variable is missing is not asked.

    Raises:
        ConfigurationError: the endpoint registry cannot be read.
    """
    names = [name for name in (_OF_STATE, *_SECRETS.get(server, ())) if os.environ.get(name)]
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
        "GROUNDWIRE_FACTS": settings.facts_database or settings.facts,
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


def _goose(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    entry: dict[str, Any] = {"name": name, "type": "stdio", "enabled": True, "timeout": 300}
    entry |= {"cmd": command[0], "args": command[1:], "envs": dict(environment)}
    return _yaml({"extensions": {name: entry}})


def _zed(name: str, command: list[str], environment: Mapping[str, str]) -> str:
    return _json({"context_servers": {name: _entry(command, environment)}})


def _yaml(tree: Mapping[str, Any]) -> str:
    import yaml

    return yaml.safe_dump(dict(tree), sort_keys=False, allow_unicode=True, width=200).rstrip()


def _url_as(*path: str, key: str = "url", **beside: Any) -> _Remote:
    """Write JSON that names a server below `path`, its URL under `key`."""

    def written(name: str, url: str) -> str:
        tree: dict[str, Any] = {name: {**beside, key: url}}
        for one in reversed(path):
            tree = {one: tree}
        return _json(tree)

    return written


def _packed_link(start: str) -> _Link:
    """Write a link with the name of a server and its entry, as JSON in base64."""

    def written(name: str, entry: Mapping[str, Any]) -> str:
        packed = base64.b64encode(_compact(entry).encode()).decode()
        return f"{start}?{urlencode({'name': name, 'config': packed})}"

    return written


def _vscode_link(name: str, entry: Mapping[str, Any]) -> str:
    return f"vscode:mcp/install?{quote(_compact({'name': name, **entry}), safe='')}"


def _compact(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def _goose_link(name: str, entry: Mapping[str, Any]) -> str:
    """Write a link for goose, which takes no values of variables in it.

    Raises:
        InputError: the entry is of a server at a URL.
    """
    if "uri" in entry:
        raise InputError("goose opens no link to a server at a URL: leave --link out.")
    if entry["envs"]:
        sys.stderr.write(f"The link cannot hold {', '.join(entry['envs'])}: add them in goose.\n")
    words = [("cmd", entry["cmd"]), *(("arg", one) for one in entry["args"]), ("id", name)]
    words += [("name", name), ("description", "Answers with evidence"), ("timeout", "300")]
    return f"goose://extension?{urlencode(words, quote_via=quote)}"


def _goose_url(name: str, url: str) -> str:
    entry = {"name": name, "type": "streamable_http", "enabled": True, "uri": url}
    return _yaml({"extensions": {name: entry}})


def _codex_url(name: str, url: str) -> str:
    return f"[mcp_servers.{name}]\nurl = {json.dumps(url, ensure_ascii=False)}"


def _claude_code_url(name: str, url: str) -> str:
    return shlex.join(["claude", "mcp", "add", "--transport", "http", name, url])


def _inspector_url(_: str, url: str) -> str:
    start = ["npx", "@modelcontextprotocol/inspector", "--cli", url, "--transport", "http"]
    return shlex.join([*start, "--method", "tools/list"])


_HOSTS: dict[str, _Host] = {
    "claude-desktop": _Host(
        "Settings > Developer > Edit Config (claude_desktop_config.json), then restart:",
        _mcp_servers,
    ),
    "claude-code": _Host(
        "Run:",
        _claude_code,
        "as `--env {name}=...` before `--`",
        _claude_code_url,
        'as `--header "Authorization: Bearer ..."`',
    ),
    "vscode": _Host(
        ".vscode/mcp.json, or the user's mcp.json:",
        _vscode,
        'to "env" beside "args"; an "inputs" entry keeps it out of the file',
        _url_as("servers", type="http"),
        link=_vscode_link,
    ),
    "cursor": _Host(
        ".cursor/mcp.json, or ~/.cursor/mcp.json:",
        _mcp_servers,
        remote=_url_as("mcpServers"),
        link=_packed_link("cursor://anysphere.cursor-deeplink/mcp/install"),
    ),
    "codex": _Host(
        "~/.codex/config.toml:",
        _codex,
        "to [mcp_servers.{server}.env]",
        _codex_url,
        "by bearer_token_env_var, which names a variable that holds it",
    ),
    "gemini": _Host(
        "~/.gemini/settings.json, or .gemini/settings.json of a project:",
        _mcp_servers,
        remote=_url_as("mcpServers", key="httpUrl"),
    ),
    "opencode": _Host(
        "opencode.json, or ~/.config/opencode/opencode.json:",
        _opencode,
        'to "environment" beside "command"',
        _url_as("mcp", type="remote", enabled=True),
    ),
    "windsurf": _Host(
        "~/.codeium/windsurf/mcp_config.json:",
        _mcp_servers,
        remote=_url_as("mcpServers", key="serverUrl"),
    ),
    "zed": _Host(
        "settings.json (command palette: zed: open settings):",
        _zed,
        remote=_url_as("context_servers"),
    ),
    "lm-studio": _Host(
        "Program > Install > Edit mcp.json (~/.lmstudio/mcp.json):",
        _mcp_servers,
        remote=_url_as("mcpServers"),
        link=_packed_link("lmstudio://add_mcp"),
    ),
    "goose": _Host(
        "~/.config/goose/config.yaml:",
        _goose,
        "to envs below cmd",
        _goose_url,
        "to headers below uri, as Authorization: Bearer ...",
        _goose_link,
    ),
    "inspector": _Host(
        "Run, with Node 22.19 or newer:",
        _inspector,
        "as `-e {name}=...` after --cli",
        _inspector_url,
        'as `--header "Authorization: Bearer ..."`',
    ),
}
