"""Apache Ossie (formerly OSI) as a semantic model: versions 0.1.1 and 0.2.0.dev0, YAML or JSON.

Source of the format: https://github.com/apache/ossie, core specification and its JSON schema.
What the format cannot say (time zones, roles, windows, what is withheld) is read from
`custom_extensions` of the vendor GROUNDWIRE; those of other vendors are told as not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from groundwire.errors import ConfigurationError
from groundwire.metrics.models.document import Twice
from groundwire.metrics.models.expressions import ExpressionError, column_parts, columns, parse
from groundwire.metrics.models.semantic import (
    Dataset,
    MetricInput,
    ModelField,
    ModelMetric,
    Problem,
    Relationship,
    SemanticModel,
)

VERSIONS = ("0.1.1", "0.2.0.dev0")
VENDOR = "GROUNDWIRE"
DIALECTS = {
    "ANSI_SQL": "",
    "OSSIE_SQL_2026": "",
    "SNOWFLAKE": "snowflake",
    "DATABRICKS": "databricks",
    "BIGQUERY": "bigquery",
    # Not in the specification: the engines that queries are written for.
    "DUCKDB": "duckdb",
    "SQLITE": "sqlite",
    "POSTGRES": "postgres",
    "CLICKHOUSE": "clickhouse",
    "TRINO": "trino",
    "SPARK": "spark",
}
# Dialects of the specification that are no SQL.
OTHER_DIALECTS = ("MDX", "TABLEAU", "MAQL")
DATATYPES = {
    "String": "string",
    "Integer": "integer",
    "Decimal": "decimal",
    "Float": "float",
    "Boolean": "boolean",
    "Date": "date",
    "DateTime": "timestamp",
    "DateTimeTz": "timestamp",
}
_TIMES = ("Date", "Time", "DateTime", "DateTimeTz")
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_KINDS = ("simple", "ratio", "derived", "cumulative")
_NAMED = ("name", "ai_context", "custom_extensions")
_KNOWN: Mapping[str, frozenset[str]] = {
    "model": frozenset((*_NAMED, "description", "datasets", "relationships", "metrics")),
    "dataset": frozenset(
        (*_NAMED, "source", "primary_key", "unique_keys", "description", "fields")
    ),
    "field": frozenset((*_NAMED, "expression", "dimension", "label", "description", "datatype")),
    "relationship": frozenset((*_NAMED, "from", "to", "from_columns", "to_columns")),
    "metric": frozenset((*_NAMED, "expression", "description", "datatype")),
}

Mapped = dict[str, Any]


def is_ossie(document: object) -> bool:
    """Return whether a document is of this format, by its first keys."""
    return isinstance(document, dict) and "semantic_model" in document


def ossie_model(document: object, name: str, twice: tuple[Twice, ...] = ()) -> SemanticModel:
    """Read the first model of a document that was parsed.

    Args:
        document: a document of which `is_ossie` holds.
        name: of the file, for messages and as the model's source.
        twice: keys that stand twice in the file.

    Returns:
        the model; what could not be used is among its problems and not among its parts.

    Raises:
        ConfigurationError: it holds no model.
    """
    whole = cast("Mapped", document)
    reader = _Reader(name)
    version = whole.get("version")
    if version not in VERSIONS:
        reader.doubt("version", f"{str(version)[:40]!r} is read as {VERSIONS[-1]}")
    for one in twice:
        reader.wrong(f"line {one.line}" if one.line else one.key, f"{one.key} stands twice")
    listed: object = whole["semantic_model"]
    models = cast("list[object]", [listed] if isinstance(listed, dict) else listed)
    if not isinstance(listed, list | dict) or not models:
        raise ConfigurationError(f"{name} holds no model: semantic_model is a list of models")
    known = [cast("Mapped", one) for one in models if isinstance(one, dict)]
    if not known:
        raise ConfigurationError(f"{name} holds no model that can be read")
    if len(known) > 1:
        others = ", ".join(str(one.get("name"))[:60] for one in known[1:4])
        reader.doubt("semantic_model", f"only the first model is read, not {others}")
    return reader.model(known[0])


class _Reader:
    """Reads one model and keeps what is wrong with it."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._problems: list[Problem] = []

    def wrong(self, place: str, text: str) -> None:
        self._problems.append(Problem(place, text))

    def doubt(self, place: str, text: str) -> None:
        self._problems.append(Problem(place, text, is_error=False))

    def model(self, raw: Mapped) -> SemanticModel:
        own = self._known(raw, "model", "model")
        datasets = {
            name: self._dataset(one, place, name)
            for place, name, one in self._named(raw, "datasets", "datasets")
        }
        if not datasets:
            self.wrong("datasets", "there is no dataset: name at least one")
        relationships = tuple(
            found
            for place, name, one in self._named(raw, "relationships", "relationships")
            if (found := self._relationship(one, place, name)) is not None
        )
        listed = list(self._named(raw, "metrics", "metrics"))
        names = {name for _, name, _ in listed}
        metrics = {name: self._metric(one, place, name, names) for place, name, one in listed}
        return SemanticModel(
            self._text(raw, "name", "model") or "model",
            {name: one for name, one in datasets.items() if one is not None},
            relationships,
            {name: one for name, one in metrics.items() if one is not None},
            self._text(raw, "description", "model"),
            self._week_start(own),
            self._fiscal(own),
            tuple(self._problems),
            self._source,
        )

    def _week_start(self, own: Mapped) -> int:
        raw = str(own.get("week_start", 0)).casefold()
        if raw in _WEEK:
            return _WEEK.index(raw)
        if raw in tuple("0123456"):
            return int(raw)
        self.wrong("model.week_start", f"{raw[:40]!r} is no day of the week: write monday")
        return 0

    def _fiscal(self, own: Mapped) -> str:
        raw = str(own.get("fiscal_year_start", "01-01"))
        month, _, day = raw.partition("-")
        if (
            month.isascii()
            and day.isascii()
            and month.isdigit()
            and day.isdigit()
            and 1 <= int(month) <= 12
            and 1 <= int(day) <= 28
        ):
            return f"{int(month):02}-{int(day):02}"
        self.wrong("model.fiscal_year_start", f"{raw[:40]!r} is no MM-DD with a day up to 28")
        return "01-01"

    def _named(self, raw: Mapped, key: str, place: str) -> Iterator[tuple[str, str, Mapped]]:
        """Mappings of a list, each with its place and a name that no other has."""
        listed = raw.get(key)
        if listed is None:
            return
        if not isinstance(listed, list):
            self.wrong(place, "this is a list")
            return
        seen: dict[str, str] = {}
        for at, one in enumerate(cast("list[object]", listed)):
            here = f"{place}[{at}]"
            if not isinstance(one, dict):
                self.wrong(here, "this is a mapping with a name")
                continue
            entry = cast("Mapped", one)
            name = entry.get("name")
            if not isinstance(name, str) or not name.strip():
                self.wrong(here, "it has no name: give it one")
                continue
            if len(name) > 128 or any(ord(letter) < 32 for letter in name):
                self.wrong(here, "a name has at most 128 characters and no control characters")
                continue
            here = f"{place}.{name}"
            if name.casefold() in seen:
                self.wrong(here, f"{seen[name.casefold()]} has this name already: rename one")
                continue
            seen[name.casefold()] = name
            yield here, name, entry

    def _known(self, raw: Mapped, kind: str, place: str) -> Mapped:
        """Return the content of our own extension; unread parts are told."""
        for key in raw.keys() - _KNOWN[kind]:
            self.doubt(f"{place}.{str(key)[:60]}", "this is not part of the format, and not read")
        own: Mapped = {}
        listed = raw.get("custom_extensions")
        if listed is None:
            return own
        if not isinstance(listed, list):
            self.wrong(f"{place}.custom_extensions", "this is a list")
            return own
        for one in cast("list[object]", listed):
            vendor = str(cast("Mapped", one).get("vendor_name")) if isinstance(one, dict) else "?"
            if vendor != VENDOR:
                self.doubt(
                    f"{place}.custom_extensions", f"the extension of {vendor[:60]} is not read"
                )
                continue
            data = cast("Mapped", one).get("data")
            try:
                found: object = json.loads(data) if isinstance(data, str) else data
            except (ValueError, RecursionError):
                found = None
            if isinstance(found, dict):
                own |= cast("Mapped", found)
            else:
                self.wrong(f"{place}.custom_extensions", "data is a JSON object as text")
        return own

    def _text(self, raw: Mapped, key: str, place: str) -> str:
        value = raw.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.wrong(f"{place}.{key}", "this is a text")
            return ""
        return value.strip()

    def _names(self, raw: Mapped, key: str, place: str) -> tuple[str, ...]:
        value = raw.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong(f"{place}.{key}", "this is a list of names")
            return ()
        found = [one for one in cast("list[object]", value) if isinstance(one, str)]
        if len(found) != len(cast("list[object]", value)):
            self.wrong(f"{place}.{key}", "this is a list of names")
        return tuple(found)

    def _synonyms(self, raw: Mapped, place: str) -> tuple[str, ...]:
        context = raw.get("ai_context")
        if not isinstance(context, dict):
            return ()
        found = self._names(cast("Mapped", context), "synonyms", f"{place}.ai_context")
        return tuple(dict.fromkeys(one.strip() for one in found if one.strip()))

    def _expression(self, raw: Mapped, place: str) -> dict[str, str]:
        value = raw.get("expression")
        listed = cast("Mapped", value).get("dialects") if isinstance(value, dict) else None
        if isinstance(value, str):
            listed = [{"dialect": "ANSI_SQL", "expression": value}]
        found: dict[str, str] = {}
        skipped: list[str] = []
        for one in cast("list[object]", listed) if isinstance(listed, list) else []:
            if not isinstance(one, dict):
                continue
            entry = cast("Mapped", one)
            dialect = str(entry.get("dialect", "ANSI_SQL"))
            text = entry.get("expression")
            if dialect in DIALECTS and isinstance(text, str) and text.strip():
                found.setdefault(DIALECTS[dialect], text.strip())
            else:
                skipped.append(dialect)
        if not found:
            said = f" (only of {', '.join(skipped)[:80]})" if skipped else ""
            self.wrong(f"{place}.expression", f"there is no expression in SQL{said}: add ANSI_SQL")
        for dialect in skipped if found else ():
            reason = "is no SQL" if dialect in OTHER_DIALECTS else "is not known"
            self.doubt(f"{place}.expression", f"the dialect {dialect[:40]} {reason}, and not read")
        return found

    def _dataset(self, raw: Mapped, place: str, name: str) -> Dataset | None:
        own = self._known(raw, "dataset", place)
        source = self._text(raw, "source", place)
        if not source:
            self.wrong(f"{place}.source", "the table is missing: write catalog.schema.table")
            return None
        fields = {
            key: found
            for at, key, one in self._named(raw, "fields", f"{place}.fields")
            if (found := self._field(one, at, key)) is not None
        }
        unique: list[tuple[str, ...]] = []
        keys = raw.get("unique_keys")
        for one in cast("list[object]", keys) if isinstance(keys, list) else []:
            if isinstance(one, list):
                unique.append(tuple(str(column) for column in cast("list[object]", one)))
        return Dataset(
            name,
            source,
            fields,
            self._names(raw, "primary_key", place),
            tuple(unique),
            str(own.get("time_field", "")),
            "",
            self._text(raw, "description", place),
            self._synonyms(raw, place),
            str(own.get("row_filter", "")),
        )

    def _field(self, raw: Mapped, place: str, name: str) -> ModelField | None:
        own = self._known(raw, "field", place)
        expression = self._expression(raw, place)
        if not expression:
            return None
        datatype = self._text(raw, "datatype", place)
        if datatype and datatype not in DATATYPES:
            self.doubt(f"{place}.datatype", f"{datatype[:40]} is taken as any value")
        dimension = raw.get("dimension")
        said = cast("Mapped", dimension).get("is_time") if isinstance(dimension, dict) else None
        is_time = datatype in _TIMES if said is None else str(said).casefold() == "true"
        return ModelField(
            name,
            expression,
            self._text(raw, "label", place),
            self._text(raw, "description", place),
            self._synonyms(raw, place),
            DATATYPES.get(datatype, ""),
            str(own.get("is_dimension", True)).casefold() != "false",
            is_time,
            str(own.get("grain", "")),
            str(own.get("time_zone", "")),
            str(own.get("level", "")),
        )

    def _relationship(self, raw: Mapped, place: str, name: str) -> Relationship | None:
        own = self._known(raw, "relationship", place)
        many, one = self._text(raw, "from", place), self._text(raw, "to", place)
        many_columns = self._names(raw, "from_columns", place)
        one_columns = self._names(raw, "to_columns", place)
        if not many or not one:
            self.wrong(place, "it needs the datasets that it is from and to")
            return None
        if not many_columns or len(many_columns) != len(one_columns):
            self.wrong(place, "from_columns and to_columns are as many, at least one")
            return None
        return Relationship(
            name, many, one, many_columns, one_columns, str(own.get("role", "")).strip()
        )

    def _metric(self, raw: Mapped, place: str, name: str, names: set[str]) -> ModelMetric | None:
        own = self._known(raw, "metric", place)
        expression = self._expression(raw, place)
        if not expression:
            return None
        inputs = self._inputs(own, place)
        kind = str(own.get("kind", ""))
        if kind not in _KINDS:
            if kind:
                self.wrong(f"{place}.kind", f"{kind[:40]!r} is none of {', '.join(_KINDS)}")
            kind = "derived" if inputs else ""
        if not kind:
            referred = _referred_metrics(expression, names, name)
            inputs = tuple(MetricInput(one) for one in referred)
            kind = "derived" if referred else "simple"
        semi = _pair(own.get("semi_additive"))
        if own.get("semi_additive") and (semi is None or semi[1] not in ("first", "last")):
            self.wrong(f"{place}.semi_additive", 'this is a field and "first" or "last"')
            return None
        return ModelMetric(
            name,
            cast("Any", kind),
            expression if kind in ("simple", "derived") else {},
            inputs,
            str(own.get("filter", "")),
            str(own.get("dataset", "")),
            self._window(own, "window", place),
            str(own.get("grain_to_date", "")),
            cast("Any", semi),
            str(own.get("time_field", "")),
            str(own.get("unit", "")),
            str(own.get("label", "")),
            self._text(raw, "description", place),
            self._synonyms(raw, place),
            str(own.get("level", "")),
            self._labels(own, place),
            self._names(own, "verbs", place),
        )

    def _labels(self, own: Mapped, place: str) -> dict[str, str]:
        """Return the names of a metric by language: {"de": "Rückgabequote"}."""
        held = own.get("labels", {})
        listed = cast("Mapped", held) if isinstance(held, dict) else {"": None}
        if any(not isinstance(one, str) for one in listed.values()):
            self.wrong(f"{place}.labels", "these are names by language")
            return {}
        return cast("dict[str, str]", listed)

    def _inputs(self, own: Mapped, place: str) -> tuple[MetricInput, ...]:
        listed = own.get("inputs")
        found: list[MetricInput] = []
        for one in cast("list[object]", listed) if isinstance(listed, list) else []:
            if isinstance(one, str):
                found.append(MetricInput(one))
            elif isinstance(one, dict):
                entry = cast("Mapped", one)
                found.append(
                    MetricInput(
                        str(entry.get("name", "")),
                        str(entry.get("alias", "")),
                        str(entry.get("filter", "")),
                        self._window(entry, "offset", place),
                    )
                )
        return tuple(found)

    def _window(self, own: Mapped, key: str, place: str) -> tuple[int, str] | None:
        raw = own.get(key)
        if raw is None:
            return None
        pair = _pair(raw)
        if pair is not None and pair[0].isascii() and pair[0].isdigit():
            count, unit = int(pair[0][:6]), pair[1].casefold().removesuffix("s")
            if count and unit in ("day", "week", "month", "quarter", "half", "year"):
                return count, unit
        self.wrong(f"{place}.{key}", 'this is a number and a grain: [7, "day"]')
        return None


def _pair(raw: object) -> tuple[str, str] | None:
    if isinstance(raw, list) and len(cast("list[object]", raw)) == 2:
        first, second = cast("list[object]", raw)
        return str(first), str(second)
    return None


def _referred_metrics(expression: Mapping[str, str], names: set[str], own: str) -> list[str]:
    """Metrics that an expression names, where it is made of nothing else."""
    text, dialect = next((text, dialect) for dialect, text in expression.items())
    # An aggregate needs a bracket; what names metrics alone is short.
    if "." in text and "(" in text:
        return []
    try:
        found = [".".join(column_parts(one)) for one in columns(parse(text, dialect))]
    except ExpressionError:
        return []
    return (
        list(dict.fromkeys(found))
        if found and all(one in names and one != own for one in found)
        else []
    )
