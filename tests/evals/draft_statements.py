"""Sentences and paragraphs that state recorded values truly."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal

from groundwire.evidence.records import Value
from tests.evals import draft_templates as templates
from tests.evals.draft_worlds import METRICS, World
from tests.evals.draft_writing import write_date, write_number


@dataclass(frozen=True)
class Part:
    """A stretch of a draft.

    Attributes:
        text: the stretch.
        role: "" for prose; number, percent, date, period, entity, word, label, iri, derived.
        value: the recorded value that it states or names.
        group: the statement that it belongs to.
        style: how a number was written: exact, rounded, converted, count, signed.
    """

    text: str
    role: str = ""
    value: Value | None = None
    group: int = 0
    style: str = ""


@dataclass(frozen=True)
class Case:
    parts: tuple[Part, ...]
    form: str
    language: str
    held: bool

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)


class Statements:
    """Makes sentences about a world."""

    def __init__(self, rng: random.Random, world: World, language: str, *, held: bool) -> None:
        self.rng, self.world, self.language, self.held = rng, world, language, held
        self.group = 0

    def pick(self, dev: dict[str, list], held: dict[str, list]):  # type: ignore[type-arg]
        return self.rng.choice((held if self.held else dev)[self.language])

    def fill(self, template: str, pieces: dict[str, Part]) -> list[Part]:
        self.group += 1
        parts: list[Part] = []
        for piece in re.split(r"(\{\w+\})", template):
            if piece.startswith("{"):
                parts.append(replace(pieces[piece[1:-1]], group=self.group))
            elif piece:
                parts.append(Part(piece, group=self.group))
        first = parts[0]
        if first.role and first.text[:1].islower() and self.language == "en":
            parts[0] = replace(first, text=first.text[0].upper() + first.text[1:])
        return parts

    def entity(self, value: Value) -> Part:
        english, han = self.world.names[value.entity or ""]
        return Part(han if self.language == "zh" else english, "entity", value)

    def label(self, value: Value) -> Part:
        english, han, _ = METRICS[value.name]
        return Part(han if self.language == "zh" else english, "label", value)

    def period(self, value: Value) -> Part:
        return Part(value.period or "", "period", value)

    def number(self, value: Value) -> Part:
        text, style = write_number(self.rng, value, self.language)
        return Part(text, "percent" if value.unit == "%" else "number", value, style=style)

    def date(self, value: Value) -> Part:
        return Part(write_date(self.rng, value.value, self.language), "date", value)

    def metric(self, value: Value) -> list[Part]:
        template = self.pick(templates.METRIC, templates.METRIC_HELD)
        return self.fill(template, self.pieces(value))

    def pieces(self, value: Value, digit: str = "") -> dict[str, Part]:
        return {
            f"N{digit}": self.label(value),
            f"E{digit}": self.entity(value),
            f"P{digit}": self.period(value),
            f"V{digit}": self.number(value),
            "N": self.label(value),
        }

    def property(self, value: Value) -> list[Part]:
        if value.name == "total":
            template = self.pick(templates.TOTAL, templates.TOTAL_HELD)
            return self.fill(template, {"T": self.number(value)})
        name = "iri" if self.rng.random() < 0.12 else value.name
        template = self.pick(templates.PROPERTY[name], templates.PROPERTY_HELD[name])
        return self.fill(template, self.property_pieces(value))

    def property_pieces(self, value: Value) -> dict[str, Part]:
        return {
            "E": self.entity(value),
            "V": self.number(value) if value.kind == "number" else Part(""),
            "W": Part(value.value, "word", value),
            "D": self.date(value) if value.kind == "date" else Part(""),
            "I": Part(value.entity_iri or "", "iri", value),
        }

    def statement(self, value: Value) -> list[Part]:
        return self.metric(value) if self.world.kind == "metrics" else self.property(value)

    def filler(self) -> Part:
        return Part(self.pick(templates.FILLER, templates.FILLER_HELD))

    def single(self) -> list[Part]:
        return self.statement(self.rng.choice(self.world.stated()))

    def paragraph(self) -> list[Part]:
        values = self.rng.sample(
            self.world.stated(), k=min(len(self.world.stated()), self.rng.randint(2, 4))
        )
        gap = "" if self.language == "zh" else " "
        parts: list[Part] = []
        for value in values:
            sentence = self.statement(value)
            if sentence[-1].text[-1:] not in ".。":
                sentence.append(Part("。" if self.language == "zh" else "."))
            parts += [*sentence, Part(gap)]
            if self.rng.random() < 0.3:
                parts += [self.filler(), Part(gap)]
        return parts

    def pairs(self, *, periods: bool) -> list[tuple[Value, Value]]:
        return [
            (a, b)
            for a in self.world.values
            for b in self.world.values
            if a.name == b.name
            and (
                (a.entity == b.entity and (a.period or "") < (b.period or ""))
                if periods
                else (a.entity != b.entity and a.period == b.period)
            )
        ]

    def two(self) -> list[Part] | None:
        periods = self.rng.random() < 0.5
        pairs = self.pairs(periods=periods) if self.world.kind == "metrics" else []
        if not pairs:
            return None
        a, b = self.rng.choice(pairs)
        if periods:
            template = self.pick(templates.TWO_PERIODS, templates.TWO_PERIODS_HELD)
        else:
            template = self.pick(templates.TWO_ENTITIES, templates.TWO_ENTITIES_HELD)
        return self.fill(template, {**self.pieces(b, "2"), **self.pieces(a, "1")})

    def change(self, *, recorded: bool) -> list[Part] | None:
        if recorded:
            if not self.world.derivations:
                return None
            derivation, (b, a) = self.rng.choice(self.world.derivations)
            size = Decimal(derivation.value)
        else:
            pairs = [
                p for p in self.pairs(periods=True) if p[0].name not in ("gdp_growth", "net_income")
            ]
            if not pairs or self.world.kind != "metrics":
                return None
            a, b = self.rng.choice(pairs)
            size = (Decimal(b.value) - Decimal(a.value)) / Decimal(a.value) * 100
        if abs(size) < 1:
            return None
        up, down = self.pick(templates.CHANGE, templates.CHANGE_HELD)
        written = f"{abs(size).quantize(Decimal('0.1'), ROUND_HALF_EVEN)}%"
        pieces = {**self.pieces(b, "2"), **self.pieces(a, "1")}
        pieces["X"] = Part(written, "derived", a, style="recorded" if recorded else "anchored")
        parts = self.fill(up if size > 0 else down, pieces)
        other = self.fill(down if size > 0 else up, pieces)
        verbs = [i for i, (p, q) in enumerate(zip(parts, other, strict=True)) if p.text != q.text]
        for i in verbs:
            parts[i] = replace(parts[i], role="verb", style=other[i].text)
        return parts

    def sum(self) -> list[Part] | None:
        pairs = [
            p for p in self.pairs(periods=False) if p[0].name in ("population", "exports", "area")
        ]
        if not pairs or self.world.kind != "metrics":
            return None
        a, b = self.rng.choice(pairs)
        value = Decimal(a.value) + Decimal(b.value)
        text, _ = write_number(self.rng, replace(a, value=str(value)), self.language)
        pieces = {
            **self.pieces(b, "2"),
            **self.pieces(a, "1"),
            "X": Part(text, "derived", a, style="anchored"),
        }
        return self.fill(self.pick(templates.SUM, templates.SUM_HELD), pieces)
