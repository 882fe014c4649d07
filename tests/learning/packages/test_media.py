"""Media and styles of packages come back as they were; names are never paths."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from groundwire.errors import InputError, LimitError
from groundwire.learning.packages import archive
from groundwire.learning.packages.apkg_reading import import_package
from groundwire.learning.packages.apkg_writing import export_package
from groundwire.learning.packages.archive import is_plain
from groundwire.statefile import StateFile
from tests.learning.packages.conftest import BASIC, NOW, Make


def with_media(package: Path, files: dict[str, bytes], listed: bytes | None = None) -> Path:
    """The package with media, which replace those that it has."""
    made = package.with_name(f"media {package.name}")
    with zipfile.ZipFile(package) as old, zipfile.ZipFile(made, "w") as new:
        for one in old.namelist():
            if one != "media":
                new.writestr(one, old.read(one))
        names = {str(number): name for number, name in enumerate(files)}
        new.writestr("media", json.dumps(names) if listed is None else listed)
        for number, data in enumerate(files.values()):
            new.writestr(str(number), data)
    return made


def media_in(package: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(package) as archive:
        names = json.loads(archive.read("media"))
        return {name: archive.read(number) for number, name in names.items()}


def test_media_go_back_with_the_cards_that_name_them(
    state: StateFile, make: Make, tmp_path: Path
) -> None:
    fields = ('q <img src="a b.png"> <img src=c%20d.png>', "[sound:e.mp3]")
    files = {"a b.png": b"1", "c d.png": b"2", "e.mp3": b"3", "_f.css": b"4", "unnamed.gif": b"5"}
    package = with_media(make([(BASIC, *fields)]), files)
    assert import_package(state, "local", package, now_ms=NOW).media == 5
    assert import_package(state, "local", package, now_ms=NOW).media == 0
    export_package(state, "local", tmp_path / "all.apkg", now_ms=NOW)
    assert media_in(tmp_path / "all.apkg") == files
    with state.reading() as connection:
        assert connection is not None
        (deck,) = connection.execute("SELECT name FROM decks").fetchone()
    export_package(state, "local", tmp_path / "deck.apkg", now_ms=NOW, deck=deck)
    del files["unnamed.gif"]
    assert media_in(tmp_path / "deck.apkg") == files


@pytest.mark.parametrize("name", ["../evil", "/etc/x", "a\\b", "C:x", "", "..", "a\nb", "x" * 300])
def test_names_that_are_paths_are_left_out(
    state: StateFile, make: Make, tmp_path: Path, name: str
) -> None:
    assert not is_plain(name)
    package = with_media(make([(BASIC, "q", "a")]), {name: b"1", "ok.png": b"2"})
    assert import_package(state, "local", package, now_ms=NOW).media == 1


def test_bad_media_take_nothing_in(
    state: StateFile, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = make([(BASIC, "q", "a")])
    with pytest.raises(InputError, match="media"):
        import_package(state, "local", with_media(package, {}, b"{not json"), now_ms=NOW)
    monkeypatch.setattr(archive, "MOST_FILE_BYTES", 1_000)
    with pytest.raises(LimitError, match="media"):
        import_package(state, "local", with_media(package, {"a": b"0" * 2_000}), now_ms=NOW)
    with state.reading() as connection:
        assert connection is None or not connection.execute("SELECT * FROM notes").fetchall()
