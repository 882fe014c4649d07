"""The names by which the statements of a record call things and what they state of them.

To keep records small, a thing and a predicate have all their names where a record first names
them, and after that only their label, with the code of a thing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from groundwire.evidence.records import Names

_FILE = "statement_names.toml"


@cache
def predicate_names(package: str) -> Mapping[str, Names]:
    """Return the names of each predicate of a package, the label first.

    Args:
        package: the package whose `statement_names.toml` is read ("groundwire.metrics").
    """
    return _table(package, "names")


@cache
def other_names(package: str, table: str) -> Mapping[str, Names]:
    """Return the names that another table of a package's file has for things or values.

    Args:
        package: the package whose `statement_names.toml` is read ("groundwire.journeys").
        table: the table of the file ("modes").

    Raises:
        KeyError: the file has no such table.
    """
    return _table(package, table)


def _table(package: str, table: str) -> Mapping[str, Names]:
    tree = tomllib.loads(files(package).joinpath(_FILE).read_text("utf-8"))
    return {key: tuple(names) for key, names in tree[table].items()}


class RecordNames:
    """The names of one record, with what it has named so far."""

    def __init__(self, package: str) -> None:
        """Begin a record whose predicates are those of a package."""
        self._predicates = predicate_names(package)
        self._named: set[tuple[str, str | Names]] = set()

    def predicate(self, key: str) -> Names:
        """Return the names of a predicate: all of them the first time, then its label."""
        names = self._predicates[key]
        return names if self._is_new("", key) else names[:1]

    def thing(self, kind: str, names: Names, kept: int = 2) -> Names:
        """Return the names of a thing: all of them the first time, then the first `kept`.

        Args:
            kind: what sort of thing it is.
            names: its label, then its code or its other names, each once.
            kept: how many names are enough for a thing that has been named.
        """
        return names if self._is_new(kind, names) else names[:kept]

    def _is_new(self, kind: str, names: str | Names) -> bool:
        key = kind, names
        if key in self._named:
            return False
        self._named.add(key)
        return True
