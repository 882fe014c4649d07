"""SEC company facts (JSON): every value with its interval, filing and place, and as facts.

The identity of a value is its real interval. The labels `fy` and `fp` describe the filing that a
value stands in, not the value, and are not used. Layout of the file: the API documentation of
data.sec.gov, `api/xbrl/companyfacts`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple, cast

from groundwire.errors import InputError, LimitError
from groundwire.metrics.facts.model import FactRow, FactWriter, SourceDocument
from groundwire.metrics.importing.cells import read_unit
from groundwire.metrics.importing.report import Tally
from groundwire.metrics.importing.resolving import Head, Refusal, Resolver, unit_texts
from groundwire.metrics.profile import Metric
from groundwire.metrics.terms import TOTAL

MOST_BYTES = 500_000_000


class SecValue(NamedTuple):
    """One value of the file.

    Attributes:
        taxonomy: whose concept it is ("us-gaap").
        concept: its concept, without the taxonomy.
        unit: its unit as the file writes it.
        start: first day, or "" of a value at a day.
        end: last day.
        value: the value.
        form, accession, filed: the filing.
        place: JSON path with `{}` for its number.
        number: its number in the list of its concept and unit.
    """

    taxonomy: str
    concept: str
    unit: str
    start: str
    end: str
    value: object
    form: str
    accession: str
    filed: str
    place: str
    number: int


@dataclass(frozen=True, slots=True)
class SecConcept:
    """A concept that a company reports.

    Attributes:
        taxonomy, name: what identifies it.
        label: its name for people, or "".
        description: what it counts, or "".
        units: its units, with the values of each.
    """

    taxonomy: str
    name: str
    label: str
    description: str
    units: dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class SecCompany:
    """A file of company facts.

    Attributes:
        name: the company as it is registered.
        cik: its number with the SEC.
        sha256: hash of the file, hexadecimal.
        concepts: what it reports.
        total: how many values there are.
    """

    name: str
    cik: str
    sha256: str
    concepts: tuple[SecConcept, ...]
    total: int

    def values(self) -> Iterator[SecValue]:
        """Every value, in the order of the file."""
        for concept in self.concepts:
            for unit, values in concept.units.items():
                place = f"facts.{concept.taxonomy}.{concept.name}.units.{unit}[{{}}]"
                for number, value in enumerate(values):
                    yield SecValue(
                        concept.taxonomy, concept.name, unit, str(value.get("start") or ""),
                        str(value.get("end") or ""), value.get("val"), str(value.get("form") or ""),
                        str(value.get("accn") or ""), str(value.get("filed") or ""), place, number,
                    )  # fmt: skip


def read_company(path: Path) -> SecCompany:
    """Read a file of company facts; its numbers keep all their digits.

    Raises:
        InputError: it is not JSON, or is laid out in another way.
        LimitError: it is larger than any such file.
    """
    if path.stat().st_size > MOST_BYTES:
        raise LimitError(f"{path.name} is larger than {MOST_BYTES:,} bytes: it is no company facts")
    content = path.read_bytes()
    try:
        tree = json.loads(content, parse_float=Decimal, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} is no JSON: {error}") from error
    try:
        facts = cast(dict[str, dict[str, dict[str, Any]]], tree["facts"])
        concepts = tuple(
            SecConcept(
                taxonomy, name, str(one.get("label") or ""), str(one.get("description") or ""),
                {str(unit): _values(values) for unit, values in one["units"].items()},
            )
            for taxonomy, named in facts.items()
            for name, one in named.items()
        )  # fmt: skip
        name, cik = str(tree["entityName"]), str(tree.get("cik") or "")
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path.name} is no SEC company facts file: it needs entityName and "
            "facts.TAXONOMY.CONCEPT.units.UNIT[...]"
        ) from error
    total = sum(len(values) for one in concepts for values in one.units.values())
    return SecCompany(name, cik, hashlib.sha256(content).hexdigest(), concepts, total)


def _values(values: object) -> list[dict[str, Any]]:
    if not isinstance(values, list):
        raise TypeError("no list")
    listed = cast(list[object], values)
    if not all(isinstance(value, dict) for value in listed):
        raise TypeError("no objects")
    return cast(list[dict[str, Any]], listed)


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number")


_TOLD_EVERY = 8192


class SecRows:
    """Makes facts of the values of one company. A generator that is read once.

    A concept is a metric by its code, or by an alias letter for letter: folding would take
    "Revenues" for "Revenue", which are two concepts. Of a concept with several units the metric
    of the unit `u` may have the code `Concept.u`, and of two taxonomies with one concept that of
    `t` may have `t:Concept`.
    """

    def __init__(
        self, company: SecCompany, resolver: Resolver, writer: FactWriter, tally: Tally
    ) -> None:
        """Take what the facts are made by.

        Args:
            company: the file.
            resolver: resolves entity and periods.
            writer: registers the filings as documents.
            tally: what is counted.
        """
        self._company = company
        self._resolver = resolver
        self._writer = writer
        self.tally = tally
        self._metrics: dict[str, Metric] = {}
        for metric in resolver.profile.metrics:
            self._metrics |= dict.fromkeys(metric.aliases, metric)
        self._metrics |= resolver.profile.metric_by_code
        self._metrics |= {
            name: resolver.profile.metric_by_code[code]
            for name, code in resolver.mapping.aliases.metric.items()
        }
        origin = resolver.mapping.columns.entity
        self._entity = (origin.constant if origin else None) or company.name
        self._heads: dict[tuple[str, str, str], Head | Refusal] = {}
        self._documents: dict[tuple[str, str, str], int] = {}
        self.names: list[str] = []

    def __iter__(self) -> Iterator[FactRow]:
        tally, total = self.tally, self._company.total
        for value in self._company.values():
            tally.rows += 1
            if not tally.rows % _TOLD_EVERY:
                tally.tell(tally.rows, total)
            try:
                fact = self._fact(value)
            except Refusal as refusal:
                if refusal.skip:
                    tally.skip(str(refusal))
                    continue
                place = value.place.replace("{}", str(value.number))
                tally.refuse(place, refusal.role, refusal.raw, str(refusal))
                continue
            yield fact
        tally.tell(total, total)

    def _fact(self, value: SecValue) -> FactRow:
        key = value.taxonomy, value.concept, value.unit
        head = self._heads.get(key)
        if head is None:
            try:
                head = self._head(value)
            except Refusal as refusal:
                head = refusal
            self._heads[key] = head
        if isinstance(head, Refusal):
            raise head
        span = self._resolver.interval(value.start, value.end, head.calendar)
        if not head.takes(span.grain):
            raise Refusal(
                "end", value.end,
                f"{head.metric} has a {span.grain.replace('_', ' ')}, which is no grain of it",
                skip=True,
            )  # fmt: skip
        mantissa, exponent = _exact(value.value)
        as_of = self._resolver.day(value.filed, "filed")
        document = self._document(value, as_of)
        self.tally.facts += 1
        return FactRow(
            head.metric, head.entity, head.channel, span.start, span.end, as_of, mantissa,
            exponent + head.shift, head.unit, document, value.place, value.number,
            str(value.value) if head.shift else None,
        )  # fmt: skip

    def _head(self, value: SecValue) -> Head:
        names = names_of(value.taxonomy, value.concept, value.unit)
        metric = next((self._metrics[name] for name in names if name in self._metrics), None)
        if metric is None:
            skip = self._resolver.mapping.unknown.metric != "bad"
            reason = f"{value.concept} is no metric code of the profile"
            raise Refusal("concept", value.concept, reason, skip)
        entity = self._resolver.entity(self._entity, metric.kind)
        # "pure" is a bare number, which says as much as a symbol does.
        stated = unit_texts(value.unit)
        if not read_unit(value.unit).symbol and metric.unit:
            reason = f"{value.concept} is a bare number, {metric.code} has the unit {metric.unit!r}"
            raise Refusal("unit", value.unit, reason)
        return self._resolver.head_of(metric, entity, TOTAL, stated)

    def _document(self, value: SecValue, as_of: int) -> int:
        key = value.form, value.accession, value.filed
        number = self._documents.get(key)
        if number is None:
            from datetime import date

            name = f"{value.form} {value.accession}".strip()
            document = SourceDocument(
                name, self._company.sha256, f"SEC {self._company.name}", date.fromordinal(as_of)
            )
            number = self._documents[key] = self._writer.document(document)
            self.names.append(name)
        return number


def names_of(taxonomy: str, concept: str, unit: str) -> tuple[str, ...]:
    """The names by which the metric of a concept may be called, the most special first."""
    full = f"{taxonomy}:{concept}"
    return f"{full}.{unit}", full, f"{concept}.{unit}", concept


def _exact(value: object) -> tuple[int, int]:
    """Mantissa and exponent of a JSON number.

    Raises:
        Refusal: it is not a number.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value, 0
    if isinstance(value, Decimal):
        sign, digits, exponent = value.as_tuple()
        if isinstance(exponent, int):
            mantissa = int("".join(map(str, digits)))
            return (-mantissa if sign else mantissa), exponent
    raise Refusal("val", str(value), f"{value!r} is no number")
