"""What it costs to read a question, screen it and decide, on the embedded profile.

Run: python tests/benchmarks/questions.py. Exits 1 if a target is missed.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from _table import Measured, report

from groundwire.metrics.gate.screen import SecurityGate
from groundwire.metrics.intent.clarify import clarify
from groundwire.metrics.intent.parser import RuleIntentParser
from groundwire.metrics.names import Names
from groundwire.metrics.profile import load_profile

TODAY = date(2026, 11, 21)
PROFILE = Path(__file__).parents[2] / "profiles" / "metrics.toml"

# No question comes twice, so that no cache answers it.
YEARS = range(1960, 2024)
ANSWERED = [
    "What was the population of the United States in {year}, please?",
    "How much revenue did Hong Kong generate in fiscal year {year}?",
    "revenue and net profit of China and Hong Kong, {year} and 2024",
    "Please tell me the GDP of Papua New Guinea in the year {year}.",
    "请问中国内地和香港地区{year}年、2024年的营业收入和净利润分别是多少，谢谢，我想了解一下具体的数据情况",
    "Why did the online revenue of Mainland China fall in {year}Q3?",
]
ASKED = [
    "What was the revenue per employee of Hong Kong in Q3 {year} ?",
    "What was the revenue of Prudential in Singapore during {year}?",
    "请问中国平安和中国人寿{year}年、2024年的营业收入和净利润分别是多少，谢谢，我想了解一下具体数据",
    "revenue growth of Hong Kong excluding wholesale in FY{year} ??",
]
REFUSED = ["What was the revenue of Lanque Stores in Hong Kong in {year}?"]


def median(call: Callable[[str], object], questions: Sequence[str]) -> float:
    """Median seconds of one call."""
    taken: list[float] = []
    for year in YEARS:
        for question in questions:
            asked = question.format(year=year)
            started = time.perf_counter()
            call(asked)
            taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> int:
    started = time.perf_counter()
    profile = load_profile(PROFILE)
    names = Names(profile)
    written = [name for one in profile.entities for name in (one.code, one.name, *one.aliases)]
    homes = [profile.entity_by_code[one.home].name for one in profile.kinds.values() if one.home]
    gate = SecurityGate(profile.external, homes, written)
    parser = RuleIntentParser(names, gate)

    def whole(question: str) -> object:
        return clarify(parser.parse(question), names, gate, TODAY)

    whole(ANSWERED[0].format(year=1958))
    ready = time.perf_counter() - started
    texts = [one.format(year=1959) for one in (*ANSWERED, *ASKED, *REFUSED)]
    for text in texts:
        whole(text)
    size = statistics.mean(map(len, texts))
    print(
        f"{len(profile.entities)} entities, {len(written)} names, {size:.0f} characters a question"
    )
    return report(
        [
            Measured("gate alone", None, median(gate.screen, [f"{one} " for one in ANSWERED])),
            Measured("question answered", None, median(whole, ANSWERED), seconds=0.001),
            Measured("question asked back", None, median(whole, ASKED), seconds=0.001),
            Measured("question refused", None, median(whole, REFUSED), seconds=0.001),
            Measured("profile to first answer", None, ready),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
