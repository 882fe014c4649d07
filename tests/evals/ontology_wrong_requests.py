"""Wrong requests of drawn worlds: what is sent, what of it is right, how the rest may be read."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from tests.evals.ontology_disagreements import Held, World

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
            self._empty, self._empty, self._two_wrong, self._span_with_unit, self._bound_of_typo,
            self._bound_of_unknown, self._bound_of_unknown, self._kind_beside, self._nested,
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

    def _span_with_unit(self) -> Wrong | None:
        """Bounds in one text, in a list, or with units that differ."""
        held = self._pick("number")
        if held is None:
            return None
        unit = self.rng.choice(("MB", "kg", "cm", "m", "g", "furlongs", "litres"))
        low, high = self.rng.randrange(1, 40), self.rng.randrange(41, 300)
        sent: dict[str, Any] = self.rng.choice(
            (
                {"filters": {held.name: f"{low}-{high} {unit}"}},
                {"filters": {held.name: f"between {low} and {high} {unit}"}},
                {"ranges": {held.name: f"{low} {unit} to {high} {unit}"}},
                {"ranges": {held.name: {"min": f"{low} {unit}", "max": f"{high} {unit}"}}},
                {"filters": {held.name: {"any_of": [f"{low} {unit}", f"{high} {unit}"]}}},
            )
        )
        return self._whole(
            "span with a unit",
            sent,
            held.name,
            loose=lambda asset, texts: (
                self._within(asset, "min", low, unit) and self._within(asset, "max", high, unit)
            ),
        )

    def _bound_of_typo(self) -> Wrong | None:
        """A typing mistake in a name that is asked for within a bound."""
        held = self._pick("number", "date")
        if held is None:
            return None
        value = self._value(held)
        unit = held.unit if held.unit and self.rng.random() < 0.6 else ""
        sent = {"ranges": {self._mistyped(held.name): {"min": f"{value} {unit}".strip()}}}
        return self._whole(
            "bound of a mistyped name",
            sent,
            held.name,
            loose=lambda asset, texts: self._some_at_least(asset, held, value),
        )

    def _some_at_least(self, asset: str, held: Held, value: str) -> bool:
        """Whether some property of the same sort and unit is at least a value."""
        return any(
            self._at_least(asset, one, value)
            for one in self.world.held
            if one.sort == held.sort and (not held.unit or one.unit == held.unit)
        )

    def _bound_of_unknown(self) -> Wrong | None:
        """A name that nobody knows, within a bound with a unit."""
        unit = self.rng.choice(("MB", "km", "kg", "litres", "g", "cm", "years"))
        figure, side = self.rng.randrange(1, 80), self.rng.choice(("min", "max"))
        key = self.rng.choice(("flurbish", "zorbLevel", "size", "extent", "volume", "Gewicht"))
        sent: dict[str, Any] = {"ranges": {key: {side: f"{figure} {unit}"}}}
        if self.rng.random() < 0.3:
            sent = {"filters": {key: f"{'>' if side == 'min' else '<'} {figure} {unit}"}}
        return self._whole(
            "bound of an unknown name",
            sent,
            loose=lambda asset, texts: self._within(asset, side, figure, unit),
        )

    def _kind_beside(self) -> Wrong | None:
        """A kind that is there beside one that is not."""
        made = self._wrong_kind()
        if made is not None:
            made.name = "wrong kind beside a right one"
            made.arguments["slots"]["domains"].append(self.world.main)
        return made

    def _nested(self) -> Wrong | None:
        """A mistake in a reference of a reference."""
        inner = self._in_reference()
        if inner is None:
            return None
        linked = set(self.world.links.values())
        slots = {"domains": [self.world.main], "references": [inner.arguments["slots"]]}
        inner.arguments["slots"]["domain"] = inner.arguments["slots"].pop("domains")[0]
        thirds: dict[str, list[str]] = {}
        for third, asset in self.world.links.items():
            thirds.setdefault(asset, []).append(third)

        def through(demand: Holds) -> Holds:
            return lambda asset: any(demand(third) for third in thirds.get(asset, ()))

        loose = inner.loose
        return Wrong(
            "reference of a reference",
            {"slots": slots},
            [(name, through(demand)) for name, demand in inner.right],
            lambda asset, texts: (
                asset in linked and any(loose(third, texts) for third in thirds[asset])
            ),
            self.world.main,
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
