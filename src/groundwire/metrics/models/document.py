"""Files of models as plain data: YAML and JSON, within bounds.

YAML is read event by event, so that neither nesting nor references can take more than the bounds.
All its scalars are text; tags and merge keys are refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from groundwire.errors import ConfigurationError, LimitError

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
