"""Suggestions mean what they say: each is accepted as it stands, and is no wider than was asked.

    python -m tests.evals.ontology_suggestions
    python -m tests.evals.ontology_suggestions --half seen --show 2

Wrong requests are drawn: typing mistakes, unknown names, units that do not fit, kinds that are not
there, several conditions, references. Every suggestion of every gap, every correction and every
nearest value of an explained zero is sent in place of what was refused or read otherwise, and
nothing else is changed. It must be accepted in this one step, keep every other condition, and find
no asset that the most generous right reading of the request leaves out.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.ontology_asking import (  # noqa: E402
    Asked,
    Field,
    Tally,
    fields,
    halves,
    options_of,
    served_text,
)
from tests.evals.ontology_disagreements import Held, World  # noqa: E402
from tests.evals.ontology_host import repaired  # noqa: E402

WORLDS_A_FIELD = 9
ASKED_A_WORLD = 30
OUTCOMES = (
    "kept", "refused_again", "condition_lost", "unit_lost", "wider", "no_place", "error",
    "nothing_offered", "answered",
)  # fmt: skip
FAULTS = ("refused_again", "condition_lost", "unit_lost", "wider", "no_place", "error")
_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Zµ°%/]+)$")
# Factors to the unit that properties are described in; a unit of no property fits none.
FACTORS = {"km": ("m", 1000), "cm": ("m", 0.01), "m": ("m", 1), "t": ("kg", 1000),
           "kg": ("kg", 1), "g": ("kg", 0.001)}  # fmt: skip

Holds = Callable[[str], bool]


@dataclass
class Wrong:
    """A wrong request.

    Attributes:
        name: of the class.
        arguments: of `submit_slots`.
        right: names of the properties of conditions that were meant as they stand, each with what
            is true of an asset that meets it.
        loose: true of every asset that the most generous reading of the wrong part admits, given
            the texts that a suggestion put in its place.
        kind: that assets must be of, if the request names one rightly; what is connected with such
            an asset is admitted too where it names none.
    """

    name: str
    arguments: dict[str, Any]
    right: list[tuple[str, Holds]] = field(default_factory=list)
    loose: Callable[[str, list[str]], bool] = lambda asset, texts: True
    kind: str = ""


class Drawing:
    """Draws the wrong requests of one world."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self.world = world
        self.rng = rng
        self._facts: dict[str, dict[str, str]] = {}
        self._forms: dict[str, set[str]] = {}
        for held in world.held:
            for asset, value in held.values.items():
                self._facts.setdefault(asset, {})[held.name] = value
                self._forms.setdefault(asset, set()).update(
                    form.casefold() for form in world.forms(held, asset)
                )
        self._units = {held.name: held.unit for held in world.held}

    def holds_text(self, asset: str, texts: list[str]) -> bool:
        """Whether an asset holds one of some texts, under any name."""
        held = self._forms.get(asset, set())
        wanted = {text.casefold() for text in texts}
        return bool(held & wanted) or any(
            text in value for text in wanted for value in held if len(text) > 3
        )

    def cases(self, count: int) -> Iterator[Wrong]:
        """Return so many wrong requests."""
        makers = [
            self._value_typo, self._value_typo, self._key_typo, self._unknown_key,
            self._unknown_value, self._value_of_another, self._wrong_kind,
            self._key_of_another_kind,
            self._wrong_unit, self._wrong_unit, self._bound_as_text, self._two_values,
            self._no_number, self._no_flag, self._in_reference, self._in_reference, self._sort,
            self._empty, self._empty, self._two_wrong,
        ]  # fmt: skip
        for _ in range(count * 5):
            if count <= 0:
                return
            made = self.rng.choice(makers)()
            if made is not None:
                count -= 1
                yield made

    # Parts of a request.

    def _pick(self, *sorts: str) -> Held | None:
        fitting = [
            one for one in self.world.held if one.values and (not sorts or one.sort in sorts)
        ]
        return self.rng.choice(fitting) if fitting else None

    def _value(self, held: Held) -> str:
        return self.rng.choice(sorted(held.values.values()))

    def _mistyped(self, text: str) -> str:
        letters = [n for n in range(1, len(text) - 1) if text[n : n + 2].isalpha()]
        if not letters or not text.isascii():
            return text + "x"
        at = self.rng.choice(letters)
        kind = self.rng.randrange(3)
        swapped = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
        return (text[:at] + text[at + 1 :], text[:at] + text[at] + text[at:], swapped)[kind]

    def _whole(
        self, name: str, condition: Mapping[str, Mapping[str, Any]], *used: str, **more: Any
    ) -> Wrong:
        """A request with a wrong condition and, often, one or two right ones."""
        slots: dict[str, Any] = {"domains": [self.world.main]}
        right: list[tuple[str, Holds]] = []
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            other = self._pick("word", "number", "date", "name")
            if other is None or other.name in used:
                continue
            used = (*used, other.name)
            right.append((other.name, self._add(slots, other)))
        for part, held in condition.items():
            slots.setdefault(part, {}).update(held)
        return Wrong(name, {"slots": slots}, right, kind=self.world.main, **more)

    def _add(self, slots: dict[str, Any], held: Held) -> Holds:
        """Add a right condition, and return what it demands of an asset."""
        value = self._value(held)
        if held.sort in ("number", "date") and self.rng.random() < 0.7:
            slots.setdefault("ranges", {})[held.name] = {"min": value}
            return lambda asset: self._at_least(asset, held, value)
        if held.sort == "word" and self.rng.random() < 0.3:
            slots.setdefault("filters", {})[held.name] = {"none_of": [value]}
            return lambda asset: self._facts.get(asset, {}).get(held.name) != value
        slots.setdefault("filters", {})[held.name] = value
        return lambda asset: self._facts.get(asset, {}).get(held.name) == value

    def _at_least(self, asset: str, held: Held, value: str) -> bool:
        found = self._facts.get(asset, {}).get(held.name)
        if found is None:
            return False
        return int(found) >= int(value) if held.sort == "number" else found >= value

    def _meant(self, key: str) -> str:
        """The name that a mistyped one comes from."""
        return max(
            (held.name for held in self.world.held),
            key=lambda name: SequenceMatcher(None, name, key).ratio(),
        )

    # The mistakes.

    def _value_typo(self) -> Wrong | None:
        held = self._pick("word", "name")
        if held is None:
            return None
        word, known = self._mistyped(self._value(held)), self._value(held)
        sent: Any = self.rng.choice((word, word, [word], {"any_of": [word, known]}))
        also = [known] if isinstance(sent, dict) else []
        return self._whole(
            "typo in a value", {"filters": {held.name: sent}}, held.name, loose=self._one_of(also)
        )

    def _one_of(self, also: list[str]) -> Callable[[str, list[str]], bool]:
        """Demand a text that a suggestion put in, or one of those that were sent beside it."""
        return lambda asset, texts: self.holds_text(asset, [*texts, *also])

    def _key_typo(self) -> Wrong | None:
        held = self._pick("word", "number", "date", "name")
        if held is None:
            return None
        value = self._value(held)
        sent = {"filters": {self._mistyped(held.name): value}}
        return self._whole("typo in a name", sent, held.name, loose=self._as_sent(value))

    def _as_sent(self, value: str) -> Callable[[str, list[str]], bool]:
        return lambda asset, texts: self.holds_text(asset, [value])

    def _unknown_key(self) -> Wrong | None:
        held = self._pick("word", "number")
        if held is None:
            return None
        value = self._value(held)
        sent = {"filters": {self.rng.choice(("flurbish", "zorbLevel", "quxness")): value}}
        return self._whole("unknown name", sent, held.name, loose=self._as_sent(value))

    def _unknown_value(self) -> Wrong | None:
        held = self._pick("word")
        if held is None:
            return None
        word = self.rng.choice(("purple unicorn", "zzyzx", "Blechtrommel", "紫色独角兽"))
        operator = self.rng.choice(("", "any_of", "none_of", "all_of"))
        also = [self._value(held)] if operator else []
        condition: Any = {operator: [word, *also]} if operator else word
        loose = self._one_of(also) if operator != "none_of" else (lambda asset, texts: True)
        return self._whole(
            "unknown value", {"filters": {held.name: condition}}, held.name, loose=loose
        )

    def _value_of_another(self) -> Wrong | None:
        one, two = self._pick("word", "number", "date", "flag"), self._pick("word")
        if one is None or two is None or one is two:
            return None
        value = self._value(two)
        sent = {"filters": {one.name: value}}
        loose = self._one_of([value])
        return self._whole("value of another property", sent, one.name, two.name, loose=loose)

    def _wrong_kind(self) -> Wrong | None:
        held = self._pick("word")
        if held is None:
            return None
        value = self._value(held)
        made = self._whole("wrong kind", {"filters": {held.name: value}}, held.name)
        made.right.append(
            (held.name, lambda asset: self._facts.get(asset, {}).get(held.name) == value)
        )
        wrong = self.rng.choice(
            (self._mistyped(self.world.main), "Zeppelin", self.world.main + " things", "飞艇")
        )
        made.arguments["slots"]["domains"] = [wrong]
        made.kind = ""
        return made

    def _key_of_another_kind(self) -> Wrong | None:
        held = self._pick("word", "number")
        if held is None:
            return None
        value = self._value(held)
        kind = self.rng.choice((self.world.other, self.world.third))
        slots = {"domains": [kind], "filters": {held.name: value}}
        # One may mean the kind that has it, or what is connected with one that has it.
        linked = {
            third for third, asset in self.world.links.items() if self.holds_text(asset, [value])
        }
        return Wrong(
            "name of another kind",
            {"slots": slots},
            loose=lambda asset, texts: asset in linked or self.holds_text(asset, [value]),
        )

    def _wrong_unit(self) -> Wrong | None:
        held = self._pick("number")
        if held is None:
            return None
        unit = self.rng.choice(
            ("MB", "litres", "km/h", "°C", "km", "kg", "years", "EUR", "cm", "g")
        )
        figure = self.rng.randrange(1, 50)
        side = self.rng.choice(("min", "gt", "max", "lt"))
        sent: Any = {"ranges": {held.name: {side: f"{figure} {unit}"}}}
        if self.rng.random() < 0.25:
            sign = {"min": ">=", "gt": ">", "max": "<=", "lt": "<"}[side]
            sent = {"filters": {held.name: f"{sign} {figure} {unit}"}}
        return self._whole(
            "bound with a unit",
            sent,
            held.name,
            loose=lambda asset, texts: self._within(asset, side, figure, unit),
        )

    def _within(self, asset: str, side: str, figure: int, unit: str) -> bool:
        """Whether some property of the same dimension is within a bound."""
        for name, value in self._facts.get(asset, {}).items():
            own = self._units.get(name, "")
            if own in FACTORS and unit in FACTORS and FACTORS[own][0] == FACTORS[unit][0]:
                found, bound = float(value) * FACTORS[own][1], figure * FACTORS[unit][1]
                below, above = found <= bound + 1e-9, found >= bound - 1e-9
                if below if side in ("max", "lt") else above:
                    return True
        return False

    def _bound_as_text(self) -> Wrong | None:
        held = self._pick("word", "flag")
        if held is None:
            return None
        sent = {"ranges": {held.name: {"min": self.rng.randrange(3, 90)}}}
        return self._whole(
            "bound of what is no number", sent, held.name, loose=lambda asset, texts: False
        )

    def _two_values(self) -> Wrong | None:
        held = self._pick("word")
        if held is None or len(set(held.values.values())) < 2:
            return None
        one, two = self.rng.sample(sorted(set(held.values.values())), 2)
        joined = self.rng.choice((", ", " and ", " or ", " und ", "/")).join((one, two))
        return self._whole(
            "two values in one text",
            {"filters": {held.name: joined}},
            held.name,
            loose=lambda asset, texts: self.holds_text(asset, [one, two]),
        )

    def _no_number(self) -> Wrong | None:
        held = self._pick("number", "date")
        if held is None:
            return None
        said = self.rng.choice(("a handful", "plenty", "soon", "before the war", "viel"))
        where = self.rng.choice(("filters", "ranges"))
        sent: dict[str, Any] = {held.name: said if where == "filters" else {"min": said}}
        return self._whole("no number and no date", {where: sent}, held.name, loose=self.holds_text)

    def _no_flag(self) -> Wrong | None:
        held = self._pick("flag")
        if held is None:
            return None
        sent = {"filters": {held.name: self.rng.choice(("maybe", "partly", "unknown", 7))}}
        return self._whole("neither true nor false", sent, held.name, loose=self.holds_text)

    def _in_reference(self) -> Wrong | None:
        """A mistake in a reference, its kind or one of its conditions."""
        inner = self._value_typo() if self.rng.random() < 0.5 else self._key_typo()
        if inner is None:
            return None
        slots = inner.arguments["slots"]
        reference = {
            "domain": self.world.main,
            **{part: slots[part] for part in ("filters", "ranges") if part in slots},
        }
        if self.rng.random() < 0.25:
            reference["domain"] = self._mistyped(self.world.main)
        links = self.world.links
        loose = inner.loose

        def through(asset: str, texts: list[str]) -> bool:
            linked = links.get(asset)
            return linked is not None and loose(linked, texts)

        right = [
            (name, lambda asset, demand=demand: asset in links and demand(links[asset]))
            for name, demand in inner.right
        ]
        sent = {"domains": [self.world.third], "references": [reference]}
        return Wrong("reference", {"slots": sent}, right, through, self.world.third)

    def _sort(self) -> Wrong | None:
        held = self._pick("number", "date", "word")
        if held is None:
            return None
        made = self._whole("sort and count", {}, held.name)
        key = self._mistyped(held.name) if self.rng.random() < 0.7 else "flurbish"
        if self.rng.random() < 0.5:
            made.arguments["sort"] = self.rng.choice(("", "-")) + key
        else:
            made.arguments["count_by"] = key
        return made

    def _empty(self) -> Wrong | None:
        """A right request that nothing meets; the nearest values are sent in its place."""
        held = self._pick("number", "date", "word")
        if held is None:
            return None
        if held.sort == "word":
            absent = [one for one in held.declared if one not in held.values.values()]
            sent: Any = {"filters": {held.name: absent[0] if absent else held.declared[0]}}
        else:
            bound = "9000" if held.sort == "number" else "2040-01-01"
            sent = {"ranges": {held.name: {"min": bound}}}
        return self._whole("nothing matches", sent, held.name)

    def _two_wrong(self) -> Wrong | None:
        """Two conditions with a typing mistake each."""
        one, two = self._value_typo(), self._key_typo()
        if one is None or two is None:
            return None
        slots = one.arguments["slots"]
        names = {held.name for held in self.world.held}
        mistyped = [key for key in two.arguments["slots"]["filters"] if key not in names]
        if any(self._meant(key) in str(slots) for key in mistyped):
            return None
        for part in ("filters", "ranges"):
            for key, value in two.arguments["slots"].get(part, {}).items():
                if key in slots.get(part, {}):
                    return None
                slots.setdefault(part, {})[key] = value
        one_loose, two_loose = one.loose, two.loose
        return Wrong(
            "two mistakes",
            one.arguments,
            [*one.right, *two.right],
            lambda asset, texts: one_loose(asset, texts) and two_loose(asset, texts),
            self.world.main,
        )


