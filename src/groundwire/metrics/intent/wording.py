"""The sentences of metrics in the language of the question: English, German or Chinese.

They are data: `sentences_<language>.toml` beside the modules of metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from groundwire.language.sentences import Catalogue, read_catalogue
from groundwire.metrics.wording import Language


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
