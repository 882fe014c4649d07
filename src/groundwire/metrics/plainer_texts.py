"""Other texts of a question that is asked back: plainer words, a named year, typos corrected.

A text is tried only where nothing was read from the question itself, so that it changes no answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from groundwire.language.asking import asked_in
from groundwire.metrics.wording import say
from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary
from groundwire.vocabulary.fold import singular

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

# A word of fewer letters is one edit from too many others.
_WORD = re.compile(r"(?<![\w'’-])[^\W\d_\u3400-\u9fff]{5,}(?![\w-])")
_YEAR = re.compile(
    r"(?<![0-9A-Za-z.,])(?P<head>FY ?)?(?P<year>(?:19|20)\d{2})(?!\d|Q|H|-)", re.IGNORECASE
)


def plainer_texts(state: State, question: str) -> Iterator[tuple[str, str]]:
    """Yield other texts of a question, each with the note that tells what is changed, or "".

    Args:
        state: the fact base, whose names are the words that typos are corrected to.
        question: the question, of which something is not understood.
    """
    plain = _with_year_before(_of_what_is_counted(state, _reworded(question)))
    if plain != question:
        yield plain, ""
    spelt, note = _respelled(state, plain)
    if spelt != plain:
        yield spelt, note


def _reworded(question: str) -> str:
    for said, pattern in _data()["plainer"]:
        question = _pattern(pattern).sub(said, question)
    return question


def _of_what_is_counted(state: State, question: str) -> str:
    """Return "more people" as a higher population, where one metric is hinted at by its unit."""
    counted = [one for one in state.profile.metrics if one.unit in one.hinted_by]
    if len(counted) != 1:
        return question
    (metric,) = counted
    hints = "|".join(map(re.escape, metric.hinted_by))
    for said, words in _data()["degrees"]:
        pattern = _pattern(rf"\b(?:{words}) (?:{hints})\b")
        question = pattern.sub(f"{said} {metric.label}", question)
    return question


def _with_year_before(question: str) -> str:
    """Return "more than the year before" with the year before the one that is named."""
    years = list(_YEAR.finditer(question))
    if len(years) != 1:
        return question
    before = f"{years[0]['head'] or ''}{int(years[0]['year']) - 1}"
    for said, pattern in _data()["year_before"]:
        question = _pattern(pattern).sub(said.format(before), question)
    return question


def _respelled(state: State, question: str) -> tuple[str, str]:
    """Return a question with its typos corrected to words of what is held, and what was read."""
    words, changes = _words(state), dict[str, str]()
    for found in _WORD.finditer(question):
        meant = words.resolve(found[0], Policy.WORDWISE)
        changes |= dict(meant.changed) if meant.how == "corrected" else {}
    for sent, used in changes.items():
        question = re.sub(rf"(?<!\w){re.escape(sent)}(?!\w)", used, question)
    language = asked_in(question)
    notes = (say("read_by_word", language, text=one, name=used) for one, used in changes.items())
    return question, " ".join(notes)


def _words(state: State) -> Vocabulary:
    """Return the words of every metric, channel and dimension; names of entities only exist."""
    tables, profile = state.tables, state.profile
    if (held := tables.spelling) is None:
        named = [name for _, one in tables.metrics.values() for name in (one.label, *one.aliases)]
        for one in profile.channel_by_code.values():
            named += (one.label, *one.aliases)
        sides = tables.warehouse.dimensions() if tables.warehouse is not None else ()
        named += (name for one in sides for name in (one.label, *one.aliases))
        existing = [name for one in profile.entities for name in (one.name, *one.aliases)]
        words = dict.fromkeys(word for name in named for word in _WORD.findall(name))
        # A typo is never corrected to a word of a name: the agent asks which thing the user means.
        of_things = {word.casefold() for name in existing for word in _WORD.findall(name)}
        own = [one for one in words if one.casefold() not in of_things]
        terms = (Term(singular(one.casefold()), one) for one in own)
        held = tables.spelling = Vocabulary(terms, KnownWords(existing))
    return held


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@cache
def _data() -> Mapping[str, list[tuple[str, str]]]:
    text = (files(__package__ or "") / "plainer_texts.toml").read_text("utf-8")
    return tomllib.loads(text)
