"""Which spans of a text prove a span of a card: the same word, figure, time or negation."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import permutations

from groundwire.errors import InputError
from groundwire.language import LANGUAGES, Entry, Language, Reading, Span, Token, annotate
from groundwire.quantities import (
    ClockTime,
    DateMention,
    PeriodExpression,
    Quantity,
    convert,
    resolve_unit,
)
from groundwire.vocabulary.fold import fold_word

_STEM = 5
_NUMERALS = frozenset("〇零一二两三四五六七八九十百千万亿")
# Endings that make opposites of one stem.
_OPPOSED = (("or", "ee"), ("er", "ee"), ("ful", "less"), ("ate", "ite"), ("ous", "ic"))
_TIMES = "×"
# The shortest stem of a word that is told from others by it.
_LEAST_STEM = 3
_NONE = Entry("quantifier", "none")
_NARROWS = Entry("negation", "without")

MARKS = frozenset("\"'“”„«».,;:!?()[]，。；：！？（）「」`")


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files("groundwire.learning.cards") / "words.toml").read_text("utf-8"))


@cache
def _listed(table: str, language: str = "") -> frozenset[str]:
    """The words of a table in a language; of all where the language is not known."""
    lists = _tables()[table]
    if language in LANGUAGES:
        return frozenset(lists.get(language, ()))
    return frozenset(word for words in lists.values() for word in words)


# A text too short to show its language is read behind one sentence of that of its passage.
_CARRIERS: dict[Language, str] = {"de": "Das ist so und wird es nicht. "}


@lru_cache(maxsize=512)
def read(text: str, language: Language = "") -> Reading:
    """Return the reading of a text; it is kept for the next cards of the same passage.

    Args:
        text: a side of a card, a quote or a passage.
        language: that of the passage, in which a text is read that does not show its own.
    """
    carrier = _CARRIERS.get(language, "")
    whole = annotate(carrier + text)
    return _with_particles(_behind(whole, text, len(carrier)) if carrier else whole)


def _with_particles(reading: Reading) -> Reading:
    """A reading in which "statt" at the end of a clause belongs to its verb and denies nothing."""
    spans = list(reading.spans)
    for n, span in enumerate(spans):
        ends = n + 1 == len(spans) or spans[n + 1].kind == "sign"
        if n and ends and denies(span) and span.tokens[0].key in _listed("taking_place"):
            spans[n] = span._replace(kind="leftover", role=None)
    return replace(reading, spans=tuple(spans)) if tuple(spans) != reading.spans else reading


def _behind(whole: Reading, text: str, start: int) -> Reading:
    """The reading of the text that stands behind a carrier, as if it stood alone."""

    def moved(token: Token) -> Token:
        return token._replace(start=token.start - start, end=token.end - start)

    spans = tuple(
        span._replace(
            start=span.start - start,
            end=span.end - start,
            tokens=tuple(map(moved, span.tokens)),
        )
        for span in whole.spans
        if span.start >= start
    )
    sentences = (
        # A sentence begins with the spaces before it.
        replace(
            one,
            start=max(0, one.start - start),
            end=one.end - start,
            body=max(0, one.body - start),
        )
        for one in whole.sentences
        if one.end > start
    )
    return Reading(
        text,
        tuple(moved(token) for token in whole.tokens if token.start >= start),
        tuple(sentences),
        spans,
        tuple((a - start, b - start) for a, b in whole.quotations if a >= start),
        [span.start for span in spans],
    )


@lru_cache(maxsize=256)
def language_of(passage: str) -> Language:
    """Return the language that most words of a passage are read in."""
    languages = [token.language for token in read(passage).tokens]
    return max(LANGUAGES, key=languages.count) if languages else ""


def words_at(held: Reading) -> dict[str, list[Span]]:
    """Return the spans of a reading by the words in them, as written and by what they mean."""
    shown = {sentence.language for sentence in held.sentences}
    return _words_at(held.text, "de" if "de" in shown else "")


@lru_cache(maxsize=256)
def _words_at(text: str, language: Language) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for span in read(text, language).spans:
        for token in span.tokens:
            if token.tag != "sign":
                for key in {f"={token.key}", *(f"~{key}" for key in meanings(token))}:
                    found.setdefault(key, []).append(span)
    return found


def keys(span: Span) -> Iterator[str]:
    """Yield the folded words of a span, their lemmas and what else stands for their meaning."""
    for token in span.tokens:
        if token.tag != "sign":
            yield token.key
            yield from meanings(token)


@lru_cache(maxsize=4096)
def meanings(token: Token) -> tuple[str, ...]:
    """Return by what a word is known in other forms: its lemma, its stem, its synonyms."""
    found = [token.lemma]
    if token.tag in ("name", "number", "function"):
        return tuple(found)
    if token.language == "en":
        found += _stems(token.key)
    return (*found, *(f"≈{n}" for n in _synonyms().get((token.language, token.lemma), ())))


def _stems(word: str) -> Iterator[str]:
    """The stem that an English verb has in common with its participles and its noun in -ing."""
    for ending in ("ing", "ed", "es", "s", "e"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            doubled = ending in ("ing", "ed") and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            yield f"{stem[:-1] if doubled else stem}-"
            return
    if len(word) >= _LEAST_STEM:
        yield f"{word}-"


@cache
def _synonyms() -> dict[tuple[str, str], list[int]]:
    text = (files("groundwire.learning.cards") / "synonyms.toml").read_text("utf-8")
    found: dict[tuple[str, str], list[int]] = {}
    number = 0
    for language, groups in tomllib.loads(text).items():
        for words in groups:
            number += 1
            for word in words:
                found.setdefault((language, word), []).append(number)
    return found


def denies(span: Span) -> bool:
    """Return whether a span denies: a negation, or a quantifier of nothing."""
    role = span.role
    if role is None or (role.role != "negation" and role != _NONE):
        return False
    return not is_word(span, "examples")


def is_none(span: Span) -> bool:
    """Return whether a span is a quantifier of nothing, as "none"."""
    return span.role == _NONE


def narrows(span: Span) -> bool:
    """Return whether a span names what is left out of a set, as "apart from" does."""
    return span.role == _NARROWS


def is_word(span: Span, table: str) -> bool:
    """Return whether a span is a word of a table of `words.toml`."""
    return fold_word(span.text) in _listed(table)


def is_token(token: Token, table: str) -> bool:
    """Return whether a word, or its dictionary form, is of a table of `words.toml`."""
    return bool({token.key, token.lemma} & _listed(table, token.language))


def acts(span: Span) -> bool:
    """Return whether a verb that only joins a thing with its figure elsewhere says what is done.

    "Produces" and "requires" do on a card, "takes" and "gets" hardly.
    """
    role = span.role
    if role is None or role.sense not in ("light", "act"):
        return False
    return not any(is_token(token, "light") or token.tag == "function" for token in span.tokens)


def is_name(span: Span, place: int) -> bool:
    """Return whether a span is a proper name, by its spelling or its part of speech."""
    tokens = [token for token in span.tokens if token.tag != "sign"]
    if not tokens or span.kind != "leftover" or is_word(span, "asking"):
        return False
    if tokens[0].language == "de":
        return tokens[0].tag == "name"
    if tokens[0].language == "zh":
        # Every noun of an unknown word is tagged as a name there.
        return False
    written = any(char.isupper() or char.isdigit() for char in span.text)
    return written and (place > 0 or any(char.isupper() for char in span.text[1:]))


def places_of(span: Span, held: Reading) -> list[Span]:
    """Return the spans of a quote that prove a span of a back."""
    if span.quantity is not None:
        return [s for s in held.spans if s.quantity and _same_quantity(span.quantity, s.quantity)]
    if span.period is not None:
        return [s for s in held.spans if _same_time(span, s)]
    if denies(span):
        return [s for s in held.spans if denies(s)]
    if span.kind == "bound":
        # It was compared with its figure.
        same = (s for s in held.spans if s.role is not None and s.role == span.role)
        return list(same)
    return word_places(span, held)


def literal_places(span: Span, held: Reading) -> list[Span]:
    """Return where a figure stands letter by letter, though the quote is read otherwise.

    A figure that is read as the same number there was compared already, with its bound and unit.
    """
    figure = span.quantity
    if figure is None and span.period is None and not any(map(str.isdigit, span.text)):
        return []
    for start, stop in standing(span.text, held.text):
        within = held.within(start, stop)
        whole = bool(within) and within[0].start == start and within[-1].end <= stop
        same = any(s.quantity and figure and s.quantity.value == figure.value for s in within)
        if whole and not same:
            return list(within)
    return []


def counted_places(back: str, held: Reading) -> list[Span]:
    """Return where a Chinese count stands letter by letter, though it is cut otherwise."""
    text = back.strip()
    if len(text) < 2 or not all(map(_is_unspaced, text)) or text[0] not in _NUMERALS:
        return []
    start = held.text.find(text)
    if start < 0 or held.text.find(text, start + 1) >= 0:
        return []
    around = held.text[max(0, start - 1) : start] + held.text[start + len(text) :][:1]
    if any(char in _NUMERALS or char.isdigit() for char in around):
        return []
    within = [s for s in held.spans if s.start < start + len(text) and s.end > start]
    return [] if any(s.quantity or s.period for s in within) else within


def is_counted(span: Span) -> bool:
    """Return whether a word asks how many there are of what it names: 几本书."""
    return span.text[:1] in _listed("counting") and len(span.text) > 1


def standing(part: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where a part stands in a text as words of its own: 2 km does not stand in 12 km."""
    start = text.find(part)
    while start >= 0:
        stop = start + len(part)
        around = text[max(0, start - 1) : start] + text[stop : stop + 1]
        if not any(char.isalnum() and char.isascii() for char in around):
            yield start, stop
        start = text.find(part, stop)


