"""A prompt as spans: entities, properties, classes, cues and numbers, and the words left over.

The longest span wins; an entity is the longest label that stands in the prompt whole, as it is
written before folded. A word that no span took is left over, and keeps a prompt from being
answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from groundwire.language.asking import asked_in
from groundwire.language.verbs import asking_where
from groundwire.quantities import find_dates
from groundwire.sparql.patterns.schema import Schema, best
from groundwire.sparql.patterns.words import (
    MOST_TOKENS,
    Token,
    acts,
    asks_for_a_name,
    cues,
    data,
    fillers,
    graded,
    number_in,
    phrase,
    place_in,
    plain,
    stem,
    tokens,
    windows,
    written,
)

_MOST_WORDS = 8
_MOST_ASKED = 100
_MOST_CHARACTERS = 16
_CJK = re.compile(r"[\u3400-\u9fff]")


class Option(NamedTuple):
    """An entity that a span may be.

    Attributes:
        iri: the entity.
        label: what it is called.
        types: IRIs of its types.
        is_exact: the span is written as its label is.
        property: of a literal, the property that states it; `iri` is the literal as queries write
            it. "" of an entity.
    """

    iri: str
    label: str
    types: tuple[str, ...]
    is_exact: bool
    property: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of a prompt and what they may stand for.

    Attributes:
        first, last: places of its tokens; the last one is not in it.
        text: as it is written.
        options: entities.
        properties, classes: IRIs.
        cue: its kind, or "".
        number: its digits, or ""; of a month or a day the beginning of its date.
        is_act: a verb names its properties.
        place: of a superlative, 2 for the second largest.
    """

    first: int
    last: int
    text: str
    options: tuple[Option, ...] = ()
    properties: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    cue: str = ""
    number: str = ""
    is_act: bool = False
    place: int = 1

    @property
    def is_time(self) -> bool:
        """Whether a number may be a year, or is a month or a day."""
        return (len(self.number) == 4 and self.number.isdigit()) or self.is_day

    @property
    def is_day(self) -> bool:
        """Whether a number is a month or a day, as dates begin: 2026-11, 2026-11-05."""
        return "-" in self.number[1:]


@dataclass(frozen=True, slots=True)
class Reading:
    """A prompt, span by span.

    Attributes:
        prompt: the prompt.
        language: en, de or zh.
        words: its tokens.
        entities, relations, cues, numbers: its spans by kind, in order.
        left: what no span took, in runs, with the places of their tokens.
        is_ask: it asks for yes or no.
        unit: the property whose unit stands after a number, or "".
    """

    prompt: str
    language: str
    words: tuple[Token, ...]
    entities: tuple[Span, ...]
    relations: tuple[Span, ...]
    cues: tuple[Span, ...]
    numbers: tuple[Span, ...]
    left: tuple[Span, ...]
    is_ask: bool
    unit: str = ""

    @property
    def many(self) -> int:
        """How many are asked for: the number of the prompt, or one; 0 where it cannot be one."""
        number = self.numbers[0].number if self.numbers else "1"
        return int(number) if number.isdigit() and int(number) <= _MOST_ASKED else 0

    def has(self, *kinds: str) -> Span | None:
        """Return the first cue of some kinds."""
        return next((one for one in self.cues if one.cue in kinds), None)

    def between(self, one: Span, other: Span) -> tuple[str, ...]:
        """Return the words between two spans."""
        first, last = sorted((one, other), key=lambda span: span.first)
        return tuple(plain(word.text) for word in self.words[first.last : last.first])

    def texts(self) -> list[str]:
        """Return the words, without case and accents."""
        return [plain(word.text) for word in self.words]


def spans_to_look_up(prompt: str) -> list[str]:
    """Return the pieces of a prompt that may be labels, longest first; nothing for a long text."""
    words = tokens(prompt)
    if not 0 < len(words) <= MOST_TOKENS:
        return []
    found: dict[str, None] = {}
    for first, last in windows(len(words), _MOST_CHARACTERS):
        text = _text(prompt, words, first, last)
        most = _MOST_CHARACTERS if _CJK.search(text) else _MOST_WORDS
        if last - first <= most:
            found[text] = None
    return list(found)


