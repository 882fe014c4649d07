"""`groundwire config HOST`: blocks that hosts can use as they stand."""

from __future__ import annotations

import base64
import json
import os
import shlex
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import yaml

from groundwire.cli.registry import HOSTS, SERVERS

SECRETS = {
    "GROUNDWIRE_HTTP_TOKEN": "s3cret-token",
    "ANTHROPIC_API_KEY": "s3cret-key",
    "TFL_APP_KEY": "s3cret-tfl",
}
# Under which key of its JSON a host keeps its servers.
_UNDER = {
    "claude-desktop": "mcpServers",
    "cursor": "mcpServers",
    "gemini": "mcpServers",
    "windsurf": "mcpServers",
    "lm-studio": "mcpServers",
    "vscode": "servers",
    "zed": "context_servers",
}
_URL = "https://groundwire.example:8443/mcp"


def parsed(host: str, block: str, server: str = "ontology") -> tuple[list[str], dict[str, str]]:
    """The command and the variables of a block, read the way the host reads it."""
    if host in _UNDER:
        entry = json.loads(block)[_UNDER[host]][server]
        return [entry["command"], *entry["args"]], entry.get("env", {})
    if host == "opencode":
        entry = json.loads(block)["mcp"][server]
        assert entry["type"] == "local"
        return entry["command"], entry.get("environment", {})
    if host == "goose":
        entry = yaml.safe_load(block)["extensions"][server]
        assert (entry["type"], entry["enabled"], entry["name"]) == ("stdio", True, server)
        return [entry["cmd"], *entry["args"]], entry["envs"]
    if host == "codex":
        entry = tomllib.loads(block)["mcp_servers"][server]
        return [entry["command"], *entry["args"]], entry.get("env", {})
    words = shlex.split(block)
    if host == "claude-code":
        # Claude Code takes every word after --env for a variable, up to the next option.
        assert words[:4] == ["claude", "mcp", "add", server]
        split = words.index("--")
        assert words[4:split:2] == ["--env"] * len(words[5:split:2])
        return words[split + 1 :], dict(pair.split("=", 1) for pair in words[5:split:2])
    # The Inspector hands on nothing of its own environment but what -e names.
    assert words[:3] == ["npx", "@modelcontextprotocol/inspector", "--cli"]
    options = words[3 : words.index("--method")]
    pairs = []
    while options[0] == "-e":
        pairs.append(options[1])
        options = options[2:]
    return options, dict(pair.split("=", 1) for pair in pairs)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("host", HOSTS)
def test_every_block_parses_and_names_an_absolute_command(
    run: Callable[..., Any], host: str, server: str, environment: Path
) -> None:
    ran = run("config", host, "--server", server)
    command, variables = parsed(host, ran.out, "groundwire" if server == "all" else server)
    assert ran.code == 0
    assert server in "".join(command)
    assert Path(command[0]).is_absolute()
    assert Path(command[0]).exists()
    assert variables == {"GROUNDWIRE_HOME": str(environment)}
    assert ran.err.strip().endswith(":")


