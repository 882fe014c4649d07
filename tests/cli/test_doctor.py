"""`groundwire doctor`: one line a check, with the way out."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from groundwire.cli.doctor import _OF_THE_SETTINGS

CHECKS = [
    "settings",
    "python",
    "packages",
    "variables",
    "state",
    "evidence",
    "catalogue",
    "facts",
    "warehouse",
    "endpoints",
    "journeys",
    "learning",
    "agents",
    "servers",
    "http",
]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks TfL itself."""
    monkeypatch.setenv("TFL_BASE_URL", "offline")


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Leaves out all checks but those that a test is about: the servers take seconds to compose."""

    def leave(*names: str) -> None:
        kept = tuple(check for check in _OF_THE_SETTINGS if check.__name__ in names)
        assert len(kept) == len(names)
        monkeypatch.setattr("groundwire.cli.doctor._OF_THE_SETTINGS", kept)

    return leave


def lines(text: str) -> dict[str, tuple[str, str]]:
    return {
        words[1]: (words[0], words[2])
        for line in text.splitlines()[:-1]
        if (words := line.split(None, 2))
    }


def test_a_fresh_machine_is_healthy(run: Callable[..., Any], environment: Path) -> None:
    ran = run("doctor")
    assert (ran.code, ran.err) == (0, "")
    found = lines(ran.out)
    assert list(found) == CHECKS
    assert {mark for mark, _ in found.values()} == {"ok"}
    assert "hdmap 110" in found["catalogue"][1]
    assert "profile default: 10 metrics" in found["facts"][1]
    assert "not read" not in found["facts"][1]
    assert found["endpoints"][1] == (
        "default (sparql, spasql, graphql), countries (sparql, spasql, graphql), "
        "sample (sql, spasql)"
    )
    assert found["journeys"][1] == (
        "509 stops, 20 lines, 261 landmarks; TfL is not asked (TFL_BASE_URL=offline), "
        "times are estimates"
    )
    assert str(environment) in found["state"][1]
    assert ran.out.endswith("Everything works.\n")


def test_each_failure_says_how_to_mend_it(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "file" / "home"))
    monkeypatch.setenv("GROUNDWIRE_SHAPES", "x.ttl")
    ran = run("doctor")
    assert ran.code == 1
    found = lines(ran.out)
    assert found["state"][0] == "FAIL"
    assert "set GROUNDWIRE_HOME" in found["state"][1]
    assert found["catalogue"] == ("FAIL", found["catalogue"][1])
    assert "GROUNDWIRE_ASSETS" in found["catalogue"][1]
    assert found["python"][0] == "ok"
    assert ran.out.endswith("failed.\n")


def test_a_ledger_that_was_changed_is_found(
    run: Callable[..., Any], only: Callable[..., None], environment: Path
) -> None:
    only("state", "evidence")
    from groundwire.servers.composition import EVIDENCE_FILE

    environment.mkdir()
    (environment / EVIDENCE_FILE).write_bytes(b"this is no database, and long enough" * 100)
    ran = run("doctor")
    assert ran.code == 1
    assert lines(ran.out)["evidence"][0] == "FAIL"


def test_wrong_settings_skip_what_depends_on_them(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_READ_ONLY", "perhaps")
    ran = run("doctor")
    assert ran.code == 1
    found = lines(ran.out)
    assert found["settings"][0] == "FAIL"
    assert ran.out.endswith("1 failed.\n")
    of_the_machine = ("python", "packages")
    assert all(found[name][0] == "ok" for name in of_the_machine)
    for name in CHECKS[3:]:
        assert found[name] == ("-", "skipped: see settings")


def test_what_nobody_expected_is_a_finding_and_ends_no_check(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def journeys(_: Any) -> str:
        raise ModuleNotFoundError("No module named 'groundwire.journeys.lines'")

    checks = (journeys if one.__name__ == "journeys" else one for one in _OF_THE_SETTINGS)
    monkeypatch.setattr("groundwire.cli.doctor._OF_THE_SETTINGS", tuple(checks))
    ran = run("doctor")
    found = lines(ran.out)
    assert (ran.code, ran.err) == (1, "")
    assert found["journeys"][0] == "FAIL"
    assert "No module named 'groundwire.journeys.lines'" in found["journeys"][1]
    assert "install groundwire anew with pip" in found["journeys"][1]
    assert list(found) == CHECKS
    assert found["http"][0] == "ok"


@pytest.mark.parametrize(
    ("variable", "value", "mark", "says"),
    [
        ("GROUNDWIRE_TOOLSETS", "metric", "FAIL", "there is no toolset 'metric'; did you mean"),
        ("GROUNDWIRE_TOOLS", "submit_slot", "FAIL", "did you mean 'submit_slots'?"),
        # Of one server: the others do not know it, and that is told.
        (
            "GROUNDWIRE_TOOLSETS",
            "metrics",
            "ok",
            "; not as GROUNDWIRE_TOOLSETS says: ontology, sparql, journeys, learning, agents",
        ),
        ("GROUNDWIRE_READ_ONLY", "1", "ok", "all 12 tools"),
    ],
)
def test_servers_that_would_not_start_are_told(
    run: Callable[..., Any],
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    mark: str,
    says: str,
) -> None:
    only("variables", "servers")
    monkeypatch.setenv(variable, value)
    found = lines(run("doctor").out)
    assert found["servers"][0] == mark
    assert says in found["servers"][1]


COLLIDING = """
[profile]
name = "p"
[kinds.shop]
label = "shop"
[[entities]]
code = "A"
kind = "shop"
name = "Alpha"
[[entities]]
code = "B"
kind = "shop"
name = "Beta"
aliases = ["ALPHA"]
[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
"""


@pytest.mark.parametrize(
    ("variable", "content", "says"),
    [
        ("GROUNDWIRE_PROFILE", None, "set GROUNDWIRE_PROFILE to a TOML file"),
        ("GROUNDWIRE_PROFILE", "[profile", "is no TOML"),
        ("GROUNDWIRE_PROFILE", COLLIDING, "`groundwire metrics lint` shows all"),
        ("GROUNDWIRE_FACTS", None, "`groundwire metrics import FILE` makes it"),
        ("GROUNDWIRE_FACTS", "this is no database, and long enough" * 100, "cannot be used"),
    ],
)
def test_facts_that_cannot_be_used_are_told_with_the_way_out(
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variable: str,
    content: str | None,
    says: str,
) -> None:
    if content is not None:
        (tmp_path / "file").write_text(content, "utf-8")
    monkeypatch.setenv(variable, str(tmp_path / "file"))
    ran = run("doctor")
    assert ran.code == 1
    found = lines(ran.out)
    assert found["facts"][0] == "FAIL"
    assert says in found["facts"][1]
    # A profile that cannot be read is one that servers do not start with either.
    assert {name for name, (mark, _) in found.items() if mark == "FAIL"} <= {"facts", "servers"}
    if found["servers"][0] == "FAIL":
        assert found["servers"][1].startswith("not started would be metrics")


REGISTRY = """
default_endpoint = "help"
[[endpoints]]
name = "help"
url = "local:help"
[[endpoints]]
name = "gone"
url = "http://127.0.0.1:{port}/sparql"
allow_private = true
token_env = "DOCTOR_TOKEN"
"""


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "set GROUNDWIRE_ENDPOINTS to a TOML file"),
        ("[[endpoints", "is no TOML"),
        (REGISTRY.replace("default_endpoint", "default_endpiont"), "check its spelling"),
        (REGISTRY, "gone: Endpoint gone needs the variable DOCTOR_TOKEN: set it"),
    ],
)
def test_endpoints_that_cannot_be_used_are_told_with_the_way_out(
    run: Callable[..., Any],
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    content: str | None,
    says: str,
) -> None:
    only("endpoints", "agents")
    if content is not None:
        (tmp_path / "endpoints.toml").write_text(content.replace("{port}", "9"), "utf-8")
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", str(tmp_path / "endpoints.toml"))
    ran = run("doctor")
    assert ran.code == 1
    mark, said = lines(ran.out)["endpoints"]
    assert mark == "FAIL"
    assert says in said
    assert ran.out.endswith("1 failed.\n")


def test_an_endpoint_that_is_down_is_told_and_its_key_is_not(
    run: Callable[..., Any],
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    only("endpoints")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    registry = tmp_path / "endpoints.toml"
    registry.write_text(REGISTRY.format(port=port), "utf-8")
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", str(registry))
    monkeypatch.setenv("DOCTOR_TOKEN", "s3cret-token")
    ran = run("doctor")
    assert ran.code == 1
    mark, said = lines(ran.out)["endpoints"]
    assert (mark, said[:6]) == ("FAIL", "gone: ")
    assert "help" not in said
    assert "s3cret" not in ran.out + ran.err


class Tfl(BaseHTTPRequestHandler):
    """A service that answers as the path of its base URL says."""

    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        """Answer one request."""
        self.asked.append((self.path, self.headers.get("app_key")))
        status = {"/down": 503, "/refuses": 401, "/busy": 429, "/page": 404}
        told = self.path.removesuffix("/Line/victoria/Status")
        self.send_response(status.get(told, 200))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"[]" if told == "" else b'{"message": "synthetic"}')

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def tfl() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Tfl) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "key", "mark", "says"),
    [
        ("", "", "ok", "; TfL answers without a key (50 requests a minute, not 500)"),
        ("", "s3cret-key-0123", "ok", "; TfL answers with the key"),
        # What passes by itself is no fault of the installation.
        ("/down", "", "ok", "HTTP 503) (synthetic): try again in a minute. Until it does, times"),
        ("/busy", "", "ok", "TfL takes no more requests now"),
        ("/refuses", "s3cret-key-0123", "FAIL", "check TFL_APP_KEY"),
        ("/page", "", "FAIL", "TfL does not know the line"),
        ("/odd", "", "FAIL", "TFL_BASE_URL"),
    ],
)
def test_tfl_is_asked_once_and_what_it_does_is_told(
    run: Callable[..., Any],
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tfl: str,
    path: str,
    key: str,
    mark: str,
    says: str,
) -> None:
    only("journeys")
    monkeypatch.setenv("TFL_BASE_URL", f"{tfl}{path}")
    monkeypatch.setenv("TFL_APP_KEY", key)
    Tfl.asked.clear()
    ran = run("doctor")
    assert lines(ran.out)["journeys"] == (mark, lines(ran.out)["journeys"][1])
    assert says in lines(ran.out)["journeys"][1]
    assert Tfl.asked == [(f"{path}/Line/victoria/Status", key or None)]
    assert "s3cret" not in ran.out + ran.err


def test_a_tfl_that_cannot_be_reached_is_told_with_the_way_out(
    run: Callable[..., Any], only: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    only("journeys")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv("TFL_BASE_URL", f"http://127.0.0.1:{port}")
    ran = run("doctor")
    assert ran.code == 0
    mark, said = lines(ran.out)["journeys"]
    assert mark == "ok"
    assert "cannot be reached" in said
    assert "TFL_BASE_URL=offline" in said


def test_secrets_are_not_printed(
    run: Callable[..., Any], only: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HTTP_TOKEN", "s3cret-token")
    ran = run("doctor")
    assert "s3cret" not in ran.out + ran.err
    assert (
        "HTTP asks for it, on this machine only: other addresses need 16 characters"
        in (lines(ran.out)["http"][1])
    )
    only("http")
    monkeypatch.setenv("GROUNDWIRE_HTTP_TOKEN", "s3cret-token-of-22-chars")
    assert lines(run("doctor").out)["http"][1].endswith("HTTP asks for it")


def test_issuers_of_tokens_are_asked_for_their_keys(
    run: Callable[..., Any], only: Callable[..., None], monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    only("http")
    keys = tmp_path / "keys.json"
    monkeypatch.setenv("GROUNDWIRE_HTTP_ISSUERS", "https://login.example")
    monkeypatch.setenv("GROUNDWIRE_HTTP_JWKS", str(keys))
    mark, said = lines(run("doctor").out)["http"]
    assert (mark, "No such file" in said, "GROUNDWIRE_HTTP_JWKS" in said) == ("FAIL", True, True)
    keys.write_text('{"keys": []}', "utf-8")
    monkeypatch.setenv("GROUNDWIRE_HTTP_AUDIENCE", "https://wire.example/mcp")
    assert lines(run("doctor").out)["http"] == (
        "ok",
        "HTTP asks for a token of https://login.example for https://wire.example/mcp",
    )


@pytest.mark.parametrize(
    ("variables", "mark", "says"),
    [
        ({}, "ok", "by rules, without key or network"),
        ({"AI_PROVIDER": "oracle"}, "FAIL", "set it to one of rules, anthropic,"),
        ({"AI_PROVIDER": "anthropic"}, "FAIL", "set ANTHROPIC_API_KEY"),
        (
            {"AI_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "s3cret-key-0123"},
            "ok",
            "anthropic: claude-opus-5-5, which is not asked now",
        ),
        ({"LLM_TEMPERATURE": "hot"}, "FAIL", "LLM_TEMPERATURE='hot'"),
        (
            {"AI_PROVIDER": "claude-cli", "PATH": ""},
            "FAIL",
            "AI_PROVIDER=claude-cli needs the program claude: ",
        ),
    ],
)
def test_the_model_of_agents_is_told_and_not_asked(
    run: Callable[..., Any],
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    mark: str,
    says: str,
) -> None:
    only("agents")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = run("doctor")
    assert lines(ran.out)["agents"][0] == mark
    assert says in lines(ran.out)["agents"][1]
    assert "s3cret" not in ran.out + ran.err
