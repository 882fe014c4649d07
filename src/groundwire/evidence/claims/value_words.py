"""The words of sentences about recorded values, each known in full: things, measures, figures."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Protocol

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import STEADY
from groundwire.evidence.claims.fact_index import ASSETS
from groundwire.evidence.claims.frames import frames
from groundwire.evidence.claims.known_words import SILENT, listed_word
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.qualities import quality_of_text
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.table_heads import names_kind
from groundwire.evidence.claims.value_predicates import BOTH
from groundwire.evidence.claims.value_tables import Measure
from groundwire.evidence.claims.words import fold_word, key_of, words_of
from groundwire.language import Span as Word
from groundwire.language import Token as LanguageToken
from groundwire.language.detection import HAN_CHARACTER
from groundwire.language.glossary import fields_of
from groundwire.language.ordinals import place_at
from groundwire.quantities import Quantity, parse_number

_LISTS = "value_sentences"
_BOUNDS = frozenset(("bound", "approximation"))
_MOST_COUNTED = 30
_TIMES = "×"

# Kinds of words that may name what they compare by, and comparatives by the end of their order.
_QUALITIES = frozenset(("superlative", "comparison", "bound"))
_BY_WAY = {"most": "more", "least": "less"}
_RANKED = re.compile(
    r"(?:zweit|dritt|viert|fünft)(?=[a-zäöüß]{5})|(?:second|third|fourth|fifth)[ -](?=[a-z]{4})"
    r"|第[二三四五](?=[长短宽窄高低重轻快慢])",
    re.IGNORECASE,
)
_PEAKS = frozenset("高大多低小少")
_BY_SIZE = frozenset(("more", "less", "most", "least"))
_JOINS = frozenset(("but", "and"))
_OF_PEOPLE = frozenset(("population", "people"))
_PAIR, _ORDINAL = "两", "第"
_LONGEST = 8
_LONGEST_NOUN = 24
_SHORTEST_NAME = 4
# The end of a Chinese verb, which joins it to its figure: 多了346万.
_DONE = "了"
_APART = frozenset(",(–—，（、:：")
_SPANS = frozenset(("year", "month", "quarter"))
# Words that lead on to what else is said of the subject: "on a smaller area", "mit weniger Miete".
_LEADING = frozenset(("with", "on", "mit", "bei"))
# Kinds whose name tells several tokens: what is "rise_slight" rises slightly.
_WHOLE_KINDS = frozenset(("next_to",))
BETTER = frozenset[Hashable](("better",))
"""Keys of a token that tells the greater value to be the better one: "best", "improved"."""
_COUNTED = frozenset(("name", "word", "kind"))
_NAME_ENDS = re.compile(r"(?:['’]?s)?(?![a-zà-ɏ])")
_OWNING = re.compile(r"['’]s\b|\+(?=[0-9])")


class ValueNames(Protocol):
    """The names that tables of values hold.

    Attributes:
        things: keys of what the values are of.
        kinds: folded words for what the things are.
        measures: the properties, with the words by which each is called.
    """

    things: frozenset[str]
    kinds: frozenset[str]
    measures: Mapping[Measure, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, name or figure of a sentence.

    Attributes:
        kind: a key of the word lists, or "thing", "name", "word", "kind", "period", "number",
            "times", "fraction" or "figure".
        keys: keys of the thing, property or period; of a word, the properties that it calls; of a
            kind, the words for each that it may be.
        quantity: the figure.
        place: the number of an ordinal.
        apart: whether a sign or a word such as "with" stands before it, where a clause may begin.
        led: whether a word that says nothing stands before it, such as "was".
        signed: whether it is a sign that stands before it.
        of_gap: whether a figure stands right beside a comparison: "5 million people more".
        sized: whether it compares sizes: "larger".
    """

    kind: str
    keys: frozenset[Hashable] = frozenset()
    quantity: Quantity | None = None
    place: int = 0
    apart: bool = False
    led: bool = False
    signed: bool = False
    of_gap: bool = False
    sized: bool = False

    @property
    def is_close(self) -> bool:
        """Whether nothing stands between it and the token before."""
        return not (self.apart or self.led)


@cache
def acts() -> Mapping[str, frozenset[str]]:
    """Return the words of properties that each kind of verb tells a value of."""
    text = (files("groundwire.evidence.claims") / f"{_LISTS}.toml").read_text("utf-8")
    return {kind: frozenset(words) for kind, words in tomllib.loads(text)["acts"].items()}


