"""Whether a card keeps what describes the things of its sentence.

"Pierre Curie" is not Marie, "her daughter" is not she, and what is said of "glaciers that reach
low" is not said of glaciers. A card that leaves out such a part is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.arguments import THINGS, Argument, arguments
from groundwire.learning.cards.matching import denies, is_name, is_token, keys
from groundwire.learning.cards.reversal import is_preposition
from groundwire.learning.cards.types import Gap
from groundwire.learning.cards.windows import (
    COMMAS,
    Window,
    doubt,
    is_content,
    is_in,
    joins,
    known_words,
)

_RELATIVE_ENGLISH = frozenset(("which", "who", "whom"))
_RELATIVE_PERSONS = frozenset(("who", "that", "which"))
_OWNING = frozenset(("'s", "’s", "'", "’"))
# "It stores them": a verb between two pronouns.
_PRONOUNS = 3
_RELATIVE = frozenset(
    ("der", "die", "das", "den", "dem", "deren", "dessen", "denen", "welcher", "welche", "welches")
)


def description_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of a card that leaves out which of several things its sentence is about.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
    """
    return (
        _name_gap(asked, window)
        or _owner_gap(asked, said, window)
        or _restriction_gap(asked, said, window)
        or _antecedent_gap(asked, said, arguments(window.spans), window)
        or _owned_gap(asked, said, window)
        or _possessive_gap(asked, window)
        or _lacking_gap(asked, said, window)
        or _share_gap(asked, window)
        or _parallel_gap(asked, said, window)
    )


def _name_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "Marie Curie" where the sentence has another name beside "Curie"."""
    held = [token for span in window.spans for token in span.tokens]
    there = {token.key for token in held}
    for run in _names(asked):
        own = {token.key for token in run}
        known = [n for n, token in enumerate(run) if token.key in there]
        missing = [n for n, token in enumerate(run) if token.key not in there]
        if not known or not missing:
            continue
        step = -1 if missing[0] < known[0] else 1
        at = run[known[0] if step < 0 else known[-1]].key
        places = [n + step for n, token in enumerate(held) if token.key == at]
        beside = [held[n] for n in places if 0 <= n < len(held)]
        others = [one for one in beside if _is_named(one) and one.key not in own]
        if others and len(others) == len(places):
            return doubt(window, others[0].text)
    return None


def _names(reading: Reading) -> list[list[Token]]:
    """The names of two words or more."""
    runs: list[list[Token]] = [[]]
    for n, span in enumerate(reading.spans):
        if n and is_name(span, n):
            runs[-1] += span.tokens
        elif runs[-1] and all(map(_is_numeral, span.tokens)):
            # "Henry VIII" is not Henry VII.
            runs[-1] += span.tokens
        else:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def _is_named(token: Token) -> bool:
    return token.tag in ("name", "noun", "other") and token.text[:1].isupper()


def _is_numeral(token: Token) -> bool:
    return bool(token.text) and set(token.text) <= set("IVX")


def _owner_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of what is said of "her daughter" on a card that has no word of the daughter."""
    spans = window.spans
    if not spans or not any(is_token(token, "owning") for token in spans[0].tokens):
        return None
    known = known_words(asked) | known_words(said)
    phrase: list[Span] = []
    for span in spans[1:]:
        if span.text in COMMAS or any(token.tag == "verb" for token in span.tokens):
            if span.role is not None and span.role.role == "being":
                # "Its height is 330 m": the question may ask how high it is.
                return None
            break
        phrase.append(span)
    things = [span for span in phrase if is_content(span)]
    if not things or any(known.intersection(keys(span)) for span in things):
        return None
    return doubt(window, things[0].text)


