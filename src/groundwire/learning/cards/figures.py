"""Whether figures of a card have the unit, bound, noun and era that its quote gives them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations, pairwise
from typing import Literal

from groundwire.language import Reading, Span
from groundwire.learning.cards.matching import (
    denies,
    is_token,
    literal_places,
    narrows,
    places_of,
    standing,
    unit_of,
)
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap, GapReason
from groundwire.quantities import Quantity, resolve_unit
from groundwire.vocabulary.fold import fold_word

_ERA_BEHIND = re.compile(
    r"\s{0,2}(?:(?P<before>b\.?\s?c\.?(?:\s?e\.?)?(?![a-z])|v\.\s?(?:chr|u\. ?z)|vor christus"
    r"|vor unserer zeit)|(?P<after>a\.?d\.?(?![a-z])|c\.?e\.?(?![a-z])|n\.\s?chr|nach christus))",
    re.IGNORECASE,
)
_ERA_AHEAD = re.compile(
    r"(?:(?P<before>公元前|西元前|纪元前|(?<![以之])前)|(?P<after>公元|西元|A\.?D\.?))\s?$"
)
_ERA_REACH = 16

_MOST_SUGGESTED = 5

Direction = Literal["under", "over"]
# How far before a figure its negation may stand: "shall not exceed three months".
_REACH = 3
_UPPER = frozenset(("at_most", "less_than"))
_LOWER = frozenset(("at_least", "more_than"))


def bounded_places(span: Span, asked: Reading, held: Reading) -> list[Span]:
    """Return where a bare figure stands behind the bound that its question asks for.

    "For how long at most may it be used" asks for the figure of "no longer than two days".
    """
    figure = span.quantity
    wanted = _asked_direction(asked.spans)
    if figure is None or figure.bound is not None or wanted is None:
        return []
    found: list[Span] = []
    for n, one in enumerate(held.spans):
        if one.quantity is not None and _same(figure, one.quantity):
            found += [one] if _direction(held.spans, n) == wanted else []
    return found


def asks_bound(span: Span) -> bool:
    """Return whether a word asks for a bound: "at most", "highest"."""
    return _asked_direction((span,)) is not None


def is_turned(place: Span, parts: Sequence[Segment]) -> bool:
    """Return whether a negation turns the bound of a figure: "not exceed", "no longer than"."""
    return any(
        _negation(part.spans, n)
        for part in parts
        for n, one in enumerate(part.spans)
        if one == place
    )


def is_bounded_alike(said: Quantity, held: Quantity) -> bool:
    """Return whether two figures differ in nothing but that the second is a bound."""
    return said.bound is None and held.bound in ("under", "over") and _same(said, held)


def _same(said: Quantity, held: Quantity) -> bool:
    return said.value == held.value and said.unit in (None, held.unit)


def _negation(spans: Sequence[Span], at: int) -> bool:
    return any(denies(one) for one in spans[max(0, at - _REACH) : at])


def _direction(spans: Sequence[Span], at: int) -> Direction | None:
    figure = spans[at].quantity
    if figure is None or figure.bound not in ("under", "over"):
        return None
    is_under = (figure.bound == "under") != _negation(spans, at)
    return "under" if is_under else "over"


def _asked_direction(spans: Sequence[Span]) -> Direction | None:
    """Return whether a question asks for an upper or a lower bound; None where for neither."""
    senses = {one.role.sense for one in spans if one.role and one.role.role == "bound"}
    tokens = [token for one in spans for token in one.tokens]
    upper = bool(senses & _UPPER) or any(is_token(token, "highest") for token in tokens)
    lower = bool(senses & _LOWER) or any(is_token(token, "lowest") for token in tokens)
    return None if upper == lower else "under" if upper else "over"


def figure_gaps(asked: Reading, said: Reading, spans: Sequence[Span], held: Reading) -> list[Gap]:
    """Return the gaps of figures with another unit or noun than in the quote.

    Args:
        asked: the question.
        said: the back.
        spans: the spans of the back that have to be proven.
        held: the quote.
    """
    return [
        *_unit_gaps(asked, spans, held),
        *_apart_gaps(said, held),
        *_kind_gaps(asked, said, held),
    ]


def _unit_gaps(asked: Reading, spans: Sequence[Span], held: Reading) -> list[Gap]:
    """A bare figure whose question names a unit has that unit in the quote."""
    wanted = {
        unit
        for span in asked.spans
        if span.quantity is None
        for token in span.tokens
        if (unit := unit_of(token))
    }
    gaps: list[Gap] = []
    for span in spans:
        quantity = span.quantity
        if quantity is None or quantity.unit is not None or not wanted:
            continue
        places = [s.quantity for s in places_of(span, held) if s.quantity is not None]
        units = {place.unit for place in places if place.unit is not None}
        if places and units and not units & wanted:
            said = f"The question asks for {sorted(wanted)[0]}, the quote has {sorted(units)[0]}."
            gaps.append(Gap("unit", said, tuple(place.raw for place in places)))
    return gaps


def _apart_gaps(said: Reading, held: Reading) -> list[Gap]:
    """A figure and the word beside it stand beside each other in the quote too."""
    numbers = {span.start: number for number, span in enumerate(held.spans)}
    text = " ".join(fold_word(held.text).split())
    for first, second in pairwise(said.spans):
        joint = said.text[first.start : second.end]
        counts = first.quantity is not None or second.quantity is not None
        figures = (counts or any(map(str.isdigit, joint))) and " " in joint
        whole = any(standing(fold_word(joint), text))
        if not figures or first.is_silent or second.is_silent or whole:
            continue
        ends, starts = (
            [numbers[place.start] for place in places_of(span, held) or literal_places(span, held)]
            for span in (first, second)
        )
        if (
            ends
            and starts
            and not any(
                end < start and all(s.is_silent for s in held.spans[end + 1 : start])
                for end in ends
                for start in starts
            )
        ):
            said_so = f"{joint[:80]!r} stands in the quote only in pieces."
            # A unit is wrong there; another word may belong to the figure elsewhere: "two levels
            # of water", "two water levels".
            unit = any(unit_of(token) for one in (first, second) for token in one.tokens)
            return [Gap("number" if unit else "attachment", said_so, (held.text[:200],))]
    return []


def _kind_gaps(asked: Reading, said: Reading, held: Reading) -> list[Gap]:
    """An answer to "when" tells a time, and one to "how many" a quantity."""
    senses = {s.role.sense for s in asked.spans if s.role and s.role.role == "question"}
    times = [s for s in said.spans if s.period is not None or s.kind in ("time", "order")]
    # A bare number of four digits is read as a year, and may be how many there are.
    times = [s for s in times if not s.text.isdigit()]
    figures = [s for s in said.spans if s.quantity is not None]
    if "how_many" in senses and times and not figures and not any(map(denies, said.spans)):
        instead = tuple(s.text for s in held.spans if s.quantity is not None)[:_MOST_SUGGESTED]
        if all(s.period is not None for s in times) and len(times) == 1 and instead:
            return [Gap("kind", "The question asks how many; the back is a date.", instead)]
    return []


def era_gaps(
    asked: Reading, spans: Sequence[tuple[Span, Sequence[Span]]], held: Reading, said: Reading
) -> list[Gap]:
    """Return the gap of a year whose era is not that of its quote.

    Args:
        asked: the question, whose own era holds for a bare year.
        spans: the figures and dates of the back, each with where it stands in the quote.
        held: the quote.
        said: the back.
    """
    general = _any_era(asked.text)
    for span, places in spans:
        if not places or not any(map(str.isdigit, span.text)):
            continue
        own = _era(said.text, span) or general
        eras = [_era(held.text, place) for place in places]
        if own in eras or (own == "after" and None in eras) or "before" not in {own, *eras}:
            continue
        place = places[0]
        text = held.text[max(0, place.start - 4) : place.end + 8].strip()
        return [Gap("date", f"The quote has another era than {span.text[:40]!r}.", (text,))]
    return []


def _era(text: str, span: Span) -> str | None:
    """The era that stands beside a year: `before`, `after`, or None where none is named."""
    for found in (
        _ERA_BEHIND.match(text, span.end, span.end + _ERA_REACH),
        _ERA_AHEAD.search(text[max(0, span.start - 4) : span.start]),
    ):
        if found is not None:
            return found.lastgroup
    return None


def _any_era(text: str) -> str | None:
    """The era that a question names anywhere."""
    for number, char in enumerate(text):
        if char.isspace() and (found := _ERA_BEHIND.match(text, number, number + _ERA_REACH)):
            return found.lastgroup
    found = _ERA_AHEAD.search(text) or re.search(r"(?P<before>公元前)", text)
    return found.lastgroup if found else None


MOST_SUGGESTED = 5
"""Words and figures of the quote that are offered instead."""

# The largest share of a figure by which "about" may round it.
_ROUNDED = Decimal("0.05")
_MOST_FIGURES = 12
_LISTING = frozenset(",，、;；")


def missing_gap(span: Span, held: Reading, of: str = "back") -> Gap:
    """Return the gap of a span that a text does not prove, with what stands there instead.

    A figure that may follow from those of the text leaves the card open: one that is worked out,
    rounded with "about", or told with a bound that the text does not have.

    Args:
        span: the span.
        held: the text.
        of: the side of the card that the span is of.
    """
    reason: GapReason = "word"
    instead: list[str] = []
    if span.quantity is not None:
        open_gap = _open_figure_gap(span.quantity, held)
        if open_gap is not None:
            return open_gap
        figures = [s for s in held.spans if s.quantity is not None]
        same = [s for s in figures if s.quantity and s.quantity.value == span.quantity.value]
        rivals = [s for s in figures if s.quantity and _is_comparable(s.quantity, span.quantity)]
        others = [s for s in held.spans if s.period is not None or s.quantity is not None]
        # It may be worked out from figures of other kinds: "30 years" from "1618 to 1648".
        reason = "unit" if same else "word" if others and not rivals else "number"
        instead = [s.text for s in same or figures]
    elif span.period is not None:
        instead = [s.text for s in held.spans if s.period is not None]
        reason = "date" if instead or not any(s.quantity for s in held.spans) else "word"
        if span.text.isdecimal() and _worked_out(Decimal(span.text), held):
            reason = "word"
    elif span.kind == "bound":
        return Gap("attachment", f"The quote does not say {span.text[:40]!r} of that figure.")
    elif denies(span) and not narrows(span):
        reason = "negation"
    elif span.kind == "unit_noun":
        reason = "unit"
        instead = [s.text for s in held.spans if s.quantity is not None]
    elif any(char.isupper() for char in span.text) or any(t.tag == "name" for t in span.tokens):
        reason = "name"
        instead = [s.text for s in held.spans if s.kind == "leftover" and s.text[:1].isupper()]
    where = "passage" if of == "front" else "quote"
    said = f"{span.text[:80]!r} of the {of} does not stand in the {where}."
    return Gap(reason, said, _offered(instead))


def _offered(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))[:MOST_SUGGESTED]


def _open_figure_gap(figure: Quantity, held: Reading) -> Gap | None:
    """Return the gap of a figure that may be right in spite of the quote, or None."""
    figures = [(s.text, s.quantity) for s in held.spans if s.quantity is not None]
    same = [one for one in figures if one[1].value == figure.value]
    alike = [text for text, one in same if is_bounded_alike(figure, one)]
    if alike:
        return Gap("attachment", f"The quote has {alike[0][:60]!r} as a bound: say so on the card.",
                   (alike[0],))  # fmt: skip
    unbound = [text for text, one in same if one.bound is None and one.unit == figure.unit]
    if unbound and figure.bound in ("under", "over"):
        said = f"The quote has {unbound[0][:60]!r} without a bound: leave it out."
        return Gap("attachment", said, (unbound[0],))
    near = [text for text, one in figures if figure.bound == "about" and _is_near(figure, one)]
    if near:
        said = f"The quote has {near[0][:60]!r}: say it as it is."
        return Gap("attachment", said, _offered(near))
    halves = figure.unit == "%" and any(s.kind == "quantifier" for s in held.spans)
    if halves or (not figure.value and any(map(denies, held.spans))):
        said = f"The quote says {figure.raw[:40]!r} in words, if at all: say it in its words."
        return Gap("attachment", said)
    parts = _worked_out(figure.value / 100 if figure.unit == "%" else figure.value, held)
    if parts:
        said = f"The quote does not say {figure.raw[:40]!r}, which may follow from {parts[:60]}."
        return Gap("attachment", said)
    return None


def _worked_out(wanted: Decimal, held: Reading) -> str:
    """Return the two figures of a quote that make another one together, or its list, or ""."""
    known = [(s.text, s.quantity.value) for s in held.spans if s.quantity is not None]
    known += [(s.text, Decimal(s.text)) for s in held.spans if s.period and s.text.isdecimal()]
    for (text, one), (name, other) in combinations(known[:_MOST_FIGURES], 2):
        made = [one + other, abs(one - other), one * other]
        made += [one / other, other / one] if one and other else []
        if wanted in made:
            return f"{text} and {name}"
    # "Sheep, goats and dogs" are three.
    marks = [t.text for t in held.tokens if t.text in _LISTING or is_token(t, "adding")]
    return "a list" if 1 < wanted == len(marks) + 1 <= _MOST_FIGURES else ""


def _is_near(figure: Quantity, other: Quantity) -> bool:
    known = figure.unit == other.unit and other.value
    return bool(known) and abs(figure.value - other.value) <= _ROUNDED * abs(other.value)


def _is_comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two figures measure the same, or one of them does not say what it measures."""
    if one.unit is None or other.unit is None:
        return True
    units = resolve_unit(one.unit), resolve_unit(other.unit)
    return one.unit == other.unit or (
        units[0] is not None and units[1] is not None and units[0].dimension == units[1].dimension
    )