def read(prompt: str, schema: Schema, held: Mapping[str, Sequence[Option]]) -> Reading:
    """Read a prompt.

    Args:
        prompt: the prompt.
        schema: properties and classes of the graph.
        held: the entities of the graph by the pieces of the prompt that are their labels.
    """
    found = _read(prompt, schema, held, is_filled=True)
    if not found.relations and found.entities:
        # "Located" says nothing where a property is named, and names one where none is.
        other = _read(prompt, schema, held, is_filled=False)
        return found if len(other.left) > len(found.left) else other
    return found


def _read(
    prompt: str, schema: Schema, held: Mapping[str, Sequence[Option]], *, is_filled: bool
) -> Reading:
    words, language = tokens(prompt), asked_in(prompt)
    written_words = [plain(one.text) for one in words]
    stems = [stem(one.text) for one in words]
    taken: list[Span | None] = [None] * len(words)
    candidates: list[tuple[int, int, Span]] = []
    days = list(_days(prompt, words))
    candidates += [(one.last - one.first, 0, one) for one in days]
    # "Orders in October": what leads to a date belongs to no name before it.
    led = {one.first for one in days if written_words[one.first - 1] in data()["in_year"]["words"]}
    for first, last in windows(len(words), _MOST_CHARACTERS):
        if last in led and last - first > 1:
            continue
        text = _text(prompt, words, first, last)
        span = _read_span(
            Span(first, last, text), tuple(written_words[first:last]), tuple(stems[first:last]),
            schema, held, language, is_filled,
        )  # fmt: skip
        if span is not None:
            candidates.append((last - first, _rank(span), span))
    for _, _, span in sorted(candidates, key=lambda one: (-one[0], one[1], one[2].first)):
        if not any(taken[span.first : span.last]):
            taken[span.first : span.last] = [span] * (span.last - span.first)
    spans = list({id(one): one for one in taken if one is not None}.values())
    spans.sort(key=lambda one: one.first)
    spans = _without_appositions(_settled(spans, words, taken, schema, held), language)
    return Reading(
        prompt, language, tuple(words),
        tuple(one for one in spans if one.options),
        tuple(one for one in spans if one.properties or one.classes),
        tuple(one for one in spans if one.cue and one.cue != "fill"),
        tuple(one for one in spans if one.number),
        tuple(_left(prompt, words, taken)),
        _is_ask(written_words, language) or _starts_with_verb(spans, schema, language),
    )  # fmt: skip


def _settled(
    spans: list[Span],
    words: Sequence[Token],
    taken: list[Span | None],
    schema: Schema,
    held: Mapping[str, Sequence[Option]],
) -> list[Span]:
    """Return spans with what the rest of the prompt says of them.

    The name of a language is an entity where a prompt names no other one; a verb that names a
    property says nothing beside a noun that does; "比" makes a comparison of what follows.
    """
    has_act = any(one.is_act for one in spans) and not asks_for_a_name(words)
    if has_act or not any(one.options for one in spans):
        known = schema.properties.keys() | schema.classes.keys()
        for at, one in enumerate(spans):
            if one.cue.startswith("language:"):
                exact = tuple(
                    o
                    for o in held.get(one.text, ())
                    if (o.is_exact or plain(o.label) == plain(one.text)) and o.iri not in known
                )
                spans[at] = replace(one, options=exact, cue="") if exact else one
    nouns = {p for one in spans if not one.is_act for p in one.properties}
    is_naming = not has_act and any(one.cue.startswith("language:") for one in spans)
    if any(one.is_act for one in spans):
        spans = _without_acts(spans, nouns, words, is_naming=is_naming)
        _fill(words, taken, data()["acts_with"]["words"])
    if any(one.cue == "except" for one in spans):
        for one in data()["except_with"]["words"]:
            _fill(words, taken, tuple(one) if _CJK.match(one) else (one,))
    spans += _led_by_words(spans, words, taken, schema)
    if sum(bool(one.options) for one in spans) > 1 and not any(one.number for one in spans):
        # "Larger than Colombia" compares with it; a bound has a number.
        compared = {"above": "more", "below": "less"}
        spans = [replace(one, cue=compared.get(one.cue, one.cue)) for one in spans]
    than = data()["than"]
    # "法国和德国哪个面积大": the last word says by which way the two are compared.
    asks_which = any(one.text in than["which"] for one in words) and words[-1].text in (
        *than["more"], *than["less"],
    )  # fmt: skip
    if any(word.text in than["word"] for word in words) or asks_which:
        _fill(words, taken, than["word"])
        for at, word in enumerate(words):
            kind = next((k for k in ("more", "less") if word.text in than[k]), "")
            if kind and taken[at] is None:
                span = taken[at] = Span(at, at + 1, word.text, cue=kind)
                spans.append(span)
    return spans


