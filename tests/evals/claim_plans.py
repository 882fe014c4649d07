"""Whether verify_answer tells true drafts about journey plans from false ones.

The worlds and drafts are data in `claim_plans`: calls over the embedded network, a made-up TfL and
six imported timetables, and what a model may write about their answers in en, de and zh. They
were written from the tools' answers, before the reader of drafts was looked at; half of them are
held out. --show lists failing drafts of the seen half.

Run: python tests/evals/claim_plans.py [--half seen|held_out|towns_seen|towns_held_out|all] [--show]
    [--fraction 0.5] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "journeys")]

from mcp import Client  # noqa: E402
from own_towns import kilbrae, linjiang, port_marrow, waldstaett  # noqa: E402
from own_valley import gamstal  # noqa: E402
from replay import Replay  # noqa: E402
from replay_payloads import OWN, Answer, Recorded, payload  # noqa: E402
from timetable_feeds import Feed, small_city  # noqa: E402

from groundwire.config import Settings  # noqa: E402
from groundwire.journeys.itinerary import LONDON  # noqa: E402
from groundwire.journeys.london import London  # noqa: E402
from groundwire.journeys.region import Region  # noqa: E402
from groundwire.journeys.timetable.city import City  # noqa: E402
from groundwire.journeys.timetable.importing import import_feed  # noqa: E402
from groundwire.servers import journeys  # noqa: E402
from groundwire.servers.composition import compose, state  # noqa: E402
from tests.evals._report import Ratchet, drawn_halves, table  # noqa: E402
from tests.evals.claim_check_worlds import Call, House, World  # noqa: E402
from tests.evals.trust_worlds import itinerary, line_statuses  # noqa: E402

FOLDER = Path(__file__).with_suffix("")
HALVES = ("seen", "held_out", "towns_seen", "towns_held_out", "frames_seen", "frames_held_out")
NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
TOWNS: Mapping[str, tuple[Callable[[], Feed], datetime]] = {
    "lake": (small_city, datetime(2026, 7, 14, 8, 0)),
    "waldstaett": (waldstaett, datetime(2026, 11, 23, 8, 0)),
    "marrow": (port_marrow, datetime(2026, 11, 23, 8, 0)),
    "kilbrae": (kilbrae, datetime(2026, 11, 23, 8, 0)),
    "linjiang": (linjiang, datetime(2026, 11, 23, 8, 0)),
    "gamstal": (gamstal, datetime(2026, 11, 23, 8, 0)),
}
FALSE_PASSED, TRUE_DENIED, TRUE_PASSED = (
    "false_supported",
    "true_contradicted",
    "true_supported_percent",
)


@dataclass(frozen=True, slots=True)
class Told:
    """A world, who answers in it, and what its TfL says."""

    world: World
    over: str
    tfl: Mapping[str, Any] = field(default_factory=dict[str, Any])


class MadeUpTfl(Recorded):
    """TfL that answers every search and every status with what the world in hand says."""

    def __init__(self) -> None:
        super().__init__(OWN, None)
        self.said: Mapping[str, Any] = {}

    def find(self, segments: Sequence[str], query: Mapping[str, str]) -> Answer:
        """Return the answer to a path."""
        lowered = [part.casefold() for part in segments]
        if lowered[:2] == ["journey", "journeyresults"] and "itinerary" in self.said:
            return payload(itinerary(self.said["itinerary"], NOW))
        if lowered[:1] == ["line"] and "status" in lowered and "statuses" in self.said:
            return payload(line_statuses(self.said["statuses"]))
        return super().find(segments, query)


def worlds() -> dict[str, Told]:
    """Read the worlds by name."""
    found: dict[str, Told] = {}
    for one in tomllib.loads((FOLDER / "worlds.toml").read_text("utf-8"))["world"]:
        calls = [Call("journeys", it["tool"], it["arguments"]) for it in one["call"]]
        said = {key: one[key] for key in ("itinerary", "statuses") if key in one}
        found[one["name"]] = Told(World(one["name"], calls), one["over"], said)
    return found


def drafts(half: str) -> list[dict[str, Any]]:
    """Read the drafts of a half.

    Raises:
        ValueError: a false draft does not hold its wrong words, or a true one has some.
    """
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / f"{half}.toml").read_text("utf-8"))[
        "draft"
    ]
    for one in found:
        wrong = one.get("wrong", [])
        if (one["truth"] == "false") != bool(wrong) or not all(it in one["text"] for it in wrong):
            raise ValueError(f"{half}: {one['text']!r} and its wrong words do not fit")
    return found


async def opened(stack: AsyncExitStack, told: Told, folder: Path) -> House:
    """Open the journeys server of a world on a state folder of its own."""
    url = "offline"
    if told.over == "tfl":
        tfl = MadeUpTfl()
        tfl.said = told.tfl
        replay = Replay(recorded=tfl).start()
        stack.callback(replay.close)
        url = replay.url
    settings = Settings(home=folder, tfl_base_url=url)
    region: Region
    tools: journeys.JourneysTools
    if told.over in TOWNS:
        made, at = TOWNS[told.over]
        import_feed(made().write(folder / "feed.zip"), told.over, folder, lambda *_: None)
        region = City(told.over, folder)
        now = at.replace(tzinfo=region.timetable.zone)
        region = City(told.over, folder, now=lambda: now)
        tools = journeys.OtherJourneysTools(region)
    else:
        tools = journeys.JourneysTools(London(journeys.supplies(settings), now=lambda: NOW))
    server = compose("journeys", [tools], settings, title=tools.title, shared=state(settings))
    stack.callback(server.close)
    client = await stack.enter_async_context(Client(server))
    return House({"journeys": client}, {told.world.name: told.world})


async def judged(chosen: Sequence[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the verdict of each draft and the whole check."""
    known = worlds()
    found: list[tuple[str, Mapping[str, Any]]] = []
    async with AsyncExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        houses: dict[str, House] = {}
        for one in chosen:
            name = one["world"]
            if name not in houses:
                (home / name).mkdir()
                houses[name] = await opened(stack, known[name], home / name)
            answer = await houses[name].check(name, one["text"])
            found.append((str(answer["verdict"]), answer))
    return found


