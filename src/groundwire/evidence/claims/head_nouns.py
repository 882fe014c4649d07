"""Which of several values of one thing the words beside a number call: 3 intersections, 42 signs.

A record may hold many numbers of one asset, and a draft calls them in its own words, of which only
some are the record's. So the words decide between values of the same thing and the same kind of
unit: who writes of intersections does not mean the number of traffic signs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.words import words_of
from groundwire.language.field_names import listed_names

# What properties shorten, and what sentences say for it.
_SAME = {
    "minimum": "min", "minimal": "min", "lowest": "min", "least": "min", "smallest": "min",
    "maximum": "max", "maximal": "max", "highest": "max", "largest": "max", "top": "max",
    "最低": "min", "最小": "min", "最高": "max", "最大": "max",
}  # fmt: skip
_HAN = re.compile("最[低小高大]")
# Words that property names hold and that any sentence may.
_EMPTY = frozenset(
    words_of(
        "number count total of the in a and is has have value amount n"
        " der die das den dem des ein eine in im bei zu von und für"
        " after before from to by with at on nach vor aus auf mit"
    )
)

Rivals = Mapping[tuple[object, str], Mapping[frozenset[str], frozenset[str]]]


def kind_of(fact: Fact) -> tuple[object, str]:
    """Return the bearer of a number and the dimension of its unit; rivals share both."""
    item = fact.value.item
    return (fact.entities, item.names if item else ()), fact.unit.dimension if fact.unit else ""


@lru_cache(maxsize=4096)
def calling_words(text: str) -> frozenset[str]:
    """The words of a text that may call a property."""
    words = {_SAME.get(word, word) for word in words_of(text)}
    words |= {_SAME[word] for word in _HAN.findall(text)}
    return frozenset(w for w in words if len(w) > 2 or not w.isascii()) - _EMPTY


@lru_cache(maxsize=4_096)
def words_calling(name: str, labels: tuple[str, ...]) -> frozenset[str]:
    """Return the words of a property's name and labels, and of what it is usually called."""
    texts = (name, *labels, *listed_names(name))
    return frozenset(word for text in texts for word in calling_words(text))


def calls_another(fact: Fact, words: frozenset[str], rivals: Rivals, *, bare: bool = False) -> bool:
    """Whether words call another value of the same thing by more of its words than this one.

    Args:
        fact: the value that agrees with a number.
        words: the words beside the number, as `calling_words` gives them.
        rivals: the words of every property, by `kind_of`.
        bare: whether the number has no unit, so that values in any unit may be meant.
    """
    if not words or fact.operands:
        return False
    bearer, dimension = kind_of(fact)
    kinds = [kind for kind in rivals if bare and kind[0] == bearer] or [(bearer, dimension)]
    among = {names: called for kind in kinds for names, called in rivals.get(kind, {}).items()}
    own = len(words & among.get(fact.names, frozenset()))
    return any(len(words & other) > own for names, other in among.items() if names != fact.names)
