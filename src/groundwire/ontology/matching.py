"""A condition on one property of one domain, read as a test of the plan."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import Term, iri_n3, literal, literal_n3
from groundwire.ontology.concepts import (
    Concept,
    Values,
    misspelt_countries,
    texts_of,
    unstored_code,
)
from groundwire.ontology.conditions import Condition, Filter, Range, Scalar, read_boolean
from groundwire.ontology.forms import Asked, forms_of
from groundwire.ontology.index.model import Domain, Path, Property, spoken_name
from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.observed import ObservedValues
from groundwire.ontology.pages import describe
from groundwire.ontology.plan import Bounds, Test
from groundwire.ontology.readings import (
    Kind,
    Unreadable,
    kind_of_range,
    read_range,
    read_scalar,
)
from groundwire.ontology.results import Findings, likely
from groundwire.vocabulary import Policy, Resolution, fold

_BETWEEN = re.compile(r"(?<!\s)\s*[,;|，、；]\s*|(?<!\s)\s+(?:/|and|or|und|oder)\s+")
_EVERY = re.compile(r"\s(?:and|und)\s")
_MAX_PARTS = 20

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
    """One value as it is shown, the terms that stand for it, and its name in sentences."""

    label: str
    terms: tuple[Term, ...]
    said: str


class Matcher:
    """Reads conditions; what cannot be read becomes a gap, and the test is None."""

    def __init__(self, lexicon: Lexicon, graph: Graph, findings: Findings) -> None:
        """Read with the vocabularies of `lexicon`; report to `findings`."""
        self._lexicon = lexicon
        self._graph = graph
        self._findings = findings
        # Slots of properties whose values are not all known, since there was no time to read them.
        self._unlisted: set[str] = set()

    async def test(self, place: Place, condition: Condition) -> Test | None:
        """The condition as a test, or None after a gap was reported."""
        values = await self._lexicon.values(place.domain, place.prop)
        observed = values.observed
        if not observed.counts and observed.complete:
            # What no asset of the kind holds is of the datatype that it has elsewhere.
            observed = await self._lexicon.observed.values(place.prop.iri)
        kind = observed.kind_of(place.prop)
        bounds = condition.range
        if bounds is not None and (condition.filter is None or kind in ("number", "date")):
            spoken = str(condition.filter.any_of[0]) if condition.filter else ""
            return await self._range(place, bounds, kind, observed, spoken)
        wanted = condition.filter or Filter()
        if kind in ("number", "date") and not self._is_text(place, wanted, kind, values):
            return await self._comparable(place, wanted, kind, observed)
        if kind == "boolean" and not self._is_text(place, wanted, kind, values):
            return await self._boolean(place, wanted, observed)
        return await self._terms(place, wanted, values)

    def _is_text(self, place: Place, wanted: Filter, kind: Kind, values: Values) -> bool:
        """Whether values are sent that cannot be compared and are stored by this very text."""
        stored = {term.value for term, _ in values.observed.counts}
        sent = [*wanted.any_of, *wanted.all_of, *wanted.none_of]
        if not sent or not all(isinstance(one, str) and one in stored for one in sent):
            return False
        if kind == "boolean":
            return any(read_boolean(one) is None for one in sent)
        return any(
            isinstance(read_scalar(one, kind, place.prop, values.observed), Unreadable)
            for one in sent
        )

    async def _range(
        self, place: Place, bounds: Range, kind: Kind, observed: ObservedValues, spoken: str
    ) -> Test | None:
        """A range as a test; `spoken` is the text of a filter that it was read from, or ""."""
        kind = kind_of_range(kind, observed)
        if kind not in ("number", "date"):
            sent = next(str(b) for b in (bounds.lower, bounds.upper) if b is not None)
            # A figure that is a bound is no value: what lies beyond it would be left out.
            is_value = bounds.lower == bounds.upper or not any(map(str.isdigit, sent))
            self._findings.gap(
                place.slot,
                place.name,
                "unsupported",
                f"{place.name} holds neither numbers nor dates, so it has no range: "
                f"use filters.{place.name}",
                [f"filters.{place.name}={literal_n3(sent)}"] if is_value else [],
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
            used, raw = f"{reading.converted}{unit}", reading.replaced or _shown(bounds)
            if spoken:
                used, raw = f"{reading.bounds}{unit}", spoken
            elif reading.replaced is None:
                used = f"ranges.{place.name}={_as_sent(reading.bounds, unit)}"
            if used != raw:
                self._findings.correction(place.slot, raw, used, "converted", certain=True)
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
                if reading.converted and reading.converted != str(value):
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

    async def _boolean(self, place: Place, wanted: Filter, observed: ObservedValues) -> Test | None:
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
                found += _boolean_terms(said, observed)
            terms.append(tuple(found))
        return Test(
            place.slot,
            place.name,
            place.paths,
            any_of=terms[0],
            all_of=tuple(
                tuple(one for one in terms[1] if read_boolean(one.value) is said)
                for said in dict.fromkeys(read_boolean(one.value) for one in terms[1])
            ),
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
        shown, said = (
            describe(
                place.name, Filter(named[0], named[1], named[2], wanted.contains, wanted.exists)
            )
            for name in (attrgetter("label"), attrgetter("said"))
            for named in ([tuple(map(name, one)) for one in groups],)
        )
        return Test(
            place.slot,
            place.name,
            place.paths,
            any_of=_flat(groups[0]),
            all_of=tuple(found.terms for found in groups[1]),
            none_of=_flat(groups[2]),
            contains=wanted.contains,
            exists=wanted.exists,
            shown=shown,
            said=said,
        )

    async def _value(self, place: Place, value: Scalar, values: Values) -> Meant | None:
        """Return what one value means, or None after a gap was reported."""
        raw = str(value).lower() if isinstance(value, bool) else str(value)
        values = await self._looked_up(place, raw, values)
        resolution = values.vocabulary.resolve(_one_form(raw, values), Policy.WORDWISE)
        if resolution.how in ("corrected", "unknown"):
            # A store too large to be read whole may hold the very text that was sent.
            stored = () if values.closed else await self._lookup(place.prop, raw)
            if stored:
                return Meant(raw, stored, raw)
            resolution, values = await self._known_elsewhere(place, raw, resolution, values)
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
            shown, said = self._every_form(concept), concept.said
            return Meant(shown, concept.terms, shown if said == concept.label else said)
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
            return Meant(raw, stored, raw)
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
        unlisted = place.slot in self._unlisted and not elsewhere
        if unlisted:
            detail = (
                f"{raw!r} was not found in {place.name}, whose values could not all be read in "
                "time: ask again later"
            )
        reason = "limitation" if unlisted else "unmapped"
        self._findings.gap(place.slot, raw, reason, detail, [*elsewhere, *lists, *suggestions])
        return None

    async def _looked_up(self, place: Place, raw: str, values: Values) -> Values:
        """The values, after an endpoint was asked for this one; for all where it has none such."""
        observed, iri = self._lexicon.observed, place.prop.iri
        if values.closed or observed.counted or place.prop.key != iri:
            return values
        found = values.vocabulary.resolve(raw, Policy.WORDWISE)
        texts = [raw]
        if found.term is not None:
            concept = values.concepts[found.term.id]
            texts += [concept.key, concept.label, *texts_of(concept.names)]
        looked = await observed.seek([iri], texts)
        values = await self._lexicon.values(place.domain, place.prop)
        found = values.vocabulary.resolve(raw, Policy.WORDWISE)
        concept = values.concepts[found.term.id] if found.term is not None else None
        certain = found.how in ("exact", "folded", "alias") and concept is not None
        if certain and concept is not None and concept.stored:
            return values
        listed = await observed.read_list(iri)
        if not listed:
            self._unlisted.add(place.slot)
            missed = "all values" if looked else "the values"
            self._findings.unlooked[f"{missed} of {place.name} could not be read in time"] = None
        return await self._lexicon.values(place.domain, place.prop)

    async def _known_elsewhere(
        self, place: Place, raw: str, resolution: Resolution, values: Values
    ) -> tuple[Resolution, Values]:
        """Read a value that is none of the kind's own as what other places call so for certain."""
        if place.prop.iri == RDF_TYPE:
            return resolution, values
        # What other subjects have by this very name is a value too, though none of this kind.
        everywhere = await self._lexicon.values_anywhere(place.domain, place.prop)
        found = everywhere.vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return found, everywhere
        labelled = await self._lexicon.values_as_labelled(place.domain, place.prop)
        if labelled is not values:
            found = labelled.vocabulary.resolve(raw, Policy.WORDWISE)
        return (found, labelled) if found.term is not None else (resolution, values)

    async def _in_another_form(self, place: Place, raw: str) -> tuple[Term, ...]:
        """Stored terms that are this text in another form, or of another namespace's property."""
        observed = self._lexicon.observed
        if not observed.counted:
            return ()
        named = await observed.named(spoken_name(place.prop.iri), place.domain)
        # Another property that the shapes name so is asked for by its own name.
        others = [iri for iri in named if iri != RDF_TYPE and not self._is_declared(iri)]
        stored = [
            term
            for iri in dict.fromkeys((place.prop.iri, *others))
            for term, _ in (await observed.values(iri)).counts
        ]
        asked = Asked((literal(raw),))
        exact = tuple(term for term in stored if term == asked.terms[0])
        return exact + forms_of(asked, stored, {}, place.prop).same

    def _is_declared(self, iri: str) -> bool:
        """Whether a shape of any domain names a property."""
        index = self._lexicon.index
        holders = index.holders().get(iri, ())
        return any(index.domains[name].properties[iri].declared for name in holders)

    def _unstored(self, place: Place, raw: str, code: str, values: Values) -> Meant:
        """A valid code that no asset has, in the form of those that some have."""
        forms = [term for concept in values.concepts.values() for term in concept.terms]
        like = next((term for term in forms if len(term.value) == len(code)), literal(code))
        if raw != code:
            self._findings.correction(place.slot, raw, code, "alias", certain=True)
        return Meant(code, (like._replace(value=code),), code)

    def _report_variants(self, place: Place, raw: str, concept: Concept) -> None:
        # A text that is an IRI elsewhere is told whoever declared it.
        is_mixed = len({term.kind for term in concept.stored}) > 1
        is_sent = concept.declared is None or raw in concept.variants
        if not concept.variants or (is_sent and not is_mixed):
            return
        self._findings.correction(
            place.slot,
            raw,
            ", ".join(dict.fromkeys(term.value for term in concept.stored)),
            "stored_variant",
            certain=True,
        )

    def _every_form(self, concept: Concept) -> str:
        """Return the name of a value, with the other texts that it is stored as: fog or foggy."""
        stored = [concept.label, *map(self._lexicon.shown, concept.stored)]
        forms = {fold(text.rpartition(":")[2]): text for text in reversed(stored)}
        return " or ".join(reversed(forms.values()))

    async def _elsewhere(self, place: Place, raw: str) -> list[str]:
        """Other properties of the domain that have the value under exactly this name."""
        return [
            f"filters.{self._lexicon.key_of(place.domain, prop)}={literal_n3(concept.label)}"
            for prop, concept in await self._lexicon.holders(place.domain, raw)
            if prop.key != place.prop.key
        ][:3]

    async def _lookup(self, prop: Property, raw: str) -> tuple[Term, ...]:
        """Terms with this text that a store too large to be read whole holds."""
        if not self._lexicon.observed.counted:
            # An endpoint was asked for its forms; any other would be found by reading everything.
            return ()
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


