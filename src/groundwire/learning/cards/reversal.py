"""Whether a question turns round what its quote says: "A becomes B", "B becomes A".

These rules go by the order of words, so that they need no parts of speech where it tells enough: by
the "do" of an English question, by cases in German, by the place of the question's word in Chinese,
by the ends of a way, and by which of two a name is given to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.matching import denies, is_token, keys, meanings
from groundwire.learning.cards.roles import MODAL
from groundwire.learning.cards.types import Gap

_PASSIVE = frozenset(
    ("by", "was", "were", "been", "being", "von", "wurde", "wurden", "worden", "被", "由")
)
# Words that move the object of a Chinese sentence before its verb, or its subject behind it.
_MOVING = frozenset(("把", "被", "由", "将"))
# Tags that a form of a German verb is given.
_VERBS = ("verb", "adjective", "other")
_BARE = frozenset(("function", "sign"))
_BE = frozenset(("be", "sein", "have", "haben", "do"))
# Senses of the prepositions that say where, when or how something holds.
_PLACING = frozenset(("preposition", "by", "from", "to", "via", "per"))


def reversal_gap(
    asked: Reading, said: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """Return the gap of a card that says the other way round what a sentence says, or None.

    Args:
        asked: the question.
        said: the back.
        answers: for each span of the answer the spans of the quote that it stands at.
        spans: the spans of the sentence.
    """
    return (
        _reversal_gap(asked, spans)
        or _statement_gap(said, spans)
        or _turned_gap(asked, answers, spans)
        or _cases_gap(asked, answers, spans)
        or _naming_gap(asked, answers, spans)
        or _direction_gap(said, spans)
        or _ends_gap(asked, spans)
        or _chinese_gap(asked, answers, spans)
    )


def _reversal_gap(asked: Reading, spans: Sequence[Span]) -> Gap | None:
    """The gap of a question that turns round what one word ties: "A becomes B", "B becomes A"."""
    tokens = [token for span in spans for token in span.tokens]
    if any(token.key in _PASSIVE for token in (*tokens, *asked.tokens)):
        return None
    own, held = _words(asked.tokens), _words(tokens)
    for n in range(len(own) - 2):
        one, tie, other = own[n : n + 3]
        if one.lemma == other.lemma or not _ties(tie):
            continue
        for m in range(len(held) - 2):
            three = [token.lemma for token in held[m : m + 3]]
            if three == [other.lemma, tie.lemma, one.lemma]:
                text = " ".join(token.text for token in held[m : m + 3])
                said = f"The quote says it the other way round: {text[:80]!r}."
                return Gap("attachment", said, (text,))
    return None


def _statement_gap(said: Reading, spans: Sequence[Span]) -> Gap | None:
    """The gap of an answer whose statement is turned round: "A equals B times C", "B equals A ...".

    What stands before the verb in the answer stands behind it in the quote, and the other way
    round.
    """
    tokens = [token for span in spans for token in span.tokens]
    if any(token.key in _PASSIVE for token in (*tokens, *said.tokens)):
        return None
    for n, tie in enumerate(said.spans):
        places = _starts(tie.tokens[0], tokens)
        if not _asserts(tie) or len(places) != 1:
            continue
        before, after = (
            [
                place
                for span in some
                if not span.is_silent
                for place in (_starts(span.tokens[0], tokens),)
                if place
            ]
            for some in (said.spans[:n], said.spans[n + 1 :])
        )
        behind = any(min(place) > places[0] for place in before)
        if behind and any(max(place) < places[0] for place in after):
            text = " ".join(token.text for token in tokens)[:200]
            return Gap("attachment", "The quote says it the other way round.", (text,))
    return None


def _asserts(span: Span) -> bool:
    """Whether a span ties what stands before it to what stands behind it: a verb, "equals"."""
    role, token = span.role, span.tokens[0]
    compares = role is not None and (role.role, role.sense) == ("comparison", "equal")
    return compares or (token.tag == "verb" and token.lemma not in _BE)


def _turned_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of "What does B keep out? A" where the quote has "A keeps B out"; so of "What keeps".

    "Do" shows what the subject is and what the verb, whatever the words are taken for elsewhere.
    """
    tokens = [token for span in spans for token in span.tokens]
    if any(token.key in _PASSIVE for token in (*tokens, *asked.tokens)):
        return None
    first = asked.spans[0] if asked.spans else None
    if first is None or not asks(first) or first.role is None:
        return None
    if first.role.sense not in ("what", "who") or first.tokens[0].language != "en":
        return None
    rest = asked.spans[1:]
    at = next((n for n, span in enumerate(rest) if span.tokens[0].lemma == "do"), None)
    if at is None and rest and rest[0].tokens[0].lemma in MODAL:
        # "Whom must the buyer notify" has its words in the order of "whom does he notify".
        at = 0
    phrase = _phrase(rest if at is None else rest[at + 1 :])
    if len(phrase) < 2 or (at is None and _is_bare(rest[0].tokens[0])):
        return None
    # The object of "What keeps B out" stands where the subject of "What does B keep out" stands.
    verb, thing = (phrase[0], phrase[1]) if at is None else (phrase[-1], phrase[0])
    answer = [place.start for found in answers for place in found if place in spans]
    verbs, things = _starts(verb, tokens), _starts(thing, tokens)
    if not answer or len(verbs) != 1 or not things:
        return None
    first_of = (min(things), max(answer)) if at is None else (min(answer), max(things))
    before, after = first_of
    own = (max(things), min(answer)) if at is None else (max(answer), min(things))
    if before < verbs[0] < after and own[0] < verbs[0] < own[1]:
        said = f"The quote says it the other way round about {thing.text[:60]!r}."
        return Gap("attachment", said, (" ".join(token.text for token in tokens)[:200],))
    return None


