"""Forms of a value where shapes and data disagree: declared `fog`, stored `foggy`.

A boolean may be a word, a code an IRI, an IRI a name, a number a text with its unit, a date a
sentence of a calendar. Two terms are forms of one value where they have a key in common.

Two values are one when they have the same words but for one, and that one differs by an English
inflection (fog and foggy, brake and braking, limit and limited) or by the version digits of a
product (Lanelet2 and Lanelet). A pair counts only if nothing else could be meant: the stored
value is declared nowhere for the property, no second declared value fits, and none is nearer by
its letters. Words with prefixes, of another kind (driver, careless) or of another stem never pair,
so no value pairs with its opposite.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, Protocol

from groundwire.graph.terms import XSD, Term
from groundwire.ontology.concepts import country_code
from groundwire.ontology.conditions import read_boolean
from groundwire.ontology.index.model import Property, ShapeIndex, Text, local_name
from groundwire.ontology.observed import NUMERIC, ObservedValues
from groundwire.ontology.plan import Bounds
from groundwire.ontology.readings import Reading, read_scalar
from groundwire.quantities import parse_quantity
from groundwire.vocabulary.fold import fold, split_words

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_ISO_DATE = re.compile(r"\d{4}(-\d\d(-\d\d.*)?)?", re.DOTALL)
_DATES = frozenset(XSD + name for name in ("date", "dateTime", "dateTimeStamp"))
_LONGEST = 120
_LEAST_SLIP = 6


class Asked(NamedTuple):
    """A value that is asked for.

    Attributes:
        terms: that stand for it.
        names: what people call it.
    """

    terms: tuple[Term, ...]
    names: tuple[str, ...] = ()


class Forms(NamedTuple):
    """Stored terms that a value may be.

    Attributes:
        same: surely the value in another form.
        like: texts that hold its words and more, or are a letter apart from it, which the shapes do
            not list.
    """

    same: tuple[Term, ...] = ()
    like: tuple[Term, ...] = ()


def forms_of(
    asked: Asked,
    stored: Iterable[Term],
    labels: Mapping[str, tuple[Text, ...]],
    prop: Property,
) -> Forms:
    """Return the other forms in which stored terms have a value.

    Args:
        asked: the value.
        stored: terms that are stored of the property.
        labels: what IRIs among them are called.
        prop: the property, as far as it is declared.
    """
    is_boolean = any(term.datatype == XSD + "boolean" for term in asked.terms)
    is_country = country_code(prop, "") is not None
    wanted = {key for term in asked.terms for key in _keys(term, asked.names, prop, is_country)}
    if is_boolean:
        wanted = {f"boolean {read_boolean(term.value)}" for term in asked.terms}
    said = (*_texts(asked.terms), *asked.names)
    words = {split_words(text).singular for text in said}
    listed = {fold(entry.term.value) for entry in prop.enum}
    same: list[Term] = []
    like: list[Term] = []
    for term in stored:
        if term in asked.terms or len(term.value) > _LONGEST:
            continue
        called = [text.value for text in labels.get(term.value, ())]
        keys = (
            {f"boolean {read_boolean(local_name(term.value))}"}
            if is_boolean
            else _keys(term, called, prop, is_country)
        )
        if keys & wanted:
            same.append(term)
        elif listed and fold(term.value) not in listed and not is_boolean:
            stored_texts = (*_texts([term]), *called)
            texts = [split_words(text).singular for text in stored_texts]
            slips = any(_is_slip(one, other) for one in said for other in stored_texts)
            if slips or any(_within(one, other) for one in words for other in texts):
                like.append(term)
    return Forms(tuple(same), tuple(like))


def family(term: Term) -> str:
    """Return what a term is compared as: a link, a number, a date, a boolean or a text."""
    name = term.datatype.removeprefix(XSD)
    if term.kind != "literal":
        return "link"
    if name in ("boolean", "date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth"):
        return name if name == "boolean" else "date"
    return "number" if term.datatype in NUMERIC else "text"


def _texts(terms: Iterable[Term]) -> list[str]:
    return [local_name(term.value) if term.kind == "iri" else term.value for term in terms]


def _keys(term: Term, names: Iterable[str], prop: Property, is_country: bool) -> set[str]:
    """Return keys of which two forms of one value share one."""
    found = {fold(text) for text in (*_texts([term]), *names) if text}
    if term.kind == "iri" and local_name(term.value).isdigit():
        # A number behind the last slash is the name of anything.
        found.discard(fold(local_name(term.value)))
    if term.kind == "iri":
        # Individuals are often named by their property and a word: `licence_mit`.
        local, name = local_name(term.value), prop.local_name
        if local.startswith((f"{name}_", f"{name}-")):
            found.add(fold(local[len(name) :]))
        found.add(re.sub(r"^https?://(www\.)?", "iri ", term.value).rstrip("/#"))
    # A text with leading zeros is a code: 0042 is not 42.
    number = None if re.match(r"[+-]?0\d", term.value) else _decimal(term.value)
    if number is not None:
        found.add(f"number {number.normalize()}")
    if is_country:
        codes = (country_code(prop, text) for text in (*_texts([term]), *names))
        found |= {f"country {code}" for code in codes if code}
    return found


def _within(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether words stand in a longer text, in their order and side by side."""
    length = len(one)
    return 0 < length < len(other) and any(
        other[at : at + length] == one for at in range(len(other) - length + 1)
    )


