"""Imported feeds below the state folder, by the names that their user gave them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.timetable.model import META_FILE, FeedInfo, read_info

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
# A name that means something else where feeds are named.
_TAKEN = frozenset({"london", "offline"})


def feeds_folder(home: Path) -> Path:
    """Where imported feeds lie."""
    return home / "feeds"


def check_name(name: str) -> None:
    """See that a feed may have a name.

    Raises:
        InputError: it may not.
    """
    if not _NAME.fullmatch(name) or name in _TAKEN:
        raise InputError(
            f"{name[:40]!r} is no name for a feed: use small letters, digits, - and _, such as "
            "berlin; london is the embedded network."
        )


def imported_feeds(home: Path) -> Iterator[tuple[FeedInfo | NotFoundError, int]]:
    """Yield each imported feed, or why it cannot be used, with its bytes on disk."""
    root = feeds_folder(home)
    if not root.is_dir():
        return
    for folder in sorted(root.iterdir()):
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        size = sum(one.stat().st_size for one in folder.iterdir() if one.is_file())
        try:
            yield read_info(folder), size
        except NotFoundError as error:
            yield error, size


def feed_folder(home: Path, name: str) -> Path:
    """The folder of an imported feed.

    Raises:
        NotFoundError: there is none of this name.
    """
    folder = feeds_folder(home) / name
    if not _NAME.fullmatch(name) or not (folder / META_FILE).is_file():
        known = [one.name for one, _ in imported_feeds(home) if isinstance(one, FeedInfo)]
        there = f" Imported are {', '.join(known)}." if known else ""
        raise NotFoundError(
            f"No feed {name[:40]!r} is imported: run groundwire journeys import FEED.zip --name "
            f"NAME.{there}"
        )
    return folder
