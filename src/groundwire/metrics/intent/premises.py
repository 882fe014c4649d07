"""Premises of a question on a change or a difference: "why did revenue fall"."""

from __future__ import annotations

import re
from typing import Literal

from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.chinese_words import simplified
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.roles import Explained

Premise = Literal["rise", "fall", "higher", "lower", "loss"]
"""That a value rose or fell in time, that the first named is higher or lower than the second, or
that it is below zero."""

_CHINESE = re.compile(
    r"(?P<rise>涨|上升|上涨|增加|增长|提升|提高|回升|走高|扩大|升高|猛增|激增|大增|大涨|暴涨|飙升|飆升|攀升)"
    r"|(?P<fall>跌|下滑|下跌|下降|减少|回落|降低|走低|萎缩|缩水|收缩|锐减|大跌|大减|暴跌|骤降|骤减|跳水|下挫)"
)
_CHINESE_COMPARED = re.compile(
    r"比.{0,40}?(?:(?P<higher>[更还]?[高多大])|(?P<lower>[更还]?[低少小]))"
)
_DENIED = frozenset(["not", "no", "never", "nor", "without", "t", "hardly", "slow", "slowed"])
_NO_WORDS = dict.fromkeys(("denied", "rises", "falls"), frozenset[str]())
_CHINESE_DENIED = re.compile("[没未不]|放缓|减速|速度")


def way_of(question: str) -> Premise | None:
    """Return rise or fall, as the words of a question about a change say; None for both or none."""
    found = {str(match.lastgroup) for match in _CHINESE.finditer(simplified(question))}
    words = set(re.findall(r"[^\W\d_]+", question.casefold()))
    german = german_words()
    if words & _DENIED or words & german["denied"]:
        return None
    found |= {"rise"} if words & (english.RISES | german["rises"]) else set()
    found |= {"fall"} if words & (english.FALLS | german["falls"]) else set()
    if len(found) != 1:
        return None
    return "rise" if found == {"rise"} else "fall"


def read_premise(explained: Explained, language: str = "en") -> Premise | None:
    """Find what a question says of the way that its values went.

    Args:
        explained: the question.
        language: in which it is asked.

    Returns:
        the first such word's way; None where there is none, or where it is denied.
    """
    tokens, roles = explained.tokens, explained.roles
    plain = [token.plain for token in tokens]
    free = [at for at, role in enumerate(roles) if role not in ("term", "period")]
    text = simplified(
        "".join(one.text if at in free else "N" for at, one in enumerate(tokens))
        if any(one.kind == "cjk" for one in tokens)
        else ""
    )
    if text:
        found = _CHINESE.search(text)
        if found is None:
            found = _CHINESE_COMPARED.search(text)
        if found is None or _CHINESE_DENIED.search(text.replace("不含", "")):
            return None
        groups: dict[str, Premise] = {
            "rise": "rise", "fall": "fall", "higher": "higher", "lower": "lower",
        }  # fmt: skip
        return groups[str(found.lastgroup)]
    german = german_words() if language == "de" else _NO_WORDS
    if (_DENIED | german["denied"]) & set(plain):
        return None
    for at in free:
        if plain[at] in english.RISES or plain[at] in german["rises"]:
            return "rise"
        if plain[at] in english.FALLS or plain[at] in german["falls"]:
            return "fall"
        if "than" in plain[at:] and plain[at] in english.ABOVE:
            return "higher"
        if "than" in plain[at:] and plain[at] in english.BELOW:
            return "lower"
    return None
