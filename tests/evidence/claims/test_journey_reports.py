"""True sentences about trips, lines and learning are supported, and their false twins are not."""

from __future__ import annotations

import asyncio
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from tests.evals import claim_plans
from tests.evals.claim_check_worlds import Call, House, opened

Reports = Mapping[str, Mapping[str, list[str]]]


def _reports(name: str) -> Reports:
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


REPORTS = _reports("journey_reports.toml")


async def misjudged(home: Path, reports: Reports) -> list[str]:
    found: list[str] = []
    planned = claim_plans.worlds()
    async with opened(home) as house, AsyncExitStack() as stack:
        for world, own in reports.items():
            here: House = house
            if world in planned:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                here = await claim_plans.opened(stack, planned[world], folder)
            for truth, texts in own.items():
                for text in texts:
                    answer = await here.check(world, text)
                    if (answer["verdict"] == "supported") != (truth == "true"):
                        found.append(f"{world}, {truth}: {text}")
    return found


def test_reports_are_supported_where_they_hold(tmp_path: Path) -> None:
    assert len(REPORTS) > 30
    assert asyncio.run(misjudged(tmp_path, REPORTS)) == []


def test_times_of_legs_and_plans_are_not_exchanged(tmp_path: Path) -> None:
    assert asyncio.run(misjudged(tmp_path, _reports("leg_reports.toml"))) == []


def test_boards_days_and_steps_are_told_as_rows_have_them(tmp_path: Path) -> None:
    assert asyncio.run(misjudged(tmp_path, _reports("valley_reports.toml"))) == []


def test_reports_of_own_towns_are_supported_where_they_hold(tmp_path: Path) -> None:
    wrong = asyncio.run(misjudged(tmp_path, _reports("own_town_reports.toml")))
    assert wrong == []


def test_the_order_of_a_plan_is_read_beside_an_order_of_values(tmp_path: Path) -> None:
    draft = (
        "Take the Elizabeth line from Paddington to Canary Wharf, walk to Heron Quays, then take "
        "the DLR to Cutty Sark and walk to the Royal Observatory Greenwich."
    )

    async def verdict() -> str:
        async with opened(tmp_path) as house:
            ranked = await house.answered("most_people_2010")
            plan = await house.answered("paddington_to_observatory")
            ids = [*plan.evidence_ids, *ranked.evidence_ids]
            sent = {"draft": draft, "evidence_ids": ids}
            return (await house.call(Call(plan.server, "verify_answer", sent)))["verdict"]

    assert asyncio.run(verdict()) == "supported"
