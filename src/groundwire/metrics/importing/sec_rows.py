"""The values of a company facts file as facts."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from groundwire.metrics.facts.writing import FactRow, FactWriter, SourceDocument
from groundwire.metrics.importing.resolving import Head, Refusal, Resolver, unit_texts
from groundwire.metrics.importing.sec_facts import SecCompany, SecValue
from groundwire.metrics.importing.tally import Tally
from groundwire.metrics.importing.unit_text import read_unit
from groundwire.metrics.profile import Metric
from groundwire.metrics.terms import TOTAL

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
