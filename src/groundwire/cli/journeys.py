"""`groundwire journeys import|feeds|check`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.terminal import labelled_bar
from groundwire.config import load_settings
from groundwire.safe_text import safe_line

if TYPE_CHECKING:
    from groundwire.journeys.timetable.model import FeedInfo

_HEAD = ("NAME", "PUBLISHER", "HOLDS", "STOPS", "LINES", "TRIPS", "CALLS", "MB")


def import_(arguments: argparse.Namespace) -> int:
    """Import a GTFS feed under a name."""
    from groundwire.journeys.timetable.importing import import_feed
    from groundwire.journeys.timetable.model import FeedInfo, imported_feeds

    home = load_settings().home
    known = [one for one, _ in imported_feeds(home) if isinstance(one, FeedInfo)]
    before = next((one for one in known if one.name == arguments.name), None)
    with labelled_bar() as told:
        info = import_feed(Path(arguments.feed), arguments.name, home, told)
    _print(summary(info))
    if before is not None:
        held = f"{before.first_day} to {before.last_day}"
        _print([f"It stands in place of the feed of {safe_line(before.publisher)}, {held}."])
    _print([f"Serve it: GROUNDWIRE_JOURNEYS={info.name} groundwire serve journeys"])
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Say what is wrong with a feed, without keeping it; exit code 1 if anything is."""
    from groundwire.journeys.timetable.importing import check_feed

    with labelled_bar() as told:
        info = check_feed(Path(arguments.feed), told)
    _print(summary(info))
    if not info.problems:
        _print(["Nothing in it is wrong."])
    return 1 if info.problems else 0


def feeds(arguments: argparse.Namespace) -> int:
    """List the imported feeds; exit code 1 if one cannot be used."""
    from groundwire.journeys.timetable.model import FeedInfo, imported_feeds

    found = list(imported_feeds(load_settings().home))
    usable = [(one, size) for one, size in found if isinstance(one, FeedInfo)]
    broken = [str(one) for one, _ in found if not isinstance(one, FeedInfo)]
    if arguments.json:
        tree = [{**one.to_json(), "bytes": size} for one, size in usable]
        sys.stdout.write(json.dumps(tree, indent=2, ensure_ascii=False) + "\n")
    elif usable:
        rows = [_HEAD, *(_row(one, size) for one, size in usable)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        _print(
            [
                "  ".join(
                    cell.ljust(width) for cell, width in zip(row, widths, strict=True)
                ).rstrip()
                for row in rows
            ]
        )
    elif not broken:
        _print(["No feed is imported: groundwire journeys import FEED.zip --name NAME"])
    for line in broken:
        sys.stderr.write(f"{line}\n")
    return 1 if broken else 0


def _row(info: FeedInfo, size: int) -> tuple[str, ...]:
    return (
        info.name,
        safe_line(info.publisher)[:40],
        f"{info.first_day} to {info.last_day}",
        f"{info.stops:,}",
        f"{info.routes:,}",
        f"{info.trips:,}",
        f"{info.stop_times:,}",
        f"{size / 1e6:.2f}",
    )


def summary(info: FeedInfo) -> list[str]:
    """Return what a feed holds, until when, and what is wrong with it, one a line."""
    lines = [
        f"{safe_line(info.publisher)}: {info.stops:,} stops, {info.routes:,} lines, "
        f"{info.trips:,} trips, {info.stop_times:,} calls; times of {info.zone}",
        f"It holds from {info.first_day} to {info.last_day}.",
    ]
    return [*lines, *(f"- {safe_line(one)}" for one in info.problems)]


def _print(lines: list[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
