"""Whether an answer is of the one of two things that its question names.

"Sodium and chlorine have the numbers 11 and 17 respectively", "red cells carry oxygen and white
ones fight germs": which of both an answer belongs to, the order of a sentence tells. What these
rules find puts a card in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.language import Reading, Span
from groundwire.learning.cards.arguments import (
    COMMAS,
    Window,
    doubt,
    is_article,
    is_content,
    is_in,
    items_of,
    joins,
    known_words,
)
from groundwire.learning.cards.matching import is_name, is_token, keys, unit_of
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.types import Gap

_ORDINAL = re.compile(r"第[一二三四五六七八九十百\d]{1,4}")
_JOINTS = 2
# The most words before a noun that are looked at as describing it, with their hyphens.
_MODIFIERS = 4
_OF = frozenset(("of", "von"))


def pairing_gap(asked: Reading, window: Window, held: Reading) -> Gap | None:
    """Return the gap of an answer that belongs to another thing than its question names, or None.

    Args:
        asked: the question.
        window: where the answer stands in its sentence.
        held: the quote.
    """
    return (
        _modifier_gap(asked, window, held)
        or _genitive_gap(asked, window)
        or _respective_gap(asked, window)
        or _other_one_gap(asked, window)
        or _ordinal_gap(asked, window)
        or _gapped_gap(asked, window)
        or _likened_gap(asked, window)
        or _count_gap(asked, window)
    )


def _modifier_gap(asked: Reading, window: Window, held: Reading) -> Gap | None:
    """The gap of "red cells" where the answer's sentence has white ones, and another the red."""
    spans = window.spans
    here = {key for one in spans for key in keys(one)}
    known = known_words(asked)
    told = {key for one in held.spans for key in keys(one)} - here
    for n, one in enumerate(asked.spans):
        if not _is_noun(one) or not any(
            told.intersection(keys(m)) for m in _before(asked.spans, n)
        ):
            continue
        words = frozenset(keys(one))
        rivals = [list(_before(spans, at)) for at, s in enumerate(spans) if is_in(s, words)]
        others = [m for some in rivals for m in some if not is_in(m, known)]
        if others and all(any(not is_in(m, known) for m in some) for some in rivals):
            return doubt(window, f"{others[0].text} {one.text}")
    return None


def _before(spans: Sequence[Span], at: int) -> Iterator[Span]:
    """Yield the words that describe the noun at a place: those right before it."""
    for one in reversed(spans[max(0, at - _MODIFIERS) : at]):
        if one.text == "-":
            continue
        if one.kind == "sign" or asks(one) or _is_bare(one) or one.quantity is not None:
            break
        graded = one.kind in ("opinion", "comparison")
        if not graded and any(token.tag == "verb" for token in one.tokens):
            break
        yield one


def _is_bare(span: Span) -> bool:
    return all(token.tag in ("function", "sign") for token in span.tokens) or is_article(span)


def _genitive_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "nach dem Tod Ottos" where the quote has "nach dem Tod Karls"."""
    spans = window.spans
    for thing, owner in pairwise(asked.spans):
        if not _is_noun(thing) or not _is_genitive(owner):
            continue
        words = frozenset(keys(thing))
        others = [two for one, two in pairwise(spans) if is_in(one, words) and _is_genitive(two)]
        if others and all(one.text != owner.text for one in others):
            return doubt(window, others[0].text)
    return None


def _is_genitive(span: Span) -> bool:
    token = span.tokens[0]
    return token.language == "de" and _is_noun(span) and token.text.endswith("s")


def _respective_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of the second of two figures that is told of the first of two things."""
    spans = window.spans
    if not any(is_token(token, "respective") for one in spans for token in one.tokens):
        return None
    joints = [n for n, one in enumerate(spans) if joins(one)]
    if len(joints) != _JOINTS or joints[1] - joints[0] < _JOINTS:
        return None
    known = known_words(asked)
    sides = [
        (
            next((n for n in range(at - 1, -1, -1) if _tells(spans[n])), at),
            next((n for n in range(at + 1, len(spans)) if _tells(spans[n])), at),
        )
        for at in joints
    ]
    named = [n for n, at in enumerate(sides[0]) if is_in(spans[at], known)]
    given = [n for n, at in enumerate(sides[1]) if at in window.own]
    if len(named) == len(given) == 1 and named != given:
        return doubt(window, spans[sides[1][named[0]]].text)
    return None


def _tells(span: Span) -> bool:
    return is_content(span) or span.quantity is not None or span.period is not None


def _other_one_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "white ones" where red cells are asked for, and the other way round."""
    spans = window.spans
    at = next((n for n in range(1, len(spans)) if _stands_for(spans[n - 1], spans[n])), None)
    if at is None:
        return None
    begin = next((n for n in range(at, 0, -1) if _parts(spans[n])), 0)
    own = frozenset(keys(spans[at - 1]))
    here = {key for one in spans[begin:] for key in keys(one)}
    before = {key for one in spans[:begin] for key in keys(one)} - here
    is_other = bool(own & known_words(asked))
    described = any(
        before.intersection(keys(one)) and any(t.tag in ("adjective", "number") for t in one.tokens)
        for one in asked.spans
    )
    is_behind = window.start >= begin
    if begin and is_other != is_behind and (is_other or described):
        return doubt(window, f"{spans[at - 1].text} {spans[at].text}")
    return None


def _stands_for(before: Span, span: Span) -> bool:
    described = any(token.tag in ("adjective", "number") for token in before.tokens)
    return described and span.tokens[0].key in ("one", "ones")


def _parts(span: Span) -> bool:
    return span.text in COMMAS or joins(span)


def _ordinal_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a Chinese answer behind 第二 where 第一 is asked for."""
    wanted = _ORDINAL.findall(asked.text)
    text = "".join(one.text for one in window.spans)
    stop = len("".join(one.text for one in window.spans[: window.start]))
    told = _ORDINAL.findall(text[:stop])
    others = told and len(wanted) == 1 and wanted[0] in text and told[-1] not in wanted
    return doubt(window, told[-1]) if others else None


