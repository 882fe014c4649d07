"""Whether an answer is who does what its question asks for, or to whom it is done.

Between an English verb that is asked for and the answer stands nothing that could be the answer
instead. "Algae are eaten by snails" says what eats algae, and nothing of what algae eat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.arguments import (
    COMMAS,
    Window,
    doubt,
    is_article,
    is_content,
    is_in,
    items_of,
    joins,
    known_words,
    places_in,
)
from groundwire.learning.cards.matching import is_token, is_word, keys
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.types import Gap

_PASSIVE = frozenset(("by", "von", "vom", "durch", "wurde", "wurden", "被", "由"))
_RELATIVE = frozenset(("which", "who", "that", "whose", "whom"))
_PARTICLES = frozenset(("up", "down", "out", "off", "away", "in", "on", "over"))
_BY = frozenset(("by", "von", "vom", "durch"))
_ASKING = frozenset(("who", "what", "whom", "wer", "was", "wen", "wem", "which", "welche"))
_AGENT_ASKED = frozenset(("wodurch", "wovon"))
_OBJECT_ASKED = frozenset(("whom", "wen", "wem"))
_OBJECT_ARTICLES = frozenset(("den", "einen"))
_PARTICIPLE_ENDS = ("ed", "en", "n", "t", "wn")
_STEM = 5
_REACH = 3


@dataclass(frozen=True, slots=True)
class _Question:
    """A question about one verb: who acts, what is acted on, or which of both is open.

    Attributes:
        verb: the verb.
        thing: what the question names beside it; empty where it names nothing.
        asked: "agent", "object", "either", or "place" for what stands behind a preposition.
    """

    verb: Span
    thing: tuple[Span, ...]
    asked: str


def _is_english(asked: Reading) -> bool:
    return bool(asked.tokens) and asked.tokens[0].language == "en"


def _asks_thing(asked: Reading) -> bool:
    """Whether a question asks who or what it is, and not when, where, why or how."""
    first = asked.spans[0] if asked.spans else None
    return (
        first is not None
        and asks(first)
        and first.role is not None
        and first.role.sense in ("what", "who")
        and len(first.tokens) == 1
    )


def _is_passive(asked: Reading, window: Window) -> bool:
    tokens = [token for span in window.spans for token in span.tokens]
    return any(token.key in _PASSIVE for token in (*tokens, *asked.tokens))


def done_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of "what do plants release" whose answer is not what stands behind "release".

    "Do" shows which word is the verb: the last one before a preposition. Between it and the answer
    stands nothing that could be the answer instead, unless it is joined to it by a comma or "and".
    """
    if not _is_english(asked) or not _asks_thing(asked) or _is_passive(asked, window):
        return None
    spans = asked.spans
    at = next((n for n, one in enumerate(spans) if one.tokens[0].lemma == "do"), None)
    if at is None or any(token.tag == "verb" for token in said.tokens):
        return None
    rest = spans[at + 1 :]
    stop = next((n for n, one in enumerate(rest) if n and is_preposition(one)), len(rest))
    phrase = [one for one in rest[:stop] if one.kind != "sign" and not is_article(one)]
    if len(phrase) < 2:
        return None
    verb = phrase[-1]
    if verb.tokens[-1].key in _PARTICLES and len(phrase) > 2:
        # "Take up": the verb is the word before its particle.
        verb = phrase[-2]
    subjects = places_in(phrase[0], window)
    places = [n for n in places_in(verb, window) if n < window.start]
    places = [n for n in places if not subjects or n > subjects[0]] or places
    if not places:
        return doubt(window, verb.text) if places_in(verb, window) else None
    known = known_words(asked)
    # The verb of a relative clause has another subject: "A taught B, who taught C".
    free = [n for n in places if not any(map(_is_relative, window.spans[max(0, n - 2) : n]))]
    gaps = [_crossing(window, window.spans[n + 1 : window.start], known) for n in free or places]
    return None if None in gaps else gaps[0]


def _crossing(window: Window, between: Sequence[Span], known: frozenset[str]) -> Gap | None:
    """The gap of something else that stands between an answer and its verb, unless in a list."""
    rivals = [n for n, one in enumerate(between) if is_content(one) and not is_in(one, known)]
    rivals = [n for n in rivals if not _describes(between, n)]
    if not rivals:
        return None
    behind = between[rivals[-1] + 1 :]
    listed = behind and all(
        one.text in COMMAS or joins(one) or is_article(one) or not is_content(one) for one in behind
    )
    joined = any(one.text in COMMAS or joins(one) for one in behind)
    clause = any(map(_is_relative, between))
    if listed and joined and not clause and not any(map(is_preposition, between)):
        return None
    return doubt(window, between[rivals[-1]].text)


