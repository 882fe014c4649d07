"""Whether a quote proves what a card says: word by word, figure by figure, with its negations.

A word of the back that does not stand in the quote is a gap, whatever it means: what was not
understood is never taken for proven. Which part of a quote answers is decided by its segments: a
clause, cut at commas and before contrasts, with its own figures, names and negations.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from groundwire.language import Reading, Span, Token, annotate, clauses
from groundwire.language.folding import fold_word
from groundwire.learning.cards.types import Gap, GapReason, Passage
from groundwire.quantities import DateMention, Quantity, resolve_unit

_MOST_SUGGESTED = 5
# The share of a question's other words that its passage has to hold.
_LEAST_SHARE = 0.5
_STEM = 5
_COMMAS = frozenset(",，、;；")
_LEADING = frozenset(("to", "from", "via", "by", "per"))
_NAME_WEIGHT, _SUBJECT_WEIGHT = 4, 3
# Roles that add no fact to a draft, but are words of their own on a card.
_TELLING = frozenset(("saying", "counting"))
_CONTENT = frozenset(("noun", "name", "adjective", "other"))


@cache
def _words(table: str) -> frozenset[str]:
    text = (files("groundwire.learning.cards") / "words.toml").read_text("utf-8")
    return frozenset(word for words in tomllib.loads(text)[table].values() for word in words)


@lru_cache(maxsize=256)
def _read(text: str) -> Reading:
    return annotate(text)


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of a quote that says one thing.

    Attributes:
        spans: its spans.
        negated: whether it denies what it says.
        subject: folded words of what it is about, where it names it.
        topic: folded nouns of the segments before, which a pronoun or a missing subject stands
            for; empty where it speaks for itself.
        sentence: where its sentence begins.
    """

    spans: tuple[Span, ...]
    negated: bool
    subject: frozenset[str]
    topic: frozenset[str]
    sentence: int

    @property
    def words(self) -> frozenset[str]:
        return frozenset(key for span in self.spans for key in _keys(span))


def statement_gaps(front: str, back: str, quote: str) -> list[Gap]:
    """Return why a quote does not prove a back; nothing where it does.

    Args:
        front: the question that the back answers, or "" where the back is a whole statement.
        back: what is said.
        quote: what is to prove it.
    """
    asked, said, held = _read(front), _read(back), _read(quote)
    parts = _segments(held)
    spans = _without_reply(said)
    if not spans:
        return _reply_gaps(asked, said, held, parts)
    gaps: list[Gap] = []
    found: list[list[Span]] = []
    for span in spans:
        places = _places(span, held) or _literal(span, held)
        if places:
            found += [] if _denies(span) else [places]
        elif not _stands_in(span, asked):
            gaps.append(_gap(span, held))
    gaps += _unit_gaps(asked, spans, held)
    gaps += _apart_gaps(said, held)
    gaps += _kind_gaps(asked, said, held)
    if gaps:
        return gaps
    own = _answering(found, parts, asked)
    if not front:
        # A whole statement is held against all that its sentences deny.
        begun = {part.sentence for part in own}
        gaps += _polarity_gaps(asked, said, [p for p in parts if p.sentence in begun], quote)
    else:
        gaps += _polarity_gaps(asked, said, own, quote)
    return gaps or _attachment_gaps(asked, spans, own, parts)


def literal_gaps(answer: str, quote: str) -> list[Gap]:
    """Return a gap where a word that a hole hides does not stand in the quote, whatever it says."""
    held = _read(quote)
    for span in _read(answer).spans:
        stands = _places(span, held) or _literal(span, held) or _word_places(span, held)
        if span.kind != "sign" and not stands:
            return [_gap(span, held)]
    return []