def _gapped_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "who studied medicine" that is answered with the one who studied law.

    "Anna studied law and her brother medicine", "it gave the islands to Spain and the mainland to
    Portugal": behind the conjunction stand two things, and the verb is left out.
    """
    spans = window.spans
    known = known_words(asked)
    graded = [one for one in asked.spans if one.kind == "comparison"]
    told = [set(keys(one)) for one in (*items_of(asked), *graded)]
    for at in (n for n, one in enumerate(spans) if n and _parts(one)):
        stop = next((n for n in range(at + 1, len(spans)) if spans[n].text in COMMAS), len(spans))
        rest, begun = spans[at + 1 : stop], spans[:at]
        alike = joins(spans[at]) and _is_parallel(begun, rest)
        if not (alike or _is_gapped(rest)) or not any(is_in(one, known) for one in begun):
            continue
        behind = {key for one in rest for key in keys(one)}
        before = {key for one in begun for key in keys(one)}
        # Of a sentence with one subject, what stands behind its verb is told of the first pair.
        verb = max((n for n, one in enumerate(begun) if _acts(one)), default=at)
        first = {key for one in begun[verb + 1 :] for key in keys(one)} if alike else set[str]()
        inside = [at < n < stop for n in window.own]
        if not any(inside) and any(words & behind and not words & before for words in told):
            return doubt(window, " ".join(one.text for one in rest))
        if all(inside) and any(words & first and not words & behind for words in told):
            return doubt(window, " ".join(one.text for one in begun[verb + 1 :]))
    return None


def _is_parallel(begun: Sequence[Span], rest: Sequence[Span]) -> bool:
    """Whether words without a verb have the form of those before them: "A to B and C to D"."""
    if any(map(_acts, rest)) or not rest or not begun:
        return False
    leads = {one.text for one in begun if is_preposition(one)} - _OF
    led = [n for n, one in enumerate(rest) if is_preposition(one)]
    stop = led[0] if led else len(rest) - 1
    if sum(map(_is_noun, rest[:stop])) != 1:
        return False
    if led:
        return len(led) == 1 and rest[led[0]].text in leads
    said = [one for one in rest if one.kind != "sign"]
    return all(map(_grades, (begun[-1], said[-1]))) and not any(map(_grades, said[:-1]))


def _acts(span: Span) -> bool:
    return any(token.tag == "verb" for token in span.tokens) and not _grades(span)


def _grades(span: Span) -> bool:
    return span.kind == "comparison" or any(token.tag == "adjective" for token in span.tokens)


def _is_gapped(rest: Sequence[Span]) -> bool:
    """Whether some words are one thing and then another: "Sucre the highest court"."""
    if any(is_preposition(one) or any(t.tag == "verb" for t in one.tokens) for one in rest):
        return False
    nouns = [n for n, one in enumerate(rest) if _is_noun(one)]
    if len(nouns) != _JOINTS or not all(map(_leads, rest[: nouns[0]])):
        return False
    between = rest[nouns[0] + 1 : nouns[1]]
    if any(map(is_article, between)):
        return nouns[0] > 0 or is_name(rest[0], 1)
    owned = any(t.key in ("her", "his", "its", "their") for one in rest[:1] for t in one.tokens)
    german = rest[0].tokens[0].language == "de"
    return not between and (owned or german) and not is_name(rest[nouns[1]], 1)


def _leads(span: Span) -> bool:
    return span.role is not None and span.role.sense in ("determiner", "pronoun")


def _is_noun(span: Span) -> bool:
    return any(token.tag in ("noun", "name") for token in span.tokens)


def _likened_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of what is only likened to another: "like the otter, the beaver builds dams"."""
    spans = window.spans
    known = known_words(asked)
    if any(is_token(token, "likening") for token in asked.tokens):
        return None
    for at, span in enumerate(spans):
        alone = at == 0 or spans[at - 1].text in COMMAS or span.tokens[0].language == "en"
        if not alone or not any(is_token(token, "likening") for token in span.tokens):
            continue
        rest = [n for n in range(at + 1, len(spans)) if not is_article(spans[n])]
        if not rest or not _is_noun(spans[rest[0]]) or not is_in(spans[rest[0]], known):
            continue
        words = frozenset(keys(spans[rest[0]]))
        alike = sum(is_in(one, words) for one in spans) == 1
        if alike and not window.start <= rest[0] <= window.stop and window.start > at:
            return doubt(window, span.text)
    return None


def _count_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "how many witnesses" that is answered with the 3 of "3 days"."""
    at = next((n for n, one in enumerate(asked.spans) if _asks_count(one)), None)
    own = [window.spans[n] for n in window.own]
    if at is None or len(own) != 1 or own[0].quantity is None:
        return None
    units = {token.lemma for token in own[0].tokens if unit_of(token)}
    known = known_words(asked)
    missing = bool(units) and not any(unit in known for unit in units)
    counted = [token for one in asked.spans[at + 1 : at + 2] for token in one.tokens]
    told = any(token.tag == "noun" and not unit_of(token) for token in counted)
    return doubt(window, own[0].text) if missing and told else None


def _asks_count(span: Span) -> bool:
    """Whether a span asks how many there are; "how much" asks for a measure."""
    return asks(span) and any(token.key in ("many", "viele") for token in span.tokens)
