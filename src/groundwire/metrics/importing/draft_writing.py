"""A drafted profile as TOML, and the draft for SEC company facts: a metric for each concept.

Everyday names of the concepts that people ask about most are for drafts of SEC company facts. The
labels of the US GAAP taxonomy are the accountant's ("Revenue from Contract with Customer, Excluding
Assessed Tax"). A name is given only where one of its concepts stands in the file; where several do,
to none of them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.errors import InputError
from groundwire.metrics.about import heading_names
from groundwire.metrics.importing.cells import read_unit
from groundwire.metrics.importing.draft_columns import (
    Codes,
    Measure,
    derivations_of,
    ordered_grains,
    readable,
    short_name,
)
from groundwire.metrics.importing.draft_terms import DraftMetric, DraftTerm
from groundwire.metrics.importing.sec_facts import SecConcept, read_company
from groundwire.quantities.periods import FiscalCalendar, interval_period
from groundwire.vocabulary.fold import fold

TomlValue = str | int | bool | Sequence["TomlValue"] | Mapping[str, "TomlValue"] | None

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_CONTROL = re.compile(r"[\x7f-\x9f\ud800-\udfff]")


class Block(NamedTuple):
    """One table of a TOML file.

    Attributes:
        header: its header: `[profile]`, `[[entities]]`.
        entries: its entries; None, "" and empty lists are left out.
        comments: what stands above it, a line each.
    """

    header: str
    entries: Mapping[str, TomlValue]
    comments: Sequence[str] = ()


def toml(blocks: Iterable[Block], comments: Sequence[str]) -> str:
    """Write tables, each with its comments above it."""
    parts = ["".join(map(_comment, comments))]
    for block in blocks:
        lines = [_comment(text) for text in block.comments]
        lines.append(f"{block.header}\n")
        lines += [
            f"{key(name)} = {written(value)}\n"
            for name, value in block.entries.items()
            if value is not None and value not in ("", (), [])
        ]
        parts.append("".join(lines))
    return "\n".join(part for part in parts if part)


def key(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.fullmatch(name) else _text(name)


def written(value: TomlValue) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key(name)} = {written(one)}" for name, one in value.items())
        return f"{{ {inside} }}"
    if value is None:
        raise ValueError("TOML has no null")
    return f"[{', '.join(map(written, value))}]"


def _text(text: str) -> str:
    """A basic string. JSON escapes what TOML wants escaped, but for DEL and C1 controls."""
    return _CONTROL.sub(
        lambda match: f"\\u{ord(match[0]):04X}", json.dumps(text, ensure_ascii=False)
    )


def _comment(text: str) -> str:
    return f"# {' '.join(_CONTROL.sub(' ', text).split())}\n"


@dataclass(frozen=True, slots=True)
class DraftParts:
    """The parts of a drafted profile.

    Attributes:
        path: the file that it is drafted for.
        kind: key of the kind of its entities.
        kind_label: what that kind is called.
        entities, metrics, channels: its terms.
        grains: grains of all metrics that have none of their own, the usual one first.
        home: code of the entity that a question without one is about, or "".
        example_period: a period that the file has.
        fiscal_year_start: month and day, or "".
    """

    path: Path
    kind: str
    kind_label: str
    entities: tuple[DraftTerm, ...]
    metrics: tuple[DraftMetric, ...]
    channels: tuple[DraftTerm, ...]
    grains: tuple[str, ...]
    home: str
    example_period: str
    fiscal_year_start: str = ""
    channel_label: str = ""


def profile_toml(parts: DraftParts, notes: Sequence[str]) -> str:
    """The profile, with the guesses that a person should look at as its first lines."""
    flows = [one for one in parts.metrics if one.measure == "flow"] or parts.metrics
    example = next((one for one in flows if "revenue" in one.code.casefold()), flows[0])
    yearly = "year" in {grain for one in parts.metrics for grain in one.grains or parts.grains}
    blocks = [
        Block(
            "[profile]",
            {
                "name": short_name(parts.path.stem),
                "title": readable(parts.path.stem),
                "description": f"Facts of {parts.path.name}.",
                "example_metric": example.label,
                "example_entity": parts.entities[0].label,
                "example_period": parts.example_period,
                "channel_label": parts.channel_label,
            },
        ),
        Block(
            f"[kinds.{parts.kind}]",
            {
                "label": parts.kind_label,
                "aliases": _other_names(parts),
                "home": parts.home,
                "default_period": "" if yearly else "latest",
                "fiscal_year_start": parts.fiscal_year_start,
            },
        ),
    ]
    blocks += [_metric(one, parts) for one in parts.metrics]
    blocks += [
        Block("[[channels]]", {"code": one.code, "label": one.label}) for one in parts.channels
    ]
    blocks += [
        Block(
            "[[entities]]",
            {
                "code": one.code, "kind": parts.kind, "name": one.label[:400],
                "aliases": list(one.aliases),
            },
        )
        for one in parts.entities
    ]  # fmt: skip
    head = [f"Drafted for {parts.path.name}: read it before it is used."]
    return toml(blocks, [*head, *(f"Look at: {note}." for note in notes)])


def _other_names(parts: DraftParts) -> list[str]:
    """Other words for the kind of entity, without those that call something else here."""
    terms = (*parts.metrics, *parts.entities, *parts.channels)
    taken = {fold(name) for one in terms for name in (one.label, *one.aliases)}
    taken |= set(map(fold, (parts.kind_label, *heading_names(parts.channel_label))))
    return [name for name in heading_names(parts.kind_label) if fold(name) not in taken]


def _metric(metric: DraftMetric, parts: DraftParts) -> Block:
    comments = () if metric.unit else ("No unit is known: the values are bare numbers.",)
    return Block(
        "[[metrics]]",
        {
            "code": metric.code, "kind": parts.kind, "label": metric.label[:400],
            "aliases": list(metric.aliases), "unit": metric.unit, "measure": metric.measure,
            "grains": list(metric.grains or parts.grains),
            "derivations": list(derivations_of(metric.measure)), "definition": metric.definition,
        },
        comments,
    )  # fmt: skip


# Names, then the concepts that may be meant by them.
_TABLES = tomllib.loads((files(__package__ or "") / "draft_sec.toml").read_text("utf-8"))
_NAMES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(one["names"]), tuple(one["concepts"])) for one in _TABLES["metric"]
)

_SUFFIX = re.compile(
    r"(?:[,.]\s+|(?<![,.\s])\s+)(?:inc|corp|corporation|co|company|ltd|plc|llc|lp|sa|ag|nv|se)\b\.?$",
    re.I,
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,79}")
_LONGEST_CODE = 80
_MOST_DEFINITION = 300


def draft_sec(path: Path) -> tuple[DraftParts, list[Block], list[str]]:
    """Draft for a file of company facts.

    Returns:
        What the profile is made of, the tables of the mapping, and the guesses to look at.

    Raises:
        InputError: it is not such a file, or holds no values.
    """
    company = read_company(path)
    notes: list[str] = []
    starts, total = _year_starts(company.concepts), company.total
    if not total:
        raise InputError(f"{path.name} holds no values")
    month, day = 1, 1
    if starts:
        (month, day), most = starts.most_common(1)[0]
        if most < 0.9 * starts.total():
            notes.append(
                f"fiscal years begin on several days, most on {month:02}-{day:02}: 52 or 53 weeks?"
            )
    else:
        notes.append("no value covers a year: the fiscal year was taken to begin in January")
    calendar = FiscalCalendar(month, day)
    plain = _SUFFIX.sub("", company.name).strip(" ,.")
    codes = Codes("COMPANY")
    entity = DraftTerm(
        codes.give(plain or company.name), company.name,
        tuple(dict.fromkeys(name for name in (
            plain.title() if plain.isupper() else plain, f"CIK{company.cik.zfill(10)}",
        ) if name and name != company.name)),
    )  # fmt: skip
    metrics = _metrics(company.concepts, calendar, notes)
    parts = DraftParts(
        path, "company", "company", (entity,), tuple(metrics), (), ("year",), entity.code,
        _last_year(company.concepts, calendar), f"{month:02}-{day:02}",
    )  # fmt: skip
    mapping = [
        Block("[layout]", {"format": "sec_company_facts"}),
        Block("[columns]", {"entity": {"constant": entity.code}}),
    ]
    return parts, mapping, notes


def _metrics(
    concepts: Sequence[SecConcept], calendar: FiscalCalendar, notes: list[str]
) -> list[DraftMetric]:
    taken: set[str] = set()
    named: set[str] = set()
    metrics: list[DraftMetric] = []
    for concept in concepts:
        own = f"{concept.taxonomy}:{concept.name}" if concept.name in named else concept.name
        named.add(concept.name)
        ordered = sorted(concept.units.items(), key=lambda item: -len(item[1]))
        for number, (unit, values) in enumerate(ordered):
            name = own if number == 0 else f"{own}.{unit}"
            code = _code(name, taken)
            label = _label(concept) + (f" in {unit}" if number else "")
            if number:
                notes.append(f"{concept.name} has values in {unit} too, as the metric {code}")
            metrics.append(
                DraftMetric(
                    code, label, (name,) if name != code else (), read_unit(unit).symbol,
                    _measure(unit, values), None, None, _definition(concept),
                    _grains(values, calendar),
                )
            )  # fmt: skip
    everyday = dict(everyday_names(named))
    if everyday:
        notes.append(
            f"everyday names were given to {len(everyday)} concepts (see aliases): check that each "
            "is the one that is meant"
        )
    return _apart([replace(one, aliases=_with(one, everyday, metrics)) for one in metrics])


def _with(
    metric: DraftMetric, everyday: Mapping[str, tuple[str, ...]], metrics: Sequence[DraftMetric]
) -> tuple[str, ...]:
    """The aliases of a metric with its everyday names, but those that are another's own."""
    others = {fold(name) for one in metrics if one != metric for name in (one.code, one.label)}
    added = (name for name in everyday.get(metric.code, ()) if fold(name) not in others)
    return (*metric.aliases, *(name for name in added if fold(name) != fold(metric.label)))