def _led_by_words(
    spans: Sequence[Span], words: Sequence[Token], taken: list[Span | None], schema: Schema
) -> list[Span]:
    """Take the words that lead to an object, a property or a year; return those that bound one."""
    found: list[Span] = []
    for verb in {verb for one in spans for p in one.properties for verb in schema.verbs.get(p, ())}:
        _fill(words, taken, (verb.preposition, *asking_where()))
    articles = data()["articles"]["words"]
    for at, word in enumerate(words):
        behind = at + 1
        while behind < len(words) and plain(words[behind].text) in articles:
            behind += 1
        after = taken[behind] if behind < len(words) else None
        # "Nach Fläche" says by which value; "nach 1990" says when.
        is_by = plain(word.text) in data()["by"]["words"] and taken[at] is None
        if is_by and after is not None and after.properties:
            taken[at] = Span(at, at + 1, word.text, cue="fill")
        bound = data()["beside_year"].get(plain(word.text), "")
        if bound and taken[at] is None and after is not None and after.is_time:
            found.append(span := Span(at, behind, word.text, cue=bound))
            taken[at:behind] = [span] * (behind - at)
    return found


def _without_acts(
    spans: Sequence[Span], nouns: set[str], words: Sequence[Token], *, is_naming: bool
) -> list[Span]:
    """Leave out what asks for a property that is named already: "how long" beside "lasts".

    "How big is Chad and what is its currency" names another one behind a joint.
    """
    kept, said = list[Span](), set(nouns)
    named = [one for one in spans if one.properties and not one.is_act]
    joints = data()["and"]["words"]
    for one in spans:
        is_size = plain(one.text) in data()["sizes"]["words"] and any(
            not any(
                plain(word.text) in joints
                for word in words[min(one.last, noun.last) : max(one.first, noun.first)]
            )
            for noun in named
        )
        if one.is_act and (is_naming or is_size or said & set(one.properties)):
            continue
        kept.append(one)
        said |= set(one.properties) if one.is_act else set()
    return kept


def _without_appositions(spans: list[Span], language: str) -> list[Span]:
    """Leave out a class that only says what the entity beside it is: "the Payments team"."""
    if language == "zh":
        return spans
    kept = list(spans)
    for at, one in enumerate(spans):
        for other in (*spans[max(0, at - 1) : at], *spans[at + 1 : at + 2]):
            fit = tuple(o for o in one.options if set(o.types) & set(other.classes))
            is_beside = other.first == one.last or (
                other.last == one.first and language == "de" and one.text[:1].isupper()
            )
            if fit and is_beside and not other.properties:
                kept[kept.index(one)] = replace(one, options=fit)
                kept.remove(other)
                break
    return kept


def _fill(words: Sequence[Token], taken: list[Span | None], fill: Sequence[str]) -> None:
    """Take the words that say nothing, where nothing took them."""
    for at, word in enumerate(words):
        if taken[at] is None and plain(word.text) in fill:
            taken[at] = Span(at, at + 1, word.text, cue="fill")


def _text(prompt: str, words: Sequence[Token], first: int, last: int) -> str:
    return prompt[words[first].start : words[last - 1].end]