def _cases_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of a German "who" and "whom" that only cases tell apart, where these show nothing."""
    tokens = [token for span in spans for token in span.tokens]
    own = [token for token in asked.tokens if token.tag != "sign"]
    if len(own) < 3 or own[0].key not in ("wer", "wen") or own[1].tag not in _VERBS:
        return None
    if any(token.key in _PASSIVE for token in (*tokens, *asked.tokens)):
        return None
    # A form of a verb that is taken for another word has its beginning.
    stem = own[1].key[: max(4, len(own[1].key) - 3)]
    verbs = [token.start for token in tokens if token.key.startswith(stem)]
    nouns = [token for token in own[2:] if token.tag in ("noun", "name")]
    things = [at for token in nouns for at in _starts(token, tokens)]
    places = [place.start for found in answers for place in found if place in spans]
    if len(verbs) != 1 or not things or not places:
        return None
    objects = places if own[0].key == "wer" else things
    if min(objects) < verbs[0] and _is_object(min(objects), tokens):
        said = f"{tokens[0].text[:40]!r} shows in the quote that it was done to this one."
        return Gap("attachment", said, (" ".join(token.text for token in tokens)[:200],))
    if own[0].key == "wer" and min(places) > verbs[0]:
        # Before the verb stands another who may have done it, and no "in the year".
        rivals = [n for n, one in enumerate(spans) if one.start < verbs[0] and is_thing(one)]
        if any(not any(map(is_preposition, spans[max(0, n - 2) : n])) for n in rivals):
            said = "Another stands before the verb, who may be the one that did it."
            return Gap("attachment", said, (" ".join(token.text for token in tokens)[:200],))
    first, last = (things, places) if own[0].key == "wer" else (places, things)
    if max(first) < verbs[0] < min(last) and not _is_object(min(first), tokens):
        said = f"Which of both did it stands the other way round: {tokens[0].text[:40]!r} ..."
        return Gap("attachment", said, (" ".join(token.text for token in tokens)[:200],))
    return None


def _is_object(start: int, tokens: Sequence[Token]) -> bool:
    """Return whether the article of a noun shows an object: "den König besiegte er"."""
    before = [token for token in tokens if token.start < start][-2:]
    return any(token.key in ("den", "dem", "einen", "einem") for token in before)


def _phrase(spans: Sequence[Span]) -> list[Token]:
    """The words up to a mark or a preposition, without articles."""
    found: list[Token] = []
    for span in spans:
        role = span.role
        is_article = role is not None and role.sense == "determiner"
        if span.kind == "sign" or (role is not None and role.role == "function" and not is_article):
            break
        found += [token for token in span.tokens if not is_article and not _is_bare(token)]
    return found


def _is_bare(token: Token) -> bool:
    return token.lemma in _BE or token.tag in _BARE


def _starts(wanted: Token, tokens: Sequence[Token]) -> list[int]:
    """Where a word stands among others, in any form."""
    own = {wanted.key, *meanings(wanted)}
    return [one.start for one in tokens if own & {one.key, *meanings(one)}]


def _naming_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of the thing where its name is asked for: in "A is called B" the name is B."""
    if not any(map(_is_naming, asked.spans)):
        return None
    at = next((n for n, span in enumerate(spans) if _is_naming(span)), None)
    if at is None or not answers or any(_is_naming(span) for span in spans[at + 1 :]):
        return None
    places = [span for found in answers for span in found if span in spans]
    if places and all(span.start < spans[at].start for span in places):
        said = f"The quote gives another name behind {spans[at].text[:40]!r}."
        return Gap("attachment", said, (" ".join(span.text for span in spans[at + 1 :])[:200],))
    return None


def _is_naming(span: Span) -> bool:
    return any(token.tag == "verb" and is_token(token, "naming") for token in span.tokens)


