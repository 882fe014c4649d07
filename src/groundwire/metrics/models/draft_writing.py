"""Write a drafted model as Apache Ossie 0.2.0.dev0 in YAML, with its guesses as comments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.metrics.models.dbt_filters import identifier

_HEAD = """\
# A draft: it was made from tables, keys, comments and names. Each line that begins with "# guess"
# says what the database did not: look at it, mend what stands below it, and take the mark away.
# Units are not known: write them as {"unit": "EUR"} beside what a metric's extension says.
"""


@dataclass(frozen=True, slots=True)
class DraftField:
    """A column of a dataset."""

    name: str
    column: str
    label: str
    description: str
    datatype: str
    is_dimension: bool
    grain: str
    level: str
    guess: str
    synonym: str = ""


@dataclass(frozen=True, slots=True)
class DraftDataset:
    """A table."""

    name: str
    source: str
    key: tuple[str, ...]
    unique_keys: tuple[tuple[str, ...], ...]
    description: str
    time_field: str
    fields: tuple[DraftField, ...]
    guess: str


@dataclass(frozen=True, slots=True)
class DraftLink:
    """A relationship from many to one; `guess` is empty where the database told it."""

    name: str
    many: str
    one: str
    columns: tuple[str, ...]
    to: tuple[str, ...]
    role: str
    guess: str


@dataclass(frozen=True, slots=True)
class DraftMetric:
    """An aggregate of a column."""

    name: str
    column: str
    dataset: str
    field: str
    function: str
    description: str
    guess: str
    semi_additive: tuple[str, str] | None = None
    synonym: str = ""
    label: str = ""
    unit: str = ""

    def taken(self, function: str, guess: str) -> DraftMetric:
        """Return it with another aggregate."""
        return replace(self, function=function, guess=guess)

    def at_the_end(self, time: str, guess: str) -> DraftMetric:
        """Return it as a balance, of which the last of a period is taken."""
        return replace(self, semi_additive=(time, "last"), guess=guess)

    def called_by_column(self) -> DraftMetric:
        """Return it with the words of its column, without the unit, as another name."""
        named = re.sub(r"[\W_]+", " ", self.column).strip()
        return replace(self, synonym=named.rsplit(" ", 1)[0] if self.unit else named)


def written(
    name: str,
    datasets: Sequence[DraftDataset],
    links: Sequence[DraftLink],
    metrics: Sequence[DraftMetric],
) -> str:
    """Return the model as a YAML text."""
    lines = [
        _HEAD.rstrip("\n"),
        'version: "0.2.0.dev0"',
        "semantic_model:",
        f"  - name: {_text(name)}",
        "    datasets:",
    ]
    for one in datasets:
        lines += _dataset(one)
    if links:
        lines.append("    relationships:")
    for link in links:
        lines += _guess(link.guess, 6)
        lines += [
            f"      - name: {_text(link.name)}",
            f"        from: {_text(link.many)}",
            f"        to: {_text(link.one)}",
            f"        from_columns: {_list(link.columns)}",
            f"        to_columns: {_list(link.to)}",
            *_extension({"role": link.role}, 8),
        ]
    if metrics:
        lines.append("    metrics:")
    for metric in metrics:
        lines += _metric(metric)
    return "\n".join(lines) + "\n"


def _dataset(one: DraftDataset) -> Iterator[str]:
    yield from _guess(one.guess, 6)
    yield f"      - name: {_text(one.name)}"
    yield f"        source: {_text(one.source)}"
    if one.key:
        yield f"        primary_key: {_list(one.key)}"
    if one.unique_keys:
        yield f"        unique_keys: [{', '.join(_list(key) for key in one.unique_keys)}]"
    yield from _description(one.description, 8)
    yield from _extension({"time_field": one.time_field}, 8)
    yield "        fields:"
    for each in one.fields:
        yield from _guess(each.guess, 10)
        yield f"          - name: {_text(each.name)}"
        yield f"            expression: {_expression(_quoted(each.column))}"
        yield f"            label: {_text(each.label or each.name)}"
        yield from _description(each.description, 12)
        if each.synonym:
            yield f"            ai_context: {{synonyms: {_list((each.synonym,))}}}"
        if each.datatype:
            yield f"            datatype: {each.datatype}"
        if each.datatype.startswith("Date"):
            yield f"            dimension: {{is_time: {str(bool(each.grain)).lower()}}}"
        told: dict[str, object] = {"grain": each.grain, "level": each.level}
        if not each.is_dimension:
            told["is_dimension"] = False
        yield from _extension(told, 12)


def _metric(one: DraftMetric) -> Iterator[str]:
    yield from _guess(one.guess, 6)
    yield f"      - name: {_text(one.name)}"
    column = f"{identifier(one.dataset)}.{identifier(one.field)}"
    yield f"        expression: {_expression(f'{one.function}({column})')}"
    yield from _description(one.description, 8)
    if one.synonym:
        yield f"        ai_context: {{synonyms: {_list((one.synonym,))}}}"
    label = one.label or re.sub(r"_+", " ", one.name).strip().capitalize()
    told: dict[str, object] = {"label": label, "unit": one.unit}
    if one.semi_additive:
        told["semi_additive"] = list(one.semi_additive)
    yield from _extension(told, 8)


def _quoted(column: str) -> str:
    """A column as SQL: in quotes where an engine would fold its letters."""
    plain = identifier(column)
    return plain if plain.startswith('"') or column == column.lower() else f'"{column}"'


def _expression(sql: str) -> str:
    return f"{{dialects: [{{dialect: ANSI_SQL, expression: {_text(sql)}}}]}}"


def _description(text: str, indent: int) -> Iterator[str]:
    if text.strip():
        yield f"{' ' * indent}description: {_text(text.strip()[:1000])}"


def _extension(told: Mapping[str, object], indent: int) -> Iterator[str]:
    """Return an extension with the parts that the format has no place for, or nothing."""
    kept = {key: value for key, value in told.items() if value not in ("", None)}
    if kept:
        data = _text(json.dumps(kept, ensure_ascii=False))
        yield f"{' ' * indent}custom_extensions: [{{vendor_name: GROUNDWIRE, data: {data}}}]"


def _guess(text: str, indent: int) -> Iterator[str]:
    if text:
        # Names of a database may hold line breaks; a comment is one line.
        plain = "".join(letter if letter.isprintable() else " " for letter in text)
        yield f"{' ' * indent}# guess: {plain[:300]}"


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(_text(one) for one in texts)}]"


def _text(text: str) -> str:
    """A text in double quotes: a string of JSON is one of YAML too."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
