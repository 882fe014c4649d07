"""The declarations of a set of shapes: domains, their properties with every path, connections.

All values are immutable and shared freely between domains: a path, an enumeration or a label
that many domains have is one object. Local names and texts of the shapes become known words here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.index.namespaces import DRAFTS
from groundwire.vocabulary import fold

_HAS = re.compile(r"has(?=[A-Z_])")


def local_name(iri: str) -> str:
    """Return the part of an IRI behind its last `#`, `/` or `:`, or the IRI where that is empty."""
    end = len(iri)
    while end and iri[end - 1] in "#/:":
        end -= 1
    start = max(iri.rfind("#", 0, end), iri.rfind("/", 0, end), iri.rfind(":", 0, end))
    return iri[start + 1 : end] or iri


def spoken_name(iri: str) -> str:
    """The local name of a property, folded, without a leading "has": `hasOwner` is owner."""
    name = local_name(iri)
    return fold(name[3:] if _HAS.match(name) else name)


def compact(iri: str, prefixes: Mapping[str, str]) -> str:
    """The CURIE of an IRI where a prefix is declared for it, else the IRI."""
    best, found = "", iri
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and len(namespace) > len(best):
            rest = iri[len(namespace) :]
            if rest and all(character.isalnum() or character in "-_." for character in rest):
                best, found = namespace, f"{prefix}:{rest}"
    return found


def words_of(texts: Iterable[str]) -> Iterator[str]:
    """Words of two letters or more in lower case; camelCase names are taken apart too."""
    import re

    word = re.compile(r"[^\W\d_]{2,}")
    hump = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
    found: set[str] = set()
    for text in set(texts):
        found.update(word.findall(text))
    for match in found:
        yield match.lower()
        parts = hump.split(match)
        if len(parts) > 1:
            yield from (part.lower() for part in parts if len(part) > 1)


Kind = Literal["literal", "iri", "node", "any"]
Via = Literal["class", "shape", "link"]
ANY_DOMAIN = "*"


class Text(NamedTuple):
    """A label or a description; `language` is empty where the file names none."""

    value: str
    language: str = ""


class Step(NamedTuple):
    """One step of a path.

    Attributes:
        iri: the property.
        inverse: from the value to the subject.
        repeat: "" for once, "*", "+" or "?" as in SPARQL 1.1, section 9.1.
    """

    iri: str
    inverse: bool = False
    repeat: str = ""


class Path(NamedTuple):
    """A way from an asset to a value."""

    steps: tuple[Step, ...]

    @property
    def repeats(self) -> bool:
        """Whether a step may be taken any number of times, or not at all."""
        return any(step.repeat for step in self.steps)

    def turned(self) -> Path:
        """The path read from its other end."""
        return Path(tuple(step._replace(inverse=not step.inverse) for step in reversed(self.steps)))

    def covers(self, other: Path) -> bool:
        """Whether the path, whose steps may be repeated, leads to where another one leads."""
        return _covers(self.steps, other.steps)

    def sparql(self) -> str:
        """The path in SPARQL syntax with full IRIs: `<a>/^<b>`."""
        return "/".join(f"{'^' * s.inverse}{iri_n3(s.iri)}{s.repeat}" for s in self.steps)

    def local(self) -> str:
        """The path as people read it, local names only: `hasContent/roadTypes`."""
        return "/".join(f"{'^' * s.inverse}{local_name(s.iri)}{s.repeat}" for s in self.steps)


def _covers(way: Sequence[Step], steps: Sequence[Step]) -> bool:
    if not way:
        return not steps
    first, *rest = way
    if first.repeat in ("*", "?") and _covers(rest, steps):
        return True
    repeats = first.repeat in ("*", "+")
    step = steps[0]._replace(repeat="") if steps and repeats else steps[0] if steps else None
    if step != first._replace(repeat=""):
        return False
    again = (first._replace(repeat="*"), *rest) if repeats else tuple(rest)
    return _covers(again, steps[1:])


class EnumValue(NamedTuple):
    """One enumerated value.

    Attributes:
        term: the literal or IRI as declared.
        labels: what people call it; for a literal only what the shapes add to its own text.
        conditional: a guard decides whether the list that holds it applies, or an alternative
            allows other values.
    """

    term: Term
    labels: tuple[Text, ...] = ()
    conditional: bool = False


class Source(NamedTuple):
    """Where a fact was declared: `shape` is the IRI of the nearest named shape."""

    file: str
    line: int | None
    shape: str


class Measure(NamedTuple):
    """The scale of a unit, as decimal texts.

    Attributes:
        dimension: that of `groundwire.quantities` where it has one, else one of its own.
        factor: one of the unit in the base unit of the dimension.
        offset: what is added to a value before the factor applies.
    """

    dimension: str
    factor: str
    offset: str = "0"


def is_draft(shape: str) -> bool:
    """Whether the IRI of a shape is one that `groundwire ontology infer` gives."""
    return shape.startswith(DRAFTS)


class Property(NamedTuple):
    """One property of one domain: all places where it occurs, merged.

    Attributes:
        iri: the last step of the paths.
        local_name: its local name, with a leading `^` if the last step is inverse.
        curie: prefix and local name, or the IRI where no prefix is declared.
        paths: from the asset to the value, shortest first.
        kind: "node" only leads on to other properties; "any" when the shapes do not say.
        datatypes: IRIs that the shapes allow; empty when they do not say.
        classes: IRIs of `sh:class`.
        enum: the union of all lists, unconditional values first.
        closed: only the values of `enum` are valid, everywhere the property occurs.
        has_values: values demanded by `sh:hasValue`.
        individuals: the named individuals of `classes` that the files describe.
        minimum: least value of all places, None if one of them is unbounded; likewise maximum.
        unit: canonical text of the unit ("km"), None if the shapes do not state it reliably.
        conditional: part of the enumeration holds under a condition only.
        undeclared: those of the paths that assets hold values on and no shape names.
        measure: the scale of a unit that `groundwire.quantities` does not know.
    """

    iri: str
    local_name: str
    curie: str
    paths: tuple[Path, ...]
    kind: Kind = "any"
    datatypes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    enum: tuple[EnumValue, ...] = ()
    closed: bool = False
    has_values: tuple[Term, ...] = ()
    individuals: tuple[EnumValue, ...] = ()
    patterns: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    minimum: Term | None = None
    minimum_exclusive: bool = False
    maximum: Term | None = None
    maximum_exclusive: bool = False
    unit: str | None = None
    labels: tuple[Text, ...] = ()
    descriptions: tuple[Text, ...] = ()
    sources: tuple[Source, ...] = ()
    conditional: bool = False
    measure: Measure | None = None
    undeclared: tuple[Path, ...] = ()

    @property
    def declared(self) -> bool:
        """Whether a shape names the property, on one of its paths at least."""
        return not self.undeclared or len(self.undeclared) < len(self.paths)

    @property
    def declared_paths(self) -> tuple[Path, ...]:
        """The paths that shapes name."""
        return tuple(path for path in self.paths if path not in self.undeclared)

    @property
    def key(self) -> str:
        """The key in `Domain.properties`: the IRI, with a leading `^` if it is inverse."""
        return f"^{self.iri}" if self.local_name.startswith("^") else self.iri

    @property
    def drafted(self) -> bool:
        """Whether only shapes that were drafted from data declare it."""
        return bool(self.sources) and all(is_draft(source.shape) for source in self.sources)


class Domain:
    """A class that shapes target.

    Attributes:
        name: short and unique.
        class_iri: the target class.
        curie: its prefix and local name, or its IRI.
        subclasses: IRIs of all classes below it, without itself.
        superclasses: IRIs of all classes above it, without itself.
        part: shapes use it as a component of other domains (an address, a format).
        labels: in every language.
        descriptions: in every language.
        sources: the shapes that target it.
    """

    __slots__ = (
        "_load",
        "_properties",
        "class_iri",
        "curie",
        "descriptions",
        "labels",
        "name",
        "part",
        "sources",
        "subclasses",
        "superclasses",
    )

    def __init__(
        self,
        name: str,
        class_iri: str,
        curie: str,
        *,
        properties: Mapping[str, Property] | Callable[[], dict[str, Property]],
        subclasses: tuple[str, ...] = (),
        superclasses: tuple[str, ...] = (),
        part: bool = False,
        labels: tuple[Text, ...] = (),
        descriptions: tuple[Text, ...] = (),
        sources: tuple[Source, ...] = (),
    ) -> None:
        """A domain whose `properties` may come from a function, called when first needed."""
        self.name = name
        self.class_iri = class_iri
        self.curie = curie
        self.subclasses = subclasses
        self.superclasses = superclasses
        self.part = part
        self.labels = labels
        self.descriptions = descriptions
        self.sources = sources
        self._properties: dict[str, Property] | None = None
        self._load = properties if callable(properties) else lambda: dict(properties)

    @property
    def properties(self) -> dict[str, Property]:
        """Properties by IRI; one whose last step is inverse has the key `^IRI`."""
        if self._properties is None:
            self._properties = self._load()
        return self._properties

    def declared_properties(self) -> Iterator[Property]:
        """The properties that shapes name, each with the paths that shapes name."""
        for prop in self.properties.values():
            if not prop.undeclared:
                yield prop
            elif prop.declared:
                yield prop._replace(paths=prop.declared_paths, undeclared=())

    def __repr__(self) -> str:
        return f"Domain({self.name!r}, {self.class_iri!r})"


class Connection(NamedTuple):
    """A declared way from the assets of one domain to those of another.

    Attributes:
        source: name of the domain that the path starts from.
        target: name of the domain that it ends in, or `ANY_DOMAIN` where the shapes allow any
            IRI.
        path: from the one asset to the other.
        via: "class" (`sh:class`), "shape" (`sh:node` of a shape that targets the domain) or
            "link" (a property that holds IRIs).
        nested: the target is a component of the source, so its properties are among those of
            the source too.
    """

    source: str
    target: str
    path: Path
    via: Via
    nested: bool = False


class Problem(NamedTuple):
    """Something in a file that could not be read or used, in one line."""

    file: str
    line: int | None
    message: str


class ShapeIndex:
    """Everything that a set of shape and ontology files declares.

    Attributes:
        domains: by name.
        prefixes: namespace IRIs by prefix.
        problems: what could not be read or was not understood.
        digest: hash of the files' contents; equal digests mean equal indexes.
    """

    __slots__ = (
        "_connections",
        "_holders",
        "_load",
        "_names",
        "_words",
        "digest",
        "domains",
        "prefixes",
        "problems",
    )

    def __init__(
        self,
        domains: dict[str, Domain],
        connections: tuple[Connection, ...] | Callable[[], tuple[Connection, ...]] = (),
        prefixes: dict[str, str] | None = None,
        problems: tuple[Problem, ...] = (),
        digest: str = "",
    ) -> None:
        """An index whose `connections` may come from a function, called when first needed."""
        self.domains = domains
        self.prefixes = prefixes or {}
        self.problems = problems
        self.digest = digest
        self._connections: tuple[Connection, ...] | None = None
        self._load = connections if callable(connections) else lambda: connections
        self._holders: Mapping[str, tuple[str, ...]] | None = None
        self._names: Mapping[str, str] | None = None
        self._words: frozenset[str] | None = None

    @property
    def connections(self) -> tuple[Connection, ...]:
        """All connections, sorted by source, target and length of path."""
        if self._connections is None:
            self._connections = self._load()
        return self._connections

    def holders(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the domains that have a property, by the property's key."""
        if self._holders is None:
            found: dict[str, list[str]] = {}
            for domain in self.domains.values():
                for key in domain.properties:
                    found.setdefault(key, []).append(domain.name)
            self._holders = {key: tuple(names) for key, names in found.items()}
        return self._holders

    def names(self) -> Mapping[str, str]:
        """Names of the domains by the IRI of their class."""
        if self._names is None:
            self._names = {domain.class_iri: domain.name for domain in self.domains.values()}
        return self._names

    def words(self) -> frozenset[str]:
        """Every word of labels, descriptions and names, in lower case (the known words)."""
        if self._words is None:
            self._words = frozenset(words_of(self._all_texts()))
        return self._words

    def _all_texts(self) -> Iterator[str]:
        for domain in self.domains.values():
            yield local_name(domain.class_iri)
            yield from (text.value for text in (*domain.labels, *domain.descriptions))
        lists: dict[int, tuple[EnumValue, ...]] = {}
        for prop in self.distinct_properties():
            yield prop.local_name
            yield from (text.value for text in (*prop.labels, *prop.descriptions))
            lists |= {id(values): values for values in (prop.enum, prop.individuals)}
        for values in lists.values():
            for value in values:
                yield local_name(value.term.value)
                yield from (text.value for text in value.labels)

    def distinct_properties(self) -> Iterator[Property]:
        """The properties of all domains; what domains have in common comes once."""
        seen: set[int] = set()
        for held in {id(d.properties): d.properties for d in self.domains.values()}.values():
            for prop in held.values():
                if id(prop) not in seen:
                    seen.add(id(prop))
                    yield prop
