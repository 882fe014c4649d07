"""Whether a card says of the same things, of as many, and as surely what its quote says.

"Some alloys keep their shape" is not said of alloys, 180 copies are not 180 pages, and of two
things that go together neither need be the cause. What these rules find puts a card in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.arguments import (
    COMMAS,
    THINGS,
    Window,
    doubt,
    is_article,
    is_content,
    known_words,
    part_of,
)
from groundwire.learning.cards.matching import is_token, keys, unit_of
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.types import Gap
from groundwire.quantities import resolve_unit

# Tables of words any of which says that a quote tells a cause.
_TELLING_CAUSE = ("causing", "because", "reasoning", "therefore", "opening")


def scope_gap(asked: Reading, said: Reading, window: Window, held: Reading) -> Gap | None:
    """Return the gap of a card that says more than its quote, or of something else counted.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
        held: the quote.
    """
    card = (asked, said)
    return (
        _cause_gap(card, window, held)
        or _counted_gap(asked, said, window)
        or _age_gap(asked, window)
        or _whole_gap(card, window)
        or _part_gap(card, window)
        or _focus_gap(card, window)
        or _exchange_gap(asked, held)
        or _particle_gap(asked, window)
        or _reversed_gap(card, held)
        or _rate_gap(asked, window)
        or _group_gap(card, window)
        or _elsewhere_gap(asked, window)
    )


def _cause_gap(card: Sequence[Reading], window: Window, held: Reading) -> Gap | None:
    """The gap of a cause that the quote does not tell as one."""
    wanted = next((token for one in card for token in one.tokens if _causes(one, token)), None)
    # "What effect has salt? It slows the yeast down" tells what it does.
    acts = any(is_content(one) and one.tokens[0].tag == "verb" for one in card[-1].spans)
    if wanted is None or (wanted.tag == "noun" and acts):
        return None
    if any(is_token(token, table) for token in held.tokens for table in _TELLING_CAUSE):
        return None
    return doubt(window, wanted.text)


def _causes(reading: Reading, token: Token) -> bool:
    if not is_token(token, "causing"):
        return False
    composes = any(is_token(one, "composing") for one in reading.tokens)
    return token.tag == "noun" or not composes


def _counted_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "how many pages" where the quote counts copies."""
    wanted = _counted(asked)
    figures = [n for n in sorted(window.own) if window.spans[n].quantity is not None]
    if wanted is None or len(figures) != 1:
        return None
    words = frozenset(keys(wanted))
    if any(is_token(token, "counted") for token in wanted.tokens) or words & known_words(said):
        return None
    figure = window.spans[figures[0]]
    own = {unit for token in figure.tokens if (unit := unit_of(token))}
    if figure.quantity is not None and figure.quantity.unit:
        own.add(figure.quantity.unit)
    if words & set(keys(figure)) or own & {unit_of(token) for token in wanted.tokens}:
        return None
    counts = _noun_behind(window.spans, figures[0])
    if counts is None or counts.quantity is not None or words & set(keys(counts)):
        return None
    told = any(window.spans[n] == counts for n in window.own)
    if told or _measures(counts) & _measures(wanted):
        # A back that says what it counts leaves nothing open.
        return None
    return doubt(window, counts.text)


def _measures(span: Span) -> set[str]:
    units = (resolve_unit(token.text) for token in span.tokens)
    return {unit.symbol for unit in units if unit is not None}


def _counted(asked: Reading) -> Span | None:
    """The noun right behind "how many"; None where none is counted."""
    spans = asked.spans
    for n, span in enumerate(spans[:-1]):
        if span.role is not None and asks(span) and span.role.sense == "how_many":
            behind = [one for one in spans[n + 1 : n + 4] if not _describes(one)][:1]
            is_noun = behind and any(token.tag in THINGS for token in behind[0].tokens)
            return behind[0] if is_noun and is_counting(span) else None
    return None


def is_counting(span: Span) -> bool:
    """Return whether a word asks how many there are, and not how much."""
    return not any(token.key in ("much", "viel") for token in span.tokens)


def _noun_behind(spans: Sequence[Span], at: int) -> Span | None:
    """The noun that a figure counts: the first behind it, with nothing but adjectives between."""
    for one in spans[at + 1 : at + 4]:
        if one.kind == "sign" or any(token.tag in ("function", "verb") for token in one.tokens):
            return None
        if any(token.tag in THINGS for token in one.tokens):
            return one
    return None


