"""Drafts SHACL shapes from data that has none.

Every class with instances gets a shape that describes what its instances have today: datatypes,
short closed vocabularies, counts, classes of what is referred to, and nested shapes for blank
nodes. Classes and properties that the data declares itself are no assets: their labels and
descriptions go into the draft. A draft says what is, not what should be: its owner reads it and
decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundwire.errors import InputError, LimitError
from groundwire.graph.formats import FORMATS
from groundwire.graph.terms import Term, iri_n3, literal_n3
from groundwire.ontology.index.model import local_name
from groundwire.ontology.index.namespaces import (
    DESCRIPTIONS,
    DRAFTS,
    LABELS,
    OWL,
    RDF,
    RDFS,
    SH,
)
from groundwire.quantities import resolve_unit

if TYPE_CHECKING:
    from pyoxigraph import BlankNode, Literal, NamedNode


_SH = "http://www.w3.org/ns/shacl#"
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_-]+")


class DraftedProperty(NamedTuple):
    """One predicate of one shape.

    Attributes:
        values: a closed vocabulary, or nothing.
        classes: what every IRI among the values is an instance of.
        iris: some values are IRIs.
        nested: names of the shapes of blank nodes.
    """

    iri: str
    datatypes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    values: tuple[Term, ...] = ()
    classes: tuple[str, ...] = ()
    iris: bool = False
    nested: tuple[str, ...] = ()
    required: bool = False
    single: bool = False


class Draft(NamedTuple):
    """A node shape; without a class it is only used by others."""

    name: str
    class_iri: str
    properties: list[DraftedProperty]


class _Names:
    """IRIs as short names, where that needs no escapes; remembers which prefixes it took."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        known = {"sh": _SH, "xsd": _XSD, "draft": DRAFTS}
        given = {
            prefix: namespace
            for prefix, namespace in prefixes.items()
            if _PREFIX.fullmatch(prefix) and namespace and prefix not in known
        }
        self._by_namespace = {namespace: prefix for prefix, namespace in (given | known).items()}
        self._used: set[str] = {_SH, DRAFTS}

    def short(self, iri: str) -> str:
        """`prefix:name`, or the IRI in angle brackets."""
        name = local_name(iri)
        namespace = iri[: len(iri) - len(name)]
        prefix = self._by_namespace.get(namespace)
        if prefix is None or not iri.endswith(name) or not _LOCAL.fullmatch(name):
            return iri_n3(iri)
        self._used.add(namespace)
        return f"{prefix}:{name}"

    def draft(self, name: str) -> str:
        """The name of a drafted shape."""
        return self.short(DRAFTS + re.sub(r"[^\w-]", "_", name, flags=re.ASCII))

    def used(self) -> list[tuple[str, str]]:
        """Prefixes and namespaces that the document needs."""
        return sorted((self._by_namespace[namespace], namespace) for namespace in self._used)


_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_STRINGS = frozenset({_XSD + "string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"})
# What is of a class of these says how other things are described.
_LANGUAGES_OF_SCHEMAS = (RDF, RDFS, OWL, SH)
_NUMERIC = frozenset(
    _XSD + name
    for name in ("integer", "decimal", "double", "float", "int", "long", "nonNegativeInteger")
)
_UNIT_TEXT = "http://schema.org/unitText"
# A property that is called by its unit alone.
_NAMED_UNITS = frozenset(("minutes", "hours", "seconds", "days", "kilometres", "kilograms"))
# They end names of other things than amounts: speedLimitMin, publicationYear.
_NO_UNITS = frozenset(("min", "in", "year", "month", "week", "day", "hour", "minute", "second"))
# One letter that nothing else than a unit ends a name with: lengthM.
_LETTERS = frozenset(("m",))
MAX_TRIPLES = 5_000_000
# A vocabulary is closed where few short values come again and again.
_MOST_VALUES = 25
_LONGEST_VALUE = 60
_REPEATED = 3


class Data(NamedTuple):
    """Statements of data files.

    Attributes:
        subjects: objects by predicate, by subject (an IRI, or `_:` and a label).
        prefixes: namespaces by prefix, as the files have them.
    """

    subjects: dict[str, dict[str, list[Term]]]
    prefixes: dict[str, str]


