"""Whether an answer has the degree, the measure and the group that its question asks about.

"The second most common" is not the most common, 9 km long is not 9 km wide, and what all whales are
is not what all mammals are. What these rules find puts a card in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.language import Reading, Span
from groundwire.learning.cards.arguments import (
    Window,
    doubt,
    is_article,
    is_content,
    is_in,
    known_words,
    part_of,
)
from groundwire.learning.cards.matching import is_token, is_word, keys
from groundwire.learning.cards.reversal import asks, is_preposition, is_thing
from groundwire.learning.cards.types import Gap

_DEGREE = frozenset(("comparison", "superlative", "bound"))
# How many words may stand between a rank and its superlative: "one of the longest".
_REACH = 3
_PAIR = 2
_STEM = 4
_GROUPS = frozenset(("all", "each", "both", "most", "many", "half", "some", "few"))
_THAN = "比"
_WHOLE = frozenset(("all", "each", "every", "both"))


def degree_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of an answer of another degree, measure or group than is asked for, or None.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
    """
    return (
        _rank_gap(asked, window)
        or _standard_gap(asked, window)
        or _measure_gap(asked, window)
        or _group_gap(asked, window)
        or _quantifier_gap(asked, window)
        or _choice_gap(asked, window)
        or _share_gap(asked, window)
        or _ordinal_gap(asked, window)
        or _part_gap(asked, window)
        or _difference_gap(asked, window)
        or _whole_gap(asked, window)
        or _rate_gap(asked, said, window)
    )


def _written(span: Span) -> set[str]:
    return {token.key for token in span.tokens if token.tag != "sign"}


def _rank_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "the longest" where the quote has "longer", "the second longest", "one of the"."""
    shown = {key for span in asked.spans for key in _written(span)}
    spans = window.spans
    held = {token.key for span in spans for token in span.tokens}
    for token in asked.tokens:
        # German "am heftigsten" is no "heftiger".
        stem = token.key.removesuffix("sten").removesuffix("ste")
        if token.language == "de" and stem != token.key and f"{stem}er" in held:
            return doubt(window, f"{stem}er")
    for span in asked.spans:
        if span.kind != "superlative":
            continue
        at = [n for n, one in enumerate(spans) if is_in(one, frozenset(keys(span)))]
        graded = [n for n in at if spans[n].kind in _DEGREE]
        same = [n for n in graded if spans[n].kind == "superlative"]
        if graded and not same:
            return doubt(window, spans[graded[0]].text)
        for n in same:
            ranks = [one for one in spans[max(0, n - _REACH) : n + 1] if _ranks(one)]
            ranks += [one for one in spans[n + 1 : n + 1 + _REACH] if is_word(one, "among_others")]
            left = [one for one in ranks if not shown & _written(one)]
            if left and len(left) == len(ranks):
                return doubt(window, left[0].text)
    return None


def _ranks(span: Span) -> bool:
    if span.role is not None and (span.role.role, span.role.sense) == ("superlative", "rank"):
        return True
    if span.kind == "order" or is_word(span, "among"):
        return any(token.tag in ("number", "adjective", "function") for token in span.tokens)
    return span.quantity is not None and span.quantity.value == 1


def _standard_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "taller than C" where the quote has "taller than B"."""
    wanted = dict(_standards(asked.spans))
    held = dict(_standards(window.spans))
    for degree, standard in wanted.items():
        other = held.get(degree)
        if other is None or asks(standard) or not is_content(standard):
            continue
        if not is_in(standard, frozenset(keys(other))) and not _overlaps(other, window):
            return doubt(window, f"{degree} {other.text}")
    return None


def _overlaps(span: Span, window: Window) -> bool:
    return any(window.spans[n] == span for n in window.own)


def _standards(spans: Sequence[Span]) -> Iterator[tuple[str, Span]]:
    """Yield each comparative with the first word of what it compares with."""
    for n, span in enumerate(spans):
        compares = any(is_token(token, "comparing") for token in span.tokens)
        behind = next((one for one in spans[n + 1 :] if not is_article(one)), None)
        if not compares or behind is None or behind.quantity is not None:
            continue
        degree = span if len(span.tokens) > 1 else spans[n - 1] if n else span
        if degree.kind in _DEGREE:
            yield degree.tokens[0].key, behind


