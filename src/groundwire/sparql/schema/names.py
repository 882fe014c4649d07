"""The names of a graph: its properties and classes with labels and counts, and IRIs as written.

One query counts properties and classes; where an endpoint cannot count, they are listed. Questions
that are answered by pattern and `describe_schema` read a graph by the same queries.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri, iri_n3
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.workflow.queries import LABEL_PATHS, RDF_TYPE

MOST_NAMES = 4_000
"""Properties and classes that are read, the most used first."""
SUBCLASS_OF = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
_MOST_USES = 400
LONGEST_NAME = 80
"""Characters of a label; a longer text is none."""
_XSD = "http://www.w3.org/2001/XMLSchema#"
NUMERIC = frozenset(
    _XSD + one
    for one in ("integer", "decimal", "double", "float", "long", "int", "short",
                "nonNegativeInteger", "positiveInteger")
)  # fmt: skip
DATES = frozenset(_XSD + one for one in ("date", "dateTime", "gYear", "gYearMonth"))
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A property or a class, with the phrases by which questions name it.

    Attributes:
        iri: the property or class.
        label: what it is called, in the language of the code, else by its local name.
        count: statements or entities; 0 where it is not known.
        labels: texts with their languages.
    """

    iri: str
    label: str
    count: int
    labels: tuple[tuple[str, str], ...] = ()

    def called(self, language: str) -> str:
        """Return its label in a language, or else the label that it has."""
        return next((text for text, tag in self.labels if tag == language), self.label)


