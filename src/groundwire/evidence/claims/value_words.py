"""The words of sentences about recorded values, each known in full: things, measures, figures."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.frames import frames
from groundwire.evidence.claims.known_words import SILENT, listed_word
from groundwire.evidence.claims.value_tables import ValueTables
from groundwire.evidence.claims.words import fold_word, words_of
from groundwire.language.detection import HAN_CHARACTER
from groundwire.language.glossary import fields_of
from groundwire.language.ordinals import place_at
from groundwire.quantities import Quantity

_LISTS = "value_sentences"
_BOUNDS = frozenset(("bound", "approximation"))
_MOST_COUNTED = 30
_TIMES = "×"
BOTH = 2
"""The number of things that "both" means."""

_PEAKS = frozenset("高大多低小少")
_PAIR, _ORDINAL = "两", "第"
_LONGEST = 6
_APART = frozenset(",(–—，（、")
# Words that lead on to what else is said of the subject: "on a smaller area", "mit weniger Miete".
_LEADING = frozenset(("with", "on", "mit", "bei"))
_OWNING = re.compile(r"['’]s\b")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, name or figure of a sentence.

    Attributes:
        kind: a key of the word lists, or "thing", "name", "word", "kind", "period", "number",
            "times" or "figure".
        keys: keys of the thing, property or period; of a word, the properties that it calls; of a
            kind, the words for each that it may be.
        quantity: the figure.
        place: the number of an ordinal.
        apart: whether a sign or a word such as "with" stands before it, where a clause may begin.
    """

    kind: str
    keys: frozenset[Hashable] = frozenset()
    quantity: Quantity | None = None
    place: int = 0
    apart: bool = False


@cache
def acts() -> Mapping[str, frozenset[str]]:
    """Return the words of properties that each kind of verb tells a value of."""
    text = (files("groundwire.evidence.claims") / f"{_LISTS}.toml").read_text("utf-8")
    return {kind: frozenset(words) for kind, words in tomllib.loads(text)["acts"].items()}


def tokens_of(context: PassageContext, tables: ValueTables) -> list[Token]:
    """Return the tokens of a passage; none where one of its words is not known."""
    text, end = context.contexts.reading.small, context.passage.end
    names, silent_until = _named(context, tables), _bounds(context)
    silent_until |= dict(frames(context.contexts.reading, context.words))
    parts = {token.start: token for word in context.words for token in word.tokens}
    found: list[Token] = []
    at, told, apart = context.passage.start, 0, False
    while at < end:
        if len(found) > told and apart:
            found[-1] = replace(found[-1], apart=True)
        apart = apart and len(found) == told
        told = len(found)
        if (silent := _OWNING.match(text, at, end) or SILENT.match(text, at, end)) is not None:
            at = silent.end()
            apart = apart or not _APART.isdisjoint(silent[0])
        elif at in names:
            token, at = names[at]
            found.append(token)
        elif at in silent_until:
            at = silent_until[at]
        elif (listed := listed_word(text, at, end, _LISTS)) is not None:
            apart = apart or text[at : listed.end] in _LEADING
            at = listed.end
            if listed.kind != "glue":
                kind = "but" if listed.kind == "stop" else listed.kind
                found.append(
                    Token(kind, place=-1 if text[at - 1] in _PEAKS else int(listed.number))
                )
        else:
            part = parts.get(at)
            own = None
            if part is not None:
                own = _of_records(part.text, part.lemma, tables, acts=part.tag == "verb")
            read = (own, part.end) if own and part else _in_chinese(text, at, end, tables)
            if read is None:
                return []
            found.append(read[0])
            at = read[1]
    if len(found) > told and apart:
        found[-1] = replace(found[-1], apart=True)
    return [] if any(map(_is_peak, found, found[1:])) else found


def _is_peak(one: Token, behind: Token) -> bool:
    """Whether X的最高评分 is told, the highest of its own, and not 评分最高."""
    named = behind.kind in ("name", "word") and not behind.apart
    return named and one.kind in ("most", "least") and one.place < 0


