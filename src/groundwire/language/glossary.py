"""Words of other languages as names of fields, and words put together that a text writes apart.

A record calls its fields in English: Dateiformat is "file format". A word is explained by a field
only where the glossary says that it means just that. Compounds are not put together of their parts:
Landbevölkerung is not the population of a country.

German parts its separable verbs ("nahm um 3 % zu" is "zunehmen") and makes the future with an
infinitive at the end of the clause; a segmenter writes some Chinese words as one that the
lexicon has apart.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from groundwire.language.detection import GERMAN_QUOTE, HAN_CHARACTER
from groundwire.language.lexicon import Lexicon
from groundwire.language.text import Token
from groundwire.vocabulary.fold import fold_word, singular, without_accents

Meanings = tuple[frozenset[str], ...]
"""Alternatives, each the English words that together mean it."""

# Endings of German and English words.
_ENDINGS = ("", "s", "n", "en", "es", "e", "er")
# By what is measured, a German adverb says with one of these: flächenmäßig, umsatzmäßig.
_MEASURED = tuple(
    f"{joint}{end}" for joint in ("", "s", "n", "en") for end in (fold_word("mäßig"), "massig")
)
_NONE: Meanings = ()
_SHORTEST_HEAD = 4


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files("groundwire.language") / "glossary.toml").read_text("utf-8"))


@cache
def _words(table: Literal["words", "acts"] = "words") -> dict[str, Meanings]:
    """Return the meanings of every word and phrase of a table of the glossary, folded."""
    found: dict[str, Meanings] = {}
    for meaning, words in _tables()[table].items():
        english = frozenset(meaning.split())
        for word in words:
            key = fold_word(word)
            for form in {key, without_accents(key)}:
                found[form] = (*found.get(form, _NONE), english)
    return found


def is_called(word: str, names: frozenset[str]) -> bool:
    """Return whether a word means a field whose English name has some words.

    Args:
        word: a word in its dictionary form or as written, folded; a phrase is looked up whole.
        names: folded words of the names of fields and things.
    """
    fields = fields_of(word)
    return bool(fields) and any(field <= names for field in fields)


def may_call(word: str) -> bool:
    """Return whether a word means any field.

    Args:
        word: a word in its dictionary form or as written, folded; a phrase is looked up whole.
    """
    return bool(fields_of(word))


def is_act_of(verb: str, names: frozenset[str]) -> bool:
    """Return whether a verb says what a field tells of: earn of revenue, employ of headcount.

    Args:
        verb: in its dictionary form, folded; a phrase is looked up whole.
        names: folded words of the names of fields and things.
    """
    return any(meaning <= names for meaning in _words("acts").get(verb, _NONE))


@lru_cache(maxsize=4_096)
def fields_called(label: str) -> frozenset[str]:
    """Return the English names of what a label in any language names a field of, by its head.

    >>> sorted(fields_called("Anschaffungspreis"))
    ['price']
    """
    last = fold_word(label.split()[-1]) if label.strip() else ""
    shortest = _SHORTEST_HEAD if last.isascii() or not HAN_CHARACTER.match(last[-1]) else 2
    ends = (last[at:] for at in range(len(last) - shortest + 1))
    found = next((one for end in (fold_word(label), *ends) if (one := _meaning(end))), _NONE)
    own = {last} if last in _tables()["words"] else set[str]()
    return frozenset(word for one in found if len(one) == 1 for word in one) | own


@lru_cache(maxsize=4_096)
def verbs_of(label: str) -> tuple[str, ...]:
    """Return the forms of the verbs by which a text may tell a field of a label: requires."""
    own = (one for field in fields_called(label) for one in _tables()["verbs"].get(field, ()))
    return tuple(dict.fromkeys(own))


def meanings(word: str) -> Meanings:
    """Return what a folded word means among fields and among what steps tell one to do."""
    return (*_meaning(word), *_actions().get(word, _NONE))


@cache
def chinese_words() -> tuple[tuple[str, str], ...]:
    """Return the Chinese words of the glossary, each with the English name of its field."""
    words = _tables()["words"].items()
    return tuple(
        (one, name) for name, listed in words for one in listed if HAN_CHARACTER.match(one)
    )


def other_words(name: str) -> tuple[str, ...]:
    """Return the ordinary words of three languages for a value that records call by a name."""
    return _values().get(fold_word(name.replace("-", " ")), ())


def every_word() -> tuple[str, ...]:
    """Return every name of a field, in all languages."""
    return tuple(one for name, listed in _tables()["words"].items() for one in (name, *listed))


def words_for(name: str) -> tuple[str, ...]:
    """Return the words of three languages for a field that records call by a name."""
    return tuple(_tables()["words"].get(fold_word(name), ()))


@cache
def _values() -> dict[str, tuple[str, ...]]:
    """Return the words of every value, by its folded name."""
    values = _tables()["values"].items()
    return {fold_word(name.replace("-", " ")): tuple(words) for name, words in values}


@cache
def _actions() -> dict[str, Meanings]:
    """Return the meanings of verbs of steps, folded: a verb means itself and its like."""
    found: dict[str, Meanings] = {}
    for meaning, words in _tables()["actions"].items():
        for word in (meaning, *words):
            key = fold_word(word)
            found[key] = (*found.get(key, _NONE), frozenset((meaning,)))
    return found


def is_field(word: str) -> bool:
    """Return whether a folded word is the name of a field, in English or another language."""
    return bool(_meaning(word)) or word in _names()


@cache
def _names() -> frozenset[str]:
    """Return the English names of fields."""
    return frozenset(" ".join(sorted(one)) for of in _words().values() for one in of)


@lru_cache(maxsize=16_384)
def fields_of(word: str) -> Meanings:
    """Return the fields that a folded word may mean, in the singular as well."""
    found = _meaning(word)
    return tuple(dict.fromkeys((*found, *(frozenset(map(singular, one)) for one in found))))


@lru_cache(maxsize=16_384)
def _meaning(word: str) -> Meanings:
    """Return the meanings of a word without its ending."""
    words = _words()
    for ending in (*_ENDINGS, *_MEASURED):
        if word.endswith(ending):
            found = words.get(word[: len(word) - len(ending)])
            if found:
                return found
    return _NONE


_CLOSE = frozenset(
    (",", ";", ":", ".", "!", "?", "(", ")", "–", "—", "und", "oder", "aber", "als", "wie")
)
_HARD_CLOSE = frozenset((";", ":", ".", "!", "?"))
# Signs behind a quotation that a German opening sign begins.
_QUOTED = frozenset("“”")
# The lemma under which the lexicon has the auxiliary of the future.
FUTURE = "wird + infinitiv"


def composed_verbs(words: Sequence[Token], german: Lexicon) -> dict[int, str]:
    """Return the lemma of each verb of a German text, by its number, that stands in two parts.

    Only verbs of the lexicon and of the glossary are put together; the particle stays a function
    word. The auxiliary of a future has the lemma `FUTURE`.
    """
    found: dict[int, str] = {}
    rules = german.rules
    verb = future = -1
    quoted = False
    for index, word in enumerate(words):
        quoted = word.key == GERMAN_QUOTE or (quoted and word.key not in _QUOTED)
        if quoted:
            continue
        if word.language != "de":
            if word.tag != "number":
                verb = future = -1 if word.key in _HARD_CLOSE else verb
            continue
        if word.key in _HARD_CLOSE and not _is_in_name(words, index):
            if not index or words[index - 1].key not in rules.abbreviations:  # "Mio."
                verb = future = -1
        elif verb >= 0 and word.key in rules.verb_particles and _closes(words, index):
            lemma = word.key + words[verb].lemma
            if lemma in german.entries or meanings(lemma):
                found[verb] = lemma
                verb = -1
        elif word.key in rules.future_verbs:
            future = verb = index
        elif word.tag == "verb":
            verb = index
            is_infinitive = word.key == word.lemma and word.key.endswith("n")
            if future >= 0 and is_infinitive and _closes(words, index):
                found[future] = FUTURE
                future = -1
    return found


def _is_in_name(words: Sequence[Token], index: int) -> bool:
    """Whether a sign stands within a name, and closes nothing: mcp.json."""
    return index + 1 < len(words) and words[index + 1].start == words[index].end


def _closes(words: Sequence[Token], index: int) -> bool:
    """Whether a clause ends after a token."""
    return index + 1 == len(words) or words[index + 1].key in _CLOSE


def cut_words(words: Iterable[Token], chinese: Lexicon | None) -> tuple[Token, ...]:
    """Return the tokens, those Chinese words cut in two that the lexicon has only in parts.

    Nouns and names stay whole: 高中 is a school, not 高 and 中.
    """
    if chinese is None:
        return tuple(words)
    cut: list[Token] = []
    for word in words:
        parts = None
        if word.language == "zh" and len(word.text) > 1 and word.tag not in ("noun", "name"):
            parts = None if word.key in chinese.entries else chinese.cut(word.key)
        if not parts or sum(map(len, parts)) != len(word.text):
            cut.append(word)
            continue
        start = word.start
        for part in parts:
            end = start + len(part)
            written = word.text[start - word.start : end - word.start]
            cut.append(word._replace(start=start, end=end, text=written, key=part, lemma=part))
            start = end
    return tuple(cut)
