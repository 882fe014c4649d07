"""A condition on one property of one domain, read as a test of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import Term, iri_n3, literal, literal_n3
from groundwire.ontology.codelists import misspelt_countries, unstored_code
from groundwire.ontology.concepts import Concept, Values
from groundwire.ontology.conditions import Condition, Filter, Range, Scalar, read_boolean
from groundwire.ontology.findings import Findings
from groundwire.ontology.forms import Asked, forms_of
from groundwire.ontology.index.model import Domain, Path, Property, local_name
from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.likely import likely
from groundwire.ontology.lists import listed
from groundwire.ontology.observed import ObservedValues
from groundwire.ontology.plan import Bounds, Test
from groundwire.ontology.readings import (
    Kind,
    Unreadable,
    kind_of,
    kind_of_range,
    read_range,
    read_scalar,
)
from groundwire.ontology.wording import describe
from groundwire.vocabulary import Policy, Resolution, fold

_LOOKUP_TIMEOUT = 5.0


class Place(NamedTuple):
    """Where a condition applies.

    Attributes:
        slot: as the caller knows it, such as `filters.roadTypes`.
        domain: the domain of the asset.
        prop: the property.
        paths: the ways to it that are meant, all of the property's or fewer.
        name: the property as it is shown.
    """

    slot: str
    domain: Domain
    prop: Property
    paths: tuple[Path, ...]
    name: str


class Meant(NamedTuple):
    """One value as it is shown, and the terms that stand for it."""

    label: str
    terms: tuple[Term, ...]


class Matcher:
    """Reads conditions; what cannot be read becomes a gap, and the test is None."""

    def __init__(self, lexicon: Lexicon, graph: Graph, findings: Findings) -> None:
        """Read with the vocabularies of `lexicon`; report to `findings`."""
        self._lexicon = lexicon
        self._graph = graph
        self._findings = findings

    async def test(self, place: Place, condition: Condition) -> Test | None:
        """The condition as a test, or None after a gap was reported."""
        values = await self._lexicon.values(place.domain, place.prop)
        kind = kind_of(place.prop, values.observed)
        bounds = condition.range
        if bounds is not None and (condition.filter is None or kind in ("number", "date")):
            return await self._range(place, bounds, kind, values.observed)
        wanted = condition.filter or Filter()
        if kind in ("number", "date"):
            return await self._comparable(place, wanted, kind, values.observed)
        if kind == "boolean":
            return await self._boolean(place, wanted)
        return await self._terms(place, wanted, values)

    async def _range(
        self, place: Place, bounds: Range, kind: Kind, observed: ObservedValues
    ) -> Test | None:
        kind = kind_of_range(kind, observed)
        if kind not in ("number", "date"):
            sent = next(str(b) for b in (bounds.lower, bounds.upper) if b is not None)
            self._findings.gap(
                place.slot,
                place.name,
                "unsupported",
                f"{place.name} holds neither numbers nor dates, so it has no range: "
                f"use filters.{place.name}",
                [f"filters.{place.name}={literal_n3(sent)}"],
            )
            return None
        reading = read_range(bounds, kind, place.prop, observed)
        if isinstance(reading, Unreadable):
            ranges = [f"ranges.{place.name}={each}" for each in reading.suggestions]
            problem = reading._replace(suggestions=tuple(ranges))
            await self._unreadable(place, _shown(bounds), problem)
            return None
        unit = f" {place.prop.unit}" if place.prop.unit else ""
        if reading.converted:
            self._findings.correction(
                place.slot, _shown(bounds), f"{reading.converted}{unit}", "converted", certain=True
            )
        shown = f"{place.name} {reading.bounds}{unit}"
        return Test(place.slot, place.name, place.paths, bounds=reading.bounds, shown=shown)

    async def _comparable(
        self, place: Place, wanted: Filter, kind: Kind, observed: ObservedValues
    ) -> Test | None:
        """Numbers and dates that were sent as filters are compared by value."""
        groups: list[tuple[Bounds, ...]] = []
        failed = False
        for sent in (wanted.any_of, wanted.all_of, wanted.none_of):
            found: list[Bounds] = []
            for value in sent:
                reading = read_scalar(value, kind, place.prop, observed)
                if isinstance(reading, Unreadable):
                    # The day of a moment would be more than was asked for.
                    reading = reading._replace(suggestions=())
                    await self._unreadable(place, str(value), reading)
                    failed = True
                    continue
                if reading.converted:
                    self._findings.correction(
                        place.slot, str(value), reading.converted, "converted", certain=True
                    )
                found.append(reading.bounds)
            groups.append(tuple(found))
        if failed:
            return None
        return Test(
            place.slot,
            place.name,
            place.paths,
            any_bounds=groups[0],
            all_bounds=groups[1],
            none_bounds=groups[2],
            contains=wanted.contains,
            exists=wanted.exists,
            shown=describe(place.name, wanted),
        )

    async def _boolean(self, place: Place, wanted: Filter) -> Test | None:
        terms: list[tuple[Term, ...]] = []
        # A text that is looked for in a boolean can only mean the boolean.
        for sent in (wanted.any_of, (*wanted.all_of, *wanted.contains), wanted.none_of):
            found: list[Term] = []
            for value in sent:
                said = read_boolean(value)
                if said is None:
                    problem = Unreadable(
                        "unmapped", f"{place.name} is true or false", ("true", "false")
                    )
                    await self._unreadable(place, str(value), problem)
                    return None
                found += _boolean_terms(said)
            terms.append(tuple(found))
        return Test(
            place.slot,
            place.name,
            place.paths,
            any_of=terms[0],
            all_of=tuple(terms[1][start : start + 2] for start in range(0, len(terms[1]), 2)),
            none_of=terms[2],
            exists=wanted.exists,
            shown=describe(place.name, wanted),
        )

    async def _terms(self, place: Place, wanted: Filter, values: Values) -> Test | None:
        groups: list[list[Meant]] = []
        failed = False
        for sent in (wanted.any_of, wanted.all_of, wanted.none_of):
            meant = [await self._value(place, value, values) for value in sent]
            groups.append([found for found in meant if found is not None])
            failed = failed or len(groups[-1]) < len(sent)
        if failed:
            return None
        any_of, all_of, none_of = groups
        used = Filter(
            any_of=tuple(found.label for found in any_of),
            all_of=tuple(found.label for found in all_of),
            none_of=tuple(found.label for found in none_of),
            contains=wanted.contains,
            exists=wanted.exists,
        )
        return Test(
            place.slot,
            place.name,
            place.paths,
            any_of=_flat(any_of),
            all_of=tuple(found.terms for found in all_of),
            none_of=_flat(none_of),
            contains=wanted.contains,
            exists=wanted.exists,
            shown=describe(place.name, used),
        )

    async def _value(self, place: Place, value: Scalar, values: Values) -> Meant | None:
        """What one value means, or None after a gap was reported."""
        raw = str(value).lower() if isinstance(value, bool) else str(value)
        resolution = values.vocabulary.resolve(raw, Policy.WORDWISE)
        if not values.closed and resolution.how in ("corrected", "unknown"):
            # A store too large to be read whole may hold the very text that was sent.
            stored = await self._lookup(place.prop, raw)
            if stored:
                return Meant(raw, stored)
        if place.prop.iri == RDF_TYPE and ":" not in raw:
            self._findings.gap(
                place.slot,
                raw,
                "unsupported",
                f"{place.name} is the class of a thing, which no word stands for: send its CURIE "
                "or IRI, and kinds of asset as domains",
            )
            return None
        if resolution.how not in ("exact", "folded", "alias"):
            labels = [one.label for one in values.concepts.values()]
            code = unstored_code(place.prop, labels, raw, is_known=resolution.how != "unknown")
            if code is not None:
                # A code that nothing is stored of is found in no asset, and is no mistake.
                return self._unstored(place, raw, code, values)
            likely_codes = misspelt_countries(place.prop, labels, raw)
            if resolution.how == "corrected" and len(likely_codes) > 1:
                detail = f"{raw!r} may be a misspelling of several countries: send one of them"
                self._findings.gap(place.slot, raw, "ambiguous", detail, likely_codes)
                return None
        if resolution.term is not None:
            concept = values.concepts[resolution.term.id]
            self._findings.term(place.slot, raw, concept.label, resolution)
            self._report_variants(place, raw, concept)
            return Meant(concept.label, concept.terms)
        if resolution.how == "ambiguous":
            detail = f"{raw!r} is the name of several values of {place.name}: send one of them"
            tied = [values.concepts[one.term.id].label for one in resolution.candidates]
            self._findings.gap(place.slot, raw, "ambiguous", detail, tied)
            return None
        return await self._unknown(place, raw, resolution, values)

    async def _unknown(
        self, place: Place, raw: str, resolution: Resolution, values: Values
    ) -> Meant | None:
        """A value that is stored in another form; else None, after a gap with what is alike."""
        stored = await self._in_another_form(place, raw)
        if stored:
            shown = ", ".join(dict.fromkeys(map(self._lexicon.shown, stored)))
            if shown != raw:
                self._findings.correction(place.slot, raw, shown, "alias", certain=True)
            return Meant(raw, stored)
        suggestions = [values.concepts[one.term.id].label for one in likely(resolution.candidates)]
        elsewhere = await self._elsewhere(place, raw)
        several = [] if elsewhere else listed(raw, values)
        detail = f"{raw!r} is no value of {place.name}"
        if elsewhere:
            detail += ", but of another property"
        elif several:
            detail += ", but several in one text: send a list"
        else:
            detail += ": see discover_values"
            if not values.concepts or not place.prop.enum:
                detail += f', or search its text with {{"contains": {literal_n3(raw)}}}'
        lists = [f"filters.{place.name}={each}" for each in several]
        self._findings.gap(place.slot, raw, "unmapped", detail, [*elsewhere, *lists, *suggestions])
        return None

    async def _in_another_form(self, place: Place, raw: str) -> tuple[Term, ...]:
        """Stored terms that are this text in another form, or of another namespace's property."""
        observed = self._lexicon.observed
        if not observed.counted:
            return ()
        named = await observed.named(fold(local_name(place.prop.iri)), place.domain)
        # Another property that the shapes name so is asked for by its own name.
        declared = self._lexicon.index.holders()
        others = [iri for iri in named if iri not in declared and iri != RDF_TYPE]
        stored = [
            term
            for iri in dict.fromkeys((place.prop.iri, *others))
            for term, _ in (await observed.values(iri)).counts
        ]
        asked = Asked((literal(raw),))
        exact = tuple(term for term in stored if term == asked.terms[0])
        return exact + forms_of(asked, stored, {}, place.prop).same

    def _unstored(self, place: Place, raw: str, code: str, values: Values) -> Meant:
        """A valid code that no asset has, in the form of those that some have."""
        forms = [term for concept in values.concepts.values() for term in concept.terms]
        like = next((term for term in forms if len(term.value) == len(code)), literal(code))
        if raw != code:
            self._findings.correction(place.slot, raw, code, "alias", certain=True)
        return Meant(code, (like._replace(value=code),))

    def _report_variants(self, place: Place, raw: str, concept: Concept) -> None:
        if concept.declared is None or not concept.variants or raw in concept.variants:
            return
        self._findings.correction(
            place.slot,
            raw,
            ", ".join(dict.fromkeys(term.value for term in concept.stored)),
            "stored_variant",
            certain=True,
        )

    async def _elsewhere(self, place: Place, raw: str) -> list[str]:
        """Other properties of the domain that have the value under exactly this name."""
        return [
            f"filters.{self._lexicon.key_of(place.domain, prop)}={literal_n3(concept.label)}"
            for prop, concept in await self._lexicon.holders(place.domain, raw)
            if prop.key != place.prop.key
        ][:3]

    async def _lookup(self, prop: Property, raw: str) -> tuple[Term, ...]:
        """Terms with this text that a store too large to be read whole holds."""
        rows = await self._graph.select(
            CompiledQuery(
                f"SELECT DISTINCT ?value WHERE {{ ?subject {iri_n3(prop.iri)} ?value "
                f"FILTER(STR(?value) = {literal_n3(raw)}) }} LIMIT 10"
            ),
            timeout=_LOOKUP_TIMEOUT,
        )
        return tuple(term for (term,) in rows.rows if term is not None)

    async def _unreadable(self, place: Place, raw: str, problem: Unreadable) -> None:
        """Report a value that is none of the datatype, and where it is one."""
        elsewhere = await self._elsewhere(place, raw)
        detail = problem.detail
        if elsewhere:
            detail += f"; {raw!r} is a value of another property"
        suggestions = [*elsewhere, *problem.suggestions]
        self._findings.gap(place.slot, raw, problem.reason, detail, suggestions)


def _boolean_terms(said: bool) -> tuple[Term, Term]:
    """The two lexical forms of a boolean (XSD 1.1, section 3.3.2)."""
    datatype = "http://www.w3.org/2001/XMLSchema#boolean"
    words = ("true", "1") if said else ("false", "0")
    return literal(words[0], datatype), literal(words[1], datatype)


def _flat(meant: Sequence[Meant]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(term for found in meant for term in found.terms))


def _shown(bounds: Range) -> str:
    lower = "" if bounds.lower is None else f"{'>' if bounds.lower_open else '>='} {bounds.lower}"
    upper = "" if bounds.upper is None else f"{'<' if bounds.upper_open else '<='} {bounds.upper}"
    return " and ".join(part for part in (lower, upper) if part)