def _boolean_terms(said: bool, observed: ObservedValues) -> tuple[Term, ...]:
    """The lexical forms of a boolean (XSD 1.1, section 3.3.2), and the texts stored for it."""
    datatype = "http://www.w3.org/2001/XMLSchema#boolean"
    words = ("true", "1") if said else ("false", "0")
    stored = [term for term, _ in observed.counts if read_boolean(term.value) is said]
    return tuple(dict.fromkeys([*(literal(word, datatype) for word in words), *stored]))


def _one_form(raw: str, values: Values) -> str:
    """One form of the value that a text gives in several (`fog, foggy`), else the text."""
    forms = raw.split(", ")
    if len(forms) == 1:
        return raw
    read = [values.vocabulary.resolve(form, Policy.CANDIDATES_ONLY, 1).term for form in forms]
    return forms[0] if len({term and term.id for term in read}) == 1 and read[0] else raw


def _flat(meant: Sequence[Meant]) -> tuple[Term, ...]:
    return tuple(dict.fromkeys(term for found in meant for term in found.terms))


def _as_sent(bounds: Bounds, unit: str) -> str:
    """Both bounds as they can be sent."""
    lower = {"gt" if bounds.lower_open else "min": f"{bounds.lower}{unit}"}
    upper = {"lt" if bounds.upper_open else "max": f"{bounds.upper}{unit}"}
    return json.dumps({**lower, **upper}, ensure_ascii=False)