def infer(sources: Sequence[Path], progress: Callable[[str], None] | None = None) -> str:
    """Draft shapes for the data in files and folders.

    Returns:
        Turtle that `load_index` reads.

    Raises:
        InputError: a source is missing or broken, or nothing in it has a class.
        LimitError: there are more than 5,000,000 triples; a part of the data says as much.
    """
    data = read_data(sources, progress)
    drafts = draft_shapes(data)
    if not drafts:
        raise InputError("nothing in this data has an rdf:type: shapes are drafted for classes")
    return _write_turtle(drafts, data.prefixes, _names(drafts, data))


def _names(drafts: Iterable[Draft], data: Data) -> dict[str, dict[str, list[Term]]]:
    """Return what the data says in words of the drafted classes and properties, by IRI."""
    found: dict[str, dict[str, list[Term]]] = {}
    for draft in drafts:
        for iri in (draft.class_iri, *(one.iri for one in draft.properties)):
            said = data.subjects.get(iri, {})
            texts = {
                predicate: [term for term in said[predicate] if term.kind == "literal"]
                for predicate in (*LABELS, *DESCRIPTIONS)
                if predicate in said
            }
            if any(texts.values()):
                found[iri] = {predicate: terms for predicate, terms in texts.items() if terms}
    return found


def read_data(sources: Sequence[Path], progress: Callable[[str], None] | None) -> Data:
    """The statements of files; blank nodes of different files stay apart."""
    from pyoxigraph import RdfFormat, parse

    data = Data({}, {})
    total = 0
    for path in _files(sources):
        if progress:
            progress(path.name)
        try:
            form = getattr(RdfFormat, FORMATS.get(path.suffix, "TURTLE"))
            parser = parse(path=path, format=form, rename_blank_nodes=True)
            for subject, predicate, value, _ in parser:
                total += 1
                if total > MAX_TRIPLES:
                    raise LimitError(
                        f"more than {MAX_TRIPLES:,} triples: name fewer files, a part of the "
                        "data is enough for a draft"
                    )
                objects = data.subjects.setdefault(_key(subject), {})
                objects.setdefault(predicate.value, []).append(_term(value))
        except (SyntaxError, ValueError, OSError) as error:
            raise InputError(f"{path} cannot be read: {error}") from error
        for prefix, namespace in parser.prefixes.items():
            data.prefixes.setdefault(prefix, namespace)
    return data


