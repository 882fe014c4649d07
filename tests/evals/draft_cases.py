"""Drafts that state recorded values truly, and the same drafts with one claim changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal

from groundwire.evidence.records import Value
from tests.evals import draft_templates as templates
from tests.evals.draft_worlds import COUNTRIES, KINDS, METRICS, PLACES, World

MONTHS = (
    "January February March April May June July August September October November December"
).split()
HAN_UNITS = {"USD": "美元", "EUR": "欧元", "km²": "平方公里", "km": "公里", "MB": "MB", "%": "%"}
HAN_DIGITS = "零一二三四五六七八九"
ENGLISH_DIGITS = "zero one two three four five six seven eight nine".split()
INVENTED = ["Freedonia", "Atlantis", "Ruritania", "Nordmark"]
INVENTED_HAN = ["弗里多尼亚", "亚特兰蒂斯", "诺德马克"]


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


class Builder:
    """Makes one draft about a world."""

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
        if first.role == "label" and first.text[0].islower() and self.language == "en":
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

    def number(self, value: Value, *, plain: bool = False) -> Part:
        text, style = write_number(self.rng, value, self.language, plain=plain)
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
        return self.statement(self.rng.choice(self.world.values))

    def paragraph(self) -> list[Part]:
        values = self.rng.sample(
            self.world.values, k=min(len(self.world.values), self.rng.randint(2, 4))
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
            and ((a.entity == b.entity and (a.period or "") < (b.period or "")) if periods
                 else (a.entity != b.entity and a.period == b.period))
        ]  # fmt: skip

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

    def bullets(self) -> list[Part]:
        if self.world.kind == "metrics":
            return self._metric_bullets()
        parts: list[Part] = []
        total = self.world.of("total")
        if total:
            parts += [*self.property(total[0]), Part("\n\n")]
        style = self.rng.choice(["inline", "nested"]) if not self.held else "numbered"
        for number, entity in enumerate(self.world.entities(), 1):
            self.group += 1
            own = [v for v in self.world.values if v.entity == entity]
            head = {"inline": "- **", "nested": "- ", "numbered": f"{number}. "}[style]
            tail = {"inline": "**: ", "nested": "\n", "numbered": " — "}[style]
            parts += [Part(head), replace(self.entity(own[0]), group=self.group), Part(tail)]
            for i, value in enumerate(own):
                name = {
                    "laneCount": ("lanes", "车道数"), "length": ("length", "长度"),
                    "fileSize": ("file size", "文件大小"), "license": ("license", "许可证"),
                    "roadTypes": ("road type", "道路类型"), "created": ("created", "创建日期"),
                    "formatType": ("format", "格式"),
                }[value.name][self.language == "zh"]  # fmt: skip
                pieces = self.property_pieces(value)
                piece = pieces[
                    "V" if value.kind == "number" else "D" if value.kind == "date" else "W"
                ]
                piece = replace(piece, group=self.group)
                if style == "nested":
                    parts += [Part(f"  - {name}: "), piece, Part("\n")]
                else:
                    joint = "; " if style == "numbered" else ", "
                    parts += [Part((joint if i else "") + f"{name} "), piece]
            parts.append(Part("\n" if style != "nested" else ""))
        return parts

    def _metric_bullets(self) -> list[Part]:
        parts = [self.filler(), Part("\n\n")]
        mark = "* " if self.held else "- "
        for value in self.world.values:
            parts.append(Part(mark))
            parts += [*self.metric(value), Part("\n")]
        return parts

    def table(self) -> list[Part] | None:
        return self._metric_table() if self.world.kind == "metrics" else self._asset_table()

    def _asset_table(self) -> list[Part] | None:
        columns = (
            ["length", "license", "created"] if self.held else ["length", "roadTypes", "laneCount"]
        )
        rows = [
            e
            for e in self.world.entities()
            if any(v.entity == e and v.name in columns for v in self.world.values)
        ]
        if not rows:
            return None
        names = {
            "length": ("Length (km)", "长度（公里）"), "roadTypes": ("Road type", "道路类型"),
            "laneCount": ("Lanes", "车道数"), "license": ("License", "许可证"), "created": ("Created", "创建日期"),
        }  # fmt: skip
        han = self.language == "zh"
        first = "资产" if han else "Asset"
        parts = [Part(f"| {first} | " + " | ".join(names[c][han] for c in columns) + " |\n")]
        parts.append(Part("|---" * (len(columns) + 1) + "|\n"))
        for entity in rows:
            self.group += 1
            own = {v.name: v for v in self.world.values if v.entity == entity}
            any_value = next(iter(own.values()))
            parts += [Part("| "), replace(self.entity(any_value), group=self.group), Part(" | ")]
            for i, column in enumerate(columns):
                value = own.get(column)
                if value is None:
                    piece = Part("–")
                elif value.kind == "number":
                    piece = Part(
                        value.value,
                        "number",
                        value,
                        self.group,
                        "count" if column == "laneCount" else "bare",
                    )
                elif value.kind == "date":
                    piece = Part(value.value, "date", value, self.group)
                else:
                    piece = Part(value.value, "word", value, self.group)
                parts += [piece, Part(" |\n" if i == len(columns) - 1 else " | ")]
        return parts

    def _metric_table(self) -> list[Part] | None:
        code = self.rng.choice(sorted({v.name for v in self.world.values}))
        own = [v for v in self.world.values if v.name == code]
        years = sorted({v.period or "" for v in own})
        entities = sorted({v.entity or "" for v in own})
        unit = METRICS[code][2]
        han = self.language == "zh"
        label = self.label(own[0])
        heading = Part(label.text[0].upper() + label.text[1:], "", own[0])
        if self.held:
            parts = [Part("### "), heading, Part(f" ({unit})\n\n" if unit else "\n\n")]
        else:
            parts = [heading, Part(f" ({unit}):\n\n" if unit else ":\n\n")]
        parts.append(Part(f"| {'国家' if han else 'Country'} | " + " | ".join(years) + " |\n"))
        parts.append(Part("|:--" + "|--:" * len(years) + "|\n"))
        for entity in entities:
            self.group += 1
            cells = {v.period: v for v in own if v.entity == entity}
            parts += [
                Part("| "),
                replace(self.entity(next(iter(cells.values()))), group=self.group),
            ]
            for year in years:
                value = cells.get(year)
                parts.append(Part(" | "))
                if value is None:
                    parts.append(Part("n/a"))
                else:
                    role = "percent" if unit == "%" else "number"
                    text = f"{Decimal(value.value):,}" + ("%" if unit == "%" else "")
                    parts.append(Part(text, role, value, self.group, "bare"))
            parts.append(Part(" |\n"))
        return parts

    def build(self, form: str) -> Case | None:
        makers: dict[str, Callable[[], list[Part] | None]] = {
            "sentence": self.single,
            "paragraph": self.paragraph,
            "two values": self.two,
            "list": self.bullets,
            "table": self.table,
            "derived, recorded": lambda: self.change(recorded=True),
            "derived, anchored": lambda: (
                self.change(recorded=False) if self.rng.random() < 0.6 else self.sum()
            ),
        }
        parts = makers[form]()
        if not parts:
            return None
        if form == "derived, anchored" and self.world.derivations:
            return None  # the record has it: that is the other form
        return Case(tuple(parts), form, self.language, self.held)


FORMS = (
    "sentence", "sentence", "paragraph", "paragraph", "two values", "list", "table",
    "derived, recorded", "derived, anchored",
)  # fmt: skip


def _scaled(value: Decimal, language: str, rng: random.Random) -> tuple[str, str, Decimal]:
    """A large number by scale word, rounded to two decimals: text, scale word, scale."""
    scales = (
        [("万亿", Decimal(10**12)), ("亿", Decimal(10**8)), ("万", Decimal(10**4))]
        if language == "zh"
        else [
            ("trillion", Decimal(10**12)),
            ("billion", Decimal(10**9)),
            ("million", Decimal(10**6)),
            ("thousand", Decimal(10**3)),
        ]
    )
    word, scale = next(((w, s) for w, s in scales if abs(value) >= s), ("", Decimal(1)))
    places = rng.choice(["0.1", "0.01"]) if abs(value) / scale < 100 else "0.1"
    text = str((value / scale).quantize(Decimal(places), ROUND_HALF_EVEN))
    return text, word, scale


def write_number(
    rng: random.Random, value: Value, language: str, *, plain: bool = False
) -> tuple[str, str]:
    """A recorded number as a model would write it, and how it was written."""
    number, unit, han = Decimal(value.value), value.unit, language == "zh"
    if value.name in ("total", "laneCount"):
        if value.name == "laneCount" and rng.random() < 0.3 and not plain:
            return (
                HAN_DIGITS[int(number)]
                if han and number != 2
                else "两"
                if han
                else ENGLISH_DIGITS[int(number)]
            ), "words"
        return (f"{number:,}" if rng.random() < 0.5 else value.value), "count"
    if unit == "%":
        return (
            f"{value.value}%" if han or rng.random() < 0.7 else f"{value.value} percent"
        ), "exact"
    if unit == "km":
        choice = rng.random()
        if choice < 0.2:
            metres = f"{int(number * 1000):,}"
            return (f"{metres}米" if han else f"{metres} m"), "converted"
        if choice < 0.35 and number >= 10 and number != number.to_integral_value():
            whole = number.quantize(Decimal(1), ROUND_HALF_EVEN)
            return (f"约{whole}公里" if han else f"about {whole} km"), "rounded"
        return (
            f"{number}公里" if han else f"{number} {rng.choice(['km', 'kilometres', 'kilometers'])}"
        ), "exact"
    if unit == "MB":
        if rng.random() < 0.2:
            return f"{(number / 1000).quantize(Decimal('0.01'), ROUND_HALF_EVEN)} GB", "converted"
        return f"{number} MB", "exact"
    if abs(number) >= 10_000 and rng.random() < 0.65:
        text, word, _ = _scaled(number, language, rng)
        about = rng.choice(["", "", "约" if han else "about "])
        if unit == "USD" and not han and rng.random() < 0.5:
            sign = "-" if text.startswith("-") else ""
            return f"{about}{sign}${text.lstrip('-')} {word}", "rounded"
        name = (HAN_UNITS[unit] if han else " " + unit) if unit else ""
        return f"{about}{text}{'' if han else ' '}{word}{name}", "rounded"
    text = f"{number:,}"
    if unit == "USD" and not han and rng.random() < 0.4:
        return f"${text}", "exact"
    if unit == "km²" and not han and rng.random() < 0.5:
        return f"{text} square kilometres", "exact"
    return (f"{text}{HAN_UNITS[unit]}" if han else f"{text} {unit}") if unit else text, "exact"


def write_date(rng: random.Random, iso: str, language: str) -> str:
    day = date.fromisoformat(iso)
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    month = MONTHS[day.month - 1]
    return rng.choice([iso, f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"])


CHANGES = (
    "digit", "magnitude", "unit", "sign", "rounding too far", "year", "date", "name", "value name",
    "property name", "iri",
)  # fmt: skip


def change(rng: random.Random, case: Case, world: World, kind: str) -> tuple[Case, int] | None:
    """The case with one part changed so that it says what no record says, and which part.

    None where nothing in the draft can be changed in this way.
    """
    order = list(range(len(case.parts)))
    rng.shuffle(order)
    for i in order:
        part = case.parts[i]
        text = _changed(rng, part, case, world, kind)
        if text is not None and text != part.text:
            parts = list(case.parts)
            parts[i] = replace(part, text=text)
            return replace(case, parts=tuple(parts)), i
    return None


NUMBERS = ("number", "percent", "derived")


def _changed(rng: random.Random, part: Part, case: Case, world: World, kind: str) -> str | None:
    if kind == "sign" and part.role == "verb":
        return part.style
    makers: dict[str, tuple[Sequence[str], Callable[[], str | None]]] = {
        "digit": (NUMBERS, lambda: _digit(rng, part)),
        "magnitude": (NUMBERS, lambda: _magnitude(rng, part)),
        "unit": (NUMBERS, lambda: _unit(rng, part)),
        "sign": (("number", "percent"), lambda: _sign(part)),
        "rounding too far": (("number",), lambda: _too_far(part, case.language)),
        "year": (("period",), lambda: _year(rng, part, world)),
        "date": (("date",), lambda: _date(rng, part, case.language)),
        "name": (("entity",), lambda: _entity(rng, part, case, world)),
        "value name": (("word",), lambda: _word(rng, part, world)),
        "property name": (("label",), lambda: _label(rng, part, case.language)),
        "iri": (("iri",), lambda: _iri(rng, part)),
    }
    roles, make = makers[kind]
    return make() if part.role in roles and part.value is not None else None


def _digit(rng: random.Random, part: Part) -> str | None:
    for table in (HAN_DIGITS, ENGLISH_DIGITS):
        if part.style == "words":
            spelt = [d for d in table if d == part.text]
            if spelt or part.text == "两":
                return rng.choice([d for d in table[1:] if d != part.text and d != "二"])
    places = [i for i, c in enumerate(part.text) if c.isascii() and c.isdigit()]
    if part.style == "words" or not places:
        return None
    i = rng.choice(places)
    digits = [d for d in "0123456789" if d != part.text[i] and not (d == "0" and i == places[0])]
    return part.text[:i] + rng.choice(digits) + part.text[i + 1 :]


_SCALES = [
    ("trillion", "billion"),
    ("billion", "million"),
    ("million", "billion"),
    ("thousand", "million"),
    ("万亿", "亿"),
    ("亿", "万"),
    ("万", "亿"),
]


def _magnitude(rng: random.Random, part: Part) -> str | None:
    if part.style == "words":
        return None
    for word, other in _SCALES:
        if word in part.text and rng.random() < 0.5:
            return part.text.replace(word, other)
    number = re.search(r"[0-9][0-9,]*(?:\.[0-9]+)?", part.text)
    if number is None or not Decimal(number[0].replace(",", "")):
        return None
    factor = rng.choice([Decimal(10), Decimal("0.1"), Decimal(1000)])
    shifted = Decimal(number[0].replace(",", "")) * factor
    if shifted < 1 and part.style == "count":
        shifted = Decimal(number[0].replace(",", "")) * 10
    if part.style == "count":
        shifted = shifted.to_integral_value()
    text = f"{shifted.normalize():,f}" if "," in part.text else f"{shifted.normalize():f}"
    return part.text[: number.start()] + text + part.text[number.end() :]


_UNITS = {
    "kilometres": ["metres", "miles"], "kilometers": ["meters", "miles"], "square kilometres": ["hectares"],
    "km²": ["m²", "ha"], "km": ["m", "miles"], " m": [" km", " ft"], "MB": ["GB", "kB"], "GB": ["MB", "TB"],
    "USD": ["EUR", "JPY"], "EUR": ["USD", "GBP"], "$": ["€", "£"], "平方公里": ["公顷", "平方米"],
    "公里": ["米", "英里"], "米": ["公里"], "美元": ["欧元", "日元"], "欧元": ["美元"],
    " percent": [" percentage points", " km"], "%": [" percentage points", "‰", " USD"],
}  # fmt: skip


def _unit(rng: random.Random, part: Part) -> str | None:
    for unit in sorted(_UNITS, key=len, reverse=True):
        if unit in part.text:
            return part.text.replace(unit, rng.choice(_UNITS[unit]))
    return None


def _sign(part: Part) -> str | None:
    number = re.search(r"-?\$?[0-9]", part.text)
    if number is None or part.style in ("count", "words"):
        return None
    if number[0].startswith("-"):
        return part.text[: number.start()] + part.text[number.start() + 1 :]
    return part.text[: number.start()] + "-" + part.text[number.start() :]


def _too_far(part: Part, language: str) -> str | None:
    """One digit where that is off by more than 5 %."""
    value = part.value
    if value is None or part.style in ("count", "words"):
        return None
    number = Decimal(value.value)
    if not number:
        return None
    coarse = Decimal(f"{number:.0e}")
    if abs(coarse - number) / abs(number) <= Decimal("0.05"):
        return None
    if abs(coarse) < 10_000:
        written = f"{coarse:,f}"
    else:
        scales = (
            [("万亿", 12), ("亿", 8), ("万", 4)]
            if language == "zh"
            else [("trillion", 12), ("billion", 9), ("million", 6), ("thousand", 3)]
        )
        word, power = next((w, p) for w, p in scales if abs(coarse) >= 10**p)
        written = f"{(coarse / 10**power).normalize():f}{'' if language == 'zh' else ' '}{word}"
    if value.unit is None or part.style == "bare":
        return written
    return f"{written}{HAN_UNITS[value.unit]}" if language == "zh" else f"{written} {value.unit}"


def _year(rng: random.Random, part: Part, world: World) -> str | None:
    value = part.value
    assert value is not None
    year = int(value.period or 0)
    others = {v.period for v in world.values} - {value.period}
    recorded = [p for p in others if p is not None]
    if recorded and rng.random() < 0.6:
        return rng.choice(sorted(recorded))
    return str(year + rng.choice([-12, -10, -3, -2, 2, 3, 5]))


def _date(rng: random.Random, part: Part, language: str) -> str | None:
    value = part.value
    assert value is not None
    day = date.fromisoformat(value.value)
    field = rng.choice(["year", "month", "day"])
    changed = {
        "year": lambda: day.replace(year=day.year + rng.choice([-2, -1, 1, 2])),
        "month": lambda: day.replace(month=day.month % 12 + 1),
        "day": lambda: day.replace(day=day.day % 28 + 1),
    }[field]()
    if re.fullmatch(r"[0-9-]+", part.text):
        return changed.isoformat()
    return write_date(rng, changed.isoformat(), language)


def _entity(rng: random.Random, part: Part, case: Case, world: World) -> str | None:
    """Another recorded entity for which the statement is false, a known one, or an invented one."""
    group = [p for p in case.parts if p.group == part.group and p.value is not None]
    stated = [p.value for p in group if p.role in (*NUMBERS, "word", "date", "iri") and p.value]
    if not stated:
        return None
    names = {p.text for p in group if p.role == "entity"}
    own = [v for v in stated if v.entity == part.value.entity] if part.value else []
    if not own and not any(p.role == "derived" for p in group):
        return None
    source = rng.choice(["recorded", "known", "invented"])
    han = case.language == "zh"
    if source == "recorded":
        others = [
            e for e in world.entities()
            if world.names[e][han] not in names and all(_differs(world, v, e) for v in own)
        ]  # fmt: skip
        if others:
            return world.names[rng.choice(others)][han]
    if world.kind == "metrics":
        if source != "invented":
            known = [pair[han] for pair in COUNTRIES if pair[0] not in world.names]
            return rng.choice(known)
        return rng.choice(INVENTED_HAN if han else INVENTED)
    invented = f"{rng.choice(PLACES)} {rng.choice(KINDS)}"
    return None if invented in world.names else invented


def _differs(world: World, value: Value, entity: str) -> bool:
    """Whether another entity has no value of this name and period, or one that is far off."""
    for other in world.values:
        if other.entity == entity and (other.name, other.period) == (value.name, value.period):
            if value.kind != "number":
                return other.value != value.value
            a, b = Decimal(value.value), Decimal(other.value)
            return abs(a - b) > abs(b) / 10
    return True


def _word(rng: random.Random, part: Part, world: World) -> str | None:
    value = part.value
    assert value is not None
    has = {v.value for v in world.values if v.entity == value.entity}
    group = next(g for g in (_words_like(value, world),) if g)
    others = [word for word in group if word not in has]
    return rng.choice(others) if others else None


def _words_like(value: Value, world: World) -> list[str]:
    from tests.evals.draft_worlds import FORMATS, LICENSES, ROADS

    return next(words for words in (ROADS, LICENSES, FORMATS) if value.value in words)


def _label(rng: random.Random, part: Part, language: str) -> str | None:
    value = part.value
    assert value is not None
    others = [METRICS[code][language == "zh"] for code in METRICS if code != value.name]
    own = METRICS[value.name][language == "zh"]
    others = [o for o in others if own not in o and o not in own]
    text = rng.choice(others)
    return text[0].upper() + text[1:] if part.text[0].isupper() and language == "en" else text


def _iri(rng: random.Random, part: Part) -> str | None:
    i = rng.choice([i for i, c in enumerate(part.text) if i > 30 and c.isalnum()])
    other = rng.choice([c for c in "0123456789abcdef" if c != part.text[i]])
    return part.text[:i] + other + part.text[i + 1 :]
