"""What narrows, denies, orders or compares binds figures and names, and each has its own place."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path

from tests.evals.claim_check_worlds import opened

FILES = (
    "narrowed_drafts.toml",
    "swapped_drafts.toml",
    "bound_drafts.toml",
    "kinds_of_figures.toml",
    "things_in_their_place.toml",
)
TEXTS = [
    (world, truth, text)
    for name in FILES
    for world, own in tomllib.loads(Path(__file__).with_name(name).read_text("utf-8")).items()
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
