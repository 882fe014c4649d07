"""Scores equal what their definitions say, computed in exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from groundwire.learning.knowing.calibration import Pair, auc, bins, brier, ece, wilson


def drawn(seed: int, n: int) -> list[Pair]:
    chance = random.Random(seed)
    said = [round(chance.random(), chance.choice((1, 2, 15))) for _ in range(n)]
    return [(one, chance.random() < one * 0.8 + 0.1) for one in said]


def naive(pairs: list[Pair]) -> dict[str, Fraction]:
    exact = [(Fraction(said), Fraction(int(came))) for said, came in pairs]
    n = len(exact)
    rate = sum(came for _, came in exact) / n
    held: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for (said, came), (raw, _) in zip(exact, pairs, strict=True):
        held.setdefault(min(int(raw * 10), 9), []).append((said, came))
    means = [
        (len(some), sum(s for s, _ in some) / len(some), sum(c for _, c in some) / len(some))
        for some in held.values()
    ]
    return {
        "score": sum((said - came) ** 2 for said, came in exact) / n,
        "reliability": sum(k * (s - c) ** 2 for k, s, c in means) / n,
        "resolution": sum(k * (c - rate) ** 2 for k, s, c in means) / n,
        "uncertainty": rate * (1 - rate),
        "ece": sum(k * abs(s - c) for k, s, c in means) / n,
    }


@pytest.mark.parametrize("seed", range(8))
def test_parts_equal_their_definitions(seed: int) -> None:
    pairs = drawn(seed, 30 + seed * 60)
    expected, found = naive(pairs), brier(pairs)
    for name in ("score", "reliability", "resolution", "uncertainty"):
        assert abs(getattr(found, name) - float(expected[name])) < 1e-12
    assert abs(ece(pairs) - float(expected["ece"])) < 1e-12
    parts = found.reliability - found.resolution + found.uncertainty + found.within
    assert abs(parts - found.score) < 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_auc_is_the_share_of_pairs_in_order(seed: int) -> None:
    pairs = drawn(seed, 120)
    came = [said for said, one in pairs if one]
    failed = [said for said, one in pairs if not one]
    wins = sum((a > b) + Fraction(a == b) / 2 for a in came for b in failed)
    found = auc(pairs)
    assert found is not None and abs(found - float(wins / (len(came) * len(failed)))) < 1e-12


def test_where_all_came_there_is_no_auc() -> None:
    assert auc([(0.4, True), (0.9, True)]) is None


def test_the_last_bin_holds_certainty() -> None:
    (low, high) = bins([(1.0, True), (0.0, False)])
    assert (low.low, high.high) == (0.0, 1.0)


def test_wilson_is_as_published() -> None:
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for came, n, low, high in (
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
    ):  # fmt: skip
        assert wilson(came, n) == pytest.approx((low, high), abs=5e-5)
