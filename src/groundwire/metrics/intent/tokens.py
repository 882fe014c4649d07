"""The words of a question, each with its place and with the role that it has there.

Scripts without spaces are cut into single characters. Characters that show nothing (zero width,
direction marks) are left out and full-width forms are folded, with the place of every character
kept.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from groundwire.errors import InputError
from groundwire.metrics.gate.readings import read_table
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.terms import DerivedBy
from groundwire.vocabulary.fold import CJK, CJK_PLANES, CJK_RUN, joined, split_words

LONGEST_QUESTION = 4_000

_TOKEN = re.compile(
    rf"(?P<cjk>[{CJK}{CJK_PLANES}])"
    r"|(?P<word>(?:[A-Za-z]\.){2,}[A-Za-z]?(?![A-Za-z]))"
    r"|(?P<number>\d++(?:[.,]\d++)*+(?![A-Za-z]))"
    rf"|(?P<letters>[^\W_{CJK}{CJK_PLANES}]+)"
    r"|(?P<mark>[^\s\w,;:.?!()\[\]'\"`/\\\u2018-\u201f\u2010-\u2015\-"
    r"\u3000-\u3004\u3008-\u301f\u00b7\u2026\u00bf\u00a1_~])"
)
# Where a year begins after a word or ends before one, but for FY2024年 and 2024年Q3.
THIN_SPACE = "\u2009"
_MEETING = re.compile(
    r"(?<=[A-Za-z])(?<!FY)(?<!CY)(?=[从自至于]?(?:[0-9]{4}|[〇零一二三四五六七八九]{4})年)"
    r"|(?:(?<=[年月日度])|(?<=最[新近]))(?=[A-Za-z])(?!(?:[QHS]|FY|CY)\s?[0-9]|[YQM]TD|[TL]TM)",
    re.IGNORECASE,
)
# Where a name in Latin letters follows a year without a space (1998GDP), and where a year follows
# the point of an abbreviation (Rep.2020年).
_AFTER_YEAR = re.compile(
    r"(?<![A-Za-z0-9.,])(?:FY|CY)?[12][0-9]{3}(?=[A-Za-z]{2})"
    r"(?!(?:[YMQ]TD|[TL]TM|AD|BCE?|CE|th|st|nd|rd)(?![A-Za-z]))"
    r"|[A-Za-z]\.(?=[12][0-9]{3}年)",
    re.IGNORECASE,
)
# A year of two digits. "22年前", 近22年 and 22年来 are lengths of time.
_SHORT_YEAR = re.compile(
    r"(?<![\d.,第近去这过])(?P<han>[0-9]{2})年(?![前后来间内里以之的]|期|度?均)"
    r"|(?<!\w)['\u2019](?P<latin>[0-9]{2})(?![\w.,'\u2019])"
)
_LAST_CENTURY = 50
_HYPHENS = "-\u2010\u2011\u2012\u2013"
_JOINTS = frozenset([*_HYPHENS, "_", "'", "\u2019", "\u00b7", "`"])


class Token(NamedTuple):
    """One word, one character of Chinese, Japanese or Korean, one number, or one symbol.

    Attributes:
        start, end: its place in the text.
        text: as it is written.
        kind: what it is.
        before: what stands between it and the token before.
        plain: case, accents and width folded.
        singular: folded, and without a simple plural.
    """

    start: int
    end: int
    text: str
    kind: Literal["cjk", "word", "number", "mark"]
    before: str
    plain: str
    singular: str

    @property
    def glued(self) -> bool:
        """Whether nothing at all stands between it and the token before."""
        return self.before in ("", THIN_SPACE)

    @property
    def hyphenated(self) -> bool:
        """Whether a hyphen, underscore or apostrophe joins it to the token before."""
        return self.before in _JOINTS

    @property
    def broken(self) -> bool:
        """Whether punctuation stands between it and the token before."""
        return bool(self.before.strip()) and self.before not in _JOINTS

    @property
    def capitalised(self) -> bool:
        """Whether it is a word that begins with a capital letter."""
        return self.kind == "word" and self.text[:1].isupper()


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without what shows nothing.

    Attributes:
        text: what is read.
        places: for each of its characters the place in the original; None where they agree.
        size: length of the original.
    """

    text: str
    places: Sequence[int] | None
    size: int

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of a span of the cleaned text."""
        if self.places is None:
            return start, end
        first = self.places[start] if start < len(self.places) else self.size
        return first, (self.places[end - 1] + 1 if end > start else first)


def check_length(text: str) -> None:
    """Refuse a question that is too long to be one.

    Raises:
        InputError: it has more than 4,000 characters.
    """
    if len(text) > LONGEST_QUESTION:
        raise InputError(
            f"The question has {len(text):,} characters: send at most {LONGEST_QUESTION:,}."
        )


@cache
def _simple_forms() -> dict[int, str]:
    return {ord(written): simple for written, simple in read_table("han").items()}


def simplified(text: str) -> str:
    """A text in simplified characters, one for each of its own."""
    return text.translate(_simple_forms())


def clean(text: str) -> Cleaned:
    """Leave out format characters and fold width, character by character."""
    if text.isascii() and not _SHORT_YEAR.search(text):
        return Cleaned(text, None, len(text))
    kept: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isascii() or "\u3400" <= char <= "\u9fff":
            kept.append(char)
            places.append(place)
        elif unicodedata.category(char) not in ("Cf", "Mn"):
            folded = char if char in _JOINTS else unicodedata.normalize("NFKC", char)
            kept.extend(folded)
            places.extend([place] * len(folded))
        elif unicodedata.category(char) == "Mn":
            _accent(kept, char, places, place)
    _set_apart(kept, places)
    _complete_years(kept, places)
    read = "".join(kept)
    return Cleaned(text if read == text else read, None if read == text else places, len(text))


def _set_apart(kept: list[str], places: list[int]) -> None:
    """Put a thin space where a year meets a word without one: HK2024年GDP.

    The grammar of periods reads neither a year in a code nor a code after a year.
    """
    text = "".join(kept)
    found = {match.start() for match in _MEETING.finditer(text)}
    found |= {match.end() for match in _AFTER_YEAR.finditer(text)}
    for at in sorted(found, reverse=True):
        kept.insert(at, THIN_SPACE)
        places.insert(at, places[at])


def _complete_years(kept: list[str], places: list[int]) -> None:
    """Write a year of two digits whole: 22年 is 2022年, where no word makes it a length of time."""
    for match in reversed(list(_SHORT_YEAR.finditer("".join(kept)))):
        start, end = match.span("han" if match["han"] else "latin")
        century = "20" if int("".join(kept[start:end])) < _LAST_CENTURY else "19"
        kept[start:start] = century
        places[start:start] = [places[start]] * len(century)


def _accent(kept: list[str], mark: str, places: list[int], place: int) -> None:
    """Put a combining mark on the letter before, or leave it out where no such letter exists."""
    if not kept:
        return
    composed = unicodedata.normalize("NFC", kept[-1] + mark)
    if len(composed) == len(kept[-1]):
        kept[-1] = composed
    elif "\u0300" <= mark <= "\u036f":
        return
    else:
        kept.append(mark)
        places.append(place)


def tokenize(text: str) -> list[Token]:
    """The tokens of a text, in order."""
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        group, written = match.lastgroup, match[0]
        if group == "cjk":
            token = Token(start, match.end(), written, "cjk", text[end:start], written, written)
        elif group == "mark":
            word = "and" if written == "&" else written
            token = Token(start, match.end(), written, "mark", text[end:start], word, word)
        else:
            kind = "number" if group == "number" else "word"
            words = split_words(written.replace(".", "") if group == "word" else written)
            plain, one = joined(words.plain), joined(words.singular)
            token = Token(start, match.end(), written, kind, text[end:start], plain, one)
        found.append(token)
        end = match.end()
    return found


def inside(tokens: Sequence[Token], start: int, end: int) -> range:
    """Numbers of the tokens that have a character in a span of the text."""
    first = bisect_right(tokens, start, key=lambda token: token.end)
    return range(first, bisect_left(tokens, end, lo=first, key=lambda token: token.start))


Operation = DerivedBy

_TABLES = tomllib.loads((files(__package__ or "") / "derivations.toml").read_text("utf-8"))
# Words and phrases, by their folded words.
_DERIVED_BY_WORDS: dict[tuple[str, ...], Operation] = {
    tuple(phrase.split()): operation
    for language in ("en", "de")
    for operation, said in _TABLES[language].items()
    for phrase in said
}
DERIVED_IN_CHINESE: dict[str, Operation] = {
    word: operation for operation, said in _TABLES["zh"].items() for word in said
}

# Words for all that there is and for what is left out of it, by language.
WHOLES: Mapping[str, Mapping[str, Sequence[str]]] = _TABLES["wholes"]

Listed = Literal["metric", "entity", "period", "channel"]


def is_listed(operation: Operation, counts: dict[Listed, int]) -> bool:
    """Whether a question lists the operands of an operation.

    Args:
        operation: what is asked for.
        counts: how many values of each dimension the question lists.
    """
    several = [(dimension, count) for dimension, count in counts.items() if count > 1]
    if len(several) != 1:
        return False
    dimension, count = several[0]
    if operation == "percent_change":
        return dimension == "period"
    if operation == "delta":
        return dimension != "metric"
    if operation == "ratio":
        return count == 2
    if operation == "share":
        return dimension in ("entity", "channel")
    return dimension != "metric"


def longest_phrase(words: Sequence[str]) -> tuple[Operation, int] | None:
    """The operation whose phrase begins a sequence of folded words, and how many words it has."""
    for length in (3, 2, 1):
        operation = _DERIVED_BY_WORDS.get(tuple(words[:length])) if len(words) >= length else None
        if operation is not None:
            return operation, length
    return None


Role = Literal[
    "term",
    "period",
    "function",
    "listing",
    "own",
    "cue",
    "movement",
    "derivation",
    "qualifier",
    "time",
    "loose",
]


@dataclass(slots=True)
class Explained:
    """The tokens of a question with what each is there for.

    Attributes:
        tokens: the tokens.
        roles: the role of each.
        terms: for each token the numbers of the mentions that it is part of.
        operations: derivations that are asked for, as (operation, first token, token after).
    """

    tokens: Sequence[Token]
    roles: list[Role]
    terms: list[tuple[int, ...]]
    operations: list[tuple[Operation, int, int]] = field(
        default_factory=list[tuple[Operation, int, int]]
    )

    def give(self, first: int, last: int, role: Role) -> None:
        """Give tokens a role."""
        for at in range(first, last):
            self.roles[at] = role

    def has(self, role: Role) -> bool:
        """Whether any token has a role."""
        return role in self.roles

    def role(self, at: int) -> Role | None:
        """The role of a token; None outside of the text."""
        return self.roles[at] if 0 <= at < len(self.roles) else None


def explain_verbs(explained: Explained, metrics: Iterable[Metric]) -> None:
    """Explain what is said to be done with the metrics that are asked for: "staff that we employ".

    Right before a term it may qualify it: "the earned profit".

    Args:
        explained: the question.
        metrics: the metrics that it names.
    """
    own = [set(one.verbs) for one in metrics]
    verbs = set[str].intersection(*own) if own else set[str]()
    if not verbs:
        return
    for first, last in _stretches(explained):
        written = simplified("".join(token.plain for token in explained.tokens[first:last]))
        if written in verbs and explained.role(last) != "term":
            explained.give(first, last, "function")


def hinted(profile: Profile, text: str) -> list[Metric]:
    """The metrics that a part of a question may mean, in the order of the profile.

    Args:
        profile: says which words may mean which metric.
        text: what nothing else explains.
    """
    words = {token.plain for token in tokenize(clean(text).text)}
    written = simplified(text)
    return [
        one
        for one in profile.metrics
        if any(
            hint in written if CJK_RUN.search(hint) else hint in words
            for hint in (*one.hinted_by, *one.verbs)
        )
    ]


def hints_at_a_metric(explained: Explained, profile: Profile) -> bool:
    """Whether what is left over may mean a metric, and says little else."""
    left = [
        "".join(token.text for token in explained.tokens[first:last])
        for first, last in _stretches(explained)
    ]
    hints = {hint for one in profile.metrics for hint in (*one.hinted_by, *one.verbs)}
    found = [text for text in left if any(_is_hint(text, hint) for hint in hints)]
    return bool(found) and 2 * len(found) >= len(left)


def _is_hint(text: str, hint: str) -> bool:
    """Whether a text is a hint, or a run of characters with at most one more (多富)."""
    written = simplified(text).casefold()
    if CJK_RUN.search(hint):
        return hint in written and len(written) <= len(hint) + 1
    return written == hint


def _stretches(explained: Explained) -> Sequence[tuple[int, int]]:
    """Return the leftovers: each word by itself, and runs of characters."""
    found: list[tuple[int, int]] = []
    for at, token in enumerate(explained.tokens):
        if explained.roles[at] != "loose":
            continue
        if found and token.kind == "cjk" and token.glued and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        else:
            found.append((at, at + 1))
    return found
