"""A quote in segments, each of which says one thing, and which of them answers a question.

A segment is a clause, cut at commas and before contrasts, with its own figures and negations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.language import Clause, Reading, Span, clauses
from groundwire.learning.cards.matching import denies, is_name, is_word, keys, read
from groundwire.learning.cards.types import Passage

_COMMAS = frozenset(",，、;；")
_NAME_WEIGHT, _SUBJECT_WEIGHT = 4, 3
_PRETERITE = ("te", "ten")
_NOMINAL = ("leftover", "name", "set_noun")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a quote that says one thing.

    Attributes:
        spans: its spans.
        negated: whether it denies what it says.
        subject: folded words of what it is about.
        topic: folded nouns of the segments before, which a pronoun or a missing subject stands
            for; empty where it speaks for itself.
        refers: whether it speaks of what was named before.
        sentence: where its sentence begins.
    """

    spans: tuple[Span, ...]
    negated: bool
    subject: frozenset[str]
    topic: frozenset[str]
    refers: bool
    sentence: int

    @property
    def words(self) -> frozenset[str]:
        """Its folded words and lemmas."""
        return frozenset(key for span in self.spans for key in keys(span))


def segments(held: Reading) -> list[Segment]:
    """Return the segments of a quote, in order."""
    found: list[Segment] = []
    nouns, names = set[str](), set[str]()
    subjects: frozenset[str] = frozenset()
    for clause in clauses(held):
        subject = frozenset(keys(clause.subject)) if clause.subject else frozenset[str]()
        negated = False
        for number, piece in enumerate(_pieces(clause)):
            negated = any(map(denies, piece)) or (number > 0 and negated and _goes_on(piece))
            named = any(span == clause.subject for span in piece)
            head = None if named else _gapped_subject(piece)
            refers = head is None and (
                clause.is_inherited
                or not named
                or any(map(_is_pronoun, piece))
                or not any(is_name(span, 1) for span in piece)
            )
            own = subject if named else frozenset(keys(head)) if head else frozenset[str]()
            stands_for = any(map(_is_pronoun, piece))
            speaks = (named and not clause.is_inherited) or head is not None
            if refers and (stands_for or not speaks):
                own |= subject | subjects
            elided = _elided(found, piece, clause)
            # A segment with a subject of its own begins a new topic.
            topic = frozenset(nouns) if stands_for or not (speaks or elided) else elided
            if speaks and not stands_for:
                nouns.clear()
            if not any(is_name(span, 1) for span in piece):
                topic |= names
            found.append(Segment(tuple(piece), negated, own, topic, refers, clause.sentence.start))
            subjects = own or subjects
            told = {key for n, span in enumerate(piece) if is_name(span, n) for key in keys(span)}
            names = told or names
            nouns |= {
                key
                for span in piece
                if span.kind in _NOMINAL
                if any(token.tag in ("noun", "name") for token in span.tokens)
                for key in keys(span)
            }
    return found


def _elided(found: Sequence[Segment], piece: Sequence[Span], clause: Clause) -> frozenset[str]:
    """Return the words that a segment without a verb leaves out, from the one before it.

    "The sun rises in the east, [it sets] in the west" leaves none out; "in summer it lives six
    weeks, in winter eight months" ends with one: of the words before it those are left out whose
    place in it is not taken by another figure, name or noun.
    """
    if not found or found[-1].sentence != clause.sentence.start or _has_verb(piece):
        return frozenset()
    before = found[-1]
    if not _has_verb(before.spans):
        return before.topic
    taken = {_slot(piece, n, far=True) for n in range(len(piece))} - {""}
    own = _gapped_subject(piece) is not None
    verb = next((s.start for s in before.spans if any(t.tag == "verb" for t in s.tokens)), 0)
    shown = frozenset(
        key
        for n, span in enumerate(before.spans)
        if span.quantity is None and span.period is None
        if _slot(before.spans, n, far=True) not in taken and not (own and span.start < verb)
        for key in keys(span)
    )
    # What is counted is left out beside the other figure: "120 sheep ... and 40 by hand".
    counted = frozenset(
        key
        for span in before.spans
        if span.quantity is not None
        for token in span.tokens
        if token.tag in ("noun", "name")
        for key in (token.key, token.lemma)
    )
    return shown | counted | before.topic