def _direction_gap(said: Reading, spans: Sequence[Span]) -> Gap | None:
    """The gap of "from the west" where the quote has "to the west" alone."""
    held = [token for span in spans for token in span.tokens]
    own = list(said.tokens)
    for n, token in enumerate(own):
        if not is_token(token, "directing"):
            continue
        thing = next((one for one in own[n + 1 : n + 4] if one.tag not in _BARE), None)
        places = [m for m, one in enumerate(held) if thing and one.key == thing.key]
        leads = [_lead(held, place) for place in places]
        if leads and all(lead is not None and lead.key != token.key for lead in leads):
            lead = next(lead for lead in leads if lead is not None)
            text = f"{lead.text} {thing.text if thing else ''}"
            return Gap("attachment", f"The quote says {text[:60]!r}, not {token.text!r}.", (text,))
    return None


def _ends_gap(asked: Reading, spans: Sequence[Span]) -> Gap | None:
    """The gap of a question that goes "from B" where the quote goes "from A to B"."""
    held = [token for span in spans for token in span.tokens]
    own = list(asked.tokens)
    for n, token in enumerate(own):
        end = _end(token)
        thing = next((one for one in own[n + 1 : n + 4] if one.tag not in _BARE), None)
        if not end or thing is None:
            continue
        ends = {_end(lead) if lead else "" for lead in _leads(thing, held)}
        if ends and not ends & {end, ""}:
            said = f"The quote goes the other way than {token.text} {thing.text[:60]!r}."
            return Gap("attachment", said, (" ".join(one.text for one in held)[:200],))
    return None


def _leads(thing: Token, held: Sequence[Token]) -> list[Token | None]:
    return [_lead(held, m) for m, one in enumerate(held) if one.key == thing.key]


def _end(token: Token) -> str:
    tables = ("sourcing", "reaching")
    return next((table for table in tables if is_token(token, table)), "")


def _chinese_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of an answer on the other side of what stands beside 谁 or 什么 in its question.

    A Chinese question has the order of its answer; 把 and 被 change it, where only one has them.
    """
    at = next((n for n, span in enumerate(asked.spans) if asks(span)), None)
    role = asked.spans[at].role if at is not None else None
    if at is None or role is None or role.sense not in ("who", "what"):
        return None
    if asked.spans[at].tokens[0].language != "zh":
        return None
    tokens = [token for span in spans for token in span.tokens]
    moved = [{one.text for one in some} & _MOVING for some in (asked.tokens, tokens)]
    places = [place.start for found in answers for place in found if place in spans]
    if moved[0] != moved[1] or not places:
        return None
    # In "《茶经》是谁写的" what it is about stands first, whoever did it.
    begun = () if at and asked.spans[at - 1].text == "是" else reversed(asked.spans[:at])
    # In 哪个区 the word behind is the kind of what is asked for, and part of the answer.
    ends = [place.text for found in answers for place in found if place in spans]
    behind = [s for s in asked.spans[at + 1 :] if not any(one.endswith(s.text) for one in ends)]
    for beside, is_before in ((begun, True), (behind, False)):
        found = next(filter(None, (_alone_at(span, spans) for span in beside)), None)
        if found is None:
            continue
        right = found.start < min(places) if is_before else found.start > max(places)
        if not right and found.start not in places:
            said = f"The quote has {found.text[:40]!r} on the other side of the answer."
            return Gap("attachment", said, (" ".join(span.text for span in spans)[:200],))
    return None


def _alone_at(span: Span, spans: Sequence[Span]) -> Span | None:
    """Return where a word that says something stands in a sentence, if it does so once."""
    if span.is_silent or denies(span):
        return None
    same = [one for one in spans if set(keys(span)) & set(keys(one))]
    return same[0] if len(same) == 1 else None


def _lead(held: Sequence[Token], place: int) -> Token | None:
    """The preposition of a direction right before a word and its article, or None."""
    for token in reversed(held[max(0, place - 3) : place]):
        if is_token(token, "directing"):
            return token
        if token.tag not in _BARE and token.tag != "adjective":
            return None
    return None


def _ties(token: Token) -> bool:
    return token.lemma not in _BE and not is_token(token, "adding") and token.tag != "adjective"


def _words(tokens: Iterable[Token]) -> list[Token]:
    """The words that say something: without signs, articles, prepositions and helping verbs."""
    return [
        token
        for token in tokens
        if token.tag not in ("sign", "function") and token.lemma not in _BE
    ]


def asks(span: Span) -> bool:
    """Return whether a span asks: who, what, how many."""
    return span.role is not None and span.role.role == "question"


def is_thing(span: Span) -> bool:
    """Return whether a span names a thing."""
    return not span.is_silent and any(token.tag in ("noun", "name") for token in span.tokens)


def is_preposition(span: Span) -> bool:
    """Return whether a span puts what follows it in a place, a time or a way."""
    role = span.role
    return role is not None and role.role == "function" and role.sense in _PLACING