# Sending what is offered.


@dataclass
class Offer:
    """Something that an answer offers in place of what was sent."""

    how: str
    slot: str
    term: str
    text: str


def offers(told: Mapping[str, Any]) -> Iterator[Offer]:
    """Return every suggestion, correction and nearest value of an answer."""
    for gap in told.get("gaps", ()):
        for text in gap.get("suggestions", ()):
            yield Offer("suggestion", gap.get("slot") or "", gap.get("term", ""), text)
    for one in told.get("corrections", ()):
        if one.get("raw") is not None and one.get("resolved") is not None:
            yield Offer("correction", one.get("slot") or "", str(one["raw"]), str(one["resolved"]))
        for text in one.get("suggestions", ()):
            yield Offer("suggestion", one.get("slot") or "", str(one["raw"]), text)
    for one in told.get("explanation_of_empty", ()):
        for text in one.get("suggestions", ()):
            yield Offer("suggestion", one.get("slot") or "", "", text)
        for text in one.get("nearest", ()):
            yield Offer("nearest", one.get("slot") or "", "", str(text))


def with_offer(arguments: Mapping[str, Any], offer: Offer) -> dict[str, Any] | None:
    """Return arguments with an offer in its place; None where it names no place."""
    sent = copy.deepcopy(dict(arguments))
    if not offer.slot:
        return None
    if offer.slot in ("sort", "count_by"):
        sign = "-" if sent[offer.slot].startswith("-") and offer.text[:1] != "-" else ""
        sent[offer.slot] = sign + offer.text
        return sent
    if offer.how == "nearest":
        return _with_nearest(sent, offer)
    gap = SimpleNamespace(term=offer.term, slot=offer.slot, suggestions=[offer.text])
    sent["slots"] = repaired(sent["slots"], [gap])  # type: ignore[list-item]
    return None if sent == arguments else sent