def _slot(spans: Sequence[Span], at: int, *, far: bool = False) -> str:
    """The word right before a noun that puts it in its place: "im" of "im Winter", or "".

    Args:
        spans: the spans of a segment.
        at: the place of the noun.
        far: whether an article may stand between.
    """
    before = spans[at - 1] if at else None
    if far and at > 1 and before is not None and before.role is not None:
        before = spans[at - 2] if before.role.sense == "determiner" else before
    is_noun = any(token.tag in ("noun", "name") for token in spans[at].tokens)
    if before is None or not is_noun or before.role is None or before.role.role != "function":
        return ""
    return before.text.casefold() if before.role.sense not in ("determiner", "conjunction") else ""


def _has_verb(spans: Sequence[Span]) -> bool:
    return any(token.tag == "verb" for span in spans for token in span.tokens)


def answering(
    found: Sequence[Sequence[Span]], parts: Sequence[Segment], asked: Reading
) -> list[Segment]:
    """Return the segments that hold what a back says: one that has all of it, or all that do.

    Args:
        found: for each span of the back, the spans of the quote that prove it.
        parts: the segments of the quote.
        asked: the question, which chooses among several that have all.
    """
    if not found:
        return list(parts)
    held = [sum(any(s in part.spans for s in places) for places in found) for part in parts]
    if max(held, default=0) == len(found):
        whole = [part for part, count in zip(parts, held, strict=True) if count == len(found)]
        best = max(score(part, asked) for part in whole)
        return [part for part in whole if score(part, asked) == best]
    some = [part for part, count in zip(parts, held, strict=True) if count]
    for begin in dict.fromkeys(part.sentence for part in some):
        one = [part for part in some if part.sentence == begin]
        if all(any(s in part.spans for part in one for s in places) for places in found):
            return one
    return some


def score(part: Segment, asked: Reading) -> int:
    """Return how much of a question a segment holds; names and the subject weigh more."""
    words = part.words | part.topic
    total = 0
    for place, span in enumerate(asked.spans):
        if span.is_silent or denies(span):
            continue
        if words.intersection(keys(span)):
            total += 1 + (_NAME_WEIGHT if is_name(span, place) else 0)
    if part.subject and part.subject & {key for span in asked.spans for key in keys(span)}:
        total += _SUBJECT_WEIGHT
    return total


def antecedents(own: Sequence[Segment], passage: Passage, start: int) -> frozenset[str]:
    """Return the folded words that segments of a quote may be about.

    These are the words of their sentences and of title and heading. Where a segment speaks of what
    was named before, and nothing is named before it in its sentence, also those of the sentence
    before it and the subjects of all before.

    Args:
        own: segments of the quote.
        passage: where it stands.
        start: where it begins in the passage.
    """
    whole = read(passage.text)
    about = set(_all_keys(read(f"{passage.source}. {passage.locator}")))
    begins = [sentence.start for sentence in whole.sentences]
    for part in own:
        if not part.spans:
            continue
        at = start + part.spans[0].start
        number = max((n for n, begin in enumerate(begins) if begin <= at), default=0)
        sentence = whole.sentences[number]
        own_words = whole.within(sentence.start, sentence.end)
        about.update(key for span in own_words for key in keys(span))
        if not part.refers or any(is_name(span, 1) for span in own_words if span.start < at):
            continue
        for clause in clauses(whole):
            about |= _subject_words(clause) if clause.start < at else set()
        if number:
            before = whole.within(begins[number - 1], sentence.start)
            about.update(key for span in before for key in keys(span))
    return frozenset(about)


def _all_keys(reading: Reading) -> frozenset[str]:
    return frozenset(key for span in reading.spans for key in keys(span))


def _subject_words(clause: Clause) -> set[str]:
    """The words of a clause before its verb."""
    verb = clause.predicate.start if clause.predicate is not None else clause.end
    return {
        key
        for span in clause.spans
        if span.start < verb and span.kind in _NOMINAL
        for key in keys(span)
    }


