"""Whether the words of a card stand together in one clause of its sentence.

A sentence of two clauses says of each subject what its own clause says. A card that takes the
subject of one and the rest of the other is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.arguments import (
    COMMAS,
    THINGS,
    Window,
    doubt,
    is_content,
    is_in,
    items_of,
    joins,
    known_words,
    part_of,
)
from groundwire.learning.cards.matching import denies, is_token, keys
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.roles import MODAL, asked_verbs
from groundwire.learning.cards.types import Gap

# "It stores them": a verb between two pronouns.
_PRONOUNS = 3
_REASONS = frozenset(("why", "reason", "how", "when"))


def together_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of a card that is put together from two clauses of its sentence, or None.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
    """
    return (
        clause_gap(asked, said, window)
        or _parallel_gap(asked, said, window)
        or _apart_gap(asked, said, window)
        or _denied_gap(asked, said, window)
        or _dependent_gap(asked, window)
        or _modal_gap(asked, window)
        or _tense_gap(asked, window)
        or _chinese_order_gap(asked, said, window)
    )


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
    here = frozenset(key for one in clauses[own] for key in keys(one))
    things = [one for one in items_of(asked) if any(t.tag in THINGS for t in one.tokens)]
    elsewhere = [one for one in window.spans if any(is_in(one, frozenset(keys(t))) for t in things)]
    if elsewhere and not any(is_in(one, here) for one in things):
        # "Sharks have no bones; their skeletons ...": of bones the clause says nothing.
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
    is_unread = not verbs and all(one.tokens[0].language != "zh" for one in spans)
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
    """The thing that the sentence says "it stores" where the question names something else."""
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


def _apart_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "between A and C" where the quote has "between A and B, but C went on"."""
    if not any(is_token(token, "adding") for token in said.tokens) or any(
        token.text in COMMAS for token in said.tokens
    ):
        return None
    clauses = _clauses(window.spans)
    wanted = [
        _forms(token) for token in said.tokens if token.tag in THINGS or token.tag == "number"
    ]
    held = [one for one in wanted if any(one & _forms(t) for c in clauses for t in c)]
    whole = any(all(any(one & _forms(t) for t in c) for one in held) for c in clauses)
    if len(held) < 2 or whole:
        return None
    crossed = window.spans[window.start : window.stop]
    contrasts = any(is_token(t, "contrasting") for one in crossed for t in one.tokens)
    return doubt(window, crossed[-1].text) if contrasts else None


def _denied_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a card about B where the quote has "A, not B, did it"."""
    if any(denies(one) for reading in (asked, said) for one in reading.spans):
        return None
    known = known_words(asked)
    spans = window.spans
    for n in range(1, len(spans) - 2):
        if not denies(spans[n]) or spans[n - 1].text not in COMMAS:
            continue
        stop = next((m for m in range(n, len(spans)) if spans[m].text in COMMAS), len(spans))
        inside = [one for one in spans[n + 1 : stop] if is_content(one)]
        verbs = any(token.tag == "verb" for one in inside for token in one.tokens)
        rest = frozenset(key for one in (*spans[:n], *spans[stop:]) for key in keys(one))
        if inside and not verbs and any(is_in(one, known - rest) for one in inside):
            return doubt(window, f"{spans[n].text} {inside[0].text}")
    return None


def _dependent_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what rusts" that is answered from the clause "if water is there"."""
    senses = {one.role.sense for one in asked.spans if asks(one) and one.role is not None}
    low, high = part_of(window)
    inside = window.spans[low:high]
    if not senses & {"what", "who"} or not inside or not any(map(_opens, inside[0].tokens)):
        return None
    here = frozenset(key for one in inside for key in keys(one))
    outside = [*window.spans[:low], *window.spans[high:]]
    verb = next((one for one in asked.spans if any(t.tag == "verb" for t in one.tokens)), None)
    if verb is None or is_in(verb, here):
        return None
    words = frozenset(keys(verb))
    return doubt(window, verb.text) if any(is_in(one, words) for one in outside) else None


