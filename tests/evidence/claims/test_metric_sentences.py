"""Sentences about metrics: what the records prove is supported, what differs in a fact is not."""

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
    for name in ("metric_sentences.toml", "metric_reports.toml")
    for world in tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["world"]
]


async def _wrongly_judged(home: Path) -> list[str]:
    async with opened(home) as house:
        return [
            f"{world['name']}: {text}"
            for world in WORLDS
            for kind in ("proven", "wrong")
            for text in world.get(kind, ())
            if ((await house.check(world["name"], text))["verdict"] == "supported")
            != (kind == "proven")
        ]


def test_proven_sentences_are_supported_and_wrong_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(_wrongly_judged(tmp_path)) == []


def test_no_sentence_is_of_two_kinds() -> None:
    for world in WORLDS:
        texts = [text for kind in ("proven", "wrong", "open") for text in world.get(kind, ())]
        assert len(texts) == len(set(texts))