@pytest.mark.parametrize("host", HOSTS)
def test_variables_are_carried_over_and_secrets_are_not(
    run: Callable[..., Any], host: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    awkward = str(tmp_path / 'it\'s "größer" & more 🗺')
    carried = {
        "GROUNDWIRE_HOME": awkward,
        "GROUNDWIRE_SHAPES": f"{awkward}{os.pathsep}{tmp_path}",
        "GROUNDWIRE_ASSETS": "https://example.org:8890/sparql",
        "TFL_BASE_URL": "offline",
        "AI_PROVIDER": "anthropic",
        "AI_MODEL": "claude-opus-5-5",
        "AI_BASE_URL": "https://models.example/v1",
        "LLM_EFFORT": "high",
        "GROUNDWIRE_TOOLS": "submit_slots,get_asset",
        "GROUNDWIRE_READ_ONLY": "1",
    }
    for name, value in (carried | SECRETS).items():
        monkeypatch.setenv(name, value)
    ran = run("config", host)
    assert parsed(host, ran.out)[1] == carried
    assert "s3cret" not in ran.out + ran.err


@pytest.mark.parametrize("host", HOSTS)
def test_where_a_secret_goes_is_told_beside_the_block(
    run: Callable[..., Any], host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    ran = run("config", host, "--server", "journeys")
    assert "TFL_APP_KEY" not in parsed(host, ran.out, "journeys")[1]
    assert "TFL_APP_KEY is a secret and not printed: add it yourself " in ran.err
    assert "s3cret" not in ran.out + ran.err
    assert "{" not in ran.err
    assert "TFL_APP_KEY" not in run("config", host, "--server", "metrics").err
    for server in ("agents", "all"):
        told = run("config", host, "--server", server)
        assert "ANTHROPIC_API_KEY is a secret and not printed: add it yourself " in told.err
        assert "s3cret" not in told.out + told.err


def test_relative_paths_become_absolute_since_hosts_start_elsewhere(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_HOME", "state")
    monkeypatch.setenv("GROUNDWIRE_SHAPES", os.pathsep.join(["shapes", "../more.ttl"]))
    monkeypatch.setenv("GROUNDWIRE_ASSETS", "http://127.0.0.1:8890/sparql")
    _, variables = parsed("cursor", run("config", "cursor").out)
    assert variables["GROUNDWIRE_HOME"] == str(tmp_path / "state")
    shapes = variables["GROUNDWIRE_SHAPES"].split(os.pathsep)
    assert all(Path(name).is_absolute() for name in shapes)
    assert Path(shapes[1]).resolve() == (tmp_path.parent / "more.ttl").resolve()
    assert variables["GROUNDWIRE_ASSETS"] == "http://127.0.0.1:8890/sparql"


def test_profile_and_facts_are_named_as_the_server_reads_them(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_PROFILE", "profile.toml")
    monkeypatch.setenv("GROUNDWIRE_FACTS", "sqlite:///facts.sqlite")
    block = run("config", "cursor", "--server", "metrics").out
    _, variables = parsed("cursor", block, "metrics")
    assert variables["GROUNDWIRE_PROFILE"] == str(tmp_path / "profile.toml")
    assert variables["GROUNDWIRE_FACTS"] == str(tmp_path / "facts.sqlite")
    monkeypatch.setenv("GROUNDWIRE_FACTS", "postgresql://me@db.example/facts")
    monkeypatch.setenv("GROUNDWIRE_FACTS_PASSWORD", "s3cret")
    ran = run("config", "cursor", "--server", "metrics")
    _, variables = parsed("cursor", ran.out, "metrics")
    assert variables["GROUNDWIRE_FACTS"] == "postgresql://me@db.example/facts"
    assert "GROUNDWIRE_FACTS_PASSWORD" in ran.out + ran.err
    assert "s3cret" not in ran.out + ran.err


def test_a_registry_is_named_by_its_absolute_path(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", "endpoints.toml")
    block = run("config", "cursor", "--server", "sparql").out
    _, variables = parsed("cursor", block, "sparql")
    assert variables["GROUNDWIRE_ENDPOINTS"] == str(tmp_path / "endpoints.toml")


def test_a_registry_that_is_shipped_keeps_its_name(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", "openlink")
    block = run("config", "cursor", "--server", "sparql").out
    assert parsed("cursor", block, "sparql")[1]["GROUNDWIRE_ENDPOINTS"] == "openlink"
    (tmp_path / "openlink").write_text("", "utf-8")
    block = run("config", "cursor", "--server", "ontology").out
    assert parsed("cursor", block)[1]["GROUNDWIRE_ENDPOINTS"] == str(tmp_path / "openlink")


REGISTRY = """
default_endpoint = "wiki"

[[endpoints]]
name = "wiki"
url = "https://wiki.example/sparql"
token_env = "WIKI_TOKEN"

[[endpoints]]
name = "books"
kind = "sql"
url = "postgresql://books.example/books"
username_env = "BOOKS_USER"
password_env = "BOOKS_PASSWORD"
"""


@pytest.mark.parametrize("server", ["sparql", "agents", "all"])
def test_credentials_that_a_registry_names_are_asked_for(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, server: str
) -> None:
    (tmp_path / "endpoints.toml").write_text(REGISTRY, "utf-8")
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", str(tmp_path / "endpoints.toml"))
    monkeypatch.setenv("WIKI_TOKEN", "s3cret-wiki")
    ran = run("config", "codex", "--server", server)
    for name in ("WIKI_TOKEN", "BOOKS_USER", "BOOKS_PASSWORD"):
        place = f"[mcp_servers.{'groundwire' if server == 'all' else server}.env]"
        assert f"{name} is a secret and not printed: add it yourself to {place}.\n" in ran.err
        assert name not in ran.out
    assert "s3cret" not in ran.out + ran.err
    assert "WIKI_TOKEN" not in run("config", "codex", "--server", "ontology").err


def test_a_registry_that_cannot_be_read_is_told_beside_the_block(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", str(tmp_path / "none.toml"))
    ran = run("config", "cursor", "--server", "sparql")
    assert ran.code == 3
    assert parsed("cursor", ran.out, "sparql")[0]
    assert "set GROUNDWIRE_ENDPOINTS to a TOML file" in ran.err


def test_without_the_script_the_interpreter_is_named(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    command, _ = parsed("cursor", run("config", "cursor").out)
    assert command == [sys.executable, "-m", "groundwire", "serve", "ontology"]


def test_uvx_names_no_folder(run: Callable[..., Any], environment: Path) -> None:
    command, _ = parsed("cursor", run("config", "cursor", "--uvx").out)
    assert command == ["uvx", "--from", "groundwire", "groundwire-ontology"]


@pytest.mark.parametrize(
    ("host", "key", "beside"),
    [
        ("vscode", "url", {"type": "http"}),
        ("cursor", "url", {}),
        ("gemini", "httpUrl", {}),
        ("windsurf", "serverUrl", {}),
        ("lm-studio", "url", {}),
        ("zed", "url", {}),
    ],
)
def test_a_server_elsewhere_is_named_as_the_host_reads_it(
    run: Callable[..., Any], host: str, key: str, beside: dict[str, str]
) -> None:
    ran = run("config", host, "--server", "metrics", "--url", _URL)
    assert json.loads(ran.out) == {_UNDER[host]: {"metrics": {**beside, key: _URL}}}
    assert "Authorization" in ran.err


def test_other_forms_name_a_server_elsewhere_too(run: Callable[..., Any]) -> None:
    assert tomllib.loads(run("config", "codex", "--url", _URL).out) == {
        "mcp_servers": {"ontology": {"url": _URL}}
    }
    goose = yaml.safe_load(run("config", "goose", "--url", _URL).out)["extensions"]["ontology"]
    assert (goose["type"], goose["uri"]) == ("streamable_http", _URL)
    opencode = json.loads(run("config", "opencode", "--url", _URL).out)["mcp"]["ontology"]
    assert opencode == {"type": "remote", "enabled": True, "url": _URL}
    words = shlex.split(run("config", "claude-code", "--url", _URL).out)
    assert words == ["claude", "mcp", "add", "--transport", "http", "ontology", _URL]


@pytest.mark.parametrize(
    ("host", "url", "told"),
    [
        ("claude-desktop", _URL, "takes no URL"),
        ("cursor", "localhost:8000", "is no http(s) URL"),
        ("cursor", "ftp://x.example", "is no http(s) URL"),
    ],
)
def test_a_url_that_cannot_be_used_is_told(
    run: Callable[..., Any], host: str, url: str, told: str
) -> None:
    ran = run("config", host, "--url", url)
    assert ran.code == 2 and told in ran.err and not ran.out


def opened(link: str) -> tuple[str, Any]:
    """The name and the entry that a link adds, as its host reads them."""
    parts = urlsplit(link)
    if parts.scheme == "vscode":
        entry = json.loads(unquote(parts.query))
        return entry.pop("name"), entry
    told = parse_qs(parts.query)
    if parts.scheme == "goose":
        return told["id"][0], {"command": told["cmd"][0], "args": told.get("arg", [])}
    return told["name"][0], json.loads(base64.b64decode(told["config"][0]))


@pytest.mark.parametrize("host", ["vscode", "cursor", "lm-studio", "goose"])
def test_a_link_adds_what_the_block_does(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("GROUNDWIRE_PROFILE", "/a folder/日本.toml")
    for beside in ((), ("--uvx",)):
        command, environment = parsed(host, run("config", host, *beside).out)
        ran = run("config", host, "--link", *beside)
        name, entry = opened(ran.out.strip())
        assert (name, [entry["command"], *entry["args"]]) == ("ontology", command)
        if host == "goose":
            assert "The link cannot hold GROUNDWIRE_" in ran.err
        else:
            assert entry["env"] == environment
    if host != "goose":
        name, entry = opened(run("config", host, "--link", "--url", _URL, "--server", "all").out)
        assert (name, entry["url"]) == ("groundwire", _URL)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("zed",), "vscode, cursor, lm-studio, goose"),
        (("claude-desktop",), "Claude Desktop opens the bundle"),
        (("goose", "--url", _URL), "no link to a server at a URL"),
    ],
)
def test_a_host_that_opens_no_link_is_told(
    run: Callable[..., Any], words: tuple[str, ...], told: str
) -> None:
    ran = run("config", *words, "--link")
    assert ran.code == 2 and told in ran.err and not ran.out


def test_the_links_of_the_documents_are_those_that_are_printed(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROUNDWIRE_HOME")
    page = (Path(__file__).parents[2] / "docs" / "all.md").read_text("utf-8")
    for host in ("vscode", "cursor", "lm-studio", "goose"):
        link = run("config", host, "--uvx", "--server", "all", "--link").out.strip()
        assert f"]({link})" in page