def front_gaps(front: str, passage: Passage) -> list[Gap]:
    """Return why a question is not about a passage: its names and figures do not stand there."""
    asked = _read(front)
    context = _read(f"{passage.source}. {passage.locator}.\n{passage.text}")
    gaps: list[Gap] = []
    known = total = 0
    for place, span in enumerate(asked.spans):
        if span.is_silent or span.kind in ("negation", "iri") or _is_asked(asked.spans, place):
            continue
        stands = bool(_places(span, context)) or _stands_in(span, context)
        if span.quantity is not None or span.period is not None or _is_name(span, place):
            if not stands and not _stem_stands(span, context):
                gaps.append(_gap(span, context, of="front"))
            continue
        if span.kind == "leftover" and not any(_unit_of(token) for token in span.tokens):
            total += 1
            known += stands or _stem_stands(span, context)
    if not gaps and total and known < _LEAST_SHARE * total:
        said = "The question is not about the passage: most of its words do not stand there."
        gaps.append(Gap("off_topic", said, (passage.text[:200],)))
    return gaps


def _is_asked(spans: Sequence[Span], place: int) -> bool:
    """Whether a span is what a question asks for: 哪一年."""
    before = spans[place - 1] if place else None
    asks = before is not None and before.role is not None and before.role.role == "question"
    return asks and spans[place].quantity is not None


def hidden_in(front: str, back: str) -> Gap | None:
    """Return the gap of a front that holds its back, word after word; None where it does not."""
    answer = [token.key for token in _read(back).tokens if token.tag != "sign"]
    spans = [span for span in _read(back).spans if not span.is_silent or span.kind == "quantity"]
    shown = [token.key for token in _read(front).tokens if token.tag != "sign"]
    kept = {token.key for span in spans for token in span.tokens}
    # Articles and prepositions at the edges hide nothing.
    while answer and answer[0] not in kept:
        answer.pop(0)
    while answer and answer[-1] not in kept:
        answer.pop()
    if not answer or any(word in kept for word in answer) is False:
        return None
    for start in range(len(shown) - len(answer) + 1):
        if shown[start : start + len(answer)] == answer:
            said = "The front holds the back, so the card asks nothing: reword the front."
            return Gap("front_holds_back", said)
    return None


def _segments(held: Reading) -> list[_Segment]:
    """The segments of a quote, in order."""
    found: list[_Segment] = []
    nouns: set[str] = set()
    subjects: frozenset[str] = frozenset()
    for clause in clauses(held):
        pieces: list[list[Span]] = [[]]
        for place, span in enumerate(clause.spans):
            following = clause.spans[place + 1] if place + 1 < len(clause.spans) else None
            if pieces[-1] and _begins_segment(clause.spans[place - 1], span, following):
                pieces.append([])
            pieces[-1].append(span)
        subject = frozenset(_keys(clause.subject)) if clause.subject else frozenset[str]()
        negated = False
        for number, piece in enumerate(pieces):
            denies = any(map(_denies, piece))
            # A bare list goes on with what was denied of its first member.
            goes_on = (
                number > 0
                and negated
                and not any(token.tag == "verb" for span in piece for token in span.tokens)
                and not any(_is_word(span, "contrasting") for span in piece[:2])
            )
            negated = denies or goes_on
            named = any(span is clause.subject for span in piece)
            head = None if named else _gapped_subject(piece)
            nameless = not any(_is_name(span, 1) for span in piece)
            refers = head is None and (
                clause.is_inherited or not named or nameless or any(map(_is_pronoun, piece))
            )
            own = subject if named else frozenset(_keys(head)) if head else frozenset[str]()
            if refers:
                own |= subject | subjects
            topic = frozenset(nouns) if refers else frozenset[str]()
            found.append(_Segment(tuple(piece), negated, own, topic, clause.sentence.start))
            subjects = own or subjects
            nouns |= {
                key
                for span in piece
                if span.kind in ("leftover", "name", "set_noun")
                if any(token.tag in ("noun", "name") for token in span.tokens)
                for key in _keys(span)
            }
    return found


