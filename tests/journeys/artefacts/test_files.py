"""The folders of maps and calendar files: written for their owner, gone with their handle."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from pathlib import Path

import pytest

from groundwire.journeys.artefacts.files import FOLDER, HANDLE, folder_of, sweep, write
from groundwire.safe_text import new_handle


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = write(tmp_path / "new", "a.txt", b"one").path
    assert path is not None
    assert write(tmp_path / "new", "a.txt", b"two").path == path
    assert path.read_bytes() == b"two"
    assert [one.name for one in path.parent.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "new", "a.txt", b"one").path
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    written = write(tmp_path / "file", "a.txt", b"one")
    assert written.path is None
    assert "set GROUNDWIRE_HOME to one that is" in (written.error or "")
    assert str(tmp_path) not in (written.error or "")


def test_folders_go_with_their_handles_and_nothing_else_does(tmp_path: Path) -> None:
    living, gone = new_handle(HANDLE), new_handle(HANDLE)
    for name in (living, gone):
        write(folder_of(tmp_path, name), "plan-0-0.svg", b"<svg/>")
    own = tmp_path / FOLDER / "holiday"
    elsewhere = tmp_path / "elsewhere"
    for folder in (own, elsewhere):
        write(folder, "kept.txt", b"kept")
    linked = tmp_path / FOLDER / new_handle(HANDLE)
    linked.symlink_to(elsewhere, target_is_directory=True)

    asked: list[Collection[str]] = []

    def alive(ids: Collection[str]) -> Collection[str]:
        asked.append(sorted(ids))
        return [living]

    assert sweep(tmp_path, alive) == 1
    assert asked == [sorted((living, gone))]
    assert sorted(one.name for one in (tmp_path / FOLDER).iterdir()) == sorted(
        (living, "holiday", linked.name)
    )
    assert (elsewhere / "kept.txt").exists()


def test_a_state_folder_without_files_is_left_alone(tmp_path: Path) -> None:
    assert sweep(tmp_path / "none", lambda ids: ids) == 0
    assert list(tmp_path.iterdir()) == []
