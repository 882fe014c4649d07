"""True drafts about plans, stops and lines are supported, and their false twins are not."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.evals.claim_check_worlds import opened

DRAFTS: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("plan_drafts.toml").read_text("utf-8")
)


async def misjudged(home: Path) -> list[str]:
    found: list[str] = []
    async with opened(home) as house:
        for world, drafts in DRAFTS.items():
            for truth, texts in drafts.items():
                for text in texts:
                    answer = await house.check(world, text)
                    if (answer["verdict"] == "supported") != (truth == "true"):
                        found.append(f"{world}, {truth}: {text}")
    return found


def test_plans_and_lines_are_told_as_they_are_recorded(tmp_path: Path) -> None:
    assert sum(len(texts) for drafts in DRAFTS.values() for texts in drafts.values()) > 200
    assert asyncio.run(misjudged(tmp_path)) == []