def _with_nearest(sent: dict[str, Any], offer: Offer) -> dict[str, Any] | None:
    """Put a nearest value in place of a condition."""
    match = re.fullmatch(r"((?:references\[\d+\]\.)*)(filters|ranges)\.(.+)", offer.slot)
    if match is None:
        return None
    holder = sent["slots"]
    for number in re.findall(r"\d+", match[1]):
        holder = holder["references"][int(number)]
    if match[3] not in holder.get(match[2], {}):
        return None
    holder[match[2]][match[3]] = offer.text
    return sent


def conditions(slots: Mapping[str, Any]) -> int:
    """Return how many conditions slots have, those of references too."""
    references = slots.get("references") or []
    references = references if isinstance(references, list) else [references]
    own = sum(len(slots.get(part) or {}) for part in ("filters", "ranges"))
    return own + sum(conditions(one) for one in references if isinstance(one, Mapping))


def texts_of(value: Any) -> list[str]:
    """Return every text and number in slots, names left out."""
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in texts_of(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts_of(inner)]
    return [str(value)]


async def judge(
    asked: Asked, drawing: Drawing, wrong: Wrong, offer: Offer, first: Mapping[str, Any]
) -> tuple[str, str]:
    """Return the outcome of one offer, and what went wrong."""
    sent = with_offer(wrong.arguments, offer)
    if sent is None:
        # A correction may tell bounds in words of its own; a suggestion must name its place.
        return ("kept" if offer.how == "correction" else "no_place"), f"{offer} {wrong.arguments}"
    told = await asked.call("submit_slots", limit=100, **sent)
    said = (
        f"{offer.how} {offer.slot}: {offer.term!r} -> {offer.text!r}\n  sent {wrong.arguments}\n"
        f"  then {sent}\n  {told.get('answer') or told.get('error')}"
    )
    status = told.get("status", "error")
    if status == "error":
        return "error", said
    if status == "rejected":
        before = {(gap.get("slot"), gap["term"]) for gap in first.get("gaps", ())}
        after = {(gap.get("slot"), gap["term"]) for gap in told["gaps"]}
        left = after <= before - {(offer.slot, offer.term)}
        return ("kept", "") if left else ("refused_again", said)
    slots, kept = wrong.arguments["slots"], told.get("applied", {})
    if conditions(kept) < conditions(slots):
        return "condition_lost", said
    if offer.how != "nearest" and not _keeps_units(slots, sent["slots"]):
        return "unit_lost", said
    corrected = [str(one.get("resolved")) for one in told.get("corrections", ())]
    put = [text for text in texts_of(sent) if text not in texts_of(wrong.arguments)] + corrected
    beyond = [one for one in _found(told, drawing) if not _admits(drawing, wrong, one, offer, put)]
    return ("wider", f"{said}\n  beyond what was asked: {beyond}") if beyond else ("kept", "")