def _restriction_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a German relative clause that tells which things are meant, and is left out."""
    spans = window.spans
    wanted, known = known_words(asked), known_words(asked) | known_words(said)
    for n in range(1, len(spans) - 2):
        head, behind = spans[n - 1], spans[n + 1 : n + 3]
        if spans[n].text not in COMMAS or is_name(head, 1):
            continue
        if not any(token.tag == "noun" for token in head.tokens) or not wanted & set(keys(head)):
            continue
        if not any(_begins_relative(span) for span in behind):
            continue
        stop = next((m for m in range(n + 1, len(spans)) if spans[m].text in COMMAS), len(spans))
        clause = [one for one in spans[n + 1 : stop] if one.kind != "sign"]
        # A relative clause ends with its verb; "der Präsident ernennt ihn" is none.
        ends = clause[-1].tokens[-1].tag if clause else "function"
        if ends in ("function", "noun", "name") or (window.start < stop and window.stop > n):
            continue
        if not any(known.intersection(keys(span)) for span in clause if is_content(span)):
            return doubt(window, " ".join(span.text for span in clause))
    return None


def _begins_relative(span: Span) -> bool:
    return any(token.language == "de" and token.key in _RELATIVE for token in span.tokens)


def _antecedent_gap(
    asked: Reading, said: Reading, held: Sequence[Argument], window: Window
) -> Gap | None:
    """The gap of a relative clause about a thing of which a card has no word.

    "Members elect the board, which appoints the director": the board does, not the members.
    """
    tokens = [token for span in window.spans for token in span.tokens]
    at = next(
        (
            n
            for n, token in enumerate(tokens)
            if n and token.key in _RELATIVE_ENGLISH and tokens[n - 1].text in COMMAS
        ),
        None,
    )
    if at is None:
        return None
    stop = next((n for n in range(at + 1, len(tokens)) if tokens[n].text in COMMAS), len(tokens))
    card = known_words(asked) | known_words(said)
    before = [one for one in held if one.place < at and one.token.tag in THINGS]
    inside = [one for one in held if at < one.place < stop and one.keys & card]
    outside = [one for one in held if (one.place < at or one.place >= stop) and one.keys & card]
    outside = [one for one in outside if not any(one.keys & other.keys for other in inside)]
    if not before or not inside or not outside or before[-1].keys & card:
        return None
    # "The brother of the king, who": the clause may be about either.
    if len(before) > 1 and "of" in before[-1].leads and before[-2].keys & card:
        return None
    return doubt(window, before[-1].token.text)


def _owned_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of an answer that only owns what the quote speaks of: "by Ibsen's cousin"."""
    behind = window.spans[window.stop + 1 : window.stop + 3]
    if len(behind) < 2 or behind[0].tokens[0].key not in _OWNING:
        return None
    known = known_words(asked) | known_words(said)
    if known.intersection(keys(behind[1])) or not is_content(behind[1]):
        return None
    if any(is_token(token, "possessing") for token in asked.tokens):
        return None
    return doubt(window, behind[1].text)


def _possessive_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "Murat's sister" where the sister of the quote is Napoleon's."""
    held = _possessives([token for span in window.spans for token in span.tokens])
    for thing, owner in _possessives(asked.tokens).items():
        other = held.get(thing)
        if other is not None and other.key != owner.key and owner.tag != "function":
            return doubt(window, f"{other.text}'s {thing}")
    return None


def _possessives(tokens: Sequence[Token]) -> dict[str, Token]:
    """The owners before "'s", by the nouns behind it."""
    found: dict[str, Token] = {}
    for n in range(1, len(tokens) - 1):
        if tokens[n].key not in _OWNING:
            continue
        noun = next((one for one in tokens[n + 1 : n + 4] if one.tag in THINGS), None)
        if noun is not None:
            found.setdefault(noun.lemma, tokens[n - 1])
    return found


def _lacking_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a card with "a nucleus" where the quote says that it is lacking."""
    known = known_words(asked) | known_words(said)
    for n, span in enumerate(window.spans):
        if not any(is_token(token, "lacking") for token in span.tokens):
            continue
        thing = next((one for one in window.spans[n + 1 :] if is_content(one)), None)
        denied = any(denies(one) for reading in (asked, said) for one in reading.spans)
        if thing is None or denied or known.intersection(keys(span)):
            continue
        if known.intersection(keys(thing)):
            return doubt(window, span.text)
    return None


def _share_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "most of those who live there" where the quote has a share of others."""
    shares = [n for n, one in enumerate(asked.tokens) if is_token(one, "partial")]
    if not shares or not any(one.key in _RELATIVE_PERSONS for one in asked.tokens[shares[0] :]):
        return None
    told = any(t.key in _RELATIVE_PERSONS for span in window.spans for t in span.tokens)
    return None if told else doubt(window, asked.tokens[shares[0]].text)


