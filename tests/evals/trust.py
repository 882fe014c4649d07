"""Wrong answers that were told as right, class by class: each must now be right, asked or refused.

    python tests/evals/trust.py                          all cases
    python tests/evals/trust.py --half seen              those that may be looked at
    python tests/evals/trust.py --show shares            failing cases of a class, seen half

The cases are data in `trust_cases`, one file for each class and half; `trust_judging.py` has the
rules that they are judged by. They were written before the code that must pass them. The half that
is held out measures whether a class was mended or only its examples: do not read it to mend code.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from decimal import Decimal, InvalidOperation
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests" / "journeys"))

from mcp import Client  # noqa: E402
from replay import Replay  # noqa: E402
from replay_payloads import OWN, Answer, Recorded, payload  # noqa: E402

from groundwire.config import Settings  # noqa: E402
from groundwire.servers import agents, journeys, metrics, ontology, sparql  # noqa: E402
from groundwire.serving.tools import GroundedTool  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.ontology_host import repaired  # noqa: E402
from tests.evals.trust_judging import OUTCOMES, Told, judge, value_at  # noqa: E402
from tests.evals.trust_worlds import (  # noqa: E402
    itinerary,
    line_statuses,
    open_world,
    run_command,
)

CASES = Path(__file__).parent / "trust_cases"
HALVES = ("seen", "held_out")
CLASSES = ("shares", "zeros", "widening", "workflow", "journeys", "premises", "units")
SERVERS = {
    "agents": agents, "journeys": journeys, "metrics": metrics, "ontology": ontology,
    "sparql": sparql,
}  # fmt: skip
PATIENCE = 600.0
_OF_TFL = "tfl"

Case = Mapping[str, Any]


class Hosts:
    """In-memory clients of the real servers, one for each server and world, opened when asked for.

    Attributes:
        tfl: the made-up TfL that the world of that name asks.
    """

    def __init__(self, stack: AsyncExitStack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder
        self._specs = tomllib.loads((CASES / "worlds" / "worlds.toml").read_text("utf-8"))
        self._settings: dict[str, Settings] = {}
        self._clients: dict[tuple[str, str], Client] = {}
        self.tfl = MadeUpTfl()
        self._replay: Replay | None = None

    def settings(self, world: str) -> Settings:
        """Settings of a world, which is written when it is first asked for."""
        if world not in self._settings:
            url = "offline"
            if world.startswith(_OF_TFL):
                if self._replay is None:
                    self._replay = Replay(recorded=self.tfl).start()
                    self._stack.callback(self._replay.close)
                url = self._replay.url
            made = open_world(world, self._specs.get(world, {}), self._folder, url)
            self._settings[world] = made
        return self._settings[world]

    async def client(self, server: str, world: str) -> Client:
        """The client of a server in a world."""
        if (server, world) not in self._clients:
            built = SERVERS[server].build(self.settings(world))
            self._stack.callback(built.close)
            self._stack.push_async_callback(built.aclose)
            self._clients[server, world] = await self._stack.enter_async_context(Client(built))
        return self._clients[server, world]

    async def call(self, server: str, world: str, tool: str, sent: Mapping[str, Any]) -> Told:
        """One call of a tool; a run that goes on is waited for."""
        client = await self.client(server, world)
        result = await client.call_tool(tool, dict(sent))
        while not result.is_error and (result.structured_content or {}).get("status") == "running":
            run = {"run_id": (result.structured_content or {})["run_id"]}
            again = "get_agent_result" if server == "agents" else tool
            await asyncio.sleep(0.2)
            result = await client.call_tool(again, run)
        if result.is_error:
            return Told({"error": result.content[0].text}, failed=True)
        return Told(result.structured_content or {})


class MadeUpTfl(Recorded):
    """TfL that answers every search for a journey with the itinerary of the case in hand."""

    def __init__(self) -> None:
        super().__init__(OWN, None)
        self.case: Case = {}

    def find(self, segments: Sequence[str], query: Mapping[str, str]) -> Answer:
        """What TfL answers to a path."""
        lowered = [part.casefold() for part in segments]
        if lowered[:2] == ["journey", "journeyresults"] and "itinerary" in self.case:
            return payload(itinerary(self.case["itinerary"]))
        if lowered[:1] == ["line"] and "status" in lowered and "statuses" in self.case:
            return payload(line_statuses(self.case["statuses"]))
        return super().find(segments, query)


# The cases.


def load(name: str, half: str) -> Iterator[Case]:
    """The cases of a class and half; a case with `rows` is a template of as many."""
    text = (CASES / f"{name}.{half}.toml").read_text("utf-8")
    for case in tomllib.loads(text)["case"]:
        for number, row in enumerate(case.get("rows", [{}])):
            made = {key: _filled(value, row) for key, value in case.items() if key != "rows"}
            made["half"] = half
            if row:
                made["id"] = f"{made['id']}-{number + 1}"
            yield made


def _filled(value: Any, row: Mapping[str, Any]) -> Any:
    """A value with the words of a row in place of `{word}`; a `{word}` alone keeps its type."""
    if isinstance(value, str):
        if value.startswith("{") and value.endswith("}") and value[1:-1] in row:
            return row[value[1:-1]]
        for word, put in row.items():
            value = value.replace("{" + word + "}", str(put))
        return value
    if isinstance(value, Mapping):
        return {_filled(key, row): _filled(inner, row) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, row) for inner in value]
    return value


# Running them.


async def run(case: Case, hosts: Hosts, folder: Path) -> tuple[str, Told]:
    """The outcome of a case, and what was told."""
    if "figures" in case:
        return await _drafted(case, folder)
    world = case.get("world", "default")
    if world == _OF_TFL:
        # A server of its own: answers of TfL are kept for a while.
        world = f"{_OF_TFL}-{case['id']}-{case['half']}"
    hosts.tfl.case = case
    home = hosts.settings(world).home
    before = _written(home)
    steps = case.get("steps") or [case]
    told = Told({})
    known: dict[str, Any] = {}
    arrivals: list[str] = []
    for step in steps:
        sent = {key: _known(value, known) for key, value in step["arguments"].items()}
        told = await hosts.call(step.get("server", case["server"]), world, step["tool"], sent)
        found = told.data.get("journey_id") or value_at(told.data, "result.journey_id")
        known["journey_id"] = found or known.get("journey_id")
        known["run_id"] = told.data.get("run_id")
        for place in ("journeys.0.plans", "result.journeys.0.plans"):
            plans = value_at(told.data, place) or []
            arrivals = arrivals or [re.sub(r"[-:]|\+.*", "", one["arrival"]) for one in plans]
    told.arrivals = arrivals
    told.extra = "\n".join(_words(path) for path in sorted(_written(home) - before))
    if case.get("follow"):
        await _follow(case, told, hosts)
    return judge(case, told), told


def _known(value: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith("$"):
        return known.get(value[1:], value)
    if isinstance(value, Mapping):
        return {key: _known(inner, known) for key, inner in value.items()}
    return value


def _written(home: Path) -> set[Path]:
    """Calendars and maps of a state folder."""
    return {path for path in home.rglob("*") if path.suffix in (".ics", ".svg")}


def _words(path: Path) -> str:
    """What a person reads in a calendar or a map."""
    text = path.read_bytes().decode("utf-8")
    if path.suffix == ".svg":
        return re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    return text.replace("\r\n ", "").replace("\r\n", "\n").replace("\\,", ",")


async def _follow(case: Case, told: Told, hosts: Hosts) -> None:
    """Send each suggestion of each gap as it stands, and keep how many assets it matches."""
    for gap in told.data.get("gaps", ()):
        for choice in range(len(gap.get("suggestions", ()))):
            one = SimpleNamespace(
                term=gap.get("term", ""), slot=gap.get("slot", ""), detail=gap.get("detail", ""),
                reason=gap.get("reason", ""), suggestions=gap["suggestions"],
            )  # fmt: skip
            slots = repaired(dict(case["arguments"]["slots"]), [one], choice)  # type: ignore[list-item]
            again = await hosts.call("ontology", case["world"], "submit_slots", {"slots": slots})
            if not again.failed and again.data.get("status") in ("results", "empty"):
                told.followed.append(int(again.data.get("total", 0)))


async def _drafted(case: Case, folder: Path) -> tuple[str, Told]:
    """Draft a profile for a file, import it, and ask for its figures, as a user would.

    Each figure says how it may be told, `is = [[value, unit], ...]`. A figure that is not found, or
    has no unit where the file gives one, is a fair refusal; any other value or unit is wrong.
    """
    work = Path(tempfile.mkdtemp(dir=folder))
    file = work / case.get("file", "data.csv")
    file.write_bytes(case["csv"].encode(case.get("encoding", "utf-8")))
    made = work / "drafted"
    said = [run_command("metrics", "init", str(file), "-o", str(made), must_end_well=False)]
    profile, facts = made / "profile.toml", work / "facts.sqlite"
    if profile.is_file():
        said.append(
            run_command(
                "metrics", "import", str(file), "--mapping", str(made / "mapping.toml"),
                "--profile", str(profile), "--facts", str(facts), must_end_well=False,
            )
        )  # fmt: skip
    told = Told({"said": [text for _, text in said], "figures": []})
    if any(code for code, _ in said) or not profile.is_file():
        return ("fair" if case.get("fair", True) else "over_refused"), told
    settings = Settings(home=work / "home", profile=profile, facts=facts, log_level="error")
    server = metrics.build(settings)
    try:
        async with Client(server) as client:
            for figure in case["figures"]:
                asked = {key: figure[key] for key in ("metric", "entity", "period")}
                result = await client.call_tool("query_metric", asked)
                told.data["figures"].append((figure, result.structured_content or {}))
    finally:
        await server.aclose()
        server.close()
    outcomes = [_figure(figure, answer) for figure, answer in told.data["figures"]]
    if "wrong" in outcomes:
        return "wrong", told
    if all(one == "right" for one in outcomes):
        return "right", told
    return ("fair" if case.get("fair", True) else "over_refused"), told


def _figure(figure: Case, answer: Mapping[str, Any]) -> str:
    if answer.get("status") != "found":
        return "fair"
    unit = str(answer.get("unit") or "").strip()
    values = [(_decimal(value), name) for value, name in figure["is"]]
    said = _decimal(answer.get("value_text"))
    if (said, unit.casefold()) in [(value, name.casefold()) for value, name in values]:
        return "right"
    if not unit and said in [value for value, _ in values]:
        return "fair"
    return "wrong"


def _decimal(text: object) -> Decimal | None:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


# The report.


async def run_all(
    chosen: Mapping[tuple[str, str], Sequence[Case]], show: str, folder: Path
) -> dict[tuple[str, str], Counter[str]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    async with AsyncExitStack() as stack:
        hosts = Hosts(stack, folder)
        for (name, half), cases in chosen.items():
            counts[name, half] = Counter()
            for case in cases:
                outcome, told = await run(case, hosts, folder)
                counts[name, half][outcome] += 1
                if show == name and outcome in ("wrong", "over_refused"):
                    print(
                        f"{outcome}: {half}: {case['id']}\n  {_sent(case)}\n  {told.whole[:1500]}"
                    )
    return counts


def _sent(case: Case) -> str:
    return str(case.get("arguments") or case.get("steps") or case.get("csv"))[:600]


def choose(options: argparse.Namespace) -> dict[tuple[str, str], list[Case]]:
    """The cases to run, a share of each class and half."""
    chance = random.Random(options.seed)
    halves = HALVES if options.half == "both" else (options.half,)
    chosen: dict[tuple[str, str], list[Case]] = {}
    for name in CLASSES if options.only == "" else options.only.split(","):
        for half in halves:
            cases = list(load(name, half))
            wanted = max(1, round(len(cases) * options.fraction))
            chosen[name, half] = chance.sample(cases, wanted) if wanted < len(cases) else cases
    return chosen


def main() -> int:
    options = arguments(
        __doc__,
        half=("", "seen, held_out or both (default: both, or with --show seen)"),  # type: ignore[arg-type]
        show=("", f"print the failing cases of a class: {', '.join(CLASSES)}"),  # type: ignore[arg-type]
        only=("", "run these classes alone, separated by commas"),  # type: ignore[arg-type]
    )
    options.half = options.half or ("seen" if options.show else "both")
    options.only = options.only or options.show
    if options.half not in (*HALVES, "both"):
        raise SystemExit(f"--half is one of {', '.join(HALVES)} and both")
    for name in list(os.environ):
        if name.startswith(("GROUNDWIRE_", "TFL_", "AI_", "LLM_")):
            del os.environ[name]
    equipped = GroundedTool.equipped
    GroundedTool.equipped = (  # type: ignore[method-assign]
        lambda tool, sent, delivery, _: equipped(tool, sent, delivery, PATIENCE)
    )
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["GROUNDWIRE_HOME"] = str(Path(temporary) / "command line")
        counts = asyncio.run(run_all(choose(options), options.show, Path(temporary)))
    rows: list[Sequence[object]] = []
    figures: dict[str, dict[str, float]] = {}
    whole = options.fraction >= 1
    for (name, half), found in counts.items():
        total = sum(found.values())
        rows.append((name, half.replace("_", " "), total, *(found[one] for one in OUTCOMES)))
        figures[f"{name} {half}"] = {
            "wrong": found["wrong"], "over_refused": found["over_refused"],
            **({"right_percent": round(100 * found["right"] / total, 1)} if whole else {}),
        }  # fmt: skip
    print(table(("class", "half", "cases", *(one.replace("_", " ") for one in OUTCOMES)), rows))
    if options.half != "both" or options.only:
        options.fraction = min(options.fraction, 0.999)
        if options.update:
            raise SystemExit("--update writes the figures of a full run of both halves")
    return Ratchet(__file__, lower={"wrong", "over_refused"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
