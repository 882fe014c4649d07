"""Typed access to the tree of a dbt manifest, which may hold anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from groundwire.metrics.models.semantic import Problem

Tree = Mapping[str, Any]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")


class Problems:
    """The problems of one file, told in the order they are found."""

    def __init__(self) -> None:
        """Begin without any."""
        self.found: list[Problem] = []

    def error(self, place: str, text: str) -> None:
        """Tell that what stands at a place is left out."""
        self.found.append(Problem(place, text))

    def doubt(self, place: str, text: str) -> None:
        """Tell that what stands at a place is read, but not wholly as it is meant."""
        self.found.append(Problem(place, text, is_error=False))


def tree_of(value: object) -> Tree:
    """A value as a tree; what is none is empty."""
    return cast(Tree, value) if isinstance(value, dict) else {}


def text_of(tree: Tree, key: str) -> str:
    """The text under a key, or "" where none is."""
    value = tree.get(key)
    return value.strip() if isinstance(value, str) else ""


def list_of(tree: Tree, key: str) -> list[object]:
    """The list under a key, or an empty one."""
    value = tree.get(key)
    return cast("list[object]", value) if isinstance(value, list) else []


def named(tree: Tree, key: str, place: str, problems: Problems) -> dict[str, Tree]:
    """The objects of a list by their names; those without a name, or with a taken one, are told.

    Args:
        tree: what holds the list.
        key: the key of the list.
        place: where `tree` stands, with a dot at its end, or "".
        problems: takes what is wrong.
    """
    found: dict[str, Tree] = {}
    value = tree.get(key)
    if value is not None and not isinstance(value, list):
        problems.error(f"{place}{key}", "is no list, so nothing of it is read")
    for index, one in enumerate(list_of(tree, key)):
        entry = tree_of(one)
        name = text_of(entry, "name")
        if not _NAME.fullmatch(name):
            problems.error(
                f"{place}{key}[{index}]",
                f"has no name of letters, digits and _ ({name[:60]!r}), so it is left out",
            )
        elif name in found:
            problems.error(f"{place}{key}.{name}", "stands twice: the second one is left out")
        else:
            found[name] = entry
    return found


def unknown_keys(tree: Tree, known: frozenset[str], place: str, problems: Problems) -> None:
    """Tell the keys of an object that are not known and hold something."""
    strange = sorted(str(key) for key, value in tree.items() if key not in known and value)
    if strange:
        shown = ", ".join(key[:40] for key in strange[:5])
        problems.doubt(place, f"has keys that are not read: {shown}")


def meta_of(entry: Tree) -> Tree:
    """Return our part of `config.meta`: under `groundwire`, else beside other things."""
    meta = tree_of(tree_of(entry.get("config")).get("meta"))
    own = tree_of(meta.get("groundwire"))
    return own or meta


def words_of(meta: Tree, key: str) -> tuple[str, ...]:
    """The texts of a list, or the one text, under a key."""
    value = meta.get(key)
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    return tuple(one.strip() for one in given if isinstance(one, str) and one.strip())


def count_of(value: object) -> int | None:
    """A positive whole number, also as text; None where it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 7:
        value = int(value)
    return value if isinstance(value, int) and 0 < value < 1_000_000 else None
