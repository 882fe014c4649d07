"""Knowledge tracing: what it forecasts, finds and cannot know."""

from __future__ import annotations

import math
import random
from itertools import pairwise, product

import pytest

from groundwire.learning.knowing.answers import (
    Parameters,
    fit,
    forecasts,
    known,
    known_interval,
)

TRUTH = Parameters(0.3, 0.15, 0.2, 0.1)


def drawn(chance: random.Random, parameters: Parameters, length: int) -> list[bool]:
    knows, found = chance.random() < parameters.prior, []
    for _ in range(length):
        right = 1 - parameters.slip if knows else parameters.guess
        found.append(chance.random() < right)
        knows = knows or chance.random() < parameters.learn
    return found


def by_enumeration(parameters: Parameters, answers: list[bool]) -> tuple[float, float]:
    """Likelihood, and probability of being known after the answers, over every hidden path."""
    total = knowing = 0.0
    for path in product((False, True), repeat=len(answers) + 1):
        weight = parameters.prior if path[0] else 1 - parameters.prior
        for before, after in pairwise(path):
            moves = 1.0 if before and after else 0.0 if before else (
                parameters.learn if after else 1 - parameters.learn
            )  # fmt: skip
            weight *= moves
        for knows, right in zip(path, answers, strict=False):
            p = 1 - parameters.slip if knows else parameters.guess
            weight *= p if right else 1 - p
        total += weight
        knowing += weight * path[-1]
    return total, knowing / total


@pytest.mark.parametrize("length", [1, 2, 5, 8])
def test_it_is_the_sum_over_every_hidden_path(length: int) -> None:
    chance = random.Random(length)
    answers = drawn(chance, TRUTH, length)
    total, knowing = by_enumeration(TRUTH, answers)
    said = math.prod(
        p if right else 1 - p for p, right in zip(forecasts(TRUTH, answers), answers, strict=True)
    )
    assert said == pytest.approx(total, rel=1e-12)
    assert known(TRUTH, answers) == pytest.approx(knowing, rel=1e-12)


def test_a_fit_finds_what_the_answers_were_drawn_from() -> None:
    chance = random.Random(3)
    found = fit([drawn(chance, TRUTH, 10) for _ in range(3_000)])
    assert found.answers == 30_000
    for name in ("prior", "learn", "guess", "slip"):
        assert getattr(found.parameters, name) == pytest.approx(getattr(TRUTH, name), abs=0.04)


def test_every_round_makes_the_answers_more_likely() -> None:
    from collections import Counter

    from groundwire.learning.knowing import answers

    chance = random.Random(9)
    counted = Counter(tuple(drawn(chance, TRUTH, 6)) for _ in range(200))
    now, likelihoods = Parameters(0.5, 0.3, 0.3, 0.2), []
    for _ in range(40):
        likelihood, now = answers._round(counted, now)
        likelihoods.append(likelihood)
    assert likelihoods == sorted(likelihoods)


@pytest.mark.parametrize("right", [True, False])
def test_answers_of_one_kind_break_nothing(right: bool) -> None:
    found = fit([[right] * 5, [right] * 500])
    assert 0 < found.parameters.guess <= 0.5 and 0 < found.parameters.slip <= 0.5
    assert 0 < known(found.parameters, [right] * 2_000) < 1 or right


def test_an_interval_narrows_with_answers_and_holds_the_truth() -> None:
    held = 0
    widths = []
    for seed in range(20):
        chance = random.Random(seed)
        log = [drawn(chance, TRUTH, 8) for _ in range(40)]
        answers = drawn(chance, TRUTH, 8)
        low, high = known_interval(log, answers, fit(log).parameters)
        assert 0 <= low <= high <= 1
        held += low <= known(TRUTH, answers) <= high
        few_low, few_high = known_interval(log[:3], answers, fit(log[:3]).parameters)
        widths.append((few_high - few_low, high - low))
    assert held >= 18
    assert sum(few for few, _ in widths) > sum(many for _, many in widths)
