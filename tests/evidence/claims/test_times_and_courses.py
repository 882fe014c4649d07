"""Sentences about the times and the course of values: true ones are proven, false ones not."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import opened  # noqa: E402


async def _wrongly_judged(worlds: Sequence[Mapping[str, Any]], home: Path) -> list[str]:
    found: list[str] = []
    async with opened(home) as house:
        for world in worlds:
            for kind in ("proven", "wrong"):
                for text in world[kind]:
                    answer = await house.check(world["name"], text)
                    if (answer["verdict"] == "supported") != (kind == "proven"):
                        found.append(f"{world['name']}: {text}")
    return found


@pytest.mark.parametrize("name", ["held_times", "courses_of_values"])
def test_proven_sentences_are_supported_and_wrong_ones_are_not(name: str, tmp_path: Path) -> None:
    text = Path(__file__).with_name(f"{name}.toml").read_text("utf-8")
    assert asyncio.run(_wrongly_judged(tomllib.loads(text)["world"], tmp_path)) == []