def _describes(span: Span) -> bool:
    return all(token.tag in ("adjective", "adverb") for token in span.tokens)


def _age_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "how old" that is answered with any time."""
    for n, span in enumerate(asked.spans[:-1]):
        following = (*span.tokens, *asked.spans[n + 1].tokens)[-1:]
        if not asks(span) or not any(is_token(token, "aging") for token in following):
            continue
        told = any(is_token(token, "aging") for one in window.spans for token in one.tokens)
        return None if told else doubt(window, following[0].text)
    return None


def _whole_gap(card: Sequence[Reading], window: Window) -> Gap | None:
    """The gap of "all towers" where the quote speaks of some, or of towers."""
    tokens = [token for span in window.spans for token in span.tokens]
    if any(is_token(token, "universal") for token in tokens):
        return None
    for reading in card:
        for span in reading.spans:
            if span.kind != "quantifier":
                continue
            found = next((token for token in span.tokens if is_token(token, "universal")), None)
            if found is not None and not asks(span):
                return doubt(window, found.text)
    return None


def _part_gap(card: Sequence[Reading], window: Window) -> Gap | None:
    """The gap of a thing of which the quote says it in part: "some alloys"."""
    known = frozenset(key for one in card for key in known_words(one))
    partial = any(is_token(t, "partial") for one in card for t in one.tokens)
    if partial:
        return None
    low, high = part_of(window)
    for n, span in enumerate(window.spans[low:high], low):
        if n in window.own or not any(is_token(token, "partial") for token in span.tokens):
            continue
        behind = [one for one in window.spans[n + 1 : n + 5] if not _joins_part(one)][:2]
        thing = next((one for one in behind if not _describes(one)), None)
        is_noun = thing is not None and any(token.tag in THINGS for token in thing.tokens)
        if thing is not None and is_noun and known.intersection(keys(thing)):
            return doubt(window, f"{span.text} {thing.text}")
    return None


def _joins_part(span: Span) -> bool:
    """Whether a word stands between a part and its whole: "few of the settlers"."""
    return is_article(span) or span.tokens[0].key in ("of", "von", "unter")


def _focus_gap(card: Sequence[Reading], window: Window) -> Gap | None:
    """The gap of "used only by lorries" where the quote has "by lorries only at night"."""
    held = list(_focused(window.spans))
    for reading in card:
        for own in _focused(reading.spans):
            words = frozenset(keys(own))
            if own.tokens[0].language == "de" and own.tokens[0].tag == "verb":
                # "Was darf er nur verlangen": the verb stands at the end, and the answer before it.
                continue
            if held and not any(words & set(keys(one)) for one in held):
                return doubt(window, held[0].text)
    return None


def _focused(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the first word that says something behind each "only"."""
    for n, span in enumerate(spans):
        if not any(is_token(token, "focusing") for token in span.tokens):
            continue
        for one in spans[n + 1 :]:
            if one.text in COMMAS:
                break
            if is_content(one) or one.quantity is not None or one.period is not None:
                yield one
                break


def _exchange_gap(asked: Reading, held: Reading) -> Gap | None:
    """The gap of "what do they take in" where the quote has "give off"."""
    senses = {one.role.sense for one in asked.spans if asks(one) and one.role is not None}
    if senses & {"how", "how_many", "when"} or any(
        is_token(token, "idle") for token in asked.tokens
    ):
        return None
    known = {key for span in held.spans for key in keys(span)}
    for n, span in enumerate(asked.spans):
        token = span.tokens[-1]
        if token.tag != "verb" or not is_token(token, "exchanging"):
            continue
        if any(map(_describes, asked.spans[n + 1 : n + 2])):
            # "Gets warm" is what becomes of it.
            continue
        if not known.intersection(keys(span)):
            detail = f"The quote does not say {token.text[:40]!r}: ask with its own verb."
            return Gap("front_word", detail)
    return None


