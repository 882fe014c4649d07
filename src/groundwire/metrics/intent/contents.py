"""Whether a question asks for anything at all: greetings and "what can you do" ask for nothing."""

from __future__ import annotations

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.tokens import clean, tokenize

_ENGLISH = english.GRAMMAR | english.OWN | {"which", "metric", "metrics", "indicator", "indicators"}
_CHINESE = (*chinese.GRAMMAR, "哪些", "哪个", "能", "做", "会", "可", "以", "用")


def asks_for_nothing(question: str) -> bool:
    """Whether all of a question is words of grammar, or asks which metrics there are.

    Args:
        question: the question, in English or Chinese.
    """
    tokens = tokenize(clean(question).text)
    written = chinese.simplified("".join(one.text for one in tokens if one.kind == "cjk"))
    others = [one.plain for one in tokens if one.kind != "cjk"]
    if any(word in written for word in chinese.NARRATIVE):
        return False
    return all(word in _ENGLISH for word in others) and not _rest(written)


def _rest(written: str) -> str:
    """What is left of a run of characters without words of grammar, the longest first."""
    at, rest = 0, ""
    while at < len(written):
        known = [word for word in _CHINESE if written.startswith(word, at)]
        length = max(map(len, known), default=0)
        rest += "" if length else written[at]
        at += length or 1
    return rest