def _read_span(
    span: Span,
    said: tuple[str, ...],
    stems: tuple[str, ...],
    schema: Schema,
    held: Mapping[str, Sequence[Option]],
    language: str,
    is_filled: bool,
) -> Span | None:
    """Return what a run of words stands for; None where it stands for nothing."""
    if found := number_in(said):
        return Span(span.first, span.last, span.text, number=found)
    is_filler = said in _fillers(language)
    properties = best(schema.by_phrase.get(stems, {}))
    classes = schema.classes_called(stems) or schema.classes_led(said, stems, properties)
    known = schema.properties.keys() | schema.classes.keys()
    options = tuple(one for one in held.get(span.text, ()) if one.iri not in known)
    exact = tuple(one for one in options if one.is_exact)
    if said in graded():
        kind, name = graded()[said]
        if of := best(schema.by_phrase.get(phrase(name), {})):
            return Span(span.first, span.last, span.text, properties=of, cue=kind)
    place, graded_as = place_in(said)
    if place and (way := _superlative(graded_as)):
        of = best(schema.by_phrase.get(phrase(way[1]), {})) if way[1] else ()
        if of or not way[1]:
            return Span(span.first, span.last, span.text, properties=of, cue=way[0], place=place)
    act = best(schema.by_phrase.get(phrase(acts().get(said, "")), {})) or schema.asked.get(said)
    if act and not exact:
        return Span(span.first, span.last, span.text, properties=tuple(act), is_act=True)
    kinds = cues().get(said, ())
    if kinds:
        return Span(span.first, span.last, span.text, cue=kinds[0])
    if is_filler and not (exact and span.text[:1].isupper() and span.first):
        if (properties or classes) and (language == "zh" or not is_filled):
            return Span(span.first, span.last, span.text, (), properties, classes)
        return Span(span.first, span.last, span.text, cue="fill")
    if exact and not (properties or classes):
        return Span(span.first, span.last, span.text, exact)
    if properties or classes:
        return Span(span.first, span.last, span.text, (), properties, classes)
    return Span(span.first, span.last, span.text, options) if options else None


def _superlative(said: tuple[str, ...]) -> tuple[str, str] | None:
    """Return "most" or "least" for a superlative, with the property that it names or ""."""
    if said in graded():
        return graded()[said]
    kind = next((one for one in cues().get(said, ()) if one in ("most", "least")), "")
    than = data()["than"]
    if not kind and len(said) == 1 and said[0] in (*than["more"], *than["less"]):
        # In Chinese the place makes a superlative: 第三大.
        kind = "most" if said[0] in than["more"] else "least"
    return (kind, "") if kind else None


def _rank(span: Span) -> int:
    """Of spans of one length, cues and numbers come first, words that say nothing last."""
    if span.cue == "fill":
        return 3
    if span.cue or span.number:
        return 0
    return 1 if span.options else 2


@cache
def _fillers(language: str) -> frozenset[tuple[str, ...]]:
    return fillers(language)


def _days(prompt: str, words: Sequence[Token]) -> Iterator[Span]:
    """Yield the months and days of a prompt."""
    for one in find_dates(prompt):
        within = [at for at, word in enumerate(words) if one.span[0] < word.end <= one.span[1]]
        if one.grain in ("month", "day") and within:
            number = one.start.isoformat()[: 7 if one.grain == "month" else None]
            yield Span(within[0], within[-1] + 1, one.raw, number=number)


def _is_ask(said: Sequence[str], language: str) -> bool:
    if not said:
        return False
    starts = {plain(one) for one in data()["ask"]["start"][language]}
    return said[0] in starts or said[-1] in data()["ask"]["end"] or "是不是" in "".join(said)


def _starts_with_verb(spans: Sequence[Span], schema: Schema, language: str) -> bool:
    """Whether a German prompt begins with the verb that names its property: "mündet X in Y?"."""
    first = next(iter(spans), None)
    if language != "de" or first is None or first.first:
        return False
    verbs = [verb for p in first.properties for verb in schema.verbs.get(p, ())]
    said = plain(first.text).split()[0]
    return any(said in map(plain, (*one.forms(), *one.active_forms())) for one in verbs)


def _left(prompt: str, words: Sequence[Token], taken: Sequence[Span | None]) -> list[Span]:
    """Return the runs of words that nothing took."""
    runs: list[Span] = []
    first: int | None = None
    for at in range(len(words) + 1):
        is_free = at < len(words) and taken[at] is None
        if is_free and first is None:
            first = at
        elif not is_free and first is not None:
            runs.append(Span(first, at, _text(prompt, words, first, at)))
            first = None
    return runs


def is_dated(span: Span) -> bool | None:
    """Whether a cue orders by time; None where it may order by time or by number."""
    said = written(span.text)
    if said in {written(one) for one in data()["dated"]["either"]}:
        return None
    return said in {written(one) for one in data()["dated"]["words"]}


def has_phrase(reading: Reading, *phrases: str) -> bool:
    """Whether words stand in a prompt in a row."""
    texts = reading.texts()
    for one in phrases:
        wanted = list(written(one))
        size = len(wanted)
        if any(texts[at : at + size] == wanted for at in range(len(texts) - size + 1)):
            return True
    return False
