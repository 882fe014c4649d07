"""Types of notes and their cards as Anki shows them: templates, filled, as text.

HTML of a field becomes the text that a reader sees; nothing of it is run or fetched.

Source: the Anki manual, "Field replacements" and "Card generation".
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any, Literal

from groundwire.learning.cards.cloze import parse_cloze

_DROPPED = frozenset(("script", "style", "head", "template", "noscript", "iframe", "object"))
_BLOCKS = frozenset(
    (
        *("p", "div", "li", "ul", "ol", "tr", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("blockquote", "pre", "section", "article", "dt", "dd", "center"),
    )
)
_CELLS = frozenset(("td", "th"))
_MARKUP = re.compile(r"[<&]")
# Tags within a line and without attributes, which need no parser.
_INLINE = re.compile(r"</?(?:b|i|u|s|em|strong|sub|sup|code|small|mark)>")
_SPACES = re.compile(r"[^\S\n]+")
# A comment, which ends with the text where nothing else ends it.
_SOUND = re.compile(r"\[sound:([^\]\n]{1,200})\]")


def html_text(source: str) -> str:
    """Return what a reader sees of HTML: lines apart, tags gone, images and sounds by name.

    What is not well formed is read as far as it goes.
    """
    if not _MARKUP.search(source):
        text = source.replace("\n", " ")
    elif "<" not in (plain := _INLINE.sub("", source)):
        text = html.unescape(plain.replace("\n", " "))
    else:
        reader = _Reader()
        reader.feed(_COMMENT.sub("", source))
        reader.close()
        text = "".join(reader.parts)
    if "[sound:" in text:
        text = _SOUND.sub(lambda found: f"[sound: {found[1]}]", text)
    return _lines(text)


def _lines(text: str) -> str:
    if "\n" not in text:
        return _SPACES.sub(" ", text).strip()
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class _Reader(HTMLParser):
    """Gathers text, a line for each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._dropped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line at a block; name an image; skip what is not shown."""
        if tag in _DROPPED:
            self._dropped.append(tag)
        elif self._dropped:
            return
        elif tag == "br" or tag in _BLOCKS:
            self.parts.append("\n")
        elif tag in _CELLS:
            self.parts.append(" ")
        elif tag == "img":
            named = dict(attrs)
            name = named.get("alt") or named.get("src") or ""
            self.parts.append(f"[image: {name[:200]}]")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a tag that closes itself; it drops nothing."""
        if tag not in _DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End a line, or what is not shown."""
        if self._dropped and tag == self._dropped[-1]:
            self._dropped.pop()
        elif tag in _BLOCKS and not self._dropped:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text, line ends of the source as spaces."""
        if not self._dropped:
            self.parts.append(data.replace("\n", " ").replace("\r", " "))


