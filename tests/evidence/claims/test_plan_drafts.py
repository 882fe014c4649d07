"""True drafts about plans, lists and cards are supported, and their false twins are not."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.evals.claim_check_worlds import opened

DRAFTS: list[Mapping[str, Mapping[str, list[str]]]] = [
    tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    for name in (
        "plan_drafts",
        "plan_sentences",
        "plan_ranks",
        "plan_knowing",
        "host_sentences",
        "plain_answers",
    )
]
TEXTS = [
    (world, truth, text)
    for drafts in DRAFTS
    for world, own in drafts.items()
    for truth, texts in own.items()
    for text in texts
]


async def misjudged(home: Path) -> list[str]:
    found: list[str] = []
    async with opened(home) as house:
        for world, truth, text in TEXTS:
            answer = await house.check(world, text)
            if (answer["verdict"] == "supported") != (truth == "true"):
                found.append(f"{world}, {truth}: {text}")
    return found


def test_plans_and_lines_are_told_as_they_are_recorded(tmp_path: Path) -> None:
    assert len(TEXTS) > 400
    assert asyncio.run(misjudged(tmp_path)) == []
