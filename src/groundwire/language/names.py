"""One index over the names of all vocabularies in force, read longest match first."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.language.detection import HAN_CHARACTER
from groundwire.language.lexicon import LANGUAGES, Language, lexicon
from groundwire.language.text import Piece, Tag, Token, pieces
from groundwire.vocabulary.fold import fold_plain, fold_word, is_code, joined, split_words


class Hit(NamedTuple):
    """A name as it stands in a text.

    Attributes:
        start: where it begins.
        end: where it ends, exclusive.
        terms: what it may name, in the order in which the terms were added.
    """

    start: int
    end: int
    terms: tuple[Hashable, ...]


class _Name(NamedTuple):
    """A name as it was added; `exact` names match only as they are written.

    A code matches in small letters too, but has no plural: "Mars" is not MAR.
    """

    written: str
    exact: bool
    term: Hashable

    def stands_as(self, written: str) -> bool:
        """Whether a text with the key of this name names it."""
        if self.exact:
            return self.written == written
        return not is_code(self.written) or fold_plain(self.written) == fold_plain(written)


class _Unit(NamedTuple):
    """A word of a text, or one Chinese character, with the folded forms it may stand for."""

    start: int
    end: int
    forms: tuple[str, ...]


_CODE_LENGTH = 2
_SHOUTED = 4
_HEAD = 3
# A name has no more words than this; "Democratic People's Republic of Korea" has six.
_MOST_UNITS = 40
_GERMAN_ENDING = re.compile(r"(?:en|em|er|es|e|n|s)$")
_SHORTEST_STEM = 4
_MOST_KEYS = 64
_MEANINGFUL = frozenset("+#%@*=~^°")
_POSSESSIVE = re.compile(r"^['’]s(?!\w)")
_LONGEST_GAP = 5
_BRIDGES = frozenset("-–'’./_&,()`")


class NameIndex:
    """Names with their terms. Names that fold alike share a key, and each hit has all its terms.

    Case, accents, hyphens, spaces and simple plurals tell no names apart. Names of two letters,
    and short ones in capitals that spell a small word ("US", "IT"), match only as written.
    """

    def __init__(self) -> None:
        self._names: dict[str, dict[_Name, None]] = {}
        self._terms: dict[str, tuple[Hashable, ...]] = {}
        self._stems: dict[str, str] = {}
        self._longest: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._names)

    def add(self, text: str, term: Hashable) -> None:
        """Add a name of a term; a term may have many names and a name many terms."""
        key, stem, is_exact = _folded(text)
        if not key:
            return
        names = self._names.get(key)
        if names is None:
            names = self._names[key] = {}
            self._register(key)
        names[_Name(text, is_exact, term)] = None
        self._terms.pop(key, None)
        if stem != key and stem not in self._stems:
            self._stems[stem] = key
            self._register(stem)

    def _register(self, key: str) -> None:
        for size in range(1, _HEAD + 1):
            head = key[:size]
            self._longest[head] = max(self._longest.get(head, 0), len(key))

    def _terms_of(self, key: str, written: str) -> tuple[Hashable, ...]:
        """The terms that bear a name, each once; of exact names and codes only those so written."""
        known = self._terms.get(key)
        if known is not None:
            return known
        names = self._names.get(key, {})
        terms = tuple(dict.fromkeys(name.term for name in names if name.stands_as(written)))
        if not any(name.exact or is_code(name.written) for name in names):
            self._terms[key] = terms
        return terms

    def find(self, text: str, tokens: Sequence[Token] | None = None) -> tuple[Hit, ...]:
        """Return the longest names in a text that do not overlap, in order.

        Args:
            text: any text.
            tokens: its tokens, where they are known; their lemmas then count as forms.
        """
        if not self._names:
            return ()
        units = _units(text, pieces(text) if tokens is None else tokens)
        hits: list[Hit] = []
        at = 0
        while at < len(units):
            found = self._longest_at(text, units, at)
            if found is None:
                at += 1
                continue
            stop, hit = found
            hits.append(hit)
            at = stop
        return tuple(hits)

    def _longest_at(self, text: str, units: Sequence[_Unit], at: int) -> tuple[int, Hit] | None:
        longest = self._longest
        for form in units[at].forms:
            if len(form) <= longest.get(form[:_HEAD], 0):
                break
        else:
            return None  # no name begins so
        best: tuple[int, Hit] | None = None
        keys = [form for form in units[at].forms if len(form) <= longest.get(form[:_HEAD], 0)]
        stop = at + 1
        while keys:
            hit = self._hit(text, units[at].start, units[stop - 1].end, keys)
            if hit:
                best = (stop, hit)
            if stop == len(units) or stop - at == _MOST_UNITS:
                break
            gap = units[stop - 1].end, units[stop].start
            if gap[1] - gap[0] > _LONGEST_GAP or not _is_bridge(text[slice(*gap)]):
                break
            forms, shorter, keys = units[stop].forms, keys, list[str]()
            for key in shorter:
                for form in forms:
                    # Two digits stay apart, as in a folded term.
                    joint = " " if key[-1].isdigit() and form[0].isdigit() else ""
                    longer = key + joint + form
                    if len(longer) <= longest.get(longer[:_HEAD], 0):
                        keys.append(longer)
            # Few keys stay alike at their beginnings; more would be the square of the forms.
            del keys[_MOST_KEYS:]
            stop += 1
        return best

    def _hit(self, text: str, start: int, end: int, keys: Sequence[str]) -> Hit | None:
        written = text[start:end]
        for key in keys:
            known = key if key in self._names else self._stems.get(key)
            terms = self._terms_of(known, written) if known else ()
            if terms:
                return Hit(start, end, terms)
        return None


@lru_cache(maxsize=65_536)
def _key(text: str) -> str:
    return joined(split_words(text).singular)


@lru_cache(maxsize=65_536)
def _folded(text: str) -> tuple[str, str, bool]:
    """The key of a name, its key without German endings, and whether it counts only as written."""
    key = _key(text)
    return (key, _stem_key(text), _is_exact(text, key)) if key else ("", "", False)


def _stem_key(text: str) -> str:
    """The key without German endings: "Vereinigte Staaten" as "Vereinigten Staaten"."""
    return joined([_stem(word) for word in split_words(text).singular])


def _stem(word: str) -> str:
    stem = _GERMAN_ENDING.sub("", word)
    return stem if len(stem) >= _SHORTEST_STEM and stem.isalpha() else word


def _is_exact(text: str, key: str) -> bool:
    """Whether a name counts only as it is written, since in other letters it is another word."""
    if len(text) <= _CODE_LENGTH and text.isascii() and text.isalpha():
        return True
    spelled = fold_word(text)
    if text.isupper() and len(text) <= _SHOUTED:
        return any(spelled in lexicon(language).entries for language in LANGUAGES)
    entries = (lexicon(language).entries.get(spelled) for language in LANGUAGES)
    return any(
        entry is not None and (entry.role == "function" or entry.sense == "other")
        for entry in entries
    )


def _units(text: str, parts: Sequence[Token] | Sequence[Piece]) -> list[_Unit]:
    units: list[_Unit] = []
    for part in parts:
        written = text[part.start : part.end]
        if not written.isascii() and HAN_CHARACTER.match(written):
            units += [
                _Unit(at, at + 1, (fold_word(character),))
                for at, character in enumerate(written, part.start)
            ]
        elif written[0].isalnum() or written in _MEANINGFUL:
            if isinstance(part, Token):
                forms = _forms(written, part.lemma, part.tag, part.language)
            else:
                forms = _forms(written, "", "other", "")
            units.append(_Unit(part.start, part.end, forms))
    return units


@lru_cache(maxsize=65_536)
def _forms(written: str, lemma: str, tag: Tag, language: Language) -> tuple[str, ...]:
    """The folded forms that a word may stand for, the likeliest first."""
    words = split_words(written)
    forms = [joined(words.singular), joined(words.plain)]
    if language == "de":
        forms += [_key(lemma), _stem_key(written)]
    elif language == "en" and tag in ("noun", "name"):
        forms.append(_key(lemma))
    return tuple(dict.fromkeys(form for form in forms if form))


@lru_cache(maxsize=1_024)
def _is_bridge(gap: str) -> bool:
    rest = _POSSESSIVE.sub("", gap)
    return len(rest) <= 3 and all(one.isspace() or one in _BRIDGES for one in rest)