def _pieces(clause: Clause) -> list[list[Span]]:
    pieces: list[list[Span]] = [[]]
    for place, span in enumerate(clause.spans):
        following = clause.spans[place + 1] if place + 1 < len(clause.spans) else None
        if pieces[-1] and (
            (
                _begins_segment(clause.spans[place - 1], span, following)
                and not _only_denies(clause.spans[place:])
            )
            or _says_more(pieces[-1], clause.spans[place:])
        ):
            pieces.append([])
        pieces[-1].append(span)
    return pieces


def _goes_on(piece: Sequence[Span]) -> bool:
    """Whether a segment is a bare list, which goes on with what was denied of its first member."""
    if is_word(piece[0], "adding"):
        # "It does not run and jump", but "it is not stable and takes long".
        verb = next((t for s in piece for t in s.tokens if t.tag == "verb"), None)
        return verb is None or verb.key == verb.lemma
    return not _has_verb(piece) and not any(is_word(span, "contrasting") for span in piece[:2])


def _only_denies(spans: Sequence[Span]) -> bool:
    """Whether nothing follows a contrast but its negation: "der Bedarf aber nicht"."""
    rest = [span for span in spans[1:] if span.kind != "sign"]
    return is_word(spans[0], "contrasting") and bool(rest) and all(map(denies, rest))


def _begins_segment(before: Span, span: Span, following: Span | None) -> bool:
    if before.text in _COMMAS or is_word(span, "contrasting"):
        return True
    joins = span.role is not None and span.role.sense == "conjunction"
    return joins and following is not None and denies(following)


def _is_preterite(span: Span, piece: Sequence[Span]) -> bool:
    """Whether a German word behind "und" is a verb by its form: "kauften A und verkauften B"."""
    word = span.tokens[0]
    if word.language != "de" or word.tag != "adjective":
        return False
    verbs = [t.key for one in piece for t in one.tokens if t.tag == "verb"]
    return any(
        word.key.endswith(end) and verb.endswith(end) for end in _PRETERITE for verb in verbs
    )


def _says_more(piece: Sequence[Span], rest: Sequence[Span]) -> bool:
    """Whether "and" begins another statement: another verb, or another thing at another place.

    "Oxidation happens at the anode and reduction at the cathode."
    """
    if not is_word(rest[0], "adding") or not _has_verb(piece):
        return False
    stop = next((n for n, span in enumerate(rest) if span.text in _COMMAS), len(rest))
    telling = [span for span in rest[1:stop] if span.role is None or span.role.sense != "auxiliary"]
    if telling and any(token.tag == "verb" for token in telling[0].tokens):
        return True
    if telling and _is_preterite(telling[0], piece):
        return True
    if _has_verb(telling):
        return False
    heads = {t.key for span in piece for t in span.tokens if t.tag == "adjective"}
    if any(t.key in heads for span in telling for t in span.tokens if t.tag == "adjective"):
        # "Proportional to the one and inversely proportional to the other".
        return True
    slots = {_slot(piece, n, far=True) for n in range(len(piece))} - {""}
    own = {_slot(rest, n, far=True) for n in range(1, stop)} - {""}
    begins = telling and any(token.tag in ("noun", "name") for token in telling[0].tokens)
    # "120 a day with a machine and 40 by hand": another figure, in another way.
    counts = [span for span in telling if span.kind not in ("approximation", "bound")][:1]
    figures = any(span.quantity for span in piece) and any(span.quantity for span in counts)
    return bool(begins and slots & own) or bool(figures and own)


def _gapped_subject(piece: Sequence[Span]) -> Span | None:
    """Return the name or noun that begins a segment: "..., the Riksbank of Sweden in 1668"."""
    telling = [span for span in piece if not span.is_silent]
    first = piece[0].role
    if not telling or telling[0].kind != "leftover":
        return None
    is_noun = first is not None and first.sense == "determiner"
    if not is_noun and any(token.tag in ("noun", "name") for token in telling[0].tokens):
        # "Green tea is not fermented, black tea is".
        later = [span for span in piece if span.start > telling[0].start]
        is_noun = piece[0] == telling[0] and _has_verb(later)
    return telling[0] if is_noun or is_name(telling[0], 1) else None


def _is_pronoun(span: Span) -> bool:
    return span.role is not None and span.role.sense == "pronoun"
