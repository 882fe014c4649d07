"""The parts of a question for a table: metrics, what is ranked, times, numbers, ranks.

The words beside names and times are those of `rankings.toml` and of the lexicons of `language`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from groundwire.language import Span, annotate
from groundwire.language.ordinals import measures, place_at
from groundwire.language.places import other_names
from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import CJK_RUN

_SILENT_QUANTIFIERS = ("all", "each", "any")
_COMPARED = ("more", "less", "compare")
_LARGEST_NUMBER = 200
_ENDINGS = ("", "e", "en", "er", "es", "em")


class Name(NamedTuple):
    """A named term of a question: a metric, what is ranked, an entity, or a stored value.

    The code of a value is that of its dimension. A hint is a word that may mean a metric, and a
    verb one that means it where none is named.
    """

    kind: Literal["metric", "noun", "entity", "value", "hint", "verb"]
    code: str
    value: str = ""


@dataclass(slots=True)
class Parts:
    """The parts of a question.

    Attributes:
        metrics: codes of metrics of one name.
        nouns: codes of dimensions and kinds of one noun.
        entities: codes of the entities of one name, for each name.
        written: the noun and the metric as they were written.
        values: stored values that are named, by the codes of their dimensions.
        verbs: codes of the metrics that a verb means where none is named: "sold the most".
        hints: codes of the metrics that a word may mean.
        others: spans that may be stored values.
        period: the time.
        periods: each time that is named, the first among them.
        count: how many rows are asked for.
        place: the place that is asked for.
        least: whether the least value comes first.
        ranks: whether a word of the question ranks.
        orders: whether all are put in order.
        counts: whether it is asked how many there are.
        follows: whether it is asked how something went over time.
        compares: whether it is asked which of several is more.
        ranking: the words that rank.
        by_noun: whether the noun is what values are told by.
        also: codes of each further noun that values are told by.
        beside: codes of each further metric.
        counted: whether it is asked how many there are of the noun.
        aside: codes of a noun before the one that values are told by.
        without: stored values that are left out, by the codes of their dimensions.
    """

    metrics: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    entities: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    written: dict[str, str] = field(default_factory=dict[str, str])
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    hints: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    others: list[str] = field(default_factory=list[str])
    period: str = ""
    periods: list[str] = field(default_factory=list[str])
    count: int = 0
    place: int = 0
    least: bool = False
    ranks: bool = False
    orders: bool = False
    counts: bool = False
    follows: bool = False
    compares: bool = False
    ranking: list[str] = field(default_factory=list[str])
    by_noun: bool = False
    also: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    beside: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    counted: bool = False
    aside: tuple[str, ...] = ()
    without: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


@cache
def tree() -> Mapping[str, Any]:
    """Return the contents of `rankings.toml`."""
    return tomllib.loads(files(__package__ or "").joinpath("rankings.toml").read_text("utf-8"))


@cache
def _words(table: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in tree()["words"][table])


@cache
def _measured(way: Literal["most", "least"]) -> frozenset[str]:
    """Return the superlatives of every measure: "longest", "kürzeste"."""
    return frozenset(word for one in measures() for word in one.said(way))


@lru_cache(maxsize=256)
def place_asked(question: str) -> int:
    """Return the place in a ranking that a question asks for, or 0: 3 of "third largest"."""
    parts = parts_of(annotate(question).spans, lenient=True)
    return parts.place if parts else 0


def parts_of(spans: Sequence[Span], *, lenient: bool = False) -> Parts | None:
    """Return the parts that spans say; None where one of them is not understood.

    Args:
        spans: the spans of a question.
        lenient: whether spans that are not understood are left out instead.
    """
    parts = Parts()
    after_place = without = False
    for at, span in enumerate(spans):
        if span.kind == "name" and _tells_each(span, spans[at - 1] if at else None):
            _set_aside(parts, span)
            parts.by_noun = True
        elif at and parts.nouns and parts.by_noun and _is_definite(span, spans[at - 1]):
            # "In which category did the shops sell the most units": whose they are.
            parts.aside = _codes_of(span, "noun")
            parts.written["aside"] = span.text
            continue
        if at and _is_noun(span) and _counts(spans[at - 1]):
            parts.counted = True
        if _leaves_out(span, spans[at + 1 :]):
            without = True
            continue
        if without and _take_without(parts, span):
            continue
        without = without and span.is_silent
        place, follows = parts.place, parts.follows
        understood = _take(parts, span, spans[at + 1 :], after_place)
        if parts.place != place and _is_grain(_behind_number(spans[at + 1 : at + 3])):
            # The fifth quarter is a time that there is not, and no place in a ranking; neither are
            # the first three quarters.
            understood = False
        if parts.follows and not follows and _ranks(parts, spans[at - 1 : at] if at else ()):
            # "The least developed countries" are some countries, ranked by nothing that is named.
            understood = False
        if not understood and not lenient:
            return None
        after_place = span.text.casefold() in _words("place")
    counts = parts.counts and parts.written.get("asked") not in _words("amount")
    if not parts.metrics and (parts.ranks or counts):
        parts.metrics = parts.verbs
    return parts


def _tells_each(span: Span, before: Span | None) -> bool:
    """Whether a noun is what values are told by: "by shop", "did any shop", "which shops"."""
    if span.text[0] in "各每" or (before is not None and before.text.casefold() in _words("by")):
        return True
    sense = before.role.sense if before is not None and before.role is not None else ""
    return _is_noun(span) and sense in ("each", "any", "what")


def _is_noun(span: Span) -> bool:
    return any(isinstance(one, Name) and one.kind == "noun" for one in span.terms)


def _is_definite(span: Span, before: Span) -> bool:
    """Whether a noun, and not a metric, stands behind "the": whose values are told."""
    sense = before.role.sense if before.role is not None else ""
    return sense == "determiner" and bool(_codes_of(span, "noun")) and not _codes_of(span, "metric")


def _codes_of(span: Span, kind: str) -> tuple[str, ...]:
    return tuple(one.code for one in span.terms if isinstance(one, Name) and one.kind == kind)


def _set_aside(parts: Parts, span: Span) -> None:
    """Set a noun that values are not told by aside: "visitors of the shops by month"."""
    named = [one for one in span.terms if isinstance(one, Name) and one.kind == "noun"]
    if named and parts.nouns and not parts.by_noun:
        parts.aside, parts.nouns = parts.nouns, ()
        parts.written["aside"] = parts.written.pop("noun")


def _counts(span: Span) -> bool:
    """Whether a span asks how many there are of what follows it."""
    sense = span.role.sense if span.role is not None else ""
    return (span.kind == "question" and sense == "how_many") or (
        span.text.casefold() in _words("count")
    )


def _leaves_out(span: Span, following: Sequence[Span]) -> bool:
    """Whether the stored values behind a span are left out: "excluding Furniture"."""
    after = next((one for one in following if not one.is_silent), None)
    return (
        span.kind == "negation"
        and span.role is not None
        and span.role.sense == "without"
        and after is not None
        and any(isinstance(one, Name) and one.kind == "value" for one in after.terms)
    )


def _take_without(parts: Parts, span: Span) -> bool:
    """Whether a span is one stored value, which is left out."""
    values = [one for one in span.terms if isinstance(one, Name) and one.kind == "value"]
    if len(values) != 1 or not _is_spelt(span.text, values[0].value):
        return False
    parts.without.setdefault(values[0].code, []).append(values[0].value)
    return True


def _is_spelt(text: str, value: str) -> bool:
    """Whether a text is a stored value, maybe in the genitive; "furnitur" is not Furniture.

    A place may be called as another language calls it: 旺角 is Mong Kok.
    """
    named = {fold(text), fold(text.removesuffix("s")), fold(text.rstrip("'’"))}
    return fold(value) in named or text in other_names(value)


def _ranks(parts: Parts, spans: Sequence[Span]) -> bool:
    """Whether the last of the words that rank is among spans."""
    return any(parts.ranking[-1:] == [one.text.casefold()] for one in spans)


def _behind_number(spans: Sequence[Span]) -> Sequence[Span]:
    """The span that follows, behind a number where one does."""
    return spans[1:] if spans and spans[0].kind == "quantity" else spans[:1]


def _is_grain(following: Sequence[Span]) -> bool:
    return any(
        isinstance(term, Name) and term.kind == "noun" and term.code in tree()["grains"]
        for span in following
        for term in span.terms
    )


def _take(parts: Parts, span: Span, following: Sequence[Span], after_place: bool) -> bool:
    """Whether a span is understood; what it says is added to the parts."""
    text = span.text.casefold()
    if span.kind == "name":
        return _take_name(parts, span)
    if span.kind == "time" and span.period is not None:
        parts.period = parts.period or span.text
        parts.periods.append(span.text)
        return True
    if span.kind == "quantity" and span.quantity is not None:
        return _take_number(parts, span, after_place)
    if _take_rank(parts, span, text):
        parts.ranking.append(text)
        return True
    if compares(span, following):
        parts.compares = True
        return True
    if text in _words("except"):
        return False
    if text in _words("count"):
        parts.counts = True
        return True
    if text in _words("follow"):
        parts.follows = True
        return True
    after = next((one for one in following if one.kind != "sign"), None)
    numbers = span.kind != "negation" or (after is not None and after.kind == "quantity")
    if text in _words("empty") or (text in _words("place") and numbers):
        return True  # "no. 3" is a place, "no shop" is none
    return _take_rest(parts, span)


def _take_rest(parts: Parts, span: Span) -> bool:
    """Whether a span that neither ranks nor is a name is understood."""
    if span.kind == "negation":
        return False  # "which stations had no callouts" asks for those that no row tells
    if span.kind == "quantifier" and span.role and span.role.sense in _SILENT_QUANTIFIERS:
        return True
    if span.kind == "question" and span.role and span.role.sense in ("why", "when", "where"):
        return False
    if span.kind == "quantifier" and span.role and span.role.sense == "other":
        return False  # "the other countries" are not what is stored as Other
    if span.kind == "question" and span.role and span.role.sense == "how_many":
        parts.counts = True
        parts.written["asked"] = span.text.casefold()
    if span.is_silent or span.kind == "question":
        return True
    parts.others.append(span.text)
    return True


def compares(span: Span, following: Sequence[Span]) -> bool:
    """Return whether a span sets one beside another: "compared with", "higher than 2024".

    A bound is one where a name or a time follows, and no number.
    """
    if span.kind == "comparison":
        return span.role is not None and span.role.sense in _COMPARED
    after = next((one for one in following if not one.is_silent), None)
    return span.kind == "bound" and after is not None and after.kind in ("name", "time")


def _take_name(parts: Parts, span: Span) -> bool:
    """Add a name. One that is a metric and something else is the metric where none is named yet.

    "Which station" is by station, though "stations" are counted too.
    """
    terms = [one for one in span.terms if isinstance(one, Name)]
    by_noun = parts.by_noun and not parts.nouns
    for kind in ("noun", "metric") if by_noun else ("metric", "noun"):
        codes = tuple(one.code for one in terms if one.kind == kind)
        known = parts.metrics if kind == "metric" else parts.nouns
        if kind == "noun" and codes and codes == known:
            # "Of the EU's countries, which three countries ..."; "countries with large economies".
            parts.hints = parts.hints or _codes_of(span, "hint")
            return True
        if kind == "noun" and codes and known and parts.by_noun:
            parts.also.append(codes)
            return True
        if kind == "metric" and codes and codes == known:
            return True  # "sold the most units": both words are of one name
        if kind == "metric" and codes and known and codes != known and len(terms) == len(codes):
            parts.beside.append(codes)
            return True
        if codes and not known:
            parts.written[kind] = span.text
            if kind == "metric":
                parts.metrics = codes
            else:
                parts.nouns = codes
            return True
    values = [one for one in terms if one.kind == "value"]
    if len(values) == 1 and not _is_spelt(span.text, values[0].value):
        parts.others.append(span.text)
        return True
    if len(values) == 1:
        parts.values.setdefault(values[0].code, []).append(values[0].value)
        return True
    entities = tuple(one.code for one in terms if one.kind == "entity")
    if entities:
        parts.entities.append(entities)
        return True
    hints = _codes_of(span, "hint")
    parts.hints = parts.hints or hints
    verbs = _codes_of(span, "verb")
    parts.verbs = parts.verbs or verbs
    return bool(hints or verbs)


def _take_number(parts: Parts, span: Span, after_place: bool) -> bool:
    value = span.quantity.value if span.quantity is not None else None
    if value is None or value != int(value) or not 1 <= value <= _LARGEST_NUMBER:
        return False
    if place_at(span.text) or after_place:
        parts.place = place_at(span.text) or int(value)
        return True
    if parts.count:
        return False
    parts.count = int(value)
    return True


def _is_form(word: str, text: str) -> bool:
    """Whether a text holds a word: Chinese anywhere, others as a word or its German forms."""
    if CJK_RUN.search(word):
        return word in text
    return any(one.removeprefix(word) in _ENDINGS for one in text.split() if one.startswith(word))


def _take_rank(parts: Parts, span: Span, text: str) -> bool:
    """Whether a span ranks: an ordinal, a superlative, or a word that puts in order."""
    found = False
    if span.kind in ("superlative", "order", "comparison", "leftover", "bound") and (
        place := place_at(text)
    ):
        parts.place = parts.place or place
        found = True
    parts.written |= {"grade": text} if text in _words("graded") else {}
    if any(_is_form(one, text) for one in _words("least")) or text in _measured("least"):
        parts.least = parts.ranks = found = True
    elif text in _words("order"):
        parts.ranks = parts.orders = found = True
    elif text in _words("most") | _measured("most") or (
        span.kind == "superlative" and span.role is not None and span.role.sense == "most"
    ):
        parts.ranks = found = True
    return found or (span.kind == "comparison" and bool(parts.place))


def turned_round(question: str, before: str) -> str:
    """Return a ranking with the one word that a question behind it names alone, or "".

    "And the least?" behind "which shop sold the most?" asks which shop sold the least.
    """
    said, ranking = (annotate(one).spans for one in (question, before))
    own, held = ([one for one in spans if _is_rank(one)] for spans in (said, ranking))
    rest = [one for one in said if one not in own and one.text not in before]
    small = all(one.is_silent or one.kind in ("question", "relation") for one in rest)
    if [len(own), len(held)] != [1, 1] or not small:
        return ""
    return f"{before[: held[0].start]}{own[0].text}{before[held[0].end :]}"


def _is_rank(span: Span) -> bool:
    parts = Parts()
    return _take_rank(parts, span, span.text.casefold()) and not parts.place
