"""Drafts that state recorded values truly, in sentences, paragraphs, lists and tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from tests.evals.draft_statements import Case, Part, Statements
from tests.evals.draft_worlds import METRICS


class Builder(Statements):
    """Makes one draft about a world."""

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
            own = [v for v in self.world.stated() if v.entity == entity]
            head = {"inline": "- **", "nested": "- ", "numbered": f"{number}. "}[style]
            tail = {"inline": "**: ", "nested": "\n", "numbered": " — "}[style]
            if not own:
                continue
            parts += [Part(head), replace(self.entity(own[0]), group=self.group), Part(tail)]
            for i, value in enumerate(own):
                name = {
                    "laneCount": ("lanes", "车道数"),
                    "length": ("length", "长度"),
                    "fileSize": ("file size", "文件大小"),
                    "license": ("license", "许可证"),
                    "roadTypes": ("road type", "道路类型"),
                    "created": ("created", "创建日期"),
                    "formatType": ("format", "格式"),
                }[value.name][self.language == "zh"]
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
            "length": ("Length (km)", "长度（公里）"),
            "roadTypes": ("Road type", "道路类型"),
            "laneCount": ("Lanes", "车道数"),
            "license": ("License", "许可证"),
            "created": ("Created", "创建日期"),
        }
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
    "sentence",
    "sentence",
    "paragraph",
    "paragraph",
    "two values",
    "list",
    "table",
    "derived, recorded",
    "derived, anchored",
)
