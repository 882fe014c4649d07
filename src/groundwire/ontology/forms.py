"""In which forms a value may be stored, where the shapes and the data disagree about its form.

A boolean may be a word, a code an IRI, an IRI a name, a number a text with its unit, a date a
sentence of a calendar. Two terms are forms of one value where they have a key in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from groundwire.graph.terms import XSD, Term
from groundwire.ontology.codelists import country_code
from groundwire.ontology.conditions import read_boolean
from groundwire.ontology.index.model import Property, Text, local_name
from groundwire.ontology.observed import ObservedValues
from groundwire.ontology.plan import Bounds
from groundwire.ontology.readings import NUMERIC, Reading, read_scalar
from groundwire.quantities import parse_quantity
from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import split_words

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