def _is_slip(said: str, stored: str) -> bool:
    """Return whether texts are one letter apart, and long enough for that to be a slip."""
    # Lazily: few searches come here.
    from rapidfuzz.distance import OSA

    one, other = (" ".join(split_words(text).plain) for text in (said, stored))
    return len(one) >= _LEAST_SLIP and OSA.distance(one, other, score_cutoff=1) == 1


def unread_within(
    stored: Iterable[Term],
    bounds: Sequence[Bounds],
    prop: Property,
) -> Forms:
    """Return the stored terms within bounds that no comparison of a query can read.

    Those of which a part alone lies within the bounds, such as a year, are `like`, and so are
    numbers with a unit where the shapes state none.
    """
    same: list[Term] = []
    like: list[Term] = []
    for term in stored:
        if term.kind != "literal" or len(term.value) > _LONGEST or _is_readable(term, bounds):
            continue
        read, is_sure = _interval(term.value, bounds[0].temporal, prop)
        if read is None:
            continue
        places = {_place(read, each) for each in bounds}
        if "inside" in places and is_sure:
            same.append(term)
        elif places & {"inside", "across"}:
            like.append(term)
    return Forms(tuple(same), tuple(like))


def _is_readable(term: Term, bounds: Sequence[Bounds]) -> bool:
    """Return whether the comparisons of a query read a literal."""
    if bounds[0].temporal:
        dated = _ISO_DATE.fullmatch(term.value) is not None
        return dated and (term.datatype in _DATES or any(each.cast for each in bounds))
    if any(each.cast for each in bounds):
        return _NUMBER.fullmatch(term.value) is not None
    return (
        term.datatype.startswith(XSD)
        and _decimal(term.value) is not None
        and (term.datatype != XSD + "string")
    )


def _interval(text: str, temporal: bool, prop: Property) -> tuple[Bounds | None, bool]:
    """Return a stored text as a number or as the days of a date, and whether that is sure."""
    if not temporal and (number := _decimal(text)) is not None:
        return Bounds(format(number, "f"), format(number, "f")), True
    read = read_scalar(text, "date" if temporal else "number", prop, ObservedValues())
    if isinstance(read, Reading):
        return read.bounds, True
    quantity = None if temporal else parse_quantity(text)
    if quantity is None:
        return None, False
    return Bounds(format(quantity.value, "f"), format(quantity.value, "f")), False


def _place(value: Bounds, bounds: Bounds) -> str:
    """Return whether a value lies inside of bounds, across one of them, or outside."""

    def kind(text: str) -> Decimal:
        # Days in their order, as whole numbers: 20240331.
        return Decimal(text.replace("-", "") if bounds.temporal else text)

    assert value.lower is not None
    assert value.upper is not None
    low, high = kind(value.lower), kind(value.upper)
    inside, touches = True, True
    if bounds.lower is not None:
        limit = kind(bounds.lower)
        inside = inside and (low > limit if bounds.lower_open else low >= limit)
        touches = touches and (high > limit if bounds.lower_open else high >= limit)
    if bounds.upper is not None:
        limit = kind(bounds.upper)
        inside = inside and (high < limit if bounds.upper_open else high <= limit)
        touches = touches and (low < limit if bounds.upper_open else low <= limit)
    return "inside" if inside else "across" if touches else "outside"


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < _LONGEST else None


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
        """Return the predicates by their IRIs."""
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
