"""Chinese questions in the order and the small words that the rules read.

A question is read into spans by `language`, over one index of the Chinese names of the catalogue,
of the glossary and of places. Names stay as the catalogue has them; small words are put into the
English of `chinese.toml` by what they do. A span that nobody knows stays as it is written, and is
left over as in any other language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import Literal, NamedTuple

from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.language import NameIndex, Span, annotate
from groundwire.language.glossary import chinese_words
from groundwire.language.ordinals import measures
from groundwire.language.places import english_names
from groundwire.ontology.terms import CatalogueTerms
from groundwire.quantities import DateMention

_HAN = re.compile(r"[\u3400-\u9fff]")

Kind = Literal[
    "kind", "property", "value", "place", "field", "anything", "count", "statistic", "figure",
    "time", "order", "compare", "more", "most", "superlative", "left", "word",
]  # fmt: skip


class Word(NamedTuple):
    """A part of a question in the words of the rules.

    Attributes:
        kind: what it is; "field" is a word of the glossary, "word" any small word.
        text: the part in the words of the rules; empty where it says nothing to them.
    """

    kind: Kind
    text: str


_WHICH = re.compile(r"\W*在?哪(?:些|几个)[^的]{1,8}有")


def in_english(text: str, vocabulary: QuestionVocabulary | None) -> tuple[str, bool]:
    """Return a Chinese question in the words of the rules, and whether it compares two sides.

    The kind of asset that is searched is the last one that is named; it is put first, since
    Chinese has what narrows a kind before it.
    """
    words = list(_turned(_excepting(_speaking([one for _, one in _words(text, vocabulary)]))))
    if compared := _compared(words):
        return compared, True
    kinds = [at for at, one in enumerate(words) if one.kind == "kind"]
    last = kinds[-1] if kinds else -1
    start = _first_joined(words, last)
    taken = {*range(start, last + 1)} if kinds else {last}
    named = [one.text for one in words[start : last + 1] if one.kind == "kind"] if kinds else []
    first = [" and ".join(named)] if named else []
    most = next((at for at, one in enumerate(words) if one.kind == "most"), -1)
    if kinds and most == last + 1 and last and _is_listed(words, last):
        # Which country has most maps: 哪个国家的地图最多.
        by = next(one.text for one in words if one.kind in ("property", "field"))
        return f"how many {words[last].text} per {by}", True
    if kinds and words[0].kind in ("property", "field") and _WHICH.match(text):
        # Which cities have maps: 哪些城市有地图.
        rest = (one.text for at, one in enumerate(words) if at not in (0, last))
        return " ".join((f"how many {words[last].text} per {words[0].text}", *rest)), False
    statistic = next((at for at, one in enumerate(words) if one.kind == "statistic"), -1)
    if statistic >= 0:
        # In Chinese the property stands behind the word of the figure: 平均长度.
        behind = range(statistic + 1, len(words))
        of = next((at for at in behind if words[at].kind in ("property", "field")), statistic)
        of = statistic + 1 if of == statistic and behind else of
        taken |= {statistic, of}
        said = " ".join(words[at].text for at in sorted({statistic, of} - {last}))
        first.insert(0, f"{said} of")
    elif (count := next((at for at, one in enumerate(words) if one.kind == "count"), -1)) >= 0:
        # A property behind the word is what is counted: 有多少个红绿灯.
        of = count + 1
        counts = of < len(words) and words[of].kind in ("property", "field")
        taken |= {of} if counts else set()
        first.insert(0, f"how many {words[of].text}" if counts else "how many")
    silent = {"count", "more", "anything"} if kinds else {"count", "more"}
    rest = [one.text for at, one in enumerate(words) if at not in taken and one.kind not in silent]
    return " ".join((*first, *rest)), False


def as_written(text: str, vocabulary: QuestionVocabulary | None) -> dict[str, str]:
    """Return the parts of a Chinese question as they are written, by the words of the rules."""
    return {word.text: written for written, word in _words(text, vocabulary)}


def _speaking(words: Sequence[Word]) -> list[Word]:
    """Return the words that say something; a part of a kind's own name says nothing beside it."""
    kinds = [one.text for one in words if one.kind == "kind"]
    said = [
        one
        for one in words
        if one.text and not (one.kind == "left" and any(one.text in kind for kind in kinds))
    ]
    # A figure that is named says what is long: 时长多长.
    figured = {"property", "field", "statistic", "superlative", "figure"}
    is_named = not figured.isdisjoint(one.kind for one in said)
    return [one for one in said if not (is_named and one.text == "how long")]


