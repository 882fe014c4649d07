"""A file of an older Groundwire is brought to the version of now, with all that it holds."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from learning_worlds import World

from groundwire.cli import main


def test_a_file_of_version_one_is_taken(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.card("c1")
    world.review("c1")
    world.base.close()
    path = next(tmp_path.glob("learning.sqlite"))
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE reviews DROP COLUMN reported_by")
        connection.execute("DROP TABLE media")
        connection.execute("DROP INDEX reviews_undone")
        connection.execute("PRAGMA user_version=1")
    connection.close()
    again = World(tmp_path, world.now_ms)
    assert again.rows("SELECT review_id, reported_by FROM reviews")[0][1] == ""
    again.review("c1")
    assert again.rows("SELECT count(*) FROM reviews") == [(2,)]
    assert again.rows("SELECT count(*) FROM media") == [(0,)]
    again.base.close()


def test_a_person_chooses_what_calibration_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    for arguments, said in (
        ([], "leaves out"),
        (["--count-reported"], "counts"),
        ([], "counts"),
        (["--no-count-reported"], "leaves out"),
    ):
        assert main(["learning", "policy", *arguments]) == 0
        assert f"calibration {said} answers" in capsys.readouterr().out
