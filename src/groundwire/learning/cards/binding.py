"""Whether an answer is bound to every word of its question, by the clause and phrase it stands in.

A sentence may hold all words of a card in two clauses that say different things: "silver melts at
962 °C, gold boils at 2,856 °C". These rules need no parts of speech of verbs, so that they hold in
languages whose verbs are often misread. What they find puts a card in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.arguments import (
    COMMAS,
    Window,
    doubt,
    is_article,
    is_content,
    is_in,
    items_of,
    known_words,
)
from groundwire.learning.cards.matching import is_token, is_word, keys
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.types import Gap

# Marks between the members of a list, and before an explanation, part no clauses.
_CLAUSE_MARKS = COMMAS - frozenset("、:：")
_EXPLAINING = frozenset(("why", "reason", "how"))
_DEPENDING = frozenset(("cause", "time", "question", "forecast", "order"))
# The "'s" of an owner is read as "is" too.
_OWNING = frozenset(("'s", "’s"))
_PAIR = 2
_GENITIVE = frozenset(("des", "eines", "der", "einer"))
_RELATIVE = frozenset(("that", "which", "who", "whom", "whose"))
_AGENT = frozenset(("by", "von", "vom", "durch"))
_ORDERING = frozenset(("time", "order"))


def binding_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """Return the gap of an answer that another clause or phrase than the question's holds, or None.

    Args:
        asked: the question.
        said: the back.
        window: where the answer stands in its sentence.
    """
    return (
        _clause_gap(asked, window)
        or _relative_gap(asked, window)
        or _excluded_gap(asked, window)
        or _embedded_gap(asked, window)
        or _owner_gap(asked, window)
        or _governed_gap(asked, said, window)
        or _lead_gap(asked, said, window)
        or _subject_gap(asked, window)
        or _origin_gap(asked, window)
    )


def _clauses(spans: Sequence[Span]) -> list[tuple[int, int]]:
    """The clauses of a sentence, as first place and the place behind: cut at commas and "but"."""
    starts = [0]
    for n, span in enumerate(spans):
        contrasts = is_word(span, "contrasting")
        joined = is_word(span, "adding") and (
            any(map(_predicates, spans[n + 1 : n + 2])) or _closes_twice(spans, n)
        )
        if span.text in _CLAUSE_MARKS:
            starts.append(n + 1)
        elif (contrasts or joined) and n > starts[-1]:
            starts.append(n)
    stops = [*starts[1:], len(spans)]
    return [(start, stop) for start, stop in zip(starts, stops, strict=True) if stop > start]


def _closes_twice(spans: Sequence[Span], at: int) -> bool:
    """Whether German "und" joins two statements that each end with their verb or adjective."""
    if not at or spans[at].tokens[0].language != "de":
        return False
    rest = spans[at + 1 :]
    stop = next((n for n, one in enumerate(rest) if one.kind == "sign"), len(rest))
    before, last = spans[at - 1].tokens[-1], rest[stop - 1].tokens[-1] if stop else None
    ends = ("verb", "adjective")
    return last is not None and before.tag in ends and last.tag in ends and last != before


def _predicates(span: Span) -> bool:
    role = span.role
    return any(token.tag == "verb" for token in span.tokens) or (
        role is not None and (role.role == "being" or role.sense == "auxiliary")
    )


def _clause_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a question with a word that stands in another clause than its answer.

    What the first clause is about may be left out in the others. A clause of nothing but the answer
    belongs to the next one, or to the one before it: "in 1930, Pluto was found".
    """
    senses = {one.role.sense for one in asked.spans if one.role and asks(one)}
    if senses & _EXPLAINING:
        return None
    spans = window.spans
    made = _clauses(spans)
    own = [n for n, (start, stop) in enumerate(made) if _overlaps(start, stop, window)]
    known = known_words(asked)
    if not own or len(made) < 2:
        return None
    first, last = own[0], own[-1]
    if not any(map(is_content, _others(made, own, window))):
        # A bare adjunct: "In 1930, ...".
        first, last = (first, last + 1) if last + 1 < len(made) else (first - 1, last)
    first, last = max(first, 0), min(last, len(made) - 1)
    leading = _leading(spans)
    here = leading | _words(spans, made[first][0], made[last][1])
    is_subject = window.start < len(spans) and frozenset(keys(spans[window.start])) <= leading
    own_spans = spans[made[first][0] : made[last][1]]
    rival = _speaks(own_spans) and any(
        not is_in(one, known) for one in _others(made, own, window) if is_content(one)
    )
    refers = _depends(own_spans) or any(map(_points, own_spans))
    for item in items_of(asked):
        words = frozenset(keys(item))
        at = [n for n, (start, stop) in enumerate(made) if words & _words(spans, start, stop)]
        if not at or words & here:
            continue
        if not any(
            _goes_on(spans[slice(*made[n])], known, is_subject=is_subject)
            if n > last
            else not rival or refers or _names(spans[slice(*made[n])])
            for n in at
        ):
            return doubt(window, item.text)
    return None


