"""Speech about the answer itself: "Here is what I found:", "Ich habe nachgesehen", "结果如下：".

Such a frame says nothing about the world. It is known by its words, each of which must be of a
closed list: one that narrows, denies, counts, dates or ranks makes a claim of the whole part.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from groundwire.evidence.claims.extraction import Reading
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.silent_words import is_thing
from groundwire.language import Span as Word
from groundwire.language import Token

_BREAKS = frozenset(",;:，；：–—.!?。！…")
_COLONS = frozenset(":：!！")
_LEADS = frozenset(("that", "dass", "daß"))
# Roles of words that may stand in a frame: they say nothing without a word beside them.
_EMPTY = frozenset(
    (
        ("being", "be"),
        ("having", "have"),
        ("question", "request"),
        ("question", "what"),
        ("question", "how"),
    )
)
_EMPTY_ROLES = frozenset(("function", "filler", "saying", "politeness"))
_HAN = re.compile(r"[\u3400-\u9fff]")
_REST = re.compile(r"[;:；：–—]|$")


class _Table(NamedTuple):
    persons: frozenset[str]
    anchors: frozenset[str]
    words: frozenset[str]
    judging: frozenset[str]
    leads: frozenset[str]
    attributes: frozenset[str]
    after: Mapping[str, frozenset[str]]
    phrases: frozenset[str]
    stressed: re.Pattern[str]
    questions: re.Pattern[str]
    reserves: re.Pattern[str]
    conditions: re.Pattern[str]
    denials: Sequence[str]
    longest: int


@cache
def _tables() -> Mapping[str, _Table]:
    tree = tomllib.loads((files("groundwire.evidence.claims") / "frames.toml").read_text("utf-8"))
    return {
        language: _Table(
            frozenset(own["persons"]),
            frozenset(own["anchors"]),
            frozenset((*own["words"], *own["anchors"])),
            frozenset(own["judging"]),
            frozenset(own["leads"]),
            frozenset(own["attributes"]),
            {word: frozenset(verbs) for word, verbs in own["after"].items()},
            frozenset(own["phrases"]),
            re.compile("|".join(own["stressed"]), re.IGNORECASE),
            re.compile("|".join(own["questions"]), re.IGNORECASE),
            re.compile("|".join(own["reserves"])),
            re.compile("|".join(own["conditions"])),
            own["denials"],
            max(map(len, (*own["words"], *own["anchors"]))),
        )
        for language, own in tree.items()
    }


def frames(reading: Reading, words: Sequence[Word]) -> Iterator[Span]:
    """Yield the parts of a sentence that only speak of the answer, up to their comma or colon.

    So do words of a lead that only call what stands under it the main facts, or examples, and
    those that say what was not looked up, or that nobody guesses: "I checked no other year".

    Args:
        reading: the whole text.
        words: the words of one passage.
    """
    text, small = reading.text, reading.small
    parts = list(_parts(words))
    yield from _conditions(small, words)
    if parts:
        start, end = _ends(words)
        here = small[start:end]
        told = [table for table in _tables().values() if any(cue in here for cue in table.denials)]
        for table in told:
            yield from (match.span() for match in table.reserves.finditer(small, start, end))
        if here.rstrip(" *_").endswith((":", "：")):
            for table in _tables().values():
                yield from (match.span() for match in table.stressed.finditer(small, start, end))
    led = 0  # so many parts from the beginning on are frames
    for number, part in enumerate(parts):
        behind = words[part[-1] + 1].text if part[-1] + 1 < len(words) else ""
        is_open = number == led and (
            len(parts) == 1 or behind in _COLONS or any(_is_verb(words[place]) for place in part)
        )
        if not is_open and 0 < number < len(parts) - 1:
            continue
        if _is_frame(text, words, part, by_person=not is_open):
            yield words[part[0]].start, words[part[-1]].end
            led += number == led
            continue
        if is_open and (end := _end_of_lead(text, words, part)):
            yield words[part[0]].start, end


def _conditions(small: str, words: Sequence[Word]) -> Iterator[Span]:
    """Yield the words around a set that only say that the reader may want it: "If you need A,"."""
    for table in _tables().values():
        for match in table.conditions.finditer(small, *_ends(words)):
            spans = (match.span(group) for group in range(1, match.re.groups + 1))
            yield from (span for span in spans if span[0] >= 0)


def _ends(words: Sequence[Word]) -> Span:
    return (words[0].start, words[-1].end) if words else (0, 0)


def _end_of_lead(text: str, words: Sequence[Word], part: Sequence[int]) -> int:
    """Return where a frame ends that leads a clause in: "It seems that", "Meines Wissens", or 0."""
    han = _tables()["zh"]
    for number, place in enumerate(part[1:], 1):
        word, lead = words[place], part[:number]
        if word.text.casefold() in _LEADS:
            return word.end if _is_frame(text, words, lead) else 0
        if _stands_before_verb(words, lead, place) and _is_frame(text, words, lead):
            return word.start
        said = text[words[part[0]].start : word.start]
        if said[:1] in han.persons and said in han.phrases:
            return word.start  # 我认为
    return 0


def _stands_before_verb(words: Sequence[Word], part: Sequence[int], place: int) -> bool:
    """Whether German words lead a clause in before its verb: "Nach meiner Kenntnis hatte …"."""
    first, verb = words[part[0]], words[place].tokens[0]
    if verb.language != "de" or verb.tag != "verb":
        return False
    return bool(_forms(first.tokens[0]) & _tables()["de"].leads) or _is_phrase(words, part)


def _is_phrase(words: Sequence[Word], part: Sequence[int]) -> bool:
    return " ".join(words[place].text.casefold() for place in part) in _tables()["de"].phrases


def _is_verb(word: Word) -> bool:
    """Whether a word makes a part of a sentence one that says something, or leads one in."""
    return word.tokens[0].language == "zh" or any(
        token.tag == "verb" or token.key in _leads() for token in word.tokens
    )


@cache
def _leads() -> frozenset[str]:
    """Return the words of all languages that lead a part of a sentence in."""
    return frozenset(form for table in _tables().values() for form in table.leads)


def end_of_question(text: str) -> int:
    """Return where a sentence stops telling again what was asked: "You asked for A; ...", or 0."""
    opening = text.lstrip(" *_>-#")
    tells = any(table.questions.match(opening) for table in _tables().values())
    rest = _REST.search(text) if tells else None
    return rest.start() if rest is not None else 0


def is_framing(word: Word) -> bool:
    """Whether a word may stand in speech about the answer."""
    table = _tables().get(word.tokens[0].language if word.tokens else "en") or _tables()["en"]
    return _is_listed(word, table.words)


def is_led_by(words: Sequence[Word], place: int) -> bool:
    """Whether a word only belongs to a verb of speech before it: "break this down"."""
    language = words[place].tokens[0].language or "en"
    table = _tables().get(language) or _tables()["en"]
    return _is_bound(words, range(place + 1), place, table)


def _parts(words: Sequence[Word]) -> Iterator[list[int]]:
    part: list[int] = []
    for place, word in enumerate(words):
        if word.text in _BREAKS:
            if part:
                yield part
            part = []
        else:
            part.append(place)
    if part:
        yield part


def _is_frame(
    text: str, words: Sequence[Word], part: Sequence[int], *, by_person: bool = False
) -> bool:
    said = text[words[part[0]].start : words[part[-1]].end].strip(" *_#>-").casefold()
    if _HAN.search(said):
        return _is_covered(said, _tables()["zh"], by_person=by_person)
    language = next((t.language for p in part for t in words[p].tokens if t.language), "en")
    table = _tables().get(language) or _tables()["en"]
    if said.replace("’", "'") in table.phrases:
        return True
    anchored = judged = False
    for place in part:
        word = words[place]
        is_plain = (
            _is_listed(word, table.words)
            or (_is_empty(word) and not is_thing(words, place))
            or _is_bound(words, part, place, table)
        )
        if not is_plain or (word.text.isupper() and len(word.text) > 1):
            return False  # "US" is no "us"
        is_anchor = any(_forms(token) & table.anchors for token in word.tokens)
        if judged and is_anchor and word.tokens[-1].tag == "noun":
            return False
        anchors = table.persons if by_person else table.anchors
        anchored |= any(_forms(token) & anchors for token in word.tokens)
        judged = any(_forms(token) & table.judging for token in word.tokens)
    return anchored


def _forms(token: Token) -> set[str]:
    return {token.key, token.lemma}


def _is_listed(word: Word, listed: frozenset[str]) -> bool:
    if word.quantity is not None or word.period is not None or word.kind == "iri":
        return False
    held = [token for token in word.tokens if token.tag not in ("sign", "function")]
    return all(_forms(token) & listed for token in held)


def _is_bound(words: Sequence[Word], part: Sequence[int], place: int, table: _Table) -> bool:
    """Whether a word is of those that only stand before a noun, or after a verb of their own."""
    (first, *more) = words[place].tokens
    if more:
        return False
    if place < part[-1] and _forms(first) & table.attributes:
        return words[place + 1].tokens[-1].tag == "noun"
    verbs = table.after.get(first.key)
    if not verbs:
        return False
    before = {form for p in part if p < place for t in words[p].tokens for form in _forms(t)}
    return (place == 0 and "^" in verbs) or not verbs.isdisjoint(before)


def _is_empty(word: Word) -> bool:
    role = word.role
    return role is not None and (role.role in _EMPTY_ROLES or (role.role, role.sense) in _EMPTY)


def _is_covered(said: str, table: _Table, *, by_person: bool) -> bool:
    """Whether a Chinese text is made of the words of a frame, one of them an anchor."""
    said = re.sub(r"\s", "", said)
    if said in table.phrases:
        return True
    anchors = table.persons if by_person else table.anchors
    # By offset, whether an anchor stands on the way there; None where no way leads there.
    reached: list[bool | None] = [False, *[None] * len(said)]
    for start in range(len(said)):
        anchored = reached[start]
        if anchored is None:
            continue
        for end in range(start + 1, min(len(said), start + table.longest) + 1):
            part = said[start:end]
            if part in table.words:
                reached[end] = bool(reached[end]) or anchored or part in anchors
    return bool(reached[-1])
