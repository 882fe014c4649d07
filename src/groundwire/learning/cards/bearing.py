"""Whether a quote bears every word of meaning that a question has, or leaves one open.

A question that speaks of more than its quote may be answered rightly or wrongly: which of both,
the quote does not tell. Such a card is in doubt, and is kept as a draft with the word that is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.language import Reading, Span
from groundwire.learning.cards.figures import asks_bound
from groundwire.learning.cards.matching import (
    acts,
    denies,
    is_counted,
    is_name,
    is_opposed,
    is_token,
    keys,
    literal_places,
    places_of,
    stands_in,
    stem_stands,
    unit_of,
)
from groundwire.learning.cards.roles import MODAL
from groundwire.learning.cards.types import Gap

_MOST_TOLD = 3
# The shortest word, and part of a compound, that is told by its beginning.
_LEAST, _LEAST_PART = 3, 4
_LONGEST_ENDING = 3
# What may stand between the parts of a German compound.
_JOINTS = ("", "s", "es", "n", "en", "er")


def unborne_gaps(
    asked: Reading,
    said: Reading,
    held: Reading,
    about: frozenset[str],
    *,
    is_bounded: bool,
) -> list[Gap]:
    """Return the gaps of words of a question that neither its quote nor its answer bears.

    What the question asks for ("which country"), and words that only ask ("called", "kind"), need
    not stand there. A word may stand in another form, and a compound in its parts.

    Args:
        asked: the question.
        said: the back.
        held: the quote.
        about: folded words of what the quote speaks of: of its title and heading, and of what its
            pronouns stand for.
        is_bounded: whether the quote gives the figure of the answer the bound that is asked for.
    """
    words = about | {key for span in (*held.spans, *said.spans) for key in keys(span)}
    gaps: list[Gap] = []
    for span in _telling(asked):
        if is_bounded and asks_bound(span):
            continue
        if len(gaps) >= _MOST_TOLD:
            return gaps
        if places_of(span, held) or literal_places(span, held) or stands_in(span, said):
            continue
        is_word_of_it = span.quantity is None and span.period is None
        if is_word_of_it and (_borne(span, words) or _stands_unspaced(span, held.text)):
            continue
        detail = f"The quote does not say {span.text[:80]!r}, which the front asks about: quote it."
        gaps.append(Gap("front_word", detail))
    return gaps


def _telling(asked: Reading) -> Iterator[Span]:
    """The spans of a question that say something of what it is about."""
    spans = asked.spans
    for place, span in enumerate(spans):
        role = span.role
        # "Need" and "command" ask for something elsewhere; in a question they say what is done.
        requests = role is not None and (role.role, role.sense) == ("question", "request")
        silent = span.is_silent and not requests and not acts(span)
        if silent or denies(span) or only_asks(span):
            continue
        if is_counted(span):
            continue
        if role is not None and role.role in ("question", "approximation") and not requests:
            continue
        if place and any(is_token(token, "subordinating") for token in span.tokens):
            continue
        if any(unit_of(token) for token in span.tokens) or span.kind in ("unit_noun", "iri"):
            # The unit of a figure that is asked for is compared with that of the back.
            continue
        if span.kind == "time" and span.period is None and _counts(spans[:place]):
            continue
        if span.quantity is None and span.period is None and not _is_known(span, place):
            continue
        if not names_kind(spans, place) and not _is_measured(spans, place):
            yield span


def only_asks(span: Span) -> bool:
    """Return whether a span has nothing but words that ask, as "stand for"."""
    asks = [is_token(token, "asking") for token in span.tokens]
    rest = (token.tag for token, one in zip(span.tokens, asks, strict=True) if not one)
    return any(asks) and all(tag in ("function", "sign") for tag in rest)


def _is_known(span: Span, place: int) -> bool:
    """Whether a word is of a language whose words that only ask are known, or is a name."""
    return any(token.language for token in span.tokens) or is_name(span, place)


def names_kind(spans: Sequence[Span], place: int) -> bool:
    """Return whether a span says what kind of thing is asked for: "which country", 哪座城市."""
    sorting = place - 1 if place and len(spans[place - 1].tokens) > 1 else place - 2
    if sorting > 0 and spans[place - 1].tokens[-1].key == "of" and _sorts(spans[sorting]):
        return names_kind(spans, sorting)
    for before in reversed(spans[max(0, place - 3) : place]):
        role = before.role
        if role is not None and role.role == "question":
            if role.sense == "how":
                # "How wide" asks for a measure; what follows "womit" is no kind.
                return all(
                    token.tag in ("adjective", "adverb", "function") or token.lemma in MODAL
                    for token in spans[place].tokens
                )
            return role.sense not in ("who", "when", "where", "why", "request")
        if before.kind == "unit_noun" and any(token.tag == "verb" for token in spans[place].tokens):
            # "By how many percent does it fall" asks what falls.
            return False
        if before.kind != "unit_noun" and (before.quantity is None or before.quantity.unit):
            # "Which day" asks for the day, whatever follows.
            return False
    return False


def _sorts(span: Span) -> bool:
    """Whether a span only sorts the things that are asked for: "which class of antibody"."""
    return only_asks(span) or any(is_token(token, "classifying") for token in span.tokens)


def _is_measured(spans: Sequence[Span], place: int) -> bool:
    """Whether a span says what is measured, right before the word that asks for it: 长多少."""
    after = spans[place + 1].role if place + 1 < len(spans) else None
    asks = after is not None and (after.role, after.sense) == ("question", "how_many")
    return asks and spans[place].kind == "opinion"


def _counts(before: Sequence[Span]) -> bool:
    """Whether a question asks for a figure, whose time is part of what is asked: "per day"."""
    return any(one.role is not None and one.role.sense == "how_many" for one in before)


def _borne(span: Span, words: frozenset[str]) -> bool:
    if any(token.tag == "number" and token.key not in words for token in span.tokens):
        # "The second largest" is not the largest.
        return False
    if span.kind == "bound":
        # "Larger than" is not "smaller than", which has its "than".
        return all(
            token.tag == "function" or words.intersection((token.key, token.lemma))
            for token in span.tokens
        )
    if words.intersection(keys(span)):
        return True
    if any(is_opposed(token.key, word) for token in span.tokens for word in words):
        # "Mortgagee" is not "mortgagor", though they begin alike.
        return False
    if stem_stands(span, words):
        return True
    own = [token.key for token in span.tokens if token.tag != "sign"]
    return bool(own) and all(
        any(_inflected(one, word) for word in words)
        or _is_compound(one, words)
        or _stands_within(one, words)
        for one in own
    )


def _inflected(one: str, other: str) -> bool:
    """Whether two words are forms of one: they differ in a short ending alone."""
    short, long = sorted((one, other), key=len)
    if not (one.isascii() or one.isalpha()) or len(short) < _LEAST:
        return False
    same = 0
    while same < len(short) and short[same] == long[same]:
        same += 1
    return same >= max(_LEAST, len(short) - 1) and len(long) - same <= _LONGEST_ENDING


def _is_compound(one: str, words: frozenset[str]) -> bool:
    """Whether a word is put together from two of a text: Städtebund, of Bund and Städten."""
    for cut in range(_LEAST_PART, len(one) - _LEAST_PART + 1):
        head, tail = one[:cut], one[cut:]
        if not any(_inflected(tail, word) for word in words if len(word) >= _LEAST_PART):
            continue
        for joint in _JOINTS:
            part = head.removesuffix(joint) if joint else head
            if len(part) >= _LEAST_PART and any(_inflected(part, word) for word in words):
                return True
    return False


def _stands_unspaced(span: Span, text: str) -> bool:
    """Whether a word of a script without spaces stands in a text, which may be cut otherwise."""
    return bool(span.text) and all(char > "\u2e80" for char in span.text) and span.text in text


def _stands_within(one: str, words: frozenset[str]) -> bool:
    """Whether a word without spaces is part of a longer one: 运河, 大运河."""
    if one.isascii() or len(one) < 2 or any(char < "\u2e80" for char in one):
        return False
    return any(one in word or (len(word) > 1 and word in one) for word in words)
