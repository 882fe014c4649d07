"""Whether an answer is who acts, or what is acted on, where quote or question is in the passive.

"Algae are eaten by snails" says what eats algae, and nothing of what algae eat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.matching import is_token, keys
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.types import Gap
from groundwire.learning.cards.windows import (
    COMMAS,
    Window,
    doubt,
    is_article,
    is_content,
    is_in,
    joins,
    places_in,
)

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