def main() -> int:
    options, halves, drawn = drawn_halves(__doc__, HALVES, drafts)
    logging.disable(logging.CRITICAL)
    chosen = [one | {"half": half} for half, one in drawn]
    counts: Counter[tuple[str, str, str]] = Counter()
    for one, (verdict, answer) in zip(chosen, asyncio.run(judged(chosen)), strict=True):
        for group in (one["half"], f"{one['half']}, {one['language']}"):
            counts[group, one["truth"], verdict] += 1
            counts[group, one["truth"], "all"] += 1
        good = (verdict == "supported") == (one["truth"] == "true")
        if options.show and not one["half"].endswith("held_out") and not good:
            print(f"{one['truth']}, {verdict}: {one['class']}: {one['text']}")
            for claim in answer["claims"]:
                print(f"    {claim['status']}: {claim['text']}: {claim.get('detail', '')}")
            print(f"    not judged: {answer.get('not_judged', '')}")
    groups = sorted({group for group, _, _ in counts})
    figures: dict[str, dict[str, float]] = {}
    rows: list[tuple[object, ...]] = []
    for group in groups:
        false, true = counts[group, "false", "all"], counts[group, "true", "all"]
        passed = counts[group, "true", "supported"]
        denied, slipped = (
            counts[group, "true", "contradicted"],
            counts[group, "false", "supported"],
        )
        caught = counts[group, "false", "contradicted"]
        rows.append((group, false, slipped, caught, true, passed, denied))
        figures[group] = {FALSE_PASSED: slipped, TRUE_DENIED: denied}
        if options.fraction >= 1 and true:
            figures[group][TRUE_PASSED] = round(100 * passed / true, 2)
    columns = (
        "half, language", "false", "supported", "contradicted",
        "true", "supported", "contradicted",
    )  # fmt: skip
    print(table(columns, rows))
    if len(halves) < len(HALVES):
        options.fraction = min(options.fraction, 0.999)
    return Ratchet(__file__, lower={FALSE_PASSED, TRUE_DENIED}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