def _begins_segment(before: Span, span: Span, following: Span | None) -> bool:
    if before.text in _COMMAS or _is_word(span, "contrasting"):
        return True
    joins = span.role is not None and span.role.sense == "conjunction"
    return joins and following is not None and _denies(following)


def _gapped_subject(piece: Sequence[Span]) -> Span | None:
    """Return the name or noun that begins a segment: "..., the Riksbank of Sweden in 1668"."""
    telling = [span for span in piece if not span.is_silent]
    first = piece[0].role
    if not telling or telling[0].kind != "leftover":
        return None
    is_noun = first is not None and first.sense == "determiner"
    return telling[0] if is_noun or _is_name(telling[0], 1) else None


def _is_pronoun(span: Span) -> bool:
    return span.role is not None and span.role.sense == "pronoun"


def _says(span: Span) -> bool:
    """Whether a span of a card says something that has to be proven."""
    role = span.role
    return not span.is_silent or (
        role is not None
        and (role.role in _TELLING or (role.role == "function" and role.sense in _LEADING))
    )


def _denies(span: Span) -> bool:
    role = span.role
    return role is not None and (
        role.role == "negation" or (role.role, role.sense) == ("quantifier", "none")
    )


def _is_word(span: Span, table: str) -> bool:
    return fold_word(span.text) in _words(table)


def _keys(span: Span) -> Iterator[str]:
    for token in span.tokens:
        if token.tag != "sign":
            yield token.key
            yield token.lemma


def _without_reply(said: Reading) -> list[Span]:
    """The spans of a back that have to be proven, without a "yes" or "no" before a sentence."""
    spans = [span for span in said.spans if _says(span)]
    first = said.spans[0] if said.spans else None
    if first is None or not (_is_word(first, "affirming") or _is_word(first, "denying")):
        return spans
    rest = [span for span in spans if span.start > first.start]
    comma = len(said.spans) > 1 and said.spans[1].text in _COMMAS
    return rest if comma or not rest else spans


def _reply_gaps(
    asked: Reading, said: Reading, held: Reading, parts: Sequence[_Segment]
) -> list[Gap]:
    """The gaps of a bare "yes" or "no": the quote has to say all of the question, or deny it."""
    first = said.spans[0] if said.spans else None
    if first is None or not (_is_word(first, "affirming") or _is_word(first, "denying")):
        return [Gap("word", "The back says nothing that could be proven: name the answer in it.")]
    spans = [s for s in asked.spans if not s.is_silent and not _denies(s) and s.text != "?"]
    found = [places for span in spans if (places := _places(span, held))]
    missing = [span for span in spans if not _places(span, held)]
    if missing or not found:
        return [_gap(one, held, of="question") for one in missing or [first]]
    own = _answering(found, parts, asked)
    denied = any(part.negated for part in own) != any(map(_denies, asked.spans))
    if denied != _is_word(first, "denying"):
        return [Gap("negation", f"The quote says the opposite of {first.text!r}.", (held.text,))]
    return []


def _places(span: Span, held: Reading) -> list[Span]:
    """The spans of a quote that prove a span of a back."""
    if span.quantity is not None:
        return [s for s in held.spans if s.quantity and _same_quantity(span.quantity, s.quantity)]
    if span.period is not None:
        return [s for s in held.spans if _same_time(span, s)]
    if _denies(span):
        return [s for s in held.spans if _denies(s)]
    if span.kind == "bound":
        # It was compared with its figure.
        same = (s for s in held.spans if s.role is not None and s.role == span.role)
        return list(same)
    return _word_places(span, held)


def _literal(span: Span, held: Reading) -> list[Span]:
    """The spans in which a figure stands as it is written, where the quote is read otherwise.

    A figure that is read as the same number there was compared already, with its bound and unit.
    """
    figure = span.quantity
    if figure is None and span.period is None and not any(map(str.isdigit, span.text)):
        return []
    for start, stop in _standing(span.text, held.text):
        within = held.within(start, stop)
        whole = bool(within) and within[0].start == start and within[-1].end <= stop
        same = any(s.quantity and figure and s.quantity.value == figure.value for s in within)
        if whole and not same:
            return list(within)
    return []


