"""A package that is written is read back as it was."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError, NotFoundError
from groundwire.learning.cards.submitting import submit_cards
from groundwire.learning.cards.types import CardDraft, SubmitRequest
from groundwire.learning.importing import import_source
from groundwire.learning.learner import learning_file
from groundwire.learning.packages.apkg_reading import import_package
from groundwire.learning.packages.apkg_writing import export_package
from groundwire.learning.schedule.policy import Policy, write_policy
from groundwire.statefile import StateFile
from tests.learning.packages.conftest import BASIC, CLOZE, DAY_MS, NOW, Make

Rows = Callable[[str], list[tuple[Any, ...]]]
_CARDS = (
    "SELECT n.guid, c.ordinal, c.type, c.front, c.back, c.state, d.name, n.fields, n.tags "
    "FROM cards AS c JOIN notes AS n USING (owner, note_id) JOIN decks AS d USING (owner, deck_id) "
    "ORDER BY n.guid, c.ordinal"
)
_LOG = (
    "SELECT n.guid, c.ordinal, r.kind, r.rating, r.at_ms, r.duration_ms FROM reviews AS r "
    "JOIN cards AS c USING (owner, card_id) JOIN notes AS n USING (owner, note_id) ORDER BY r.at_ms"
)


def all_of(state: StateFile, query: str) -> list[tuple[Any, ...]]:
    with state.reading() as connection:
        assert connection is not None
        return connection.execute(query).fetchall()


def test_imported_cards_and_their_log_come_back(
    state: StateFile, make: Make, tmp_path: Path
) -> None:
    at = NOW - 30 * DAY_MS
    log = [(at, 3, 0, 0), (at + DAY_MS, 1, 2500, 1), (at + 2 * DAY_MS, 0, 0, 4)]
    notes = [(BASIC, "<b>q</b>", "a &amp; b"), (CLOZE, "x {{c1::y}}", "")]
    import_package(state, "local", make(notes, reviews=log), now_ms=NOW)
    out = tmp_path / "out.apkg"
    report = export_package(state, "local", out, now_ms=NOW)
    assert (report.cards, report.notes, report.reviews) == (2, 2, 3)
    again = learning_file(tmp_path / "again")
    import_package(again, "local", out, now_ms=NOW)
    assert all_of(again, _CARDS) == all_of(state, _CARDS)
    assert all_of(again, _LOG) == all_of(state, _LOG)
    # What is written again is the same material: nothing is new.
    assert import_package(state, "local", out, now_ms=NOW).cards == 0


def test_quoted_cards_carry_their_source(state: StateFile, tmp_path: Path) -> None:
    path = tmp_path / "towers.txt"
    path.write_text("The tower is 330 m tall & made of <iron>.", "utf-8")
    import_source(state, "local", path, now_ms=NOW)
    cards = (
        CardDraft("atomic", "How tall is the tower?", "330 m", "The tower is 330 m tall"),
        CardDraft("cloze", "The tower is {{c1::330 m}} tall", "", "The tower is 330 m tall"),
        CardDraft("atomic", "a draft?", "yes, without a quote"),
    )
    submit_cards(state, "local", SubmitRequest(cards, "Towers"), NOW)
    out = tmp_path / "out.apkg"
    report = export_package(state, "local", out, now_ms=NOW)
    assert (report.cards, report.left_out) == (2, 1)
    again = learning_file(tmp_path / "again")
    import_package(again, "local", out, now_ms=NOW)
    rows = all_of(again, "SELECT type, front, back FROM cards ORDER BY type")
    assert rows == [
        ("atomic", "How tall is the tower?", "330 m"),
        ("cloze", "The tower is [...] tall", "330 m"),
    ]
    fields = all_of(again, "SELECT fields FROM notes ORDER BY fields")
    assert all('"towers.txt","paragraph 1"' in row[0] for row in fields)


def test_one_deck_is_written_with_those_within_it(
    state: StateFile, make: Make, tmp_path: Path
) -> None:
    import_package(state, "local", make(), now_ms=NOW)
    submit_cards(state, "local", SubmitRequest((CardDraft("atomic", "q?", "a"),), "Biology"), NOW)
    report = export_package(state, "local", tmp_path / "o.apkg", now_ms=NOW, deck="biology")
    assert (report.cards, report.left_out) == (1, 1)
    with pytest.raises(NotFoundError, match="no deck"):
        export_package(state, "local", tmp_path / "o.apkg", now_ms=NOW, deck="Chemistry")


def test_an_undone_review_is_not_written(state: StateFile, make: Make, tmp_path: Path) -> None:
    import_package(state, "local", make(reviews=[(NOW - DAY_MS, 3, 2500, 1)]), now_ms=NOW)
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO reviews (owner, review_id, card_id, kind, rated_by, undoes, at_ms, "
            "recorded_ms) SELECT owner, 'undo', card_id, 'undo', 'learner', review_id, at_ms, 1 "
            "FROM reviews"
        )
    assert export_package(state, "local", tmp_path / "o.apkg", now_ms=NOW).reviews == 0


def test_reviews_of_one_moment_are_kept_apart(state: StateFile, make: Make, tmp_path: Path) -> None:
    import_package(state, "local", make(reviews=[(NOW - DAY_MS, 3, 2500, 1)]), now_ms=NOW)
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, at_ms, "
            "recorded_ms) SELECT owner, 'second', card_id, 'review', 4, 'learner', at_ms, 1 "
            "FROM reviews"
        )
    out = tmp_path / "o.apkg"
    assert export_package(state, "local", out, now_ms=NOW).reviews == 2
    again = learning_file(tmp_path / "again")
    import_package(again, "local", out, now_ms=NOW)
    rows = all_of(again, "SELECT rating, at_ms FROM reviews ORDER BY at_ms")
    assert rows == [(3, NOW - DAY_MS), (4, NOW - DAY_MS + 1)]


def test_nothing_to_write_is_said(state: StateFile, make: Make, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        export_package(state, "local", tmp_path / "o.apkg", now_ms=NOW)
    import_package(state, "local", make(), now_ms=NOW)
    with pytest.raises(NotFoundError):
        export_package(state, "eve", tmp_path / "o.apkg", now_ms=NOW)
    with pytest.raises(InputError, match="folder"):
        export_package(state, "local", tmp_path / "none" / "o.apkg", now_ms=NOW)
    assert not list(tmp_path.glob(".groundwire*"))


def test_a_package_there_is_replaced_only_by_a_whole_one(
    state: StateFile, make: Make, tmp_path: Path
) -> None:
    out = tmp_path / "o.apkg"
    out.write_bytes(b"mine")
    import_package(state, "local", make(), now_ms=NOW)
    with pytest.raises(NotFoundError):
        export_package(state, "eve", out, now_ms=NOW)
    assert out.read_bytes() == b"mine"
    export_package(state, "local", out, now_ms=NOW)
    assert out.read_bytes()[:2] == b"PK"


def test_days_of_a_package_are_those_of_the_learner(
    state: StateFile, make: Make, tmp_path: Path
) -> None:
    # 2025-11-23 23:30 in Tokyo is of that day; 30 hours later it is the 25th, after three o'clock.
    now = 1_763_908_200_000
    log = [(now - 5 * DAY_MS, 3, 0, 0), (now - 4 * DAY_MS, 3, 2500, 1)]
    import_package(state, "local", make([(BASIC, "q", "a")], reviews=log), now_ms=now)
    due = now + 30 * 3_600_000
    with state.writing() as connection:
        policy = Policy(day_ends="03:00", zone="Asia/Tokyo")
        write_policy(connection, "local", policy, now)
        connection.execute("UPDATE schedule SET phase = 'review', due_ms = ?", (due,))
    out = tmp_path / "out.apkg"
    export_package(state, "local", out, now_ms=now)
    with zipfile.ZipFile(out) as archive:
        (tmp_path / "c.db").write_bytes(archive.read("collection.anki2"))
    with closing(sqlite3.connect(tmp_path / "c.db")) as collection:
        begins, conf = collection.execute("SELECT crt, conf FROM col").fetchone()
        (day,) = collection.execute("SELECT due FROM cards").fetchone()
    assert (json.loads(conf)["rollover"], json.loads(conf)["creationOffset"]) == (3, -540)
    start = dt.datetime.fromtimestamp(begins, dt.timezone(dt.timedelta(hours=9)))
    assert (start.hour, start.minute) == (3, 0)
    assert (start + dt.timedelta(days=day)).date() == dt.date(2025, 11, 25)
