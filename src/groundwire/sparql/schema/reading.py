"""A graph's schema, read by queries within a budget of seconds; what was left out is said."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import anyio.to_thread

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import XSD, XSD_STRING, Term
from groundwire.sparql.outcome import Cell, Outcome, QueryAudit, text_of
from groundwire.sparql.schema.model import (
    Basis,
    ClassSchema,
    ExampleQuery,
    GraphSchema,
    Name,
    PredicateSchema,
    Use,
)
from groundwire.sparql.schema.names import (
    MOST_NAMES,
    Named,
    Names,
    names_query,
    read_names,
    whole_number,
)
from groundwire.sparql.schema.queries import (
    counts_query,
    examples_query,
    inner_query,
    inverse_query,
    labels_of_query,
    leading_query,
    more_names_query,
    overview_query,
    predicate_query,
    rare_query,
    sample_query,
    shapes_query,
    void_query,
)
from groundwire.sparql.workflow.model import Source
from groundwire.sparql.workflow.queries import RDF_FIRST, RDF_REST, RDF_TYPE

_MOST_EXAMPLES = 2
_LONGEST_EXAMPLE = 60


@dataclass(slots=True)
class Gathered:
    """The classes, datatypes and examples that were seen at one end of a predicate."""

    classes: dict[str, None] = field(default_factory=dict[str, None])
    datatypes: dict[str, None] = field(default_factory=dict[str, None])
    languages: dict[str, None] = field(default_factory=dict[str, None])
    iris: bool = False
    nodes: bool = False
    examples: dict[str, None] = field(default_factory=dict[str, None])
    basis: Basis = "not counted"

    def take(self, cell: Cell, of: Cell) -> None:
        """Take one value with its class."""
        if isinstance(cell, Term):
            kind = {"iri": "iri", "bnode": "node"}.get(cell.kind, cell.datatype)
            tag, text = cell.language, "" if cell.kind == "bnode" else cell.value
        elif cell is None:
            return
        else:
            kind, tag, text = _datatype_of(cell), "", str(cell)
        self.take_kind(kind, tag, of)
        if 0 < len(text) <= _LONGEST_EXAMPLE and len(self.examples) < _MOST_EXAMPLES:
            self.examples[text] = None

    def take_kind(self, kind: str, tag: str, of: Cell) -> None:
        """Take the kind of a value: "iri", "node", or its datatype with its language."""
        if isinstance(of, Term):
            if of.kind == "iri":
                self.classes[of.value] = None
        elif kind in ("iri", "node"):
            self.iris, self.nodes = self.iris or kind == "iri", self.nodes or kind == "node"
        elif tag:
            self.languages[tag.lower()] = None
        else:
            self.datatypes[kind or XSD_STRING] = None

    def use(self, steps: tuple[str, ...], count: int = 0, sampled: int = 0) -> Use:
        """Return the predicate with what was seen of it."""
        basis: Basis = ("estimated" if sampled else "counted") if count else self.basis
        return Use(
            steps, count, basis, tuple(self.classes), tuple(self.datatypes),
            tuple(self.languages), self.iris, self.nodes, tuple(self.examples),
        )  # fmt: skip


BUDGET_SECONDS = 8.0
"""Seconds that a graph may be asked for one answer."""
MOST_ALL_NAMES = 100_000
"""Predicates, or classes, that are listed at all."""
COUNTED_MEMBERS = 20_000
"""Of a class with more members, a sample is counted."""

_MOST_ROWS = 10_000
_PAGE = 10_000
_SAMPLED = 5_000
_LOOKED_AT = 60
_OVERVIEW_CLASSES = 30
_OVERVIEW_EACH = 12
_OVERVIEW_MEMBERS = 40
_MOST_RARE = 12
_MOST_INNER = 10
_LONGEST_QUERY = 4_000
_MOST_PREDICATES = 400
_LABEL_BATCH = 60

Statistics = Callable[[], Mapping[Literal["predicates", "classes"], Mapping[str, int]] | None]
"""Counts that were made when the graph was loaded, or None."""


@dataclass(slots=True)
class Reader:
    """Reads one graph.

    Attributes:
        source: the graph.
        seconds: the budget of all queries together.
        audits: of the queries that were run.
        not_looked_at: what the budget, or the endpoint, left out.
        failure: why the last query without an answer had none.
    """

    source: Source
    seconds: float = BUDGET_SECONDS
    audits: list[QueryAudit] = field(default_factory=list[QueryAudit])
    not_looked_at: list[str] = field(default_factory=list[str])
    failure: str = ""
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds of the budget that are left."""
        return self._end - time.monotonic()

    async def ask(
        self, query: CompiledQuery, share: float = 1.0, limit: int = _MOST_ROWS
    ) -> Outcome | None:
        """Run one query for a share of the time that is left; None where it has no answer."""
        seconds = min(self.left * share, self.seconds)
        if seconds < 0.05:
            self.failure = self.failure or f"the budget of {self.seconds:g} s was over"
            return None
        outcome = await self.source.select(query, limit, seconds)
        self.audits.append(outcome.audit)
        if not outcome.answered:
            self.failure = outcome.reason or outcome.status
            return None
        return outcome

    async def rows(
        self, query: CompiledQuery, share: float, left_out: str
    ) -> list[dict[str, Cell]]:
        """Return the rows of a query; where they are not all, say what is left out."""
        outcome = await self.ask(query, share)
        if outcome is None or outcome.status == "partial":
            self.not_looked_at.append(left_out)
        return [] if outcome is None else cells_of(outcome)


