"""Signs that a card is about, such as operators, as words: what a reader of language leaves out.

"== compares values, and === the type, too": whoever reads signs as marks cannot tell which of the
two is asked for. On a card about signs each stands as a word of letters while it is checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire.learning.cards.quoting import locate
from groundwire.learning.cards.types import CardDraft, Gap, Passage

_WORD = "Sign"
_FIRST = ord("a")
# Signs of programs and of mathematics, and marks that are signs beside one of them: "?.", "!=".
_SIGN = "=<>&|+*/%^~#@$\\\\\u00ac\u00b1\u00d7\u00f7\u2190-\u22ff\u2600-\u26ff"
_ALONE = re.compile(rf"(?<![A-Za-z0-9_{_SIGN}])[!?:.-]?[{_SIGN}][{_SIGN}!?:.-]*+(?![A-Za-z0-9_])")
_NAMED = re.compile(rf"{_WORD}((?:[a-p]{{4}})+)")
_ENDS = ".!?:"
_LONGEST = 8
"""Characters of a sign; longer runs are lines and ornaments."""


def as_words(card: CardDraft, passage: Passage) -> tuple[CardDraft, Passage]:
    """Return a card and its passage with signs as words, if the card asks for one or about one."""
    is_sign = _ALONE.fullmatch(card.back.strip()) is not None
    if not is_sign and not any(len(one) > 1 for one in map(_sign, _ALONE.finditer(card.front))):
        return card, passage
    named = replace(
        card, front=_named(card.front), back=_named(card.back), quote=_named(card.quote)
    )
    text = _named(passage.text)
    if named == card or locate(named.quote, text) is None:
        return card, passage
    return named, replace(passage, text=text)


def with_signs(gaps: Sequence[Gap]) -> list[Gap]:
    """Return what is wrong with a card with its signs as they were written."""
    return [
        replace(
            gap,
            detail=_NAMED.sub(_written, gap.detail),
            suggestions=tuple(_NAMED.sub(_written, one) for one in gap.suggestions),
        )
        for gap in gaps
    ]


def _sign(found: re.Match[str]) -> str:
    """The sign of a match without the mark that ends its sentence."""
    return found.group().rstrip(_ENDS)


def _named(text: str) -> str:
    return _ALONE.sub(_word, text)


def _word(found: re.Match[str]) -> str:
    sign = _sign(found)
    if not 0 < len(sign) <= _LONGEST:
        return found.group()
    codes = "".join(f"{ord(char):04x}" for char in sign)
    letters = "".join(chr(_FIRST + int(digit, 16)) for digit in codes)
    text, start = found.string, found.start()
    before = " " if start and not text[start - 1].isspace() else ""
    rest = text[start + len(sign) :][:1]
    behind = " " if rest and not rest.isspace() else ""
    return f"{before}{_WORD}{letters}{behind}{found.group()[len(sign) :]}"


def _written(found: re.Match[str]) -> str:
    codes = "".join(f"{ord(letter) - _FIRST:x}" for letter in found.group(1))
    return "".join(chr(int(codes[n : n + 4], 16)) for n in range(0, len(codes), 4))