def spans_of(names: Collection[str], context: PassageContext) -> Sequence[Span]:
    """Return where a passage has some names, as words of their own or with a genitive ending."""
    text, end = context.contexts.reading.small, context.passage.end
    found: list[Span] = []
    for name in names:
        at = text.find(name, context.passage.start, end)
        ends = _NAME_ENDS.match(text, at + len(name), end) if at >= 0 else None
        if ends is not None and (at == 0 or not name.isascii() or not text[at - 1].isalnum()):
            found.append((at, ends.end()))
    return found


def tokens_of(
    context: PassageContext, tables: ValueNames, scopes: Sequence[Span] = ()
) -> list[Token]:
    """Return the tokens of a passage; none where one of its words is not known.

    Args:
        context: the passage.
        tables: the names that may stand in it.
        scopes: where it says of what part of the world its things are.
    """
    text, end = context.contexts.reading.small, context.passage.end
    names, silent_until = _named(context, tables), _bounds(context)
    silent_until |= dict(scopes)
    silent_until |= dict(frames(context.contexts.reading, context.words))
    parts = {token.start: token for word in context.words for token in word.tokens}
    words = {word.start: word for word in context.words}
    narrowed = dict(scopes)
    qualities = {w.start: w for w in context.words if w.role and w.role.role in _QUALITIES}
    found: list[Token] = []
    at, told, apart, led, signed = context.passage.start, 0, False, False, False
    while at < end:
        if len(found) > told and (apart or led):
            found[-1] = replace(found[-1], apart=apart, led=led, signed=signed)
        apart = apart and len(found) == told
        led = led and len(found) == told
        signed = signed and len(found) == told
        told = len(found)
        silent = _OWNING.match(text, at, end) or SILENT.match(text, at, end)
        if silent is not None and at not in names:
            at = min((one for one in names if at < one < silent.end()), default=silent.end())
            signed = signed or not _APART.isdisjoint(silent[0])
            apart = apart or signed
        elif at in names and at not in narrowed:
            token, at = names[at]
            found.append(token)
        elif at in silent_until:
            at = silent_until[at]
        elif (measured := _measured(qualities.get(at), tables)) is not None:
            found += measured
            at = qualities[at].end
        elif (listed := listed_word(text, at, end, _LISTS)) is not None and not (
            HAN_CHARACTER.match(text[at])
            and (named := _in_chinese(text, at, end, tables)) is not None
            and named[1] > listed.end + 1  # 中国收入, not 中
        ):
            apart = apart or text[at : listed.end] in _LEADING
            at = listed.end
            led = led or (listed.kind == "glue" and not text.startswith(_DONE, listed.start))
            if listed.kind != "glue":
                found += _listed_tokens(listed.kind, text[listed.start : at])
        else:
            read = _other_word(parts.get(at), (text, at, end), tables)
            if (
                read is None
                and text[at].isascii()
                and at in words
                and names_kind(words[at], context.contexts.known)
            ):
                read = Token("kind"), words[at].end  # the Lyon map
            read = read or _short_name(context, at, words, tables)
            if read is None:
                return []
            found.append(read[0])
            at = read[1]
    if len(found) > told and (apart or led):
        found[-1] = replace(found[-1], apart=apart, led=led, signed=signed)
    unread = _tells_rate(context, tables) or any(map(_is_peak, found, found[1:]))
    return [] if unread else _with_gaps(_by_area(found, text[context.passage.start : end], tables))


def _by_area(tokens: list[Token], said: str, tables: ValueNames) -> list[Token]:
    """Return tokens, with the area by which the size of a country is told: "larger than Chile".

    Things with other measures than an area and a population may be larger by any of them.
    """
    own = frozenset(one for one in tables.measures if "area" in one.names)
    of_land = own and all(one in own or one.names & _OF_PEOPLE for one in tables.measures)
    is_sized = any(one.sized for one in tokens) or operator("sized").search(said) is not None
    if not of_land or not is_sized:
        return tokens
    sizes = [at for at, one in enumerate(tokens) if one.kind in _BY_SIZE]
    for told in [one for one in tokens if one.sized] or [tokens[at] for at in sizes[:1]]:
        at = next(i for i, one in enumerate(tokens) if one is told)
        end = next((i for i in range(at, len(tokens)) if tokens[i].kind in _JOINS), len(tokens))
        start = next((i for i in range(at, -1, -1) if tokens[i].kind in _JOINS), 0)
        # "Larger, but has fewer people" tells people of another comparison.
        if told.kind in _BY_SIZE and not any(
            one.kind in ("word", "name") for one in tokens[start:end]
        ):
            tokens = [*tokens[:at], Token("word", own), *tokens[at:]]
    return tokens