def _is_relative(span: Span) -> bool:
    return any(token.key in _RELATIVE for token in span.tokens)


def _describes(spans: Sequence[Span], at: int) -> bool:
    """Whether a span is an adjective or part of the noun phrase that the answer ends."""
    rest = spans[at:]
    adjectives = all(t.tag == "adjective" for one in rest for t in one.tokens)
    return adjectives or spans[at].quantity is not None


def doing_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of "which hormone raises it" whose answer is not what stands before "raises".

    Of a question without "do" the answer is the subject: of the words behind it in the quote, the
    next one that says something is of the question. What commas enclose is passed over.
    """
    if not _is_english(asked) or not _asks_thing(asked) or _is_passive(asked, window):
        return None
    if any(one.tokens[0].lemma == "do" for one in asked.spans):
        return None
    if any(token.tag == "verb" for token in said.tokens) or _identifies(asked, window):
        return None
    if _is_of_being(asked.spans):
        return _undergone_gap(asked, window)
    known = known_words(asked)
    rest = list(window.spans[window.stop + 1 :])
    items = items_of(asked)
    if not items:
        return None
    verbs = frozenset(keys(items[0]))
    places = [n for n, one in enumerate(rest) if is_content(one) and is_in(one, verbs)]
    places = places or [n for n, one in enumerate(rest) if is_content(one) and is_in(one, known)]
    if not places:
        return _behind_gap(asked, window)
    between = rest[: places[0]]
    first = next((n for n, one in enumerate(window.spans) if is_content(one)), 0)
    if between and _joins_verb(between[-1]) and first >= window.start:
        # One subject has several verbs: "exports less, but drinks half of it".
        return None
    if between and between[0].text in COMMAS:
        relative = len(between) > 1 and _is_relative(between[1])
        commas = [n for n, one in enumerate(between) if one.text in COMMAS]
        between = between[commas[-1] :] if len(commas) > 1 else between[2:] if relative else between
    clauses = [one for one in between if one.text in COMMAS]
    rivals = [
        n
        for n, one in enumerate(between)
        if is_content(one) and not is_in(one, known)
        if not _is_adjunct(between, n) and one.quantity is None
    ]
    if rivals and not (len(rivals) == 1 and _is_compound(window, between)):
        return doubt(window, between[rivals[-1]].text)
    return doubt(window, clauses[-1].text) if clauses and len(between) > 1 else None


def _undergone_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what is stored in it" whose answer does something: "A makes it store B"."""
    at = next((n for n, one in enumerate(asked.spans) if one.role and one.role.role == "being"), 0)
    following = asked.spans[at + 1 : at + 2]
    if not following or not any(token.tag == "verb" for token in following[0].tokens):
        return None
    places = places_in(following[0], window)
    if len(places) != 1 or places[0] < window.stop:
        return None
    between = window.spans[window.stop + 1 : places[0]]
    is_passive = any(one.role is not None and one.role.role == "being" for one in between)
    return None if is_passive else doubt(window, window.spans[places[0]].text)


def _is_of_being(spans: Sequence[Span]) -> bool:
    """Whether a question asks what something is, or what is done: "which is found in it"."""
    at = next((n for n, one in enumerate(spans) if one.role and one.role.role == "being"), None)
    if at is None:
        return False
    following = spans[at + 1 : at + 2]
    return at == 1 or any(token.tag == "verb" for one in following for token in one.tokens)


def _joins_verb(span: Span) -> bool:
    """Whether a span joins another verb to a subject, or is the pronoun of the subject itself."""
    return joins(span) or is_word(span, "contrasting") or is_word(span, "adding")


def _is_compound(window: Window, between: Sequence[Span]) -> bool:
    """Whether the answer leaves out the last word of its noun phrase: "nuclear" of a "plant"."""
    return (
        len(between) == 1
        and between[0].start == window.spans[window.stop].end + 1
        and all(token.tag == "noun" for token in between[0].tokens)
    )


def _is_adjunct(spans: Sequence[Span], at: int) -> bool:
    """Whether a preposition stands before a span, with at most its article and adjectives."""
    for one in reversed(spans[max(0, at - 3) : at]):
        if is_preposition(one):
            return True
        if one.text in COMMAS:
            return False
    return False


def _identifies(asked: Reading, window: Window) -> bool:
    """Whether question and sentence say what something is, so that both ends may be the answer."""
    is_be = any(one.role is not None and one.role.role == "being" for one in asked.spans[:4])
    behind = window.spans[max(0, window.start - 3) : window.start]
    names = any(is_token(t, "naming") for one in (*asked.spans, *behind) for t in one.tokens)
    copula = any(one.role is not None and one.role.role == "being" for one in behind)
    return names or (is_be and copula)


