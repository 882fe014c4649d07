"""The types of imported notes, kept so that they go back as they came."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from typing import Any

from groundwire.learning.packages.templates import SOURCE_MARK, NoteType, Template

_SOURCE = f"{SOURCE_MARK}{{{{Source}}}}{{{{#Locator}}}}, {{{{Locator}}}}{{{{/Locator}}}}</div>"
_OWN_FIELDS = ("Source", "Locator")

OWN = {
    "atomic": NoteType(
        "Groundwire",
        is_cloze=False,
        fields=("Front", "Back", *_OWN_FIELDS),
        templates=(
            Template(
                "Card 1", "{{Front}}", f"{{{{FrontSide}}}}\n<hr id=answer>\n{{{{Back}}}}\n{_SOURCE}"
            ),
        ),
    ),
    "cloze": NoteType(
        "Groundwire cloze",
        is_cloze=True,
        fields=("Text", "Back Extra", *_OWN_FIELDS),
        templates=(
            Template(
                "Cloze",
                "{{cloze:Text}}",
                f"{{{{cloze:Text}}}}<br>\n{{{{Back Extra}}}}\n{_SOURCE}",
            ),
        ),
    ),
}
"""The types of notes that are made here, by the type of their cards."""


def keep_note_type(connection: sqlite3.Connection, owner: str, kind: NoteType) -> str:
    """Keep a type of notes, and return the key that its notes name it by."""
    held: dict[str, Any] = {
        "name": kind.name,
        "is_cloze": kind.is_cloze,
        "fields": kind.fields,
        "templates": [(one.name, one.question, one.answer) for one in kind.templates],
    }
    if kind.css:
        held["css"] = kind.css
    data = json.dumps(
        held,
        ensure_ascii=False,
        separators=(",", ":"),
    )
    key = f"anki:{hashlib.sha256(data.encode()).hexdigest()[:24]}"
    connection.execute(
        "INSERT OR IGNORE INTO note_types (owner, type, data) VALUES (?, ?, ?)", (owner, key, data)
    )
    return key


def note_types(connection: sqlite3.Connection, owner: str) -> dict[str, NoteType]:
    """Return the types of an owner's imported notes, by key."""
    found: dict[str, NoteType] = {}
    for key, data in connection.execute(
        "SELECT type, data FROM note_types WHERE owner = ?", (owner,)
    ):
        read: dict[str, Any] = json.loads(data)
        found[key] = NoteType(
            read["name"],
            read["is_cloze"],
            tuple(read["fields"]),
            tuple(Template(*one) for one in read["templates"]),
            read.get("css", ""),
        )
    return found
