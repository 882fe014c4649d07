"""Tokens, sentences, items of lists and cells of a text, with their offsets; nothing is left out.

Every character except spaces is in exactly one token: words, numbers, addresses, markup and
signs. A text of a script that no lexicon knows has tokens too, of language "".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from groundwire.language.detection import GERMAN_QUOTE, HAN_CHARACTER, languages_of, latin_language
from groundwire.language.lexicon import LANGUAGES, Language, lexicon
from groundwire.language.ordinals import is_ordinal
from groundwire.language.tagging import Tag, cut_chinese, tag_words
from groundwire.vocabulary.fold import fold_word

__all__ = ["LANGUAGES", "Language", "Sentence", "SentenceKind", "Tag", "Token"]


class Token(NamedTuple):
    """A word, number, address or sign as it stands in a text.

    Attributes:
        start: where it begins.
        end: where it ends, exclusive.
        text: as it was written.
        key: without case and width.
        lemma: its dictionary form, folded; the key where no tagger knows it.
        tag: its part of speech.
        language: the language that it is read in, or "".
    """

    start: int
    end: int
    text: str
    key: str
    lemma: str
    tag: Tag
    language: Language


@dataclass(frozen=True, slots=True)
class Sentence:
    """A part of a text that says something by itself.

    Attributes:
        start: where it begins.
        end: where it ends, exclusive.
        kind: a sentence of prose, an item of a list, a cell of a table, a heading, code or a
            quoted line.
        language: the language that it is read in, or "".
        row: number of its line among the lines of the text.
        column: number of the cell in its row, 0 for all else.
        is_header: whether it is a cell in the first row of a table that a rule closes.
        body: where it begins after the marker of an item, a heading or a quoted line.
    """

    start: int
    end: int
    kind: SentenceKind
    language: Language
    row: int = 0
    column: int = 0
    is_header: bool = False
    body: int = 0


# Letters without capitals are kept out of what minds no case: their long ranges are slow to fold.
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAN_FIGURE = r"(?<![0-9])[0-9][0-9.,]*[万亿年]"  # right behind a Latin name: GDP1.58万亿
_OTHER_EAST = "\u3040-\u30ff\uac00-\ud7af\u1100-\u11ff"
_TAGS = (
    "a|abbr|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|div|dl|dt|em|font"
    "|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|small|span|strike|strong|sub|sup|table|tbody"
    "|td|tfoot|th|thead|tr|tt|u|ul|var"
)
# These attributes show no text to a reader; a title or an alternative text would.
_ATTRIBUTES = "align|class|colspan|height|href|id|rel|rowspan|scope|src|style|target|width"
_MAIL = r"(?P<mail>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})|"
_PARTS = (
    # An address: what closes it in a sentence is not part of it.
    r"(?P<iri>(?<![a-z])(?:https?|ftp|file)://[^\s<>\"'`|\\^{}\[\]（）。，；、」』”]{1,2000}"
    r"|(?<![a-z])(?:urn|mailto|doi):[^\s<>\"'`|\\^{}\[\]（）。，；、」』”]{1,2000})"
    rf"|(?P<markup></?(?:{_TAGS})(?: (?:{_ATTRIBUTES})=(?:\"[^\"<>]{{0,500}}\"|'[^'<>]{{0,500}}')"
    r"){0,9} ?/?>|&(?:[a-z]{2,8}|\#[0-9]{1,6});|`{1,9}|\*{1,9}|~~|_{2,9})"
    r"|(?P<number>[0-9０-９](?:[0-9０-９]|[.,'’\u202f\u00a0](?=[0-9０-９]))*)"
    rf"|(?P<han>(?-i:[{HAN}]+))"
    r"|(?P<abbreviation>(?:[^\W\d_]\.){2,9}(?!\w)"
    r"|(?-i:[a-z])\.(?:[ \u00a0\u202f][^\W\d_]\.){1,3}(?!\w))"  # z. B.
    rf"|(?P<word>(?-i:(?:(?![{HAN}])[^\W_])(?:(?![{HAN}]|{_HAN_FIGURE})\w|[\u0300-\u036f\u200c\u200d])*))"
    r"|(?P<clitic>['’ʼ](?:s|re|ve|ll|d|m)(?!\w))"
    r"|(?P<sign>\S)"
)
_TOKEN = re.compile(_PARTS, re.IGNORECASE)
_QUOTED = re.compile('[“„«»"][^“”„«»"\n]{1,200}[”“»«"]')
_NEGATED = re.compile(r"['’ʼ]t(?!\w)", re.IGNORECASE)
_CONTRACTED = re.compile(r"n['’ʼ]t(?!\w)", re.IGNORECASE)
# Longer runs of Chinese characters are cut in pieces of this length before they are segmented.
_LONGEST_RUN = 2_000
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
_FAR_LETTER = re.compile(rf"[{_OTHER_EAST}]|(?![a-zA-ZÀ-ɏ{HAN}])[^\W\d_]")


@cache
def _token_or_mail() -> re.Pattern[str]:
    """Return the pattern of texts with mail addresses, whose sign it looks for behind each word."""
    return re.compile(_MAIL + _PARTS, re.IGNORECASE)


class Piece(NamedTuple):
    """A token before its language and part of speech are known."""

    start: int
    end: int
    kind: str


def pieces(text: str) -> list[Piece]:
    """Cut a text into addresses, markup, numbers, words, runs of Chinese characters and signs."""
    found: list[Piece] = []
    search = (_token_or_mail() if "@" in text else _TOKEN).search
    position = 0
    while match := search(text, position):
        start, end = match.span()
        kind = match.lastgroup or "sign"
        if kind == "iri" or kind == "mail":
            kind = "iri"
            end = start + len(match[0].rstrip(".,;:!?)*_"))
        elif kind == "word":
            end = start + len(match[0].rstrip("_"))
            if text[end - 1] in "nN" and end - start > 1 and _NEGATED.match(text, end):
                found.append(Piece(start, end - 1, "word"))
                start, end = end - 1, end + 2
        found.append(Piece(start, end, kind))
        position = end
    return found


def tokens(text: str) -> tuple[Token, ...]:
    """Return every token of a text; each character except spaces is in exactly one."""
    found = pieces(text)
    return tuple(segmented(runs_of(text, found, sentences_of(text, found)), ()))


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences, items, cells, headings, code and quoted lines of a text, in order."""
    return sentences_of(text, pieces(text))


