"""Questions in English, German and Chinese: is the answer of the wanted kind, in that language?

Run: python tests/evals/metrics_languages.py [--show 10] [--update]

No sentence of another language may stand in an answer: the pieces of every other catalogue, of two
words or four characters and more, are looked for. Half of the questions are held out.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
from collections import Counter
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire import profiles  # noqa: E402
from groundwire.metrics.ask import Answered, ask  # noqa: E402
from groundwire.metrics.factbase import (  # noqa: E402
    FactBase,
    Places,
    State,
)
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

TODAY = date(2026, 11, 21)
CASES = Path(__file__).with_suffix(".toml")
ENDINGS = {
    "value": "found",
    "assumed": "found",
    "share": "found",
    "growth": "found",
    "premise": "found",
    "missing": "not_found",
    "asked": "asked",
    "refused": "out_of_scope_entity",
    "quoted_none": "empty",
}


def pieces(language: str) -> set[str]:
    """What the sentences of a language say between their gaps."""
    folder = ROOT / "src/groundwire/metrics"
    sentences = tomllib.loads((folder / f"sentences_{language}.toml").read_text("utf-8"))
    found: set[str] = set()
    for sentence in sentences.values():
        for piece in re.split(r"\{\w+\}", sentence):
            words = piece.strip(" .,:;?!()。，：；？！")
            if len(words.split()) > 1 or (language == "zh" and len(words) > 3):
                found.add(words)
    return found


def problem(state: State, language: str, case: dict, others: set[str]) -> str:
    """What is wrong with the answer to a question, or ""."""
    answered: Answered = ask(state, case["q"], TODAY)
    text = answered.text
    if answered.ending != ENDINGS[case["kind"]]:
        return f"{answered.ending}: {text}"
    lacking = [one for one in case["says"] if not _holds(text, one)]
    foreign = [one for one in others if one in text]
    return f"lacks {lacking}, foreign {foreign}: {text}" if lacking or foreign else ""


def _holds(text: str, wanted: str) -> bool:
    return any(one in text for one in wanted.split("|"))


def main() -> int:
    options = arguments(__doc__, show=(0, "how many wrong answers to print"))
    cases = tomllib.loads(CASES.read_text("utf-8"))
    own = {language: pieces(language) for language in ("en", "de", "zh")}
    counts: Counter[tuple[str, str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        places = Places(profiles.metrics_profile(), None, Path(folder))
        facts = FactBase(places, today=lambda: TODAY)
        state = facts.state()
        for group, by_language in cases.items():
            for language, asked in by_language.items():
                others = set().union(*(own[one] for one in own if one != language)) - own[language]
                for case in asked:
                    wrong = problem(state, language, case, others)
                    counts[group, language, "all"] += 1
                    counts[group, language, "wrong" if wrong else "right"] += 1
                    if wrong and group == "seen" and options.show:
                        print(f"{case['q']}\n  {wrong}")
        facts.close()
    keys = sorted({key[:2] for key in counts})
    rows = [
        (f"{language} ({group})", counts[group, language, "all"], counts[group, language, "right"])
        for group, language in keys
    ]
    print(table(("language", "questions", "right"), rows))
    figures = {
        f"{language} ({group})": {"right": counts[group, language, "right"]}
        for group, language in keys
    }
    return Ratchet(__file__, lower=()).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