def _first_joined(words: Sequence[Word], last: int) -> int:
    """Return where the kinds begin that stand side by side up to the last one: 场景和地图.

    Those before the last joint may have none between them: 场景、轨迹和地图.
    """
    at = last
    while at > 1 and words[at - 1].text in ("and", "or") and words[at - 2].kind == "kind":
        at -= 2
    while 0 < at < last and words[at - 1].kind == "kind":
        at -= 1
    return at


def _is_listed(words: Sequence[Word], last: int) -> bool:
    """Whether a property is named before a kind, and nothing else that could narrow it."""
    named = [one.kind for one in words[:last] if one.kind not in ("word", "count")]
    return named in (["property"], ["field"])


def _compared(words: Sequence[Word]) -> str:
    """Return the two sides that are compared by their numbers, or empty: 日本的场景比中国的多."""
    kinds = [one.text for one in words if one.kind == "kind"]
    joins = [at for at, one in enumerate(words) if one.kind == "compare" or one.text == "or"]
    at = joins[0] if len(joins) == 1 else -1
    if at < 0 and len(set(kinds)) == 2 and any(one.kind == "more" for one in words):
        # There are more of which kind: 地图和场景哪个多.
        rest = " ".join(one.text for one in words if one.kind not in ("kind", "more", "word"))
        return f"how many {kinds[0]} and {kinds[1]} {rest}".strip()
    if at < 0 or not kinds or not any(one.kind == "more" for one in words[at:]):
        return ""
    sides = [
        " ".join(one.text for one in side if one.kind in ("value", "place", "left", "time"))
        for side in (words[:at], words[at + 1 :])
    ]
    return f"{kinds[0]} of {sides[0]} or {sides[1]}" if all(sides) else ""


