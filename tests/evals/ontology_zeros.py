"""A zero must be earned: searches that find nothing where shapes and data disagree.

    python -m tests.evals.ontology_zeros
    python -m tests.evals.ontology_zeros --half seen --show 2 --only deeper

Small catalogues are drawn whose shapes and data disagree (`ontology_disagreements.py`), and each is
asked for what it holds, for what it does not hold, and for what lacks a value. The generator knows
what should be found. A false zero that is told with confidence high is the worst outcome; one that
is told with less and names the place where the values stand is good.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.ontology_asking import (  # noqa: E402
    Tally,
    drawn_worlds,
    options_of,
    served_text,
)
from tests.evals.ontology_disagreements import ABSENT_CODES, OF_ZEROS, WAYS, Held, World  # noqa: E402

WORLDS_A_FIELD = 21
ASKED_A_WORLD = 40
AGREE = ("declared", "subclass without shape", "codes")
GOOD = ("right", "found", "honest_zero_high", "false_zero_where", "asked")
OUTCOMES = (
    "right", "found", "honest_zero_high", "honest_zero_lower", "false_zero_high",
    "false_zero_where", "false_zero_vague", "incomplete_high", "incomplete_lower", "wrong_high",
    "wrong_lower", "asked", "refused", "error",
)  # fmt: skip
LOWER = (
    "false_zero_high", "false_zero_vague", "incomplete_high", "wrong_high", "honest_zero_lower",
    "refused", "error",
)  # fmt: skip


@dataclass
class Case:
    """A search and what it should find.

    Attributes:
        name: of the class that it is counted by.
        slots: that are sent.
        right: assets that meet what was asked, wherever their values stand.
        places: words of which an answer has one when it says where the values stand.
        empty_elsewhere: whether nothing of the kind meets it, but what holds it must be told.
        meant: a value or a key that a question may offer instead of an answer.
        foreign: assets of a kind of the same name in another namespace; what lacks a value may be
            told without them.
    """

    name: str
    slots: dict[str, Any]
    right: set[str] = field(default_factory=set)
    places: tuple[str, ...] = ()
    empty_elsewhere: bool = False
    meant: tuple[str, ...] = ()
    foreign: set[str] = field(default_factory=set)


class Drawing:
    """Draws the searches of one world."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self.world = world
        self.rng = rng

    def cases(self, count: int) -> Iterator[Case]:
        """Return so many searches; most ask for what is held where nobody declared it."""
        for _ in range(count * 8):
            if count <= 0:
                return
            held = self.rng.choice([one for one in self.world.held if one.values or one.stored])
            if held.way in AGREE and self.rng.random() < 0.6:
                continue
            made = self._honest() if self.rng.random() < 0.25 else self._of(held)
            if made is not None:
                made.meant = (held.name, *held.places, *held.values.values())
                count -= 1
                yield made

    def _of(self, held: Held) -> Case | None:
        """A search by a property that disagrees: by its value, bounds, presence or absence."""
        forms = [self._value, self._value, self._exists, self._negated, self._both, self._joined]
        if held.sort in ("number", "date"):
            forms += [self._range, self._range]
        if held.sort in ("word", "name"):
            forms += [self._contains, self._any, self._typed_wrong]
        return self.rng.choice(forms)(held)

    def _case(
        self, held: Held, condition: Mapping[str, Any], right: set[str], name: str = "", **more: Any
    ) -> Case:
        kind = self.rng.choice(held.kinds)
        iris = {self.world.iri(asset) for asset in right if kind in self._kinds_of(asset)}
        slots = {"domains": [kind], **condition, **more}
        return Case(
            name or held.way, slots, iris, held.places, held.way == "another kind" and not right
        )

    def _kinds_of(self, asset: str) -> set[str]:
        kinds = set(self.world.types.get(asset, [self.world.other]))
        return kinds | ({self.world.main} if self.world.sub in kinds else set())

    def _some_value(self, held: Held) -> str:
        return self.rng.choice(sorted((held.values or held.stored).values()))

    def _with(self, held: Held, *values: str) -> set[str]:
        return {asset for asset, value in held.values.items() if value in values}

    def _value(self, held: Held) -> Case:
        value = self._some_value(held)
        sent: Any = value
        if held.way.endswith("units") and self.rng.random() < 0.5:
            sent = f"{value} {held.unit}"
        return self._case(held, {"filters": {held.name: sent}}, self._with(held, value))

    def _contains(self, held: Held) -> Case | None:
        value = self._some_value(held)
        start = self.rng.randrange(0, max(1, len(value) - 4))
        text = value[start : start + self.rng.randrange(4, 9)].strip()
        if len(text) < 3 or held.way.endswith("variant of an enumerated value"):
            return None
        right = {a for a, v in held.values.items() if text.casefold() in v.casefold()}
        return self._case(held, {"filters": {held.name: {"contains": text}}}, right)

    def _any(self, held: Held) -> Case:
        values = sorted(set((held.values or held.stored).values()))
        both = self.rng.sample(values, min(2, len(values)))
        return self._case(held, {"filters": {held.name: both}}, self._with(held, *both))

    def _exists(self, held: Held) -> Case:
        return self._case(held, {"filters": {held.name: {"exists": True}}}, set(held.values))

    def _negated(self, held: Held) -> Case:
        """What lacks a property or a value; an asset that has it elsewhere does not lack it."""
        every = {*self.world.types, *self.world.others}
        if self.rng.random() < 0.5 or held.sort in ("number", "date"):
            right = every - set(held.values)
            condition: Any = {"exists": False}
        else:
            value = self._some_value(held)
            right = every - self._with(held, value)
            condition = {"none_of": [value]}
        case = self._case(held, {"filters": {held.name: condition}}, right, f"lacking, {held.way}")
        case.empty_elsewhere = False
        case.foreign = {self.world.iri(asset) for asset in self.world.foreign}
        return case

    def _range(self, held: Held) -> Case:
        value = self._some_value(held)
        if held.sort == "number":
            low, high = int(value) - self.rng.randrange(9), int(value) + self.rng.randrange(9)
            right = {a for a, v in held.values.items() if low <= int(v) <= high}
            bounds: dict[str, Any] = {"min": low, "max": high}
            if held.way.endswith("units") and held.unit == "m" and self.rng.random() < 0.5:
                bounds = {"min": f"{low * 100} cm", "max": f"{high * 100} cm"}
        else:
            right = {a for a, v in held.values.items() if v >= value}
            bounds = {"min": value}
        return self._case(held, {"ranges": {held.name: bounds}}, right)

    def _both(self, held: Held) -> Case | None:
        """Two conditions that one asset meets."""
        others = [one for one in self.world.held if one is not held and one.values]
        if not others or not held.values:
            return None
        other = self.rng.choice(others)
        met = sorted(set(held.values) & set(other.values))
        if not met or set(held.kinds) & set(other.kinds) == set():
            return None
        asset = self.rng.choice(met)
        one, two = held.values[asset], other.values[asset]
        right = self._with(held, one) & self._with(other, two)
        name = other.way if held.way in AGREE else held.way
        case = self._case(held, {"filters": {held.name: one, other.name: two}}, right, name)
        case.places += other.places
        return case

    def _joined(self, held: Held) -> Case:
        """The property as a condition of a reference."""
        value = self._some_value(held)
        inner = {"domain": self.world.main, "filters": {held.name: value}}
        right = {
            self.world.iri(third)
            for third, asset in self.world.links.items()
            if asset in self._with(held, value)
        }
        slots = {"domains": [self.world.third], "references": [inner]}
        return Case(f"joined, {held.way}", slots, right, held.places, held.way == "another kind")

    def _typed_wrong(self, held: Held) -> Case | None:
        """A typing mistake in the value, or in the name of the property."""
        value = self._some_value(held)
        word, key = value, held.name
        if self.rng.random() < 0.5:
            word = self._mistyped(value)
        else:
            key = self._mistyped(held.name)
        if word == value and key == held.name:
            return None
        case = self._case(held, {"filters": {key: word}}, self._with(held, value), "typos")
        case.empty_elsewhere = held.way == "another kind"
        return case

    def _mistyped(self, text: str) -> str:
        at = self.rng.randrange(1, max(2, len(text) - 1))
        if not text.isascii() or len(text) < 6 or not text[at : at + 2].isalpha():
            return text
        kind = self.rng.randrange(3)
        swapped = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
        return (text[:at] + text[at + 1 :], text[:at] + text[at] + text[at:], swapped)[kind]

    def _honest(self) -> Case | None:
        """What nothing holds, of properties that are stored as they are declared."""
        agreeing = [one for one in self.world.held if one.way in AGREE and one.values]
        if not agreeing:
            return None
        held = self.rng.choice(agreeing)
        if held.way == "codes":
            sent: dict[str, Any] = {"filters": {held.name: self.rng.choice(ABSENT_CODES)}}
            return self._case(held, sent, set(), "honest: code that is not stored")
        if held.sort == "number":
            bounds = self.rng.choice(({"gt": 5000}, {"max": 1}, {"min": 900, "max": 950}))
            return self._case(held, {"ranges": {held.name: bounds}}, set(), "honest: bounds")
        if held.sort == "date":
            bounds = self.rng.choice(({"gt": "2031-01-01"}, {"lt": "1990-05-01"}))
            return self._case(held, {"ranges": {held.name: bounds}}, set(), "honest: bounds")
        return self._never_together(agreeing)

    def _never_together(self, agreeing: list[Held]) -> Case | None:
        """Two values that are both stored, and no asset has both."""
        pairs = [
            (one, two, value, other)
            for one in agreeing
            for two in agreeing
            if one.name < two.name
            for value in sorted(set(one.values.values()))
            for other in sorted(set(two.values.values()))
            if not self._with(one, value) & self._with(two, other)
            and self.world.main in one.kinds
            and self.world.main in two.kinds
        ]
        if not pairs:
            return None
        one, two, value, other = self.rng.choice(pairs)
        slots = {"domains": [self.world.main], "filters": {one.name: value, two.name: other}}
        return Case("honest: two conditions never met together", slots)