def _named(context: PassageContext, tables: ValueTables) -> dict[int, tuple[Token, int]]:
    """Return the names, times and figures of a passage, by where they begin, with their ends."""
    found: dict[int, tuple[Token, int]] = {}
    for anchor in context.names:
        said = context.contexts.reading.text[anchor.start : anchor.end]
        found[anchor.start] = _of_name(anchor.keys, said, tables), anchor.end
    for anchor in context.entities:
        found[anchor.start] = Token("thing", frozenset(anchor.keys & tables.things)), anchor.end
    for quantity in context.quantities:
        start, end = quantity.span
        whole = quantity.value == quantity.value.to_integral_value()
        bare = quantity.unit is None and quantity.scale == 1 and quantity.bound is None
        if quantity.words and quantity.value == 1 and bare:
            continue
        counts = bare and whole and 1 <= quantity.value <= _MOST_COUNTED
        kind = "times" if quantity.unit == _TIMES else "number" if counts else "figure"
        found[start] = Token(kind, quantity=quantity), end
    for anchor in context.periods:
        found[anchor.start] = Token("period", frozenset(anchor.keys)), anchor.end
    return found


def _of_name(keys: frozenset[str], said: str, tables: ValueTables) -> Token:
    """Return what the name of a thing, of a property or of what is counted stands for."""
    if keys & tables.things:
        return Token("thing", frozenset(keys))
    own = None
    if not any(one.names & keys for one in tables.measures):
        own = _of_records(said, said, tables)  # "countries" are counted, not told
    return own or Token("name", frozenset(keys))


def _bounds(context: PassageContext) -> dict[int, int]:
    """Return where words stand that a figure beside them has taken as its bound."""
    bound = [q.span for q in context.quantities if q.bound is not None]
    starts, ends = {start for start, _ in bound}, {end for _, end in bound}
    words = context.words
    behind = {one.end: two.start for one, two in itertools.pairwise(words)}
    return {
        word.start: word.end
        for word in words
        if word.role is not None
        and word.role.role in _BOUNDS
        and (behind.get(word.end) in starts or word.start in ends)
    }


def _of_records(form: str, lemma: str, tables: ValueTables, *, acts: bool = False) -> Token | None:
    """Return what a word means among kinds of things and properties; None where nothing.

    The "largest shop" is a shop, even where "shop sales" are recorded. A verb tells no rate: who
    "returned the most" has not the greatest return rate.
    """
    meant = [one for text in (form, lemma) for one in _meanings(text)]
    kinds = frozenset(one for one in meant if one <= tables.kinds)
    if kinds:
        return Token("kind", kinds)
    called = (m for m, words in tables.measures.items() if any(one <= words for one in meant))
    measures = frozenset(one for one in called if not (acts and one.is_rate))
    return Token("word", measures) if measures else None


def _meanings(text: str) -> Iterator[frozenset[str]]:
    """Yield the words that a word consists of, and those that it is called by in English."""
    own = frozenset(words_of(text))
    if own and (len(text) > 1 or not HAN_CHARACTER.match(text)):
        yield own
    yield from fields_of(fold_word(text))


def _in_chinese(text: str, at: int, end: int, tables: ValueTables) -> tuple[Token, int] | None:
    """Return the number or word that begins at a Chinese sign, with its end; None for no such.

    Chinese has no spaces: 三国 is a number and a kind of things. The longest word counts.
    """
    for last in range(min(end, at + _LONGEST), at, -1):
        word = text[at:last]
        if all(map(HAN_CHARACTER.match, word)):
            token = _of_records(word, word, tables)
            if token is not None:
                return token, last
    number = BOTH if text[at] == _PAIR else place_at(f"{_ORDINAL}{text[at]}")
    if number < BOTH:
        return None
    one = Decimal(1)
    span = (at, at + 1)
    count = Quantity(Decimal(number), None, "", "", span, text[at], 0, 1, one, words=True)
    return Token("number", quantity=count), at + 1
