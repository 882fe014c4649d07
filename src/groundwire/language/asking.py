"""The language that a question is asked in, and so answered in: that of its own words.

Names in it may be of another language: "Who owns 南坪茶园?" is English, "Saltby 2025Q1的Filed"
is Chinese. A question of names alone is read by what records call their fields: "Umsatz 2024".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from groundwire.language.detection import HAN_CHARACTER, languages_of, small_words
from groundwire.language.field_names import every_name
from groundwire.language.glossary import every_word
from groundwire.language.lexicon import lexicon
from groundwire.language.plain_speech import plain_speech
from groundwire.vocabulary.fold import fold_word

Asked = Literal["en", "de", "zh"]
_LATIN_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_MOST_READ = 2_000


@lru_cache(maxsize=1_024)
def asked_in(text: str) -> Asked:
    """Return the language of a question; English where nothing shows another one."""
    text = plain_speech(text[:_MOST_READ])
    words = _LATIN_WORD.findall(text)
    runs = _HAN_RUN.findall(text)
    shown = languages_of([words])[0] if words else ""
    if runs:
        said = {fold_word(word) for word in words}
        is_sentence = any(said & small_words(one) for one in ("en", "de"))
        asks = any(word in run for run in runs for word in _listed("chinese"))
        if asks or not is_sentence:
            return "zh"
    if shown == "de":
        return "de"
    told = [fold_word(word) for word in words]
    is_german = any(word in _german_words() for word in told)
    return "de" if is_german and not _only_english() & set(told) else "en"


@cache
def _listed(language: str) -> tuple[str, ...]:
    text = (files(__package__ or "") / "asking.toml").read_text("utf-8")
    return tuple(tomllib.loads(text)[language])


def speaks_english(text: str) -> bool:
    """Return whether a text has a small English word that German does not have."""
    return any(fold_word(word) in _only_english() for word in _LATIN_WORD.findall(text))


@cache
def _only_english() -> frozenset[str]:
    """Return the small English words that German does not have: both have "in"."""
    return small_words("en") - small_words("de")


@cache
def _german_words() -> frozenset[str]:
    """Return the words of German that no name of an English field is written like."""
    names = [*every_word(), *every_name()]
    english = {word for name in names if name.islower() for word in fold_word(name).split()}
    german = {form for name in names if _is_german(name) for form in _forms(name)}
    listed = set(map(fold_word, _listed("german")))
    return frozenset(german - english - lexicon("en").entries.keys()) | listed


def _is_german(name: str) -> bool:
    return name[:1].isupper() and not name.isupper() and " " not in name


def _forms(name: str) -> Iterator[str]:
    if not HAN_CHARACTER.search(name):
        yield from (fold_word(name + ending) for ending in ("", "n", "en", "e", "s"))