def _words(spans: Sequence[Span], start: int, stop: int) -> frozenset[str]:
    return frozenset(key for one in spans[start:stop] for key in keys(one))


def _speaks(spans: Sequence[Span]) -> bool:
    """Whether a clause has a verb of its own; in Chinese it is often read as another word."""
    return any(map(_predicates, spans)) or any(
        t.language == "zh" for one in spans for t in one.tokens
    )


def _points(span: Span) -> bool:
    return any(is_token(token, "pointing") for token in span.tokens)


def _names(spans: Sequence[Span]) -> bool:
    return any(is_token(token, "naming") for one in spans for token in one.tokens)


def _goes_on(spans: Sequence[Span], known: frozenset[str], *, is_subject: bool) -> bool:
    """Whether a later clause says more of the answer: a relative one, or one without a subject."""
    if _depends(spans):
        return True
    first = next((one for one in spans if not _joins(one)), None)
    return is_subject and first is not None and is_in(first, known)


def _joins(span: Span) -> bool:
    """Whether a word only leads to a clause: a mark, "but", "then", or a helping verb."""
    role = span.role
    return span.kind == "sign" or (role is not None and role.role in ("function", "order", "being"))


def _overlaps(start: int, stop: int, window: Window) -> bool:
    return any(start <= n < stop for n in window.own)


def _others(made: Sequence[tuple[int, int]], own: Sequence[int], window: Window) -> Iterator[Span]:
    for n in own:
        start, stop = made[n]
        yield from (window.spans[m] for m in range(start, stop) if m not in window.own)


def _leading(spans: Sequence[Span]) -> frozenset[str]:
    """The words of the noun phrase that a sentence begins with: what it is about."""
    found: set[str] = set()
    for span in spans:
        if span.text in _CLAUSE_MARKS or (_predicates(span) and span.tokens[0].key not in _OWNING):
            break
        found.update(keys(span))
        if any(token.language == "zh" for token in span.tokens) and is_content(span):
            # A Chinese verb may be read as a noun, so that one word is the subject.
            break
    return frozenset(found)


def _depends(spans: Sequence[Span]) -> bool:
    """Whether a clause hangs on the one before it: "which", "because", "if", or a pronoun."""
    first = spans[0]
    role = first.role
    if role is not None and (role.role in _DEPENDING or role.sense == "pronoun"):
        # "After" begins a clause, "in winter" and "at the weekend" none.
        return role.role not in _ORDERING or any(t.tag == "function" for t in first.tokens)
    if any(is_token(t, "reporting") or is_token(t, "pointing") for t in first.tokens):
        return True
    if first.tokens and first.tokens[0].language == "de" and is_article(first):
        # "Die" begins a relative clause where no noun follows it.
        following = spans[1] if len(spans) > 1 else first
        return not any(token.tag in ("noun", "name", "adjective") for token in following.tokens)
    return any(token.key in _RELATIVE for token in first.tokens)


