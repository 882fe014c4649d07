"""The sentences of metrics in the language of the question: English, German or Chinese.

They are data: `sentences_<language>.toml` beside the modules of metrics.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from groundwire.language.sentences import Catalogue, read_catalogue
from groundwire.metrics.intent.chinese_words import GRAMMAR, SOFT_SINGLES
from groundwire.metrics.intent.english_words import CONNECTIVES, LISTING
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.wording import Language
from groundwire.vocabulary.fold import CJK_RUN

_WORD = re.compile(r"[a-z]+")
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_JOINTS = CONNECTIVES | LISTING | {"of", "the"}


def language_of(text: str) -> Language:
    """The language to answer in: that of a question's grammar, for its names may be of another.

    "Revenue of 中国内地 in FY2024?" is English, "REVENUE of 中国内地是多少" is Chinese.
    """
    runs = CJK_RUN.findall(text)
    if not runs:
        return _latin(text)
    joints = sum(word in _JOINTS for word in _WORD.findall(text))
    chinese = any(word in run for run in runs for word in (*GRAMMAR, *SOFT_SINGLES))
    return "en" if joints > chinese else "zh"


def _latin(text: str) -> Language:
    """English or German; English where a text shows neither."""
    from groundwire.language.detection import languages_of

    words = _LATIN_WORD.findall(text[:_MOST_READ])
    if languages_of([words]) == ["de"]:
        return "de"
    said = {word.lower() for word in words}
    tells = not said.isdisjoint(german_words()["telling"]) and said.isdisjoint(_JOINTS)
    return "de" if tells else "en"


@cache
def _catalogue() -> Catalogue:
    return read_catalogue(files("groundwire.metrics"))


def say(key: str, language: Language, **parts: str) -> str:
    """Return a sentence with its gaps filled.

    Raises:
        KeyError: the sentence does not exist, or a part of it is missing.
    """
    return _catalogue().say(key, language, **parts)


def say_or(key: str, language: Language, other: str) -> str:
    """Return a sentence without gaps, or another text where there is none of that key."""
    return _catalogue().sentences[language].get(key, other)


class Phrases(NamedTuple):
    """Sentences of one language about a question, with places for what they are about."""

    which_metric: str
    which_metric_of: str
    which_entity: str
    which_period: str
    not_understood: str
    ambiguous: str
    not_computed: str
    which_whole: str
    share: str
    added: str
    time_not_read: str
    paired: str
    assumed_entity: str
    assumed_period: str
    assumed_latest: str
    joint: str
    end: str
    choices: str
    quote: str
    not_ranked: str
    out_of_scope: str
    either: str
    no_passage: str
    latest: str
    latest_quarter: str
    growth: str
    yearly: str


_MOST_QUOTED = 60
_MOST_READ = 400


@cache
def phrases(language: Language) -> Phrases:
    """The sentences of a language."""
    sentences = _catalogue().sentences[language]
    return Phrases(**{name: sentences[name] for name in Phrases._fields})


def quoted(text: str, language: Language) -> str:
    """A part of the question, cut to what a sentence can hold."""
    one_line = " ".join(text.split())
    if len(one_line) > _MOST_QUOTED:
        one_line = one_line[:_MOST_QUOTED] + "..."
    return phrases(language).quote.format(text=one_line)


def note(parts: Sequence[str], language: Language) -> str:
    """Return the assumptions as one sentence."""
    said = phrases(language)
    text = said.joint.join(parts) + said.end
    return text[:1].upper() + text[1:]