def _apart(metrics: list[DraftMetric]) -> list[DraftMetric]:
    """The metrics with labels that no other metric answers to, by its label, code or alias."""
    owners: dict[str, set[str]] = defaultdict(set)
    for one in metrics:
        for name in (one.code, one.label, *one.aliases):
            owners[fold(name)].add(one.code)
    return [
        replace(
            one,
            label=f"{one.label} ({one.code})" if len(owners[fold(one.label)]) > 1 else one.label,
        )
        for one in metrics
    ]


def _code(name: str, taken: set[str]) -> str:
    """The concept as a code; a longer one is cut and stands beside it as an alias."""
    code = name if _CODE.fullmatch(name) else re.sub(r"[^A-Za-z0-9_.:/-]", "_", name)
    code, number = code[:_LONGEST_CODE], 1
    while code.casefold() in taken:
        number += 1
        code = f"{code[: _LONGEST_CODE - 4]}_{number}"
    taken.add(code.casefold())
    return code


def _label(concept: SecConcept) -> str:
    return " ".join(concept.label.split()) or _HUMP.sub(" ", concept.name)


def _definition(concept: SecConcept) -> str:
    first = " ".join(concept.description.split()).partition(". ")[0]
    if len(first) > _MOST_DEFINITION:
        return first[:_MOST_DEFINITION].rpartition(" ")[0] + " …"
    return first


