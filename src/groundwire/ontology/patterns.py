"""Paths as the patterns of one group of a query, with nodes shared where that changes nothing.

Two conditions on values of one node (`hasContent/mode` and `hasContent/length`) may be read from
one variable only where no asset has two such nodes. That is known of a graph that was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.plan import Known, classes_of

# Comparing a class with more than these, one by one, is slower than a join with them.
_MOST_COMPARED = 32
# Writes the last pattern of a path: from a node, over the rest of the path.
Leaf = Callable[[str, str], str]


class Group:
    """The variables of one group of patterns.

    Attributes:
        known: what is known of the graph.
        filters: conditions that go to the end of the group.
        loose: terms are compared and not matched, so that the engine, which begins with a
            pattern that has the most terms, begins with one that has a variable.
    """

    def __init__(self, known: Known, names: Iterator[int] | None = None) -> None:
        """Begin a group; `names` number its variables where it stands within another."""
        self.known = known
        self.filters: list[str] = []
        self.loose = False
        self._names = count(1) if names is None else names
        self._nodes: dict[tuple[str, Step], str] = {}

    def inside(self) -> Group:
        """A group within an EXISTS of this one: filters of its own, other variables."""
        return Group(self.known, self._names)

    def name(self) -> str:
        """A variable that is not used yet."""
        return f"?v{next(self._names)}"

    def reach(self, subject: str, paths: Sequence[Path]) -> tuple[list[str], str, str]:
        """Patterns that lead to the last step of the paths, the node there, and that step."""
        if len(paths) > 1 or not self.known.counted or paths[0].repeats:
            return [], subject, alternatives(paths)
        *before, last = paths[0].steps
        patterns: list[str] = []
        for step in before:
            node = self._nodes.get((subject, step))
            if node is None:
                node = self.name()
                patterns.append(f"{subject} {_written((step,))} {node} .")
                if self._is_single(step):
                    self._nodes[subject, step] = node
            subject = node
        return patterns, subject, _written((last,))

    def match(
        self, subject: str, paths: Sequence[Path], leaf: Leaf, *, first: bool = False
    ) -> list[str]:
        """Patterns of the paths; the one with the value is written first if it is to lead."""
        patterns, node, step = self.reach(subject, paths)
        end = leaf(node, step)
        return [end, *reversed(patterns)] if first else [*patterns, end]

    def from_bound(self, subject: str, path: Path) -> tuple[str, tuple[Step, ...]]:
        """The last node of a path that is bound already, and the steps that lead on from it."""
        steps = path.steps
        while len(steps) > 1 and (subject, steps[0]) in self._nodes:
            subject, steps = self._nodes[subject, steps[0]], steps[1:]
        return subject, steps

    def exists(self, subject: str, paths: Sequence[Path], leaf: Leaf, *, is_so: bool) -> str:
        """A filter: some value at one of the paths is as `leaf` says, or none is."""
        if not self.known.counted:
            negation = "" if is_so else "NOT "
            return f"FILTER {negation}EXISTS {{ {leaf(subject, alternatives(paths))} }}"
        inner = [f"EXISTS {{ {self._chain(subject, path, leaf)} }}" for path in paths]
        if is_so:
            return f"FILTER({' || '.join(inner)})"
        return " ".join(f"FILTER NOT {each}" for each in inner)

    def typed(self, variable: str, domain: Domain, *, first: bool = False) -> str:
        """Patterns of being an instance of a domain, its subclasses included."""
        classes = [iri_n3(iri) for iri in classes_of(self.known, domain)]
        if len(classes) == 1 and (first or not self.loose):
            return f"{variable} a {classes[0]} ."
        kind = self.name()
        if first or not self.known.counted or len(classes) > _MOST_COMPARED:
            return f"{variable} a {kind} . VALUES {kind} {{ {' '.join(classes)} }}"
        self.filters.append(f"FILTER({is_one_of(kind, classes, self.known)})")
        return f"{variable} a {kind} ."

    def is_named(self, variable: str, domain: Domain) -> None:
        """Keep IRIs only; no filter is needed where every instance has one."""
        if not all(self.known.all_named(iri) for iri in classes_of(self.known, domain)):
            self.filters.append(f"FILTER(isIRI({variable}))")

    def one_of(self, terms: Sequence[Term], *, first: bool) -> Leaf:
        """The last pattern of a path that ends in one of `terms`."""
        written = [term.n3() for term in terms]
        if len(written) == 1 and (first or not self.loose):
            return lambda node, step: f"{node} {step} {written[0]} ."
        name = self.name()
        if first or not self.known.counted:
            listed = f"VALUES {name} {{ {' '.join(written)} }}"
            return lambda node, step: f"{listed} {node} {step} {name} ."
        self.filters.append(f"FILTER({is_one_of(name, written, self.known)})")
        return lambda node, step: f"{node} {step} {name} ."

    def one_of_inside(self, terms: Sequence[Term]) -> Leaf:
        """The same within an EXISTS, whose filters are its own."""
        written = [term.n3() for term in terms]
        if len(written) == 1:
            return lambda node, step: f"{node} {step} {written[0]}"
        name = self.name()
        meant = is_one_of(name, written, self.known)
        return lambda node, step: f"{node} {step} {name} FILTER({meant})"

    def lead(self, subject: str, path: Path, end: Leaf, then: str) -> str:
        """A path from a bound subject within an EXISTS; `then` holds of the node at its end."""
        return self._chain(subject, path, lambda node, step: f"{end(node, step)} {then}")

    def _chain(self, subject: str, path: Path, leaf: Leaf) -> str:
        """One EXISTS a step: an engine that asks them solution by solution begins at the node."""
        node, steps = self.from_bound(subject, path)
        if len(steps) == 1 or path.repeats:
            return leaf(node, _written(steps))
        following = self.name()
        inner = self._chain(following, Path(steps[1:]), leaf)
        return f"{node} {_written(steps[:1])} {following} FILTER EXISTS {{ {inner} }}"

    def _is_single(self, step: Step) -> bool:
        return not step.inverse and self.known.single_valued(step.iri)


def alternatives(paths: Sequence[Path]) -> str:
    """One path, or several as alternatives of one."""
    if len(paths) == 1:
        return paths[0].sparql()
    return "(" + "|".join(path.sparql() for path in paths) + ")"


def is_one_of(variable: str, terms: Sequence[str], known: Known | None = None) -> str:
    """An expression: the variable is one of these terms; of literals the very term, where known."""
    if known is None or not known.same_term:
        return f"{variable} IN ({', '.join(terms)})"
    return " || ".join(f"sameTerm({variable}, {term})" for term in terms)


def _written(steps: Sequence[Step]) -> str:
    return Path(tuple(steps)).sparql()