def cells_of(outcome: Outcome) -> list[dict[str, Cell]]:
    """Return the rows of an outcome by column."""
    return [dict(zip(outcome.columns, row, strict=False)) for row in outcome.rows]


async def read_graph(reader: Reader, statistics: Statistics | None = None) -> GraphSchema | None:
    """Read classes and predicates with counts and labels, example queries, and a first look.

    Args:
        reader: asks the graph.
        statistics: counts that were made when the graph was loaded.

    Returns:
        None where the endpoint answered nothing at all; `reader.failure` says why.
    """
    schema = await _loaded(reader, statistics) if statistics is not None else None
    if schema is None:
        schema = await _described_by_void(reader)
    if schema is None:
        schema = await _counted(reader)
    if schema is None:
        return None
    examples = await reader.ask(examples_query(), 0.3)
    if examples is None:
        reader.not_looked_at.append("Example queries were not looked for.")
    else:
        schema = replace(schema, examples=_example_queries(examples))
    uses = await _first_look(reader, [one.iri for one in schema.classes])
    ranks = {one.iri: at for at, one in enumerate(schema.predicates)}
    ordered = {
        name: tuple(sorted(found, key=lambda use: ranks.get(use.steps[0], len(ranks))))
        for name, found in uses.items()
    }
    return replace(
        schema, uses=ordered, not_looked_at=tuple(reader.not_looked_at), read_at=time.time()
    )


async def _loaded(reader: Reader, statistics: Statistics) -> GraphSchema | None:
    """Take the counts that were made when the graph was loaded, and ask for labels alone."""
    counts = await anyio.to_thread.run_sync(statistics)
    if counts is None:
        return None
    labels = await _labels(reader, [*counts["classes"], *counts["predicates"]])
    classes, predicates = (
        tuple(
            Name(iri, count, "counted", labels.get(iri, ()))
            for iri, count in sorted(held.items(), key=lambda one: (-one[1], one[0]))
        )
        for held in (counts["classes"], counts["predicates"])
    )
    return GraphSchema(classes, predicates, source="statistics")


