"""Words that add no fact to a passage, so that no record needs to explain them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import STEADY, content_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word
from groundwire.language import Token, lexicon
from groundwire.quantities import CLASSIFIER

# Words within a date or between two.
_OPEN = frozenset((("time", "since"), ("time", "until"), ("order", "after")))
_JOINS = frozenset(
    (
        *"从到至年月日和间",
        *("年间", "之间"),
        *("from", "to", "between", "and", "of", "the", "von", "bis", "zwischen", "und"),
    )
)
_AND = frozenset(("und", "oder", "sowie"))
_ENDS = frozenset(".,;:!?)")
_CODE_LENGTH = 2
_STEM = 3
_SPENDS = frozenset(("geben", "ausgeben"))
_STATION = "站"
# Chinese measure words of what is recorded one by one, whatever it is: 2笔租赁.
_OF_RECORDS = frozenset("笔筆宗条條项項例")
_READER = frozenset(("you", "sie", "du"))
_STRUCTURE = ("filler", "structure")
_OF_THE = frozenset((("function", "preposition"), ("function", "determiner")))
_OF_VERBS = frozenset(("being", "having", "counting", "saying"))
_TOLD = tuple[str, ...](cue_tables()["told"])
_DEFINES = frozenset[str](cue_tables()["defines"])
_APART = frozenset[str](cue_tables()["apart"])
# An absence does not bear these words, by the detail of its claim; the last are those of a count.
_KEYS = {"; object is ": "certain", "; reason is ": "with_source", "": "are_among"}
_BEYOND = [
    (lacks, re.compile("|".join(cue_tables()[key]), re.IGNORECASE)) for lacks, key in _KEYS.items()
]
_PAGE = frozenset[str](cue_tables()["points_at_page"])
_ADDRESSES = frozenset[str](cue_tables()["addresses"])
_POINTS_BACK = frozenset[str](cue_tables()["points_back"])
_OF_THOSE = frozenset[str](cue_tables()["of_those"])
_GENITIVES = frozenset(("'s", "’s"))


def is_silent(word: Word) -> bool:
    """Whether a word adds no fact: by its role, or as a function word that no lexicon lists.

    What somebody does is a fact, in a question no more than its frame. Two capitals are a code:
    "is US" says more than "is us". What is near zone 2 is not in it.
    """
    if word.role is None and word.text.casefold() in _APART:
        return False
    if word.role is not None and word.role.sense == "act":
        return False
    if word.text.isupper() and len(word.text) == _CODE_LENGTH and word.text.isascii():
        return False
    return word.is_silent or (
        word.kind == "leftover" and all(t.tag in ("function", "sign") for t in word.tokens)
    )


def is_silent_rest(word: Word, rest: str) -> bool:
    """Whether what names have left of a word adds no fact: 为 of 收为, the "s" of "16-29s"."""
    if rest == "s" and word.text[0].isdigit():
        return True
    if rest == "国" and len(word.text) > 2 and word.text.endswith(rest):
        return True  # 蒙古国 is 蒙古
    if word.role is not None:
        return False  # 每年 is more than 每 beside a year
    role = lexicon("zh").role_of(rest) if rest and len(rest) < len(word.text) else None
    return role is not None and role.is_silent and not rest.isascii()


def is_thing(words: Sequence[Word], place: int) -> bool:
    """Whether a word that says that something is had, counted or told names a thing here.

    "Germany's supply was 83.2 million" speaks of a supply: a noun behind an article, a genitive
    or a name is not a verb.
    """
    word = words[place]
    if word.tokens[0].lemma in _SPENDS and _ends_with(words, place, "aus"):
        return True  # "gab 384,1 Mio. CNY aus" says what was spent
    if (word.role and (word.role.role, word.role.sense)) == _STRUCTURE:
        return _is_counted_part(words, place) or _is_done(words, place)
    if word.role is None or word.role.role not in _OF_VERBS or len(word.tokens) != 1 or not place:
        return False
    before, token = words[place - 1], word.tokens[0]
    if before.text in _GENITIVES:
        return token.key == token.lemma
    is_function = before.role is not None and before.role.role == "function"
    is_counted = before.quantity is not None and _ends(words, place)
    return is_counted or (token.tag == "noun" and (is_function or before.kind == "name"))


def _is_counted_part(words: Sequence[Word], place: int) -> bool:
    """Whether a word names things of which a figure counts a part: "99.9 % of the questions"."""
    before = words[:place]
    while before and (role := before[-1].role) and (role.role, role.sense) in _OF_THE:
        before = before[:-1]
    return len(before) < place and bool(before) and before[-1].quantity is not None


def _is_done(words: Sequence[Word], place: int) -> bool:
    """Whether a word is a verb of what the reader does: "you answer", "you have answered"."""
    has = words[place - 1].role
    behind_have = has is not None and has.role == "having" and place > 1
    return words[place - 2 if behind_have else place - 1].text.casefold() in _READER


def _ends(words: Sequence[Word], place: int) -> bool:
    """Whether a plural ends its phrase, so that it cannot be a verb: "127 returns in 2025"."""
    token, behind = words[place].tokens[-1], words[place + 1 : place + 2]
    is_plural = token.key.endswith("s") and token.key[:_STEM] == token.lemma[:_STEM]
    is_plural = is_plural and token.language == "en"  # "is" and "has" are none
    senses = (w.role.sense if w.role is not None else w.kind for w in behind)
    return is_plural and all(sense in ("preposition", "sign", "conjunction") for sense in senses)


def _ends_with(words: Sequence[Word], place: int, particle: str) -> bool:
    """Whether the clause of a verb ends with a particle."""
    for at, word in enumerate(words[place + 1 :], place + 1):
        is_last = at + 1 == len(words) or words[at + 1].text in _ENDS
        if is_last:
            return word.text == particle
    return False


def narrows_noun(words: Sequence[Word], place: int) -> bool:
    """Whether a word of telling or counting says before a noun which of the things are meant.

    "83.2 million registered people" are not all people; the recorded ones are.
    """
    word = words[place]
    if word.role is None or word.role.role not in ("counting", "saying", "source") or not place:
        return False
    before, after = words[place - 1], words[place + 1 : place + 2]
    if word.role.role == "source" and word.tokens[0].key == word.tokens[0].lemma:
        return False
    stands_before = after and after[0].tokens and after[0].tokens[0].tag == "noun"
    is_behind = before.kind == "quantity" or before.text in _GENITIVES
    plain = {word.text.casefold(), *(token.lemma for token in word.tokens)}
    told = any(one.startswith(stem) for one in plain for stem in _TOLD)
    return bool(stands_before) and is_behind and not told


def narrowing_sources(words: Sequence[Word]) -> Iterator[Span]:
    """Yield participles that say before a noun which are meant: "one confirmed event"."""
    of = (w for at, w in enumerate(words) if w.kind == "source" and narrows_noun(words, at))
    yield from ((word.start, word.end) for word in of)


def defines(word: Word) -> bool:
    """Whether a word says that a definition follows, which a quotation proves."""
    return any(token.lemma in _DEFINES for token in word.tokens)


def points_at_page(word: Word) -> bool:
    """Whether a word only says that an address behind it tells more: definition, more, details."""
    return any(token.lemma in _PAGE or token.key in _PAGE for token in word.tokens)


def tells_of_page(claim: Claim) -> bool:
    """Whether an address is recorded as that of a page about a thing, or of the thing itself."""
    own = claim.detail.removeprefix("recorded with ").split(" of ")[0]
    return claim.status == "supported" and own.casefold() in _ADDRESSES


def is_particle(words: Sequence[Word], place: int) -> bool:
    """Whether a word belongs to the one before and says nothing by itself.

    It is a German preposition at the end of its clause, as the particle of its verb, or a Chinese
    classifier behind a quantifier: 每条.
    """
    word = words[place]
    before = words[place - 1].role if place else None
    if word.text == _STATION and place and words[place - 1].end == word.start:
        return words[place - 1].quantity is None  # "Baker Street站"
    if place and words[place - 1].quantity is not None and word.text in _OF_RECORDS:
        return True
    counts = before is not None and before.role in ("quantifier", "function")
    if counts and word.tokens[0].language == "zh" and CLASSIFIER.fullmatch(word.text):
        return True
    is_german = word.tokens[0].language == "de"
    if not is_german or word.text not in lexicon("de").rules.verb_particles:
        return False
    if word.role is not None and word.role.role == "direction":
        return False
    return place + 1 == len(words) or words[place + 1].text in _ENDS | _AND


def meaning_parts(word: Word) -> Iterable[Span]:
    """The ranges of a word's tokens that carry its meaning; its own where none does."""
    is_steady = word.role is not None and (word.role.role, word.role.sense) in STEADY
    if is_steady or (word.kind in ("iri", "name") and word.role is None):
        return ((word.start, word.end),)
    if word.kind != "time":
        return [(t.start, t.end) for t in content_of(word)]
    bounds = [t for t in word.tokens if is_open_bound(t)]
    return [(t.start, t.end) for t in (*bounds, *content_of(word)) if t.key not in _JOINS]


