"""Whether a card names the thing for which a pronoun of its quote stands.

"Hooke rebuilt London with Wren. He died in 1703": of Wren this says nothing. A pronoun stands for
what the sentence before begins with, if they agree; a card that names another thing of the passage
is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language import Reading, Token
from groundwire.learning.cards.arguments import BARE, THINGS, Argument, arguments
from groundwire.learning.cards.bearing import names_kind
from groundwire.learning.cards.matching import is_token, keys, read
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.types import Gap, Passage
from groundwire.learning.cards.windows import known_words

_TABLES = ("pointing", "of_persons", "of_several", "of_places", "masculine", "feminine", "neuter")
_GENDERS = {"masculine": "m", "feminine": "f", "neuter": "n"}


def reference_gap(asked: Reading, said: Reading, passage: Passage, start: int) -> Gap | None:
    """Return the gap of a question about another thing than its sentence's pronoun, or None.

    Args:
        asked: the question.
        said: the back.
        passage: the passage.
        start: where the answer's sentence begins in it.
    """
    whole = read(passage.text)
    number = max((n for n, one in enumerate(whole.sentences) if one.start <= start), default=0)
    if not number:
        return None
    found = [arguments(whole.within(one.start, one.end)) for one in whole.sentences[: number + 1]]
    sentence = whole.sentences[number]
    spans = whole.within(sentence.start, sentence.end)
    pronoun = _pronoun([token for span in spans for token in span.tokens], found[-1])
    here = frozenset(key for span in spans for key in keys(span)) | known_words(said)
    here |= known_words(read(f"{passage.source}. {passage.locator}"))
    if pronoun is None:
        return _own_subject_gap(asked, said, found, here)
    card = known_words(asked) | known_words(said)
    topic = next((one for each in reversed(found[:-1]) if (one := _topic(each))), list[Argument]())
    heads = [one for one in topic if "of" not in one.leads]
    if not heads or not any(_may_stand_for(pronoun, one) for one in heads):
        return None
    for n, span in enumerate(asked.spans):
        words = frozenset(keys(span))
        if asks(span) or names_kind(asked.spans, n) or words & here:
            continue
        same = [one for each in found[:-1] for one in each if one.keys & words]
        same = [one for one in same if one.token.tag in THINGS and not one.is_figure]
        if not same or any(one.keys & words for one in heads):
            continue
        if any(one.keys & words for one in topic) and any(one.keys & card for one in heads):
            continue
        if any(one.keys & card for one in heads):
            # Both are named: which of them is meant, the other rules tell.
            continue
        detail = f"{pronoun.text[:20]!r} stands for {heads[0].token.text[:60]!r} in the passage, "
        return Gap(
            "attachment", f"{detail}not clearly for {span.text[:60]!r}: quote what names it."
        )
    return None


def _own_subject_gap(
    asked: Reading, said: Reading, found: Sequence[Sequence[Argument]], here: frozenset[str]
) -> Gap | None:
    """The gap of a thing of an earlier sentence in the place of what a sentence is about itself.

    "The lock is near the mill. The weir was finished in 1904" says nothing of the lock; "the gates
    are opened" behind it may be asked of the gates of the lock.
    """
    wanted, answer = known_words(asked), known_words(said)
    things = [one for one in found[-1] if one.token.tag in THINGS and not one.is_figure]
    others = [one for one in things if not one.keys & answer]
    heads = [one for one in _topic(found[-1]) if "of" not in one.leads]
    told = any(one.keys & (wanted | answer) for one in heads)
    if not heads or (told and (not others or any(one.keys & wanted for one in others))):
        return None
    for n, span in enumerate(asked.spans):
        words = frozenset(keys(span))
        if asks(span) or names_kind(asked.spans, n) or words & here:
            continue
        earlier = [one for each in found[:-1] for one in each if one.keys & words]
        if any(one.token.tag in THINGS and not one.is_figure for one in earlier):
            detail = f"The sentence of the answer is about {heads[0].token.text[:60]!r}, and not "
            return Gap("attachment", f"{detail}clearly about {span.text[:60]!r}: quote what is.")
    return None


def _pronoun(tokens: Sequence[Token], found: Sequence[Argument]) -> Token | None:
    """The first pronoun of a sentence before which nothing stands that it might stand for."""
    for token in tokens:
        if any(is_token(token, table) for table in _TABLES):
            before = [one for one in found if one.token.start < token.start]
            named = any(one.token.tag in THINGS and "" in one.leads for one in before)
            return None if named else token
    return None


def _topic(found: Sequence[Argument]) -> list[Argument]:
    """The phrase that a sentence begins with, or that stands behind its verb where none does."""
    at = next((n for n, one in enumerate(found) if one.token.tag == "verb"), len(found))
    before = _phrase(found[:at])
    return before or _phrase(found[at:])


def _phrase(found: Sequence[Argument]) -> list[Argument]:
    """The first bare thing, with the words of its phrase behind it."""
    things = [one for one in found if not one.is_figure and one.token.tag in THINGS]
    at = next((n for n, one in enumerate(things) if one.leads == BARE), None)
    if at is None:
        return []
    phrase = [things[at]]
    for one in things[at + 1 :]:
        if one.place - phrase[-1].place > 2 or ("" not in one.leads and "of" not in one.leads):
            break
        phrase.append(one)
    return phrase


def _may_stand_for(pronoun: Token, one: Argument) -> bool:
    """Whether a pronoun agrees with a thing as far as its form tells."""
    genders = {case[0] for case in one.cases if case[1] == "n"}
    if pronoun.language == "de" and genders:
        wanted = {letter for table, letter in _GENDERS.items() if is_token(pronoun, table)}
        wanted |= {"p"} if "f" in wanted or is_token(pronoun, "of_several") else set()
        return not wanted or bool(wanted & genders)
    if pronoun.language != "en":
        return True
    token = one.token
    plural = token.tag == "noun" and token.lemma != token.key
    if is_token(pronoun, "of_several"):
        return plural or token.tag != "noun"
    if is_token(pronoun, "of_persons"):
        return token.tag != "noun"
    return not plural
