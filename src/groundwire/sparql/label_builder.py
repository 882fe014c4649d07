"""The process that reads the labels of a store, writes their index, and ends.

It is a process of its own since it counts words for as long as a minute, which would keep a server
from answering, and so that its memory has a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox

from groundwire.graph.child import Message, Parent, hold_lock, limit_memory, refuse_sockets
from groundwire.graph.layout import META
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import RDF_LANG_STRING, XSD_STRING
from groundwire.graph.worker import open_store
from groundwire.sparql.label_file import Label, write_labels

_SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
_QUESTION = frozenset(f"{base}Question" for base in _SCHEMA_ORG)
# A question's text is its label; any other text is none.
_TEXT = frozenset(f"{base}text" for base in _SCHEMA_ORG)


def labels_of(store: ox.Store, properties: Sequence[str]) -> Iterator[Label]:
    """The labels of everything that has an IRI, of all graphs, one property after the other."""
    for name in properties:
        for quad in store.quads_for_pattern(None, ox.NamedNode(name), None, None):
            subject, value = quad.subject, quad.object
            if not isinstance(subject, ox.NamedNode) or not isinstance(value, ox.Literal):
                continue
            if value.datatype.value not in (XSD_STRING, RDF_LANG_STRING):
                continue
            types = _types(store, subject)
            if name not in _TEXT or not _QUESTION.isdisjoint(types):
                yield Label(subject.value, name, value.value, value.language or "", types)


def _types(store: ox.Store, subject: ox.NamedNode) -> tuple[str, ...]:
    found = store.quads_for_pattern(subject, ox.NamedNode(RDF_TYPE), None, None)
    return tuple(
        sorted({quad.object.value for quad in found if isinstance(quad.object, ox.NamedNode)})
    )


def main() -> None:
    """Write what the first message says, reporting progress, and end."""
    parent = Parent()
    request = parent.hear()
    if request is None:
        return
    folder, path, properties, memory = request
    limit_memory(memory)
    refuse_sockets()
    hold_lock(Path(folder) / META)

    def report(what: str, done: int, total: int) -> None:
        parent.tell("progress", what, done, total)

    def work() -> Message:
        store = open_store(Path(folder))
        return ("built", write_labels(Path(path), labels_of(store, properties), report))

    parent.tell_outcome(work)
