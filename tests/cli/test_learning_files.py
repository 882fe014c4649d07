"""`groundwire learning import|export|report`, as somebody new to it types them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire import profiles
from groundwire.learning.cards.searching import SearchRequest, search_sources
from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
from groundwire.learning.concepts.rules import read_rules
from groundwire.learning.learner import LearningBase

TEXT, TABLE = profiles.learning_sample()[:2]


def test_a_deck_goes_out_and_comes_in_again(
    run: Callable[..., Any], environment: Path, tmp_path: Path
) -> None:
    assert "added 22 cards with their reviews\n" in run("learning", "sample").out
    package, table = tmp_path / "deck.apkg", tmp_path / "deck.csv"
    ran = run("learning", "export", str(package))
    assert ran.code == 0 and ran.out == f"{package}: 22 cards, 99 reviews\n"
    assert run("learning", "export", str(table), "--deck", "tides and harbours").code == 0
    ran = run("learning", "import", str(package), "--owner", "bob")
    assert "22 cards new from 22 notes; 99 reviews new" in ran.out
    ran = run("learning", "import", str(package), "--owner", "bob")
    assert "0 cards new, 22 known before" in ran.out and "99 known before" in ran.out
    # The cards that came with their log are scheduled by it.
    assert run("learning", "rebuild", "--owner", "bob").out.startswith("18 cards scheduled")
    assert "0 had another schedule" in run("learning", "rebuild", "--owner", "bob").out
    # Documents go in first, so that cards find their quotes.
    ran = run("learning", "import", str(table), str(TEXT), "--owner", "eve", "--title", "Tides")
    assert 'as the source "Tides"' in ran.out.splitlines()[0]
    assert "22 cards new, 22 of them proven by their quote" in ran.out


def test_an_export_overwrites_nothing_unasked(
    run: Callable[..., Any], environment: Path, tmp_path: Path
) -> None:
    run("learning", "sample")
    there = tmp_path / "mine.apkg"
    there.write_bytes(b"mine")
    ran = run("learning", "export", str(there))
    assert ran.code == 2 and "add --force" in ran.err
    assert there.read_bytes() == b"mine"
    assert run("learning", "export", str(there), "--force").code == 0
    assert there.read_bytes() != b"mine"


def test_a_report_is_written_again_but_over_nothing_else(
    run: Callable[..., Any], environment: Path, tmp_path: Path
) -> None:
    run("learning", "sample")
    page, other = tmp_path / "report.html", tmp_path / "notes.html"
    ran = run("learning", "report", "-o", str(page))
    assert ran.code == 0 and "Of 51 reviews on later days" in ran.out
    assert run("learning", "report", "-o", str(page)).code == 0
    other.write_text("<p>mine</p>", "utf-8")
    ran = run("learning", "report", "-o", str(other))
    assert ran.code == 2 and "is no page of groundwire learning report" in ran.err
    assert other.read_text("utf-8") == "<p>mine</p>"
    assert sorted(one.name for one in tmp_path.glob("*.html*")) == ["notes.html", "report.html"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "nowhere.apkg"), "nowhere.apkg cannot be read"),
        (("import", "nowhere.pdf"), "nowhere.pdf"),
        (("import", "deck.xyz"), "is of no known format"),
        (("import", "."), ". is a folder: name the files in it"),
        (("export", "deck.docx"), "use .apkg, .csv or .tsv"),
        (("export", "deck.apkg"), "no card"),
        (("report", "-o", "no/such/folder/report.html"), "cannot be written"),
        (("report", "-o", "."), "is no page of groundwire learning report"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Callable[..., Any],
    environment: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("learning", *arguments)
    assert ran.code > 0, ran
    assert said in ran.err and ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("owner", ["", " ", "shared"])
def test_a_name_of_no_learner_is_refused(
    run: Callable[..., Any], environment: Path, owner: str
) -> None:
    ran = run("learning", "import", str(TEXT), "--owner", owner)
    assert ran.code == 2 and "is the name of no learner" in ran.err
    assert not environment.exists()


def test_a_second_owner_decides_on_a_shared_change(
    run: Callable[..., Any], environment: Path
) -> None:
    assert "0 changes" in run("learning", "changes").out
    run("learning", "import", str(TEXT))
    with LearningBase(environment) as base:
        learner = base.learner("local")
        found, _ = search_sources(learner.file, "local", SearchRequest("spring tides"))
        quote = {"passage_id": found.passages[0].passage_id, "text": "tides have the largest range"}
        request = ChangeRequest(
            [{"op": "add_node", "name": "tides"}], "a first concept", [quote], scope="shared"
        )
        rules = read_rules(profiles.learning_profile())
        sent, _ = submit_graph_changes(learner.file, rules, "local", request)
    assert sent.status == "needs_review", sent.answer
    listed = run("learning", "changes")
    assert sent.change_id in listed.out and "add_node: name tides" in listed.out
    own = run("learning", "changes", sent.change_id, "--decide", "approve")
    assert own.code > 0 and "second owner" in own.err
    for words in ((sent.change_id,), ("--decide", "approve")):
        assert "together" in run("learning", "changes", *words).err
    bare = run("learning", "changes", sent.change_id, "--decide", "reject", "--owner", "eve")
    assert bare.code > 0 and "note" in bare.err
    done = run("learning", "changes", sent.change_id, "--decide", "approve", "--owner", "eve")
    assert done.code == 0 and "0 changes" in run("learning", "changes").out
    gone = run("learning", "changes", sent.change_id, "--decide", "approve", "--owner", "eve")
    assert gone.code > 0 and "waits" in gone.err
