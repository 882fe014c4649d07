"""Words that a text writes apart, or as one, put into the words of the lexicon.

German parts its separable verbs ("nahm um 3 % zu" is "zunehmen") and makes the future with an
infinitive at the end of the clause; a segmenter writes some Chinese words as one that the
lexicon has apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.language.glossary import meanings
from groundwire.language.lexicon import Lexicon
from groundwire.language.text import Token

_CLOSE = frozenset(
    (",", ";", ":", ".", "!", "?", "(", ")", "–", "—", "und", "oder", "aber", "als", "wie")
)
_HARD_CLOSE = frozenset((";", ":", ".", "!", "?"))
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
    for index, word in enumerate(words):
        if word.language != "de":
            if word.tag != "number":
                verb = future = -1 if word.key in _HARD_CLOSE else verb
            continue
        if word.key in _HARD_CLOSE:
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
