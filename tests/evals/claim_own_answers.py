"""Whether drafts of the tools' own sentences pass as they stand, and digits of no fact never do.

Made of the `answer` of every call of every world: each alone, all of a world in any order, joined
by spaces or lines, bulleted and numbered. All of them must be supported. The other way: every digit
of a locator, an id, a limit or another argument told as a count or as a value ("There are 111
people"); none of them may be. Run:
python tests/evals/claim_own_answers.py [--half seen|held_out|all] [--show] [--only "CLASS"]
    [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals._report import Figures  # noqa: E402
from tests.evals.claim_check import Outcome  # noqa: E402
from tests.evals.claim_check_drafts import Draft  # noqa: E402
from tests.evals.claim_check_worlds import Answered, House, World, worlds_of_templates  # noqa: E402
from tests.evals.claim_runs import figures_of, run  # noqa: E402
from tests.evals.claim_templates import SEED  # noqa: E402

ORDERS = 4
MOST_CELLS = 12
JOINTS = {"joined by spaces": " ", "joined by lines": "\n", "paragraphs": "\n\n"}
# Fields of an answer whose digits say where a fact stands, not what it is.
LOCATORS = ("locator",)
HASHES = ("doc_hash", "sha256")
IDS = ("evidence_id", "evidence_seal", "journey_id", "run_id")
MOST_OF_A_HASH = 3
# Ids are drawn at random, so that their drafts differ from run to run: only whether none of them
# was supported is held.
RANDOM = "digit of an id"
NONE_SUPPORTED = "none_supported"
# Sentences that tell a digit as a count or a value; the first, third, ... are seen.
TELLING = {
    "en": (
        "There are {number} people.",
        "The value is {number}.",
        "{number} assets were found.",
        "It takes {number} minutes.",
    ),
    "de": ("Es sind {number} Menschen.", "Gefunden wurden {number} Einträge."),
    "zh": ("共有{number}人。", "结果为{number}。"),
}
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def own_sentences(world: str, answered: Answered, half: str, rng: random.Random) -> Iterator[Draft]:
    """Make drafts of the answers of a world: each alone, and all together in several forms."""
    answers = [str(one["answer"]) for one in _recorded(answered)]
    cells = [str(cell["answer"]) for one in answered.results for cell in one.get("cells", ())]
    whole = list(dict.fromkeys([*answers, *cells[:MOST_CELLS]]))
    told: set[str] = set()

    def draft(text: str, kind: str, at: int) -> Iterator[Draft]:
        if text not in told:
            told.add(text)
            which = half if kind == "alone" else ("seen", "held_out")[at % 2]
            yield Draft(world, text, "true", kind, (), "en", which)

    for one in whole:
        yield from draft(one, "alone", 0)
    for at in range(ORDERS):
        parts = rng.sample(whole, k=len(whole))
        for kind, joint in JOINTS.items():
            yield from draft(joint.join(parts), kind, at)
        yield from draft("\n".join(f"- {one}" for one in parts), "bulleted", at)
        numbered = "\n".join(f"{number}. {one}" for number, one in enumerate(parts, 1))
        yield from draft(numbered, "numbered", at)


def _recorded(answered: Answered) -> list[Mapping[str, Any]]:
    """Return the answers that have a record: what was not recorded cannot be checked."""
    known = set(answered.evidence_ids)
    return [
        one
        for one in answered.results
        if known & {one.get("evidence_id"), *one.get("evidence_ids", ())}
    ]


def digits(world: World, answered: Answered) -> Iterator[Draft]:
    """Tell every digit of a locator, id or argument that is no value or count of an answer."""
    facts = set(_numbers_of_facts(answered.results))
    numbers = {
        "digit of a locator": _found(answered.results, LOCATORS, None),
        "digit of a hash": _found(answered.results, HASHES, MOST_OF_A_HASH),
        RANDOM: _found(answered.results, IDS, 1),
        "digit of an argument": {
            number
            for call in world.calls
            for text in _leaves(call.arguments)
            for number in _DIGITS.findall(text)
        },
    }
    for kind, found in numbers.items():
        for number in sorted(found - facts, key=lambda one: (len(one), one)):
            if len(number) > 8 or (number.startswith("0") and "." not in number):
                continue
            for language, wordings in TELLING.items():
                for at, wording in enumerate(wordings):
                    half = "held_out" if at % 2 else "seen"
                    text = wording.format(number=number)
                    yield Draft(world.name, text, "false", kind, (), language, half)


def _found(
    results: Sequence[Mapping[str, Any]], names: Sequence[str], most: int | None
) -> set[str]:
    """Return the numbers in the fields of these names; of each field the first few."""
    texts = [text for result in results for text in _texts(result, names)]
    return {number for text in texts for number in _DIGITS.findall(text)[:most]}


def _numbers_of_facts(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the numbers of what is stated, and how many members each list has."""
    places = (*LOCATORS, *HASHES, *IDS, "answer", "audit", "audits", "sparql")
    for result in results:
        stated = _without(result, places)
        yield from (str(length) for length in _lengths(stated))
        for text in _leaves(stated):
            yield from _DIGITS.findall(text)
            yield from _DIGITS.findall(text.replace(",", ""))


def _lengths(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        yield len(value)
    for one in value.values() if isinstance(value, Mapping) else value:
        if isinstance(one, Mapping | list):
            yield from _lengths(one)


def _without(value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(one, names) for key, one in value.items() if key not in names}
    if isinstance(value, list):
        return [_without(one, names) for one in value]
    return value


def _texts(value: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield the text of every field of these names."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            if key in names and isinstance(one, str):
                yield one
            else:
                yield from _texts(one, names)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, names)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(one)
    elif not isinstance(value, bool):
        yield str(value)


async def drafts_of(house: House) -> list[Draft]:
    """Make the drafts of all worlds."""
    rng = random.Random(SEED)
    found: list[Draft] = []
    for at, (name, world) in enumerate(worlds_of_templates().items()):
        answered = await house.answered(name)
        half = "held_out" if at % 2 else "seen"
        found += own_sentences(name, answered, half, rng)
        found += digits(world, answered)
    return list(dict.fromkeys(found))


def held(outcomes: Sequence[Outcome], is_sample: bool) -> Figures:
    """Return the figures to hold: of random ids only whether any draft passed."""
    lasting = [one for one in outcomes if one.draft.kind != RANDOM]
    figures = figures_of(lasting, sampled=is_sample)
    drawn = [one.verdict for one in outcomes if one.draft.kind == RANDOM]
    if drawn:
        figures[f"false: {RANDOM}"] = {NONE_SUPPORTED: float("supported" not in drawn)}
    return figures


def main() -> int:
    return run(__file__, __doc__, drafts_of, held=held)


if __name__ == "__main__":
    sys.exit(main())
