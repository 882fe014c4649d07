"""Drafts about figures are judged in the worlds of the claim check: each false one is refused."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import wrongly_judged  # noqa: E402


def _drafts(name: str) -> list[Mapping[str, Any]]:
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["draft"]


DRAFTS = _drafts("figures_of_worlds.toml")
SENTENCES = _drafts("sets_of_worlds.toml")
VALUES = _drafts("values_of_worlds.toml")


def test_true_figures_are_supported_and_false_ones_are_not(tmp_path: Path) -> None:
    assert asyncio.run(wrongly_judged([*DRAFTS, *SENTENCES, *VALUES], tmp_path)) == []


def test_every_kind_of_figure_has_true_and_false_drafts() -> None:
    kinds = {one["about"] for one in DRAFTS if one["holds"]}
    assert len(kinds) == 13
    assert {one["about"] for one in DRAFTS if not one["holds"]} >= kinds
