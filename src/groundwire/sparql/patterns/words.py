"""Words of questions: tokens with their places, word stems, and the cues of `words.toml`."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from groundwire.language.asking import asked_in
from groundwire.language.ordinals import measures
from groundwire.language.verbs import Verb, verb_of
from groundwire.quantities.chinese import read_chinese

MOST_TOKENS = 60
"""A longer prompt is a text, and no pattern of a question."""
LANGUAGES = ("en", "de", "zh")

_TOKEN = re.compile(
    r"[\u3400-\u9fff]|(?:(?<![\w.,)%°])[-−–])?\d+(?:[.,]\d{3})*(?:\.\d+)?k?(?=[\u3400-\u9fff]|[^\w]|$)|[^\W_\u3400-\u9fff]+"
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_ENDINGS = ("innen", "ies", "ern", "en", "er", "es", "em", "ed", "e", "n", "s", "t")
_UMLAUT = re.compile("[äöüÄÖÜ]")
_SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class Token:
    """One word, or one Chinese character, with its place in the text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Return the words of a text; signs between them say nothing."""
    return [Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]


@lru_cache(maxsize=16_384)
def plain(word: str) -> str:
    """Return a word without case and accents."""
    found = unicodedata.normalize("NFKD", word.casefold())
    return "".join(one for one in found if not unicodedata.combining(one))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Return a word without the ending that number, case or tense gives it."""
    found = plain(word)
    if _CJK.search(found) or found.isdigit():
        return found
    if found.removesuffix("s").endswith("ing") and len(found) > 6:
        return found.removesuffix("s")[:-3]
    if found.endswith("ies") and len(found) > 5:
        return found[:-3] + "y"
    # "Länder" is a plural; "founder" is another word than "founded", and "Einwohnern" is a case of
    # "Einwohner".
    of_umlaut = () if _UMLAUT.search(word) else ("er", "ern")
    endings = tuple(one for one in _ENDINGS if one not in of_umlaut)
    for _ in range(3):
        shorter = _shorter(found, endings)
        if shorter == found:
            break
        found = shorter
    return found


