"""The gap of a card of which a word or a figure does not stand in its quote."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

from groundwire.language import Reading, Span
from groundwire.learning.cards.figures import is_bounded_alike
from groundwire.learning.cards.matching import denies, is_token, narrows
from groundwire.learning.cards.types import Gap, GapReason
from groundwire.quantities import Quantity, resolve_unit

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