_TAG = re.compile(r"\{\{([#^/]?)([^{}]{0,400})\}\}")
_ANSWER = re.compile(r"<hr\s+id\s*=\s*[\"']?answer[\"']?\s*/?>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_EMPTY = re.compile(r"(?:\s|<br\s*/?>|</?div>)*", re.IGNORECASE)
_OCCLUSION = "image-occlusion:"

SOURCE_MARK = '<div class="groundwire-source">'
"""What follows this in a template of ours is where a card is from, and no part of its answer."""


@dataclass(frozen=True, slots=True)
class Template:
    """How one card of a note is shown.

    Attributes:
        name: its name.
        question: the template of the question.
        answer: the template of the answer.
    """

    name: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class NoteType:
    """How notes of a kind become cards.

    Attributes:
        name: its name.
        is_cloze: whether a card is made for each number of its holes.
        fields: names of the fields.
        templates: one for each card, or the one of a cloze.
        css: how its cards are styled, "" for the style of a new type.
    """

    name: str
    is_cloze: bool
    fields: tuple[str, ...]
    templates: tuple[Template, ...]
    css: str = ""


@dataclass(frozen=True, slots=True)
class Sides:
    """A card as text.

    Attributes:
        type: what kind of card it is.
        front: the question.
        back: the answer; of a cloze what its holes hide.
    """

    type: Literal["atomic", "cloze", "image_occlusion"]
    front: str
    back: str


def sides(kind: NoteType, values: Sequence[str], ordinal: int) -> Sides:
    """Return front and back of a card of a note.

    Args:
        kind: the type of the note.
        values: its fields, as HTML, in order.
        ordinal: which of its cards, from 0.
    """
    if kind.is_cloze:
        return _cloze_sides(kind, values, ordinal)
    fields = dict(zip(kind.fields, values, strict=False))
    if not kind.templates:
        return Sides("atomic", html_text(values[0] if values else ""), "")
    template = kind.templates[min(ordinal, len(kind.templates) - 1)]
    question = html_text(_filled(template.question, fields, asks=True))
    back = html_text(_filled(_own_answer(template.answer), fields, asks=False))
    if not _ANSWER.search(template.answer) and question and back.startswith(question):
        back = back[len(question) :].strip()
    return Sides("atomic", question, back)


def _own_answer(template: str) -> str:
    """The part of an answer's template that is not its question again."""
    template = template.split(SOURCE_MARK)[0]
    parts = _ANSWER.split(template, maxsplit=1)
    return parts[1] if len(parts) > 1 else template


def _cloze_sides(kind: NoteType, values: Sequence[str], ordinal: int) -> Sides:
    fields = dict(zip(kind.fields, values, strict=False))
    template = kind.templates[0] if kind.templates else Template("", "", "")
    named = [part[1].split(":")[-1].strip() for part in _pieces(template.question) if part[0] == ""]
    with_holes = next((n for n in (*named, *kind.fields) if "{{c" in fields.get(n, "")), "")
    source = fields.get(with_holes, values[0] if values else "")
    cloze = parse_cloze(source)
    number = ordinal + 1
    if _OCCLUSION in source:
        rest = [value for name, value in fields.items() if name != with_holes]
        shown = html_text(" ".join(rest[:2]))
        return Sides("image_occlusion", f"{shown} (part {number})", html_text(" ".join(rest[2:])))
    if cloze is None or number not in cloze.numbers:
        return Sides("cloze", html_text(source), "")
    shown = {**fields, with_holes: cloze.masked(number)}
    front = html_text(_filled(template.question or f"{{{{{with_holes}}}}}", shown, asks=True))
    return Sides("cloze", front, html_text(cloze.answer(number)))


@lru_cache(maxsize=1_024)
def _pieces(template: str) -> tuple[tuple[str | None, str], ...]:
    """A template in turns: text (None), or the sign and the name of a replacement."""
    template = _COMMENT.sub("", template)
    found: list[tuple[str | None, str]] = []
    position = 0
    for tag in _TAG.finditer(template):
        found.append((None, template[position : tag.start()]))
        found.append((tag[1], tag[2].strip()))
        position = tag.end()
    found.append((None, template[position:]))
    return tuple(piece for piece in found if piece[0] is not None or piece[1])


def _filled(template: str, fields: Mapping[str, str], *, asks: bool) -> str:
    """A template with its fields; the question is left out of an answer."""
    parts: list[str] = []
    # For each condition that is open: its name, and whether what it holds is shown.
    conditions: list[tuple[str, bool]] = []
    for sign, text in _pieces(template):
        if sign == "/":
            if any(name == text for name, _ in conditions):
                while conditions.pop()[0] != text:
                    pass
            continue
        if sign in ("#", "^"):
            empty = _EMPTY.fullmatch(fields.get(text, "")) is not None
            conditions.append((text, empty == (sign == "^")))
            continue
        if not all(shown for _, shown in conditions):
            continue
        if sign is None:
            parts.append(text)
            continue
        *filters, name = (part.strip() for part in text.split(":"))
        if "type" in filters and asks:
            continue
        parts.append(fields.get(name, ""))
    return "".join(parts)


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