def _standing(part: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where a part stands in a text as words of its own: 2 km does not stand in 12 km."""
    start = text.find(part)
    while start >= 0:
        stop = start + len(part)
        around = text[max(0, start - 1) : start] + text[stop : stop + 1]
        if not any(char.isalnum() and char.isascii() for char in around):
            yield start, stop
        start = text.find(part, stop)


def _word_places(span: Span, held: Reading) -> list[Span]:
    wanted = [token for token in span.tokens if token.tag != "sign"]
    if not wanted:
        return [s for s in held.spans if s.text == span.text]
    places: list[Span] = []
    for token in wanted:
        same = [s for s in held.spans if any(_same_word(token, other) for other in s.tokens)]
        if not same:
            return _parts_of(span, held)
        places += same
    return places


def _same_word(one: Token, other: Token) -> bool:
    if other.tag == "sign":
        return False
    return one.key == other.key or (one.lemma == other.lemma and len(one.lemma) > 1)


def _parts_of(span: Span, held: Reading) -> list[Span]:
    """The spans that a text without spaces stands across, since it may be cut otherwise there."""
    text = fold_word(span.text)
    if text.isascii() or len(text) < 2 or any(char.isdigit() for char in text):
        return []
    if not all(_is_unspaced(char) for char in text):
        return []
    start = fold_word(held.text).find(text)
    return list(held.within(start, start + len(text))) if start >= 0 else []


def _is_unspaced(char: str) -> bool:
    """Whether a letter is of a script that is written without spaces, or an accent of one."""
    return char > "\u2e80" or "\u0e00" <= char <= "\u0eff"


def _same_quantity(said: Quantity, held: Quantity) -> bool:
    if said.value != held.value:
        return False
    if said.unit is not None and said.unit != held.unit:
        return False
    if said.bound in (None, "about"):
        return held.bound in (None, "about", "nearly")
    return said.bound == held.bound


def _same_time(said: Span, held: Span) -> bool:
    if held.period is None:
        return held.quantity is not None and fold_word(held.text) == fold_word(said.text)
    one, other = said.period, held.period
    if isinstance(one, DateMention) and isinstance(other, DateMention):
        if (one.start, one.end) == (other.start, other.end):
            return True
        # A part of a recorded day: its year, or its month and year.
        return one.covers(other) and one.grain in ("year", "month")
    wanted = [token.key for token in said.tokens if token.tag != "sign"]
    keys = {token.key for token in held.tokens}
    return bool(wanted) and all(key in keys for key in wanted)


def _stands_in(span: Span, reading: Reading) -> bool:
    """Whether a span that the quote lacks is one of the question's own words."""
    if _denies(span) or span.quantity is not None or span.period is not None:
        return bool(_places(span, reading)) and not _denies(span)
    return bool(_word_places(span, reading))


def _stem_stands(span: Span, reading: Reading) -> bool:
    """Whether a word of the same beginning stands in a text: mitochondrial, mitochondria."""
    heads = {token.key[: max(_STEM, len(token.key) - 4)] for token in span.tokens}
    heads = {head for head in heads if len(head) >= _STEM}
    return any(token.key.startswith(tuple(heads)) for token in reading.tokens) if heads else False


def _is_name(span: Span, place: int) -> bool:
    """Whether a span of a question is a proper name, as it is written or by its part of speech."""
    tokens = [token for token in span.tokens if token.tag != "sign"]
    if not tokens or span.kind != "leftover":
        return False
    if tokens[0].language == "de":
        return tokens[0].tag == "name"
    if tokens[0].language == "zh":
        # Every noun of an unknown word is tagged as a name there.
        return False
    written = any(char.isupper() or char.isdigit() for char in span.text)
    return written and (place > 0 or any(char.isupper() for char in span.text[1:]))


def _gap(span: Span, held: Reading, of: str = "back") -> Gap:
    """The gap of a span that a text does not prove, with what stands there instead."""
    reason: GapReason = "word"
    instead: list[str] = []
    if span.quantity is not None:
        figures = [s for s in held.spans if s.quantity is not None]
        same = [s for s in figures if s.quantity and s.quantity.value == span.quantity.value]
        reason = "unit" if same else "number"
        instead = [s.text for s in same or figures]
    elif span.period is not None:
        reason = "date"
        instead = [s.text for s in held.spans if s.period is not None]
    elif _denies(span):
        reason = "negation"
    elif span.kind == "unit_noun":
        reason = "unit"
        instead = [s.text for s in held.spans if s.quantity is not None]
    elif any(char.isupper() for char in span.text) or any(t.tag == "name" for t in span.tokens):
        reason = "name"
        instead = [s.text for s in held.spans if s.kind == "leftover" and s.text[:1].isupper()]
    where = "passage" if of == "front" else "quote"
    said = f"{span.text[:80]!r} of the {of} does not stand in the {where}."
    return Gap(reason, said, tuple(dict.fromkeys(instead))[:_MOST_SUGGESTED])


def _unit_of(token: Token) -> str:
    """Return the symbol of the unit that a noun names, or ""."""
    if token.tag not in ("noun", "other", "name") or len(token.text) < 2:
        return ""
    unit = resolve_unit(token.text)
    return unit.symbol if unit is not None else ""


def _unit_gaps(asked: Reading, spans: Sequence[Span], held: Reading) -> list[Gap]:
    """A bare figure whose question names a unit has that unit in the quote."""
    wanted = {
        unit
        for span in asked.spans
        if span.quantity is None
        for token in span.tokens
        if (unit := _unit_of(token))
    }
    gaps: list[Gap] = []
    for span in spans:
        quantity = span.quantity
        if quantity is None or quantity.unit is not None or not wanted:
            continue
        places = [s.quantity for s in _places(span, held) if s.quantity is not None]
        units = {place.unit for place in places if place.unit is not None}
        if places and units and not units & wanted:
            said = f"The question asks for {sorted(wanted)[0]}, the quote has {sorted(units)[0]}."
            gaps.append(Gap("unit", said, tuple(place.raw for place in places)))
    return gaps


def _apart_gaps(said: Reading, held: Reading) -> list[Gap]:
    """A figure and the word beside it stand beside each other in the quote too."""
    numbers = {span.start: number for number, span in enumerate(held.spans)}
    text = " ".join(fold_word(held.text).split())
    for first, second in pairwise(said.spans):
        joint = said.text[first.start : second.end]
        figures = any(map(str.isdigit, joint)) and joint.count(" ") >= 1
        whole = any(_standing(fold_word(joint), text))
        if not figures or first.is_silent or second.is_silent or whole:
            continue
        ends, starts = (
            [numbers[place.start] for place in _places(span, held) or _literal(span, held)]
            for span in (first, second)
        )
        if (
            ends
            and starts
            and not any(
                end < start and all(s.is_silent for s in held.spans[end + 1 : start])
                for end in ends
                for start in starts
            )
        ):
            said_so = f"{joint[:80]!r} stands in the quote only in pieces."
            return [Gap("number", said_so, (held.text[:200],))]
    return []


def _kind_gaps(asked: Reading, said: Reading, held: Reading) -> list[Gap]:
    """An answer to "when" tells a time, and one to "how many" a quantity."""
    senses = {s.role.sense for s in asked.spans if s.role and s.role.role == "question"}
    times = [s for s in said.spans if s.period is not None or s.kind in ("time", "order")]
    figures = [s for s in said.spans if s.quantity is not None]
    if "how_many" in senses and times and not figures and not any(map(_denies, said.spans)):
        instead = tuple(s.text for s in held.spans if s.quantity is not None)[:_MOST_SUGGESTED]
        if all(s.period is not None for s in times) and len(times) == 1 and instead:
            return [Gap("kind", "The question asks how many; the back is a date.", instead)]
    return []


def _answering(
    found: Sequence[Sequence[Span]], parts: Sequence[_Segment], asked: Reading
) -> list[_Segment]:
    """The segments of a quote that hold what the back says: one that has all, or all that do."""
    if not found:
        return list(parts)
    held = [sum(any(s in part.spans for s in places) for places in found) for part in parts]
    if max(held, default=0) == len(found):
        whole = [part for part, count in zip(parts, held, strict=True) if count == len(found)]
        best = max(_score(part, asked) for part in whole)
        return [part for part in whole if _score(part, asked) == best]
    return [part for part, count in zip(parts, held, strict=True) if count]


def _score(part: _Segment, asked: Reading) -> int:
    """How much of a question a segment holds; names and the subject weigh more."""
    words = part.words | part.topic
    score = 0
    for place, span in enumerate(asked.spans):
        if span.is_silent or _denies(span):
            continue
        keys = set(_keys(span))
        if keys & words:
            score += 1 + (_NAME_WEIGHT if _is_name(span, place) else 0)
    if part.subject and part.subject & {key for span in asked.spans for key in _keys(span)}:
        score += _SUBJECT_WEIGHT
    return score


def _polarity_gaps(asked: Reading, said: Reading, own: Sequence[_Segment], quote: str) -> list[Gap]:
    """A denial in the part of a quote that answers is said by the card, and none else is."""
    first = said.spans[0] if said.spans else None
    spans: Iterable[Span] = said.spans
    if first is not None and _is_word(first, "denying") and len(said.spans) > 1:
        spans = said.spans[1:] if said.spans[1].text in _COMMAS else said.spans
    spans = list(spans)
    states = any(t.tag == "verb" for s in spans for t in s.tokens) and any(
        c.predicate is not None for c in clauses(said)
    )
    denied = sum(map(_denies, spans))
    if not states:
        denied += sum(map(_denies, asked.spans))
    held = sum(max(sum(map(_denies, part.spans)), part.negated) for part in own)
    if denied == held or (denied and held and not states):
        return []
    said_so = "denies" if held else "does not deny"
    detail = f"The quote {said_so} what the card says: keep its negation as it is."
    return [Gap("negation", detail, (quote[:200],))]


def _attachment_gaps(
    asked: Reading, spans: Sequence[Span], own: Sequence[_Segment], parts: Sequence[_Segment]
) -> list[Gap]:
    """Refuse an answer from one part of a quote where the question speaks of another."""
    best = max((_score(part, asked) for part in own), default=0)
    rivals = [
        part
        for part in parts
        if part not in own and _score(part, asked) > best and _rivals(spans, part, asked)
    ]
    if not rivals:
        return []
    rival = max(rivals, key=lambda part: _score(part, asked))
    text = " ".join(span.text for span in rival.spans)
    said = "The question speaks of another part of the quote than the answer is from."
    return [Gap("attachment", said, (text[:200],))]


def _rivals(spans: Sequence[Span], part: _Segment, asked: Reading) -> bool:
    """Whether a segment holds another answer of the same kind."""
    figures = [span.quantity for span in spans if span.quantity is not None]
    if figures:
        units = {figure.unit for figure in figures}
        return any(s.quantity is not None and s.quantity.unit in units for s in part.spans)
    if any(span.period is not None for span in spans):
        return any(span.period is not None for span in part.spans)
    known = {key for span in asked.spans for key in _keys(span)}
    return any(
        (s.kind in ("direction", "comparison", "opinion") or s.kind == "leftover")
        and (s.kind != "leftover" or any(t.tag in _CONTENT for t in s.tokens))
        and not known & set(_keys(s))
        for s in part.spans
    )
