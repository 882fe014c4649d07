"""Whether a value says less than the words that it would stand for.

"Motorway" in place of "three-lane motorway" finds more than was asked for; "urban" in place of
"suburban" finds something else, which a person sees.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from groundwire.language.folding import fold_word
from groundwire.language.lexicon import LANGUAGES, lexicon
from groundwire.vocabulary.fold import split_words

# Words of so few letters have no misspelling that is not another word.
_SHORTEST_MISSPELT = 4


def leaves_out(said: str, used: Iterable[str], context: Iterable[str]) -> list[str]:
    """Return the words of a text that the values in its place do not say.

    Args:
        said: the text that was sent.
        used: the values that would stand for it.
        context: names of the property and the kind, whose words need not be said again.

    Returns:
        the words that are left out; none where the values say something else or all of it.
    """
    words = list(split_words(said).singular)
    offered = [word for value in used for word in split_words(value).singular]
    known = {word for name in context for word in split_words(name).singular}
    if not offered or not all(_is_among(word, words) for word in offered):
        return []
    extra = [word for word in words if not _is_among(word, offered)]
    return [word for word in extra if not _is_among(word, known) and not _is_silent(word)]


def _is_among(word: str, words: Collection[str] | Sequence[str]) -> bool:
    """Whether a word is one of some words, but for a misspelling."""
    if word in words:
        return True
    if len(word) < _SHORTEST_MISSPELT:
        return False
    from rapidfuzz.distance import OSA

    edits = 1 if len(word) <= _SHORTEST_MISSPELT else 2
    return any(len(one) >= _SHORTEST_MISSPELT and OSA.distance(word, one) <= edits for one in words)


def _is_silent(word: str) -> bool:
    """Whether a word adds nothing in a language that has it: `the`, `mit`."""
    entries = (lexicon(language).role_of(fold_word(word)) for language in LANGUAGES)
    return not word[:1].isalnum() or any(entry and entry.is_silent for entry in entries)
