"""Statements of answers about graphs and databases beside their values, and their names.

The names of a predicate are what the object is of the subject ("broader term"), and where the
inverse is known or a noun, what the subject is of the object: such a name ends in "of", "than" or
"von", or begins with "的" ("narrower term of"). Sea water - broader - Water thus says that Water is
the broader term of Sea water, and that Sea water is a narrower term of Water.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from groundwire.evidence.answers import by_language, in_words, names_of
from groundwire.evidence.records import Completeness, Condition, Names, Statement
from groundwire.graph.terms import Term
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.workflow.queries import local_name, names_query, same_names_query

MOST_LABELLED = 60
"""IRIs of an answer of which the labels are looked up."""
LABEL_SECONDS = 5.0

_LABELS_EACH = 8
_MOST_LABELS = 600
_MOST_OBJECTS = 100
_MOST_STATEMENTS = 120
_MOST_PREDICATE_NAMES = 16
# A longer text is no name, and stands among the values.
_LONGEST_TEXT = 160
_LANGUAGES = ("en", "de", "zh")
# What the subject is of the object, by the language of the noun that the object is.
_OF = {"en": "{} of", "de": "{} von", "zh": "的{}"}
_COMPARATIVES = ("narrower", "broader")

Labels = Mapping[str, Sequence[tuple[str, str]]]
"""Texts with their languages, by IRI, or by another label of the one thing that has it."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A property that is known by its local name.

    Attributes:
        nouns: what its object is of its subject, by language.
        inverse: local name of the property that says the same the other way round, or "".
    """

    nouns: Mapping[str, Names]
    inverse: str = ""

    @property
    def names(self) -> Names:
        """Nouns that name the object by its relation to the subject, in all languages."""
        return tuple(noun for nouns in self.nouns.values() for noun in nouns)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@cache
def words(key: str) -> Names:
    """Return what statements call something that no graph names."""
    return tuple(_data()["words"][key])


@cache
def _known() -> Mapping[str, _Known]:
    return {
        name: _Known(
            {language: tuple(entry[language]) for language in _LANGUAGES if language in entry},
            entry.get("inverse", ""),
        )
        for name, entry in _data()["predicates"].items()
    }


# Names


def labels_in(outcome: Outcome) -> Labels:
    """Return the labels that an outcome of `names_query` holds."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        iri, label = cells.get("iri"), cells.get("label")
        if isinstance(iri, Term) and isinstance(label, Term):
            found.setdefault(iri.value, []).append((label.value, label.language))
    return found


def labels_needed(iris: Iterable[str]) -> tuple[str, ...]:
    """Return the IRIs of which labels are looked up, each once, so many and no more."""
    return tuple(dict.fromkeys(iris))[:MOST_LABELLED]


def labels_query(iris: Sequence[str]) -> tuple[Any, int]:
    """Return the query for labels of some IRIs, and its limit."""
    return names_query(iris, _MOST_LABELS), _MOST_LABELS


def texts_needed(cells: Iterable[Cell]) -> tuple[Term, ...]:
    """Return the labels in rows of which those in other languages are looked up, each once."""
    found = dict.fromkeys(c for c in cells if isinstance(c, Term) and _is_label(c))
    return tuple(found)[:MOST_LABELLED]


def same_labels_query(texts: Sequence[Term]) -> tuple[Any, int]:
    """Return the query for all labels of the things that have some labels, and its limit."""
    return same_names_query(texts, _MOST_LABELS), _MOST_LABELS


def same_labels_in(outcome: Outcome) -> Labels:
    """Return the labels that an outcome of `same_names_query` holds, by label.

    One that several things have is of none of them.
    """
    of: dict[str, set[str]] = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        written, iri, label = cells.get("text"), cells.get("iri"), cells.get("label")
        if isinstance(written, Term) and isinstance(iri, Term) and isinstance(label, Term):
            of.setdefault(written.n3(), set()).add(iri.value)
            found.setdefault(written.n3(), []).append((label.value, label.language))
    return {label: found[label] for label, iris in of.items() if len(iris) == 1}


def _is_label(cell: Term) -> bool:
    return cell.kind == "literal" and bool(cell.language) and bool(text_names(cell.value))


def entity_names(iri: str, labels: Labels, *known: str) -> Names:
    """Return the label of an entity, its other labels, and its IRI; else its local name."""
    called = [*known, *by_language(labels.get(iri, ()))]
    if not called:
        written = local_name(iri).replace("_", " ")
        said = in_words(local_name(iri))
        called = [said] if said == written.casefold() == written else [written, said]
    return names_of(*called[:_LABELS_EACH], iri)


def predicate_names(iri: str, labels: Labels) -> Names:
    """Return what a predicate says of the object, and of the subject the other way round."""
    return _predicate(local_name(iri), by_language(labels.get(iri, ())))


def noun_of(iri: str, language: str) -> str:
    """Return what the object of a well-known property is called in a language, or ""."""
    known = _known().get(local_name(iri))
    return next(iter(known.nouns.get(language, ())), "") if known else ""