def word_places(span: Span, held: Reading) -> list[Span]:
    """Return where the words of a span stand in a text; nothing where one of them does not."""
    wanted = [token for token in span.tokens if token.tag != "sign"]
    if not wanted:
        return [s for s in held.spans if s.text == span.text]
    words = words_at(held)
    places: list[Span] = []
    for token in wanted:
        same = words.get(f"={token.key}", [])
        if not same and len(token.lemma) > 1:
            known = [key for key in meanings(token) if f"~{key}" in words]
            same = words[f"~{known[0]}"] if known else []
        if not same:
            return _parts_of(span, held)
        places += same
    return places


def _parts_of(span: Span, held: Reading) -> list[Span]:
    """The spans that a text without spaces stands across, since it may be cut otherwise there."""
    text = fold_word(span.text)
    if text.isascii() or any(char.isdigit() for char in text):
        return []
    if not all(_is_unspaced(char) for char in text):
        return []
    whole = fold_word(held.text)
    start = whole.find(text)
    if len(text) == 1 and not _stands_alone(text, whole):
        # One character is part of many words, so that function words or marks stand around it.
        return []
    if start < 0:
        return []
    found = held.within(start, start + len(text))
    return list(found) or [one for one in (held.at(start),) if one is not None]


def _stands_alone(char: str, text: str) -> bool:
    edges = _listed("edging")
    return any(
        one == char
        and (n == 0 or text[n - 1] in edges or not text[n - 1].isalnum())
        and (n + 1 == len(text) or text[n + 1] in edges or not text[n + 1].isalnum())
        for n, one in enumerate(text)
    )


