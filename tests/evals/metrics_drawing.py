"""Draws of facts, names and periods from a world."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from groundwire.metrics.profile import TOTAL
from tests.evals import metrics_templates as templates
from tests.evals.metrics_spelling import is_chinese, is_traditional, period_names
from tests.evals.metrics_truth import Key, Version
from tests.evals.metrics_worlds import World


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and whether its template is held out."""

    text: str
    held_out: bool


@dataclass(frozen=True)
class Draw:
    """Chooses, the same for one seed.

    Attributes:
        world: what is drawn from.
        rng: chooses.
        fraction: share of the cases that will be asked.
    """

    world: World
    rng: random.Random
    fraction: float = 1.0
    _pools: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)

    def key(self, channel: bool | None = None, chinese: bool = False) -> Key:
        """A fact that people can ask for: a metric, then a series of it, then a period."""
        pools = self._pool(channel)
        while True:
            metric = self.rng.choice(sorted(pools))
            series = self.rng.choice(pools[metric])
            key = self.rng.choice(self.world.truth.by_series[series])
            if series[1] in self.world.profile.entity_by_code and period_names(
                self.world.profile, key, chinese
            ):
                return key

    def _pool(self, channel: bool | None) -> dict[str, list[tuple[str, str, str]]]:
        pools: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for series in self.world.truth.series:
            if channel is None or (series[2] != TOTAL) is channel:
                pools[series[0]].append(series)
        return pools

    def truth(self, key: Key) -> Version:
        """The version that answers for a fact that is there."""
        answer = self.world.truth.answer(key)
        assert answer is not None
        return answer

    def period(self, key: Key, chinese: bool = False) -> str:
        return self.rng.choice(period_names(self.world.profile, key, chinese))

    def metric_names(self, code: str) -> list[str]:
        one = self.world.profile.metric_by_code[code]
        return [one.label, *one.aliases]

    def entity_names(self, code: str) -> list[str]:
        one = self.world.profile.entity_by_code[code]
        return [one.name, *one.aliases]

    def channel_names(self, code: str) -> list[str]:
        one = self.world.profile.channel_by_code[code]
        return [one.label, *one.aliases]

    def english(self, names: list[str]) -> str:
        """One of the names that are not Chinese."""
        return self.rng.choice([name for name in names if not is_chinese(name)] or names)

    def chinese(self, names: list[str]) -> str:
        """One of the Chinese names in simplified characters."""
        plain = [name for name in names if is_chinese(name) and not is_traditional(name)]
        return self.rng.choice(plain or names)

    def traditional(self, names: list[str]) -> str | None:
        """One of the names in traditional characters, else a Chinese one that has no other."""
        found = [name for name in names if is_traditional(name)]
        found = found or [name for name in names if is_chinese(name)]
        return self.rng.choice(found) if found else None

    def either(self, english: Sequence[str], chinese: Sequence[str]) -> str:
        """One of the English or, where the world has Chinese names, of the Chinese words."""
        return self.rng.choice(
            chinese if self.world.chinese and self.rng.random() < 0.4 else english
        )

    def question(self, key: Key, chinese: bool, **words: str) -> Asked:
        """A question for a fact, in names that people use; `words` stand for some of them."""
        pick = self.chinese if chinese else self.english
        words.setdefault("m", pick(self.metric_names(key.metric)))
        words.setdefault("e", pick(self.entity_names(key.entity)))
        words.setdefault("p", self.period(key, chinese))
        if key.channel != TOTAL and "c" not in words:
            words["c"] = pick(self.channel_names(key.channel))
        return self.asked(chinese, **words)

    def asked(self, chinese: bool, **words: str) -> Asked:
        """A template of a language with all words filled in."""
        if "c" in words:
            pool = templates.CHINESE_CHANNEL if chinese else templates.ENGLISH_CHANNEL
        else:
            pool = templates.CHINESE if chinese else templates.ENGLISH
        template = self.rng.choice(pool)
        return Asked(templates.filled(template, **words), templates.is_held_out(template))
