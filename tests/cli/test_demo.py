"""`groundwire demo SERVER`, end to end: a real server over stdio."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli.demo import _environment


def unbroken(out: str) -> str:
    """Return what was printed, followed by the same in one line, as lines break at any width."""
    return f"{out}\n{' '.join(out.split())}"


def test_the_demo_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is configured does not disturb it: the demo has data of its own.
    monkeypatch.setenv("GROUNDWIRE_SHAPES", "no-such-file.ttl")
    monkeypatch.setenv("GROUNDWIRE_TOOLS", "get_asset")
    ran = run("demo", "ontology", "--full")
    assert ran.code == 0, ran.err
    exchanges = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert len(exchanges) >= 8
    for text in (
        "'motorwy' read as 'motorway' (corrected)",
        "with no connected scenario",
        "by country",
        "name contains Karlsruhe",
        "No asset matches: hdmap with country = CH",
        "'suburban' unmapped",
        "'version'",
        "(stored_variant)",
        "surface-model",
        "roadTypes all of motorway, rural",
        "containsPII",
        "No asset matches",
        "did you mean `slots`?",
        "is contradicted",
        "is supported",
        "evidence: ev_",
    ):
        assert text in unbroken(ran.out), text
    assert (environment / "evidence.sqlite").exists()


def test_four_exchanges_in_the_width_of_the_terminal(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    ran = run("demo")
    assert ran.code == 0, ran.err
    assert re.findall(r"^\d+\.", ran.out, re.MULTILINE) == ["1.", "2.", "3.", "4."]
    assert "# all: 12 tools" in ran.out
    assert "is contradicted" in ran.out
    assert "`groundwire demo --full`" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 72
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)])
def test_a_terminal_sees_colours_unless_it_wants_none(
    environment: Path, no_colour: str, coloured: bool
) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "groundwire", "demo", "metrics"],
        env={**os.environ, "NO_COLOR": no_colour, "TERM": "xterm"},
        stdout=theirs,
    )
    os.close(theirs)
    shown = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal, suppress(OSError):
        while piece := terminal.read(4096):
            shown += piece
    assert done.wait(60) == 0
    assert b"4 of " in shown
    assert (b"\x1b[32m   <- " in shown) == coloured


def test_the_demo_of_numbers_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_PROFILE", "no-such-file.toml")
    monkeypatch.setenv("GROUNDWIRE_FACTS", "no-such-file.sqlite")
    monkeypatch.setenv("COLUMNS", "100")  # narrower lines would cut the formula of a change
    ran = run("demo", "metrics", "--full")
    assert ran.code == 0, ran.err
    exchanges = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert len(exchanges) >= 12
    for text in (
        "Population of China for 2010: 1,337,705,000 people",
        "Revenue of Tolvarne China for FY2024: 3,998,900,000 CNY",
        "status: not_found",
        "reason: unknown",
        "reason: unsupported",
        "reason: out_of_scope_entity",
        "value_text: -12300000",
        "value_text: -9700000",
        "conflicts: ",
        "5.805001%",
        "Population for 2020, highest first: China 1,411,100,000 people",
        "Shop sales rose from 54,400,000.00 CNY in 2024Q1 to 61,500,000.00 CNY in 2025Q4",
        '"Kowlon" is no value of District',
        'rows: ["Kowloon", "99235511.66", "12938640.00"]',
        '"product category" is no dimension of this metric',
        "mode: answer_with_assumptions",
        "mode: ask_first",
        "status: empty",
        "verdict: contradicted",
        "evidence: ev_",
    ):
        assert text in unbroken(ran.out), text
    assert "refused in" not in ran.out
    assert (environment / "evidence.sqlite").exists()
    [picture] = (environment / "demo").glob("*.png")
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_the_demo_of_queries_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_ENDPOINTS", "no-such-file.toml")
    ran = run("demo", "sparql", "--full")
    assert ran.code == 0, ran.err
    exchanges = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert len(exchanges) >= 12
    for text in (
        "Endpoints: default, countries, sample.",
        "<https://groundwire.example/help#what-is-sparql>",
        "status: needs_decision",
        "Synthesize an answer without KG backing or continue probing?",
        "status: aborted",
        "KG workflow required but could not be completed.",
        "status: truncated",
        '["China", 1337705000]',
        "SERVICE is refused",
        "read_text is not on the list",
        "nearest is sample",
        "verdict: contradicted",
        "evidence: ev_",
    ):
        assert text in unbroken(ran.out), text
    # The one call that is refused as a whole is the misspelt endpoint.
    assert ran.out.count("refused in") == 1
    assert (environment / "evidence.sqlite").exists()


def test_the_demo_of_journeys_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_TOOLS", "get_asset")
    ran = run("demo", "journeys", "--full")
    assert ran.code == 0, ran.err
    exchanges = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert len(exchanges) >= 16
    for text in (
        "2 defaults: walking_speed Slow; home is Kentish Town station.",
        "source: offline_estimate",
        "Kentish Town to Tate Modern: ",
        "Tate Modern to Kew Gardens: ",
        "Kew Gardens to Kentish Town: ",
        "Offline estimate: ",
        "Powered by TfL Open Data",
        "Heathrow may be",
        "'Padington' read as 'Paddington' (corrected)",
        "The nearest is tube",
        "<HUBTCR>",
        "cannot be known without TfL's live service",
        "'09:41' is contradicted",
        "verdict: contradicted",
        "evidence: ev_",
        "phone, 390 px: day-3-trips-plans-1-1-1-phone.png",
        "wide, ",
        "Clapham Junction to Victoria: ",
        "there may be a quicker way by",
        "groundwire journeys import lindow.zip --name lindow",
        "source: timetable",
        "Windmill Hill to Heron Island: 09:40-10:12 T1, F1",
        "As asked: not passing Old",
        "University to Harbour: 02:25-02:41 N1",
        "take the T1 towards Harbour",
        "INTERVAL=2;BYDAY=",
    ):
        assert text in unbroken(ran.out), text
    # The one call that is refused as a whole is the misspelt mode.
    assert ran.out.count("refused in") == 1
    written = {path.suffix for path in (environment / "demo" / "journeys").rglob("*.*")}
    assert written == {".html", ".svg", ".ics", ".png"}
    # What the user keeps is left alone: the demo has a home of its own.
    assert [path.name for path in environment.iterdir()] == ["demo"]


def test_the_demo_of_journeys_asks_the_service_that_the_user_names(environment: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "groundwire", "demo", "journeys"],
        env={**os.environ, "TFL_BASE_URL": "ftp://api.example"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 4
    assert "TFL_BASE_URL cannot be used" in ran.stderr
    assert "The server journeys ended before the demo did" in ran.stderr


def test_a_reader_who_leaves_early_sees_no_traceback(environment: Path) -> None:
    command = [sys.executable, "-m", "groundwire", "demo", "journeys"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"# journeys: ")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_a_server_that_cannot_be_started_is_one_line(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.cli.demo.command_of", lambda server: ["/no/such/program"])
    ran = run("demo")
    assert ran.code == 4
    assert ran.err == (
        "groundwire: /no/such/program cannot be started (No such file or directory): run "
        "`groundwire doctor`.\n"
    )


def test_the_demo_of_agents_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever model is configured, the demo needs none.
    monkeypatch.setenv("AI_PROVIDER", "anthropic")
    monkeypatch.setenv("AI_BASE_URL", "https://nowhere.example")
    ran = run("demo", "agents", "--full")
    assert ran.code == 0, ran.err
    for text in (
        "3,998,900,000 CNY",
        "3,779,500,000 CNY",
        "https://groundwire.example/help#what-is-sparql",
        "status: completed",
        "error: TimeoutError (may be tried again): ",
        "         query_metric metric=REVENUE, entity=CN, period=FY2024",
        "metadata: 3 rounds in ",
        "verdict: unsupported",
        "run_id: run_",
        "evidence: ev_",
    ):
        assert text in unbroken(ran.out), text
    assert (environment / "demo" / "runs.sqlite").exists()


def test_a_demo_logs_what_the_user_wants_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_LOG_LEVEL", "info")
    assert _environment("agents")["GROUNDWIRE_LOG_LEVEL"] == "info"
    monkeypatch.delenv("GROUNDWIRE_LOG_LEVEL")
    assert _environment("agents")["GROUNDWIRE_LOG_LEVEL"] == "error"


def test_the_demo_of_all_toolsets_has_one_ledger(
    run: Callable[..., Any], environment: Path
) -> None:
    ran = run("demo", "all", "--full")
    assert ran.code == 0, ran.err
    for text in ("all: 12 tools over stdio", "hdmap assets match", "1,337,705,000 people"):
        assert text in unbroken(ran.out), text
    assert "verdict: supported" in ran.out


def test_a_server_that_does_not_start_is_one_line(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [sys.executable, "-c", "import sys; sys.exit('no such module')"]
    monkeypatch.setattr("groundwire.cli.demo.command_of", lambda _: script)
    ran = run("demo", "metrics")
    assert ran.code == 4
    assert "groundwire: The server metrics ended before the demo did, and says why above" in ran.err
    assert "Traceback" not in ran.err


def test_the_demo_of_learning_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_TOOLS", "get_asset")
    ran = run("demo", "learning", "--full")
    assert ran.code == 0, ran.err
    exchanges = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert len(exchanges) >= 20
    for text in (
        "harbour_words.csv: 2 cards new, 1 of them proven by their quote",
        'in the deck "Tides and harbours" are due',
        '"how": "number", "rating": "good", "rated_by": "server"',
        '"rated_by": "host"',
        "by the model alone",
        "needed: a first review",
        'candidates: {"value": "concept: navigation"',
        "This review had been recorded before",
        "Undone: the card",
        "expected calibration error",
        "There is not enough to tell why answers fail",
        "1 card accepted with a quote, 1 kept as a draft without one, 1 kept as a draft",
        "gaps: card 3: number: '3' of the back does not stand in the quote.",
        "harbours -> tides -> chart",
        "is undone by",
        "no argument `due`",
        "verdict: supported\n",
        "verdict: contradicted",
        "evidence: ev_",
    ):
        assert text in unbroken(ran.out), text
    # The one call that is refused as a whole sends a due date.
    assert ran.out.count("refused in") == 1
    # What the user learns is left alone: the demo has a home of its own.
    assert [path.name for path in environment.iterdir()] == ["demo"]
