"""Words that exist, and so are no misspelling of another word.

A near match is applied only to a word that nobody knows: not the loaded vocabularies, not the
texts that describe them, not the language. The language's lists come from the package
`pyspellchecker` (MIT; English and German, 500,000 word forms) and are read on first need.

The rule by which a misspelt term is replaced word by word. By likeness of whole strings "suburban"
becomes "urban", "undivided" "divided" and "Austria" "Australia". Word by word, and never for a word
that exists, none of them does.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from groundwire.errors import ConfigurationError
from groundwire.vocabulary.fold import CJK_RUN, Words, singular, split_words

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

    def stands_alone(self, word: str) -> bool:
        """Whether a folded word exists as one word, and not only as a compound of two."""
        return self.of_texts(word) or self.of_language(word)

    def __contains__(self, word: str) -> bool:
        """Whether a folded word exists, alone or as a compound of two words that do."""
        if self.stands_alone(word):
            return True
        return any(
            self.stands_alone(word[:cut]) and self.stands_alone(word[cut:])
            for cut in range(_PART_LENGTH, len(word) - _PART_LENGTH + 1)
        )


_CODE = re.compile(r"\d|[A-Z]{3}")
_SHORTEST = 4
_TWO_EDITS_FROM = 8
# A shorter word that is in no dictionary and in no other form is a code too (xodr, avci). Of 9,460
# listed terms whose words nothing else knew, 8 were replaced without this and 2 with it; it costs
# 1.7 % of the single typos, which are asked about instead (tests/evals/vocabulary.py).
_SHORTEST_COINED = 5
_USES_OF_WORD = 2

Distance = Callable[[str, str], int]
Changes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Respelling:
    """A term that the rule allows in place of what was sent.

    Attributes:
        edits: edits over all changed words.
        changes: the changed words, as (sent, used).
    """

    edits: int
    changes: Changes


@dataclass(frozen=True, slots=True)
class WordRule:
    """The word-by-word rule.

    Attributes:
        known: the words that exist.
        distance: optimal string alignment distance of two strings.
        uses: how many written forms of the vocabulary have a singular word.
    """

    known: KnownWords
    distance: Distance
    uses: Callable[[str], int]

    def respell(self, sent: Words, meant: Words) -> Respelling | None:
        """The changes that make a term of what was sent, or None if the rule forbids one.

        A word sent without separators is read with those of the term ("opendrve" against
        "OpenDRIVE"), so that the rule holds for each of the term's words.
        """
        size = len(meant.plain)
        if len(sent.plain) == 1 and size > 1:
            sent = self._parted(sent, meant)
        if len(sent.plain) != size:
            return None
        edits = 0
        changes: list[tuple[str, str]] = []
        for index in range(size):
            if sent.singular[index] == meant.singular[index]:
                continue
            step = self._edits(sent, meant, index)
            if step is None:
                return None
            edits += step
            changes.append((sent.written[index], meant.written[index]))
        return Respelling(edits, tuple(changes)) if changes else None

    def _edits(self, sent: Words, meant: Words, index: int) -> int | None:
        """Edits between two words, or None where one may not stand for the other."""
        plain, target = sent.plain[index], meant.plain[index]
        if plain[0] != target[0] or is_code(meant.written[index]) or CJK_RUN.search(plain):
            return None
        if digits(plain) != digits(target):
            return None
        edits = min(
            self.distance(plain, target), self.distance(sent.singular[index], meant.singular[index])
        )
        if edits > _edits_allowed(plain, target):
            return None
        # Last, since it may have to read the word lists.
        said = (plain, sent.written[index].lower())
        if _single_letters(plain) == _single_letters(target):
            # "Coblestone" is two words by chance, and lacks a letter that stands twice.
            is_word = any(map(self.known.stands_alone, said))
        else:
            is_word = any(one in self.known for one in said)
        if is_word:
            return None
        return None if self._is_coined(target, meant.singular[index]) else edits

    def _is_coined(self, word: str, one: str) -> bool:
        """Whether a short word stands in one form only and in no dictionary: a code in letters."""
        return (
            len(word) < _SHORTEST_COINED
            and self.uses(one) < _USES_OF_WORD
            and not self.known.of_language(word)
        )

    def _parted(self, sent: Words, meant: Words) -> Words:
        """One solid word cut where the term's words meet, all but one of them as they are."""
        solid = sent.plain[0]
        for index in range(len(meant.plain)):
            head = "".join(meant.plain[:index])
            tail = "".join(meant.plain[index + 1 :])
            if not (solid.startswith(head) and solid.endswith(tail)):
                continue
            if len(head) + len(tail) >= len(solid) or solid in self.known:
                continue
            middle = solid[len(head) : len(solid) - len(tail)]
            parts = (*meant.plain[:index], middle, *meant.plain[index + 1 :])
            singles = (*meant.singular[:index], middle, *meant.singular[index + 1 :])
            return Words(parts, parts, singles)
        return sent


def _single_letters(word: str) -> str:
    """Return a word with each letter that stands twice in a row once."""
    return "".join(letter for letter, _ in groupby(word))


def digits(text: str) -> str:
    """The digits of a text, in their order."""
    return "".join(char for char in text if char.isdigit())


def is_code(written: str) -> bool:
    """Whether a word as its vocabulary writes it is a code: a digit, three capitals in a row."""
    return _CODE.search(written) is not None


def _edits_allowed(sent: str, meant: str) -> int:
    """How many edits may lie between a misspelt word and the word meant, by their lengths."""
    shorter = min(len(sent), len(meant))
    if shorter < _SHORTEST:
        return 0
    return 2 if shorter >= _TWO_EDITS_FROM else 1
