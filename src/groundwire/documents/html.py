"""HTML: what a reader of the page sees; scripts, navigation and hidden parts are dropped."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, cast

from groundwire.documents.blocks import Outline, Progress, Reading
from groundwire.documents.bounds import broken, decoded, read_bytes, require

if TYPE_CHECKING:
    from bs4 import Tag

_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_DROPPED = [
    *("script", "style", "noscript", "template", "head", "nav", "svg", "math", "iframe", "object"),
    *("embed", "audio", "video", "canvas", "map", "select", "button", "input", "textarea", "del"),
    *("dialog", "datalist", "rp", "rt"),
]
_INLINE = frozenset(
    [
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "dfn", "em"),
        *("font", "i", "ins", "kbd", "label", "mark", "q", "ruby", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    ]
)
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.I)
_SPACES = re.compile(r"\s+")


def read_html(path: Path, progress: Progress | None = None) -> Reading:
    """Read an HTML page.

    Raises:
        InputError: it cannot be read.
        ConfigurationError: beautifulsoup4 is not installed.
    """
    try:
        soup = parsed_page(path)
        for part in soup.find_all(is_dropped):
            part.decompose()
        reader = _Reader()
        reader.walk(soup)
    except (ValueError, AssertionError, RecursionError) as error:
        raise broken(path, "HTML", error) from error
    if progress is not None:
        progress(path.name, 1, 1)
    return Reading(tuple(reader.outline.blocks))


def parsed_page(path: Path) -> Tag:
    """The parsed page.

    Raises:
        InputError: it cannot be read or parsed.
        ConfigurationError: beautifulsoup4 is not installed.
    """
    soups = require("bs4", path)
    data = read_bytes(path)
    charset = _CHARSET.search(data[:4096])
    text = decoded(data, path, charset[1].decode("ascii") if charset else "")
    try:
        with warnings.catch_warnings():
            # It warns of XHTML, and of a page that looks like a file name.
            warnings.simplefilter("ignore")
            return cast("Tag", soups.BeautifulSoup(text, "html.parser"))
    except (ValueError, AssertionError, RecursionError) as error:
        raise broken(path, "HTML", error) from error


def is_dropped(tag: Tag) -> bool:
    """Whether a reader of the page does not see this part."""
    if tag.name in _DROPPED:
        return True
    attributes = tag.attrs or {}
    if "hidden" in attributes or str(attributes.get("aria-hidden", "")).lower() == "true":
        return True
    return _HIDDEN_STYLE.search(str(attributes.get("style", ""))) is not None


class _Reader:
    """Gathers text until a tag that begins or ends a block."""

    def __init__(self) -> None:
        self.outline = Outline()
        self._parts: list[str] = []

    def walk(self, root: Tag) -> None:
        """Go through a tree by a stack: pages nest deeper than Python's calls do."""
        from bs4.element import NavigableString, PreformattedString, Tag

        stack: list[Tag | str] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, Tag):
                if self._whole(node):
                    continue
                if node.name not in _INLINE:
                    self._end()
                    stack.append("")  # ends the block, once what it holds was read
                # Comments, declarations and the like are preformatted strings.
                stack += (
                    child
                    for child in reversed(node.contents)
                    if isinstance(child, Tag)
                    or (
                        isinstance(child, NavigableString)
                        and not isinstance(child, PreformattedString)
                    )
                )
            elif isinstance(node, NavigableString):
                self._parts.append(str(node))
            else:
                self._end()
        self._end()

    def _whole(self, node: Tag) -> bool:
        """Take in an element that is one block whatever it holds, or no block at all."""
        if node.name == "br":
            self._parts.append(" ")
        elif node.name in _HEADINGS:
            self._end()
            self.outline.heading(node.get_text(" "))
        elif node.name == "pre":
            self._end()
            self.outline.paragraph(node.get_text(), "listing")
        elif node.name == "table" and not node.find("table"):
            self._end()
            self._table(node)
        else:
            return False
        return True

    def _table(self, table: Tag) -> None:
        rows: list[str] = []
        for row in table.find_all(["tr", "caption"]):
            cells = row.find_all(["td", "th"]) or [row]
            texts = (_SPACES.sub(" ", cell.get_text(" ")).strip() for cell in cells)
            rows.append(" | ".join(texts))
        self.outline.paragraph("\n".join(rows), "table")

    def _end(self) -> None:
        text = _SPACES.sub(" ", "".join(self._parts))
        self._parts.clear()
        self.outline.paragraph(text)