def sentences_of(text: str, found: Sequence[Piece]) -> tuple[Sentence, ...]:
    """Return the sentences of a text whose pieces are known, each with its language."""
    blocks = split_sentences(text)
    starts = [piece.start for piece in found]
    written: list[list[str]] = []
    for block in blocks:
        low, high = bisect_left(starts, block.start), bisect_left(starts, block.end)
        own = [piece for piece in found[low:high] if piece.kind in ("word", "han")]
        # A quoted title says nothing of the language of its sentence, unless it is all there is.
        quoted = [match.span() for match in _QUOTED.finditer(text, block.start, block.end)]
        if quoted:
            free = [p for p in own if not any(start <= p.start < end for start, end in quoted)]
            own = free if len(free) > 1 else own
        opened = text.find(GERMAN_QUOTE, block.start, block.end) >= 0
        written.append([text[p.start : p.end] for p in own] + [GERMAN_QUOTE] * opened)
    languages = languages_of(written)
    return tuple(
        Sentence(*block[:3], language, *block[3:])
        for block, language in zip(blocks, languages, strict=True)
    )


def language_of(text: str) -> Language:
    """Return the language of one sentence, or "" where it is none of those with a lexicon."""
    words = [text[p.start : p.end] for p in pieces(text) if p.kind in ("word", "han")]
    return languages_of([words])[0]


