"""Drafts of values and of learning are judged: each true one is supported, no false twin is."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import wrongly_judged  # noqa: E402

DRAFTS = tomllib.loads(Path(__file__).with_name("values_and_learning.toml").read_text("utf-8"))[
    "draft"
]


def test_true_drafts_are_supported_and_false_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(wrongly_judged(DRAFTS, tmp_path)) == []


def test_every_subject_has_true_and_false_drafts() -> None:
    told = Counter((one["about"], one["holds"]) for one in DRAFTS)
    assert {(about, holds) for about, _ in told for holds in (True, False)} == {*told}