def _particle_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of German "nimmt ab" where the quote has "nimmt an"."""
    words = [token for token in asked.tokens if token.tag != "sign"]
    if len(words) < 2 or words[-1].language != "de" or not is_token(words[-1], "particles"):
        return None
    tokens = [token for span in window.spans for token in span.tokens]
    ends = [
        one
        for n, one in enumerate(tokens)
        if is_token(one, "particles") and (n + 1 == len(tokens) or tokens[n + 1].tag == "sign")
    ]
    own = words[-1].key
    if not ends or any(one.key == own for one in ends):
        return None
    return None if any(one.key.startswith(own) for one in tokens) else doubt(window, ends[0].text)


def _reversed_gap(card: Sequence[Reading], held: Reading) -> Gap | None:
    """The gap of "hardly" and "except" where the quote has no such word."""
    if any(is_token(token, "reversing") for token in held.tokens):
        return None
    for token in (token for one in card for token in one.tokens):
        if is_token(token, "reversing"):
            return Gap("front_word", f"The quote does not say {token.text[:40]!r}: keep to it.")
    return None


def _rate_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "how many per pupil", or "how many more", where the quote tells how many."""
    counts = next((n for n, one in enumerate(asked.spans) if _asks_count(one)), None)
    if counts is None:
        return None
    tokens = [token for span in window.spans for token in span.tokens]
    rates = next((token for token in asked.tokens if is_token(token, "rating")), None)
    told = any(is_token(t, "rating") or t.key in ("a", "an", "pro") for t in tokens)
    if rates is not None and not told:
        return doubt(window, rates.text)
    wanted, held = _periods(asked.tokens), _periods(tokens)
    if wanted and held and not wanted & held:
        return doubt(window, sorted(held)[0])
    more = asked.spans[counts + 1 : counts + 2]
    compares = more and more[0].kind == "comparison" and more[0].role is not None
    if compares and not any(one.kind in ("comparison", "direction") for one in window.spans):
        return doubt(window, more[0].text)
    return None


def _periods(tokens: Sequence[Token]) -> set[str]:
    """The units that something is counted for: "every second"."""
    return {
        behind.lemma
        for one, behind in pairwise(tokens)
        if (is_token(one, "rating") or one.key in ("a", "an"))
        and (unit_of(behind) or behind.key == "second")
    }


def _asks_count(span: Span) -> bool:
    return asks(span) and span.role is not None and span.role.sense == "how_many"


def _group_gap(card: Sequence[Reading], window: Window) -> Gap | None:
    """The gap of "the members" where the quote speaks of "members who answered"."""
    known = frozenset(key for one in card for key in known_words(one))
    spans = window.spans
    for n, span in enumerate(spans[1:-1], 1):
        if span.tokens[0].key not in ("who", "that") or n - 1 in window.own:
            continue
        thing = spans[n - 1]
        if not known.intersection(keys(thing)) or thing.tokens[-1].tag not in THINGS:
            continue
        clause: list[Span] = []
        verbs = 0
        for one in spans[n + 1 :]:
            verbs = sum(t.tag == "verb" for each in (*clause, one) for t in each.tokens)
            if one.text in COMMAS or verbs > 1:
                break
            clause.append(one)
        # Where no second verb is seen, the clause is at least a verb and its thing.
        telling = [one for one in clause if is_content(one)][: None if verbs > 1 else 2]
        if telling and not any(known.intersection(keys(one)) for one in telling):
            return doubt(window, f"{thing.text} {span.text} {telling[0].text}")
    return None


def _elsewhere_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "half", "mainly" and "inland" that stand with another thing than the answer."""
    low, high = part_of(window)
    inside = window.spans[low:high]
    outside = [*window.spans[:low], *window.spans[high:]]
    beside = [one for n, one in enumerate(inside, low) if n not in window.own]
    if not any(token.tag in (*THINGS, "verb") for one in beside for token in one.tokens):
        return None
    here = frozenset(key for one in inside for key in keys(one))
    rest = [one for one in outside if any(is_token(t, "remaining") for t in one.tokens)]
    for span in asked.spans:
        words = frozenset(keys(span))
        if words & here or asks(span) or span.kind == "sign":
            continue
        same = [one for one in outside if words & set(keys(one))]
        graded = span.quantity is not None and 0 < span.quantity.value < 1
        graded = graded or all(is_token(token, "mainly") for token in span.tokens)
        apart = rest and any(t.tag == "adverb" for t in span.tokens)
        if same and (graded or apart):
            return doubt(window, same[0].text)
    return None
