"""How often the vocabulary corrects rightly, and that it never corrects wrongly.

Every case is made from the `sh:in` lists of real shapes, so the right outcome is known by
construction. Run: python tests/evals/vocabulary.py [--fraction 0.1] [--seed 7] [--update]

A third of the lists, chosen by their content, is also reported apart ("held out"). The longest
lists are not in it, and the one threshold set by these figures (the length of a coined word) was
set by the figures of all lists.
"""

from __future__ import annotations

import random
import string
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.vocabulary import KnownWords, Policy, Resolution, Term, Vocabulary, fold  # noqa: E402
from groundwire.vocabulary.fold import split_words  # noqa: E402
from groundwire.vocabulary.known_words import is_code  # noqa: E402
from tests.evals._report import Ratchet, arguments  # noqa: E402
from tests.evals.shape_lists import read_lists, read_texts  # noqa: E402
from tests.shared_data import shared_folder  # noqa: E402

SHAPES = [shared_folder("data", "ontology", "envited"), ROOT / "shapes"]
TYPOS_PER_TERM = 2
# Terms of a long list are left out a block at a time, far apart in the list, so that their
# neighbours stay; shorter lists lose one term at a time.
ALONE_UP_TO, BLOCK = 100, 25
# What a case may come to. "applied" names the wrong term; the others are honest.
RIGHT, ASKED, UNKNOWN, WRONG = "right", "asked", "unknown", "wrongly applied"

LEFT_OUT = "left out of its list"
LEFT_OUT_EVERYWHERE = "left out everywhere, no texts"
ONE_EDIT = "one edit, within the rule's reach"
ONE_EDIT_ANYWHERE = "one edit, anywhere"
ONE_EDIT_WORD = "one edit that makes another word"
TWO_EDITS = "two edits in a word of 8 letters"
TWO_WORDS = "one edit in each of two words"
VARIANTS = "case, separators, plural"


class HiddenWords(KnownWords):
    """Known words of the language and of lists, some of them hidden for one case."""

    hidden: frozenset[str] = frozenset()

    def of_texts(self, word: str) -> bool:
        return word not in self.hidden and super().of_texts(word)


@dataclass
class Tally:
    """Outcomes of one class of cases, and whether the truth was among the candidates."""

    outcomes: Counter[str] = field(default_factory=Counter)
    repairable: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, case: str, truth: str | None, resolution: Resolution) -> None:
        if resolution.term is not None:
            outcome = RIGHT if resolution.term.id == truth else WRONG
        else:
            outcome = ASKED if resolution.candidates else UNKNOWN
        self.outcomes[outcome] += 1
        if outcome == WRONG:
            self.wrong.append(f"{case!r} -> {resolution.term.id!r} ({resolution.how})")
        first = resolution.candidates[0].term.id if resolution.candidates else None
        self.repairable += outcome == RIGHT or (truth is not None and first == truth)

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())

    def share(self, outcome: str) -> float:
        return round(100 * self.outcomes[outcome] / self.total, 2) if self.total else 0.0


def edit(word: str, rng: random.Random, first: int = 1) -> str:
    """One random edit of a word, at or after position `first`."""
    at = rng.randrange(first, len(word))
    letter = rng.choice(string.ascii_lowercase)
    kind = rng.choice("dist")
    if kind == "d":
        return word[:at] + word[at + 1 :]
    if kind == "i":
        return word[:at] + letter + word[at:]
    if kind == "s":
        return word[:at] + letter + word[at + 1 :]
    return word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


def variants(label: str) -> Iterator[str]:
    """Spellings that fold like the label."""
    words = split_words(label).written
    yield label.upper()
    yield label.lower()
    yield "_".join(words).lower()
    yield "-".join(words)
    yield " ".join(words).title()
    # Without a separator 1.1 would become 11, which is another name.
    if not any(a[-1].isdigit() and b[0].isdigit() for a, b in pairwise(words)):
        yield words[0].lower() + "".join(word.capitalize() for word in words[1:])
    last = words[-1]
    if last.isascii() and last.isalpha() and len(last) > 3 and last.islower() and last[-1] != "s":
        yield label + ("es" if last.endswith(("x", "sh", "ch")) else "s")


def misspelt(label: str, words: Iterable[tuple[str, str]]) -> str:
    """The label with words replaced where they stand."""
    for word, changed in words:
        label = label.replace(word, changed, 1)
    return label


