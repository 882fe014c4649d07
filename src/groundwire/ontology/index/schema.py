"""Classes, targets, labels and names: what the files say beside the constraints."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import EnumValue, Text, local_name
from groundwire.ontology.index.namespaces import (
    CLASS_TYPES,
    DESCRIPTIONS,
    IMPORTS,
    LABELS,
    OTHER_TARGETS,
    OWL,
    ROOT_CLASSES,
    SHAPE_CLASS,
    SHAPE_TYPES,
    SUBCLASS,
    TARGET_CLASS,
    TYPE,
)
from groundwire.vocabulary.fold import fold

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph, Node

_NO_INDIVIDUALS = (
    CLASS_TYPES | SHAPE_TYPES | {SHAPE_CLASS, OWL + "NamedIndividual", OWL + "Ontology"}
)
_LABEL_RANKS = {predicate: rank for rank, predicate in enumerate(LABELS)}
_SHAPE = re.compile(r"[ -]?shape$", re.IGNORECASE)
_DESCRIPTION_RANKS = {predicate: rank for rank, predicate in enumerate(DESCRIPTIONS)}


def to_term(node: Node) -> Term:
    """A parser's node as a plain value."""
    datatype = getattr(node, "datatype", None)
    if datatype is not None:
        return Term("literal", node.value, datatype.value, getattr(node, "language", "") or "")
    return Term("iri" if ":" in node.value else "bnode", node.value)


