"""Folders of the server's machine, which callers over HTTP are not told."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcp_types import CallToolResult, TextContent

from groundwire.config import Settings


class ServerFolders:
    """Shortens paths below the folders that a server works with to what stands below them."""

    def __init__(self, settings: Settings) -> None:
        folders = sorted({str(one) for one in _folders(settings)}, key=len, reverse=True)
        names = "|".join(re.escape(one) for one in folders if len(one) > 1)
        self._pattern = re.compile(rf"(?<![\w./:-])(?:{names})(?:/|(?![\w.-]))")

    def without(self, text: str) -> str:
        """Return a text in which a path begins below the folder of the server that it is in."""
        return self._pattern.sub("", text)

    def hidden(self, result: CallToolResult) -> CallToolResult:
        """Return a result without those folders, in its text, its structure and its view alike."""
        update: dict[str, Any] = {}
        first = result.content[0] if result.content else None
        if isinstance(first, TextContent) and self._pattern.search(first.text):
            text = self.without(first.text)
            update["content"] = [TextContent(type="text", text=text), *result.content[1:]]
            update["structured_content"] = json.loads(text)
        view = json.dumps(result.meta, ensure_ascii=False) if result.meta else ""
        if self._pattern.search(view):
            update["meta"] = json.loads(self.without(view))
        return result.model_copy(update=update) if update else result


def _folders(settings: Settings) -> Iterator[Path]:
    named = [*settings.shapes, *settings.assets]
    files = [settings.profile, settings.facts, settings.endpoints]
    places = [settings.home, Path.cwd(), Path.home(), Path(tempfile.gettempdir())]
    places += [Path(one) for one in (sys.prefix, sys.base_prefix)]
    places += [Path(__file__).parents[2], Path(__file__).parents[3]]
    places += [Path(one).parent for one in named if "://" not in one]
    places += [one.parent for one in files if one is not None]
    for place in places:
        yield place.absolute()
        yield place.resolve()
