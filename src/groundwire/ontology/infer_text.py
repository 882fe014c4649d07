"""Drafted shapes as Turtle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from groundwire.graph.terms import Term, iri_n3, literal_n3
from groundwire.ontology.index.model import local_name
from groundwire.ontology.index.namespaces import DRAFTS

_SH = "http://www.w3.org/ns/shacl#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
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


def write_turtle(
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
    label = " ".join(word.lower() for word in _HUMP.split(local_name(prop.iri)) if word)
    if label:
        parts.append(f"sh:name {literal_n3(label)}")
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
