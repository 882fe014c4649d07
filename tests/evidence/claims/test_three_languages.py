"""Sentences that say the same in English, German and Chinese: what is proven, and what is wrong."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import opened  # noqa: E402

WORLDS: list[Mapping[str, Any]] = [
    world
    for name in ("shared_places.toml", "pointed_things.toml", "words_for_orders.toml")
    for world in tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["world"]
]


async def _wrongly_judged(home: Path) -> list[str]:
    drafts = [
        (world["name"], text, kind == "proven")
        for world in WORLDS
        for kind in ("proven", "wrong")
        for text in world.get(kind, ())
    ]
    async with opened(home) as house:
        answers = await house.check_all([(name, text) for name, text, _ in drafts])
    return [
        f"{name}: {text}"
        for (name, text, proven), answer in zip(drafts, answers, strict=True)
        if (answer["verdict"] == "supported") != proven
    ]


def test_proven_sentences_are_supported_and_wrong_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(_wrongly_judged(tmp_path)) == []
