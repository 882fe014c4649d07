"""Files of models as plain data within bounds, and typed access to the tree of a dbt manifest.

YAML is read event by event, so that neither nesting nor references can take more than the bounds.
All its scalars are text; tags and merge keys are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from groundwire.errors import ConfigurationError, LimitError
from groundwire.metrics.models.semantic import Problem

LARGEST_FILE = 32 * 1024 * 1024
DEEPEST = 40
MOST_PARTS = 3_000_000


@dataclass(frozen=True, slots=True)
class Twice:
    """A key that stands twice in one mapping: its name and line."""

    key: str
    line: int


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        ConfigurationError: it cannot be read.
        LimitError: it has more than 32 MiB.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise LimitError(
                f"{path.name} has {size / 1048576:.0f} MiB: a model may have "
                f"{LARGEST_FILE // 1048576} MiB; split it"
            )
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except OSError as problem:
        raise ConfigurationError(f"{path} cannot be read: {problem.strerror}") from None


def parse_document(data: bytes, name: str) -> tuple[Any, tuple[Twice, ...]]:
    """Return what a YAML or JSON text holds, and the keys that stand twice.

    Args:
        data: the text, as UTF-8.
        name: of the file, for messages.

    Raises:
        ConfigurationError: it is neither.
        LimitError: it is nested deeper, or has more parts, than a model needs.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationError(f"{name} is no text in UTF-8: save it so") from None
    if text.lstrip()[:1] == "{":
        return _json(text, name)
    return _yaml(text, name)


def _json(text: str, name: str) -> tuple[Any, tuple[Twice, ...]]:
    twice: list[Twice] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                twice.append(Twice(key, 0))
            else:
                found[key] = value
        return found

    try:
        return json.loads(text, object_pairs_hook=keep), tuple(twice)
    except RecursionError:
        raise LimitError(f"{name} is nested too deeply for a model") from None
    except ValueError as problem:
        raise ConfigurationError(f"{name} is no JSON: {str(problem)[:160]}") from None


def _yaml(text: str, name: str) -> tuple[Any, tuple[Twice, ...]]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parse = cast("Callable[..., Iterator[Any]]", vars(yaml)["parse"])
    try:
        return _Builder(name).build(parse(text, Loader=loader))
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        place = f" in line {mark.line + 1}" if mark is not None else ""
        said = str(getattr(problem, "problem", None) or problem).partition("\n")[0]
        if "nesting depth" in said:
            raise LimitError(f"{name} is nested too deeply for a model") from None
        raise ConfigurationError(f"{name} is no YAML{place}: {said[:160]}") from None


class _Builder:
    """Makes mappings, lists and texts of events."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._twice: list[Twice] = []
        self._parts = 0

    def build(self, events: Iterator[Any]) -> tuple[Any, tuple[Twice, ...]]:
        """Return the only document, and the keys that stand twice."""
        import yaml

        document: Any = None
        documents = 0
        # Each open collection: itself, its anchor, the parts before it, and the key that waits.
        stack: list[tuple[Any, str | None, int, list[Any]]] = []
        for event in events:
            kind = event.__class__
            if kind is yaml.ScalarEvent:
                self._count(1)
                self._plain(event)
                value: Any = self._scalar(event)
                if event.anchor:
                    self._anchors[event.anchor] = (value, 1)
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                self._count(1)
                self._plain(event)
                if len(stack) >= DEEPEST:
                    raise LimitError(f"{self._name} is nested deeper than {DEEPEST} levels")
                made: Any = {} if kind is yaml.MappingStartEvent else []
                stack.append((made, event.anchor, self._parts, []))
                continue
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                value, anchor, before, _ = stack.pop()
                if anchor:
                    self._anchors[anchor] = (value, self._parts - before + 1)
            elif kind is yaml.AliasEvent:
                value = self._referred(event.anchor)
            else:
                documents += kind is yaml.DocumentStartEvent
                if documents > 1:
                    raise ConfigurationError(f"{self._name} holds several documents: leave one")
                continue
            if stack:
                self._add(stack[-1], value, event.start_mark.line + 1)
            else:
                document = value
        return document, tuple(self._twice)

    def _referred(self, anchor: str) -> Any:
        """Return the node of an anchor; it counts as often as it is referred to."""
        if anchor not in self._anchors:
            raise ConfigurationError(f"{self._name} refers to itself by *{anchor[:60]}")
        value, size = self._anchors[anchor]
        self._count(size)
        return value

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MOST_PARTS:
            raise LimitError(f"{self._name} has more than {MOST_PARTS:,} parts")

    def _plain(self, event: Any) -> None:
        if event.tag and event.tag not in ("!", "tag:yaml.org,2002:str"):
            raise ConfigurationError(
                f"{self._name} has the tag {event.tag[:60]} in line {event.start_mark.line + 1}: "
                "a model has none"
            )

    @staticmethod
    def _scalar(event: Any) -> str | None:
        if event.style is None and event.value in ("", "~", "null", "Null", "NULL"):
            return None
        return event.value

    def _add(self, top: tuple[Any, str | None, int, list[Any]], value: Any, line: int) -> None:
        made, _, _, waiting = top
        if isinstance(made, list):
            cast("list[Any]", made).append(value)
            return
        if not waiting:
            if not isinstance(value, str):
                raise ConfigurationError(f"{self._name} has a key that is no text in line {line}")
            if value == "<<":
                raise ConfigurationError(f"{self._name} merges mappings in line {line}: write both")
            waiting.append(value)
            return
        key = waiting.pop()
        if key in made:
            self._twice.append(Twice(key, line))
        else:
            made[key] = value


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
        """Note that what stands at a place is read, but perhaps not wholly in its sense."""
        self.found.append(Problem(place, text, is_error=False))


def tree_of(value: object) -> Tree:
    """Return a value as a tree, which is empty for another value."""
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
    """Return a positive whole number, also written as text, or None for another value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 7:
        value = int(value)
    return value if isinstance(value, int) and 0 < value < 1_000_000 else None