def _turned(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words with what stands behind its word in Chinese and before it in English."""
    left = list(words)
    while left:
        one, following = left.pop(0), left[0].kind if left else "word"
        ranks = following == "most" or (left and left[0].kind == "superlative")
        if one.text == "each" and one.kind == "word":
            # For each country is by country; every asset says no more than the asset.
            yield Word("word", "by" if following in ("property", "field") else "")
            continue
        if one.kind in ("property", "field") and ranks:
            superlative = left.pop(0)
            if left and left[0].kind == "figure":
                # The three of the lowest fee: fee最低的三门.
                yield left.pop(0)
            yield superlative
        elif one.kind == "superlative" and following == "figure":
            yield left.pop(0)
        elif one.kind == "time":
            said = left.pop(0).text if following == "order" else ""
            dated = left.pop(0) if left and left[0].kind in ("property", "field") else None
            yield dated or Word("word", "" if said else "in")
            if said:
                yield Word("word", said)
        elif one.kind == "order":
            yield Word("word", one.text)
            continue
        yield one


def _excepting(words: Iterable[Word]) -> list[Word]:
    """Return the words with "except" before the names that it stands behind: 德国和日本以外."""
    made: list[Word] = []
    for one in words:
        if one.kind != "word" or one.text != "except":
            made.append(one)
            continue
        at = len(made)
        while at and (made[at - 1].kind in _LEFT_OUT or made[at - 1].text in ("and", "or")):
            at -= 1
        if not at or made[at - 1].text not in ("not", "without"):
            made.insert(at, Word("word", "not"))
    return made


_LEFT_OUT = ("value", "place", "field", "left")


def _words(text: str, vocabulary: QuestionVocabulary | None) -> Iterator[tuple[str, Word]]:
    """Yield the spans of a question as they are written, each with its word of the rules."""
    for span in annotate(_unmeasured().sub("", text), _names(vocabulary), ("zh", "en")).spans:
        yield span.text, _word(span)


@cache
def _unmeasured() -> re.Pattern[str]:
    """Return what finds a measure word that says nothing: 几个, 每次."""
    measured = _tables()["measured"]
    behind = "|".join(f"(?<={one})" for one in measured["behind"])
    return re.compile(f"(?:{behind})(?:{'|'.join(measured['words'])})(?!月)")


def _word(span: Span) -> Word:
    if span.terms:
        return _named(span)
    if span.quantity is not None:
        unit = f" {span.quantity.unit}" if span.quantity.unit else ""
        return Word("figure", f"{span.quantity.value:f}{unit}")
    if isinstance(span.period, DateMention):
        return Word("time", _dated(span.period))
    if span.role is None:
        return Word("left", "" if span.kind == "sign" and span.text not in _SIGNS else span.text)
    return _small(span)


# Signs that say something to the rules.
_SIGNS = frozenset(("≥", "≤", ">", "<", "=", "≠"))


def _dated(found: DateMention) -> str:
    if found.grain == "year":
        return f"{found.start.year}"
    return f"{found.start:%B %Y}" if found.grain == "month" else found.start.isoformat()


def _named(span: Span) -> Word:
    """Return a name; one that a kind of asset has is that kind."""
    words = [term for term in span.terms if isinstance(term, Word)]
    return min(words, key=lambda one: _RANKS.index(one.kind))


_RANKS: tuple[Kind, ...] = (
    "word", "count", "statistic", "most", "superlative", "anything", "kind", "property", "value",
    "place", "field",
)  # fmt: skip


def _small(span: Span) -> Word:
    """Return a small word by its role; one that has none here is left over."""
    assert span.role is not None
    roles: Mapping[str, str] = _tables()["roles"]
    kind: Kind = "word"
    for name in (f"{span.role.role}.{span.role.sense}", span.role.role):
        if name in roles:
            special, _, said = roles[name].rpartition(":")
            if special:
                kind = next(one for one in _SPECIAL if one == special)
            return Word(kind, said or special)
    return Word(kind, "") if span.is_silent else Word("left", span.text)


_SPECIAL: tuple[Kind, ...] = (
    "count", "order", "compare", "more", "most", "anything", "statistic",
)  # fmt: skip


@lru_cache(maxsize=4)
def _names(vocabulary: QuestionVocabulary | None) -> NameIndex:
    """Return the Chinese names of a catalogue, with those of the glossary and of places."""
    index = NameIndex()
    for text, word in _known(vocabulary):
        # One character is a part of too many words to be the name of a field.
        if _HAN.search(text) and (len(text) > 1 or word.kind not in ("property", "field")):
            index.add(text, word)
        elif word.kind in ("kind", "property", "value") and len(text) > 2 and not text.isdigit():
            # A catalogue without Chinese names is asked for by its own: "Harz的trail".
            index.add(text, word)
    return index


def _known(vocabulary: QuestionVocabulary | None) -> Iterator[tuple[str, Word]]:
    kinds: tuple[Kind, ...] = (
        "word", "count", "statistic", "most", "superlative", "anything", "value",
    )  # fmt: skip
    for kind in kinds:
        for english, names in _tables()[kind].items():
            yield from ((name, Word(kind, english)) for name in names)
    for measure in measures():
        for way in ("most", "least"):
            english = measure.words.get(way, {}).get("en", ("",))[0]
            said = measure.words.get(way, {}).get("zh", ())
            yield from ((name, Word("superlative", english)) for name in said)
    yield from ((name, Word("field", english)) for name, english in chinese_words())
    yield from ((name, Word("place", english)) for name, english in english_names().items())
    if vocabulary is not None:
        yield from _named_in(vocabulary.terms)


def _named_in(terms: CatalogueTerms) -> Iterator[tuple[str, Word]]:
    """Yield the names of a catalogue, each as it is written there."""
    for domain in terms.domains:
        for name in domain.names:
            # A kind goes by the last word of its name too: 轨迹 of "OSI 轨迹".
            for text in (name.text, name.text.split()[-1]):
                yield text, Word("kind", text)
        for prop in domain.properties:
            for name in prop.names:
                yield name.text, Word("property", name.text)
                if prop.kind == "boolean" and (short := _truth(name.text)) != name.text:
                    # Users call the property 合成数据 by its adjective, 合成的, too.
                    yield short, Word("property", name.text)
    for value in chain.from_iterable(terms.values):
        yield from ((name.text, Word("value", name.text)) for name in value.names)


def _truth(name: str) -> str:
    """Return what is said of an asset for which something of this name holds."""
    return name.removeprefix("是否").removesuffix("数据")


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files(__package__ or "") / "chinese.toml").read_text("utf-8"))
