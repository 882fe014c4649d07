"""What four evals of the ontology share: their options, the servers they ask, their report.

Each asks the real server through an in-memory client. Its cases come in two halves, drawn from
other fields and other seeds; failures of the half that is held out are counted and never printed.
"""

from __future__ import annotations

import argparse
import os
import random
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client

from groundwire.config import Settings
from groundwire.servers import ontology
from groundwire.serving.tools import GroundedTool
from tests.evals._report import Ratchet, arguments, table

HALVES = ("seen", "held_out")
PATIENCE = 600.0
Field = Mapping[str, Any]


def options_of(description: str | None, argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of an eval; its environment names no catalogue and its calls may be slow.

    Raises:
        SystemExit: for an unknown half, and for `--update` of a part of the cases.
    """
    options = arguments(
        description,
        argv,
        half=("both", "seen, held_out or both"),  # type: ignore[arg-type]
        tenth=(-1, "run a tenth of the cases, drawn with this seed"),
        show=(0, "print so many failures of each class, of the seen half alone"),
        only=("", "run these classes alone, separated by semicolons"),  # type: ignore[arg-type]
    )
    if options.half not in (*HALVES, "both"):
        raise SystemExit(f"--half is one of {', '.join(HALVES)} and both")
    if options.tenth >= 0:
        options.fraction, options.seed = 0.1, options.tenth
    if options.update and (options.half != "both" or options.only or options.fraction < 1):
        raise SystemExit("--update writes the figures of a full run of both halves")
    options.data = os.environ.get("GROUNDWIRE_TEST_DATA", "")
    for name in list(os.environ):
        if name.startswith(("GROUNDWIRE_", "AI_", "LLM_")):
            del os.environ[name]
    equipped = GroundedTool.equipped
    GroundedTool.equipped = (  # type: ignore[method-assign]
        lambda tool, sent, delivery, _: equipped(tool, sent, delivery, PATIENCE)
    )
    return options


def halves(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the halves that are run."""
    return HALVES if options.half == "both" else (options.half,)


def fields(half: str) -> list[Field]:
    """Return the fields that worlds of a half are drawn from."""
    text = Path(__file__).with_name("ontology_fields.toml").read_text("utf-8")
    return [field for field in tomllib.loads(text)["field"] if field["half"] == half]


def drawn_worlds(
    options: argparse.Namespace, chance: random.Random, number: int
) -> Iterator[tuple[str, Field, int]]:
    """Yield half, field and number of so many worlds of every field, as far as they are run."""
    for half in halves(options):
        for about in fields(half):
            for at in range(number):
                if chance.random() < options.fraction:
                    yield half, about, at


class Asked:
    """A server of one catalogue, asked as a host asks it."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **sent: Any) -> dict[str, Any]:
        """Return the structured result of a call; an error is told as `{"error": its text}`."""
        result = await self._client.call_tool(tool, sent)
        if result.is_error or result.structured_content is None:
            text = "".join(getattr(part, "text", "") for part in result.content)
            return {"error": text, "status": "error"}
        return result.structured_content

    async def pages(self, tool: str, part: str, **sent: Any) -> list[Any]:
        """Return a list of a result with those of the pages that follow."""
        found: list[Any] = []
        cursor: dict[str, Any] = {}
        while True:
            told = await self.call(tool, **sent, **cursor)
            found += told.get(part, ())
            if "next_cursor" not in told:
                return found
            cursor = {"cursor": told["next_cursor"]}

    async def submit(self, slots: Mapping[str, Any], **rest: Any) -> dict[str, Any]:
        """Return the answer to slots, with at most 100 assets."""
        return await self.call("submit_slots", slots=slots, **{"limit": 100, **rest})

    async def found(self, slots: Mapping[str, Any]) -> set[str]:
        """Return the IRIs of all assets that slots match, over all pages."""
        sent = {"slots": slots, "limit": 100}
        return {one["iri"] for one in await self.pages("submit_slots", "results", **sent)}


@asynccontextmanager
async def served(
    shapes: Sequence[Path], assets: Sequence[Path], home: Path
) -> AsyncIterator[Asked]:
    """Open a server of shapes and assets; it keeps its state in `home`."""
    settings = Settings(
        home=home,
        shapes=tuple(map(str, shapes)),
        assets=tuple(map(str, assets)),
        log_level="error",
    )
    server = ontology.build(settings)
    try:
        async with Client(server) as client:
            yield Asked(client)
    finally:
        await server.aclose()
        server.close()


@asynccontextmanager
async def served_text(folder: Path, shapes: str, assets: str) -> AsyncIterator[Asked]:
    """Write shapes and assets as Turtle into a new folder, and open a server of them."""
    folder.mkdir(parents=True)
    (folder / "shapes.ttl").write_text(shapes, "utf-8")
    (folder / "assets.ttl").write_text(assets, "utf-8")
    async with served([folder / "shapes.ttl"], [folder / "assets.ttl"], folder / "home") as asked:
        yield asked


class Tally:
    """Outcomes by class and half; the first failures of the seen half are printed on request."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.counts: dict[tuple[str, str], Counter[str]] = {}
        self._show = options.show
        self._shown: Counter[str] = Counter()

    def add(self, name: str, half: str, outcome: str, failure: str = "") -> None:
        """Count an outcome of a class; `failure` says what went wrong, in full."""
        self.counts.setdefault((name, half), Counter())[outcome] += 1
        if failure and half == "seen" and self._shown[name] < self._show:
            self._shown[name] += 1
            print(f"{outcome}: {name}\n  {failure[:1800]}\n", flush=True)

    def settle(
        self,
        script: str,
        outcomes: Sequence[str],
        lower: Sequence[str],
        good: Sequence[str],
        options: argparse.Namespace,
        same_cases: bool = True,
    ) -> int:
        """Print the table, and hold the figures against the committed ones.

        Args:
            script: of the eval.
            outcomes: the columns of the table.
            lower: outcomes of which fewer are better; they are held as counts.
            good: outcomes whose share of all is held as a percentage.
            options: of the run.
            same_cases: whether there are as many cases whatever the server answers.
        """
        figures: dict[str, dict[str, float]] = {}
        rows: list[list[object]] = []
        for (name, half), found in sorted(self.counts.items()):
            part = half.replace("_", " ")
            total, percent = _share(found, good)
            rows.append([name, part, total, *(found[one] for one in outcomes), percent])
            figures[f"{name}, {part}"] = {
                "cases": total,
                "good_percent": percent,
                **{one: found[one] for one in lower},
            }
        for half in HALVES:
            whole = sum((c for (_, h), c in self.counts.items() if h == half), Counter[str]())
            if whole:
                total, percent = _share(whole, good)
                part = half.replace("_", " ")
                rows.append(["all", part, total, *(whole[one] for one in outcomes), percent])
        names = [one.replace("_", " ") for one in outcomes]
        print(table(("class", "half", "cases", *names, "good %"), rows))
        if options.fraction < 1 or options.half != "both" or options.only:
            options.fraction = min(options.fraction, 0.999)
            # Of few cases of a class neither their number nor a share says much; failures do.
            for held in figures.values():
                del held["good_percent"]
        if options.fraction < 1 or not same_cases:
            for held in figures.values():
                del held["cases"]
        return Ratchet(script, lower=set(lower)).settle(figures, options)


def _share(found: Counter[str], good: Sequence[str]) -> tuple[int, float]:
    """Return the number of cases, and the percentage of those with a good outcome."""
    total = sum(found.values())
    return total, round(100 * sum(found[one] for one in good) / total, 2)
