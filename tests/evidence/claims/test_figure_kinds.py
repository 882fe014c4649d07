"""A figure is held to what its text tells it as: a value, change, sum, part, rate or day."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import opened  # noqa: E402

WORLDS = tomllib.loads(Path(__file__).with_name("kinds_of_figures.toml").read_text("utf-8"))
TEXTS = [
    (world, truth, text)
    for world, own in WORLDS.items()
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


def test_a_figure_is_of_the_kind_that_its_text_tells(tmp_path: Path) -> None:
    assert asyncio.run(misjudged(tmp_path)) == []
