"""`groundwire learning import|export`, as they are called with read arguments."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from groundwire.cli.learning_files import export, import_files


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def taken(*files: Path, deck: str = "") -> int:
    sent = argparse.Namespace(files=list(map(str, files)), owner="local", deck=deck, title="")
    return import_files(sent)


def written(file: Path, deck: str = "") -> int:
    return export(argparse.Namespace(file=str(file), owner="local", deck=deck))


def test_files_go_in_and_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, table = tmp_path / "a.md", tmp_path / "b.csv"
    text.write_text("# Towers\n\nThe tower is 330 m tall.", "utf-8")
    table.write_text(
        "front,back,quote\nHow tall is the tower?,330 m,The tower is 330 m tall\nx,,\n", "utf-8"
    )
    assert taken(text, table) == 0
    assert capsys.readouterr().out.splitlines() == [
        "a.md: 1 passage of 'a.md'",
        "b.csv: 1 card, 1 of them proven by a quote; 0 were there",
        "  left out: 1 rows without a front or a back",
    ]
    assert written(tmp_path / "c.apkg") == 0
    assert written(tmp_path / "c.csv", deck="b") == 0
    assert taken(tmp_path / "c.apkg") == 0
    assert capsys.readouterr().out.splitlines() == [
        "c.apkg: 1 card of 1 note, 0 reviews and changes in the log",
        "c.csv: 1 row",
        "c.apkg: 0 cards of 0 notes in 1 deck, 1 were there; 0 reviews, 0 were there",
    ]


def test_an_unknown_ending_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert written(tmp_path / "c.doc") == 2
    assert ".apkg" in capsys.readouterr().err
