"""Sentences that compare recorded values are judged as they hold: only, all, others, the most."""

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
    Path(__file__).with_name("compared_values.toml").read_text("utf-8")
)["draft"]


def test_true_sentences_are_supported_and_false_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(wrongly_judged(DRAFTS, tmp_path)) == []
