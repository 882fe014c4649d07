"""Sentences of passages from which cards and links are drafted, by cues that stand in them.

Whatever is drafted here is proven elsewhere: cards against their quote, links by the stages of the
concept graph.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import JsonValue

from groundwire.agents.learning_agents.procedure import Row, text

MOST_WORDS = 6
"""Words that a term or the end of a link may have."""

_LONGEST = 400
# Shorter words of a topic say little, and longer endings make another word.
_LEAST_WORD, _LONGEST_ENDING = 3, 2
_WORDS = re.compile(r"\w+")
_MARKS = ",;:()，；：（）"
# Where a Chinese phrase ends, and the characters that a term of it may have.
_HAN_ENDS = re.compile("[，；：（）、,;]")
_MOST_HAN = 12
# A sentence ends at a mark before a blank, or at a mark of Chinese.
_ENDS = re.compile(r"[.!?]\s|[。！？]")


@dataclass(frozen=True, slots=True)
class Definition:
    """A sentence that says what something is or is called.

    Attributes:
        sentence: as the passage has it, without its end.
        passage_id: the passage.
        term: what is defined, without its article.
        cloze: the sentence with the term hidden.
        front: a question for `back`.
        back: the other side of the sentence.
    """

    sentence: str
    passage_id: str
    term: str
    cloze: str
    front: str
    back: str


@dataclass(frozen=True, slots=True)
class Link:
    """A sentence that joins two concepts."""

    sentence: str
    passage_id: str
    source: str
    relation: str
    target: str


def definitions(passages: Sequence[Row]) -> Iterator[Definition]:
    """Yield the definitions of some passages, each term once."""
    seen: set[str] = set()
    # A word that is written small elsewhere has its capital from the place where it stands.
    small = {w for one in passages for w in text(one, "text").split() if w == w.lower()}
    for passage_id, sentence in _sentences(passages):
        found = _definition(passage_id, sentence, small)
        if found is not None and found.term.casefold() not in seen:
            seen.add(found.term.casefold())
            yield found


def topic_words(topic: str) -> set[str]:
    """Return the words of a topic that tell one sentence from another."""
    return {word.casefold() for word in topic.split() if len(word) > _LEAST_WORD}


def names(sentence: str, word: str) -> bool:
    """Return whether a sentence has a word of a topic, in the singular or the plural."""
    return _naming(sentence, word) is not None


def clozes(passages: Sequence[Row], topic: str) -> Iterator[dict[str, JsonValue]]:
    """Yield sentences that name a topic as cards of `submit_cards`, with its name hidden."""
    words = sorted(topic_words(topic))
    for passage_id, sentence in _sentences(passages):
        found = [at for word in words if (at := _naming(sentence, word)) is not None]
        if not words or len(found) < len(words) or _points(sentence):
            continue
        at = found[0]
        if sentence.count(at[0]) > 1:
            continue
        front = f"{sentence[: at.start()]}{{{{c1::{at[0]}}}}}{sentence[at.end() :]}"
        yield {"type": "cloze", "front": front, "quote": sentence, "passage_id": passage_id}


def _naming(sentence: str, word: str) -> re.Match[str] | None:
    """Return the word of a sentence that differs from another in the ending of a plural alone."""
    stem = word if len(word) <= _LEAST_WORD + 1 else word.rstrip("s").removesuffix("e")
    return next(
        (
            one
            for one in _WORDS.finditer(sentence)
            if one[0].casefold().startswith(stem) and len(one[0]) <= len(stem) + _LONGEST_ENDING
        ),
        None,
    )


def links(passages: Sequence[Row]) -> Iterator[Link]:
    """Yield the links of some passages, each once."""
    seen: set[tuple[str, str, str]] = set()
    for passage_id, sentence in _sentences(passages):
        for one in _cues()["links"]:
            before, mark, after = sentence.partition(f" {one['cue']} ")
            if not mark:
                continue
            source, target = _term(before), _phrase(after)
            if source and target and source.casefold() != target.casefold():
                if one.get("turned"):
                    source, target = target, source
                key = (source.casefold(), one["relation"], target.casefold())
                if key not in seen:
                    seen.add(key)
                    yield Link(sentence, passage_id, source, one["relation"], target)
            break


def cued_relations(sentence: str) -> set[str]:
    """Return the relations that a sentence has a cue of."""
    folded = sentence.casefold()
    return {one["relation"] for one in _cues()["links"] if f" {one['cue']} ".casefold() in folded}


def card(one: Definition, card_type: str) -> dict[str, JsonValue]:
    """Return a definition as a card of `submit_cards`, atomic or cloze."""
    made: dict[str, JsonValue] = {"quote": one.sentence, "passage_id": one.passage_id}
    if card_type == "cloze":
        return {"type": "cloze", "front": one.cloze, **made}
    return {"type": "atomic", "front": one.front, "back": one.back, **made}


@cache
def _cues() -> dict[str, Any]:
    return tomllib.loads(
        files("groundwire.agents.learning_agents").joinpath("cues.toml").read_text("utf-8")
    )


def _sentences(passages: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of passages without their ends, as they stand but for line ends."""
    for passage in passages:
        passage_id = text(passage, "passage_id")
        for piece in _ENDS.split(text(passage, "text")):
            sentence = piece.strip(" .!?")
            if 0 < len(sentence) <= _LONGEST and not sentence.startswith("#"):
                yield passage_id, sentence