def _modal_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "how long should it last" where the quote has "that lasts, should be seen"."""
    modal = next((one for one in asked.tokens if one.lemma in MODAL), None)
    if modal is None or modal.language != "en":
        return None
    tokens = [token for one in window.spans for token in one.tokens]
    at = [n for n, one in enumerate(tokens) if one.lemma == modal.lemma]
    wanted = asked_verbs(asked)
    governed: set[str] = set()
    for n in at:
        ends = (m for m in range(n, len(tokens)) if tokens[m].text in COMMAS or _relates(tokens[m]))
        behind = tokens[n + 1 : next(ends, len(tokens))]
        governed |= {one.lemma for one in behind if one.tag == "verb" and one.lemma not in _BARE}
    held = {token.lemma for token in tokens}
    if governed and wanted & held and not wanted & governed:
        return doubt(window, min(governed))
    return None


def _tense_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "which tower holds the record" where the quote has "held" alone."""
    words = [token for token in asked.tokens if token.tag == "verb" and token.language == "en"]
    if any(one.lemma in MODAL or one.lemma == "will" for one in asked.tokens):
        return None
    helped = any(one.key in _PAST for one in asked.tokens)
    tokens = [token for one in window.spans for token in one.tokens]
    for word in words:
        if helped or word.lemma in _BARE or not _is_present(word):
            continue
        same = [n for n, one in enumerate(tokens) if one.tag == "verb" and one.lemma == word.lemma]
        past = [
            n
            for n in same
            if not _is_present(tokens[n])
            and not tokens[n].key.endswith("ing")
            and not any(one.lemma in _BARE for one in tokens[max(0, n - 3) : n])
        ]
        if past and len(past) == len(same):
            return doubt(window, tokens[past[0]].text)
    return None


def _is_present(token: Token) -> bool:
    return token.key in (token.lemma, f"{token.lemma}s", f"{token.lemma}es") or token.key == (
        f"{token.lemma[:-1]}ies"
    )


def _relates(token: Token) -> bool:
    return token.key in ("that", "who", "which", "whose")


_BARE = frozenset(("be", "have", "do"))
_PAST = frozenset(("did", "was", "were", "had", "been"))
# Words that move a thing of a Chinese sentence to another place.
_MOVING = frozenset(("被", "由", "把", "将"))


def _chinese_order_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a Chinese card whose words stand on another side of the answer than in its clause.

    A Chinese question has the order of its answer.
    """
    at = next((n for n, one in enumerate(asked.spans) if asks(one)), None)
    if at is None or not any(token.language == "zh" for token in asked.tokens):
        return None
    if any(t.key in _MOVING for one in (*asked.spans, *window.spans) for t in one.tokens):
        return None
    role = asked.spans[at].role
    before = asked.spans[at - 1] if at else None
    names = before is not None and before.role is not None and before.role.role == "being"
    if role is None or role.sense in _REASONS or names:
        return None
    low, high = part_of(window)
    known = known_words(asked) | known_words(said)
    # In 哪个区 the word behind is the kind of what is asked for, and the end of 怀柔区.
    answer = said.text.rstrip("。 ")
    content = [one for one in asked.spans if is_content(one) and not asks(one)]
    items = [one for one in content if not answer.endswith(one.text)]
    for item in items:
        words = frozenset(keys(item))
        inside = [n for n in range(low, high) if is_in(window.spans[n], words)]
        outside = any(is_in(one, words) for one in (*window.spans[:low], *window.spans[high:]))
        is_left = item.start < asked.spans[at].start
        if inside and is_left and min(inside) > window.stop:
            return doubt(window, item.text)
        if inside and not is_left and max(inside) < window.start:
            return doubt(window, item.text)
        if inside or not outside:
            continue
        leads = [one for one in window.spans[low : window.start] if is_content(one)]
        other = [one for one in leads if any(t.tag in THINGS for t in one.tokens)]
        if not is_left or any(not is_in(one, known) for one in other[:1]):
            return doubt(window, item.text)
    return None