def runs_of(text: str, found: Sequence[Piece], parts: Sequence[Sentence]) -> list[Token]:
    """Return the tokens of pieces, each read in the language of its sentence.

    A run of Chinese characters is one token still; `segmented` cuts it into words.
    """
    made: list[Token] = []
    latin = latin_language([part.language for part in parts])
    index, size = 0, len(found)
    for part in parts:
        stop, end = index, part.end
        while stop < size and found[stop].start < end:
            stop += 1
        spoken: Language = latin if part.language == "zh" else part.language
        made += _sentence_tokens(text, found[index:stop], spoken)
        index = stop
    return made


def _sentence_tokens(text: str, found: Sequence[Piece], language: Language) -> Iterator[Token]:
    read = {p.start for p in found if _is_tagged(text, p)} if language else ()
    words = [text[p.start : p.end] for p in found if p.start in read]
    if not _STEMS.keys().isdisjoint(map(str.lower, words)):
        words = [_stem(text[p.start : p.end], text, p.end) for p in found if p.start in read]
    tagged = iter(tag_words(words, language) if words else ())
    for start, end, kind in found:
        written = text[start:end]
        if start in read:
            key, tag, lemma = next(tagged)
            yield Token(start, end, written, key, lemma, tag, language)
            continue
        key = fold_word(written)
        if kind == "word":
            tag = "number" if key[0].isdigit() else "other"
            yield Token(start, end, written, key, key, tag, "")
        else:
            tag = _KIND_TAGS.get(kind, "other")
            yield Token(start, end, written, key, key, tag, "zh" if kind == "han" else language)


def segmented(runs: Iterable[Token], cuts: Sequence[int]) -> Iterator[Token]:
    """Yield the tokens of a text, runs of Chinese characters cut into words.

    Args:
        runs: what `runs_of` returns.
        cuts: offsets that no token crosses, in ascending order.
    """
    index, size = 0, len(cuts)
    for run in runs:
        while index < size and cuts[index] <= run.start:
            index += 1
        is_han = run.language == "zh" and HAN_CHARACTER.match(run.text) is not None
        if index == size or cuts[index] >= run.end:
            if is_han:
                yield from _han_tokens(run.start, run.text)
            else:
                yield run
            continue
        edges = [run.start]
        while index < size and cuts[index] < run.end:
            edges.append(cuts[index])
            index += 1
        for start, end in pairwise([*edges, run.end]):
            written = run.text[start - run.start : end - run.start]
            if is_han:
                yield from _han_tokens(start, written)
            else:
                key = fold_word(written)
                yield Token(start, end, written, key, key, run.tag, run.language)


_KIND_TAGS: dict[str, Tag] = {
    "number": "number",
    "sign": "sign",
    "markup": "sign",
    "clitic": "function",
    "abbreviation": "name",
}


def _is_tagged(text: str, piece: Piece) -> bool:
    """Whether the tagger reads a piece: a word in Latin letters, or a sign that parts words."""
    if piece.kind != "word":
        return piece.kind == "sign" and text[piece.start] in ",;:"
    is_far = not text.isascii() and _FAR_LETTER.search(text, piece.start, piece.end)
    return text[piece.start].isalpha() and not is_far


def _stem(word: str, text: str, end: int) -> str:
    """The verb before a contracted "not": "wo" of "won't" is "will"."""
    stem = _STEMS.get(word.lower())
    return stem if stem and _CONTRACTED.match(text, end) else word


def _han_tokens(start: int, run: str) -> Iterator[Token]:
    for word, tag in cut_chinese(run) if len(run) <= _LONGEST_RUN else _long_run(run):
        key = fold_word(word)
        yield Token(start, start + len(word), word, key, key, tag, "zh")
        start += len(word)


def _long_run(run: str) -> Iterator[tuple[str, Tag]]:
    for start in range(0, len(run), _LONGEST_RUN):
        yield from cut_chinese(run[start : start + _LONGEST_RUN])


SentenceKind = Literal["sentence", "item", "cell", "heading", "code", "quote"]


class Block(NamedTuple):
    """A part of a text that says something by itself, before its language is known."""

    start: int
    end: int
    kind: SentenceKind
    row: int = 0
    column: int = 0
    is_header: bool = False
    body: int = 0