def _turns(asked: Reading, clause: Sequence[Span]) -> bool:
    """Whether the case of a German relative pronoun has to tell who did it: "den sie biss"."""
    first = asked.tokens[0] if asked.tokens else None
    return (
        first is not None
        and first.key in ("wer", "wen", "wem")
        and bool(clause)
        and is_article(clause[0])
        and (clause[0].tokens[0].key != "der" or first.key != "wer")
    )


def _relative_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "whom" and "who" of a German relative clause, whose pronoun alone has the case."""
    items = frozenset(key for one in items_of(asked) for key in keys(one))
    for start, stop in _clauses(window.spans):
        clause = window.spans[start:stop]
        told = start <= window.start < stop or items & _words(window.spans, start, stop)
        if start and told and _depends(clause) and _turns(asked, clause):
            return doubt(window, clause[0].text)
    return None


def _embedded_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of an answer in a clause about the subject: "bacteria that cause tetanus live"."""
    known = known_words(asked)
    spans = window.spans
    at = next(
        (n for n in range(window.start - 1, 0, -1) if spans[n].tokens[0].key in _RELATIVE), None
    )
    if at is None or any(one.text in _CLAUSE_MARKS for one in spans[at : window.start]):
        return None
    inside = [one for one in spans[at + 1 : window.start] if any(map(_is_verb, one.tokens))]
    behind = any(is_in(one, known) for one in spans[window.stop + 1 :] if is_content(one))
    return (
        doubt(window, inside[0].text) if inside and behind and not is_in(inside[0], known) else None
    )


def _is_verb(token: Token) -> bool:
    return token.tag == "verb"


def _excluded_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of an answer that its sentence leaves out of a whole: "everyone but Smith"."""
    known = known_words(asked)
    near = window.spans[max(0, window.start - 3) : window.start]
    cuts = [n for n, one in enumerate(near) if one.text in _CLAUSE_MARKS]
    for one in near[cuts[-1] + 1 if cuts else 0 :]:
        if any(is_token(token, "excepting") for token in one.tokens) and not is_in(one, known):
            return doubt(window, one.text)
    before = [one for one in window.spans[: window.start] if not is_article(one)][-2:]
    if len(before) < 2 or not is_word(before[1], "contrasting"):
        return None
    role = before[0].role
    whole = before[0].kind == "negation" or (role is not None and role.role == "quantifier")
    return doubt(window, f"{before[0].text} {before[1].text}") if whole else None


def _owner_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "the teacher of B" where the quote only has "the teacher of A"."""
    spans = asked.spans
    for n in range(1, len(spans) - 1):
        if not is_preposition(spans[n]) or not is_content(spans[n - 1]):
            continue
        thing = next((one for one in spans[n + 1 : n + 4] if not is_article(one)), None)
        if thing is None or not is_content(thing):
            continue
        owned, owner = frozenset(keys(spans[n - 1])), frozenset(keys(thing))
        if not any(is_in(one, owner) for one in window.spans):
            continue
        rivals = list(_owners(window.spans, owned, frozenset(keys(spans[n]))))
        rivals = [one for one in rivals if not any(span.quantity for span in one)]
        if rivals and not any(is_in(one, owner) for phrase in rivals for one in phrase):
            return doubt(window, " ".join(one.text for one in rivals[0]))
    return None


def _owners(
    spans: Sequence[Span], owned: frozenset[str], lead: frozenset[str]
) -> Iterator[list[Span]]:
    """Yield what stands behind a noun and a preposition, up to the next mark, lead or verb."""
    for n, span in enumerate(spans[:-1]):
        if not is_in(span, owned) or not is_in(spans[n + 1], lead):
            continue
        phrase: list[Span] = []
        for one in spans[n + 2 :]:
            if one.kind == "sign" or is_preposition(one) or _predicates(one):
                break
            phrase.append(one)
        if phrase:
            yield phrase


