"""Stored values that are declared ones in another form: declared `fog`, stored `foggy`.

Two values are one when they have the same words but for one, and that one differs by an English
inflection (fog and foggy, brake and braking, limit and limited) or by the version digits of a
product (Lanelet2 and Lanelet). A pair counts only if nothing else could be meant: the stored
value is declared nowhere for the property, no second declared value fits, and none is nearer by
its letters. Words with prefixes, of another kind (driver, careless) or of another stem never pair,
so no value pairs with its opposite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import ShapeIndex
from groundwire.vocabulary.fold import fold, split_words

_SHORTEST = 3
_SHORTEST_PRODUCT = 4
_VOWELS = frozenset("aeiou")
# Adjectives whose noun loses its "e"; as a rule it would make "story" a form of "store".
_ADJECTIVES = {
    "hazy": "haze",
    "icy": "ice",
    "noisy": "noise",
    "shady": "shade",
    "smoky": "smoke",
    "stony": "stone",
}
# Pairs that only look like forms of one word.
_APART_TEXT = """
park parking|rail railing|train training|light lighting|build building|count county|part party
|unit unity|arm army|fort forty|use used|close closed|custom customs|even evening|mean meaning
|mean means|good goods|wed wedding|ship shipping|bear bearing|land landing|house housing|fee feed
|see seed|hear hearing|found founding|stare staring|star staring|star starring|plan planing
|plane planing|rate rating|rat rating|cut cutting|hand handy|arm armed|back backed|right righty
|cross crossing|sign signing|hop hoping|hope hoping|rid riding|strip striping|not noted|bar baring
|stud study|bust busty|pin pining|car caring|bid biding|mat mating|win wining|tap taping
|lob lobby|hob hobby|fur furry|pen penny|ten tenny|nan nanny|bel belly|rel rely|deliver delivery
|recover recovery|discover discovery|master mastery|honest honesty|difficult difficulty
|short shorted|new newed|new newing|work works|arm arms|head heading|mile miled|spring springy
|draw drawing|writ writing|meet meeting|open opening|meter metering|even evened|shed shedding
"""
_APART = frozenset(
    frozenset(pair.split()) for pair in " ".join(_APART_TEXT.split()).split("|") if pair.split()
)


class StoredPredicate(Protocol):
    """Knowledge of the objects of one predicate."""

    @property
    def values(self) -> tuple[tuple[Term, int], ...]:
        """Distinct IRIs and literals with their number of statements."""
        ...


class Stored(Protocol):
    """Knowledge of the statements of a graph, by predicate."""

    @property
    def predicates(self) -> Mapping[str, StoredPredicate]:
        """By IRI."""
        ...


class _Known(NamedTuple):
    values: frozenset[str]
    by_fold: Mapping[str, tuple[str, ...]]
    by_rest: Mapping[tuple[int, tuple[str, ...]], list[tuple[str, str]]]


def variants(index: ShapeIndex, statistics: Stored) -> dict[str, dict[str, str]]:
    """The declared value that a stored text stands for, by property IRI.

    Spellings that differ in case, separators or plural alone are among them.
    """
    found: dict[str, dict[str, str]] = {}
    for iri, declared in declared_texts(index).items():
        stored = statistics.predicates.get(iri)
        if stored is None:
            continue
        texts = [term.value for term, _ in stored.values if term.kind == "literal"]
        pairs = variants_of(declared, texts)
        if pairs:
            found[iri] = pairs
    return found


def declared_texts(index: ShapeIndex) -> dict[str, list[str]]:
    """The enumerated literals of every property, over all domains, by property IRI."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    seen: set[tuple[str, int]] = set()
    for domain in index.domains.values():
        for prop in domain.properties.values():
            # Domains share enumerations: each is read once for a property.
            if prop.enum and (prop.iri, id(prop.enum)) not in seen:
                seen.add((prop.iri, id(prop.enum)))
                found[prop.iri].update(
                    (value.term.value, None) for value in prop.enum if value.term.kind == "literal"
                )
    return {iri: list(values) for iri, values in found.items() if values}