def _definition(passage_id: str, sentence: str, small: set[str]) -> Definition | None:
    for one in _cues()["definitions"]:
        joined = one.get("joined") is True
        before, mark, after = sentence.partition(one["cue"] if joined else f" {one['cue']} ")
        if not mark:
            continue
        if one["hidden"] == "after":
            term = _han_phrase(after) if joined else _phrase(after)
            asked, back = _lowered(before, small), term
        else:
            term, back = _han_term(before) if joined else _term(before), after
            asked = _lowered(before, small)
        if not term or not after or _points(before) or _refers(asked):
            return None
        place = len(before) + len(mark) if one["hidden"] == "after" else 0
        at = sentence.find(term, place)
        if at < 0:
            return None
        cloze = f"{sentence[:at]}{{{{c1::{term}}}}}{sentence[at + len(term) :]}"
        front = one["front"].format(before=asked)
        return Definition(sentence, passage_id, term, cloze, front, back)
    return None


def _term(before: str) -> str:
    """Return the term before a cue without its article; "" if it is none by itself."""
    words = before.split()
    if words and words[0].casefold() in _cues()["articles"]:
        words = words[1:]
    if not 0 < len(words) <= MOST_WORDS or _points(before) or any(m in before for m in _MARKS):
        return ""
    return " ".join(words)


def _phrase(after: str) -> str:
    """Return the noun phrase after a cue, without its article and what qualifies it."""
    words: list[str] = []
    for place, word in enumerate(after.split()):
        if place == 0 and word.casefold() in _cues()["articles"]:
            continue
        if word.casefold() in _cues()["ends"]:
            break
        bare = word.rstrip(_MARKS)
        words.append(bare)
        if bare != word:
            break
    return " ".join(words) if 0 < len(words) <= MOST_WORDS else ""


def _han_term(before: str) -> str:
    """Return a Chinese term before a cue, whole; "" if it is too long or of several parts."""
    return before if len(before) <= _MOST_HAN and not _HAN_ENDS.search(before) else ""


def _han_phrase(after: str) -> str:
    """Return the Chinese phrase after a cue, up to the first mark; "" if it is too long."""
    return _han_term(_HAN_ENDS.split(after)[0].strip())


def _points(before: str) -> bool:
    """Whether a sentence begins with a word that points at another one."""
    first = before.split()[:1]
    pointing: list[str] = _cues()["pointing"]
    if not first or first[0].casefold() in pointing:
        return True
    # Words of Chinese stand without blanks.
    return first[0].startswith(tuple(word for word in pointing if word >= "\u4e00"))


def _refers(asked: str) -> bool:
    """Whether a question would speak of what a sentence before it names: "between them"."""
    return any(word.strip(_MARKS).casefold() in _cues()["referring"] for word in asked.split())


def _lowered(before: str, small: set[str]) -> str:
    """Return the words before a cue as they stand within a question."""
    first, _, rest = before.partition(" ")
    article = bool(rest) and first.casefold() in _cues()["articles"]
    if article or first.lower() in small:
        return f"{first.lower()} {rest}".strip()
    return before
