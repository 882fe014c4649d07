"""The words of a question: their forms, and those that say how its names hang together.

The latter are in `function_words.toml`, for English and German; here they are found in a question.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, cast

from groundwire.language.ordinals import measures
from groundwire.quantities.numerals import number_words, spelling
from groundwire.vocabulary.fold import split_words

Kind = Literal["word", "number", "date", "quoted", "mark"]

_UNITS = r"km/h|m/s|mph|km|cm|mm|ms|min|GB|MB|kB|KB|Hz|m|s|h|B|%|°"
_TOKEN = re.compile(
    r"(?P<quoted>\"[^\"]{1,200}\"|„[^“”\"]{1,200}[“”\"]|“[^”]{1,200}”|«[^»]{1,200}»"
    r"|(?<!\w)'[^']{1,200}'(?!\w))"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b)"
    rf"|(?P<number>(?<![\w])[-\u2212]?\d+(?:[.,]\d+)*(?=(?:{_UNITS})?(?![\w])))"
    r"|(?P<unit>km/h|m/s|(?<=\d)%|[°€£$¥])"
    r"|(?P<word>[^\W_]+(?:['\u2019][^\W\d_]+)?)"
    r"|(?P<range>(?<=\d)[-\u2013\u2014](?=\d)|(?<=\w\s)[-\u2013\u2014](?=\s\d)|\.{2,3}(?=\s?\d|$))"
    r"|(?P<without>(?<!\bund\s)(?<!\boder\s)(?<!\band\s)(?<!\bor\s)(?<=\s)-(?=[^\W\d_])|!(?=[^\W_]))"
    r"|(?P<mark>>=|<=|=>|=<|!=|==|<>|[<>=≥≤≠,;:/+|~≈±])"
)
_GERMAN_ENDINGS = ("ern", "en", "er", "es", "em", "e", "n", "s")
_LEAST_STEM = 4
# Signs by what they say: a hyphen between figures is a range, one before a word leaves it out.
_SIGNS = {"range": "..", "without": "!="}


class Token(NamedTuple):
    """One word, figure or mark.

    Attributes:
        text: as it is written.
        plain: case, accents and plural of English folded.
        stem: the ending of a German inflection cut off too.
        kind: what it is.
        start: position in the question; likewise `end`.
        split: whether it is one of the words of a compound.
    """

    text: str
    plain: str
    stem: str
    kind: Kind
    start: int
    end: int
    split: bool = False


def stemmed(plain: str) -> str:
    """A word without the endings of German inflection, as many as there are.

    A noun in "-n" loses it in every number, so that both its forms have one stem.

    >>> [stemmed(word) for word in ("karten", "karte", "szenarien", "szenario")]
    ['kart', 'kart', 'szenari', 'szenari']
    """
    if plain.endswith("io") and len(plain) > _LEAST_STEM:
        return plain[:-1]
    for ending in _GERMAN_ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _LEAST_STEM:
            return stemmed(plain[: -len(ending)])
    return plain


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order; camelCase words are several."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, raw = match.lastgroup, match[0]
        start = match.start()
        if kind == "word":
            found += _words(raw, start)
        elif kind == "quoted":
            found.append(Token(raw[1:-1].strip(), "", "", "quoted", start, match.end()))
        elif kind == "unit":
            found.append(Token(raw, raw, raw, "word", start, match.end()))
        elif kind in _SIGNS:
            found.append(Token(raw, _SIGNS[kind], _SIGNS[kind], "mark", start, match.end()))
        elif kind in ("number", "date", "mark"):
            plain = raw.replace("\u2212", "-")
            found.append(Token(raw, plain, plain, kind, start, match.end()))
    return tuple(found)


def _words(raw: str, start: int) -> list[Token]:
    words = split_words(raw)
    found: list[Token] = []
    at = 0
    if len(words.written) == 1:
        # Without its apostrophe a word is shorter than it is written.
        (single,) = words.singular
        return [Token(raw, single, stemmed(single), "word", start, start + len(raw))]
    for written, single in zip(words.written, words.singular, strict=True):
        place = raw.find(written, at)
        begin = start + (place if place >= 0 else at)
        at = place + len(written) if place >= 0 else at
        found.append(Token(written, single, stemmed(single), "word", begin, begin + len(written)))
    return found


def is_cut(tokens: Sequence[Token], at: int) -> bool:
    """Whether a position lies within one written word, as in Open|DRIVE."""
    if not 0 < at < len(tokens):
        return False
    before, after = tokens[at - 1], tokens[at]
    glued = before.kind == after.kind == "word" and before.end == after.start
    return glued and not after.split


def unparted(words: Sequence[Token]) -> Sequence[Token]:
    """The words of a name as if each were written small, and so one: "GeoTIFF" as "geotiff"."""
    found: list[Token] = []
    for at, word in enumerate(words):
        if is_cut(words, at):
            text = found[-1].text + word.text
            (whole, *_) = tokenize(text.lower())
            found[-1] = whole._replace(start=found[-1].start, end=word.end)
        else:
            found.append(word)
    return found


# A word with a capital or a figure inside is a name by itself: OpenDRIVE, Lanelet2.
_CODE = re.compile(r"^[A-Z][a-z]+(?:[A-Z]|\d)[\w-]*$")


def ends_of(text: str) -> set[str]:
    """Return what "ASAM OpenSCENARIO DSL" is called without its first word."""
    first, *rest = text.split()
    if not rest:
        return set()
    whole = [" ".join(rest)] if first.isupper() and _CODE.search(rest[0]) else []
    return {*whole, *(one for one in rest[-1:] if _CODE.search(one))}


# Words of an order that suit any figure; "longest first" suits a length alone.
_OF_DEGREE = (
    *("most ", "fewest ", "highest ", "lowest ", "desc", "asc", "in desc", "in asc"),
    *("höchste", "niedrigste", "meiste", "wenigste", "absteigend", "aufsteigend"),
)
_OF_AGE = ("newest", "latest", "oldest", "earliest", "neueste", "älteste")


class Function(NamedTuple):
    """The role of a phrase in a question.

    Attributes:
        role: filler, copula, not, lacks, or, and, both, but, comma, only, as, relative, bound,
            verb, rough, wish, self, near, properties, stated, after, before, since, until, between,
            from, to, in, more, less, better, true, false, count, aggregate, per, sort, order, top,
            most, named, in_name or measure.
        value: which bound, order or function of many values; behind a space the nouns of a
            measure, joined by "|".
    """

    role: str
    value: str = ""


_FILE = tomllib.loads(Path(__file__).with_name("function_words.toml").read_text("utf-8"))
INSIDE = frozenset[str](_FILE["positions"]["inside"])
ARTICLES = frozenset[str](_FILE["positions"]["articles"])
DEFINITE = frozenset[str](_FILE["positions"]["definite"])
INDEFINITE = frozenset[str](_FILE["positions"]["indefinite"])
UNIVERSAL = frozenset[str](_FILE["positions"]["universal"])
PERSONAL = frozenset[str](_FILE["positions"]["personal"])
PRONOUNS = frozenset[str](_FILE["positions"]["pronouns"])
RELATIVES = frozenset[str](_FILE["positions"]["relatives"])
LACKING = frozenset[str](_FILE["positions"]["lacking"])
OWNING = frozenset[str](_FILE["positions"]["owning"])
INTERROGATIVES = frozenset[str](_FILE["positions"]["interrogatives"])
PREPOSITIONS = frozenset[str](_FILE["positions"]["prepositions"])
OPENERS = frozenset[str](_FILE["positions"]["openers"])
HAVING = frozenset[str](_FILE["positions"]["having"])
CONTAINING = frozenset[str](_FILE["positions"]["containing"])
TOGETHER = frozenset[str](_FILE["positions"]["together"])
SINGLE = frozenset[str](_FILE["positions"]["single"])
# Names of properties of which a smaller figure is the better one.
FINENESS = frozenset[str](_FILE["positions"]["fineness"])
DATING = frozenset[str](_FILE["positions"]["dating"])
HOW = frozenset[str](_FILE["positions"]["how"])
# Verbs by a name of the property that they speak of.
VERBS: Mapping[str, Sequence[str]] = _FILE["verbs"]
# Parts of compounds by the function that they ask for: "Durchschnittslänge".
PARTS: Mapping[str, str] = _FILE["parts"]
_GERMAN = frozenset[str](_FILE["languages"]["german"])
_ENGLISH = frozenset[str](_FILE["languages"]["english"])
# Languages whose words of numbers are written with spaces between them.
_LATIN = ("en", "de")
# Assets of every kind are counted by their kind.
EACH_KIND = re.compile(
    r"(?i)\b(?:each|every|per|by) (?:kind|type|sort)\b(?! of)|\b(?:je|jeder|pro|nach) Art\b"
    r"|(?<=\bhow many of )each(?=\W*$)"
)
_UMLAUT = re.compile("[äöüß]", re.IGNORECASE)


def _phrases() -> Iterator[tuple[str, Function]]:
    roles = cast("Mapping[str, Sequence[str]]", _FILE["roles"])
    for name, phrases in roles.items():
        role, _, value = name.partition(":")
        for phrase in phrases:
            yield from ((form, Function(role, value)) for form in _forms(role, phrase))
    for measure in measures():
        nouns = "|".join(measure.nouns)
        made = (
            (Function("measure", nouns), measure.said("plain")),
            (Function("bound", f"gt {nouns}"), measure.bounding("more")),
            (Function("bound", f"lt {nouns}"), measure.bounding("less")),
            (Function("most", f"- {nouns}"), measure.said("most")),
            (Function("most", f"+ {nouns}"), measure.said("least")),
        )
        for function, phrases in made:
            yield from ((phrase, function) for phrase in phrases)


# Nouns of what is paid for something.
_PRICE = next(one for one in measures() if one.verbs)
PRICES: Sequence[str] = _PRICE.nouns
RATES: Sequence[Sequence[str]] = tuple(_FILE["rates"].values())


def _forms(role: str, phrase: str) -> tuple[str, ...]:
    """Return a phrase, and a German superlative in all its endings."""
    is_german = role == "most" and phrase.endswith("ste")
    return (phrase, *(f"{phrase}{ending}" for ending in "mnrs" if is_german))


def _built() -> dict[tuple[str, ...], tuple[Function, ...]]:
    found: dict[tuple[str, ...], dict[Function, None]] = {}
    for phrase, function in _phrases():
        key = tuple(token.plain for token in tokenize(phrase))
        found.setdefault(key, {})[function] = None
    return {key: tuple(held) for key, held in found.items()}


FUNCTIONS = _built()
_LONGEST = max(map(len, FUNCTIONS))


def _inflected() -> dict[str, tuple[Function, ...]]:
    found: dict[str, tuple[Function, ...]] = {}
    for phrase, function in _phrases():
        tokens = tokenize(phrase)
        if len(tokens) == 1 and function.role in ("filler", "stated", "lacks", "copula"):
            found.setdefault(tokens[0].stem, (function,))
    return {stem: held for stem, held in found.items() if len(stem) >= _LEAST_INFLECTED}


_LEAST_INFLECTED = 6
# Of words that no name has: "angegebener" is "angegeben".
INFLECTED = _inflected()


def find_functions(
    tokens: Sequence[Token], start: int
) -> Iterator[tuple[int, tuple[Function, ...]]]:
    """Phrases that begin at a token, longest first."""
    for length in range(min(_LONGEST, len(tokens) - start), 0, -1):
        part = tokens[start : start + length]
        found = FUNCTIONS.get(tuple(token.plain for token in part))
        if found:
            yield length, found


def functions_in(tokens: Sequence[Token]) -> list[Function]:
    """Return the roles of a name's words as small words: "total" of "total length"."""
    found = [
        function
        for at in range(len(tokens))
        for _, functions in find_functions(tokens, at)
        for function in functions
    ]
    first = tokens[0].text.lower() if tokens else ""
    return found + [Function("aggregate", value) for part, value in PARTS.items() if part in first]


