"""Speech to the reader after an answer: an offer, a request to ask, advice where to look, a wish.

It says nothing of the world, but may take something for granted: "let me know if you want the
audited figures" tells that there are some. A noun that no record knows is taken for granted, but
not behind "a" or "any".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from groundwire.evidence.claims.explained_words import is_explained
from groundwire.evidence.claims.frames import is_framing, is_led_by
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.silent_words import is_silent
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_SO = re.compile(r"\bthat (?!would|is useful|helps|works|shop|one\b)|\bdass\b", re.IGNORECASE)
_MORE_CLAUSES = re.compile(
    r"[,;:，；：–—(](?! ?(?:or|oder|whether|if|ob|wenn)\b|或)", re.IGNORECASE
)
_WHETHER = re.compile(r" (?:if|whether|in case|wenn|falls|ob)\b", re.IGNORECASE)
_PARTS = re.compile(r"^[\s*_>-]*|[,;–—] +(?:so|and|but|daher|deshalb|also|und) +|[，；]")
_MAY = frozenset[str](cue_tables()["may"])
_COMMAS = frozenset(",;:–—，；：")
# Roles of words that tell something of the world, and those of them that an offer may have.
_TELLING = frozenset(
    ("negation", "comparison", "superlative", "direction", "relation", "source", "bound", "cause")
)
_OFFERED = frozenset(
    (
        ("comparison", "more"),
        ("comparison", "compare"),
        ("superlative", "rank"),
        ("bound", "more_than"),
        ("source", "document"),
        ("relation", "property"),
        ("relation", "same_as"),
    )
)
# Roles of words that address the reader, and roles of words in an offer to the reader.
_ADDRESS = frozenset((("politeness", "please"), ("question", "request")))
_ADDRESSED = frozenset(
    (
        ("forecast", "condition"),
        ("comparison", "more"),
        ("quantifier", "other"),
        ("quantifier", "any"),
    )
)


@cache
def _begun(*kinds: str) -> re.Pattern[str]:
    """Return how a sentence of these kinds begins."""
    condition, *begun = ("|".join(cue_tables()["offers"][one]) for one in ("condition", *kinds))
    return re.compile(rf"[\s*_>-]*(?:{condition})?(?:{'|'.join(begun)})", re.IGNORECASE)


@cache
def _wishes() -> re.Pattern[str]:
    return re.compile("|".join(cue_tables()["offers"]["wish"]), re.IGNORECASE)


def is_wish(text: str) -> bool:
    """Whether a sentence only wishes the reader well: "Have a good trip!"."""
    return _wishes().fullmatch(text.strip(" \t*_!.！。")) is not None


def offered_from(text: str, words: Sequence[Word]) -> Span | None:
    """Return the opening of words that only offer something, or ask, or say where to look.

    They are a sentence, or its end. Those that say that something is so, or deny, compare, rank
    or tell a change, are a claim.

    Args:
        text: one sentence.
        words: its words.
    """
    for part in _PARTS.finditer(text):
        opening = _begun("opening", "advice").match(text, part.end())
        if opening is None:
            continue
        if _SO.search(text, part.end()) or _MORE_CLAUSES.search(text, opening.end()):
            return None
        begin, verb = words[0].start + part.end(), words[0].start + opening.end()
        leaves_open = _WHETHER.match(text, opening.end()) is not None
        tells = any(
            word.role.role in _TELLING
            and ((word.role.role, word.role.sense) not in _OFFERED or _says_which(word))
            and not is_led_by(words, place)
            and not (leaves_open and word.role.role == "negation")
            for place, word in enumerate(words)
            if word.role is not None and word.start >= begin and word.end != verb
            if not (word.end < verb and word.tokens[-1].tag == "verb")
        )
        return None if tells else (words[0].start + part.start(), verb)
    return None


def _says_which(word: Word) -> bool:
    """Whether a word says which of several sources is meant: "the official statistics"."""
    is_source = word.role is not None and word.role.role == "source"
    return is_source and word.tokens[-1].tag == "adjective"


def taken_for_granted(words: Sequence[Word], known: Knowledge) -> frozenset[int]:
    """Return where words of an offer begin that name something which no record knows."""
    own = known.words | known.numeric_words | known.once(_words_of_answers)
    leaves_open = frozenset[str](cue_tables()["offers"]["leaves_open"])
    granted: set[int] = set()
    is_open = False
    for word in words:
        tags = {token.tag for token in word.tokens}
        if any({token.key, token.lemma} & leaves_open for token in word.tokens):
            is_open = True
        elif "verb" in tags or (word.role is not None and tags <= {"function", "sign"}):
            is_open = False
        names = word.role is None and "name" not in tags and tags & {"noun", "adjective"}
        if names and not (is_open or is_framing(word) or is_explained(word, own)):
            granted.add(word.start)
    return frozenset(granted)


def stated_words(text: str, words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of a sentence that states; of a question those of what it begins from.

    "Now that Iran has passed Turkey, shall I compare their trade?" states that it has, and so does
    a clause before the question. All else in a question but its figures states nothing.
    """
    if not text.rstrip().endswith(("?", "？")):
        return words
    begun = _presupposed().match(text)
    end = words[0].start + begun.end() if begun is not None and words else _asked_from(text, words)
    stated = [word for word in words if word.end <= end]
    tells = any(t.tag == "verb" or t.language == "zh" for word in stated for t in word.tokens)
    return stated if tells else ()


def _asked_from(text: str, words: Sequence[Word]) -> int:
    """Return where a question begins that stands behind a statement: "A is first, shall I ...?".

    It is -1 where a sentence asks from its beginning, or begins with a condition.
    """
    if not words or _asks(words[0]) or _begun("opening").match(text) or _condition().match(text):
        return -1
    for comma, behind in pairwise(words):
        opens = _begun("opening").match(text, behind.start - words[0].start)
        if comma.text in _COMMAS and (opens or _asks(behind)):
            before = [token for word in words if word.end <= comma.start for token in word.tokens]
            advises = any({token.key, token.lemma} & _MAY for token in before)
            return -1 if advises else comma.start  # "You can try others, shall I ...?"
    return -1


def _asks(word: Word) -> bool:
    """Whether a question may begin with a word: its verb, or a word that asks."""
    asks = word.role is not None and word.role.role == "question"
    return asks or (word.tokens[0].tag == "verb" and word.tokens[0].language != "zh")


@cache
def _condition() -> re.Pattern[str]:
    return re.compile(rf"[\s*_>-]*(?:{'|'.join(cue_tables()['offers']['condition'])})", re.I)


@cache
def _presupposed() -> re.Pattern[str]:
    return re.compile("|".join(cue_tables()["offers"]["presupposed"]), re.IGNORECASE)


def _words_of_answers(known: Knowledge) -> frozenset[str]:
    """Return the words of all sentences that tools answered with."""
    return frozenset(part for said in known.answers for part in said.split())


def addresses_reader(words: Sequence[Word]) -> bool:
    """Whether a sentence only asks or offers something: "Let me know if you need more details."."""
    roles = [one.role for one in words if one.kind != "sign" and not is_silent(one)]
    spoken = [one.role for one in words if one.role is not None]
    return any((role.role, role.sense) in _ADDRESS for role in spoken) and all(
        role is not None and (role.role, role.sense) in _ADDRESS | _ADDRESSED for role in roles
    )
