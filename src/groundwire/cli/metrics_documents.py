"""`groundwire metrics documents|forget`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from groundwire.cli.fact_base import places_of, state_of

if TYPE_CHECKING:
    from groundwire.metrics.holdings import Holding

_HEAD = ("NAME", "KIND", "HELD", "DATE", "SENSITIVITY", "FROM")


def documents(arguments: argparse.Namespace) -> int:
    """List what is held: documents with their facts or passages."""
    from groundwire.metrics.holdings import holdings

    with state_of(arguments) as state:
        held = holdings(state)
        problems = state.problems
    if arguments.json:
        tree = [asdict(one) for one in held]
        sys.stdout.write(json.dumps(tree, indent=2, ensure_ascii=False, default=str) + "\n")
        return 0
    rows = [_HEAD, *map(_row, held)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    _print(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    _print(f"not read: {problem}" for problem in problems)
    return 0


def _row(one: Holding) -> tuple[str, ...]:
    day = f"dated {one.dated}" if one.dated else f"imported {one.imported}"
    origin = f"profile, {one.origin.partition('/')[2]}" if one.origin else "import"
    return (one.name, one.kind, f"{one.count:,}", day, one.sensitivity or "-", origin)


def forget(arguments: argparse.Namespace) -> int:
    """Remove the facts and passages of a document."""
    from groundwire.metrics.holdings import forget as remove

    mark = places_of(arguments).mark
    with state_of(arguments) as state:
        gone = remove(state, arguments.name, mark)
    _print([f"{arguments.name}: {gone.facts:,} facts and {gone.passages:,} passages removed"])
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
