"""Pages of assets, and sentences of answers: what was asked in words, and what was found.

A page says what is shown of each asset, how many a model can afford, and what was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from groundwire.evidence.answers import Paged, Part, in_words
from groundwire.evidence.records import Value, ValueKind
from groundwire.graph.terms import XSD, Term
from groundwire.ontology.catalogue import State
from groundwire.ontology.compile import join_pattern, values_query
from groundwire.ontology.conditions import Filter
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.plan import Branch, Join, Plan, Test
from groundwire.ontology.results import AssetItem, GapItem, SearchResult
from groundwire.ontology.statements import property_names
from groundwire.safe_text import safe_name

_MAX_NAMED = 3
_MAX_ROW = 800


def number_of(number: int, one: str, many: str) -> str:
    """A number with its noun: `1 property`, `5,046 values`."""
    return f"{number:,} {one if number == 1 else many}"


def in_a_row(names: Sequence[str], most: int, characters: int = _MAX_ROW) -> str:
    """Names in a row, the first of them where there are many: `a, b and more`.

    Args:
        names: what is listed.
        most: how many names are shown at most.
        characters: how long the row may be; one name is shown however long it is.
    """
    shown: list[str] = []
    for name in map(safe_name, names[:most]):
        characters -= len(name) + 2
        if shown and characters < 0:
            break
        shown.append(name)
    row = ", ".join(shown)
    return f"{row} and more" if len(names) > len(shown) else row


def describe(name: str, wanted: Filter) -> str:
    """A filter in words: `roadTypes any of motorway, rural`."""
    parts: list[str] = []
    for words, values in (
        ("any of", wanted.any_of),
        ("all of", wanted.all_of),
        ("none of", wanted.none_of),
        ("contains", wanted.contains),
    ):
        if values:
            listed = ", ".join(str(value) for value in values)
            parts.append(
                f"= {listed}" if words == "any of" and len(values) == 1 else f"{words} {listed}"
            )
    if wanted.exists is not None:
        parts.append("exists" if wanted.exists else "is absent")
    return f"{name} {' and '.join(parts)}"


def conditions_in_words(plan: Plan) -> str:
    """A plan as one phrase: `hdmap with country = DE and length >= 10`."""
    domains = " or ".join(branch.domain.name for branch in plan.branches)
    return _asset_in_words(domains, plan.branches[0].tests, plan.branches[0].joins)


def _asset_in_words(domain: str, tests: Sequence[Test], joins: Sequence[Join]) -> str:
    parts = [test.in_words for test in tests]
    parts += [_join_in_words(join) for join in joins]
    return f"{domain} with {' and '.join(parts)}" if parts else domain


def _join_in_words(join: Join) -> str:
    """A join as a phrase: `no connected scenario with weather = fog`."""
    asked = _asset_in_words(join.domain.name, join.tests, join.joins)
    way = f" (over {over(join)})" if join.repeated or not join.typed else ""
    article = "no" if join.negated else "a"
    return f"{article} {'connected' if join.typed else 'part'} {asked}{way}"


def over(join: Join) -> str:
    """The paths of a join as people read them, with `+` where they may be taken again."""
    often = "+" if join.repeated else ""
    ways = [path.local() for path in join.paths]
    ways += [f"^({path.local()})" for path in join.inverse_paths]
    return " or ".join(f"({way}){often}" if often and "/" in way else way + often for way in ways)


def of_one_part(plan: Plan) -> str:
    """A sentence that says which conditions one and the same part meets; empty where none does."""
    parts: dict[str, dict[str, None]] = {}
    pending: list[Branch | Join] = [plan.branches[0]]
    for one in pending:
        pending += one.joins
        for test in one.tests:
            if test.part:
                parts.setdefault(Path(test.part).local(), {})[test.name] = None
    return "".join(
        f" {' and '.join(names)} are those of one {part}." for part, names in parts.items()
    )


def applied(plan: Plan) -> dict[str, Any]:
    """Return the search, slot by slot, in the caller's terms after correction."""
    first = plan.branches[0]
    found: dict[str, Any] = {"domains": [branch.domain.name for branch in plan.branches]}
    found |= _applied_asset(first.tests, first.joins)
    if plan.ordering:
        found["sort"] = f"{plan.ordering.name} {'desc' if plan.ordering.descending else 'asc'}"
    if plan.grouping:
        found["count_by"] = plan.grouping.name
    if plan.aggregation:
        found["aggregate"] = {
            "property": plan.aggregation.name,
            "function": plan.aggregation.function,
        }
    return found