def _shorter(word: str, endings: Sequence[str]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def phrase(text: str) -> tuple[str, ...]:
    """Return the stems of a phrase, as phrases are compared by."""
    return tuple(stem(one.text) for one in tokens(text))


def written(text: str) -> tuple[str, ...]:
    """Return the words of a phrase but for case and accents."""
    return tuple(plain(one.text) for one in tokens(text))


@cache
def data() -> Mapping[str, Any]:
    """Return the contents of `words.toml`, its comparisons with those of every measure."""
    held = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
    for kind, bound in (("more", "above"), ("less", "below")):
        for language, than in (("en", "than"), ("de", "als")):
            held[bound][language] += [f"{one} {than}" for one in held[kind][language]]
    for one in measures():
        for kind in ("most", "least", "more", "less"):
            held[kind].setdefault("measured", []).extend(one.said(kind))
        held["above"].setdefault("measured", []).extend(one.bounding("more"))
        held["below"].setdefault("measured", []).extend(one.bounding("less"))
    return held


@cache
def cues() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return the kinds of cue that each phrase, as written, may be."""
    found: dict[tuple[str, ...], list[str]] = {}
    names = ("count", "most", "least", "more", "less", "above", "below", "least_bound", "sum",
             "mean", "except")  # fmt: skip
    for name in (
        *names,
        "most_bound",
        "order",
        "or",
        "both",
        "not",
        "between",
        "each",
        "per",
    ):
        for phrases in data()[name].values():
            for one in phrases:
                found.setdefault(written(one), []).append(name)
    for one in data()["classifiers"]["words"]:
        for many in ("多少", "有多少", "几", "有几", "一共有多少"):
            found.setdefault(written(many + one), []).append("count")
    for code, phrases in data()["languages"].items():
        for one in phrases:
            found.setdefault(written(one), []).append(f"language:{code}")
    return {key: tuple(dict.fromkeys(kinds)) for key, kinds in found.items()}


@cache
def ordinals() -> Mapping[str, int]:
    """Return the place that each ordinal, or beginning of a word, names."""
    return {plain(word): place for word, place in data()["ordinals"].items()}


def place_in(said: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Return the place that a phrase begins with, and the rest of it; 0 for none.

    "Second largest" is the second of the largest, "zweitgrößte" too, and "第三大" the third.
    """
    if not said:
        return 0, ()
    if found := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", said[0]):
        return int(found[1]), tuple(said[1:])
    if place := ordinals().get("".join(said[:2]) if said[0] == "第" else said[0], 0):
        return place, tuple(said[2 if said[0] == "第" else 1 :])
    for word, place in ordinals().items():
        if len(said) == 1 and said[0].startswith(word) and len(said[0]) > len(word):
            return place, (said[0][len(word) :],)
    return 0, ()


@cache
def graded() -> Mapping[tuple[str, ...], tuple[str, str]]:
    """Return the cue and the property, by its local name, of each superlative of one property."""
    return {
        written(one): (kind, name)
        for kind in ("most", "least")
        for name, phrases in data()[f"{kind}_of"].items()
        for one in phrases
    }


@cache
def acts() -> Mapping[tuple[str, ...], str]:
    """Return the property, by its local name, of each verb that names one."""
    return {written(one): name for name, verbs in data()["acts"].items() for one in verbs}


@cache
def fillers(language: str) -> frozenset[tuple[str, ...]]:
    """Return the phrases of a language that say nothing of their own."""
    found = {written(one) for one in data()["fill"][language].split()}
    found |= {written(one) for one in data()["asks"]["when"]}
    if language == "zh":
        found |= {written(f"哪{one}") for one in data()["classifiers"]["words"]}
    return frozenset(found)


@cache
def synonyms() -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return other phrases for a property or class, by the stems of its local name."""
    return {
        phrase(name): tuple(phrase(one) for one in phrases)
        for name, phrases in data()["synonyms"].items()
    }


def windows(size: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield all runs of at most `most` of `size` tokens, longest first."""
    for length in range(min(size, most), 0, -1):
        for first in range(size - length + 1):
            yield first, first + length


def names_language(text: str) -> bool:
    """Whether a text names a language, as in "in German"."""
    said = tuple(plain(one.text) for one in tokens(text))
    return any(
        kind.startswith("language:")
        for first, last in windows(len(said), 2)
        for kind in cues().get(said[first:last], ())
    )


@cache
def _relating() -> frozenset[tuple[str, ...]]:
    return frozenset(written(one) for one in data()["asks"]["relation"])


def may_relate(text: str) -> bool:
    """Whether a text may ask for a relation: by a question word, a cue, "of", or a yes and no."""
    said = written(text)
    if len(said) < 3 or len(said) > MOST_TOKENS:
        return False
    if said[0] in data()["ask"]["start"][asked_in(text)]:
        return True
    return any(
        said[first:last] in _relating() or said[first:last] in cues()
        for first, last in windows(len(said), 4)
    )


def asks_for_a_name(words: Sequence[Token]) -> bool:
    """Whether a prompt asks what something is called: "how do you say X in German"."""
    said = [plain(word.text) for word in words]
    asking = {written(one) for phrases in data()["called"].values() for one in phrases}
    return any(tuple(said[first:last]) in asking for first, last in windows(len(said), 4))


@cache
def _roles() -> Mapping[tuple[str, ...], tuple[Mapping[tuple[str, ...], str], ...]]:
    """Return the words for the ends of relations with their kind, by the names of properties."""
    found: dict[tuple[str, ...], tuple[Mapping[tuple[str, ...], str], ...]] = {}
    kinds = ("subjects", "objects", "subject_verbs", "object_verbs")
    for role in data()["roles"]:
        said = {phrase(one): kind for kind in kinds for one in role[kind]}
        for name in role["of"]:
            found[phrase(name)] = (*found.get(phrase(name), ()), said)
    return found


def roles_of(names: Iterable[str]) -> Mapping[tuple[str, ...], str]:
    """Return phrases for the ends of a property of some names, each with its kind of role."""
    return {
        said: kind
        for name in names
        for role in _roles().get(phrase(name), ())
        for said, kind in role.items()
    }


def is_verbal(name: str) -> bool:
    """Whether the name of a property is a verb, so that its subject stands before it."""
    said = written(name)
    if len(said) > 1 and said[-1] in data()["naming"]["inner"]:
        return True
    verbs = data()["verbal"]["words"]
    is_known = bool(said) and (said[0] in verbs or "".join(said) in verbs)
    return is_known or verb_of(name, "") is not None


def phrases_of_verb(verb: Verb) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the phrases of a verb, and whether each is the whole name, as schemas keep them."""
    for form in verb.forms():
        yield phrase(f"{form} {verb.preposition}"), True
    for form in (*verb.forms(), *verb.active_forms()):
        yield phrase(form), False


def superlative_of(text: str) -> str:
    """Return the words of a text that name an end of an order, or "" where it names none."""
    words = tokens(text)
    for first, last in windows(len(words), 3):
        said = tuple(plain(one.text) for one in words[first:last])
        if {"most", "least"} & set(cues().get(said, ())):
            return text[words[first].start : words[last - 1].end]
    return ""


_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
SCALES = {"万": 10_000, "亿": 100_000_000, "million": 1_000_000, "millionen": 1_000_000,
           "thousand": 1_000, "tausend": 1_000, "billion": 1_000_000_000,
           "milliarde": 1_000_000_000, "milliarden": 1_000_000_000, "mio": 1_000_000,
           "mrd": 1_000_000_000, "tsd": 1_000, "bn": 1_000_000_000, "mn": 1_000_000}  # fmt: skip


@cache
def _numbers() -> Mapping[str, int]:
    return {plain(word): value for word, value in data()["numbers"].items()}


def number_in(said: tuple[str, ...]) -> str:
    """Return the digits of a number, or "" for anything else."""
    if len(said) > 1 and (han := _han_number("".join(said))):
        return han
    if not 0 < len(said) <= 2:
        return ""
    text = next(iter(said))
    sign, text = ("-", text[1:]) if text[0] in "-−–" else ("", text)
    if _GROUPED.fullmatch(text):
        text = re.sub(r"[.,]", "", text)
    thousands, text = (1_000, text[:-1]) if text.endswith("k") and text[0].isdigit() else (1, text)
    value = _numbers().get(text)
    if value is None and re.fullmatch(r"\d+(?:\.\d+)?", text):
        value = (float(text) if "." in text else int(text)) * thousands
    if value is None:
        return ""
    if len(said) == 2:
        if said[1] not in SCALES:
            return ""
        value *= SCALES[said[1]]
    return sign + (f"{value:.10g}" if isinstance(value, float) else str(value))


def _han_number(text: str) -> str:
    """Return the digits of a number in Chinese characters, as in 四百; "" for anything else."""
    read = read_chinese(text, 0) if _CJK.match(text) else None
    return f"{read[0]:f}" if read is not None and read[2] == len(text) else ""