class _Line(NamedTuple):
    start: int
    end: int
    row: int


_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_FENCE = re.compile(r"[ \t]{0,12}(?:```|~~~)")
_ITEM = re.compile(r"[ \t]{0,40}(?:[-*+•‣◦·–—]|\(?[0-9]{1,4}[.)]|[a-zA-Z][.)])[ \t]+")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_QUOTE = re.compile(r"[ \t]{0,12}>")
_RULE = re.compile(r"[ \t|:+=-]*+$")
_CELL = re.compile(r"(?:\\\||[^|])+")
_TAG_BOUND = re.compile(
    r"</?(?:li|p|div|tr|td|th|h[1-6]|br|hr|ul|ol|table|blockquote|pre|dt|dd)(?: [^<>]{0,500})?/?>",
    re.IGNORECASE,
)
_TAG_KINDS: dict[str, SentenceKind] = {"li": "item", "td": "cell", "th": "cell", "dd": "item"}
_STOP = re.compile(r"[.!?。！？；…][.!?。！？…]*[\"'”’»)\]）」』*_]*")
_FULL = frozenset("。！？；")
_UNIT_BEFORE = re.compile(r"[0-9][ \u00a0]?[a-z]$")
# A short word before a full stop and a small letter may be an abbreviation that is not listed.
_SHORT_WORD = 4
_ROMAN = frozenset("IVXLCDM")


@cache
def _abbreviations() -> frozenset[str]:
    """The abbreviations of all languages; a sentence's own is known only after it is cut."""
    return frozenset[str]().union(*(lexicon(name).rules.abbreviations for name in LANGUAGES))


