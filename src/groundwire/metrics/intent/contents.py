"""Whether a question asks for anything at all: greetings and "what can you do" ask for nothing."""

from __future__ import annotations

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.german_words import german_words
from groundwire.metrics.intent.tokens import Token, clean, simplified, tokenize

_ENGLISH = english.GRAMMAR | english.OWN | {"which", "metric", "metrics", "indicator", "indicators"}
# How a question of documents is put, which names nothing to search for. Words for one kind of
# document, such as "memo", narrow a search and are not among them.
_ASKING = frozenset(
    {
        *("why", "because", "explain", "explained", "describe", "described", "document"),
        *("documents", "mention", "mentioned", "mentions", "said", "say", "says"),
    }
)
_CHINESE = (*chinese.GRAMMAR, "哪些", "哪个", "能", "做", "会", "可", "以", "用")


def asks_for_nothing(question: str) -> bool:
    """Whether all of a question is words of grammar, or asks which metrics there are.

    Args:
        question: the question, in English or Chinese.
    """
    words, written = _told_apart(question)
    others = [one.plain for one in words]
    if any(word in written for word in chinese.NARRATIVE):
        return False
    return all(word in _ENGLISH for word in others) and not _rest(written)


def asks_for_reasons(question: str) -> bool:
    """Return whether a question asks for reasons or views, in English, German or Chinese."""
    words, written = _told_apart(question)
    cues = english.NARRATIVE | german_words()["narrative"] | _ASKING
    return any({one.plain, one.text.lower()} & cues for one in words) or any(
        cue in written for cue in chinese.NARRATIVE
    )


def shares_a_view(question: str, text: str) -> bool:
    """Whether a text has a word by which a question asks for reasons or views: "outlook"."""
    asked, _ = _told_apart(question)
    said = {one.singular for one in _told_apart(text)[0]}
    cues = (english.NARRATIVE | german_words()["narrative"]) - _ASKING
    return any({one.plain, one.text.lower()} & cues and one.singular in said for one in asked)


def dropped_words(question: str, query: str) -> tuple[str, ...]:
    """Words of a question that a search for it leaves out, grammar aside, in order.

    Args:
        question: what was asked, in English or Chinese.
        query: what was searched for.
    """
    asked, asked_written = _told_apart(question)
    searched, searched_written = _told_apart(query)
    known = {one.singular for one in searched}
    left = dict.fromkeys(
        one.text
        for one in asked
        if one.singular not in known and one.plain not in _ENGLISH | _ASKING
    )
    rest = "".join(one for one in _rest(asked_written) if one not in searched_written)
    return (*left, *filter(None, [rest]))


def _told_apart(text: str) -> tuple[list[Token], str]:
    """The words of a text, and its Chinese characters as one run."""
    tokens = tokenize(clean(text).text)
    written = simplified("".join(one.text for one in tokens if one.kind == "cjk"))
    return [one for one in tokens if one.kind != "cjk"], written


def _rest(written: str) -> str:
    """Return the rest of a run of characters without words of grammar, the longest first."""
    at, rest = 0, ""
    while at < len(written):
        known = [word for word in _CHINESE if written.startswith(word, at)]
        length = max(map(len, known), default=0)
        rest += "" if length else written[at]
        at += length or 1
    return rest