def _behind_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a subject behind which nothing of its question stands, but before a comma."""
    items = [one for one in items_of(asked) if places_in(one, window)]
    if not items:
        return None
    before = window.spans[: window.start]
    copula = before and any(
        one.role is not None and one.role.role == "being" for one in before[-4:]
    )
    return None if copula else doubt(window, items[-1].text)


def statement_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of an answer that turns round what its sentence says: "B paid A"."""
    if not _is_english(said) and not (said.tokens and said.tokens[0].language == "zh"):
        return None
    things: list[tuple[int, int]] = []
    verb: int | None = None
    for order, span in enumerate(said.spans):
        if not is_content(span):
            continue
        known = frozenset(keys(span))
        at = [n for n in window.own if is_in(window.spans[n], known)]
        if len(at) != 1:
            continue
        if any(token.tag == "verb" for token in span.tokens):
            verb = at[0]
        else:
            things.append((order, at[0]))
    if verb is None or len(things) < 2:
        return None
    first, last = things[0][1], things[-1][1]
    passive = [
        any(t.key in _PASSIVE for one in spans for t in one.tokens)
        for spans in (said.spans, window.spans)
    ]
    if (first < verb < last) == (passive[0] == passive[1]) or not (
        first < verb < last or last < verb < first
    ):
        return None
    return Gap("attachment", f"The quote says it the other way round: {window.text[:80]!r}.")


def voice_gap(asked: Reading, window: Window) -> Gap | None:
    """Return the gap of an answer that is acted on where the one who acts is asked for, or None.

    Args:
        asked: the question.
        window: where the answer stands in its sentence.
    """
    spans = window.spans
    question = _question(asked)
    if question is None:
        return None
    verbs = [n for n, one in enumerate(spans) if _is_same_verb(one, question.verb)]
    told = [(zone, n) for zone, n in _agents(spans) if n in verbs]
    if not told:
        return _active_gap(question, verbs, window)
    thing = frozenset(key for one in question.thing for key in keys(one))
    for zone, _ in told:
        answers = any(n in zone for n in window.own)
        named = any(is_in(spans[n], thing) for n in zone)
        fits = {"agent": answers, "either": answers != named}
        if fits.get(question.asked, named and not answers):
            return None
    return doubt(window, question.verb.text)


def _active_gap(question: _Question, verbs: Sequence[int], window: Window) -> Gap | None:
    """The gap of "by whom was it replaced" where the quote has the answer behind "replaces".

    So of "to whom does it report" where the thing stands behind the verb of another.
    """
    spans = window.spans
    if spans[0].tokens[0].language != "en" or not verbs:
        return None
    if question.asked == "place":
        return _subject_gap(question, verbs, window)
    if question.thing or len(verbs) != 1:
        return None
    helped = any(map(_is_being, spans[max(0, verbs[0] - _REACH) : verbs[0]]))
    return None if helped or window.start < verbs[0] else doubt(window, spans[verbs[0]].text)


def _subject_gap(question: _Question, verbs: Sequence[int], window: Window) -> Gap | None:
    head = next((one for one in reversed(question.thing) if _is_thing(one)), None)
    places = places_in(head, window) if head is not None else []
    known = frozenset(key for one in question.thing for key in keys(one))

    def is_free(start: int, stop: int) -> bool:
        """Whether no other thing stands there that could be the subject, unless joined to it."""
        return not any(
            _is_thing(window.spans[n])
            and not is_in(window.spans[n], known)
            and not any(map(is_preposition, window.spans[max(0, n - _REACH) : n]))
            and not _is_joined(window.spans, n)
            for n in _of_clause(window.spans, start, stop)
        )

    # "To the north lies the lake": what stands behind its verb is the subject of none before it.
    if not places or any(is_free(0 if s > v else s, v) for s in places for v in verbs):
        return None
    return doubt(window, question.verb.text)


def _of_clause(spans: Sequence[Span], start: int, stop: int) -> range:
    """The places behind the first comma between a thing and a verb; all before its first thing."""
    cut = next((n for n in range(start, stop) if spans[n].text in COMMAS), stop)
    return range(start, stop) if start == 0 else range(cut, stop)


def _is_joined(spans: Sequence[Span], at: int) -> bool:
    """Whether "and" without a comma stands before a thing: it shares the verb of the one before."""
    near = range(max(1, at - _REACH), at)
    return any(joins(spans[n]) and spans[n - 1].text not in COMMAS for n in near)


def _is_thing(span: Span) -> bool:
    return any(token.tag in ("noun", "name") for token in span.tokens) and span.period is None


