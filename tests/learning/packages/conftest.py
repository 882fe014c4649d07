"""Packages of Anki, made table by table, good ones and bad ones."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from groundwire.learning.learner import learning_file
from groundwire.state import StatePlace
from groundwire.statefile import StateFile

NOW = 1_763_900_000_000
DAY_MS = 86_400_000
BASIC, CLOZE = 1_600_000_000_001, 1_600_000_000_002
Make = Callable[..., Path]


def models() -> dict[str, Any]:
    """Two types of notes, as Anki has them."""
    answer = "{{FrontSide}}\n\n<hr id=answer>\n\n{{Back}}"
    return {
        str(BASIC): {
            "name": "Basic",
            "type": 0,
            "flds": [{"name": "Front"}, {"name": "Back"}],
            "tmpls": [{"name": "Card 1", "qfmt": "{{Front}}", "afmt": answer}],
        },
        str(CLOZE): {
            "name": "Cloze",
            "type": 1,
            "flds": [{"name": "Text"}, {"name": "Back Extra"}],
            "tmpls": [
                {"name": "Cloze", "qfmt": "{{cloze:Text}}", "afmt": "{{cloze:Text}}"},
            ],
        },
    }


def collection(
    path: Path,
    notes: Sequence[tuple[int, str, str]] = ((BASIC, "question", "answer"),),
    *,
    version: int = 11,
    reviews: Sequence[tuple[int, int, int, int]] = (),
    scheduler: int = 2,
    card: dict[str, object] | None = None,
    statements: Sequence[str] = (),
) -> None:
    """Write a collection of schema 11.

    Args:
        path: the file.
        notes: type, first and second field of each; a card each.
        version: what it says of its schema.
        reviews: time, ease, factor and type, all of the first card.
        scheduler: which of Anki's schedulers it is of.
        card: columns of the first card that differ.
        statements: what is done to the tables at the end.
    """
    schema = (files("groundwire.learning.packages") / "anki_schema.sql").read_text("utf-8")
    with closing(sqlite3.connect(path)) as out:
        out.executescript(schema)
        conf = json.dumps({"schedVer": scheduler})
        decks = json.dumps({"1": {"name": "Default"}, "2": {"name": "Biology::Cells"}})
        out.execute(
            "INSERT INTO col VALUES (1, ?, 0, 0, ?, 0, 0, 0, ?, ?, ?, '{}', '{}')",
            (NOW // 1000 - 400 * 86_400, version, conf, json.dumps(models()), decks),
        )
        for number, (kind, first, second) in enumerate(notes, 1):
            out.execute(
                "INSERT INTO notes VALUES (?, ?, ?, 1700000000, 0, ' one ', ?, '', 0, 0, '')",
                (number, f"guid{number}", kind, f"{first}\x1f{second}"),
            )
            out.execute(
                "INSERT INTO cards VALUES (?, ?, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, '')",
                (number, number),
            )
        for column, value in (card or {}).items():
            out.execute(f"UPDATE cards SET {column} = ? WHERE id = 1", (value,))
        for at, ease, factor, kind in reviews:
            out.execute(
                "INSERT INTO revlog VALUES (?, 1, 0, ?, 1, 1, ?, 4000, ?)", (at, ease, factor, kind)
            )
        for statement in statements:
            out.execute(statement)
        out.commit()


def packed(path: Path, members: dict[str, bytes]) -> Path:
    """Write a zip file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def state(place: StatePlace) -> Iterator[StateFile]:
    opened = learning_file(place)
    yield opened
    opened.close()


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a package of a collection; the arguments are those of `collection`."""

    def made(*arguments: Any, name: str = "deck.apkg", **more: Any) -> Path:
        file = tmp_path / "made.anki2"
        file.unlink(missing_ok=True)
        collection(file, *arguments, **more)
        return packed(tmp_path / name, {"collection.anki2": file.read_bytes(), "media": b"{}"})

    return made


@pytest.fixture
def rows(state: StateFile) -> Callable[[str], list[tuple[Any, ...]]]:
    """The rows of a query on the file of learning."""

    def read(query: str) -> list[tuple[Any, ...]]:
        with state.reading() as connection:
            assert connection is not None
            return connection.execute(query).fetchall()

    return read
