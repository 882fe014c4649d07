"""Drafts about the catalogue, the knowledge graph and learning are judged as they hold."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import wrongly_judged  # noqa: E402

DRAFTS: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("catalogue_drafts.toml").read_text("utf-8")
)["draft"]


def test_true_drafts_are_supported_and_false_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(wrongly_judged(DRAFTS, tmp_path)) == []


def test_false_drafts_are_told_of_as_many_worlds_as_true_ones() -> None:
    true, false = (
        {one["world"] for one in DRAFTS if one["holds"] is held} for held in (True, False)
    )
    assert len(true - false) <= 1