def judge(case: Case, told: Mapping[str, Any]) -> str:
    """Return the outcome of a search."""
    status, high = told.get("status"), told.get("confidence") == "high"
    if status == "error":
        return "error"
    if status == "rejected":
        offered = str([gap.get("suggestions", ()) for gap in told["gaps"]]).casefold()
        return "asked" if any(one.casefold() in offered for one in case.meant) else "refused"
    found = {one["iri"] for one in told["results"]}
    if status == "results":
        if case.name.startswith("lacking") and found in (case.right, case.right - case.foreign):
            return "right"
        if found == case.right:
            return "found"
        how = "incomplete" if found < case.right else "wrong"
        return f"{how}_high" if high else f"{how}_lower"
    if not case.right and not case.empty_elsewhere:
        if not case.name.startswith("honest") and not high:
            return "right"
        return "honest_zero_high" if high else "honest_zero_lower"
    if high:
        return "false_zero_high"
    return "false_zero_where" if _names_place(case, told) else "false_zero_vague"


def _names_place(case: Case, told: Mapping[str, Any]) -> bool:
    """Whether an answer has a word of a place that its request did not have."""
    parts = ("answer", "corrections", "gaps", "explanation_of_empty")
    said = json.dumps([told.get(part) for part in parts], ensure_ascii=False).casefold()
    sent = json.dumps(case.slots, ensure_ascii=False).casefold()
    return any(
        said.count(place.casefold()) > (place.casefold() in sent) for place in case.places if place
    )