def _parallel_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a question about the subject of another clause than that of its answer.

    "Only females suck blood, males live on sap": of females the second clause says nothing.
    """
    known = known_words(asked) | known_words(said)
    clauses: list[list[Span]] = [[]]
    own = 0
    for n, span in enumerate(window.spans):
        if span.text in COMMAS:
            clauses.append([])
        clauses[-1].append(span)
        own = len(clauses) - 1 if n == window.start else own
    subject = _subject(clauses[own])
    if subject is None or is_in(subject, known):
        return None
    others = (_subject(one) for n, one in enumerate(clauses) if n != own)
    wanted = known_words(asked)
    if any(one is not None and is_in(one, wanted) for one in others):
        return doubt(window, subject.text)
    return doubt(window, subject.text) if _is_apart(asked, clauses, own) else None


def _is_apart(asked: Reading, clauses: Sequence[Sequence[Span]], own: int) -> bool:
    """Whether a character of a Chinese question stands in other clauses than that of the answer.

    Words may be cut otherwise there.
    """
    if not any(token.language == "zh" for one in clauses[own] for token in one.tokens):
        return False
    here, there = (
        {
            char
            for n, one in enumerate(clauses)
            if (n == own) == mine
            for s in one
            for char in s.text
        }
        for mine in (True, False)
    )
    things = [s for s in asked.spans if s.kind == "leftover" and not s.is_silent]
    return any(char in there - here for span in things for char in span.text)


def _subject(spans: Sequence[Span]) -> Span | None:
    """The first thing of a clause, if its verb follows it and no preposition leads to it."""
    things = [n for n, one in enumerate(spans) if any(t.tag in THINGS for t in one.tokens)]
    verbs = [n for n, one in enumerate(spans) if any(t.tag == "verb" for t in one.tokens)]
    # What joins two Chinese things is seldom read as a verb.
    is_unread = not verbs and spans[-1].tokens[0].language != "zh"
    if not things or is_unread or (verbs and things[0] > verbs[0]):
        return None
    before = spans[max(0, things[0] - 2) : things[0]]
    if any(is_preposition(one) or any(map(_opens, one.tokens)) for one in before):
        return None
    return spans[things[0]]


def clause_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of a clause as an answer that the sentence has not so, or None.

    Its words stand in one clause of the sentence, and in English and Chinese in the same order:
    "if the second node fails" is not "if the first fails, the second takes over". What "it" does
    with a thing is told in the clause of that thing.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
    """
    other = _other_object(asked, said, window)
    if other is not None:
        return doubt(window, other.text)
    if not any(token.tag == "verb" or _opens(token) for token in said.tokens):
        return None
    if any(token.text in COMMAS or is_token(token, "adding") for token in said.tokens):
        return None
    telling = [token for token in said.tokens if token.tag not in ("function", "sign")]
    keyed = [frozenset((token.key, token.lemma)) for token in telling]
    clauses = _clauses(window.spans)
    everywhere = {key for clause in clauses for token in clause for key in (token.key, token.lemma)}
    wanted = [one for one in keyed if one & everywhere]
    if not wanted:
        return None
    whole = [c for c in clauses if all(any(one & _forms(t) for t in c) for one in wanted)]
    if not whole:
        return Gap("attachment", f"{window.text[:80]!r} is of two parts of the quote.")
    if said.tokens[0].language == "de" or _is_passive(said.tokens) != any(map(_is_passive, whole)):
        return None
    for clause in whole:
        places = [[n for n, token in enumerate(clause) if one & _forms(token)] for one in wanted]
        if any(len(at) > 1 for at in places) or all(
            one[0] < other[0] for one, other in pairwise(places)
        ):
            return None
    return Gap("attachment", f"The quote says it the other way round: {window.text[:80]!r}.")


def _other_object(asked: Reading, said: Reading, window: Window) -> Span | None:
    """What "it stores them" is said of in the sentence, where the question names something else."""
    tokens = [token for token in said.tokens if token.tag != "sign"]
    if len(tokens) != _PRONOUNS or not all(is_token(tokens[n], "pointing") for n in (0, -1)):
        return None
    behind = window.spans[window.stop + 1 :]
    stop = next(
        (n for n, one in enumerate(behind) if one.text in COMMAS or joins(one)), len(behind)
    )
    things = [one for one in behind[:stop] if is_content(one)]
    known = known_words(asked)
    return things[0] if things and not any(is_in(one, known) for one in things) else None


def _forms(token: Token) -> frozenset[str]:
    return frozenset((token.key, token.lemma))


def _opens(token: Token) -> bool:
    return any(is_token(token, one) for one in ("because", "supposing", "subordinating"))


def _is_passive(tokens: Sequence[Token]) -> bool:
    return any(token.key in ("by", "被", "由") for token in tokens)


def _clauses(spans: Sequence[Span]) -> list[list[Token]]:
    """The words of a sentence, cut at commas and where "and" joins two clauses with verbs."""
    found: list[list[Token]] = [[]]
    for n, span in enumerate(spans):
        joint = any(is_token(token, "adding") for token in span.tokens)
        rest = [token for one in spans[n:] for token in one.tokens]
        stop = next((m for m, token in enumerate(rest) if token.text in COMMAS), len(rest))
        if span.text in COMMAS or (joint and _acts(rest[:stop]) and _acts(found[-1])):
            found.append([])
        found[-1] += span.tokens
    first = _before_verb(found[0])
    # "Chlorophyll absorbs red light, and hardly absorbs green light": one subject has two verbs.
    return [one if not n or _has_subject(one) else [*first, *one] for n, one in enumerate(found)]


def _before_verb(tokens: Sequence[Token]) -> list[Token]:
    verb = next((n for n, token in enumerate(tokens) if token.tag == "verb"), len(tokens))
    return list(tokens[:verb])


def _has_subject(tokens: Sequence[Token]) -> bool:
    return any(token.tag in ("noun", "name") for token in _before_verb(tokens))


def _acts(tokens: Sequence[Token]) -> bool:
    """Whether a clause has a verb; German ones of unknown kind are written small."""
    return any(
        token.tag == "verb"
        or (token.language == "de" and token.tag == "other" and token.text.islower())
        for token in tokens
    )