def _question(asked: Reading) -> _Question | None:
    spans = [one for one in asked.spans if one.kind != "sign"]
    first = spans[0].tokens[-1] if spans else None
    if first is None or first.language not in ("en", "de"):
        return None
    lead = first.key if len(spans[0].tokens) == 1 else ""
    if (lead in _BY and len(spans) > 2 and asks(spans[1])) or lead in _AGENT_ASKED:
        done = [one for one in spans if _is_participle(one) and not _is_being(one)]
        return _Question(done[-1], (), "agent") if done and any(map(_is_being, spans)) else None
    asks_for = "object"
    if len(spans) > _REACH and is_preposition(spans[0]) and asks(spans[1]) and _is_do(spans[2]):
        spans = spans[1:]
        first, asks_for = spans[0].tokens[-1], "place"
    if lead in _BY or first.key not in _ASKING or len(spans) < _REACH or _is_being(spans[1]):
        return None
    if first.language == "de":
        return _german(first, spans)
    if _is_do(spans[1]):
        rest = spans[2:]
        stop = next((n for n, one in enumerate(rest) if n and is_preposition(one)), len(rest))
        phrase = [one for one in rest[:stop] if not is_article(one)]
        at = len(phrase) - 1
        at = next((n for n in range(at, 0, -1) if _is_verb(phrase[n])), at)
        names = any(is_token(token, "naming") for one in phrase for token in one.tokens)
        if names or at < 1 or not is_content(phrase[at]):
            return None
        return _Question(phrase[at], tuple(phrase[:at]), asks_for)
    return _Question(spans[1], tuple(spans[2:]), "agent")


def _german(first: Token, spans: Sequence[Span]) -> _Question:
    """The form of "wer belagerte es" and "was fressen sie": cases and number tell what is asked."""
    verb, thing = spans[1], tuple(one for one in spans[2:] if not is_article(one))
    if first.key in _OBJECT_ASKED:
        return _Question(verb, thing, "object")
    article = spans[2].tokens[0].key
    if first.key == "wer" or article in _OBJECT_ARTICLES:
        return _Question(verb, thing, "agent")
    # "Was" with a verb in the plural asks for what the plural noun behind it does something to.
    return _Question(verb, thing, "object" if verb.text.endswith("n") else "either")


def _agents(spans: Sequence[Span]) -> Iterator[tuple[range, int]]:
    """Yield the places behind each "by" of a passive, and the place of the verb."""
    for at, span in enumerate(spans):
        if len(span.tokens) != 1 or span.tokens[0].key not in _BY:
            continue
        stop = at + 1
        while stop < len(spans) and not _ends_agent(spans, stop):
            stop += 1
        if any(spans[n].quantity is not None for n in range(at + 1, min(stop, at + 2))):
            continue
        if span.tokens[0].language == "de":
            helped = any(t.lemma == "werden" for one in spans for t in one.tokens)
            verb = stop if helped and stop < len(spans) and spans[stop].text not in COMMAS else None
        else:
            near = range(at - 1, max(-1, at - _REACH), -1)
            verb = next((n for n in near if _is_participle(spans[n])), None)
        if verb is not None:
            yield range(at + 1, stop), verb


def _ends_agent(spans: Sequence[Span], at: int) -> bool:
    span = spans[at]
    if span.kind == "sign" or is_preposition(span):
        return True
    german = span.tokens[0].language == "de"
    verbal = span.text.islower() and any(
        t.tag in ("verb", *(("adjective", "other") if german else ())) for t in span.tokens
    )
    following = spans[at + 1] if at + 1 < len(spans) else None
    if german and following is not None and verbal and not _is_bare(following):
        # "Von den alten Schweden": an adjective stands before its noun.
        verbal = any(t.tag == "verb" for t in span.tokens)
    joined = joins(span) and following is not None and _is_participle(following)
    return verbal or joined


def _is_bare(span: Span) -> bool:
    return span.kind == "sign" or joins(span) or is_preposition(span)


def _is_participle(span: Span) -> bool:
    ends = span.text.endswith(_PARTICIPLE_ENDS)
    return any(
        (token.tag == "verb" and (ends or not token.key.endswith(("ing", "s", token.lemma))))
        or (token.tag == "adjective" and ends)
        for token in span.tokens
    )


def _is_being(span: Span) -> bool:
    return any(token.lemma in ("be", "werden") for token in span.tokens)


def _is_verb(span: Span) -> bool:
    return any(token.tag == "verb" for token in span.tokens)


def _is_do(span: Span) -> bool:
    return span.tokens[0].lemma == "do"


def _is_same_verb(span: Span, verb: Span) -> bool:
    if is_in(span, frozenset(keys(verb))):
        return True
    stems = [
        one.tokens[0].key.removeprefix("ge")[:_STEM] for one in (span, verb) if one.text.islower()
    ]
    german = verb.tokens[0].language == "de"
    return german and len(stems) > 1 and len(stems[0]) == _STEM and stems[0] == stems[1]
