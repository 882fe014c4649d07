"""Parts of speech and lemmas: the seam to the taggers, which are loaded with the first text.

HanTa reads English and German, rjieba cuts and tags Chinese. Another tagger takes their place
by two functions: `tag_words` and `cut_chinese`. Without them every word is a content word and
its own lemma, so that a reader refuses more and accepts nothing that it would not have accepted.
"""

from __future__ import annotations

import gc
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple, Protocol, cast

from groundwire.language.lexicon import Language, lexicon
from groundwire.vocabulary.fold import fold_word, singular

Tag = Literal["noun", "name", "verb", "adjective", "adverb", "number", "function", "sign", "other"]
# The tagger's time grows with the square of a word's length, and no longer word is in its model.
LONGEST_WORD = 40
_MODELS = {"en": "morphmodel_en.pgz", "de": "morphmodel_ger.pgz"}
# Beginnings of the tags of the taggers, longest first, each with its part of speech.
_FILE = tomllib.loads((files("groundwire.language") / "tags.toml").read_text("utf-8"))
_TAGS: dict[str, tuple[tuple[str, Tag], ...]] = {
    language: tuple(cast("tuple[str, Tag]", tuple(one.split())) for one in tags)
    for language, tags in _FILE.items()
}
_CHINESE_TAGS = _TAGS.pop("zh")


class Analysis(NamedTuple):
    """One way to read a word: its folded form, its part of speech and its lemma."""

    key: str
    tag: Tag
    lemma: str


class Morphology(Protocol):
    """The part of a tagger that is used here."""

    def tag_word(
        self, word: str, cutoff: int = 5, casesensitive: bool = True
    ) -> list[tuple[str, float]]:
        """Return the tags that a word may have, likeliest first."""
        ...

    def analyze(
        self, word: str, pos: str = "EMPTY", taglevel: int = 1, casesensitive: bool = True
    ) -> tuple[str, str]:
        """Return the lemma of a word that has a tag."""
        ...


@cache
def morphology(language: Language) -> Morphology | None:
    """Return the tagger of a language, or None where none is installed."""
    if language not in _MODELS:
        return None
    try:
        from HanTa import HanoverTagger  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        return None
    # A model is a hundred thousand small objects of which none is garbage.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return cast("Morphology", HanoverTagger.HanoverTagger(_MODELS[language]))
    finally:
        if was_enabled:
            gc.enable()


@lru_cache(maxsize=65_536)
def analyses(word: str, language: Language, is_first: bool) -> tuple[Analysis, ...]:
    """Return how a word may be read, likeliest first.

    Args:
        word: as it is written.
        language: the language of its sentence.
        is_first: whether it begins a sentence, so that a capital says nothing.
    """
    key = fold_word(word)
    tagger = morphology(language) if len(word) <= LONGEST_WORD else None
    if tagger is None:
        return (Analysis(key, "noun", singular(key) if language == "en" else key),)
    found: dict[Tag, Analysis] = {}
    for code, _ in tagger.tag_word(word, casesensitive=not is_first)[:3]:
        tag = _tag(code, _TAGS[language])
        if tag not in found:
            lemma, _ = tagger.analyze(word, pos=code)
            found[tag] = Analysis(key, tag, fold_word(lemma))
    return tuple(found.values()) or (Analysis(key, "noun", key),)


def _tag(code: str, table: Sequence[tuple[str, Tag]]) -> Tag:
    for head, tag in table:
        if code.startswith(head):
            return tag
    return "function"


def tag_words(words: Sequence[str], language: Language) -> list[Analysis]:
    """Return the part of speech and the lemma of each word of one sentence.

    A word is read by itself, which is fast because words come again; where it may be a noun or a
    verb the word before it decides.
    """
    tagged: list[Analysis] = []
    rules = lexicon(language).rules
    for number, word in enumerate(words):
        options = analyses(word, language, number == 0)
        chosen = options[0]
        if len(options) > 1 and number:
            before = tagged[-1]
            is_noun = before.key in rules.before_noun or (
                rules.before_noun and before.tag == "adjective"
            )
            if is_noun and chosen.tag == "verb":
                chosen = next((option for option in options if option.tag != "verb"), chosen)
            elif before.key in rules.before_verb or (
                language == "de" and _may_be_verb(chosen, words, number)
            ):
                chosen = next((option for option in options if option.tag == "verb"), chosen)
        tagged.append(chosen)
    return tagged


def _may_be_verb(read: Analysis, words: Sequence[str], number: int) -> bool:
    """Whether a German adjective has the form of a past tense and leads no noun: "erhöhte sich"."""
    is_past = read.tag == "adjective" and read.key.endswith(("te", "ten"))
    return is_past and not any(word[:1].isupper() for word in words[number + 1 : number + 2])


class Segmenter(Protocol):
    """The part of a segmenter that is used here."""

    def tag(self, text: str, hmm: bool = True) -> list[tuple[str, str]]:
        """Return the words of a text with their tags."""
        ...

    def has_word(self, word: str) -> bool:
        """Whether the dictionary has a word."""
        ...


@cache
def segmenter() -> Segmenter | None:
    """Return the segmenter of Chinese with the words of the lexicon, or None without rjieba."""
    try:
        import rjieba
    except ImportError:
        return None
    made = rjieba.Jieba()
    for word in lexicon("zh").entries:
        if len(word) > 1 and not made.has_word(word):
            made.add_word(word, None, "x")
    return made


@lru_cache(maxsize=16_384)
def cut_chinese(run: str) -> tuple[tuple[str, Tag], ...]:
    """Return the words of a run of Chinese characters with their parts of speech, in order."""
    tagger = segmenter()
    words = tagger.tag(run) if tagger else []
    if "".join(word for word, _ in words) != run:
        return tuple((character, "other") for character in run)
    return tuple((word, _tag(code, _CHINESE_TAGS)) for word, code in words)


def is_word(run: str) -> bool:
    """Whether Chinese characters are a word of the segmenter's dictionary, if there is one."""
    made = segmenter()
    return made is None or made.has_word(run)