def _listed_tokens(kind: str, said: str) -> Iterator[Token]:
    """Yield the tokens of a word of a list: one, or several where its kind tells them."""
    kind = "but" if kind == "stop" else kind
    first, *others = [kind] if kind in _WHOLE_KINDS else kind.split("_")
    peak = said[-1] in _PEAKS  # 最高, and 第二大
    place = _place_in(said[:-1] if peak else said) if kind == "ordinal" else -peak
    better = BETTER if "better" in others else frozenset[Hashable]()
    yield Token(first, better, place=place, sized=operator("sized").fullmatch(said) is not None)
    yield from (Token(other) for other in others if other != "better")


def _place_in(said: str) -> int:
    """Return the place that words of order tell: "second", "Platz zwei", "follows in third"."""
    told = (place_at(one) or int(parse_number(one) or 0) for one in said.split())
    return place_at(said) or next(filter(None, told), 0)


def _with_gaps(tokens: list[Token]) -> list[Token]:
    """Return tokens, those comparisons marked that a figure stands right beside."""
    for at, token in enumerate(tokens):
        if token.kind in ("more", "less"):
            before = at
            while before and tokens[before].is_close and tokens[before - 1].kind in _COUNTED:
                before -= 1
            near = [tokens[before - 1]] if before and tokens[before].is_close else []
            near += [one for one in tokens[at + 1 : at + 2] if one.is_close]
            if any(one.kind == "figure" for one in near):
                tokens[at] = replace(token, of_gap=True)
    return tokens


def _short_name(
    context: PassageContext, at: int, words: Mapping[int, Word], tables: ValueNames
) -> tuple[Token, int] | None:
    """Return the one thing of tables whose name begins with a capitalized word, with its end."""
    word = words.get(at)
    if word is None or not context.contexts.reading.text[at].isupper() or word.role is not None:
        return None
    key = key_of(word.text)
    meant = [one for one in tables.things if one.startswith(key)]
    is_one = len(meant) == 1 and len(key) >= _SHORTEST_NAME
    return (Token("thing", frozenset(meant)), word.end) if is_one else None


def _tells_rate(context: PassageContext, tables: ValueNames) -> bool:
    """Whether a change is told of each of several times: "10 % a year", but not "in every quarter".

    The quarters of "eight quarters" are counted.
    """
    text, end = context.contexts.reading.small, context.passage.end
    for word in context.words:
        if word.role is None or (word.role.role, word.role.sense) not in STEADY:
            continue
        read = _in_chinese(text, word.start, end, tables)
        counted = read is not None and (read[0].kind, read[1]) == ("kind", word.end)
        listed = [listed_word(text, token.start, end, _LISTS) for token in word.tokens]
        if not counted and all(one is None or one.kind == "glue" for one in listed):
            return True
    return False


def _other_word(
    part: LanguageToken | None, rest: tuple[str, int, int], tables: ValueNames
) -> tuple[Token, int] | None:
    """Return what a word of no list means among recorded names, with its end; else None."""
    if part is not None:
        own = _of_records(part.text, part.lemma, tables, acts=part.tag == "verb")
        if own is not None:
            return own, part.end
    return _in_chinese(*rest, tables)


def _is_peak(one: Token, behind: Token) -> bool:
    """Whether X的最高评分 is told, the highest of its own, and not 评分最高."""
    named = behind.kind in ("name", "word") and not behind.apart
    return named and one.kind in ("most", "least") and one.place < 0


