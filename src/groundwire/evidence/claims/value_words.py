"""The words of sentences about recorded values, each known in full: things, measures, figures."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.frames import frames
from groundwire.evidence.claims.known_words import SILENT, listed_word
from groundwire.evidence.claims.value_tables import ValueTables
from groundwire.evidence.claims.words import fold_word, words_of
from groundwire.language import Token as Part
from groundwire.quantities import Quantity

_LISTS = "value_sentences"
_BOUNDS = frozenset(("bound", "approximation"))
_MOST_COUNTED = 30
_TIMES = "×"
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
        keys: keys of the thing, property or period; folded words of a property or a kind.
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
                found.append(Token(kind, place=int(listed.number)))
        else:
            part = parts.get(at)
            token = _of_records(part, tables) if part is not None else None
            if token is None or part is None:
                return []
            found.append(token)
            at = part.end
    if len(found) > told and apart:
        found[-1] = replace(found[-1], apart=True)
    return found


def _named(context: PassageContext, tables: ValueTables) -> dict[int, tuple[Token, int]]:
    """Return the names, times and figures of a passage, by where they begin, with their ends."""
    found: dict[int, tuple[Token, int]] = {}
    for anchor in context.names:
        kind = "thing" if anchor.keys & tables.things else "name"
        keys: frozenset[Hashable] = frozenset(anchor.keys)
        if anchor.keys <= context.contexts.known.answer_names:  # "countries" are counted, not told
            said = context.contexts.reading.text[anchor.start : anchor.end]
            kind, keys = "kind", frozenset(words_of(said))
        found[anchor.start] = Token(kind, keys), anchor.end
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


def _bounds(context: PassageContext) -> dict[int, int]:
    """Return where words stand that a figure right behind them has taken as its bound."""
    bound = {q.span[0] for q in context.quantities if q.bound is not None}
    words = context.words
    return {
        word.start: word.end
        for word, behind in itertools.pairwise(words)
        if behind.start in bound and word.role is not None and word.role.role in _BOUNDS
    }


def _of_records(word: Part, tables: ValueTables) -> Token | None:
    """Return what a word means among kinds of things and properties; None where nothing.

    The "largest shop" is a shop, even where "shop sales" are recorded.
    """
    forms = frozenset((*words_of(word.text), fold_word(word.lemma)))
    for kind, known in (("kind", tables.kinds), ("word", tables.words)):
        if forms & known:
            return Token(kind, forms & known)
    return None
