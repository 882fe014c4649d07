"""A question in the words that the rules read: text-speak, Chinese, ordinals and comparisons.

Whoever reads a question of this agent reads what `rephrased` makes of it. The answer is in the
language of the question itself.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.agents.ontology_search_agent.chinese import in_english, is_chinese
from groundwire.language.ordinals import ranked_place
from groundwire.language.places import cities, english_names
from groundwire.language.plain_speech import plain_speech

_COMPARED = (
    re.compile(
        r"(?:do|did|are) (?:we|you|there|i) (?:have |got )?(?P<way>more|fewer) (?P<kind>[\w -]+?)"
        r" (?P<in>of|from|in|for|with) (?P<one>[\w ]+?) than (?:of |from |in |for |with )?(?P<other>[\w ]+)\W*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:haben|gibt) (?:wir|ihr|es) (?P<way>mehr|weniger) (?P<kind>[\w-]+) (?P<in>von|aus|in|mit)"
        r" (?P<one>[\w ]+?) als (?:von |aus |in |mit )?(?P<other>[\w ]+)\W*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<one>[\u3400-\u9fff]{2,8}?)的?(?P<kind>高精地图|高精度地图|地图|场景|轨迹)"
        r"比(?P<other>[\u3400-\u9fff]{2,8}?)的?(?P<way>多|少)(?:吗)?\W*"
    ),
)
_MOST_OF = (
    re.compile(
        r"(?:which|what) (?P<of>[\w -]+?) (?:has|have|had) (?:the )?most (?P<kind>[\w -]+?)\W*", re.IGNORECASE
    ),
    re.compile(
        r"welche[srnm]? (?P<of>[\w-]+) (?:hat|haben) die meisten (?P<kind>[\w-]+)\W*", re.IGNORECASE
    ),
    re.compile(r"哪一?个(?P<of>[\u3400-\u9fff]{2,4}?)的?(?P<kind>高精地图|高精度地图|地图|场景|轨迹)最多\W*"),
)
_WHY = re.compile(
    r"(?<!\w)(?:why|how come|warum|weshalb|wieso|weswegen)(?!\w)(?: do| does| did| are| is| don't| aren't)?"
    r"|为什么|为何|为啥|怎么会",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"(?<!\w)(?:no|not any|don't have any|keine?|keinen|nicht|there|so many|so viele|so few|so wenige)(?!\w)|没有|无|这么多|这么少", re.IGNORECASE
)
# "How many ... and which?" asks for the list, which tells the number too.
_AND_WHICH = re.compile(
    r"[,，]?\s*(?:and|und)\s+(?:which|welche|what are they|welche sind das)(?:\s+ones?)?\s*\??\s*$"
    r"|[,，]?\s*(?:分别)?(?:是|有)?哪(?:些|几[个张份])\s*[?？]?\s*$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"^\s*(?:how many|wie ?viele)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"最[长短大小高低新旧早]|(?<!\w)(?:longest|shortest|largest|biggest|smallest|newest|oldest)(?!\w)"
    r"|(?<!\w)(?:längst|kürzest|größt|kleinst|neuest|ältest)e[rnsm]?(?!\w)",
    re.IGNORECASE,
)
# "Münchner Karten" are those of München.
_INHABITANT = re.compile(r"\b(?P<stem>[A-ZÄÖÜ][a-zäöüß]{2,})er(?=\s+[A-ZÄÖÜ])")


class Rephrased(NamedTuple):
    """A question as the rules read it.

    Attributes:
        text: the question in their words.
        place: the place in an order that it asks for; 0 for none.
        compares: whether it asks which of several has more.
        asks_why: whether it asks for a reason, which no catalogue has.
    """

    text: str
    place: int = 0
    compares: bool = False
    asks_why: bool = False


@lru_cache(maxsize=256)
def rephrased(question: str) -> Rephrased:
    """Return a question in the words that the rules read."""
    text = plain_speech(question)
    for pattern in _COMPARED:
        if found := pattern.fullmatch(text.strip()):
            parts = {name: _read(found[name] or "") for name in ("kind", "one", "other")}
            text = f"{parts['kind']} of {parts['one']} or {parts['other']}"
            return Rephrased(text, 0, compares=True)
    for pattern in _MOST_OF:
        if found := pattern.fullmatch(text.strip()):
            text = f"how many {_read(found['kind'])} per {_read(found['of'])}"
            return Rephrased(text, 0, compares=True)
    asks_why = bool(_WHY.search(text))
    if asks_why:
        # What is taken for granted is told by what is held, with and without it.
        text = _NONE.sub(" ", _WHY.sub(" ", text))
    if _AND_WHICH.search(text):
        text = _HOW_MANY.sub("", _AND_WHICH.sub("", text)).strip() or text
    place, text = ranked_place(text)
    if not place and _SUPERLATIVE.search(text):
        place = 1
    return Rephrased(" ".join(_read(text).split()), place, asks_why=asks_why)


def _read(text: str) -> str:
    """Return a text in English where it is Chinese, and with cities instead of their people."""
    if is_chinese(text):
        return in_english(text)
    return _exonyms().sub(lambda found: english_names()[found[0]], _INHABITANT.sub(_city, text))


@cache
def _exonyms() -> re.Pattern[str]:
    """What German calls cities, as whole words."""
    names = [one for one in cities() if not re.search("[\u3400-\u9fff]", one)]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})\b")


def _city(found: re.Match[str]) -> str:
    """Return the city of an adjective that ends in -er: Münchner, Berliner, Kölner."""
    stem = found["stem"]
    known = english_names()
    for name in (stem, f"{stem[:-1]}en" if stem.endswith("n") else "", f"{stem}en", f"{stem}e"):
        if name and name in known:
            return known[name]
    return stem if stem in known.values() else found[0]