def _is_unspaced(char: str) -> bool:
    """Whether a letter is of a script that is written without spaces, or an accent of one."""
    return char > "\u2e80" or "\u0e00" <= char <= "\u0eff"


def _same_quantity(said: Quantity, held: Quantity) -> bool:
    if said.value != held.value:
        return _converts(said, held) and _bounds_agree(said, held)
    # German writes "seven times" as one word: "siebenmal".
    one_word = said.unit == _TIMES and held.raw.endswith("mal")
    if said.unit is not None and said.unit != held.unit and not one_word:
        return _converts(said, held) and _bounds_agree(said, held)
    return _bounds_agree(said, held)


def _bounds_agree(said: Quantity, held: Quantity) -> bool:
    if said.bound in (None, "about"):
        return held.bound in (None, "about", "nearly")
    return said.bound == held.bound


def _converts(said: Quantity, held: Quantity) -> bool:
    """Whether a figure is exactly another in another unit: 1.5 hours of 90 minutes, 25 %."""
    for share, part in ((said, held), (held, said)):
        if share.unit == "%" and part.unit is None and 0 < part.value < 1:
            return share.value == 100 * part.value
    if said.unit is None or held.unit is None:
        return False
    units = resolve_unit(said.unit), resolve_unit(held.unit)
    if units[0] is None or units[1] is None or units[0].dimension != units[1].dimension:
        return False
    try:
        return convert(said.value, units[0], units[1]) == held.value
    except InputError:
        return False


def _same_time(said: Span, held: Span) -> bool:
    if held.period is None:
        return held.quantity is not None and fold_word(held.text) == fold_word(said.text)
    one, other = said.period, held.period
    if isinstance(one, DateMention) and isinstance(other, DateMention):
        if (one.start, one.end) == (other.start, other.end):
            return True
        # A part of a recorded day: its year, or its month and year.
        return one.covers(other) and one.grain in ("year", "month")
    if isinstance(one, ClockTime) and isinstance(other, ClockTime):
        # "7:30 pm" is 19:30; what may be morning or evening is the same only where both may.
        return set(one.minutes) == set(other.minutes)
    if isinstance(one, PeriodExpression) and isinstance(other, PeriodExpression):
        # "Between 1900 and 1905", "from 1900 to 1905".
        return one.meaning == other.meaning
    wanted = [token.key for token in said.tokens if token.tag != "sign"]
    keys = {token.key for token in held.tokens}
    return bool(wanted) and all(key in keys for key in wanted)


def stands_in(span: Span, reading: Reading) -> bool:
    """Return whether a span that the quote lacks is one of the question's own words."""
    if denies(span) or span.quantity is not None or span.period is not None:
        return bool(places_of(span, reading)) and not denies(span)
    return bool(word_places(span, reading))


def is_opposed(one: str, other: str) -> bool:
    """Return whether two words have one stem and opposite endings: employer, employee."""
    for endings in _OPPOSED:
        stems = [(one.removesuffix(a), other.removesuffix(b)) for a, b in permutations(endings)]
        for (first, second), (a, b) in zip(stems, permutations(endings), strict=True):
            if first == second and first != one and second != other and a != b:
                return len(first) >= _LEAST_STEM
    return False


def stem_stands(span: Span, words: Iterable[str]) -> bool:
    """Return whether a word of the same beginning is among some: mitochondrial, mitochondria."""
    heads = {token.key[: max(_STEM, len(token.key) - 4)] for token in span.tokens}
    heads = tuple(head for head in heads if len(head) >= _STEM)
    return any(word.startswith(heads) for word in words) if heads else False


def unit_of(token: Token) -> str:
    """Return the symbol of the unit that a noun names, or ""."""
    if token.tag not in ("noun", "other", "name") or len(token.text) < 2:
        return ""
    unit = resolve_unit(token.text)
    return unit.symbol if unit is not None else ""
