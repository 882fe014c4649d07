"""Sentences about the times of which values are held: true ones are proven, false ones not."""

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

WORLDS: list[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("held_times.toml").read_text("utf-8")
)["world"]


async def _wrongly_judged(home: Path) -> list[str]:
    found: list[str] = []
    async with opened(home) as house:
        for world in WORLDS:
            for kind in ("proven", "wrong"):
                for text in world.get(kind, ()):
                    answer = await house.check(world["name"], text)
                    judged = "proven" if answer["verdict"] == "supported" else "wrong"
                    if judged != kind:
                        found.append(f"{world['name']}: {text}")
    return found


def test_proven_sentences_are_supported_and_wrong_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(_wrongly_judged(tmp_path)) == []
