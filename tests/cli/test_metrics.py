"""`groundwire metrics init|import|documents|forget|lint|ask`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from metrics_files import write_company_facts, write_world_bank
from shared_data import need, shared_folder

from groundwire.config import load_settings
from groundwire.servers.metrics import build

DATA = shared_folder("data", "metrics")
SALES = """\
Branch,Quarter,Indicator,Amount (EUR thousand)
Oslo,2024Q1,Turnover,"1,204.5"
Oslo,2024Q2,Turnover,"1,310.0"
Bergen,2024Q1,Turnover,803.2
Bergen,2024Q2,Turnover,(12.5)
Oslo,2024Q1,Wages,220.1
"""
WORLD_BANK = """\
[columns]
metric = {{ constant = "{metric}" }}
entity = {{ column = "Country Code" }}
period = {{ column = "Year" }}
value = {{ column = "Value" }}

[values]
unit = "{unit}"

[document]
name = "{name}"
publisher = "World Bank"
date = 2026-01-15
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a file that nothing is known of."""
    work = tmp_path / "my work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / "sales.csv").write_text(SALES, "utf-8")
    return work


@pytest.fixture
def drafted(run: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile and a mapping as `init` drafts them, in use."""
    assert run("metrics", "init", "sales.csv").code == 0
    monkeypatch.setenv("GROUNDWIRE_PROFILE", str(folder / "sales" / "profile.toml"))
    return folder / "sales"


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def embedded(shared_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state folder that has taken in the embedded facts, once for all tests."""
    monkeypatch.setenv("GROUNDWIRE_HOME", str(shared_home))


def command_in(text: str, start: str) -> list[str]:
    """The arguments of the command that a message names after `start`."""
    (line,) = [line for line in text.splitlines() if line.startswith(start)]
    return shlex.split(line.removeprefix(start))[1:]


def asked(tool: str, **arguments: Any) -> dict[str, Any]:
    """What the server answers, with the settings of the environment."""
    return all_asked((tool, arguments))[0]


def all_asked(*calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    async def call() -> list[dict[str, Any]]:
        server = build(load_settings())
        try:
            async with Client(server) as client:
                results = [await client.call_tool(tool, arguments) for tool, arguments in calls]
        finally:
            server.close()
        assert not any(one.is_error for one in results), results
        return [one.structured_content for one in results]

    return anyio.run(call)


# From a file that nothing is known of to an answer


def test_init_lint_import_ask(
    run: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("metrics", "init", "sales.csv", "-o", "my profile")
    assert (ran.code, ran.err) == (0, "")
    export, lint, load = [
        shlex.split(line) for line in ran.out.splitlines() if line.startswith("  ")
    ]
    name, _, value = export[1].partition("=")
    monkeypatch.setenv(name, value)

    linted = run(*lint[1:])
    assert linted.code == 0
    assert "no fact is held yet" in linted.out
    assert "0 errors" in linted.out

    loaded = run(*load[1:])
    assert loaded.code == 0, loaded.err
    assert "5 rows read, 5 facts new, 0 known before, 0 cells empty" in loaded.out
    assert "5 rows read, 0 facts new, 5 known before" in run(*load[1:]).out
    assert "0 errors, 0 warnings" in run("metrics", "lint", "--strict").out

    answer = run("metrics", "ask", "What was the turnover of Oslo in 2024Q2?")
    assert answer.code == 0
    assert answer.out.startswith(
        "Turnover of Oslo for 2024Q2: 1,310,000 EUR (sales.csv, row 3, column"
    )
    evidence = answer.out.splitlines()[-1].removeprefix("evidence: ")
    assert "1310000" in run("evidence", "show", evidence).out
    assert "0 errors" not in run("evidence", "verify").out

    over_mcp = asked("query_metric", metric="turnover", entity="Bergen", period="2024Q2")
    assert (over_mcp["value_text"], over_mcp["source"]["raw"]) == ("-12500", "(12.5)")


def test_init_overwrites_nothing_unless_told(run: Callable[..., Any], folder: Path) -> None:
    assert run("metrics", "init", "sales.csv").code == 0
    profile = folder / "sales" / "profile.toml"
    profile.write_text("mine", "utf-8")
    ran = run("metrics", "init", "sales.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "exist: name another folder, or add --force" in ran.err
    assert profile.read_text("utf-8") == "mine"
    assert run("metrics", "init", "sales.csv", "--force").code == 0
    assert "TURNOVER" in profile.read_text("utf-8")


def test_init_says_what_it_cannot_read_or_write(run: Callable[..., Any], folder: Path) -> None:
    gone = run("metrics", "init", "gone.csv")
    assert gone.code in (2, 3, 4)
    assert "gone.csv" in gone.err
    (folder / "file").write_text("x", "utf-8")
    nowhere = run("metrics", "init", "sales.csv", "-o", "file/profile")
    assert nowhere.code == 4
    assert "name another folder" in nowhere.err
    (folder / "empty.csv").write_text("", "utf-8")
    assert run("metrics", "init", "empty.csv").code == 2


# import


def test_facts_need_a_mapping(run: Callable[..., Any], drafted: Path) -> None:
    ran = run("metrics", "import", "sales.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "`groundwire metrics init sales.csv` drafts one" in ran.err


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("sales.doc", 2, "has no suffix that is known: facts are .csv"),
        ("gone.csv", 2, "gone.csv is no file"),
        ("gone.md", 2, "gone.md"),
        ("empty.csv", 2, "empty.csv"),
    ],
)
def test_what_cannot_be_imported_is_one_line_and_an_exit_code(
    run: Callable[..., Any], drafted: Path, name: str, code: int, says: str
) -> None:
    Path("empty.csv").write_text("", "utf-8")
    ran = run("metrics", "import", name, "--mapping", "sales/mapping.toml")
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_a_bad_row_leaves_nothing_behind_unless_it_may_be_left_out(
    run: Callable[..., Any], drafted: Path
) -> None:
    Path("bad.csv").write_text(
        f"{SALES}Trondheim,2024Q1,Turnover,5\nOslo,2024Q3,Turnover,many\n", "utf-8"
    )
    load = ("metrics", "import", "bad.csv", "--mapping", "sales/mapping.toml")
    ran = run(*load)
    assert ran.code == 2
    assert "Trondheim" in ran.err
    assert asked("query_metric", metric="turnover", entity="Oslo", period="2024Q1")["status"] == (
        "not_found"
    )
    kept = run(*load, "--skip-bad")
    assert kept.code == 0
    assert "5 facts new" in kept.out
    assert kept.out.count("not used: ") == 2
    assert "Trondheim" in kept.out and "many" in kept.out
    answer = asked("query_metric", metric="turnover", entity="Oslo", period="2024Q1")
    assert answer["value_text"] == "1204500"


def test_a_mapping_that_does_not_fit_is_told(run: Callable[..., Any], drafted: Path) -> None:
    mapping = drafted / "mapping.toml"
    mapping.write_text(mapping.read_text("utf-8").replace('"Branch"', '"Brunch"'), "utf-8")
    ran = run("metrics", "import", "sales.csv", "--mapping", str(mapping))
    assert ran.code == 3
    assert "No column is headed 'Brunch': did you mean 'Branch'?" in ran.err
    mapping.write_text("[columns", "utf-8")
    assert run("metrics", "import", "sales.csv", "--mapping", str(mapping)).code == 3
    assert run("metrics", "import", "sales.csv", "--mapping", "gone.toml").code == 3


def test_facts_go_where_they_are_told(run: Callable[..., Any], drafted: Path) -> None:
    load = ("metrics", "import", "sales.csv", "--mapping", "sales/mapping.toml")
    assert "into " in run(*load, "--facts", "mine.sqlite").out
    assert Path("mine.sqlite").is_file()
    question = "What was the turnover of Oslo in 2024Q2?"
    assert "No fact is held" in run("metrics", "ask", question).out
    assert "1,310,000" in run("metrics", "ask", question, "--facts", "mine.sqlite").out
    gone = run("metrics", "ask", question, "--facts", "gone.sqlite")
    assert gone.code == 3
    assert "There is no fact store" in gone.err


def test_documents_with_their_level(run: Callable[..., Any], drafted: Path) -> None:
    Path("open.md").write_text("# Note\n\nOslo moved to a larger warehouse.\n", "utf-8")
    Path("board.txt").write_text("The board will close the Bergen warehouse.\n", "utf-8")
    ran = run(
        "metrics", "import", "open.md", "--title", "A note", "--entity", "OSLO", "--period", "2024"
    )
    assert ran.code == 0, ran.err
    assert "open.md: 1 passages" in ran.out
    assert run("metrics", "import", "board.txt", "--sensitivity", "RESTRICTED").code == 0
    (passage,) = asked("search_narrative", query="warehouse", limit=20)["passages"]
    assert (passage["doc"], passage["title"]) == ("open.md", "A note")
    assert asked("search_narrative", query="board Bergen close")["status"] == "empty"
    # The stricter level holds at once.
    assert run("metrics", "import", "open.md", "--sensitivity", "RESTRICTED").code == 0
    assert asked("search_narrative", query="warehouse")["status"] == "empty"
    wrong = run("metrics", "import", "open.md", "--sensitivity", "SECRET")
    assert wrong.code == 2
    assert "SECRET" in wrong.err


# documents, forget


def test_what_is_held_is_listed_and_forgotten(run: Callable[..., Any], drafted: Path) -> None:
    load = ("metrics", "import", "sales.csv", "--mapping", "sales/mapping.toml")
    assert run(*load).code == 0
    Path("board.md").write_text("# Board\n\nOslo will close.\n\n# Later\n\nOr not.\n", "utf-8")
    assert run("metrics", "import", "board.md", "--sensitivity", "RESTRICTED").code == 0
    listed = run("metrics", "documents").out.splitlines()
    assert listed[0].split() == ["NAME", "KIND", "HELD", "DATE", "SENSITIVITY", "FROM"]
    assert [line.split()[:3] for line in listed[1:]] == [
        ["board.md", "passages", "2"], ["sales.csv", "facts", "5"],
    ]  # fmt: skip
    assert listed[1].endswith("RESTRICTED   import")
    tree = json.loads(run("metrics", "documents", "--json").out)
    assert [(one["name"], one["count"], one["sensitivity"]) for one in tree] == [
        ("board.md", 2, "RESTRICTED"), ("sales.csv", 5, ""),
    ]  # fmt: skip

    near = run("metrics", "forget", "Sale.csv")
    assert (near.code, near.out) == (7, "")
    assert 'No document is held as "Sale.csv": did you mean sales.csv' in near.err
    assert near.err.count("\n") == 1
    far = run("metrics", "forget", "zzzzzz")
    assert far.code == 7
    assert "`groundwire metrics documents` lists all" in far.err

    assert run("metrics", "forget", "sales.csv").out == (
        "sales.csv: 5 facts and 0 passages removed\n"
    )
    assert run("metrics", "forget", "board.md").out == "board.md: 0 facts and 2 passages removed\n"
    assert run("metrics", "forget", "board.md").code == 7
    assert len(run("metrics", "documents").out.splitlines()) == 1
    assert asked("query_metric", metric="turnover", entity="Oslo", period="2024Q1")["status"] == (
        "not_found"
    )


def test_facts_and_passages_of_one_name_are_forgotten_together(
    run: Callable[..., Any], drafted: Path
) -> None:
    mapping = drafted / "mapping.toml"
    text = mapping.read_text("utf-8")
    mapping.write_text(text.replace("[document]", '[document]\nname = "book.md"'), "utf-8")
    Path("book.md").write_text("Oslo grew.\n", "utf-8")
    where = ("--facts", "mine.sqlite")
    load = ("metrics", "import", "sales.csv", "--mapping", str(mapping), *where)
    assert run(*load).code == run("metrics", "import", "book.md", *where).code == 0
    assert run("metrics", "forget", "book.md", *where).out == (
        "book.md: 5 facts and 1 passages removed\n"
    )


def test_what_comes_with_the_profile_is_forgotten_by_the_profile(
    run: Callable[..., Any], drafted: Path
) -> None:
    Path("sales/note.md").write_text("Oslo grew.\n", "utf-8")
    profile = drafted / "profile.toml"
    text = profile.read_text("utf-8")
    profile.write_text(f'{text}\n[[documents]]\nfile = "note.md"\n', "utf-8")
    assert "profile, note.md" in run("metrics", "documents").out
    refused = run("metrics", "forget", "note.md")
    assert (refused.code, refused.out) == (2, "")
    assert "remove the entry of note.md from the profile" in refused.err
    profile.write_text(text, "utf-8")
    assert run("metrics", "forget", "note.md").code == 7


# lint


def test_lint_of_the_embedded_profile_has_no_error(run: Callable[..., Any], embedded: None) -> None:
    ran = run("metrics", "lint", "--strict", "--most", "2")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("0 errors, ")
    assert "(--most shows more)" in ran.out


def test_lint_reports_errors_and_strict_says_so_by_its_exit_code(
    run: Callable[..., Any], drafted: Path
) -> None:
    profile = drafted / "profile.toml"
    text = profile.read_text("utf-8")
    profile.write_text(
        text.replace('name = "Bergen"', 'name = "Bergen"\naliases = ["OSLO"]'), "utf-8"
    )
    ran = run("metrics", "lint")
    assert ran.code == 0
    assert ran.out.startswith("error: one name of several entity of kind")
    assert run("metrics", "lint", "--strict").code == 1
    tree = json.loads(run("metrics", "lint", "--json").out)
    assert tree[0]["level"] == "error"
    assert tree[0].keys() == {"level", "kind", "message"}


def test_a_broken_profile_is_one_line(run: Callable[..., Any], drafted: Path) -> None:
    (drafted / "profile.toml").write_text("[profile", "utf-8")
    for words in (
        ("lint",),
        ("ask", "turnover"),
        ("import", "sales.csv", "--mapping", "sales/mapping.toml"),
    ):
        ran = run("metrics", *words)
        assert (ran.code, ran.out) == (3, "")
        assert ran.err.count("\n") == 1
        assert "is no TOML" in ran.err


# ask


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What was the revenue of Hong Kong in FY2024?", "384,100,000 CNY"),
        ("中国内地FY2024的REVENUE是多少", "3,998,900,000 元"),
        ("What was the revenue of Tangyuju in FY2024?", "outside the scope"),
        ("What was the revenue of Zorblax in FY2024?", "Zorblax"),
        ("GDP of Germany for 2024Q3", "No fact is held of GDP"),
        ("Why did customers come back to the stores?", "” (tolvarne_"),
    ],
)
def test_ask(run: Callable[..., Any], embedded: None, question: str, says: str) -> None:
    ran = run("metrics", "ask", question, "--reference-date", "2026-11-21")
    assert (ran.code, ran.err) == (0, "")
    assert says in ran.out
    assert "evidence: ev_" in ran.out


def test_an_honest_no_is_no_failure_and_the_help_says_so(
    run: Callable[..., Any], embedded: None
) -> None:
    ran = run("metrics", "ask", "GDP of Germany for 2024Q3", "--json")
    assert (ran.code, json.loads(ran.out)["ending"]) == (0, "not_found")
    for command in (("metrics", "ask"), ("ask",)):
        shown = " ".join(run(*command, "--help").out.split())
        assert "Exit code 0 for an honest answer, that nothing is held too" in shown


def test_what_lacks_is_asked_with_options(run: Callable[..., Any], embedded: None) -> None:
    ran = run("metrics", "ask", "How is Hong Kong in 2024, what number?")
    assert ran.out.startswith("Which metric of Hong Kong do you mean?")
    assert "  metric: Revenue (REVENUE)" in ran.out


def test_ask_as_json(run: Callable[..., Any], embedded: None) -> None:
    ran = run("metrics", "ask", "What is our revenue?", "--reference-date", "2025-03-01", "--json")
    tree = json.loads(ran.out)
    assert (tree["ending"], tree["mode"]) == ("found", "answer_with_assumptions")
    assert "FY2024" in tree["assumption_note"]
    assert tree["cells"][0]["value_text"] == "4856300000"
    assert tree["evidence_id"].startswith("ev_")


def test_ask_refuses_a_blank_question(run: Callable[..., Any], embedded: None) -> None:
    ran = run("metrics", "ask", " ")
    assert (ran.code, ran.out) == (2, "")
    assert "`question` is blank: send it as the user asked it" in ran.err


def test_ask_refuses_what_is_no_day(run: Callable[..., Any]) -> None:
    ran = run("metrics", "ask", "What is our revenue?", "--reference-date", "soon")
    assert (ran.code, ran.out) == (2, "")
    assert "is no day" in ran.err


def test_an_answer_that_cannot_be_recorded_says_so(
    run: Callable[..., Any], drafted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = ("metrics", "import", "sales.csv", "--mapping", "sales/mapping.toml")
    assert run(*load, "--facts", "mine.sqlite").code == 0
    monkeypatch.setenv("GROUNDWIRE_HOME", str(Path("sales.csv").absolute() / "home"))
    question = "What was the turnover of Oslo in 2024Q2?"
    ran = run("metrics", "ask", question, "--facts", "mine.sqlite")
    assert ran.code == 0
    assert "1,310,000 EUR" in ran.out
    assert "evidence: " not in ran.out
    assert ran.err.startswith("not recorded: ")


# Whole files of others


@pytest.mark.parametrize("whose", ["recorded", "own"])
def test_files_of_the_world_bank(
    run: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    if whose == "own":
        write_world_bank(folder)
    files, people = (folder, "180000540") if whose == "own" else (need(DATA), "1337705000")
    monkeypatch.setenv("GROUNDWIRE_FACTS", str(folder / "world.sqlite"))
    for file, metric, unit in (("population", "POPULATION", "people"), ("gdp", "GDP", "USD")):
        mapping = folder / f"{file}.toml"
        mapping.write_text(WORLD_BANK.format(metric=metric, unit=unit, name=file), "utf-8")
        ran = run(
            "metrics", "import", str(files / f"{file}.csv"), "--mapping", str(mapping), "--skip-bad"
        )
        assert ran.code == 0, ran.err
        assert "facts new" in ran.out
    china, quarter, misspelt = all_asked(
        ("query_metric", {"metric": "人口", "entity": "中国", "period": "2010"}),
        ("query_metric", {"metric": "GDP", "entity": "Germany", "period": "2024Q3"}),
        ("query_metric", {"metric": "populaton", "entity": "Germany", "period": "2020"}),
    )
    assert (china["status"], china["value_text"]) == ("found", people)
    assert (china["source"]["doc"], china["entity"]) == ("population", "CHN")
    assert quarter["status"] == "not_found"
    assert [one["value"] for one in misspelt["candidates"]] == ["POPULATION"]
    # The file is not the embedded one: its lines are where the locator says.
    line = int(china["source"]["locator"].split(",")[0].removeprefix("row "))
    text = (files / "population.csv").read_text("utf-8").splitlines()[line - 1]
    assert text == f"China,CHN,2010,{people}"


@pytest.mark.parametrize("whose", ["recorded", "own"])
def test_company_facts_with_what_was_known_when(
    run: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    if whose == "own":
        file = str(folder / "larchfield.json")
        company, count = "Larchfield", write_company_facts(Path(file))
        told = ("-5200000", "-5252000")
    else:
        file = str(need(DATA / "sec_snow_company_facts.json"))
        company, count, told = "Snowflake", 8163, ("-819512000", "-818691000")
    assert run("metrics", "init", file, "-o", "company").code == 0
    monkeypatch.setenv("GROUNDWIRE_PROFILE", "company/profile.toml")
    loaded = run("metrics", "import", file, "--mapping", "company/mapping.toml")
    assert loaded.code == 0, loaded.err
    assert f"{count:,} rows read, {count:,} facts new" in loaded.out
    sent = {"metric": "ComprehensiveIncomeNetOfTax", "entity": company, "period": "FY2023"}
    listed, first, second, before = all_asked(
        ("list_metrics", {"search": "comprehensive income"}),
        ("query_metric", sent | {"as_of": "2023-12-31"}),
        ("query_metric", sent | {"as_of": "2024-12-31"}),
        ("query_metric", sent | {"as_of": "2023-01-31"}),
    )
    assert "ComprehensiveIncomeNetOfTax" in [one["code"] for one in listed["metrics"]]
    assert (first["value_text"], second["value_text"]) == told
    for answer in (first, second):
        assert answer["interval"] == {"start": "2022-02-01", "end": "2023-01-31", "grain": "year"}
    assert before["status"] == "not_found"
    assert before["available"]["known_from"].startswith("2023-")


def test_a_file_that_is_new_is_answered_from_in_three_commands(
    run: Callable[..., Any], folder: Path
) -> None:
    """Each message has the next command, which works as it stands."""
    (folder / "visits.csv").write_text(
        "Store,Month,Product,Sales (EUR)\nMitte,Jan 2024,Hats,12.50\nMitte,Feb 2024,Hats,9.00\n",
        "utf-8",
    )
    first = run("metrics", "init", "visits.csv")
    load = command_in(first.out, "  groundwire metrics import ")
    second = run("metrics", "import", "visits.csv", *load, "--profile", "visits/profile.toml")
    assert second.code == 0
    third = run(*command_in(second.out, "ask, for example: "))
    assert third.out.startswith("Sales (Hats) of Mitte for 2024-02: 9.00 EUR (visits.csv, row 3")


def test_what_is_there_already_is_named(run: Callable[..., Any], drafted: Path) -> None:
    both = run("metrics", "init", "sales.csv")
    assert (both.code, both.out) == (2, "")
    assert "sales/profile.toml and sales/mapping.toml exist: name another folder" in both.err
    (drafted / "mapping.toml").unlink()
    assert "sales/profile.toml exists: " in run("metrics", "init", "sales.csv").err


def test_lint_counts_in_whole_words(run: Callable[..., Any], folder: Path, drafted: Path) -> None:
    assert "0 errors, 0 warnings, 1 note\n" in run("metrics", "lint").out
    oslo = [line for line in SALES.splitlines() if not line.startswith("Bergen")]
    (folder / "sales.csv").write_text("\n".join(oslo), "utf-8")
    assert run("metrics", "import", "sales.csv", "--mapping", "sales/mapping.toml").code == 0
    assert "0 errors, 0 warnings, 1 note\n" in run("metrics", "lint").out
