"""Names of properties that are verbs: "depends on", "owned by", "mündet in".

The name says what a question is made of: other forms of the verb ("own", "depending"), the word
that stands before its object ("on", "by"), and so which of its two ends an entity of a question is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from groundwire.vocabulary.fold import fold_word, without_accents

_WORD = re.compile(r"[^\W_]+")
_GERMAN_ENDING = re.compile(r"(?<=\w{3})(?:e?te?n?|en)$")


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__ or "") / "verbs.toml").read_text("utf-8"))


def plain(word: str) -> str:
    """Return a word without case and accents, as the words of verbs are compared."""
    return without_accents(fold_word(word))


def is_auxiliary(word: str) -> bool:
    """Whether a word only helps a verb: "is", "wurde"."""
    return word in _data()["auxiliaries"]


def is_agent(word: str) -> bool:
    """Whether a word stands before who did something: "by", "von"."""
    return word in _data()["agents"]


def leads_to_name(word: str) -> bool:
    """Whether a word only leads to a name: an article, or what joins it with the names before."""
    return word in _data()["leading"]


def asking_where() -> Sequence[str]:
    """Return the question words that stand for a preposition and its object."""
    return _data()["where"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with the word that stands before its object.

    Attributes:
        word: as the name has it: "depends", "owned".
        preposition: "on", "by".
        is_passive: its object is who does it.
    """

    word: str
    preposition: str
    is_passive: bool

    def active_forms(self) -> tuple[str, ...]:
        """Return the forms by which its object does it: "own", "owner"; of a passive alone."""
        return tuple(_forms(self.word, with_doer=True)) if self.is_passive else ()

    def forms(self) -> tuple[str, ...]:
        """Return the forms by which its subject does it, or has it done: of a passive its own."""
        active = () if self.is_passive else _forms(self.word, with_doer=False)
        return (self.word, *active)

    def is_said_by(self, word: str) -> bool:
        """Whether a word, without case and accents, is a form of the verb."""
        stem = _GERMAN_ENDING.sub("", self.word)
        is_german = len(stem) > 3 and _GERMAN_ENDING.sub("", word) == stem
        return is_german or word in _all_forms(self)


@lru_cache(maxsize=1_024)
def _all_forms(verb: Verb) -> frozenset[str]:
    return frozenset((*verb.forms(), *verb.active_forms()))


@lru_cache(maxsize=8_192)
def verb_of(name: str, language: str) -> Verb | None:
    """Return the verb that the name of a property is, with its preposition; None for a noun.

    Args:
        name: a label, or the local name in words.
        language: the tag of the label, or "".
    """
    said = tuple(plain(one) for one in _WORD.findall(name))
    while said and said[0] in _data()["auxiliaries"]:
        said = said[1:]
    if len(said) != 2 or len(said[0]) < 3:
        return None
    word, preposition = said
    for code, endings in _data()["endings"].items():
        if language.partition("-")[0] not in ("", code):
            continue
        if preposition not in map(plain, _data()["prepositions"][code]):
            continue
        is_irregular = word in _data()["irregular"]
        if is_irregular or (word.endswith(tuple(endings)) and not word.endswith(("ss", "us"))):
            is_passive = preposition in _data()["agents"] and not word.endswith("s")
            return Verb(word, preposition, is_passive)
    return None


def _forms(word: str, *, with_doer: bool) -> Iterator[str]:
    """Yield forms of an English verb; German ones are compared by their stem."""
    if irregular := _data()["irregular"].get(word):
        bases = irregular
    elif word.endswith(("ies", "ied")):
        bases = [word[:-3] + "y"]
    elif word.endswith("ed"):
        bases = [word[:-2], word[:-1]]
    elif word.endswith("s"):
        bases = [word[:-1], *([word[:-2]] if word.endswith("es") else [])]
    else:
        bases = []
    for base in bases:
        stump = base.removesuffix("e")
        # "Running", "planned", "runner".
        for one in (stump, stump + stump[-1:]):
            yield from (f"{one}ing", f"{one}ed")
            if with_doer:
                yield from (f"{one}er", f"{one}ers")
        yield from (base, *_third_person(base))


def _third_person(base: str) -> tuple[str, ...]:
    """Return what he, she or it does, and did where that is spelt alike: "owns", "supplied"."""
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return (f"{base[:-1]}ies", f"{base[:-1]}ied")
    return (f"{base}es",) if base.endswith(("s", "sh", "ch", "x", "z", "o")) else (f"{base}s",)


def is_object(
    verbs: Sequence[Verb], texts: Sequence[str], before: int, span: tuple[int, int]
) -> bool | None:
    """Return whether an entity is the object of a verb; None where the words do not say it.

    Args:
        verbs: the property's names that are verbs.
        texts: the words of the question.
        before: the place of the last word before the entity that does not only lead to it; -1 for
            none.
        span: places of the words that name the property.
    """
    word = texts[before] if before >= 0 else ""
    prepositions = {one.preposition for one in verbs}
    if word in prepositions:
        return True
    where = _data()["where"]
    if prepositions & set(texts) or any(one in where for one in texts):
        return False
    doing = {form for one in verbs for form in one.active_forms()}
    if doing & set(texts[span[0] : span[1]]):
        # "Who owns Billing?" asks by whom it is owned, "what does X own?" what is owned by X.
        return before < span[0]
    return None