def _governed_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "who was born" where the answer only stands in "the son of A".

    What is asked for without a preposition does not stand behind one, but for who did it: "by A".
    """
    first = asked.spans[0] if asked.spans else None
    if first is None or not asks(first) or first.role is None:
        return None
    if first.role.sense not in ("what", "who") or len(first.tokens) != 1:
        return None
    if said.spans and is_preposition(said.spans[0]):
        return None
    answer = window.spans[window.start]
    if answer.quantity is not None or answer.period is not None:
        return None
    known = known_words(asked)
    owner = _genitive(window, known)
    if owner is not None:
        return doubt(window, owner.text)
    before = [one for one in window.spans[: window.start] if not is_article(one)][-2:]
    if len(before) < 2 or not is_preposition(before[1]) or not is_content(before[0]):
        return None
    noun, lead = before
    behind = window.spans[window.stop + 1 : window.stop + 3]
    if len(behind) == _PAIR and behind[1].tokens[0].key in _RELATIVE:
        # "Drains into Lake Ohrid, which is deeper" goes on about the answer.
        return None
    if noun.quantity is not None or noun.period is not None:
        # "Was found in 1846 by A": a time owns nothing.
        return None
    done = [one for one in window.spans[: window.start] if any(t.tag == "verb" for t in one.tokens)]
    if done and is_in(done[-1], known) and any(t.key in _AGENT for t in lead.tokens):
        return None
    return None if is_in(noun, known) or is_in(lead, known) else doubt(window, noun.text)


def _genitive(window: Window, known: frozenset[str]) -> Span | None:
    """The thing of which an answer is only the owner: "Bruder" of "des Königs", 学生 of 孔子的学生.

    In Chinese also what an answer leaves off before it: 副 of 副主席.
    """
    spans = window.spans
    if spans[window.start].tokens[0].language == "zh":
        behind = spans[window.stop + 1 : window.stop + 3]
        if len(behind) == _PAIR and behind[0].text == "的" and not is_in(behind[1], known):
            return behind[1] if is_content(behind[1]) else None
        before = spans[window.start - 1] if window.start else None
        joined = before is not None and before.end == spans[window.start].start
        adjective = before is not None and all(t.tag == "adjective" for t in before.tokens)
        return before if joined and adjective and before and before.kind == "leftover" else None
    leads = spans[max(0, window.start - 2) : window.start]
    if len(leads) < _PAIR or not any(t.key in _GENITIVE for t in leads[1].tokens):
        return None
    is_noun = any(token.tag in ("noun", "name") for token in leads[0].tokens)
    return leads[0] if is_noun and not is_in(leads[0], known) else None


def _lead_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "to how much" that is answered with "by 4 %", of "until when" with "from"."""
    spans = asked.spans
    own, held = (
        {
            end
            for end in ("beginning", "ending")
            if any(is_token(token, end) for one in some for token in one.tokens)
        }
        for some in (spans[:2], window.spans[max(0, window.start - 1) : window.start + 1])
    )
    if own and held and not own & held and any(map(asks, spans[:4])):
        return doubt(window, window.spans[window.start].text)
    lead = spans[0] if len(spans) > 1 and asks(spans[1]) else None
    if lead is not None and lead.kind == "order":
        # "After what" asks for what stands behind "after".
        near = window.spans[max(0, window.start - 3) : window.start + 1]
        after = frozenset(keys(lead))
        return None if any(is_in(one, after) for one in near) else doubt(window, lead.text)
    if lead is None or not is_preposition(lead) or not said.spans:
        return None
    first = said.spans[0]
    ends = ("sourcing", "reaching", "measuring")
    own, other = ({t for t in ends if any(is_token(k, t) for k in s.tokens)} for s in (lead, first))
    if not own or not other or own & other:
        return None
    detail = f"The question asks {lead.text!r} what; the back begins with {first.text!r}."
    return Gap("attachment", detail)