def split_sentences(text: str) -> list[Block]:
    """Return the sentences, items, cells, headings, code and quoted lines of a text, in order.

    Every character except spaces lies in one of them.
    """
    return list(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    in_code = False
    prose: list[_Line] = []
    lines = [_Line(m.start(), m.end(), row) for row, m in enumerate(_LINE.finditer(text))]
    before: _Line | None = None
    for number, line in enumerate(lines):
        if before is not None and _is_rule_below(text, before, line, in_code):
            before = line
            continue
        kind: SentenceKind | None
        fence = _FENCE.match(text, line.start, line.end)
        kind = "code" if fence or in_code else _line_kind(text, before, line, bool(prose))
        is_new = before is not None and text.count("\n", before.end, line.start) > 1
        if kind is not None or is_new:
            yield from _prose(text, prose)
            prose = []
        if kind is None:
            prose.append(line)
        elif kind == "code":
            in_code = in_code != bool(fence)
            yield Block(line.start, line.end, "code", line.row, body=line.start)
        elif kind == "cell":
            after = lines[number + 1] if number + 1 < len(lines) else None
            yield from _cells(text, line, after)
        else:
            yield from _split(text, line.start, line.end, kind, line.row)
        before = line
    yield from _prose(text, prose)


def _is_rule_below(text: str, before: _Line, line: _Line, in_code: bool) -> bool:
    """Whether a line is the rule below the first row of a table, which holds it already."""
    return (
        not in_code
        and text.count("|", before.start, before.end) > 1
        and _is_rule(text, line)
        and not _is_rule(text, before)
    )


def _is_rule(text: str, line: _Line) -> bool:
    """Whether a line is made of bars and hyphens only."""
    ruled = _RULE.match(text, line.start, line.end)
    return ruled is not None and text.find("-", line.start, line.end) >= 0


def _line_kind(text: str, before: _Line | None, line: _Line, in_prose: bool) -> SentenceKind | None:
    if text.count("|", line.start, line.end) > 1:
        return "cell"
    if _HEADING.match(text, line.start, line.end):
        return "heading"
    if _QUOTE.match(text, line.start, line.end):
        return "quote"
    item = _ITEM.match(text, line.start, line.end)
    if item is None:
        return None
    # A line of prose may happen to begin with a figure: "the population is\n83. It ...".
    goes_on = (
        in_prose
        and before is not None
        and text.count("\n", before.end, line.start) < 2
        and text[before.end - 1] not in ":：."
        and item[0].strip("( \t.)") not in "1-*+•‣◦·–—"
    )
    return None if goes_on else "item"


def _cells(text: str, line: _Line, after: _Line | None) -> Iterator[Block]:
    """The cells of a row of a table; the last holds the bar, and the rule, that close the row."""
    is_header = after is not None and _is_rule(text, after)
    row_end = after.end if is_header and after is not None else line.end
    cells: list[tuple[int, re.Match[str]]] = []
    column = -1 if text[line.start : line.end].lstrip().startswith("|") else 0
    counted = line.start
    for match in _CELL.finditer(text, line.start, line.end):
        column += text.count("|", counted, match.start())
        counted = match.start()
        if match[0].strip():
            cells.append((column, match))
    start = line.start
    for number, (column, match) in enumerate(cells):
        end = row_end if number + 1 == len(cells) else match.end()
        yield Block(start, end, "cell", line.row, column, is_header, start)
        start = end
    if not cells:
        yield Block(start, row_end, "cell", line.row, 0, is_header, start)


def _prose(text: str, lines: list[_Line]) -> Iterator[Block]:
    if lines:
        yield from _split(text, lines[0].start, lines[-1].end, "sentence", lines[0].row)


def _split(text: str, start: int, end: int, kind: SentenceKind, row: int) -> Iterator[Block]:
    """The sentences of a paragraph, cut at the tags of HTML that begin a part of their own."""
    own = kind
    if "<" in text[start:end]:
        for match in _TAG_BOUND.finditer(text, start, end):
            yield from _stops(text, start, match.start(), own, row)
            start = match.start()
            name = match[0].strip("</>").split()[0].lower()
            closes = match[0].startswith("</")
            own = kind if closes else _TAG_KINDS.get(name, kind)
    yield from _stops(text, start, end, own, row)


_MARKERS: dict[SentenceKind, re.Pattern[str]] = {
    "item": _ITEM,
    "heading": _HEADING,
    "quote": _QUOTE,
}


def _stops(text: str, start: int, end: int, kind: SentenceKind, row: int) -> Iterator[Block]:
    pattern = _MARKERS.get(kind)
    marker = pattern.match(text, start, end) if pattern else None
    body = marker.end() if marker else start
    for match in _STOP.finditer(text, body, end):
        if match.end() < end and not _ends(text, match, start, end):
            continue
        if text[start : match.end()].strip():
            yield Block(start, match.end(), kind, row, body=body)
        start = body = match.end()
    if text[start:end].strip():
        yield Block(start, end, kind, row, body=body)


def _ends(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Whether a full stop within a paragraph ends a sentence."""
    if match[0][0] in _FULL:
        return True
    is_parted = text[match.end()].isspace()
    if not is_parted or match[0][0] not in ".…":
        return is_parted
    before = text[max(start, match.start() - 24) : match.start()]
    after = text[match.end() : match.end() + 24].lstrip()
    if is_ordinal(before, after):
        return False
    return not is_shortened(before, before_small=after[:1].islower())


def is_shortened(before: str, *, before_small: bool) -> bool:
    """Whether a full stop behind a text, and maybe a small letter, follow an abbreviation."""
    word = _last_word(before)
    if _UNIT_BEFORE.search(before):
        return False  # "59 m."
    if word in _abbreviations() or (len(word) == 1 and word.isalpha()):
        return True
    if before_small and word and not set(word.upper()) - _ROMAN and before[-1].isupper():
        return True  # "Iwan III. schloss es."
    is_code = before[-2:].isalpha() and before[-2:].isupper()
    return before_small and word.isalpha() and len(word) <= _SHORT_WORD and not is_code


def _last_word(text: str) -> str:
    """The word that a text ends with, folded, or "" where it ends with a space."""
    return "" if not text or text[-1].isspace() else text.split()[-1].lstrip("(\"'“„[").lower()