class Schema:
    """Facts about IRIs that all domains share.

    Attributes:
        targets: shapes by the class they target, explicitly or implicitly.
        prefixes: one namespace for each prefix, the one that most files give it.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._parents: dict[str, list[str]] = defaultdict(list)
        self._children: dict[str, list[str]] = defaultdict(list)
        self._instances: dict[str, list[str]] = defaultdict(list)
        self._above: dict[str, tuple[str, ...]] = {}
        self._below: dict[str, tuple[str, ...]] = {}
        self._labels: dict[str, tuple[Text, ...]] = {}
        self._descriptions: dict[str, tuple[Text, ...]] = {}
        self.targets: dict[str, list[str]] = {}
        self.prefixes = _prefixes(graph)
        self._curies = {namespace: prefix for prefix, namespace in self.prefixes.items()}
        self._collect()

    def _collect(self) -> None:
        typed = self._instances
        imports: list[tuple[str, str]] = []
        for subject, predicate, node in self._graph.watched:
            if predicate == TYPE:
                typed[node.value].append(subject)
            elif predicate == SUBCLASS:
                self._subclass(subject, node.value)
            elif predicate == TARGET_CLASS:
                self._target(node.value, subject)
            elif predicate == IMPORTS:
                imports.append((subject, node.value))
            elif predicate in OTHER_TARGETS:
                keyword = f"sh:{local_name(predicate)}"
                name = subject if ":" in subject else "a shape"
                self._graph.ignore(subject, keyword, name, "it makes no domain")
        shapes = {iri for each in SHAPE_TYPES for iri in typed.get(each, ()) if ":" in iri}
        # A class may be one by a metaclass of its own (SHACL, section 2.1.3.3).
        metaclasses = {*CLASS_TYPES, *(c for each in CLASS_TYPES for c in self.subclasses(each))}
        classes = {iri for each in metaclasses for iri in typed.get(each, ())}
        both = {iri for iri in typed.get(SHAPE_CLASS, ()) if ":" in iri}
        classes |= both
        for subject in sorted(shapes & classes | both):
            self._target(subject, subject)
        self._check_imports(imports, classes)

    def _subclass(self, below: str, above: str) -> None:
        if ":" in above and below != above:
            self._parents[below].append(above)
            self._children[above].append(below)

    def _target(self, class_iri: str, shape: str) -> None:
        known = self.targets.setdefault(class_iri, [])
        if shape not in known:
            known.append(shape)

    def _check_imports(self, imports: list[tuple[str, str]], classes: set[str]) -> None:
        """An import that no file answers matters where it would describe a target class."""
        known = {iri.rstrip("#/") for iri in self._graph.triples}
        undescribed = [iri for iri in self.targets if iri not in classes]
        for subject, wanted in imports:
            bare = wanted.rstrip("#/")
            if bare not in known and any(
                iri.startswith((bare + "/", bare + "#")) for iri in undescribed
            ):
                self._graph.warn(
                    subject,
                    f"imports {wanted}, which is not among the files: add it for the labels and "
                    "subclasses that it declares",
                )

    def superclasses(self, class_iri: str) -> tuple[str, ...]:
        """All classes above one, nearest first, without those that everything is below."""
        known = self._above.get(class_iri)
        if known is None:
            known = self._above[class_iri] = _closure(class_iri, self._parents)
        return known

    def subclasses(self, class_iri: str) -> tuple[str, ...]:
        """All classes below one, nearest first."""
        known = self._below.get(class_iri)
        if known is None:
            known = self._below[class_iri] = _closure(class_iri, self._children)
        return known

    def targets_at_or_below(self, classes: Iterable[str]) -> tuple[str, ...]:
        """Return the target classes among some, and the next ones below those that are none."""
        return self._next_targets(classes, self._children)

    def targets_above(self, class_iri: str) -> tuple[str, ...]:
        """The next target classes above one."""
        return self._next_targets(self._parents.get(class_iri, ()), self._parents)

    def _next_targets(self, classes: Iterable[str], edges: dict[str, list[str]]) -> tuple[str, ...]:
        queue = list(dict.fromkeys(classes))
        seen = set(queue) | ROOT_CLASSES
        found: list[str] = []
        for each in queue:
            if each in self.targets:
                found.append(each)
                continue
            following = [c for c in edges.get(each, ()) if c not in seen]
            seen.update(following)
            queue += following
        return tuple(found)

    def labels(self, iri: str) -> tuple[Text, ...]:
        """Labels and alternative labels in every language, the preferred kinds first."""
        known = self._labels.get(iri)
        if known is None:
            known = self._labels[iri] = self._texts(iri, _LABEL_RANKS)
        return known

    def labels_of_shapes(self, class_iri: str) -> tuple[Text, ...]:
        """Labels of the shapes that target a class, without the word that says they are shapes."""
        texts = (text for shape in self.targets[class_iri] for text in self.labels(shape))
        bare = (text._replace(value=_SHAPE.sub("", text.value)) for text in texts)
        return tuple(dict.fromkeys(text for text in bare if text.value))

    def descriptions(self, iri: str) -> tuple[Text, ...]:
        """Descriptions, definitions and comments in every language."""
        known = self._descriptions.get(iri)
        if known is None:
            known = self._descriptions[iri] = self._texts(iri, _DESCRIPTION_RANKS)
        return known

    def _texts(self, iri: str, ranks: dict[str, int]) -> tuple[Text, ...]:
        pairs = self._graph.triples.get(iri)
        if not pairs:
            return ()
        found: dict[Text, int] = {}
        for predicate, node in pairs:
            rank = ranks.get(predicate)
            if rank is not None:
                text = Text(node.value.strip(), getattr(node, "language", "") or "")
                if text.value:
                    found.setdefault(text, rank)
        return tuple(sorted(found, key=found.__getitem__) if len(found) > 1 else found)

    def individuals(self, class_iri: str) -> tuple[EnumValue, ...]:
        """The named individuals of a class and of the classes below it, with their labels."""
        found: dict[str, None] = {}
        for each in (class_iri, *self.subclasses(class_iri)):
            if each not in _NO_INDIVIDUALS:
                found |= dict.fromkeys(iri for iri in self._instances.get(each, ()) if ":" in iri)
        return tuple(EnumValue(Term("iri", iri), self.labels(iri)) for iri in found)

    def curie(self, iri: str) -> str:
        """Prefix and local name, or the IRI where no file gives its namespace a prefix."""
        name = local_name(iri)
        prefix = self._curies.get(iri[: len(iri) - len(name)]) if iri.endswith(name) else None
        return iri if prefix is None else f"{prefix}:{name}"

    def domain_names(self) -> dict[str, str]:
        """A short unique name for every target class.

        The prefix where it is the class's own name (`hdmap:HdMap` is hdmap), else the local
        name; where two fold alike, the CURIE, except for the one that is named by its prefix.
        """
        proposed: dict[str, tuple[str, bool]] = {}
        for iri in self.targets:
            name = local_name(iri)
            prefix, colon, _ = self.curie(iri).partition(":")
            owned = bool(colon) and prefix in self.prefixes and fold(prefix) == fold(name)
            proposed[iri] = (prefix if owned else name, owned)
        rivals: dict[str, list[str]] = defaultdict(list)
        for iri, (name, _) in proposed.items():
            rivals[fold(name)].append(iri)
        names: dict[str, str] = {}
        for group in rivals.values():
            owners = [iri for iri in group if proposed[iri][1]]
            for iri in group:
                alone = len(group) == 1 or owners == [iri]
                names[iri] = proposed[iri][0] if alone else self.curie(iri)
        return names


def _closure(start: str, edges: dict[str, list[str]]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    queue = [start]
    for each in queue:
        for other in edges.get(each, ()):
            if other not in found and other != start and other not in ROOT_CLASSES:
                found[other] = None
                queue.append(other)
    return tuple(found)


def _prefixes(graph: Graph) -> dict[str, str]:
    """The namespace of each prefix and one prefix for each namespace: the most used."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for (prefix, namespace), _ in sorted(graph.prefixes.items(), key=lambda item: (-item[1], item)):
        if prefix and prefix not in chosen and namespace not in taken:
            chosen[prefix] = namespace
            taken.add(namespace)
    return dict(sorted(chosen.items()))