def _shown(bounds: Range) -> str:
    lower = "" if bounds.lower is None else f"{'>' if bounds.lower_open else '>='} {bounds.lower}"
    upper = "" if bounds.upper is None else f"{'<' if bounds.upper_open else '<='} {bounds.upper}"
    return " and ".join(part for part in (lower, upper) if part)


def listed(raw: str, values: Values) -> list[str]:
    """Conditions on the values that a text lists, likeliest first; none if a part is not a value.

    A comma may mean any of them or all of them, so both are offered and neither is applied. Values
    without anything between them ("rural motorway") are all wanted.
    """
    parts = [part for part in _BETWEEN.split(raw) if part]
    if len(parts) > 1:
        operators = ("all_of", "any_of") if _EVERY.search(raw) else ("any_of", "all_of")
    else:
        parts, operators = raw.split(), ("all_of",)
    if not 1 < len(parts) <= _MAX_PARTS:
        return []
    labels: list[str] = []
    for part in parts:
        resolution = values.vocabulary.resolve(part, Policy.CANDIDATES_ONLY, limit=1)
        if resolution.term is None:
            return []
        labels.append(values.concepts[resolution.term.id].label)
    if len(set(labels)) == 1:
        return []
    return [json.dumps({operator: labels}, ensure_ascii=False) for operator in operators]
