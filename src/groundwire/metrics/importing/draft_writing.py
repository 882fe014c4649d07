"""A drafted profile as TOML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.metrics.importing.draft_names import derivations_of, readable, short_name
from groundwire.metrics.importing.draft_terms import DraftMetric, DraftTerm
from groundwire.metrics.importing.toml_text import Block, toml


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
            },
        ),
        Block(
            f"[kinds.{parts.kind}]",
            {
                "label": parts.kind_label,
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
