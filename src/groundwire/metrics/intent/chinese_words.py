"""Chinese words that ask and join, cues and qualifiers; each list with its longest words first.

As in English, what is in none of the lists is left over and asked about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from groundwire.metrics.gate.readings import read_table

_TABLES = tomllib.loads((files(__package__ or "") / "chinese_words.toml").read_text("utf-8"))


@cache
def _simple_forms() -> dict[int, str]:
    return {ord(written): simple for written, simple in read_table("han").items()}


def simplified(text: str) -> str:
    """A text in simplified characters, one for each of its own."""
    return text.translate(_simple_forms())


def _longest_first(name: str) -> tuple[str, ...]:
    """Return the words of a table of `chinese_words.toml`, which says what they are there for."""
    return tuple(sorted(_TABLES[name], key=len, reverse=True))


GRAMMAR = _longest_first("grammar")
AFTER_ENTITY = _longest_first("after_entity")
SOFT_SINGLES = _longest_first("soft_singles")
NOUNS = frozenset(_longest_first("nouns"))
# As in English, what may stand after a way to ask for a metric.
BESIDE_ASKED = frozenset("和与及跟比在的了呢吗啊呀吧于是都各到至")
LISTING = _longest_first("listing")
YEARLY = _longest_first("yearly")
QUALIFIERS = _longest_first("qualifiers")
MOVEMENTS = _longest_first("movements")
NARRATIVE = _longest_first("narrative")
MEASURES = _longest_first("measures")
MEASURE_ENDINGS = frozenset("数數率额額量利值")
NUMERIC = _longest_first("numeric")

# The last characters of the words for a share.
_SHARE_ENDS = frozenset("重例额比")


def has_a_middle(pieces: Sequence[tuple[str, str]]) -> bool:
    """Whether a 中 does not follow a name or a word for a share: 2024年中, 中低收入国家.

    Args:
        pieces: words and names in order: a letter of "EMCP", or "word" with the word.
    """
    before = [("", ""), *pieces]
    return any(
        text == "中" and before[at][0] not in ("E", "M", "C") and before[at][1] not in _SHARE_ENDS
        for at, (_, text) in enumerate(pieces)
    )
