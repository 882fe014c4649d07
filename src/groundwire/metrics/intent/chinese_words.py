"""Chinese words that ask and join, cues and qualifiers; each list with its longest words first.

As in English, what is in none of the lists is left over and asked about.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

_TABLES = tomllib.loads((files(__package__ or "") / "chinese_words.toml").read_text("utf-8"))


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