class Eval:
    """All cases over all lists."""

    def __init__(self, fraction: float, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.fraction = fraction
        self.tallies: dict[tuple[str, bool], Tally] = {}
        folders = [folder for folder in SHAPES if any(folder.rglob("*.ttl"))]
        self.lists = sorted({items for folder in folders for items in read_lists(folder)})
        texts = [text for folder in folders for text in read_texts(folder)]
        everything = [label for items in self.lists for label in items]
        self.known = KnownWords([*texts, *everything])
        self.bare = HiddenWords(everything)
        self.uses = Counter(
            word for label in set(everything) for word in set(split_words(label).plain)
        )

    def tally(self, kind: str, held_out: bool) -> Tally:
        return self.tallies.setdefault((kind, held_out), Tally())

    def sampled(self) -> bool:
        return self.fraction >= 1 or self.rng.random() < self.fraction

    def run(self) -> None:
        for labels in self.lists:
            # From the list itself, so that one more list changes no other's cases.
            name = "\n".join(labels)
            self.rng = random.Random(f"{self.seed}\n{name}")
            held_out = zlib.crc32(name.encode()) % 3 == 0
            self.leave_out(labels, held_out)
            self.misspell(labels, held_out)

    def leave_out(self, labels: tuple[str, ...], held_out: bool) -> None:
        size = 1 if len(labels) <= ALONE_UP_TO else BLOCK
        count = -(-len(labels) // size)
        for block in range(count):
            if not self.sampled():
                continue
            absent = labels[block::count]
            gone = set(absent)
            terms = [Term(label, label) for label in labels if label not in gone]
            loaded, bare = Vocabulary(terms, self.known), Vocabulary(terms, self.bare)
            for label in absent:
                # A term that folds like another is that other one, not an absent one.
                if any(fold(label) == fold(term.label) for term in terms):
                    continue
                resolution = loaded.resolve(label, Policy.WORDWISE)
                self.tally(LEFT_OUT, held_out).count(label, None, resolution)
                words = split_words(label).plain
                self.bare.hidden = frozenset(word for word in words if self.uses[word] == 1)
                resolution = bare.resolve(label, Policy.WORDWISE)
                self.tally(LEFT_OUT_EVERYWHERE, held_out).count(label, None, resolution)
                self.bare.hidden = frozenset()

    def misspell(self, labels: tuple[str, ...], held_out: bool) -> None:
        vocabulary = Vocabulary([Term(label, label) for label in labels], self.known)
        keys = {fold(label) for label in labels}
        alike = Counter(fold(label) for label in labels)
        for label in labels:
            if not self.sampled() or alike[fold(label)] > 1 or not split_words(label).plain:
                continue
            for kind, case in self.cases(label):
                if kind != VARIANTS and fold(case) in keys:
                    continue
                resolution = vocabulary.resolve(case, Policy.WORDWISE)
                self.tally(kind, held_out).count(case, label, resolution)

    def cases(self, label: str) -> Iterator[tuple[str, str]]:
        for case in dict.fromkeys(variants(label)):
            yield VARIANTS, case
        words = split_words(label).written
        fit = [
            index
            for index, word in enumerate(words)
            if len(word) >= 4 and word.isalpha() and word.isascii() and not is_code(word)
        ]
        for _ in range(TYPOS_PER_TERM):
            if len(label) > 1:
                yield ONE_EDIT_ANYWHERE, edit(label, self.rng, 0)
            if not fit:
                continue
            index = self.rng.choice(fit)
            changed = edit(words[index], self.rng)
            if len(changed) >= 4 and changed.lower() != words[index].lower():
                case = misspelt(label, [(words[index], changed)])
                exists = changed.lower() in self.known
                yield ONE_EDIT_WORD if exists else ONE_EDIT, case
            if len(words[index]) >= 10:
                twice = edit(edit(words[index], self.rng), self.rng)
                if twice.lower() not in self.known and twice.lower() != words[index].lower():
                    yield TWO_EDITS, misspelt(label, [(words[index], twice)])
            if len(fit) > 1:
                pairs = [(words[at], edit(words[at], self.rng)) for at in self.rng.sample(fit, 2)]
                if all(
                    len(changed) >= 4
                    and changed.lower() not in self.known
                    and changed.lower() != word.lower()
                    for word, changed in pairs
                ):
                    yield TWO_WORDS, misspelt(label, pairs)


def figures(tallies: dict[str, Tally]) -> dict[str, dict[str, float]]:
    """For each class the shares to hold on to."""
    return {
        kind: {
            "wrongly_applied": tally.outcomes[WRONG],
            "right_percent": tally.share(RIGHT),
            "repaired_by_first_candidate_percent": round(100 * tally.repairable / tally.total, 2),
        }
        for kind, tally in sorted(tallies.items())
    }


def main() -> int:
    options = arguments(__doc__, show=(5, "wrong cases to print per class"))
    if not any(any(folder.rglob("*.ttl")) for folder in SHAPES):
        print("no shapes to evaluate on: neither shared data nor shapes/ has Turtle files")
        return 0
    started = time.perf_counter()
    evaluation = Eval(options.fraction, options.seed)
    evaluation.run()
    merged: dict[str, Tally] = {}
    for (kind, _), tally in evaluation.tallies.items():
        into = merged.setdefault(kind, Tally())
        into.outcomes += tally.outcomes
        into.repairable += tally.repairable
        into.wrong += tally.wrong
    head = (
        f"{'class':36}{'cases':>7}{'right':>9}{'asked':>9}{'unknown':>9}{'wrongly':>9}{'repair':>8}"
    )
    print(head + f"{'held out: right, wrongly':>28}")
    for kind, tally in merged.items():
        held = evaluation.tallies.get((kind, True), Tally())
        print(
            f"{kind:36}{tally.total:7}{tally.share(RIGHT):8.2f}%{tally.share(ASKED):8.2f}%"
            f"{tally.share(UNKNOWN):8.2f}%{tally.outcomes[WRONG]:9}"
            f"{100 * tally.repairable / max(tally.total, 1):7.1f}%"
            f"{held.share(RIGHT):18.2f}%{held.outcomes[WRONG]:9}"
        )
        for line in tally.wrong[: options.show]:
            print("    wrongly:", line)
    print(f"{len(evaluation.lists)} lists, {time.perf_counter() - started:.1f} s")
    found = figures(merged)
    if not SHAPES[0].is_dir():
        # The shares are held for the public lists; without them only one figure means anything.
        wrong = sum(figure["wrongly_applied"] for figure in found.values())
        print(
            f"the public shapes are not there: held is that nothing is wrongly applied ({wrong:g})"
        )
        return 1 if wrong else 0
    return Ratchet(__file__, lower={"wrongly_applied"}).settle(found, options)


if __name__ == "__main__":
    sys.exit(main())