def _measure_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "how wide" where the figure of the quote stands with "long"."""
    behind = window.spans[window.stop + 1 : window.stop + 2]
    if window.spans[window.stop].quantity is None or not behind:
        return None
    lies = behind[0].kind == "bound" and all(t.tag == "function" for t in behind[0].tokens)
    if lies and any(_is_size(one) and not is_word(one, "raised") for one in asked.spans):
        # "430 metres below the level of the sea" tells where it lies, and not its size.
        return doubt(window, behind[0].text)
    if not _is_size(behind[0]):
        return None
    for n, span in enumerate(asked.spans):
        counts = span.role is not None and span.role.sense in ("how", "how_many", "when")
        if not asks(span) or not counts:
            continue
        measured = [t for t in span.tokens if t.tag == "adjective"]
        if not measured and asked.spans[n + 1 : n + 2] and _is_size(asked.spans[n + 1]):
            measured = list(asked.spans[n + 1].tokens)
        own = {token.lemma for token in measured}
        other = {token.lemma for token in behind[0].tokens}
        if own and not own & other and other & _sizes(window):
            return doubt(window, behind[0].text)
    return None


def _sizes(window: Window) -> set[str]:
    return {t.lemma for one in window.spans if _is_size(one) for t in one.tokens}


def _is_size(span: Span) -> bool:
    return span.role is not None and (span.role.role, span.role.sense) == ("opinion", "size")


def _group_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what are all mammals" where the quote speaks of all whales."""
    for n, span in enumerate(asked.spans[:-1]):
        thing = asked.spans[n + 1]
        if span.kind != "quantifier" or not is_content(thing) or asks(span):
            continue
        if span.role and span.role.sense == "only" and thing.tokens[0].tag == "verb":
            # "Was darf er nur verlangen": the verb of a German question stands at its end.
            continue
        words = frozenset(keys(thing))
        same = [m for m, one in enumerate(window.spans[:-1]) if is_in(one, frozenset(keys(span)))]
        behind = [window.spans[m + 1] for m in same]
        rivals = [one for one in behind if is_content(one) and not is_in(one, words)]
        if rivals and len(rivals) == len(behind) and any(is_in(s, words) for s in window.spans):
            return doubt(window, f"{span.text} {rivals[0].text}")
    return None


def _quantifier_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "most" where the part of the quote with the answer speaks of "some" alone."""
    wanted = {sense for _, sense in _groups(asked.spans)}
    low, high = part_of(window)
    own = {window.spans[n].start for n in window.own}
    groups = [one for one in _groups(window.spans[low:high]) if one[0].start not in own]
    if wanted and groups and not any(sense in wanted for _, sense in groups):
        return doubt(window, groups[0][0].text)
    return None


def _choice_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "which is denser, A or B" where the quote compares the answer with a third."""
    joint = next((n for n, s in enumerate(asked.spans) if _chooses(s)), None)
    if joint is None:
        return None
    sides = [
        next(filter(is_content, reversed(asked.spans[:joint])), None),
        next(filter(is_content, asked.spans[joint + 1 :]), None),
    ]
    own = frozenset(key for n in window.own for key in keys(window.spans[n]))
    low, high = part_of(window)
    told = window.spans[low:high]
    # Chinese words are cut in many ways, so that they are looked for as they are written.
    text = "".join(span.text for span in told)
    if not any(span.kind == "comparison" for span in asked.spans) and _THAN not in text:
        return None
    for side in sides:
        if side is not None and not is_in(side, own) and side.text not in text:
            known = frozenset(keys(side))
            if not any(is_in(span, known) for span in told):
                return doubt(window, side.text)
    return None


def _chooses(span: Span) -> bool:
    return any(is_token(token, "choosing") for token in span.tokens)


