"""TOML as text, written so that every value is read back as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

TomlValue = str | int | bool | Sequence["TomlValue"] | Mapping[str, "TomlValue"] | None

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_CONTROL = re.compile(r"[\x7f-\x9f\ud800-\udfff]")


class Block(NamedTuple):
    """One table of a TOML file.

    Attributes:
        header: its header: `[profile]`, `[[entities]]`.
        entries: its entries; None, "" and empty lists are left out.
        comments: what stands above it, a line each.
    """

    header: str
    entries: Mapping[str, TomlValue]
    comments: Sequence[str] = ()


def toml(blocks: Iterable[Block], comments: Sequence[str] = ()) -> str:
    """Write tables, each with its comments above it."""
    parts = ["".join(map(_comment, comments))]
    for block in blocks:
        lines = [_comment(text) for text in block.comments]
        lines.append(f"{block.header}\n")
        lines += [
            f"{key(name)} = {written(value)}\n"
            for name, value in block.entries.items()
            if value is not None and value not in ("", (), [])
        ]
        parts.append("".join(lines))
    return "\n".join(part for part in parts if part)


def key(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.fullmatch(name) else _text(name)


def written(value: TomlValue) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key(name)} = {written(one)}" for name, one in value.items())
        return f"{{ {inside} }}"
    if value is None:
        raise ValueError("TOML has no null")
    return f"[{', '.join(map(written, value))}]"


def _text(text: str) -> str:
    """A basic string. JSON escapes what TOML wants escaped, but for DEL and C1 controls."""
    return _CONTROL.sub(
        lambda match: f"\\u{ord(match[0]):04X}", json.dumps(text, ensure_ascii=False)
    )


def _comment(text: str) -> str:
    return f"# {' '.join(_CONTROL.sub(' ', text).split())}\n"
