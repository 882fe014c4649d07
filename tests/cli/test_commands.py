"""Help, versions, exit codes, and the tables of tools."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli import main, serve_ontology
from groundwire.cli.registry import HOSTS, SERVERS
from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    ForbiddenError,
    InputError,
    LimitError,
    NotFoundError,
    UnavailableError,
)

COMMANDS = ("serve", "demo", "doctor", "config", "tools", "ask", "evidence", "ontology", "metrics")


def test_help_names_every_command_with_what_it_does(run: Callable[..., Any]) -> None:
    ran = run("--help")
    assert ran.code == 0
    for command in COMMANDS:
        assert f"    {command} " in ran.out
    assert "groundwire demo" in ran.out


@pytest.mark.parametrize(
    "words",
    [
        *((command,) for command in COMMANDS),
        ("evidence", "show"),
        ("ontology", "lint"),
        *(("metrics", verb) for verb in ("init", "import", "lint", "ask")),
    ],
)
def test_every_command_explains_itself(run: Callable[..., Any], words: tuple[str, ...]) -> None:
    ran = run(*words, "--help")
    assert ran.code == 0
    assert ran.out.startswith("usage: groundwire")


def test_the_version(run: Callable[..., Any]) -> None:
    assert run("--version").out.startswith("groundwire 0.")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("dance",),
        ("serve",),
        ("serve", "zeppelin"),
        ("serve", "ontology", "--port", "70000"),
        ("serve", "ontology", "--port", "x"),
        ("config", "notepad"),
        ("evidence",),
        ("ontology", "infer"),
        ("metrics",),
        ("metrics", "init"),
        ("metrics", "import"),
        ("metrics", "ask"),
        ("metrics", "lint", "--most", "x"),
        ("ontology", "lint", "--most", "-1"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_so_on_stderr(
    run: Callable[..., Any], words: tuple[str, ...]
) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "usage: groundwire" in ran.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError, 2),
        (ConfigurationError, 3),
        (UnavailableError, 4),
        (DeadlineError, 4),
        (LimitError, 5),
        (ForbiddenError, 6),
        (NotFoundError, 7),
    ],
)
def test_every_expected_failure_is_one_line_and_an_exit_code(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, error: type[Exception], code: int
) -> None:
    def fail(_: Any) -> str:
        raise error("this is wrong:\n  send that.")

    monkeypatch.setattr("groundwire.cli.tools.table", fail)
    ran = run("tools")
    assert (ran.code, ran.out, ran.err) == (code, "", "groundwire: this is wrong: send that.\n")


def test_an_interrupt_is_no_traceback(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("groundwire.cli.tools.table", interrupt)
    assert run("tools") == (130, "", "")


def test_without_a_command_all_of_them_are_shown(run: Callable[..., Any]) -> None:
    ran = run()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == run("--help").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("serve", "all", "--port", "x"), "'x' is no port: use 0 to 65535"),
        (("serve", "all", "--port", "-1"), "'-1' is no port: use 0 to 65535"),
        (("metrics", "lint", "--most", "few"), "'few' is no number of findings: use 0 or more"),
    ],
)
def test_a_number_that_cannot_be_used_is_told_with_what_can(
    run: Callable[..., Any], words: tuple[str, ...], says: str
) -> None:
    assert says in run(*words).err


@pytest.mark.parametrize(
    "words", [("--port", "8000"), ("--host", "0.0.0.0"), ("--audience", "https://a.example")]
)
def test_what_is_for_http_is_not_passed_over_on_stdio(
    run: Callable[..., Any], words: tuple[str, ...]
) -> None:
    ran = run("serve", "ontology", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"groundwire: {words[0]} is for HTTP: add --transport http, or leave it out.\n"
    )


@pytest.mark.parametrize("interactive", [True, False])
def test_whoever_starts_a_server_by_hand_is_told_what_it_waits_for(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, interactive: bool
) -> None:
    class Input:
        def isatty(self) -> bool:
            return interactive

    def served(server: Any, *_: Any, **__: Any) -> None:
        server.close()

    monkeypatch.setattr("sys.stdin", Input())
    monkeypatch.setattr("groundwire.serving.run", served)
    ran = run("serve", "metrics")
    assert (ran.code, ran.out) == (0, "")
    assert ("`groundwire config HOST --server metrics`" in ran.err) is interactive


def test_a_console_script_explains_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["groundwire-ontology", "--help"])
    with pytest.raises(SystemExit):
        serve_ontology()
    told = capsys.readouterr().out
    assert told.startswith("usage: groundwire-ontology [-h]")
    assert "{ontology,metrics" not in told
    assert "`groundwire config HOST --server ontology`" in told


def test_the_console_script_serves_one_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["groundwire-ontology", "--tools", "submit_slot"])
    assert serve_ontology() == 3
    assert "did you mean 'submit_slots'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variables", "words", "code", "says"),
    [
        ({"GROUNDWIRE_READ_ONLY": "perhaps"}, (), 3, "GROUNDWIRE_READ_ONLY='perhaps'"),
        ({"GROUNDWIRE_SHAPES": "x.ttl"}, (), 3, "GROUNDWIRE_ASSETS is not"),
        ({"GROUNDWIRE_TOOLSETS": "ontologie"}, (), 3, "did you mean 'ontology'?"),
        ({}, ("--transport", "http", "--host", "0.0.0.0"), 3, "GROUNDWIRE_HTTP_TOKEN"),
    ],
)
def test_serve_refuses_at_start_what_it_cannot_serve(
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    words: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ran = run("serve", "ontology", *words)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_flags_go_before_variables(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_TOOLS", "no_such_tool")
    served: list[Any] = []
    monkeypatch.setattr("groundwire.serving.run", lambda server, *_, **__: served.append(server))
    ran = run("serve", "ontology", "--tools", "submit_slots,get_asset", "--read-only")
    assert (ran.code, ran.err) == (0, "")
    (server,) = served
    server.close()
    assert server.name == "ontology"


def test_tools_prints_a_table_a_server(run: Callable[..., Any], environment: Path) -> None:
    ran = run("tools")
    assert ran.code == 0
    for server in SERVERS:
        assert f"#### {server}" in ran.out
    assert "| `submit_slots` | slots, interpretation?, gaps?, sort?," in ran.out
    for line in ran.out.splitlines():
        if line.startswith("| `"):
            assert line.count("|") - line.count("\\|") == 4, line
    assert "| `query_metric` | metric, entity, period, channel?, as_of? |" in ran.out
    assert "".join(run("tools", server).out for server in SERVERS) == ran.out
    assert not environment.exists()


def test_hosts_are_those_of_the_parser(run: Callable[..., Any]) -> None:
    shown = run("config", "--help").out
    assert all(host in shown for host in HOSTS)


def test_main_takes_the_words_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["groundwire", "config", "cursor"])
    assert main() == 0
    assert "mcpServers" in capsys.readouterr().out


def test_a_misspelt_variable_is_told_at_start(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_PROFIL", "x")
    monkeypatch.setattr("groundwire.serving.run", lambda *_, **__: None)
    ran = run("serve", "ontology")
    assert ran.code == 0
    assert "GROUNDWIRE_PROFIL is set, and Groundwire has no such variable: did you mean" in ran.err
    assert run("serve", "ontology", "--stateless").code == 2
    assert run("serve", "ontology", "--ui").code == 2


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("srve", "all"), "serve"),
        (("demo", "metrix"), "metrics"),
        (("config", "cursr"), "cursor"),
        (("evidence", "opn", "ev_1"), "open"),
        (("serve", "metrics", "--prot", "9"), "--port"),
        (("serve", "all", "--toolsetz=x"), "--toolsets"),
        (("evidence", "export", "--ownr", "ann"), "--owner"),
    ],
)
def test_a_misspelt_word_is_told_what_it_is_near_to(
    run: Callable[..., Any], words: tuple[str, ...], meant: str
) -> None:
    ran = run(*words)
    assert ran.code == 2 and ran.err.rstrip().endswith(f"did you mean {meant}?")


def test_a_word_like_none_is_told_the_choices_alone(run: Callable[..., Any]) -> None:
    ran = run("xyzzy")
    assert ran.code == 2 and "choose from" in ran.err and "did you mean" not in ran.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_shell_gets_every_command(run: Callable[..., Any], shell: str) -> None:
    ran = run("completion", shell)
    assert ran.code == 0 and {"evidence", "claude-desktop"} <= set(re.findall(r"[\w-]+", ran.out))
    if shell == "bash":
        done = subprocess.run(["bash", "-n"], input=ran.out, text=True, check=False)
        assert done.returncode == 0


@pytest.mark.parametrize(
    ("server", "variables", "says"),
    [
        ("agents", {"AI_PROVIDER": "anthropc"}, "AI_PROVIDER='anthropc' is unknown: set it to"),
        ("agents", {"AI_PROVIDER": "anthropic"}, "set ANTHROPIC_API_KEY"),
        ("agents", {"LLM_EFFORT": "hgh"}, "LLM_EFFORT='hgh' is unknown"),
        ("sparql", {"GROUNDWIRE_ENDPOINTS": "/nowhere.toml"}, "set GROUNDWIRE_ENDPOINTS to a"),
        ("sparql", {"GROUNDWIRE_ENDPOINTS": "BROKEN"}, "is no TOML"),
        ("metrics", {"GROUNDWIRE_PROFILE": "BROKEN"}, "is no TOML"),
        (
            "ontology",
            {"GROUNDWIRE_SHAPES": "/nowhere", "GROUNDWIRE_ASSETS": "/nowhere"},
            "GROUNDWIRE_SHAPES names /nowhere, where there is nothing",
        ),
        ("journeys", {"TFL_BASE_URL": "ftp://x"}, "TFL_BASE_URL cannot be used"),
        ("journeys", {"GROUNDWIRE_JOURNEYS": "paris"}, "No feed 'paris' is imported"),
    ],
)
def test_a_server_whose_settings_leave_nothing_that_works_does_not_start(
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    server: str,
    variables: dict[str, str],
    says: str,
) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("x = [")
    for name, value in variables.items():
        monkeypatch.setenv(name, value.replace("BROKEN", str(broken)))
    monkeypatch.setattr("groundwire.serving.run", lambda *_, **__: pytest.fail("it was served"))
    ran = run("serve", server)
    assert (ran.code not in (0, 1), ran.out, ran.err.count("\n")) == (True, "", 1)
    assert says in ran.err


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"GROUNDWIRE_ENDPOINTS": "/nowhere.toml"}, "all: sparql cannot work as it is set: The"),
        (
            {"AI_PROVIDER": "anthropc", "GROUNDWIRE_TOOLSETS": "agents,sparql"},
            "all: agents cannot work as it is set: AI_PROVIDER='anthropc' is unknown",
        ),
        (
            {"GROUNDWIRE_WAREHOUSE": "duckdb:/nowhere.db", "GROUNDWIRE_MODELS": "FILE"},
            "all: the warehouse cannot work as it is set: The warehouse nowhere.db is not there",
        ),
        ({"TFL_BASE_URL": "ftp://x"}, "all: journeys cannot work as it is set: TFL_BASE_URL"),
        ({"GROUNDWIRE_HOME": "FILE"}, "Until then answers are given and not recorded."),
        # A folder that not even root can make.
        ({"GROUNDWIRE_HOME": "/proc/nothing"}, "all: /proc/nothing cannot be written"),
        ({"AI_PROVIDER": "anthropc"}, ""),
        ({"GROUNDWIRE_ENDPOINTS": "openlink"}, ""),
        ({"TFL_BASE_URL": "offline", "TFL_APP_KEY": "a b"}, ""),
    ],
)
def test_what_only_some_tools_lack_is_told_and_the_others_are_served(
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variables: dict[str, str],
    says: str,
) -> None:
    """What no offered tool needs is not told."""
    file = tmp_path / "file"
    file.write_text("")
    for name, value in variables.items():
        monkeypatch.setenv(name, str(file) if value == "FILE" else value)
    monkeypatch.setattr("groundwire.serving.run", lambda server, *_, **__: server.close())
    ran = run("serve", "all")
    assert (ran.code, ran.out) == (0, "")
    assert says in ran.err
    assert bool(says) == bool(ran.err)


def test_agents_are_told_of_what_they_call(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", "/nowhere.toml")
    monkeypatch.setattr("groundwire.serving.run", lambda server, *_, **__: server.close())
    ran = run("serve", "agents")
    assert ran.code == 0
    assert "agents: sparql cannot work as it is set" in ran.err


@pytest.mark.parametrize(("words", "shown"), [((), False), (("--ui",), True)])
def test_pages_to_look_at_are_asked_for(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], shown: bool
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("groundwire.serving.run", lambda server, *_, **__: served.append(server))
    assert run("serve", "metrics", "--transport", "http", *words).code == 0
    assert served[0].http.ui is shown
    served[0].close()
