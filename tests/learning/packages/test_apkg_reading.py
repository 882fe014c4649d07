"""Packages of Anki are taken in whole, or refused with a reason and without a trace."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from groundwire.errors import InputError, LimitError
from groundwire.learning.packages import apkg_reading, archive
from groundwire.learning.packages.apkg_reading import PackageReport, import_package
from groundwire.statefile import StateFile
from tests.learning.packages.conftest import BASIC, CLOZE, DAY_MS, NOW, Make, packed

Rows = Callable[[str], list[tuple[Any, ...]]]


def take(state: StateFile, path: Path, now: int = NOW) -> PackageReport:
    return import_package(state, "local", path, now_ms=now)


def test_cards_are_active_and_imported(state: StateFile, make: Make, rows: Rows) -> None:
    report = take(state, make([(BASIC, "What is <b>1 + 1</b>?", "2 &amp; no more")]))
    assert (report.decks, report.notes, report.cards) == (("Biology::Cells",), 1, 1)
    assert rows("SELECT type, front, back, state, proof FROM cards") == [
        ("atomic", "What is 1 + 1?", "2 & no more", "active", "imported")
    ]
    assert rows("SELECT guid, fields, tags FROM notes") == [
        ("guid1", '["What is <b>1 + 1</b>?","2 &amp; no more"]', '["one"]')
    ]


def test_a_cloze_hides_its_holes(state: StateFile, make: Make, rows: Rows) -> None:
    take(state, make([(CLOZE, "The {{c1::mitochondrion::organelle}} works", "")]))
    assert rows("SELECT type, front, back FROM cards") == [
        ("cloze", "The [organelle] works", "mitochondrion")
    ]


def test_kinds_of_the_log_are_kept_apart(state: StateFile, make: Make, rows: Rows) -> None:
    at = NOW - 30 * DAY_MS
    log = [
        (at, 3, 0, 0),
        (at + 1, 1, 2500, 1),
        (at + 2, 3, 2500, 2),
        (at + 3, 4, 0, 3),  # practice in a filtered deck
        (at + 4, 2, 2500, 3),
        (at + 5, 0, 0, 4),
        (at + 6, 0, 2500, 5),
        (at + 7, 0, 2500, 1),  # no rating
        (at + 8, 5, 2500, 1),
        (NOW + 1, 3, 2500, 1),  # in the future
    ]
    report = take(state, make(reviews=log))
    kept = rows("SELECT kind, rating, at_ms, rated_by, outcome FROM reviews ORDER BY at_ms")
    assert [row[:2] for row in kept] == [
        ("review", 3),
        ("review", 1),
        ("review", 3),
        ("review", 2),
        ("manual", None),
        ("reschedule", None),
    ]
    assert {row[3] for row in kept} == {"import"}
    assert [row[4] for row in kept] == ["right", "wrong", "right", "right", "", ""]
    assert report.left_out == {
        "reviews in filtered decks that changed no schedule": 1,
        "reviews without a rating": 2,
        "reviews before 1970 or in the future": 1,
    }


def test_ratings_of_the_first_scheduler_are_moved(state: StateFile, make: Make, rows: Rows) -> None:
    at = NOW - DAY_MS
    log = [(at, 1, 0, 0), (at + 1, 2, 0, 0), (at + 2, 3, 0, 2), (at + 3, 2, 2500, 1)]
    take(state, make(reviews=log, scheduler=1))
    assert rows("SELECT rating FROM reviews ORDER BY at_ms") == [(1,), (3,), (4,), (2,)]


def test_what_was_taken_is_not_taken_twice(state: StateFile, make: Make, rows: Rows) -> None:
    path = make(reviews=[(NOW - DAY_MS, 3, 2500, 1)])
    first, again = take(state, path), take(state, path)
    assert (first.cards, first.reviews) == (1, 1)
    assert (again.cards, again.known, again.notes) == (0, 1, 0)
    assert (again.reviews, again.reviews_known) == (0, 1)
    assert rows("SELECT count(*) FROM cards") == [(1,)]


def test_a_note_that_changed_is_brought_up(state: StateFile, make: Make, rows: Rows) -> None:
    take(state, make())
    changed = ["UPDATE notes SET mod = mod + 10, flds = 'question' || char(31) || 'other'"]
    report = take(state, make(statements=changed))
    assert (report.cards, report.known) == (0, 1)
    assert rows("SELECT front, back FROM cards") == [("question", "other")]


def test_the_state_of_sm2_is_kept_where_there_is_no_log(
    state: StateFile, make: Make, rows: Rows
) -> None:
    card = {"type": 2, "queue": 2, "due": 410, "ivl": 30, "reps": 7, "lapses": 1}
    assert take(state, make(card=card)).schedules == 1
    due = (NOW // 1000 - 400 * 86_400 + 410 * 86_400) * 1000
    assert rows("SELECT phase, stability, due_ms, reviews, lapses, how FROM schedule") == [
        ("review", 30.0, due, 7, 1, "sm-2")
    ]


def test_with_a_log_the_state_of_sm2_is_not_used(state: StateFile, make: Make, rows: Rows) -> None:
    card = {"type": 2, "queue": 2, "due": 410, "ivl": 30, "reps": 7, "lapses": 1}
    take(state, make(card=card, reviews=[(NOW - DAY_MS, 3, 2500, 1)]))
    assert rows("SELECT how FROM schedule") == [("fsrs-6",)]


def test_a_suspended_card_stays_so(state: StateFile, make: Make, rows: Rows) -> None:
    take(state, make(card={"queue": -1}))
    assert rows("SELECT state FROM cards") == [("suspended",)]


def test_progress_is_told(state: StateFile, make: Make) -> None:
    told: list[tuple[str, int, int]] = []
    import_package(state, "local", make(), now_ms=NOW, progress=lambda *one: told.append(one))
    assert told[-1] == ("deck.apkg", 1, 1)


def test_a_failure_leaves_nothing(
    state: StateFile, make: Make, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(state, make())

    def fails(*_: object) -> tuple[int, int]:
        raise InputError("the log is wrong")

    more = make([(BASIC, "question", "answer"), (BASIC, "another", "one")], name="more.apkg")
    monkeypatch.setattr(apkg_reading, "add_imported", fails)
    with pytest.raises(InputError, match="the log is wrong"):
        import_package(state, "local", more, now_ms=NOW)
    assert rows("SELECT count(*) FROM cards") == [(1,)]


def test_owners_do_not_share_notes(state: StateFile, make: Make, rows: Rows) -> None:
    path = make()
    take(state, path)
    assert import_package(state, "eve", path, now_ms=NOW).cards == 1
    assert rows("SELECT owner FROM cards ORDER BY owner") == [("eve",), ("local",)]


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/passwd", "a/../../b", "..\\..\\evil", "C:\\evil"]
)
def test_members_outside_of_a_package_are_refused(
    state: StateFile, make: Make, tmp_path: Path, name: str
) -> None:
    path = make()
    with zipfile.ZipFile(path, "a") as package:
        package.writestr(zipfile.ZipInfo(name), b"x")
    with pytest.raises(InputError, match="outside of itself"):
        take(state, path)
    assert not state.path.exists()


def test_a_bomb_is_refused(
    state: StateFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "FREE_BYTES", 1024**2)
    zeros = b"\0" * (20 * 1024**2)
    path = packed(tmp_path / "bomb.apkg", {"collection.anki2": zeros})
    with pytest.raises(LimitError, match="unpacks to more"):
        take(state, path)
    path = packed(
        tmp_path / "bomb2.apkg",
        {"meta": b"\x08\x03", "collection.anki21b": zstandard.compress(zeros * 4)},
    )
    with pytest.raises(LimitError, match="unpacks to more"):
        take(state, path)


def test_too_many_members_are_refused(
    state: StateFile, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_MEMBERS", 1)
    with pytest.raises(LimitError, match="members"):
        take(state, make())


def test_a_large_package_is_refused(
    state: StateFile, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 100)
    with pytest.raises(LimitError, match="larger"):
        take(state, make())


@pytest.mark.parametrize("version", [0, 10, 12, 17, 19, 99])
def test_unknown_schemas_are_refused(state: StateFile, make: Make, version: int) -> None:
    with pytest.raises(InputError, match=f"version {version}"):
        take(state, make(version=version))


def test_an_unknown_version_of_packages_is_refused(
    state: StateFile, make: Make, tmp_path: Path
) -> None:
    path = make()
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("meta", b"\x08\x09")
    with pytest.raises(InputError, match="version 9"):
        take(state, path)


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"collection.anki2": b"no database at all" * 100},
        {"collection.anki21b": b"no zstd"},
        {"collection.anki2": b"x", "meta": b"\xff" * 20},
        {"other.db": b""},
    ],
)
def test_what_is_no_package_is_refused(
    state: StateFile, tmp_path: Path, members: dict[str, bytes]
) -> None:
    with pytest.raises(InputError):
        take(state, packed(tmp_path / "no.apkg", members))
    assert not state.path.exists()


def test_a_file_that_is_no_zip_is_refused(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "no.apkg"
    path.write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(InputError, match="cannot be read"):
        take(state, path)
    with pytest.raises(InputError, match="check its path"):
        take(state, tmp_path / "none.apkg")


@pytest.mark.parametrize(
    "statements",
    [
        # A view in place of a table, which could run for ever.
        ["DROP TABLE revlog", "CREATE VIEW revlog AS SELECT 1 AS id"],
        ["DROP TABLE notes"],
        ["DELETE FROM col"],
        ["UPDATE col SET models = '[]'"],
        ["UPDATE col SET models = 'no json'"],
        ["UPDATE col SET decks = '{\"1\": 5}'"],
        ["UPDATE notes SET flds = x'00ff'"],
        ["UPDATE notes SET guid = x'00ff'"],
        ["ALTER TABLE notes ADD COLUMN heavy AS (length(flds))"],
        ["UPDATE cards SET due = 'soon'"],
        ["UPDATE col SET ver = 'eleven'"],
    ],
)
def test_a_forged_collection_is_refused(
    state: StateFile, make: Make, statements: list[str]
) -> None:
    with pytest.raises(InputError):
        take(state, make(statements=statements))


def test_a_broken_page_is_told_of_the_package_and_not_of_the_file_of_learning(
    state: StateFile, make: Make, tmp_path: Path, rows: Rows
) -> None:
    take(state, make())
    with zipfile.ZipFile(make([(BASIC, "x" * 3_000, "y")] * 200)) as package:
        data = bytearray(package.read("collection.anki2"))
    middle = len(data) // 2
    data[middle : middle + 40_000] = b"\xff" * 40_000
    path = packed(tmp_path / "broken.apkg", {"collection.anki2": bytes(data)})
    with pytest.raises(InputError, match=r"collection of broken\.apkg"):
        take(state, path)
    assert rows("SELECT count(*) FROM cards") == [(1,)]


def test_what_fails_behind_the_package_is_not_told_of_it(
    state: StateFile, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> tuple[int, int]:
        raise AttributeError("a fault of ours")

    monkeypatch.setattr(apkg_reading, "add_imported", fails)
    with pytest.raises(AttributeError):
        import_package(state, "local", make(), now_ms=NOW)


def test_a_note_of_two_million_characters_is_refused(state: StateFile, make: Make) -> None:
    with pytest.raises(LimitError, match="characters"):
        take(state, make([(BASIC, "x" * 2_000_001, "y")]))


def test_a_note_of_a_million_characters_is_taken(state: StateFile, make: Make, rows: Rows) -> None:
    take(state, make([(BASIC, "<div>" * 200_000, "長" * 500_000)]))
    assert rows("SELECT length(back) FROM cards") == [(500_000,)]


def test_scripts_and_hidden_characters_are_not_kept(
    state: StateFile, make: Make, rows: Rows
) -> None:
    front = "a<script>alert(1)</script>\u202eb\x1b[31m<img src=x.png onerror=alert(1)>"
    take(state, make([(BASIC, front, "<style>x</style>c")]))
    assert rows("SELECT front, back FROM cards") == [("ab[image: x.png]", "c")]


def test_a_compressed_collection_without_its_reader_says_what_to_install(
    state: StateFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    path = packed(tmp_path / "new.apkg", {"collection.anki21b": b"x"})
    with pytest.raises(Exception, match=r"groundwire\[learning\]"):
        take(state, path)


def test_the_file_of_a_package_is_not_changed(state: StateFile, make: Make) -> None:
    path = make()
    before = path.read_bytes()
    take(state, path)
    assert path.read_bytes() == before


def test_a_filtered_deck_gives_its_cards_back(state: StateFile, make: Make, rows: Rows) -> None:
    card = {"did": 1, "odid": 2, "odue": 410, "type": 2, "queue": 2, "due": 5, "ivl": 3}
    take(state, make(card=card))
    assert rows("SELECT name FROM decks") == [("Biology::Cells",)]
    assert rows("SELECT due_ms FROM schedule")[0][0] == (NOW // 1000 + 10 * 86_400) * 1000