async def run_all(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Ask every world of every field its searches."""
    chance = random.Random(f"zeros {options.seed}")
    only = set(filter(None, options.only.split(";")))
    for half, about, number in drawn_worlds(options, chance, WORLDS_A_FIELD):
        await _world(about, number, half, tally, folder, only)


async def _world(
    about: Mapping[str, Any], number: int, half: str, tally: Tally, folder: Path, only: set[str]
) -> None:
    rng = random.Random(f"zeros {about['name']} {number}")
    disagreeing = [way for way in (*WAYS, *OF_ZEROS) if way not in AGREE]
    ways = [disagreeing[(number * 5 + n) % len(disagreeing)] for n in range(5)]
    world = World(about, rng, ["declared", "declared", "codes", *ways])
    made = folder / f"{about['name']} {number}"
    async with served_text(made, world.shapes, world.turtle) as asked:
        for case in Drawing(world, rng).cases(ASKED_A_WORLD):
            if only and case.name not in only:
                continue
            told = await asked.submit(case.slots)
            how = judge(case, told)
            failure = ""
            if how not in GOOD:
                failure = f"{case.slots}\n  should find {sorted(case.right)}\n  {_said(told)}"
            tally.add(case.name, half, how, failure)


def _said(told: Mapping[str, Any]) -> str:
    found = [one["iri"] for one in told.get("results", ())]
    return f"{told.get('confidence')}: {told.get('answer') or told.get('error')}\n  found {found}"


def main() -> int:
    """Run the eval; return its exit code."""
    options = options_of(__doc__)
    tally = Tally(options)
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(run_all(options, tally, Path(temporary)))
    return tally.settle(__file__, OUTCOMES, LOWER, GOOD, options)


if __name__ == "__main__":
    sys.exit(main())