def _named(context: PassageContext, tables: ValueNames) -> dict[int, tuple[Token, int]]:
    """Return the names, times and figures of a passage, by where they begin, with their ends."""
    found: dict[int, tuple[Token, int]] = {}
    text, of = context.contexts.reading.text, tables.measures.items()
    counted = frozenset(word for one, words in of if one.unit == ASSETS for word in words)
    for anchor in context.names:
        said = context.contexts.reading.text[anchor.start : anchor.end]
        found[anchor.start] = _of_name(anchor.keys, said, tables), anchor.end
    for anchor in context.entities:
        found[anchor.start] = Token("thing", frozenset(anchor.keys & tables.things)), anchor.end
    for quantity in context.quantities:
        start, end = quantity.span
        whole = quantity.value == quantity.value.to_integral_value()
        bare = quantity.unit is None and quantity.scale == 1 and quantity.bound is None
        behind = words_of(" ".join(text[end : end + _LONGEST_NOUN].split()[:1]))
        counts_next = not counted.isdisjoint(behind)  # "one map each"
        if quantity.words and quantity.value == 1 and bare and not counts_next:
            continue
        said = context.contexts.reading.text[start:end]
        bare_words = quantity.words and quantity.unit is None
        counts = bare and whole and 1 <= quantity.value <= _MOST_COUNTED
        kind = "times" if quantity.unit == _TIMES else "number" if counts else "figure"
        if bare_words and 0 < quantity.value < 1:
            kind = "fraction"  # "two thirds"
        if quantity.unit in _SPANS and whole:
            kind, end = "number", start + len(said.split()[0])  # "der vier Jahre"
        found[start] = Token(kind, quantity=quantity), end
    for anchor in context.periods:
        found[anchor.start] = Token("period", frozenset(anchor.keys)), anchor.end
    return found


def _of_name(keys: frozenset[str], said: str, tables: ValueNames) -> Token:
    """Return what the name of a thing, of a property or of what is counted stands for."""
    if keys & tables.things:
        return Token("thing", frozenset(keys))
    own = None
    if not any(one.names & keys for one in tables.measures):
        own = _of_records(said, said, tables)  # "countries" are counted, not told
        kinds = frozenset(frozenset((str(key),)) for key in keys if key in tables.kinds)
        own = own or (Token("kind", kinds) if kinds else None)
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


def _measured(word: Word | None, tables: ValueNames) -> list[Token] | None:
    """Return a property and what is said of it, where one word tells both: umsatzstärkste.

    "Zweitgrößte" is the second of the largest. None for any other word, and where the property is
    none of the recorded ones.
    """
    if word is None or word.role is None:
        return None
    said, ranked = word.text.lower(), _RANKED.match(word.text)
    if ranked is not None:
        said = said[ranked.end() :]
        said = f"最{said}" if HAN_CHARACTER.match(said) else said
        listed = listed_word(said, 0, len(said), _LISTS)
        sized = operator("sized").fullmatch(said) is not None
        is_end = listed is not None and listed.kind in _BY_WAY
        ends = [Token(listed.kind, sized=sized)] if listed is not None and is_end else []
        ends = ends or _told_by(said, "superlative", tables) or []
        ordinal = Token("ordinal", place=place_at(ranked[0]))
        return [*ends[:-1], ordinal, *ends[-1:]] if ends else None
    return _told_by(said, word.role.role, tables)


def _told_by(said: str, role: str, tables: ValueNames) -> list[Token] | None:
    """Return the recorded property and the end of its order that an adjective names, or None."""
    said, is_of = (said[:-3], [Token("of")]) if said.endswith(" of") else (said, [])
    role = "superlative" if is_of else role  # "the shortest of the seven"
    quality = quality_of_text(said)
    if quality is None or not quality.is_measured:
        return None
    keys = frozenset(m for m, words in tables.measures.items() if quality.measures(m.names, words))
    kind = quality.way if role == "superlative" else _BY_WAY[quality.way]
    than = [Token("than")] if said.endswith((" than", " als")) else []
    return [Token("word", keys), Token(kind), *than, *is_of] if keys else None


def _of_records(form: str, lemma: str, tables: ValueNames, *, acts: bool = False) -> Token | None:
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


def _in_chinese(text: str, at: int, end: int, tables: ValueNames) -> tuple[Token, int] | None:
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


def is_owned(tokens: Sequence[Token], at: int) -> bool:
    """Whether a figure is that of the name right before it: "than Greece (10.2 million)"."""
    is_behind = tokens[at - 1].kind == "thing" and at > 1
    return is_behind and tokens[at].kind == "figure" and not tokens[at].led