def is_german(tokens: Sequence[Token], names: Mapping[str, int] = MappingProxyType({})) -> bool:
    """Whether a question is in German: its figures are read, and it is answered, accordingly.

    Args:
        tokens: of the question.
        names: stems of names' words, 1 if they are German and -1 if they are English: for a
            question that has no small words.
    """
    words = [token.text.lower() for token in tokens]
    german = sum(word in _GERMAN for word in words) - sum(word in _ENGLISH for word in words)
    if german == 0:
        german = sum(names.get(token.stem) or bool(_UMLAUT.search(token.text)) for token in tokens)
    return german > 0


def number_word(text: str) -> str | None:
    """Return the figure that a word says, below a hundred; None for articles and other words.

    >>> number_word("zwölf"), number_word("ein")
    ('12', None)
    """
    word = spelling(text)
    for words in map(number_words, _LATIN):
        value = words.ones.get(word, words.tens.get(word))
        if value is not None and (word == "one" or word not in words.articles):
            return str(value)
    return None


def scale_word(text: str, *, german: bool) -> int | None:
    """Return the factor that a word behind a figure says; a German Billion is a trillion."""
    word = spelling(text)
    for language in reversed(_LATIN) if german else _LATIN:
        words = number_words(language)
        value = words.scales.get(word, words.digit_scales.get(word))
        if value is not None:
            return int(value)
    return None


