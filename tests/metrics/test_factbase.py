"""A fact base that is current: files change while a host runs for days."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from groundwire.errors import ConfigurationError, GroundwireError, UnavailableError
from groundwire.metrics import factbase
from groundwire.metrics.factbase import FactBase, Places
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import load_mapping
from groundwire.metrics.narrative.ingest import import_document
from groundwire.metrics.profile import load_profile
from groundwire.metrics.query import query_metric
from groundwire.metrics.quoting import PassageRequest, search_narrative
from groundwire.metrics.results import QueryResult
from groundwire.metrics.terms import Arguments
from groundwire.profiles import metrics_profile

TODAY = date(2026, 11, 21)
PROFILE = """
[profile]
name = "bakery"
example_metric = "SALES"

[kinds.shop]
label = "shop"
home = "A"

[[entities]]
code = "A"
kind = "shop"
name = "Alpha"

[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
unit = "EUR"

[[sources]]
file = "sales.csv"
mapping = "sales.toml"

[[documents]]
file = "report.md"
sensitivity = "PUBLIC"
"""
MAPPING = """
[document]
name = "Sales book"
publisher = "Alpha"
date = 2025-03-01

[columns]
metric = { column = "Item" }
entity = { column = "Shop" }
period = { column = "Year" }
value = { column = "Amount" }
unit = { column = "Unit" }
"""
SALES = "Item,Shop,Year,Amount,Unit\nSales,Alpha,2024,77123,EUR\n"
REPORT = "# Report\n\nAlpha opened a second oven, and customers queued for the rye bread.\n"


class Bakery:
    """A profile in a folder of its own, with the fact base that is opened on it."""

    def __init__(self, folder: Path, facts: Path | None = None, home: Path | None = None) -> None:
        self.folder = folder
        self.write("profile.toml", PROFILE)
        self.write("sales.toml", MAPPING)
        self.write("sales.csv", SALES)
        self.write("report.md", REPORT)
        self.places = Places(folder / "profile.toml", facts, home or folder / "home")
        self.base = FactBase(self.places, today=lambda: TODAY)

    @property
    def file(self) -> Path:
        return self.places.facts_of(self.base.state().profile)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text, "utf-8")
        # A clock of coarse ticks would hide a change.
        os.utime(path, ns=(0, path.stat().st_mtime_ns + len(text) * 1_000))

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text("utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def ask(self, entity: str = "Alpha", period: str = "2024") -> QueryResult:
        sent = Arguments("sales", entity, period, "TOTAL")
        return query_metric(self.base.state(), sent, TODAY)[0]

    def quotes(self, query: str = "rye bread") -> list[str]:
        found = search_narrative(self.base.state(), PassageRequest(query), TODAY)[0]
        return [one.doc for one in found.passages]


@pytest.fixture
def bakery(tmp_path: Path) -> Iterator[Callable[..., Bakery]]:
    opened: list[Bakery] = []

    def make(**rest: Path) -> Bakery:
        folder = tmp_path / f"bakery{len(opened)}"
        folder.mkdir()
        opened.append(Bakery(folder, **rest))
        return opened[-1]

    yield make
    for one in opened:
        one.base.close()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are looked at by every call, not once a second."""
    monkeypatch.setattr(factbase, "_LOOK_AGAIN_AFTER", 0.0)


def test_nothing_is_read_before_the_first_question(tmp_path: Path) -> None:
    base = FactBase(Places(tmp_path / "gone.toml", None, tmp_path / "home"))
    assert not (tmp_path / "home").exists()
    with pytest.raises(ConfigurationError, match=r"gone.toml cannot be read.*GROUNDWIRE_PROFILE"):
        base.state()
    base.close()


def test_files_are_looked_at_once_a_second(
    bakery: Callable[..., Bakery], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = bakery()
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    before = one.base.state()
    one.change("profile.toml", 'name = "Alpha"', 'name = "Alpha"\naliases = ["Stall"]')
    clock[0] += 0.9
    assert one.base.state() is before
    clock[0] += 0.2
    assert one.base.state() is not before
    assert one.ask("Stall").value_text == "77123"
    # What a call began on can still be read.
    assert before.store.count() == 1


def test_a_new_alias_answers_while_the_server_runs(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.ask("Stall").status == "unrecognized_param"
    one.change("profile.toml", 'name = "Alpha"', 'name = "Alpha"\naliases = ["Stall"]')
    assert one.ask("Stall").value_text == "77123"


def test_a_broken_profile_is_an_error_until_it_is_mended(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.ask().status == "found"
    for broken in ("[profile", PROFILE.replace('kind = "shop"', 'kind = "ship"')):
        one.write("profile.toml", broken)
        with pytest.raises(ConfigurationError, match=r"profile\.toml is n"):
            one.ask()
    (one.folder / "profile.toml").unlink()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        one.ask()
    one.write("profile.toml", PROFILE)
    assert one.ask().status == "found"


def test_a_name_that_goes_out_of_scope_is_refused_at_once(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.ask("Rival").reason == "unknown"
    one.change("profile.toml", "[[metrics]]", '[[external]]\nname = "Rival"\n\n[[metrics]]')
    assert one.ask("Rival").reason == "out_of_scope_entity"


def test_a_document_whose_level_was_raised_is_withheld_at_once(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.quotes() == ["report.md"]
    one.change("profile.toml", '"PUBLIC"', '"RESTRICTED"')
    assert one.quotes() == []
    one.change("profile.toml", '"RESTRICTED"', '"INTERNAL"')
    assert one.quotes() == ["report.md"]
    one.write("profile.toml", f'{PROFILE}\n[sensitivity]\nwithheld = ["PUBLIC"]\n')
    assert one.quotes() == []


def test_a_document_that_says_itself_that_it_is_restricted_is_withheld(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.quotes() == ["report.md"]
    one.write("report.md", f"---\nsensitivity: RESTRICTED\n---\n\n{REPORT}")
    assert one.quotes() == []


def test_a_source_that_changed_is_taken_in_anew(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    one.write("sales.csv", SALES.replace("77123", "77124") + "Sales,Alpha,2025,80000,EUR\n")
    assert one.ask().value_text == "77124"
    assert one.ask(period="2025").value_text == "80000"


def test_a_source_that_cannot_be_read_is_named_and_the_others_answer(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.base.state().problems == ()
    one.write("report.md", "---\nsensitivity: SECRET\n---\n\nNo such level.\n")
    (problem,) = one.base.state().problems
    assert problem.startswith("report.md: ")
    assert one.ask().status == "found"
    (one.folder / "sales.csv").unlink()
    assert any(
        line.startswith("sales.csv: it cannot be read") for line in one.base.state().problems
    )
    assert one.ask().status == "found"


def without_sources(one: Bakery) -> None:
    """Take both files out of the profile; they stay in their folder."""
    text = (one.folder / "profile.toml").read_text("utf-8")
    one.write("profile.toml", text[: text.index("[[sources]]")])


def test_what_a_profile_no_longer_names_is_neither_answered_nor_quoted(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert (one.ask().status, one.quotes()) == ("found", ["report.md"])
    without_sources(one)
    assert (one.ask().status, one.quotes()) == ("not_found", [])
    one.write("profile.toml", PROFILE)
    assert (one.ask().value_text, one.quotes()) == ("77123", ["report.md"])
    # Also where it was changed while no host ran.
    one.base.close()
    without_sources(one)
    assert (one.ask().status, one.quotes()) == ("not_found", [])


def test_what_a_user_imported_stays(bakery: Callable[..., Bakery], at_once: None) -> None:
    one = bakery()
    state = one.base.state()
    mapping = load_mapping(one.folder / "sales.toml")
    one.write("more.csv", SALES.replace("2024", "2023"))
    one.write("note.md", "# Note\n\nAlpha bakes rye bread on Sundays.\n")
    import_file(one.folder / "more.csv", mapping, state.profile, state.store, today=TODAY)
    import_document(one.folder / "note.md", state.narrative, state.profile, today=TODAY)
    without_sources(one)
    assert (one.ask().status, one.ask(period="2023").value_text) == ("not_found", "77123")
    assert one.quotes() == ["note.md"]


def test_a_source_of_another_name_and_unit_takes_the_place_of_the_old_one(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    assert one.ask().unit == "EUR"
    one.write("book.csv", SALES.replace("EUR", "USD"))
    one.write("profile.toml", PROFILE.replace("sales.csv", "book.csv").replace("EUR", "USD"))
    assert one.base.state().problems == ()
    assert (one.ask().value_text, one.ask().unit) == ("77123", "USD")
    (held,) = one.base.state().store.documents()
    assert held.origin.endswith("/book.csv")


def test_profiles_that_share_named_facts_keep_their_documents_apart(
    bakery: Callable[..., Bakery], tmp_path: Path
) -> None:
    facts = tmp_path / "facts.sqlite"
    facts.touch()
    one, other = bakery(facts=facts), bakery(facts=facts)
    (other.folder / "report.md").rename(other.folder / "other.md")
    other.change("profile.toml", "report.md", "other.md")
    assert one.quotes() == ["report.md"]
    assert sorted(other.quotes()) == sorted(one.quotes()) == ["other.md", "report.md"]


def test_what_another_process_imports_is_seen(bakery: Callable[..., Bakery]) -> None:
    one = bakery()
    assert one.ask(period="2023").status == "not_found"
    one.write("more.csv", SALES.replace("2024", "2023"))
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "metrics", "import", "more.csv", "--mapping",
         "sales.toml", "--profile", "profile.toml"],
        cwd=one.folder,
        env={**os.environ, "GROUNDWIRE_HOME": str(one.places.home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert one.ask(period="2023").value_text == "77123"


# Stores that are somewhere else, or are none


def test_named_facts_that_are_not_there_are_an_error(
    bakery: Callable[..., Bakery],
    tmp_path: Path,
    at_once: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("groundwire.metrics.facts.store.LOOK_SECONDS", 0.0)
    facts = tmp_path / "facts.sqlite"
    one = bakery(facts=facts)
    with pytest.raises(
        ConfigurationError, match=r"There is no fact store .*unset GROUNDWIRE_FACTS"
    ):
        one.ask()
    assert not facts.exists()
    other = bakery()
    other.ask()
    other.base.close()
    shutil.copy(other.file, facts)
    other.base.close()
    assert one.ask().value_text == "77123"
    facts.unlink()
    with pytest.raises(UnavailableError):
        one.ask()


def test_sources_of_the_profile_stay_out_of_named_facts(
    bakery: Callable[..., Bakery], tmp_path: Path
) -> None:
    facts = tmp_path / "facts.sqlite"
    facts.touch()
    one = bakery(facts=facts)
    assert one.ask().status == "not_found"
    assert one.quotes() == ["report.md"]


def test_a_locked_database_is_an_error_and_never_not_found(
    bakery: Callable[..., Bakery], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.metrics.facts.schema.BUSY_SECONDS", 0.2)
    one = bakery()
    assert one.ask().status == "found"
    file = one.file
    one.base.close()
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("PRAGMA locking_mode=EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(UnavailableError, match=r"another process has held it"):
            one.ask()
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert one.ask().status == "found"


def test_a_file_that_is_no_store_is_an_error_until_it_is_gone(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    file = one.places.facts_of(load_profile(one.places.profile))
    file.parent.mkdir(parents=True)
    file.write_bytes(b"this is no database, and long enough" * 200)
    for _ in range(2):
        with pytest.raises(GroundwireError) as refused:
            one.ask()
        assert f"The fact store {file.name} cannot be used" in str(refused.value)
        assert "\n" not in str(refused.value)
    file.unlink()
    assert one.ask().value_text == "77123"


def test_a_store_that_is_damaged_while_it_runs_is_an_error(
    bakery: Callable[..., Bakery], at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.metrics.facts.store.LOOK_SECONDS", 0.0)
    one = bakery()
    assert one.ask().status == "found"
    file = one.file
    other = file.with_name("other")
    other.write_bytes(b"\x00garbage" * 1_000)
    other.replace(file)
    for path in file.parent.glob(f"{file.name}-*"):
        path.unlink()
    with pytest.raises(GroundwireError):
        one.ask()


def test_a_home_that_cannot_be_written_holds_the_facts_in_memory(
    bakery: Callable[..., Bakery], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    one = bakery(home=tmp_path / "file" / "home")
    assert one.ask().value_text == "77123"
    assert one.quotes() == ["report.md"]
    assert one.base.state() is one.base.state()


def test_named_facts_in_a_folder_that_cannot_be_written_keep_the_documents_in_memory(
    bakery: Callable[..., Bakery], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = bakery()
    other.ask()
    facts = other.file
    nowhere = tmp_path / "file"
    nowhere.write_text("x", "utf-8")
    monkeypatch.setattr(Places, "narrative_of", lambda *_: nowhere / "narrative.sqlite")
    one = bakery(facts=facts)
    assert one.ask().value_text == "77123"
    assert one.quotes() == ["report.md"]


def test_two_profiles_of_one_name_have_a_store_each(
    bakery: Callable[..., Bakery], tmp_path: Path
) -> None:
    home = tmp_path / "shared home"
    one, other = bakery(home=home), bakery(home=home)
    other.write("sales.csv", SALES.replace("77123", "88"))
    other.write("report.md", "# Report\n\nAlpha closed on Mondays.\n")
    assert (one.ask().value_text, other.ask().value_text) == ("77123", "88")
    assert (one.quotes(), other.quotes()) == (["report.md"], [])
    assert one.file != other.file
    assert one.file.name.startswith("bakery-")


def test_a_profile_has_one_store_however_its_path_is_written(
    bakery: Callable[..., Bakery], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = bakery()
    monkeypatch.chdir(one.folder)
    for path in (Path("profile.toml"), Path("..") / one.folder.name / "profile.toml"):
        assert Places(path, None, one.places.home).facts_of(one.base.state().profile) == one.file


# Threads and ends


def test_a_state_that_was_replaced_is_closed_when_no_call_holds_it(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    held = one.base.state()
    stores = [held.store]
    for aliases in range(1, 5):
        names = ", ".join(f'"Stall {number}"' for number in range(aliases))
        text = PROFILE.replace('name = "Alpha"', f'name = "Alpha"\naliases = [{names}]')
        one.write("profile.toml", text)
        stores.append(one.base.state().store)
    first, *between, last = stores
    assert first.count() == last.count() == 1
    assert held.narrative.documents()
    for store in between:
        with pytest.raises(UnavailableError, match="was closed"):
            store.count()
    narrative = held.narrative
    del held
    for ask in (first.count, narrative.documents):
        with pytest.raises(UnavailableError, match="closed"):
            ask()
    assert one.ask("Stall 3").status == "found"


def test_calls_that_are_at_work_while_the_profile_changes_end_well(
    bakery: Callable[..., Bakery], at_once: None
) -> None:
    one = bakery()
    done, failed = threading.Event(), list[BaseException]()

    def work() -> None:
        while not done.is_set():
            try:
                assert one.ask().value_text == "77123"
                assert one.quotes() == ["report.md"]
            except BaseException as error:
                failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(12):
        text = PROFILE.replace('name = "Alpha"', f'name = "Alpha"\naliases = ["A{number * "x"}"]')
        # At once, as editors do it: a half of a file is no profile.
        one.write("new.toml", text)
        (one.folder / "new.toml").replace(one.folder / "profile.toml")
        one.base.state()
    done.set()
    for thread in threads:
        thread.join(30)
    assert failed == []


def test_many_threads_open_it_once(bakery: Callable[..., Bakery]) -> None:
    one = bakery()
    answers: list[object] = []
    threads = [threading.Thread(target=lambda: answers.append(one.base.state())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == 8
    assert len({id(answer) for answer in answers}) == 1


def test_closing_twice_does_nothing_and_a_later_call_opens_it_again(
    bakery: Callable[..., Bakery],
) -> None:
    one = bakery()
    one.base.close()
    assert one.ask().status == "found"
    one.base.close()
    one.base.close()


def test_examples_are_those_of_the_profile(bakery: Callable[..., Bakery]) -> None:
    assert bakery().base.examples() == {"metric": "SALES"}
    base = FactBase(Places(metrics_profile(), None, Path("/nowhere")))
    assert base.examples() == {"metric": "REVENUE", "entity": "CN", "period": "FY2024"}


@pytest.mark.usefixtures("stores_made_anew")
def test_the_embedded_facts_are_taken_in_once(tmp_path: Path) -> None:
    told: list[str] = []
    places = Places(metrics_profile(), None, tmp_path)
    first = FactBase(places, progress=lambda kind, done, total: told.append(kind))
    held = first.state().store.count()
    first.close()
    assert told
    told.clear()
    second = FactBase(places, progress=lambda kind, done, total: told.append(kind))
    assert second.state().store.count() == held > 30_000
    second.close()
    assert told == []
