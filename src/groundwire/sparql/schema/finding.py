"""Classes and predicates by what a caller calls them: an IRI, a prefixed name, a label, words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Literal, NamedTuple

from groundwire.sparql.schema.model import GraphSchema, Name
from groundwire.sparql.schema.names import Notation, expanded, local
from groundwire.vocabulary import Term, Vocabulary, fold

Kind = Literal["class", "predicate"]
MOST_SUGGESTED = 5
_MOST_FOUND = 40
# Names among which those that are merely alike are looked for, the most used: an index of 50,000
# takes ten seconds.
_MOST_ALIKE = 4_000
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_WORD = re.compile(r"\w+")
_SMALL_WORDS = frozenset(
    ("a", "an", "and", "by", "das", "der", "die", "for", "from", "in", "is", "of", "on", "or",
     "the", "to", "und", "von", "with")
)  # fmt: skip
# Words of a search that are looked for among those that are alike.
_MOST_WORDS = 12
_WORTH = {"class": 1, "predicate": 0}


class Found(NamedTuple):
    """A class or predicate that was found.

    Attributes:
        kind: which of them.
        name: the class or predicate.
        score: share of the words that it has.
    """

    kind: Kind
    name: Name
    score: float = 1.0


class Finder:
    """Finds the names of one schema.

    Args:
        schema: the schema.
    """

    def __init__(self, schema: GraphSchema) -> None:
        self.schema = schema
        self._held: dict[tuple[Kind, str], Name] = {}
        for kind, names in (("class", schema.classes), ("predicate", schema.predicates)):
            for one in names:
                self._held[kind, one.iri] = one  # type: ignore[index]  # the kind is one of its keys

    @cached_property
    def notation(self) -> Notation:
        """The prefixes of this schema, which are the same in every answer."""
        return Notation(name.iri for name in (*self.schema.classes, *self.schema.predicates))

    def held(self, kind: Kind, iri: str) -> Name | None:
        """Return the class or predicate of an IRI, or None."""
        return self._held.get((kind, iri))

    def named(self, text: str) -> tuple[Found | None, list[Found]]:
        """Return the one class or predicate that is called so, or None with what comes near.

        A class goes before a predicate of the same name. Only letter case, accents, spaces and
        plurals may differ: what is merely alike is a candidate.
        """
        iri = expanded(text, self.notation.bases)
        for kind in _KINDS:
            if (kind, iri) in self._held:
                return Found(kind, self._held[kind, iri]), []
        said = fold(local(iri) if iri else text)
        alike = [self._found_at(key) for key in self._by_form.get(said, ())]
        if alike and not iri:
            for kind in _KINDS:
                of_kind = [one for one in alike if one.kind == kind]
                if len(of_kind) == 1:
                    return of_kind[0], []
                if of_kind:
                    break
        if not alike:
            near = self._vocabulary.suggest(local(iri) if iri else text, MOST_SUGGESTED)
            alike = [Found(*self._found_at(_key(one.term.id))[:2], one.score) for one in near]
        return None, alike[:MOST_SUGGESTED]

    def near(self, kind: Kind, iri: str, least: float = 0.6) -> list[str]:
        """Return the IRIs of a kind whose names are most like that of an IRI, best first."""
        same = [key[1] for key in self._by_form.get(fold(local(iri)), ()) if key[0] == kind]
        if same:
            return same[:MOST_SUGGESTED]
        near = self._vocabulary.suggest(local(iri), 3 * MOST_SUGGESTED)
        keys = [_key(one.term.id) for one in near if one.score >= least]
        return [key[1] for key in keys if key[0] == kind][:MOST_SUGGESTED]

    def search(self, text: str) -> list[Found]:
        """Return what has words of a text in its labels or local name, the most words first.

        A word that no name has is looked for among those that are alike.
        """
        scores: dict[tuple[Kind, str], float] = defaultdict(float)
        every = list(dict.fromkeys(_words(text)))
        said = [word for word in every if word not in _SMALL_WORDS][:_MOST_WORDS] or every[:1]
        for word in said:
            hits = self._by_word.get(word) or self._by_word.get(word.removesuffix("s")) or []
            weight = 1.0
            if not hits:
                weight = 0.7
                hits = [key for begun, keys in self._by_word.items() if len(word) > 3
                        and begun.startswith(word) for key in keys]  # fmt: skip
            if not hits:
                near = self._vocabulary.suggest(word, MOST_SUGGESTED)
                hits = [_key(one.term.id) for one in near if one.score >= 0.6]
            for key in dict.fromkeys(hits):
                scores[key] += weight
        whole = fold(text)
        ranked = sorted(
            scores,
            key=lambda key: (
                -scores[key],
                all(fold(one) != whole for one in forms(self._held[key])),
                -_WORTH[key[0]],
                -self._held[key].count,
                key[1],
            ),
        )
        most = max(1, len(said))
        return [Found(key[0], self._held[key], scores[key] / most) for key in ranked[:_MOST_FOUND]]

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        often = sorted(self._held.items(), key=lambda one: -one[1].count)[:_MOST_ALIKE]
        return Vocabulary(_term(kind, one) for (kind, _), one in often)

    @cached_property
    def _by_form(self) -> dict[str, list[tuple[Kind, str]]]:
        found: dict[str, list[tuple[Kind, str]]] = defaultdict(list)
        for key, one in self._held.items():
            for form in {fold(text) for text in forms(one)}:
                found[form].append(key)
        return found

    @cached_property
    def _by_word(self) -> dict[str, list[tuple[Kind, str]]]:
        found: dict[str, list[tuple[Kind, str]]] = defaultdict(list)
        for key, one in self._held.items():
            for word in {word for form in forms(one) for word in _words(form)}:
                found[word].append(key)
        return found

    def _found_at(self, key: tuple[Kind, str]) -> Found:
        return Found(key[0], self._held[key])


_KINDS: tuple[Kind, ...] = ("class", "predicate")


def forms(name: Name) -> tuple[str, ...]:
    """Return what a class or predicate is called: its label, local name and other labels."""
    texts = (name.label, local(name.iri), *(text for text, _ in name.labels))
    return tuple(dict.fromkeys(text for text in texts if text)) or (name.iri,)


def _term(kind: Kind, name: Name) -> Term:
    label, *others = forms(name)
    return Term(f"{kind} {name.iri}", label, tuple(others))


def _key(id_: str) -> tuple[Kind, str]:
    kind, _, iri = id_.partition(" ")
    return ("class" if kind == "class" else "predicate"), iri


def _words(text: str) -> Iterable[str]:
    plain = local(text) if ":" in text and " " not in text else _CAMEL.sub(" ", text)
    return filter(None, (fold(word) for word in _WORD.findall(plain)))