async def _described_by_void(reader: Reader) -> GraphSchema | None:
    outcome = await reader.ask(void_query(_MOST_ROWS), 0.25)
    if outcome is None:
        return None
    counts: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for row in cells_of(outcome):
        for held, column in zip(counts, ("class", "property"), strict=True):
            name = row.get(column)
            if isinstance(name, Term) and name.kind == "iri":
                held[name.value] = max(held.get(name.value, 0), whole_number(row.get("count")))
    if not all(counts):
        return None
    labels = await _labels(reader, [*counts[0], *counts[1]])
    classes, predicates = (
        tuple(
            Name(iri, count, "estimated", labels.get(iri, ()))
            for iri, count in sorted(held.items(), key=lambda one: (-one[1], one[0]))
        )
        for held in counts
    )
    reader.not_looked_at.append("Counts are those of the dataset's own VoID description.")
    return GraphSchema(classes, predicates, False, False, "VoID")


async def _labels(reader: Reader, iris: Sequence[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for at in range(0, min(len(iris), 5 * _LABEL_BATCH), _LABEL_BATCH):
        outcome = await reader.ask(labels_of_query(iris[at : at + _LABEL_BATCH], 2_000), 0.5)
        if outcome is None or outcome.status == "partial":
            reader.not_looked_at.append("Labels of some names were not looked at.")
            break
        for row in cells_of(outcome):
            name, label = row.get("name"), row.get("label")
            if isinstance(name, Term) and isinstance(label, Term):
                found[name.value].append((label.value, label.language))
    if len(iris) > 5 * _LABEL_BATCH:
        reader.not_looked_at.append("Labels of the rarer names were not looked at.")
    return {iri: tuple(dict.fromkeys(texts)) for iri, texts in found.items()}


async def _counted(reader: Reader) -> GraphSchema | None:
    """Count the names; where that cannot be had, list them."""
    outcome = await reader.ask(names_query(), 0.6)
    if outcome is not None and outcome.status != "partial" and outcome.rows:
        return await _whole(reader, read_names(outcome), "counted")
    if outcome is not None and outcome.status == "empty":
        return GraphSchema()
    outcome = await reader.ask(names_query(counted=False), 0.6)
    if outcome is None:
        return None
    reader.not_looked_at.append(
        "Nothing was counted: the endpoint did not count within the budget."
    )
    return await _whole(reader, read_names(outcome), "listed", outcome.status == "partial")


async def _whole(reader: Reader, names: Names, source: str, is_cut: bool = False) -> GraphSchema:
    """Add the names that a limit cut off, as far as the budget goes."""
    counted: Basis = "not counted" if source == "listed" else "counted"
    listed: list[tuple[Name, ...]] = []
    whole: list[bool] = []
    kinds: tuple[tuple[Literal["class", "predicate"], Mapping[str, Named]], ...] = (
        ("class", names.classes),
        ("predicate", names.properties),
    )
    for kind, held in kinds:
        found = [
            Name(one.iri, one.count, counted if one.count else "not counted", one.labels)
            for one in sorted(held.values(), key=lambda one: (-one.count, one.iri))
        ]
        is_whole = not is_cut and (names.is_whole or len(held) < _few(names))
        if not is_whole:
            more, is_whole = await _more(reader, kind, set(held))
            found += [Name(iri, 0, "not counted") for iri in more]
            if more:
                reader.not_looked_at.append(
                    f"{len(more):,} rarer {_PLURAL[kind]} were listed and not counted."
                )
        if not is_whole:
            reader.not_looked_at.append(f"There may be further {_PLURAL[kind]}.")
        listed.append(tuple(found))
        whole.append(is_whole)
    return GraphSchema(listed[0], listed[1], whole[0], whole[1], source)


_PLURAL = {"class": "classes", "predicate": "predicates"}


def _few(names: Names) -> int:
    """Return how many names of a kind are surely all, in an answer that was cut elsewhere."""
    return 0 if max(len(names.properties), len(names.classes)) < MOST_NAMES else MOST_NAMES


async def _more(
    reader: Reader, kind: Literal["class", "predicate"], held: set[str]
) -> tuple[list[str], bool]:
    """Return names of a kind beside those that are held, and whether these are all."""
    found: dict[str, None] = {}
    offset = 0
    while offset < MOST_ALL_NAMES:
        outcome = await reader.ask(more_names_query(kind, offset, _PAGE), 0.5, _PAGE)
        if outcome is None or outcome.status == "partial":
            return list(found), False
        page = [row["name"] for row in cells_of(outcome)]
        names = [one.value for one in page if isinstance(one, Term) and one.kind == "iri"]
        found |= dict.fromkeys(name for name in names if name not in held)
        if not page or (outcome.status == "complete" and len(page) < _PAGE):
            return list(found), True
        offset += len(page)
    return list(found), False


def _example_queries(outcome: Outcome) -> tuple[ExampleQuery, ...]:
    found: dict[str, ExampleQuery] = {}
    for row in cells_of(outcome):
        example, text, title = row.get("example"), row.get("text"), row.get("title")
        if isinstance(text, Term) and 0 < len(text.value) <= _LONGEST_QUERY:
            name = example.value if isinstance(example, Term) and example.kind == "iri" else ""
            said = title.value if isinstance(title, Term) else ""
            english = not isinstance(title, Term) or title.language in ("", "en")
            if text.value not in found or english:
                found[text.value] = ExampleQuery(name, said, text.value.strip())
    return tuple(found.values())


async def _first_look(reader: Reader, classes: Sequence[str]) -> dict[str, tuple[Use, ...]]:
    """Return the predicates of the classes with the most members, by a few members of each."""
    gathered: dict[str, dict[str, Gathered]] = defaultdict(dict)
    told = classes[:_OVERVIEW_CLASSES]
    for at in range(0, len(told), _OVERVIEW_EACH):
        batch = told[at : at + _OVERVIEW_EACH]
        query = overview_query(batch, _OVERVIEW_MEMBERS)
        for row in await reader.rows(query, 0.5, "Predicates of some classes were not looked at."):
            owner, p = row.get("class"), row.get("p")
            if isinstance(owner, Term) and isinstance(p, Term) and p.value != RDF_TYPE:
                use = gathered[owner.value].setdefault(p.value, Gathered())
                use.take_kind(text_of(row.get("kind")), text_of(row.get("tag")), row.get("in"))
    return {
        owner: tuple(held.use((p,)) for p, held in found.items())
        for owner, found in gathered.items()
    }


async def read_class(reader: Reader, iri: str, members: int, basis: Basis) -> ClassSchema | None:
    """Read the predicates of one class: counts, what stands there, and examples.

    Args:
        reader: asks the graph.
        iri: the class.
        members: how many there are; 0 where they were not counted.
        basis: how that is known.

    Returns:
        None where nothing was answered.
    """
    sampled = 0 if basis == "counted" and 0 < members <= COUNTED_MEMBERS else _SAMPLED
    sample = await reader.ask(sample_query(iri, _LOOKED_AT, _MOST_ROWS), 0.4)
    if sample is None:
        return None
    seen: dict[tuple[str, ...], Gathered] = defaultdict(Gathered)
    for row in cells_of(sample):
        if isinstance(p := row.get("p"), Term) and p.value != RDF_TYPE:
            seen[(p.value,)].take(row.get("o"), row.get("in"))
    counts = await _counts(reader, iri, sampled, members)
    rare = [p for p in counts if (p,) not in seen and p != RDF_TYPE]
    if rare:
        query = rare_query(iri, rare[:_MOST_RARE], 5)
        for row in await reader.rows(query, 0.3, "Values of rare predicates were not looked at."):
            if isinstance(p := row.get("p"), Term):
                seen[(p.value,)].take(row.get("o"), row.get("in"))
        for p in rare[_MOST_RARE:_MOST_PREDICATES]:
            seen[(p,)]
    await _look_inside(reader, iri, seen)
    await _declared(reader, iri, seen)
    uses = [held.use(steps, counts.get(steps[0], 0) if len(steps) == 1 else 0, sampled) for
            steps, held in seen.items()]  # fmt: skip
    uses.sort(key=lambda use: -use.count)
    uses += await _inverse(reader, iri)
    if sampled:
        reader.not_looked_at.append(
            f"Predicates were counted of {sampled:,} members at most, and their counts reckoned "
            "from those."
        )
    return ClassSchema(iri, sampled, tuple(uses), tuple(reader.not_looked_at), time.time())


async def _counts(reader: Reader, iri: str, sampled: int, members: int) -> dict[str, int]:
    outcome = await reader.ask(counts_query(iri, sampled), 0.5)
    if outcome is None or outcome.status == "partial":
        reader.not_looked_at.append("Statements of its predicates were not counted.")
        return {}
    times = members / sampled if sampled and members > sampled else 1.0
    found: dict[str, int] = {}
    for row in cells_of(outcome):
        if isinstance(p := row.get("p"), Term):
            found[p.value] = round(whole_number(row.get("count")) * times)
    return found


async def _look_inside(reader: Reader, iri: str, seen: dict[tuple[str, ...], Gathered]) -> None:
    """Add what is said of the nodes without a class to which members lead, lists too."""
    plain = [steps[0] for steps, held in seen.items() if held.nodes][:_MOST_INNER]
    if not plain:
        return
    query = inner_query(iri, plain, _LOOKED_AT, _MOST_ROWS)
    for row in await reader.rows(query, 0.4, "What stands in nodes was not looked at."):
        p, q = row.get("p"), row.get("q")
        if not (isinstance(p, Term) and isinstance(q, Term)) or q.value in (RDF_TYPE, RDF_REST):
            continue
        steps = (p.value, q.value)
        if q.value == RDF_FIRST:
            steps = (p.value, f"{RDF_REST}*", RDF_FIRST)
        seen[steps].take(row.get("o"), row.get("in"))


async def _declared(reader: Reader, iri: str, seen: dict[tuple[str, ...], Gathered]) -> None:
    """Add what shapes declare of the class and no member was seen to have."""
    outcome = await reader.ask(shapes_query(iri), 0.3)
    known = {steps[0] for steps in seen}
    for row in cells_of(outcome) if outcome else ():
        p = row.get("p")
        if isinstance(p, Term) and p.value not in known:
            held = seen[(p.value,)]
            held.basis = "declared"
            if isinstance(found := row.get("in"), Term):
                held.classes[found.value] = None
            if isinstance(found := row.get("datatype"), Term):
                held.datatypes[found.value] = None


async def _inverse(reader: Reader, iri: str) -> list[Use]:
    gathered: dict[str, Gathered] = defaultdict(Gathered)
    query = inverse_query(iri, _LOOKED_AT)
    for row in await reader.rows(query, 0.6, "What leads to its members was not looked at."):
        p = row.get("p")
        if isinstance(p, Term) and p.value not in (RDF_TYPE, RDF_FIRST, RDF_REST):
            gathered[p.value].take_kind("node", "", row.get("in"))
    return [held.use((f"^{p}",)) for p, held in gathered.items()]


async def read_predicate(reader: Reader, iri: str) -> PredicateSchema | None:
    """Read what stands at the ends of one predicate; None where nothing was answered."""
    outcome = await reader.ask(predicate_query(iri, 200), 0.6)
    if outcome is None:
        return None
    held, of = Gathered(), dict[str, None]()
    for row in cells_of(outcome):
        held.take(row.get("o"), row.get("in"))
        if isinstance(found := row.get("of"), Term) and found.kind == "iri":
            of[found.value] = None
    via: dict[tuple[str, str], None] = {}
    if not of and (leading := await reader.ask(leading_query(iri, 50), 0.4)):
        for row in cells_of(leading):
            step, owner = row.get("via"), row.get("of")
            if isinstance(step, Term) and step.value not in (RDF_FIRST, RDF_REST):
                via[step.value, owner.value if isinstance(owner, Term) else ""] = None
    return PredicateSchema(held.use((iri,)), tuple(of), tuple(via))


def _datatype_of(cell: Any) -> str:
    if isinstance(cell, bool):
        return f"{XSD}boolean"
    return f"{XSD}integer" if isinstance(cell, int) else XSD_STRING
