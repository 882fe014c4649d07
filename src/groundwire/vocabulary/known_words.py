"""Words that exist, and so are no misspelling of another word.

A near match is applied only to a word that nobody knows: not the loaded vocabularies, not the
texts that describe them, not the language. The language's lists come from the package
`pyspellchecker` (MIT; English and German, 500,000 word forms) and are read on first need.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache

from groundwire.errors import ConfigurationError
from groundwire.vocabulary.fold import split_words
from groundwire.vocabulary.plurals import singular

LANGUAGES = ("en", "de")
# One word of each list, to see that it is laid out as it is searched.
_PROBES = {"en": "road", "de": "straße"}
# A compound (roadside, landstrasse) is known by two parts of at least this many letters.
_PART_LENGTH = 4


class LanguageWords:
    """The word list of one language, searched where it lies.

    The list is one sorted JSON object with a word a line. A binary search over its bytes costs
    20 microseconds and no memory beyond the text; a set of its words would take 0.3 s to make
    and 50 MB to keep.
    """

    def __init__(self, language: str) -> None:
        """Read the list.

        Args:
            language: code of a language for which `pyspellchecker` has a list.

        Raises:
            ConfigurationError: the list is missing or is not laid out as expected.
        """
        import gzip
        from importlib.resources import files

        try:
            packed = (files("spellchecker") / "resources" / f"{language}.json.gz").read_bytes()
            self._data = gzip.decompress(packed)
        except (ImportError, OSError, EOFError) as error:
            raise ConfigurationError(
                f"The word list of language {language!r} cannot be read ({error}): "
                "reinstall the package pyspellchecker"
            ) from error
        if _PROBES.get(language, "") not in self and language in _PROBES:
            raise ConfigurationError(
                f"The word list of language {language!r} is not sorted one word a line: "
                "install pyspellchecker 0.9"
            )

    def __contains__(self, word: str) -> bool:
        data, wanted = self._data, word.encode()
        low, high = 0, len(data)
        while low < high:
            middle = (low + high) // 2
            start = data.rfind(b"\n", 0, middle) + 1
            end = data.find(b"\n", middle)
            end = len(data) if end < 0 else end
            found = data[start + 1 : data.find(b'"', start + 1, end)] if end > start else b""
            if found == wanted:
                return bool(wanted)
            if found < wanted or start == 0:
                low = end + 1
            else:
                high = start - 1
        return False


@cache
def _language_words(language: str) -> LanguageWords:
    return LanguageWords(language)


class KnownWords:
    """All words that stand for themselves: of vocabularies, of texts, of the language.

    One object is shared by all vocabularies of a server, and each adds its own words to it.
    Nothing is split into words before the first question.
    """

    def __init__(self, texts: Iterable[str] = (), languages: tuple[str, ...] = LANGUAGES) -> None:
        """Begin with texts.

        Args:
            texts: labels, comments and descriptions; kept by reference until they are needed.
            languages: whose words count as known; empty for none.
        """
        self._pending: list[Iterable[str]] = [texts]
        self._words: set[str] = set()
        self._languages = languages
        self._lock = threading.Lock()

    def add(self, texts: Iterable[str]) -> None:
        """Add the words of more texts, split on the next question."""
        with self._lock:
            self._pending.append(texts)

    def prepare(self) -> None:
        """Do now what the first question would do: split the texts, read the lists."""
        self._split()
        for language in self._languages:
            _language_words(language)

    def _split(self) -> None:
        if not self._pending:
            return
        with self._lock:
            while self._pending:
                for text in self._pending[-1]:
                    self._words.update(split_words(text).plain)
                self._pending.pop()

    def of_texts(self, word: str) -> bool:
        """Whether a folded word, or its singular, is in a vocabulary or text."""
        self._split()
        return word in self._words or singular(word) in self._words

    def of_language(self, word: str) -> bool:
        """Whether a lower-case word, or its singular, is in a list of the language."""
        one = singular(word)
        return any(
            word in known or (one != word and one in known)
            for known in map(_language_words, self._languages)
        )

    def _single(self, word: str) -> bool:
        return self.of_texts(word) or self.of_language(word)

    def __contains__(self, word: str) -> bool:
        """Whether a folded word exists, alone or as a compound of two words that do."""
        if self._single(word):
            return True
        return any(
            self._single(word[:cut]) and self._single(word[cut:])
            for cut in range(_PART_LENGTH, len(word) - _PART_LENGTH + 1)
        )