def variants_of(declared: Sequence[str], stored: Iterable[str]) -> dict[str, str]:
    """The declared text that each undeclared stored text is a form of, where one surely is."""
    known: _Known | None = None
    exact = set(declared)
    found: dict[str, str] = {}
    for text in dict.fromkeys(stored):
        if text not in exact:
            known = known or _known(declared)
            partner = _partner(text, known)
            if partner is not None:
                found[text] = partner
    return found


def _known(declared: Sequence[str]) -> _Known:
    by_fold: dict[str, list[str]] = defaultdict(list)
    by_rest: dict[tuple[int, tuple[str, ...]], list[tuple[str, str]]] = defaultdict(list)
    for value in declared:
        by_fold[fold(value)].append(value)
        words = split_words(value).plain
        for place, word in enumerate(words):
            by_rest[place, words[:place] + words[place + 1 :]].append((word, value))
    return _Known(
        frozenset(declared), {key: tuple(values) for key, values in by_fold.items()}, by_rest
    )


def _partner(text: str, known: _Known) -> str | None:
    alike = known.by_fold.get(fold(text), ())
    if alike:
        return alike[0] if len(alike) == 1 else None
    words = split_words(text).plain
    found: dict[str, None] = {}
    for place, word in enumerate(words):
        for other, value in known.by_rest.get((place, words[:place] + words[place + 1 :]), ()):
            if same_word(word, other):
                found[value] = None
    if len(found) != 1:
        return None
    (partner,) = found
    return partner if _nearest(text, partner, known.values) else None


def _nearest(text: str, partner: str, declared: frozenset[str]) -> bool:
    """No other declared value is nearer to the stored one by its letters."""
    from rapidfuzz.distance import OSA

    folded = fold(text)
    limit = OSA.distance(folded, fold(partner))
    return all(
        OSA.distance(folded, fold(other), score_cutoff=limit) >= limit
        for other in declared
        if other != partner and abs(len(other) - len(text)) < limit + 4
    )


def same_word(one: str, other: str) -> bool:
    """Two lower-case words that are forms of one, or one product with and without its version."""
    if one == other:
        return True
    if frozenset((one, other)) in _APART or not (one.isascii() and other.isascii()):
        return False
    if not (one.isalpha() and other.isalpha()):
        return _same_product(one, other)
    return bool(_bases(one) & _bases(other))


def _same_product(one: str, other: str) -> bool:
    """`lanelet2` and `lanelet`, but neither `lanelet2` and `lanelet3` nor `h264` and `h`."""
    short, long = sorted((one, other), key=len)
    digits = long[len(short) :]
    return (
        len(short) >= _SHORTEST_PRODUCT
        and short.isalpha()
        and long.startswith(short)
        and digits.isdigit()
        and len(digits) <= 2
    )


def _bases(word: str) -> set[str]:
    """The words that one may be a form of, itself among them: `braking` of `brak` or `brake`.

    Endings are those of one word's forms: plural, past, participle, and the adjective in "-y".
    Those in "-er", "-ly", "-less", "-ful" and "-ion" make other words.
    """
    found = {word}
    if word in _ADJECTIVES:
        found.add(_ADJECTIVES[word])
    for ending, added in (("ies", "y"), ("ied", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            found.add(word[: -len(ending)] + added)
    for ending in ("ing", "ed", "y"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            found.add(stem)
            if ending != "y":
                found.add(stem + "e")
            # A doubled consonant belongs to the form: fogg-y, plann-ed, cutt-ing.
            if stem[-2:-1] == stem[-1:] and stem[-1:] not in _VOWELS:
                found.add(stem[:-1])
    return {base for base in found if len(base) >= _SHORTEST}