def scaled(figure: str, scale: int) -> str:
    """A plain decimal times the scale that a word says.

    >>> scaled("1.5", 1_000_000)
    '1500000'
    """
    value = Decimal(figure) * scale
    return str(int(value)) if value == int(value) else str(value)


def roles_of(text: str) -> set[str]:
    """Return the roles of the small words of a text."""
    tokens = tokenize(text)
    return {
        function.role
        for at in range(len(tokens))
        for _, functions in find_functions(tokens, at)
        for function in functions
    }


def is_small(text: str) -> bool:
    """Whether a text is small words only, as "shorter than" is."""
    tokens = tokenize(text)
    at = 0
    while at < len(tokens):
        length, _ = next(find_functions(tokens, at), (0, ()))
        if not length:
            return False
        at += length
    return bool(tokens)


def says_age(text: str) -> bool:
    """Whether a word orders things by their age: "newest first"."""
    return any(one.startswith(_OF_AGE) for one in text.lower().split())


def says_degree(text: str) -> bool:
    """Whether a word orders things by any figure: "lowest first", and not "longest first"."""
    return text.lower().startswith(_OF_DEGREE)


def measured_by(text: str) -> str:
    """Return the nouns of what a superlative in an order measures: of "longest first" the length.

    Returns:
        nouns with "|" between them, or empty.
    """
    said = (one.value.partition(" ")[2] for one in functions_in(tokenize(text)))
    return next(filter(None, said), "")


def asks_number(question: str) -> bool:
    """Whether a question asks how many there are: it begins so, but for words of request."""
    tokens = tokenize(question)
    at = 0
    while at < len(tokens):
        length, functions = next(find_functions(tokens, at), (0, ()))
        if any(one.role == "count" and one.value for one in functions):
            return True
        if not any(one.role == "filler" for one in functions):
            return False
        at += length
    return False
