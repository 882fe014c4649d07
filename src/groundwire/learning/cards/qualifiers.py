"""Whether a card keeps what its sentence ties the statement to: a report, a doubt, a condition.

"Legend has it that a giant built the tower" does not say that a giant built it, nor does "if it
rains, the market is held in the hall" say where it is held. Nor may a card leave out what describes
the things of its sentence: "Pierre Curie" is not Marie, "her daughter" is not she, and what is said
of "glaciers that reach low" is not said of glaciers. Such a card is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.arguments import (
    COMMAS,
    THINGS,
    Argument,
    Window,
    arguments,
    doubt,
    is_content,
    is_in,
    known_words,
)
from groundwire.learning.cards.matching import denies, is_name, is_token, is_word, keys, meanings
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap

_ENDS = frozenset(";；")
_PASSIVE = frozenset(("be", "werden", "man"))


def qualifier_gap(
    card: Sequence[Reading], own: Sequence[Segment], parts: Sequence[Segment]
) -> Gap | None:
    """Return the gap of a report, doubt or condition of a sentence that its card leaves out.

    Args:
        card: the readings of its sides.
        own: the segments of the quote that hold what the card says.
        parts: all segments of the quote.
    """
    said = frozenset(key for reading in card for span in reading.spans for key in keys(span))
    for number, part in enumerate(parts):
        if part not in own:
            continue
        left = (
            _report(part, card, said)
            or _condition(number, parts, own, said)
            or _unreached(part, card, said)
        )
        if left:
            return Gap(
                "attachment", f"The quote says {left[:60]!r}, the card leaves it out: keep it."
            )
    return None


def _report(part: Segment, card: Sequence[Reading], said: frozenset[str]) -> str:
    """The word of a segment by which what it says is only told, thought or wished, or ""."""
    for span in part.spans:
        doubts = span.role is not None and span.role.role == "hedge"
        doubts = doubts or is_word(span, "nearing") or is_word(span, "telling")
        if doubts and span.period is None and not said.intersection(keys(span)):
            return span.text
        past = any(is_token(token, "former") for token in span.tokens)
        if past and not said.intersection(keys(span)) and not _is_of_then(part, card):
            return span.text
    tokens = [token for span in part.spans if span.period is None for token in span.tokens]
    for place, token in enumerate(tokens):
        shades = any(is_token(token, one) for one in ("imagining", "hedging"))
        governs = is_token(token, "weakening") and _governs(tokens, place)
        if not shades and not governs and not _judges(tokens, place):
            continue
        if not said & {token.key, *meanings(token)}:
            return token.text
    return ""


def _is_of_then(part: Segment, card: Sequence[Reading]) -> bool:
    """Whether a card speaks of the time of its sentence, by the same form of its verb."""
    verbs = {t.key for span in part.spans for t in span.tokens if t.tag == "verb"}
    asked = {t.key for one in card for span in one.spans for t in span.tokens if t.tag == "verb"}
    return bool(verbs & asked) and not any(t.language == "zh" for s in part.spans for t in s.tokens)


def _judges(tokens: Sequence[Token], place: int) -> bool:
    """Whether somebody calls a thing what it need not be: "the author calls it a mistake"."""
    token = tokens[place]
    if token.tag != "verb" or not is_token(token, "calling") or token.language == "zh":
        return False
    before = tokens if token.language == "de" else tokens[max(0, place - 3) : place]
    return not any(one.lemma in _PASSIVE for one in before)


def _governs(tokens: Sequence[Token], place: int) -> bool:
    """Whether another verb hangs on a verb: "failed to see", "denied that"; in German before it."""
    if tokens[place].language == "zh":
        return True
    if any(is_token(one, "reporting") or one.key == "to" for one in tokens[place + 1 : place + 3]):
        return True
    rest = tokens if tokens[place].language == "de" else tokens[place + 1 :]
    return any(one.tag == "verb" and one != tokens[place] for one in rest)


def _unreached(part: Segment, card: Sequence[Reading], said: frozenset[str]) -> str:
    """The word on which an infinitive hangs that a card states as done: "aims to plant", or ""."""
    stated = {t.lemma for one in card for span in one.spans for t in span.tokens}
    infinitives = {
        after.lemma
        for one in card
        for before, after in pairwise(one.tokens)
        if before.key in ("to", "zu")
    }
    tokens = [token for span in part.spans for token in span.tokens]
    for place in range(1, len(tokens) - 1):
        verb = tokens[place + 1]
        if tokens[place].key != "to" or verb.tag != "verb" or verb.key != verb.lemma:
            continue
        lead = tokens[place - 1]
        if verb.lemma not in stated or verb.lemma in infinitives or lead.tag == "function":
            continue
        if lead.lemma not in ("have", "need", "use", "be", "able") and not said & {
            lead.key,
            *meanings(lead),
        }:
            return f"{lead.text} to {verb.text}"
    return ""


def _condition(
    number: int, parts: Sequence[Segment], own: Sequence[Segment], said: frozenset[str]
) -> str:
    """The condition beside a segment of which a card has no word, or ""."""
    for one in _conditions(number, parts):
        if one in own:
            continue
        telling = [span for span in one.spans if not span.is_silent and not _supposes(span)]
        if not any(said.intersection(keys(span)) for span in telling if not denies(span)):
            return " ".join(span.text for span in one.spans)
    return ""


def is_condition_of(part: Segment, own: Sequence[Segment], parts: Sequence[Segment]) -> bool:
    """Return whether a segment is the condition beside one of others: "if it rains, ..."."""
    return any(part in _conditions(n, parts) for n, one in enumerate(parts) if one in own)


def _conditions(number: int, parts: Sequence[Segment]) -> list[Segment]:
    """The conditions right before and behind a segment in its sentence."""
    part = parts[number]
    beside: list[Segment] = []
    if number and not _closes(parts[number - 1]):
        beside.append(parts[number - 1])
    if number + 1 < len(parts) and not _closes(part):
        beside.append(parts[number + 1])
    return [
        one
        for one in beside
        if one.sentence == part.sentence and _begins_condition(one) and not _focuses(one, parts)
    ]


def _closes(part: Segment) -> bool:
    return part.spans[-1].text in _ENDS


def _supposes(span: Span) -> bool:
    return any(is_token(token, "supposing") for token in span.tokens)


def _begins_condition(part: Segment) -> bool:
    return any(_supposes(span) and not asks(span) for span in part.spans[:2])


def _focuses(part: Segment, parts: Sequence[Segment]) -> bool:
    """Whether Chinese 只有 singles out a thing: no 才 follows, which would make it a condition."""
    begins = any(is_word(span, "focusing") for span in part.spans[:2])
    told = (
        t.key for one in parts if one.sentence == part.sentence for s in one.spans for t in s.tokens
    )
    return begins and part.spans[0].tokens[0].language == "zh" and "才" not in told


_RELATIVE_ENGLISH = frozenset(("which", "who", "whom"))
_RELATIVE_PERSONS = frozenset(("who", "that", "which"))
_OWNING = frozenset(("'s", "’s", "'", "’"))
_INNER = frozenset(("whose", "which", "who", "whom", "dessen", "deren", "der", "die", "das"))
# A relative clause has a pronoun, a verb and something more.
_LEAST_CLAUSE = 3
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
        or _inner_gap(asked, said, window)
        or _answer_gap(asked, said, window)
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


def _inner_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of a card about a thing of a relative clause, and not about what the clause is of.

    "Charles, whose father Robert was rich, sailed in 1831": Robert did not.
    """
    spans = window.spans
    known = known_words(asked) | known_words(said)
    cuts = [n for n, one in enumerate(spans) if one.text in COMMAS]
    for at, stop in pairwise(cuts):
        if spans[at + 1].tokens[0].key not in _INNER or at < window.start < stop or not at:
            continue
        inside = [one for one in spans[at + 2 : stop] if is_name(one, 1)]
        rest = frozenset(key for one in (*spans[:at], *spans[stop:]) for key in keys(one))
        told = [one for one in inside if known.intersection(keys(one)) and not is_in(one, rest)]
        heads = [one for one in spans[:at] if any(t.tag in THINGS for t in one.tokens)]
        if told and heads and not any(is_in(one, known) for one in heads):
            return doubt(window, heads[-1].text)
    return None


def _answer_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "which fever" answered without its clause: "a fever that lasts three days"."""
    behind = window.spans[window.stop + 1 : window.stop + 5]
    if len(behind) < _LEAST_CLAUSE or behind[0].tokens[0].key not in ("that", "who"):
        return None
    known = known_words(asked) | known_words(said)
    chooses = asked.tokens[:1] and asked.tokens[0].key == "which"
    kinds = known_words(said).intersection(*(keys(one) for one in asked.spans[1:2]))
    if not chooses or not kinds or not any(token.tag == "verb" for token in behind[1].tokens):
        return None
    return None if any(is_in(one, known) for one in behind[1:]) else doubt(window, behind[1].text)