@dataclass(frozen=True, slots=True)
class Use:
    """How a property is used, by a sample of its statements.

    Attributes:
        domain, range: IRIs of the classes of subjects and objects.
        datatypes: those of literal objects; "" of a plain text.
        untyped: subjects or objects without a class were seen.
    """

    domain: frozenset[str] = frozenset()
    range: frozenset[str] = frozenset()
    datatypes: frozenset[str] = frozenset()
    untyped: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its objects are numbers."""
        return bool(self.datatypes) and self.datatypes <= NUMERIC

    @property
    def is_truth(self) -> bool:
        """Whether its objects are true or false."""
        return self.datatypes == frozenset((_XSD + "boolean",))

    @property
    def is_date(self) -> bool:
        """Whether its objects are dates or years."""
        return bool(self.datatypes) and self.datatypes <= DATES


class Names(NamedTuple):
    """The properties and classes that were read.

    Attributes:
        properties, classes: by IRI, the most used first.
        is_whole: these are all of them.
        counted: their counts are known.
    """

    properties: Mapping[str, Named]
    classes: Mapping[str, Named]
    is_whole: bool
    counted: bool


def local(name: str) -> str:
    """Return the last part of an IRI, in words."""
    last = re.split(r"[#/:]", name.rstrip("#/"))[-1]
    return " ".join(part for part in _CAMEL.split(last) if part).casefold()


def named(name: str, count: int, labels: Iterable[tuple[str, str]]) -> Named:
    """Return a property or class by its texts, each with its language."""
    texts = tuple(labels)
    english = next((text for text, tag in texts if tag in ("en", "")), "")
    return Named(name, english or local(name), count, texts)


def names_query(counted: bool = True) -> CompiledQuery:
    """Return the query for properties and classes with their labels, the most used first.

    Args:
        counted: with their counts; an endpoint that cannot count lists them.
    """
    labels = "|".join(iri(one).n3() for one in LABEL_PATHS)
    if counted:
        inner = (
            "  { SELECT (0 AS ?kind) ?name (COUNT(*) AS ?count) WHERE { ?s ?name ?o }\n"
            f"    GROUP BY ?name ORDER BY DESC(?count) LIMIT {MOST_NAMES} }}\n  UNION\n"
            "  { SELECT (1 AS ?kind) ?name (COUNT(*) AS ?count) WHERE { ?s a ?name }\n"
            f"    GROUP BY ?name ORDER BY DESC(?count) LIMIT {MOST_NAMES} }}\n"
        )
    else:
        inner = (
            "  { SELECT DISTINCT (0 AS ?kind) ?name WHERE { ?s ?name ?o }"
            f" LIMIT {MOST_NAMES} }}\n  UNION\n"
            "  { SELECT DISTINCT (1 AS ?kind) ?name WHERE { ?s a ?name }"
            f" LIMIT {MOST_NAMES} }}\n"
        )
    count = "?count " if counted else ""
    return CompiledQuery(
        f"SELECT ?kind ?name {count}?label\nWHERE {{\n{inner}"
        f"  OPTIONAL {{ ?name {labels} ?label }}\n}}\nLIMIT {8 * MOST_NAMES}"
    )


def subclasses_query() -> CompiledQuery:
    """Return the query for which classes stand below which, with labels of the upper ones."""
    labels = "|".join(iri(one).n3() for one in LABEL_PATHS)
    return CompiledQuery(
        f"SELECT DISTINCT ?below ?above ?label\nWHERE {{\n  ?below {iri(SUBCLASS_OF).n3()} ?above ."
        f" FILTER(isIRI(?below) && isIRI(?above))\n  OPTIONAL {{ ?above {labels} ?label }}\n}}\n"
        f"LIMIT {8 * MOST_NAMES}"
    )


def read_names(outcome: Outcome) -> Names:
    """Return the names that an outcome of `names_query` holds."""
    found: tuple[dict[str, int], dict[str, int]] = ({}, {})
    labels: dict[str, dict[tuple[str, str], None]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        name, label = cells.get("name"), cells.get("label")
        if not isinstance(name, Term) or name.kind != "iri":
            continue
        kind = found[1] if whole_number(cells.get("kind")) else found[0]
        kind[name.value] = whole_number(cells.get("count"))
        if isinstance(label, Term) and len(label.value) <= LONGEST_NAME:
            labels.setdefault(name.value, {})[(label.value, label.language)] = None

    properties, classes = (
        {name: named(name, n, labels.get(name, ())) for name, n in one.items()} for one in found
    )
    return Names(
        properties,
        classes,
        outcome.status in ("complete", "empty") and max(map(len, found)) < MOST_NAMES,
        "count" in outcome.columns,
    )


def uses_query(properties: Sequence[str]) -> CompiledQuery:
    """Return the query for how some properties are used, by a sample of each."""
    parts = (
        f"  {{ SELECT ({iri(p).n3()} AS ?p) ?s ?o WHERE {{ ?s {iri(p).n3()} ?o }}"
        f" LIMIT {_MOST_USES} }}\n"
        for p in properties
    )
    rdf_type = iri(RDF_TYPE).n3()
    samples = "  UNION\n".join(parts)
    return CompiledQuery(
        f"SELECT DISTINCT ?p ?sc ?oc ?kind\nWHERE {{\n{samples}"
        f"  OPTIONAL {{ ?s {rdf_type} ?sc }}\n  OPTIONAL {{ ?o {rdf_type} ?oc }}\n"
        '  BIND(IF(isLITERAL(?o), STR(DATATYPE(?o)), IF(isIRI(?o), "iri", "node")) AS ?kind)\n}\n'
        f"LIMIT {_MOST_USES * max(1, len(properties))}"
    )


def read_uses(outcome: Outcome, properties: Sequence[str]) -> dict[str, Use]:
    """Return the uses that an outcome of `uses_query` holds."""
    held: dict[str, tuple[set[str], set[str], set[str], list[bool]]] = {
        p: (set(), set(), set(), []) for p in properties
    }
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        p = cells.get("p")
        if not isinstance(p, Term) or p.value not in held:
            continue
        domain, range_, datatypes, untyped = held[p.value]
        kind = cells.get("kind")
        text = kind.value if isinstance(kind, Term) else str(kind or "")
        if isinstance(found := cells.get("sc"), Term):
            domain.add(found.value)
        else:
            untyped.append(True)
        if isinstance(found := cells.get("oc"), Term):
            range_.add(found.value)
        elif text not in ("iri", "node"):
            datatypes.add(text)
    return {
        p: Use(frozenset(d), frozenset(r), frozenset(t), bool(u))
        for p, (d, r, t, u) in held.items()
    }


def whole_number(cell: object) -> int:
    """Return the whole number of a cell; 0 where it holds none, or one below it."""
    text = cell.value if isinstance(cell, Term) else str(cell if cell is not None else 0)
    try:
        return max(0, int(float(text)))
    except (ValueError, OverflowError):
        return 0


# A subset of what SPARQL 1.1, rule [169] PN_LOCAL, allows, in which nothing needs an escape.
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}|[0-9][A-Za-z0-9_-]{0,60}")
_SPLIT = re.compile(r"(?P<base>[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*[#/:])(?P<local>[^#/:]*)")
_WORD = re.compile(r"[a-z][a-z0-9]{1,15}")
_VERSION = re.compile(r"v?[0-9.]+")
_PLAIN_WORDS = frozenset(("http", "https", "www", "org", "com", "net", "ns", "id", "urn", "terms"))


@cache
def _known() -> Mapping[str, str]:
    listed = tomllib.loads(Path(__file__).with_name("prefixes.toml").read_text("utf-8"))
    return {base: prefix for prefix, base in listed.items()}


class Notation:
    """Writes IRIs, and remembers the prefixes that it used.

    Attributes:
        prefixes: namespaces by prefix, of what was written.
    """

    def __init__(self, iris: Iterable[str] = ()) -> None:
        """Give prefixes to the namespaces of some IRIs, in their order; none is used yet."""
        self.prefixes: dict[str, str] = {}
        self._of: dict[str, str] = {}
        for one in iris:
            if found := _SPLIT.fullmatch(one):
                self._prefix(found["base"])

    @property
    def bases(self) -> dict[str, str]:
        """Namespaces by prefix, used or not."""
        return {prefix: base for base, prefix in self._of.items()}

    def fresh(self) -> Notation:
        """Return one that gives the same prefixes and has used none."""
        other = Notation()
        other._of = dict(self._of)
        return other

    def written(self, iri: str) -> str:
        """Return an IRI as a prefixed name, or else in angle brackets."""
        found = _SPLIT.fullmatch(iri)
        if found is None or not _LOCAL.fullmatch(found["local"]):
            return iri_n3(iri)
        prefix = self._prefix(found["base"])
        self.prefixes[prefix] = found["base"]
        return f"{prefix}:{found['local']}"

    def path(self, steps: tuple[str, ...]) -> str:
        """Return the steps of a use as a property path of SPARQL."""
        return "/".join(
            ("^" if step.startswith("^") else "")
            + self.written(step.strip("^*"))
            + ("*" if step.endswith("*") else "")
            for step in steps
        )

    def _prefix(self, base: str) -> str:
        if base not in self._of:
            usual = _known().get(base)
            wanted = usual or _named_by(base)
            taken, number = wanted, 2
            reserved = set[str]() if usual else set(_known().values())
            others = {*self._of.values(), *reserved}
            while taken in others:
                taken, number = f"{wanted}{number}", number + 1
            self._of[base] = taken
        return self._of[base]


def expanded(text: str, prefixes: Mapping[str, str]) -> str:
    """Return the IRI that a text writes, in angle brackets, with a known prefix or bare; or ""."""
    plain = text.strip()
    if plain.startswith("<") and plain.endswith(">"):
        return plain[1:-1]
    prefix, colon, local = plain.partition(":")
    if not colon or any(character.isspace() for character in plain):
        return ""
    known = {short: base for base, short in _known().items()} | dict(prefixes)
    if prefix in known and not local.startswith("//"):
        return known[prefix] + local
    return plain


def _named_by(base: str) -> str:
    """Return a prefix made of the last telling word of a namespace."""
    parts = [part for part in re.split(r"[/#:.]", base.lower()) if part]
    for part in reversed(parts):
        word = _WORD.match(part.replace("-", ""))
        if word and not _VERSION.fullmatch(part) and part not in _PLAIN_WORDS:
            return word[0]
    return "ns"