def _keeps_units(before: Any, after: Any) -> bool:
    """Whether every figure with a unit is still there, in that unit or in one of its dimension."""
    kept = [match for text in texts_of(after) if (match := _UNIT.search(text))]
    return all(
        any(_measure(match) == _measure(one) for one in kept)
        for text in texts_of(before)
        if (match := _UNIT.search(text))
    )


def _measure(match: re.Match[str]) -> tuple[str, float]:
    """Return the unit of a dimension, and a figure in it to nine digits."""
    name, factor = FACTORS.get(match[2], (match[2], 1))
    return name, float(f"{float(match[1]) * factor:.9g}")


def _found(told: Mapping[str, Any], drawing: Drawing) -> list[str]:
    space = drawing.world.about["ns"]
    return [one["iri"].removeprefix(space) for one in told["results"]]


def _admits(drawing: Drawing, wrong: Wrong, asset: str, offer: Offer, put: list[str]) -> bool:
    """Whether the most generous right reading of a request finds an asset.

    A nearest value stands in place of a condition that nothing meets, which is then not demanded.
    """
    world = drawing.world
    kinds = world.types.get(asset) or ([world.third] if asset in world.links else [world.other])
    if wrong.kind and wrong.kind not in kinds and world.sub not in kinds:
        return False
    if not wrong.kind:
        asset = world.links.get(asset, asset)
    nearest = offer.how == "nearest"
    return (nearest or wrong.loose(asset, put)) and all(
        demand(asset)
        for name, demand in wrong.right
        if not (nearest and offer.slot.endswith("." + name))
    )


