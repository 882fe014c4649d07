"""A drafted profile as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from groundwire.metrics.about import heading_names
from groundwire.metrics.importing.draft_names import derivations_of, readable, short_name
from groundwire.metrics.importing.draft_terms import DraftMetric, DraftTerm
from groundwire.vocabulary.fold import fold

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


def toml(blocks: Iterable[Block], comments: Sequence[str]) -> str:
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


@dataclass(frozen=True, slots=True)
class DraftParts:
    """The parts of a drafted profile.

    Attributes:
        path: the file that it is drafted for.
        kind: key of the kind of its entities.
        kind_label: what that kind is called.
        entities, metrics, channels: its terms.
        grains: grains of all metrics that have none of their own, the usual one first.
        home: code of the entity that a question without one is about, or "".
        example_period: a period that the file has.
        fiscal_year_start: month and day, or "".
    """

    path: Path
    kind: str
    kind_label: str
    entities: tuple[DraftTerm, ...]
    metrics: tuple[DraftMetric, ...]
    channels: tuple[DraftTerm, ...]
    grains: tuple[str, ...]
    home: str
    example_period: str
    fiscal_year_start: str = ""
    channel_label: str = ""


def profile_toml(parts: DraftParts, notes: Sequence[str]) -> str:
    """The profile, with the guesses that a person should look at as its first lines."""
    flows = [one for one in parts.metrics if one.measure == "flow"] or parts.metrics
    example = next((one for one in flows if "revenue" in one.code.casefold()), flows[0])
    yearly = "year" in {grain for one in parts.metrics for grain in one.grains or parts.grains}
    blocks = [
        Block(
            "[profile]",
            {
                "name": short_name(parts.path.stem),
                "title": readable(parts.path.stem),
                "description": f"Facts of {parts.path.name}.",
                "example_metric": example.label,
                "example_entity": parts.entities[0].label,
                "example_period": parts.example_period,
                "channel_label": parts.channel_label,
            },
        ),
        Block(
            f"[kinds.{parts.kind}]",
            {
                "label": parts.kind_label,
                "aliases": _other_names(parts),
                "home": parts.home,
                "default_period": "" if yearly else "latest",
                "fiscal_year_start": parts.fiscal_year_start,
            },
        ),
    ]
    blocks += [_metric(one, parts) for one in parts.metrics]
    blocks += [
        Block("[[channels]]", {"code": one.code, "label": one.label}) for one in parts.channels
    ]
    blocks += [
        Block(
            "[[entities]]",
            {
                "code": one.code, "kind": parts.kind, "name": one.label[:400],
                "aliases": list(one.aliases),
            },
        )
        for one in parts.entities
    ]  # fmt: skip
    head = [f"Drafted for {parts.path.name}: read it before it is used."]
    return toml(blocks, [*head, *(f"Look at: {note}." for note in notes)])


def _other_names(parts: DraftParts) -> list[str]:
    """Other words for the kind of entity, without those that call something else here."""
    terms = (*parts.metrics, *parts.entities, *parts.channels)
    taken = {fold(name) for one in terms for name in (one.label, *one.aliases)}
    taken |= set(map(fold, (parts.kind_label, *heading_names(parts.channel_label))))
    return [name for name in heading_names(parts.kind_label) if fold(name) not in taken]


def _metric(metric: DraftMetric, parts: DraftParts) -> Block:
    comments = () if metric.unit else ("No unit is known: the values are bare numbers.",)
    return Block(
        "[[metrics]]",
        {
            "code": metric.code, "kind": parts.kind, "label": metric.label[:400],
            "aliases": list(metric.aliases), "unit": metric.unit, "measure": metric.measure,
            "grains": list(metric.grains or parts.grains),
            "derivations": list(derivations_of(metric.measure)), "definition": metric.definition,
        },
        comments,
    )  # fmt: skip
