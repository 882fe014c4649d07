"""Folding: which two spellings are the same term.

Case, accents, width, spaces, hyphens, underscores, punctuation, camelCase and simple English
plurals do not tell terms apart; letters, digits, signs and symbols do (`C` is not `C++`, `3.7` is
not `37`, `GMT+5` is not `GMT-5`). Chinese and other scripts without case pass through NFKC.
A word of a sentence is folded less: `fold_word` keeps accents and plurals.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

# Words that end in a plural's letters and are none, or that mean something else without them.
_TABLES = tomllib.loads((files("groundwire.vocabulary") / "plurals.toml").read_text("utf-8"))
_INVARIANT = frozenset[str](_TABLES["invariant"])
_IRREGULAR: dict[str, str] = _TABLES["irregular"]
# Nouns in "-use"; other words in "-uses" are plurals of "-us" (buses, statuses, viruses).
_USE_NOUNS = frozenset[str](_TABLES["use_nouns"])
# These endings take a whole "es" in the plural: classes, crashes, branches, boxes.
_ES_ENDINGS = ("sses", "shes", "ches", "xes", "zzes")


def singular(word: str) -> str:
    """The singular of a lower-case word, or the word itself where it is not a plain plural.

    >>> [singular(word) for word in ("lanes", "countries", "buses", "class", "species", "1990s")]
    ['lane', 'country', 'bus', 'class', 'species', '1990s']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word[-1] != "s" or word[-2] in "sui" or word in _INVARIANT:
        return word
    if not (word.isascii() and word.isalpha()):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    takes_es = word.endswith(_ES_ENDINGS) or (word.endswith("oes") and len(word) > 5)
    us_noun = word.endswith("uses") and word[-5:-4] not in ("", "a", "o")
    if takes_es or (us_noun and word not in _USE_NOUNS):
        return word[:-2]
    return word[:-1]


# Han, kana, Hangul and their extensions: scripts that write no spaces between words.
CJK = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK_PLANES = "\U00020000-\U0003ffff"
CJK_RUN = re.compile(f"[{CJK}{CJK_PLANES}]+")

# A hump: "roadType", "HDMap", "RAID0Level"; the plural of an acronym ("URLs") is none.
_HUMP = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])"
)
_ACRONYM_PLURAL = re.compile(r"(?<=[A-Z]{2})s(?![A-Za-z])")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019\u02bc`](?=\w)")
# A word (CJK apart from other letters), a symbol that carries meaning, or the sign of a number.
_TOKEN = re.compile(
    f"[{CJK}{CJK_PLANES}]+"
    f"|[^\\W_{CJK}{CJK_PLANES}]+"
    r"|(?<![\w\)\]])[-\u2212](?=\d)"
    r"|[+#%&@*<>=~^|$\u00a3\u20ac\u00a5\u00b0\u00a7\u00b1\u00d7\u2260\u2264\u2265]"
)
_LETTERS_WITHOUT_ACCENT = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"}
)
# An all-capital word up to this length is a code: its last S is no plural (ADAS, not ADA).
_CODE_LENGTH = 4
_TERM_LENGTH = 128


def _humps(text: str) -> str:
    """Spaces between the humps of camelCase, in any script that has case."""
    if text.isascii():
        return _HUMP.sub(" ", text)
    # The ASCII shape of the text, letter by letter, shows where its humps are.
    shape = "".join(
        char
        if char.isascii()
        else "A"
        if char.isupper()
        else "a"
        if char.islower()
        else " "
        if not char.isalnum()
        else "0"
        for char in text
    )
    parts: list[str] = []
    last = 0
    for match in _HUMP.finditer(shape):
        parts.append(text[last : match.start()])
        last = match.start()
    return " ".join([*parts, text[last:]])


def _plain(token: str) -> str:
    """Case and accents folded; a mark that makes another letter (kana, й) is kept."""
    token = token.casefold()
    if token.isascii():
        return token
    decomposed = unicodedata.normalize("NFD", token)
    kept = [
        char
        for before, char in zip(" " + decomposed, decomposed, strict=False)
        if not ("\u0300" <= char <= "\u036f" and before != "и")
    ]
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LETTERS_WITHOUT_ACCENT)


class Words(NamedTuple):
    """The words of a text, one below the other.

    Attributes:
        written: as the text has them, camelCase split.
        plain: case, accents and width folded.
        singular: the plain words, simple plurals folded too.
    """

    written: tuple[str, ...]
    plain: tuple[str, ...]
    singular: tuple[str, ...]


def is_code(text: str) -> bool:
    """Whether a text is one short word in capitals, which has no plural."""
    return len(text) <= _CODE_LENGTH and text.isupper() and text.isalpha()


def split_words(text: str) -> Words:
    """The words of a text; symbols that carry meaning (`+`, `#`, `%`) are words too."""
    return _split_term(text) if len(text) <= _TERM_LENGTH else _split(text)


def _split(text: str) -> Words:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text = _ACRONYM_PLURAL.sub("", _APOSTROPHE.sub("", text))
    written = tuple(_TOKEN.findall(_humps(text)))
    plain = tuple(map(_plain, written))
    return Words(
        written,
        plain,
        tuple(
            word if is_code(token) else singular(word)
            for token, word in zip(written, plain, strict=True)
        ),
    )


# Terms come again and again, passages do not.
_split_term = lru_cache(maxsize=65_536)(_split)


def joined(words: Sequence[str]) -> str:
    """Words without their separators, but for one between two digits: 3.7 is not 37."""
    parts = list(words[:1])
    for before, word in pairwise(words):
        parts += [" ", word] if before[-1].isdigit() and word[0].isdigit() else [word]
    return "".join(parts)


def fold_plain(text: str) -> str:
    """The folding of a text without that of plurals."""
    return joined(split_words(text).plain) or text.strip()


def fold(text: str) -> str:
    """The key under which every spelling of one term is the same.

    A text without a letter, digit or symbol is its own key, so that nothing folds to nothing.

    >>> fold("numberTrafficLights") == fold("Number traffic-lights") == "numbertrafficlight"
    True
    >>> fold("HDMap") == fold("hd-map") == fold("hdmap") == "hdmap"
    True
    """
    return joined(split_words(text).singular) or text.strip()


# The forms of apostrophes and hyphens.
_WORD_SIGNS = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-"}
)


def fold_word(text: str) -> str:
    """Return a word in NFKC and without case.

    >>> fold_word("ＧＤＰ")
    'gdp'
    """
    if text.isascii():
        return text.lower()
    return _short_word_folded(text) if len(text) <= _SHORT_WORD else _word_folded(text)


def _word_folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().translate(_WORD_SIGNS)


# Words come again and again, long runs do not.
_SHORT_WORD = 24
_short_word_folded = lru_cache(maxsize=65_536)(_word_folded)


def without_accents(text: str) -> str:
    """Return a text without accents, as names of fields are compared.

    >>> without_accents("Gründe")
    'Grunde'
    """
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    return "".join(c for c in apart if not unicodedata.combining(c))
