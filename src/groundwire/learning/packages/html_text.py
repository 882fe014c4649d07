"""HTML of a field as the text that a reader sees; nothing of it is run or fetched."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

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
        reader.feed(source)
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
