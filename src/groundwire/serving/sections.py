"""Lists of what a server keeps for its owners, and a page of each entry, for people to look at.

Functions of a section block, and are called in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list.

    Attributes:
        key: names its page, in a path.
        title: what it is about, as text.
        beside: what else is told of it, as text.
        moment: seconds since 1970.
    """

    key: str
    title: str
    beside: tuple[str, ...]
    moment: float


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a list, the newest first.

    Attributes:
        entries: its lines.
        before: what the next page is asked for with, or empty after the last.
    """

    entries: tuple[Entry, ...]
    before: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page of an entry.

    Attributes:
        title: its title, as text.
        body: its body as HTML, in which every text is escaped.
        css: its style sheet.
        script: the one script that it runs, or empty.
    """

    title: str
    body: str
    css: str
    script: str = ""


def _nothing_listed(_owner: str, _limit: int, _before: str) -> Listing:
    return Listing(())


def _nothing_shown(_owner: str, _key: str) -> Shown:
    raise NotFoundError("There is no such page.")


@dataclass(frozen=True, slots=True)
class Section:
    """A list with the pages of its entries.

    Attributes:
        name: its part of the path, such as `answers`.
        title: its name for people.
        none: a sentence that says that there are no entries.
        listed: entries of an owner, at most so many, after a page that ended with `before`.
        shown: the page of an entry of an owner; NotFoundError where the owner has none such.
        page: the page that stands in place of a list, or None.
    """

    name: str
    title: str
    none: str = ""
    listed: Callable[[str, int, str], Listing] = _nothing_listed
    shown: Callable[[str, str], Shown] = _nothing_shown
    page: Callable[[], Shown] | None = None