def property_names(local: str) -> Names:
    """Return what a property or a column is called, by its local name."""
    known = _known().get(local.casefold())
    return names_of(in_words(local), *(known.names if known else ()))


def inverse_names(iri: str, labels: Labels) -> Names:
    """Return the names of a predicate that are said of its object."""
    local = local_name(iri)
    known = _known().get(local)
    if known is not None and known.inverse:
        return _predicate(known.inverse, ())
    nouns = [(in_words(local), "en"), *((text, tag) for text, tag in labels.get(iri, ()))]
    if known is not None:
        nouns += _nouns(known)
    return names_of(*_turned(nouns), most=_MOST_PREDICATE_NAMES)


def _predicate(local: str, labels: Sequence[str]) -> Names:
    said = in_words(local)
    known = _known().get(local)
    nouns = [said, *labels, *(known.names if known else ())]
    if said.startswith("has ") and known is None:
        nouns.append(said.removeprefix("has "))
    # What is its own inverse reads alike from both sides.
    inverse = _known().get(known.inverse) if known and known.inverse != local else None
    turned = (
        _turned([(in_words(known.inverse), "en"), *_nouns(inverse)]) if known and inverse else ()
    )
    return names_of(local, *nouns, *turned, most=_MOST_PREDICATE_NAMES)


def _nouns(known: _Known) -> list[tuple[str, str]]:
    return [(noun, language) for language, nouns in known.nouns.items() for noun in nouns]


def _turned(nouns: Iterable[tuple[str, str]]) -> list[str]:
    """Return nouns with their languages as what the subject is of the object."""
    found: list[str] = []
    for noun, tag in nouns:
        form = _OF.get(tag.partition("-")[0].lower() or "en")
        if form is None or noun.endswith(" of"):
            continue
        bare = noun.removeprefix("has ") if form == _OF["en"] else noun
        found.append(form.format(bare))
        if bare in _COMPARATIVES:
            found.append(f"{bare} than")
    return found


# Statements


def source_stated(endpoint: Endpoint) -> Statement:
    """Return the endpoint of an answer, by the words with which a person names it."""
    scheme, _, local = endpoint.shown.partition(":")
    host = endpoint.shown.partition("://")[2].partition("/")[0]
    known: Names = _data()["local"].get(local, ()) if scheme == "local" else ()
    called = (endpoint.name, endpoint.shown, host, *endpoint.graphs[:4])
    return Statement("source", names_of(*called, *words(endpoint.kind), *known))


@dataclass(slots=True)
class Relations:
    """Statements of subject, predicate and objects, those of one subject and predicate together."""

    _found: dict[tuple[Names, Names], dict[Names, None]] = field(
        default_factory=dict[tuple[Names, Names], dict[Names, None]]
    )
    _cut: set[tuple[Names, Names]] = field(default_factory=set[tuple[Names, Names]])

    def add(self, subject: Names, predicate: Names, obj: Names) -> None:
        """Add one object; what has no name, such as a long text, is left to the values."""
        key = (subject, predicate)
        objects = self._found.setdefault(key, {})
        if obj and len(objects) < _MOST_OBJECTS:
            objects[obj] = None
        else:
            self._cut.add(key)

    def statements(self, complete: Completeness = "") -> list[Statement]:
        """Return the statements.

        Args:
            complete: whether each subject's objects are all there are; not said of those that
                were left out in part.
        """
        return [
            Statement(
                "relation",
                subject,
                predicate,
                tuple(objects),
                complete="" if (subject, predicate) in self._cut else complete,
            )
            for (subject, predicate), objects in list(self._found.items())[:_MOST_STATEMENTS]
            if objects
        ]


def object_names(value: Cell, labels: Labels) -> Names:
    """Return what the object of a statement is called; nothing for a long text."""
    if isinstance(value, Term):
        if value.kind == "iri":
            return entity_names(value.value, labels)
        if value.kind == "bnode":
            return ()
        named = text_names(value.value)
        return names_of(*named, *by_language(labels.get(value.n3(), ()))) if named else ()
    return text_names("" if value is None else str(value))


def text_names(text: str) -> Names:
    """Return a short text as a name; nothing for a long one."""
    return names_of(" ".join(text.split())) if len(text) <= _LONGEST_TEXT else ()


def counted_set(
    members: Names,
    conditions: Sequence[Condition],
    value: int,
    *,
    is_whole: bool,
    objects: Sequence[Names] = (),
) -> Statement:
    """Return a set of rows, matches or entities with the position of their count."""
    stated = Statement("scope", members, (), tuple(objects), tuple(conditions), value)
    if not is_whole:
        return replace(stated, complete="page")
    return replace(stated, complete="all_listed" if objects else "all_counted")


def nothing_found(
    predicate: Names, conditions: Sequence[Condition], endpoint: Endpoint, subject: Names = ()
) -> Statement:
    """Return that something was looked for at an endpoint and is not there."""
    return Statement("absence", subject, predicate, (), tuple(conditions), source=endpoint.name)
