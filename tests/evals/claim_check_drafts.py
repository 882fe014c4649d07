"""The drafts of the claim check: what a model may write to its user, and whether it is true.

A file `claim_check/LANGUAGE.HALF.toml` (en, de, zh; seen, held_out, and those two of a second,
a third and later rounds up to a twenty-first, each by another hand, the twelfth of false drafts
alone, `structures` of lists, tables, labels and answers, `everyday` of the shortest replies, with
`second_` to `fourth_everyday`, and `frames_…` of plain facts in frames: values,
catalogues, learning and documents, surroundings, plans) is a list of

    [[draft]]
    world = "germany_population"   # what was asked before, see worlds*.toml
    class = "qualified metric"     # what is wrong with it, or what kind of prose it is
    truth = "false"                # true, false, or open: no record can judge it
    wrong = ["urban"]              # the wrong words, of false drafts
    why = "no urban figure"        # where told: why it is false
    text = "The urban population of Germany was 83.2 million in 2020."
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.evals.claim_check_worlds import FOLDER

Truth = Literal["true", "false", "open"]
FIRST_ROUND = ("seen", "held_out")
LATER_ROUNDS = (
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty_first",
    "twenty_second",
    "structures",
    "everyday",
    "second_everyday",
    "third_everyday",
    "fourth_everyday",
    "frames_of_learning",
    "frames_of_surroundings",
    "frames_of_values",
    "frames_of_catalogues",
    "frames_of_plans",
)
HALVES = (*FIRST_ROUND, *(f"{it}_{half}" for it in LATER_ROUNDS for half in FIRST_ROUND))
LANGUAGES = ("en", "de", "zh")
_TRUTHS = ("true", "false", "open")


@dataclass(frozen=True, slots=True)
class Draft:
    """A text about a world.

    Attributes:
        world: name of the world.
        text: what the model wrote.
        truth: whether the records of the world entail it.
        kind: the class of drafts that it belongs to.
        wrong: the words that make it false.
        language: en, de or zh.
        half: seen, or held out; of the first or a later round.
    """

    world: str
    text: str
    truth: Truth
    kind: str
    wrong: Sequence[str]
    language: str
    half: str


def drafts(
    known: Collection[str],
    halves: Sequence[str] = HALVES,
    languages: Sequence[str] = LANGUAGES,
    folder: Path = FOLDER,
) -> list[Draft]:
    """Read the drafts of some halves and languages.

    Args:
        known: names of the worlds that there are.
        halves: which halves to read.
        languages: which languages to read.
        folder: where the files are.

    Raises:
        ValueError: a draft names no world, or a false one does not hold its wrong words.
    """
    found: list[Draft] = []
    for half in halves:
        for language in languages:
            path = folder / f"{language}.{half}.toml"
            if path.is_file():
                found += _of_file(path, language, half, known)
    return found


def _of_file(path: Path, language: str, half: str, known: Collection[str]) -> list[Draft]:
    found: list[Draft] = []
    texts: set[tuple[str, str]] = set()
    for one in tomllib.loads(path.read_text("utf-8")).get("draft", ()):
        draft = Draft(
            one["world"],
            one["text"].strip("\n"),
            one["truth"],
            one["class"],
            tuple(one.get("wrong", ())),
            language,
            half,
        )
        told = f"{path.name}: {draft.text!r}"
        if draft.world not in known:
            raise ValueError(f"{told} is about {draft.world}, which is no world")
        if draft.truth not in _TRUTHS or (draft.world, draft.text) in texts:
            raise ValueError(f"{told} stands twice, or is neither true, false nor open")
        if (draft.truth == "false") != bool(draft.wrong):
            raise ValueError(f"{told}: exactly the false drafts have wrong words")
        if not all(words in draft.text for words in draft.wrong):
            raise ValueError(f"{told} does not hold its wrong words")
        texts.add((draft.world, draft.text))
        found.append(draft)
    return found
