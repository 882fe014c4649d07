"""`query_concepts`: what stands around a concept, and what of it a learner still lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from groundwire.evidence.answers import other_names, predicate_names, words_of_telling
from groundwire.evidence.records import Draft, Statement, Value
from groundwire.learning.concepts.graph import SHARED, EdgeKey, StoredGraph
from groundwire.learning.concepts.names import Named, clean_name, resolve_concept
from groundwire.learning.concepts.neighbourhood import (
    MOST_REACHED,
    NEEDED,
    PACKAGE,
    Neighbourhood,
    Reached,
    edge_statements,
    node_names,
    statements_beyond,
)
from groundwire.learning.concepts.results import ConceptItem, Concepts, MetricItem, UnmetConcept
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.concepts.wording import counted
from groundwire.safe_text import safe_name
from groundwire.statefile import StateFile

# The package that names estimates and reviews.
_LEARNING = "groundwire.learning"
# What each number is, and what those need that nothing here supplies.
_MEANS = {
    "prerequisite_depth": "edges of the longest chain of prerequisites",
    "isolated_share": "share of nodes that no edge touches",
    "parts": "number of parts that no edge joins",
    "mean_prerequisites": "mean number of direct prerequisites of a node that has any",
    "uncovered_share": "share of nodes that no card is about",
    "quoted_share": "share of edges that a quote stands behind",
    "agreement": "share of edges that two people drew independently",
    "difficulty_order": "share of prerequisites that are easier than what needs them",
    "study_time": "hours of study that a chain of prerequisites takes",
    "transfer": "how much mastery of a prerequisite helps with what needs it",
    "answered_misconceptions": "share of misconceptions that learners gave up",
}
_NEEDS = {
    "quoted_share": "edges that keep their own quotes",
    "agreement": "edges drawn by two people who did not see each other's",
    "difficulty_order": "a difficulty of each concept that was estimated apart from the graph",
    "study_time": "durations of study by concept, not only of reviews",
    "transfer": "answers about both ends of an edge from learners with and without the first",
    "answered_misconceptions": "answers that are marked as showing a misconception",
}

DEEPEST = 50
"""Edges from the concept that may be asked for."""

_USUAL_DEPTH = 5
_PAGE = 50
_MOST_UNMET = 20
_MOST_TERMS = 100
_MOST_NAMES = 200
_NOUNS = {
    "prerequisites": "prerequisite",
    "dependents": "dependent",
    "siblings": "sibling",
    "others": "other relation",
}


@dataclass(frozen=True, slots=True)
class ConceptMastery:
    """A learner's mastery of a concept, or why it is not told.

    Attributes:
        status: `estimated`; `not_enough` where no number may be told; `not_looked_at` beyond what
            one call estimates.
        value: the estimate, 0 to 1; None unless estimated.
        value_text: the estimate as it is quoted.
        n_reviews: reviews behind it.
        interval: both ends of its 95 % interval as they are quoted; None unless estimated.
    """

    status: Literal["estimated", "not_enough", "not_looked_at"]
    value: float | None = None
    value_text: str | None = None
    n_reviews: int = 0
    interval: tuple[str, str] | None = None


Mastery = Callable[[Sequence[str]], dict[str, ConceptMastery]]
"""Mastery of concepts by their ids; what it leaves out counts as not_enough."""


@dataclass(frozen=True, slots=True)
class ConceptRequest:
    """A question about concepts.

    Attributes:
        concept: a name or a handle; empty for the graph as a whole.
        relation: only this relation; empty for all.
        depth: how many edges away, 1 to 50; 0 for the usual 5.
        offset: where the page begins.
        limit: how many concepts the page holds at most.
        scope: the caller's own graph, the shared one, or empty for the first that has the name.
    """

    concept: str = ""
    relation: str = ""
    depth: int = 0
    offset: int = 0
    limit: int = _PAGE
    scope: Literal["mine", "shared", ""] = ""


def query_concepts(
    state: StateFile,
    rules: Rules,
    owner: str,
    request: ConceptRequest,
    mastery: Mastery | None = None,
) -> tuple[Concepts, Draft]:
    """Answer what stands around a concept, or of what size and shape the graph is.

    Args:
        state: the file of learning.
        rules: types and relations.
        owner: who asks.
        request: what is asked.
        mastery: estimates of the learner's mastery; without it nothing is said to be unmet.

    Returns:
        the result, and what is recorded.

    Raises:
        UnavailableError: the file cannot be read.
    """
    with state.reading() as connection:
        own, shared = StoredGraph(connection, owner), StoredGraph(connection, SHARED)
        if not request.concept.strip():
            graph = shared if request.scope == "shared" else own
            return _overview(graph)
        relation, turned = "", False
        if request.relation:
            found = rules.relation_named(request.relation)
            if found is None:
                return _no_relation(request, rules)
            relation, turned = found
        graphs = {"mine": (own,), "shared": (shared,)}.get(request.scope, (own, shared))
        named = [(graph, resolve_concept(graph, request.concept)) for graph in graphs]
        graph, one = next(((g, n) for g, n in named if n.node is not None), named[0])
        if one.node is None:
            return _no_concept([found for _, found in named])
        depth = min(request.depth or _USUAL_DEPTH, DEEPEST)
        around = Neighbourhood(graph, rules, one.node, max(depth, 1))
        return _found(around, one, request, relation, turned, mastery)


# Refusals


def _no_relation(request: ConceptRequest, rules: Rules) -> tuple[Concepts, Draft]:
    shown = safe_name(request.relation, 80)
    said = f'No relation is called "{shown}": send one of {", ".join(rules.relations)}.'
    return _refused(Concepts(
        answer=said, status="unrecognized_param", param="relation", raw=shown, reason="unknown",
        candidates=list(rules.relations),
    ))  # fmt: skip


def _no_concept(looked: Sequence[Named]) -> tuple[Concepts, Draft]:
    first = looked[0]
    ambiguous = [one for one in looked if one.how == "ambiguous"]
    nodes = dict.fromkeys(node for one in ambiguous or looked for node in one.candidates)
    names = [safe_name(node.name) for node in nodes][:5]
    shown = safe_name(first.raw, 80)
    if ambiguous:
        said = f'"{shown}" is a name of several concepts: ask which is meant.'
    else:
        said = f'No concept is called "{shown}".'
        said += " Names that are like it are candidates, none was taken." if names else ""
    return _refused(Concepts(
        answer=said, status="unrecognized_param", param="concept", raw=shown,
        reason="ambiguous" if ambiguous else "unknown", candidates=names or None,
    ))  # fmt: skip


def _refused(result: Concepts) -> tuple[Concepts, Draft]:
    values = [Value("candidate", one, "name") for one in result.candidates or ()]
    audit = {"status": result.status, "param": result.param, "reason": result.reason}
    stated = ()
    if result.param == "concept" and result.reason == "unknown" and result.raw:
        names = predicate_names(PACKAGE)["concept"]
        stated = (Statement("absence", (result.raw,), names),)
    elif result.raw:
        values.append(Value("asked about", result.raw, "name"))
    return result, Draft(tuple(values), audit=audit, statements=stated, answer=result.answer)


def _overview(graph: StoredGraph) -> tuple[Concepts, Draft]:
    summary, metrics = graph.summary(), _structural_metrics(graph)
    whose = "shared" if graph.owner == SHARED else "mine"
    computed = [one for one in metrics if one.value_text is not None]
    said = (
        f"The graph holds {counted(summary.nodes, 'node')} and {counted(summary.edges, 'edge')}; "
        f"{len(computed)} of {len(metrics)} numbers about its structure can be computed."
        if summary.nodes
        else "There are no concepts yet: submit_graph_changes adds them."
    )
    values = [Value("nodes", str(summary.nodes)), Value("edges", str(summary.edges))]
    values += [Value(one.means, one.value_text) for one in computed if one.value_text]
    values.append(Value("numbers about the structure", str(len(metrics))))
    values.append(Value("numbers about the structure that can be computed", str(len(computed))))
    few = graph.nodes() if summary.nodes <= _MOST_NAMES else []
    result = Concepts(
        answer=said, status="overview", scope=whose, metrics=metrics, graph_hash=graph.hash(),
        names=sorted(safe_name(node.name) for node in few) or None,
    )  # fmt: skip
    audit = {"status": "overview", "scope": whose, "graph_hash": result.graph_hash}
    return result, Draft(tuple(values), audit=audit, answer=said)


def _found(
    around: Neighbourhood,
    named: Named,
    request: ConceptRequest,
    relation: str,
    turned: bool,
    mastery: Mastery | None,
) -> tuple[Concepts, Draft]:
    needed = around.prerequisites()
    if not relation:
        lists = {
            "prerequisites": needed,
            "dependents": around.dependents(),
            "siblings": around.siblings(),
            "others": around.others(),
        }
    elif relation == "prerequisite":
        # The relation itself leads to what needs the concept, too; its inverse, to what it needs.
        lists = {"prerequisites": around.prerequisites([NEEDED[0]])}
        if not turned:
            lists["dependents"] = around.along(relation, turned=False)
    else:
        lists = {"others": around.along(relation, turned=turned)}
    total = sum(map(len, lists.values()))
    offset = max(0, request.offset)
    paged = _page(lists, offset, max(1, request.limit))
    items = {name: [around.item(one) for one in some] for name, some in paged.items()}
    shown = sum(map(len, paged.values()))
    unmet, unseen = (None, 0) if mastery is None else _unmet(around, needed, mastery)
    centre = around.centre
    end = offset + shown
    result = Concepts(
        answer=_sentence(around, named, lists, unmet, unseen),
        status="found",
        scope="shared" if around.graph.owner == SHARED else "mine",
        concept=ConceptItem(
            node_id=centre.node_id,
            name=safe_name(centre.name),
            type=centre.type,
            version=centre.version,
            definition=centre.definition or None,
            aliases=[safe_name(one) for one in centre.aliases] or None,
        ),
        prerequisites=items.get("prerequisites", []),
        dependents=items.get("dependents", []),
        siblings=items.get("siblings", []),
        others=items.get("others", []),
        total=total,
        unmet=unmet[:_MOST_UNMET] if unmet is not None else None,
        unmet_total=len(unmet) if unmet is not None else None,
        offset=offset,
        next_offset=end if end < total else None,
        left_out=f"{total - end} more concepts" if end < total else None,
        graph_hash=around.graph.hash(),
    )
    # What goes on beyond the depth is not counted, nor is a kind that was not looked for.
    found = {} if around.cut or around.goes_on else lists
    sizes = {f"{_NOUNS[name]}s": len(some) for name, some in found.items()}
    return result, _draft(around, result, paged, unmet, sizes)


def _page(lists: dict[str, list[Reached]], offset: int, limit: int) -> dict[str, list[Reached]]:
    """Return one page that runs over the lists."""
    paged: dict[str, list[Reached]] = {}
    for name, some in lists.items():
        paged[name] = some[offset : offset + limit]
        limit -= len(paged[name])
        offset = max(0, offset - len(some))
    return paged


def _unmet(
    around: Neighbourhood, needed: Sequence[Reached], mastery: Mastery
) -> tuple[list[UnmetConcept], int]:
    """Return prerequisites without an estimate that is high enough, what is learnt first first.

    How many were not looked at is returned beside them.
    """
    known = mastery([one.node_id for one in needed])
    found: list[UnmetConcept] = []
    unseen = 0
    for one in sorted(needed, key=lambda reached: -reached.layer):
        of = known.get(one.node_id, ConceptMastery("not_enough"))
        if of.status == "not_looked_at":
            unseen += 1
            continue
        if of.status == "estimated" and of.value is not None:
            if of.value >= around.rules.graph.mastered_at:
                continue
            status, text, interval = "below", of.value_text, of.interval
        else:
            status, text, interval = "not_enough", None, None
        found.append(UnmetConcept(
            name=safe_name(around.node(one.node_id).name), node_id=one.node_id, layer=one.layer,
            status=status, value_text=text, interval=list(interval) if interval else None,
            n_reviews=of.n_reviews,
        ))  # fmt: skip
    return found, unseen


def _sentence(
    around: Neighbourhood,
    named: Named,
    lists: dict[str, list[Reached]],
    unmet: Sequence[UnmetConcept] | None,
    unseen: int,
) -> str:
    name = safe_name(around.centre.name)
    parts = [counted(len(some), _NOUNS[kind]) for kind, some in lists.items()]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    said = f'"{name}" has {listed} within {counted(around.depth, "edge")}'
    if named.how != "exact" and clean_name(named.raw) != around.centre.name:
        said += f' ("{safe_name(named.raw, 80)}" was read as its {named.how} name)'
    if unmet:
        below = sum(one.status == "below" for one in unmet)
        lacking = len(unmet) - below
        said += f"; {below} of the prerequisites are below the mark" if below else ""
        said += f"; of {lacking} there are not enough answers to tell" if lacking else ""
    if around.goes_on:
        said += "; edges lead on from there"
    if unseen:
        said += f"; {counted(unseen, 'prerequisite')} further away were not looked at"
    if around.cut:
        said += f"; only the nearest {MOST_REACHED:,} were looked at"
    return said + "."


def _draft(
    around: Neighbourhood,
    result: Concepts,
    paged: dict[str, list[Reached]],
    unmet: Sequence[UnmetConcept] | None,
    counted_in: dict[str, int],
) -> Draft:
    centre = around.centre
    reached = [one for some in paged.values() for one in some]
    shown = {centre.node_id, *(one.node_id for one in reached)}
    direct = [
        (a, "prerequisite", centre.node_id)
        for a in around.graph.sources(centre.node_id, "prerequisite")
    ]
    between = [key for key in around.walked if key[0] in shown and key[2] in shown]
    keys = dict.fromkeys([*direct, *(one.edge for one in reached), *between])
    edges = [around.named_edge(key) for key in keys]
    whole = [("prerequisite", centre.node_id)] if direct else []
    values = [Value("concept", centre.name, "name", labels=centre.aliases)]
    if centre.definition:
        values.append(Value("definition", centre.definition, "text", entity=centre.name))
    counts = [(name, str(count)) for name, count in counted_in.items()]
    counts.append(("edges away at most", str(around.depth)))
    if unmet is not None:
        below = sum(one.status == "below" for one in unmet)
        counts.append(("prerequisites below the mark", str(below)))
        counts.append(("prerequisites without enough answers", str(len(unmet) - below)))
    called, predicates = other_names(PACKAGE, "counts"), predicate_names(_LEARNING)
    telling = words_of_telling(PACKAGE, "counts")
    names = {name: (*called.get(name, ())[1:], *telling.get(name, ())) for name, _ in counts}
    values += [Value(name, count, entity=centre.name, labels=names[name]) for name, count in counts]
    beyond = statements_beyond(around, paged)
    # What is not there can be said, too: "it has no prerequisites".
    none = [name for name, count in counted_in.items() if not count]
    absent = [Statement("absence", node_names(centre), called[name]) for name in none]
    unseen = [
        Statement("absence", (one.name,), predicates[key])
        for one in unmet or ()
        if one.status == "not_enough"
        for key in ("estimate", "review")
        if key == "estimate" or not one.n_reviews
    ]
    for one in unmet or ():
        if one.value_text:
            values.append(_estimate("mastery", one.value_text, one.name, "recall", "known"))
            for end in one.interval or ():
                values.append(_estimate("interval", end, one.name, "from", "to", "von", "bis"))
    ends = {end.node_id: end for source, _, target in edges for end in (source, target)}
    ends.pop(centre.node_id, None)
    values += [
        Value("concept", one.name, "name", labels=one.aliases)
        for one in list(ends.values())[:_MOST_TERMS]
    ]
    return Draft(
        values=tuple(values),
        audit={
            "status": "found",
            "scope": result.scope,
            "concept": centre.node_id,
            "depth": around.depth,
            "graph_hash": result.graph_hash,
        },
        statements=(*edge_statements(edges, whole), *beyond, *absent, *unseen),
        answer=result.answer,
    )


def _estimate(name: str, text: str, of: str, *labels: str) -> Value:
    """Return a value of an estimate as it is quoted, in percent or without a unit."""
    number = text.removesuffix(" %")
    return Value(name, number, unit=None if number == text else "%", entity=of, labels=labels)


def _structural_metrics(graph: StoredGraph) -> list[MetricItem]:
    """Return eleven numbers about a graph: five computed, six that say what they would need.

    An empty graph has none of them.
    """
    nodes = list(graph.folded_names())
    edges = graph.edges()
    if not nodes:
        return [_lacking(name, "at least one node") for name in _MEANS]
    touched = {end for a, _, b in edges for end in (a, b)}
    needs: dict[str, list[str]] = {}
    for a, relation, b in edges:
        if relation == "prerequisite":
            needs.setdefault(b, []).append(a)
    covered = graph.covered()
    bare = sum(one not in covered for one in nodes)
    isolated = sum(1 for one in nodes if one not in touched)
    found = [
        _number("prerequisite_depth", Fraction(_depth(needs)), len(edges)),
        _number("isolated_share", Fraction(isolated, len(nodes)), len(nodes)),
        _number("parts", Fraction(_parts(nodes, edges)), len(nodes)),
        _number("uncovered_share", Fraction(bare, len(nodes)), len(nodes)),
    ]
    if needs:
        mean = Fraction(sum(map(len, needs.values())), len(needs))
        found.insert(3, _number("mean_prerequisites", mean, len(needs)))
    else:
        found.insert(3, _lacking("mean_prerequisites", "at least one edge prerequisite"))
    return [*found, *(_lacking(name, what) for name, what in _NEEDS.items())]


def _number(name: str, value: Fraction, n: int) -> MetricItem:
    whole = value.denominator == 1
    text = str(value.numerator) if whole else f"{float(value):.3f}"
    return MetricItem(
        metric=name, means=_MEANS[name], status="computed", value=float(value), value_text=text, n=n
    )


def _lacking(name: str, needs: str) -> MetricItem:
    return MetricItem(metric=name, means=_MEANS[name], status="not_enough", needs=needs)


def _depth(needs: dict[str, list[str]]) -> int:
    """Return the edges of the longest chain; what needs what has no cycle."""
    depths: dict[str, int] = {}
    for start in needs:
        stack = [start]
        while stack:
            node_id = stack[-1]
            before = needs.get(node_id, ())
            waiting = [one for one in before if one not in depths]
            if waiting:
                stack += waiting
                continue
            depths[node_id] = max((depths[one] + 1 for one in before), default=0)
            stack.pop()
    return max(depths.values(), default=0)


def _parts(nodes: Iterable[str], edges: Iterable[EdgeKey]) -> int:
    """Return how many parts of the graph no edge joins."""
    leader = {one: one for one in nodes}

    def first(node_id: str) -> str:
        while leader[node_id] != node_id:
            leader[node_id] = leader[leader[node_id]]
            node_id = leader[node_id]
        return node_id

    for a, _, b in edges:
        leader[first(a)] = first(b)
    return sum(leader[one] == one for one in leader)