def _measure(unit: str, values: list[dict[str, Any]]) -> Measure:
    if unit == "pure" or "/" in unit:
        return "rate"
    return "flow" if any(value.get("start") for value in values) else "stock"


def _days(value: dict[str, Any]) -> tuple[date, date] | None:
    try:
        end = date.fromisoformat(str(value.get("end")))
        return date.fromisoformat(str(value.get("start") or value.get("end"))), end
    except ValueError:
        return None


def _grains(values: list[dict[str, Any]], calendar: FiscalCalendar) -> tuple[str, ...]:
    grains: set[str] = set()
    for start, end in {days for value in values if (days := _days(value))}:
        grains.add("day" if start == end else interval_period(start, end, calendar).grain)
    return ordered_grains(grains) or ("year",)


def _years(concepts: Sequence[SecConcept]) -> Counter[tuple[date, date]]:
    """The intervals of a year that the values cover."""
    found: Counter[tuple[date, date]] = Counter()
    for concept in concepts:
        for values in concept.units.values():
            for value in values:
                days = _days(value)
                if days is not None and 350 <= (days[1] - days[0]).days <= 380:
                    found[days] += 1
    return found


def _year_starts(concepts: Sequence[SecConcept]) -> Counter[tuple[int, int]]:
    """Month and day on which the years begin, with how many years do."""
    starts: Counter[tuple[int, int]] = Counter()
    for (start, end), _ in _years(concepts).items():
        first = end + timedelta(days=1) if end.day > 27 else start
        starts[(first.month, min(first.day, 28))] += 1
    return starts


def _last_year(concepts: Sequence[SecConcept], calendar: FiscalCalendar) -> str:
    years = _years(concepts)
    if not years:
        return ""
    start, end = max(years, key=lambda days: days[1])
    return interval_period(start, end, calendar).label


def everyday_names(concepts: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The everyday names that each of some concepts has, as (concept, names)."""
    for names, meant in _NAMES:
        held = [concept for concept in meant if concept in concepts]
        if len(held) == 1:
            yield held[0], names