def is_open_bound(token: Token) -> bool:
    """Whether a token leaves a period open: "since 2020" is more than 2020."""
    entry = lexicon(token.language).role_of(token.key) if token.language else None
    return entry is not None and (entry.role, entry.sense) in _OPEN


def merely_pointed(
    context: PassageContext, words: Sequence[Word], claims: Iterable[Claim]
) -> Iterator[Span]:
    """Yield what a clause tells nothing of but what was said before: "so does Chad", "one of them".

    That the records know a thing does not say that what another one has is its as well.

    Args:
        context: the passage.
        words: its words.
        claims: its claims.
    """
    told = [c.start for c in claims if c.kind != "name" or c.facts]
    for start in (context.passage.start, *context.breaks):
        end = context.clause(start)[1]
        things = [(a.start, a.end) for a in context.entities if start <= a.start < end]
        if not things or context.passage.kind == "cell":
            continue
        here = [word for word in words if start <= word.start < end]
        is_named = any(w.role is not None and w.role.role == "being" for w in here)
        behind = max(last for _, last in things)
        points = [
            word
            for word in here
            if word.text.casefold() in _POINTS_BACK
            or (is_named and word.start >= behind and word.text.casefold() in _OF_THOSE)
        ]
        tells = any(start <= first < end for first in told)
        if not points or tells:
            continue
        named = [w for w in here if any(a <= w.start and w.end <= b for a, b in things)]
        ones = [word for word in here if word.quantity is not None and word.quantity.value == 1]
        said_so = (*points, *named, *ones)
        if all(w.kind == "sign" or is_silent(w) or w in said_so for w in here):
            yield from things


def told_beyond(context: PassageContext, claims: Sequence[Claim], *, whole: bool) -> Iterator[Span]:
    """Yield words that no claim of a passage bears, if it was not judged as a whole.

    An absence is not certain, nor so with what it lacks; and that nine are counted does not say
    that "all nine are among them".
    """
    text, (start, end) = context.contexts.reading.text, (context.passage.start, context.passage.end)
    counts = [claim.start for claim in claims if claim.kind == "number"]
    counts += [w.start for w in context.words if w.role and w.role.role == "quantifier"]
    for lacks, pattern in () if whole else _BEYOND:
        is_absent = lacks and any(lacks in claim.detail for claim in claims)
        for one in pattern.finditer(text, start, end):
            spans = ((w.start, w.end) for w in context.words if one.start() <= w.start < one.end())
            low = one.end() if lacks else context.clause(one.start())[0]
            if is_absent or any(low <= count < one.end() for count in counts):
                yield from spans
