"""The language of a sentence, by its script and by the small words of each lexicon."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from groundwire.language.lexicon import LANGUAGES, Language, lexicon
from groundwire.language.tagging import analyses
from groundwire.vocabulary.fold import fold_word

# One word of Chinese is written in about 1.7 characters.
_HAN_WORD = 1.7
_MARK_ROLES = frozenset(("function", "being", "having", "negation", "question", "quantifier"))
HAN_CHARACTER = re.compile(
    "[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_OTHER_SCRIPT = re.compile("[\u0370-\u1cff\u3040-\u30ff\uac00-\ud7af\ua000-\uabff\ufb00-\ufeff]")
_UMLAUT = re.compile("[äöüß]")
# Of the languages of a lexicon only German opens quotations with this sign.
GERMAN_QUOTE = "„"
# The languages of a lexicon that are written in Latin letters; of equal ones the first counts.
_LATIN: tuple[Language, ...] = tuple(one for one in LANGUAGES if one != "zh")
_FEWEST_FOREIGN = 2
# German "groß" folds to a word of English accounts, "gross profit 2025", and a "US-Dollar" is none
# of ours.
_OF_BOTH = frozenset(("gross", "us"))
# Names that English spells with an umlaut as well.
_UMLAUTED_NAMES = frozenset(("türkiye",))


@cache
def small_words(language: Language) -> frozenset[str]:
    """The small words by which a language is known."""
    words = lexicon(language).entries
    return frozenset(word for word, entry in words.items() if entry.role in _MARK_ROLES)


@cache
def _foreign() -> frozenset[str]:
    """Small words of languages that are written in Latin letters and have no lexicon."""
    text = (files("groundwire.language") / "other_languages.toml").read_text("utf-8")
    return frozenset[str]().union(*tomllib.loads(text).values())


def languages_of(sentences: Sequence[Sequence[str]]) -> list[Language]:
    """Return the language of each sentence of a text, given its words.

    A sentence that shows none by itself ("Germany: 5") has that of the sentences around it; in a
    text without any sign it is English.
    """
    known: list[Language | None] = [_language(words) for words in sentences]
    shown: list[Language] = [language for language in known if language is not None and language]
    latin = latin_language(shown)
    usual: Language = shown[0] if len(set(shown)) == 1 else latin
    result: list[Language] = []
    for language, words in zip(known, sentences, strict=True):
        if language is not None:
            result.append(language)
        else:
            result.append(latin if words else usual)
    return result


def latin_language(languages: Sequence[Language]) -> Language:
    """Return the language in which the Latin words of a Chinese sentence are read."""
    counts = Counter(one for one in languages if one in _LATIN)
    return max(_LATIN, key=lambda one: counts[one])


def _language(words: Sequence[str]) -> Language | None:
    """The language that the words show, "" for another one, None where they show none."""
    is_plain = "".join(words).isascii()
    others = [word for word in words if is_plain or not HAN_CHARACTER.match(word)]
    han = sum(map(len, words)) - sum(map(len, others))
    latin = [fold_word(word) for word in others if word.isascii() or not _OTHER_SCRIPT.search(word)]
    far = len(others) - len(latin)
    if far and far >= len(latin) and far >= han / _HAN_WORD / 2:
        return ""
    if han and han / _HAN_WORD >= len(latin):
        return "zh"
    if not latin:
        return None
    counts: dict[Language, int] = {
        one: sum(map(small_words(one).__contains__, latin)) for one in _LATIN
    }
    counts["en"] -= latin.count("us") if "dollar" in latin else 0
    foreign = sum(map(_foreign().__contains__, latin))
    if foreign >= _FEWEST_FOREIGN and foreign > max(counts.values()):
        return ""
    umlauts = (
        0 if is_plain else sum(1 for w in latin if _UMLAUT.search(w) and w not in _UMLAUTED_NAMES)
    )
    if counts["de"] == max(counts.values()):
        counts["de"] += 2 * umlauts
    best: list[Language] = [one for one in _LATIN if counts[one] == max(counts.values())]
    if len(best) > 1 and (umlauts or GERMAN_QUOTE in words):
        return "de"
    told = [word for word in latin if word not in _OF_BOTH]
    if len(best) > 1:  # "2015 lebten in Kanada rund ..." has small words of both: the others tell
        best = _most(
            best, {one: sum(word in lexicon(one).entries for word in told) for one in best}
        )
    if len(best) > 1 and counts[best[0]]:
        forms = [word for word in told if not any(word in lexicon(one).entries for one in best)]
        best = _most(best, {one: sum(_is_form(word, one) for word in forms) for one in best})
    return best[0] if len(best) == 1 else None


def _most(languages: Sequence[Language], known: Mapping[Language, int]) -> list[Language]:
    """Return the languages of which most words are known."""
    return [one for one in languages if known[one] == max(known.values())]


def _is_form(word: str, language: Language) -> bool:
    """Whether a word is a form of a verb that a lexicon has: "lebten", "reached"."""
    read = (one for one in analyses(word, language, False) if one.tag == "verb")
    return any(one.lemma in lexicon(language).entries for one in read)
