"""`query_concepts`: what stands around a concept, and what of it a learner still lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from groundwire.evidence.records import Draft, Value
from groundwire.learning.concepts.graph import SHARED, EdgeKey, Node, StoredGraph
from groundwire.learning.concepts.names import Named, clean_name, resolve_concept
from groundwire.learning.concepts.results import ConceptItem, Concepts, RelatedConcept, UnmetConcept
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.concepts.statements import NamedEdge, edge_statements
from groundwire.learning.concepts.structure import structural_metrics
from groundwire.learning.concepts.wording import counted
from groundwire.safe_text import safe_name
from groundwire.statefile import StateFile

DEEPEST = 50
"""Edges from the concept that may be asked for."""

_USUAL_DEPTH = 5
_PAGE = 50
_MOST_REACHED = 2_000
_MOST_UNMET = 50
_MOST_TERMS = 100
_NEEDED = (("prerequisite", "sources"), ("depends_on", "targets"))
_PARENTS = ("is_a", "part_of")


@dataclass(frozen=True, slots=True)
class ConceptMastery:
    """What is known of a learner's mastery of a concept.

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
    """What is asked.

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
        around = _Around(graph, rules, one.node, max(depth, 1))
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
    return result, Draft(tuple(values), audit=audit, answer=result.answer)


def _overview(graph: StoredGraph) -> tuple[Concepts, Draft]:
    summary, metrics = graph.summary(), structural_metrics(graph)
    whose = "shared" if graph.owner == SHARED else "mine"
    computed = [one for one in metrics if one.value_text is not None]
    said = (
        f"The graph holds {counted(summary.nodes, 'node')} and {counted(summary.edges, 'edge')}; "
        f"{len(computed)} of {len(metrics)} numbers about its structure can be computed."
    )
    values = [Value("nodes", str(summary.nodes)), Value("edges", str(summary.edges))]
    values += [Value(one.means, one.value_text) for one in computed if one.value_text]
    result = Concepts(
        answer=said, status="overview", scope=whose, metrics=metrics, graph_hash=graph.hash()
    )
    audit = {"status": "overview", "scope": whose, "graph_hash": result.graph_hash}
    return result, Draft(tuple(values), audit=audit, answer=said)


# Neighbourhoods


@dataclass(frozen=True, slots=True)
class _Reached:
    """A node that was reached: how far away, and by which edge."""

    node_id: str
    layer: int
    edge: EdgeKey


@dataclass(slots=True)
class _Around:
    """The neighbourhood of a concept."""

    graph: StoredGraph
    rules: Rules
    centre: Node
    depth: int
    cut: bool = False
    walked: dict[EdgeKey, None] = field(default_factory=dict[EdgeKey, None])
    _nodes: dict[str, Node] = field(default_factory=dict[str, Node])

    def node(self, node_id: str) -> Node:
        """Return a node that an edge ends in."""
        if node_id not in self._nodes:
            found = self.graph.node(node_id)
            assert found is not None
            self._nodes[node_id] = found
        return self._nodes[node_id]

    def prerequisites(self, relations: Iterable[tuple[str, str]] = _NEEDED) -> list[_Reached]:
        """Return what has to be known before, by layers of the longest path."""
        return self._layered([(r, side) for r, side in relations])

    def dependents(self) -> list[_Reached]:
        """Return what needs the concept, by layers of the longest path."""
        turned = {"sources": "targets", "targets": "sources"}
        return self._layered([(relation, turned[side]) for relation, side in _NEEDED])

    def _steps(self, node_id: str, relations: Iterable[tuple[str, str]]) -> list[EdgeKey]:
        found: list[EdgeKey] = []
        for relation, side in relations:
            if side == "sources":
                found += [(a, relation, node_id) for a in self.graph.sources(node_id, relation)]
            else:
                found += [(node_id, relation, b) for b in self.graph.targets(node_id, relation)]
        return found

    def _layered(self, relations: Sequence[tuple[str, str]]) -> list[_Reached]:
        """Breadth first to the depth, then the longest path to each node that was reached."""
        near = {self.centre.node_id: 0}
        by: dict[str, EdgeKey] = {}
        steps: dict[str, list[str]] = {}
        rim = [self.centre.node_id]
        for distance in range(1, self.depth + 1):
            reached: list[str] = []
            for node_id in rim:
                others: list[str] = []
                for key in self._steps(node_id, relations):
                    other = key[0] if key[2] == node_id else key[2]
                    others.append(other)
                    self.walked[key] = None
                    if other not in near:
                        if len(near) > _MOST_REACHED:
                            self.cut = True
                            continue
                        near[other] = distance
                        by[other] = key
                        reached.append(other)
                steps[node_id] = others
            rim = reached
        layers = _longest(self.centre.node_id, near, steps)
        found = [_Reached(one, layers[one], by[one]) for one in by]
        return sorted(found, key=lambda one: (one.layer, self.node(one.node_id).name.casefold()))

    def siblings(self) -> list[_Reached]:
        """Return nodes that share a broader concept or a whole with the concept."""
        found: dict[str, _Reached] = {}
        for relation in _PARENTS:
            for parent in self.graph.targets(self.centre.node_id, relation):
                for child in self.graph.sources(parent, relation):
                    if child != self.centre.node_id and len(found) < _MOST_REACHED:
                        found.setdefault(child, _Reached(child, 1, (child, relation, parent)))
        return sorted(found.values(), key=lambda one: self.node(one.node_id).name.casefold())

    def others(self) -> list[_Reached]:
        """Return nodes that an edge of another relation joins to the concept."""
        needed = {relation for relation, _ in _NEEDED}
        own = self.centre.node_id
        keys = [key for key in self.graph.edges_from(own) if key[1] not in needed]
        keys += [key for key in self.graph.edges_to(own) if key[1] not in needed]
        found = [_Reached(key[2] if key[0] == own else key[0], 1, key) for key in keys]
        return sorted(found, key=lambda r: (r.edge[1], self.node(r.node_id).name.casefold()))

    def along(self, relation: str, *, turned: bool) -> list[_Reached]:
        """Return what one relation leads to, forward or, turned, backward."""
        if self.rules.relations[relation].symmetric:
            return self._layered([(relation, "sources"), (relation, "targets")])
        return self._layered([(relation, "sources" if turned else "targets")])

    def item(self, one: _Reached) -> RelatedConcept:
        """Return a reached node as results show it."""
        a, relation, b = one.edge
        rule = self.rules.relations.get(relation)
        reads = rule.reads if rule else relation.replace("_", " ")
        source, target = (safe_name(self.node(end).name, 80) for end in (a, b))
        return RelatedConcept(
            name=safe_name(self.node(one.node_id).name),
            node_id=one.node_id,
            relation=relation,
            layer=one.layer,
            says=f"{source} {reads} {target}",
        )

    def named_edge(self, key: EdgeKey) -> NamedEdge:
        """Return an edge with its nodes."""
        return self.node(key[0]), key[1], self.node(key[2])


def _longest(start: str, near: dict[str, int], steps: dict[str, list[str]]) -> dict[str, int]:
    """Return how many edges the longest path to each node has; the steps have no cycle.

    Where relations together lead in a circle, as no single one does, the shortest way counts.
    """
    waits = dict.fromkeys(near, 0)
    for node_id in near:
        for other in steps.get(node_id, ()):
            if other in waits:
                waits[other] += 1
    layers = {start: 0}
    ready = [start] if not waits[start] else []
    while ready:
        node_id = ready.pop()
        for other in steps.get(node_id, ()):
            if other in waits:
                layers[other] = max(layers.get(other, 0), layers[node_id] + 1)
                waits[other] -= 1
                if not waits[other]:
                    ready.append(other)
    done = all(not count for count in waits.values())
    return layers if done else near


def _found(
    around: _Around,
    named: Named,
    request: ConceptRequest,
    relation: str,
    turned: bool,
    mastery: Mastery | None,
) -> tuple[Concepts, Draft]:
    lists: dict[str, list[_Reached]] = {
        "prerequisites": [], "dependents": [], "siblings": [], "others": [],
    }  # fmt: skip
    needed = around.prerequisites()
    if not relation:
        lists = {
            "prerequisites": needed,
            "dependents": around.dependents(),
            "siblings": around.siblings(),
            "others": around.others(),
        }
    elif relation == "prerequisite":
        # The relation itself leads to what needs the concept; its inverse, to what it needs.
        lists["prerequisites"] = around.prerequisites([_NEEDED[0]])
        lists["dependents"] = around.along(relation, turned=False) if not turned else []
    else:
        lists["others"] = around.along(relation, turned=turned)
    total = sum(map(len, lists.values()))
    paged = _page(lists, request.offset, max(1, request.limit))
    items = {name: [around.item(one) for one in some] for name, some in paged.items()}
    shown = sum(map(len, paged.values()))
    unmet, unseen = (None, 0) if mastery is None else _unmet(around, needed, mastery)
    centre = around.centre
    end = request.offset + shown
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
        prerequisites=items["prerequisites"],
        dependents=items["dependents"],
        siblings=items["siblings"],
        others=items["others"],
        total=total,
        unmet=unmet[:_MOST_UNMET] if unmet is not None else None,
        offset=request.offset,
        next_offset=end if end < total else None,
        left_out=f"{total - end} more concepts" if end < total else None,
        graph_hash=around.graph.hash(),
    )
    return result, _draft(around, result, paged, unmet)


def _page(lists: dict[str, list[_Reached]], offset: int, limit: int) -> dict[str, list[_Reached]]:
    """Return one page that runs over the lists."""
    paged: dict[str, list[_Reached]] = {}
    for name, some in lists.items():
        paged[name] = some[offset : offset + limit]
        limit -= len(paged[name])
        offset = max(0, offset - len(some))
    return paged


def _unmet(
    around: _Around, needed: Sequence[_Reached], mastery: Mastery
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
    around: _Around,
    named: Named,
    lists: dict[str, list[_Reached]],
    unmet: Sequence[UnmetConcept] | None,
    unseen: int,
) -> str:
    name = safe_name(around.centre.name)
    parts = [
        counted(len(lists["prerequisites"]), "prerequisite"),
        counted(len(lists["dependents"]), "dependent"),
        counted(len(lists["siblings"]), "sibling"),
    ]
    said = f'"{name}" has {parts[0]}, {parts[1]} and {parts[2]} within {around.depth} edges'
    if lists["others"]:
        said += f", and {counted(len(lists['others']), 'other relation')}"
    if named.how != "exact" and clean_name(named.raw) != around.centre.name:
        said += f' ("{safe_name(named.raw, 80)}" was read as its {named.how} name)'
    if unmet:
        below = sum(one.status == "below" for one in unmet)
        lacking = len(unmet) - below
        said += f"; {below} of the prerequisites are below the mark" if below else ""
        said += f"; of {lacking} there are not enough answers to tell" if lacking else ""
    if unseen:
        said += f"; {counted(unseen, 'prerequisite')} further away were not looked at"
    if around.cut:
        said += f"; only the nearest {_MOST_REACHED:,} were looked at"
    return said + "."


def _draft(
    around: _Around,
    result: Concepts,
    paged: dict[str, list[_Reached]],
    unmet: Sequence[UnmetConcept] | None,
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
    counts = [(name, len(some)) for name, some in paged.items() if some]
    if result.next_offset is None and not result.offset:
        values += [Value(name, str(count), entity=centre.name) for name, count in counts]
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
        statements=edge_statements(edges, whole),
        answer=result.answer,
    )


def _estimate(name: str, text: str, of: str, *labels: str) -> Value:
    """Return a value of an estimate as it is quoted, in percent or without a unit."""
    number = text.removesuffix(" %")
    return Value(name, number, unit=None if number == text else "%", entity=of, labels=labels)
