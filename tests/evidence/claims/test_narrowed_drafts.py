"""Words that narrow, deny, order or compare bind the figures and names that are told with them."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path

from tests.evals.claim_check_worlds import opened

DRAFTS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("narrowed_drafts.toml").read_text("utf-8")
)
TEXTS = [
    (world, truth, text)
    for world, own in DRAFTS.items()
    for truth, texts in own.items()
    for text in texts
]


async def misjudged(home: Path) -> list[str]:
    async with opened(home) as house:
        answers = await house.check_all([(world, text) for world, _, text in TEXTS])
    return [
        f"{world}, {truth}: {text}"
        for (world, truth, text), answer in zip(TEXTS, answers, strict=True)
        if (answer["verdict"] == "supported") != (truth == "true")
    ]


def test_what_is_narrowed_is_held_against_its_own_set(tmp_path: Path) -> None:
    assert asyncio.run(misjudged(tmp_path)) == []