def _files(sources: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        if source.is_dir():
            found += sorted(p for p in source.rglob("*") if p.suffix in FORMATS and p.is_file())
        elif source.is_file():
            found.append(source)
        else:
            raise InputError(f"{source} does not exist: name files or folders of RDF data")
    if not found:
        raise InputError("no data files there: " + ", ".join(FORMATS) + " are read")
    return found


def _key(node: NamedNode | BlankNode) -> str:
    return node.value if ":" in node.value else f"_:{node.value}"


def _term(node: NamedNode | BlankNode | Literal) -> Term:
    datatype = getattr(node, "datatype", None)
    if datatype is not None:
        return Term("literal", node.value, datatype.value, getattr(node, "language", "") or "")
    if ":" in node.value:
        return Term("iri", node.value)
    return Term("bnode", f"_:{node.value}")


def draft_shapes(data: Data) -> list[Draft]:
    """One draft for every class, and for every place of blank nodes without a class."""
    instances: dict[str, list[str]] = {}
    for subject, objects in data.subjects.items():
        for term in objects.get(_TYPE, ()):
            if term.kind == "iri":
                instances.setdefault(term.value, []).append(subject)
    own = [one for one in instances if not one.startswith(_LANGUAGES_OF_SCHEMAS)]
    drafter = _Drafter(data)
    for class_iri in sorted(own or instances):
        drafter.draft(local_name(class_iri), class_iri, instances[class_iri])
    return drafter.drafts


class _Drafter:
    """Drafts shapes; nested ones are added as they are met."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._names: Counter[str] = Counter()
        self.drafts: list[Draft] = []
        self._classes: dict[str, str] = {}
        self._entered: set[str] = set()

    def _name(self, wanted: str) -> str:
        self._names[wanted] += 1
        number = self._names[wanted]
        return f"{wanted}Shape" if number == 1 else f"{wanted}{number}Shape"

    def shape_of(self, class_iri: str) -> str:
        """The name of a class's shape, drafted already or not."""
        if class_iri not in self._classes:
            self._classes[class_iri] = self._name(local_name(class_iri))
        return self._classes[class_iri]

    def draft(self, wanted: str, class_iri: str, subjects: Sequence[str]) -> str:
        """Draft one shape for some subjects; its name."""
        name = self.shape_of(class_iri) if class_iri else self._name(wanted)
        draft = Draft(name, class_iri, [])
        self.drafts.append(draft)
        predicates: dict[str, None] = {}
        for subject in subjects:
            predicates |= dict.fromkeys(self._data.subjects.get(subject, ()))
        for predicate in predicates:
            if predicate != _TYPE:
                counts = [
                    self._data.subjects.get(subject, {}).get(predicate, ()) for subject in subjects
                ]
                draft.properties.append(self._property(name, predicate, counts))
        return name

    def _property(
        self, owner: str, predicate: str, objects: Sequence[Sequence[Term]]
    ) -> DraftedProperty:
        terms = [term for each in objects for term in each]
        literals = [term for term in terms if term.kind == "literal"]
        iris = [term for term in terms if term.kind == "iri"]
        blanks = [term.value for term in terms if term.kind == "bnode"]
        values = _vocabulary(literals) if not iris and not blanks else ()
        classes = self._common_classes(iris)
        if iris and not classes and not literals and not blanks:
            values = _vocabulary(iris)
        return DraftedProperty(
            predicate,
            datatypes=tuple(dict.fromkeys(sorted(term.datatype for term in literals))),
            languages=_languages(literals),
            values=values,
            classes=classes,
            iris=bool(iris),
            nested=self._nested(owner, predicate, blanks),
            required=all(objects),
            single=all(len(each) <= 1 for each in objects),
        )

    def _common_classes(self, iris: Sequence[Term]) -> tuple[str, ...]:
        """The classes of what is referred to, if everything that is has one."""
        found: dict[str, None] = {}
        for term in iris:
            types = self._types(term.value)
            if not types:
                return ()
            found |= dict.fromkeys(types)
        return tuple(sorted(found))

    def _types(self, subject: str) -> list[str]:
        objects = self._data.subjects.get(subject, {}).get(_TYPE, ())
        return [term.value for term in objects if term.kind == "iri"]

    def _nested(self, owner: str, predicate: str, blanks: Sequence[str]) -> tuple[str, ...]:
        """Shapes for blank nodes: those of their classes, or one for this place."""
        found: dict[str, None] = {}
        untyped: list[str] = []
        for blank in blanks:
            types = self._types(blank)
            if types:
                found |= dict.fromkeys(self.shape_of(each) for each in types)
            elif blank not in self._entered:
                untyped.append(blank)
        if untyped:
            # A blank node is drafted once, so that cycles of them end.
            self._entered.update(untyped)
            name = owner.removesuffix("Shape") + local_name(predicate)[:1].upper()
            found[self.draft(name + local_name(predicate)[1:], "", untyped)] = None
        return tuple(found)


def _vocabulary(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The distinct terms where they look like a closed vocabulary, most frequent first."""
    counts = Counter(terms)
    closed = (
        0 < len(counts) <= _MOST_VALUES
        and counts.total() >= _REPEATED * len(counts)
        and all(
            term.kind == "iri" or (len(term.value) <= _LONGEST_VALUE and term.datatype in _STRINGS)
            for term in counts
        )
    )
    return tuple(term for term, _ in counts.most_common()) if closed else ()


def _languages(literals: Sequence[Term]) -> tuple[str, ...]:
    """Language tags, where every literal has one."""
    tags = {term.language for term in literals}
    return () if "" in tags else tuple(sorted(tags))


def _write_turtle(
    drafts: Sequence[Draft],
    prefixes: Mapping[str, str],
    texts: Mapping[str, Mapping[str, Sequence[Term]]],
) -> str:
    """The drafts as one Turtle document, with the prefixes of the data.

    Args:
        drafts: the shapes.
        prefixes: namespaces by prefix.
        texts: labels and descriptions of classes and properties: literals by predicate, by IRI.
    """
    names = _Names(prefixes)
    bodies = [_shape(draft, names) for draft in drafts]
    bodies += [_said(iri, said, names) for iri, said in texts.items()]
    heads = [f"@prefix {prefix}: {iri_n3(ns)} ." for prefix, ns in names.used()]
    comment = "# Drafted from data: it says what is stored today. Read it before you rely on it."
    return "\n".join([comment, *heads, "", "\n\n".join(bodies), ""])


def _shape(draft: Draft, names: _Names) -> str:
    lines = [f"{names.draft(draft.name)} a sh:NodeShape"]
    if draft.class_iri:
        lines.append(f"    sh:targetClass {names.short(draft.class_iri)}")
    lines += [_property(each, names) for each in draft.properties]
    return " ;\n".join(lines) + " ."


def _said(iri: str, said: Mapping[str, Sequence[Term]], names: _Names) -> str:
    parts = [
        f"{names.short(predicate)} {' , '.join(_terms(dict.fromkeys(terms), names))}"
        for predicate, terms in said.items()
    ]
    return names.short(iri) + " " + " ;\n    ".join(parts) + " ."


def _property(prop: DraftedProperty, names: _Names) -> str:
    parts = [f"sh:path {names.short(prop.iri)}"]
    words = [word for word in _HUMP.split(local_name(prop.iri)) if word]
    unit = _unit_at_end(words) if _is_numeric(prop) else ""
    label = " ".join(word.lower() for word in (words[:-1] if unit and len(words) > 1 else words))
    if label:
        parts.append(f"sh:name {literal_n3(label)}")
    if unit:
        parts.append(f"{names.short(_UNIT_TEXT)} {literal_n3(unit)}")
    alternatives = _alternatives(prop, names)
    if len(alternatives) == 1:
        parts += alternatives[0]
    elif alternatives:
        parts.append("sh:or ( " + " ".join(f"[ {' ; '.join(a)} ]" for a in alternatives) + " )")
    if prop.required:
        parts.append("sh:minCount 1")
    if prop.single:
        parts.append("sh:maxCount 1")
    return "    sh:property [ " + " ;\n        ".join(parts) + " ]"


def _is_numeric(prop: DraftedProperty) -> bool:
    return bool(prop.datatypes) and set(prop.datatypes) <= _NUMERIC


def _unit_at_end(words: Sequence[str]) -> str:
    """Return the unit that the name of a property ends with: "km" of lengthKm; "" for none."""
    last = words[-1].lower() if words else ""
    is_named = len(words) == 1 and last in _NAMED_UNITS
    is_unit = len(words) > 1 and last not in _NO_UNITS and (len(last) > 1 or last in _LETTERS)
    unit = resolve_unit(last) if is_named or is_unit else None
    return unit.symbol if unit else ""


def _alternatives(prop: DraftedProperty, names: _Names) -> list[list[str]]:
    """Return the constraints on values: one kind, or several to choose from."""
    if prop.values:
        return [[f"sh:in ( {' '.join(_terms(prop.values, names))} )"]]
    found = [[f"sh:datatype {names.short(datatype)}"] for datatype in prop.datatypes]
    if prop.languages and len(found) == 1:
        found[0].append(f"sh:languageIn ( {' '.join(map(literal_n3, prop.languages))} )")
    found += [[f"sh:class {names.short(class_iri)}"] for class_iri in prop.classes]
    if prop.iris and not prop.classes:
        found.append(["sh:nodeKind sh:IRI"])
    found += [[f"sh:node {names.draft(name)}"] for name in prop.nested]
    return found


def _terms(terms: Iterable[Term], names: _Names) -> list[str]:
    return [names.short(term.value) if term.kind == "iri" else term.n3() for term in terms]