def _groups(spans: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    """Yield each word that says of how many of a group something holds, with its sense."""
    for n, span in enumerate(spans):
        if span.role is None or span.role.sense not in _GROUPS:
            continue
        # "Most bats" are a group, "the most bats" are a degree.
        degree = span.kind == "superlative" and (
            (n > 0 and is_article(spans[n - 1])) or not any(map(is_thing, spans[n + 1 : n + 2]))
        )
        if span.kind in ("quantifier", "superlative") and not degree:
            yield span, span.role.sense


def _share_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a share of another group: "three quarters of the voters were women".

    A question for how many there are is not answered by a part of them either.
    """
    answer = window.spans[window.stop]
    behind = [one for one in window.spans[window.stop + 1 :] if not is_article(one)][:2]
    is_share = answer.quantity is not None or answer.kind == "quantifier"
    if not is_share or len(behind) < 2 or not _is_of(behind[0]):
        return None
    if behind[1].quantity is not None and any(is_word(one, "existing") for one in asked.spans):
        return doubt(window, behind[1].text)
    for n, span in enumerate(asked.spans[1:-1], 1):
        thing = next((one for one in asked.spans[n + 1 :] if not is_article(one)), None)
        if (
            not _is_of(span)
            or not any(map(asks, asked.spans[max(0, n - 2) : n]))
            or thing is None
            or not is_content(thing)
        ):
            continue
        if is_content(behind[1]) and not is_in(thing, frozenset(keys(behind[1]))):
            return doubt(window, behind[1].text) if is_in(thing, _all(window)) else None
    return None


def _all(window: Window) -> frozenset[str]:
    return frozenset(key for one in window.spans for key in keys(one))


def _is_of(span: Span) -> bool:
    return span.tokens[-1].key in ("of", "von", "vom")


def _ordinal_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "the third floor" where the answer stands behind "the second"."""
    known = {t.key for one in asked.spans for t in one.tokens if _is_ordinal(one)}
    held = [n for n, one in enumerate(window.spans) if _is_ordinal(one) and n not in window.own]
    if not known or not any(known & _written(window.spans[n]) for n in held):
        return None
    before = [n for n in held if n < window.start]
    if before and not known & _written(window.spans[before[-1]]):
        return doubt(window, window.spans[before[-1]].text)
    return None


def _is_ordinal(span: Span) -> bool:
    return span.kind == "order" and any(t.tag in ("number", "adjective") for t in span.tokens)


def _part_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of an answer without the word that says how much of it: "too much water"."""
    known = known_words(asked)
    for n in range(max(0, window.start - 2), window.start):
        lies_next = n + 1 == window.start or is_preposition(window.spans[n + 1])
        graded = any(is_token(token, "mainly") for token in window.spans[n].tokens)
        # "The main component" of what "consists mainly" of it.
        stem = window.spans[n].text.casefold()[:_STEM]
        told = is_in(window.spans[n], known) or any(one.startswith(stem) for one in known)
        if graded and lies_next and not told:
            return doubt(window, window.spans[n].text)
    before = window.spans[window.start - 1] if window.start else None
    if before is None or before.kind != "quantifier" or is_in(before, known):
        return None
    if any(is_token(token, "limiting") for token in before.tokens):
        # "Only A" says of A what is said, and more.
        return None
    role = before.role
    return doubt(window, before.text) if role is not None and role.sense not in _WHOLE else None


def _difference_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a figure by which something is more: "300 more than allowed"."""
    behind = window.spans[window.stop + 1 : window.stop + 3]
    if window.spans[window.stop].quantity is None or not behind:
        return None
    compares = any(is_token(token, "comparing") for one in behind for token in one.tokens)
    known = known_words(asked)
    graded = behind[0].kind in _DEGREE
    return (
        doubt(window, behind[0].text)
        if graded and compares and not is_in(behind[0], known)
        else None
    )


def _whole_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a whole of which the quote tells a part: "40 of the 90 seats are taken"."""
    if window.start != window.stop or window.spans[window.start].quantity is None:
        return None
    before = [one for one in window.spans[: window.start] if not is_article(one)][-2:]
    if len(before) < 2 or before[0].quantity is None or not _is_of(before[1]):
        return None
    behind = window.spans[window.stop + 2 :]
    known = known_words(asked)
    told = any(is_in(one, known) for one in behind if one.kind not in ("sign", "being"))
    return doubt(window, before[0].text) if told else None


def _rate_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a figure that leaves out what it is counted for: "5 mg per kilogram"."""
    if window.spans[window.stop].quantity is None:
        return None
    known = known_words(asked) | known_words(said)
    behind = window.spans[window.stop + 1 : window.stop + 3]
    if not behind:
        return None
    article = is_article(behind[0]) and behind[0].tokens[0].key in ("a", "an")
    rates = article or any(is_token(token, "rating") for token in behind[0].tokens)
    per = behind[1] if rates and len(behind) == _PAIR else behind[0]
    periodic = per.role is not None and (
        (per.role.role, per.role.sense) == ("time", "recurrence")
        or (article and per.kind == "time")
    )
    if not periodic and not (rates and not article):
        return None
    nouns = {t.lemma for t in per.tokens if t.tag != "function"}
    return None if nouns & known else doubt(window, per.text)