def _applied_asset(tests: Iterable[Test], joins: Iterable[Join]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for test in tests:
        kind = "ranges" if test.bounds is not None else "filters"
        condition = test.shown.removeprefix(f"{test.name} ").removeprefix("= ")
        entries = found.setdefault(kind, {})
        entries[test.name] = (
            f"{entries[test.name]} and {condition}" if (test.name in entries) else condition
        )
    references = [
        {
            "domain": join.domain.name,
            **({"none": True} if join.negated else {}),
            **({"over": over(join)} if join.repeated else {}),
            **_applied_asset(join.tests, join.joins),
        }
        for join in joins
    ]
    return found | ({"references": references} if references else {})


def counted(total: tuple[int, bool] | None, noun: str) -> str:
    """Say `12 hdmap assets`, `1 hdmap asset`, `at least 5,000 hdmap assets`."""
    if total is None:
        return f"more {noun} assets"
    number, exact = total
    plural = "" if number == 1 and exact else "s"
    return f"{'' if exact else 'at least '}{number:,} {noun} asset{plural}"


def found_answer(
    plan: Plan, total: tuple[int, bool] | None, offset: int, items: Sequence[AssetItem]
) -> str:
    """One sentence that says how many assets match and names the first of them."""
    noun = " or ".join(branch.domain.name for branch in plan.branches)
    asked = conditions_in_words(plan).removeprefix(noun)
    names = [
        f'"{safe_name(item.label)}"' if item.label else item.iri for item in items[:_MAX_NAMED]
    ]
    is_more = len(items) > len(names) or (total is not None and total[0] > offset + len(items))
    listed = ", ".join(names) + (" and more" if is_more else "")
    if offset:
        if not items:
            return f"There are no {noun} assets{asked} beyond the first {offset:,}."
        return f"Assets {offset + 1:,} to {offset + len(items):,} of {noun}{asked}: {listed}."
    verb = "matches" if total == (1, True) else "match"
    text = f"{counted(total, noun)} {verb}{asked and ' ' + asked.strip()}: {listed}."
    return text[0].upper() + text[1:]


def rejected_answer(gaps: Sequence[GapItem]) -> str:
    """One sentence that names the first gap and what to send instead."""
    first = gaps[0]
    text = f"Not searched: {first.detail or first.term}"
    if first.suggestions:
        text += f"; send one of: {in_a_row(first.suggestions[:5], 5)}"
    if len(gaps) > 1:
        text += f" (and {number_of(len(gaps) - 1, 'more gap', 'more gaps')})"
    return text + "."


PAGE_CHARACTERS = 4_000
MOST_ITEMS = 50
# Longest texts of items: the first with which all that is left fits a page, else the last.
TEXT_LENGTHS = (1_500, 300, 80)
# Room for the handle of the next page, and for characters that are escaped when they are sent.
_RESERVED = 200
# What else an answer says is mostly less than 800 characters.
_CHARACTERS_OF_ASSETS = 3_200
_NAMES_CHARACTERS = 700

P = TypeVar("P", bound=Paged)


class Listing(NamedTuple):
    """All items of a listing, each made when it is shown.

    Attributes:
        names: what each item is called.
        item: makes the item at a position, with texts of at most so many characters.
        noun: what the items are, such as "properties".
        way: what to send for those that a page leaves out.
    """

    names: Sequence[str]
    item: Callable[[int, int], Part]
    noun: str
    way: str = "send cursor = next_cursor, or search"


def page_of(result: P, listing: Listing) -> P:
    """Put as many items into a result as a page of 4,000 characters holds, at least one.

    Args:
        result: the result without its items; its offset says where the page begins.
        listing: all items; the names of those on later pages are noted.
    """
    begin = result.offset
    end = min(begin + MOST_ITEMS, len(listing.names))
    kept = result
    for longest in TEXT_LENGTHS:
        items = [listing.item(place, longest) for place in range(begin, end)]
        kept = _fitted(result, items, listing, longest)
        if end == len(listing.names) and kept.item_count == len(items):
            break
    return kept


def within_page(result: SearchResult) -> SearchResult:
    """Return a search with as many of its assets as take 3,200 characters, at least one."""
    sizes = [len(_json(one)) + 1 for one in result.results]
    room = _CHARACTERS_OF_ASSETS
    keep = 0
    while keep < len(sizes) and sizes[keep] <= room:
        room -= sizes[keep]
        keep += 1
    if keep == len(sizes):
        return result
    shown = result.shortened(max(keep, 1))
    way = "send cursor = next_cursor, or a limit to see more of them at once"
    if result.total is None or not result.total_is_exact:
        return shown.model_copy(update={"left_out": f"more assets: {way}"})
    left = result.total - result.offset - len(shown.results)
    return shown.model_copy(update={"left_out": f"{left:,} more assets: {way}"})


def shortened(text: str, longest: int) -> str:
    """Return a text of at most so many characters; one that was cut ends in an ellipsis."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def _fitted(result: P, items: Sequence[Part], listing: Listing, longest: int) -> P:
    """The result with the first items that fit."""
    sizes = [len(_json(one)) + 1 for one in items]
    keep = len(items)
    while True:
        made = _noted(result, items[:keep], listing, longest)
        size = len(_json(made.model_copy(update={result.items: []}))) + sum(sizes[:keep])
        beyond = size - PAGE_CHARACTERS + _RESERVED
        if keep <= 1 or beyond <= 0:
            return made
        keep -= max(1, min(keep - 1, beyond // max(sizes)))


def _noted(result: P, items: Sequence[Part], listing: Listing, longest: int) -> P:
    """The result with these items and a note of what it leaves out."""
    end = result.offset + len(items)
    notes = [result.left_out] if result.left_out else []
    later = listing.names[end:]
    if later:
        listed = in_a_row(later, 2 * MOST_ITEMS, _NAMES_CHARACTERS)
        notes.append(f"{len(later):,} more {listing.noun} ({listed}): {listing.way}")
    if any("…" in _json(one) for one in items):
        notes.append(f"the ends of texts of more than {longest:,} characters: search for one")
    return result.model_copy(
        update={
            result.items: list(items),
            "left_out": "; ".join(notes) or None,
            "next_offset": end if later else None,
        }
    )


def _json(part: Part) -> str:
    return part.model_dump_json(by_alias=True, exclude_none=True)


RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# Predicates that name a thing, in the order of preference.
LABELS = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "https://schema.org/name",
    "http://schema.org/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    "http://xmlns.com/foaf/0.1/name",
)
# A predicate of any other vocabulary that ends with such a word names an asset too.
NAMES = ("name", "title")
_LABEL, _TYPE, _JOIN = " label", " type", " join"
_TIMEOUT = 10.0
_MAX_REFERENCES = 20
_KINDS: dict[str, ValueKind] = {
    **dict.fromkeys(("integer", "decimal", "float", "double", "int", "long"), "number"),
    **dict.fromkeys(("date", "dateTime", "gYear", "gYearMonth"), "date"),
    "boolean": "boolean",
}


class Page(NamedTuple):
    """Assets as they are shown.

    Attributes:
        items: the assets.
        values: every fact of them as it is recorded.
        is_whole: no value of theirs was left out.
    """

    items: list[AssetItem]
    values: list[Value]
    is_whole: bool = True


async def read_page(state: State, plan: Plan, assets: Sequence[str]) -> Page:
    """Read what is shown of `assets`, IRIs in the order of the answer."""
    blocks = _blocks(state, plan)
    joins = [
        join_pattern(join, _JOIN, state.observed)
        for branch in plan.branches
        for join in branch.joins
        if not join.negated
    ]
    rows = await state.graph.select(values_query(assets, blocks, joins), timeout=_TIMEOUT)
    # Properties in the order of the request, and values in their own: rows come in any order.
    found: dict[str, dict[str, list[Term]]] = {
        iri: {key: [] for key in (*dict(blocks), _JOIN)} for iri in assets
    }
    for asset, key, value in rows.rows:
        if asset is not None and key is not None and value is not None:
            found[asset.value][key.value].append(value)
    domains = {
        iri: branch.domain
        for branch in reversed(plan.branches)
        for iri in (*branch.domain.subclasses, branch.domain.class_iri)
    }
    items: list[AssetItem] = []
    recorded: list[Value] = []
    for iri in assets:
        held = {key: sorted(terms) for key, terms in found[iri].items() if terms}
        types = [term.value for term in held.pop(_TYPE, []) if term.value in domains]
        domain = domains[types[0]] if types else plan.branches[0].domain
        item, values = _item(state, iri, domain, held)
        items.append(item)
        recorded += values
    return Page(items, recorded, rows.complete)


def best_label(labels: Sequence[Term]) -> str | None:
    """The label to show: an English or untagged one where there is one."""
    ordered = sorted(labels, key=lambda term: (term.language not in ("en", ""), term.value))
    return ordered[0].value if ordered else None


def recorded_value(
    state: State,
    domain: Domain | None,
    name: str,
    term: Term,
    unit: str | None,
    iri: str,
    label: str | None,
) -> Value:
    """One value of an asset as the ledger keeps it; a figure, a day or a yes with its names."""
    kind: ValueKind = "iri" if term.kind == "iri" else "name"
    if term.kind == "literal" and term.datatype.startswith(XSD):
        kind = _KINDS.get(term.datatype.removeprefix(XSD), "name")
    labels = (state.lexicon.shown(term),) if term.kind == "iri" else ()
    if domain is not None and kind in ("number", "date", "boolean"):
        labels = _labels(property_names(state, domain, name), name, every=kind == "boolean")
    return Value(
        name,
        term.value,
        kind,
        unit=unit if kind == "number" else None,
        entity=label,
        entity_iri=iri,
        labels=labels,
        source=iri,
    )


def _labels(names: Sequence[str], name: str, *, every: bool) -> tuple[str, ...]:
    """Return the labels of a property whose own name does not say what it is: `preis`, `to`."""
    own = set(in_words(name).lower().split())
    others = [one for one in names if one not in (name, in_words(name))]
    is_telling = any(not own.isdisjoint(one.lower().split()) for one in others)
    return () if is_telling and not every else tuple(others)


def _blocks(state: State, plan: Plan) -> list[tuple[str, tuple[Path, ...]]]:
    """Return the columns of a page: type, label, and each property that was asked about."""
    found: dict[str, dict[Path, None]] = {_TYPE: {Path((Step(RDF_TYPE),)): None}}
    labels = found.setdefault(_LABEL, {Path((Step(iri),)): None for iri in LABELS})
    for branch in plan.branches:
        labels |= dict.fromkeys(_name_paths(branch.domain))
        for test in branch.tests:
            found.setdefault(test.name, {}).update(dict.fromkeys(test.paths))
    for extra in (plan.ordering, plan.grouping):
        if extra is not None:
            for paths in extra.paths:
                found.setdefault(extra.name, {}).update(dict.fromkeys(paths))
    usable = state.observed.may_match
    return [
        (key, tuple(path for path in paths if usable(path)))
        for key, paths in found.items()
        if any(usable(path) for path in paths)
    ]


def _name_paths(domain: Domain) -> list[Path]:
    """Paths to a name that a part of the asset holds, such as its description."""
    return [
        path
        for prop in domain.properties.values()
        if prop.iri in LABELS or prop.local_name in NAMES
        for path in prop.paths[:1]
        if len(path.steps) <= 2
    ]


def _item(
    state: State, iri: str, domain: Domain, found: dict[str, list[Term]]
) -> tuple[AssetItem, list[Value]]:
    label = best_label(found.pop(_LABEL, []))
    connected = list(dict.fromkeys(term.value for term in found.pop(_JOIN, [])))
    recorded = [Value("iri", iri, "iri", entity=label, entity_iri=iri, source=iri)]
    if label:
        recorded.append(Value("label", label, "name", entity=label, entity_iri=iri, source=iri))
    shown: dict[str, str | list[str]] = {}
    for name, terms in found.items():
        unit = state.lexicon.unit(domain, name)
        texts = sorted(
            {f"{state.lexicon.shown(term)}{f' {unit}' if unit else ''}" for term in terms}
        )
        shown[name] = texts[0] if len(texts) == 1 else texts
        recorded += [recorded_value(state, domain, name, term, unit, iri, label) for term in terms]
    recorded += [
        Value("reference", other, "iri", entity=label, entity_iri=iri, source=iri)
        for other in connected[:_MAX_REFERENCES]
    ]
    item = AssetItem(
        iri=iri,
        label=label,
        domain=domain.name,
        values=shown,
        references=connected[:_MAX_REFERENCES],
        more_references=max(len(connected) - _MAX_REFERENCES, 0) or None,
    )
    return item, recorded