async def run_all(options: argparse.Namespace, tally: Tally, folder: Path) -> None:
    """Ask every world of every field its wrong requests."""
    chance = random.Random(f"suggestions {options.seed}")
    only = set(filter(None, options.only.split(";")))
    for half in halves(options):
        for about in fields(half):
            for number in range(WORLDS_A_FIELD):
                if chance.random() < options.fraction:
                    await _world(about, number, half, tally, folder, only)


async def _world(
    about: Field, number: int, half: str, tally: Tally, folder: Path, only: set[str]
) -> None:
    rng = random.Random(f"suggestions {about['name']} {number}")
    odd = ("undeclared", "other namespace", "IRI with label", "variant of an enumerated value")
    ways = ["declared"] * 6 + ["codes", "names and labels", rng.choice(odd), rng.choice(odd)]
    world = World(about, rng, ways)
    drawing = Drawing(world, rng)
    async with served_text(
        folder / f"{about['name']} {number}", world.shapes, world.turtle
    ) as asked:
        for wrong in drawing.cases(ASKED_A_WORLD):
            if only and wrong.name not in only:
                continue
            first = await asked.call("submit_slots", limit=100, **wrong.arguments)
            found = list(offers(first))
            if not found:
                rejected = first.get("status") == "rejected"
                tally.add(wrong.name, half, "nothing_offered" if rejected else "answered")
            for offer in found:
                outcome, failure = await judge(asked, drawing, wrong, offer, first)
                name = "corrections" if offer.how == "correction" else wrong.name
                tally.add(name, half, outcome, failure)


def main() -> int:
    """Run the eval; return its exit code."""
    options = options_of(__doc__)
    tally = Tally(options)
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(run_all(options, tally, Path(temporary)))
    good = ("kept", "nothing_offered", "answered")
    return tally.settle(__file__, OUTCOMES, FAULTS, good, options)


if __name__ == "__main__":
    sys.exit(main())