def _subject_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what does Peru export" in "Chile exports wine to Peru", where another does it."""
    spans = asked.spans
    at = next((n for n, one in enumerate(spans) if one.tokens[0].lemma == "do"), None)
    if at is None or spans[0].tokens[0].language != "en":
        return None
    subject = next((one for one in spans[at + 1 :] if is_content(one)), None)
    own = next((c for c in _clauses(window.spans) if c[0] <= window.start < c[1]), None)
    if subject is None or own is None:
        return None
    words = frozenset(keys(subject))
    clause = window.spans[slice(*own)]
    here = [own[0] + n for n, one in enumerate(clause) if is_in(one, words)]
    begins = next((own[0] + n for n, one in enumerate(clause) if is_content(one)), window.start)
    if not here or min(here) < window.start or begins >= window.start or begins in window.own:
        return None
    first = window.spans[begins]
    named = any(token.tag in ("noun", "name") for token in first.tokens)
    return doubt(window, first.text) if named and not is_in(first, known_words(asked)) else None


def order_of_time_gap(said: Reading, window: Window) -> Gap | None:
    """Return the gap of "after it collapsed" where the quote has "collapsed ... after", or None."""
    for n, span in enumerate(said.spans[:-1]):
        if span.kind != "order" or not any(t.tag == "function" for t in span.tokens):
            continue
        at = [m for m, one in enumerate(window.spans) if is_in(one, frozenset(keys(span)))]
        behind = [one for one in said.spans[n + 1 :] if is_content(one) and one.kind != "order"]
        for one in behind[:1]:
            places = [m for m, held in enumerate(window.spans) if is_in(held, frozenset(keys(one)))]
            if len(at) == 1 and places and max(places) < at[0]:
                return doubt(window, window.spans[at[0]].text)
    return None


def shortened_gap(said: Reading, window: Window) -> Gap | None:
    """Return the gap of a clause of time or condition that leaves its end out, or None.

    "If it is heated too fast" says less than "if it is heated".
    """
    first = said.spans[0] if said.spans else None
    if first is None or first.role is None or first.role.role not in ("forecast", "question"):
        return None
    for start, stop in _clauses(window.spans):
        if not start <= window.stop < stop or not is_in(
            window.spans[start], frozenset(keys(first))
        ):
            continue
        # The window leaves out a helping verb at the end, as in "wenn er alt ist".
        told = {token.key for token in said.tokens}
        for one in window.spans[window.stop + 1 : stop]:
            is_told = told.issuperset(token.key for token in one.tokens)
            if one.kind != "sign" and not is_article(one) and not is_told:
                return doubt(window, one.text)
    return None


def _behind(spans: Sequence[Span], lead: frozenset[str]) -> Iterator[Span]:
    """The first word of each phrase that a preposition begins."""
    for n, span in enumerate(spans):
        if is_in(span, lead):
            yield from [one for one in spans[n + 1 :] if not is_article(one)][:1]


def _origin_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "from sugar" where the quote has "sugar from water"."""
    spans = asked.spans
    for n, span in enumerate(spans[:-1]):
        if not any(is_token(token, "directing") for token in span.tokens) or asks(spans[n + 1]):
            continue
        thing = next((one for one in spans[n + 1 :] if not is_article(one)), None)
        if thing is None or not is_content(thing):
            continue
        lead = frozenset(keys(span))
        at = [m for m, one in enumerate(window.spans) if is_in(one, frozenset(keys(thing)))]
        if not at or not any(map(is_content, _behind(window.spans, lead))):
            continue
        if not any(any(is_in(o, lead) for o in window.spans[max(0, m - 4) : m]) for m in at):
            return doubt(window, thing.text)
    return None
